/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Format tags: a letter a dimension, the outermost first, then blocks of some of them.
 *
 *	TAG    = LETTER {LETTER} {NUMBER LETTER}
 *	letter	of which dimension it is, by the letters that there are: a, b, c, ..; or those
 *		of a row of "alphabets"
 *
 * oneDNN writes a dimension with blocks as a capital, TVM all dimensions; blocks are small. */
#include "algebra/storage/encoding.h"
#include "algebra/storage/storage.h"
#include "isl_bridge/arithmetic.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANK = 12, MOST_BLOCKS = 16 };

/* The dimensions of a tensor in their order. */
static const char *const alphabets[] = { "x", "tn", "ldgo", "nc", "ncw", "nchw", "ncdhw", "tnc", "oi", "oiw", "oihw",
	"oidhw", "goiw", "goihw", "goidhw", "ldnc", "ldio", "ldoi", "ldigo", "ldgoi" };

struct tag {
	unsigned rank, block_count;
	int64_t outer[MOST_RANK];
	char letters[MOST_RANK + 1];	/* of the dimensions, by their number */
	struct block {
		unsigned dim;
		int64_t size;
	} blocks[MOST_BLOCKS];
};

static bool refuse(layout_context *ctx, const char *text, const char *why)
{
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "`%.64s` is no tag of a format: %s", text,
		why);
	return false;
}

static bool has_all(const char *letters, const char *of, size_t count)
{
	if (strlen(letters) != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!memchr(of, letters[i], count))
			return false;
	return true;
}

/* Which letters the dimensions have; "outer" are the small ones of the text. */
static bool find_alphabet(struct tag *tag, const char *outer)
{
	for (unsigned i = 0; i < tag->rank; i++)
		tag->letters[i] = (char)('a' + i);
	if (has_all(tag->letters, outer, tag->rank))
		return true;
	for (unsigned i = 0; i < sizeof(alphabets) / sizeof(alphabets[0]); i++)
		if (has_all(alphabets[i], outer, tag->rank)) {
			memcpy(tag->letters, alphabets[i], tag->rank + 1);
			return true;
		}
	return false;
}

static bool read_outer(layout_context *ctx, struct tag *tag, const char *text, size_t count)
{
	char outer[MOST_RANK];

	if (!count || count > MOST_RANK)
		return refuse(ctx, text, "it has one letter for each of up to 12 dimensions");
	tag->rank = (unsigned)count;
	for (size_t i = 0; i < count; i++)
		outer[i] = (char)tolower((unsigned char)text[i]);
	if (!find_alphabet(tag, outer))
		return refuse(ctx, text, "its letters are a, b, .. or those of nc[d]hw, "
			"[g]oi[d]hw, tn[c], ldnc, ldigo, ldio, ldgo");
	for (size_t i = 0; i < count; i++)
		tag->outer[i] = strchr(tag->letters, outer[i]) - tag->letters;
	return true;
}

bool storage_is_tag(const char *text, size_t length)
{
	struct tag tag = { 0 };
	char outer[MOST_RANK];

	for (; tag.rank < length && isalpha((unsigned char)text[tag.rank]); tag.rank++) {
		if (tag.rank == MOST_RANK)
			return false;
		outer[tag.rank] = (char)tolower((unsigned char)text[tag.rank]);
	}
	return tag.rank && find_alphabet(&tag, outer);
}

static bool read_blocks(layout_context *ctx, struct tag *tag, const char *text,
	const char *at)
{
	while (*at) {
		struct block *block = &tag->blocks[tag->block_count];
		const char *letter;
		char *end;

		if (tag->block_count == MOST_BLOCKS)
			return refuse(ctx, text, "it has too many blocks");
		if (!isdigit((unsigned char)*at))
			return refuse(ctx, text, "a block is a number and a letter");
		block->size = strtoll(at, &end, 10);
		letter = *end ? strchr(tag->letters, *end) : NULL;
		if (block->size < 1 || block->size > INT32_MAX || !letter)
			return refuse(ctx, text, "a block is a number and the small letter "
				"of a dimension");
		block->dim = (unsigned)(letter - tag->letters);
		tag->block_count++;
		at = end + 1;
	}
	return true;
}

static bool is_blocked(const struct tag *tag, unsigned dim)
{
	for (unsigned i = 0; i < tag->block_count; i++)
		if (tag->blocks[i].dim == dim)
			return true;
	return false;
}

/* Capitals are the dimensions with blocks, or all; or beside some with blocks another, the I
 * of oneDNN's OhwI32o. */
static bool check_capitals(layout_context *ctx, const struct tag *tag, const char *text)
{
	bool all = true, blocked = true;

	for (unsigned i = 0; i < tag->rank; i++) {
		bool capital = isupper((unsigned char)text[i]);

		all = all && capital;
		if (is_blocked(tag, (unsigned)tag->outer[i]))
			blocked = blocked && capital;
		else
			blocked = blocked && (!capital || tag->block_count);
	}
	return all || blocked || refuse(ctx, text, "capitals are the dimensions that have "
		"blocks, or all dimensions");
}

static bool tag_read(layout_context *ctx, struct tag *tag, const char *text)
{
	size_t count = strcspn(text, "0123456789");

	*tag = (struct tag){ 0 };
	return read_outer(ctx, tag, text, count) &&
		read_blocks(ctx, tag, text, text + count) && check_capitals(ctx, tag, text);
}

/* The blocks of each dimension together, the dimensions in the order in which they first
 * have one. */
struct tiles {
	unsigned count;
	int64_t pos[MOST_BLOCKS], size[MOST_BLOCKS];
	unsigned parts[MOST_BLOCKS];
	layout_encoding_dim dims[MOST_BLOCKS];
	int64_t permutation[MOST_BLOCKS];
};

static bool find_tiles(const struct tag *tag, struct tiles *tiles)
{
	bool fits = true;
	unsigned n = 0;

	for (unsigned i = 0; i < tag->block_count; i++) {
		unsigned t = 0;

		while (t < tiles->count && tiles->pos[t] != tag->blocks[i].dim)
			t++;
		if (t < tiles->count)
			continue;
		tiles->pos[t] = tag->blocks[i].dim;
		tiles->size[t] = 1;
		tiles->count++;
		for (unsigned j = i; j < tag->block_count; j++) {
			if (tag->blocks[j].dim != tag->blocks[i].dim)
				continue;
			tiles->permutation[j] = n;
			tiles->dims[n++] = (layout_encoding_dim){ LAYOUT_DIM_INTERNAL,
				tag->blocks[j].size, 1 };
			tiles->parts[t]++;
			fits = fits && !__builtin_mul_overflow(tiles->size[t],
				tag->blocks[j].size, &tiles->size[t]);
		}
	}
	return fits;
}

static layout_encoding *encoding_of(layout_context *ctx, const struct tag *tag,
	const char *text)
{
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	struct tiles tiles = { 0 };

	if (!find_tiles(tag, &tiles)) {
		refuse(ctx, text, "its blocks are too large");
		return NULL;
	}
	desc.inner_count = tiles.count;
	desc.inner_dims_pos = tiles.pos;
	desc.inner_tiles = tiles.size;
	desc.outer_count = tag->rank;
	desc.outer_dims_perm = tag->outer;
	if (tiles.count < tag->block_count) {
		desc.group_sizes = tiles.parts;
		desc.dim_count = tag->block_count;
		desc.dims = tiles.dims;
		desc.permutation = tiles.permutation;
	}
	return layout_encoding_new(ctx, &desc);
}

static bool is_in_order(const struct tag *tag)
{
	for (unsigned i = 0; i < tag->rank; i++)
		if (tag->outer[i] != i)
			return false;
	return !tag->block_count;
}

layout_storage *layout_storage_tagged(layout_context *ctx, const char *text, unsigned rank,
	const char *const *sizes)
{
	layout_storage *storage;
	struct tag tag;

	if (!ctx || !layout_given(ctx, text, "tag") || !tag_read(ctx, &tag, text))
		return NULL;
	if (rank != tag.rank) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1, "`%.64s` has %u dimensions, the sizes "
			"are %u", text, tag.rank, rank);
		return NULL;
	}
	storage = is_in_order(&tag) ? layout_storage_row_major(ctx, rank, sizes) :
		layout_storage_packed(encoding_of(ctx, &tag, text), rank, sizes);
	if (storage)
		storage->tag = layout_strdup(ctx, text);
	if (storage && storage->tag)
		return storage;
	layout_storage_free(storage);
	return NULL;
}

/* Append a block; one behind another of the same dimension makes that larger. */
static bool add_block(struct tag *tag, unsigned dim, int64_t size)
{
	struct block *last = tag->block_count ? &tag->blocks[tag->block_count - 1] : NULL;

	if (size == 1)
		return true;
	if (last && last->dim == dim)
		return !__builtin_mul_overflow(last->size, size, &last->size);
	if (tag->block_count == MOST_BLOCKS)
		return false;
	tag->blocks[tag->block_count++] = (struct block){ dim, size };
	return true;
}

/* The parts of a tile lie in memory as in the tile, if others between them. */
static bool add_parts(struct tag *tag, const layout_encoding *encoding)
{
	int64_t next[LAYOUT_STORAGE_SLOTS] = { 0 };

	for (unsigned j = 0; j < encoding->dim_count; j++) {
		int64_t part = encoding->permutation[j], first = 0;
		unsigned group = 0;

		while (part >= first + encoding->group_sizes[group])
			first += encoding->group_sizes[group++];
		if (part - first != next[group]++ && encoding->dims[part].size > 1)
			return false;
		if (!add_block(tag, (unsigned)encoding->inner_dims_pos[group],
		    encoding->dims[part].size))
			return false;
	}
	return true;
}

static bool tag_of_encoding(struct tag *tag, const layout_encoding *encoding)
{
	for (unsigned i = 0; i < encoding->outer_count; i++)
		tag->outer[i] = encoding->outer_dims_perm ? encoding->outer_dims_perm[i] : i;
	if (encoding->group_sizes)
		return add_parts(tag, encoding);
	for (unsigned i = 0; i < encoding->inner_count; i++)
		if (!add_block(tag, (unsigned)encoding->inner_dims_pos[i],
		    encoding->inner_tiles[i]))
			return false;
	return true;
}

static bool tag_of(struct tag *tag, const layout_storage *storage)
{
	*tag = (struct tag){ .rank = storage->rank };
	if (storage->rank > MOST_RANK || !storage->rank || storage->units ||
	    storage->swizzle_count || storage->twist_count)
		return false;
	for (unsigned i = 0; i < tag->rank; i++)
		tag->outer[i] = storage->kind == LAYOUT_STORAGE_COL_MAJOR ?
			tag->rank - 1 - i : i;
	return storage->kind == LAYOUT_STORAGE_ROW_MAJOR ||
		storage->kind == LAYOUT_STORAGE_COL_MAJOR ||
		(storage->encoding && tag_of_encoding(tag, storage->encoding));
}

char *layout_storage_tag(layout_storage *storage)
{
	struct layout_buffer out = { 0 };
	struct tag tag;

	if (!storage)
		return NULL;
	if (!tag_of(&tag, storage)) {
		layout_fail(storage->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "a tag says no strides, "
			"no swizzles, and no blocks whose parts change places");
		return NULL;
	}
	for (unsigned i = 0; i < tag.rank; i++)
		layout_buffer_printf(&out, "%c", (is_blocked(&tag, (unsigned)tag.outer[i]) ?
			'A' : 'a') + (int)tag.outer[i]);
	for (unsigned i = 0; i < tag.block_count; i++)
		layout_buffer_printf(&out, "%lld%c", (long long)tag.blocks[i].size,
			'a' + (int)tag.blocks[i].dim);
	return layout_buffer_take(storage->ctx, &out);
}

layout_storage *storage_retagged(layout_storage *storage)
{
	const char *sizes[MOST_RANK];
	char *tag = layout_storage_tag(storage);
	layout_storage *result;

	if (!tag)
		return NULL;
	for (unsigned i = 0; i < storage->rank; i++)
		sizes[i] = storage->sizes[i].text;
	result = layout_storage_tagged(storage->ctx, tag, storage->rank, sizes);
	layout_string_free(tag);
	return result;
}
