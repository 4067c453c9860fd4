/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where tiles end: is a tile whole, and which lanes are inside. */
#ifndef LAYOUT_LOWER_TILE_BOUNDS_H
#define LAYOUT_LOWER_TILE_BOUNDS_H

#include "lower/iteration.h"
#include "lower/tile/address.h"
#include "lower/tile/room.h"

/* The dims, as bits, in which a tile may reach beyond what the source or the destination
 * has. */
uint64_t bounds_unread(const struct plan_tile *tile);
uint64_t bounds_unwritten(const struct plan_tile *tile);

/* Add to the rooms' tests that the workgroup's tile does not stick out of the source in
 * the dims "unread", nor of the destination in "unwritten"; or, "earlier", that it would
 * not if it began as much earlier as it can.  The rooms' limit is 0, or what
 * bounds_limit() says, which takes the fewest operations. */
void bounds_test(const struct iteration *iteration, uint64_t unread, uint64_t unwritten,
	bool earlier, struct rooms *rooms);
int64_t bounds_limit(const struct iteration *iteration, uint64_t unread,
	uint64_t unwritten);

/* By how many elements the workgroup's tile has to begin earlier not to stick out, as an
 * i64: for dims in which it can. */
LLVMValueRef bounds_excess(const struct iteration *iteration, unsigned d);

/* Is the workgroup's tile the first in a dimension, or the last? */
LLVMValueRef bounds_begins(const struct iteration *iteration, unsigned d);
LLVMValueRef bounds_ends(const struct iteration *iteration, unsigned d);

/* The part first <= t[d] < last that one side has of the workgroup's tile, and what the
 * lane's digits add to t[d].  First and lanes may be NULL, for 0. */
struct bounds {
	const struct tile_form *form;
	LLVMBuilderRef builder;
	uint64_t ragged;
	LLVMValueRef first[64], last[64], lanes[64];
};

/* Of the source, else of the destination; for the dims that may stick out. */
void bounds_open(struct bounds *bounds, const struct iteration *iteration,
	const struct tile_form *form, bool source, const struct lane_number *lane);

/* Is the element inside?  NULL: always. */
LLVMValueRef bounds_inside(const struct bounds *bounds,
	const struct address_digits *digits);

/* Of the elements whose digits are from "least" to "most": are all of them inside?  May
 * one of them be? */
LLVMValueRef bounds_all_inside(const struct bounds *bounds,
	const struct address_digits *least, const struct address_digits *most);
LLVMValueRef bounds_some_inside(const struct bounds *bounds,
	const struct address_digits *least, const struct address_digits *most);

/* May an element of the wave be inside whose registers' digits are at least these?  A
 * value of the wave; NULL: yes. */
LLVMValueRef bounds_reach(const struct bounds *bounds,
	const struct address_digits *least);

/* Are all elements of the wave inside whose registers' digits are from "least" to "most"?
 * A value of the wave; NULL: yes. */
LLVMValueRef bounds_hold_wave(const struct bounds *bounds,
	const struct address_digits *least, const struct address_digits *most);

/* How far t[d] is from where the side begins, or ends; NULL: it begins with the tile. */
LLVMValueRef bounds_distance(const struct bounds *bounds, unsigned d, bool end,
	const struct address_digits *digits);

/* May an edge part digits that are held together, wherever they are?  A value of the
 * wave. */
LLVMValueRef bounds_part(const struct bounds *bounds, uint64_t digits);

#endif
