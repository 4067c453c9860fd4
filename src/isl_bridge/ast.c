/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/ast.h"

#include <isl/ast.h>
#include <isl/ast_build.h>
#include <string.h>

static struct index *convert(const struct ast_scope *scope, isl_ast_expr *expr);

static struct index *convert_id(const struct ast_scope *scope, isl_ast_expr *expr)
{
	isl_id *id = isl_ast_expr_id_get_id(expr);
	const char *name = id ? isl_id_get_name(id) : NULL;
	struct index *result = NULL;

	for (unsigned i = 0; name && !result && i < scope->count; i++)
		if (strcmp(scope->names[i], name) == 0)
			result = index_copy(scope->values[i]);
	if (!result)
		layout_fail(scope->ctx, LAYOUT_ERROR_ISL, -1,
			"isl's expression has an unknown name: %s", name ? name : "?");
	isl_id_free(id);
	return result;
}

static struct index *convert_int(const struct ast_scope *scope, isl_ast_expr *expr)
{
	int64_t value;

	if (!bridge_int64(scope->ctx, isl_ast_expr_int_get_val(expr), &value))
		return NULL;
	return index_int(value);
}

static struct index *argument(const struct ast_scope *scope, isl_ast_expr *expr, int i)
{
	isl_ast_expr *arg = isl_ast_expr_op_get_arg(expr, i);
	struct index *result = convert(scope, arg);

	isl_ast_expr_free(arg);
	return result;
}

/* Operators with any number of arguments become nested ones of two. */
static struct index *fold(const struct ast_scope *scope, isl_ast_expr *expr,
	enum index_op op)
{
	isl_size count = isl_ast_expr_op_get_n_arg(expr);
	struct index *result = argument(scope, expr, 0);

	for (int i = 1; i < count; i++)
		result = index_binary(op, result, argument(scope, expr, i));
	return result;
}

static struct index *convert_select(const struct ast_scope *scope, isl_ast_expr *expr)
{
	struct index *condition = argument(scope, expr, 0);
	struct index *yes = argument(scope, expr, 1);

	return index_select(condition, yes, argument(scope, expr, 2));
}

static struct index *convert_op(const struct ast_scope *scope, isl_ast_expr *expr)
{
	switch (isl_ast_expr_op_get_type(expr)) {
	case isl_ast_expr_op_and:
	case isl_ast_expr_op_and_then:
		return fold(scope, expr, INDEX_AND);
	case isl_ast_expr_op_or:
	case isl_ast_expr_op_or_else:
		return fold(scope, expr, INDEX_OR);
	case isl_ast_expr_op_max:
		return fold(scope, expr, INDEX_MAX);
	case isl_ast_expr_op_min:
		return fold(scope, expr, INDEX_MIN);
	case isl_ast_expr_op_minus:
		return index_unary(INDEX_NEG, argument(scope, expr, 0));
	case isl_ast_expr_op_add:
		return fold(scope, expr, INDEX_ADD);
	case isl_ast_expr_op_sub:
		return fold(scope, expr, INDEX_SUB);
	case isl_ast_expr_op_mul:
		return fold(scope, expr, INDEX_MUL);
	case isl_ast_expr_op_div:
		return fold(scope, expr, INDEX_DIV);
	case isl_ast_expr_op_fdiv_q:
		return fold(scope, expr, INDEX_FDIV);
	case isl_ast_expr_op_pdiv_q:
		return fold(scope, expr, INDEX_PDIV);
	case isl_ast_expr_op_pdiv_r:
		return fold(scope, expr, INDEX_PMOD);
	case isl_ast_expr_op_zdiv_r:
		return fold(scope, expr, INDEX_ZMOD);
	case isl_ast_expr_op_cond:
	case isl_ast_expr_op_select:
		return convert_select(scope, expr);
	case isl_ast_expr_op_eq:
		return fold(scope, expr, INDEX_EQ);
	case isl_ast_expr_op_le:
		return fold(scope, expr, INDEX_LE);
	case isl_ast_expr_op_lt:
		return fold(scope, expr, INDEX_LT);
	case isl_ast_expr_op_ge:
		return fold(scope, expr, INDEX_GE);
	case isl_ast_expr_op_gt:
		return fold(scope, expr, INDEX_GT);
	default:
		layout_fail(scope->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"isl's expression has an operator that no index expression has");
		return NULL;
	}
}

static struct index *convert(const struct ast_scope *scope, isl_ast_expr *expr)
{
	switch (expr ? isl_ast_expr_get_type(expr) : isl_ast_expr_error) {
	case isl_ast_expr_op:
		return convert_op(scope, expr);
	case isl_ast_expr_id:
		return convert_id(scope, expr);
	case isl_ast_expr_int:
		return convert_int(scope, expr);
	default:
		return NULL;
	}
}

/* Under a context without values nothing is ever evaluated, and isl builds
 * nothing: 0 will do. */
static bool never_evaluated(isl_set *context)
{
	return isl_set_is_empty(context) == isl_bool_true;
}

static struct index *convert_expr(const struct ast_scope *scope, isl_ast_build *build,
	isl_ast_expr *expr)
{
	struct index *result = convert(scope, expr);

	isl_ast_expr_free(expr);
	isl_ast_build_free(build);
	return result;
}

struct index *ast_index_from_pieces(const struct ast_scope *scope, isl_set *context,
	isl_pw_aff *pieces)
{
	isl_ast_build *build;

	if (never_evaluated(context)) {
		isl_pw_aff_free(pieces);
		return index_int(0);
	}
	build = isl_ast_build_from_context(isl_set_copy(context));
	return convert_expr(scope, build, isl_ast_build_expr_from_pw_aff(build, pieces));
}

struct index *ast_index_from_aff(const struct ast_scope *scope, isl_set *context,
	isl_aff *aff)
{
	return ast_index_from_pieces(scope, context, isl_pw_aff_from_aff(aff));
}

struct index *ast_index_from_set(const struct ast_scope *scope, isl_set *context,
	isl_set *set)
{
	isl_ast_build *build;

	if (never_evaluated(context)) {
		isl_set_free(set);
		return index_int(0);
	}
	build = isl_ast_build_from_context(isl_set_copy(context));
	return convert_expr(scope, build, isl_ast_build_expr_from_set(build, set));
}
