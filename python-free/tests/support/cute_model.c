/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/cute_model.h"
#include "support/random.h"

#include <stdlib.h>

struct cute_model cute_model_of(layout_cute *cute)
{
	struct cute_model model = { .node_count = layout_cute_node_count(cute),
		.count = layout_cute_leaf_count(cute),
		.lexicographic = layout_cute_is_lexicographic(cute) };

	model.swizzled = layout_cute_swizzled(cute, &model.swizzle);
	if (model.node_count > CUTE_MODEL_NODES || model.count > CUTE_MODEL_LEAVES)
		abort();
	for (unsigned i = 0; i < model.node_count; i++)
		model.tree[i] = layout_cute_arity(cute, i);
	for (unsigned i = 0; i < model.count; i++) {
		model.shape[i] = layout_cute_shape(cute, i);
		model.stride[i] = layout_cute_stride(cute, i);
	}
	return model;
}

int64_t cute_model_size(const struct cute_model *model)
{
	int64_t size = 1;

	for (unsigned i = 0; i < model->count; i++)
		size *= model->shape[i];
	return size;
}

static int64_t swizzled(const struct cute_model *model, int64_t x)
{
	int64_t mask = ((int64_t)1 << model->swizzle.bits) - 1;
	int base = model->swizzle.base, shift = model->swizzle.shift;

	if (!model->swizzled)
		return x;
	x += model->swizzle.offset;
	if (shift >= 0)
		return x ^ ((x & mask << (base + shift)) >> shift);
	return x ^ (x & mask << base) << -shift;
}

int64_t cute_model_at_leaves(const struct cute_model *model, const int64_t *coordinate)
{
	int64_t offset = 0;

	for (unsigned i = 0; i < model->count; i++)
		offset += coordinate[i] * model->stride[i];
	return swizzled(model, offset);
}

void cute_model_split(const struct cute_model *model, int64_t x, int64_t *coordinate)
{
	for (unsigned i = 0; i < model->count; i++) {
		unsigned at = model->lexicographic ? model->count - 1 - i : i;

		coordinate[at] = i + 1 < model->count ? x % model->shape[at] : x;
		x /= i + 1 < model->count ? model->shape[at] : 1;
	}
}

int64_t cute_model_join(const struct cute_model *model, const int64_t *coordinate)
{
	int64_t x = 0;

	for (unsigned i = model->count; i-- > 0;) {
		unsigned at = model->lexicographic ? model->count - 1 - i : i;

		x = x * model->shape[at] + coordinate[at];
	}
	return x;
}

int64_t cute_model_at(const struct cute_model *model, int64_t x)
{
	int64_t coordinate[CUTE_MODEL_LEAVES];

	cute_model_split(model, x, coordinate);
	return cute_model_at_leaves(model, coordinate);
}

/* Size and end of the subtree at "node", whose leaves begin at *leaf. */
static int64_t subtree(const struct cute_model *model, unsigned *node, unsigned *leaf)
{
	int arity = model->tree[(*node)++];
	int64_t size = 1;

	if (arity < 0)
		return model->shape[(*leaf)++];
	for (int i = 0; i < arity; i++)
		size *= subtree(model, node, leaf);
	return size;
}

bool cute_model_refines(const struct cute_model *fine, const struct cute_model *coarse)
{
	unsigned node = 0, leaf = 0, coarse_leaf = 0;

	for (unsigned i = 0; i < coarse->node_count; i++) {
		if (node >= fine->node_count)
			return false;
		if (coarse->tree[i] >= 0) {
			if (fine->tree[node++] != coarse->tree[i])
				return false;
			continue;
		}
		if (subtree(fine, &node, &leaf) != coarse->shape[coarse_leaf++])
			return false;
	}
	return node == fine->node_count;
}

unsigned cute_model_mode(const struct cute_model *model, unsigned mode, unsigned *first)
{
	unsigned node = model->tree[0] >= 0, leaf = 0;

	*first = 0;
	for (unsigned i = 0; i <= mode; i++) {
		*first = leaf;
		subtree(model, &node, &leaf);
	}
	return leaf - *first;
}

/* A mode that some leaf's offsets force: digit = coordinate / place % shape. */
struct forced {
	unsigned leaf;
	int64_t place, shape, stride;
};

/* A(B(c)) with leaf "leaf" of B at i and the others at 0. */
static int64_t along(const struct cute_model *a, const struct cute_model *b,
	unsigned leaf, int64_t i)
{
	return cute_model_at(a, i * b->stride[leaf]);
}

/* The modes of one leaf, or false where an even run does not divide what is left. */
static bool force_leaf(const struct cute_model *a, const struct cute_model *b,
	unsigned leaf, struct forced *modes, unsigned *count)
{
	int64_t place = 1, rest = b->shape[leaf];

	while (rest > 1) {
		int64_t stride = along(a, b, leaf, place), run = 1;

		while (run < rest && along(a, b, leaf, place * run) == run * stride)
			run++;
		if (rest % run)
			return false;
		if (*count == CUTE_MODEL_LEAVES)
			abort();
		modes[(*count)++] = (struct forced){ leaf, place, run, stride };
		place *= run;
		rest /= run;
	}
	return true;
}

bool cute_model_composes(const struct cute_model *a, const struct cute_model *b)
{
	int64_t coordinate[CUTE_MODEL_LEAVES], size = cute_model_size(b);
	struct forced modes[CUTE_MODEL_LEAVES];
	unsigned count = 0;

	for (unsigned leaf = 0; leaf < b->count; leaf++)
		if (!force_leaf(a, b, leaf, modes, &count))
			return false;
	for (int64_t x = 0; x < size; x++) {
		int64_t sum = 0;

		cute_model_split(b, x, coordinate);
		for (unsigned i = 0; i < count; i++)
			sum += coordinate[modes[i].leaf] / modes[i].place %
				modes[i].shape * modes[i].stride;
		if (sum != cute_model_at(a, cute_model_at(b, x)))
			return false;
	}
	return true;
}

static void random_tree(uint64_t *seed, struct cute_model *model, int depth)
{
	unsigned node = model->node_count++;
	int arity = 1 + (int)random_wide(seed, 3);

	model->tree[node] = -1;
	if (depth == 4 || (depth > 0 && random_wide(seed, 2)) ||
			model->count + (unsigned)arity > 6) {
		model->count++;
		return;
	}
	model->tree[node] = arity;
	for (int i = 0; i < arity; i++)
		random_tree(seed, model, depth + 1);
}

static void random_shapes(uint64_t *seed, struct cute_model *model, int64_t most)
{
	static const int64_t sizes[] = { 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 12, 16,
		48, 96, 160 };
	int64_t size = 1;

	for (unsigned i = 0; i < model->count; i++) {
		int64_t shape = sizes[random_wide(seed,
			sizeof(sizes) / sizeof(*sizes))];

		model->shape[i] = size * shape <= most ? shape : 1;
		size *= model->shape[i];
	}
	if (model->count && !random_wide(seed, 150))
		model->shape[random_wide(seed, model->count)] = 0;
}

/* Compact in a random order of the leaves, times a scale. */
static void compact_strides(uint64_t *seed, struct cute_model *model)
{
	int64_t step = random_wide(seed, 3) ? 1 : 1 + random_wide(seed, 4);
	unsigned order[CUTE_MODEL_LEAVES];

	for (unsigned i = 0; i < model->count; i++) {
		unsigned j = (unsigned)random_wide(seed, i + 1);

		order[i] = order[j];
		order[j] = i;
	}
	for (unsigned i = 0; i < model->count; i++) {
		model->stride[order[i]] = step;
		step *= model->shape[order[i]] ? model->shape[order[i]] : 1;
		if (!random_wide(seed, 12))
			step += 1 + random_wide(seed, 7);
	}
}

/* Each goes on near the end of another, before or behind it, or with the same stride. */
static void crossed_strides(uint64_t *seed, struct cute_model *model)
{
	static const int64_t off[] = { 0, 0, 0, 0, 1, 2, -1, -2 };
	int64_t step = 1 + random_wide(seed, 3);

	for (int64_t i = model->count, k; i-- > 0;) {
		k = random_wide(seed, 2) ? i : random_wide(seed, model->count);
		model->stride[i] = model->stride[k] = step;
		if (random_wide(seed, 4))
			step = step * model->shape[i] + off[random_wide(seed, 8)];
		if (step < 0 || step > 4096)
			step = random_wide(seed, 4);
	}
}

static void any_strides(uint64_t *seed, struct cute_model *model, bool negative)
{
	static const int64_t strides[] = { 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24,
		48, -1, -3, -8 };
	int64_t limit = sizeof(strides) / sizeof(*strides) - (negative ? 0 : 3);

	for (unsigned i = 0; i < model->count; i++)
		model->stride[i] = strides[random_wide(seed, limit)];
}

static void steps_along(uint64_t *seed, struct cute_model *model,
	const struct cute_model *along)
{
	for (unsigned i = 0; i < model->count; i++) {
		int64_t step = 1 + (random_wide(seed, 3) ? 0 :
			random_wide(seed, 6));

		for (int64_t j = random_wide(seed, along->count + 1); j-- > 0;)
			step *= along->shape[j] ? along->shape[j] : 1;
		model->stride[i] = random_wide(seed, 9) ? step : 0;
	}
}

struct cute_model cute_model_random(uint64_t *seed, int64_t most, bool negative,
	const struct cute_model *along)
{
	struct cute_model model = { 0 };
	int64_t style = random_wide(seed, 6);

	random_tree(seed, &model, 0);
	random_shapes(seed, &model, most);
	if (along && style > 1)
		steps_along(seed, &model, along);
	else if (style == 1)
		any_strides(seed, &model, negative);
	else if (style == 2)
		crossed_strides(seed, &model);
	else
		compact_strides(seed, &model);
	model.lexicographic = !random_wide(seed, 8);
	return model;
}

layout_cute *cute_model_build(layout_context *ctx, const struct cute_model *model)
{
	layout_cute *cute = layout_cute_new(ctx, model->tree, model->node_count,
		model->shape, model->stride, model->count);

	if (model->lexicographic)
		cute = layout_cute_lexicographic(cute);
	return model->swizzled ? layout_cute_apply_swizzle(cute, model->swizzle) : cute;
}
