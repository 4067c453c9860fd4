/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_TEXT_WORDS_H
#define LAYOUT_TEXT_WORDS_H

/* A word that a notation begins with, how that is written, one as an example, and the page
 * about it. */
struct text_word {
	const char *name, *form, *example, *page;
};

/* The i-th of them, or that of a name; NULL: there is none. */
const struct text_word *text_word_at(unsigned i);
const struct text_word *text_word_named(const char *name);

#endif
