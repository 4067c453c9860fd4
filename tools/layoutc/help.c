/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/arguments.h"

#include <layout/codegen.h>
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

/* The rows that the option takes: not the host where its value is only a GPU. */
static void print_targets(const struct option *option)
{
	const layout_target *target;
	int column = printf("\nTargets:");

	for (unsigned i = 0; (target = layout_target_at(i)); i++) {
		if (target->wave_size == 1 && !strstr(option->value, target->name))
			continue;
		column = print_word(column, target->name);
	}
	putchar('\n');
}

/* The targets and chips of data tiling. */
static void print_tiling_targets(void)
{
	const layout_tiling_target *target;
	int column = printf("\nTargets:");

	for (unsigned i = 0; (target = layout_tiling_target_at(i)); i++)
		column = print_word(column, target->name);
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
		if (!strcmp(options[*id].name, "--target"))
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
	if (target == &options[OPTION_ROW])
		print_tiling_targets();
	else if (target)
		print_targets(target);
	if (!strcmp(command->name, "eval"))
		print_functions();
}

void help_print(void)
{
	puts("layoutc: GPU data layouts as integer relations, and kernels from them\n");
	for (const struct command *command = commands; command->name; command++)
		print_usage(command);
	puts("    layoutc --version | --help | COMMAND --help\n\nCommands:");
	for (const struct command *command = commands; command->name; command++)
		printf("    %-12s%s\n", command->name, command->summary);
	puts("\nExit status: 0 yes or done; 1 no; 2 usage, or text that does not parse "
		"or\ntype-check; 3 unsupported or unknown; 4 input or output failed.\n"
		"\"-\" is standard input or output.");
}
