/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs of random statements, over the sizes M and K. */
#ifndef TESTS_SUPPORT_PROGRAM_RANDOM_H
#define TESTS_SUPPORT_PROGRAM_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* What they can have; 0 is loads, maps and stores alone. */
enum {
	RANDOM_VIEWS = 1, RANDOM_REDUCTIONS = 2, RANDOM_LOOPS = 4, RANDOM_CONTRACTIONS = 8,
	RANDOM_GATHERS = 16, RANDOM_SMALL_TYPES = 32, RANDOM_SWIZZLES = 64,
	RANDOM_ALL = 127,
};

/* A program that reads, with arguments that are "in" and others that are "out", whose boxes
 * are numbers; numbers stay small where its inputs are. */
void program_random(uint64_t *state, unsigned features, char *text, size_t size);

#endif
