/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory of a storage in bytes: elements lie bit after bit. */
#include "algebra/storage/element.h"
#include "algebra/storage/storage.h"

#include <stdlib.h>

static const struct element_type *find_type(layout_storage *storage, const char *type)
{
	return storage ? element_type_find(storage->ctx, type) : NULL;
}

int64_t layout_storage_bytes(layout_storage *storage, const char *type,
	const layout_size *sizes, unsigned count)
{
	const struct element_type *element = find_type(storage, type);
	int64_t elements = element ? layout_storage_elements(storage, sizes, count) : -1;
	int64_t bytes;

	if (elements < 0)
		return -1;
	if (!__builtin_mul_overflow(elements / 8, (int64_t)element->bits, &bytes) &&
	    !__builtin_add_overflow(bytes, (elements % 8 * element->bits + 7) / 8, &bytes))
		return bytes;
	layout_fail(storage->ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"the storage's bytes do not fit 64 bits at these sizes");
	return -1;
}

char *layout_storage_byte_count(layout_storage *storage, const char *type)
{
	const struct element_type *element = find_type(storage, type);
	char *cells = element ? layout_storage_cell_count(storage) : NULL;
	struct layout_buffer out = { 0 };

	if (!cells)
		return NULL;
	if (element->bits % 8)
		layout_buffer_printf(&out, "ceil(%u*%s/8)", element->bits, cells);
	else if (element->bits > 8)
		layout_buffer_printf(&out, "%u*%s", element->bits / 8, cells);
	else
		layout_buffer_printf(&out, "%s", cells);
	free(cells);
	return layout_buffer_take(storage->ctx, &out);
}
