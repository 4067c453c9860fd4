/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is the same in every page: its style and its script. */
#ifndef LAYOUT_SHOW_PAGE_H
#define LAYOUT_SHOW_PAGE_H

extern const char show_page_style[];
extern const char show_page_script[];

#endif
