/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc: the public API as a command. */
#include "layoutc/arguments.h"
#include "layoutc/report.h"
#include "layoutc/watch.h"

#include <stdio.h>
#include <string.h>

/* Kernels, and points by the million, take what they take. */
static bool may_take_long(const struct arguments *arguments)
{
	return arguments->command->run == run_run || arguments->command->run == run_kernel ||
		argument_given(arguments, OPTION_VALUES);
}

static int run_command(const struct command *command, int count, char **line)
{
	struct arguments arguments;
	int status = arguments_parse(&arguments, command, count, line);

	if (!status && !may_take_long(&arguments))
		watch_begin();
	if (!status && argument_given(&arguments, OPTION_HELP) && arguments.operand_count &&
	    command->run == run_eval)
		status = help_word(arguments.operands[0]);
	else if (!status && argument_given(&arguments, OPTION_HELP))
		help_print_command(command);
	else if (!status)
		status = command->run(&arguments);
	arguments_release(&arguments);
	return status;
}

int main(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2)
		return report(STATUS_USAGE, NULL, "needs a command; see layoutc --help");
	if (!strcmp(argv[1], "--help")) {
		help_print();
		return report_stdout(STATUS_YES);
	}
	if (!strcmp(argv[1], "--version"))
		return report_stdout(print_version(argv));
	command = find_command(argv[1]);
	if (!command)
		return report_no_command(argv[1]);
	return report_stdout(run_command(command, argc, argv));
}
