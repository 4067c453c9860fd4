/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations and sets, in isl's notation; a result is shown in the notation of its first
 * operand if it has that form, else as CuTe, nested, linear or encoding: proved equal, in
 * the very same coordinates. */
#include "show/kind.h"
#include "text/kind.h"

#include "algebra/recognise/recognised.h"
#include "algebra/storage/storage.h"
#include "isl_bridge/budget.h"
#include "isl_bridge/relation.h"

#include <stdlib.h>
#include <string.h>

/* Points that are looked at for it. */
#define SHOWN_POINTS ((size_t)1 << 12)

/* row_major or col_major where the outer dimensions are in that order and there is no
 * tile; NULL where they are not. */
static layout_storage *without_tiles(layout_storage *storage, bool reversed)
{
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	const char *sizes[LAYOUT_STORAGE_SLOTS];
	unsigned rank = layout_storage_rank(storage);

	if (!layout_encoding_describe(storage->encoding, &desc) || desc.inner_count ||
	    desc.outer_count != rank || rank > LAYOUT_STORAGE_SLOTS)
		return NULL;
	for (unsigned d = 0; d < rank; d++) {
		if (desc.outer_dims_perm[d] != (reversed ? rank - 1 - d : d))
			return NULL;
		sizes[d] = layout_storage_size(storage, d);
	}
	return reversed ? layout_storage_col_major(storage->ctx, rank, sizes) :
		layout_storage_row_major(storage->ctx, rank, sizes);
}

static bool is_of(layout_relation *relation, layout_storage *storage)
{
	layout_relation *made = layout_storage_relation(storage);
	bool equal = layout_relation_equal(relation, made, NULL) == LAYOUT_YES;

	layout_relation_free(made);
	return equal;
}

/* The shorter of the names that the storage has. */
static char *storage_text(layout_relation *relation)
{
	layout_storage *packed = layout_storage_from_relation(relation), *plain = NULL;
	char *text = NULL;

	for (int reversed = 0; packed && !text && reversed < 2; reversed++) {
		plain = without_tiles(packed, reversed);
		if (plain && is_of(relation, plain))
			text = layout_storage_str(plain);
		layout_storage_free(plain);
	}
	if (!text)
		text = layout_storage_str(packed);
	layout_storage_free(packed);
	return text;
}

/* Of anonymous tuples. */
static char *layout_text(layout_relation *relation, layout_notation like)
{
	struct recognised found = recognise_any(relation, like, SHOWN_POINTS);
	char *text = found.cute ? layout_cute_str(found.cute) :
		found.nested ? layout_nested_str(found.nested) :
		layout_linear_str(found.linear);

	layout_cute_free(found.cute);
	layout_nested_free(found.nested);
	layout_linear_free(found.linear);
	return text;
}

/* The notations' own names of their tuples decide which they can be. */
static char *notation_text(layout_relation *relation, layout_notation like)
{
	const char *in = layout_relation_tuple_name(relation, false);
	const char *image = layout_relation_tuple_name(relation, true);

	if (!in && !image)
		return layout_text(relation, like);
	return in && image && !strcmp(in, "logical") && !strcmp(image, "cell") ?
		storage_text(relation) : NULL;
}

/* NULL, with nothing on the context, where a result is in none of the notations, is not
 * seen to be soon, or its first operand was written in isl's notation. */
static char *shown(layout_value *value)
{
	struct layout_caught ignored = { 0 }, *previous;
	unsigned long quota = layout_context_quota(value->ctx);
	char *text;

	if (value->reason || !value->relation || !value->like || value->like->is_plain)
		return NULL;
	previous = layout_context_catch(value->ctx, &ignored);
	if (!quota || quota > BUDGET_SHOW)
		layout_context_set_quota(value->ctx, BUDGET_SHOW);
	text = notation_text(value->relation, value->like->results);
	layout_context_set_quota(value->ctx, quota);
	layout_context_catch(value->ctx, previous);
	free(ignored.message);
	return text;
}

static bool at(const struct text_cursor *cursor)
{
	return text_at_isl(cursor) || text_at_map_store(cursor);
}

static bool read(struct text_cursor *cursor, layout_value *value)
{
	layout_set *set;

	if (text_at_map_store(cursor))
		return (value->relation = text_map_store(cursor));
	if (!text_isl(cursor, &value->relation, &set))
		return false;
	return !set || value_give(value, &kind_set, set);
}

static char *print_relation(layout_value *value)
{
	char *text = shown(value);

	return text ? text : layout_relation_str(value_find_relation(value));
}

static layout_set *onto(layout_value *value)
{
	return layout_set_copy(value->onto);
}

/* What CuTe layouts made is counted as they are, though no layout is it. */
static layout_order order(layout_value *value)
{
	return value->map.outer ? LAYOUT_ORDER_COLEX : LAYOUT_ORDER_LEX;
}

static bool for_each_pair(layout_value *value, const layout_size *sizes, unsigned count,
	layout_visit_pair visit, void *user)
{
	if (cute_map_is_listable(&value->map))
		return cute_map_for_each(&value->map, visit, user);
	return value_relation_for_each(value, sizes, count, visit, user);
}

const struct value_kind kind_relation = {
	.name = "relation", .noun = "a relation", .at = at, .read = read,
	.print = print_relation, .free = value_free_relation,
	.relation = value_copy_relation,
	.onto = onto, .order = order, .for_each = for_each_pair,
	.size_name = value_relation_size, .is_plain = true, .show = &show_relation,
};
