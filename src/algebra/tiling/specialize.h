/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_TILING_SPECIALIZE_H
#define LAYOUT_ALGEBRA_TILING_SPECIALIZE_H

#include "isl_bridge/context.h"
#include <layout/specialize.h>

/* A layout of tensors of one rank; what it is written as tells most of them apart. */
struct distinct_layout {
	unsigned rank;
	layout_encoding *encoding;
	char *text;
};

/* A variant, and the lists that it shows. */
struct variant {
	layout_variant shown;
	char *name, *kernel, *processor;
	unsigned *layouts, *dispatches;
};

struct relayout {
	layout_relayout shown;
	char *name, *key, *processor;
	layout_use *uses;
};

struct layout_specialization {
	layout_context *ctx;
	layout_resolver resolver;
	unsigned layout_count, variant_count, relayout_count, dispatch_count;
	struct distinct_layout *layouts;
	struct variant *variants;
	struct relayout *relayouts;
	unsigned *variant_of;		/* each dispatch's */
};

/* The number of the layout that "target" wants for the operand, LAYOUT_PLAIN if that is
 * row-major; false on an error. */
bool specialize_layout(layout_specialization *specialization, layout_operand *operand,
	const layout_tiling_target *target, unsigned *number);

/* The storage of a tensor in a layout; "sizes" NULL: they have names. */
layout_storage *specialize_storage(const layout_specialization *specialization,
	unsigned number, unsigned rank, const char *const *sizes);

/* Does the remap leave the memory as it is?  Where that is not known it is taken to do
 * something, which is right, if not as little as could be done. */
bool specialize_is_identity(layout_context *ctx, layout_remap *remap);

/* Let dispatch "number" launch the variant that has these layouts. */
bool specialize_variant(layout_specialization *specialization,
	const layout_dispatch *dispatch, unsigned number, const unsigned *layouts);

/* Note the relayout of an operand from one layout to another, if there is anything to
 * do. */
bool specialize_relayout(layout_specialization *specialization,
	const layout_dispatch *dispatch, layout_use use, unsigned from, unsigned to);

/* The processor that code is made for: a target that is none is a chip with one. */
const char *specialize_processor(const layout_tiling_target *target);

/* "base", or "base_1", .., which nothing has yet; consumes "base", which may be NULL. */
char *specialize_name(const layout_specialization *specialization, char *base);

/* Make room for one more at the end of a list of "count", whose room doubles; false, and
 * the list as it was, without memory. */
bool specialize_grow(layout_context *ctx, void **list, unsigned count, size_t size);

#endif
