/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef LAYOUT_SHOW_ARGUMENT_H
#define LAYOUT_SHOW_ARGUMENT_H

/* The end of an argument in a call's text, its "," or ")"; the text's end without. */
const char *show_argument_end(const char *text);

#endif
