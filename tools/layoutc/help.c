/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/arguments.h"
#include "layoutc/report.h"

#include <layout/target.h>
#include <layout/value.h>
#include <stdio.h>
#include <string.h>

#define LINE 78

/* "layoutc eval EXPR [--format text|json] ..", broken into lines. */
static void print_usage(const struct command *command)
{
	int column = printf("    layoutc %s", command->name);

	if (*command->operands)
		column += printf(" %s", command->operands);
	for (const enum option_id *id = command->options; *id != OPTION_HELP; id++) {
		const struct option *option = &options[*id];
		char word[120];
		int length = snprintf(word, sizeof(word), "%s%s%s%s%s%s",
			option->required ? "" : "[", option->name,
			option->value ? " " : "", option->value ? option->value : "",
			option->required ? "" : "]", option->repeats ? "..." : "");

		if (column + 1 + length > LINE)
			column = printf("\n            ") - 1;
		column += printf(" %s", word);
	}
	putchar('\n');
}

static void print_options(const struct command *command)
{
	const enum option_id *id = command->options;

	puts("\nOptions:");
	for (;; id++) {
		const struct option *option = &options[*id];
		int column = printf("    %s%s%s", option->name, option->value ? " " : "",
			option->value ? option->value : "");

		if (column > 30)
			column = printf("\n") - 1;
		printf("%*s%s\n", 32 - column, "", option->help);
		if (*id == OPTION_HELP)
			break;
	}
}

/* One word more of a list, on a new line where it does not fit; the column behind. */
static int print_word(int column, const char *word)
{
	if (column + 1 + (int)strlen(word) > LINE)
		column = printf("\n        ") - 1;
	return column + printf(" %s", word);
}

static bool takes_target(const struct option *option)
{
	return !strcmp(option->name, "--target");
}

/* The targets and chips of data tiling for OPTION_ROW; else the rows, without the
 * host where the option's value is only a GPU. */
const char *option_target(const struct option *option, unsigned i)
{
	const layout_tiling_target *chip;
	const layout_target *target;

	if (!takes_target(option))
		return NULL;
	if (option == &options[OPTION_ROW] || option == &options[OPTION_OPERAND_ROW]) {
		chip = layout_tiling_target_at(i);
		return chip ? chip->name : NULL;
	}
	for (unsigned row = 0; (target = layout_target_at(row)); row++)
		if (target->wave_size > 1 || strstr(option->value, target->name))
			if (!i--)
				return target->name;
	return NULL;
}

static void print_targets(const struct option *option)
{
	const char *name;
	int column = printf("\nTargets:");

	for (unsigned i = 0; (name = option_target(option, i)); i++)
		column = print_word(column, name);
	putchar('\n');
}

static void print_functions(void)
{
	const char *name;
	int column = printf("\nFunctions:");

	for (unsigned i = 0; (name = layout_value_function(i)); i++)
		column = print_word(column, name);
	putchar('\n');
}

static const struct option *target_option(const struct command *command)
{
	for (const enum option_id *id = command->options; *id != OPTION_HELP; id++)
		if (takes_target(&options[*id]))
			return &options[*id];
	return NULL;
}

void help_print_command(const struct command *command)
{
	const struct option *target = target_option(command);

	printf("layoutc %s: %s\n\n", command->name, command->summary);
	print_usage(command);
	if (*command->details)
		printf("\n%s", command->details);
	print_options(command);
	if (target)
		print_targets(target);
	if (!strcmp(command->name, "eval"))
		print_functions();
}

/* "Exit status: 0 yes or done; 1 no; ..", broken into lines. */
static void print_statuses(void)
{
	char text[400], *rest = text;
	int length = snprintf(text, sizeof(text), "Exit status:");

	for (int i = 0; exit_statuses[i]; i++)
		length += snprintf(text + length, sizeof(text) - length, " %d %s%s", i,
			exit_statuses[i], exit_statuses[i + 1] ? ";" : ".");
	while (strlen(rest) > LINE) {
		char *end = rest + LINE;

		while (*end != ' ')
			end--;
		printf("%.*s\n", (int)(end - rest), rest);
		rest = end + 1;
	}
	puts(rest);
}

void help_print(void)
{
	puts("layoutc: GPU data layouts as integer relations, and kernels from them\n");
	for (const struct command *command = commands; command->name; command++)
		print_usage(command);
	puts("    layoutc --version | --help | COMMAND --help\n\nCommands:");
	for (const struct command *command = commands; command->name; command++)
		printf("    %-12s%s\n", command->name, command->summary);
	putchar('\n');
	print_statuses();
	puts("\"-\" is standard input or output.");
}

static const char *command_at(unsigned i)
{
	return commands[i].name;
}

const struct command *find_command(const char *name)
{
	for (const struct command *command = commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

/* Always a complaint. */
static int no_such(const char *word, const char *what, const char *similar)
{
	if (similar)
		return report(STATUS_USAGE, word, "no such %s; did you mean %s?", what, similar);
	return report(STATUS_USAGE, word, "no such %s; see layoutc --help", what);
}

/* A function or an expression wants a command before it. */
int report_no_command(const char *name)
{
	if (layout_value_function_page(name))
		return report(STATUS_USAGE, name, "no such command; it is of expressions: "
			"layoutc eval '%s'", layout_value_function_example(name));
	if (strpbrk(name, "([{<:,"))
		return report(STATUS_USAGE, name, "no such command; layoutc eval prints an "
			"expression");
	return no_such(name, "command", layout_similar_word(name, command_at));
}

/* A command or a function of expressions, in the order in which a word is looked for. */
static const char *word_at(unsigned i)
{
	unsigned count = 0;

	while (commands[count].name)
		count++;
	return i < count ? command_at(i) : layout_value_function(i - count);
}

int help_word(const char *word)
{
	const struct command *command = find_command(word);
	const char *page = layout_value_function_page(word);
	char *signature;

	if (command) {
		help_print_command(command);
		return STATUS_YES;
	}
	if (!page)
		return no_such(word, "command, function or notation",
			layout_similar_word(word, word_at));
	signature = layout_value_function_signature(word);
	if (!signature)
		return report(STATUS_UNKNOWN, "help", "no memory");
	printf("%s\n\nFor example:\n    layoutc eval '%s'\n\nSee docs/%s%s.\n", signature,
		layout_value_function_example(word), page, strcmp(page, "notation.md") ?
		"; docs/notation.md has all functions" : ", which has all functions");
	layout_string_free(signature);
	return STATUS_YES;
}

int run_help(const struct arguments *arguments)
{
	if (arguments->operand_count)
		return help_word(arguments->operands[0]);
	help_print();
	return STATUS_YES;
}
