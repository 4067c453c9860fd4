/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MLIR's affine maps, "affine_map<(d0, d1)[s0] -> (d0 floordiv 4, d1 + s0)>",
 * rewritten as isl text, "[s0] -> { [d0, d1] -> [floor((d0)/4), (d1) + (s0)] }".
 *
 *	SUM = PRODUCT {("+" | "-") PRODUCT}
 *	PRODUCT = OPERAND {("*" | "floordiv" | "ceildiv" | "mod") OPERAND}
 *	OPERAND = INT | NAME | "-" OPERAND | "(" SUM ")"
 *
 * In isl "2*i mod 4" would be another thing: every part is in brackets. */
#include "isl_bridge/relation.h"
#include "text/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 80		/* of a name in isl text */
#define DIVISION_LIMIT 24u	/* isl is slow to read more, whatever its quota */

struct map {
	struct text_cursor *cursor;
	unsigned dim_count, name_count;		/* dims, then symbols */
	struct text_token names[2 * TEXT_LIST_LIMIT];
	unsigned division_count;
};

/* A constant, or isl text with so many brackets in brackets. */
struct term {
	int64_t value;
	char *text;
	unsigned depth;
};

static bool read_sum(struct map *map, struct term *sum);

bool text_at_affine_map(const struct text_cursor *cursor)
{
	return text_at(cursor, "affine_map");
}

static bool same_name(const struct map *map, struct text_token a, struct text_token b)
{
	return a.length == b.length && memcmp(map->cursor->text + a.begin,
		map->cursor->text + b.begin, a.length) == 0;
}

static unsigned find_name(const struct map *map, struct text_token name)
{
	unsigned i = 0;

	while (i < map->name_count && !same_name(map, map->names[i], name))
		i++;
	return i;
}

static bool is_kept(const struct map *map, struct text_token name)
{
	return name.length < NAME_SIZE &&
		layout_is_plain_name(map->cursor->text + name.begin, name.length);
}

static bool is_taken(const struct map *map, const char *name)
{
	for (unsigned i = 0; i < map->name_count; i++)
		if (map->names[i].length == strlen(name) &&
				memcmp(map->cursor->text + map->names[i].begin, name,
					strlen(name)) == 0)
			return true;
	return false;
}

/* The name as written where isl can hold it, else "d1" or "s1" with as many "_"
 * as make it unique. */
static void isl_name(const struct map *map, unsigned i, char name[NAME_SIZE])
{
	struct text_token token = map->names[i];
	bool dim = i < map->dim_count;

	if (is_kept(map, token)) {
		snprintf(name, NAME_SIZE, "%.*s", (int)token.length,
			map->cursor->text + token.begin);
		return;
	}
	snprintf(name, NAME_SIZE, "%c%u", dim ? 'd' : 's', dim ? i : i - map->dim_count);
	while (is_taken(map, name) && strlen(name) + 1 < NAME_SIZE)
		strcat(name, "_");
}

/* "(d0, d1)" or "[s0]" */
static bool read_names(struct map *map, const char *begin, const char *end)
{
	struct text_cursor *cursor = map->cursor;

	if (!text_take(cursor, begin))
		return false;
	if (text_skip(cursor, end))
		return true;
	do {
		if (cursor->token.kind != TEXT_NAME)
			return text_expected(cursor, "a name");
		if (find_name(map, cursor->token) < map->name_count)
			return text_duplicate(cursor);
		if (!text_room(cursor, map->name_count, TEXT_LIST_LIMIT))
			return false;
		map->names[map->name_count++] = cursor->token;
		text_advance(cursor);
	} while (text_skip(cursor, ","));
	return text_take(cursor, end);
}

static bool overflow(struct map *map)
{
	layout_fail(map->cursor->ctx, LAYOUT_ERROR_OVERFLOW, text_position(map->cursor),
		"the constant before here does not fit 64 bits");
	return false;
}

/* Wrap the text of a term: before + text + after. */
static bool wrap(struct map *map, struct term *term, const char *before,
	const char *after)
{
	struct layout_buffer out = { 0 };

	if (term->depth == TEXT_DEPTH_LIMIT) {
		map->cursor->depth = TEXT_DEPTH_LIMIT;
		return text_enter(map->cursor);
	}
	layout_buffer_printf(&out, "%s%s%s", before, term->text, after);
	free(term->text);
	term->text = layout_buffer_take(map->cursor->ctx, &out);
	term->depth++;
	return term->text;
}

static bool read_operand(struct map *map, struct term *term)
{
	struct text_cursor *cursor = map->cursor;
	char name[NAME_SIZE];
	unsigned i;
	bool good;

	*term = (struct term){ 0 };
	if (cursor->token.kind == TEXT_INT)
		return text_integer(cursor, &term->value);
	if (cursor->token.kind == TEXT_NAME) {
		i = find_name(map, cursor->token);
		if (i == map->name_count)
			return text_expected(cursor, "a dimension or symbol of the map");
		isl_name(map, i, name);
		text_advance(cursor);
		term->text = layout_strdup(cursor->ctx, name);
		return term->text;
	}
	if (!text_at(cursor, "-") && !text_at(cursor, "("))
		return text_expected(cursor, "an affine expression");
	if (!text_enter(cursor))
		return false;
	if (!text_skip(cursor, "-"))
		good = text_take(cursor, "(") && read_sum(map, term) &&
			text_take(cursor, ")");
	else if (!read_operand(map, term))
		good = false;
	else if (term->text)
		good = wrap(map, term, "(-(", "))");
	else
		good = !__builtin_sub_overflow(0, term->value, &term->value) ||
			overflow(map);
	text_leave(cursor);
	return good;
}

/* a *= b, one of which is constant. */
static bool multiply(struct map *map, long position, struct term *a, struct term *b)
{
	char before[40];
	int64_t factor = a->text ? b->value : a->value;

	if (a->text && b->text) {
		layout_fail(map->cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"not affine: neither factor is constant");
		return false;
	}
	if (!a->text && !b->text)
		return !__builtin_mul_overflow(a->value, b->value, &a->value) ||
			overflow(map);
	if (b->text) {
		*a = *b;
		b->text = NULL;
	}
	if (factor == 0) {
		free(a->text);
		*a = (struct term){ 0 };
		return true;
	}
	snprintf(before, sizeof(before), "(%lld*(", (long long)factor);
	return wrap(map, a, before, "))");
}

/* a = a floordiv b, a ceildiv b or a mod b, where b > 0 is constant. */
static bool divide(struct map *map, long position, char kind, struct term *a,
	const struct term *b)
{
	const char *before = kind == 'f' ? "floor((" : kind == 'c' ? "ceil((" : "((";
	int64_t rest;
	char after[40];

	if (b->text) {
		layout_fail(map->cursor->ctx, LAYOUT_ERROR_PARSE, position,
			"not affine: the divisor is not constant");
		return false;
	}
	if (b->value < 1) {
		layout_fail(map->cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"a divisor must be at least 1, not %lld", (long long)b->value);
		return false;
	}
	if (a->text) {
		if (map->division_count++ == DIVISION_LIMIT) {
			layout_fail(map->cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, position,
				"more than %u divisions in one map", DIVISION_LIMIT);
			return false;
		}
		snprintf(after, sizeof(after), kind == 'm' ? ") mod %lld)" : ")/%lld)",
			(long long)b->value);
		return wrap(map, a, before, after);
	}
	rest = a->value % b->value;
	rest += rest < 0 ? b->value : 0;
	if (kind == 'm')
		a->value = rest;
	else
		a->value = a->value / b->value - (a->value % b->value < 0) +
			(kind == 'c' && rest != 0);
	return true;
}

static bool read_product(struct map *map, struct term *product)
{
	struct text_cursor *cursor = map->cursor;
	bool good = read_operand(map, product);

	while (good) {
		long position = text_position(cursor);
		struct term operand = { 0 };
		char kind;

		if (text_at(cursor, "*"))
			kind = '*';
		else if (text_at(cursor, "floordiv") || text_at(cursor, "ceildiv") ||
				text_at(cursor, "mod"))
			kind = cursor->text[position];
		else
			break;
		text_advance(cursor);
		if (kind != '*')
			position = text_position(cursor);
		good = read_operand(map, &operand) && (kind == '*' ?
			multiply(map, position, product, &operand) :
			divide(map, position, kind, product, &operand));
		free(operand.text);
	}
	return good;
}

/* Terms that are no constants are collected in a flat text. */
static bool read_sum(struct map *map, struct term *sum)
{
	struct text_cursor *cursor = map->cursor;
	struct layout_buffer out = { 0 };
	unsigned depth = 0;
	int64_t constant = 0;
	bool minus = false, good;

	*sum = (struct term){ 0 };
	do {
		struct term term = { 0 };

		good = read_product(map, &term);
		if (good && term.text)
			layout_buffer_printf(&out, "%s(%s)",
				minus ? " - " : out.length ? " + " : "", term.text);
		else if (good && (minus ?
				__builtin_sub_overflow(constant, term.value, &constant) :
				__builtin_add_overflow(constant, term.value, &constant)))
			good = overflow(map);
		depth = term.depth > depth ? term.depth : depth;
		free(term.text);
		minus = text_at(cursor, "-");
	} while (good && (text_skip(cursor, "+") || text_skip(cursor, "-")));
	if (good && !out.length && !out.failed) {
		sum->value = constant;
		return true;
	}
	if (constant)
		layout_buffer_printf(&out, " + (%lld)", (long long)constant);
	sum->text = layout_buffer_take(cursor->ctx, &out);
	sum->depth = depth;
	return good && sum->text && wrap(map, sum, "(", ")");
}

static bool read_results(struct map *map, struct layout_buffer *out)
{
	struct text_cursor *cursor = map->cursor;
	struct text_items items = { "(", ")", TEXT_LIST_LIMIT };

	while (text_item(cursor, &items)) {
		struct term term = { 0 };
		bool good = read_sum(map, &term);

		if (items.count > 1)
			layout_buffer_printf(out, ", ");
		if (good && term.text)
			layout_buffer_printf(out, "%s", term.text);
		else
			layout_buffer_printf(out, "%lld", (long long)term.value);
		free(term.text);
		if (!good)
			return false;
	}
	return items.ended;
}

/* "[s0] -> { [d0, d1] -> [" */
static void print_space(struct map *map, struct layout_buffer *out)
{
	char name[NAME_SIZE];

	layout_buffer_printf(out, "[");
	for (unsigned i = map->dim_count; i < map->name_count; i++) {
		isl_name(map, i, name);
		layout_buffer_printf(out, "%s%s", i > map->dim_count ? ", " : "", name);
	}
	layout_buffer_printf(out, "] -> { [");
	for (unsigned i = 0; i < map->dim_count; i++) {
		isl_name(map, i, name);
		layout_buffer_printf(out, "%s%s", i ? ", " : "", name);
	}
	layout_buffer_printf(out, "] -> [");
}

static bool read_map(struct map *map, struct layout_buffer *out)
{
	struct text_cursor *cursor = map->cursor;

	if (!text_take(cursor, "affine_map") || !text_take(cursor, "<") ||
			!read_names(map, "(", ")"))
		return false;
	map->dim_count = map->name_count;
	if (text_at(cursor, "[") && !read_names(map, "[", "]"))
		return false;
	if (!text_take(cursor, "->"))
		return false;
	print_space(map, out);
	if (!read_results(map, out) || !text_take(cursor, ">"))
		return false;
	layout_buffer_printf(out, "] }");
	return true;
}

layout_relation *text_affine_map(struct text_cursor *cursor)
{
	struct map map = { .cursor = cursor };
	struct layout_buffer out = { 0 };
	layout_relation *relation = NULL;
	long begin = text_position(cursor), base;
	bool good = read_map(&map, &out);
	char *text = layout_buffer_take(cursor->ctx, &out);

	if (good && text) {
		base = layout_context_set_base(cursor->ctx, begin);
		relation = layout_relation_read_function(cursor->ctx, text);
		layout_context_set_base(cursor->ctx, base);
	}
	free(text);
	return relation;
}

static bool read(struct text_cursor *cursor, layout_value *value)
{
	return (value->relation = text_affine_map(cursor));
}

static char *print(layout_value *value)
{
	return layout_relation_affine_map_str(value->relation);
}

const struct value_kind kind_affine_map = {
	.name = "affine_map", .noun = "an affine map", .at = text_at_affine_map,
	.read = read, .print = print, .free = value_free_relation,
	.relation = value_copy_relation, .size_name = value_relation_size,
	.is_plain = true,
};
