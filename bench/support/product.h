/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A product of matrices of f32 on one thread, beside OpenBLAS. */
#ifndef BENCH_SUPPORT_PRODUCT_H
#define BENCH_SUPPORT_PRODUCT_H

#include <stdbool.h>

/* Billions of operations a second, of squares of that size; 0 for OpenBLAS where it is not there.
 * False with a message on standard error. */
bool product_measure(int size, double *ours, double *sgemm);

#endif
