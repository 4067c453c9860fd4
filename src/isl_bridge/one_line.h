/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_BRIDGE_ONE_LINE_H
#define LAYOUT_BRIDGE_ONE_LINE_H

/* The text without control characters: "\x1b" for one, a space for the end of a line.
 * Consumes its argument, which may be NULL; NULL where memory runs out. */
char *one_line(char *text);

#endif
