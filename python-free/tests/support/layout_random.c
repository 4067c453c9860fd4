/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/layout_random.h"
#include "support/append.h"
#include "support/layout_model.h"

#include <inttypes.h>
#include <string.h>

static int64_t pick(uint64_t *seed, const int64_t *list, unsigned count)
{
	return list[random_below(seed, count)];
}
#define PICK(seed, ...) pick(seed, (const int64_t[]){ __VA_ARGS__ }, \
	sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))

static void shuffle(uint64_t *seed, int64_t *list, unsigned count)
{
	for (unsigned i = count; i > 1; i--) {
		unsigned j = random_below(seed, i);
		int64_t last = list[i - 1];

		list[i - 1] = list[j];
		list[j] = last;
	}
}

/* Leaves of up to three modes: "first[m]" is where mode m begins. */
struct tree {
	unsigned modes, leaves, first[5];
	int64_t shape[12], stride[12];
};

static void print_side(const struct tree *tree, const int64_t *side, char *text)
{
	append_text(text, LAYOUT_TEXT, tree->modes > 1 ? "(" : "");
	for (unsigned m = 0; m < tree->modes; m++) {
		bool one = tree->first[m] + 1 == tree->first[m + 1];

		append_text(text, LAYOUT_TEXT, "%s%s", m ? "," : "", one ? "" : "(");
		for (unsigned i = tree->first[m]; i < tree->first[m + 1]; i++)
			append_text(text, LAYOUT_TEXT, "%s%" PRId64,
				i > tree->first[m] ? "," : "", side[i]);
		append_text(text, LAYOUT_TEXT, one ? "" : ")");
	}
	append_text(text, LAYOUT_TEXT, tree->modes > 1 ? ")" : "");
}

static void print_tree(const struct tree *tree, char *text)
{
	print_side(tree, tree->shape, text);
	append_text(text, LAYOUT_TEXT, ":");
	print_side(tree, tree->stride, text);
}

/* Strides of a compact layout in some order, with a gap of a factor 2 now and then. */
static void compact(uint64_t *seed, struct tree *tree)
{
	int64_t order[12], step = 1;

	for (unsigned i = 0; i < tree->leaves; i++)
		order[i] = i;
	shuffle(seed, order, tree->leaves);
	for (unsigned i = 0; i < tree->leaves; i++) {
		if (!random_below(seed, 8))
			step *= 2;
		tree->stride[order[i]] = random_below(seed, 10) ? step : 0;
		step *= tree->shape[order[i]];
	}
}

void random_cute(uint64_t *seed, bool binary, char text[LAYOUT_TEXT])
{
	struct tree tree = { .modes = 1 + random_below(seed, 3) };
	int64_t most = 128;

	for (unsigned m = 0; m < tree.modes; m++) {
		tree.first[m + 1] = tree.first[m] + 1 + random_below(seed, 3);
		for (unsigned i = tree.first[m]; i < tree.first[m + 1]; i++) {
			int64_t size = binary ? PICK(seed, 1, 2, 2, 4, 4, 8, 16) :
				PICK(seed, 1, 2, 2, 3, 4, 5, 6, 8, 12);

			tree.shape[i] = size <= most ? size : 1;
			most /= tree.shape[i];
		}
	}
	tree.leaves = tree.first[tree.modes];
	compact(seed, &tree);
	if (!binary && random_below(seed, 2))
		for (unsigned i = 0; i < tree.leaves; i++)
			tree.stride[i] = PICK(seed, 0, 1, 2, 3, 4, 5, 8, 12, 16);
	*text = 0;
	if (!binary && !random_below(seed, 3))
		append_text(text, LAYOUT_TEXT, "Sw<%u,%u,%u> o %u o ",
			1 + random_below(seed, 2), random_below(seed, 3),
			2 + random_below(seed, 2),
			random_below(seed, 3) ? 0 : random_below(seed, 6));
	print_tree(&tree, text);
}

/* Single bits, as numbers in all outputs together, each once and many of them 0. */
static void single_bits(uint64_t *seed, unsigned out_bits, int64_t *images,
	unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		images[i] = i < out_bits ? (int64_t)1 << i : 0;
	shuffle(seed, images, count);
	for (unsigned i = 0; i < count; i++)
		if (!random_below(seed, 10))
			images[i] = 0;
}

/* "[[0, 1], [2, 0]]" of the images' coordinates. */
static void print_bases(const int64_t *images, unsigned count, const int64_t *outs,
	unsigned rank, char *text)
{
	append_text(text, LAYOUT_TEXT, "[");
	for (unsigned i = 0; i < count; i++) {
		int64_t point[POINT_RANK];

		colex_point(outs, rank, images[i], point);
		append_text(text, LAYOUT_TEXT, i ? ", [" : "[");
		for (unsigned d = 0; d < rank; d++)
			append_text(text, LAYOUT_TEXT, "%s%" PRId64, d ? ", " : "",
				point[d]);
		append_text(text, LAYOUT_TEXT, "]");
	}
	append_text(text, LAYOUT_TEXT, "]");
}

static void print_outs(const int64_t *outs, unsigned rank, char *text)
{
	append_text(text, LAYOUT_TEXT, "} -> {");
	for (unsigned d = 0; d < rank; d++)
		append_text(text, LAYOUT_TEXT, "%sdim%u = %" PRId64, d ? ", " : "", d,
			outs[d]);
	append_text(text, LAYOUT_TEXT, "}>");
}

void random_linear(uint64_t *seed, bool binary, char text[LAYOUT_TEXT])
{
	static const char *const names[] = { "register", "lane", "warp" };
	unsigned ins = 1 + random_below(seed, 3), bits = 1 + random_below(seed, 7);
	unsigned rank = 1 + random_below(seed, 3), cut, done = 0;
	int64_t images[POINT_BITS], outs[3];

	for (unsigned d = 0; d < rank; d++)
		outs[d] = PICK(seed, 1, 2, 4, 8);
	single_bits(seed, (unsigned)__builtin_ctzll(
		(unsigned long long)box_size(outs, rank)), images, bits);
	for (unsigned i = 0; !binary && i < bits; i++)
		if (random_below(seed, 2))
			images[i] = random_wide(seed, box_size(outs, rank));
	strcpy(text, "linear<{");
	for (unsigned i = 0; i < ins; i++, done = cut) {
		cut = i + 1 < ins ? done + random_below(seed, bits - done + 1) : bits;
		append_text(text, LAYOUT_TEXT, "%s%s = ", i ? ", " : "", names[i]);
		print_bases(images + done, cut - done, outs, rank, text);
	}
	print_outs(outs, rank, text);
}

/* Strides that go on from each other in a random order of the dimensions, with gaps of a
 * factor "gap"; how many ids the last of them counts. */
static int64_t chain(uint64_t *seed, struct model *model, unsigned tiles,
	unsigned strides, int64_t gap)
{
	int64_t order[MODEL_RANK], next = 1;

	for (unsigned d = 0; d < model->rank; d++)
		order[d] = d;
	shuffle(seed, order, model->rank);
	for (unsigned i = 0; i < model->rank; i++) {
		int64_t tile = model->lists[tiles][order[i]];

		if (!random_below(seed, 8))
			next *= gap;
		model->lists[strides][order[i]] = tile > 1 ? next : 0;
		next *= tile;
	}
	return next;
}

static struct model some_nested(uint64_t *seed, bool binary, unsigned most_rank)
{
	struct model model = { .rank = 1 + random_below(seed, most_rank) };
	int64_t most = 256, ids;

	for (unsigned list = S; list <= E; list++)
		for (unsigned d = 0; d < model.rank; d++) {
			int64_t tile = binary ? PICK(seed, 1, 1, 2, 2, 4) :
				PICK(seed, 1, 1, 2, 3, 4, 5);

			model.lists[list][d] = tile <= most ? tile : 1;
			most /= model.lists[list][d];
		}
	chain(seed, &model, S, S_STRIDES, binary ? 4 : 3);
	ids = chain(seed, &model, T, T_STRIDES, 2);
	model.subgroup_size = ids * PICK(seed, 1, 1, 2);
	if (!binary && !random_below(seed, 3))
		model.subgroup_size += random_below(seed, 3);
	return model;
}

struct model random_nested(uint64_t *seed, bool binary, unsigned most_rank)
{
	struct model model;
	int64_t places;

	do {
		model = some_nested(seed, binary, most_rank);
		places = 1;
		for (unsigned d = 0; d < model.rank; d++)
			places *= model.lists[B][d] * model.lists[O][d] *
				model.lists[E][d];
	} while (model_threads(&model) * places > 1024);
	return model;
}

/* Split tiles into parts; how many parts there are. */
static unsigned random_parts(uint64_t *seed, const int64_t *tiles, unsigned count,
	char *text)
{
	static const char *const kinds[] = { "CrossThread", "CrossIntrinsic",
		"Internal" };
	unsigned parts = 0;

	append_text(text, LAYOUT_TEXT, ", swizzle = {expandShape = [");
	for (unsigned i = 0; i < count; i++) {
		int64_t rest = tiles[i];

		append_text(text, LAYOUT_TEXT, i ? ", [" : "[");
		for (bool first = true; rest > 1 || first; first = false, parts++) {
			int64_t part = PICK(seed, 2, 3, 4, 1);

			if (rest % part || !random_below(seed, 3))
				part = rest;
			append_text(text, LAYOUT_TEXT, "%s[\"%s\", %" PRId64 " : i16]",
				first ? "" : ", ", kinds[random_below(seed, 3)], part);
			rest /= part;
		}
		append_text(text, LAYOUT_TEXT, "]");
	}
	append_text(text, LAYOUT_TEXT, "], permutation = ");
	return parts;
}

static void print_list(const int64_t *list, unsigned count, char *text)
{
	append_text(text, LAYOUT_TEXT, "[");
	for (unsigned i = 0; i < count; i++)
		append_text(text, LAYOUT_TEXT, "%s%" PRId64, i ? ", " : "", list[i]);
	append_text(text, LAYOUT_TEXT, "]");
}

static void random_order(uint64_t *seed, int64_t *order, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		order[i] = i;
	shuffle(seed, order, count);
}

/* Tiles of these dimensions, and the sizes of all of them. */
static void random_tiles(uint64_t *seed, bool binary, const int64_t *dims, unsigned count,
	unsigned rank, int64_t *tiles, int64_t *sizes)
{
	for (unsigned d = 0; d < rank; d++)
		sizes[d] = binary ? PICK(seed, 1, 2, 4) : PICK(seed, 1, 2, 3, 5);
	for (unsigned i = 0; i < count; i++) {
		tiles[i] = binary ? PICK(seed, 1, 2, 4, 8) : PICK(seed, 2, 3, 4, 6);
		sizes[dims[i]] *= tiles[i];
		if (!binary && !random_below(seed, 3))
			sizes[dims[i]] -= random_below(seed, (unsigned)tiles[i]);
	}
}

void random_encoding(uint64_t *seed, bool binary, char text[LAYOUT_TEXT])
{
	unsigned rank = 1 + random_below(seed, 3), count = random_below(seed, rank + 1);
	int64_t dims[3], outer[3], tiles[3], sizes[3], parts[POINT_RANK];

	random_order(seed, dims, rank);
	random_order(seed, outer, rank);
	do
		random_tiles(seed, binary, dims, count, rank, tiles, sizes);
	while (box_size(sizes, rank) > 1024);
	strcpy(text, "packed(encoding_info<{innerDimsPos = ");
	print_list(dims, count, text);
	append_text(text, LAYOUT_TEXT, ", innerTileSizes = ");
	print_list(tiles, count, text);
	append_text(text, LAYOUT_TEXT, ", outerDimsPerm = ");
	print_list(outer, rank, text);
	if (count && random_below(seed, 3)) {
		unsigned part_count = random_parts(seed, tiles, count, text);

		random_order(seed, parts, part_count);
		print_list(parts, part_count, text);
		append_text(text, LAYOUT_TEXT, "}");
	}
	append_text(text, LAYOUT_TEXT, "}>, ");
	print_list(sizes, rank, text);
	append_text(text, LAYOUT_TEXT, ")");
}

/* What a thread holds. */
static int64_t place_sizes(const struct model *nested, int64_t *sizes)
{
	for (unsigned d = 0; d < nested->rank; d++) {
		sizes[d] = nested->lists[B][d];
		sizes[nested->rank + d] = nested->lists[O][d];
		sizes[2 * nested->rank + d] = nested->lists[E][d];
	}
	return box_size(sizes, 3 * nested->rank);
}

/* Coordinate d of what thread and value number hold, by the formula. */
static int64_t coordinate(const struct model *nested, int64_t thread, int64_t value,
	unsigned d)
{
	int64_t sizes[3 * MODEL_RANK], place[3 * MODEL_RANK], step, x = 0;
	unsigned rank = nested->rank;

	place_sizes(nested, sizes);
	lex_point(sizes, 3 * rank, value, place);
	step = nested->lists[S_STRIDES][d] * nested->subgroup_size;
	if (step)
		x = thread / step % nested->lists[S][d];
	x = x * nested->lists[B][d] + place[d];
	x = (x * nested->lists[O][d] + place[rank + d]) * nested->lists[T][d];
	step = nested->lists[T_STRIDES][d];
	if (step)
		x += thread / step % nested->lists[T][d];
	return x * nested->lists[E][d] + place[2 * rank + d];
}

/* The images of "thread" and "value" times 1, 2, 4, .. below "end". */
static void print_bits(const struct model *nested, const int64_t *outs, int64_t begin,
	int64_t end, bool threads, char *text)
{
	int64_t images[POINT_BITS], point[MODEL_RANK];
	unsigned count = 0;

	for (int64_t bit = begin; bit < end; bit *= 2) {
		for (unsigned d = 0; d < nested->rank; d++)
			point[d] = coordinate(nested, threads ? bit : 0,
				threads ? 0 : bit, d);
		images[count++] = colex_number(outs, nested->rank, point);
	}
	print_bases(images, count, outs, nested->rank, text);
}

void nested_as_linear(const struct model *nested, char text[LAYOUT_TEXT])
{
	int64_t sizes[3 * MODEL_RANK], outs[MODEL_RANK];
	int64_t values = place_sizes(nested, sizes), lanes = nested->subgroup_size;

	for (unsigned d = 0; d < nested->rank; d++)
		outs[d] = model_extent(nested, d);
	strcpy(text, "linear<{register = ");
	print_bits(nested, outs, 1, values, false, text);
	append_text(text, LAYOUT_TEXT, ", lane = ");
	print_bits(nested, outs, 1, lanes, true, text);
	append_text(text, LAYOUT_TEXT, ", warp = ");
	print_bits(nested, outs, lanes, model_threads(nested), true, text);
	print_outs(outs, nested->rank, text);
}

/* Threads from "ids" digits of step 1 on: a gap, the tile, and the rest up to "all". */
static void thread_leaves(struct tree *tree, int64_t step, int64_t tile, int64_t stride,
	int64_t all)
{
	const int64_t shapes[] = { tile > 1 ? step : 1, tile,
		all / (tile > 1 ? step * tile : 1) };
	const int64_t strides[] = { 0, stride, 0 };

	for (unsigned i = 0; i < 3; i++) {
		tree->shape[tree->leaves] = shapes[i];
		tree->stride[tree->leaves++] = strides[i];
	}
}

void nested_as_cute(const struct model *nested, char text[LAYOUT_TEXT])
{
	int64_t b = nested->lists[B][0], o = nested->lists[O][0], t = nested->lists[T][0];
	int64_t e = nested->lists[E][0], threads = model_threads(nested);
	const int64_t shape[] = { e, o, b }, stride[] = { 1, t * e, o * t * e };
	struct tree tree = { .modes = 2 };

	thread_leaves(&tree, nested->lists[T_STRIDES][0], t, e, nested->subgroup_size);
	thread_leaves(&tree, nested->lists[S_STRIDES][0], nested->lists[S][0],
		b * o * t * e, threads / nested->subgroup_size);
	tree.first[1] = tree.leaves;
	memcpy(tree.shape + tree.leaves, shape, sizeof(shape));
	memcpy(tree.stride + tree.leaves, stride, sizeof(stride));
	tree.leaves += 3;
	tree.first[2] = tree.leaves;
	*text = 0;
	print_tree(&tree, text);
}
