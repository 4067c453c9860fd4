/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts of registers, lanes and warps, seen as what threads hold. */
#include "algebra/linear/linear.h"

#include <string.h>

/* The place of an input, or -1. */
static int find_in(layout_linear *linear, const char *name)
{
	for (unsigned i = 0; i < layout_linear_in_count(linear); i++)
		if (!strcmp(layout_linear_in_name(linear, i), name))
			return (int)i;
	return -1;
}

static int64_t size_in(layout_linear *linear, const char *name)
{
	int place = find_in(linear, name);

	return place < 0 ? 1 : layout_linear_in_size(linear, (unsigned)place);
}

/* Are all inputs registers, lanes, warps and blocks, and which, the threads first? */
static unsigned distributed(layout_linear *linear, const char *names[4])
{
	static const char *const known[] = { "lane", "warp", "block", "register" };
	unsigned count = 0;

	for (unsigned i = 0; i < 4; i++)
		if (find_in(linear, known[i]) >= 0)
			names[count++] = known[i];
	return count == layout_linear_in_count(linear) ? count : 0;
}

/* { [thread, value] -> [x..] } of a layout of registers, lanes and warps. */
static layout_relation *by_threads(layout_linear *linear, const char *const *names,
	unsigned count)
{
	int64_t blocks = size_in(linear, "block");
	layout_size ins[2] = { { "thread", 0 }, { "value", size_in(linear, "register") } };
	layout_relation *relation;

	if (__builtin_mul_overflow(size_in(linear, "lane"), size_in(linear, "warp"),
			&ins[0].value)) {
		layout_fail(layout_linear_context(linear), LAYOUT_ERROR_NO_ANSWER, -1,
			"the layout is of 2^63 threads or more, a nested layout of fewer");
		return NULL;
	}
	if (blocks > 1) {
		layout_fail(layout_linear_context(linear), LAYOUT_ERROR_NO_ANSWER, -1,
			"the layout is of %lld blocks, a nested layout of one",
			(long long)blocks);
		return NULL;
	}
	linear = layout_linear_transpose_ins(layout_linear_copy(linear), names, count);
	linear = layout_linear_reshape_ins(linear, ins, 2);
	relation = layout_linear_relation(linear);
	layout_linear_free(linear);
	return relation;
}

layout_relation *linear_by_threads(layout_linear *linear, int64_t *lanes)
{
	const char *names[4];
	unsigned count = distributed(linear, names);

	if (!count)
		return layout_linear_relation(linear);
	*lanes = size_in(linear, "lane");
	return by_threads(linear, names, count);
}
