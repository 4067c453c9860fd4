/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/body/parts.h"
#include "algebra/size/affine.h"
#include "isl_bridge/objects.h"

#include <stdlib.h>

struct body *body_new(layout_context *ctx, unsigned rank)
{
	struct body *body = layout_alloc(ctx, 1, sizeof(*body));

	if (!body)
		return NULL;
	body->ctx = ctx;
	body->rank = rank;
	bridge_enter(ctx);
	body->box = isl_set_universe(isl_space_set_alloc(bridge_isl(ctx), 0, rank));
	if (bridge_leave(ctx, "read a body"))
		return body;
	body_free(body);
	return NULL;
}

void body_free(struct body *body)
{
	if (body)
		isl_set_free(body->box);
	free(body);
}

/* Close a bridge_enter(); consumes what is not NULL. */
static struct body_value *give(struct body *body, isl_pw_aff *index, isl_set *truth)
{
	bool good = bridge_leave(body->ctx, "compute an index") && (index || truth);
	struct body_value *value = good ? layout_alloc(body->ctx, 1, sizeof(*value)) : NULL;

	if (value) {
		*value = (struct body_value){ body->ctx, index, truth };
		return value;
	}
	isl_pw_aff_free(index);
	isl_set_free(truth);
	return NULL;
}

struct body_value *body_give(struct body *body, isl_pw_aff *index)
{
	return give(body, index, NULL);
}

void body_value_free(struct body_value *value)
{
	if (!value)
		return;
	isl_pw_aff_free(value->index);
	isl_set_free(value->truth);
	free(value);
}

struct body_value *body_copy(const struct body_value *value)
{
	struct body_value *copy = value ? layout_alloc(value->ctx, 1, sizeof(*copy)) : NULL;

	if (copy)
		*copy = (struct body_value){ value->ctx, isl_pw_aff_copy(value->index),
			isl_set_copy(value->truth) };
	return copy;
}

isl_space *body_space(const struct body *body)
{
	return isl_space_set_alloc(bridge_isl(body->ctx), 0, body->rank);
}

static isl_pw_aff *number_on(const struct body *body, int64_t number)
{
	isl_space *space = body_space(body);
	isl_aff *aff = aff_number(space, number);

	isl_space_free(space);
	return isl_pw_aff_from_aff(aff);
}

struct body_value *body_number(struct body *body, int64_t number)
{
	bridge_enter(body->ctx);
	return give(body, number_on(body, number), NULL);
}

struct body_value *body_argument(struct body *body, unsigned argument)
{
	isl_space *space;
	isl_aff *aff;

	bridge_enter(body->ctx);
	space = body_space(body);
	aff = aff_coordinate(space, argument);
	isl_space_free(space);
	return give(body, isl_pw_aff_from_aff(aff), NULL);
}

struct body_value *body_name(struct body *body, const char *name)
{
	isl_space *space;
	isl_aff *aff;

	bridge_enter(body->ctx);
	space = isl_space_add_dims(body_space(body), isl_dim_param, 1);
	space = isl_space_set_dim_name(space, isl_dim_param, 0, name);
	aff = aff_parameter(space, 0);
	isl_space_free(space);
	return give(body, isl_pw_aff_from_aff(aff), NULL);
}

struct body_value *body_size(struct body *body, const struct size *size)
{
	bridge_enter(body->ctx);
	return give(body, isl_pw_aff_from_aff(isl_aff_copy(size->aff)), NULL);
}

char *body_size_str(const struct body_value *index)
{
	char *text = NULL;
	isl_pw_aff *asked;
	isl_set *names;
	isl_aff *aff;
	bool one;

	bridge_enter(index->ctx);
	names = bridge_nonnegative(isl_space_params(isl_pw_aff_get_domain_space(index->index)));
	asked = isl_pw_aff_intersect_params(isl_pw_aff_copy(index->index), isl_set_copy(names));
	asked = isl_pw_aff_coalesce(isl_pw_aff_gist_params(asked, names));
	one = isl_pw_aff_isa_aff(asked) == isl_bool_true;
	if (one) {
		aff = isl_pw_aff_as_aff(isl_pw_aff_copy(asked));
		text = size_aff_str(index->ctx, aff);
		isl_aff_free(aff);
	}
	isl_pw_aff_free(asked);
	if (bridge_leave(index->ctx, "read a size") && !one)
		layout_fail(index->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"this is no one expression of sizes");
	return text;
}

struct body_value *body_truth(struct body *body, bool truth)
{
	bridge_enter(body->ctx);
	return give(body, NULL, truth ? isl_set_universe(body_space(body)) :
		isl_set_empty(body_space(body)));
}

bool body_is_truth(const struct body_value *value)
{
	return value->truth;
}

bool body_constant(const struct body_value *index, int64_t *number)
{
	bool good = false;
	isl_aff *aff;
	isl_val *value;

	bridge_enter(index->ctx);
	if (isl_pw_aff_isa_aff(index->index) == isl_bool_true &&
	    isl_pw_aff_is_cst(index->index) == isl_bool_true) {
		aff = isl_pw_aff_as_aff(isl_pw_aff_copy(index->index));
		value = isl_aff_get_constant_val(aff);
		isl_aff_free(aff);
		good = isl_val_is_int(value) == isl_bool_true &&
			bridge_int64(index->ctx, isl_val_copy(value), number);
		isl_val_free(value);
	}
	return bridge_leave(index->ctx, "compute an index") && good;
}

bool body_same(const struct body_value *a, const struct body_value *b)
{
	isl_set *differ;
	bool same;

	bridge_enter(a->ctx);
	differ = isl_pw_aff_ne_set(isl_pw_aff_copy(a->index), isl_pw_aff_copy(b->index));
	differ = isl_set_intersect_params(differ, bridge_nonnegative(
		isl_space_params(isl_set_get_space(differ))));
	same = isl_set_is_empty(differ) == isl_bool_true;
	isl_set_free(differ);
	return bridge_leave(a->ctx, "compare indices") && same;
}

isl_set *body_asked(const struct body *body, isl_set *set)
{
	set = isl_set_intersect(set, isl_set_copy(body->box));
	return isl_set_intersect_params(set, bridge_nonnegative(
		isl_space_params(isl_set_get_space(set))));
}

static isl_set *negative(const struct body *body, isl_pw_aff *index)
{
	return isl_pw_aff_lt_set(isl_pw_aff_copy(index), number_on(body, 0));
}

bool body_may_be_negative(const struct body *body, isl_pw_aff *index)
{
	isl_set *set = body_asked(body, negative(body, index));
	bool empty = isl_set_is_empty(set) == isl_bool_true;

	isl_set_free(set);
	return !empty;
}

bool body_bound(struct body *body, unsigned argument, const struct body_value *size)
{
	struct body_value *index = body_argument(body, argument);

	if (!index || !size) {
		body_value_free(index);
		return false;
	}
	bridge_enter(body->ctx);
	body->box = isl_set_intersect(body->box, isl_pw_aff_ge_set(
		isl_pw_aff_copy(index->index), number_on(body, 0)));
	body->box = isl_set_intersect(body->box, isl_pw_aff_lt_set(
		isl_pw_aff_copy(index->index), isl_pw_aff_copy(size->index)));
	body_value_free(index);
	return bridge_leave(body->ctx, "bound an index");
}

static bool refuse(const struct body *body, const char *why)
{
	layout_fail(body->ctx, LAYOUT_ERROR_INVALID, -1, "%s", why);
	return false;
}

bool body_not_affine(const struct body *body)
{
	return refuse(body, "not affine: sizes that are no numbers are multiplied");
}

static bool is_unsigned(enum body_operation operation)
{
	return operation == BODY_UNSIGNED_QUOTIENT || operation == BODY_UNSIGNED_CEIL ||
		operation == BODY_UNSIGNED_REMAINDER || operation == BODY_UNSIGNED_MIN ||
		operation == BODY_UNSIGNED_MAX;
}

static bool divides(enum body_operation operation)
{
	return operation >= BODY_FLOOR && operation <= BODY_UNSIGNED_REMAINDER;
}

/* What isl can do, and only where it is what a machine would. */
static bool check(struct body *body, enum body_operation operation,
	const struct body_value *a, const struct body_value *b)
{
	int64_t x, y = 0;
	bool whole_a = body_constant(a, &x), whole_b = body_constant(b, &y), good;

	if (operation == BODY_MULTIPLY && !whole_a && !whole_b)
		return refuse(body, "not affine: neither factor is constant");
	if (divides(operation) && !whole_b)
		return refuse(body, "not affine: the divisor is not constant");
	if (divides(operation) && y < 1)
		return refuse(body, "a divisor must be at least 1");
	if (!is_unsigned(operation))
		return true;
	bridge_enter(body->ctx);
	good = !body_may_be_negative(body, a->index) && (divides(operation) ||
		!body_may_be_negative(body, b->index));
	return bridge_leave(body->ctx, "compute an index") && (good ||
		refuse(body, "the index may be negative, and an unsigned operation is no "
			"affine function then"));
}

/* Between bridge_enter() and bridge_leave(); consumes both. */
static isl_pw_aff *compute(enum body_operation operation, isl_pw_aff *a, isl_pw_aff *b)
{
	isl_pw_aff *quotient;

	switch (operation) {
	case BODY_ADD:
		return isl_pw_aff_add(a, b);
	case BODY_SUBTRACT:
		return isl_pw_aff_sub(a, b);
	case BODY_MULTIPLY:
		return isl_pw_aff_mul(a, b);
	case BODY_FLOOR:
	case BODY_UNSIGNED_QUOTIENT:
		return isl_pw_aff_floor(isl_pw_aff_div(a, b));
	case BODY_CEIL:
	case BODY_UNSIGNED_CEIL:
		return isl_pw_aff_ceil(isl_pw_aff_div(a, b));
	case BODY_QUOTIENT:
		return isl_pw_aff_tdiv_q(a, b);
	case BODY_MOD:
	case BODY_UNSIGNED_REMAINDER:
		quotient = isl_pw_aff_floor(isl_pw_aff_div(isl_pw_aff_copy(a),
			isl_pw_aff_copy(b)));
		return isl_pw_aff_sub(a, isl_pw_aff_mul(b, quotient));
	case BODY_REMAINDER:
		return isl_pw_aff_tdiv_r(a, b);
	case BODY_MIN:
	case BODY_UNSIGNED_MIN:
		return isl_pw_aff_min(a, b);
	case BODY_MAX:
	case BODY_UNSIGNED_MAX:
		return isl_pw_aff_max(a, b);
	case BODY_BITS_AND:
	case BODY_BITS_OR:
	case BODY_BITS_XOR:
		break;
	}
	return NULL;
}

struct body_value *body_compute(struct body *body, enum body_operation operation,
	const struct body_value *a, const struct body_value *b)
{
	if (!a || !b || !check(body, operation, a, b))
		return NULL;
	if (operation >= BODY_BITS_AND)
		return body_bits(body, operation, a, b);
	bridge_enter(body->ctx);
	return give(body, isl_pw_aff_coalesce(compute(operation, isl_pw_aff_copy(a->index),
		isl_pw_aff_copy(b->index))), NULL);
}

/* a < b, or a <= b, of numbers without signs: those below 0 are the largest. */
static isl_set *below(const struct body *body, isl_pw_aff *a, isl_pw_aff *b, bool or_equal)
{
	isl_set *set = or_equal ? isl_pw_aff_le_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b)) :
		isl_pw_aff_lt_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b));

	if (body_may_be_negative(body, a))
		set = isl_set_subtract(set, isl_set_subtract(negative(body, a),
			negative(body, b)));
	if (body_may_be_negative(body, b))
		set = isl_set_union(set, isl_set_subtract(negative(body, b),
			negative(body, a)));
	return isl_set_coalesce(set);
}

static isl_set *compare(const struct body *body, enum body_predicate predicate,
	isl_pw_aff *a, isl_pw_aff *b)
{
	switch (predicate) {
	case BODY_EQ:
		return isl_pw_aff_eq_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b));
	case BODY_NE:
		return isl_pw_aff_ne_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b));
	case BODY_SLT:
		return isl_pw_aff_lt_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b));
	case BODY_SLE:
		return isl_pw_aff_le_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b));
	case BODY_SGT:
		return isl_pw_aff_gt_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b));
	case BODY_SGE:
		return isl_pw_aff_ge_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b));
	case BODY_ULT:
	case BODY_ULE:
		return below(body, a, b, predicate == BODY_ULE);
	case BODY_UGT:
	case BODY_UGE:
		return below(body, b, a, predicate == BODY_UGE);
	}
	return NULL;
}

struct body_value *body_compare(struct body *body, enum body_predicate predicate,
	const struct body_value *a, const struct body_value *b)
{
	if (!a || !b)
		return NULL;
	bridge_enter(body->ctx);
	return give(body, NULL, compare(body, predicate, a->index, b->index));
}

struct body_value *body_connect(struct body *body, enum body_connective connective,
	const struct body_value *a, const struct body_value *b)
{
	isl_set *both, *either;

	if (!a || !b)
		return NULL;
	bridge_enter(body->ctx);
	both = isl_set_intersect(isl_set_copy(a->truth), isl_set_copy(b->truth));
	if (connective == BODY_AND)
		return give(body, NULL, both);
	either = isl_set_union(isl_set_copy(a->truth), isl_set_copy(b->truth));
	if (connective == BODY_XOR)
		return give(body, NULL, isl_set_subtract(either, both));
	isl_set_free(both);
	return give(body, NULL, isl_set_coalesce(either));
}

struct body_value *body_select(struct body *body, const struct body_value *condition,
	const struct body_value *then, const struct body_value *otherwise)
{
	isl_pw_aff *index;
	isl_set *truth;

	if (!condition || !then || !otherwise)
		return NULL;
	bridge_enter(body->ctx);
	if (then->truth) {
		truth = isl_set_intersect(isl_set_copy(then->truth),
			isl_set_copy(condition->truth));
		return give(body, NULL, isl_set_union(truth, isl_set_subtract(
			isl_set_copy(otherwise->truth), isl_set_copy(condition->truth))));
	}
	index = isl_pw_aff_subtract_domain(isl_pw_aff_copy(otherwise->index),
		isl_set_copy(condition->truth));
	return give(body, isl_pw_aff_coalesce(isl_pw_aff_union_add(index,
		isl_pw_aff_intersect_domain(isl_pw_aff_copy(then->index),
			isl_set_copy(condition->truth)))), NULL);
}

/* [arguments] -> [indices], and those of a second list behind them. */
static isl_multi_pw_aff *tuple(const struct body *body,
	const struct body_value *const *first, unsigned first_count,
	const struct body_value *const *second, unsigned second_count)
{
	unsigned count = first_count + second_count;
	isl_pw_aff_list *list = isl_pw_aff_list_alloc(bridge_isl(body->ctx), (int)count);
	isl_space *space = isl_space_alloc(bridge_isl(body->ctx), 0, body->rank, count);

	for (unsigned i = 0; i < count; i++) {
		const struct body_value *value = i < first_count ? first[i] :
			second[i - first_count];
		isl_space *params = isl_pw_aff_get_space(value->index);

		space = isl_space_align_params(space, params);
		list = isl_pw_aff_list_add(list, isl_pw_aff_copy(value->index));
	}
	return isl_multi_pw_aff_from_pw_aff_list(space, list);
}

struct body_value *body_apply(struct body *body, layout_relation *function, unsigned result,
	const struct body_value *const *dims, const struct body_value *const *symbols)
{
	isl_multi_pw_aff *inputs;
	isl_pw_aff *index;
	unsigned rank, symbol_count;

	bridge_enter(body->ctx);
	if (!bridge_need_map(function))
		return give(body, NULL, NULL);
	rank = (unsigned)isl_multi_aff_dim(function->forward, isl_dim_in);
	symbol_count = (unsigned)isl_multi_aff_dim(function->forward, isl_dim_param);
	index = isl_pw_aff_from_aff(isl_multi_aff_get_at(function->forward, (int)result));
	index = isl_pw_aff_move_dims(index, isl_dim_in, rank, isl_dim_param, 0, symbol_count);
	inputs = tuple(body, dims, rank, symbols, symbol_count);
	return give(body, isl_pw_aff_coalesce(isl_pw_aff_pullback_multi_pw_aff(index, inputs)),
		NULL);
}

/* The relation of a function of the arguments that are in the box and in "domain"; consumes
 * both and closes bridge_enter(). */
static layout_relation *relate(const struct body *body, isl_multi_pw_aff *images,
	isl_set *domain, bool reversed)
{
	isl_multi_aff *function = bridge_one_piece(isl_pw_multi_aff_from_multi_pw_aff(
		isl_multi_pw_aff_copy(images)));
	isl_map *map = isl_map_from_multi_pw_aff(images);

	map = isl_map_intersect_domain(map, isl_set_intersect(domain,
		isl_set_copy(body->box)));
	map = bridge_coalesce_map(body->ctx, map);
	return reversed ? bridge_give_relation(body->ctx, "read a body",
		isl_map_reverse(map), NULL, function) :
		bridge_give_relation(body->ctx, "read a body", map, function, NULL);
}

layout_relation *body_relation(struct body *body, const struct body_value *const *indices,
	unsigned count, const struct body_value *mask)
{
	isl_set *all;

	bridge_enter(body->ctx);
	all = mask ? isl_set_copy(mask->truth) : isl_set_universe(body_space(body));
	return relate(body, tuple(body, indices, count, NULL, 0), all, false);
}

layout_relation *body_reversed(struct body *body, const struct body_value *const *indices,
	unsigned count, const struct body_value *const *sizes)
{
	isl_set *inside;

	bridge_enter(body->ctx);
	inside = isl_set_universe(body_space(body));
	for (unsigned i = 0; i < count; i++) {
		inside = isl_set_intersect(inside, isl_pw_aff_ge_set(
			isl_pw_aff_copy(indices[i]->index), number_on(body, 0)));
		inside = isl_set_intersect(inside, isl_pw_aff_lt_set(
			isl_pw_aff_copy(indices[i]->index), isl_pw_aff_copy(sizes[i]->index)));
	}
	return relate(body, tuple(body, indices, count, NULL, 0), inside, true);
}
