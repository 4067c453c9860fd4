/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums of products. */
#include "program/build.h"
#include "program/product.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The letters have the extents of this operand. */
static bool meet(layout_tile *tile, unsigned which, const layout_tile *operand,
	unsigned rank)
{
	layout_context *ctx = tile->program->ctx;

	if (operand->rank != rank) {
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1, "`%s` has %u dimensions, its map %u",
			operand->name, operand->rank, rank);
		return false;
	}
	for (unsigned d = 0; d < rank; d++) {
		int64_t *extent = &tile->letters[tile->maps[which][d]];

		if (*extent && *extent != operand->box[d]) {
			layout_fail(ctx, LAYOUT_ERROR_SPACE, -1, "`%s` is %" PRId64
				" in one tile and %" PRId64 " in `%s`",
				tile->letter_names[tile->maps[which][d]], *extent,
				operand->box[d], operand->name);
			return false;
		}
		*extent = operand->box[d];
	}
	return true;
}

static bool check_types(const layout_tile *sum, const layout_tile *x,
	const layout_tile *y)
{
	const layout_tile *factors[] = { x, y };

	for (unsigned i = 0; i < 2; i++)
		if ((factors[i]->type->kind == 'f') != (sum->type->kind == 'f') ||
		    factors[i]->type->bits > sum->type->bits) {
			layout_fail(sum->program->ctx, LAYOUT_ERROR_INVALID, -1,
				"products of %s are not summed in %s",
				factors[i]->type->name, sum->type->name);
			return false;
		}
	return true;
}

layout_tile *contract_tile(layout_program *program, layout_tile *const operands[3],
	const struct contract_maps *maps, const char *by)
{
	layout_tile *sum = operands[2], *tile;
	bool good;

	if (!build_given(program, operands[0]) || !build_given(program, operands[1]) ||
	    !build_given(program, sum) || !check_types(sum, operands[0], operands[1]))
		return NULL;
	tile = build_tile(program, TILE_CONTRACT, sum->box, sum->rank, sum->type);
	if (!tile)
		return NULL;
	tile->operand_count = 3;
	tile->operands[0] = sum;
	tile->operands[1] = operands[0];
	tile->operands[2] = operands[1];
	memcpy(tile->maps, maps->maps, sizeof(maps->maps));
	good = !by || (tile->by = layout_strdup(program->ctx, by));
	for (unsigned i = 0; good && i < maps->letter_count; i++) {
		tile->letter_names[i] = layout_strdup(program->ctx, maps->letters[i]);
		tile->letter_count += tile->letter_names[i] != NULL;
		good = tile->letter_names[i];
	}
	for (unsigned i = 0; good && i < 3; i++)
		good = meet(tile, i, operands[i], maps->ranks[i]);
	for (unsigned i = 0; good && i < maps->letter_count; i++)
		if (!tile->letters[i]) {
			layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
				"`%s` is a dimension of no tile", maps->letters[i]);
			good = false;
		}
	if (good && product_check_name(tile))
		return build_add(program, tile, NULL);
	program_tile_free(tile);
	return NULL;
}
