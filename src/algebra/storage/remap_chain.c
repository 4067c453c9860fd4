/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where a chain ends and a destination begins. */
#include "algebra/chain/chain.h"
#include "algebra/size/affine.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/remap.h"

#include <stdlib.h>
#include <string.h>

/* "A = floor((M + P)/128)" */
static char *equal_text(layout_remap *remap, unsigned d)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "%s = %s", remap->destination->sizes[d].text,
		remap->chain->sizes[d].text);
	return layout_buffer_take(remap->ctx, &out);
}

/* Sizes as the chain has them. */
static isl_set *known_sizes(layout_remap *remap)
{
	return isl_set_intersect(bridge_nonnegative(remap_space(remap)),
		isl_set_copy(remap->chain->assumed));
}

/* Size d of the result and of the destination are equal, are assumed to be, or cannot
 * be. */
static bool check_size(layout_remap *remap, unsigned d)
{
	const struct size *is = &remap->chain->sizes[d];
	const struct size *wanted = &remap->destination->sizes[d];
	isl_set *known, *equal;
	bool always, never, good;
	char *text;

	if (size_same(is, wanted))
		return true;
	text = equal_text(remap, d);
	if (!text)
		return false;
	bridge_enter(remap->ctx);
	known = known_sizes(remap);
	equal = size_affs_equal(isl_aff_copy(wanted->aff), isl_aff_copy(is->aff));
	always = isl_set_is_subset(known, equal) == isl_bool_true;
	never = isl_set_is_disjoint(known, equal) == isl_bool_true;
	isl_set_free(known);
	good = bridge_leave(remap->ctx, "compare the logical shapes");
	if (good && never)
		layout_fail(remap->ctx, LAYOUT_ERROR_SPACE, -1,
			"the chain's size %u is %s, the destination's %s", d, is->text,
			wanted->text);
	if (good && !never && !always)
		good = remap_add_assumption(remap, text, isl_set_copy(equal));
	isl_set_free(equal);
	free(text);
	return good && !never;
}

/* Are there indices that no element of the source reaches? */
static bool chain_pads(layout_remap *remap)
{
	layout_set *padding = layout_chain_padding(remap->chain);
	bool pads = layout_set_is_empty(padding) != LAYOUT_YES;

	layout_set_free(padding);
	return pads;
}

/* One value for both paddings. */
static bool check_pad(layout_remap *remap)
{
	const char *value = layout_chain_pad_value(remap->chain);
	uint64_t bits;

	if (!value)
		return true;
	if (!element_type_bits(remap->ctx, remap->conversion.to, value, &bits))
		return false;
	if (!remap->pad || bits == remap->pad_bits || !storage_is_rounded(remap->destination)) {
		remap->pad_bits = bits;
		return true;
	}
	if (!chain_pads(remap))
		return true;
	layout_fail(remap->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"the chain pads with %s, the remap with %s", value, remap->pad);
	return false;
}

bool remap_chain_check(layout_remap *remap)
{
	const char *condition = layout_chain_condition(remap->chain);
	bool good = !condition || remap_add_assumption(remap, condition,
		isl_set_copy(remap->chain->assumed));

	for (unsigned d = 0; good && d < storage_tensor_rank(remap->destination); d++)
		good = check_size(remap, d);
	remap->implied_count = remap->assumption_count;
	return good && check_pad(remap);
}
