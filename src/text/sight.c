/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memories that are seen through an affine map,
 *
 *	through(row_major[N, H, W, C],
 *		affine_map<(n, p, q, r, s, c) -> (n, 2*p + r - 1, 2*q + s - 1, c)>) */
#include "program/sight.h"
#include "text/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WEIGHT = 1 << 20 };

static bool read_names(struct text_cursor *cursor, struct program_sight *sight)
{
	if (!text_take(cursor, "("))
		return false;
	do {
		char *name;

		if (!text_room(cursor, sight->rank, OWNER_RANK) ||
		    !(name = text_word(cursor, "a coordinate")))
			return false;
		sight->names[sight->rank++] = name;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, ")");
}

/* The number of the coordinate at the cursor, or -1 with the error. */
static int read_name(struct text_cursor *cursor, const struct program_sight *sight)
{
	long position = text_position(cursor);
	char *name = text_word(cursor, "a coordinate or a number");
	int found = -1;

	for (unsigned j = 0; name && j < sight->rank; j++)
		if (!strcmp(sight->names[j], name))
			found = (int)j;
	if (name && found < 0)
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"the map has no coordinate `%s`", name);
	free(name);
	return found;
}

static bool add_to(struct text_cursor *cursor, int64_t *to, int64_t weight, long position)
{
	if (weight <= MOST_WEIGHT && weight >= -MOST_WEIGHT &&
	    llabs(*to + weight) <= MOST_WEIGHT) {
		*to += weight;
		return true;
	}
	layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, position,
		"numbers of a map are at most %d", MOST_WEIGHT);
	return false;
}

/* "2*p", "p * 2", "p" or "1". */
static bool read_term(struct text_cursor *cursor, struct program_sight *sight, unsigned k,
	bool negative)
{
	long position = text_position(cursor);
	bool number = cursor->token.kind == TEXT_INT;
	int64_t weight = 1;
	int j = -1;

	if (number && !text_integer(cursor, &weight))
		return false;
	if (!number || text_skip(cursor, "*")) {
		j = read_name(cursor, sight);
		if (j < 0)
			return false;
	}
	if (!number && text_skip(cursor, "*") && !text_integer(cursor, &weight))
		return false;
	weight = negative ? -weight : weight;
	return add_to(cursor, j < 0 ? &sight->offset[k] : &sight->weights[k][j], weight,
		position);
}

static bool read_sum(struct text_cursor *cursor, struct program_sight *sight, unsigned k)
{
	bool negative = text_skip(cursor, "-");

	if (!read_term(cursor, sight, k, negative))
		return false;
	while (text_at(cursor, "+") || text_at(cursor, "-")) {
		negative = text_at(cursor, "-");
		text_advance(cursor);
		if (!read_term(cursor, sight, k, negative))
			return false;
	}
	return true;
}

static bool read_map(struct text_cursor *cursor, struct program_sight *sight, unsigned rank)
{
	long position = text_position(cursor);

	if (!text_take(cursor, "affine_map") || !text_take(cursor, "<") ||
	    !read_names(cursor, sight) || !text_take(cursor, "->") || !text_take(cursor, "("))
		return false;
	do
		if (!text_room(cursor, sight->memory_rank, OWNER_RANK) ||
		    !read_sum(cursor, sight, sight->memory_rank++))
			return false;
	while (text_skip(cursor, ","));
	if (!text_end_list(cursor, ")") || !text_take(cursor, ">"))
		return false;
	if (sight->memory_rank != rank)
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
			"the map has %u results, the storage %u dimensions",
			sight->memory_rank, rank);
	return sight->memory_rank == rank;
}

layout_storage *text_seen_storage(struct text_cursor *cursor, struct program_sight **sight)
{
	layout_storage *storage;

	*sight = NULL;
	if (!text_at(cursor, "through"))
		return text_storage(cursor);
	text_advance(cursor);
	storage = text_take(cursor, "(") ? text_storage(cursor) : NULL;
	*sight = storage ? layout_alloc(cursor->ctx, 1, sizeof(**sight)) : NULL;
	if (*sight && text_take(cursor, ",") &&
	    read_map(cursor, *sight, layout_storage_rank(storage)) && text_take(cursor, ")"))
		return storage;
	layout_storage_free(storage);
	sight_free(*sight);
	*sight = NULL;
	return NULL;
}

/* "2*p + r - 1" */
static void print_result(struct layout_buffer *out, const struct program_sight *sight,
	unsigned k)
{
	bool first = true;

	for (unsigned j = 0; j <= sight->rank; j++) {
		bool number = j == sight->rank;
		int64_t weight = number ? sight->offset[k] : sight->weights[k][j];

		if (!weight && !(number && first))
			continue;
		layout_buffer_printf(out, "%s", first ? weight < 0 ? "-" : "" :
			weight < 0 ? " - " : " + ");
		if (number || llabs(weight) != 1)
			layout_buffer_printf(out, "%lld%s", llabs(weight), number ? "" : "*");
		if (!number)
			layout_buffer_printf(out, "%s", sight->names[j]);
		first = false;
	}
}

void text_print_sight(struct layout_buffer *out, const struct program_sight *sight,
	const char *storage)
{
	layout_buffer_printf(out, "through(%s, affine_map<(", storage);
	for (unsigned j = 0; j < sight->rank; j++)
		layout_buffer_printf(out, "%s%s", j ? ", " : "", sight->names[j]);
	layout_buffer_printf(out, ") -> (");
	for (unsigned k = 0; k < sight->memory_rank; k++) {
		layout_buffer_printf(out, k ? ", " : "");
		print_result(out, sight, k);
	}
	layout_buffer_printf(out, ")>)");
}
