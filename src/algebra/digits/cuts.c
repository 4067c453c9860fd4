/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/digits/cuts.h"

bool cuts_add(struct cuts *cuts, int64_t at)
{
	unsigned k = cuts->count;

	for (unsigned i = 0; i < k; i++)
		if (cuts->at[i] == at)
			return false;
	if (k == CUTS)
		return false;
	for (; k && cuts->at[k - 1] > at; k--)
		cuts->at[k] = cuts->at[k - 1];
	cuts->at[k] = at;
	cuts->count++;
	return true;
}

void cuts_add_digit(struct cuts *cuts, const struct digit *digit, int64_t most)
{
	int64_t end = digit_end(digit);

	if (digit->step < most)
		cuts_add(cuts, digit->step);
	if (end < most)
		cuts_add(cuts, end);
}

unsigned cuts_chain(const struct cuts *cuts)
{
	unsigned k = cuts->count ? 1 : 0;

	while (k < cuts->count && cuts->at[k] % cuts->at[k - 1] == 0)
		k++;
	return k;
}

bool cuts_are_digits(const struct cuts *cuts)
{
	return cuts->count < CUTS && cuts_chain(cuts) == cuts->count;
}
