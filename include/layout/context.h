/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The context: quota, first error, diagnostics.  Every object lives in one. */
#ifndef LAYOUT_CONTEXT_H
#define LAYOUT_CONTEXT_H

#include <layout/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_context layout_context;

typedef enum {
	LAYOUT_ERROR_NONE,
	LAYOUT_ERROR_PARSE,		/* text that does not parse; has a position */
	LAYOUT_ERROR_SPACE,		/* spaces or ranks that do not meet */
	LAYOUT_ERROR_INVALID,		/* an argument outside its domain */
	LAYOUT_ERROR_OVERFLOW,		/* a value beyond 64 bits */
	LAYOUT_ERROR_QUOTA,		/* the operation quota ran out: unknown, not no */
	LAYOUT_ERROR_UNSUPPORTED,	/* well-formed, but nothing here can do it */
	LAYOUT_ERROR_MEMORY,
	LAYOUT_ERROR_IO,		/* a file or a program (ld.lld) */
	LAYOUT_ERROR_ISL,		/* isl failed otherwise */
	LAYOUT_ERROR_CODEGEN,		/* LLVM refused or failed */
	LAYOUT_ERROR_FAULT,		/* a simulated kernel did what it must not */
	LAYOUT_ERROR_NO_ANSWER,		/* a defined operation without a result here */
	LAYOUT_ERROR_TIME,		/* the call took too long: unknown, not no */
} layout_error;

/* Operations that isl may spend in one public call, unless set otherwise: as a
 * rule a few seconds' worth, each operation being some microseconds. */
#define LAYOUT_DEFAULT_QUOTA 1000000ul

/* Seconds that a public call of the algebra may take, unless set otherwise. */
#define LAYOUT_DEFAULT_TIME 10.0

/* A new context.  One thread at a time may use it and what lives in it;
 * contexts are independent of each other.  NULL: no memory. */
LAYOUT_API LAYOUT_GIVE layout_context *layout_context_new(void);

/* Free the context.  All objects of the context must have been freed.
 * Returns false where some were not: then the memory stays allocated. */
LAYOUT_API bool layout_context_free(LAYOUT_TAKE layout_context *ctx);

/* Operations per public call; 0 means no limit. */
LAYOUT_API void layout_context_set_quota(LAYOUT_KEEP layout_context *ctx,
	unsigned long operations);
LAYOUT_API unsigned long layout_context_quota(LAYOUT_KEEP layout_context *ctx);

/* Seconds of processor time per public call; 0 means no limit.  A call that takes longer
 * ends with LAYOUT_ERROR_TIME: unknown, not no.  This is for what isl is asked; calls that
 * compile or run a kernel, and visits of points but for each portion of them, take what
 * they take.  isl is watched through GMP's memory, for which the first context of a
 * process sets functions that go on to those that were set until then. */
LAYOUT_API void layout_context_set_time(LAYOUT_KEEP layout_context *ctx, double seconds);
LAYOUT_API double layout_context_time(LAYOUT_KEEP layout_context *ctx);

/* The first error since the context was made or last cleared.  The message is
 * one line and stays valid until the next clear; the position is a byte offset in
 * the text that was being read, or -1. */
LAYOUT_API layout_error layout_context_error(LAYOUT_KEEP layout_context *ctx);
LAYOUT_API const char *layout_context_message(LAYOUT_KEEP layout_context *ctx);
LAYOUT_API long layout_context_position(LAYOUT_KEEP layout_context *ctx);
LAYOUT_API void layout_context_clear(LAYOUT_KEEP layout_context *ctx);

/* Called at every error, the first and the later ones; "user" is passed on.
 * The library itself prints nothing. */
typedef void (*layout_diagnostic)(void *user, layout_error kind,
	const char *message, long position);
LAYOUT_API void layout_context_on_error(LAYOUT_KEEP layout_context *ctx,
	layout_diagnostic callback, void *user);

#ifdef __cplusplus
}
#endif

#endif
