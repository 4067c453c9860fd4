/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Swizzling a storage: the bits of an offset, found among those of its slots.
 *
 * An offset is the sum of slot * pitch.  Its bit worth 2^b * pitch[k] is bit b of slot
 * k where the slots inside reach less than pitch[k] and the pitches outside are
 * multiples of twice that worth. */
#include "algebra/cute/swizzle.h"
#include "isl_bridge/arithmetic.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/sizes.h"
#include "algebra/swizzle_attr.h"

#include <inttypes.h>
#include <stdlib.h>

/* offset ^= (floor(offset / from) mod 2^bits) * to */
struct offset_xor {
	int64_t to, from;
	unsigned bits;
};

/* What is known of a slot; a number is 0 where it is not known or beyond 64 bits. */
struct slot_facts {
	int64_t extent, pitch;
	int64_t extent_divisor;
	int64_t outside;	/* a divisor of all pitches outside; 0: there are none */
	bool apart;		/* the slots inside reach less than its pitch */
};

/* a * b, or 0 where that is beyond 64 bits. */
static int64_t times(int64_t a, int64_t b)
{
	int64_t product;

	return __builtin_mul_overflow(a, b, &product) ? 0 : product;
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

/* What divides the expression "size" for all values of its names. */
static int64_t size_divisor(layout_storage *storage, const char *size)
{
	isl_space *space = isl_set_get_space(storage->maps->logical);
	isl_aff *aff = storage_size(storage, space, size);
	isl_val *divisor = isl_aff_get_constant_val(aff);
	int64_t value;

	divisor = factors_divisor(divisor, aff, isl_dim_param);
	divisor = factors_divisor(divisor, aff, isl_dim_div);
	isl_aff_free(aff);
	isl_space_free(space);
	return bridge_int64(storage->ctx, isl_val_abs(divisor), &value) ? value : 1;
}

/* ceil(size / tile), and what divides it. */
static void find_extent(layout_storage *storage, const struct storage_slot *slot,
	struct slot_facts *facts)
{
	const char *size = slot->constant ? NULL : storage->sizes[slot->dim];
	int64_t value = 0, divisor;

	if (!size || size_is_integer(size, &value)) {
		facts->extent = size ? value / slot->tile + (value % slot->tile != 0) :
			slot->constant;
		facts->extent_divisor = facts->extent;
		return;
	}
	divisor = size_divisor(storage, size);
	facts->extent_divisor = divisor % slot->tile ? 1 : divisor / slot->tile;
}

/* Dense: a pitch is the product of the extents inside. */
static void find_dense(layout_storage *storage, struct slot_facts *facts)
{
	int64_t pitch = 1, divisor = 1;

	for (unsigned k = storage->slot_count; k-- > 0;) {
		int64_t larger = times(divisor, facts[k].extent_divisor);

		facts[k].apart = true;
		facts[k].pitch = pitch;
		facts[k].outside = k ? (larger ? larger : divisor) : 0;
		pitch = times(pitch, facts[k].extent);
		divisor = larger ? larger : divisor;
	}
}

static void find_strided(layout_storage *storage, struct slot_facts *facts)
{
	int64_t outside = 0, inside = 0;
	bool apart = true;

	for (unsigned k = 0; k < storage->slot_count; k++) {
		const char *stride = storage->strides[storage->slots[k].dim];

		facts[k].outside = outside;
		if (!size_is_integer(stride, &facts[k].pitch))
			facts[k].pitch = 0;
		outside = int_gcd(outside, facts[k].pitch ? facts[k].pitch :
			size_divisor(storage, stride));
	}
	for (unsigned k = storage->slot_count; k-- > 0;) {
		int64_t pitch = facts[k].pitch, extent = facts[k].extent;

		facts[k].apart = apart && inside < pitch;
		apart = apart && (extent || !pitch) &&
			(!extent || int_add_product(&inside, extent - 1, pitch));
	}
}

/* The slot and the bit of it that an offset's bit of that worth is. */
static bool find_bit(const layout_storage *storage, const struct slot_facts *facts,
	int64_t worth, unsigned *slot, unsigned *bit)
{
	for (unsigned k = storage->slot_count; k-- > 0;) {
		int64_t pitch = facts[k].pitch;

		if (!pitch || !facts[k].apart || worth % pitch ||
		    int_log2(worth / pitch) < 0 || !times(worth, 2) ||
		    facts[k].outside % times(worth, 2))
			continue;
		*slot = k;
		*bit = (unsigned)int_log2(worth / pitch);
		return true;
	}
	layout_fail(storage->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"the swizzle reaches the bit worth %" PRId64 " of an offset, which is no bit"
		" of one dimension in memory: a pitch is not a power of two times that of"
		" the dimension inside it, or known only at run time", worth);
	return false;
}

/* Offsets stay in the storage where whatever the bit is part of is there whole. */
static bool check_target(const layout_storage *storage, const struct slot_facts *facts,
	unsigned slot, unsigned bit)
{
	if (facts[slot].extent_divisor % ((int64_t)2 << bit) == 0)
		return true;
	layout_fail(storage->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"the swizzle moves elements beyond the storage: the extent of dimension %u"
		" in memory is no multiple of %" PRId64, slot, (int64_t)2 << bit);
	return false;
}

/* Add the bit to the last XOR, or as one of its own. */
static bool add_bit(layout_storage *storage, struct storage_xor bit, bool first)
{
	struct storage_xor *last = first ? NULL : &storage->xors[storage->xor_count - 1];
	struct storage_xor *grown;

	if (last && last->slot_to == bit.slot_to && last->slot_from == bit.slot_from &&
	    last->bit_to + last->bits == bit.bit_to &&
	    last->bit_from + last->bits == bit.bit_from) {
		last->bits++;
		return true;
	}
	grown = realloc(storage->xors, (storage->xor_count + 1) * sizeof(*grown));
	if (!grown) {
		layout_fail(storage->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		return false;
	}
	storage->xors = grown;
	grown[storage->xor_count++] = bit;
	return true;
}

static bool add_xor(layout_storage *storage, const struct slot_facts *facts,
	struct offset_xor xor)
{
	for (unsigned i = 0; i < xor.bits; i++, xor.to *= 2, xor.from *= 2) {
		struct storage_xor bit = { .bits = 1 };

		if (!find_bit(storage, facts, xor.to, &bit.slot_to, &bit.bit_to) ||
		    !find_bit(storage, facts, xor.from, &bit.slot_from, &bit.bit_from) ||
		    !check_target(storage, facts, bit.slot_to, bit.bit_to) ||
		    !add_bit(storage, bit, i == 0))
			return false;
	}
	return true;
}

/* Keep what was said, for printing. */
static bool add_text(layout_storage *storage, char *text)
{
	char **grown = text ? realloc(storage->swizzles,
		(storage->swizzle_count + 1) * sizeof(*grown)) : NULL;

	if (!grown) {
		free(text);
		return false;
	}
	storage->swizzles = grown;
	grown[storage->swizzle_count++] = text;
	return true;
}

/* Consumes the storage and the text. */
static layout_storage *swizzle(layout_storage *storage, struct offset_xor xor, char *text)
{
	struct slot_facts *facts = layout_alloc(storage->ctx, storage->slot_count,
		sizeof(*facts));
	bool ok;

	bridge_enter(storage->ctx);
	for (unsigned k = 0; facts && k < storage->slot_count; k++)
		find_extent(storage, &storage->slots[k], &facts[k]);
	if (facts)
		(storage->strides ? find_strided : find_dense)(storage, facts);
	ok = bridge_leave(storage->ctx, "swizzle a storage") && facts &&
		add_xor(storage, facts, xor);
	free(facts);
	if (add_text(storage, text) && ok)
		return storage;
	layout_storage_free(storage);
	return NULL;
}

layout_storage *layout_storage_swizzled(layout_storage *storage, layout_swizzle *by)
{
	layout_storage *result = NULL;

	if (!storage || !by || !bridge_contexts_meet(storage->ctx, by->ctx))
		goto done;
	if (by->rotates) {
		layout_fail(storage->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a storage is swizzled by XORs of bits, not by rotate_rows");
		goto done;
	}
	result = swizzle(storage, (struct offset_xor){ by->access_width,
		by->row_stride * by->per_phase, (unsigned)int_log2(by->columns) },
		layout_swizzle_str(by));
	storage = NULL;
done:
	layout_storage_free(storage);
	layout_swizzle_free(by);
	return result;
}

layout_storage *layout_storage_swizzled_bits(layout_storage *storage, int bits, int base,
	int shift)
{
	struct layout_buffer text = { 0 };
	int from = shift < 0 ? base : base + shift, to = shift < 0 ? base - shift : base;

	if (!storage)
		return NULL;
	if (!cute_swizzle_check(storage->ctx, (layout_cute_swizzle){ bits, base, shift, 0 })) {
		layout_storage_free(storage);
		return NULL;
	}
	layout_buffer_printf(&text, "Sw<%d,%d,%d>", bits, base, shift);
	return swizzle(storage, (struct offset_xor){ (int64_t)1 << to,
		(int64_t)1 << from, (unsigned)bits }, layout_buffer_take(storage->ctx, &text));
}
