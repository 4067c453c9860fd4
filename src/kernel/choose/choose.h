/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Choosing a kernel: which digits become registers, which lanes, which the workgroup. */
#ifndef LAYOUT_KERNEL_CHOOSE_H
#define LAYOUT_KERNEL_CHOOSE_H

#include "algebra/factor/factor.h"
#include "kernel/memory.h"
#include "kernel/tile/tile.h"

enum { CHOICE_PIECES = 96, CHOICE_SPARES = 16, CHOICE_DIMS = 16 };

enum choice_where { CHOICE_GRID, CHOICE_REGISTER, CHOICE_LANE };

/* Part of a digit: floor(i / step) mod radix, held by floor(n / place) mod radix of the
 * register or lane number n.  What is left of a digit for the grid may have radix 0, and
 * then "most" whole steps or, if that is 0, any number of them. */
struct choice_piece {
	unsigned digit;
	int64_t step, radix, most;
	enum choice_where where;
	int64_t place;
	unsigned turn;		/* lanes: the order in which they were chosen */
};

/* What choosing goes by.  Open digits of dimension d, if d < CHOICE_DIMS, are the tile's
 * up to an extent of caps[d], unless that is 0; with "parts" so are those of
 * choice_has_parts(). */
struct choice_rules {
	unsigned bits[FACTOR_SIDES];	/* of an element */
	unsigned max_bytes;		/* of an access */
	unsigned wave_size;
	int64_t full_lanes, most_lanes;	/* of a workgroup */
	int64_t caps[CHOICE_DIMS];
	bool parts;
	bool small;			/* a quarter of the registers beyond the square's */
	bool uneven;			/* of dimensions of known length much may be copied twice */
	bool sharing;			/* tiles that follow each other in a row of the destination */
					/* share a sector of it */
	bool odd_lanes;			/* through the LDS: lanes have an odd factor of a tile */
};

/* Pieces are in order of dimension and step.  "run" elements follow each other in the
 * memory of a side, each "step" after the one before, and are registers of one lane, which
 * accesses "vector" of them at a time, a power of two.  Only of what is loaded, steps may be
 * more than 1. */
struct choice {
	const struct factors *factors;
	struct choice_rules rules;
	unsigned count;
	struct choice_piece pieces[CHOICE_PIECES];
	int64_t registers, lanes;
	int64_t run[FACTOR_SIDES];
	unsigned vector[FACTOR_SIDES], step[FACTOR_SIDES];
	unsigned turns;
	unsigned spare_count;
	struct tile_spare spares[CHOICE_SPARES];
	const struct choice_fit *fits[FACTOR_SIDES];	/* NULL: weights are those of all sizes */
};

/* Dimensions, as bits, that are assumed to be as long as the tile: their rows in it follow each
 * other, so that steps of digits are worth what is constant then; 0: the same as ever. */
struct choice_fit {
	unsigned dims;
	int64_t weights[FACTOR_DIGITS];
};

/* Segments of memory that the accesses of a full tile's first wave touch, access by
 * access, and the least that could hold as many bytes. */
struct choice_segments {
	int64_t accesses, touched, least;
};

/* False where no choice of registers and lanes is worth a tile: "why" says so. */
bool choose(struct choice *choice, const struct factors *factors,
	const struct choice_rules *rules, const char **why);

/* The same for who chooses otherwise: all pieces are the grid's; and all that have to be
 * in the tile are in it and have their places.  False where lowering could not do it. */
void choice_begin(struct choice *choice, const struct factors *factors,
	const struct choice_rules *rules);
bool choice_finish(struct choice *choice, const char **why);

/* Elements of less than a byte: every access of a lane begins and ends with a byte,
 * wherever the tile is, and the first element of a byte exists if one does. */
bool choice_keeps_bytes(const struct choice *choice, enum factor_side side);

/* May tiles begin anywhere in a dimension?  Then the last one of at least two can end where
 * the dimension does. */
bool choice_begins_anywhere(const struct factors *factors, const struct choice_rules *rules,
	unsigned dim);

/* Are there digits that end, beyond the caps, and that the destination does not end with? */
bool choice_has_parts(const struct factors *factors, const struct choice_rules *rules);

/* Has a lane room for so many elements? */
bool choice_has_room(const struct choice_rules *rules, int64_t registers);

/* Does a piece begin "at" steps of the digit? */
bool choice_begins(const struct choice *choice, unsigned digit, int64_t at);

/* The accesses of a wave to one side, and the bytes of one. */
int64_t choice_accesses(const struct choice *choice, enum factor_side side);
unsigned choice_access_bytes(const struct choice *choice, enum factor_side side);

/* How far the tile reaches in a dimension. */
int64_t choice_extent(const struct choice *choice, unsigned dim);

/* Where those fit whose rows in the tile have less than so many bytes.  False: there are none. */
bool choice_fit(const struct choice *choice, enum factor_side side, int64_t bytes,
	struct choice_fit *fit);

/* Elements that one step of the piece is worth, where that is constant; else 0. */
int64_t choice_weight(const struct choice *choice, const struct choice_piece *piece,
	enum factor_side side);

/* Does a step of "a" span less memory than one of "b"?  Constant weights do before
 * others, and slots further inside before those around them. */
bool choice_is_nearer(const struct choice *choice, const struct choice_piece *a,
	const struct choice_piece *b, enum factor_side side);

/* Segments of "bytes" bytes.  Weights that are not constant count as multiples of it. */
struct choice_segments choice_segments(const struct choice *choice, enum factor_side side,
	int64_t bytes);

/* Those that the first access touches. */
int64_t choice_first_segments(const struct choice *choice, enum factor_side side,
	int64_t bytes);

/* Of 64 bytes, on both sides. */
static inline int64_t choice_touched(const struct choice *choice)
{
	return choice_first_segments(choice, FACTOR_LOAD, 64) +
		choice_first_segments(choice, FACTOR_STORE, 64);
}

/* Those that another one does, where the registers of a vector follow each other. */
int64_t choice_access_segments(const struct choice *choice, enum factor_side side,
	int64_t access, int64_t bytes);

/* The bytes that the first lanes of a workgroup with a full tile access.  The accesses of
 * waves are numbered alike. */
void choice_trace(const struct choice *choice, enum factor_side side, int64_t lanes,
	struct memory_trace *trace);

#endif
