/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TOOLS_LAYOUTC_WATCH_H
#define TOOLS_LAYOUTC_WATCH_H

#include <layout/context.h>

/* From now on the process may take WATCH_SECONDS of processor time: then it says "unknown:
 * time", and exits.  Calling it again gives as much anew.  Where it has WATCH_MEBIBYTES of
 * memory, it says "unknown: memory".  A program that takes its place may take what it takes. */
#if defined(__SANITIZE_ADDRESS__)
#define WATCH_SECONDS 100	/* the sanitizers take their part */
#define WATCH_MEBIBYTES 16384
#else
#define WATCH_SECONDS 10
#define WATCH_MEBIBYTES 768
#endif
void watch_begin(void);

/* Calls of the context may take most of what is left of these seconds, so that none of
 * several questions takes the answers of all with it. */
void watch_share(layout_context *ctx);

/* A context whose calls end before that, with what they could not answer. */
layout_context *watch_context_new(void);

#endif
