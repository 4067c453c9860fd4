/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/table.h"
#include "algebra/visit/step.h"
#include "algebra/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More points than this are left to isl. */
#define LARGEST_TABLE ((size_t)1 << 17)
#define MOST_INPUTS 64

void table_free(struct table *table)
{
	points_free(&table->inputs);
	free(table->images);
	*table = (struct table){ 0 };
}

/* The images as expressions of the inputs, variables 0, 1, ..; false where isl or
 * memory failed. */
static bool image_expressions(layout_relation *relation, isl_set *domain,
	struct index **images)
{
	unsigned rank = (unsigned)isl_set_dim(domain, isl_dim_set);
	struct ast_scope none = { .ctx = relation->ctx };
	struct index *inputs[MOST_INPUTS];
	char names[MOST_INPUTS][16];
	const char *name[MOST_INPUTS];
	struct step step = { relation->forward, domain, NULL, name, inputs, rank };
	isl_set *any = isl_set_params(isl_set_universe(isl_set_get_space(domain)));
	bool ok = true;

	for (unsigned i = 0; i < rank; i++) {
		snprintf(names[i], sizeof(names[i]), "x%u'", i);
		name[i] = names[i];
		inputs[i] = index_var(i, INT64_MIN, INT64_MAX);
		ok = ok && inputs[i];
	}
	ok = ok && step_take(&step, &none, any, images, NULL);
	isl_set_free(any);
	for (unsigned i = 0; i < rank; i++)
		index_free(inputs[i]);
	return ok;
}

/* Fill in the images of the inputs. */
static bool evaluate(struct table *table, struct index *const *images)
{
	bool ok;

	table->images = layout_alloc(table->inputs.ctx, table->inputs.count * table->rank,
		sizeof(*table->images));
	ok = table->images != NULL;
	for (size_t i = 0; ok && i < table->inputs.count; i++)
		for (unsigned k = 0; ok && k < table->rank; k++)
			ok = index_eval(images[k], points_at(&table->inputs, i),
				&table->images[i * table->rank + k]);
	return ok;
}

/* Like counting: the next point of the box in lexicographic order. */
static void step_over(const struct form *form, int64_t *point)
{
	for (unsigned i = form->in_rank; i-- > 0;) {
		if (++point[i] < form->kind->extent(form, i))
			return;
		point[i] = 0;
	}
}

/* A box that is not too large, and its images without isl. */
static bool table_of_form(struct table *table, layout_context *ctx, const struct form *form)
{
	size_t count = 1;
	int64_t *in;

	for (unsigned i = 0; i < form->in_rank; i++)
		if (__builtin_mul_overflow(count, (size_t)form->kind->extent(form, i),
				&count) || count > LARGEST_TABLE)
			return false;
	table->inputs = (struct points){ .ctx = ctx, .rank = form->in_rank,
		.values = layout_alloc(ctx, (count + 1) * form->in_rank, sizeof(*in)),
		.count = count };
	table->images = layout_alloc(ctx, count * table->rank, sizeof(*in));
	if (!table->inputs.values || !table->images)
		return false;
	for (size_t i = 0; i < count; i++) {
		in = table->inputs.values + i * form->in_rank;
		if (!form->kind->apply(form, in, table->images + i * table->rank))
			return false;
		memcpy(in + form->in_rank, in, form->in_rank * sizeof(*in));
		step_over(form, in + form->in_rank);
	}
	return true;
}

/* Place for one more row; false: there are too many, or no memory. */
static bool grow(struct table *table)
{
	struct points *inputs = &table->inputs;
	size_t capacity = inputs->capacity ? 2 * inputs->capacity : 256;
	int64_t *values, *images;

	if (inputs->count < inputs->capacity)
		return true;
	if (inputs->count == LARGEST_TABLE)
		return false;
	values = realloc(inputs->values, capacity * (inputs->rank + 1) * sizeof(*values));
	inputs->values = values ? values : inputs->values;
	images = realloc(table->images, capacity * (table->rank + 1) * sizeof(*images));
	table->images = images ? images : table->images;
	if (values && images)
		inputs->capacity = capacity;
	return values && images;
}

/* The pairs as the scan, which is consumed, has them. */
static bool table_of_scan(struct table *table, layout_relation *relation,
	struct scan *scan)
{
	struct points *inputs = &table->inputs;
	bool ok = true;

	*inputs = (struct points){ .ctx = relation->ctx,
		.rank = layout_relation_in_rank(relation) };
	ok = grow(table);
	while (ok && scan_next(scan) && (ok = grow(table))) {
		memcpy(inputs->values + inputs->count * inputs->rank, scan_input(scan),
			inputs->rank * sizeof(*inputs->values));
		memcpy(table->images + inputs->count++ * table->rank, scan_image(scan),
			table->rank * sizeof(*table->images));
	}
	ok = ok && !scan_gave_up(scan);
	scan_free(scan);
	return ok;
}

/* With isl's lists of points and its expressions. */
static bool table_of_map(struct table *table, layout_relation *relation)
{
	layout_context *ctx = relation->ctx;
	struct index **images = NULL;
	isl_set *domain;
	bool ok;

	bridge_enter(ctx);
	if (!scan_is_candidate(relation) ||
	    layout_relation_in_rank(relation) > MOST_INPUTS) {
		bridge_leave(ctx, "list points");
		return false;
	}
	bridge_begin_attempt(ctx, BUDGET_NEXT_POINT);
	domain = isl_map_domain(isl_map_copy(relation->map));
	ok = isl_set_is_bounded(domain) == isl_bool_true &&
		points_list(&table->inputs, ctx, domain, LARGEST_TABLE);
	if (ok)
		images = layout_alloc(ctx, table->rank, sizeof(*images));
	ok = images && image_expressions(relation, domain, images) &&
		evaluate(table, images);
	index_list_free(images, table->rank);
	isl_set_free(domain);
	ok = bridge_end_attempt(ctx) && ok;
	bridge_leave(ctx, "list points");
	return ok;
}

bool table_build(struct table *table, layout_relation *relation)
{
	struct scan *scan;

	*table = (struct table){ .rank = layout_relation_out_rank(relation) };
	if (bridge_function_form(relation))
		return table_of_form(table, relation->ctx, relation->form);
	scan = scan_start(relation);
	return scan ? table_of_scan(table, relation, scan) :
		table_of_map(table, relation);
}

static const int64_t *image_at(const struct table *table, size_t row)
{
	return table->images + row * table->rank;
}

/* By image, then by input. */
static int compare_rows(const void *a, const void *b, void *user)
{
	const struct table *table = user;
	size_t left = *(const size_t *)a, right = *(const size_t *)b;
	int order = points_compare(image_at(table, left), image_at(table, right),
		table->rank);

	return order ? order : left < right ? -1 : left > right;
}

/* NULL: no memory. */
static size_t *sort_by_image(const struct table *table)
{
	size_t *rows = layout_alloc(table->inputs.ctx, table->inputs.count,
		sizeof(*rows));

	for (size_t i = 0; rows && i < table->inputs.count; i++)
		rows[i] = i;
	if (rows)
		qsort_r(rows, table->inputs.count, sizeof(*rows), compare_rows,
			(void *)(uintptr_t)table);
	return rows;
}

layout_answer table_is_injective(const struct table *table, layout_witness **witness)
{
	size_t *rows = sort_by_image(table), first = SIZE_MAX, second = 0;

	if (!rows)
		return LAYOUT_UNKNOWN;
	for (size_t i = 1; i < table->inputs.count; i++)
		if (rows[i - 1] < first && points_compare(image_at(table, rows[i - 1]),
				image_at(table, rows[i]), table->rank) == 0) {
			first = rows[i - 1];
			second = rows[i];
		}
	free(rows);
	if (first == SIZE_MAX)
		return LAYOUT_YES;
	if (witness)
		*witness = bridge_witness_of(table->inputs.ctx,
			points_at(&table->inputs, first), table->inputs.rank,
			points_at(&table->inputs, second), table->inputs.rank);
	return LAYOUT_NO;
}

/* The search for a point that is no image. */
struct search {
	const struct table *table;
	const size_t *rows;
	size_t found;			/* images so far */
	const int64_t *missing;		/* NULL: none yet */
	int64_t *point;			/* place for one */
};

static bool is_image(void *user, const int64_t *point)
{
	struct search *search = user;
	const struct table *table = search->table;
	size_t low = 0, high = table->inputs.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = points_compare(image_at(table, search->rows[middle]), point,
			table->rank);

		if (!order) {
			search->found++;
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	memcpy(search->point, point, table->rank * sizeof(*point));
	search->missing = search->point;
	return false;
}

static size_t count_images(const struct search *search)
{
	const struct table *table = search->table;
	size_t count = table->inputs.count > 0;

	for (size_t i = 1; i < table->inputs.count; i++)
		count += points_compare(image_at(table, search->rows[i - 1]),
			image_at(table, search->rows[i]), table->rank) != 0;
	return count;
}

/* The first image that is not wanted; NULL where isl failed. */
static const int64_t *first_beyond(const struct search *search, layout_set *wanted)
{
	const struct table *table = search->table;

	for (size_t i = 0; i < table->inputs.count; i++) {
		const int64_t *image = image_at(table, search->rows[i]);

		bridge_progress(wanted->ctx);
		if (!bridge_set_has(wanted, image))
			return bridge_failed(wanted->ctx) ? NULL : image;
	}
	return NULL;
}

layout_answer table_covers(const struct table *table, layout_set *wanted, bool only,
	layout_witness **witness)
{
	layout_context *ctx = table->inputs.ctx;
	size_t *rows = sort_by_image(table);
	struct search search = { .table = table, .rows = rows,
		.point = layout_alloc(ctx, table->rank, sizeof(int64_t)) };
	layout_answer answer = LAYOUT_UNKNOWN;
	bool all;

	bridge_enter(ctx);
	bridge_begin_attempt(ctx, BUDGET_NEXT_POINT);
	all = rows && search.point && layout_set_rank(wanted) == table->rank &&
		layout_set_param_count(wanted) == 0 &&
		isl_set_is_bounded(wanted->set) == isl_bool_true &&
		points_visit(wanted->set, ctx, is_image, &search);
	if (all && only && search.found < count_images(&search))
		search.missing = first_beyond(&search, wanted);
	else if (all)
		answer = LAYOUT_YES;
	if (!bridge_end_attempt(ctx) && !search.missing)
		answer = LAYOUT_UNKNOWN;
	if (search.missing)
		answer = LAYOUT_NO;
	bridge_leave(ctx, "list points");
	if (search.missing && witness)
		*witness = bridge_witness_of(ctx, search.missing, table->rank, NULL, 0);
	free(search.point);
	free(rows);
	return answer;
}

/* The order of row "row" in two tables, by input, then image; past the end is last. */
static int compare_at(const struct table *a, const struct table *b, size_t row)
{
	int order;

	if (row >= a->inputs.count || row >= b->inputs.count)
		return (row >= a->inputs.count) - (row >= b->inputs.count);
	order = points_compare(points_at(&a->inputs, row), points_at(&b->inputs, row),
		a->inputs.rank);
	return order ? order :
		points_compare(image_at(a, row), image_at(b, row), a->rank);
}

layout_answer table_equal(const struct table *a, const struct table *b,
	layout_witness **witness)
{
	size_t count = a->inputs.count > b->inputs.count ?
		a->inputs.count : b->inputs.count;

	for (size_t row = 0; row < count; row++) {
		int order = compare_at(a, b, row);
		const struct table *first = order < 0 ? a : b;

		if (order && witness)
			*witness = bridge_witness_of(a->inputs.ctx,
				points_at(&first->inputs, row), first->inputs.rank,
				image_at(first, row), first->rank);
		if (order)
			return LAYOUT_NO;
	}
	return LAYOUT_YES;
}

bool *table_least(const struct table *table)
{
	size_t *rows = sort_by_image(table);
	bool *least = layout_alloc(table->inputs.ctx, table->inputs.count,
		sizeof(*least));

	for (size_t i = 0; rows && least && i < table->inputs.count; i++)
		least[rows[i]] = !i || points_compare(image_at(table, rows[i - 1]),
			image_at(table, rows[i]), table->rank) != 0;
	if (!rows) {
		free(least);
		least = NULL;
	}
	free(rows);
	return least;
}

bool table_visit_images(const struct table *table, layout_visit_pair visit, void *user)
{
	size_t *rows = sort_by_image(table);

	for (size_t i = 0; rows && i < table->inputs.count; i++)
		if (!visit(user, image_at(table, rows[i]), table->rank,
				points_at(&table->inputs, rows[i]), table->inputs.rank))
			break;
	free(rows);
	return rows;
}
