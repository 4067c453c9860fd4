/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Completion for zsh: one _arguments a command. */
#include "manual/manual.h"

/* Text of a specification, in the shell's single quotes. */
static void print_spec(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			print_escaped(out, (char[2]){ *text }, "\\[]:");
	}
}

/* What comes after the message: the action for a value of the option. */
static void write_action(FILE *out, const struct option *option)
{
	switch (option_value_kind(option)) {
	case VALUE_WORDS:
		fputc('(', out);
		print_value_words(out, option, "\\:");
		fputc(')', out);
		break;
	case VALUE_FILE:
		fputs("_files", out);
		break;
	case VALUE_NONE:
	case VALUE_TEXT:
		fputc(' ', out);
	}
}

/* '--option=[help]:VALUE:action', where '=' and '+' allow the value in the same word
 * as well as in the next. */
static void write_option(FILE *out, const struct option *option)
{
	bool is_long = option->name[1] == '-';

	fprintf(out, " \\\n			'%s%s%s[", option->repeats ? "*" : "",
		option->name, !option->value ? "" : is_long ? "=" : "+");
	print_spec(out, option->help);
	fputc(']', out);
	if (option->value) {
		fputc(':', out);
		print_spec(out, option->value);
		fputc(':', out);
		write_action(out, option);
	}
	fputc('\'', out);
}

static void write_command(FILE *out, const struct command *command)
{
	const struct option *option;

	fprintf(out, "	%s)\n		_arguments -S", command->name);
	for (unsigned i = 0; (option = command_option(command, i)); i++)
		write_option(out, option);
	if (command->max_operands) {
		fputs(" \\\n			'*:", out);
		print_spec(out, command->operands);
		if (command_reads_word(command)) {
			fputs(":(", out);
			print_operand_words(out, command);
			fputs(")'", out);
		} else if (command_reads_expression(command)) {
			fprintf(out, ":%s'", command_reads_file(command) ?
				"{_files; _layoutc_expressions}" : "_layoutc_expressions");
		} else {
			fprintf(out, ":%s'", command_reads_file(command) ? "_files" : " ");
		}
	}
	fputs("\n		;;\n", out);
}

void write_zsh(FILE *out)
{
	fputs("#compdef layoutc\n"
		"# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
		"# Zsh completion for layoutc, made from its tables of commands and "
		"options.\n\n"
		"local command\n"
		"local -a commands=(\n", out);
	for (const struct command *command = commands; command->name; command++) {
		fprintf(out, "	'%s:", command->name);
		print_spec(out, command->summary);
		fputs("'\n", out);
	}
	fputs(")\n\n"
		"# A function where a name ends the word, or the file behind \"@\".\n"
		"_layoutc_expressions()\n"
		"{\n"
		"	if compset -P '@'; then\n"
		"		_files\n"
		"		return\n"
		"	fi\n"
		"	compset -P '*[^A-Za-z0-9_]'\n"
		"	compadd -S '' -- ", out);
	print_functions(out);
	fputs("\n}\n\n"
		"if (( CURRENT == 2 )); then\n"
		"	_describe -t commands 'layoutc command' commands\n"
		"	_arguments '(- *)--help[print the commands and exit]' \\\n"
		"		'(- *)--version[print the versions and exit]'\n"
		"	return\n"
		"fi\n"
		"command=$words[2]\n"
		"shift words\n"
		"(( CURRENT-- ))\n"
		"case $command in\n", out);
	for (const struct command *command = commands; command->name; command++)
		write_command(out, command);
	fputs("esac\n", out);
}
