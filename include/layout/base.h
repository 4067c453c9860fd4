/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every header of liblayout shares: version, visibility, ownership, answers. */
#ifndef LAYOUT_BASE_H
#define LAYOUT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LAYOUT_VERSION_MAJOR 0
#define LAYOUT_VERSION_MINOR 1
#define LAYOUT_VERSION_PATCH 0
#define LAYOUT_VERSION "0.1.0"

#if defined(__GNUC__)
#define LAYOUT_API __attribute__((visibility("default")))
#else
#define LAYOUT_API
#endif

#ifdef __cplusplus
/* What the initialisers of structs with a size are: all 0 but for it, and one field. */
#define LAYOUT_INIT(type) \
	([] { type made_ = type(); made_.size = sizeof(type); return made_; }())
#define LAYOUT_INIT_WITH(type, field, value) \
	([] { type made_ = LAYOUT_INIT(type); made_.field = value; return made_; }())
#else
#define LAYOUT_INIT(type) { .size = sizeof(type) }
#define LAYOUT_INIT_WITH(type, field, value) { .size = sizeof(type), .field = value }
#endif

/* Ownership, read off the prototype.
 *
 *	LAYOUT_TAKE	the argument is consumed, also on failure
 *	LAYOUT_KEEP	the argument is borrowed for the call
 *	LAYOUT_GIVE	the caller owns the result
 *
 * A NULL object is a failure that already happened: a function that is handed
 * one releases its other LAYOUT_TAKE arguments, returns NULL (or
 * LAYOUT_UNKNOWN, false, 0, -1) and leaves the error on the context as it was.
 * A list or text that is NULL where something must be in it, and objects of two
 * contexts in one call, are LAYOUT_ERROR_INVALID. */
#define LAYOUT_TAKE
#define LAYOUT_KEEP
#define LAYOUT_GIVE

/* The answer to a question about a relation.  "Unknown" leaves the reason on
 * the context: a quota that ran out, or an error such as spaces that differ. */
typedef enum {
	LAYOUT_NO,
	LAYOUT_YES,
	LAYOUT_UNKNOWN,
} layout_answer;

/* A run-time size and its value. */
typedef struct {
	const char *name;
	int64_t value;
} layout_size;

/* Free a string that the library gave. */
LAYOUT_API void layout_string_free(LAYOUT_TAKE char *text);

/* The version of the library as "MAJOR.MINOR.PATCH", and that of isl. */
LAYOUT_API const char *layout_version(void);
LAYOUT_API const char *layout_isl_version(void);

#ifdef __cplusplus
}
#endif

#endif
