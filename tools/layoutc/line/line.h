/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lines that are typed: edited, remembered and completed where the library for that was there
 * when this was built and the terminal can do it. */
#ifndef LAYOUTC_LINE_H
#define LAYOUTC_LINE_H

#include <stdbool.h>

/* The i-th word that there is; NULL past the last. */
typedef const char *line_word(unsigned i);

/* Lines are kept in the user's ~/.layoutc_history.  A word begun is completed to one of
 * "words", or to a file's name. */
void line_begin(line_word *words);

/* A line without its end, to be freed; NULL behind the last.  The prompt is there on a
 * terminal only.  "dropped": the user pressed Ctrl-C where lines are edited, and the line is
 * empty. */
char *line_read(const char *prompt, bool *dropped);

#endif
