/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/map.h"
#include "program/build.h"

#include <stdlib.h>
#include <string.h>

const struct map_function map_functions[] = {
	{ "min", MAP_MIN, 2, false }, { "max", MAP_MAX, 2, false },
	{ "fma", MAP_FMA, 3, true }, { "select", MAP_SELECT, 3, false },
	{ "exp", MAP_EXP, 1, true }, { "log", MAP_LOG, 1, true },
	{ "exp2", MAP_EXP2, 1, true }, { "log2", MAP_LOG2, 1, true },
	{ "sin", MAP_SIN, 1, true }, { "cos", MAP_COS, 1, true },
	{ "tanh", MAP_TANH, 1, true }, { "erf", MAP_ERF, 1, true },
	{ "sqrt", MAP_SQRT, 1, true }, { "rsqrt", MAP_RSQRT, 1, true },
	{ "abs", MAP_ABS, 1, false }, { "round", MAP_ROUND, 1, true },
	{ "floor", MAP_FLOOR, 1, true }, { "ceil", MAP_CEIL, 1, true },
	{ "trunc", MAP_TRUNC, 1, true }, { .name = NULL },
};

const struct map_function *map_function_find(const char *name, size_t length)
{
	for (const struct map_function *at = map_functions; at->name; at++)
		if (strlen(at->name) == length && !memcmp(at->name, name, length))
			return at;
	return NULL;
}

const char *map_operator(enum map_op op)
{
	static const char *const operators[] = { [MAP_ADD] = "+", [MAP_SUB] = "-",
		[MAP_MUL] = "*", [MAP_DIV] = "/", [MAP_LT] = "<", [MAP_LE] = "<=",
		[MAP_GT] = ">", [MAP_GE] = ">=", [MAP_EQ] = "==", [MAP_NE] = "!=" };

	return op < sizeof(operators) / sizeof(*operators) ? operators[op] : NULL;
}

static bool is_comparison(enum map_op op)
{
	return op >= MAP_LT && op <= MAP_NE;
}

static struct map_node *node_new(layout_context *ctx, enum map_op op)
{
	struct map_node *node = layout_alloc(ctx, 1, sizeof(*node));

	if (node)
		node->op = op;
	return node;
}

struct map_node *map_number(layout_context *ctx, const char *text)
{
	struct map_node *node = node_new(ctx, MAP_NUMBER);

	if (node && (node->text = layout_strdup(ctx, text)))
		return node;
	map_node_free(node);
	return NULL;
}

struct map_node *map_leaf(layout_context *ctx, enum map_op op, unsigned number,
	const struct element_type *type)
{
	struct map_node *node = node_new(ctx, op);

	if (node) {
		node->number = number;
		node->type = type;
	}
	return node;
}

/* Give all that has no type yet this one; false where a number is none of it. */
static bool settle(layout_context *ctx, struct map_node *node,
	const struct element_type *type)
{
	if (node->type)
		return true;
	node->type = type;
	if (node->op == MAP_NUMBER)
		return element_type_bits(ctx, type, node->text, &node->bits);
	for (unsigned i = 0; i < node->arg_count; i++)
		if (!settle(ctx, node->arg[i], type))
			return false;
	return true;
}

/* One type for the arguments from "first" on, which may be none yet. */
static bool unify(layout_context *ctx, struct map_node *const *args, unsigned first,
	unsigned count, const struct element_type **type)
{
	*type = NULL;
	for (unsigned i = first; i < count; i++) {
		if (*type && args[i]->type && args[i]->type != *type) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"%s meets %s: a cast is missing", (*type)->name,
				args[i]->type->name);
			return false;
		}
		*type = *type ? *type : args[i]->type;
	}
	for (unsigned i = first; *type && i < count; i++)
		if (!settle(ctx, args[i], *type))
			return false;
	return true;
}

static bool check_type(layout_context *ctx, enum map_op op,
	const struct element_type *type)
{
	const struct map_function *function = map_functions;

	while (function->name && function->op != op)
		function++;
	if (type && (type->kind == 'e' || (type->kind == 'b' && op != MAP_SELECT &&
	    op != MAP_EQ && op != MAP_NE && op != MAP_MIN && op != MAP_MAX))) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"there is no arithmetic on %s", type->name);
		return false;
	}
	if (type && function->name && function->floats && type->kind != 'f') {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"%s is of floating point, not of %s", function->name, type->name);
		return false;
	}
	return true;
}

/* The types of an operation and its arguments. */
static bool find_type(layout_context *ctx, struct map_node *node)
{
	bool select = node->op == MAP_SELECT;
	const struct element_type *truth, *type;

	if (!unify(ctx, node->arg, select, node->arg_count, &type) ||
	    !check_type(ctx, node->op, type))
		return false;
	truth = select || is_comparison(node->op) ? element_type_find(ctx, "i1") : NULL;
	if (is_comparison(node->op) && !type) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"two numbers without a type are compared");
		return false;
	}
	if (select && node->arg[0]->type != truth) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "a select begins with i1, as "
			"comparisons are, not %s", node->arg[0]->type ?
			node->arg[0]->type->name : "a number");
		return false;
	}
	node->type = is_comparison(node->op) ? truth : type;
	return true;
}

struct map_node *map_make(layout_context *ctx, enum map_op op,
	struct map_node *const *args, unsigned count)
{
	struct map_node *node = node_new(ctx, op);

	for (unsigned i = 0; i < count; i++)
		if (node)
			node->arg[i] = args[i];
		else
			map_node_free(args[i]);
	if (!node)
		return NULL;
	node->arg_count = count;
	for (unsigned i = 0; i < count; i++)
		if (!node->arg[i]) {
			map_node_free(node);
			return NULL;
		}
	if (find_type(ctx, node))
		return node;
	map_node_free(node);
	return NULL;
}

struct map_node *map_cast(layout_context *ctx, const struct element_type *type,
	struct map_node *arg)
{
	struct map_node *node;

	if (!arg || !type) {
		map_node_free(arg);
		return NULL;
	}
	if (!arg->type) {
		if (settle(ctx, arg, type))
			return arg;
		map_node_free(arg);
		return NULL;
	}
	if (type->kind == 'e' || arg->type->kind == 'e') {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "no cast from %s to %s",
			arg->type->name, type->name);
		map_node_free(arg);
		return NULL;
	}
	node = node_new(ctx, MAP_CAST);
	if (!node) {
		map_node_free(arg);
		return NULL;
	}
	node->type = type;
	node->arg_count = 1;
	node->arg[0] = arg;
	return node;
}

/* The box that all of them are broadcast to. */
static bool meet_boxes(layout_program *program, layout_tile *const *tiles,
	unsigned count, layout_tile *shape)
{
	for (unsigned i = 0; i < count; i++)
		if (tiles[i]->rank > shape->rank)
			shape->rank = tiles[i]->rank;
	for (unsigned d = 0; d < shape->rank; d++)
		shape->box[d] = 1;
	for (unsigned i = 0; i < count; i++)
		for (unsigned d = 0; d < tiles[i]->rank; d++) {
			int64_t *extent = &shape->box[shape->rank - tiles[i]->rank + d];

			if (*extent == 1)
				*extent = tiles[i]->box[d];
			if (tiles[i]->box[d] == 1 || tiles[i]->box[d] == *extent)
				continue;
			layout_fail(program->ctx, LAYOUT_ERROR_SPACE, -1,
				"`%s` and what it meets do not have one box", tiles[i]->name);
			return false;
		}
	return true;
}

static bool are_given(layout_program *program, layout_tile *const *tiles, unsigned count)
{
	unsigned i = 0;

	while (i < count && build_given(program, tiles[i]))
		i++;
	return i == count;
}

layout_tile *map_tile(layout_program *program, struct map_node *node,
	layout_tile *const *tiles, unsigned count)
{
	layout_tile shape = { 0 }, *tile = NULL;

	if (node && !node->type)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"a number alone has no type: `f32(1)`");
	else if (node && !count)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"a map is of tiles: `fill` makes one of a number");
	else if (node && are_given(program, tiles, count) &&
		 meet_boxes(program, tiles, count, &shape))
		tile = build_tile(program, TILE_MAP, shape.box, shape.rank, node->type);
	if (!tile) {
		map_node_free(node);
		return NULL;
	}
	tile->expression = node;
	tile->operand_count = count;
	memcpy(tile->operands, tiles, count * sizeof(*tiles));
	return build_add(program, tile, NULL);
}
