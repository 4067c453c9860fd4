/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/similar.h"

#include <layout/value.h>
#include <stdbool.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Letters added, left out, changed or swapped with the next, of words of at most
 * SIMILAR_LENGTH: rows of the distances of their beginnings. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned rows[3][SIMILAR_LENGTH + 1];
	unsigned *before = rows[0], *last = rows[1], *row = rows[2], *old;

	for (unsigned k = 0; k <= b_length; k++)
		last[k] = k;
	for (unsigned i = 1; i <= a_length; i++) {
		row[0] = i;
		for (unsigned k = 1; k <= b_length; k++) {
			row[k] = least(last[k - 1] + (a[i - 1] != b[k - 1]),
				least(last[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				row[k] = least(row[k], before[k - 2] + 1);
		}
		old = before;
		before = last;
		last = row;
		row = old;
	}
	return last[b_length];
}

void similar_try(struct similar *similar, const char *other, size_t length)
{
	unsigned best = *similar->found ? similar->best : (unsigned)similar->length / 3 + 1;
	unsigned away;

	if (similar->length < 2 || similar->length > SIMILAR_LENGTH ||
	    length > SIMILAR_LENGTH)
		return;
	away = distance(similar->word, similar->length, other, length);
	if (away >= best)
		return;
	similar->best = away;
	memcpy(similar->found, other, length);
	similar->found[length] = 0;
}

const char *layout_similar_word(const char *word, const char *(*word_at)(unsigned i))
{
	struct similar similar = { .word = word };
	const char *found = NULL, *other;

	if (!word || !word_at)
		return NULL;
	similar.length = strlen(word);
	for (unsigned i = 0; (other = word_at(i)); i++) {
		unsigned best = similar.best;
		bool any = *similar.found;

		similar_try(&similar, other, strlen(other));
		if (*similar.found && (!any || similar.best < best))
			found = other;
	}
	return found;
}
