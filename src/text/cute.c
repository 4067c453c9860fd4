/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts, "((2,2),4):((1,8),2)", "Sw<3,4,3> o 0 o (8,64):(64,1)" and
 * "pack_map<(4,8):(8,1)>":
 *
 *	CUTE	= PLAIN | SWIZZLE ["o" INT "o" PLAIN]
 *	PLAIN	= TREE ":" TREE | PACK_MAP "<" TREE ":" TREE ">" | TYPE
 *	TYPE	= "Layout" "<" TREE ["," (TREE | ORDER)] ">" ["{}"] | ATOM
 *		| "ComposedLayout" "<" SWIZZLE "," (NUMBER | FLAG) "," PLAIN ">" ["{}"]
 *	SWIZZLE	= ("Sw" | "S" | "Swizzle") "<" INT "," INT "," INT ">"
 *	TREE	= NUMBER | TUPLE of TREE {"," TREE}
 *
 * in the numbers and tuples of cute_types.c, with the atoms of cute_atom.c: _8 is 8, as CuTe
 * prints the numbers that its compiler knows. */
#include "show/kind.h"
#include "text/call.h"
#include "text/kind.h"
#include "text/profile.h"

#include "algebra/cute/coordinate.h"
#include "algebra/cute/order.h"
#include "algebra/cute/swizzle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A tree in prefix order, as layout_cute_new() takes it. */
struct tree {
	const struct rule *rule;
	bool whole;		/* "_" is LAYOUT_CUTE_WHOLE */
	struct text_profile profile;
	unsigned leaf_count;
	int64_t leaf[TEXT_LIST_LIMIT];
};

/* What the leaves of a tree must be: at least "least", else the message is "broken" and
 * the number. */
struct rule {
	int64_t least;
	const char *broken;
};

/* What a notation demands of its trees. */
struct rules {
	struct rule shape, stride;
	const char *congruent;
};

static const struct rules cute_rules = {
	{ 0, "a shape must be at least 0, not" }, { INT64_MIN, "" },
	"shape and stride must be congruent: the same tree",
};

/* In the words of IREE. */
static const struct rules pack_map_rules = {
	{ 1, "shape leaf values must be positive, got" },
	{ 0, "stride leaf values must be non-negative, got" },
	"shape and stride must be congruent (identical tree structure)",
};

static bool at_tree(const struct text_cursor *cursor)
{
	return text_at_number(cursor) || text_at_tuple(cursor);
}

static bool at_swizzle(const struct text_cursor *cursor)
{
	return text_at(cursor, "Sw") || text_at(cursor, "Swizzle") || text_at_type(cursor, "S");
}

/* A pack_layout is the pack_map from its coordinates to threads. */
static bool at_pack_map(const struct text_cursor *cursor)
{
	return text_at(cursor, "pack_map") || text_at(cursor, "#iree_map.pack_map") ||
		text_at(cursor, "pack_layout") || text_at(cursor, "#iree_map.pack_layout");
}

static bool at_cute(const struct text_cursor *cursor)
{
	return at_tree(cursor) || at_swizzle(cursor) || at_pack_map(cursor) ||
		text_at_type(cursor, "Layout") || text_at_type(cursor, "ComposedLayout") ||
		text_at_pointer(cursor) || text_at_cute_atom(cursor);
}

static bool read_leaf(struct text_cursor *cursor, void *user)
{
	struct tree *tree = user;
	long position = text_position(cursor);
	int64_t *leaf = &tree->leaf[tree->leaf_count];

	if (!text_room(cursor, tree->leaf_count, TEXT_LIST_LIMIT))
		return false;
	if (tree->whole && text_skip(cursor, "_")) {
		*leaf = LAYOUT_CUTE_WHOLE;
		tree->leaf_count++;
		return true;
	}
	if (!at_tree(cursor))
		return text_expected(cursor, tree->whole ? "an integer, `_` or `(`" :
			"an integer or `(`");
	if (!text_number_of_cute(cursor, leaf))
		return false;
	if (*leaf < tree->rule->least) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"%s %" PRId64, tree->rule->broken, *leaf);
		return false;
	}
	tree->leaf_count++;
	return true;
}

static bool read_tree(struct text_cursor *cursor, struct tree *tree)
{
	return text_tree(cursor, &tree->profile, read_leaf, tree);
}

bool text_numbers(struct text_cursor *cursor, int64_t least, bool whole,
	struct text_numbers *numbers)
{
	const struct rule rule = { least, whole ? "a coordinate must be at least 0, not" :
		cute_rules.shape.broken };
	struct tree tree = { .rule = &rule, .whole = whole };
	bool good = read_tree(cursor, &tree);

	numbers->profile = tree.profile;
	numbers->count = tree.leaf_count;
	memcpy(numbers->leaf, tree.leaf, sizeof(tree.leaf));
	return good;
}

bool text_behind_parentheses(const struct text_cursor *cursor, const char *token)
{
	return text_at(cursor, "(") && text_behind_tuple(cursor, token);
}

bool text_at_numbers(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;
	int64_t number;

	if (!at_tree(cursor))
		return false;
	if (text_at_tuple(cursor)) {
		text_skip_tuple(&behind);
	} else if (text_at_type(cursor, "Int")) {
		if (!text_number_of_cute(&behind, &number))
			return true;
	} else {
		while (text_skip(&behind, "-"))
			;
		text_advance(&behind);
		text_skip_braces(&behind);
	}
	return !text_at(&behind, ":") && !text_at(&behind, "(");
}

static bool congruent(const struct tree *shape, const struct tree *stride)
{
	const struct text_profile *a = &shape->profile, *b = &stride->profile;

	return a->count == b->count &&
		!memcmp(a->arity, b->arity, a->count * sizeof(*a->arity));
}

/* A layout of a shape that was read; errors of the whole lie at "begin". */
static layout_cute *build(struct text_cursor *cursor, long begin,
	const struct tree *shape, const struct tree *stride)
{
	long base = layout_context_set_base(cursor->ctx, begin);
	layout_cute *cute = layout_cute_new(cursor->ctx, shape->profile.arity,
		shape->profile.count, shape->leaf, stride->leaf, shape->leaf_count);

	layout_context_set_base(cursor->ctx, base);
	return cute;
}

/* The strides of a shape that was read. */
static layout_cute *read_strides(struct text_cursor *cursor, long begin,
	const struct rules *rules, const struct tree *shape)
{
	struct tree stride = { .rule = &rules->stride };
	long position = text_position(cursor);

	if (!read_tree(cursor, &stride))
		return NULL;
	if (!congruent(shape, &stride)) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position, "%s",
			rules->congruent);
		return NULL;
	}
	return build(cursor, begin, shape, &stride);
}

/* ":" and these. */
static layout_cute *read_stride(struct text_cursor *cursor, long begin,
	const struct rules *rules, const struct tree *shape)
{
	return text_take(cursor, ":") ? read_strides(cursor, begin, rules, shape) : NULL;
}

static layout_cute *read_plain(struct text_cursor *cursor, const struct rules *rules)
{
	struct tree shape = { .rule = &rules->shape };
	long begin = text_position(cursor);

	if (!read_tree(cursor, &shape))
		return NULL;
	return read_stride(cursor, begin, rules, &shape);
}

bool text_at_order(const struct text_cursor *cursor, bool *last)
{
	*last = text_at(cursor, "LayoutRight") || text_at(cursor, "GenRowMajor");
	return *last || text_at(cursor, "LayoutLeft") || text_at(cursor, "GenColMajor");
}

bool text_compact(layout_context *ctx, const int64_t *shape, unsigned count, bool last,
	int64_t *stride)
{
	int64_t next = 1;

	for (unsigned i = 0; i < count; i++) {
		unsigned leaf = last ? count - 1 - i : i;

		stride[leaf] = next;
		if (shape[leaf] >= 0 && __builtin_mul_overflow(next, shape[leaf], &next)) {
			layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
				"the shape does not fit 64 bits");
			return false;
		}
	}
	return true;
}

/* The strides without gaps of a shape that was read, the first mode fastest unless an order
 * is said. */
static layout_cute *read_order(struct text_cursor *cursor, long begin,
	const struct tree *shape)
{
	struct tree stride;
	bool last;

	if (text_at_order(cursor, &last))
		text_advance(cursor);
	text_skip_braces(cursor);
	return text_compact(cursor->ctx, shape->leaf, shape->leaf_count, last, stride.leaf) ?
		build(cursor, begin, shape, &stride) : NULL;
}

/* "Layout<Shape<_4,_8>,Stride<_8,_1>>{}" */
static layout_cute *read_type(struct text_cursor *cursor)
{
	struct tree shape = { .rule = &cute_rules.shape };
	long begin = text_position(cursor);
	layout_cute *cute;
	bool last;

	text_advance(cursor);
	text_advance(cursor);
	if (!read_tree(cursor, &shape))
		return NULL;
	cute = text_skip(cursor, ",") && !text_at_order(cursor, &last) ?
		read_strides(cursor, begin, &cute_rules, &shape) :
		read_order(cursor, begin, &shape);
	if (cute && text_close_tuple(cursor, ">"))
		return cute;
	layout_cute_free(cute);
	return NULL;
}

static layout_cute *read_pack_map(struct text_cursor *cursor)
{
	layout_cute *cute;

	text_advance(cursor);
	if (!text_take(cursor, "<"))
		return NULL;
	cute = read_plain(cursor, &pack_map_rules);
	if (cute && text_take(cursor, ">"))
		return layout_cute_lexicographic(cute);
	layout_cute_free(cute);
	return NULL;
}

/* One of the three numbers of a swizzle. */
static bool read_bits(struct text_cursor *cursor, const char *end, int *bits)
{
	long position = text_position(cursor);
	int64_t value;

	if (!text_integer(cursor, &value))
		return false;
	if (value < -CUTE_SWIZZLE_BITS || value > CUTE_SWIZZLE_BITS) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"a swizzle moves bits 0 to %d, not by %" PRId64,
			CUTE_SWIZZLE_BITS - 1, value);
		return false;
	}
	*bits = (int)value;
	return text_take(cursor, end);
}

bool text_cute_swizzle(struct text_cursor *cursor, layout_cute_swizzle *swizzle)
{
	long begin = text_position(cursor), base;
	bool ok;

	text_advance(cursor);
	if (!text_take(cursor, "<") || !read_bits(cursor, ",", &swizzle->bits) ||
			!read_bits(cursor, ",", &swizzle->base) ||
			!read_bits(cursor, ">", &swizzle->shift))
		return false;
	text_skip_braces(cursor);
	base = layout_context_set_base(cursor->ctx, begin);
	ok = cute_swizzle_check(cursor->ctx, *swizzle);
	layout_context_set_base(cursor->ctx, base);
	return ok;
}

/* The swizzle before the layout, which is consumed; errors lie at "begin". */
static layout_cute *apply(struct text_cursor *cursor, long begin, layout_cute *cute,
	layout_cute_swizzle swizzle)
{
	long base = layout_context_set_base(cursor->ctx, begin);

	cute = layout_cute_apply_swizzle(cute, swizzle);
	layout_context_set_base(cursor->ctx, base);
	return cute;
}

/* A number, and "o" behind it. */
static bool at_offset(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	if (!text_at_static(cursor))
		text_skip(&behind, "-");
	if (!text_at_static(cursor) && behind.token.kind != TEXT_INT)
		return false;
	text_advance(&behind);
	if (text_at_static(cursor) && cursor->token.length == 1)
		text_advance(&behind);
	return text_at(&behind, "o");
}

/* What stands between a swizzle and its layout, up to the last "o": an offset or a pointer,
 * or nothing. */
static bool read_between(struct text_cursor *cursor, layout_cute_swizzle *swizzle)
{
	long position = text_position(cursor);
	int64_t bits;

	if (text_at_pointer(cursor))
		return text_pointer(cursor, &bits) &&
			text_swizzle_of_bytes(cursor, position, bits, swizzle);
	return !at_offset(cursor) || (text_number_of_cute(cursor, &swizzle->offset) &&
		text_take(cursor, "o"));
}

/* What can be behind "o" there: else the swizzle is alone, and composed with it. */
static bool at_swizzled(const struct text_cursor *cursor)
{
	return at_tree(cursor) || at_pack_map(cursor) || text_at_pointer(cursor) ||
		cursor->token.kind == TEXT_END;
}

static layout_cute *read_swizzled(struct text_cursor *cursor)
{
	layout_cute_swizzle swizzle = { 0 };
	long begin = text_position(cursor);
	struct text_cursor behind;
	layout_cute *cute;

	if (!text_cute_swizzle(cursor, &swizzle))
		return NULL;
	behind = *cursor;
	if (!text_at(cursor, "_smem_ptr") && (!text_skip(&behind, "o") ||
			!at_swizzled(&behind)))
		return layout_cute_new_swizzle(cursor->ctx, swizzle.bits, swizzle.base,
			swizzle.shift);
	*cursor = behind;
	if (!read_between(cursor, &swizzle))
		return NULL;
	cute = at_pack_map(cursor) ? read_pack_map(cursor) :
		read_plain(cursor, &cute_rules);
	return apply(cursor, begin, cute, swizzle);
}

/* "smem_ptr_flag_bits<16>", of elements of 16 bits, "smem_ptr_flag", of bits, or an offset. */
static bool read_flag(struct text_cursor *cursor, layout_cute_swizzle *swizzle)
{
	long position = text_position(cursor);
	int64_t bits = 1;

	if (text_at_number(cursor))
		return text_number_of_cute(cursor, &swizzle->offset);
	if (text_at_type(cursor, "smem_ptr_flag_bits")) {
		text_advance(cursor);
		text_advance(cursor);
		if (!text_integer(cursor, &bits) || !text_close_tuple(cursor, ">"))
			return false;
	} else if (!text_skip(cursor, "smem_ptr_flag")) {
		return text_expected(cursor, "an integer, `smem_ptr_flag` or "
			"`smem_ptr_flag_bits`");
	}
	return text_swizzle_of_bytes(cursor, position, bits, swizzle);
}

/* "ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag, Layout<Shape<_8,_1024>,Stride<_1024,_1>>>" */
static layout_cute *read_composed(struct text_cursor *cursor)
{
	layout_cute_swizzle swizzle = { 0 };
	long begin = text_position(cursor);
	layout_cute *cute;

	text_advance(cursor);
	text_advance(cursor);
	if (!at_swizzle(cursor)) {
		text_expected(cursor, "`Swizzle`");
		return NULL;
	}
	if (!text_cute_swizzle(cursor, &swizzle) || !text_take(cursor, ",") ||
	    !read_flag(cursor, &swizzle) || !text_take(cursor, ","))
		return NULL;
	cute = text_at_type(cursor, "Layout") ? read_type(cursor) :
		read_plain(cursor, &cute_rules);
	if (cute && text_close_tuple(cursor, ">"))
		return apply(cursor, begin, cute, swizzle);
	layout_cute_free(cute);
	return NULL;
}

static layout_cute *text_cute(struct text_cursor *cursor)
{
	int64_t bits;

	if (text_at_pointer(cursor) && !text_pointer(cursor, &bits))
		return NULL;
	if (at_swizzle(cursor))
		return read_swizzled(cursor);
	if (text_at_cute_atom(cursor))
		return text_cute_atom(cursor);
	if (at_pack_map(cursor))
		return read_pack_map(cursor);
	if (text_at_type(cursor, "Layout"))
		return read_type(cursor);
	if (text_at_type(cursor, "ComposedLayout"))
		return read_composed(cursor);
	return read_plain(cursor, &cute_rules);
}

/* A layout that has a name, or that a function makes. */
static layout_cute *read_made(struct text_cursor *cursor)
{
	long begin = text_position(cursor), base;
	layout_value *value = text_expression(cursor);
	layout_cute *cute;

	base = layout_context_set_base(cursor->ctx, begin);
	cute = value ? layout_cute_copy(layout_value_cute(value)) : NULL;
	layout_context_set_base(cursor->ctx, base);
	layout_value_free(value);
	return cute;
}

/* A tile: "_", a layout, or n for n:1. */
static bool read_tile(struct text_cursor *cursor, layout_cute_tile *tile)
{
	struct tree shape = { .rule = &cute_rules.shape }, one = { .leaf = { 1 } };
	long begin = text_position(cursor);

	*tile = (layout_cute_tile){ .whole = !text_at_static(cursor) &&
		text_skip(cursor, "_") };
	if (tile->whole)
		return true;
	if (text_at_defined(cursor) || text_function(cursor)) {
		tile->layout = read_made(cursor);
	} else if (!at_tree(cursor)) {
		if (!at_cute(cursor))
			return text_expected(cursor, "a layout, an integer or `_`");
		tile->layout = text_cute(cursor);
	} else if (read_tree(cursor, &shape)) {
		tile->layout = shape.profile.arity[0] < 0 && !text_at(cursor, ":") ?
			build(cursor, begin, &shape, &one) :
			read_stride(cursor, begin, &cute_rules, &shape);
	}
	return tile->layout != NULL;
}

void text_tiler_free(struct text_tiler *tiler)
{
	for (unsigned i = 0; i < tiler->count; i++) {
		layout_cute_free(tiler->tiles[i].layout);
		if (tiler->inner[i])
			text_tiler_free(tiler->inner[i]);
		free(tiler->inner[i]);
	}
	tiler->count = 0;
}

bool text_at_tiler(const struct text_cursor *cursor)
{
	return text_at(cursor, "<") || (text_at_tuple(cursor) &&
		!text_behind_tuple(cursor, ":") && !text_behind_tuple(cursor, "("));
}

/* A tile, or a tiler in its place. */
static bool read_inner(struct text_cursor *cursor, struct text_tiler *tiler, unsigned i)
{
	bool good;

	tiler->inner[i] = NULL;
	if (!text_at_tiler(cursor))
		return read_tile(cursor, &tiler->tiles[i]);
	tiler->tiles[i] = (layout_cute_tile){ NULL, false };
	if (!text_enter(cursor))
		return false;
	tiler->inner[i] = layout_alloc(cursor->ctx, 1, sizeof(*tiler));
	good = tiler->inner[i] && text_tiler(cursor, tiler->inner[i]);
	text_leave(cursor);
	if (!good) {
		free(tiler->inner[i]);
		tiler->inner[i] = NULL;
	}
	return good;
}

bool text_tiler(struct text_cursor *cursor, struct text_tiler *tiler)
{
	const char *end = text_open_tuple(cursor);

	tiler->count = 0;
	do {
		if (!text_room(cursor, tiler->count, TEXT_LIST_LIMIT) ||
		    !read_inner(cursor, tiler, tiler->count))
			goto fail;
		tiler->count++;
	} while (text_skip(cursor, ","));
	if (text_close_tuple(cursor, end))
		return true;
fail:
	text_tiler_free(tiler);
	return false;
}

bool text_tiler_copy(struct text_tiler *copy, const struct text_tiler *tiler)
{
	for (copy->count = 0; copy->count < tiler->count; copy->count++) {
		copy->inner[copy->count] = NULL;
		layout_cute_tile *tile = &copy->tiles[copy->count];

		*tile = tiler->tiles[copy->count];
		tile->layout = layout_cute_copy(tile->layout);
		if (!tile->layout != !tiler->tiles[copy->count].layout) {
			text_tiler_free(copy);
			return false;
		}
	}
	return true;
}

RELATION_FUNCTIONS(cute)
EACH_OF_OBJECT(cute_for_each)
OF_OBJECT(int64_t, end, layout_cute_cosize)

/* A pack_map is the same layout the other way round. */
static void *to_cute(layout_value *value)
{
	layout_cute *cute = layout_cute_copy(value->object);

	return cute && cute->lexicographic ? cute_order_reverse(cute) : cute;
}

static layout_set *onto(layout_value *value)
{
	return value_interval(value->ctx, end(value));
}

static layout_set *from(layout_value *value)
{
	return value_interval(value->ctx, layout_cute_size(value->object));
}

static layout_order order(layout_value *value)
{
	return layout_cute_is_lexicographic(value->object) ? LAYOUT_ORDER_LEX :
		LAYOUT_ORDER_COLEX;
}

static void print_point(void *value, struct layout_buffer *out, const int64_t *point)
{
	cute_print_coordinate(out, ((layout_value *)value)->object, *point);
}

const struct value_kind kind_cute = {
	RELATION_FIELDS(cute), .noun = "a CuTe layout", .at = at_cute,
	.onto = onto, .from = from, .end = end, .order = order,
	.print_point = print_point, .for_each = for_each, .convert[LAYOUT_NOTATION_CUTE] = to_cute,
	.overloads = overloads_cute,
	.show = &show_cute,
};
