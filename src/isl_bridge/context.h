/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The context from the inside, for all folders; needs no isl header. */
#ifndef LAYOUT_BRIDGE_CONTEXT_H
#define LAYOUT_BRIDGE_CONTEXT_H

#include <layout/context.h>

/* Visible to liblayout-codegen, but no part of the public API. */
#define LAYOUT_INTERNAL LAYOUT_API

/* What a library shows of a function that has a short name inside. */
#if defined(__GNUC__)
#define LAYOUT_SYMBOL(name) __asm__("layout_" #name)
#else
#define LAYOUT_SYMBOL(name)
#endif

#define LAYOUT_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))

/* Record an error: the first one stays, every one goes to the callback.
 * "position" is a byte offset in the text being read, or -1. */
LAYOUT_INTERNAL void layout_fail(layout_context *ctx, layout_error kind,
	long position, const char *format, ...) LAYOUT_PRINTF(4, 5);

/* An error that was caught instead of going to the context; "message" is to be freed. */
struct layout_caught {
	layout_error kind;
	char *message;
	long position;
};

/* Until the next call, the first error goes to "caught", which starts as { 0 }, and no
 * other anywhere; NULL: errors go to the context.  Returns what caught them until
 * now, to be set again. */
LAYOUT_INTERNAL struct layout_caught *layout_context_catch(layout_context *ctx,
	struct layout_caught *caught);

/* A public call has one time for all that it asks between these, which nest; else each
 * question has. */
LAYOUT_INTERNAL void layout_begin_call(layout_context *ctx);
LAYOUT_INTERNAL void layout_end_call(layout_context *ctx);

/* Does an error leave it open whether there is an answer: a quota, time, no memory, isl? */
LAYOUT_INTERNAL bool layout_error_is_open(layout_error kind);

/* An error that was caught goes on after all, if there is one.  Frees the message. */
LAYOUT_INTERNAL void layout_context_raise(layout_context *ctx,
	struct layout_caught *caught);

/* Of the reasons why several ways failed, the first one is kept, and before all others the
 * first that is more than "no answer".  Takes over the message of "now". */
LAYOUT_INTERNAL void layout_caught_keep(struct layout_caught *first,
	struct layout_caught *now);

/* The end of a catch after which "previous" catches again.  What was caught is no error
 * then, but that there is no answer; one that leaves this open goes on, and the result is
 * false.  Frees the message. */
LAYOUT_INTERNAL bool layout_context_forget(layout_context *ctx,
	struct layout_caught *caught, struct layout_caught *previous);

/* While "base" is not -1, a position is taken as an offset from it, and an error
 * without one lies at it: what a notation sets around a call for a part of its
 * text.  Returns the base until now, to be set again. */
LAYOUT_INTERNAL long layout_context_set_base(layout_context *ctx, long base);

/* Is an argument there: a list, a text?  Else LAYOUT_ERROR_INVALID, "there is no WHAT".
 * Without a context the answer is false, too. */
LAYOUT_INTERNAL bool layout_given(layout_context *ctx, bool given, const char *what);

/* The same of a list of sizes and of the name of each, which is in it once. */
LAYOUT_INTERNAL bool layout_given_sizes(layout_context *ctx, const layout_size *sizes,
	unsigned count);

/* What other libraries keep in a context, one place each.  "free" is called with what is
 * there when the context is freed. */
struct layout_attachment {
	void *data;
	void (*free)(void *data);
};
enum { LAYOUT_ATTACHED_POOL, LAYOUT_ATTACHED_KERNELS, LAYOUT_ATTACHMENTS };
LAYOUT_INTERNAL struct layout_attachment *layout_attached(layout_context *ctx, unsigned place);

/* malloc and friends that put LAYOUT_ERROR_MEMORY on the context; zeroed.
 * Neither count nor size may be 0 in a way that matters: 0 bytes give 1. */
LAYOUT_INTERNAL void *layout_alloc(layout_context *ctx, size_t count, size_t size);
LAYOUT_INTERNAL char *layout_strdup(layout_context *ctx, const char *text);

/* What can only be NULL for want of memory, where that is not known to have been said. */
LAYOUT_INTERNAL bool layout_is_made(layout_context *ctx, const void *made);

/* A list of texts, copied; and one freed with its texts, which may be NULL. */
char **layout_texts_copy(layout_context *ctx, const char *const *texts, unsigned count);
void layout_texts_free(char **texts, unsigned count);

/* A string that grows.  Starts as { 0 }; append does nothing once memory ran
 * out, and take reports that (NULL) and leaves the buffer empty. */
struct layout_buffer {
	char *text;
	size_t length, capacity;
	bool failed;
};
LAYOUT_INTERNAL void layout_buffer_printf(struct layout_buffer *buffer,
	const char *format, ...) LAYOUT_PRINTF(2, 3);
LAYOUT_INTERNAL void layout_buffer_append(struct layout_buffer *buffer,
	const char *text, size_t length);
LAYOUT_INTERNAL char *layout_buffer_take(layout_context *ctx,
	struct layout_buffer *buffer);

/* Is this a name that isl's own notation can hold: letters, digits, "_", and none of
 * its words ("mod", "floor", "exists")? */
LAYOUT_INTERNAL bool layout_is_plain_name(const char *name, size_t length);

#endif
