/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/access.h"

#include <stdlib.h>

static bool is_mixed(const struct owner *owner, uint64_t set)
{
	bool registers = false, hardware = false;

	for (; set; set &= set - 1) {
		bool inside = owner->digits[__builtin_ctzll(set)].part == OWNER_REGISTER;

		registers = registers || inside;
		hardware = hardware || !inside;
	}
	return registers && hardware;
}

/* In "dim", nothing is negative, and no XOR is of registers and other digits. */
static bool is_plain(const struct owner *owner, unsigned dim)
{
	bool plain = owner->base[dim] >= 0;

	for (unsigned i = 0; i < owner->term_count; i++)
		if (owner->terms[i].dim == dim)
			plain = plain && owner->terms[i].weight >= 0 &&
				!is_mixed(owner, owner->terms[i].digits);
	return plain;
}

/* The most that a part of coordinate "dim" is modulo "by": registers have the base. */
static int64_t most_of(const struct owner *owner, unsigned dim, int64_t by, bool registers)
{
	int64_t hw[OWNER_PARTS] = { 0 }, at[OWNER_RANK], most = 0;
	int64_t subgroups = registers ? 1 : owner->extent[OWNER_SUBGROUP];
	enum owner_part inner = registers ? OWNER_REGISTER : OWNER_LANE;

	for (hw[OWNER_SUBGROUP] = 0; hw[OWNER_SUBGROUP] < subgroups; hw[OWNER_SUBGROUP]++)
		for (hw[inner] = 0; hw[inner] < owner->extent[inner]; hw[inner]++) {
			owner_point(owner, hw, at);
			at[dim] -= registers ? 0 : owner->base[dim];
			if (at[dim] % by > most)
				most = at[dim] % by;
		}
	return most;
}

/* floor((h + r)/by) = floor(h/by) + floor(r/by) for all of them. */
static bool cuts(const struct owner *owner, unsigned dim, int64_t by)
{
	return by <= 1 || most_of(owner, dim, by, false) +
		most_of(owner, dim, by, true) < by;
}

/* The digits' ends divide each other: positions that are multiples of the largest are
 * multiples of all. */
static bool align_to(int64_t *align, int64_t end)
{
	if (end % *align == 0) {
		*align = end;
		return true;
	}
	return *align % end == 0;
}

static bool goes_apart(struct access_split *split, const struct storage_access *access,
	const struct owner *owner)
{
	bool apart = !access->twisted;

	for (unsigned d = 0; d < owner->rank; d++) {
		split->align[d] = 1;
		apart = apart && is_plain(owner, d);
	}
	for (unsigned k = 0; apart && k < access->slot_count; k++) {
		const struct digit *digit = &access->digits[k];
		int64_t end = digit->radix ? digit_end(digit) : digit->step;

		if (digit->dim < owner->rank)
			apart = cuts(owner, digit->dim, digit->step) &&
				cuts(owner, digit->dim, end) &&
				align_to(&split->align[digit->dim], digit->step) &&
				align_to(&split->align[digit->dim], end);
	}
	return apart;
}

static void find_parts(struct access_split *split, const struct storage_access *access,
	const struct owner *owner)
{
	int64_t hw[OWNER_PARTS] = { 0 }, at[OWNER_RANK];

	for (unsigned r = 0; r < split->count; r++) {
		hw[OWNER_REGISTER] = r;
		owner_point(owner, hw, at);
		for (unsigned k = 0; k < access->slot_count; k++) {
			const struct digit *digit = &access->digits[k];
			unsigned d = digit->dim;

			split->part[r * access->slot_count + k] = d < owner->rank ?
				digit_value(digit, at[d]) : 0;
		}
	}
}

static int compare(const void *a, const void *b, void *user)
{
	const struct access_split *split = user;
	const int64_t *x = split->part + *(const unsigned *)a * split->slot_count;
	const int64_t *y = split->part + *(const unsigned *)b * split->slot_count;

	for (unsigned k = 0; k < split->slot_count; k++)
		if (x[k] != y[k])
			return x[k] < y[k] ? -1 : 1;
	return *(const unsigned *)a < *(const unsigned *)b ? -1 : 1;
}

bool access_split_build(layout_context *ctx, struct access_split *split,
	const struct storage_access *access, const struct owner *owner)
{
	unsigned count = (unsigned)owner->extent[OWNER_REGISTER];

	*split = (struct access_split){ .slot_count = access->slot_count, .count = count,
		.part = layout_alloc(ctx, (size_t)count * access->slot_count,
			sizeof(*split->part)),
		.order = layout_alloc(ctx, count, sizeof(*split->order)) };
	if (!split->part || !split->order)
		return false;
	split->apart = goes_apart(split, access, owner);
	if (split->apart)
		find_parts(split, access, owner);
	for (unsigned r = 0; r < count; r++)
		split->order[r] = r;
	qsort_r(split->order, count, sizeof(*split->order), compare, split);
	return true;
}

void access_split_free(struct access_split *split)
{
	free(split->part);
	free(split->order);
	*split = (struct access_split){ 0 };
}

/* Does the register follow the one before it in memory, in the last slot alone if
 * "inside"? */
static bool follows(const struct access_split *split, const struct storage_access *access,
	unsigned i, bool inside)
{
	const int64_t *x = split->part + split->order[i - 1] * split->slot_count;
	const int64_t *y = split->part + split->order[i] * split->slot_count;
	int64_t step = 0, part;

	for (unsigned k = 0; k < split->slot_count; k++) {
		const struct index *pitch = access->pitch[k];

		if (x[k] == y[k])
			continue;
		if ((inside && k + 1 < split->slot_count) || pitch->op != INDEX_INT ||
		    __builtin_mul_overflow(y[k] - x[k], pitch->value, &part) ||
		    __builtin_add_overflow(step, part, &step))
			return false;
	}
	return step == 1;
}

static unsigned run_of(const struct access_split *split,
	const struct storage_access *access, unsigned i, unsigned most, bool inside)
{
	unsigned length = 1, run = 1;

	while (split->apart && length < most && i + length < split->count &&
	       follows(split, access, i + length, inside))
		length++;
	while (2 * run <= length)
		run *= 2;
	return run;
}

unsigned access_split_run(const struct access_split *split,
	const struct storage_access *access, unsigned i, unsigned most)
{
	return run_of(split, access, i, most, false);
}

static unsigned least_run(const struct access_split *split,
	const struct storage_access *access, unsigned most, bool inside)
{
	unsigned least = most;

	for (unsigned i = 0; i < split->count;) {
		unsigned run = run_of(split, access, i, most, inside);

		least = run < least ? run : least;
		i += run;
	}
	return least;
}

unsigned access_split_vector(const struct access_split *split,
	const struct storage_access *access, unsigned most)
{
	return least_run(split, access, most, false);
}

bool access_steps(const struct owner *owner, unsigned dim, int64_t by)
{
	bool steps = true;

	for (unsigned i = 0; i < owner->term_count; i++) {
		const struct owner_term *term = &owner->terms[i];

		for (uint64_t set = term->digits; set && term->dim == dim; set &= set - 1)
			if (owner->digits[__builtin_ctzll(set)].part != OWNER_REGISTER)
				steps = steps && term->weight % by == 0;
	}
	return steps;
}

unsigned access_split_even(const struct access_split *split,
	const struct storage_access *access, const struct owner *owner, unsigned most)
{
	unsigned vector = split->count ? least_run(split, access, most, true) : 1;
	unsigned last = split->slot_count - 1;
	bool even = split->apart && vector > 1 && access->digits[last].step == 1 &&
		access->digits[last].radix % vector == 0 &&
		access_steps(owner, access->digits[last].dim, vector);

	for (unsigned i = 0; even && i < split->count; i += vector)
		even = split->part[split->order[i] * split->slot_count + last] % vector == 0 &&
			run_of(split, access, i, vector, true) == vector;
	return even ? vector : 1;
}
