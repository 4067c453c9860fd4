/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rows of the LDS from the inside. */
#ifndef LAYOUT_ALGEBRA_LDS_H
#define LAYOUT_ALGEBRA_LDS_H

#include <layout/lds.h>

#define LDS_LANES 64		/* of the largest wave */
#define LDS_WORD 4		/* bytes of a bank's word */
#define LDS_CANDIDATES 2
#define LDS_BASES 6

/* Lanes that are served together: the XORs of the bases, and the cosets of those.  Each
 * base has a highest bit of its own, which no other base contains. */
struct lds_grouping {
	unsigned count;
	unsigned bases[LDS_BASES];
};

/* Candidates, the likeliest first, up to a NULL. */
struct lds_known {
	layout_lds_provenance provenance;
	const struct lds_grouping *candidates[LDS_CANDIDATES];
};

/* By a lane's bits, rounded up. */
enum lds_width { LDS_32, LDS_64, LDS_128, LDS_WIDTHS };

struct layout_lds {
	const char *name;
	unsigned wave_size, bytes, banks;
	struct lds_known loads[LDS_WIDTHS], stores[LDS_WIDTHS];
};

/* What the LDS says of accesses of so many bits; NULL where there are none. */
const struct lds_known *lds_known(const layout_lds *lds, unsigned bits, bool store);

/* The same, where none is an error of the context. */
const struct lds_known *lds_known_to(layout_context *ctx, const layout_lds *lds,
	unsigned bits, bool store);

/* The least lane of the group of "lane". */
unsigned lds_group(const struct lds_grouping *grouping, unsigned lane);

/* Cycles of an access under one grouping. */
layout_lds_cost lds_cost(const layout_lds *lds, const struct lds_grouping *grouping,
	const layout_lds_access *access);

#endif
