/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Questions about relations and sets: a table of questions and rungs, and the one way
 * up.  isl's rungs ask whether a set of counter-examples is empty; a counter-example is
 * the witness. */
#include "algebra/difference.h"
#include "algebra/equal_functions.h"
#include "algebra/forms.h"
#include "algebra/function.h"
#include "algebra/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is asked, and of what; no context: something is missing, or of another one. */
struct asked {
	const struct question *question;
	layout_context *ctx;
	layout_relation *relation, *other;
	layout_set *set, *other_set;
	layout_witness **witness;
};

/* A rung answers exactly, with a witness for LAYOUT_NO where one is wanted, or passes on
 * with LAYOUT_UNKNOWN; where that leaves an error, no rung is above it. */
typedef layout_answer (*rung)(const struct asked *asked);

/* What is known by construction; the forms; the structure of functions and of layouts;
 * the points, one by one; isl. */
enum { KNOWN, FORM, STRUCTURE, POINTS, ISL, RUNGS };

struct question {
	const char *doing;
	rung rungs[RUNGS];
	bool only;	/* no image lies outside of the set */
	bool carries;	/* where the quota ends at digits that carry, say so */
};

/* Close a bridge_enter().  "against" holds the counter-examples, consumed; see
 * bridge_witness() for the ranks. */
static layout_answer decide(const struct asked *asked, isl_set *against,
	unsigned first_rank, bool two)
{
	layout_context *ctx = asked->ctx;
	isl_bool empty = isl_set_is_empty(against);
	bool failed = bridge_failed(ctx);

	if (empty == isl_bool_false && !failed && asked->witness)
		*asked->witness = bridge_witness(ctx, isl_set_copy(against), first_rank,
			two);
	isl_set_free(against);
	if (!bridge_leave(ctx, asked->question->doing))
		return LAYOUT_UNKNOWN;
	if (empty == isl_bool_error) {
		layout_is_made(ctx, NULL);
		return LAYOUT_UNKNOWN;
	}
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

static layout_answer known_function(const struct asked *asked)
{
	const layout_relation *relation = asked->relation;

	return bridge_function_form(relation) || relation->forward ? LAYOUT_YES :
		LAYOUT_UNKNOWN;
}

/* Is the function of the form, which the relation reverses, injective?  Two inputs of
 * one image are two images of one input. */
static layout_answer reversed_function(const struct asked *asked)
{
	layout_relation *function;
	layout_answer answer;

	if (!asked->relation->form)
		return LAYOUT_UNKNOWN;
	function = bridge_share_form(asked->relation, false);
	answer = layout_relation_is_injective(function, asked->witness);
	layout_relation_free(function);
	return answer;
}

static layout_answer isl_is_function(const struct asked *asked)
{
	bridge_enter(asked->ctx);
	return decide(asked, collisions(isl_map_reverse(bridge_asked_map(asked->relation))),
		layout_relation_out_rank(asked->relation), true);
}

static layout_answer known_injective(const struct asked *asked)
{
	const layout_relation *relation = asked->relation;

	return relation->reversed || relation->backward ? LAYOUT_YES : LAYOUT_UNKNOWN;
}

static layout_answer form_injective(const struct asked *asked)
{
	return form_is_injective(asked->relation, asked->witness);
}

static layout_answer points_injective(const struct asked *asked)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct table table;

	if (table_build(&table, asked->relation))
		answer = table_is_injective(&table, asked->witness);
	table_free(&table);
	return answer;
}

static layout_answer isl_is_injective(const struct asked *asked)
{
	bridge_enter(asked->ctx);
	return decide(asked, collisions(bridge_asked_map(asked->relation)),
		layout_relation_in_rank(asked->relation), true);
}

/* The names of the images and of the set do not differ. */
static bool names_agree(const struct asked *asked)
{
	const layout_relation *relation = asked->relation;
	const char *image = relation->form ? NULL :
		isl_map_get_tuple_name(relation->map, isl_dim_out);
	const char *wanted = isl_set_get_tuple_name(asked->set->set);

	return !image || !wanted || strcmp(image, wanted) == 0;
}

static layout_answer form_covering(const struct asked *asked)
{
	return names_agree(asked) ?
		form_covers(asked->relation, asked->set, asked->question->only,
			asked->witness) : LAYOUT_UNKNOWN;
}

static layout_answer origin_covering(const struct asked *asked)
{
	const struct origin *origin = asked->relation->origin;

	return origin ? origin->covers(origin->layout, asked->set, asked->witness) :
		LAYOUT_UNKNOWN;
}

static layout_answer points_covering(const struct asked *asked)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct table table;

	if (!names_agree(asked))
		return LAYOUT_UNKNOWN;
	if (table_build(&table, asked->relation))
		answer = table_covers(&table, asked->set, asked->question->only,
			asked->witness);
	table_free(&table);
	return answer;
}

/* Points of "wanted" that "reached" lacks, or where only those are asked for, of
 * "reached" beyond "wanted"; the tuples must meet.  Closes the bridge_enter(), consumes
 * "reached". */
static layout_answer covers(const struct asked *asked, layout_set *wanted, isl_set *reached)
{
	isl_set *missing = bridge_asked_set(wanted), *beyond = NULL;

	if (!bridge_sets_meet(asked->ctx, asked->question->doing, &reached, &missing)) {
		isl_set_free(missing);
		isl_set_free(reached);
		bridge_leave(asked->ctx, asked->question->doing);
		return LAYOUT_UNKNOWN;
	}
	if (asked->question->only)
		beyond = isl_set_intersect_params(isl_set_subtract(
			isl_set_copy(reached), isl_set_copy(missing)),
			bridge_nonnegative(isl_set_get_space(missing)));
	missing = isl_set_intersect_params(
		isl_set_subtract(missing, isl_set_copy(reached)),
		bridge_nonnegative(isl_set_get_space(reached)));
	isl_set_free(reached);
	return decide(asked, beyond ? isl_set_union(missing, beyond) : missing,
		layout_set_rank(wanted), false);
}

static layout_answer isl_covering(const struct asked *asked)
{
	bridge_enter(asked->ctx);
	return covers(asked, asked->set, form_range(asked->relation));
}

static layout_answer isl_total(const struct asked *asked)
{
	bridge_enter(asked->ctx);
	return covers(asked, asked->set, form_domain(asked->relation));
}

static layout_answer forms_equal(const struct asked *asked)
{
	return form_equal(asked->relation, asked->other, asked->witness);
}

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

	bridge_begin_attempt(ctx, BUDGET_COMPARE);
	differ = difference(left, right);
	empty = isl_set_is_empty(differ);
	isl_set_free(differ);
	return bridge_end_attempt(ctx) && empty != isl_bool_error;
}

/* Of the differences, consumed, those at sizes for which both are anything, where there are
 * such: that one is nothing at sizes it is not for says less of the two. */
static isl_set *where_both(layout_context *ctx, isl_set *against, isl_map *left, isl_map *right)
{
	isl_set *both;

	bridge_begin_attempt(ctx, BUDGET_LEAST_WITNESS);
	both = isl_set_intersect_params(isl_set_copy(against), isl_set_intersect(
		isl_map_params(isl_map_copy(left)), isl_map_params(isl_map_copy(right))));
	if (isl_set_is_empty(both) == isl_bool_false) {
		isl_set *all = against;

		against = both;
		both = all;
	}
	isl_set_free(both);
	bridge_end_attempt(ctx);
	return against;
}

/* Of one space by now. */
static layout_answer compare_quickly(const struct asked *asked, isl_map *left,
	isl_map *right)
{
	if (isl_map_plain_is_equal(left, right) == isl_bool_true)
		return LAYOUT_YES;
	return functions_equal(asked->relation, left, asked->other, right, asked->witness);
}

/* Ask isl: unless "patient", after what is quickly seen, and if it is quick, too. */
static layout_answer compare(const struct asked *asked, bool patient)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	layout_context *ctx = asked->ctx;
	isl_map *left, *right;
	bool meet;

	bridge_enter(ctx);
	left = bridge_asked_map(asked->relation);
	right = bridge_asked_map(asked->other);
	meet = bridge_maps_meet(ctx, "compare", &left, isl_dim_in, &right, isl_dim_in) &&
		bridge_maps_meet(ctx, "compare", &left, isl_dim_out, &right, isl_dim_out);
	if (meet && !patient)
		answer = compare_quickly(asked, left, right);
	if (meet && answer == LAYOUT_UNKNOWN && (patient || is_quick(ctx, left, right)))
		answer = decide(asked, where_both(ctx, difference(left, right), left, right),
			layout_relation_in_rank(asked->relation), true);
	else if (!bridge_leave(ctx, "compare"))
		answer = LAYOUT_UNKNOWN;
	isl_map_free(left);
	isl_map_free(right);
	return answer;
}

static layout_answer structure_equal(const struct asked *asked)
{
	return compare(asked, false);
}

static layout_answer points_equal(const struct asked *asked)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct table left = { 0 }, right = { 0 };

	if (table_build(&left, asked->relation) && table_build(&right, asked->other))
		answer = table_equal(&left, &right, asked->witness);
	table_free(&left);
	table_free(&right);
	return answer;
}

static layout_answer isl_equal(const struct asked *asked)
{
	return compare(asked, true);
}

static layout_answer isl_sets_equal(const struct asked *asked)
{
	layout_answer answer;

	bridge_enter(asked->ctx);
	answer = covers(asked, asked->set, isl_set_copy(asked->other_set->set));
	if (answer != LAYOUT_YES)
		return answer;
	bridge_enter(asked->ctx);
	return covers(asked, asked->other_set, isl_set_copy(asked->set->set));
}

static layout_answer isl_is_empty(const struct asked *asked)
{
	bridge_enter(asked->ctx);
	return decide(asked, bridge_asked_set(asked->set), 0, false);
}

enum { FUNCTION, INJECTIVE, SURJECTIVE, EXACTLY, TOTAL, EQUAL, SETS_EQUAL, EMPTY };

static const struct question questions[] = {
	/* known, form, structure, points, isl */
	[FUNCTION] = { "decide whether this is a function", {
		known_function, reversed_function, NULL, NULL, isl_is_function } },
	[INJECTIVE] = { "decide whether this is injective", {
		known_injective, form_injective, NULL, points_injective, isl_is_injective },
		.carries = true },
	[SURJECTIVE] = { "decide whether this is surjective", {
		NULL, form_covering, origin_covering, points_covering, isl_covering } },
	[EXACTLY] = { "decide whether this is surjective", {
		NULL, form_covering, origin_covering, points_covering, isl_covering },
		.only = true },
	[TOTAL] = { "decide whether this is total", {
		NULL, NULL, NULL, NULL, isl_total } },
	[EQUAL] = { "compare", {
		NULL, forms_equal, structure_equal, points_equal, isl_equal },
		.carries = true },
	[SETS_EQUAL] = { "compare", { NULL, NULL, NULL, NULL, isl_sets_equal } },
	[EMPTY] = { "decide whether this is empty", {
		NULL, NULL, NULL, NULL, isl_is_empty } },
};

/* Put what was caught on the context, and what is known of why the quota ran out. */
static void raise_error(const struct asked *asked, struct layout_caught *caught)
{
	const char *message = caught->message ? caught->message : "out of memory";
	layout_context *ctx = asked->ctx;
	int64_t by = 0;

	if (caught->kind == LAYOUT_ERROR_QUOTA && asked->question->carries) {
		bridge_enter(ctx);
		by = find_carry(asked->relation->forward);
		bridge_leave(ctx, "look at digits");
	}
	if (!by) {
		layout_context_raise(ctx, caught);
		return;
	}
	layout_fail(ctx, caught->kind, -1, "%s: digits carry, a floor by %" PRId64
		" is of several inputs together", message, by);
	free(caught->message);
}

/* Climb until a rung answers, or fails. */
static layout_answer ask(struct asked asked)
{
	struct layout_caught caught = { 0 }, *previous;
	layout_answer answer = LAYOUT_UNKNOWN;

	if (asked.witness)
		*asked.witness = NULL;
	if (!asked.ctx)
		return LAYOUT_UNKNOWN;
	layout_begin_call(asked.ctx);
	previous = layout_context_catch(asked.ctx, &caught);
	for (unsigned i = 0; i < RUNGS && answer == LAYOUT_UNKNOWN && !caught.kind; i++)
		if (asked.question->rungs[i])
			answer = asked.question->rungs[i](&asked);
	layout_context_catch(asked.ctx, previous);
	raise_error(&asked, &caught);
	layout_end_call(asked.ctx);
	return answer;
}

static layout_answer ask_alone(unsigned question, layout_relation *relation,
	layout_witness **witness)
{
	return ask((struct asked){ &questions[question],
		layout_relation_context(relation), relation, .witness = witness });
}

/* The context of two, where both are there and of one. */
static layout_context *common(layout_context *a, layout_context *b)
{
	return a && b && bridge_contexts_meet(a, b) ? a : NULL;
}

static layout_answer ask_of_set(unsigned question, layout_relation *relation,
	layout_set *set, layout_witness **witness)
{
	return ask((struct asked){ &questions[question],
		common(layout_relation_context(relation), layout_set_context(set)),
		relation, .set = set, .witness = witness });
}

layout_answer layout_relation_is_function(layout_relation *relation,
	layout_witness **witness)
{
	return ask_alone(FUNCTION, relation, witness);
}

layout_answer layout_relation_is_injective(layout_relation *relation,
	layout_witness **witness)
{
	return ask_alone(INJECTIVE, relation, witness);
}

layout_answer layout_relation_is_surjective(layout_relation *relation, layout_set *onto,
	layout_witness **witness)
{
	return ask_of_set(SURJECTIVE, relation, onto, witness);
}

layout_answer layout_relation_is_total(layout_relation *relation, layout_set *from,
	layout_witness **witness)
{
	return ask_of_set(TOTAL, relation, from, witness);
}

/* "No" to any of the parts is no, and only "yes" to all is yes. */
layout_answer layout_relation_is_bijective(layout_relation *relation, layout_set *onto,
	layout_witness **witness)
{
	static const unsigned parts[] = { FUNCTION, INJECTIVE, EXACTLY };
	struct asked asked = { NULL, common(layout_relation_context(relation),
		layout_set_context(onto)), relation, .set = onto, .witness = witness };
	layout_answer all = LAYOUT_YES;

	layout_begin_call(asked.ctx);
	for (unsigned i = 0; i < 3 && all != LAYOUT_NO; i++) {
		layout_answer answer;

		asked.question = &questions[parts[i]];
		answer = ask(asked);
		all = answer == LAYOUT_YES ? all : answer;
	}
	layout_end_call(asked.ctx);
	return all;
}

layout_answer relation_equal_somewhere(layout_relation *a, layout_relation *b,
	layout_witness **witness)
{
	return ask((struct asked){ &questions[EQUAL], common(layout_relation_context(a),
		layout_relation_context(b)), a, b, .witness = witness });
}

layout_answer layout_set_equal(layout_set *a, layout_set *b, layout_witness **witness)
{
	return ask((struct asked){ &questions[SETS_EQUAL], common(layout_set_context(a),
		layout_set_context(b)), .set = a, .other_set = b, .witness = witness });
}

layout_answer layout_set_is_empty(layout_set *set)
{
	return ask((struct asked){ &questions[EMPTY], layout_set_context(set), .set = set });
}
