/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Affine expressions as a person would write them.
 *
 * isl holds i mod 4 as i - 4*floor(i/4), and floor(i/4) sometimes as
 * i - floor((3 + 3i)/4).  Here floors get one normal form, and what can be a
 * remainder becomes one again. */
#ifndef LAYOUT_BRIDGE_AFFINE_H
#define LAYOUT_BRIDGE_AFFINE_H

#include "isl_bridge/bridge.h"
#include "isl_bridge/index_range.h"

/* More terms than this is nothing that a person would write. */
#define AFFINE_TERMS 32
#define AFFINE_ATOMS 64

/* A sum of coefficient*atom, plus a constant.  Atoms 0 .. variable_count-1 are
 * variables, the others atoms[..] of the expression. */
struct affine_sum {
	int64_t constant;
	unsigned count;
	struct {
		int64_t coefficient;
		unsigned atom;
	} terms[AFFINE_TERMS];
};

enum affine_kind { AFFINE_FLOOR, AFFINE_MOD };

/* floor(of / by) or (of mod by) */
struct affine_atom {
	enum affine_kind kind;
	struct affine_sum of;
	int64_t by;
	struct range range;
};

struct affine {
	unsigned variable_count, atom_count;
	const struct range *bounds;	/* of the variables; NULL: not known */
	struct affine_atom atoms[AFFINE_ATOMS];
	bool failed;		/* too large: print it as isl does */
};

/* "aff" as a sum over its inputs, then its parameters.  Keeps "aff".  On failure
 * "affine->failed" is set; nothing is put on the context. */
struct affine_sum affine_from_isl(struct affine *affine, isl_aff *aff);

/* The same with floors alone, no remainders. */
struct affine_sum affine_floors_from_isl(struct affine *affine, isl_aff *aff);

/* The same of one without floors, with numbers of up to 63 bits: to be printed. */
struct affine_sum affine_plain_from_isl(struct affine *affine, isl_aff *aff);

struct range affine_atom_range(const struct affine *affine,
	const struct affine_atom *atom);

/* The bounds that the set's dimensions, then its parameters have as they stand in its
 * constraints; NULL where isl fails or memory runs out.  To be freed; keeps the set. */
struct range *affine_bounds(layout_context *ctx, isl_set *set);

/* Divide both "of" and "by" by what "by" shares with some terms, where the others make
 * the same difference for floor(of / by) everywhere.  False where the bounds show no
 * such thing. */
bool affine_divide(const struct affine *affine, struct affine_sum *of, int64_t *by);

/* How to write one: isl's text, MLIR's affine maps, or a size, "2*M". */
enum affine_dialect { AFFINE_ISL, AFFINE_MLIR, AFFINE_SIZE };

void affine_print(struct layout_buffer *out, const struct affine *affine,
	const struct affine_sum *sum, const char *const *names,
	enum affine_dialect dialect);

#endif
