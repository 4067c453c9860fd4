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

/* "C = 3 and D = 64", to be freed; NULL where none is short. */
static char *condition_of(layout_remap *remap, const layout_size *sizes, unsigned count)
{
	struct layout_buffer out = { 0 };
	unsigned found = 0;

	for (unsigned i = 0; i < remap->name_count; i++) {
		int64_t value = value_of(remap->names[i], sizes, count);

		if (value > 0 && value <= LONGEST)
			layout_buffer_printf(&out, "%s%s = %" PRId64, found++ ? " and " : "",
				remap->names[i], value);
	}
	if (found)
		return layout_buffer_take(remap->ctx, &out);
	return NULL;
}

/* Are there such sizes among those that are allowed?  The run tells why not. */
static bool is_allowed(layout_remap *remap, const char *condition)
{
	struct contract contract;
	isl_set *sizes = remap_read_condition(remap, condition);
	bool allowed;

	bridge_enter(remap->ctx);
	allowed = sizes && contract_build(&contract, remap) &&
		isl_set_is_disjoint(contract.sizes, sizes) == isl_bool_false;
	contract_free(&contract);
	isl_set_free(sizes);
	bridge_leave(remap->ctx, "the sizes of a run");
	return allowed;
}

layout_remap *layout_remap_assume_short(layout_remap *remap, const layout_size *sizes,
	unsigned count)
{
	layout_remap *known = NULL;
	char *condition = NULL;

	if (remap && layout_given_sizes(remap->ctx, sizes, count) &&
	    is_large(remap, sizes, count))
		condition = condition_of(remap, sizes, count);
	if (condition && is_allowed(remap, condition))
		known = layout_remap_assume(layout_remap_copy(remap), condition);
	free(condition);
	return known;
}
