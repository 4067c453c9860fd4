/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* XORs on slots.  Each is its own inverse: what it reads it does not write. */
#include "algebra/storage/xor.h"

static const struct storage_xor *xor_at(const layout_storage *storage, unsigned i,
	bool reversed)
{
	return &storage->xors[reversed ? storage->xor_count - 1 - i : i];
}

/* floor(slot / 2^bit) of "space", which it keeps. */
static isl_aff *from_bit(isl_space *space, unsigned slot, unsigned bit)
{
	isl_aff *aff = isl_aff_var_on_domain(
		isl_local_space_from_space(isl_space_copy(space)), isl_dim_set, slot);

	return isl_aff_floor(isl_aff_scale_down_val(aff,
		isl_val_2exp(isl_val_int_from_ui(isl_space_get_ctx(space), bit))));
}

static isl_aff *last_bit(isl_aff *aff)
{
	return isl_aff_mod_val(aff, isl_val_int_from_ui(isl_aff_get_ctx(aff), 2));
}

/* slot_to + the sum of 2^bit * ((a + b) mod 2 - a mod 2) for bits a and b. */
static isl_aff *swizzled_slot(isl_space *space, const struct storage_xor *xor)
{
	isl_aff *sum = from_bit(space, xor->slot_to, 0);

	for (unsigned i = 0; i < xor->bits; i++) {
		isl_aff *a = from_bit(space, xor->slot_to, xor->bit_to + i);
		isl_aff *b = from_bit(space, xor->slot_from, xor->bit_from + i);
		isl_aff *both = last_bit(isl_aff_add(isl_aff_copy(a), b));
		isl_val *worth = isl_val_2exp(isl_val_int_from_ui(
			isl_space_get_ctx(space), xor->bit_to + i));

		sum = isl_aff_add(sum, isl_aff_scale_val(
			isl_aff_sub(both, last_bit(a)), worth));
	}
	return sum;
}

isl_multi_aff *storage_xor_function(const layout_storage *storage, bool reversed)
{
	isl_space *space = isl_multi_aff_get_domain_space(storage->maps->from_slot);
	isl_multi_aff *all = isl_multi_aff_identity_on_domain_space(isl_space_copy(space));

	for (unsigned i = 0; i < storage->xor_count; i++) {
		const struct storage_xor *xor = xor_at(storage, i, reversed);
		isl_multi_aff *one = isl_multi_aff_identity_on_domain_space(
			isl_space_copy(space));

		one = isl_multi_aff_set_aff(one, (int)xor->slot_to,
			swizzled_slot(space, xor));
		all = isl_multi_aff_pullback_multi_aff(one, all);
	}
	isl_space_free(space);
	return all;
}

isl_set *storage_in_memory(const layout_storage *storage, isl_set *slots)
{
	if (!storage->xor_count)
		return slots;
	return isl_set_preimage_multi_aff(slots, storage_xor_function(storage, true));
}

/* The bits that are read, moved to where they are written. */
static struct index *moved_bits(const struct storage_xor *xor, struct index *from)
{
	struct index *bits = index_binary(INDEX_PDIV, from,
		index_int((int64_t)1 << xor->bit_from));

	bits = index_binary(INDEX_PMOD, bits, index_int((int64_t)1 << xor->bits));
	return index_binary(INDEX_MUL, bits, index_int((int64_t)1 << xor->bit_to));
}

void storage_xor_index(const layout_storage *storage, struct index **slot, bool reversed)
{
	for (unsigned i = 0; i < storage->xor_count; i++) {
		const struct storage_xor *xor = xor_at(storage, i, reversed);

		slot[xor->slot_to] = index_binary(INDEX_XOR, slot[xor->slot_to],
			moved_bits(xor, index_copy(slot[xor->slot_from])));
	}
}
