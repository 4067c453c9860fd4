/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The matrices that the demo packs. */
#ifndef DEMO_MATRIX_H
#define DEMO_MATRIX_H

#include "files/npy.h"

/* Write a matrix of pseudo-random numbers in [-1, 1), the same ones every time,
 * as "path", and read it back as any program would. */
bool matrix_make(struct npy *matrix, int64_t rows, int64_t columns, uint32_t seed,
	const char *path, struct complaint *complaint);

#endif
