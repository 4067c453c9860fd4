/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names of a layout's inputs or outputs, and messages about them. */
#include "algebra/linear/linear.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const linear_words[LINEAR_SIDES] = { "input", "output" };

static struct linear_side side_of(unsigned count, const char **names,
	const unsigned *widths)
{
	struct linear_side side;

	side.count = count;
	for (unsigned i = 0; i < count; i++) {
		side.names[i] = names[i];
		side.widths[i] = widths[i];
	}
	return side;
}

struct linear_side linear_ins(const layout_linear *linear)
{
	return side_of(linear->f2->in_rank, linear->ins, linear->f2->in_widths);
}

struct linear_side linear_outs(const layout_linear *linear)
{
	return side_of(linear->f2->out_rank, linear->outs, linear->f2->out_widths);
}

void linear_sides(const layout_linear *linear, struct linear_side sides[LINEAR_SIDES])
{
	sides[LINEAR_INS] = linear_ins(linear);
	sides[LINEAR_OUTS] = linear_outs(linear);
}

int linear_find(const struct linear_side *side, const char *name)
{
	for (unsigned i = 0; i < side->count; i++)
		if (!strcmp(side->names[i], name))
			return (int)i;
	return -1;
}

unsigned linear_width(const struct linear_side *side, const char *name)
{
	int place = linear_find(side, name);

	return place < 0 ? 0 : side->widths[place];
}

void linear_match(const struct linear_side *a, const struct linear_side *b, int *places)
{
	for (unsigned i = 0; i < a->count; i++)
		places[i] = linear_find(b, a->names[i]);
}

bool linear_append(layout_context *ctx, struct linear_side *side, const char *name,
	unsigned width)
{
	if (side->count == LAYOUT_LINEAR_RANK) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a linear layout has at most %d inputs and as many outputs",
			LAYOUT_LINEAR_RANK);
		return false;
	}
	side->names[side->count] = name;
	side->widths[side->count++] = width;
	return true;
}

bool linear_bits(layout_context *ctx, const char *name, int64_t size, unsigned *bits)
{
	int exponent = int_log2(size);

	*bits = exponent < 0 ? 0 : (unsigned)exponent;
	if (exponent < 0)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"the size of %s must be a power of two, not %" PRId64,
			name, size);
	return exponent >= 0;
}

bool linear_places(layout_context *ctx, const struct linear_side *side,
	const char *const *names, unsigned count, const char *what, unsigned *places)
{
	bool taken[LAYOUT_LINEAR_RANK] = { false };

	if (!layout_given(ctx, names || !count, "name"))
		return false;
	for (unsigned i = 0; i < count; i++) {
		int place;

		if (!layout_given(ctx, names[i], "name"))
			return false;
		place = linear_find(side, names[i]);
		if (place < 0 || taken[place]) {
			layout_fail(ctx, LAYOUT_ERROR_SPACE, -1, place < 0 ?
				"there is no %s %.40s among %s" :
				"%s %.40s is there twice, of %s",
				what, names[i], linear_side_text(side).text);
			return false;
		}
		taken[place] = true;
		places[i] = (unsigned)place;
	}
	return true;
}

static void append(struct linear_text *to, const char *text)
{
	size_t length = strlen(to->text), room = sizeof(to->text) - length;

	if (strlen(text) + 4 < room)
		memcpy(to->text + length, text, strlen(text) + 1);
	else if (length < 2 || strcmp(to->text + length - 2, ".."))
		memcpy(to->text + length, "..", 3);
}

struct linear_text linear_point_text(const int64_t *point, unsigned rank)
{
	struct linear_text out = { "[" };
	char number[32];

	for (unsigned i = 0; i < rank; i++) {
		snprintf(number, sizeof(number), "%s%" PRId64, i ? ", " : "", point[i]);
		append(&out, number);
	}
	append(&out, "]");
	return out;
}

struct linear_text linear_side_text(const struct linear_side *side)
{
	struct linear_text out = { "(" };

	for (unsigned i = 0; i < side->count; i++) {
		append(&out, i ? ", " : "");
		append(&out, side->names[i]);
	}
	append(&out, ")");
	return out;
}

layout_linear *linear_begin_of(const layout_linear *a, const layout_linear *b,
	bool (*join)(layout_context *ctx, const struct linear_side *a,
		const struct linear_side *b, const char *what, struct linear_side *side))
{
	struct linear_side a_sides[LINEAR_SIDES], b_sides[LINEAR_SIDES];
	struct linear_side sides[LINEAR_SIDES];

	linear_sides(a, a_sides);
	linear_sides(b, b_sides);
	for (unsigned i = 0; i < LINEAR_SIDES; i++)
		if (!join(a->ctx, &a_sides[i], &b_sides[i], linear_words[i], &sides[i]))
			return NULL;
	return linear_begin(a->ctx, &sides[LINEAR_INS], &sides[LINEAR_OUTS]);
}
