/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe layouts by their definition, read from their text alone: how a layout prints is
 * tested with what it is. */
#ifndef TESTS_SUPPORT_CUTE_TEXT_H
#define TESTS_SUPPORT_CUTE_TEXT_H

#include <layout/cute.h>

#define CUTE_TEXT_LEAVES 64

struct cute_text {
	bool lexicographic;
	int bits, base, shift;
	int64_t offset;
	unsigned leaves;
	int64_t shape[CUTE_TEXT_LEAVES], stride[CUTE_TEXT_LEAVES];
	int64_t size;
};

/* Read what layout_cute_str() prints.  False if it is not that. */
bool cute_text_read(const char *text, struct cute_text *layout);

/* A layout as it prints. */
struct cute_text cute_text_of(layout_cute *cute);

/* The offset of linear coordinate i >= 0, the slowest mode without end. */
int64_t cute_text_at(const struct cute_text *layout, int64_t i);

#endif
