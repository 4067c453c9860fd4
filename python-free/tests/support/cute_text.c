/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/cute_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of a tree; its end is the first character that is not part of one. */
static const char *read_leaves(const char *text, int64_t *list, unsigned *count)
{
	*count = 0;
	while (*text && strchr("(), -0123456789", *text)) {
		char *end;

		if (!strchr("-0123456789", *text)) {
			text++;
			continue;
		}
		if (*count == CUTE_TEXT_LEAVES)
			return "";
		list[(*count)++] = strtoll(text, &end, 10);
		text = end;
	}
	return text;
}

/* "Sw<3,4,3> o 0 o "; what follows, or NULL. */
static const char *read_swizzle(const char *text, struct cute_text *layout)
{
	long long offset = 0;
	int used = 0;

	if (sscanf(text, "Sw<%d,%d,%d>%n", &layout->bits, &layout->base, &layout->shift,
			&used) != 3)
		return NULL;
	text += used;
	if (!*text)
		return text;
	if (sscanf(text, " o %lld o %n", &offset, &used) != 1)
		return NULL;
	layout->offset = offset;
	return text + used;
}

bool cute_text_read(const char *text, struct cute_text *layout)
{
	unsigned strides;

	*layout = (struct cute_text){ .size = 1 };
	if (strncmp(text, "Sw<", 3) == 0)
		text = read_swizzle(text, layout);
	if (text && !*text) {
		layout->leaves = 1;
		layout->shape[0] = (int64_t)1 << (layout->bits + layout->base +
			abs(layout->shift));
		layout->size = layout->shape[0];
		layout->stride[0] = 1;
	}
	if (!text || !*text)
		return text;
	layout->lexicographic = strncmp(text, "pack_map<", 9) == 0;
	text = read_leaves(text + (layout->lexicographic ? 9 : 0), layout->shape,
		&layout->leaves);
	if (*text != ':')
		return false;
	text = read_leaves(text + 1, layout->stride, &strides);
	for (unsigned i = 0; i < layout->leaves; i++)
		layout->size *= layout->shape[i];
	return strides == layout->leaves &&
		strcmp(text, layout->lexicographic ? ">" : "") == 0;
}

struct cute_text cute_text_of(layout_cute *cute)
{
	char *text = layout_cute_str(cute);
	struct cute_text read;

	if (!text || !cute_text_read(text, &read))
		abort();
	layout_string_free(text);
	return read;
}

/* Bit by bit. */
static int64_t swizzle(const struct cute_text *layout, int64_t x)
{
	int source = layout->base + (layout->shift > 0 ? layout->shift : 0);
	int64_t result = x;

	for (int i = source; i < source + layout->bits; i++)
		if (x >> i & 1)
			result ^= (int64_t)1 << (i - layout->shift);
	return result;
}

int64_t cute_text_at(const struct cute_text *layout, int64_t i)
{
	int64_t sum = layout->offset;

	for (unsigned k = 0; k < layout->leaves; k++) {
		unsigned leaf = layout->lexicographic ? layout->leaves - 1 - k : k;
		bool last = k + 1 == layout->leaves;

		sum += (last ? i : i % layout->shape[leaf]) * layout->stride[leaf];
		i = last ? 0 : i / layout->shape[leaf];
	}
	return swizzle(layout, sum);
}
