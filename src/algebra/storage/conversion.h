/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions: what happens to an element on its way. */
#ifndef LAYOUT_ALGEBRA_STORAGE_CONVERSION_H
#define LAYOUT_ALGEBRA_STORAGE_CONVERSION_H

#include "algebra/storage/element.h"
#include <layout/remap.h>

/* An element of type "from", multiplied by the scale, as one of type "to".  "scale" is
 * a number of type "wide", f64 where either type is f64, else f32.  "by_half": the target makes an
 * f32 of an f16 in an instruction, as every GPU does. */
struct conversion {
	const struct element_type *from, *to, *wide;
	layout_rounding rounding;
	bool scaled, by_half;
	uint64_t scale;
};

/* The conversion from the type of that name that is asked for; NULL: to the same type.
 * LAYOUT_ERROR_INVALID, or LAYOUT_ERROR_UNSUPPORTED for types that do not convert. */
LAYOUT_INTERNAL bool conversion_make(layout_context *ctx, const char *from,
	const layout_conversion *wanted, struct conversion *conversion)
	LAYOUT_SYMBOL(conversion_make);

/* Are all bits the same after it? */
LAYOUT_INTERNAL bool conversion_is_copy(const struct conversion *conversion)
	LAYOUT_SYMBOL(conversion_is_copy);

/* Is what has no bit set without any after it, too? */
LAYOUT_INTERNAL bool conversion_keeps_zero(const struct conversion *conversion)
	LAYOUT_SYMBOL(conversion_keeps_zero);

/* Fill in "rounding" by its name, "toward_zero"; LAYOUT_ERROR_INVALID. */
bool conversion_rounding_find(layout_context *ctx, const char *name,
	layout_rounding *rounding);
LAYOUT_INTERNAL const char *conversion_rounding_name(layout_rounding rounding)
	LAYOUT_SYMBOL(conversion_rounding_name);

/* Append the conversion as a remap has it: "f32 -> f16", or "f32". */
LAYOUT_INTERNAL void conversion_print_types(struct layout_buffer *out,
	const struct conversion *conversion) LAYOUT_SYMBOL(conversion_print_types);

#endif
