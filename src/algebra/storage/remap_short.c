/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes of a run that its code is better made for. */
#include "algebra/storage/contract.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is compiled for a run takes as long as some hundred MiB do. */
enum { LONGEST = 256, LEAST_BYTES = 4 << 20 };

static int64_t value_of(const char *name, const layout_size *sizes, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(sizes[i].name, name))
			return sizes[i].value;
	return -1;
}

/* Are all sizes there, and so large? */
static bool is_large(layout_remap *remap, const layout_size *sizes, unsigned count)
{
	int64_t bytes;

	for (unsigned i = 0; i < remap->name_count; i++) {
		int64_t value = value_of(remap->names[i], sizes, count);

		if (value < 0 || value > INT32_MAX)
			return false;
	}
	bytes = layout_storage_bytes(remap->source, layout_remap_type(remap), sizes, count);
	return bytes >= LEAST_BYTES || (bytes >= 0 && layout_storage_bytes(remap->destination,
		layout_remap_destination_type(remap), sizes, count) >= LEAST_BYTES);
}

/* Of the sizes that are short, what they are: as a set, and as "C = 3 and D = 64", to be freed,
 * which is NULL where none is. */
static isl_set *find_short(layout_remap *remap, const layout_size *sizes, unsigned count,
	char **text)
{
	isl_set *set = isl_set_universe(remap_space(remap));
	struct layout_buffer out = { 0 };
	unsigned found = 0;

	for (unsigned i = 0; i < remap->name_count; i++) {
		int64_t value = value_of(remap->names[i], sizes, count);

		if (value <= 0 || value > LONGEST)
			continue;
		set = isl_set_fix_si(set, isl_dim_param, i, (int)value);
		layout_buffer_printf(&out, "%s%s = %" PRId64, found++ ? " and " : "",
			remap->names[i], value);
	}
	*text = found ? layout_buffer_take(remap->ctx, &out) : NULL;
	return set;
}

/* Are there such sizes among those that are allowed?  The run tells why not. */
static bool is_allowed(layout_remap *remap, isl_set *sizes)
{
	struct contract contract;
	bool allowed = contract_build(&contract, remap) &&
		isl_set_is_disjoint(contract.sizes, sizes) == isl_bool_false;

	contract_free(&contract);
	return allowed;
}

layout_remap *layout_remap_assume_short(layout_remap *remap, const layout_size *sizes,
	unsigned count)
{
	layout_remap *known = NULL;
	char *text;
	isl_set *set;

	if (!remap || !layout_given_sizes(remap->ctx, sizes, count) ||
	    !is_large(remap, sizes, count))
		return NULL;
	bridge_enter(remap->ctx);
	set = find_short(remap, sizes, count, &text);
	if (text && is_allowed(remap, set))
		known = layout_remap_copy(remap);
	if (known && !remap_add_assumption(known, text, isl_set_copy(set))) {
		layout_remap_free(known);
		known = NULL;
	}
	isl_set_free(set);
	free(text);
	bridge_leave(remap->ctx, "tell short sizes");
	return known;
}
