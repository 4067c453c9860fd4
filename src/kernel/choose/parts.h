/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The steps of choosing, and what they share. */
#ifndef LAYOUT_KERNEL_CHOOSE_PARTS_H
#define LAYOUT_KERNEL_CHOOSE_PARTS_H

#include "kernel/choose/choose.h"

/* Registers of a lane, in dwords: the most; and enough where nothing moves between
 * registers, or what leaves room for results where parts of dwords do, so that they are
 * not exchanged in place. */
#define MOST_DWORDS 64
#define SOME_DWORDS 32

const struct factor_digit *choice_digit(const struct choice *choice,
	const struct choice_piece *piece);
unsigned choice_dim(const struct choice *choice, const struct choice_piece *piece);

/* Elements that one step of a digit is worth, where that is constant; else 0. */
int64_t choice_digit_weight(const struct choice *choice, unsigned digit,
	enum factor_side side);

/* What a step of piece i is worth in bits, where that is constant; else 0. */
int64_t choice_weight_bits(const struct choice *choice, unsigned i,
	enum factor_side side);

int64_t choice_dwords(const struct choice *choice, int64_t registers);

/* Of a workgroup; the last one may have fewer lanes. */
int64_t choice_waves(const struct choice *choice);

/* The smallest part of a digit, at least "least", that it can be split by; or else all
 * of it.  What has no constant end can be split anywhere. */
int64_t choice_part(const struct choice_piece *piece, int64_t least);

/* Do tiles of so many steps of a piece, the last of which begins earlier, copy more than an
 * eighth of their dimension twice?  Of one whose size is known. */
bool choice_copies_twice(const struct choice *choice, const struct choice_piece *piece,
	int64_t part);

/* A part like choice_part()'s, or one up to eight times "least" by which less is copied twice. */
int64_t choice_even_part(const struct choice *choice, const struct choice_piece *piece,
	int64_t least);

/* The smallest part that is more than 1: a prime, unless that leaves all to masks.  Of a known
 * length one by which little is copied twice; 1: there is none. */
int64_t choice_small_part(const struct choice *choice, const struct choice_piece *piece);

/* Split a piece behind its first "part" steps, which divide its radix unless that is 0.
 * False without room. */
bool choice_split(struct choice *choice, unsigned i, int64_t part);

/* What a tile must hold besides, because tiles are boxes: the digits left to the grid
 * below others of their dimension that are not. */
int64_t choice_holes(const struct choice *choice);

/* Let the first "part" of a piece be "where"; the grid keeps the others.  False without
 * room. */
bool choice_take(struct choice *choice, unsigned i, int64_t part,
	enum choice_where where);

/* Number what is held by registers, or by lanes, and has no place yet, of what was taken
 * before turn "end": nearest on a side first, from "place" on.  How many there are. */
int64_t choice_number(struct choice *choice, enum choice_where where,
	enum factor_side side, int64_t place, unsigned end);

/* Elements of the widest access, a power of two. */
int64_t choice_widest(const struct choice_rules *rules, enum factor_side side);

/* The registers or grid digit that comes after "run" elements of a run on a side, wherever
 * the tile is and whatever the others are. */
const struct choice_piece *choice_next_of_run(const struct choice *choice,
	enum factor_side side, int64_t run);

/* The run, as it may go on through digits that the other side made registers, and its
 * vectors: the run is cut into as many of full width as there are, if all are of one.
 * Elements of less than a byte: vectors are of the digits that are powers of two, up to
 * the first that is not. */
void choice_measure_run(struct choice *choice, enum factor_side side, int64_t full);

/* The steps, in this order.  False: what is swizzled does not fit a workgroup. */
void choose_square(struct choice *choice);
bool choose_lanes(struct choice *choice);
void choose_registers(struct choice *choice);
void choose_numbers(struct choice *choice);

/* The pieces of digits that are xored have the same radices.  False without room. */
bool choice_align(struct choice *choice);

#endif
