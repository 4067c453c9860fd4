/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pointers as CuTe prints them before the layout of a tensor:
 *
 *	gmem_ptr[32b](0x7f0000000000) o (4,8):(8,1)
 *	Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)
 *	Sw<3,4,3>_smem_ptr[16b](0x7f0000000000) o (8,64):(64,1)
 *
 * Where the tensor is is nothing that a layout says.  A swizzle before a pointer is one of
 * addresses in bytes, which a layout of elements has in fewer bits, or in more. */
#include "text/notations.h"

#include <inttypes.h>

bool text_at_pointer(const struct text_cursor *cursor)
{
	static const char *const names[] = {
		"ptr", "gmem_ptr", "smem_ptr", "rmem_ptr", "tmem_ptr", "_smem_ptr",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_at(cursor, names[i]))
			return true;
	return false;
}

bool text_pointer(struct text_cursor *cursor, int64_t *bits)
{
	text_advance(cursor);
	if (!text_take(cursor, "[") || !text_integer(cursor, bits) ||
	    !text_take(cursor, "b") || !text_take(cursor, "]"))
		return false;
	if (!text_at(cursor, "("))
		return text_take(cursor, "(");
	text_skip_brackets(cursor);
	return text_take(cursor, "o");
}

bool text_swizzle_of_bytes(struct text_cursor *cursor, long position, int64_t bits,
	layout_cute_swizzle *swizzle)
{
	int base = swizzle->base + 3;

	if (bits < 1 || (bits & (bits - 1)) || bits > 128) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"elements have 1, 2, 4, .. or 128 bits, not %" PRId64, bits);
		return false;
	}
	for (int64_t left = bits; left > 1; left /= 2)
		base--;
	if (base < 0 || base > 62) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"a swizzle of bytes that moves parts of elements of %" PRId64 " bits",
			bits);
		return false;
	}
	swizzle->base = base;
	return true;
}
