/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which resolved layouts are one and the same. */
#include "algebra/tiling/specialize.h"

#include "algebra/storage/encoding.h"
#include "algebra/tiling/operand.h"

#include <stdlib.h>
#include <string.h>

/* What a tensor's sizes are called where nobody said it. */
static const char *const size_names[LAYOUT_LOOPS] = {
	"D0", "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12",
	"D13", "D14", "D15",
};

/* "encoding" NULL: row-major. */
static layout_storage *store(layout_context *ctx, layout_encoding *encoding,
	unsigned rank, const char *const *sizes)
{
	sizes = sizes ? sizes : size_names;
	if (!encoding)
		return layout_storage_row_major(ctx, rank, sizes);
	return layout_storage_packed(layout_encoding_copy(encoding), rank, sizes);
}

layout_storage *specialize_storage(const layout_specialization *specialization,
	unsigned number, unsigned rank, const char *const *sizes)
{
	return store(specialization->ctx, number == LAYOUT_PLAIN ? NULL :
		specialization->layouts[number].encoding, rank, sizes);
}

/* Have both the same memory, whatever the sizes? */
static bool same_memory(layout_context *ctx, layout_encoding *a, layout_encoding *b,
	unsigned rank)
{
	layout_remap *remap = layout_remap_new(store(ctx, a, rank, NULL),
		store(ctx, b, rank, NULL), "i8", NULL);
	bool same = specialize_is_identity(ctx, remap);

	layout_remap_free(remap);
	return same;
}

/* The layout of that encoding and rank if it is there already. */
static bool find(const layout_specialization *specialization, layout_encoding *encoding,
	const char *text, unsigned rank, unsigned *number)
{
	const struct distinct_layout *layouts = specialization->layouts;

	for (unsigned i = 0; i < specialization->layout_count; i++)
		if (layouts[i].rank == rank && strcmp(layouts[i].text, text) == 0) {
			*number = i;
			return true;
		}
	*number = LAYOUT_PLAIN;
	if (encoding->stand_in)
		return false;
	if (same_memory(specialization->ctx, NULL, encoding, rank))
		return true;
	for (unsigned i = 0; i < specialization->layout_count; i++)
		if (layouts[i].rank == rank && !layouts[i].encoding->stand_in &&
		    same_memory(specialization->ctx, layouts[i].encoding, encoding, rank)) {
			*number = i;
			return true;
		}
	return false;
}

/* Consumes the encoding. */
static bool add(layout_specialization *specialization, layout_encoding *encoding,
	unsigned rank, unsigned *number)
{
	struct distinct_layout layout = { rank, encoding, layout_encoding_str(encoding) };
	bool found = layout.text &&
		find(specialization, encoding, layout.text, rank, number);

	if (layout.text && !found && specialize_grow(specialization->ctx,
			(void **)&specialization->layouts, specialization->layout_count,
			sizeof(layout))) {
		*number = specialization->layout_count;
		specialization->layouts[specialization->layout_count++] = layout;
		return true;
	}
	free(layout.text);
	layout_encoding_free(encoding);
	return found;
}

bool specialize_layout(layout_specialization *specialization, layout_operand *operand,
	const layout_tiling_target *target, unsigned *number)
{
	unsigned rank = operand ? layout_operand_rank(operand) : 0;
	layout_resolution *resolution;
	layout_encoding *encoding;

	*number = LAYOUT_PLAIN;
	if (!operand)
		return true;
	resolution = layout_encoding_resolve(operand, target, specialization->resolver);
	encoding = layout_resolution_encoding(resolution);
	layout_resolution_free(resolution);
	if (encoding && rank)
		return add(specialization, encoding, rank, number);
	layout_encoding_free(encoding);
	return encoding;
}
