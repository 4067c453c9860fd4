/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How far a run is, as a line on the terminal that standard error is.  The cursor stays at its
 * beginning: what follows is written over it. */
#ifndef LAYOUTC_PROGRESS_H
#define LAYOUTC_PROGRESS_H

#include "layoutc/arguments.h"

#include <stddef.h>

struct progress {
	size_t bytes;		/* in all */
	double start, shown;	/* seconds */
	bool is_shown;
};

/* Of a run that moves so many bytes: false where it is not shown, because they are few, there
 * is no terminal, or for --quiet. */
bool progress_begin(struct progress *progress, const struct arguments *arguments,
	size_t bytes);

/* A part is done; layout_run has this as its "progress". */
void progress_show(void *progress, double done);

/* Remove the line. */
void progress_end(struct progress *progress);

#endif
