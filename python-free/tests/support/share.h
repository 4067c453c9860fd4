/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a build with sanitizers runs of what tests make up or multiply.
 *
 * It takes several times as long, and looks at memory on the ways through the code; the
 * values of all cases are compared without it.  And what any build runs of the targets whose
 * rows have the same instructions. */
#ifndef TESTS_SUPPORT_SHARE_H
#define TESTS_SUPPORT_SHARE_H

#include <layout/target.h>

#include <stdbool.h>

/* Of so many random cases the first sixteenth; all of them where LAYOUT_TEST_SEED asks for
 * those of another run. */
unsigned share_count(unsigned cases);

/* Are only these tried?  What many cases are by some share, a few need not be: how many are
 * what is expected of all of them alone. */
bool share_is_few(void);

/* Whether a row of a table is for this one of "columns" targets, types or sizes: each row
 * for every eighth at least, which are others for the next row. */
bool share_has(unsigned row, unsigned column, unsigned columns);

/* Has no target before it its instructions?  One that repeats them differs from that by its
 * processor's name. */
bool share_is_first(const layout_target *target);

/* The i-th target of those; NULL past the last. */
const layout_target *share_target(unsigned i);

/* Whether to show what the library makes to programs of others, which takes long and has
 * no sanitizers: a browser. */
bool share_others(void);

#endif
