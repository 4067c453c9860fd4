/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lines that are typed: edited, remembered and completed where the library for that was there
 * when this was built and the terminal can do it. */
#ifndef LAYOUTC_LINE_H
#define LAYOUTC_LINE_H

/* The i-th word that there is; NULL past the last. */
typedef const char *line_word(unsigned i);

/* Lines typed before are in the user's ~/.layoutc_history, and so are these behind end.  A
 * word begun is completed to one of "words", or to a file's name. */
void line_begin(line_word *words);
void line_end(void);

/* A line without its end, to be freed; NULL behind the last.  The prompt is there on a
 * terminal only. */
char *line_read(const char *prompt);

#endif
