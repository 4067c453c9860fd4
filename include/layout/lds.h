/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The LDS of a target: its banks, and which lanes of a wave it serves together.
 *
 * The LDS is cut into banks of 4 bytes: a byte lies in bank byte/4 mod banks.  An access
 * of a wave is served in phases, a group of lanes at a time, and a phase takes as many
 * cycles as its busiest bank has different words to move; lanes that want the same word
 * share it.  Which lanes form a group depends on the target, on the direction and on the
 * bits that a lane accesses.  Not all of that is published, so a row says how each of its
 * groupings is known, and where one is assumed it has more than one candidate. */
#ifndef LAYOUT_LDS_H
#define LAYOUT_LDS_H

#include <layout/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A row of facts; static, and shared between threads. */
typedef struct layout_lds layout_lds;

typedef enum {
	LAYOUT_LDS_MEASURED,
	LAYOUT_LDS_DOCUMENTED,
	LAYOUT_LDS_ASSUMED,
} layout_lds_provenance;

/* The rows in order; NULL past the last. */
LAYOUT_API const layout_lds *layout_lds_at(unsigned i);

/* The row of a target, "gfx942", "gfx1100:wave64"; NULL with LAYOUT_ERROR_UNSUPPORTED. */
LAYOUT_API const layout_lds *layout_lds_find(LAYOUT_KEEP layout_context *ctx,
	const char *target);

/* The target's name; lanes of a wave; bytes for one workgroup; banks. */
LAYOUT_API const char *layout_lds_name(const layout_lds *lds);
LAYOUT_API unsigned layout_lds_wave_size(const layout_lds *lds);
LAYOUT_API unsigned layout_lds_bytes(const layout_lds *lds);
LAYOUT_API unsigned layout_lds_banks(const layout_lds *lds);

/* How the grouping of accesses of so many bits a lane (8, 16, 32, 64, 96 or 128) is
 * known, and the number of its candidates: 1 unless it is assumed, 0 for other bits. */
LAYOUT_API layout_lds_provenance layout_lds_known(const layout_lds *lds, unsigned bits,
	bool store);
LAYOUT_API unsigned layout_lds_candidates(const layout_lds *lds, unsigned bits,
	bool store);

/* An access of a wave: the byte that each lane's access begins with, and the lanes that
 * take part, as a mask. */
typedef struct {
	size_t size;			/* sizeof(layout_lds_access) */
	unsigned bits;			/* of a lane: 8, 16, 32, 64, 96 or 128 */
	bool store;
	const uint64_t *addresses;	/* of every lane of the wave */
	uint64_t lanes;			/* lane i takes part: bit i */
} layout_lds_access;
#define LAYOUT_LDS_ACCESS_INIT \
	LAYOUT_INIT_WITH(layout_lds_access, lanes, UINT64_MAX)

/* Cycles under a grouping, and those of the same phases without a conflict. */
typedef struct {
	unsigned cycles, least;
} layout_lds_cost;

/* What the access costs under the first candidate, which is the likeliest, into "cost",
 * and under the one that has the most extra cycles into "worst": 0 extra there is
 * freedom from conflicts whatever the grouping.  Either may be NULL.
 * LAYOUT_ERROR_INVALID for bits that no access has. */
LAYOUT_API bool layout_lds_cycles(LAYOUT_KEEP layout_context *ctx, const layout_lds *lds,
	const layout_lds_access *access, layout_lds_cost *cost, layout_lds_cost *worst);

/* The extra cycles of the accesses { [.., lane, ..] -> [byte] }, each of "bits" a lane,
 * together, under the grouping that has the most; 0: proved free of conflicts.  Input
 * "lane" is the number of a lane, those from the wave size on being the next waves'; for
 * each value of the others there is an access.  Lanes without a byte take no part.
 *
 *	LAYOUT_ERROR_SPACE	no such input, or several outputs
 *	LAYOUT_ERROR_INVALID	a size has no value, a lane has two bytes, a lane is
 *				negative, a byte outside the LDS or no multiple of what is
 *				accessed (of 4 where that is 96 bits), no access has so
 *				many bits
 *	LAYOUT_ERROR_QUOTA	more accesses of lanes than the quota lets count */
LAYOUT_API bool layout_lds_conflicts(LAYOUT_KEEP layout_relation *address, unsigned lane,
	const layout_lds *lds, unsigned bits, bool store, int64_t *extra);

#ifdef __cplusplus
}
#endif

#endif
