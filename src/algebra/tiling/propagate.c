/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Encodings pushed through the operations that use a tensor. */
#include "algebra/tiling/propagate.h"

#include "algebra/function.h"
#include "algebra/storage/encoding.h"

#include <stdlib.h>

/* All maps are functions of the same loops, no more than can be held. */
static bool check_maps(const struct user *user)
{
	for (unsigned i = 0; i < user->desc->operand_count; i++) {
		layout_relation *map = user->maps[i];
		unsigned loops = layout_relation_in_rank(map);
		unsigned rank = layout_relation_out_rank(map);

		if (loops > LAYOUT_LOOPS || rank > LAYOUT_LOOPS) {
			layout_fail(user->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
				"operand %u: a map of more than %d dimensions or results",
				i, LAYOUT_LOOPS);
			return false;
		}
		if (loops != layout_relation_in_rank(user->maps[0])) {
			layout_fail(user->ctx, LAYOUT_ERROR_SPACE, -1,
				"operand %u: a map of %u dimensions, the first "
				"operand's has %u", i, loops,
				layout_relation_in_rank(user->maps[0]));
			return false;
		}
		if (!bridge_need_map(map) || !find_function(map))
			return false;
	}
	return true;
}

/* The encoding is one of a tensor of that rank. */
static bool check_rank(const struct user *user)
{
	const layout_encoding *encoding = user->encoding;
	unsigned rank = layout_relation_out_rank(user->maps[user->desc->encoded]);
	bool good = !encoding->outer_dims_perm || encoding->outer_count == rank;

	for (unsigned i = 0; i < encoding->inner_count; i++)
		good = good && encoding->inner_dims_pos[i] < rank;
	if (!good)
		layout_fail(user->ctx, LAYOUT_ERROR_SPACE, -1,
			"operand %u has %u dimensions, its encoding is for %s",
			user->desc->encoded, rank,
			encoding->outer_dims_perm ? "another rank" : "more");
	return good;
}

static bool fill(layout_propagation *propagation, const struct user *user,
	const struct packed_loops *loops)
{
	for (unsigned i = 0; i < user->desc->operand_count; i++)
		if (!packed_operand_check(loops, user, i))
			return false;
	for (unsigned i = 0; i < user->desc->operand_count; i++) {
		propagation->encodings[i] = packed_operand_encoding(loops, user, i);
		propagation->maps[i] = packed_operand_map(loops, user, i);
		if (!propagation->encodings[i] || !propagation->maps[i])
			return false;
	}
	propagation->loop_count = loops->count;
	bridge_enter(user->ctx);
	propagation->index = bridge_give_relation(user->ctx, "propagate an encoding",
		isl_map_from_multi_aff(isl_multi_aff_copy(loops->index)),
		isl_multi_aff_copy(loops->index), NULL);
	return propagation->index;
}

static layout_propagation *propagate(const struct user *user)
{
	unsigned count = user->desc->operand_count;
	layout_propagation *propagation;
	struct packed_loops loops;
	bool good;

	propagation = layout_alloc(user->ctx, 1, sizeof(*propagation));
	if (!propagation)
		return NULL;
	propagation->ctx = user->ctx;
	propagation->encodings = layout_alloc(user->ctx, count,
		sizeof(*propagation->encodings));
	propagation->maps = layout_alloc(user->ctx, count, sizeof(*propagation->maps));
	bridge_enter(user->ctx);
	good = propagation->encodings && propagation->maps && check_maps(user) &&
		check_rank(user);
	if (good) {
		propagation->operand_count = count;
		good = packed_loops_init(&loops, user) && fill(propagation, user, &loops);
		packed_loops_clear(&loops);
	}
	if (bridge_leave(user->ctx, "propagate an encoding") && good)
		return propagation;
	layout_propagation_free(propagation);
	return NULL;
}

layout_propagation *propagate_maps(layout_encoding *encoding,
	const layout_user_desc *desc, layout_relation *const *maps)
{
	layout_user_desc own = *desc;
	struct user user = { encoding->ctx, &own, encoding, maps };
	layout_propagation *propagation;
	bool *outputs;

	if (!encoding_says(encoding))
		return NULL;
	if (desc->outputs)
		return propagate(&user);
	outputs = layout_alloc(encoding->ctx, desc->operand_count, sizeof(*outputs));
	if (!outputs)
		return NULL;
	outputs[desc->operand_count - 1] = true;
	own.outputs = outputs;
	propagation = propagate(&user);
	free(outputs);
	return propagation;
}

void layout_propagation_free(layout_propagation *propagation)
{
	if (!propagation)
		return;
	for (unsigned i = 0; i < propagation->operand_count; i++) {
		layout_encoding_free(propagation->encodings[i]);
		layout_relation_free(propagation->maps[i]);
	}
	layout_relation_free(propagation->index);
	free(propagation->encodings);
	free(propagation->maps);
	free(propagation);
}

unsigned layout_propagation_operands(layout_propagation *propagation)
{
	return propagation ? propagation->operand_count : 0;
}

unsigned layout_propagation_loops(layout_propagation *propagation)
{
	return propagation ? propagation->loop_count : 0;
}

static bool has_operand(const layout_propagation *propagation, unsigned i)
{
	if (!propagation)
		return false;
	if (i < propagation->operand_count)
		return true;
	layout_fail(propagation->ctx, LAYOUT_ERROR_INVALID, -1,
		"there is no operand %u, the operation has %u", i,
		propagation->operand_count);
	return false;
}

layout_encoding *layout_propagation_encoding(layout_propagation *propagation, unsigned i)
{
	return has_operand(propagation, i) ?
		layout_encoding_copy(propagation->encodings[i]) : NULL;
}

layout_relation *layout_propagation_map(layout_propagation *propagation, unsigned i)
{
	return has_operand(propagation, i) ?
		layout_relation_copy(propagation->maps[i]) : NULL;
}

layout_relation *layout_propagation_index(layout_propagation *propagation)
{
	return propagation ? layout_relation_copy(propagation->index) : NULL;
}
