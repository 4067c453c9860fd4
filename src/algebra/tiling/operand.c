/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operands: a description and the maps that its text became, checked and kept. */
#include "algebra/function.h"
#include "algebra/storage/element.h"
#include "algebra/storage/encoding.h"
#include "algebra/tiling/operand.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Operands by name, in the order of their indices. */
static const struct {
	const char *name, *operands;
	unsigned count;
	layout_mma_operand roles[LAYOUT_OPERANDS];
} ops[] = {
	[LAYOUT_MATMUL] = { "matmul", "lhs, rhs, acc", 3,
		{ LAYOUT_MMA_LHS, LAYOUT_MMA_RHS, LAYOUT_MMA_ACC } },
	[LAYOUT_SCALED_MATMUL] = { "scaled_matmul",
		"lhs, rhs, lhs_scale, rhs_scale, acc", 5,
		{ LAYOUT_MMA_LHS, LAYOUT_MMA_RHS, LAYOUT_MMA_LHS_SCALE,
			LAYOUT_MMA_RHS_SCALE, LAYOUT_MMA_ACC } },
};
#define OPS (sizeof(ops) / sizeof(*ops))

const char *operand_op_name(layout_op_type op_type)
{
	return (unsigned)op_type < OPS ? ops[op_type].name : NULL;
}

layout_mma_operand operand_op_role(layout_op_type op_type, unsigned index)
{
	return ops[op_type].roles[index];
}

layout_mma_operand operand_role(const layout_operand *operand)
{
	return operand_op_role(operand->op_type, operand->index);
}

/* What every check needs. */
struct check {
	layout_context *ctx;
	const layout_operand_desc *desc;
	const struct operand_places *places;	/* NULL: none */
};

/* Fail where "place" of the places says. */
#define FAIL(check, kind, place, ...) \
	layout_fail((check)->ctx, (kind), \
		(check)->places ? (check)->places->place : -1, __VA_ARGS__)

bool operand_maps_fit(layout_context *ctx, const layout_operand_desc *desc)
{
	if (desc->map_operands > LAYOUT_OPERANDS) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"maps of %u operands, no operation has more than %d",
			desc->map_operands, LAYOUT_OPERANDS);
		return false;
	}
	for (unsigned i = 0; i < desc->map_operands; i++)
		if (desc->map_counts[i] > LAYOUT_LOOPS) {
			layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
				"a chain of more than %d maps", LAYOUT_LOOPS);
			return false;
		}
	return true;
}

static bool lists_given(const struct check *check)
{
	const layout_operand_desc *desc = check->desc;

	return layout_given(check->ctx, !desc->type_count || desc->element_types,
			"list of element types") &&
		layout_given(check->ctx, !desc->size_count || desc->sizes,
			"list of iteration sizes") &&
		operand_maps_fit(check->ctx, desc);
}

/* There is such an operation, and it has such an operand. */
static bool check_index(const struct check *check)
{
	const layout_operand_desc *desc = check->desc;

	if ((unsigned)desc->op_type >= OPS) {
		FAIL(check, LAYOUT_ERROR_INVALID, op_type, "there is no op_type %d",
			(int)desc->op_type);
		return false;
	}
	if (desc->map_operands && desc->operand_index >= desc->map_operands) {
		FAIL(check, LAYOUT_ERROR_INVALID, index, "`operandIndex` exceeds the "
			"size of `user_indexing_maps`: %u, of %u operands",
			desc->operand_index, desc->map_operands);
		return false;
	}
	if (desc->operand_index < ops[desc->op_type].count)
		return true;
	FAIL(check, LAYOUT_ERROR_INVALID, index,
		"a %s has no operand %u, its operands are %s", ops[desc->op_type].name,
		desc->operand_index, ops[desc->op_type].operands);
	return false;
}

/* One entry an operand. */
static bool check_counts(const struct check *check)
{
	const layout_operand_desc *desc = check->desc;
	unsigned wanted = ops[desc->op_type].count;

	if (desc->type_count != wanted) {
		FAIL(check, LAYOUT_ERROR_INVALID, type_list,
			"`element_types` has %u entries, %u wanted: %s",
			desc->type_count, wanted, ops[desc->op_type].operands);
		return false;
	}
	if (desc->map_operands && desc->map_operands != wanted) {
		FAIL(check, LAYOUT_ERROR_INVALID, map_list,
			"`user_indexing_maps` has %u entries, %u wanted: %s",
			desc->map_operands, wanted, ops[desc->op_type].operands);
		return false;
	}
	return true;
}

static bool check_type(const struct check *check, const char *name, long position)
{
	long base = layout_context_set_base(check->ctx, position);
	bool known = element_type_find(check->ctx, name);

	layout_context_set_base(check->ctx, base);
	return known;
}

static bool check_types(const struct check *check)
{
	const layout_operand_desc *desc = check->desc;

	for (unsigned i = 0; i < desc->type_count; i++)
		if (!check_type(check, desc->element_types[i],
				check->places ? check->places->types[i] : -1))
			return false;
	return (!desc->original_type || check_type(check, desc->original_type,
			check->places ? check->places->original_type : -1)) &&
		(!desc->stored_type || check_type(check, desc->stored_type,
			check->places ? check->places->stored_type : -1));
}

/* The dimensions of one map are the results of the map before it. */
static bool check_chain(const struct check *check, const struct operand_map *maps,
	unsigned operand, unsigned first)
{
	unsigned count = check->desc->map_counts[operand];

	if (!count) {
		FAIL(check, LAYOUT_ERROR_INVALID, operand_maps[operand],
			"found a non-composable attribute in `user_indexing_maps` at "
			"index: %u: a list without a map", operand);
		return false;
	}
	for (unsigned i = first + 1; i < first + count; i++)
		if (maps[i].dims != maps[i - 1].results) {
			FAIL(check, LAYOUT_ERROR_INVALID, maps[i], "found a "
				"non-composable attribute in `user_indexing_maps` at "
				"index: %u: a map of %u dimensions after one of %u "
				"results", operand, maps[i].dims, maps[i - 1].results);
			return false;
		}
	return true;
}

/* The first maps of all operands have the loops of one contraction. */
static bool check_maps(const struct check *check, const struct operand_map *maps)
{
	const layout_operand_desc *desc = check->desc;

	for (unsigned i = 0, first = 0; i < desc->map_operands; i++) {
		if (!check_chain(check, maps, i, first))
			return false;
		if (maps[first].dims != maps[0].dims) {
			FAIL(check, LAYOUT_ERROR_INVALID, maps[first],
				"a map of %u dimensions, the first operand's has %u",
				maps[first].dims, maps[0].dims);
			return false;
		}
		first += desc->map_counts[i];
	}
	return true;
}

static bool check_sizes(const struct check *check, const struct operand_map *maps)
{
	const layout_operand_desc *desc = check->desc;

	if (!desc->sizes)
		return true;
	if (!desc->map_operands) {
		FAIL(check, LAYOUT_ERROR_INVALID, size_list, "found `iteration_sizes` "
			"without any corresponding `user_indexing_maps`");
		return false;
	}
	if (desc->size_count != maps[0].dims) {
		FAIL(check, LAYOUT_ERROR_INVALID, size_list, "found an encoding with %u "
			"iteration sizes, but expected %u based on the user indexing "
			"maps", desc->size_count, maps[0].dims);
		return false;
	}
	for (unsigned i = 0; i < desc->size_count; i++)
		if (desc->sizes[i] < 0 && desc->sizes[i] != LAYOUT_DYNAMIC) {
			FAIL(check, LAYOUT_ERROR_INVALID, sizes[i],
				"a size must be at least 0, not %" PRId64,
				desc->sizes[i]);
			return false;
		}
	return true;
}

static bool check_ranks(const struct check *check, unsigned i,
	const struct operand_map *map)
{
	if (map->dims <= LAYOUT_LOOPS && map->results <= LAYOUT_LOOPS)
		return true;
	FAIL(check, LAYOUT_ERROR_UNSUPPORTED, maps[i],
		"a map of more than %d dimensions or results", LAYOUT_LOOPS);
	return false;
}

static bool read_copies(struct operand_map *map, layout_relation *relation)
{
	bool known;

	bridge_enter(relation->ctx);
	known = bridge_need_map(relation) && find_function(relation);
	for (unsigned k = 0; known && k < map->results; k++)
		map->copies[k] = find_copied(relation->forward, k);
	if (!bridge_leave(relation->ctx, "look at an affine map"))
		return false;
	if (!known)
		layout_fail(relation->ctx, LAYOUT_ERROR_INVALID, -1, "not an affine map");
	return known;
}

static bool take_maps(const struct check *check, layout_operand *operand,
	layout_relation *const *maps)
{
	unsigned count = 0;

	for (unsigned i = 0; i < check->desc->map_operands; i++)
		count += operand->map_counts[i] = check->desc->map_counts[i];
	operand->maps = layout_alloc(check->ctx, count, sizeof(*operand->maps));
	operand->read = layout_alloc(check->ctx, count, sizeof(*operand->read));
	if (!operand->maps || !operand->read)
		return false;
	operand->map_operands = check->desc->map_operands;
	for (unsigned i = 0; i < count; i++) {
		struct operand_map *map = &operand->read[i];

		map->dims = layout_relation_in_rank(maps[i]);
		map->results = layout_relation_out_rank(maps[i]);
		if (!check_ranks(check, i, map) || !read_copies(map, maps[i]))
			return false;
		operand->maps[i] = layout_relation_affine_map_str(maps[i]);
		if (!operand->maps[i])
			return false;
	}
	return true;
}

static bool take_types(const struct check *check, layout_operand *operand)
{
	const layout_operand_desc *desc = check->desc;

	operand->type_count = desc->type_count;
	for (unsigned i = 0; i < desc->type_count; i++) {
		operand->types[i] = layout_strdup(check->ctx, desc->element_types[i]);
		if (!operand->types[i])
			return false;
	}
	if (desc->original_type)
		operand->original_type = layout_strdup(check->ctx, desc->original_type);
	if (desc->stored_type)
		operand->stored_type = layout_strdup(check->ctx, desc->stored_type);
	return (!desc->original_type || operand->original_type) &&
		(!desc->stored_type || operand->stored_type);
}

static bool take(const struct check *check, layout_operand *operand,
	layout_relation *const *maps)
{
	const layout_operand_desc *desc = check->desc;

	operand->ctx = check->ctx;
	operand->op_type = desc->op_type;
	operand->index = desc->operand_index;
	if (!take_types(check, operand) || !take_maps(check, operand, maps) ||
			!check_maps(check, operand->read) ||
			!check_sizes(check, operand->read))
		return false;
	operand->size_count = desc->size_count;
	for (unsigned i = 0; i < desc->size_count; i++)
		operand->sizes[i] = desc->sizes[i];
	return true;
}

layout_operand *operand_new_at(layout_context *ctx, const layout_operand_desc *desc,
	layout_relation *const *maps, const struct operand_places *places)
{
	const struct check check = { ctx, desc, places };
	layout_operand *operand;

	if (!lists_given(&check) || !check_index(&check) || !check_counts(&check) ||
			!check_types(&check))
		return NULL;
	operand = layout_alloc(ctx, 1, sizeof(*operand));
	if (operand && take(&check, operand, maps))
		return operand;
	layout_operand_free(operand);
	return NULL;
}

layout_operand *layout_operand_resolved(layout_encoding *encoding, unsigned rank,
	const char *stored_type)
{
	layout_context *ctx = encoding ? encoding->ctx : NULL;
	layout_operand *operand = NULL;

	if (encoding && layout_given(ctx, stored_type, "element type") &&
	    element_type_find(ctx, stored_type))
		operand = layout_alloc(ctx, 1, sizeof(*operand));
	if (!operand) {
		layout_encoding_free(encoding);
		return NULL;
	}
	*operand = (layout_operand){ .ctx = ctx, .type_count = 1, .rank = rank,
		.resolved = encoding };
	operand->types[0] = layout_strdup(ctx, stored_type);
	operand->stored_type = layout_strdup(ctx, stored_type);
	if (operand->types[0] && operand->stored_type)
		return operand;
	layout_operand_free(operand);
	return NULL;
}

static unsigned map_count(const layout_operand *operand)
{
	unsigned count = 0;

	for (unsigned i = 0; i < operand->map_operands; i++)
		count += operand->map_counts[i];
	return count;
}

/* Copies of all that "copy" still shares with "operand". */
static bool copy_texts(layout_operand *copy, const layout_operand *operand)
{
	unsigned count = map_count(operand);
	bool good;

	copy->maps = layout_alloc(copy->ctx, count, sizeof(*copy->maps));
	copy->read = layout_alloc(copy->ctx, count, sizeof(*copy->read));
	good = copy->maps && copy->read;
	for (unsigned i = 0; good && i < count; i++) {
		copy->read[i] = operand->read[i];
		good = (copy->maps[i] = layout_strdup(copy->ctx, operand->maps[i]));
	}
	for (unsigned i = 0; good && i < operand->type_count; i++)
		good = (copy->types[i] = layout_strdup(copy->ctx, operand->types[i]));
	if (good && operand->original_type)
		good = (copy->original_type = layout_strdup(copy->ctx,
			operand->original_type));
	if (good && operand->stored_type)
		good = (copy->stored_type = layout_strdup(copy->ctx,
			operand->stored_type));
	if (good && operand->resolved)
		good = (copy->resolved = layout_encoding_copy(operand->resolved));
	return good;
}

layout_operand *layout_operand_copy(layout_operand *operand)
{
	layout_operand *copy = operand ?
		layout_alloc(operand->ctx, 1, sizeof(*copy)) : NULL;

	if (!copy)
		return NULL;
	*copy = *operand;
	copy->maps = NULL;
	copy->read = NULL;
	copy->original_type = NULL;
	copy->stored_type = NULL;
	copy->resolved = NULL;
	memset(copy->types, 0, sizeof(copy->types));
	if (copy_texts(copy, operand))
		return copy;
	layout_operand_free(copy);
	return NULL;
}

void layout_operand_free(layout_operand *operand)
{
	if (!operand)
		return;
	for (unsigned i = 0; operand->maps && i < map_count(operand); i++)
		free(operand->maps[i]);
	free(operand->maps);
	free(operand->read);
	for (unsigned i = 0; i < operand->type_count; i++)
		free(operand->types[i]);
	free(operand->original_type);
	free(operand->stored_type);
	layout_encoding_free(operand->resolved);
	free(operand);
}

unsigned layout_operand_rank(layout_operand *operand)
{
	unsigned behind = 0;

	if (operand && operand->resolved)
		return operand->rank;
	if (!operand || !operand->map_operands)
		return 0;
	for (unsigned i = 0; i <= operand->index; i++)
		behind += operand->map_counts[i];
	return operand->read[behind - 1].results;
}

layout_op_type layout_operand_op_type(layout_operand *operand)
{
	return operand ? operand->op_type : LAYOUT_MATMUL;
}

unsigned layout_operand_index(layout_operand *operand)
{
	return operand ? operand->index : 0;
}

const char *layout_operand_type(layout_operand *operand, unsigned i)
{
	return operand && !operand->resolved && i < operand->type_count ?
		operand->types[i] : NULL;
}
