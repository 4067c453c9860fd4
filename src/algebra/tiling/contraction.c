/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the loops of a contraction do, told by which operands they index. */
#include "algebra/tiling/operand.h"

/* Roles as bits of a set. */
#define IN(role) (1u << (role))
#define LHS IN(LAYOUT_MMA_LHS)
#define RHS IN(LAYOUT_MMA_RHS)
#define ACC IN(LAYOUT_MMA_ACC)
#define LHS_SCALE IN(LAYOUT_MMA_LHS_SCALE)
#define RHS_SCALE IN(LAYOUT_MMA_RHS_SCALE)
#define SCALES (LHS_SCALE | RHS_SCALE)

/* A loop is one that indexes all of "all", and otherwise only what may be in "any";
 * K comes before KB, which is in no scale. */
static const struct {
	layout_loop loop;
	unsigned all, any;
	bool scaled;			/* wants a scale, where there are any */
} kinds[] = {
	{ LAYOUT_LOOP_BATCH, LHS | RHS | ACC, SCALES, false },
	{ LAYOUT_LOOP_M, LHS | ACC, LHS_SCALE, false },
	{ LAYOUT_LOOP_N, RHS | ACC, RHS_SCALE, false },
	{ LAYOUT_LOOP_K, LHS | RHS, SCALES, true },
	{ LAYOUT_LOOP_KB, LHS | RHS, 0, false },
};

/* The first map of each operand, of "loops" dimensions. */
struct roots {
	const struct operand_map *maps[LAYOUT_OPERANDS];
	layout_mma_operand roles[LAYOUT_OPERANDS];
	unsigned count, loops;
};

static void find_roots(const layout_operand *operand, struct roots *roots)
{
	unsigned first = 0;

	*roots = (struct roots){ .count = operand->map_operands };
	for (unsigned i = 0; i < roots->count; i++) {
		roots->roles[i] = operand_op_role(operand->op_type, i);
		roots->maps[i] = &operand->read[first];
		first += operand->map_counts[i];
	}
	roots->loops = roots->maps[0]->dims;
}

/* Every result is a dimension, no two the same. */
static bool is_projected_permutation(const struct operand_map *map)
{
	unsigned seen = 0;

	for (unsigned k = 0; k < map->results; k++) {
		if (map->copies[k] < 0 || (seen & (1u << map->copies[k])))
			return false;
		seen |= 1u << map->copies[k];
	}
	return true;
}

/* The result that copies dimension "dim", or -1. */
static int result_of(const struct operand_map *map, int dim)
{
	for (unsigned k = 0; dim >= 0 && k < map->results; k++)
		if (map->copies[k] == dim)
			return (int)k;
	return -1;
}

/* The roles of the operands that loop "dim" indexes. */
static unsigned users(const struct roots *roots, unsigned dim)
{
	unsigned set = 0;

	for (unsigned i = 0; i < roots->count; i++)
		if (result_of(roots->maps[i], (int)dim) >= 0)
			set |= IN(roots->roles[i]);
	return set;
}

/* TILING_LOOPS: none. */
static layout_loop kind_of(unsigned set, bool scaled_op)
{
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if ((set & kinds[i].all) == kinds[i].all &&
		    !(set & ~(kinds[i].all | kinds[i].any)) &&
		    (!scaled_op || !kinds[i].scaled || (set & SCALES)))
			return kinds[i].loop;
	return TILING_LOOPS;
}

static const char *const more_than_one[TILING_LOOPS] = {
	[LAYOUT_LOOP_BATCH] = "two loops are in all operands, at most one batch is supported",
	[LAYOUT_LOOP_M] = "two loops are in the lhs and the acc, at most one M is supported",
	[LAYOUT_LOOP_N] = "two loops are in the rhs and the acc, at most one N is supported",
	[LAYOUT_LOOP_K] = "two loops are in the lhs and the rhs, at most one K is supported",
	[LAYOUT_LOOP_KB] = ("two loops are in the lhs and the rhs but in no scale, at most one "
		"block of K is supported"),
};

/* The dimension of each loop into "dims", -1 for those that the contraction lacks.
 * NULL, or the reason why it is no contraction. */
static const char *classify(const struct roots *roots, bool scaled_op,
	int dims[TILING_LOOPS])
{
	for (unsigned i = 0; i < TILING_LOOPS; i++)
		dims[i] = -1;
	for (unsigned i = 0; i < roots->count; i++)
		if (!is_projected_permutation(roots->maps[i]))
			return "not a contraction: a result of an indexing map is not "
				"one loop, or a loop is there twice";
	for (unsigned d = 0; d < roots->loops; d++) {
		layout_loop loop = kind_of(users(roots, d), scaled_op);

		if (loop == TILING_LOOPS)
			return "not a contraction: a loop is in none of B, M, N and K, "
				"going by the operands that it indexes";
		if (dims[loop] >= 0)
			return more_than_one[loop];
		dims[loop] = (int)d;
	}
	if (dims[LAYOUT_LOOP_K] < 0)
		return "not a contraction: there is no loop K to sum over";
	if (scaled_op && dims[LAYOUT_LOOP_KB] < 0)
		return "not a scaled contraction: no loop shares the elements of a scale";
	return NULL;
}

/* Where the chain of the operand's maps takes result "at" of the first: a dimension of
 * the tensor, or -1. */
static int follow(const struct operand_map *maps, unsigned count, int at)
{
	for (unsigned i = 1; i < count; i++)
		at = result_of(&maps[i], at);
	return at;
}

static const char *find_tensor_dims(const layout_operand *operand,
	const struct roots *roots, const int dims[TILING_LOOPS],
	struct tiling_contraction *contraction)
{
	const struct operand_map *root = roots->maps[operand->index];
	unsigned count = operand->map_counts[operand->index], found = 0;

	contraction->rank = root[count - 1].results;
	if (!contraction->rank)
		return "the tensor has no dimensions";
	for (unsigned i = 1; i < count; i++)
		if (!is_projected_permutation(&root[i]))
			return "a map between the contraction and the tensor is no "
				"transpose and no broadcast";
	for (unsigned i = 0; i < TILING_LOOPS; i++) {
		contraction->tensor_dims[i] = follow(root, count,
			result_of(root, dims[i]));
		found += contraction->tensor_dims[i] >= 0;
	}
	return found == contraction->rank ? NULL :
		"a dimension of the tensor is no loop of the contraction";
}

bool contraction_keeps(const struct tiling_contraction *contraction, layout_loop loop,
	layout_missing missing)
{
	return !contraction->loops[loop] && missing == LAYOUT_MISSING_KEEP;
}

bool operand_contraction(const layout_operand *operand, struct tiling_contraction *contraction,
	const char **why)
{
	bool scaled_op = operand->op_type == LAYOUT_SCALED_MATMUL;
	struct roots roots;
	int dims[TILING_LOOPS];

	*contraction = (struct tiling_contraction){ 0 };
	*why = "the encoding has no indexing maps";
	if (!operand->map_operands)
		return false;
	find_roots(operand, &roots);
	*why = classify(&roots, scaled_op, dims);
	if (*why)
		return false;
	for (unsigned i = 0; i < TILING_LOOPS; i++) {
		contraction->loops[i] = dims[i] >= 0;
		contraction->sizes[i] = dims[i] < 0 ? 1 : operand->size_count ?
			operand->sizes[dims[i]] : LAYOUT_DYNAMIC;
	}
	*why = find_tensor_dims(operand, &roots, dims, contraction);
	return !*why;
}

int64_t layout_operand_dim(layout_operand *operand, layout_loop loop)
{
	struct tiling_contraction contraction;
	const char *why;

	if (!operand || (unsigned)loop >= TILING_LOOPS ||
	    !operand_contraction(operand, &contraction, &why) ||
	    contraction.tensor_dims[loop] < 0)
		return LAYOUT_NO_DIM;
	return contraction.tensor_dims[loop];
}
