/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Register layouts, "mma<NAME, OPERAND>" and "mma<NAME, OPERAND, TARGET>"; repeated,
 * "mma<..> * [a, b] over [s, t]", which is a relation. */
#include "show/kind.h"
#include "text/kind.h"
#include "text/list.h"

#include "algebra/chip.h"

#include <stdio.h>
#include <string.h>

#define NAME_SIZE 80	/* more than any name has */

struct reading {
	char name[NAME_SIZE], target[TEXT_TARGET_SIZE];
	layout_mma_operand operand;
	long name_at, operand_at, target_at;	/* positions; -1: no target */
};

static bool at_mma(const struct text_cursor *cursor)
{
	return text_at(cursor, "mma");
}

static bool read_name(struct text_cursor *cursor, struct reading *reading)
{
	if (cursor->token.kind != TEXT_NAME)
		return text_expected(cursor, "the name of a matrix instruction");
	reading->name_at = text_position(cursor);
	snprintf(reading->name, sizeof(reading->name), "%.*s",
		(int)cursor->token.length, cursor->text + cursor->token.begin);
	text_advance(cursor);
	return true;
}

static bool read_operand(struct text_cursor *cursor, struct reading *reading)
{
	const char *name;

	reading->operand_at = text_position(cursor);
	for (unsigned i = 0; (name = layout_mma_operand_name(i)); i++) {
		if (!text_skip(cursor, name))
			continue;
		reading->operand = i;
		return true;
	}
	return text_expected(cursor,
		"lhs, rhs, acc, lhs_scale, rhs_scale, acc_hi or index");
}

static bool read_target(struct text_cursor *cursor, struct reading *reading)
{
	reading->target_at = text_position(cursor);
	return text_target(cursor, reading->target);
}

static bool read_parts(struct text_cursor *cursor, struct reading *reading)
{
	if (!text_take(cursor, "<") || !read_name(cursor, reading) ||
			!text_take(cursor, ",") || !read_operand(cursor, reading))
		return false;
	if (text_skip(cursor, ",") && !read_target(cursor, reading))
		return false;
	return reading->target_at < 0 && !text_at(cursor, ">") ?
		text_expected(cursor, "`,` or `>`") : text_take(cursor, ">");
}

/* Find target, name and operand in turn, what goes wrong lying where each is. */
static layout_mma *find(layout_context *ctx, const struct reading *reading)
{
	const char *target = reading->target_at < 0 ? NULL : reading->target;
	long base = layout_context_set_base(ctx, reading->target_at);
	const struct chip *chip = target ? mma_target(ctx, target) : NULL;
	layout_mma *mma = NULL;

	layout_context_set_base(ctx, reading->name_at);
	if ((!target || chip) &&
	    mma_find_row(ctx, reading->name, reading->operand, chip)) {
		layout_context_set_base(ctx, reading->operand_at);
		mma = layout_mma_find(ctx, reading->name, reading->operand, target);
	}
	layout_context_set_base(ctx, base);
	return mma;
}

static layout_mma *text_mma(struct text_cursor *cursor)
{
	struct reading reading = { .target_at = -1 };

	if (!at_mma(cursor)) {
		text_expected(cursor, "`mma`");
		return NULL;
	}
	text_advance(cursor);
	return read_parts(cursor, &reading) ? find(cursor->ctx, &reading) : NULL;
}

char *layout_mma_str(layout_mma *mma)
{
	struct layout_buffer out = { 0 };

	if (!mma)
		return NULL;
	layout_buffer_printf(&out, "mma<%s, %s", mma->name,
		layout_mma_operand_name(mma->operand));
	if (mma->target)
		layout_buffer_printf(&out, ", %s", mma->target->target.name);
	layout_buffer_printf(&out, ">");
	return layout_buffer_take(mma->ctx, &out);
}

/* "[a, b]" */
static bool read_pair(struct text_cursor *cursor, int64_t pair[2])
{
	long position = text_position(cursor);
	struct text_ints list;

	if (!text_integers(cursor, 1, "a count", &list))
		return false;
	if (list.count != 2) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"two counts are needed, not %u", list.count);
		return false;
	}
	memcpy(pair, list.items, 2 * sizeof(*pair));
	return true;
}

/* The relation of the value's layout, repeated, in its place. */
static bool repeat(layout_value *value, const int64_t times[2], const int64_t over[2],
	long position)
{
	layout_mma *mma = value->object;
	long base = layout_context_set_base(value->ctx, position);
	layout_relation *relation = layout_mma_repeat(mma, times, over);
	int64_t box[MMA_COORDINATES];
	unsigned rank = relation ? mma_repeated_box(mma, times, over, box) : 0;

	layout_context_set_base(value->ctx, base);
	layout_mma_free(mma);
	value->kind = &kind_relation;
	value->relation = relation;
	value->onto = relation ? value_box(value->ctx, box, rank) : NULL;
	value->like = &kind_mma;
	return value->onto;
}

static bool read_repeat(struct text_cursor *cursor, layout_value *value)
{
	int64_t times[2] = { 1, 1 }, over[2] = { 1, 1 };
	long position = text_position(cursor);
	bool repeated = text_skip(cursor, "*");

	if (repeated && !read_pair(cursor, times))
		return false;
	if (text_skip(cursor, "over")) {
		repeated = true;
		if (!read_pair(cursor, over))
			return false;
	}
	return !repeated || repeat(value, times, over, position);
}

RELATION_FUNCTIONS(mma)
OF_OBJECT(layout_set *, onto, layout_mma_box)
OF_OBJECT(void *, to_linear, layout_mma_linear)

static layout_relation *by_threads(layout_value *value, int64_t *lanes)
{
	*lanes = layout_mma_lanes(value->object);
	return layout_mma_relation(value->object);
}

const struct value_kind kind_mma = {
	RELATION_FIELDS(mma), .read_behind = read_repeat, .noun = "a matrix operand",
	.kernel = "convert_tile(FROM -> TO, type = f16)", .at = at_mma,
	.onto = onto, .from = value_domain,
	.convert[LAYOUT_NOTATION_LINEAR] = to_linear, .by_threads = by_threads,
	.show = &show_mma,
};
