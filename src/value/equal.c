/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comparing values, whatever notations they are written in. */
#include "value/value.h"

#include "algebra/difference.h"
#include "algebra/storage/encoding.h"
#include "isl_bridge/relation.h"

#include <layout/view.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static layout_answer compare_sets(layout_value *a, layout_value *b,
	layout_witness **witness)
{
	layout_set *left = layout_value_set(a), *right = layout_value_set(b);
	layout_answer answer = layout_set_equal(left, right, witness);

	layout_set_free(left);
	layout_set_free(right);
	return answer;
}

/* What as(..) would have to do where the tuples of one side differ: "" where it cannot
 * help: it reshapes boxes of numbers, and spaces of one name differ for good. */
static const char *hint(layout_relation *a, layout_relation *b, bool images, bool same)
{
	unsigned (*rank)(layout_relation *) = images ? layout_relation_out_rank :
		layout_relation_in_rank;

	if (rank(a) == rank(b))
		return images ? "; as(.., out = NAME) renames them" :
			"; as(.., in = NAME) renames them";
	if (same || layout_relation_param_count(a) || layout_relation_param_count(b))
		return "";
	return images ? "; as(.., out = [sizes]) gives them other coordinates" :
		"; as(.., in = [sizes]) gives them other coordinates";
}

/* The inputs, or the images, are of one rank and not of two names. */
static bool sides_meet(layout_relation *a, layout_relation *b, bool images)
{
	const char *left = layout_relation_tuple_name(a, images);
	const char *right = layout_relation_tuple_name(b, images);
	unsigned (*rank)(layout_relation *) = images ? layout_relation_out_rank :
		layout_relation_in_rank;
	bool same = left && right && !strcmp(left, right);

	if (rank(a) == rank(b) && (!left || !right || same))
		return true;
	layout_fail(layout_relation_context(a), LAYOUT_ERROR_SPACE, -1,
		"cannot compare: the %s are %s[%u] and %s[%u]%s",
		images ? "images" : "inputs", left ? left : "", rank(a),
		right ? right : "", rank(b), hint(a, b, images, same));
	return false;
}

static const struct point_style tuples = { LAYOUT_ORDER_LEX, NULL, NULL };

/* Without the inputs that are never anything but 0; as it is where it has sizes, or no box.
 * Consumes the relation. */
static layout_relation *squeeze(layout_relation *relation)
{
	layout_set *domain = layout_relation_domain(layout_relation_copy(relation));
	unsigned rank = layout_relation_in_rank(relation), count = 0;
	layout_context *ctx = layout_relation_context(relation);
	int64_t *sizes = layout_alloc(ctx, 2 * (size_t)rank, sizeof(*sizes));

	if (domain && sizes && layout_set_box(domain, sizes)) {
		for (unsigned i = 0; i < rank; i++)
			if (sizes[i] != 1)
				sizes[rank + count++] = sizes[i];
		if (count < rank)
			relation = layout_relation_view_ins(relation,
				(layout_box){ rank, sizes },
				(layout_box){ count, sizes + rank }, LAYOUT_ORDER_LEX);
	}
	layout_set_free(domain);
	free(sizes);
	return relation;
}

/* Where the inputs differ in how many they are, those that are always 0 do not count: a
 * nested layout's threads and elements then meet an operand's lanes and elements. */
static bool squeeze_both(layout_relation **a, layout_relation **b)
{
	struct layout_caught caught = { 0 }, *previous;
	layout_context *ctx;

	if (!*a || !*b || layout_relation_in_rank(*a) == layout_relation_in_rank(*b) ||
	    layout_relation_param_count(*a) || layout_relation_param_count(*b))
		return false;
	ctx = layout_relation_context(*a);
	previous = layout_context_catch(ctx, &caught);
	*a = squeeze(*a);
	*b = squeeze(*b);
	layout_context_catch(ctx, previous);
	if (!*a || !*b)
		layout_context_raise(ctx, &caught);
	else
		free(caught.message);
	return true;
}

/* Consumes both; the style is that of the first. */
static layout_answer compare(layout_relation *a, layout_relation *b,
	const struct point_style *style, layout_witness **witness)
{
	layout_answer answer = LAYOUT_UNKNOWN;

	if (squeeze_both(&a, &b))
		style = &tuples;

	if (a && b && sides_meet(a, b, false) && sides_meet(a, b, true))
		answer = relation_equal_in(a, b, style, witness);
	layout_relation_free(a);
	layout_relation_free(b);
	return answer;
}

/* The rank of the tensor that an encoding is of, or the least that it can be. */
static unsigned rank_of(const layout_encoding *encoding)
{
	unsigned rank = 0;

	if (encoding->outer_dims_perm)
		return encoding->outer_count;
	for (unsigned i = 0; i < encoding->inner_count; i++)
		if (encoding->inner_dims_pos[i] >= (int64_t)rank)
			rank = (unsigned)encoding->inner_dims_pos[i] + 1;
	return rank;
}

/* The least rank that tensors of both encodings can have; where there is none, that of
 * "a", and false with the error on the context. */
static bool common_rank(const layout_encoding *a, const layout_encoding *b,
	unsigned *rank)
{
	unsigned left = rank_of(a), right = rank_of(b);

	*rank = left > right ? left : right;
	if ((left == *rank || !a->outer_dims_perm) &&
	    (right == *rank || !b->outer_dims_perm))
		return true;
	layout_fail(a->ctx, LAYOUT_ERROR_SPACE, -1,
		"cannot compare: the encodings are of tensors of rank %u and %u", left,
		right);
	return false;
}

/* Both as they pack tensors [s0, s1, ..]; false with the error on the context.  Free in
 * both cases. */
static bool pack(layout_encoding *a, layout_encoding *b, layout_storage *packed[2])
{
	char names[LAYOUT_STORAGE_SLOTS][16];
	const char *sizes[LAYOUT_STORAGE_SLOTS];
	unsigned rank;

	packed[0] = packed[1] = NULL;
	if (!common_rank(a, b, &rank))
		return false;
	if (rank > LAYOUT_STORAGE_SLOTS) {
		layout_fail(a->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a tensor of rank %u is beyond %d", rank, LAYOUT_STORAGE_SLOTS);
		return false;
	}
	for (unsigned i = 0; i < rank; i++) {
		snprintf(names[i], sizeof(names[i]), "s%u", i);
		sizes[i] = names[i];
	}
	packed[0] = layout_storage_packed(layout_encoding_copy(a), rank, sizes);
	packed[1] = layout_storage_packed(layout_encoding_copy(b), rank, sizes);
	return packed[0] && packed[1];
}

typedef layout_answer (*storage_question)(layout_storage *a, layout_storage *b,
	layout_witness **witness);

static layout_answer compare_encodings(layout_value *a, layout_value *b,
	layout_witness **witness, storage_question ask)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	layout_storage *packed[2];

	if (pack(a->object, b->object, packed))
		answer = ask(packed[0], packed[1], witness);
	layout_storage_free(packed[0]);
	layout_storage_free(packed[1]);
	return answer;
}

static layout_answer compare_cells(layout_storage *a, layout_storage *b,
	layout_witness **witness)
{
	layout_relation *left = layout_storage_relation(a);

	return compare(left, layout_storage_relation(b), &tuples, witness);
}

/* What waits for a shape or for a target is the same as itself for all of them. */
static bool same_waiting(layout_value *a, layout_value *b)
{
	char *left, *right;
	bool same;

	if (a->kind != b->kind || !a->kind->lacks)
		return false;
	left = layout_value_str(a);
	right = layout_value_str(b);
	same = left && right && !strcmp(left, right);
	free(left);
	free(right);
	return same;
}

static layout_answer compare_relations(layout_value *a, layout_value *b,
	layout_witness **witness)
{
	const struct point_style style = {
		a->kind->order ? a->kind->order(a) : LAYOUT_ORDER_LEX,
		a->kind->print_point, a };
	layout_relation *left = layout_value_relation(a);

	return compare(left, layout_value_relation(b), &style, witness);
}

static bool are_encodings(const layout_value *a, const layout_value *b)
{
	return a->kind == &kind_encoding && b->kind == &kind_encoding;
}

/* Both are there, in one context. */
static bool can_compare(const layout_value *a, const layout_value *b,
	layout_witness **witness)
{
	if (witness)
		*witness = NULL;
	if (!a || !b)
		return false;
	if (a->ctx != b->ctx)
		layout_fail(a->ctx, LAYOUT_ERROR_INVALID, -1,
			"these are objects of two contexts");
	return a->ctx == b->ctx;
}

static layout_answer compare_values(layout_value *a, layout_value *b,
	layout_witness **witness)
{
	if (a->kind == &kind_set)
		return compare_sets(a, b, witness);
	if (same_waiting(a, b))
		return LAYOUT_YES;
	if (are_encodings(a, b))
		return compare_encodings(a, b, witness, compare_cells);
	return compare_relations(a, b, witness);
}

static layout_answer compare_memory(layout_value *a, layout_value *b,
	layout_witness **witness)
{
	layout_storage *left, *right;

	if (are_encodings(a, b))
		return compare_encodings(a, b, witness, layout_storage_same_memory);
	left = layout_value_storage(a);
	right = left ? layout_value_storage(b) : NULL;
	return layout_storage_same_memory(left, right, witness);
}

static layout_answer ask(layout_value *a, layout_value *b, layout_witness **witness,
	layout_answer (*question)(layout_value *, layout_value *, layout_witness **))
{
	layout_answer answer;

	if (!can_compare(a, b, witness))
		return LAYOUT_UNKNOWN;
	layout_begin_call(a->ctx);
	answer = question(a, b, witness);
	layout_end_call(a->ctx);
	return answer;
}

layout_answer layout_equal(layout_value *a, layout_value *b, layout_witness **witness)
{
	return ask(a, b, witness, compare_values);
}

layout_answer layout_equal_memory(layout_value *a, layout_value *b,
	layout_witness **witness)
{
	return ask(a, b, witness, compare_memory);
}
