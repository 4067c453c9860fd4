/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA's assembler of PTX, asked what it makes of it. */
#ifndef TESTS_SUPPORT_PTXAS_H
#define TESTS_SUPPORT_PTXAS_H

#include <stdbool.h>

enum { PTXAS_FUNCTIONS = 16, PTXAS_TEXT = 512 };

/* A function as it was assembled.  Its stack has what its registers do not. */
struct ptxas_function {
	char name[64];
	unsigned registers, stack_bytes, shared_bytes;
};

/* Was it found when this was built? */
bool ptxas_is_there(void);

/* Assemble a file for a chip: how many functions it has; -1 where it is not taken without a
 * warning, and what is said of it in "complaint". */
int ptxas_assemble(const char *file, const char *target,
	struct ptxas_function functions[PTXAS_FUNCTIONS], char complaint[PTXAS_TEXT]);

#endif
