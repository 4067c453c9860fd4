/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of the hardware, given at all points, as digits, else as XORs of bits. */
#include "algebra/owner/owner.h"
#include "algebra/digits/digits.h"

#include <string.h>

struct given {
	struct owner *owner;
	const int64_t *images;
};

static const int64_t *image_at(const struct given *given, const int64_t hw[OWNER_PARTS])
{
	return given->images + owner_number(given->owner, hw) * given->owner->rank;
}

/* The image of number n of a part, all others being 0. */
static const int64_t *image_of(const void *user, unsigned part, int64_t n)
{
	int64_t hw[OWNER_PARTS] = { 0 };

	hw[part] = n;
	return image_at(user, hw);
}

/* The digits of a part, each as large as it can be; those that are none will be seen. */
static bool add_digits(struct given *given, enum owner_part part, int64_t extent)
{
	struct owner *owner = given->owner;
	int64_t place = 1, adds[OWNER_RANK];

	while (place < extent) {
		int64_t rest = extent / place, radix = digits_even_steps(image_of, given, part,
			owner->rank, place, extent, adds);
		uint64_t digit = owner->digit_count < OWNER_DIGITS ?
			(uint64_t)1 << owner->digit_count : 0;

		while (radix > 1 && rest % radix)
			radix--;
		radix = radix > 1 ? radix : rest;
		if (!owner_add_digit(owner, part, radix))
			return false;
		for (unsigned d = 0; d < owner->rank; d++)
			if (adds[d] && !owner_add_term(owner, d, digit, adds[d]))
				return false;
		place *= radix;
	}
	return true;
}

/* The registers of the lane at "at" that differ from those of the first lane by as much as it does:
 * so many of the images from the first one on. */
static int64_t count_alike(const struct given *given, const int64_t *images, const int64_t *at)
{
	unsigned rank = given->owner->rank;
	int64_t count = given->owner->extent[OWNER_REGISTER], r = 0;
	bool same = true;

	for (; same && r < count; r++)
		for (unsigned d = 0; d < rank; d++)
			same = same && images[r * rank + d] - at[d] ==
				given->images[r * rank + d] - given->images[d];
	return same ? count : r - 1;
}

/* Those of the first lane agree, and others add the same to what they have: do theirs? */
static bool lanes_agree(const struct given *given, struct owner_walk *walk)
{
	int64_t registers = given->owner->extent[OWNER_REGISTER], alike;
	const int64_t *images = given->images;

	owner_walk_begin(walk, given->owner);
	do {
		alike = count_alike(given, images, walk->at);
		images += registers * given->owner->rank;
	} while (alike == registers && owner_walk_next_lane(walk));
	walk->hw[OWNER_REGISTER] = alike % registers;
	return alike == registers;
}

/* Is what the owner says what every point holds?  Else "hw" is the first that holds
 * something else. */
static bool agrees(const struct given *given, int64_t hw[OWNER_PARTS])
{
	int64_t registers = given->owner->extent[OWNER_REGISTER], number = 0;
	const int64_t *image = given->images;
	struct owner_walk walk;
	bool same;

	owner_walk_begin(&walk, given->owner);
	do {
		same = !memcmp(walk.at, image, given->owner->rank * sizeof(*image));
		image += given->owner->rank;
	} while (same && !(walk.sums[OWNER_REGISTER] && ++number == registers) &&
		owner_walk_next(&walk));
	if (same && walk.sums[OWNER_REGISTER])
		same = lanes_agree(given, &walk);
	memcpy(hw, walk.hw, sizeof(walk.hw));
	return same;
}

/* No digits, and a constant that is the image of the first point. */
static void clear(struct given *given, const int64_t extent[OWNER_PARTS])
{
	struct owner *owner = given->owner;

	owner->digit_count = owner->term_count = 0;
	memcpy(owner->extent, extent, sizeof(owner->extent));
	memcpy(owner->base, given->images, owner->rank * sizeof(*owner->base));
}

/* Bit "bit" of coordinate d: the digits, which are bits, that change it.  Where it is 1
 * at the first point, it is there the less. */
static bool add_bit(struct given *given, unsigned d, unsigned bit)
{
	struct owner *owner = given->owner;
	int64_t weight = (int64_t)1 << bit;
	uint64_t set = 0;

	for (unsigned i = 0; i < owner->digit_count; i++) {
		int64_t hw[OWNER_PARTS] = { 0 };

		hw[owner->digits[i].part] = owner->digits[i].place;
		if ((image_at(given, hw)[d] ^ owner->base[d]) & weight)
			set |= (uint64_t)1 << i;
	}
	return !set || owner_add_term(owner, d, set, owner->base[d] & weight ? -weight :
		weight);
}

static bool read_bits(struct given *given, const int64_t extent[OWNER_PARTS])
{
	struct owner *owner = given->owner;

	clear(given, extent);
	for (unsigned part = 0; part < OWNER_PARTS; part++) {
		if (extent[part] & (extent[part] - 1))
			return false;
		owner->extent[part] = 1;
		while (owner->extent[part] < extent[part])
			if (!owner_add_digit(owner, part, 2))
				return false;
	}
	for (unsigned d = 0; d < owner->rank; d++)
		for (unsigned bit = 0; (int64_t)1 << bit < owner->box[d]; bit++)
			if (!add_bit(given, d, bit))
				return false;
	return true;
}

static bool read_digits(struct given *given, const int64_t extent[OWNER_PARTS])
{
	bool ok = true;

	clear(given, extent);
	for (unsigned part = 0; ok && part < OWNER_PARTS; part++) {
		given->owner->extent[part] = 1;
		ok = add_digits(given, part, extent[part]);
		given->owner->extent[part] = extent[part];
	}
	return ok;
}

bool owner_read(struct owner *owner, const int64_t *images, int64_t hw[OWNER_PARTS])
{
	struct given given = { owner, images };
	int64_t extent[OWNER_PARTS];

	memcpy(extent, owner->extent, sizeof(extent));
	if ((read_digits(&given, extent) && agrees(&given, hw)) ||
	    (read_bits(&given, extent) && agrees(&given, hw)))
		return true;
	read_digits(&given, extent);
	agrees(&given, hw);
	return false;
}
