/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/factor/boundaries.h"

bool boundaries_add(struct boundaries *boundaries, int64_t at)
{
	unsigned k = boundaries->count;

	for (unsigned i = 0; i < k; i++)
		if (boundaries->at[i] == at)
			return false;
	if (k == BOUNDARIES)
		return false;
	for (; k && boundaries->at[k - 1] > at; k--)
		boundaries->at[k] = boundaries->at[k - 1];
	boundaries->at[k] = at;
	boundaries->count++;
	return true;
}
