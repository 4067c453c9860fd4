/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/similar.h"

#include <layout/value.h>
#include <string.h>

#define LONGEST 32

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Letters added, left out or changed between two words, of at most LONGEST. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned row[LONGEST + 1];

	for (unsigned k = 0; k <= b_length; k++)
		row[k] = k;
	for (unsigned i = 1; i <= a_length; i++) {
		unsigned before = row[0];

		row[0] = i;
		for (unsigned k = 1; k <= b_length; k++) {
			unsigned same = before + (a[i - 1] != b[k - 1]);

			before = row[k];
			row[k] = least(same, least(row[k], row[k - 1]) + 1);
		}
	}
	return row[b_length];
}

const char *similar_word(const char *word, size_t length,
	const char *(*word_at)(unsigned i))
{
	unsigned best = (unsigned)length / 3 + 1;
	const char *found = NULL, *other;

	if (length < 2 || length > LONGEST)
		return NULL;
	for (unsigned i = 0; (other = word_at(i)); i++) {
		size_t other_length = strlen(other);
		unsigned away = other_length > LONGEST ? best :
			distance(word, length, other, other_length);

		if (away < best) {
			best = away;
			found = other;
		}
	}
	return found;
}

const char *layout_similar_word(const char *word, const char *(*word_at)(unsigned i))
{
	return word && word_at ? similar_word(word, strlen(word), word_at) : NULL;
}
