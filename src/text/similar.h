/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a word was probably meant to be. */
#ifndef LAYOUT_TEXT_SIMILAR_H
#define LAYOUT_TEXT_SIMILAR_H

#include <stddef.h>

/* Of the words that "word_at" knows, which ends with NULL, the one that is fewest letters
 * away, added, left out or changed: at most a third of the word's.  NULL: none. */
const char *similar_word(const char *word, size_t length,
	const char *(*word_at)(unsigned i));

#endif
