/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A relayout run in the simulator, and what its bytes should be. */
#ifndef TESTS_SUPPORT_RELAYOUT_H
#define TESTS_SUPPORT_RELAYOUT_H

#include "support/storage_model.h"

#include <layout/codegen.h>

/* An element of "bits" becomes one of "to_bits".  Where it is converted, numbers with all
 * bits of "exponent" are not among the data. */
struct relayout_element {
	const char *type;
	unsigned bits, to_bits;
	uint64_t (*convert)(uint64_t value);
	uint64_t exponent;
};

struct relayout {
	struct storage_model source, destination;
	char size[MODEL_RANK][24];	/* as text: "A", "17" */
	char assume[200];		/* on the sizes; "": nothing */
	const struct relayout_element *element;
	uint64_t pad;			/* its bits, as many as it has */
	const char *target;
	bool through_lds;
	bool as_program;		/* by layout_program_new_remap(), where it makes one */
};

/* The element of that name; any one, of whole bytes if that is asked for. */
const struct relayout_element *relayout_element(const char *type);
const struct relayout_element *relayout_any_element(uint64_t *state, bool bytes);

/* NULL, and the reason printed, where it cannot be compiled. */
layout_kernel *relayout_kernel(layout_context *ctx, const struct relayout *relayout);

/* Runs it at one shape and compares every byte; prints what is wrong.  Sizes that are
 * names are A, B, .. by dimension.  "stats" may be NULL. */
bool relayout_run(layout_context *ctx, const struct relayout *relayout,
	layout_kernel *kernel, const int64_t *n, layout_sim_stats *stats);

/* Compiles it and runs it at "count" shapes; how much of that went wrong. */
unsigned relayout_check(layout_context *ctx, const struct relayout *relayout,
	unsigned count, const int64_t (*n)[MODEL_RANK]);

#endif
