/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pairs of a function, one after the other, without isl.
 *
 * A function X -> Y whose map has no floors that isl would have to find first is run
 * through like a loop over a box that holds its domain: at each x the image by the
 * function, then the conditions of the map.  isl's own lists of points take seconds where
 * the conditions have a dozen floors. */
#ifndef LAYOUT_ALGEBRA_SCAN_H
#define LAYOUT_ALGEBRA_SCAN_H

#include "isl_bridge/objects.h"

struct scan;

/* Is the relation a function, which may be found now, without parameters and whose inputs
 * are no pairs?  Between bridge_enter() and bridge_leave(). */
bool scan_is_candidate(layout_relation *relation);

/* Start before the first pair.  NULL, with nothing on the context, where the relation is
 * no candidate or cannot be run through, or its points are few in their box. */
struct scan *scan_start(layout_relation *relation);

/* Go to the next pair, in lexicographic order of its input; false past the last, or where it
 * gave up, since so many points of the box behind the input were none of the domain. */
bool scan_next(struct scan *scan);
bool scan_gave_up(const struct scan *scan);

/* The pair. */
const int64_t *scan_input(const struct scan *scan);
const int64_t *scan_image(const struct scan *scan);

void scan_free(struct scan *scan);

#endif
