/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A block for people to read. */
#include "kernel/block/block.h"
#include "kernel/plan.h"

#include <inttypes.h>

struct writer {
	struct layout_buffer *out;
	const char *const *names;	/* of the sizes */
};

/* "dimension 0: below M + 3, in the source from 1 to below M + 1" */
static void explain_dim(const struct writer *w, const struct block_dim *dim, unsigned d)
{
	layout_buffer_printf(w->out, "dimension %u: below ", d);
	index_print(w->out, dim->end, w->names);
	layout_buffer_printf(w->out, ", in the source ");
	if (!index_is(dim->low, 0)) {
		layout_buffer_printf(w->out, "from ");
		index_print(w->out, dim->low, w->names);
		layout_buffer_printf(w->out, " to ");
	}
	layout_buffer_printf(w->out, "below ");
	index_print(w->out, dim->high, w->names);
	layout_buffer_printf(w->out, "%s\n", dim->pitch[0] ?
		", the last block earlier to be whole" : "");
}

static void explain_piece(const struct writer *w, const char *what,
	const struct block_piece *piece)
{
	layout_buffer_printf(w->out, "%s: dimension %u, step %" PRId64 ", ", what,
		piece->digit.dim, piece->digit.step);
	layout_buffer_printf(w->out, piece->digit.radix ? "radix %" PRId64 : "to the end",
		piece->digit.radix);
	layout_buffer_printf(w->out, ", worth ");
	index_print(w->out, piece->weight[FACTOR_LOAD], w->names);
	layout_buffer_printf(w->out, " in the source and ");
	index_print(w->out, piece->weight[FACTOR_STORE], w->names);
	layout_buffer_printf(w->out, " in the destination\n");
}

static void explain_moves(struct layout_buffer *out, const struct plan_block *block)
{
	const char *what = block->unit > 1 ? "bytes" : "elements";

	if (block->row) {
		layout_buffer_printf(out, "row: at most %" PRId64 " %s, copied as they are\n",
			block->elements, what);
		return;
	}
	layout_buffer_printf(out, "block: %" PRId64 " %s, turned in vector registers\n",
		block->elements, what);
	layout_buffer_printf(out, "load: %" PRId64 " at once; store: %" PRId64 "\n",
		block->vector[FACTOR_LOAD], block->vector[FACTOR_STORE]);
}

void plan_block_explain(struct layout_buffer *out, const struct plan *plan)
{
	const struct plan_block *block = plan->block;
	struct writer w = { out, (const char *const *)plan->size_names };

	for (unsigned d = 0; d < block->dim_count; d++)
		explain_dim(&w, &block->dims[d], d);
	for (unsigned i = 0; i < block->loop_count; i++)
		explain_piece(&w, "loop", &block->loops[i].piece);
	for (unsigned i = 0; i < block->piece_count; i++)
		explain_piece(&w, "digit", &block->pieces[i]);
	explain_moves(out, block);
}
