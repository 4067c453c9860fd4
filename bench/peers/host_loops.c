/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Plain loops for the CPU, for a compiler to make the best of. */
#include <math.h>

void softmax(const float *restrict x, float *restrict y, long rows, long columns)
{
	for (long m = 0; m < rows; m++, x += columns, y += columns) {
		float most = -INFINITY, sum = 0;

		for (long k = 0; k < columns; k++)
			most = fmaxf(most, x[k]);
		for (long k = 0; k < columns; k++) {
			y[k] = expf(x[k] - most);
			sum += y[k];
		}
		for (long k = 0; k < columns; k++)
			y[k] /= sum;
	}
}

void matvec(const float *restrict a, const float *restrict x, float *restrict y, long rows,
	long columns)
{
	for (long m = 0; m < rows; m++, a += columns) {
		float sum = 0;

		for (long k = 0; k < columns; k++)
			sum += a[k] * x[k];
		y[m] = sum;
	}
}
