/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* isl as src/isl_bridge and src/algebra see it: quota, errors, checked integers.
 *
 * A public function that works with isl is a pair
 *
 *	bridge_enter(ctx);
 *	.. isl calls, unchecked: NULL passes through ..
 *	if (!bridge_leave(ctx, "compose")) .. release the result ..
 *
 * Pairs nest; only the outermost sets the quota anew. */
#ifndef LAYOUT_BRIDGE_BRIDGE_H
#define LAYOUT_BRIDGE_BRIDGE_H

#include "isl_bridge/budget.h"
#include "isl_bridge/context.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

isl_ctx *bridge_isl(layout_context *ctx);

void bridge_enter(layout_context *ctx);

/* False where isl failed since bridge_enter(): isl does not always say so by
 * a NULL result.  The error is on the context then, as LAYOUT_ERROR_QUOTA if
 * that was the cause, and "doing" is part of its message. */
bool bridge_leave(layout_context *ctx, const char *doing);

/* True if isl failed since bridge_enter(), for stopping early. */
bool bridge_failed(layout_context *ctx);

/* Try something that has an alternative: within a few operations, or the quota if
 * that is less, until bridge_end_attempt(), which forgets a failure, isl's or one
 * of layout_fail(), and returns whether there was none.  Attempts do not nest. */
void bridge_begin_attempt(layout_context *ctx, enum budget budget);
bool bridge_end_attempt(layout_context *ctx);
bool bridge_is_attempting(layout_context *ctx);

/* Print without the quota and the time: isl crashes under one, or gives wrong text. */
void bridge_suspend_quota(layout_context *ctx);

/* Read "length" bytes with at least the default quota, and more for more text:
 * reading is cheap, but for text that multiplies disjunctions out.  Ends after
 * LIMIT_ISL_SECONDS. */
void bridge_relax_quota(layout_context *ctx, size_t length);

/* Something was produced, a point say: the quota bounds the work up to the next. */
void bridge_progress(layout_context *ctx);

/* The caller's own function is called between these, with what the first one gave: the
 * time of the call begins anew behind it. */
unsigned bridge_leave_call(layout_context *ctx);
void bridge_return_to_call(layout_context *ctx, unsigned depth);

/* The whole quota again, after either of the two above. */
void bridge_resume_quota(layout_context *ctx);

/* A failure to read, instead of bridge_leave(): true if it was the quota, which
 * is on the context then, or the time or memory; false if it was the text, and nothing
 * is. */
bool bridge_leave_reading(layout_context *ctx);

/* The value as 64 bits; LAYOUT_ERROR_OVERFLOW where it does not fit,
 * LAYOUT_ERROR_ISL where it is no integer; for NULL, false alone.  Consumes "value". */
bool bridge_int64(layout_context *ctx, isl_val *value, int64_t *result);

/* Two objects of one call live in one context; else LAYOUT_ERROR_INVALID on "a". */
bool bridge_contexts_meet(layout_context *a, layout_context *b);

/* Make a tuple of "*a" and one of "*b" match: same rank, and the same name unless
 * one has none, which then takes the other's.  False with LAYOUT_ERROR_SPACE,
 * naming both, where they do not meet. */
bool bridge_maps_meet(layout_context *ctx, const char *doing,
	isl_map **a, enum isl_dim_type at, isl_map **b, enum isl_dim_type bt);
bool bridge_sets_meet(layout_context *ctx, const char *doing, isl_set **a, isl_set **b);

/* In as few pieces as isl finds, and exactly the same: isl's own coalescing can add
 * points.  Consume their arguments. */
isl_map *bridge_coalesce_map(layout_context *ctx, isl_map *map);
isl_set *bridge_coalesce_set(layout_context *ctx, isl_set *set);
isl_pw_multi_aff *bridge_coalesce_pieces(layout_context *ctx, isl_pw_multi_aff *pieces);

/* The function, without its domain, where it is in one piece; else NULL.  Consumes the
 * pieces. */
isl_multi_aff *bridge_one_piece(isl_pw_multi_aff *pieces);

/* All parameters of "space" are >= 0: the context of every question. */
isl_set *bridge_nonnegative(isl_space *space);

#endif
