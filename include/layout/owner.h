/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Owners: which lane and register of a workgroup hold which element of a tile; what it
 * takes to get a tile from one owner to another. */
#ifndef LAYOUT_OWNER_H
#define LAYOUT_OWNER_H

#include <layout/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a conversion does.
 *
 *	RENAME		nothing: registers change their names
 *	LANES		lanes of a wave exchange what they hold, between selects
 *	LDS		elements are put into the LDS and got from it */
typedef enum {
	LAYOUT_CONVERT_RENAME,
	LAYOUT_CONVERT_LANES,
	LAYOUT_CONVERT_LDS,
} layout_conversion_kind;

typedef struct layout_conversion_plan layout_conversion_plan;

/* Plan how a tile of elements of "bits" bits, 8, 16, 32 or 64, gets from one owner to
 * another on a target, "gfx942".
 *
 *	from, to : hardware -> tile
 *
 * Inputs named "lane" or "thread" number the lanes, "subgroup", "wave" or "warp" the waves
 * of a workgroup, others the registers.  Both owners hold the whole of one box; several
 * points may hold the same.
 *
 * NULL means failure: LAYOUT_ERROR_INVALID with a witness where the owners do not cover the
 * same box, hold two elements at one point, or need more lanes than a wave has;
 * LAYOUT_ERROR_UNSUPPORTED where a register holds nothing, where no digits and no XORs say
 * what is where, where the LDS is too small, or for other bits.  Since 0.1. */
LAYOUT_API LAYOUT_GIVE layout_conversion_plan *layout_owner_convert(
	LAYOUT_KEEP layout_relation *from, LAYOUT_KEEP layout_relation *to,
	unsigned bits, const char *target);
LAYOUT_API void layout_conversion_plan_free(LAYOUT_TAKE layout_conversion_plan *plan);

/* What a wave does, and what it costs: in instructions, of which exchanges with other
 * lanes and selects by the lane are counted apart; in cycles of the LDS; and in waits.  The
 * total is their sum, by which plans are compared. */
typedef struct {
	size_t size;			/* sizeof(layout_conversion_cost) */
	layout_conversion_kind kind;
	unsigned exchanges, selects;
	unsigned instructions, lds_cycles, waits;
	unsigned total;
	unsigned lds_bytes;		/* of the workgroup */
	bool barrier;			/* subgroups exchange */
} layout_conversion_cost;
#define LAYOUT_CONVERSION_COST_INIT LAYOUT_INIT(layout_conversion_cost)
LAYOUT_API bool layout_conversion_plan_cost(LAYOUT_KEEP layout_conversion_plan *plan,
	layout_conversion_cost *cost);

/* The plan in words, a line each: what was chosen, and what the others would cost. */
LAYOUT_API LAYOUT_GIVE char *layout_conversion_plan_str(
	LAYOUT_KEEP layout_conversion_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
