/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of a tile's ways share. */
#ifndef LAYOUT_LOWER_TILE_PATH_PARTS_H
#define LAYOUT_LOWER_TILE_PATH_PARTS_H

#include "lower/tile/access.h"
#include "lower/tile/align.h"
#include "lower/tile/block.h"
#include "lower/tile/bounds.h"
#include "lower/tile/path.h"
#include "lower/tile/shift.h"

/* One side of a way.  "shifted": of the shifted way, its vectors may begin anywhere.
 * "parted": an edge may cross them otherwise.  "shared": of whole tiles that share sectors. */
struct way_side {
	const struct path_side *side;
	bool shifted, shared;
	uint64_t chain;
	struct tile_access access;
	LLVMValueRef aligned;		/* to "align"; NULL: nobody asks */
	unsigned align;
	unsigned run;			/* where they are not: lanes that shift vectors; 0: none do */
	bool masked, parted;
	struct bounds bounds;
};

/* What is moved at a time, and how. */
struct way {
	layout_context *ctx;
	bool failed;		/* with the error on the context */
	const struct path *path;
	enum path_kind kind;
	struct way_side load, store;
	struct block block;
	uint64_t looped;	/* register digits outside the block */
	LLVMValueRef *values;	/* the block's loaded vectors, as the destination has them */
	LLVMValueRef *stored;	/* those that it stores, where an edge may cross them */
	LLVMValueRef *parts;	/* where an edge crosses a vector */
	LLVMValueRef *alike;	/* loaded vectors where edges cross all alike */
	unsigned *from;		/* by stored slot */
};

static inline LLVMBuilderRef builder_of(const struct way *way)
{
	return way->path->iteration->scope.builder;
}

static inline const struct plan *plan_of(const struct way *way)
{
	return way->path->iteration->kernel->plan;
}

static inline LLVMValueRef small(const struct way *way, int64_t value)
{
	return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetBuilderContext(builder_of(way))),
		(unsigned long long)value, true);
}

/* Is what a masked load leaves, 0, the padding once it is converted? */
static inline bool loads_padding(const struct way *way)
{
	return !plan_of(way)->pad_bits && conversion_keeps_zero(&plan_of(way)->conversion);
}

/* Has the target buffers?  There a mask is an instruction of a lane, else a predicate. */
static inline bool way_has_buffers(const struct way *way)
{
	return chip_of(way->path->iteration->kernel->target)->code.buffers;
}

/* The side's bounds in some dims alone. */
static inline struct bounds bounds_in(const struct way_side *side, uint64_t dims)
{
	struct bounds bounds = side->bounds;

	bounds.ragged &= dims;
	return bounds;
}

/* Choose what a way that has its path and its kind moves at a time, and open both sides; false
 * with the error on the context.  To be closed in both cases. */
bool way_open(layout_context *ctx, struct way *way);
void way_close(struct way *way);

/* A block: its loads, exchanges and stores.  False with the error on the context. */
bool way_move(layout_context *ctx, struct way *way, struct address_digits *digits);

/* What registers add to t[d]. */
int64_t way_place(const struct way *way, const struct address_digits *digits, unsigned d);

/* A vector of integers of "bits" bits. */
LLVMTypeRef lane_vector(const struct way *way, unsigned bits, unsigned count);

/* The loaded vector whose first element has these digits; "inside" as for access_load(). */
LLVMValueRef way_load(struct way *way, const struct address_digits *digits,
	LLVMValueRef inside);

/* Elements as the destination has them. */
LLVMValueRef way_convert(const struct way *way, LLVMValueRef value);

/* Do the elements of vector i follow each other in one dim, "step" 1 or -1, as all do whose
 * digits are between theirs? */
bool way_line(const struct way *way, const struct way_side *side,
	const struct block_side *vectors, unsigned i, unsigned *dim, int64_t *step);

/* The line of the vectors, if all are on lines of one dim and begin at multiples of their elements
 * there, in all lanes: then an edge crosses them alike, and where is the same for a wave. */
bool way_crosses_alike(const struct way *way, const struct way_side *side,
	const struct block_side *vectors, unsigned *dim);

/* May any of vector i be inside? */
LLVMValueRef way_reach(const struct way *way, const struct way_side *side,
	const struct block_side *vectors, unsigned i, const struct address_digits *digits);

/* Of all of the source, as an i64. */
LLVMValueRef way_source_bytes(const struct way *way);

/* All loaded vectors, as the destination has them, with pad values where elements are outside
 * of the source and not of the destination. */
void pad_vectors(struct way *way, struct address_digits *digits);

/* The block's loads and stores where an edge may cross vectors: those that it does not
 * cross, and loads of memory that exists, are accessed as a whole; then, where a lane has
 * others, their elements one by one. */
void parted_load(struct way *way, struct address_digits *digits);
void parted_store(struct way *way, struct address_digits *digits);

/* The same where they may begin anywhere. */
void shifted_load(struct way *way, struct address_digits *digits);
void shifted_store(struct way *way, struct address_digits *digits);

#endif
