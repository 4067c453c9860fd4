/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Questions about relations: each asks whether a set of counter-examples is
 * empty, and a counter-example is the witness. */
#include "algebra/equal_functions.h"
#include "algebra/forms.h"
#include "algebra/function.h"
#include "algebra/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Close a bridge_enter().  "against" holds the counter-examples, consumed; see
 * bridge_witness() for the ranks. */
static layout_answer decide(layout_context *ctx, const char *doing, isl_set *against,
	unsigned first_rank, bool two, layout_witness **witness)
{
	isl_bool empty = isl_set_is_empty(against);
	bool failed = bridge_failed(ctx);

	if (empty == isl_bool_false && !failed && witness)
		*witness = bridge_witness(ctx, isl_set_copy(against), first_rank, two);
	isl_set_free(against);
	if (!bridge_leave(ctx, doing) || empty == isl_bool_error)
		return LAYOUT_UNKNOWN;
	return empty == isl_bool_true ? LAYOUT_YES : LAYOUT_NO;
}

/* Pairs (x, x') with x before x' that "map" : X -> Y sends to one y. */
static isl_set *collisions(isl_map *map)
{
	isl_map *reversed = isl_map_reverse(isl_map_copy(map));
	isl_map *pairs = isl_map_apply_range(map, reversed);
	isl_space *space = isl_space_domain(isl_map_get_space(pairs));

	pairs = isl_map_intersect(pairs, isl_map_lex_lt(space));
	return isl_set_flatten(isl_map_wrap(pairs));
}

/* Errors were caught since layout_context_catch(), which gave "previous": raise the one
 * there was.  Where the quota ran out on a function whose digits carry, say so. */
static void raise_error(layout_relation *relation, struct layout_caught *caught,
	struct layout_caught *previous)
{
	layout_context *ctx = relation->ctx;
	const char *message = caught->message ? caught->message : "out of memory";
	int64_t by = 0;

	layout_context_catch(ctx, previous);
	if (caught->kind == LAYOUT_ERROR_QUOTA) {
		bridge_enter(ctx);
		by = find_carry(relation->forward);
		bridge_leave(ctx, "look at digits");
	}
	if (by)
		layout_fail(ctx, caught->kind, -1, "%s: digits carry, a floor by %" PRId64
			" is of several inputs together", message, by);
	else if (caught->kind != LAYOUT_ERROR_NONE)
		layout_fail(ctx, caught->kind, -1, "%s", message);
	free(caught->message);
}

static void clear(layout_witness **witness)
{
	if (witness)
		*witness = NULL;
}

/* Is the function of the form, which the relation reverses, injective?  Two inputs of
 * one image are two images of one input. */
static layout_answer is_reversed_function(layout_relation *relation,
	layout_witness **witness)
{
	layout_relation *function = bridge_share_form(relation, false);
	layout_answer answer = layout_relation_is_injective(function, witness);

	layout_relation_free(function);
	return answer;
}

layout_answer layout_relation_is_function(layout_relation *relation,
	layout_witness **witness)
{
	isl_map *map;

	clear(witness);
	if (!relation)
		return LAYOUT_UNKNOWN;
	if (bridge_function_form(relation) || relation->forward)
		return LAYOUT_YES;
	if (relation->form)
		return is_reversed_function(relation, witness);
	bridge_enter(relation->ctx);
	map = bridge_asked_map(relation);
	return decide(relation->ctx, "decide whether this is a function",
		collisions(isl_map_reverse(map)), layout_relation_out_rank(relation),
		true, witness);
}

layout_answer layout_relation_is_injective(layout_relation *relation,
	layout_witness **witness)
{
	layout_answer result = LAYOUT_UNKNOWN;
	struct layout_caught caught = { 0 }, *previous;
	struct table table;

	clear(witness);
	if (!relation)
		return LAYOUT_UNKNOWN;
	if (relation->reversed || relation->backward)
		return LAYOUT_YES;
	result = form_is_injective(relation, witness);
	if (result != LAYOUT_UNKNOWN)
		return result;
	if (table_build(&table, relation))
		result = table_is_injective(&table, witness);
	table_free(&table);
	if (result != LAYOUT_UNKNOWN)
		return result;
	previous = layout_context_catch(relation->ctx, &caught);
	bridge_enter(relation->ctx);
	result = decide(relation->ctx, "decide whether this is injective",
		collisions(bridge_asked_map(relation)), layout_relation_in_rank(relation),
		true, witness);
	raise_error(relation, &caught, previous);
	return result;
}

/* Points of "wanted" that "reached" lacks, or with "only" of "reached" beyond "wanted";
 * the tuples must meet.  Closes the bridge_enter(), consumes "reached". */
static layout_answer covers(layout_set *wanted, isl_set *reached, bool only,
	const char *doing, layout_witness **witness)
{
	isl_set *missing = bridge_asked_set(wanted), *beyond = NULL;
	unsigned rank = layout_set_rank(wanted);

	if (!bridge_sets_meet(wanted->ctx, doing, &reached, &missing)) {
		isl_set_free(missing);
		isl_set_free(reached);
		bridge_leave(wanted->ctx, doing);
		return LAYOUT_UNKNOWN;
	}
	if (only)
		beyond = isl_set_intersect_params(isl_set_subtract(
			isl_set_copy(reached), isl_set_copy(missing)),
			bridge_nonnegative(isl_set_get_space(missing)));
	missing = isl_set_intersect_params(
		isl_set_subtract(missing, isl_set_copy(reached)),
		bridge_nonnegative(isl_set_get_space(reached)));
	isl_set_free(reached);
	return decide(wanted->ctx, doing, only ? isl_set_union(missing, beyond) : missing,
		rank, false, witness);
}

/* What a question about a relation and a set starts with. */
static bool can_ask(layout_relation *relation, layout_set *set, layout_witness **witness)
{
	clear(witness);
	return relation && set && bridge_contexts_meet(relation->ctx, set->ctx);
}

/* The names of the images and of "onto" do not differ. */
static bool names_agree(layout_relation *relation, layout_set *onto)
{
	const char *image = relation->form ? NULL :
		isl_map_get_tuple_name(relation->map, isl_dim_out);
	const char *wanted = isl_set_get_tuple_name(onto->set);

	return !image || !wanted || strcmp(image, wanted) == 0;
}

/* Every point of "onto" is an image, and with "only" no other point is. */
static layout_answer reaches(layout_relation *relation, layout_set *onto, bool only,
	layout_witness **witness)
{
	layout_answer result = LAYOUT_UNKNOWN;
	struct table table;

	if (names_agree(relation, onto))
		result = form_covers(relation, onto, witness);
	if (result == LAYOUT_NO || (result == LAYOUT_YES && !only))
		return result;
	result = LAYOUT_UNKNOWN;
	if (table_build(&table, relation) && names_agree(relation, onto))
		result = table_covers(&table, onto, only, witness);
	table_free(&table);
	if (result != LAYOUT_UNKNOWN)
		return result;
	bridge_enter(relation->ctx);
	return covers(onto, form_range(relation), only,
		"decide whether this is surjective", witness);
}

layout_answer layout_relation_is_surjective(layout_relation *relation, layout_set *onto,
	layout_witness **witness)
{
	if (!can_ask(relation, onto, witness))
		return LAYOUT_UNKNOWN;
	return reaches(relation, onto, false, witness);
}

layout_answer layout_relation_is_total(layout_relation *relation, layout_set *from,
	layout_witness **witness)
{
	if (!can_ask(relation, from, witness))
		return LAYOUT_UNKNOWN;
	bridge_enter(relation->ctx);
	return covers(from, form_domain(relation), false,
		"decide whether this is total", witness);
}

layout_answer layout_relation_is_bijective(layout_relation *relation, layout_set *onto,
	layout_witness **witness)
{
	layout_answer function, injective, exactly;

	if (!can_ask(relation, onto, witness))
		return LAYOUT_UNKNOWN;
	function = layout_relation_is_function(relation, witness);
	if (function == LAYOUT_NO)
		return LAYOUT_NO;
	injective = layout_relation_is_injective(relation, witness);
	if (injective == LAYOUT_NO)
		return LAYOUT_NO;
	exactly = reaches(relation, onto, true, witness);
	if (exactly == LAYOUT_NO)
		return LAYOUT_NO;
	return function == LAYOUT_YES && injective == LAYOUT_YES ?
		exactly : LAYOUT_UNKNOWN;
}

/* What isl may spend on a comparison before points are looked at. */
#define COMPARE_OPERATIONS 20000ul

/* Pairs in one of the two maps only, under both contexts; keeps them. */
static isl_set *difference(isl_map *left, isl_map *right)
{
	isl_map *only_left;

	left = isl_map_intersect_params(isl_map_copy(left),
		bridge_nonnegative(isl_map_get_space(right)));
	right = isl_map_intersect_params(isl_map_copy(right),
		bridge_nonnegative(isl_map_get_space(left)));
	only_left = isl_map_subtract(isl_map_copy(left), isl_map_copy(right));
	return isl_set_flatten(isl_map_wrap(isl_map_union(only_left,
		isl_map_subtract(right, left))));
}

/* Is the difference seen to be empty, or not, without much work? */
static bool is_quick(layout_context *ctx, isl_map *left, isl_map *right)
{
	isl_set *differ;
	isl_bool empty;

	bridge_begin_attempt(ctx, COMPARE_OPERATIONS);
	differ = difference(left, right);
	empty = isl_set_is_empty(differ);
	isl_set_free(differ);
	return bridge_end_attempt(ctx) && empty != isl_bool_error;
}

static layout_answer compare_tables(layout_relation *a, layout_relation *b,
	layout_witness **witness)
{
	layout_answer result = LAYOUT_UNKNOWN;
	struct table left = { 0 }, right = { 0 };

	if (table_build(&left, a) && table_build(&right, b))
		result = table_equal(&left, &right, witness);
	table_free(&left);
	table_free(&right);
	return result;
}

/* Of one space by now; closes the bridge_enter(). */
static layout_answer compare(layout_relation *a, layout_relation *b, isl_map *left,
	isl_map *right, layout_witness **witness)
{
	layout_answer result = LAYOUT_UNKNOWN;

	if (isl_map_plain_is_equal(left, right) == isl_bool_true)
		return bridge_leave(a->ctx, "compare") ? LAYOUT_YES : LAYOUT_UNKNOWN;
	result = functions_equal(a, left, b, right, witness);
	if (result == LAYOUT_UNKNOWN && !is_quick(a->ctx, left, right))
		result = compare_tables(a, b, witness);
	if (result == LAYOUT_UNKNOWN)
		return decide(a->ctx, "compare", difference(left, right),
			layout_relation_in_rank(a), true, witness);
	bridge_leave(a->ctx, "compare");
	return result;
}

layout_answer layout_relation_equal(layout_relation *a, layout_relation *b,
	layout_witness **witness)
{
	struct layout_caught caught = { 0 }, *previous;
	layout_answer result;
	isl_map *left, *right;

	clear(witness);
	if (!a || !b || !bridge_contexts_meet(a->ctx, b->ctx))
		return LAYOUT_UNKNOWN;
	result = form_equal(a, b, witness);
	if (result != LAYOUT_UNKNOWN)
		return result;
	previous = layout_context_catch(a->ctx, &caught);
	bridge_enter(a->ctx);
	left = bridge_asked_map(a);
	right = bridge_asked_map(b);
	if (bridge_maps_meet(a->ctx, "compare", &left, isl_dim_in, &right, isl_dim_in) &&
	    bridge_maps_meet(a->ctx, "compare", &left, isl_dim_out, &right, isl_dim_out))
		result = compare(a, b, left, right, witness);
	else
		bridge_leave(a->ctx, "compare");
	isl_map_free(left);
	isl_map_free(right);
	raise_error(a, &caught, previous);
	return result;
}

layout_answer layout_set_equal(layout_set *a, layout_set *b, layout_witness **witness)
{
	layout_answer result;

	clear(witness);
	if (!a || !b || !bridge_contexts_meet(a->ctx, b->ctx))
		return LAYOUT_UNKNOWN;
	bridge_enter(a->ctx);
	result = covers(a, isl_set_copy(b->set), false, "compare", witness);
	if (result != LAYOUT_YES)
		return result;
	bridge_enter(a->ctx);
	return covers(b, isl_set_copy(a->set), false, "compare", witness);
}

layout_answer layout_set_is_empty(layout_set *set)
{
	if (!set)
		return LAYOUT_UNKNOWN;
	bridge_enter(set->ctx);
	return decide(set->ctx, "decide whether this is empty", bridge_asked_set(set),
		0, false, NULL);
}
