/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/program_random.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { RANK = 4, TILES = 64, OUTPUTS = 12, ELEMENTS = 600 };

struct tile {
	unsigned rank, type;
	int box[RANK];
};

/* Statements go to "body", the arguments that they store to to "head". */
struct writer {
	uint64_t *state;
	unsigned features, tile_count, output_count, depth;
	struct tile tiles[TILES];
	char head[4096], body[8192];
};

static const char *const types[] = { "f32", "i32", "i8", "u8", "f16", "bf16", "i64", "f64",
	"i4", "f8E4M3FN", "f4E2M1FN", "f6E3M2FN", "f8E5M2FNUZ", "i1" };
enum { F32, I32, I8, U8, F16, BF16, I64, F64, I4, F8, F4, F6, FNUZ, I1 };

static unsigned below(struct writer *w, unsigned bound)
{
	return random_below(w->state, bound);
}

static void put(char *text, size_t size, const char *format, va_list args)
{
	size_t length = strlen(text);
	int added = vsnprintf(text + length, size - length, format, args);

	assert_true(added >= 0 && (size_t)added < size - length);
}

static void write_body(struct writer *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(w->body, sizeof(w->body), format, args);
	va_end(args);
}

static void write_head(struct writer *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(w->head, sizeof(w->head), format, args);
	va_end(args);
}

static int elements(const struct tile *tile)
{
	int count = 1;

	for (unsigned d = 0; d < tile->rank; d++)
		count *= tile->box[d];
	return count;
}

/* Take a number for a tile that is being made, "t7". */
static unsigned add(struct writer *w, const struct tile *tile)
{
	assert_true(w->tile_count < TILES);
	w->tiles[w->tile_count] = *tile;
	return w->tile_count++;
}

static void write_box(struct writer *w, const struct tile *tile)
{
	for (unsigned d = 0; d < tile->rank; d++)
		write_body(w, d ? ", %d" : "%d", tile->box[d]);
}

static bool is_float(unsigned type)
{
	return strchr(types[type], 'f') != NULL;
}

static unsigned any_type(struct writer *w)
{
	return below(w, w->features & RANDOM_SMALL_TYPES ? I1 : I8);
}

static void write_position(struct writer *w)
{
	static const char *const positions[] = { "3*m", "3*m + 1", "0", "n", "2", "m - 1",
		"4*n", "floor(K/2)" };
	static const char *const inner[] = { "5*k", "k + m", "4*k - 2" };

	if (w->depth && below(w, 2))
		write_body(w, "%s", inner[below(w, COUNT(inner))]);
	else
		write_body(w, "%s", positions[below(w, COUNT(positions))]);
}

/* A0, A1, .. have the first types. */
static void make_load(struct writer *w)
{
	struct tile tile = { .rank = 2, .type = any_type(w),
		.box = { 1 + (int)below(w, 6), 1 + (int)below(w, 17) } };

	write_body(w, "t%u = load A%u[", w->tile_count, tile.type);
	write_position(w);
	write_body(w, ", ");
	write_position(w);
	write_body(w, "] : [%d, %d]", tile.box[0], tile.box[1]);
	if (below(w, 3) == 0)
		write_body(w, " (pad = 3)");
	write_body(w, "\n");
	add(w, &tile);
}

static void make_fill(struct writer *w)
{
	struct tile tile = { .rank = 1 + below(w, 3), .type = any_type(w) };

	for (unsigned d = 0; d < tile.rank; d++)
		tile.box[d] = 1 + (int)below(w, 5);
	if (below(w, 2))
		tile.type = I32;
	write_body(w, "t%u : [", w->tile_count);
	write_box(w, &tile);
	if (tile.type == I32 && below(w, 2))
		write_body(w, "] i32 = index %u\n", below(w, tile.rank));
	else
		write_body(w, "] %s = fill %u\n", types[tile.type], below(w, 4));
	add(w, &tile);
}

static unsigned any_tile(struct writer *w)
{
	return below(w, w->tile_count);
}

/* A tile of that type that can be in one map with another; itself where there is none. */
static unsigned find_partner(struct writer *w, unsigned with)
{
	const struct tile *a = &w->tiles[with];

	for (unsigned i = 0; i < 20; i++) {
		unsigned other = any_tile(w);
		const struct tile *b = &w->tiles[other];
		bool good = b->type == a->type;

		for (unsigned d = 1; d <= a->rank && d <= b->rank; d++)
			good = good && (b->box[b->rank - d] == a->box[a->rank - d] ||
				b->box[b->rank - d] == 1 || a->box[a->rank - d] == 1);
		if (good)
			return other;
	}
	return with;
}

static struct tile joined(const struct tile *a, const struct tile *b)
{
	struct tile to = a->rank >= b->rank ? *a : *b;
	const struct tile *less = a->rank >= b->rank ? b : a;

	for (unsigned d = 1; d <= less->rank; d++)
		if (to.box[to.rank - d] == 1)
			to.box[to.rank - d] = less->box[less->rank - d];
	return to;
}

static void make_map(struct writer *w)
{
	static const char *const any[] = { "t%u + t%u", "t%u - t%u", "min(t%u, t%u)",
		"max(t%u, t%u)", "select(t%1$u < t%2$u, t%1$u, 2)", "abs(t%u) + t%u",
		"-t%u + t%u", "select(t%1$u == t%2$u, 2, t%2$u)" };
	static const char *const integers[] = { "t%u * t%u", "t%u / t%u" };
	static const char *const floats[] = { "t%u * 0.5 + t%u", "floor(t%u * 0.25) - t%u",
		"exp(min(t%u, 2)) + t%u", "sqrt(abs(t%u)) + t%u", "tanh(t%u) - t%u",
		"round(t%u / 4) + t%u", "fma(t%u, 0.5, t%u)" };
	unsigned a = any_tile(w), b = find_partner(w, a), which = below(w, 3);
	struct tile tile = joined(&w->tiles[a], &w->tiles[b]);

	if (tile.type == I1 || elements(&tile) > ELEMENTS)
		return;
	write_body(w, "t%u = map ", w->tile_count);
	if (which)
		write_body(w, any[below(w, COUNT(any))], a, b);
	else if (is_float(tile.type))
		write_body(w, floats[below(w, COUNT(floats))], a, b);
	else
		write_body(w, integers[below(w, COUNT(integers))], a, b);
	write_body(w, "\n");
	add(w, &tile);
}

static void make_cast(struct writer *w)
{
	unsigned from = any_tile(w);
	struct tile tile = w->tiles[from];

	tile.type = below(w, w->features & RANDOM_SMALL_TYPES ? COUNT(types) : I8);
	if (tile.type == w->tiles[from].type)
		return;
	write_body(w, "t%u = map %s(t%u)\n", w->tile_count, types[tile.type], from);
	add(w, &tile);
}

static void write_order(struct writer *w, const struct tile *from, struct tile *to)
{
	unsigned order[RANK] = { 0, 1, 2, 3 };

	for (unsigned d = from->rank; d-- > 1;) {
		unsigned other = below(w, d + 1), kept = order[d];

		order[d] = order[other];
		order[other] = kept;
	}
	for (unsigned d = 0; d < from->rank; d++) {
		write_body(w, d ? ", %u" : "%u", order[d]);
		to->box[d] = from->box[order[d]];
	}
}

/* A part of each dimension, from somewhere on, with steps or backwards. */
static void write_part(struct writer *w, const struct tile *from, struct tile *to)
{
	write_body(w, "through { [");
	for (unsigned d = 0; d < from->rank; d++)
		write_body(w, d ? ", i%u" : "i%u", d);
	write_body(w, "] -> [");
	for (unsigned d = 0; d < from->rank; d++) {
		int step = below(w, 3) ? 1 : 2, most = (from->box[d] - 1) / step, last, first;
		bool backward = !below(w, 4);

		to->box[d] = 1 + (int)below(w, (unsigned)most + 1);
		last = (to->box[d] - 1) * step;
		first = (int)below(w, (unsigned)(from->box[d] - last));
		write_body(w, d ? ", %d*i%u + %d" : "%d*i%u + %d", backward ? -step : step, d,
			first + (backward ? last : 0));
	}
	write_body(w, "] } : [");
	for (unsigned d = 0; d < from->rank; d++)
		write_body(w, d ? ", %d" : "%d", to->box[d]);
	write_body(w, "]\n");
}

static void make_view(struct writer *w)
{
	unsigned from = any_tile(w), d;
	struct tile tile = w->tiles[from];
	const struct tile old = tile;

	d = below(w, tile.rank);
	switch (below(w, 5)) {
	case 0:
		write_body(w, "t%u = view t%u permute [", w->tile_count, from);
		write_order(w, &old, &tile);
		write_body(w, "]\n");
		break;
	case 1:
		if (tile.rank == RANK || tile.box[d] % 2)
			return;
		write_body(w, "t%u = view t%u expand %u into [2, %d]\n", w->tile_count, from,
			d, tile.box[d] / 2);
		memmove(&tile.box[d + 1], &tile.box[d], (RANK - 1 - d) * sizeof(int));
		tile.box[d] = 2;
		tile.box[d + 1] = old.box[d] / 2;
		tile.rank++;
		break;
	case 2:
		if (d == 0)
			return;
		write_body(w, "t%u = view t%u collapse [%u, %u]\n", w->tile_count, from,
			d - 1, d);
		tile.box[d - 1] *= tile.box[d];
		memmove(&tile.box[d], &tile.box[d + 1], (RANK - 1 - d) * sizeof(int));
		tile.rank--;
		break;
	case 3:
		write_body(w, "t%u = view t%u ", w->tile_count, from);
		write_part(w, &old, &tile);
		break;
	default:
		if (tile.rank == RANK || elements(&tile) > ELEMENTS / 3)
			return;
		write_body(w, "t%u = view t%u broadcast [3", w->tile_count, from);
		for (unsigned k = 0; k < old.rank; k++)
			write_body(w, ", %d", old.box[k]);
		write_body(w, "]\n");
		memmove(&tile.box[1], &tile.box[0], (RANK - 1) * sizeof(int));
		tile.box[0] = 3;
		tile.rank++;
		break;
	}
	add(w, &tile);
}

static void make_reduction(struct writer *w)
{
	static const char *const ops[] = { "add", "min", "max", "argmin", "argmax", "and",
		"or", "mul" };
	unsigned from = any_tile(w), op = below(w, COUNT(ops)), dims = 0, count = 0;
	const struct tile old = w->tiles[from];
	struct tile tile = { .type = op == 3 || op == 4 ? I32 : old.type };
	bool keep = below(w, 2);

	if (old.type == I1 || (op >= 5 && is_float(old.type)))
		return;
	while (!dims)
		dims = below(w, 1u << old.rank);
	if (dims == (1u << old.rank) - 1)
		keep = true;
	write_body(w, "t%u = reduce %s t%u over [", w->tile_count, ops[op], from);
	for (unsigned d = 0; d < old.rank; d++) {
		if (dims >> d & 1)
			write_body(w, count++ ? ", %u" : "%u", d);
		if (keep || !(dims >> d & 1))
			tile.box[tile.rank++] = dims >> d & 1 ? 1 : old.box[d];
	}
	write_body(w, "]%s", keep ? " keep" : "");
	if (op == 0 && (old.type == F16 || old.type == F32 || old.type == I8) &&
	    below(w, 2)) {
		tile.type = old.type == I8 ? I32 : F32;
		write_body(w, " in %s", types[tile.type]);
	}
	write_body(w, "\n");
	add(w, &tile);
}

static void make_contraction(struct writer *w)
{
	static const char *const maps[] = { "(i, j, k) -> (i, k), (j, k), (i, j)",
		"(i, j, k) -> (i, k), (k, j), (i, j)", "(i, j, k) -> (k, i), (k, j), (j, i)" };
	static const unsigned side[][3][2] = { { { 0, 2 }, { 1, 2 }, { 0, 1 } },
		{ { 0, 2 }, { 2, 1 }, { 0, 1 } }, { { 2, 0 }, { 2, 1 }, { 1, 0 } } };
	unsigned which = below(w, COUNT(maps)), in = below(w, 2) ? F32 : I8, t[3];
	int letters[] = { 1 + (int)below(w, 6), 1 + (int)below(w, 6), 1 + (int)below(w, 9) };

	for (unsigned i = 0; i < 3; i++) {
		struct tile tile = { .rank = 2, .type = i < 2 ? in : in == F32 ? F32 : I32,
			.box = { letters[side[which][i][0]], letters[side[which][i][1]] } };

		if (i < 2) {
			write_body(w, "t%u = load A%u[", w->tile_count, in);
			write_position(w);
			write_body(w, ", ");
			write_position(w);
			write_body(w, "] : [%d, %d]\n", tile.box[0], tile.box[1]);
		} else {
			write_body(w, "t%u : [%d, %d] %s = fill 1\n", w->tile_count,
				tile.box[0], tile.box[1], types[tile.type]);
		}
		t[i] = add(w, &tile);
	}
	write_body(w, "t%u = contract t%u, t%u, t%u : %s\n", w->tile_count, t[2], t[0], t[1],
		maps[which]);
	add(w, &w->tiles[t[2]]);
}

static void make_gather(struct writer *w)
{
	struct tile index = { .rank = 2, .type = I32, .box = { 1 + (int)below(w, 5), 1 } };
	struct tile tile = { .rank = 2, .type = any_type(w),
		.box = { index.box[0], 1 + (int)below(w, 9) } };

	write_body(w, "t%u = load A1[", w->tile_count);
	write_position(w);
	write_body(w, ", 0] : [%d, 1]\n", index.box[0]);
	add(w, &index);
	write_body(w, "t%u = load A%u[t%u, ", w->tile_count, tile.type, w->tile_count - 1);
	write_position(w);
	write_body(w, "] : [%d, %d]\n", tile.box[0], tile.box[1]);
	add(w, &tile);
}

/* To a memory of its own, in which only the tile's box or a part of it is written. */
static void make_store(struct writer *w)
{
	unsigned tile = any_tile(w), output = w->output_count;
	const struct tile *from = &w->tiles[tile];

	if (output == OUTPUTS)
		return;
	write_head(w, ", Y%u: inout %s[", output, below(w, 3) ? "row_major" : "col_major");
	for (unsigned d = 0; d < from->rank; d++)
		write_head(w, d ? ", %d" : "%d", from->box[d] + (int)below(w, 3));
	write_head(w, "] %s", types[from->type]);
	write_body(w, "store t%u -> Y%u[", tile, output);
	for (unsigned d = 0; d < from->rank; d++)
		write_body(w, d ? ", %s" : "%s", d ? "0" : below(w, 2) ? "0" : "m - 1");
	write_body(w, "]\n");
	w->output_count++;
}

static void make_statements(struct writer *w, unsigned count);

/* Tiles of the body are not seen behind it, but the carries are. */
static void make_loop(struct writer *w)
{
	unsigned first[] = { any_tile(w), any_tile(w) }, carry[2], next[2] = { 0 }, inside;
	unsigned count = 1 + below(w, 2);

	if (w->depth || w->tile_count + 20 > TILES)
		return;
	write_body(w, "for k in %s carry ", below(w, 2) ? "ceil(K/5)" : "m + 1");
	for (unsigned c = 0; c < count; c++) {
		carry[c] = add(w, &w->tiles[first[c]]);
		write_body(w, c ? ", t%u = t%u" : "t%u = t%u", carry[c], first[c]);
	}
	write_body(w, " {\n");
	w->depth++;
	inside = w->tile_count;
	make_statements(w, 2 + below(w, 4));
	for (unsigned c = 0; c < count; c++) {
		const struct tile *box = &w->tiles[carry[c]];

		next[c] = carry[c];
		for (unsigned t = w->tile_count; t-- > carry[0];)
			if (w->tiles[t].type == box->type && w->tiles[t].rank == box->rank &&
			    memcmp(w->tiles[t].box, box->box, box->rank * sizeof(int)) == 0) {
				next[c] = t;
				break;
			}
		if (next[c] == carry[c] && box->type != I1) {
			next[c] = add(w, box);
			write_body(w, "t%u = map t%u + 1\n", next[c], carry[c]);
		}
	}
	write_body(w, count == 1 ? "yield t%u\n}\n" : "yield t%u, t%u\n}\n", next[0], next[1]);
	w->depth--;
	w->tile_count = inside;
}

static void make_statements(struct writer *w, unsigned count)
{
	static const struct {
		unsigned feature, weight;
		void (*make)(struct writer *w);
	} kinds[] = {
		{ 0, 3, make_load }, { 0, 1, make_fill }, { 0, 6, make_map },
		{ 0, 2, make_cast }, { 0, 4, make_store }, { RANDOM_VIEWS, 3, make_view },
		{ RANDOM_REDUCTIONS, 4, make_reduction }, { RANDOM_LOOPS, 2, make_loop },
		{ RANDOM_CONTRACTIONS, 1, make_contraction },
		{ RANDOM_GATHERS, 1, make_gather },
	};

	for (unsigned i = 0; i < count && w->tile_count + 8 < TILES; i++) {
		unsigned left = below(w, 27), k = 0;

		while (left >= kinds[k].weight)
			left -= kinds[k++].weight;
		if (!kinds[k].feature || w->features & kinds[k].feature)
			kinds[k].make(w);
	}
}

/* Memory of every type, in some order or swizzled. */
#define TILES "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 8], " \
	"outerDimsPerm = [0, 1]}>, [M, K])"

static void write_inputs(struct writer *w)
{
	static const char *const storages[] = { "row_major[M, K]", "col_major[M, K]",
		TILES, "strided[M, K : 40, 1]", "swizzled(row_major[M, 32], xor_shuffle<32, 4>)" };

	for (unsigned i = 0; i < I1; i++)
		write_head(w, "%sA%u: in %s %s", i ? ", " : "", i, storages[below(w,
			COUNT(storages) - !(w->features & RANDOM_SWIZZLES))], types[i]);
}

void program_random(uint64_t *state, unsigned features, char *text, size_t size)
{
	struct writer w = { .state = state, .features = features };

	write_head(&w, "D: in strided[M, K : 0, 0] i8, ");
	write_inputs(&w);
	make_load(&w);
	make_load(&w);
	make_statements(&w, 4 + below(&w, 12));
	while (w.output_count < 2)
		make_store(&w);
	assert_true((size_t)snprintf(text, size, "program p(%s) {\n"
		"grid (m, n) in (ceil(M/3), 2) workers w in 1\n%s}\n", w.head, w.body) < size);
}
