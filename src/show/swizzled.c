/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The points of a swizzled storage: those of the storage without the swizzle, each cell
 * sent through the XORs.  isl takes seconds to list what has many of these. */
#include "show/argument.h"
#include "show/swizzled.h"

#include "algebra/storage/storage.h"

#include <string.h>

static const char opening[] = "swizzled(";

struct swizzled {
	const layout_storage *storage;
	layout_visit_pair visit;
	void *user;
};

static bool visit_cell(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	const struct swizzled *swizzled = user;
	int64_t cell[LAYOUT_STORAGE_SLOTS];

	memcpy(cell, image, image_rank * sizeof(*image));
	for (unsigned i = 0; i < swizzled->storage->xor_count; i++) {
		const struct storage_xor *by = &swizzled->storage->xors[i];
		uint64_t mask = ((uint64_t)1 << by->bits) - 1;
		uint64_t bits = (uint64_t)cell[by->slot_from] >> by->bit_from & mask;

		cell[by->slot_to] ^= (int64_t)(bits << by->bit_to);
	}
	return swizzled->visit(swizzled->user, in, in_rank, cell, image_rank);
}

/* The storage within all swizzles, as a value. */
static layout_value *without_swizzles(layout_storage *storage)
{
	char *text = layout_storage_str(storage), *inner = text;
	layout_value *value = NULL;

	while (inner && !strncmp(inner, opening, strlen(opening)))
		inner += strlen(opening);
	if (inner) {
		*(char *)show_argument_end(inner) = 0;
		value = layout_value_parse(layout_storage_context(storage), inner);
	}
	layout_string_free(text);
	return value;
}

bool show_for_each(layout_value *value, const layout_size *sizes, unsigned count,
	layout_visit_pair visit, void *user)
{
	layout_storage *storage = layout_value_get_kind(value) == LAYOUT_VALUE_STORAGE ?
		layout_value_storage(value) : NULL;
	struct swizzled swizzled = { storage, visit, user };
	layout_value *inner;
	bool good;

	if (!storage || !storage->xor_count || storage->kind == LAYOUT_STORAGE_STRIDED)
		return layout_value_for_each(value, sizes, count, visit, user);
	inner = without_swizzles(storage);
	good = inner && layout_value_for_each(inner, sizes, count, visit_cell, &swizzled);
	layout_value_free(inner);
	return good;
}
