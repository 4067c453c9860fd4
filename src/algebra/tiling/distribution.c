/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who holds what of a tile, as the parts of its encoding say. */
#include "algebra/tiling/distribution.h"

#include "algebra/digits/box.h"
#include "algebra/storage/encoding.h"
#include "algebra/tiling/swizzle.h"
#include "isl_bridge/aff.h"

void tile_digits_start(struct tile_digits *digits, const layout_resolution *resolution)
{
	const layout_tiled_mma *mma = &resolution->mma;
	const layout_encoding *encoding = resolution->encoding;

	*digits = (struct tile_digits){ .ctx = resolution->ctx,
		.subgroups = mma->subgroups_m * mma->subgroups_n * mma->subgroups_k,
		.wave_size = resolution->wave_size, .rank = encoding->inner_count };
	for (unsigned i = 0; i < encoding->inner_count; i++)
		digits->sizes[i] = encoding->inner_tiles[i];
}

void tile_digits_add(struct tile_digits *digits, struct held_digit digit)
{
	if (digit.digit.radix > 1)
		digits->items[digits->count++] = digit;
}

void tile_digits_cut(struct tile_digits *digits, unsigned i, int64_t lower)
{
	struct held_digit upper = digits->items[i];

	upper.digit.step *= lower;
	upper.place *= lower;
	upper.digit.radix /= lower;
	digits->items[i].digit.radix = lower;
	tile_digits_add(digits, upper);
}

/* The coordinate of part "part" of the encoding, and its weight there. */
static struct held_digit digit_of_part(const layout_encoding *encoding, unsigned part)
{
	struct held_digit digit = { .digit = { 0, 1, encoding->dims[part].size } };
	unsigned end = encoding->group_sizes[0];

	while (part >= end)
		end += encoding->group_sizes[++digit.digit.dim];
	for (unsigned later = part + 1; later < end; later++)
		digit.digit.step *= encoding->dims[later].size;
	return digit;
}

bool tile_find_coordinate(const layout_resolution *resolution, layout_loop loop,
	unsigned *coordinate)
{
	for (unsigned i = 0; i < resolution->encoding->inner_count; i++)
		if (resolution->inner[i] == loop) {
			*coordinate = i;
			return true;
		}
	return false;
}

/* A broadcast operand's tile lacks loops, along which threads have the same elements:
 * "sharing" gets, for each part across threads from the innermost in memory on, how many
 * threads lie inside of it so.  All ones where no loop is missing. */
static bool find_sharing(const layout_resolution *resolution,
	int64_t sharing[SWIZZLE_PARTS])
{
	layout_mma *mma = layout_mma_find(resolution->ctx, resolution->instruction,
		resolution->role, resolution->instructions_of);
	unsigned at = 0, coordinate;
	struct tile_swizzle whole;
	bool ok = mma && swizzle_of_mma(resolution->ctx, mma->row, resolution->role, 0,
		&resolution->mma, &whole);

	for (unsigned i = 0; i < SWIZZLE_PARTS; i++)
		sharing[i] = 1;
	for (unsigned j = ok ? whole.count : 0; j--;) {
		const struct swizzle_part *part = &whole.parts[whole.order[j]];

		if (part->dim.kind != LAYOUT_DIM_CROSS_THREAD)
			continue;
		if (tile_find_coordinate(resolution, whole.loops[part->group],
		    &coordinate))
			at++;
		else
			sharing[at] *= part->dim.size * part->dim.factor;
	}
	layout_mma_free(mma);
	return ok;
}

/* Parts from the innermost in memory outwards: threads are spread over those across
 * threads, "factor" of them on one element, and registers count the others. */
static bool add_parts(struct tile_digits *digits, const layout_encoding *encoding,
	const int64_t *sharing)
{
	int64_t threads = 1, registers = 1;

	for (unsigned j = encoding->dim_count; j--;) {
		unsigned part = (unsigned)encoding->permutation[j];
		const layout_encoding_dim *dim = &encoding->dims[part];
		struct held_digit digit = digit_of_part(encoding, part);
		int64_t *total = &registers, apart = 1;

		if (dim->kind == LAYOUT_DIM_CROSS_THREAD) {
			digit.lane = true;
			total = &threads;
			apart = *sharing++ * dim->factor;
		}
		if (__builtin_mul_overflow(*total, apart, &digit.place) ||
		    __builtin_mul_overflow(digit.place, dim->size, total)) {
			layout_fail(digits->ctx, LAYOUT_ERROR_OVERFLOW, -1,
				"the threads or registers of a tile do not fit 64 bits");
			return false;
		}
		tile_digits_add(digits, digit);
	}
	return true;
}

bool tile_digits_of_encoding(struct tile_digits *digits,
	const layout_resolution *resolution)
{
	const layout_encoding *encoding = resolution->encoding;
	int64_t sharing[SWIZZLE_PARTS], registers = 1;

	if (!resolution->instruction) {
		layout_fail(resolution->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"no matrix instruction was chosen: no thread holds a part of the "
			"tile");
		return false;
	}
	tile_digits_start(digits, resolution);
	if (encoding->group_sizes)
		return find_sharing(resolution, sharing) &&
			add_parts(digits, encoding, sharing);
	for (unsigned i = encoding->inner_count; i--;) {
		tile_digits_add(digits, (struct held_digit){ .digit.dim = i, .digit.step = 1,
			.digit.radix = digits->sizes[i], .place = registers });
		if (__builtin_mul_overflow(registers, digits->sizes[i], &registers)) {
			layout_fail(digits->ctx, LAYOUT_ERROR_OVERFLOW, -1,
				"the registers of a tile do not fit 64 bits");
			return false;
		}
	}
	return true;
}

/* The inputs of the relation. */
enum { SUBGROUP, LANE, REGISTER, INPUTS };

/* Where a digit of the thread reaches over both, that of the lane and that of the
 * subgroup. */
static void cut_at_wave(struct tile_digits *digits)
{
	for (unsigned i = 0; i < digits->count; i++) {
		struct held_digit *digit = &digits->items[i];
		int64_t lower = digits->wave_size / digit->place;

		if (digit->lane && digit->place < digits->wave_size &&
		    lower < digit->digit.radix && digits->wave_size % digit->place == 0 &&
		    digit->digit.radix % lower == 0)
			tile_digits_cut(digits, i, lower);
	}
}

/* The digit is one of the lane alone, or of the subgroup alone. */
static bool in_lane(const struct tile_digits *digits, const struct held_digit *digit)
{
	int64_t end;

	return !__builtin_mul_overflow(digit->place, digit->digit.radix, &end) &&
		digits->wave_size % end == 0;
}

static bool in_subgroup(const struct tile_digits *digits, const struct held_digit *digit)
{
	return digit->place % digits->wave_size == 0;
}

static int64_t count_registers(const struct tile_digits *digits)
{
	int64_t registers = 1;

	for (unsigned i = 0; i < digits->count; i++)
		if (!digits->items[i].lane)
			registers *= digits->items[i].digit.radix;
	return registers;
}

/* floor((wave_size*subgroup + lane) / step) mod radix of such a digit. */
static isl_aff *flat_digit(const struct tile_digits *digits, isl_space *hw,
	const struct held_digit *digit)
{
	isl_aff *thread = aff_scale(aff_coordinate(hw, SUBGROUP), digits->wave_size);

	return aff_digit(isl_aff_add(thread, aff_coordinate(hw, LANE)), digit->place,
		digit->digit.radix);
}

/* floor(x / step) mod radix of 0 <= x < extent, written without a mod that does
 * nothing. */
static isl_aff *extract(isl_space *space, unsigned x, int64_t step, int64_t radix,
	int64_t extent)
{
	return aff_coordinate_digit(space, x, step, extent / step <= radix ? 0 : radix);
}

/* The digit of a point hw[subgroup, lane, register]. */
static isl_aff *digit_of_hw(const struct tile_digits *digits, isl_space *hw,
	const struct held_digit *digit)
{
	int64_t wave = digits->wave_size;

	if (!digit->lane)
		return extract(hw, REGISTER, digit->place, digit->digit.radix,
			count_registers(digits));
	if (in_lane(digits, digit))
		return extract(hw, LANE, digit->place, digit->digit.radix, wave);
	if (in_subgroup(digits, digit))
		return extract(hw, SUBGROUP, digit->place / wave, digit->digit.radix,
			digits->subgroups);
	return flat_digit(digits, hw, digit);
}

/* [subgroup, lane, register] -> [tile..] */
static isl_multi_aff *tile_of_hw(const struct tile_digits *digits)
{
	isl_ctx *isl = bridge_isl(digits->ctx);
	isl_space *hw = isl_space_set_alloc(isl, 0, INPUTS);
	isl_multi_aff *tile = isl_multi_aff_zero(isl_space_alloc(isl, 0, INPUTS,
		digits->rank));

	for (unsigned i = 0; i < digits->count; i++) {
		const struct held_digit *digit = &digits->items[i];
		isl_aff *sum = isl_multi_aff_get_aff(tile, (int)digit->digit.dim);

		sum = aff_add_scaled(sum, digit_of_hw(digits, hw, digit), digit->digit.step);
		tile = isl_multi_aff_set_aff(tile, (int)digit->digit.dim, sum);
	}
	isl_space_free(hw);
	return tile;
}

/* Every element has one holder: threads share none, and each digit tells a lane or a
 * subgroup. */
static bool is_invertible(const struct tile_digits *digits)
{
	int64_t threads = 1;

	for (unsigned i = 0; i < digits->count; i++) {
		const struct held_digit *digit = &digits->items[i];

		if (!digit->lane)
			continue;
		if ((!in_lane(digits, digit) && !in_subgroup(digits, digit)) ||
		    __builtin_mul_overflow(threads, digit->digit.radix, &threads))
			return false;
	}
	return threads == digits->subgroups * digits->wave_size;
}

/* [tile..] -> [subgroup, lane, register] of invertible digits. */
static isl_multi_aff *hw_of_tile(const struct tile_digits *digits)
{
	isl_ctx *isl = bridge_isl(digits->ctx);
	isl_space *tile = isl_space_set_alloc(isl, 0, digits->rank);
	isl_multi_aff *hw = isl_multi_aff_zero(isl_space_alloc(isl, 0, digits->rank,
		INPUTS));

	for (unsigned i = 0; i < digits->count; i++) {
		const struct held_digit *digit = &digits->items[i];
		bool subgroup = digit->lane && in_subgroup(digits, digit);
		int at = !digit->lane ? REGISTER : subgroup ? SUBGROUP : LANE;
		int64_t factor = subgroup ? digit->place / digits->wave_size : digit->place;

		hw = isl_multi_aff_set_aff(hw, at, aff_add_scaled(isl_multi_aff_get_aff(hw, at),
			extract(tile, digit->digit.dim, digit->digit.step,
				digit->digit.radix, digits->sizes[digit->digit.dim]), factor));
	}
	isl_space_free(tile);
	return hw;
}

/* hw[subgroup, lane, register] -> tile[..], both with names for readers. */
static isl_map *name_spaces(isl_map *map, const layout_resolution *resolution,
	unsigned rank)
{
	static const char *const inputs[INPUTS] = { "subgroup", "lane", "register" };
	static const char *const loops[TILING_LOOPS] = { "b", "m", "n", "k", "kb" };

	map = isl_map_set_tuple_name(map, isl_dim_in, "hw");
	map = isl_map_set_tuple_name(map, isl_dim_out, "tile");
	for (unsigned i = 0; i < INPUTS; i++)
		map = isl_map_set_dim_name(map, isl_dim_in, i, inputs[i]);
	for (unsigned i = 0; i < rank; i++)
		map = isl_map_set_dim_name(map, isl_dim_out, i,
			loops[resolution->inner[i]]);
	return map;
}

static layout_relation *relation_of(const struct tile_digits *digits,
	const layout_resolution *resolution)
{
	isl_multi_aff *forward, *backward;
	isl_map *map;

	bridge_enter(digits->ctx);
	forward = tile_of_hw(digits);
	backward = is_invertible(digits) ? hw_of_tile(digits) : NULL;
	map = isl_map_from_multi_aff(isl_multi_aff_copy(forward));
	map = isl_map_intersect_domain(map, bridge_bound(bridge_bound(bridge_bound(
		isl_set_universe(isl_space_set_alloc(bridge_isl(digits->ctx), 0, INPUTS)),
		SUBGROUP, digits->subgroups), LANE, digits->wave_size),
		REGISTER, count_registers(digits)));
	map = name_spaces(map, resolution, digits->rank);
	forward = bridge_name_forward(forward, map);
	backward = bridge_name_backward(backward, map);
	return bridge_give_relation(digits->ctx, "distribute a tile", map, forward,
		backward);
}

layout_relation *layout_resolution_distribution(layout_resolution *resolution)
{
	struct tile_digits digits;

	if (!resolution)
		return NULL;
	if (!tile_digits_of_encoding(&digits, resolution))
		return NULL;
	cut_at_wave(&digits);
	return relation_of(&digits, resolution);
}
