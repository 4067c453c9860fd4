/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types of tensors and of memories, as MLIR prints them:
 *
 *	tensor<?x513xf32>				row_major[d0, 513]
 *	tensor<?x513xf32, #iree_encoding.layout<[..]>>	packed(.., [d0, 513])
 *	memref<4x8xf32, strided<[16, 1], offset: ?>>	strided[4, 8 : 16, 1]
 *
 * A "?" is the size d0, d1, .. of its dimension, or what that has to be where the text around it
 * says so; or the stride s0, s1, .. .  What the
 * elements are, where in memory the first of them is and in which memory is not said by a
 * storage. */
#include "text/notations.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Go past "?x" or "513x"; the number, or -1. */
static bool skip_dim(const char **at, const char *end, int64_t *size)
{
	const char *next = *at;

	*size = 0;
	if (next < end && *next == '?') {
		*size = -1;
		next++;
	} else {
		while (next < end && isdigit((unsigned char)*next))
			if (__builtin_mul_overflow(*size, 10, size) ||
			    __builtin_add_overflow(*size, *next++ - '0', size))
				return false;
	}
	if (next == *at || next == end || *next != 'x')
		return false;
	*at = next + 1;
	return true;
}

/* Past "f32" or "!tt.ptr<f16>", or nothing. */
static const char *skip_element(const char *at, const char *end)
{
	const char *begin = at;
	unsigned open = 0;

	while (at < end && isalnum((unsigned char)*at))
		at++;
	if (at > begin || at == end || *at != '!')
		return at;
	do {
		at++;
	} while (at < end && (isalnum((unsigned char)*at) || strchr("._", *at)));
	if (at == end || *at != '<')
		return begin;
	do {
		open += *at == '<';
		open -= *at == '>';
		at++;
	} while (at < end && open && *at);
	return open ? begin : at;
}

bool text_skip_tensor(struct text_cursor *cursor, struct text_tensor *tensor)
{
	const char *at, *begin, *end = cursor->text + cursor->length;

	*tensor = (struct text_tensor){ .position = text_position(cursor) };
	text_advance(cursor);
	if (!text_at(cursor, "<"))
		return false;
	at = cursor->text + cursor->token.begin + 1;
	while (tensor->rank < TEXT_TENSOR_RANK &&
	       skip_dim(&at, end, &tensor->sizes[tensor->rank]))
		tensor->rank++;
	begin = at;
	at = skip_element(at, end);
	tensor->element_position = (long)(begin - cursor->text);
	text_seek(cursor, (size_t)(begin - cursor->text));
	if (at == begin || at - begin >= TEXT_TENSOR_ELEMENT || isdigit((unsigned char)*begin))
		return false;
	memcpy(tensor->element, begin, (size_t)(at - begin));
	text_seek(cursor, (size_t)(at - cursor->text));
	return true;
}

bool text_tensor(struct text_cursor *cursor, struct text_tensor *tensor)
{
	return text_skip_tensor(cursor, tensor) || text_expected(cursor,
		tensor->element_position ? "the shape and element type of a tensor" : "`<`");
}

/* Sizes or strides as texts. */
struct names {
	char text[TEXT_TENSOR_RANK][24];
	const char *list[TEXT_TENSOR_RANK];
};

static void name_sizes(struct names *names, const int64_t *sizes, unsigned count, char letter)
{
	for (unsigned i = 0; i < count; i++) {
		if (sizes[i] < 0)
			snprintf(names->text[i], sizeof(names->text[i]), "%c%u", letter, i);
		else
			snprintf(names->text[i], sizeof(names->text[i]), "%" PRId64,
				sizes[i]);
		names->list[i] = names->text[i];
	}
}

/* "[16, ?]" */
static bool read_strides(struct text_cursor *cursor, int64_t strides[TEXT_TENSOR_RANK],
	unsigned *count)
{
	struct text_items items = { "[", "]", TEXT_TENSOR_RANK };

	*count = 0;
	while (text_item(cursor, &items)) {
		if (text_skip(cursor, "?"))
			strides[(*count)++] = -1;
		else if (!text_integer(cursor, &strides[(*count)++]))
			return false;
	}
	return items.ended;
}

/* "strided<[16, 1], offset: ?>" */
static layout_storage *read_strided(struct text_cursor *cursor,
	const struct text_tensor *tensor, const struct names *sizes)
{
	int64_t strides[TEXT_TENSOR_RANK], offset;
	long position = text_position(cursor);
	struct names names;
	unsigned count;

	text_advance(cursor);
	if (!text_take(cursor, "<") || !read_strides(cursor, strides, &count))
		return NULL;
	if (text_skip(cursor, ",") && (!text_take(cursor, "offset") ||
			!text_take(cursor, ":") || (!text_skip(cursor, "?") &&
			!text_integer(cursor, &offset))))
		return NULL;
	if (!text_take(cursor, ">"))
		return NULL;
	if (count != tensor->rank) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
			"the sizes are %u, the strides %u", tensor->rank, count);
		return NULL;
	}
	name_sizes(&names, strides, count, 's');
	return layout_storage_strided(cursor->ctx, count, sizes->list, names.list);
}

static layout_storage *read_packed(struct text_cursor *cursor,
	const struct text_tensor *tensor, const struct names *sizes)
{
	layout_encoding *encoding = text_encoding_saying(cursor);
	layout_storage *storage = NULL;
	long base;

	if (encoding) {
		base = layout_context_set_base(cursor->ctx, tensor->position);
		storage = layout_storage_packed(encoding, tensor->rank, sizes->list);
		layout_context_set_base(cursor->ctx, base);
	}
	return storage;
}

/* Does the name at the cursor end so? */
static bool ends_in(const struct text_cursor *cursor, const char *end)
{
	size_t length = strlen(end);

	return cursor->token.kind == TEXT_NAME && cursor->token.length > length &&
		!memcmp(cursor->text + cursor->token.begin + cursor->token.length - length,
			end, length);
}

/* Where in the machine a memory is: "3", "#gpu.address_space<workgroup>". */
static bool skip_space(struct text_cursor *cursor)
{
	if (cursor->token.kind != TEXT_INT && !ends_in(cursor, ".address_space") &&
	    !ends_in(cursor, ".descriptor_type"))
		return false;
	text_advance(cursor);
	if (text_skip(cursor, "<")) {
		text_advance(cursor);
		text_skip(cursor, ">");
	}
	return true;
}

bool text_at_tensor(const struct text_cursor *cursor)
{
	return text_at(cursor, "tensor") || text_at(cursor, "memref");
}

bool text_peek_tensor(const struct text_cursor *cursor, struct text_tensor *tensor)
{
	struct text_cursor behind = *cursor;

	*tensor = (struct text_tensor){ 0 };
	text_look_through(&behind);
	return text_at_tensor(&behind) && text_skip_tensor(&behind, tensor);
}

layout_storage *text_tensor_storage(struct text_cursor *cursor)
{
	bool is_memory = text_at(cursor, "memref");
	struct text_tensor tensor;
	struct names sizes;
	layout_storage *storage = NULL;

	if (!text_tensor(cursor, &tensor))
		return NULL;
	name_sizes(&sizes, tensor.sizes, tensor.rank, 'd');
	for (unsigned i = 0; i < tensor.rank && i < cursor->inferred_count; i++)
		if (tensor.sizes[i] < 0)
			sizes.list[i] = cursor->inferred[i];
	while (text_skip(cursor, ",")) {
		if (is_memory && skip_space(cursor))
			continue;
		if (storage) {
			text_expected(cursor, "`>`");
			goto fail;
		}
		storage = is_memory && text_at(cursor, "strided") ?
			read_strided(cursor, &tensor, &sizes) :
			read_packed(cursor, &tensor, &sizes);
		if (!storage)
			return NULL;
	}
	if (!storage)
		storage = layout_storage_row_major(cursor->ctx, tensor.rank, sizes.list);
	if (storage && text_end_list(cursor, ">"))
		return storage;
fail:
	layout_storage_free(storage);
	return NULL;
}
