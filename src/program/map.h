/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Expressions on elements, made from the inside out.
 *
 * A number has no type of its own: it takes that of what it meets. */
#ifndef LAYOUT_PROGRAM_MAP_H
#define LAYOUT_PROGRAM_MAP_H

#include "program/program.h"

/* Nodes; each consumes its arguments and is NULL with the error on the context. */
struct map_node *map_number(layout_context *ctx, const char *text);
struct map_node *map_leaf(layout_context *ctx, enum map_op op, unsigned number,
	const struct element_type *type);
struct map_node *map_make(layout_context *ctx, enum map_op op,
	struct map_node *const *args, unsigned count);
struct map_node *map_cast(layout_context *ctx, const struct element_type *type,
	struct map_node *arg);

/* The function of that name, or NULL. */
const struct map_function *map_function_find(const char *name, size_t length);

/* The operator of an operation with two operands, "+"; NULL: it has none. */
const char *map_operator(enum map_op op);

/* A tile of the expression, whose operands are the tiles; consumes the node. */
layout_tile *map_tile(layout_program *program, struct map_node *node,
	layout_tile *const *tiles, unsigned count);

#endif
