/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A function and the conditions of its map as a list of sums and floors of sums, run from
 * the first to the last. */
#ifndef LAYOUT_ALGEBRA_SCAN_PROGRAM_H
#define LAYOUT_ALGEBRA_SCAN_PROGRAM_H

#include "isl_bridge/objects.h"

/* Values on the way do not pass this. */
#define SCAN_LARGEST ((int64_t)1 << 61)

enum row_kind { ROW_FLOOR, ROW_ZERO, ROW_NOT_NEGATIVE };

/* floor((constant + factor*value + ..) / by), or a condition on the sum. */
struct program_row {
	enum row_kind kind;
	int64_t constant, by;
	unsigned first, count;		/* of the terms */
	unsigned value;			/* where the floor goes */
};

struct program_term {
	int64_t factor;
	unsigned value;
};

/* One of the pieces of the map is held up to its last row. */
struct program_piece {
	unsigned first, end;		/* rows */
};

/* Values are the inputs, then the images, then floors.  The rows of the function come
 * first, then those of the pieces. */
struct program {
	layout_context *ctx;
	unsigned in_rank, out_rank, value_count, row_count, term_count, piece_count;
	unsigned function_end;
	struct program_row *rows;
	struct program_term *terms;
	struct program_piece *pieces;
	int64_t *values;
};

/* The rows of a function without parameters; then of a piece of the pairs (x, y).  False
 * where isl does not say what a floor is, or failed.  Keep their arguments. */
bool program_start(struct program *program, layout_context *ctx, isl_multi_aff *function);
bool program_add_piece(struct program *program, isl_basic_set *piece);
void program_free(struct program *program);

/* After the last piece: does every value stay in 64 bits for inputs from "least" to
 * "most"?  Makes place for the values. */
bool program_fits(struct program *program, const int64_t *least, const int64_t *most);

/* Fill in what comes of the inputs; true if the pair is in the map. */
bool program_run(struct program *program);

#endif
