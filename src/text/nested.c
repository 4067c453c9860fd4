/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nested layouts, "nested_layout<subgroup_tile = [2, 1], ..>", or "NestedLayout : <..>": seven lists of one
 * length in any order, "subgroup_size = 32" where it is not 64, and
 * "subgroup_count = 4" where the hardware has that many. */
#include "show/kind.h"
#include "text/call.h"
#include "text/kind.h"

#include "algebra/nested/nested.h"

enum field {
	SUBGROUP_TILE, BATCH_TILE, OUTER_TILE, THREAD_TILE, ELEMENT_TILE,
	SUBGROUP_STRIDES, THREAD_STRIDES,
	FIELD_COUNT,
};

/* The order is that of printing. */
static const struct {
	const char *name;
	int64_t least;
	const char *what;
} fields[FIELD_COUNT] = {
	[SUBGROUP_TILE] = { "subgroup_tile", 1, "a tile" },
	[BATCH_TILE] = { "batch_tile", 1, "a tile" },
	[OUTER_TILE] = { "outer_tile", 1, "a tile" },
	[THREAD_TILE] = { "thread_tile", 1, "a tile" },
	[ELEMENT_TILE] = { "element_tile", 1, "a tile" },
	[SUBGROUP_STRIDES] = { "subgroup_strides", 0, "a stride" },
	[THREAD_STRIDES] = { "thread_strides", 0, "a stride" },
};

struct reading {
	struct text_ints lists[FIELD_COUNT];
	bool given[FIELD_COUNT];
	int64_t subgroup_size, subgroup_count;	/* 0: not given */
	unsigned rank;
};

static bool at_nested(const struct text_cursor *cursor)
{
	return text_at(cursor, "nested_layout") || text_at(cursor, "NestedLayout") ||
		text_at(cursor, "#iree_vector_ext.nested_layout");
}

/* "subgroup_size = 32" or "subgroup_count = 4", whichever is at the cursor. */
static bool read_subgroups(struct text_cursor *cursor, struct reading *reading)
{
	bool size = text_at(cursor, "subgroup_size");
	int64_t *number = size ? &reading->subgroup_size : &reading->subgroup_count;
	long position;

	if (*number)
		return text_duplicate(cursor);
	text_advance(cursor);
	if (!text_take(cursor, "="))
		return false;
	position = text_position(cursor);
	if (!text_integer(cursor, number))
		return false;
	if (*number < 1) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"%s must be at least 1, not %lld",
			size ? "subgroup_size" : "subgroup_count", (long long)*number);
		return false;
	}
	return true;
}

static bool at_subgroups(const struct text_cursor *cursor)
{
	return text_at(cursor, "subgroup_size") || text_at(cursor, "subgroup_count");
}

/* All lists are as long as the first one read. */
static bool read_field(struct text_cursor *cursor, struct reading *reading, bool first)
{
	unsigned i = 0;
	long position;

	if (at_subgroups(cursor))
		return read_subgroups(cursor, reading);
	while (i < FIELD_COUNT && !text_at(cursor, fields[i].name))
		i++;
	if (i == FIELD_COUNT)
		return text_expected(cursor, "a field of nested_layout");
	if (reading->given[i])
		return text_duplicate(cursor);
	text_advance(cursor);
	reading->given[i] = true;
	if (!text_take(cursor, "="))
		return false;
	position = text_position(cursor);
	if (!text_integers(cursor, fields[i].least, fields[i].what, &reading->lists[i]))
		return false;
	if (first)
		reading->rank = reading->lists[i].count;
	if (reading->rank == reading->lists[i].count)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
		"all fields must have the same rank as the layout");
	return false;
}

static bool read_fields(struct text_cursor *cursor, struct reading *reading)
{
	bool first = true;

	if (!text_take(cursor, "<"))
		return false;
	do {
		bool list = !at_subgroups(cursor);

		if (!read_field(cursor, reading, first))
			return false;
		first = first && !list;
	} while (text_skip(cursor, ","));
	if (!text_at(cursor, ">"))
		return text_expected(cursor, "`,` or `>`");
	for (unsigned i = 0; i < FIELD_COUNT; i++) {
		if (reading->given[i])
			continue;
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
			"expected `%s`, found `>`", fields[i].name);
		return false;
	}
	return text_skip(cursor, ">");
}

static layout_nested *text_nested(struct text_cursor *cursor)
{
	struct reading reading = { 0 };
	layout_nested_desc desc = LAYOUT_NESTED_DESC_INIT;
	long begin = text_position(cursor), base;
	layout_nested *nested;

	if (!at_nested(cursor)) {
		text_expected(cursor, "`nested_layout`");
		return NULL;
	}
	if (text_skip(cursor, "NestedLayout"))
		text_skip(cursor, ":");
	else
		text_advance(cursor);
	if (!read_fields(cursor, &reading))
		return NULL;
	desc.rank = reading.rank;
	desc.subgroup_tile = reading.lists[SUBGROUP_TILE].items;
	desc.batch_tile = reading.lists[BATCH_TILE].items;
	desc.outer_tile = reading.lists[OUTER_TILE].items;
	desc.thread_tile = reading.lists[THREAD_TILE].items;
	desc.element_tile = reading.lists[ELEMENT_TILE].items;
	desc.subgroup_strides = reading.lists[SUBGROUP_STRIDES].items;
	desc.thread_strides = reading.lists[THREAD_STRIDES].items;
	desc.subgroup_size = reading.subgroup_size;
	desc.subgroup_count = reading.subgroup_count;
	base = layout_context_set_base(cursor->ctx, begin);
	nested = layout_nested_new(cursor->ctx, &desc);
	layout_context_set_base(cursor->ctx, base);
	return nested;
}

char *layout_nested_str(layout_nested *nested)
{
	struct layout_buffer out = { 0 };

	if (!nested)
		return NULL;
	const int64_t *lists[FIELD_COUNT] = {
		[SUBGROUP_TILE] = nested->tile[NESTED_SUBGROUP],
		[BATCH_TILE] = nested->tile[NESTED_BATCH],
		[OUTER_TILE] = nested->tile[NESTED_OUTER],
		[THREAD_TILE] = nested->tile[NESTED_THREAD],
		[ELEMENT_TILE] = nested->tile[NESTED_ELEMENT],
		[SUBGROUP_STRIDES] = nested->subgroup_strides,
		[THREAD_STRIDES] = nested->thread_strides,
	};

	layout_buffer_printf(&out, "nested_layout<");
	for (unsigned i = 0; i < FIELD_COUNT; i++) {
		layout_buffer_printf(&out, "%s%s = ", i ? ", " : "", fields[i].name);
		text_print_integers(&out, lists[i], nested->rank);
	}
	if (nested->subgroup_size != 64)
		layout_buffer_printf(&out, ", subgroup_size = %lld",
			(long long)nested->subgroup_size);
	if (nested->subgroup_count)
		layout_buffer_printf(&out, ", subgroup_count = %lld",
			(long long)nested->subgroup_count);
	layout_buffer_printf(&out, ">");
	return layout_buffer_take(nested->ctx, &out);
}

RELATION_FUNCTIONS(nested)
EACH_OF_OBJECT(nested_for_each)
OF_OBJECT(layout_set *, onto, layout_nested_box)
OF_OBJECT(void *, copy, layout_nested_copy)

const struct value_kind kind_nested = {
	RELATION_FIELDS(nested), .noun = "a nested layout",
	.kernel = "convert_tile(FROM -> TO, type = f16)", .at = at_nested,
	.onto = onto, .from = value_domain, .for_each = for_each,
	.convert[LAYOUT_NOTATION_NESTED] = copy, .results = LAYOUT_NOTATION_NESTED,
	.overloads = overloads_nested,
	.show = &show_nested,
};
