/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_TILING_CPU_H
#define LAYOUT_ALGEBRA_TILING_CPU_H

#include "algebra/tiling/operand.h"

/*	tile	of each loop; no loop B or KB is tiled
 *	turned	the product is computed as that of the transposed operands */
struct cpu_choice {
	int64_t tile[TILING_LOOPS];
	bool turned;
};

/* Of "native", the architecture and the features of the CPU that we run on. */
void cpu_native(const char **architecture, const char **features);

/* How the CPU tiles the product; else why it does not. */
const char *cpu_choose(const layout_operand *operand, const struct tiling_contraction *contraction,
	const layout_tiling_target *target, struct layout_buffer *why,
	struct cpu_choice *choice);

#endif
