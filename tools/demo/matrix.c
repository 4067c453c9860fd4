/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "demo/matrix.h"

/* Marsaglia's xorshift. */
static float next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return (float)(*state >> 8) / (1 << 23) - 1.0f;
}

bool matrix_make(struct npy *matrix, int64_t rows, int64_t columns, uint32_t seed,
	const char *path, struct complaint *complaint)
{
	struct npy made = { .kind = 'f', .element_bytes = sizeof(float), .rank = 2,
		.shape = { rows, columns } };
	bool good = npy_allocate(&made, complaint);

	for (int64_t i = 0; good && i < rows * columns; i++)
		((float *)made.data)[i] = next(&seed);
	good = good && npy_write(&made, path, complaint);
	npy_release(&made);
	return good && npy_read(matrix, path, complaint);
}
