/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of a block's lowering share. */
#ifndef LAYOUT_LOWER_BLOCK_PARTS_H
#define LAYOUT_LOWER_BLOCK_PARTS_H

#include "kernel/block/block.h"
#include "lower/block/block.h"
#include "lower/block/turn.h"

/* "offset" and steps are in bytes, or where elements are packed in these, in elements.  "start"
 * is the block's first index in each dimension; what that is worth is in the offset, except in
 * dimensions with a pitch. */
struct block_lowering {
	struct iteration part;
	const struct plan_block *block;
	LLVMBuilderRef b;
	LLVMTypeRef i64;
	LLVMValueRef first, last;		/* the outermost loop's turns */
	bool shifts;				/* vectors begin anywhere in bytes */
	LLVMValueRef spare;			/* a byte for what none of them ends with */
	LLVMValueRef shifted;			/* what does all of it where they do, or NULL, */
	LLVMValueRef points;			/* what does all of it otherwise, or NULL, */
	LLVMValueRef *arguments;		/* and room for what it is called with */
	LLVMValueRef base[FACTOR_SIDES];
	LLVMValueRef offset[FACTOR_SIDES];
	LLVMValueRef step[BLOCK_PIECES][FACTOR_SIDES];	/* of the block's pieces */
	LLVMValueRef loop_step[BLOCK_LOOPS][FACTOR_SIDES];
	LLVMValueRef loop_count[BLOCK_LOOPS];
	LLVMValueRef counter[BLOCK_LOOPS];
	LLVMValueRef large;			/* no cache holds the destination, */
	LLVMValueRef streams;			/* whose lines are all stored whole */
	LLVMValueRef stage;			/* NULL: no chunk is worth one */
	LLVMValueRef staged;			/* does this chunk go there? */
	LLVMValueRef chunk;			/* its offset in the destination */
	LLVMValueRef next;			/* that of the next one in the source, or NULL */
	LLVMValueRef behind, goes_on;		/* has another chunk the lines that its rows begin
						 * in, has it those that they end in? */
	LLVMValueRef store_base, store_step[BLOCK_PIECES];	/* there, or in the stage */
	LLVMValueRef flip[BLOCK_PIECES];	/* what is xored with a piece; NULL: nothing */
	LLVMValueRef some;			/* elements of a vector; NULL: all */
	LLVMValueRef edge;			/* NULL: blocks at one are moved by elements */
	LLVMValueRef load_base, load_first, load_step[BLOCK_PIECES];	/* there, or in the source */
	struct dim {
		LLVMValueRef start, low, high, end, pitch[FACTOR_SIDES];
	} *dims;
};

struct block_turns {
	LLVMBasicBlockRef header, exit;
	LLVMValueRef counter;
};

LLVMValueRef block_number(const struct block_lowering *l, int64_t value);

/* Of an element. */
unsigned block_bytes(const struct block_lowering *l, unsigned side);

/* sum + a * b */
LLVMValueRef block_add(const struct block_lowering *l, LLVMValueRef sum, LLVMValueRef a,
	LLVMValueRef b);

/* The same number, of which LLVM does not know that it goes on from turn to turn: where many
 * addresses follow from it, LLVM's reduction of their strength would take a third of the time
 * that all code takes to generate. */
LLVMValueRef block_pin(const struct block_lowering *l, LLVMValueRef number);

/* The same on both sides. */
void block_step(const struct block_lowering *l, LLVMValueRef *offset, LLVMValueRef counter,
	const LLVMValueRef *step);

/* An access's, in bytes. */
unsigned block_alignment(const struct block_lowering *l, unsigned side);

/* What is xored with a piece on a side; NULL: nothing. */
LLVMValueRef block_flip_of(const struct block_lowering *l, unsigned side, unsigned piece);

LLVMValueRef block_address(const struct block_lowering *l, unsigned side,
	LLVMValueRef offset);

/* The byte at an offset from "base". */
LLVMValueRef block_byte(const struct block_lowering *l, LLVMValueRef base, LLVMValueRef offset);

/* Where the block's first element is on a side; in the destination's stage, unless there is
 * none. */
LLVMValueRef block_first(const struct block_lowering *l, unsigned side);

/* The offset of element n of the block in the order of a side, from that of the first one. */
LLVMValueRef block_offset(const struct block_lowering *l, unsigned side, LLVMValueRef first,
	int64_t n);

/* A side's vectors in registers, and the bytes of one in the destination. */
LLVMTypeRef block_vector_type(const struct block_lowering *l, unsigned side);
unsigned block_store_bytes(const struct block_lowering *l);

/* A vector of the source, converted; one to the destination or the stage, past the caches
 * where it "streams". */
LLVMValueRef block_load(const struct block_lowering *l, LLVMValueRef offset);
void block_store(const struct block_lowering *l, LLVMValueRef value, LLVMValueRef offset,
	bool streams);

/* Are the block's vectors stored as whole lines, past the caches? */
LLVMValueRef block_streams(const struct block_lowering *l);

/* From a block to one that is moved soon: an offset in the source.  It is the line of a
 * vector's last byte that nobody else has read: that of the block's first vector. */
LLVMValueRef block_ahead(const struct block_lowering *l);
LLVMValueRef block_fetched(const struct block_lowering *l);

/* The same from a chunk to the next one, where there is a loop around chunks. */
LLVMValueRef block_chunk_ahead(const struct block_lowering *l);

/* Load, turn and store a block that is whole. */
void block_move_vectors(const struct block_lowering *l);

/* The same of one that is small, without a thought of caches. */
void block_move_part(const struct block_lowering *l);

/* What there is of a block that dimensions end inside of; "index" has room for one. */
void block_move_rest(const struct block_lowering *l, LLVMValueRef *index);

/* A block at "start", whole or not; "index" has room for one. */
void block_move(struct block_lowering *l, LLVMValueRef *index);

/* Vectors of packed elements as they are in memory, and in registers. */
LLVMValueRef block_unpack(const struct block_lowering *l, LLVMValueRef value);
LLVMValueRef block_pack(const struct block_lowering *l, LLVMValueRef value);

/* The same of those that begin at an offset, anywhere in a byte. */
LLVMValueRef block_load_shifted(const struct block_lowering *l, LLVMValueRef offset,
	LLVMTypeRef type);
void block_store_shifted(const struct block_lowering *l, LLVMValueRef value,
	LLVMValueRef offset);

/* Of packed elements: those of a block that exist, by the bytes of the destination. */
void block_move_bytes(const struct block_lowering *l, LLVMValueRef *index);

/* Load, turn and store a block that registers cannot hold; false, and nothing built, where
 * they can or it is not turned in passes. */
bool block_move_passes(const struct block_lowering *l, const struct turn *turn);

/* Once for all; and for a block: whether what it loads, where it is at the edge, was put
 * together.  "index" has room for one. */
void block_edge_enter(struct block_lowering *l);
LLVMValueRef block_edge_fill(struct block_lowering *l, LLVMValueRef at_edge,
	LLVMValueRef *index);

/* How many elements the source has of a block that is a vector, where vectors can be loaded
 * so; else NULL.  "index" has room for one. */
LLVMValueRef block_edge_count(const struct block_lowering *l, LLVMValueRef *index);

/* A vector of which the source has the first "count" elements but those "skipped", padding before
 * and behind them. */
LLVMValueRef block_load_some(const struct block_lowering *l, LLVMValueRef offset,
	LLVMValueRef skipped, LLVMValueRef count);

/* A vector of the source's order that is all padding. */
LLVMValueRef block_pad(const struct block_lowering *l);

/* Memory of the function's own, from the beginning of a line on. */
LLVMValueRef block_memory(const struct block_lowering *l, LLVMTypeRef type, const char *name);

/* if (condition) one; else the other: the builder is left in the first. */
struct block_turns block_choose(const struct block_lowering *l, LLVMValueRef condition);
void block_otherwise(const struct block_lowering *l, const struct block_turns *choice);
void block_choice_close(const struct block_lowering *l, const struct block_turns *choice);

/* for (counter = first; counter < end; counter++); the builder is left in the body. */
struct block_turns block_loop_open(const struct block_lowering *l, LLVMValueRef first,
	LLVMValueRef end);
void block_loop_close(const struct block_lowering *l, const struct block_turns *loop);

/* Begin "dim" earlier than its start where it is even and so many elements would reach beyond
 * its end: where that is. */
LLVMValueRef block_settled(const struct block_lowering *l, unsigned dim, int64_t reach);

/* What a piece's digit is on a side. */
LLVMValueRef block_stored_digit(const struct block_lowering *l, unsigned side, unsigned piece,
	const LLVMValueRef *digit);

/* Element "n" of the block: its index in each dimension, and where it is. */
void block_place(const struct block_lowering *l, LLVMValueRef n, LLVMValueRef *index,
	LLVMValueRef *offset);

/* Are indices below the ends, or where the source has elements? */
LLVMValueRef block_is_below(const struct block_lowering *l, const LLVMValueRef *index,
	bool source);

/* Does the source begin at this index of a dimension, or before? */
LLVMValueRef block_has_begun(const struct block_lowering *l, unsigned dim, LLVMValueRef index);

/* How many steps from an index lie before another, which may be negative. */
LLVMValueRef block_steps(const struct block_lowering *l, LLVMValueRef from, LLVMValueRef to,
	int64_t step);

/* A row that begins at "start". */
void block_move_row(const struct block_lowering *l);

/* The pad value as often as it fits what moves. */
uint64_t block_pad_bits(const struct block_lowering *l);

/* Once for all; and around the blocks of a chunk. */
void block_chunk_enter(struct block_lowering *l);
void block_chunk_open(struct block_lowering *l);
void block_chunk_close(struct block_lowering *l);

/* Where the block begins, behind "store_base". */
LLVMValueRef block_chunk_offset(const struct block_lowering *l);

#endif
