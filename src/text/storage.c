/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storages: "row_major[M, 513]", "col_major[M, K]", "strided[M, K : 1024, 1]",
 * "packed(ENCODING, [M, K])", "tagged(nChw16c, [N, C, H, W])" or "nChw16c[N, C, H, W]",
 * "swizzled(STORAGE, SWIZZLE)" and "swizzled(STORAGE, SWIZZLE, of = index)". */
#include "show/kind.h"
#include "text/kind.h"
#include "text/list.h"

#include "algebra/storage/encoding.h"
#include "algebra/storage/storage.h"

#include <stdlib.h>

#define RANK_LIMIT LAYOUT_STORAGE_SLOTS

struct sizes {
	unsigned count;
	char *texts[RANK_LIMIT];
};

static const char *const kind_names[] = {
	[LAYOUT_STORAGE_ROW_MAJOR] = "row_major",
	[LAYOUT_STORAGE_COL_MAJOR] = "col_major",
	[LAYOUT_STORAGE_STRIDED] = "strided",
	[LAYOUT_STORAGE_PACKED] = "packed",
};

/* "nChw16c[", where the letters before the blocks are a tag's. */
static bool at_tag(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	text_advance(&behind);
	return cursor->token.kind == TEXT_NAME && text_at(&behind, "[") &&
		storage_is_tag(cursor->text + cursor->token.begin, cursor->token.length);
}

static bool at_storage(const struct text_cursor *cursor)
{
	for (unsigned i = 0; i < sizeof(kind_names) / sizeof(*kind_names); i++)
		if (text_at(cursor, kind_names[i]))
			return true;
	return text_at(cursor, "swizzled") || text_at(cursor, "tagged") || at_tag(cursor) ||
		(text_at_tensor(cursor) && !text_at_triton_tensor(cursor));
}

static void free_sizes(struct sizes *sizes)
{
	for (unsigned i = 0; i < sizes->count; i++)
		free(sizes->texts[i]);
}

/* A size, or "?" where something says what dimension "dim" has. */
static char *read_size(struct text_cursor *cursor, unsigned dim)
{
	if (!text_at(cursor, "?") || !cursor->inferred_count)
		return text_size(cursor);
	if (dim >= cursor->inferred_count) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, text_position(cursor),
			"`?` is the size of dimension %u, where the chain's result has %u",
			dim, cursor->inferred_count);
		return NULL;
	}
	text_advance(cursor);
	return layout_strdup(cursor->ctx, cursor->inferred[dim]);
}

/* Nothing says what a stride is. */
static char *read_stride(struct text_cursor *cursor, unsigned dim)
{
	(void)dim;
	return text_size(cursor);
}

/* What others write where a list would go on. */
static bool check_behind(struct text_cursor *cursor)
{
	bool name = cursor->token.kind == TEXT_NAME;

	if (name || text_at(cursor, "("))
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor), name ?
			"a size times a number is 2*M" : TEXT_QUOTIENT);
	return !name && !text_at(cursor, "(");
}

/* Sizes or strides up to "end", which stays the next token. */
static bool read_list(struct text_cursor *cursor, const char *end, struct sizes *list,
	char *(*read)(struct text_cursor *cursor, unsigned dim))
{
	if (text_at(cursor, end))
		return true;
	do {
		char *text;

		if (!text_room(cursor, list->count, RANK_LIMIT))
			return false;
		text = read(cursor, list->count);
		if (!text)
			return false;
		list->texts[list->count++] = text;
	} while (text_skip(cursor, ","));
	return check_behind(cursor);
}

static bool read_sizes(struct text_cursor *cursor, const char *end, struct sizes *sizes)
{
	return read_list(cursor, end, sizes, read_size);
}

static const char *const *texts(const struct sizes *sizes)
{
	return (const char *const *)sizes->texts;
}

static layout_storage *read_major(struct text_cursor *cursor, bool col)
{
	struct sizes sizes = { 0 };
	layout_storage *storage = NULL;
	long begin = text_position(cursor), base;

	text_advance(cursor);
	if (text_take(cursor, "[") && read_sizes(cursor, "]", &sizes) &&
			text_take(cursor, "]")) {
		base = layout_context_set_base(cursor->ctx, begin);
		storage = (col ? layout_storage_col_major : layout_storage_row_major)(
			cursor->ctx, sizes.count, texts(&sizes));
		layout_context_set_base(cursor->ctx, base);
	}
	free_sizes(&sizes);
	return storage;
}

static bool as_many(struct text_cursor *cursor, unsigned sizes, unsigned strides)
{
	if (sizes == strides)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, text_position(cursor),
		"the sizes are %u, the strides %u", sizes, strides);
	return false;
}

static layout_storage *read_strided(struct text_cursor *cursor)
{
	struct sizes sizes = { 0 }, strides = { 0 };
	layout_storage *storage = NULL;
	long begin = text_position(cursor), base;

	text_advance(cursor);
	if (text_take(cursor, "[") && read_sizes(cursor, ":", &sizes) &&
			text_take(cursor, ":") &&
			read_list(cursor, "]", &strides, read_stride) &&
			as_many(cursor, sizes.count, strides.count) &&
			text_take(cursor, "]")) {
		base = layout_context_set_base(cursor->ctx, begin);
		storage = layout_storage_strided(cursor->ctx, sizes.count,
			texts(&sizes), texts(&strides));
		layout_context_set_base(cursor->ctx, base);
	}
	free_sizes(&sizes);
	free_sizes(&strides);
	return storage;
}

layout_encoding *text_encoding_named(struct text_cursor *cursor)
{
	layout_encoding *encoding;
	layout_value *value;

	if (!text_at(cursor, "resolve") && !text_at_defined(cursor))
		return text_encoding(cursor);
	value = text_expression(cursor);
	encoding = layout_encoding_copy(layout_value_encoding(value));
	layout_value_free(value);
	return encoding;
}

layout_encoding *text_encoding_saying(struct text_cursor *cursor)
{
	long position = text_position(cursor), base;
	layout_encoding *encoding = text_encoding_named(cursor);
	bool says;

	base = layout_context_set_base(cursor->ctx, position);
	says = encoding && encoding_says(encoding);
	layout_context_set_base(cursor->ctx, base);
	if (says)
		return encoding;
	layout_encoding_free(encoding);
	return NULL;
}

/* What is wrong with encoding and sizes together is said of the sizes. */
static layout_storage *read_packed(struct text_cursor *cursor)
{
	struct sizes sizes = { 0 };
	layout_encoding *encoding = NULL;
	layout_storage *storage = NULL;
	long position = 0, base;

	text_advance(cursor);
	if (text_take(cursor, "("))
		encoding = text_encoding_saying(cursor);
	if (encoding && text_take(cursor, ","))
		position = text_position(cursor);
	if (position && text_take(cursor, "[") && read_sizes(cursor, "]", &sizes) &&
			text_take(cursor, "]") && text_take(cursor, ")")) {
		base = layout_context_set_base(cursor->ctx, position);
		storage = layout_storage_packed(encoding, sizes.count, texts(&sizes));
		layout_context_set_base(cursor->ctx, base);
		encoding = NULL;
	}
	layout_encoding_free(encoding);
	free_sizes(&sizes);
	return storage;
}

/* "tagged(nChw16c, [N, C, H, W])", "nChw16c[N, C, H, W]"; what is wrong with a tag and the
 * sizes is said of the tag. */
static layout_storage *read_tagged(struct text_cursor *cursor)
{
	struct sizes sizes = { 0 };
	bool called = !at_tag(cursor);
	layout_storage *storage = NULL;
	char *tag = NULL;
	long begin = -1, base;

	if (called)
		text_advance(cursor);
	if (!called || text_take(cursor, "(")) {
		begin = text_position(cursor);
		tag = text_name(cursor, false, "a tag");
	}
	if (tag && (!called || text_take(cursor, ",")) && text_take(cursor, "[") &&
			read_sizes(cursor, "]", &sizes) && text_take(cursor, "]") &&
			(!called || text_take(cursor, ")"))) {
		base = layout_context_set_base(cursor->ctx, begin);
		storage = layout_storage_tagged(cursor->ctx, tag, sizes.count,
			texts(&sizes));
		layout_context_set_base(cursor->ctx, base);
	}
	free(tag);
	free_sizes(&sizes);
	return storage;
}

/* Nothing, ", of = offset" or ", of = index". */
static bool read_number(struct text_cursor *cursor, layout_swizzled_number *of)
{
	*of = LAYOUT_SWIZZLED_OFFSET;
	if (!text_skip(cursor, ","))
		return true;
	if (!text_take(cursor, "of") || !text_take(cursor, "="))
		return false;
	if (text_skip(cursor, "offset"))
		return true;
	*of = LAYOUT_SWIZZLED_INDEX;
	if (text_skip(cursor, "index"))
		return true;
	text_expected(cursor, "`index` or `offset`");
	return false;
}

/* A swizzle and the storage, which is consumed. */
static layout_storage *read_swizzle(struct text_cursor *cursor, layout_storage *storage)
{
	layout_cute_swizzle bits = { 0 };
	layout_swizzled_number of;
	layout_swizzle *by = NULL;
	long begin = text_position(cursor), base;

	if ((text_at(cursor, "Sw") || text_at(cursor, "Swizzle") ?
			!text_cute_swizzle(cursor, &bits) :
			!(by = text_swizzle(cursor))) || !read_number(cursor, &of)) {
		layout_swizzle_free(by);
		layout_storage_free(storage);
		return NULL;
	}
	base = layout_context_set_base(cursor->ctx, begin);
	storage = by ? layout_storage_swizzled(storage, by, of) :
		layout_storage_swizzled_bits(storage, bits.bits, bits.base, bits.shift, of);
	layout_context_set_base(cursor->ctx, base);
	return storage;
}

static layout_storage *read_swizzled(struct text_cursor *cursor)
{
	layout_storage *storage = NULL;

	if (!text_enter(cursor))
		return NULL;
	text_advance(cursor);
	if (text_take(cursor, "("))
		storage = text_storage(cursor);
	if (storage && !text_take(cursor, ",")) {
		layout_storage_free(storage);
		storage = NULL;
	}
	if (storage)
		storage = read_swizzle(cursor, storage);
	if (storage && !text_take(cursor, ")")) {
		layout_storage_free(storage);
		storage = NULL;
	}
	text_leave(cursor);
	return storage;
}

static layout_storage *read_defined(struct text_cursor *cursor)
{
	struct text_cursor outside;
	layout_storage *storage;

	if (!text_enter_definition(cursor, &outside))
		return NULL;
	storage = text_storage(cursor);
	if (storage && text_leave_definition(cursor, &outside))
		return storage;
	layout_storage_free(storage);
	return NULL;
}

layout_storage *text_storage(struct text_cursor *cursor)
{
	if (text_at_defined(cursor))
		return read_defined(cursor);
	if (text_at_tensor(cursor))
		return text_tensor_storage(cursor);
	if (text_at(cursor, "swizzled"))
		return read_swizzled(cursor);
	if (text_at(cursor, kind_names[LAYOUT_STORAGE_ROW_MAJOR]))
		return read_major(cursor, false);
	if (text_at(cursor, kind_names[LAYOUT_STORAGE_COL_MAJOR]))
		return read_major(cursor, true);
	if (text_at(cursor, kind_names[LAYOUT_STORAGE_STRIDED]))
		return read_strided(cursor);
	if (text_at(cursor, kind_names[LAYOUT_STORAGE_PACKED]))
		return read_packed(cursor);
	if (text_at(cursor, "tagged") || at_tag(cursor))
		return read_tagged(cursor);
	text_expected(cursor, "a storage");
	return NULL;
}

static void print_texts(struct layout_buffer *out, const struct size *list,
	unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(out, "%s%s", i ? ", " : "", list[i].text);
}

static void print_swizzles(struct layout_buffer *out, const layout_storage *storage)
{
	for (unsigned i = 0; i < storage->swizzle_count; i++)
		layout_buffer_printf(out, ", %s)", storage->swizzles[i]);
}

char *layout_storage_str(layout_storage *storage)
{
	struct layout_buffer out = { 0 };
	bool packed;
	char *encoding = NULL;

	if (!storage)
		return NULL;
	packed = storage->kind == LAYOUT_STORAGE_PACKED || storage->tag;
	if (packed && !storage->tag) {
		encoding = layout_encoding_str(storage->encoding);
		if (!encoding)
			return NULL;
	}
	for (unsigned i = 0; i < storage->swizzle_count; i++)
		layout_buffer_printf(&out, "swizzled(");
	layout_buffer_printf(&out, "%s", storage->tag ? "tagged" :
		kind_names[storage->kind]);
	if (packed)
		layout_buffer_printf(&out, "(%s, ", storage->tag ? storage->tag : encoding);
	layout_buffer_printf(&out, "[");
	print_texts(&out, storage->sizes, storage_tensor_rank(storage));
	if (storage->kind == LAYOUT_STORAGE_STRIDED) {
		layout_buffer_printf(&out, " : ");
		print_texts(&out, storage->strides, storage->rank);
	}
	layout_buffer_printf(&out, packed ? "])" : "]");
	print_swizzles(&out, storage);
	free(encoding);
	return layout_buffer_take(storage->ctx, &out);
}

RELATION_FUNCTIONS(storage)
OF_OBJECT(layout_set *, onto, layout_storage_cells)

static const char *size_name(layout_value *value, unsigned i)
{
	return layout_storage_size_name(value->object, i);
}

static layout_storage *cells(layout_value *value)
{
	return value->object;
}

static layout_set *padding(layout_value *value, char **count)
{
	*count = layout_storage_padding_count(value->object);
	return *count ? layout_storage_padding(value->object) : NULL;
}

/* Written as packed(ENCODING, [sizes]), or as its tag, it is one already. */
static void *to_encoding(layout_value *value)
{
	layout_storage *storage = value->object;

	if (storage->kind != LAYOUT_STORAGE_PACKED || storage->swizzle_count)
		return value_to_encoding(value);
	storage = layout_storage_copy(storage);
	if (storage) {
		free(storage->tag);
		storage->tag = NULL;
	}
	return storage;
}

const struct value_kind kind_storage = {
	RELATION_FIELDS(storage), .noun = "a storage",
	.kernel = "remap(row_major[..] -> STORAGE, type = f32)", .at = at_storage,
	.onto = onto, .from = value_domain, .size_name = size_name, .cells = cells,
	.padding = padding, .convert[LAYOUT_NOTATION_ENCODING] = to_encoding,
	.show = &show_storage,
};
