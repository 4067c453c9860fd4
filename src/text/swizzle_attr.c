/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* "xor_shuffle<ROW, ACCESS[, ROW_STRIDE[, PER_PHASE]]>", "rotate_rows<ROW, ACCESS>". */
#include "show/kind.h"
#include "text/kind.h"

#include "algebra/swizzle_attr.h"

#define NUMBERS 4

static bool at_rotation(const struct text_cursor *cursor)
{
	return text_at(cursor, "rotate_rows") ||
		text_at(cursor, "#iree_codegen.rotate_rows");
}

static bool at_swizzle(const struct text_cursor *cursor)
{
	return at_rotation(cursor) || text_at(cursor, "xor_shuffle") ||
		text_at(cursor, "#iree_codegen.xor_shuffle");
}

/* "<64, 8, ..>", 2 to "most" numbers. */
static bool read_numbers(struct text_cursor *cursor, unsigned most,
	int64_t numbers[NUMBERS])
{
	unsigned count = 0;

	if (!text_take(cursor, "<"))
		return false;
	do {
		if (!text_integer(cursor, &numbers[count]))
			return false;
		count++;
	} while (count < most && text_skip(cursor, ","));
	if (count < 2)
		return text_take(cursor, ",");
	return count < most ? text_end_list(cursor, ">") : text_take(cursor, ">");
}

layout_swizzle *text_swizzle(struct text_cursor *cursor)
{
	bool rotates = at_rotation(cursor);
	long begin = text_position(cursor), base;
	int64_t numbers[NUMBERS] = { 0 };
	layout_swizzle *swizzle;

	if (!at_swizzle(cursor)) {
		text_expected(cursor, "`xor_shuffle` or `rotate_rows`");
		return NULL;
	}
	text_advance(cursor);
	if (!read_numbers(cursor, rotates ? 2 : NUMBERS, numbers))
		return NULL;
	base = layout_context_set_base(cursor->ctx, begin);
	swizzle = rotates ?
		layout_swizzle_rotate_rows(cursor->ctx, numbers[0], numbers[1]) :
		layout_swizzle_xor_shuffle(cursor->ctx, numbers[0], numbers[1],
			numbers[2], numbers[3]);
	layout_context_set_base(cursor->ctx, base);
	return swizzle;
}

char *layout_swizzle_str(layout_swizzle *swizzle)
{
	struct layout_buffer out = { 0 };

	if (!swizzle)
		return NULL;
	layout_buffer_printf(&out, "%s<%lld, %lld",
		swizzle->rotates ? "rotate_rows" : "xor_shuffle",
		(long long)swizzle->row_width, (long long)swizzle->access_width);
	if (swizzle->row_stride != swizzle->row_width || swizzle->per_phase != 1)
		layout_buffer_printf(&out, ", %lld", (long long)swizzle->row_stride);
	if (swizzle->per_phase != 1)
		layout_buffer_printf(&out, ", %lld", (long long)swizzle->per_phase);
	layout_buffer_printf(&out, ">");
	return layout_buffer_take(swizzle->ctx, &out);
}

RELATION_FUNCTIONS(swizzle)
OF_OBJECT(int64_t, end, layout_swizzle_period)

static layout_set *box(layout_value *value)
{
	return value_interval(value->ctx, end(value));
}

const struct value_kind kind_swizzle = {
	RELATION_FIELDS(swizzle), .noun = "a swizzle", .at = at_swizzle,
	.onto = box, .from = box, .end = end, .show = &show_swizzle,
};
