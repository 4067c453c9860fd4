/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of each target's LDS. */
#include "algebra/lds/lds.h"
#include "algebra/lds/sizes.h"
#include "isl_bridge/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lanes in order, so many at a time. */
static const struct lds_grouping eight = { 3, { 1, 2, 4 } };
static const struct lds_grouping sixteen = { 4, { 1, 2, 4, 8 } };
static const struct lds_grouping half = { 5, { 1, 2, 4, 8, 16 } };
static const struct lds_grouping all = { 6, { 1, 2, 4, 8, 16, 32 } };

/* 0-3 and 20-23; 0-3, 12-15 and 20-27. */
static const struct lds_grouping crossed = { 3, { 1, 2, 20 } };
static const struct lds_grouping crossed_more = { 4, { 1, 2, 12, 20 } };

#define MEASURED(grouping) { LAYOUT_LDS_MEASURED, { &grouping } }
#define DOCUMENTED(grouping) { LAYOUT_LDS_DOCUMENTED, { &grouping } }
#define ASSUMED(grouping) { LAYOUT_LDS_ASSUMED, { &grouping } }
#define EITHER(likely, other) { LAYOUT_LDS_ASSUMED, { &likely, &other } }

/* A group wants as many words as there are banks where the wave is large enough.
 * Groups that are parts of a candidate's groups need no candidate of their own: what is
 * free under it is free under them. */
#define WORDS_32(known) known(half), known(sixteen)
#define WORDS_64(known) known(all), known(half)

static const layout_lds rows[] = {
	{ "gfx908", 64, LDS_SIZE_GFX9,
		{ WORDS_32(ASSUMED), EITHER(crossed, eight) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) } },
	{ "gfx90a", 64, LDS_SIZE_GFX9,
		{ WORDS_32(ASSUMED), EITHER(crossed, eight) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) } },
	{ "gfx942", 64, LDS_SIZE_GFX9,
		{ WORDS_32(MEASURED), MEASURED(crossed) },
		{ WORDS_32(ASSUMED), DOCUMENTED(eight) } },
	{ "gfx950", 64, LDS_SIZE_GFX950,
		{ WORDS_64(MEASURED), MEASURED(crossed_more) },
		{ WORDS_64(ASSUMED), EITHER(sixteen, crossed_more) } },
	{ "gfx1100", 32, LDS_SIZE_GFX11,
		{ WORDS_32(MEASURED), MEASURED(crossed) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) } },
	{ "gfx1100:wave64", 64, LDS_SIZE_GFX11,
		{ WORDS_32(ASSUMED), EITHER(crossed, eight) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) } },
	{ "gfx1200", 32, LDS_SIZE_GFX12,
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) } },
	{ "gfx1200:wave64", 64, LDS_SIZE_GFX12,
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) } },
	{ "gfx1201", 32, LDS_SIZE_GFX12,
		{ WORDS_32(MEASURED), MEASURED(eight) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) } },
	{ "gfx1201:wave64", 64, LDS_SIZE_GFX12,
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) },
		{ WORDS_32(ASSUMED), EITHER(eight, crossed) } },
	{ "gfx1250", 32, LDS_SIZE_GFX1250,
		{ WORDS_64(ASSUMED), EITHER(sixteen, crossed_more) },
		{ WORDS_64(ASSUMED), EITHER(sixteen, crossed_more) } },
};

const layout_lds *layout_lds_at(unsigned i)
{
	return i < sizeof(rows) / sizeof(rows[0]) ? &rows[i] : NULL;
}

/* Is "target" the row's name, or that with its wave size? */
static bool is_named(const layout_lds *lds, const char *target)
{
	char name[32];

	snprintf(name, sizeof(name), "%s:wave%u", lds->name, lds->wave_size);
	return !strcmp(lds->name, target) || !strcmp(name, target);
}

static void fail_unknown(layout_context *ctx, const char *target)
{
	struct layout_buffer names = { 0 };
	const layout_lds *lds;
	char *text;

	for (unsigned i = 0; (lds = layout_lds_at(i)); i++)
		layout_buffer_printf(&names, "%s%s", i ? ", " : "", lds->name);
	text = layout_buffer_take(ctx, &names);
	if (text)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"no target '%.40s' with an LDS; there are %s", target, text);
	free(text);
}

const layout_lds *layout_lds_find(layout_context *ctx, const char *target)
{
	const layout_lds *lds;

	if (!layout_given(ctx, target, "target"))
		return NULL;
	for (unsigned i = 0; (lds = layout_lds_at(i)); i++)
		if (is_named(lds, target))
			return lds;
	fail_unknown(ctx, target);
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
