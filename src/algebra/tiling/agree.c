/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The proof that an encoded tile is the instruction's own register layout, repeated.
 *
 * Both are digits of the tile's coordinates; cut at each other's ends, they are the same
 * digits, each in the same bits of the thread or in registers, or there is an element
 * that tells them apart. */
#include "algebra/tiling/distribution.h"

#include "algebra/mma/mma.h"
#include "algebra/tiling/register_layout.h"
#include "algebra/storage/encoding.h"
#include "isl_bridge/objects.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What may be looked at where digits alone do not tell. */
#define MOST_POINTS (INT64_C(1) << 24)

/* A digit along a loop, which a broadcast operand may lack: then all share it. */
static void add_along(struct tile_digits *wanted, const layout_resolution *resolution,
	layout_loop loop, struct held_digit digit)
{
	if (tile_find_coordinate(resolution, loop, &digit.digit.dim))
		tile_digits_add(wanted, digit);
}

/* The digits of a list of the instruction's bits, in lanes or in registers. */
static void add_bits(struct tile_digits *wanted, const layout_resolution *resolution,
	const layout_mma *mma, const char *list, bool lane)
{
	unsigned bit;
	char letter;

	for (int64_t step = 1; (letter = mma_next_bit(&list, &bit)); step *= 2) {
		layout_loop loop;

		if (letter == '.')
			continue;
		loop = register_bit_loop(mma->row, mma->operand, letter, &bit);
		add_along(wanted, resolution, loop, (struct held_digit){
			.digit.step = INT64_C(1) << bit, .digit.radix = 2, .place = step,
			.lane = lane });
	}
}

/* Instructions "size" apart along a loop: "intrinsics" of a subgroup, then "subgroups",
 * whose ids are "step" threads apart. */
static void add_unrolling(struct tile_digits *wanted, const layout_resolution *resolution,
	layout_loop loop, int64_t size, int64_t intrinsics, int64_t subgroups,
	int64_t step)
{
	add_along(wanted, resolution, loop, (struct held_digit){ .digit.step = size,
		.digit.radix = intrinsics });
	add_along(wanted, resolution, loop, (struct held_digit){
		.digit.step = size * intrinsics, .digit.radix = subgroups, .place = step,
		.lane = true });
}

/* Where elements were bitcast, the last coordinate counts what is stored: digits below
 * the instruction's elements that so many stored ones are together become one, in
 * registers; threads that have parts of a stored element share it. */
static bool bitcast(struct tile_digits *wanted, const layout_resolution *resolution)
{
	int64_t stored = resolution->bitcast, of = resolution->bitcast_of;
	unsigned last = wanted->rank, count = wanted->count;

	while (last && resolution->encoding->inner_dims_pos[last - 1] == LAYOUT_NO_DIM)
		last--;
	if (!last--)
		return true;
	wanted->count = 0;
	for (unsigned i = 0; i < count; i++) {
		struct held_digit digit = wanted->items[i];

		if (digit.digit.dim == last && digit.digit.step % of == 0)
			digit.digit.step = digit.digit.step / of * stored;
		else if (digit.digit.dim == last && of % (digit.digit.step * digit.digit.radix))
			return false;
		else if (digit.digit.dim == last)
			continue;
		tile_digits_add(wanted, digit);
	}
	tile_digits_add(wanted, (struct held_digit){ .digit.dim = last, .digit.step = 1,
		.digit.radix = stored });
	return true;
}

/* The instruction's layout, repeated: subgroup (m*subgroups_n + n)*subgroups_k + k. */
static bool repeat(struct tile_digits *wanted, const layout_resolution *resolution,
	const layout_mma *mma)
{
	const struct mma_shape *shape = mma->row->shape;
	const layout_tiled_mma *tiled = &resolution->mma;
	int64_t step_k = resolution->wave_size, step_n = step_k * tiled->subgroups_k;
	int64_t k = mma_row_has(mma->row, LAYOUT_MMA_LHS_SCALE) ?
		shape->k / MMA_SCALE_BLOCK : shape->k;

	tile_digits_start(wanted, resolution);
	add_bits(wanted, resolution, mma, mma_bits_of(mma)->lane, true);
	add_bits(wanted, resolution, mma, mma_held_bits(mma), false);
	add_unrolling(wanted, resolution, LAYOUT_LOOP_M, shape->m, tiled->intrinsics_m,
		tiled->subgroups_m, step_n * tiled->subgroups_n);
	add_unrolling(wanted, resolution, LAYOUT_LOOP_N, shape->n, tiled->intrinsics_n,
		tiled->subgroups_n, step_n);
	add_unrolling(wanted, resolution, LAYOUT_LOOP_K, k, tiled->intrinsics_k,
		tiled->subgroups_k, step_k);
	if (bitcast(wanted, resolution))
		return true;
	layout_fail(wanted->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"%s does not hold its elements by %" PRId64, mma->name,
		resolution->bitcast_of);
	return false;
}

/* Cut digits of "a" where one of "b" begins, once; false where nothing was cut. */
static bool cut_once(struct tile_digits *a, const struct tile_digits *b)
{
	for (unsigned i = 0; i < a->count; i++)
		for (unsigned j = 0; j < b->count; j++) {
			const struct held_digit *digit = &a->items[i];
			int64_t lower = b->items[j].digit.step / digit->digit.step;

			if (digit->digit.dim != b->items[j].digit.dim || lower <= 1 ||
			    lower >= digit->digit.radix || digit->digit.radix % lower ||
			    b->items[j].digit.step % digit->digit.step)
				continue;
			tile_digits_cut(a, i, lower);
			return true;
		}
	return false;
}

/* Cut alike and sorted, the same digits; and these make up the whole tile. */
static bool same_digits(struct tile_digits *a, struct tile_digits *b)
{
	while (cut_once(a, b) || cut_once(b, a))
		;
	qsort(a->items, a->count, sizeof(*a->items), held_digit_compare);
	qsort(b->items, b->count, sizeof(*b->items), held_digit_compare);
	if (a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++) {
		const struct held_digit *x = &a->items[i], *y = &b->items[i];

		if (held_digit_compare(x, y) || x->digit.radix != y->digit.radix ||
		    x->lane != y->lane ||
		    (x->lane && x->place != y->place))
			return false;
	}
	return true;
}

/* The element that a thread has in the n-th of its places; false past the last. */
static bool find_element(const struct tile_digits *digits, int64_t thread, int64_t n,
	int64_t element[TILING_LOOPS])
{
	memset(element, 0, TILING_LOOPS * sizeof(*element));
	for (unsigned i = 0; i < digits->count; i++) {
		const struct held_digit *digit = &digits->items[i];
		int64_t value = (digit->lane ? thread / digit->place : n) %
			digit->digit.radix;

		element[digit->digit.dim] += digit->digit.step * value;
		if (!digit->lane)
			n /= digit->digit.radix;
	}
	return n == 0;
}

/* Has the thread the element in one of its places? */
static bool has_element(const struct tile_digits *digits, int64_t thread,
	const int64_t element[TILING_LOOPS])
{
	int64_t rest[TILING_LOOPS];

	memcpy(rest, element, sizeof(rest));
	for (unsigned i = 0; i < digits->count; i++) {
		const struct held_digit *digit = &digits->items[i];
		int64_t value = digit_value(&digit->digit, element[digit->digit.dim]);

		if (digit->lane && thread / digit->place % digit->digit.radix != value)
			return false;
		rest[digit->digit.dim] -= digit->digit.step * value;
	}
	for (unsigned i = 0; i < digits->rank; i++)
		if (rest[i])
			return false;
	return true;
}

/* A thread and an element that it has in "a" only; "left" points may be looked at. */
static layout_answer find_difference(const struct tile_digits *a,
	const struct tile_digits *b, int64_t *left, layout_witness **witness)
{
	int64_t element[TILING_LOOPS];

	for (int64_t thread = 0; thread < a->subgroups * a->wave_size; thread++)
		for (int64_t n = 0; find_element(a, thread, n, element); n++) {
			int64_t hw[] = { thread / a->wave_size, thread % a->wave_size };

			if ((*left)-- <= 0)
				return LAYOUT_UNKNOWN;
			if (has_element(b, thread, element))
				continue;
			if (witness)
				*witness = bridge_witness_of(a->ctx, hw, 2, element,
					a->rank);
			return LAYOUT_NO;
		}
	return LAYOUT_YES;
}

static layout_answer compare(struct tile_digits *held, struct tile_digits *wanted,
	layout_witness **witness)
{
	int64_t left = MOST_POINTS;
	layout_answer answer;

	if (same_digits(held, wanted))
		return LAYOUT_YES;
	answer = find_difference(held, wanted, &left, witness);
	if (answer == LAYOUT_YES)
		answer = find_difference(wanted, held, &left, witness);
	if (answer == LAYOUT_UNKNOWN)
		layout_fail(held->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"a tile too large to look at each element, whose digits are not "
			"the instruction's");
	return answer;
}

/* Blocks are no loop of a contraction with one batch loop outside of the tile. */
static bool is_matrix(layout_context *ctx, const layout_mma *mma)
{
	if (mma->row->shape->blocks == 1)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"%s multiplies several blocks, a tile is one", mma->name);
	return false;
}

layout_answer layout_resolution_agrees(layout_resolution *resolution,
	layout_witness **witness)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct tile_digits held, wanted;
	layout_mma *mma;

	if (witness)
		*witness = NULL;
	if (!resolution || !tile_digits_of_encoding(&held, resolution))
		return LAYOUT_UNKNOWN;
	mma = layout_mma_find(resolution->ctx, resolution->instruction, resolution->role,
		resolution->instructions_of);
	if (mma && is_matrix(resolution->ctx, mma) &&
	    repeat(&wanted, resolution, mma))
		answer = compare(&held, &wanted, witness);
	layout_mma_free(mma);
	return answer;
}
