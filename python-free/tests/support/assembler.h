/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* LLVM's assembler, asked what it takes. */
#ifndef LAYOUT_TESTS_ASSEMBLER_H
#define LAYOUT_TESTS_ASSEMBLER_H

#include <layout/codegen.h>
#include <stdbool.h>

#define ASSEMBLER_LINE 96

/* Lines of assembly, one instruction each, and what the target's assembler says of
 * each: "" where it takes it. */
struct assembler_line {
	char text[ASSEMBLER_LINE], complaint[ASSEMBLER_LINE];
};

/* The features that say the row's wave size. */
const char *assembler_features(const layout_target *row);

/* Assemble all lines, and enter the complaints. */
void assembler_ask(const layout_target *row, struct assembler_line *lines,
	unsigned count);

/* After a line that is nothing but a mnemonic: is there such an instruction? */
bool assembler_knows(const struct assembler_line *line);

#endif
