/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relayouts as IREE has them, read as the maps that they are:
 *
 *	%r = iree_linalg_ext.map_store %source into %destination {
 *	^bb0(%i: index, %j: index):
 *	  %k:2 = affine.delinearize_index %i into (4, 16) : index, index
 *	  iree_linalg_ext.yield %k#1, %k#0, %j, %true : index, index, index, i1
 *	} : tensor<64x8xf32> into tensor<16x4x8xf32> -> tensor<16x4x8xf32>
 *
 *		{ [i, j] -> [i mod 16, floor(i/16), j] : 0 <= i <= 63 and 0 <= j <= 7 }
 *
 * map_load goes from the result to the source, and pads where it is outside of that: the map
 * is that reversed.  map_scatter and map_gather are their old names.  What the body uses may
 * be computed before; a value that nothing gives is a size of that name, and "?" is
 * the size d0, d1, .. of the source, r0, r1, .. of the result, unless tensor.dim or
 * tensor.empty says what it is. */
#include "text/body/body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The operation and where its parts are. */
struct map {
	struct body_text text;
	bool loads;
	struct body_use source, destination;
	struct text_tensor source_type, destination_type;
	struct text_cursor region;
	struct body_value *indices[BODY_RANK], *sizes[BODY_RANK];
	const struct body_value *mask;
};

static bool at_operation(const struct text_cursor *cursor, bool *loads)
{
	*loads = text_at(cursor, "iree_linalg_ext.map_load") ||
		text_at(cursor, "iree_linalg_ext.map_gather");
	return *loads || text_at(cursor, "iree_linalg_ext.map_store") ||
		text_at(cursor, "iree_linalg_ext.map_scatter");
}

bool text_at_body(const struct text_cursor *cursor)
{
	bool loads;

	return at_operation(cursor, &loads);
}

bool text_at_map_store(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	if (!text_at(cursor, "%"))
		return text_at_body(cursor);
	while (behind.token.kind != TEXT_END && !text_at_body(&behind))
		text_advance(&behind);
	return behind.token.kind != TEXT_END;
}

/* "%r =", gone past where it is there. */
static void skip_result(struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	if (!text_skip(&behind, "%"))
		return;
	text_advance(&behind);
	if (text_skip(&behind, "=") && text_at_body(&behind))
		*cursor = behind;
}

/* What is computed before the operation. */
static bool read_before(struct map *map)
{
	struct text_cursor *cursor = map->text.cursor;

	for (skip_result(cursor); !text_at_body(cursor); skip_result(cursor))
		if (!body_read_operation(&map->text, true))
			return false;
	at_operation(cursor, &map->loads);
	text_advance(cursor);
	return true;
}

/* "%source into %destination {..} : T into T -> T"; the region is left for later. */
static bool read_operation(struct map *map)
{
	struct text_cursor *cursor = map->text.cursor;
	struct text_tensor result;

	if (!body_read_use(&map->text, &map->source) || !text_take(cursor, "into") ||
	    !body_read_use(&map->text, &map->destination))
		return false;
	map->region = *cursor;
	if (!text_at(cursor, "{"))
		return text_take(cursor, "{");
	text_skip_brackets(cursor);
	return text_take(cursor, ":") && body_read_type(cursor, &map->source_type) &&
		text_take(cursor, "into") && body_read_type(cursor, &map->destination_type) &&
		(!text_skip(cursor, "->") || body_read_type(cursor, &result));
}

/* The size of a dimension; "letter" begins the name of one that nothing is known of. */
static struct body_value *size_of(struct map *map, const struct body_use *tensor,
	const struct text_tensor *type, unsigned dim, char letter)
{
	struct body_result *known;
	struct body_use name;
	char text[8];

	if (type->sizes[dim] >= 0)
		return body_number(map->text.body, type->sizes[dim]);
	known = body_result(&map->text, tensor);
	if (known && known->sizes[dim])
		return body_copy(known->sizes[dim]);
	snprintf(text, sizeof(text), "%c%u", letter, dim);
	name = (struct body_use){ .name = text, .length = strlen(text) };
	return body_named(&map->text, &name);
}

/* "^bb0(%i: index, %j: index):" */
static bool read_arguments(struct map *map)
{
	const struct body_use *tensor = map->loads ? &map->destination : &map->source;
	const struct text_tensor *type = map->loads ? &map->destination_type :
		&map->source_type;
	struct text_items items = { "(", ")", BODY_RANK };
	struct text_cursor *cursor = map->text.cursor;
	long position;

	if (!text_take(cursor, "{") || !text_take(cursor, "^"))
		return false;
	text_advance(cursor);
	position = text_position(cursor);
	while (text_item(cursor, &items)) {
		unsigned i = items.count - 1;
		struct body_result *result;
		struct body_value *size;
		struct body_use use;
		bool good;

		if (!body_read_use(&map->text, &use) || !text_take(cursor, ":") ||
		    !text_take(cursor, "index"))
			return false;
		if (i == type->rank)
			break;
		size = size_of(map, tensor, type, i, map->loads ? 'r' : 'd');
		good = body_bound(map->text.body, i, size);
		body_value_free(size);
		result = good ? body_new_result(&map->text, &use) : NULL;
		if (!result)
			return false;
		result->count = 1;
		result->values[0] = body_argument(map->text.body, i);
		if (!result->values[0])
			return false;
	}
	if (items.ended && items.count == type->rank)
		return text_take(cursor, ":");
	if (items.ended || items.count > type->rank)
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
			"the body has %s%u arguments, expected %u: one a dimension of the %s",
			items.ended ? "" : "at least ", items.count, type->rank,
			map->loads ? "result" : "source");
	return false;
}

/* "iree_linalg_ext.yield %a, %b, %mask : index, index, i1" */
static bool read_yield(struct map *map)
{
	const struct text_tensor *type = map->loads ? &map->source_type :
		&map->destination_type;
	struct text_cursor *cursor = map->text.cursor;
	const struct body_value *value;
	struct body_use use;

	if (!text_take(cursor, "iree_linalg_ext.yield"))
		return false;
	for (unsigned i = 0; i < type->rank; i++) {
		value = body_read_value(&map->text, false);
		map->indices[i] = value ? body_copy(value) : NULL;
		if (!map->indices[i] || !text_take(cursor, ","))
			return false;
	}
	if (!body_read_use(&map->text, &use) || !text_take(cursor, ":"))
		return false;
	if (!map->loads && !(map->mask = body_find(&map->text, &use, true)))
		return false;
	for (unsigned i = 0; i < type->rank; i++)
		if (!text_take(cursor, "index") || !text_take(cursor, ","))
			return false;
	if (map->loads)
		text_advance(cursor);
	else if (!text_take(cursor, "i1"))
		return false;
	return text_take(cursor, "}");
}

static bool read_region(struct map *map)
{
	if (!read_arguments(map))
		return false;
	while (text_at(map->text.cursor, "%"))
		if (!body_read_operation(&map->text, false))
			return false;
	return read_yield(map);
}

static layout_relation *relate(struct map *map)
{
	unsigned rank = map->loads ? map->source_type.rank : map->destination_type.rank;
	const struct body_value *const *indices =
		(const struct body_value *const *)map->indices;

	if (!map->loads)
		return body_relation(map->text.body, indices, rank, map->mask);
	for (unsigned d = 0; d < rank; d++) {
		map->sizes[d] = size_of(map, &map->source, &map->source_type, d, 'd');
		if (!map->sizes[d])
			return NULL;
	}
	return body_reversed(map->text.body, indices, rank,
		(const struct body_value *const *)map->sizes);
}

/* How many arguments the body has: what is computed before is of that many, too. */
static unsigned find_rank(struct text_cursor at)
{
	unsigned rank = 0;

	while (at.token.kind != TEXT_END && !text_at_body(&at))
		text_advance(&at);
	while (at.token.kind != TEXT_END && !text_skip(&at, "^"))
		text_advance(&at);
	while (at.token.kind != TEXT_END && !text_at(&at, ")")) {
		rank += text_at(&at, "%");
		text_advance(&at);
	}
	return rank < BODY_RANK ? rank : BODY_RANK;
}

layout_relation *text_map_store(struct text_cursor *cursor)
{
	struct map *map = layout_alloc(cursor->ctx, 1, sizeof(*map));
	layout_relation *relation = NULL;
	struct text_cursor end;

	if (!map)
		return NULL;
	map->text = (struct body_text){ .cursor = cursor,
		.body = body_new(cursor->ctx, find_rank(*cursor)) };
	if (map->text.body && read_before(map) && read_operation(map)) {
		end = *cursor;
		*cursor = map->region;
		if (read_region(map))
			relation = relate(map);
		*cursor = relation ? end : *cursor;
	}
	for (unsigned i = 0; i < BODY_RANK; i++) {
		body_value_free(map->indices[i]);
		body_value_free(map->sizes[i]);
	}
	body_text_free(&map->text);
	free(map);
	return relation;
}
