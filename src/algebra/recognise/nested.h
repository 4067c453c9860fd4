/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A nested layout in the making: its digits, and what one step of each adds. */
#ifndef LAYOUT_ALGEBRA_RECOGNISE_NESTED_H
#define LAYOUT_ALGEBRA_RECOGNISE_NESTED_H

#include "algebra/nested/nested.h"
#include "algebra/recognise/recognise.h"

/* adds[level * rank + d]: what one step of the digit adds to coordinate d, where its tile
 * is not 1.  "parts" are the digits of each coordinate.  "whole": a digit of the thread
 * stays one beyond the subgroup, instead of being cut there. */
struct nested_making {
	const struct seen *seen;
	unsigned rank;
	const struct digits *parts;
	int64_t subgroup_size;
	bool whole;
	layout_nested *nested;
	int64_t *adds;
};

/* A tile that is not 1, and what it adds. */
void nested_set_digit(struct nested_making *making, unsigned level, unsigned d,
	int64_t tile, int64_t adds);

static inline int64_t nested_adds(const struct nested_making *making, unsigned level,
	unsigned d)
{
	return making->adds[level * making->rank + d];
}

/* The digits of the thread, of inputs b.., o.., e.., and of one value that numbers these.
 * False with the reason on the context. */
bool nested_take_thread(struct nested_making *making);
bool nested_take_places(struct nested_making *making);
bool nested_take_value(struct nested_making *making);

/* Has the formula of the layout, from its lists, the digits of the relation? */
bool nested_has_digits(const layout_nested *nested, const struct seen *seen);

#endif
