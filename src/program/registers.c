/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/owners.h"

#include <string.h>

/* What coordinates of "from" are there, of a point of "to". */
static void wanted(const struct owner *from, const int *dims, const struct owner *to,
	const int64_t hw[OWNER_PARTS], int64_t *at)
{
	int64_t all[OWNER_RANK];

	owner_point(to, hw, all);
	for (unsigned d = 0; d < from->rank; d++)
		at[d] = dims[d] < 0 ? 0 : all[dims[d]];
}

static bool holds(const struct owner *from, int64_t hw[OWNER_PARTS], unsigned r,
	const int64_t *at)
{
	int64_t here[OWNER_RANK];

	hw[OWNER_REGISTER] = r;
	owner_point(from, hw, here);
	return !memcmp(here, at, from->rank * sizeof(*at));
}

/* Register "r" of "from" in all lanes that "to" has. */
static bool holds_anywhere(const struct owner *from, const int *dims,
	const struct owner *to, unsigned r, unsigned register_to)
{
	int64_t hw[OWNER_PARTS] = { 0 }, at[OWNER_RANK];
	int64_t *subgroup = &hw[OWNER_SUBGROUP], *lane = &hw[OWNER_LANE];

	for (*subgroup = 0; *subgroup < to->extent[OWNER_SUBGROUP]; ++*subgroup)
		for (*lane = 0; *lane < to->extent[OWNER_LANE]; ++*lane) {
			hw[OWNER_REGISTER] = register_to;
			wanted(from, dims, to, hw, at);
			if (!holds(from, hw, r, at))
				return false;
		}
	return true;
}

/* Registers mostly follow each other: the search begins where the last one ended. */
bool program_registers(const struct owner *from, const int *dims, const struct owner *to,
	bool anywhere, unsigned *map)
{
	unsigned count = (unsigned)from->extent[OWNER_REGISTER], last = 0;

	for (unsigned r = 0; r < to->extent[OWNER_REGISTER]; r++) {
		int64_t hw[OWNER_PARTS] = { [OWNER_REGISTER] = r }, at[OWNER_RANK];
		unsigned tried = 0;

		wanted(from, dims, to, hw, at);
		while (tried < count && !holds(from, hw, (last + tried) % count, at))
			tried++;
		if (tried == count)
			return false;
		last = map[r] = (last + tried) % count;
		if (anywhere && !holds_anywhere(from, dims, to, last, r))
			return false;
	}
	return true;
}
