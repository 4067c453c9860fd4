/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Completion for fish: one "complete" a command and option. */
#include "manual/manual.h"

static void write_description(FILE *out, const char *text)
{
	fputs(" -d '", out);
	print_escaped(out, text, "\\'");
	fputs("'\n", out);
}

static void write_option(FILE *out, const struct command *command,
	const struct option *option)
{
	bool is_long = option->name[1] == '-';

	fprintf(out, "complete -c layoutc -n '__layoutc_command %s' %s %s", command->name,
		is_long ? "-l" : "-s", option->name + 1 + is_long);
	switch (option_value_kind(option)) {
	case VALUE_WORDS:
		fputs(" -x -a '", out);
		print_value_words(out, option, ":");
		fputc('\'', out);
		break;
	case VALUE_FILE:
		fputs(" -r -F", out);
		break;
	case VALUE_TEXT:
		fputs(" -x", out);
		break;
	case VALUE_NONE:
		break;
	}
	write_description(out, option->help);
}

static void write_command(FILE *out, const struct command *command)
{
	const struct option *option;

	fprintf(out, "\ncomplete -c layoutc -n '__layoutc_command' -a %s", command->name);
	write_description(out, command->summary);
	if (command_reads_file(command))
		fprintf(out, "complete -c layoutc -n '__layoutc_command %s' -F\n",
			command->name);
	if (command_reads_expression(command))
		fprintf(out, "complete -c layoutc -n '__layoutc_command %s' "
			"-a '(__layoutc_expressions)'\n", command->name);
	if (command_reads_word(command)) {
		fprintf(out, "complete -c layoutc -n '__layoutc_command %s' -a '",
			command->name);
		print_operand_words(out, command);
		fputs("'\n", out);
	}
	for (unsigned i = 0; (option = command_option(command, i)); i++)
		write_option(out, command, option);
}

void write_fish(FILE *out)
{
	fputs("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
		"# Fish completion for layoutc, made from its tables of commands and "
		"options.\n\n"
		"# Is this the command that was typed?  Without one: is there none yet?\n"
		"function __layoutc_command\n"
		"	set -l words (commandline -opc)\n"
		"	test \"$words[2]\" = \"$argv[1]\"\n"
		"end\n\n"
		"# The token with each function for the name that ends it, or the file behind "
		"\"@\".\n"
		"function __layoutc_expressions\n"
		"	set -l token (string trim -l -c '\\'\"' -- (commandline -ct))\n"
		"	if string match -q -- '@*' $token\n"
		"		printf '@%s\\n' (complete -C \"'' \"(string sub -s 2 -- $token))\n"
		"		return\n"
		"	end\n"
		"	string match -q -- '-*' $token; and return\n"
		"	string match -qr -- '[A-Za-z_][A-Za-z0-9_]*$' $token; or return\n"
		"	set -l before (string replace -r -- '[A-Za-z0-9_]*$' '' $token)\n"
		"	printf \"$before%s\\n\" ", out);
	print_functions(out);
	fputs("\nend\n\n"
		"complete -c layoutc -f\n"
		"complete -c layoutc -n '__layoutc_command' -l help "
		"-d 'print the commands and exit'\n"
		"complete -c layoutc -n '__layoutc_command' -l version "
		"-d 'print the versions and exit'\n", out);
	for (const struct command *command = commands; command->name; command++)
		write_command(out, command);
}
