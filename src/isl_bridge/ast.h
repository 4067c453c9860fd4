/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index expressions out of isl's AST expressions. */
#ifndef LAYOUT_BRIDGE_AST_H
#define LAYOUT_BRIDGE_AST_H

#include "isl_bridge/bridge.h"
#include "isl_bridge/index.h"

/* What the names in an expression stand for; all borrowed. */
struct ast_scope {
	layout_context *ctx;
	unsigned count;
	const char *const *names;
	struct index *const *values;
};

/* An expression over the names of "scope", simplified under "context", a set of
 * parameter values.  The affine expressions and sets have these names as their
 * parameters, and no other dimension.  Consume the isl object, keep the context;
 * NULL on failure, with the error on the context. */
struct index *ast_index_from_aff(const struct ast_scope *scope, isl_set *context,
	isl_aff *aff);
struct index *ast_index_from_pieces(const struct ast_scope *scope, isl_set *context,
	isl_pw_aff *pieces);

/* 1 where the values are in the set, else 0. */
struct index *ast_index_from_set(const struct ast_scope *scope, isl_set *context,
	isl_set *set);

#endif
