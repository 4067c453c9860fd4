/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/modes.h"

/* Call "visit" for the leaves of a mode: nodes are written in prefix order, those of a
 * mode until none is pending. */
static void visit_leaves(layout_cute *cute, unsigned mode,
	void (*visit)(void *user, int64_t shape), void *user)
{
	unsigned leaf = 0, at = 0;
	int64_t pending = 1;

	for (unsigned node = layout_cute_rank(cute) > 1; at <= mode; node++) {
		int arity = layout_cute_arity(cute, node);

		if (arity < 0 && at == mode)
			visit(user, layout_cute_shape(cute, leaf));
		leaf += arity < 0;
		pending += arity < 0 ? -1 : arity - 1;
		if (pending)
			continue;
		pending = 1;
		at++;
	}
}

struct leaves {
	int64_t *shapes;
	unsigned count;
};

static void add_leaf(void *user, int64_t shape)
{
	struct leaves *leaves = user;

	if (leaves->count < SHOW_LEAVES)
		leaves->shapes[leaves->count++] = shape;
}

static void multiply(void *user, int64_t shape)
{
	*(int64_t *)user *= shape;
}

unsigned show_mode_leaves(layout_cute *cute, unsigned mode, int64_t shapes[SHOW_LEAVES])
{
	struct leaves leaves = { shapes, 0 };

	visit_leaves(cute, mode, add_leaf, &leaves);
	for (unsigned i = 0; layout_cute_is_lexicographic(cute) && i < leaves.count / 2;
			i++) {
		int64_t other = shapes[i];

		shapes[i] = shapes[leaves.count - 1 - i];
		shapes[leaves.count - 1 - i] = other;
	}
	return leaves.count;
}

int64_t show_mode_size(layout_cute *cute, unsigned mode)
{
	int64_t size = 1;

	visit_leaves(cute, mode, multiply, &size);
	return size;
}
