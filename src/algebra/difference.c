/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A witness that two relations differ becomes the first point at which they do, with the
 * images of both there: "M = 2: at (0, 1): 1, there 2". */
#include "algebra/difference.h"

#include "algebra/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The two for the sizes of a witness, and the first point found so far; "image" is that
 * of one of the two. */
struct search {
	layout_context *ctx;
	layout_relation *a, *b;
	const struct point_style *style;
	unsigned in_rank, out_rank;
	int64_t *point, *image;
	bool found;
};

static void keep(struct search *search, const int64_t *point, const int64_t *image)
{
	memcpy(search->point, point, search->in_rank * sizeof(*point));
	memcpy(search->image, image, search->out_rank * sizeof(*image));
	search->found = true;
}

static bool is_before(const struct search *search, const int64_t *point)
{
	unsigned i = search->in_rank;

	if (!search->found || search->style->order == LAYOUT_ORDER_LEX)
		return !search->found ||
			points_compare(point, search->point, search->in_rank) < 0;
	while (i && point[i - 1] == search->point[i - 1])
		i--;
	return i && point[i - 1] < search->point[i - 1];
}

static void see_row(struct search *search, const struct table *table, size_t row)
{
	const int64_t *point = points_at(&table->inputs, row);

	if (is_before(search, point))
		keep(search, point, table->images + row * table->rank);
}

/* The rows that only one of two sorted tables has. */
static void compare_tables(struct search *search, const struct table *a,
	const struct table *b)
{
	size_t i = 0, k = 0;

	while (i < a->inputs.count || k < b->inputs.count) {
		int order = i == a->inputs.count ? 1 : k == b->inputs.count ? -1 :
			points_compare(points_at(&a->inputs, i),
				points_at(&b->inputs, k), search->in_rank);

		if (order < 0)
			see_row(search, a, i++);
		else if (order > 0)
			see_row(search, b, k++);
		else if (points_compare(a->images + i++ * a->rank,
				b->images + k++ * b->rank, a->rank))
			see_row(search, a, i - 1);
	}
}

static void search_tables(struct search *search)
{
	struct table a = { 0 }, b = { 0 };

	if (table_build(&a, search->a) && table_build(&b, search->b))
		compare_tables(search, &a, &b);
	table_free(&a);
	table_free(&b);
}

/* So many points of a box are gone through. */
#define MOST_POINTS (1 << 20)

/* The next point of the box of a form; false past the last one. */
static bool next_point(const struct search *search, const struct form *box, int64_t *point)
{
	for (unsigned k = 0; k < search->in_rank; k++) {
		unsigned i = search->style->order == LAYOUT_ORDER_COLEX ? k :
			search->in_rank - 1 - k;

		if (++point[i] < box->kind->extent(box, i))
			return true;
		point[i] = 0;
	}
	return false;
}

static bool same_box(const struct search *search, const struct form *a,
	const struct form *b)
{
	for (unsigned i = 0; a && b && i < search->in_rank; i++)
		if (a->kind->extent(a, i) < 1 ||
		    a->kind->extent(a, i) != b->kind->extent(b, i))
			return false;
	return a && b;
}

/* Functions by forms on one box, in its order. */
static void search_box(struct search *search)
{
	const struct form *a = bridge_function_form(search->a);
	const struct form *b = bridge_function_form(search->b);
	int64_t *point = layout_alloc(search->ctx, search->in_rank, sizeof(*point));
	int64_t *images = layout_alloc(search->ctx, search->out_rank, sizeof(*images));
	int64_t *there = layout_alloc(search->ctx, search->out_rank, sizeof(*there));

	if (point && images && there && same_box(search, a, b))
		for (unsigned i = 0; !search->found && i < MOST_POINTS &&
			a->kind->apply(a, point, images) &&
			b->kind->apply(b, point, there); i++) {
			if (points_compare(images, there, search->out_rank))
				keep(search, point, images);
			if (!next_point(search, a, point))
				break;
		}
	free(point);
	free(images);
	free(there);
}

/* { [x..] -> [y..] } that only one of the two has, x reversed for colexicographic order;
 * between bridge_enter() and bridge_leave(). */
static isl_set *only_one(const struct search *search)
{
	isl_map *a = isl_map_copy(search->a->map), *b = isl_map_copy(search->b->map);
	isl_map *only;

	a = isl_map_reset_tuple_id(isl_map_reset_tuple_id(a, isl_dim_in), isl_dim_out);
	b = isl_map_reset_tuple_id(isl_map_reset_tuple_id(b, isl_dim_in), isl_dim_out);
	only = isl_map_subtract(isl_map_copy(a), isl_map_copy(b));
	only = isl_map_union(only, isl_map_subtract(b, a));
	if (search->style->order == LAYOUT_ORDER_COLEX)
		for (unsigned i = 1; i < search->in_rank; i++)
			only = isl_map_move_dims(isl_map_move_dims(only, isl_dim_out,
				search->out_rank, isl_dim_in, i, 1), isl_dim_in, 0,
				isl_dim_out, search->out_rank, 1);
	return isl_set_flatten(isl_map_wrap(only));
}

/* The witness's points the other way round. */
static void reverse(int64_t *point, unsigned rank)
{
	for (unsigned i = 0; i < rank / 2; i++) {
		int64_t swapped = point[i];

		point[i] = point[rank - 1 - i];
		point[rank - 1 - i] = swapped;
	}
}

static void search_set(struct search *search)
{
	layout_context *ctx = search->ctx;
	layout_witness *least = NULL;
	isl_set *only;

	bridge_enter(ctx);
	bridge_begin_attempt(ctx, BUDGET_COMPARE);
	only = bridge_need_map(search->a) && bridge_need_map(search->b) ?
		only_one(search) : NULL;
	if (bridge_end_attempt(ctx) && only)
		least = bridge_witness(ctx, only, search->in_rank, true);
	else
		isl_set_free(only);
	bridge_leave(ctx, "compare");
	if (least && search->style->order == LAYOUT_ORDER_COLEX)
		reverse(least->points[0], search->in_rank);
	if (least)
		keep(search, least->points[0], least->points[1]);
	layout_witness_free(least);
}

/* Images that are written; of more there are dots. */
#define MOST_IMAGES 4

struct images {
	struct layout_buffer *out;
	unsigned rank, count;
};

static void print_tuple(struct layout_buffer *out, const int64_t *point, unsigned rank)
{
	layout_buffer_printf(out, rank == 1 ? "" : "(");
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(out, "%s%" PRId64, i ? ", " : "", point[i]);
	layout_buffer_printf(out, rank == 1 ? "" : ")");
}

static bool print_image(void *user, const int64_t *point)
{
	struct images *images = user;

	layout_buffer_printf(images->out, images->count ? " and " : "");
	if (images->count++ == MOST_IMAGES) {
		layout_buffer_printf(images->out, "others");
		return false;
	}
	print_tuple(images->out, point, images->rank);
	return true;
}

/* The images of the point; false where isl failed. */
static bool print_images(const struct search *search, layout_relation *relation,
	struct layout_buffer *out)
{
	struct images images = { out, search->out_rank, 0 };
	layout_context *ctx = search->ctx;
	isl_set *set;
	isl_map *map;
	bool good;

	bridge_enter(ctx);
	bridge_begin_attempt(ctx, BUDGET_NEXT_POINT);
	map = bridge_need_map(relation) ? isl_map_copy(relation->map) : NULL;
	for (unsigned i = 0; i < search->in_rank; i++)
		map = isl_map_fix_val(map, isl_dim_in, i,
			isl_val_int_from_si(bridge_isl(ctx), search->point[i]));
	set = isl_map_range(map);
	if (isl_set_is_bounded(set) == isl_bool_true)
		points_visit(set, ctx, print_image, &images);
	else
		layout_buffer_printf(out, "any number");
	if (!images.count && isl_set_is_empty(set) == isl_bool_true)
		layout_buffer_printf(out, "nothing");
	isl_set_free(set);
	good = bridge_end_attempt(ctx);
	return bridge_leave(ctx, "compare") && good;
}

/* The text of the point that was found; NULL where it could not be written. */
static char *describe(const struct search *search, const layout_witness *witness)
{
	const struct point_style *style = search->style;
	struct layout_buffer text = { 0 };
	bool good;

	for (unsigned i = 0; i < witness->size_count; i++)
		layout_buffer_printf(&text, "%s%s = %" PRId64 "%s", i ? ", " : "",
			witness->sizes[i].name, witness->sizes[i].value,
			i + 1 == witness->size_count ? ": " : "");
	layout_buffer_printf(&text, "at ");
	if (style->print)
		style->print(style->user, &text, search->point);
	else
		print_tuple(&text, search->point, search->in_rank);
	layout_buffer_printf(&text, ": ");
	good = print_images(search, search->a, &text);
	layout_buffer_printf(&text, ", there ");
	good = good && print_images(search, search->b, &text);
	if (good)
		return layout_buffer_take(search->ctx, &text);
	free(layout_buffer_take(search->ctx, &text));
	return NULL;
}

/* Put the point and its text into the witness, if there is a text. */
static void rewrite(struct search *search, layout_witness *witness)
{
	char *text = describe(search, witness);

	if (!text)
		return;
	free(witness->text);
	free(witness->points[0]);
	free(witness->points[1]);
	witness->text = text;
	witness->points[0] = search->point;
	witness->points[1] = search->image;
	search->point = search->image = NULL;
}

/* What fails leaves the witness as it was, and nothing on the context. */
static void find_first(layout_relation *a, layout_relation *b,
	const struct point_style *style, layout_witness *witness)
{
	layout_context *ctx = layout_relation_context(a);
	struct layout_caught caught = { 0 };
	struct layout_caught *previous = layout_context_catch(ctx, &caught);
	struct search search = { ctx, .style = style,
		.in_rank = witness->ranks[0], .out_rank = witness->ranks[1] };

	search.a = layout_relation_fix(layout_relation_copy(a), witness->sizes,
		witness->size_count);
	search.b = layout_relation_fix(layout_relation_copy(b), witness->sizes,
		witness->size_count);
	search.point = layout_alloc(ctx, search.in_rank, sizeof(int64_t));
	search.image = layout_alloc(ctx, search.out_rank, sizeof(int64_t));
	if (search.a && search.b && search.point && search.image) {
		search_box(&search);
		if (!search.found)
			search_tables(&search);
		if (!search.found)
			search_set(&search);
		if (!search.found)
			keep(&search, witness->points[0], witness->points[1]);
		rewrite(&search, witness);
	}
	free(search.point);
	free(search.image);
	layout_relation_free(search.a);
	layout_relation_free(search.b);
	layout_context_catch(ctx, previous);
	free(caught.message);
}

layout_answer relation_equal_in(layout_relation *a, layout_relation *b,
	const struct point_style *style, layout_witness **witness)
{
	layout_answer answer = relation_equal_somewhere(a, b, witness);

	if (answer == LAYOUT_NO && witness && *witness && (*witness)->point_count == 2)
		find_first(a, b, style, *witness);
	return answer;
}

layout_answer layout_relation_equal(layout_relation *a, layout_relation *b,
	layout_witness **witness)
{
	static const struct point_style tuples = { LAYOUT_ORDER_LEX, NULL, NULL };

	return relation_equal_in(a, b, &tuples, witness);
}
