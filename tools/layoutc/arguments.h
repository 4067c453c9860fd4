/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The command line as data: the table of commands and options that the parser
 * and --help share, and what the parser makes of one command line. */
#ifndef LAYOUTC_ARGUMENTS_H
#define LAYOUTC_ARGUMENTS_H

#include <layout/base.h>

enum option_id {
	OPTION_FORMAT,
	OPTION_VALUES,
	OPTION_TABLE,
	OPTION_DIRECTION,
	OPTION_TYPE,
	OPTION_BATCH,
	OPTION_IS,
	OPTION_ONTO,
	OPTION_MEMORY,
	OPTION_UP_TO_K,
	OPTION_COUNTED,
	OPTION_TARGET,
	OPTION_GPU,
	OPTION_ROW,
	OPTION_OPERAND_ROW,
	OPTION_OPERAND,
	OPTION_RESOLVER,
	OPTION_MISSING,
	OPTION_RESOLVE_FORMAT,
	OPTION_WHY,
	OPTION_PICTURE,
	OPTION_COLOR,
	OPTION_BITS,
	OPTION_BANKS,
	OPTION_EMIT,
	OPTION_EXPLAIN,
	OPTION_OWNER,
	OPTION_THROUGH_LDS,
	OPTION_FILE,
	OPTION_ASSUME,
	OPTION_BASE_ALIGN,
	OPTION_CODE_OBJECT,
	OPTION_CPU,
	OPTION_INPUT,
	OPTION_OUTPUT,
	OPTION_SHORT_OUTPUT,
	OPTION_ENGINE,
	OPTION_SIM_TARGET,
	OPTION_STATS,
	OPTION_STATS_FORMAT,
	OPTION_QUIET,
	OPTION_ROW_FORMAT,
	OPTION_ANSWER_FORMAT,
	OPTION_SIZE,
	OPTION_HELP,
	OPTION_COUNT,
};

/* "value" is NULL for a flag, "a|b|c" where only those words will do, else what
 * to call the value in the help.  A required option is one its command cannot
 * do without.  One that is another name of "same_as" is that option. */
struct option {
	const char *name;
	const char *value;
	bool repeats, required;
	const char *help;
	enum option_id same_as;		/* 0: of none, since that is the first */
};

#define MAX_OPERANDS 4
#define MAX_OPTIONS 12

struct arguments;

/* "operands" as the help shows them; "options" end with OPTION_HELP. */
struct command {
	const char *name;
	const char *operands;
	unsigned min_operands, max_operands;
	const char *summary;
	const char *details;	/* more paragraphs for the help, or "" */
	enum option_id options[MAX_OPTIONS];
	int (*run)(const struct arguments *arguments);
};

extern const struct option options[OPTION_COUNT];

/* The commands, ending with one without a name. */
extern const struct command commands[];

/* What each exit status means, from 0; ends with NULL. */
extern const char *const exit_statuses[];

/* The name of the i-th target that the option takes; NULL past the last, and for
 * options that take none. */
const char *option_target(const struct option *option, unsigned i);

/* Does the option take only the words that its row lists? */
bool option_has_choices(const struct option *option);

struct given {
	enum option_id id;
	const char *value;
};

struct arguments {
	char **line;		/* from the program's name on */
	const struct command *command;
	const char *operands[MAX_OPERANDS];
	unsigned operand_count;
	struct given *given;
	unsigned given_count;
	layout_size *sizes;	/* -D, each name once */
	unsigned size_count;
};

/* Read the "count" words of the command line.  0, or the exit status after a
 * complaint.  Free with arguments_release(), also on failure. */
int arguments_parse(struct arguments *arguments, const struct command *command,
	int count, char **line);
void arguments_release(struct arguments *arguments);

bool argument_given(const struct arguments *arguments, enum option_id id);

/* The option's value; NULL where it was not given. */
const char *argument_value(const struct arguments *arguments, enum option_id id);

/* Which of the option's words was given, from 0; "otherwise" if none was. */
int argument_choice(const struct arguments *arguments, enum option_id id, int otherwise);

/* Which of its words were given, each once, in the order given; how many. */
unsigned argument_choices(const struct arguments *arguments, enum option_id id, int list[]);

/* The place of "word" in "a|b|c"; -1 if it is not there. */
int choice_index(const char *choices, const char *word);

void help_print(void);
void help_print_command(const struct command *command);

/* Of a command or of a function of expressions; the exit status. */
int help_word(const char *word);

/* The command of that name; NULL: there is none, and a complaint about that. */
const struct command *find_command(const char *name);
int report_no_command(const char *name);

int run_eval(const struct arguments *arguments);
int run_check(const struct arguments *arguments);
int run_equal(const struct arguments *arguments);
int run_count(const struct arguments *arguments);
int run_show(const struct arguments *arguments);
int run_resolve(const struct arguments *arguments);
int run_propagate(const struct arguments *arguments);
int run_specialize(const struct arguments *arguments);
int run_kernel(const struct arguments *arguments);
int run_run(const struct arguments *arguments);
int run_cache(const struct arguments *arguments);
int run_targets(const struct arguments *arguments);
int run_repl(const struct arguments *arguments);
int run_help(const struct arguments *arguments);

/* The versions of what the program is made of; the exit status. */
int print_version(char **line);
int run_mma(const struct arguments *arguments);

#endif
