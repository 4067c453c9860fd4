/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a relation and a set are made of; for src/isl_bridge and src/algebra. */
#ifndef LAYOUT_BRIDGE_OBJECTS_H
#define LAYOUT_BRIDGE_OBJECTS_H

#include "isl_bridge/bridge.h"
#include "isl_bridge/relation.h"

/* A function of anonymous tuples without parameters that is held as something else
 * than a map (src/algebra/forms.h).  Shared by the copies of a relation. */
struct form {
	const struct form_kind *kind;
	unsigned references;
	unsigned in_rank, out_rank;
	char **in_names;		/* of the inputs, for readers; NULL: none */
};

struct form_kind {
	/* The domain is the box 0 <= x_i < extent(i). */
	int64_t (*extent)(const struct form *form, unsigned input);

	/* The image of a point of the box; false where it is beyond 64 bits. */
	bool (*apply)(const struct form *form, const int64_t *in, int64_t *out);

	/* Image coordinate "output" as isl's text, of inputs with these names; NULL,
	 * or false and nothing, where the function says it as well. */
	bool (*print)(struct layout_buffer *out, const struct form *form, unsigned output,
		const char *const *names);

	/* The same as a function; its restriction to the box is the map. */
	isl_multi_aff *(*build)(layout_context *ctx, const struct form *form);
	void (*free)(struct form *form);
};

/* A layout that a relation was made from, and that knows what the map does not show.
 * Shared by the copies of the relation. */
struct origin {
	unsigned references;
	void *layout;
	void (*free)(void *layout);

	/* Are the images all of a set and nothing else?  LAYOUT_UNKNOWN, and nothing on the
	 * context, where it cannot tell. */
	layout_answer (*covers)(void *layout, layout_set *onto, layout_witness **witness);
};

/* A map and what is known about it by construction.
 *
 *	form		what stands for the map until isl is needed, and is asked
 *			first where it has an answer.  NULL: there is none
 *	reversed	the form's function is Y -> X
 *	map		X -> Y; with a form NULL until bridge_need_map()
 *	forward		X -> Y, agrees with the map wherever that has an image:
 *			the relation is a function.  NULL: not known
 *	backward	Y -> X, likewise for the reversed map: injective
 *	domain, range	those of the map, in fewer words than its own.  NULL: not known
 *	origin		NULL: nothing else is known
 *
 * Both functions keep floors and digits as their constructor wrote them, where the
 * map alone would have isl find them anew. */
struct layout_relation {
	layout_context *ctx;
	struct form *form;
	bool reversed;
	isl_map *map;
	isl_multi_aff *forward, *backward;
	isl_set *domain, *range;
	struct origin *origin;
};

/* The form that the relation is a function by; NULL: there is none. */
const struct form *bridge_function_form(const layout_relation *relation);

/* A relation of a form, consumed; NULL if that is NULL or there is no memory. */
layout_relation *bridge_relation_of(layout_context *ctx, struct form *form);

/* A relation that shares the form of one that has one, the function or its reverse. */
layout_relation *bridge_share_form(const layout_relation *relation, bool reversed);

/* Name the inputs of a form before its map is built; false where the relation is no
 * function by a form, or another relation shares it, or memory ran out. */
bool bridge_name_form(layout_relation *relation, const char *const *names);

/* Build map and function from the form, if they are not there yet: after
 * bridge_enter(), and before the first look at them.  False where isl failed, which
 * bridge_leave() then reports. */
bool bridge_need_map(layout_relation *relation);

/* 0 <= dimension < extent, in a set that is not NULL; the domain of a form as a box. */
isl_set *bridge_bound(isl_set *set, unsigned dim, int64_t extent);
isl_set *bridge_form_box(layout_context *ctx, const struct form *form);

struct layout_set {
	layout_context *ctx;
	isl_set *set;
};

/* Close a bridge_enter() with an object as the result.  Consume the isl objects;
 * NULL, with the error on the context, where isl failed.  "forward" and "backward"
 * may be NULL. */
layout_relation *bridge_give_relation(layout_context *ctx, const char *doing,
	isl_map *map, isl_multi_aff *forward, isl_multi_aff *backward);
layout_set *bridge_give_set(layout_context *ctx, const char *doing, isl_set *set);

/* Remember the domain and the range, which it consumes, of a relation; either may be
 * NULL, and all of them for a relation that is. */
layout_relation *bridge_know_sets(layout_relation *relation, isl_set *domain,
	isl_set *range);

/* Remember the origin of a relation that has none, unless memory ran out; consumes it and
 * its layout. */
layout_relation *bridge_know_origin(layout_relation *relation, struct origin origin);

/* Give "function" the tuple names of "map", or of the map reversed. */
isl_multi_aff *bridge_name_forward(isl_multi_aff *function, isl_map *map);
isl_multi_aff *bridge_name_backward(isl_multi_aff *function, isl_map *map);

/* The map under the context that all parameters are >= 0; and the set. */
isl_map *bridge_asked_map(layout_relation *relation);
isl_set *bridge_asked_set(layout_set *set);

/* The point, for the sizes for which it is in the set; is there one? */
isl_set *bridge_set_at(layout_set *set, const int64_t *point);
bool bridge_set_has(layout_set *set, const int64_t *point);

/* A lexicographically small point of a set as a witness: its parameters are
 * sizes, its first "first_rank" dimensions a point, and the rest a second one if
 * "two".  NULL, with the error on the context, where there is no point or isl
 * failed.  Consumes the set. */
layout_witness *bridge_witness(layout_context *ctx, isl_set *set, unsigned first_rank,
	bool two);

/* One or two points as a witness without sizes; "second" may be NULL. */
layout_witness *bridge_witness_of(layout_context *ctx,
	const int64_t *first, unsigned first_rank,
	const int64_t *second, unsigned second_rank);

/* Is the answer yes?  Where it is no, that is LAYOUT_ERROR_INVALID, "OTHERWISE" or
 * "OTHERWISE: WITNESS"; consumes the witness, which may be NULL. */
bool bridge_demand(layout_context *ctx, layout_answer answer, const char *otherwise,
	layout_witness *witness);

#endif
