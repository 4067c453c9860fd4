/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/share.h"
#include "algebra/chip.h"

#include <stdlib.h>

#ifdef __SANITIZE_ADDRESS__
enum { CASES = 16, COLUMNS = 8 };
#else
enum { CASES = 1, COLUMNS = 1 };
#endif

unsigned share_count(unsigned cases)
{
	return getenv("LAYOUT_TEST_SEED") ? cases : (cases + CASES - 1) / CASES;
}

bool share_is_few(void)
{
	return share_count(CASES) < CASES;
}

bool share_has(unsigned row, unsigned column, unsigned columns)
{
	return (row + column) % (columns < COLUMNS ? columns : COLUMNS) == 0;
}

bool share_is_first(const layout_target *target)
{
	return chip_is_first(chip_of(target));
}

const layout_target *share_target(unsigned i)
{
	const layout_target *target;

	for (unsigned t = 0; (target = layout_target_at(t)); t++)
		if (share_is_first(target) && !i--)
			return target;
	return NULL;
}

bool share_others(void)
{
	return CASES == 1;
}
