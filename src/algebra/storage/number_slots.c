/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/number_slots.h"

#include "algebra/storage/maps.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

int64_t number_times(int64_t a, int64_t b)
{
	int64_t product;

	return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

/* a * b, or a where that is beyond 64 bits: what divides the product. */
static int64_t divisor_times(int64_t a, int64_t b)
{
	int64_t product = number_times(a, b);

	return product < 0 ? a : product;
}

/* The gcd of "divisor", consumed, and the factors of the function's dimensions. */
static isl_val *factors_divisor(isl_val *divisor, isl_aff *aff, enum isl_dim_type type)
{
	isl_size count = isl_aff_dim(aff, type);

	for (isl_size i = 0; i < count; i++)
		divisor = isl_val_gcd(divisor,
			isl_aff_get_coefficient_val(aff, type, i));
	return divisor;
}

/* What divides the size for all values of its names. */
static int64_t size_divisor(layout_storage *storage, const struct size *size)
{
	isl_val *divisor = isl_aff_get_constant_val(size->aff);
	int64_t value;

	divisor = factors_divisor(divisor, size->aff, isl_dim_param);
	divisor = factors_divisor(divisor, size->aff, isl_dim_div);
	return bridge_int64(storage->ctx, isl_val_abs(divisor), &value) ? value : 1;
}

/* How many steps a slot has.  Of an index it holds no more than the size says, of an
 * offset all that the size is rounded up to. */
static void find_extent(struct number_slots *number, struct slot_facts *facts)
{
	layout_storage *storage = number->storage;
	struct digit part = storage_part(storage, facts->slot);
	const struct size *size = &storage->sizes[part.dim];
	bool offset = number->of == LAYOUT_SWIZZLED_OFFSET;
	int64_t divisor = size_divisor(storage, size);

	facts->extent = part.radix ? part.radix : -1;
	if (!part.radix && size->number)
		facts->extent = size->value / part.step +
			(size->value % part.step != 0);
	facts->whole = divisor % part.step ? 1 : divisor / part.step;
	if (offset && facts->extent >= 0)
		facts->whole = facts->extent;
}

/* Dense: a pitch is the product of the extents inside. */
static void find_dense(struct number_slots *number)
{
	int64_t pitch = 1, divisor = 1;

	for (unsigned k = number->count; k-- > 0;) {
		struct slot_facts *facts = &number->facts[k];

		facts->pitch = pitch;
		facts->divisor = pitch > 0 ? pitch : divisor;
		facts->apart = true;
		pitch = number_times(pitch, facts->extent);
		divisor = divisor_times(divisor, facts->whole);
	}
}

static void find_strided(struct number_slots *number)
{
	layout_storage *storage = number->storage;

	for (unsigned k = 0; k < number->count; k++) {
		struct slot_facts *facts = &number->facts[k];
		const struct size *stride = &storage->strides[storage->slots[k].dim];

		facts->pitch = stride->value;
		facts->divisor = facts->pitch < 0 ? size_divisor(storage, stride) :
			facts->pitch;
	}
}

/* An index has the slots of a dimension next to each other, largest steps first. */
static int by_place(const void *a, const void *b)
{
	const struct slot_facts *x = a, *y = b;

	return x->dim != y->dim ? (x->dim < y->dim ? -1 : 1) :
		(x->pitch < y->pitch) - (x->pitch > y->pitch);
}

static void find_index(struct number_slots *number)
{
	layout_storage *storage = number->storage;
	int64_t pitch = 1, divisor = 1;
	unsigned dim = storage->rank;

	for (unsigned k = 0; k < number->count; k++) {
		struct digit part = storage_part(storage, k);

		number->facts[k].dim = part.dim;
		number->facts[k].pitch = part.step;
	}
	qsort(number->facts, number->count, sizeof(*number->facts), by_place);
	for (unsigned k = number->count; k-- > 0;) {
		struct slot_facts *facts = &number->facts[k];

		for (; dim > facts->dim + 1; dim--) {
			const struct size *size = &storage->sizes[dim - 1];

			pitch = number_times(pitch, size->value);
			divisor = divisor_times(divisor, size_divisor(storage, size));
		}
		facts->divisor = divisor_times(divisor, facts->pitch);
		facts->pitch = number_times(pitch, facts->pitch);
		facts->apart = true;
	}
}

/* How far the slots inside of each reach, and what divides all pitches outside. */
static void find_neighbours(struct number_slots *number)
{
	int64_t inside = 0, outside = 0;

	for (unsigned k = 0; k < number->count; k++) {
		struct slot_facts *facts = &number->facts[k];

		facts->outside = outside;
		if (facts->extent != 1)
			outside = int_gcd(outside, facts->divisor);
	}
	for (unsigned k = number->count; k-- > 0;) {
		struct slot_facts *facts = &number->facts[k];
		int64_t steps = facts->extent > 0 ? facts->extent - 1 : 0;

		facts->inside = inside;
		facts->apart = facts->apart || inside < facts->pitch;
		if (facts->pitch && (facts->pitch < 0 || facts->extent < 0 ||
		    !int_add_product(&inside, steps, facts->pitch)))
			inside = INT64_MAX;
	}
}

bool number_slots_find(struct number_slots *number, layout_storage *storage,
	layout_swizzled_number of)
{
	*number = (struct number_slots){ storage, of, storage->slot_count,
		layout_alloc(storage->ctx, storage->slot_count, sizeof(*number->facts)) };
	if (!number->facts)
		return false;
	bridge_enter(storage->ctx);
	for (unsigned k = 0; k < number->count; k++) {
		number->facts[k].slot = k;
		find_extent(number, &number->facts[k]);
	}
	if (of == LAYOUT_SWIZZLED_INDEX)
		find_index(number);
	else
		(storage->strides ? find_strided : find_dense)(number);
	find_neighbours(number);
	return bridge_leave(storage->ctx, "swizzle a storage");
}

void number_slots_free(struct number_slots *number)
{
	free(number->facts);
}
