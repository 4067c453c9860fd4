/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The manual page and the shells' completions of layoutc, written from the tables
 * that its parser and its --help share: layoutc/arguments.h. */
#ifndef MANUAL_MANUAL_H
#define MANUAL_MANUAL_H

#include "layoutc/arguments.h"

#include <stdio.h>

void write_man(FILE *out);
void write_bash(FILE *out);
void write_zsh(FILE *out);
void write_fish(FILE *out);

/* The command's i-th option, the last one being --help; NULL past it. */
const struct option *command_option(const struct command *command, unsigned i);

/* Can an operand of the command be the name of a file? */
bool command_reads_file(const struct command *command);

/* Is an operand of the command an expression?  Its functions, with a space between. */
bool command_reads_expression(const struct command *command);
void print_functions(FILE *out);

/* Is its operand one of some words: those that "help" knows, or the one that its row has?  Then
 * print these, with a space between. */
bool command_reads_word(const struct command *command);
void print_operand_words(FILE *out, const struct command *command);

enum value_kind {
	VALUE_NONE,	/* the option is a flag */
	VALUE_WORDS,	/* one of print_value_words(), or like these */
	VALUE_FILE,
	VALUE_TEXT,	/* of the user's own */
};

enum value_kind option_value_kind(const struct option *option);

/* The words that can be the option's value, with a space between; every ':' in them
 * is printed as "colon". */
void print_value_words(FILE *out, const struct option *option, const char *colon);

/* Print with a backslash before those of "special". */
void print_escaped(FILE *out, const char *text, const char *special);

#endif
