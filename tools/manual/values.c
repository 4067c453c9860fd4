/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "manual/manual.h"

#include <layout/value.h>
#include <ctype.h>
#include <string.h>

const struct option *command_option(const struct command *command, unsigned i)
{
	for (unsigned before = 0; before < i; before++)
		if (command->options[before] == OPTION_HELP)
			return NULL;
	return &options[command->options[i]];
}

static bool has_option(const struct command *command, enum option_id id)
{
	const struct option *option;

	for (unsigned i = 0; (option = command_option(command, i)); i++)
		if (option == &options[id])
			return true;
	return false;
}

bool command_reads_file(const struct command *command)
{
	return strstr(command->operands, "REMAP") ||
		strstr(command->operands, "ENCODING") ||
		has_option(command, OPTION_BATCH);
}

bool command_reads_expression(const struct command *command)
{
	return strstr(command->operands, "EXPR");
}

/* "[clear]" */
static bool has_word(const struct command *command)
{
	return *command->operands == '[' && islower((unsigned char)command->operands[1]);
}

static bool is_help(const struct command *command)
{
	return !strcmp(command->operands, "[WORD]");
}

bool command_reads_word(const struct command *command)
{
	return is_help(command) || has_word(command);
}

void print_functions(FILE *out)
{
	const char *name;

	for (unsigned i = 0; (name = layout_value_function(i)); i++)
		fprintf(out, "%s%s", i ? " " : "", name);
}

void print_operand_words(FILE *out, const struct command *command)
{
	const char *before = "";

	if (!is_help(command)) {
		fprintf(out, "%.*s", (int)strlen(command->operands) - 2,
			command->operands + 1);
		return;
	}
	for (command = commands; command->name; command++) {
		fprintf(out, "%s%s", before, command->name);
		before = " ";
	}
	fputc(' ', out);
	print_functions(out);
}

enum value_kind option_value_kind(const struct option *option)
{
	if (!option->value)
		return VALUE_NONE;
	if (option_has_choices(option) || option_target(option, 0))
		return VALUE_WORDS;
	return strcmp(option->value, "FILE") ? VALUE_TEXT : VALUE_FILE;
}

void print_value_words(FILE *out, const struct option *option, const char *colon)
{
	const char *target;

	if (option_has_choices(option))
		for (const char *c = option->value; *c; c++)
			fputc(*c == '|' ? ' ' : *c, out);
	for (unsigned i = 0; (target = option_target(option, i)); i++) {
		fputs(i ? " " : "", out);
		for (; *target; target++)
			if (*target == ':')
				fputs(colon, out);
			else
				fputc(*target, out);
	}
}

void print_escaped(FILE *out, const char *text, const char *special)
{
	for (; *text; text++) {
		if (strchr(special, *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}
