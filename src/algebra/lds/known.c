/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of each target's LDS. */
#include "algebra/chip.h"

const layout_lds *layout_lds_at(unsigned i)
{
	const struct chip *chip;

	for (unsigned c = 0; (chip = chip_at(c)); c++)
		if (chip->lds.banks && !i--)
			return &chip->lds;
	return NULL;
}

static const char *name_at(unsigned i)
{
	return layout_lds_name(layout_lds_at(i));
}

const layout_lds *layout_lds_find(layout_context *ctx, const char *target)
{
	const struct chip *product;
	const layout_lds *lds;

	if (!layout_given(ctx, target, "target"))
		return NULL;
	product = chip_of_product(target);
	if (product)
		target = product->target.name;
	for (unsigned i = 0; (lds = layout_lds_at(i)); i++)
		if (chip_is_named(lds->name, lds->wave_size, target))
			return lds;
	chip_fail(ctx, "no target '%.40s' with an LDS; there are %s", target, name_at);
	return NULL;
}

const char *layout_lds_name(const layout_lds *lds)
{
	return lds ? lds->name : NULL;
}

unsigned layout_lds_wave_size(const layout_lds *lds)
{
	return lds ? lds->wave_size : 0;
}

unsigned layout_lds_bytes(const layout_lds *lds)
{
	return lds ? lds->bytes : 0;
}

unsigned layout_lds_banks(const layout_lds *lds)
{
	return lds ? lds->banks : 0;
}

/* Parts of a word are served like words, and three words like four. */
const struct lds_known *lds_known(const layout_lds *lds, unsigned bits, bool store)
{
	const struct lds_known *known;

	if (!lds)
		return NULL;
	known = store ? lds->stores : lds->loads;
	if (bits == 8 || bits == 16 || bits == 32)
		return &known[LDS_32];
	if (bits == 64)
		return &known[LDS_64];
	return bits == 96 || bits == 128 ? &known[LDS_128] : NULL;
}

const struct lds_known *lds_known_to(layout_context *ctx, const layout_lds *lds,
	unsigned bits, bool store)
{
	const struct lds_known *known = lds_known(lds, bits, store);

	if (!known)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"no access to the LDS has %u bits a lane", bits);
	return known;
}

/* Only accesses of 32, 64 and 128 bits were looked at. */
layout_lds_provenance layout_lds_known(const layout_lds *lds, unsigned bits, bool store)
{
	const struct lds_known *known = lds_known(lds, bits, store);
	bool looked_at = bits == 32 || bits == 64 || bits == 128;

	return known && looked_at ? known->provenance : LAYOUT_LDS_ASSUMED;
}

unsigned layout_lds_candidates(const layout_lds *lds, unsigned bits, bool store)
{
	const struct lds_known *known = lds_known(lds, bits, store);
	unsigned count = 0;

	while (known && count < LDS_CANDIDATES && known->candidates[count])
		count++;
	return count;
}
