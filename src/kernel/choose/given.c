/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/choose/given.h"
#include "algebra/digits/digits.h"
#include "algebra/owner/roles.h"
#include "kernel/choose/parts.h"
#include "kernel/tile/tile.h"
#include "isl_bridge/objects.h"
#include "isl_bridge/relation.h"

#include <inttypes.h>
#include <layout/view.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 1024, MOST_REGISTERS = 1024 };

/* An owner's points.  First each pair as it comes, input then image; then, with the
 * extents of the inputs known, the image of lane l's register r at (l*registers + r). */
struct given {
	layout_context *ctx;
	unsigned rank;
	struct owner_inputs inputs;
	int64_t *pairs, *images;
	size_t count;
	int64_t wave;		/* lanes of a subgroup */
	int64_t lanes, registers;
};

/* A step of 0 is a digit that replicates. */
struct given_digits {
	unsigned count;
	struct held_digit digits[TILE_DIGITS];
};

static bool refuse(const struct given *given, const char *format, int64_t a, int64_t b,
	int64_t c)
{
	struct layout_buffer out = { 0 };
	char *text;

	layout_buffer_printf(&out, format, a, b, c);
	text = layout_buffer_take(given->ctx, &out);
	layout_fail(given->ctx, LAYOUT_ERROR_INVALID, -1, "the owner: %s",
		text ? text : "out of memory");
	free(text);
	return false;
}

/* A pair; false ends the visit. */
static bool take_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned rank)
{
	struct given *given = user;
	size_t width = in_rank + rank;
	int64_t *at;

	if ((given->count & (given->count - 1)) == 0) {
		at = realloc(given->pairs, (given->count ? 2 * given->count : 1) *
			width * sizeof(*at));
		if (!at)
			return refuse(given, "out of memory", 0, 0, 0);
		given->pairs = at;
	}
	at = given->pairs + given->count++ * width;
	memcpy(at, in, in_rank * sizeof(*at));
	memcpy(at + in_rank, image, rank * sizeof(*at));
	return true;
}

static bool count_points(struct given *given)
{
	int64_t extent[OWNER_PARTS];

	for (unsigned i = 0; i < given->inputs.count; i++) {
		if (!given->inputs.extents[i])
			return refuse(given, "it has no points", 0, 0, 0);
		if (given->inputs.roles[i] == ROLE_BLOCK && given->inputs.extents[i] > 1)
			return refuse(given, "it is of %" PRId64 " workgroups, not of one",
				given->inputs.extents[i], 0, 0);
	}
	if (!owner_inputs_number(&given->inputs, MOST_LANES * MOST_REGISTERS, extent) ||
	    extent[OWNER_SUBGROUP] * extent[OWNER_LANE] > MOST_LANES ||
	    extent[OWNER_REGISTER] > MOST_REGISTERS)
		return refuse(given, "a workgroup has at most %" PRId64 " lanes, and"
			" a lane %" PRId64 " elements", MOST_LANES, MOST_REGISTERS, 0);
	given->wave = extent[OWNER_LANE];
	given->lanes = extent[OWNER_SUBGROUP] * given->wave;
	given->registers = extent[OWNER_REGISTER];
	return true;
}

/* Every lane and register holds an element, the first that at index 0. */
static bool place_pairs(struct given *given)
{
	unsigned in_rank = given->inputs.count;
	size_t width = in_rank + given->rank;
	size_t points = (size_t)(given->lanes * given->registers);
	bool *seen = layout_alloc(given->ctx, points, sizeof(*seen));
	bool ok = true;

	given->images = layout_alloc(given->ctx, points * given->rank + 1,
		sizeof(*given->images));
	if (!seen || !given->images)
		ok = false;
	for (size_t k = 0; ok && k < given->count; k++) {
		const int64_t *in = given->pairs + k * width;
		int64_t hw[OWNER_PARTS];
		size_t at;

		owner_inputs_at(&given->inputs, in, hw);
		at = (size_t)((hw[OWNER_SUBGROUP] * given->wave + hw[OWNER_LANE]) *
			given->registers + hw[OWNER_REGISTER]);
		seen[at] = true;
		memcpy(given->images + at * given->rank, in + in_rank,
			given->rank * sizeof(*in));
	}
	for (size_t at = 0; ok && at < points; at++)
		if (!seen[at])
			ok = refuse(given, "lane %" PRId64 ", register %" PRId64 " holds no"
				" element", (int64_t)at / given->registers,
				(int64_t)at % given->registers, 0);
	free(seen);
	return ok;
}

/* The numbers of the inputs, before their points, which may be too many, are listed. */
static bool find_extents(struct given *given, layout_relation *owner,
	const struct choice_rules *rules)
{
	if (layout_relation_param_count(owner))
		return refuse(given, "it has sizes without a value", 0, 0, 0);
	if (!owner_inputs_read(&given->inputs, owner) || !count_points(given))
		return false;
	return choice_has_room(rules, given->registers) ||
		refuse(given, "a lane holds too much", 0, 0, 0);
}

/* Every lane and register holds one element. */
static bool check_function(struct given *given, layout_relation *owner)
{
	layout_witness *witness = NULL;
	layout_answer answer = layout_relation_is_function(owner, &witness);

	return bridge_demand(given->ctx, answer,
		"the owner: a register of a lane holds two elements", witness);
}

static bool list_points(struct given *given, layout_relation *owner,
	const struct choice_rules *rules)
{
	unsigned inputs = layout_relation_in_rank(owner);

	if (inputs > OWNER_INPUTS || inputs == 0)
		return refuse(given, "it has %" PRId64 " inputs", inputs, 0, 0);
	if (!bridge_need_map(owner))
		return false;
	if (!find_extents(given, owner, rules) || !check_function(given, owner) ||
	    !layout_relation_for_each(owner, take_pair, given) ||
	    layout_context_error(given->ctx) != LAYOUT_ERROR_NONE)
		return false;
	return place_pairs(given);
}

/* The image of a register of the first lane, or of a lane's first. */
static const int64_t *image_of(const void *user, unsigned lane, int64_t n)
{
	const struct given *given = user;

	return given->images + (size_t)(lane ? n * given->registers : n) * given->rank;
}

/* The digit that begins at "place" of the numbers 0 .. count-1, "adds" being room. */
static bool find_digit(const struct given *given, bool lane, int64_t place,
	int64_t count, struct held_digit *digit, int64_t *adds)
{
	const int64_t *one = image_of(given, lane, place);
	int64_t radix = digits_even_steps(image_of, given, lane, given->rank, place, count,
		adds);

	*digit = (struct held_digit){ .lane = lane, .place = place };
	for (unsigned d = 0; d < given->rank; d++) {
		if (one[d] < 0 || (one[d] && digit->digit.step))
			return refuse(given, lane ?
				"lane %" PRId64 ", register 0 is not one step along one"
				" dimension from lane 0" : "lane 0, register %" PRId64
				" is not one step along one dimension from register 0",
				place, 0, 0);
		if (one[d]) {
			digit->digit.dim = d;
			digit->digit.step = one[d];
		}
	}
	while (radix > 1 && count / place % radix)
		radix--;
	digit->digit.radix = radix;
	return radix > 1 || refuse(given, lane ?
		"lane %" PRId64 " begins no digit" : "register %" PRId64 " begins no digit",
		place, 0, 0);
}

static bool find_digits(const struct given *given, bool lane, int64_t count,
	struct given_digits *found)
{
	int64_t *adds = layout_alloc(given->ctx, given->rank + 1, sizeof(*adds));
	struct held_digit *digit;
	bool ok = adds;

	for (int64_t place = 1; ok && place < count; place *= digit->digit.radix) {
		digit = &found->digits[found->count++];
		ok = find_digit(given, lane, place, count, digit, adds);
		if (ok && !digit->digit.step && !lane)
			ok = refuse(given, "lane 0, register %" PRId64 " holds what"
				" register 0 holds", place, 0, 0);
	}
	free(adds);
	return ok;
}

/* Where the digits put what a register of a lane holds. */
static int64_t coordinate(const struct given_digits *found, int64_t lane, int64_t reg,
	unsigned dim)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < found->count; i++) {
		const struct held_digit *held = &found->digits[i];
		int64_t n = held->lane ? lane : reg;

		if (held->digit.dim == dim)
			sum += n / held->place % held->digit.radix * held->digit.step;
	}
	return sum;
}

/* The digits say where every element is. */
static bool check_digits(const struct given *given, const struct given_digits *found)
{
	const int64_t *image = given->images;

	for (int64_t lane = 0; lane < given->lanes; lane++)
		for (int64_t reg = 0; reg < given->registers; reg++)
			for (unsigned d = 0; d < given->rank; d++)
				if (coordinate(found, lane, reg, d) != *image++)
					return refuse(given, "lane %" PRId64 ", register %"
						PRId64 " is not the sum of its digits"
						" in dimension %" PRId64, lane, reg, d);
	return true;
}

/* The dimension of the factors that is logical dimension d, or their count. */
static unsigned factor_dim_of(const struct factors *factors, unsigned d)
{
	unsigned k = 0;

	while (k < factors->dim_count && factors->order[factors->dims[k].first] != d)
		k++;
	return k;
}

/* The piece of the grid that begins at "step". */
static unsigned piece_at(const struct choice *choice, unsigned dim, int64_t step)
{
	unsigned i = 0;

	while (i < choice->count && (choice->pieces[i].step != step ||
	       choice->factors->digits[choice->pieces[i].digit].digit.dim != dim ||
	       choice->pieces[i].where != CHOICE_GRID))
		i++;
	return i;
}

/* A digit as pieces of the factors' digits. */
static bool place_digit(const struct given *given, struct choice *choice,
	const struct held_digit *digit)
{
	unsigned dim = factor_dim_of(choice->factors, digit->digit.dim);
	int64_t rest = digit->digit.radix, step = digit->digit.step, place = digit->place;

	while (rest > 1) {
		unsigned i = piece_at(choice, dim, step);
		int64_t radix = i < choice->count ? choice->pieces[i].radix : 1, part;

		part = !radix || (radix > rest && radix % rest == 0) ? rest : radix;
		if (i == choice->count || rest % part)
			return refuse(given, "the digit of radix %" PRId64 " at step %" PRId64
				" of dimension %" PRId64 " crosses where a tile of the"
				" source or destination ends", digit->digit.radix,
				digit->digit.step, digit->digit.dim);
		if (!choice_split(choice, i, part))
			return refuse(given, "it has too many digits", 0, 0, 0);
		choice->pieces[i].where = digit->lane ?
			CHOICE_LANE : CHOICE_REGISTER;
		choice->pieces[i].place = place;
		rest /= part;
		step *= part;
		place *= part;
	}
	return true;
}

/* In every dimension the digits begin where those below end: the tile is a box. */
static bool place_digits(const struct given *given, struct choice *choice,
	struct given_digits *found)
{
	int64_t step = 1;

	qsort(found->digits, found->count, sizeof(found->digits[0]), held_digit_compare);
	for (unsigned i = 0; i < found->count; i++) {
		const struct held_digit *digit = &found->digits[i];

		if (!i || digit->digit.dim != digit[-1].digit.dim)
			step = 1;
		if (!digit->digit.step) {
			choice->spares[choice->spare_count++] = (struct tile_spare){
				digit->place, digit->digit.radix };
			continue;
		}
		if (digit->digit.step != step)
			return refuse(given, "its tile is no box: in dimension %" PRId64
				", a step of %" PRId64 " follows %" PRId64 " elements",
				digit->digit.dim, digit->digit.step, step);
		if (!place_digit(given, choice, digit))
			return false;
		step *= digit->digit.radix;
	}
	return true;
}

bool given_choose(struct choice *choice, const struct factors *factors,
	const struct choice_rules *rules, layout_relation *owner)
{
	struct given given = { .ctx = layout_relation_context(owner),
		.rank = layout_relation_out_rank(owner) };
	struct given_digits found = { 0 };
	const char *why = NULL;
	bool ok = list_points(&given, owner, rules);

	if (ok && given.rank != factors->rank)
		ok = refuse(&given, "it is of rank %" PRId64 ", the tensor of rank %" PRId64,
			given.rank, factors->rank, 0);
	ok = ok && find_digits(&given, true, given.lanes, &found) &&
		find_digits(&given, false, given.registers, &found) &&
		check_digits(&given, &found);
	if (ok) {
		choice_begin(choice, factors, rules);
		choice->lanes = given.lanes;
		choice->registers = given.registers;
		ok = place_digits(&given, choice, &found);
	}
	if (ok && !choice_finish(choice, &why)) {
		layout_fail(given.ctx, LAYOUT_ERROR_INVALID, -1, "the owner: %s", why);
		ok = false;
	}
	free(given.pairs);
	free(given.images);
	return ok;
}
