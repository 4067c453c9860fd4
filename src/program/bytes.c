/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/bytes.h"

/* A number that divides an expression; 0 is divided by all. */
static int64_t divisor_of(const struct index *index)
{
	int64_t a = index->arg_count > 0 ? divisor_of(index->arg[0]) : 1;
	int64_t b = index->arg_count > 1 ? divisor_of(index->arg[1]) : 1;

	switch (index->op) {
	case INDEX_INT:
		return index->value < 0 ? -index->value : index->value;
	case INDEX_NEG:
		return a;
	case INDEX_MUL:
		return a && b && a > INT32_MAX / b ? a : a * b;
	case INDEX_ADD:
	case INDEX_SUB:
		while (b) {
			int64_t rest = a % b;

			a = b;
			b = rest;
		}
		return a;
	default:
		return 1;
	}
}

bool program_fills_bytes(const struct access_split *split,
	const struct storage_access *access, const struct owner *owner,
	const struct program_place *place, const struct element_type *type)
{
	unsigned count = program_byte_elements(type), last = access->slot_count - 1;
	const struct digit *digit = &access->digits[last];
	bool fills = access->slot_count && split->apart && digit->step == 1 &&
		digit->dim < owner->rank && digit->radix % count == 0 &&
		access_steps(owner, digit->dim, count);

	for (unsigned d = 0; fills && d < place->rank; d++)
		fills = !place->gather[d];
	fills = fills && divisor_of(place->at[digit->dim].index) % count == 0;
	for (unsigned i = 0; fills && i < split->count; i += count)
		fills = access_split_run(split, access, i, count) == count &&
			split->part[split->order[i] * split->slot_count + last] % count == 0;
	return fills;
}

struct index *program_rows_are_bytes(const struct storage_access *access,
	const struct element_type *type)
{
	struct index *all = index_int(1);

	for (unsigned k = 0; k + 1 < access->slot_count; k++) {
		const struct digit *digit = &access->digits[k];
		struct index *whole = index_binary(INDEX_EQ, index_binary(INDEX_PMOD,
			index_copy(access->pitch[k]),
			index_int(program_byte_elements(type))), index_int(0));

		if (!digit->radix && digit->dim < access->rank)
			whole = index_binary(INDEX_OR, whole, index_binary(INDEX_LE,
				index_copy(access->size[digit->dim]),
				index_int(digit->step)));
		all = index_binary(INDEX_AND, all, whole);
	}
	return all;
}
