/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/conversion.h"

#include <string.h>

static const char *const roundings[] = {
	[LAYOUT_ROUND_NEAREST_EVEN] = "nearest_even",
	[LAYOUT_ROUND_TOWARD_ZERO] = "toward_zero",
};
#define ROUNDINGS (sizeof(roundings) / sizeof(*roundings))

bool conversion_rounding_find(layout_context *ctx, const char *name,
	layout_rounding *rounding)
{
	for (unsigned i = 0; i < ROUNDINGS; i++)
		if (strcmp(roundings[i], name) == 0) {
			*rounding = (layout_rounding)i;
			return true;
		}
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
		"there is no rounding %s: it is nearest_even or toward_zero", name);
	return false;
}

const char *conversion_rounding_name(layout_rounding rounding)
{
	return roundings[rounding];
}

static bool is_integer(const struct element_type *type)
{
	return type->kind == 'i' || type->kind == 'u' || type->kind == 'b';
}

/* Some integers have several names. */
bool conversion_is_copy(const struct conversion *conversion)
{
	const struct element_type *from = conversion->from, *to = conversion->to;

	return !conversion->scaled && (from == to || (is_integer(from) &&
		from->kind == to->kind && from->bits == to->bits));
}

/* A scale below 0 makes it -0, and one that is no number NaN. */
bool conversion_keeps_zero(const struct conversion *conversion)
{
	return !conversion->scaled ||
		conversion->scale <= element_type_largest(conversion->wide);
}

void conversion_print_types(struct layout_buffer *out,
	const struct conversion *conversion)
{
	layout_buffer_printf(out, "%s", conversion->from->name);
	if (conversion->to != conversion->from)
		layout_buffer_printf(out, " -> %s", conversion->to->name);
}

static bool refuse(layout_context *ctx, const struct conversion *conversion,
	const char *why)
{
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "%s -> %s%s: %s",
		conversion->from->name, conversion->to->name,
		conversion->scaled ? " with a scale" : "", why);
	return false;
}

/* Floating point converts to floating point, integers to integers. */
static bool check_types(layout_context *ctx, const struct conversion *conversion)
{
	const struct element_type *from = conversion->from, *to = conversion->to;

	if (conversion_is_copy(conversion))
		return true;
	if (from->kind == 'e' || to->kind == 'e')
		return refuse(ctx, conversion, "f8E8M0FNU is only copied");
	if (is_integer(from) != is_integer(to))
		return refuse(ctx, conversion,
			"integers and floating point do not convert into each other");
	if (is_integer(from) && conversion->scaled)
		return refuse(ctx, conversion, "a scale is for floating point");
	return true;
}

bool conversion_make(layout_context *ctx, const char *from,
	const layout_conversion *wanted, struct conversion *conversion)
{
	layout_conversion options = LAYOUT_CONVERSION_INIT;
	bool is_double;

	if (wanted)
		memcpy(&options, wanted, wanted->size < sizeof(options) ?
			wanted->size : sizeof(options));
	*conversion = (struct conversion){ .from = element_type_find(ctx, from),
		.rounding = options.rounding, .scaled = options.scale };
	conversion->to = conversion->from && options.type ?
		element_type_find(ctx, options.type) : conversion->from;
	if (!conversion->to)
		return false;
	if ((unsigned)options.rounding >= ROUNDINGS) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "no rounding is numbered %d",
			(int)options.rounding);
		return false;
	}
	is_double = conversion->from->bits == 64 || conversion->to->bits == 64;
	conversion->wide = element_type_find(ctx, is_double ? "f64" : "f32");
	return check_types(ctx, conversion) && (!options.scale || element_type_bits(ctx,
		conversion->wide, options.scale, &conversion->scale));
}
