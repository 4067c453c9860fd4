/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a code object consists of, before anything runs. */
#ifndef BENCH_CODE_OBJECT_H
#define BENCH_CODE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Instructions by kind; waits, hints and the end of the program are of none. */
struct code_counts {
	unsigned vector_alu, scalar_alu, scalar_loads, memory, lds, scratch;
	int64_t vector_registers, scalar_registers, scratch_bytes, lds_bytes, spills;
};

/* Of the kernel that a code object begins with; "processor" is LLVM's name for the target.
 * False where that is no such code object. */
bool code_object_count(const char *object, size_t length, const char *kernel,
	const char *processor, struct code_counts *counts);

/* Of the innermost loops that of most matrix instructions, with the fewest others: those, all
 * others but waits and hints, barriers, and waits for all loads.  Without loops all are 0. */
struct code_loop {
	unsigned matrix, others, barriers, full_waits;
};
bool code_object_loop(const char *object, size_t length, const char *kernel,
	const char *processor, struct code_loop *loop);

#endif
