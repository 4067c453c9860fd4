/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps on the CPU we run on, in the caller's own buffers: once, or compiled once and run
 * often. */
#ifndef LAYOUT_RUN_H
#define LAYOUT_RUN_H

#include <layout/codegen.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled remap.  It holds nothing of its context, never changes, and can be used by
 * several threads at once. */
typedef struct layout_compiled layout_compiled;

/* Do work(arg, i) for all i < count, in any order and at any time until it returns. */
typedef void (*layout_parallel)(void *user, unsigned count,
	void (*work)(void *arg, unsigned i), void *arg);

/* Large remaps are split among threads where their destination is.  The threads are the
 * context's, which start when first needed, and those of "parallel" where that is not
 * NULL. */
typedef struct {
	size_t size;			/* sizeof(layout_compile_options) */
	unsigned threads;		/* for any run; 0: as many as the environment's */
					/* LAYOUT_THREADS says, or for large runs as there */
					/* are processors, for others one */
	layout_parallel parallel;
	void *user;
	const char *cpu;		/* as layout_kernel_options has it */
} layout_compile_options;
#define LAYOUT_COMPILE_OPTIONS_INIT LAYOUT_INIT(layout_compile_options)

/* Compile "remap" for this CPU.  A context keeps the last few remaps that were compiled in it:
 * one that does the same is not compiled again.  Nor is one that was compiled by an earlier
 * process, where layout_cache_folder() has it.  "options" may be NULL. */
LAYOUT_API LAYOUT_GIVE layout_compiled *layout_remap_compile(
	LAYOUT_KEEP layout_remap *remap, const layout_compile_options *options);
LAYOUT_API void layout_compiled_free(LAYOUT_TAKE layout_compiled *compiled);

/* Why a run did nothing. */
typedef enum {
	LAYOUT_RUN_DONE,		/* it did all */
	LAYOUT_RUN_NULL,		/* there is no compiled remap */
	LAYOUT_RUN_SIZES,		/* the remap does not allow these sizes */
	LAYOUT_RUN_SOURCE,		/* too few bytes, or NULL */
	LAYOUT_RUN_DESTINATION,
	LAYOUT_RUN_OVERLAP,		/* of the two buffers */
} layout_run_status;

/* Run it: "sizes" in the order of layout_remap_size_name(), NULL where there are none.
 * Buffers may have any alignment.  Allocates nothing. */
LAYOUT_API layout_run_status layout_compiled_run(LAYOUT_KEEP const layout_compiled *compiled,
	void *destination, size_t destination_bytes, const void *source,
	size_t source_bytes, const int64_t *sizes);

/* Compile and run a remap once, on buffers of any alignment; "sizes" by their names. */
LAYOUT_API bool layout_remap_run(LAYOUT_KEEP layout_remap *remap, const layout_run *run);

/* Where the code of kernels for this CPU is kept, by what they do, the CPU and the libraries:
 * layout/ in $XDG_CACHE_HOME, or in ~/.cache.  It holds 64 MiB at most; what is damaged there,
 * or could be written by others, is ignored and made again.  NULL, without an error, where
 * nothing is kept: with LAYOUT_CACHE=off in the environment, for a program with rights that its
 * user has not, or without a home.  Free with layout_string_free(). */
LAYOUT_API LAYOUT_GIVE char *layout_cache_folder(LAYOUT_KEEP layout_context *ctx);

/* How many kernels it has and what they take; a NULL is not asked for. */
LAYOUT_API void layout_cache_measure(uint64_t *entries, uint64_t *bytes);

/* Remove all of them; false where some could not be removed. */
LAYOUT_API bool layout_cache_clear(void);

#ifdef __cplusplus
}
#endif

#endif
