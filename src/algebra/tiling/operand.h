/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An operand of a contraction: the loops behind the dimensions of its tensor. */
#ifndef LAYOUT_ALGEBRA_TILING_OPERAND_H
#define LAYOUT_ALGEBRA_TILING_OPERAND_H

#include "isl_bridge/context.h"
#include <layout/mma.h>
#include <layout/tiling.h>

/* The loops there are; their order is also that of a packed tensor's outer dimensions. */
#define TILING_LOOPS (LAYOUT_LOOP_KB + 1)

/*	sizes		of each loop, LAYOUT_DYNAMIC; 1 where the contraction lacks it
 *	loops		has the contraction this loop?
 *	tensor_dims	the dimension of this operand's tensor that it steps, at the end
 *			of the chain of maps; -1: none
 *	rank		of the tensor */
struct tiling_contraction {
	int64_t sizes[TILING_LOOPS];
	bool loops[TILING_LOOPS];
	int tensor_dims[TILING_LOOPS];
	unsigned rank;
};

/* Where an operand's roles are told by its place: "lhs", "rhs", .. as the matrix
 * instructions have them. */
layout_mma_operand operand_role(const layout_operand *operand);

/* Is a loop that the tensor does not have tiled all the same?  One that it was broadcast
 * along never is. */
bool contraction_keeps(const struct tiling_contraction *contraction, layout_loop loop,
	layout_missing missing);

/* The operand's contraction; false where there is none, with the reason, a sentence
 * without a full stop, in "why". */
bool operand_contraction(const layout_operand *operand, struct tiling_contraction *contraction,
	const char **why);

/* A map by the dimension that each result copies; -1: it is something else. */
struct operand_map {
	unsigned dims, results;
	int copies[LAYOUT_LOOPS];
};

/* "maps" and "read" are the same ones, operand after operand. */
struct layout_operand {
	layout_context *ctx;
	layout_op_type op_type;
	unsigned index;
	unsigned type_count;
	char *types[LAYOUT_OPERANDS];
	char *original_type, *stored_type;	/* NULL: not given */
	unsigned map_operands;		/* 0: no maps */
	unsigned map_counts[LAYOUT_OPERANDS];
	char **maps;			/* as MLIR prints them */
	struct operand_map *read;
	unsigned size_count;
	int64_t sizes[LAYOUT_LOOPS];
	layout_encoding *resolved;	/* of a tensor of rank "rank"; NULL: it is not */
	unsigned rank;
	unsigned shape_rank;		/* 0: no shape was written */
	int64_t shape[LAYOUT_LOOPS];	/* -1 where it was "?" */
};

/* Where the parts of a description stand in a text; -1: in none. */
struct operand_places {
	long index, op_type, type_list, original_type, stored_type, map_list, size_list;
	long types[LAYOUT_OPERANDS];
	long operand_maps[LAYOUT_OPERANDS];	/* each operand's, a map or a list */
	long maps[LAYOUT_OPERANDS * LAYOUT_LOOPS];
	long sizes[LAYOUT_LOOPS];
};

/* Are there as many maps as can be held?  Else the error is on the context. */
bool operand_maps_fit(layout_context *ctx, const layout_operand_desc *desc);

/* layout_operand_new() with "maps" in the place of the description's, which have been
 * read: affine maps, kept.  With a position for each error; "places" may be NULL. */
layout_operand *operand_new_at(layout_context *ctx, const layout_operand_desc *desc,
	layout_relation *const *maps, const struct operand_places *places);

/* "matmul", "scaled_matmul"; NULL past the last. */
const char *operand_op_name(layout_op_type op_type);

/* The role of operand "index" of an operation. */
layout_mma_operand operand_op_role(layout_op_type op_type, unsigned index);

#endif
