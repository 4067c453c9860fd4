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

/* Of x or y: the one summed letter that its scales have fewer of; false with the error. */
static bool find_scaled(const layout_tile *tile, unsigned which, unsigned *letter)
{
	const layout_tile *x = tile->operands[1 + which], *scales = tile->operands[3 + which];
	bool good = x->rank == scales->rank;
	unsigned count = 0;

	for (unsigned d = 0; good && d < x->rank; d++) {
		bool summed = true;

		for (unsigned i = 0; i < tile->rank; i++)
			summed = summed && tile->maps[2][i] != tile->maps[which][d];
		if (x->box[d] == scales->box[d])
			continue;
		good = summed && x->box[d] == PROGRAM_SCALED * scales->box[d];
		*letter = tile->maps[which][d];
		count++;
	}
	if (good && count == 1)
		return true;
	layout_fail(tile->program->ctx, LAYOUT_ERROR_SPACE, -1,
		"`%s` has the dimensions of `%s`, but one scale for %d elements of a summed one",
		scales->name, x->name, PROGRAM_SCALED);
	return false;
}

/* A format of the OCP's for elements with scales. */
static bool has_scaled_format(const layout_tile *x)
{
	return x->type->kind == 'f' && x->type->bits <= 8 && !strstr(x->type->name, "FNUZ");
}

static bool check_scales(layout_tile *tile)
{
	layout_context *ctx = tile->program->ctx;
	unsigned letters[2];

	for (unsigned i = 0; i < 2; i++) {
		const layout_tile *x = tile->operands[1 + i], *scales = tile->operands[3 + i];

		if (!has_scaled_format(x) || scales->type->kind != 'e' ||
		    strcmp(tile->type->name, "f32") != 0) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "scaled products are of "
				"f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN and f4E2M1FN with scales "
				"of f8E8M0FNU, summed in f32, not of %s with %s in %s",
				x->type->name, scales->type->name, tile->type->name);
			return false;
		}
		if (!find_scaled(tile, i, &letters[i]))
			return false;
	}
	tile->scaled = letters[0];
	if (letters[0] == letters[1])
		return true;
	layout_fail(ctx, LAYOUT_ERROR_SPACE, -1, "scales of `%s` are along `%s`, those of `%s` "
		"along `%s`", tile->operands[1]->name, tile->letter_names[letters[0]],
		tile->operands[2]->name, tile->letter_names[letters[1]]);
	return false;
}

/* The factors' scales, or none. */
static bool add_scales(layout_tile *tile, layout_tile *const scales[2])
{
	layout_program *program = tile->program;

	if (!scales[0] && !scales[1])
		return true;
	if (!scales[0] || !scales[1]) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "`%s` has scales, and `%s` "
			"has none", tile->operands[scales[0] ? 1 : 2]->name,
			tile->operands[scales[0] ? 2 : 1]->name);
		return false;
	}
	for (unsigned i = 0; i < 2; i++) {
		if (!build_given(program, scales[i]))
			return false;
		tile->operands[tile->operand_count++] = scales[i];
	}
	return check_scales(tile);
}

layout_tile *contract_tile(layout_program *program, layout_tile *const operands[5],
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
	if (good && add_scales(tile, operands + 3) && product_check_name(tile))
		return build_add(program, tile, NULL);
	program_tile_free(tile);
	return NULL;
}
