/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names that somebody may have meant. */
#include "algebra/chip.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NEAR_COUNT 3
#define LONGEST 48	/* of a name that is compared */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Insertions, deletions and changes of characters between two names, whatever their
 * case. */
static unsigned distance(const char *a, const char *b)
{
	size_t a_length = strlen(a), b_length = strlen(b);
	unsigned row[LONGEST + 1];

	if (a_length > LONGEST || b_length > LONGEST)
		return 2 * LONGEST;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b_length; j++) {
			unsigned above = row[j];
			unsigned change = tolower((unsigned char)a[i - 1]) !=
				tolower((unsigned char)b[j - 1]);

			row[j] = least(diagonal + change,
				least(above, row[j - 1]) + 1);
			diagonal = above;
		}
	}
	return row[b_length];
}

struct near {
	const char *name;
	unsigned distance;
};

/* Keep the nearest, in order; of equals the first, a name only once. */
static void offer(struct near near[NEAR_COUNT], const char *name, unsigned away)
{
	unsigned at = NEAR_COUNT;

	for (unsigned i = 0; i < NEAR_COUNT; i++)
		if (near[i].name && !strcmp(near[i].name, name))
			return;
	while (at > 0 && (!near[at - 1].name || near[at - 1].distance > away))
		at--;
	if (at == NEAR_COUNT)
		return;
	memmove(near + at + 1, near + at, (NEAR_COUNT - 1 - at) * sizeof(*near));
	near[at] = (struct near){ name, away };
}

void mma_fail_name(layout_context *ctx, const char *name)
{
	unsigned most = 2 + (unsigned)strnlen(name, LONGEST) / 4;
	struct near near[NEAR_COUNT] = { { NULL, 0 } };
	struct layout_buffer names = { 0 };
	const struct mma_row *row;
	char *text;

	for (unsigned f = 0; chip_families[f]; f++)
		for (unsigned i = 0; (row = mma_row_at(chip_families[f], i)); i++) {
			unsigned away = distance(name, row->name);

			if (away <= most)
				offer(near, row->name, away);
		}
	for (unsigned i = 0; i < NEAR_COUNT && near[i].name; i++)
		layout_buffer_printf(&names, "%s%s", i ? ", " : "; near it are ",
			near[i].name);
	text = layout_buffer_take(ctx, &names);
	if (text)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"no matrix instruction '%.60s'%s", name, text);
	free(text);
}
