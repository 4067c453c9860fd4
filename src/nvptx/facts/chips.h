/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The NVPTX chips from the inside: what the rows are made of. */
#ifndef LAYOUT_NVPTX_CHIPS_H
#define LAYOUT_NVPTX_CHIPS_H

#include "algebra/chip.h"

extern const struct chip_family nvptx_family;

/* Shared memory, which the rows call the LDS: bytes that a workgroup may declare, and
 * banks. */
#define NVPTX_SHARED 49152, 32

/* The bits of the chips in the tables of matrix instructions, and those from one on. */
enum { SM_75 = 1 << 0, SM_80 = 1 << 1, SM_89 = 1 << 2, SM_90 = 1 << 3, SM_100 = 1 << 4,
	SM_120 = 1 << 5 };
enum { HOPPER_UP = SM_90 | SM_100 | SM_120, ADA_UP = SM_89 | HOPPER_UP,
	AMPERE_UP = SM_80 | ADA_UP, TURING_UP = SM_75 | AMPERE_UP };

/* The matrix instructions by their names; and those that kernels can have. */
extern const struct mma_table nvptx_matrix;
extern const struct mma_codes nvptx_matrix_codes;

/* What the hooks know of a chip besides. */
struct nvptx_chip {
	const char *ptx;	/* LLVM's feature: the first version that has what kernels use; */
	const char *ptx_f8;	/* and products of f8; NULL: the same, or it has none */
};

static inline const struct nvptx_chip *nvptx_chip_of(const layout_target *target)
{
	return chip_of(target)->own;
}

/* How lanes read each other's words. */
enum {
	NVPTX_BUTTERFLY,	/* shfl.sync.bfly */
	NVPTX_INDEX,		/* shfl.sync.idx */
};

#endif
