/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Expressions: a literal in any notation, or a function of expressions. */
#include "text/call.h"
#include "text/kind.h"
#include "text/similar.h"
#include "text/words.h"

#include <stdlib.h>
#include <string.h>

/* What results are shown like: their first operand, or what that is shown like.
 * "simplify" asks for isl's own notation. */
static const struct value_kind *like_of(struct call *call)
{
	const layout_value *first = call->arguments[0].value;

	if (!first || !strcmp(call->function->name, "simplify"))
		return NULL;
	return first->kind == &kind_relation ? first->like : first->kind;
}

/* Errors of the call lie at the function's name, where it does not blame an
 * argument. */
static layout_value *evaluate(struct call *call)
{
	layout_value *value = call->result;
	bool good;
	long base;

	value->ctx = call->ctx;
	value->like = like_of(call);
	base = layout_context_set_base(call->ctx, call->position);
	good = call_run(call) &&
		(strcmp(call->function->name, "compose") || value_keep_steps(value,
			&call->arguments[0].value, &call->arguments[1].value));
	layout_context_set_base(call->ctx, base);
	call->result = NULL;
	if (good)
		return value;
	layout_value_free(value);
	return NULL;
}

/* A call of the function, whose name the cursor goes past. */
static struct call *begin_call(struct text_cursor *cursor, const struct function *function)
{
	struct call *call = layout_alloc(cursor->ctx, 1, sizeof(*call));

	if (!call)
		return NULL;
	call->ctx = cursor->ctx;
	call->function = function;
	call->position = text_position(cursor);
	call->result = layout_alloc(cursor->ctx, 1, sizeof(*call->result));
	text_advance(cursor);
	if (call->result)
		return call;
	call_free(call);
	return NULL;
}

static layout_value *read_call(struct text_cursor *cursor,
	const struct function *function)
{
	struct call *call;
	layout_value *value = NULL;

	if (!text_enter(cursor))
		return NULL;
	call = begin_call(cursor, function);
	if (!call)
		return NULL;
	if (text_arguments(cursor, call))
		value = evaluate(call);
	call_free(call);
	text_leave(cursor);
	return value;
}

/* What the name seems to be meant for: a function, a name, the word of a notation. */
static void find_similar(const struct text_cursor *cursor, struct similar *similar)
{
	const struct text_word *word;
	struct text_token name;
	const char *function;

	for (unsigned i = 0; text_defined_name(cursor, i, &name); i++)
		similar_try(similar, cursor->text + name.begin, name.length);
	for (unsigned i = 0; (word = text_word_at(i)); i++)
		similar_try(similar, word->name, strlen(word->name));
	for (unsigned i = 0; (function = layout_value_function(i)); i++)
		similar_try(similar, function, strlen(function));
}

/* What others write, and what says the same here. */
static const struct {
	const char *name, *here;
} elsewhere[] = {
	{ "lambda", "an index map is affine_map<(n, c) -> (n, c floordiv 16, c mod 16)>" },
	{ "affine_set", "a set is { [i, j] : 0 <= i < 4 and j = i }" },
	{ "vector", "the type of a tensor or a memory is tensor<4x8xf16> or memref<4x8xf16>" },
	{ "shape", "a layout has size(A), rank(A), depth(A), and prints its shape" },
	{ "stride", "a layout has cosize(A), and prints its strides" },
	{ "get", "a mode of a layout is select<1>(A)" },
	{ "layout", "a mode of a layout is select<1>(A)" },
	{ "crd2idx", "a layout at a coordinate is (A)(1, 2)" },
	{ "idx2crd", "an index stands where a coordinate does, (A)(5)" },
	{ "shape_div", "a layout is divided by a tiler, zipped_divide(A, TILER)" },
	{ "recast_layout", "of elements of other sizes, in bits, it is recast(A, 16, 32)" },
	{ "make_composed_layout", "a swizzle before a layout is Sw<3,3,3> o 0 o (8,64):(64,1)" },
	{ "make_layout_like", "a compact layout in an order of its modes is "
		"make_ordered_layout((8,64), (1,0))" },
	{ "make_identity_layout", "coordinates are a relation, { [i, j] -> [i, j] : 0 <= i < 4 }" },
	{ "make_identity_tensor", "coordinates are a relation, { [i, j] -> [i, j] : 0 <= i < 4 }" },
	{ "print_layout", "layoutc show LAYOUT draws it" },
	{ "local_partition", "the elements of a thread are a mode of zipped_divide(A, TILER), at its "
		"coordinate: zipped_divide(A, TILER)(3, _)" },
	{ "MMA_Traits", "the operands of an instruction are mma<NAME, lhs>, and `layoutc mma "
		"--target TARGET` lists the names" },
	{ "TiledMMA", "the operands of an instruction are mma<NAME, lhs>, and `layoutc mma "
		"--target TARGET` lists the names" },
	{ "from_func", "an index map is affine_map<(n, c) -> (n, c floordiv 16, c mod 16)>" },
	{ "index_map", "an index map is affine_map<(n, c) -> (n, c floordiv 16, c mod 16)>" },
	{ "Layout", "a layout of shape and strides is (8,64):(64,1), any other "
		"affine_map<(i, j) -> (i * 64 + j)>" },
	{ "Fragment", "who holds what is a relation, { [i, j] -> [lane, register] : .. }, or "
		"linear<{register = [[0, 1]], lane = [[1, 0]]}>" },
	{ "make_swizzled_layout", "a swizzle of rows of 64 elements in parts of 8 is "
		"xor_shuffle<64, 8>, of a layout Sw<3,3,3> o 0 o (8,64):(64,1)" },
	{ "TiledLayout", "its tiles as bases are linear<{register = [[0, 1]], lane = [..], "
		"warp = [..], block = []}>" },
	{ "#iree_encoding.identity", "a tensor without an encoding is row_major[M, K]" },
	{ "#iree_encoding.padding", "rows of 320 with 64 more behind them are "
		"strided[M, 320 : 384, 1]" },
	{ "#iree_encoding.pad_encoding_layout", "rows of 320 with 64 more behind them are "
		"strided[M, 320 : 384, 1]" },
	{ "#iree_gpu.mma_layout", "an operand of the instruction is "
		"mma<MFMA_F32_16x16x16_F16, lhs>" },
	{ "#iree_gpu.data_tiled_mma_layout", "it is a target's tile, "
		"resolve(OPERAND, target = TARGET{tile = #iree_gpu.data_tiled_mma_layout<..>})" },
	{ "#iree_gpu.lowering_config", "a program has it, contract(.., config = "
		"#iree_gpu.lowering_config<..>)" },
};

/* A name without the modules that it is in: "from_func" of "tir.IndexMap.from_func". */
static struct text_token last_part(const struct text_cursor *cursor)
{
	struct text_token name = cursor->token;
	const char *text = cursor->text + name.begin;
	size_t at = *text == '#' ? 0 : name.length;

	while (at && text[at - 1] != '.')
		at--;
	name.begin += at;
	name.length -= at;
	return name;
}

const char *text_said_here(const struct text_cursor *cursor)
{
	struct text_token name = last_part(cursor);
	const char *text = cursor->text;

	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		if (strlen(elsewhere[i].name) == name.length &&
		    !memcmp(elsewhere[i].name, text + name.begin, name.length))
			return elsewhere[i].here;
	return NULL;
}

/* A name that means nothing here: say what it seems to be. */
static void refuse(struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;
	struct text_token name = cursor->token;
	struct similar similar = { cursor->text + name.begin, name.length };
	const char *what, *here;

	if (name.kind != TEXT_NAME) {
		text_expected(cursor, "an expression");
		return;
	}
	text_advance(&behind);
	what = text_at(&behind, "(") ? "unknown function" :
		text_at(&behind, "<") ? "unknown notation" : "expected an expression, found";
	here = text_said_here(cursor);
	if (!here)
		find_similar(cursor, &similar);
	layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
		"%s `%.*s`%s%s%s", what, name.length > 32 ? 32 : (int)name.length,
		cursor->text + name.begin, here ? ": " : *similar.found ?
		"; did you mean `" : "", here ? here : similar.found,
		*similar.found ? "`?" : "");
}

/* The kind whose literal begins at the cursor, or NULL. */
static const struct value_kind *kind_at(const struct text_cursor *cursor)
{
	const struct value_kind_row *row = value_kinds;

	while (row->kind && !(row->kind->at && row->kind->at(cursor)))
		row++;
	return row->kind;
}

static layout_value *read_literal(struct text_cursor *cursor)
{
	const struct value_kind *kind = kind_at(cursor);
	layout_value *value;

	if (!kind) {
		refuse(cursor);
		return NULL;
	}
	value = layout_alloc(cursor->ctx, 1, sizeof(*value));
	if (!value)
		return NULL;
	value->ctx = cursor->ctx;
	value->kind = kind;
	if (kind->read(cursor, value) &&
	    (!kind->read_behind || kind->read_behind(cursor, value)))
		return value;
	layout_value_free(value);
	return NULL;
}

/* "(A)" before a coordinate. */
static layout_value *read_in_parentheses(struct text_cursor *cursor)
{
	layout_value *value;

	if (!text_enter(cursor))
		return NULL;
	text_advance(cursor);
	value = text_behind_parentheses(cursor, ")") ? read_in_parentheses(cursor) :
		text_expression(cursor);
	text_leave(cursor);
	if (value && text_take(cursor, ")"))
		return value;
	layout_value_free(value);
	return NULL;
}

static layout_value *read_defined(struct text_cursor *cursor)
{
	struct text_cursor outside;
	layout_value *value;

	if (!text_enter_definition(cursor, &outside))
		return NULL;
	value = text_expression(cursor);
	if (value && text_leave_definition(cursor, &outside))
		return value;
	layout_value_free(value);
	return NULL;
}

/* "A o B", with A read, which it consumes: A after B, as CuTe prints it. */
static layout_value *read_composition(struct text_cursor *cursor, layout_value *first,
	long position)
{
	struct call *call = text_enter(cursor) ?
		begin_call(cursor, text_function_named("compose")) : NULL;
	layout_value *value = NULL;

	if (!call) {
		layout_value_free(first);
		return NULL;
	}
	if (text_operands(cursor, call, first, position))
		value = evaluate(call);
	call_free(call);
	text_leave(cursor);
	return value;
}

static layout_value *read_operand(struct text_cursor *cursor)
{
	const struct function *function = text_function(cursor);
	layout_value *value;

	if (text_at_defined(cursor))
		value = read_defined(cursor);
	else if (function)
		value = read_call(cursor, function);
	else if (text_behind_parentheses(cursor, "("))
		value = read_in_parentheses(cursor);
	else
		return read_literal(cursor);
	while (value && text_at(cursor, "(") && !text_begins_line(cursor))
		value = text_at_coordinate(cursor, value);
	return value;
}

/* "o" between two layouts; before "=" or ":" it is the name of what comes next. */
static bool at_composition(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	return text_skip(&behind, "o") && !text_at(&behind, "=") && !text_at(&behind, ":");
}

layout_value *text_expression(struct text_cursor *cursor)
{
	long position = text_position(cursor);
	layout_value *value = read_operand(cursor);

	return value && at_composition(cursor) ?
		read_composition(cursor, value, position) : value;
}

/* The statement at the cursor, up to the end of the text or, of "several", to a line that
 * begins behind it. */
static layout_value *read_statement(struct text_cursor *cursor, bool several)
{
	layout_value *value;

	if (!text_open_definitions(cursor))
		return NULL;
	value = text_expression(cursor);
	if (value && ((several && text_begins_line(cursor)) || text_close(cursor)))
		return value;
	layout_value_free(value);
	return NULL;
}

layout_value *layout_value_parse(layout_context *ctx, const char *text)
{
	struct text_cursor cursor;
	layout_value *value = NULL;

	layout_begin_call(ctx);
	if (text_open(&cursor, ctx, text))
		value = read_statement(&cursor, false);
	layout_end_call(ctx);
	return value;
}

layout_value *layout_value_parse_next(layout_context *ctx, const char *text, size_t *position)
{
	struct text_cursor cursor;
	layout_value *value = NULL;

	layout_begin_call(ctx);
	if (layout_given(ctx, position, "position") && text_open(&cursor, ctx, text)) {
		text_seek(&cursor, *position < cursor.length ? *position : cursor.length);
		value = read_statement(&cursor, true);
	}
	if (value)
		*position = cursor.token.begin;
	layout_end_call(ctx);
	return value;
}

void *text_parse(layout_context *ctx, const char *text, const struct value_kind *kind)
{
	layout_value value = { .ctx = ctx, .kind = kind };
	struct text_cursor cursor;
	bool good;

	if (!text_open(&cursor, ctx, text) || !text_open_definitions(&cursor))
		return NULL;
	layout_begin_call(ctx);
	text_look_through(&cursor);
	good = kind->read(&cursor, &value) && text_close(&cursor);
	layout_end_call(ctx);
	if (good)
		return value.object;
	kind->free(&value);
	return NULL;
}
