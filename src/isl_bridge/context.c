/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/bridge.h"
#include "isl_bridge/limits.h"
#include "isl_bridge/one_line.h"
#include "isl_bridge/watch.h"

#include <isl/arg.h>
#include <isl/options.h>
#include <isl/version.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct layout_context {
	isl_ctx *isl;
	unsigned long quota;
	struct watch watch;
	unsigned depth;			/* of bridge_enter() */
	bool attempting;		/* between begin and end of an attempt */
	bool attempt_failed;
	enum isl_error before_attempt;	/* what isl had failed with by then */
	layout_error error;
	char *message;
	long position;
	long base;			/* see layout_context_set_base() */
	struct layout_caught *caught;	/* see layout_context_catch() */
	layout_diagnostic callback;
	void *callback_user;
	struct layout_attachment attached[LAYOUT_ATTACHMENTS];
};

/* isl frees its context only if no object is left, and says so to nobody.  An
 * option of our own whose "clear" runs at that moment tells. */
struct freed_option {
	bool *freed;
};

static void note_freed(void *option)
{
	struct freed_option *note = option;

	*note->freed = true;
}

ISL_ARGS_START(struct freed_option, freed_option_args)
ISL_ARG_USER(struct freed_option, freed, NULL, note_freed)
ISL_ARGS_END

layout_context *layout_context_new(void)
{
	layout_context *ctx = calloc(1, sizeof(*ctx));
	struct freed_option *note = calloc(1, sizeof(*note));
	bool *freed = calloc(1, sizeof(*freed));

	watch_install();
	if (ctx && note && freed) {
		note->freed = freed;
		ctx->isl = isl_ctx_alloc_with_options(&freed_option_args, note);
		note = ctx->isl ? NULL : note;
	}
	if (!ctx || !ctx->isl) {
		free(freed);
		free(note);
		free(ctx);
		return NULL;
	}
	isl_options_set_on_error(ctx->isl, ISL_ON_ERROR_CONTINUE);
	ctx->quota = LAYOUT_DEFAULT_QUOTA;
	ctx->watch = (struct watch){ .isl = ctx->isl, .seconds = LAYOUT_DEFAULT_TIME };
	ctx->position = -1;
	ctx->base = -1;
	return ctx;
}

struct layout_attachment *layout_attached(layout_context *ctx, unsigned place)
{
	return &ctx->attached[place];
}

static void free_attached(layout_context *ctx)
{
	for (unsigned i = 0; i < LAYOUT_ATTACHMENTS; i++) {
		if (ctx->attached[i].data)
			ctx->attached[i].free(ctx->attached[i].data);
		ctx->attached[i].data = NULL;
	}
}

bool layout_context_free(layout_context *ctx)
{
	struct freed_option *note;
	bool *freed, all;

	if (!ctx)
		return true;
	free_attached(ctx);
	note = isl_ctx_peek_options(ctx->isl, &freed_option_args);
	freed = note->freed;
	isl_ctx_free(ctx->isl);
	all = *freed;
	if (all) {
		free(freed);
		free(ctx->message);
		free(ctx);
	}
	return all;
}

void layout_context_set_quota(layout_context *ctx, unsigned long operations)
{
	if (ctx)
		ctx->quota = operations;
}

unsigned long layout_context_quota(layout_context *ctx)
{
	return ctx ? ctx->quota : 0;
}

void layout_context_set_time(layout_context *ctx, double seconds)
{
	if (ctx)
		ctx->watch.seconds = seconds > 0 ? seconds : 0;
}

double layout_context_time(layout_context *ctx)
{
	return ctx ? ctx->watch.seconds : 0;
}

/* There is no context only where there was no memory for one. */
layout_error layout_context_error(layout_context *ctx)
{
	return ctx ? ctx->error : LAYOUT_ERROR_MEMORY;
}

const char *layout_context_message(layout_context *ctx)
{
	if (ctx && ctx->message)
		return ctx->message;
	return layout_context_error(ctx) ? "out of memory" : "";
}

long layout_context_position(layout_context *ctx)
{
	return ctx ? ctx->position : -1;
}

void layout_context_clear(layout_context *ctx)
{
	if (!ctx)
		return;
	free(ctx->message);
	ctx->message = NULL;
	ctx->error = LAYOUT_ERROR_NONE;
	ctx->position = -1;
}

void layout_context_on_error(layout_context *ctx, layout_diagnostic callback, void *user)
{
	if (!ctx)
		return;
	ctx->callback = callback;
	ctx->callback_user = user;
}

long layout_context_set_base(layout_context *ctx, long base)
{
	long previous = ctx->base;

	ctx->base = base;
	return previous;
}

struct layout_caught *layout_context_catch(layout_context *ctx,
	struct layout_caught *caught)
{
	struct layout_caught *previous = ctx->caught;

	ctx->caught = caught;
	return previous;
}

/* The first error is kept. */
static void catch_error(struct layout_caught *caught, layout_error kind, long position,
	char *message)
{
	if (caught->kind) {
		free(message);
		return;
	}
	*caught = (struct layout_caught){ kind, message, position };
}

bool layout_error_is_open(layout_error kind)
{
	return kind == LAYOUT_ERROR_QUOTA || kind == LAYOUT_ERROR_TIME ||
		kind == LAYOUT_ERROR_MEMORY || kind == LAYOUT_ERROR_ISL;
}

/* Spending one more operation asks again: an isl function that gives up for the
 * quota may report another error, or overwrite it.  Every allocation spends one. */
static enum isl_error why_failed(layout_context *ctx)
{
	enum isl_error error = isl_ctx_last_error(ctx->isl), now;
	isl_val *probe;

	if (error == isl_error_quota || error == isl_error_alloc)
		return error;
	isl_ctx_reset_error(ctx->isl);
	probe = isl_val_zero(ctx->isl);
	now = probe ? error : isl_ctx_last_error(ctx->isl);
	isl_val_free(probe);
	return now;
}

/* What isl ran out of since bridge_enter(), as an error. */
static layout_error ran_out(layout_context *ctx)
{
	enum isl_error error = isl_ctx_last_error(ctx->isl), why;

	if (!ctx->depth || (error == isl_error_none && ctx->watch.stopped == STOP_NOT))
		return LAYOUT_ERROR_NONE;
	if (ctx->watch.stopped != STOP_NOT)
		return ctx->watch.stopped == STOP_TIME ? LAYOUT_ERROR_TIME :
			LAYOUT_ERROR_MEMORY;
	why = why_failed(ctx);
	isl_ctx_set_error(ctx->isl, error);
	return why == isl_error_quota ? LAYOUT_ERROR_QUOTA :
		why == isl_error_alloc ? LAYOUT_ERROR_MEMORY : LAYOUT_ERROR_NONE;
}

/* A reason that is found in what isl did not give is none: bridge_leave() has the true one,
 * also where an attempt ran out of it and isl was not asked since.  Who catches errors in
 * between gets its kind. */
static bool is_no_reason(layout_context *ctx, layout_error kind)
{
	layout_error true_one = layout_error_is_open(kind) ? LAYOUT_ERROR_NONE :
		ran_out(ctx);

	if (true_one && isl_ctx_last_error(ctx->isl) == isl_error_none)
		isl_ctx_set_error(ctx->isl, isl_error_abort);
	if (true_one && ctx->caught)
		catch_error(ctx->caught, true_one, -1, strdup("isl did not come to an end"));
	return true_one;
}

void layout_fail(layout_context *ctx, layout_error kind, long position,
	const char *format, ...)
{
	char *message = NULL;
	va_list args;

	if (!ctx)
		return;
	if (ctx->attempting) {
		ctx->attempt_failed = true;
		return;
	}
	if (is_no_reason(ctx, kind))
		return;
	if (ctx->base >= 0)
		position = position < 0 ? ctx->base : ctx->base + position;
	va_start(args, format);
	if (vasprintf(&message, format, args) < 0)
		message = NULL;
	va_end(args);
	message = one_line(message);
	if (ctx->caught) {
		catch_error(ctx->caught, kind, position, message);
		return;
	}
	if (ctx->callback)
		ctx->callback(ctx->callback_user, kind,
			message ? message : "out of memory", position);
	if (ctx->error) {
		free(message);
		return;
	}
	ctx->error = kind;
	ctx->message = message;
	ctx->position = position;
}

/* A position was counted from its base when the error was caught. */
void layout_context_raise(layout_context *ctx, struct layout_caught *caught)
{
	long base = layout_context_set_base(ctx, -1);

	if (caught->kind)
		layout_fail(ctx, caught->kind, caught->position, "%s",
			caught->message ? caught->message : "out of memory");
	layout_context_set_base(ctx, base);
	free(caught->message);
	caught->message = NULL;
}

void layout_caught_keep(struct layout_caught *first, struct layout_caught *now)
{
	if (!now->kind || (first->kind && (first->kind != LAYOUT_ERROR_NO_ANSWER ||
	    now->kind == LAYOUT_ERROR_NO_ANSWER))) {
		free(now->message);
		return;
	}
	free(first->message);
	*first = *now;
}

bool layout_context_forget(layout_context *ctx, struct layout_caught *caught,
	struct layout_caught *previous)
{
	bool open = layout_error_is_open(caught->kind);

	layout_context_catch(ctx, previous);
	if (open)
		layout_context_raise(ctx, caught);
	else
		free(caught->message);
	return !open;
}

isl_ctx *bridge_isl(layout_context *ctx)
{
	return ctx->isl;
}

void layout_begin_call(layout_context *ctx)
{
	if (ctx)
		watch_begin_call(&ctx->watch);
}

void layout_end_call(layout_context *ctx)
{
	if (ctx)
		watch_end_call(&ctx->watch);
}

unsigned bridge_leave_call(layout_context *ctx)
{
	return watch_leave_call(&ctx->watch);
}

void bridge_return_to_call(layout_context *ctx, unsigned depth)
{
	watch_return_to_call(&ctx->watch, depth);
}

void bridge_enter(layout_context *ctx)
{
	layout_begin_call(ctx);
	if (ctx->depth++)
		return;
	isl_ctx_reset_error(ctx->isl);
	isl_ctx_reset_operations(ctx->isl);
	isl_ctx_set_max_operations(ctx->isl, ctx->quota);
}

void bridge_suspend_quota(layout_context *ctx)
{
	isl_ctx_set_max_operations(ctx->isl, 0);
	watch_pause(&ctx->watch);
}

void bridge_relax_quota(layout_context *ctx, size_t length)
{
	unsigned long enough = LAYOUT_DEFAULT_QUOTA + BUDGET_PER_BYTE * length;

	if (ctx->quota && ctx->quota < enough)
		isl_ctx_set_max_operations(ctx->isl, enough);
	watch_grant(&ctx->watch, LIMIT_ISL_SECONDS);
}

void bridge_progress(layout_context *ctx)
{
	isl_ctx_reset_operations(ctx->isl);
}

void bridge_resume_quota(layout_context *ctx)
{
	watch_resume(&ctx->watch);
	isl_ctx_reset_operations(ctx->isl);
	isl_ctx_set_max_operations(ctx->isl, ctx->quota);
}

void bridge_begin_attempt(layout_context *ctx, enum budget budget)
{
	unsigned long operations = budget;

	if (ctx->quota && ctx->quota < operations)
		operations = ctx->quota;
	ctx->attempting = true;
	ctx->attempt_failed = false;
	ctx->before_attempt = isl_ctx_last_error(ctx->isl);
	isl_ctx_reset_error(ctx->isl);
	isl_ctx_reset_operations(ctx->isl);
	isl_ctx_set_max_operations(ctx->isl, operations);
}

bool bridge_end_attempt(layout_context *ctx)
{
	bool failed = bridge_failed(ctx) || ctx->attempt_failed;

	ctx->attempting = false;
	isl_ctx_reset_error(ctx->isl);
	if (ctx->before_attempt != isl_error_none)
		isl_ctx_set_error(ctx->isl, ctx->before_attempt);
	bridge_resume_quota(ctx);
	return !failed;
}

bool bridge_is_attempting(layout_context *ctx)
{
	return ctx->attempting;
}

bool bridge_failed(layout_context *ctx)
{
	return isl_ctx_last_error(ctx->isl) != isl_error_none;
}

/* What isl was told to abort for is the error. */
static bool fail_stopped(layout_context *ctx, const char *doing)
{
	if (ctx->watch.stopped == STOP_TIME)
		layout_fail(ctx, LAYOUT_ERROR_TIME, -1,
			"time: %g seconds did not suffice to %s", ctx->watch.took, doing);
	else if (ctx->watch.stopped == STOP_MEMORY)
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return ctx->watch.stopped != STOP_NOT;
}

bool bridge_leave_reading(layout_context *ctx)
{
	bool stopped = fail_stopped(ctx, "read the text");
	enum isl_error why = stopped ? isl_error_abort : why_failed(ctx);

	ctx->depth--;
	if (why == isl_error_quota)
		layout_fail(ctx, LAYOUT_ERROR_QUOTA, -1,
			"quota: the operations did not suffice to read the text");
	else if (why == isl_error_alloc)
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	isl_ctx_reset_error(ctx->isl);
	bridge_resume_quota(ctx);
	layout_end_call(ctx);
	return stopped || why == isl_error_quota || why == isl_error_alloc;
}

bool bridge_leave(layout_context *ctx, const char *doing)
{
	enum isl_error error = isl_ctx_last_error(ctx->isl);
	const char *said = isl_ctx_last_error_msg(ctx->isl);
	bool outermost = --ctx->depth == 0;

	if (error == isl_error_none) {
		layout_end_call(ctx);
		return true;
	}
	error = fail_stopped(ctx, doing) ? isl_error_abort : why_failed(ctx);
	if (error == isl_error_quota)
		layout_fail(ctx, LAYOUT_ERROR_QUOTA, -1,
			"quota: %lu operations did not suffice to %s", ctx->quota, doing);
	else if (error == isl_error_alloc)
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	else if (error != isl_error_abort)
		layout_fail(ctx, LAYOUT_ERROR_ISL, -1, "isl failed to %s: %s", doing,
			said ? said : "no reason given");
	if (outermost)
		isl_ctx_reset_error(ctx->isl);
	else
		isl_ctx_set_error(ctx->isl, error);
	layout_end_call(ctx);
	return false;
}

bool layout_is_made(layout_context *ctx, const void *made)
{
	if (!made)
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return made;
}

void *layout_alloc(layout_context *ctx, size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);

	layout_is_made(ctx, memory);
	return memory;
}

char *layout_strdup(layout_context *ctx, const char *text)
{
	char *copy = strdup(text);

	layout_is_made(ctx, copy);
	return copy;
}

void layout_texts_free(char **texts, unsigned count)
{
	for (unsigned i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
}

char **layout_texts_copy(layout_context *ctx, const char *const *texts, unsigned count)
{
	char **copy = layout_alloc(ctx, count, sizeof(*copy));

	for (unsigned i = 0; copy && i < count; i++)
		if (!(copy[i] = layout_strdup(ctx, texts[i]))) {
			layout_texts_free(copy, i);
			return NULL;
		}
	return copy;
}

void layout_string_free(char *text)
{
	free(text);
}

const char *layout_version(void)
{
	return LAYOUT_VERSION;
}

/* isl_version() reads "isl-0.25-IMath-32\n". */
const char *layout_isl_version(void)
{
	return isl_version();
}
