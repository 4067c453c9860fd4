/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The inputs and images of relations.  Where each input has one image and each image one
 * input there are as many of the one as of the other, and one of the two may have a
 * formula that the other lacks. */
#include "algebra/count/count.h"
#include "algebra/form.h"
#include "algebra/table.h"

#include <stdlib.h>
#include <string.h>

static void add_number(struct formula *formula, isl_val *number)
{
	struct term term;

	term_start(&term, formula->ctx);
	term_times_number(&term, number);
	formula_add(formula, &term);
}

static isl_val *val(layout_context *ctx, int64_t number)
{
	return isl_val_int_from_si(bridge_isl(ctx), number);
}

/* The box of a form. */
static isl_val *box_size(layout_context *ctx, const struct form *form)
{
	isl_val *size = isl_val_one(bridge_isl(ctx));

	for (unsigned i = 0; i < form->in_rank; i++)
		size = isl_val_mul(size, val(ctx, form->kind->extent(form, i)));
	return size;
}

/* As many offsets as coordinates, once the modes that repeat are gone; NULL where that
 * is not known. */
static isl_val *offsets(layout_context *ctx, layout_cute *cute)
{
	layout_cute *plain = layout_cute_filter(layout_cute_copy(cute));
	isl_val *number = NULL;

	if (plain && form_strided_is_injective(ctx, plain, NULL) == LAYOUT_YES)
		number = val(ctx, layout_cute_size(plain));
	layout_cute_free(plain);
	return number;
}

/* The images of a form's function; NULL where the form does not know. */
static isl_val *form_images(layout_context *ctx, const struct form *form)
{
	struct layout_relation function = { .ctx = ctx,
		.form = (struct form *)(uintptr_t)form };
	const struct f2 *f2 = form_of_f2(&function);
	layout_cute *strided = form_of_strided(&function);

	if (f2)
		return isl_val_2exp(val(ctx, f2_rank(f2)));
	return strided ? offsets(ctx, strided) : NULL;
}

static bool count_form(struct formula *formula, layout_relation *relation, bool images)
{
	layout_context *ctx = relation->ctx;
	isl_val *number = NULL;

	if (!relation->form)
		return false;
	bridge_enter(ctx);
	number = images == relation->reversed ? box_size(ctx, relation->form) :
		form_images(ctx, relation->form);
	if (number)
		add_number(formula, number);
	return bridge_leave(ctx, "count") && number;
}

struct distinct {
	int64_t *last;
	unsigned rank;
	int64_t count;
};

static bool visit_image(void *user, const int64_t *image, unsigned rank,
	const int64_t *input, unsigned input_rank)
{
	struct distinct *distinct = user;
	size_t size = rank * sizeof(*image);

	(void)input;
	(void)input_rank;
	if (!distinct->count || memcmp(distinct->last, image, size) != 0)
		distinct->count++;
	memcpy(distinct->last, image, size);
	return true;
}

/* The images of a small function of numbers, listed. */
static bool count_table(struct formula *formula, layout_relation *relation)
{
	struct distinct distinct = { .rank = layout_relation_out_rank(relation) };
	struct table table = { 0 };
	bool good = !relation->reversed && table_build(&table, relation);

	distinct.last = good ? layout_alloc(relation->ctx, distinct.rank,
		sizeof(*distinct.last)) : NULL;
	good = distinct.last && table_visit_images(&table, visit_image, &distinct);
	table_free(&table);
	free(distinct.last);
	if (!good)
		return false;
	bridge_enter(relation->ctx);
	add_number(formula, val(relation->ctx, distinct.count));
	return bridge_leave(relation->ctx, "count");
}

/* Why the ways to a count failed.  The errors between open and close go there. */
struct failures {
	layout_context *ctx;
	struct layout_caught first, now, *previous;
};

static void failures_open(struct failures *failures)
{
	failures->now = (struct layout_caught){ 0 };
	failures->previous = layout_context_catch(failures->ctx, &failures->now);
}

static void failures_close(struct failures *failures)
{
	layout_context_catch(failures->ctx, failures->previous);
	layout_caught_keep(&failures->first, &failures->now);
}

/* Count one side of the relation as a set. */
static bool try_set(struct formula *formula, layout_relation *relation, bool images,
	struct failures *failures)
{
	layout_relation *copy;
	layout_set *set;
	bool good;

	failures_open(failures);
	copy = layout_relation_copy(relation);
	set = images ? layout_relation_range(copy) : layout_relation_domain(copy);
	good = set && count_set(formula, set);
	layout_set_free(set);
	failures_close(failures);
	if (!good)
		formula_free(formula);
	return good;
}

static bool is_one_to_one(layout_relation *relation, struct failures *failures)
{
	bool good;

	failures_open(failures);
	good = layout_relation_is_function(relation, NULL) == LAYOUT_YES &&
		layout_relation_is_injective(relation, NULL) == LAYOUT_YES;
	failures_close(failures);
	return good;
}

/* Inputs as a set before images, which isl has to find first. */
static bool try_sets(struct formula *formula, layout_relation *relation, bool images,
	struct failures *failures)
{
	bool known = relation->forward && relation->backward;

	if (known || !images)
		return try_set(formula, relation, false, failures) ||
			((known || is_one_to_one(relation, failures)) &&
			try_set(formula, relation, true, failures));
	return try_set(formula, relation, true, failures) ||
		(is_one_to_one(relation, failures) &&
		try_set(formula, relation, false, failures));
}

/* The error that "failures" has, in terms of what was asked for. */
static void report(struct failures *failures, bool images)
{
	static const char prefix[] = "no formula: ";
	const char *message = failures->first.message ? failures->first.message : "";
	bool mine = images && failures->first.kind == LAYOUT_ERROR_NO_ANSWER &&
		strncmp(message, prefix, strlen(prefix)) == 0;

	layout_fail(failures->ctx, failures->first.kind, -1, "%s%s",
		mine ? "no formula: of the images, " : "",
		message + (mine ? strlen(prefix) : 0));
}

/* The inputs, or the images; false with the error on the context. */
static bool count_side(struct formula *formula, layout_relation *relation, bool images)
{
	struct failures failures = { .ctx = relation->ctx };
	bool good;

	*formula = (struct formula){ .ctx = relation->ctx };
	good = count_form(formula, relation, images) ||
		(images && count_table(formula, relation)) ||
		try_sets(formula, relation, images, &failures);
	if (!good)
		report(&failures, images);
	free(failures.first.message);
	return good;
}

/* The points of "onto" that are no images: all but as many as it has images. */
static bool count_padding(struct formula *formula, layout_relation *relation,
	layout_set *onto)
{
	layout_relation *inside;
	struct formula images;
	bool good;

	*formula = images = (struct formula){ .ctx = relation->ctx };
	if (!layout_given(relation->ctx, onto, "set of cells to count the padding of") ||
	    !bridge_contexts_meet(relation->ctx, onto->ctx))
		return false;
	inside = count_inside(relation, onto);
	good = inside && count_set(formula, onto) && count_side(&images, inside, true);
	bridge_enter(relation->ctx);
	if (good)
		formula_subtract(formula, &images);
	formula_free(&images);
	layout_relation_free(inside);
	return bridge_leave(relation->ctx, "count") && good;
}

static bool count_what(struct formula *formula, layout_relation *relation,
	layout_counted what, layout_set *onto)
{
	if (what < LAYOUT_COUNT_POINTS || what > LAYOUT_COUNT_PADDING) {
		*formula = (struct formula){ .ctx = relation->ctx };
		layout_fail(relation->ctx, LAYOUT_ERROR_INVALID, -1,
			"nothing to count is numbered %d", (int)what);
		return false;
	}
	return what == LAYOUT_COUNT_PADDING ? count_padding(formula, relation, onto) :
		count_side(formula, relation, what == LAYOUT_COUNT_CELLS);
}

char *layout_relation_count(layout_relation *relation, layout_counted what,
	layout_set *onto)
{
	struct formula formula;

	if (!relation)
		return NULL;
	if (count_what(&formula, relation, what, onto))
		return count_text(&formula);
	formula_free(&formula);
	return NULL;
}

bool layout_relation_count_at(layout_relation *relation, layout_counted what,
	layout_set *onto, const layout_size *sizes, unsigned count, int64_t *number)
{
	struct formula formula = { 0 };
	layout_relation *fixed;
	layout_set *box;
	bool good;

	if (!relation || !count_can_fix(relation->ctx, sizes, count, number))
		return false;
	fixed = layout_relation_fix(layout_relation_copy(relation), sizes, count);
	box = layout_set_fix(layout_set_copy(onto), sizes, count);
	good = fixed && (box || !onto) && count_what(&formula, fixed, what, box);
	good = good && count_number(&formula, number);
	formula_free(&formula);
	layout_set_free(box);
	layout_relation_free(fixed);
	return good;
}
