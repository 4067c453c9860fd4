/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a text may hold at most.  docs/limits.md has the same numbers. */
#ifndef LAYOUT_BRIDGE_LIMITS_H
#define LAYOUT_BRIDGE_LIMITS_H

/* Of any text. */
#define TEXT_LENGTH_LIMIT ((size_t)1 << 20)	/* bytes of a text */
#define TEXT_DEPTH_LIMIT 64			/* brackets in brackets */
#define TEXT_LIST_LIMIT 256			/* entries of a list */

/* Of a text in isl's notation, whose reader has no limits of its own: it is recursive, and
 * its quota does not count all work. */
#define LIMIT_ISL_DEPTH 256u		/* brackets in brackets */
#define LIMIT_ISL_LIST 256u		/* coordinates, sizes or names in one bracket */
#define LIMIT_ISL_PIECES 1024u		/* joined by ";" and "or", multiplied out */
#define LIMIT_ISL_EXISTS 4096u		/* each may lie within the one before */
#define LIMIT_ISL_DIVISIONS 40u		/* in one of these: time grows with their fifth power */
#define LIMIT_ISL_FACTORS 64u		/* in one product, each within the one before */
#define LIMIT_ISL_DIGITS 1000u		/* of a number */
#define LIMIT_ISL_EXPONENT 3u		/* digits of an exponent */

/* And what it takes after all that, in seconds of processor time. */
#if defined(__SANITIZE_ADDRESS__)
#define LIMIT_ISL_SECONDS 20.0		/* the sanitizers take their part */
#else
#define LIMIT_ISL_SECONDS 2.0
#endif

#endif
