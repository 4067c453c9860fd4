/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pairs of a layout, listed, and what both sides of it are. */
#ifndef LAYOUT_SHOW_PAIRS_H
#define LAYOUT_SHOW_PAIRS_H

#include "show/side.h"

#include <layout/show.h>

#define SHOW_DIMS 8		/* dimensions of a picture, at most */

/* Pair i is values[i * (inputs.rank + images.rank)]: the input and then its image.  The
 * input of a CuTe layout is its coordinate mode by mode. */
struct show_pairs {
	layout_context *ctx;
	struct show_side inputs, images;
	size_t count, capacity;
	int64_t *values;
	layout_cute *cute;		/* borrowed; NULL: another kind */
	int64_t modes[SHOW_DIMS];	/* the sizes of its modes */
	bool failed;
};

/* False with the error on the context.  Free in both cases. */
bool show_pairs_list(struct show_pairs *pairs, layout_context *ctx, layout_value *value,
	const layout_show_options *options);
void show_pairs_free(struct show_pairs *pairs);

/* Fail, always false: there are too many pairs, or "rank" dimensions, called "what". */
bool show_too_large(layout_context *ctx);
bool show_too_deep(layout_context *ctx, const char *what, unsigned rank);

/* *product *= factor, as long as it stays within the limit of pairs. */
bool show_multiply(int64_t *product, int64_t factor);

/* Pair i's input, and its image. */
const int64_t *show_pair_input(const struct show_pairs *pairs, size_t i);
const int64_t *show_pair_image(const struct show_pairs *pairs, size_t i);

#endif
