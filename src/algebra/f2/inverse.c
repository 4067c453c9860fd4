/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/span.h"

#include <string.h>

/* Rows that have no other's pivot are, if there is one for every bit, the unit vectors:
 * the members of each are the inverse's column of its pivot. */
struct f2 *f2_inverse(layout_context *ctx, const struct f2 *f2)
{
	struct f2_span span;
	struct f2 *inverse;
	uint64_t *row;

	if (f2->in_bits != f2->out_bits)
		return NULL;
	f2_span_columns(&span, f2);
	if (span.count < f2->in_bits)
		return NULL;
	inverse = f2_new(ctx, f2->out_rank, f2->out_widths, f2->in_rank, f2->in_widths);
	if (!inverse)
		return NULL;
	row = f2_span_row(&span);
	memcpy(row, f2->constant, f2->words * sizeof(*row));
	f2_span_reduce(&span, row);
	memcpy(inverse->constant, f2_span_sources(&span, row),
		inverse->words * sizeof(*row));
	for (unsigned i = 0; i < span.count; i++) {
		row = f2_span_at(&span, i);
		memcpy(f2_column(inverse, span.pivots[i]), f2_span_sources(&span, row),
			inverse->words * sizeof(*row));
	}
	return inverse;
}
