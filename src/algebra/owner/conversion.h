/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a tile gets from one owner to another: the plan of a conversion.
 *
 *	pull : hw of TO -> hw of FROM	where to read what a point is to hold
 *
 * Where that keeps lanes, registers are renamed.  Where it keeps subgroups, lanes
 * exchange, by a list of steps; and for all others there is the LDS. */
#ifndef LAYOUT_ALGEBRA_OWNER_CONVERSION_H
#define LAYOUT_ALGEBRA_OWNER_CONVERSION_H

#include "algebra/chip.h"
#include "algebra/owner/bits.h"

#include <layout/owner.h>

/* What the parts of the machine spend; the sum is what plans are compared by. */
struct conversion_cost {
	unsigned issue;		/* instructions of the wave */
	unsigned lds;		/* cycles of the LDS */
	unsigned waits;
};

/* A step makes the next value.  Values 0 .. R-1 are the registers of FROM, an element
 * each; those of steps are words, 32 bits or an element where that is larger, of
 * "pieces" elements.
 *
 *	PACK		the word of these pieces
 *	SELECT		a, where the condition holds, else b
 *	EXCHANGE	a of lane (own ^ offset); or with "indexed", of the lane that
 *			the plan's index says for this one, ^ offset over F2, else + offset
 *	SWAP		a, but where the lane has bit "offset", what b is in lane ^ offset;
 *			or with "second" the other way round: b, but where the lane has not
 *			that bit, a of the other.  Both stand together. */
enum conversion_op {
	CONVERSION_PACK,
	CONVERSION_SELECT,
	CONVERSION_EXCHANGE,
	CONVERSION_SWAP,
};

enum { CONVERSION_PIECES = 4, CONVERSION_CONDITIONS = 64 };

struct conversion_piece {
	unsigned value, piece;
};

struct conversion_step {
	enum conversion_op op;
	bool used, indexed, second;
	unsigned a, b, condition;
	int64_t offset;
	struct conversion_piece pieces[CONVERSION_PIECES];	/* PACK */
};

/* Over F2: is the number of the bits set in (lane & lanes, subgroup & subgroups) odd?
 * Else: is what lane and subgroup give to the pull's register "value"? */
struct conversion_condition {
	uint64_t lanes, subgroups;
	int64_t value;
};

/* The way through the LDS.  Offsets, in elements, are by owners of one coordinate, on
 * the points of FROM, where the digits of "guard" are 0, and on those of TO.  A lane
 * accesses vectors[] elements at a time, registers whose offsets follow each other.
 *
 * Where it is "turned", 16 lanes load four elements each, and what lanes 4*i to 4*i + 3
 * of them load are the registers i of the 16: "get" says what is loaded, before that. */
struct conversion_lds {
	struct owner put, get;
	uint64_t guard;
	unsigned vectors[2];
	int64_t elements;	/* of a workgroup, or of one subgroup's slice */
	bool turned;
	bool slices;		/* each subgroup has its own: no barrier, a fence */
	int64_t bytes;		/* of a workgroup */
	struct conversion_cost cost;
};

/* The way inside a wave: steps, and what each register of TO is; "pieces" elements a
 * word. */
struct conversion_steps {
	bool failed;			/* no memory */
	bool f2;			/* conditions and offsets of the index are XORs */
	struct owner index;		/* rank 1, of lanes and subgroups */
	unsigned pieces, step_count, step_room, condition_count;
	struct conversion_step *steps;
	struct conversion_condition conditions[CONVERSION_CONDITIONS];
	struct conversion_piece *result;
	unsigned exchanges, selects;
	struct conversion_cost cost;
};

struct layout_conversion_plan {
	layout_context *ctx;
	struct owner from, to;
	unsigned bits;
	const struct chip *chip;
	layout_conversion_kind kind;
	struct owner pull;		/* rank 3, where there is one */
	struct conversion_steps lanes;	/* LAYOUT_CONVERT_RENAME and _LANES */
	struct conversion_lds lds;	/* LAYOUT_CONVERT_LDS */
	char *text;
};

/* Plan the conversion of elements of so many bits, 8, 16, 32 or 64, for a chip; owners
 * of the same box, which are copied.  NULL with LAYOUT_ERROR_UNSUPPORTED where there is no
 * LDS, or too little. */
LAYOUT_INTERNAL LAYOUT_GIVE layout_conversion_plan *conversion_plan_new(
	layout_context *ctx, const struct owner *from, const struct owner *to,
	unsigned bits, const struct chip *chip) LAYOUT_SYMBOL(conversion_plan_new);

static inline unsigned conversion_total(const struct conversion_cost *cost)
{
	return cost->issue + cost->lds + cost->waits;
}

/* The offset of a point of either side; does a point of FROM put its element? */
LAYOUT_INTERNAL int64_t conversion_offset(const struct owner *side,
	const int64_t hw[OWNER_PARTS]) LAYOUT_SYMBOL(conversion_offset);
LAYOUT_INTERNAL bool conversion_puts(const layout_conversion_plan *plan,
	const int64_t hw[OWNER_PARTS]) LAYOUT_SYMBOL(conversion_puts);

/* The offsets that the registers of lane 0, subgroup 0 put or get, in order, each once with
 * the first register that has it; and their number: as many as a vector has at a time
 * are an access. */
struct conversion_offset {
	int64_t offset;
	unsigned reg;
};
LAYOUT_INTERNAL unsigned conversion_offsets(const layout_conversion_plan *plan, bool get,
	struct conversion_offset *offsets) LAYOUT_SYMBOL(conversion_offsets);

/* Inside.  From where each point of TO reads: the nearest point of FROM; or the only one
 * where the guard's digits are 0; or the only one of those in the same subgroup, where the
 * guard's digits but those of subgroups are 0.  False, without an error unless memory ran
 * out, where there is none, or no owner says so. */
enum pull_choice { PULL_NEAREST, PULL_ONCE, PULL_SLICE };
bool conversion_pull(const layout_conversion_plan *plan, enum pull_choice choice,
	struct owner *pull);

/* The ways that there are, which fill in their part of the plan and its cost.  False,
 * without an error unless memory ran out, where that way does not lead there. */
bool conversion_stage(layout_conversion_plan *plan);
bool conversion_gather(layout_conversion_plan *plan);
bool conversion_place(layout_conversion_plan *plan);

/* Building steps: the numbers of the values.  A select of what is the same, or known
 * by the condition, is none. */
unsigned conversion_pack(layout_conversion_plan *plan,
	const struct conversion_piece *pieces);
unsigned conversion_select(layout_conversion_plan *plan, unsigned condition, unsigned a,
	unsigned b);
unsigned conversion_exchange(layout_conversion_plan *plan, unsigned a, bool indexed,
	int64_t offset);
void conversion_swap(layout_conversion_plan *plan, unsigned lanes, unsigned pair[2]);
bool conversion_condition(layout_conversion_plan *plan,
	struct conversion_condition wanted, unsigned *number);

/* Begin with no steps, with room for the result; false without memory.  Free the steps.
 * Mark what the result uses, and count it. */
bool conversion_begin(layout_conversion_plan *plan);
void conversion_end(struct conversion_steps *lanes);
void conversion_count(layout_conversion_plan *plan);

#endif
