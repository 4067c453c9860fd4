/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a word was probably meant to be. */
#ifndef LAYOUT_TEXT_SIMILAR_H
#define LAYOUT_TEXT_SIMILAR_H

#include <stddef.h>

#define SIMILAR_LENGTH 32	/* of a word that is compared */

/* The word among others that is fewest letters away, added, left out, changed or the wrong
 * way round: at most a third of its own.  Begins as { word, length }; "found" is empty
 * where there is none. */
struct similar {
	const char *word;
	size_t length;
	unsigned best;
	char found[SIMILAR_LENGTH + 1];
};
void similar_try(struct similar *similar, const char *other, size_t length);

#endif
