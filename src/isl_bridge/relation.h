/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations and sets from the inside. */
#ifndef LAYOUT_BRIDGE_RELATION_H
#define LAYOUT_BRIDGE_RELATION_H

#include "isl_bridge/context.h"
#include <layout/relation.h>
#include <layout/value.h>

/* Names of parameters, in isl's order. */
LAYOUT_INTERNAL unsigned layout_relation_param_count(layout_relation *relation);
LAYOUT_INTERNAL const char *layout_relation_param_name(layout_relation *relation,
	unsigned i);
LAYOUT_INTERNAL unsigned layout_set_param_count(layout_set *set);
LAYOUT_INTERNAL const char *layout_set_param_name(layout_set *set, unsigned i);

/* The name of the tuple of the inputs, or of the images, and of a coordinate; NULL: it has
 * none.  Borrowed. */
LAYOUT_INTERNAL const char *layout_relation_tuple_name(layout_relation *relation,
	bool images);
LAYOUT_INTERNAL const char *layout_relation_coordinate_name(layout_relation *relation,
	bool images, unsigned i);

/* The input that image k of a function is a copy of, by its looks; -1: it is none. */
LAYOUT_INTERNAL int layout_relation_copied_input(layout_relation *function, unsigned k);

/* { [names..] : 0 <= each < its size }; names NULL: x0, x1, .. */
layout_set *layout_set_of_box(layout_context *ctx, const char *const *names,
	const int64_t *sizes, unsigned rank);

/* { [..] : the first coordinates are these }, of "rank" */
LAYOUT_INTERNAL layout_set *layout_set_from(layout_context *ctx, const int64_t *first,
	unsigned count, unsigned rank);

/* Read isl text that gives each image as an expression of its input, without
 * conditions: what is known to be a function from the start. */
LAYOUT_INTERNAL layout_relation *layout_relation_read_function(layout_context *ctx,
	const char *text);

/* Visit every pair, lexicographically by input, then image.  The relation must be
 * bounded and without parameters. */
LAYOUT_INTERNAL bool layout_relation_for_each(layout_relation *relation,
	layout_visit_pair visit, void *user);

#endif
