/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One layout in every notation: what is converted is read from its text and compared
 * point by point, in the coordinates that value.h states for it, with the layout that it
 * was; then it is converted back.  Where a form exists or does not is found by trying all
 * of them, or known from how the layout was made. */
#include "support/append.h"
#include "support/layout_model.h"
#include "support/layout_random.h"
#include "support/layout_table.h"

#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { NOTATIONS = 4, EXPRESSION = 8 * LAYOUT_TEXT };

static layout_context *ctx;
static uint64_t seed;
static unsigned answers[NOTATIONS][NOTATIONS], refusals[NOTATIONS][NOTATIONS];
static char reason[1000];	/* of the last refusal */
static unsigned checked_reasons;
static unsigned mma_answers[NOTATIONS], mma_refusals[NOTATIONS];

/* What is known about a form before it is asked for. */
enum form { FORM_NONE, FORM_EXISTS, FORM_UNKNOWN };

static enum form form_in(const struct layout_table *table, layout_notation from,
	layout_notation to)
{
	int64_t offsets[TABLE_POINTS];

	if (to != LAYOUT_NOTATION_CUTE && to != LAYOUT_NOTATION_LINEAR)
		return FORM_UNKNOWN;
	if (!table->function)
		return FORM_NONE;
	if (to == LAYOUT_NOTATION_LINEAR)
		return table_is_linear(table) ? FORM_EXISTS : FORM_NONE;
	for (int64_t i = 0; i < table->count; i++)
		offsets[i] = table_offset(table, from == LAYOUT_NOTATION_ENCODING, i);
	return offsets_are_cute(offsets, table->in, table->in_rank) ||
		offsets_are_swizzled(offsets, table->in, table->in_rank) ?
		FORM_EXISTS : FORM_NONE;
}

/* Sizes of one or several modes: those of 1 say nothing. */
static bool same_modes(const struct layout_table *table, const struct layout_model *cute)
{
	if (table->in_rank == 1)
		return true;
	return cute->mode_count == table->in_rank &&
		!memcmp(cute->modes, table->in, table->in_rank * sizeof(*table->in));
}

static void expect_cute(const char *text, const struct layout_table *table, bool cells,
	const struct layout_model *cute)
{
	if (cute->in[0] != table->count)
		fail_msg("%s: %" PRId64 " points", text, cute->in[0]);
	if (!same_modes(table, cute))
		fail_msg("%s: its modes are not the inputs", text);
	for (int64_t i = 0; i < table->count; i++) {
		int64_t offset;

		layout_model_at(cute, &i, &offset);
		if (offset != table_offset(table, cells, i))
			fail_msg("%s: at %" PRId64 " %" PRId64 ", not %" PRId64, text, i,
				offset, table_offset(table, cells, i));
	}
}

/* The same inputs and images; the inputs of a CuTe layout may be its modes. */
static void expect_same(const char *text, const struct layout_table *table,
	const struct layout_model *got)
{
	int64_t in[POINT_RANK], image[POINT_RANK];

	if (box_size(got->in, got->in_rank) != table->count ||
			got->out_rank != table->out_rank)
		fail_msg("%s: other sizes", text);
	if (table->in_rank > 1 && (got->in_rank != table->in_rank ||
			memcmp(got->in, table->in, table->in_rank * sizeof(*got->in))))
		fail_msg("%s: other inputs", text);
	for (int64_t i = 0; i < table->count; i++) {
		colex_point(got->in, got->in_rank, i, in);
		assert_true(layout_model_at(got, in, image));
		if (memcmp(image, table->image[i], got->out_rank * sizeof(*image)))
			fail_msg("%s: another image at point %" PRId64, text, i);
	}
}

/* A nested layout by thread and value; "threads" and "values" say how the number of a
 * point of the table is made of them. */
static void expect_nested(const char *text, const struct layout_table *table,
	const struct layout_model *got, int64_t threads, int64_t values, bool value_first)
{
	int64_t in[POINT_RANK], image[POINT_RANK];

	if (got->in[0] != threads || got->out_rank != table->out_rank ||
			box_size(got->in, got->in_rank) != threads * values)
		fail_msg("%s: not %" PRId64 " threads with %" PRId64 " values", text,
			threads, values);
	for (int64_t thread = 0; thread < threads; thread++)
		for (int64_t value = 0; value < values; value++) {
			int64_t i = value_first ? thread * values + value :
				value * threads + thread;

			in[0] = thread;
			lex_point(got->in + 1, got->in_rank - 1, value, in + 1);
			if (!layout_model_at(got, in, image))
				fail_msg("%s: several images", text);
			if (memcmp(image, table->image[i],
					got->out_rank * sizeof(*image)))
				fail_msg("%s: another image for thread %" PRId64
					", value %" PRId64, text, thread, value);
		}
}

/* NULL where the answer is no, with a reason; any other failure is one of the test. */
static layout_value *convert(const char *text, layout_notation to)
{
	layout_value *value, *result;

	layout_context_clear(ctx);
	value = layout_value_parse(ctx, text);
	if (!value)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	result = layout_value_convert(value, to);
	layout_value_free(value);
	if (result)
		return result;
	if (layout_context_error(ctx) != LAYOUT_ERROR_NO_ANSWER ||
			strlen(layout_context_message(ctx)) < 10)
		fail_msg("%s to %s: error %d, %s", text, layout_notation_str(to),
			(int)layout_context_error(ctx), layout_context_message(ctx));
	snprintf(reason, sizeof(reason), "%s", layout_context_message(ctx));
	layout_context_clear(ctx);
	return NULL;
}

/* The text of what "text" is in another notation, to be freed; NULL where it is nothing
 * there.  "wanted" says what is known. */
static char *converted(const char *text, layout_notation to, enum form wanted,
	struct layout_model *model)
{
	layout_value *value = convert(text, to);
	char *result;

	if (!value && wanted == FORM_EXISTS)
		fail_msg("%s is refused as %s: %s", text, layout_notation_str(to),
			reason);
	if (!value)
		return NULL;
	result = layout_value_str(value);
	layout_value_free(value);
	if (wanted == FORM_NONE)
		fail_msg("%s is no %s layout, but converts to %s", text,
			layout_notation_str(to), result);
	if (!layout_model_read(result, model) || model->notation != to)
		fail_msg("%s converts to %s: %s", text, layout_notation_str(to), result);
	return result;
}

/* Numbers of a list, the last fastest or the first. */
static void print_sizes(const int64_t *sizes, unsigned rank, char *text)
{
	for (unsigned i = 0; i < rank; i++)
		append_text(text, EXPRESSION, "%s%" PRId64, i ? ", " : "", sizes[i]);
}

/* The map from a number to a point of the box, in isl's notation. */
static void print_split(const int64_t *sizes, unsigned rank, bool colex, char *text)
{
	append_text(text, EXPRESSION, "{ [x] -> [");
	for (unsigned i = 0; i < rank; i++) {
		int64_t step = colex ? box_size(sizes, i) :
			box_size(sizes + i + 1, rank - i - 1);

		append_text(text, EXPRESSION, "%sfloor(x/%" PRId64 ") mod %" PRId64,
			i ? ", " : "", step, sizes[i]);
	}
	append_text(text, EXPRESSION, "] : 0 <= x < %" PRId64 " }",
		box_size(sizes, rank));
}

/* Is the expression's value, in the first notation again, the layout that it was? */
static void expect_back(const char *text, const char *back, layout_notation to)
{
	layout_value *was = layout_value_parse(ctx, text), *is = convert(back, to);
	layout_answer answer;

	if (!is)
		fail_msg("%s: no way back from %s: %s", text, back, reason);
	answer = layout_equal(was, is, NULL);
	if (answer != LAYOUT_YES)
		fail_msg("%s: %s back from %s (%s)", text,
			answer == LAYOUT_NO ? "differs" : "unknown whether equal", back,
			answer == LAYOUT_NO ? layout_value_str(is) :
			layout_context_message(ctx));
	layout_value_free(was);
	layout_value_free(is);
}

/* The way back: the coordinates of the first layout before and behind the second. */
static void go_back(const char *text, const struct layout_table *table,
	layout_notation from, const char *there, layout_notation to)
{
	bool cells = from == LAYOUT_NOTATION_ENCODING, flat = to == LAYOUT_NOTATION_CUTE;
	char back[EXPRESSION];

	strcpy(back, cells ? "as(" : "");
	if (flat) {
		append_text(back, sizeof(back), "compose(");
		print_split(table->out, table->out_rank, !cells, back);
		append_text(back, sizeof(back), ", ");
	}
	append_text(back, sizeof(back), "as(%s, in = [", there);
	print_sizes(table->in, table->in_rank, back);
	append_text(back, sizeof(back), "], order = colex)%s%s", flat ? ")" : "",
		cells ? ", in = logical, out = cell)" : "");
	expect_back(text, back, from);
}

static void count(layout_notation from, layout_notation to, const char *result)
{
	(result ? answers : refusals)[from][to]++;
}

static void read_table(const char *text, struct layout_model *model,
	struct layout_table *table)
{
	if (!layout_model_read(text, model))
		fail_msg("%s: the test cannot read it", text);
	layout_tabulate(model, table);
}

/* "(1, 2)" or "3"; false if it is something else. */
static bool read_tuple(const char **at, int64_t *list, unsigned count)
{
	bool tuple = **at == '(';
	char *end;

	*at += tuple;
	for (unsigned i = 0; i < count; i++) {
		list[i] = strtoll(*at, &end, 10);
		if (end == *at || (i + 1 < count && strncmp(end, ", ", 2) != 0))
			return false;
		*at = end + (i + 1 < count ? 2 : 0);
	}
	return !tuple || *(*at)++ == ')';
}

/* The value that the reason states at a point, read on from "at", is the layout's. */
static bool states_value(const char **at, const struct layout_table *table, bool cells,
	bool offset)
{
	int64_t point[POINT_RANK], image[POINT_RANK], i;

	if (!read_tuple(at, point, table->in_rank) ||
			strncmp(*at, " the value is ", 14) != 0)
		return false;
	*at += 14;
	i = colex_number(table->in, table->in_rank, point);
	if (!read_tuple(at, image, offset ? 1 : table->out_rank))
		return false;
	return offset ? image[0] == table_offset(table, cells, i) :
		!memcmp(image, table->image[i], table->out_rank * sizeof(*image));
}

/* " where (1) and (2) give 5": the XOR of both images. */
static bool states_xor(const char *at, const struct layout_table *table)
{
	int64_t first[POINT_RANK], second[POINT_RANK], given[POINT_RANK], a, b;

	at += strlen(", where ");
	if (!read_tuple(&at, first, table->in_rank) || strncmp(at, " and ", 5) != 0)
		return false;
	at += 5;
	if (!read_tuple(&at, second, table->in_rank) || strncmp(at, " give ", 6) != 0)
		return false;
	at += 6;
	if (!read_tuple(&at, given, table->out_rank))
		return false;
	a = colex_number(table->in, table->in_rank, first);
	b = colex_number(table->in, table->in_rank, second);
	for (unsigned out = 0; out < table->out_rank; out++)
		if (given[out] != (table->image[a][out] ^ table->image[b][out]))
			return false;
	return true;
}

/* The numbers of a refusal, where they can be checked. */
static void expect_reason(const char *text, const struct layout_table *table, bool cells,
	layout_notation to)
{
	const char *at = reason + 3;
	long long points;
	unsigned input;
	bool good = true;

	if (sscanf(reason, "input %u has %lld points, which is no power", &input,
			&points) == 2)
		good = input < table->in_rank && points == table->in[input] &&
			points & (points - 1);
	else if (!strncmp(reason, "at (", 4))
		good = states_value(&at, table, cells, to == LAYOUT_NOTATION_CUTE) &&
			(to == LAYOUT_NOTATION_CUTE || states_xor(at, table));
	else
		return;
	checked_reasons++;
	if (!good)
		fail_msg("%s to %s: not so: %s", text, layout_notation_str(to), reason);
}

/* A layout of any notation to CuTe or linear, and back. */
static void cross(const char *text, layout_notation to)
{
	static struct layout_model model, got;
	static struct layout_table table;
	char *result;

	read_table(text, &model, &table);
	result = converted(text, to, form_in(&table, model.notation, to), &got);
	count(model.notation, to, result);
	if (result && to == LAYOUT_NOTATION_CUTE)
		expect_cute(result, &table, model.notation == LAYOUT_NOTATION_ENCODING,
			&got);
	else if (result)
		expect_same(result, &table, &got);
	else
		expect_reason(text, &table, model.notation == LAYOUT_NOTATION_ENCODING,
			to);
	if (result)
		go_back(text, &table, model.notation, result, to);
	layout_string_free(result);
}

static void random_text(layout_notation notation, bool binary, char text[LAYOUT_TEXT])
{
	struct model nested;

	switch (notation) {
	case LAYOUT_NOTATION_CUTE:
		random_cute(&seed, binary, text);
		break;
	case LAYOUT_NOTATION_NESTED:
		nested = random_nested(&seed, binary, 2);
		model_print(&nested, text, LAYOUT_TEXT);
		break;
	case LAYOUT_NOTATION_LINEAR:
		random_linear(&seed, binary, text);
		break;
	case LAYOUT_NOTATION_ENCODING:
		random_encoding(&seed, binary, text);
	}
}

/* The library's points of a literal are those of the model. */
static bool expect_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct layout_model *model = user;
	int64_t wanted[POINT_RANK];

	assert_int_equal(in_rank, model->in_rank);
	assert_int_equal(image_rank, model->out_rank);
	assert_true(layout_model_at(model, in, wanted));
	return !memcmp(image, wanted, image_rank * sizeof(*image));
}

static void literals(void **state)
{
	static struct layout_model model;
	char text[LAYOUT_TEXT];

	(void)state;
	for (unsigned i = 0; i < 8 * NOTATIONS; i++) {
		layout_value *value;

		random_text(i % NOTATIONS, i / NOTATIONS % 2, text);
		if (!layout_model_read(text, &model))
			fail_msg("%s: the test cannot read it", text);
		value = layout_value_parse(ctx, text);
		if (!layout_value_for_each(value, NULL, 0, expect_pair, &model))
			fail_msg("%s: other points", text);
		layout_value_free(value);
	}
}

/* All notations to CuTe and linear, of which it is known what has a form there. */
enum { CASES = 24 };

static void crossings(void **state)
{
	char text[LAYOUT_TEXT];

	(void)state;
	for (unsigned i = 0; i < CASES; i++)
		for (unsigned from = 0; from < NOTATIONS; from++)
			for (unsigned to = 0; to < NOTATIONS; to++)
				if (from != to && (to == LAYOUT_NOTATION_CUTE ||
						to == LAYOUT_NOTATION_LINEAR)) {
					random_text(from, i % 2, text);
					cross(text, to);
				}
}

/* Does the expression print as the layout does? */
static void expect_text(const char *expression, const char *text)
{
	layout_value *is = layout_value_parse(ctx, expression);
	layout_value *was = layout_value_parse(ctx, text);
	char *printed = layout_value_str(is), *wanted = layout_value_str(was);

	if (!printed)
		fail_msg("%s: %s", expression, layout_context_message(ctx));
	assert_string_equal(printed, wanted);
	layout_string_free(printed);
	layout_string_free(wanted);
	layout_value_free(is);
	layout_value_free(was);
}

/* What is a nested layout by its making, from a linear layout of registers, lanes and
 * warps, and back with the names: the same text. */
static void nested_from_linear(const struct model *nested)
{
	static struct layout_model model, got;
	static struct layout_table table;
	char text[LAYOUT_TEXT], back[EXPRESSION], *result;

	nested_as_linear(nested, text);
	read_table(text, &model, &table);
	result = converted(text, LAYOUT_NOTATION_NESTED, FORM_EXISTS, &got);
	count(LAYOUT_NOTATION_LINEAR, LAYOUT_NOTATION_NESTED, result);
	expect_nested(result, &table, &got, table.in[1] * table.in[2], table.in[0], true);
	snprintf(back, sizeof(back), "transpose_ins(convert(as(as(%s, in = [%" PRId64
		", %" PRId64 ", %" PRId64 "], order = lex), in = [warp, lane, register], "
		"out = [", result, table.in[2], table.in[1], table.in[0]);
	for (unsigned d = 0; d < table.out_rank; d++)
		append_text(back, sizeof(back), "%sdim%u", d ? ", " : "", d);
	append_text(back, sizeof(back), "]), to = linear), [register, lane, warp])");
	layout_string_free(result);
	expect_text(back, text);
}

/* Does the hardware's part of a thread id divide by its digits? */
static bool divides(const struct model *nested)
{
	int64_t t = nested->lists[T][0], s = nested->lists[S][0];
	int64_t ids = t > 1 ? nested->lists[T_STRIDES][0] * t : 1;
	int64_t groups = s > 1 ? nested->lists[S_STRIDES][0] * s : 1;

	return nested->subgroup_size % ids == 0 &&
		model_threads(nested) / nested->subgroup_size % groups == 0;
}

/* The same from a CuTe layout of (thread, value), of any sizes. */
static void nested_from_cute(const struct model *nested)
{
	static struct layout_model model, got;
	static struct layout_table table;
	char text[LAYOUT_TEXT], pairs[2 * LAYOUT_TEXT], back[EXPRESSION], *result;
	int64_t threads = model_threads(nested), values;

	nested_as_cute(nested, text);
	read_table(text, &model, &table);
	values = table.count / threads;
	snprintf(pairs, sizeof(pairs), "as(%s, in = [%" PRId64 ", %" PRId64 "])", text,
		threads, values);
	result = converted(pairs, LAYOUT_NOTATION_NESTED, FORM_EXISTS, &got);
	count(LAYOUT_NOTATION_CUTE, LAYOUT_NOTATION_NESTED, result);
	expect_nested(result, &table, &got, threads, values, false);
	snprintf(back, sizeof(back), "as(%s, in = [%" PRId64 ", %" PRId64
		"], order = lex)", result, threads, values);
	expect_back(text, back, LAYOUT_NOTATION_CUTE);
	layout_string_free(result);
}

static void linear_to_nested(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CASES; i++) {
		struct model nested = random_nested(&seed, true, 2);

		nested_from_linear(&nested);
	}
}

static void cute_to_nested(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CASES; i++) {
		struct model nested;

		do
			nested = random_nested(&seed, i % 2, 1);
		while (!divides(&nested));
		nested_from_cute(&nested);
	}
}

/* A table whose sizes are powers of two, as linear<..> with inputs d0, .. */
static void print_linear(const struct layout_table *table, char text[LAYOUT_TEXT])
{
	int64_t bit = 1;

	strcpy(text, "linear<{");
	for (unsigned d = 0; d < table->in_rank; d++) {
		append_text(text, LAYOUT_TEXT, "%sd%u = [", d ? ", " : "", d);
		for (int64_t size = 1; size < table->in[d]; size *= 2, bit *= 2) {
			append_text(text, LAYOUT_TEXT, size > 1 ? ", [" : "[");
			for (unsigned out = 0; out < table->out_rank; out++)
				append_text(text, LAYOUT_TEXT, "%s%" PRId64,
					out ? ", " : "", table->image[bit][out]);
			append_text(text, LAYOUT_TEXT, "]");
		}
		append_text(text, LAYOUT_TEXT, "]");
	}
	append_text(text, LAYOUT_TEXT, "} -> {");
	for (unsigned out = 0; out < table->out_rank; out++)
		append_text(text, LAYOUT_TEXT, "%sc%u = %" PRId64, out ? ", " : "", out,
			table->out[out]);
	append_text(text, LAYOUT_TEXT, "}>");
}

/* What is an encoding by its making: as a relation, and as a linear layout. */
static void encoding_again(const char *text, bool binary)
{
	static struct layout_model model, got;
	static struct layout_table table;
	char other[2 * LAYOUT_TEXT], back[EXPRESSION], *result;

	read_table(text, &model, &table);
	snprintf(other, sizeof(other), "simplify(%s)", text);
	if (binary)
		print_linear(&table, other);
	result = converted(other, LAYOUT_NOTATION_ENCODING, FORM_EXISTS, &got);
	expect_same(result, &table, &got);
	snprintf(back, sizeof(back), "as(%s, in = logical, out = cell)", other);
	expect_back(text, back, LAYOUT_NOTATION_ENCODING);
	if (binary) {
		count(LAYOUT_NOTATION_LINEAR, LAYOUT_NOTATION_ENCODING, result);
		snprintf(back, sizeof(back), "as(%s, in = [", result);
		print_sizes(table.in, table.in_rank, back);
		append_text(back, sizeof(back), "], out = [");
		print_sizes(table.out, table.out_rank, back);
		append_text(back, sizeof(back), "])");
		expect_back(other, back, LAYOUT_NOTATION_LINEAR);
	}
	layout_string_free(result);
}

static void to_encoding(void **state)
{
	char text[LAYOUT_TEXT];

	(void)state;
	for (unsigned i = 0; i < CASES; i++) {
		random_encoding(&seed, i % 2, text);
		encoding_again(text, i % 2);
	}
}

/* Layouts of which nothing is known: whatever is said must be true.  The model of nested
 * layouts has no more than MODEL_RANK dimensions. */
static void expect_true(const char *text, layout_notation to)
{
	static struct layout_model model, got;
	static struct layout_table table;
	bool linear;
	char *result;

	read_table(text, &model, &table);
	linear = model.notation == LAYOUT_NOTATION_LINEAR;
	if (to == LAYOUT_NOTATION_NESTED && model.out_rank > MODEL_RANK)
		return;
	result = converted(text, to, FORM_UNKNOWN, &got);
	count(model.notation, to, result);
	if (result && to == LAYOUT_NOTATION_ENCODING)
		expect_same(result, &table, &got);
	else if (result && linear)
		expect_nested(result, &table, &got, table.count / table.in[0],
			table.in[0], true);
	else if (result)
		expect_nested(result, &table, &got, got.in[0],
			table.count / got.in[0], false);
	layout_string_free(result);
}

static void unknown_forms(void **state)
{
	char text[LAYOUT_TEXT];

	(void)state;
	for (unsigned i = 0; i < CASES; i++)
		for (unsigned from = 0; from < NOTATIONS; from++)
			for (unsigned to = 0; to < NOTATIONS; to++)
				if (from != to && (to == LAYOUT_NOTATION_NESTED ||
						to == LAYOUT_NOTATION_ENCODING)) {
					random_text(from, i % 2, text);
					expect_true(text, to);
				}
}

/* A layout is already in its own notation. */
static void same_notation(void **state)
{
	char text[LAYOUT_TEXT];

	(void)state;
	for (unsigned i = 0; i < CASES; i++)
		for (unsigned from = 0; from < NOTATIONS; from++) {
			layout_value *value, *same;
			char *before, *after;

			layout_context_clear(ctx);
			random_text(from, i % 2, text);
			value = layout_value_parse(ctx, text);
			same = layout_value_convert(value, from);
			before = layout_value_str(value);
			after = layout_value_str(same);
			if (!after)
				fail_msg("%s: %s", text, layout_context_message(ctx));
			assert_string_equal(before, after);
			layout_string_free(before);
			layout_string_free(after);
			layout_value_free(value);
			layout_value_free(same);
		}
}

/* The lanes up to the last that holds something. */
static int64_t count_lanes(layout_mma *mma)
{
	int64_t lanes = layout_mma_lanes(mma), image[POINT_RANK];

	while (lanes && !layout_mma_apply(mma, (unsigned)lanes - 1, 0, image) &&
			!layout_mma_apply(mma, (unsigned)lanes - 1, 1, image))
		lanes--;
	return lanes;
}

/* The operand as a table of (lane, element); false where elements are left out, so that
 * the points are no box. */
static bool tabulate_operand(layout_mma *mma, struct layout_table *table)
{
	int64_t lanes = count_lanes(mma), elements = layout_mma_elements(mma);
	int64_t sizes[] = { layout_mma_get_shape(mma).blocks, layout_mma_rows(mma),
		layout_mma_columns(mma) };

	table->in_rank = 2;
	table->in[0] = lanes;
	table->in[1] = elements;
	table->count = lanes * elements;
	table->function = true;
	assert_in_range(table->count, 1, TABLE_POINTS);
	for (int64_t i = 0; i < table->count; i++) {
		table->out_rank = layout_mma_apply(mma, (unsigned)(i % lanes),
			(unsigned)(i / lanes), table->image[i]);
		if (!table->out_rank)
			return false;
	}
	memcpy(table->out, sizes + 3 - table->out_rank, table->out_rank * sizeof(*sizes));
	return true;
}

/* An operand in the three notations that have (lane, element): IREE's intrinsics are
 * nested layouts, and what is linear or CuTe is found by trying. */
static void operand_everywhere(layout_mma *mma)
{
	static struct layout_table table;
	static struct layout_model got;
	char *text = layout_mma_str(mma);
	bool whole = tabulate_operand(mma, &table);

	for (unsigned to = LAYOUT_NOTATION_CUTE; to <= LAYOUT_NOTATION_LINEAR; to++) {
		enum form wanted = !whole ? FORM_NONE : to == LAYOUT_NOTATION_NESTED &&
			!strncmp(text, "mma<v_", 6) ? FORM_UNKNOWN : FORM_EXISTS;
		char *result;

		if (whole && to != LAYOUT_NOTATION_NESTED)
			wanted = form_in(&table, LAYOUT_NOTATION_LINEAR, to);
		result = converted(text, to, wanted, &got);
		mma_answers[to] += result != NULL;
		mma_refusals[to] += result == NULL;
		if (result && to == LAYOUT_NOTATION_CUTE)
			expect_cute(result, &table, false, &got);
		else if (result && to == LAYOUT_NOTATION_NESTED)
			expect_nested(result, &table, &got, table.in[0], table.in[1],
				false);
		else if (result)
			expect_same(result, &table, &got);
		layout_string_free(result);
	}
	layout_string_free(text);
}

static void operands_of(const char *target)
{
	const char *name;

	for (unsigned i = 0; (name = layout_mma_name_at(ctx, target, i)); i++)
		for (unsigned k = 0; layout_mma_operand_name(k); k++) {
			layout_mma *mma = layout_mma_find(ctx, name, k, target);

			layout_context_clear(ctx);
			if (mma)
				operand_everywhere(mma);
			layout_mma_free(mma);
		}
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
}

static void matrix_operands(void **state)
{
	static const char *const targets[] = { "gfx908", "gfx90a", "gfx942", "gfx950",
		"gfx1100", "gfx1100:wave64", "gfx1200", "gfx1200:wave64", "gfx1201",
		"gfx1201:wave64", "gfx1250" };

	(void)state;
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		operands_of(targets[i]);
	for (unsigned to = LAYOUT_NOTATION_CUTE; to <= LAYOUT_NOTATION_LINEAR; to++) {
		printf("mma to %s: %u answers, %u refusals\n", layout_notation_str(to),
			mma_answers[to], mma_refusals[to]);
		assert_true(mma_answers[to]);
		assert_true(mma_refusals[to]);
	}
}

/* "count" threads with an element each; their stride. */
#define THREADS(count, stride) "nested_layout<subgroup_tile = [1], batch_tile = [1], " \
	"outer_tile = [1], thread_tile = [" count "], element_tile = [1], " \
	"subgroup_strides = [0], thread_strides = [" stride "], subgroup_size = " \
	count ">"
#define PACKED(tile, parts, order, sizes) "packed(encoding_info<{innerDimsPos = [0], " \
	"innerTileSizes = [" tile "], outerDimsPerm = [0], swizzle = {expandShape = " \
	"[[" parts "]], permutation = " order "}}>, " sizes ")"

/* Layouts without a form elsewhere, and what of the reason can be checked by hand. */
static const struct {
	layout_notation from, to;
	const char *text, *reason;
} without_form[] = {
	{ LAYOUT_NOTATION_CUTE, LAYOUT_NOTATION_LINEAR, "4:3", "at (3) the value is 9" },
	{ LAYOUT_NOTATION_CUTE, LAYOUT_NOTATION_LINEAR, "(2,4):(5,1)",
		"at (3) the value is 6" },
	{ LAYOUT_NOTATION_CUTE, LAYOUT_NOTATION_LINEAR, "(2,3):(3,1)", "6 points" },
	{ LAYOUT_NOTATION_CUTE, LAYOUT_NOTATION_NESTED, "4:1", "4 inputs" },
	{ LAYOUT_NOTATION_CUTE, LAYOUT_NOTATION_ENCODING, "4:2", "2*i0" },
	{ LAYOUT_NOTATION_NESTED, LAYOUT_NOTATION_CUTE,
		THREADS("2", "0"), "0 and 1" },
	{ LAYOUT_NOTATION_NESTED, LAYOUT_NOTATION_LINEAR,
		THREADS("3", "1"), "3 points" },
	{ LAYOUT_NOTATION_LINEAR, LAYOUT_NOTATION_CUTE,
		"linear<{a = [[1], [2], [3]]}>", "at (5) the value is 2" },
	{ LAYOUT_NOTATION_LINEAR, LAYOUT_NOTATION_NESTED,
		"linear<{register = [[1]], block = [[2]]}>", "2 blocks" },
	{ LAYOUT_NOTATION_LINEAR, LAYOUT_NOTATION_ENCODING,
		"linear<{a = [[1], [3]]}>", "" },
	{ LAYOUT_NOTATION_ENCODING, LAYOUT_NOTATION_CUTE,
		PACKED("4", "[\"Internal\", 2 : i16], [\"Internal\", 2 : i16]", "[1, 0]",
			"[6]"), "" },
	{ LAYOUT_NOTATION_ENCODING, LAYOUT_NOTATION_LINEAR,
		PACKED("3", "[\"Internal\", 3 : i16]", "[0]", "[9]"), "9 points" },
};

static void no_forms(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(without_form) / sizeof(*without_form); i++) {
		const char *text = without_form[i].text;
		layout_notation to = without_form[i].to;

		if (convert(text, to))
			fail_msg("%s is no %s layout", text, layout_notation_str(to));
		if (!strstr(reason, without_form[i].reason))
			fail_msg("%s to %s: %s: without %s", text,
				layout_notation_str(to), reason, without_form[i].reason);
		refusals[without_form[i].from][to]++;
	}
}

/* Both kinds of answers were seen for the pairs of which both exist. */
static void both_kinds(void **state)
{
	(void)state;
	assert_true(checked_reasons);
	for (unsigned from = 0; from < NOTATIONS; from++)
		for (unsigned to = 0; to < NOTATIONS; to++) {
			if (from == to)
				continue;
			printf("%s to %s: %u answers, %u refusals\n",
				layout_notation_str(from), layout_notation_str(to),
				answers[from][to], refusals[from][to]);
			assert_true(answers[from][to] + refusals[from][to]);
			if (to == LAYOUT_NOTATION_CUTE || to == LAYOUT_NOTATION_LINEAR) {
				assert_true(answers[from][to]);
				assert_true(refusals[from][to]);
			}
		}
}

static int begin(void **state)
{
	(void)state;
	ctx = layout_context_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	return layout_context_free(ctx) ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(literals),
		cmocka_unit_test(crossings),
		cmocka_unit_test(linear_to_nested),
		cmocka_unit_test(cute_to_nested),
		cmocka_unit_test(to_encoding),
		cmocka_unit_test(unknown_forms),
		cmocka_unit_test(no_forms),
		cmocka_unit_test(both_kinds),
		cmocka_unit_test(same_notation),
		cmocka_unit_test(matrix_operands),
	};

	seed = random_seed();
	return cmocka_run_group_tests(tests, begin, end);
}
