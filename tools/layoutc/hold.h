/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text that is held until it is whole, in no more memory than is let to it. */
#ifndef LAYOUTC_HOLD_H
#define LAYOUTC_HOLD_H

#include <stdbool.h>
#include <stdio.h>

#define HOLD_MEGABYTES 64

struct hold {
	char *text;
	size_t length, capacity;
	bool full;			/* more was written than is held */
};

/* A stream into the text; NULL without memory.  Close it before the text is looked at, and
 * free that. */
FILE *hold_open(struct hold *hold);

#endif
