/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_ALGEBRA_NESTED_H
#define LAYOUT_ALGEBRA_NESTED_H

#include "isl_bridge/context.h"
#include <layout/value.h>

enum { NESTED_SUBGROUP, NESTED_BATCH, NESTED_OUTER, NESTED_THREAD, NESTED_ELEMENT,
	NESTED_LEVELS };

/* The levels, and then the strides of subgroups and threads. */
enum { NESTED_SUBGROUP_STRIDES = NESTED_LEVELS, NESTED_THREAD_STRIDES, NESTED_LISTS };

/* Threads of a subgroup where nothing says how many. */
#define NESTED_SUBGROUP_SIZE 64

/* tile[level][dim]; strides of unit tiles are 0. */
struct layout_nested {
	layout_context *ctx;
	unsigned rank;
	int64_t *tile[NESTED_LEVELS];
	int64_t *subgroup_strides, *thread_strides;
	int64_t subgroup_size;
	int64_t subgroup_count;	/* of the hardware; 0: as many as the tiles name */
	int64_t lists[];	/* what the pointers above point into */
};

/* A layout whose lists are to be filled in; then nested_finish() checks it, makes
 * strides of unit tiles 0, and frees what is wrong (NULL). */
layout_nested *nested_alloc(layout_context *ctx, unsigned rank, int64_t subgroup_size,
	int64_t subgroup_count);
layout_nested *nested_finish(layout_nested *nested);

/* One of the NESTED_LISTS, and what the notation calls it. */
static inline int64_t *nested_list(const layout_nested *nested, unsigned list)
{
	return (int64_t *)nested->lists + (size_t)list * nested->rank;
}
extern const char *const nested_list_names[NESTED_LISTS];

/* Dimension "to" of "result" becomes dimension "from" of "nested". */
void nested_copy_dim(layout_nested *result, unsigned to, const layout_nested *nested,
	unsigned from);

/* Dimension "dim" has unit tiles. */
void nested_unit_dim(layout_nested *result, unsigned dim);

/* Threads that one step of an id is worth, at NESTED_SUBGROUP or NESTED_THREAD; 0:
 * the thread does not decide the id. */
int64_t nested_step(const layout_nested *nested, unsigned level, unsigned dim);

/* The threads of the formula, before the hardware's subgroups divide them among
 * themselves, and what "thread" stands for: thread + k * period of them, as many k
 * as there are.  Without such a division the period is the number of threads. */
int64_t nested_virtual_threads(const layout_nested *nested);
int64_t nested_period(const layout_nested *nested);

/* A layout of two is of the same subgroups as the other, else LAYOUT_ERROR_SPACE. */
bool nested_subgroups_meet(const layout_nested *a, const layout_nested *b,
	const char *doing);

/* Is the set its box, and does every coordinate have an owner?  None lies outside. */
layout_answer nested_covers(void *nested, layout_set *onto, layout_witness **witness);

/* Visit the pairs in the notation's order until "visit" returns false; false on an
 * error. */
bool nested_for_each(layout_nested *nested, layout_visit_pair visit, void *user);

#endif
