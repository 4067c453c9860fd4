/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tile of a product as IREE prints it:
 *
 *	#iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x4_F32, intrinsics_m = 8,
 *		subgroups_n = 4, operands_interleaving_intrinsics_k = [0, 1]>
 *
 * What is not said is 1, or no operand. */
#include "text/tiling_target/tiling_target.h"

#include <inttypes.h>
#include <string.h>

#define TILE "#iree_gpu.data_tiled_mma_layout"
#define MOST 65536		/* repetitions: more than any registers hold */

#define REPEAT(name) { #name, offsetof(layout_tiled_mma, name) }
#define INTERLEAVE(loop) { "operands_interleaving_intrinsics_" #loop, \
	offsetof(layout_tiled_mma, interleave_ ## loop) }

struct field {
	const char *name;
	size_t offset;
};

static const struct field repeats[] = {
	REPEAT(intrinsics_m), REPEAT(subgroups_m), REPEAT(intrinsics_n), REPEAT(subgroups_n),
	REPEAT(intrinsics_k), REPEAT(subgroups_k), { NULL, 0 },
};

static const struct field interleaves[] = {
	INTERLEAVE(m), INTERLEAVE(n), INTERLEAVE(k), { NULL, 0 },
};

static int64_t repeat_of(const layout_tiled_mma *mma, const struct field *field)
{
	int64_t count;

	memcpy(&count, (const char *)mma + field->offset, sizeof(count));
	return count;
}

static unsigned interleave_of(const layout_tiled_mma *mma, const struct field *field)
{
	unsigned operands;

	memcpy(&operands, (const char *)mma + field->offset, sizeof(operands));
	return operands;
}

char *layout_tiled_mma_str(layout_context *ctx, const layout_tiled_mma *mma)
{
	struct layout_buffer out = { 0 };

	if (!layout_given(ctx, mma, "tile"))
		return NULL;
	layout_buffer_printf(&out, TILE "<intrinsic = %s", mma->instruction);
	for (const struct field *field = repeats; field->name; field++)
		if (repeat_of(mma, field) != 1)
			layout_buffer_printf(&out, ", %s = %" PRId64, field->name,
				repeat_of(mma, field));
	for (const struct field *field = interleaves; field->name; field++) {
		int64_t operands[LAYOUT_OPERANDS];
		unsigned count = 0;

		for (unsigned i = 0; i < LAYOUT_OPERANDS; i++)
			if (interleave_of(mma, field) >> i & 1)
				operands[count++] = i;
		if (!count)
			continue;
		layout_buffer_printf(&out, ", %s = ", field->name);
		text_print_integers(&out, operands, count);
	}
	layout_buffer_printf(&out, ">");
	return layout_buffer_take(ctx, &out);
}

static bool read_repeat(struct text_cursor *cursor, int64_t *count)
{
	long position = text_position(cursor);

	if (!text_integer(cursor, count))
		return false;
	if (*count >= 1 && *count <= MOST)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
		"repetitions are 1 to %d, not %" PRId64, MOST, *count);
	return false;
}

/* "[0, 1]" */
static bool read_operands(struct text_cursor *cursor, unsigned *operands)
{
	struct text_ints list;

	*operands = 0;
	if (!text_integers(cursor, 0, "an operand", &list))
		return false;
	for (unsigned i = 0; i < list.count; i++) {
		if (list.items[i] >= LAYOUT_OPERANDS) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, list.positions[i],
				"there is no operand %" PRId64, list.items[i]);
			return false;
		}
		*operands |= 1u << list.items[i];
	}
	return true;
}

static const struct field *find(const struct text_cursor *cursor, const struct field *fields)
{
	while (fields->name && !text_at(cursor, fields->name))
		fields++;
	return fields->name ? fields : NULL;
}

/* "intrinsics_m = 8" */
static bool read_field(struct text_cursor *cursor, layout_tiled_mma *mma)
{
	const struct field *repeat = find(cursor, repeats);
	const struct field *interleave = find(cursor, interleaves);
	unsigned operands;
	int64_t count;

	if (!repeat && !interleave)
		return text_expected(cursor, "`intrinsics_m`, `subgroups_m`, .. or "
			"`operands_interleaving_intrinsics_m`, ..");
	text_advance(cursor);
	if (!text_take(cursor, "="))
		return false;
	if (repeat) {
		if (!read_repeat(cursor, &count))
			return false;
		memcpy((char *)mma + repeat->offset, &count, sizeof(count));
		return true;
	}
	if (!read_operands(cursor, &operands))
		return false;
	memcpy((char *)mma + interleave->offset, &operands, sizeof(operands));
	return true;
}

static bool read_tile(struct text_cursor *cursor, struct own_target *own)
{
	own->tile = (layout_tiled_mma){ .intrinsics_m = 1, .subgroups_m = 1,
		.intrinsics_n = 1, .subgroups_n = 1, .intrinsics_k = 1, .subgroups_k = 1 };
	if (!text_take(cursor, TILE) || !text_take(cursor, "<") ||
	    !text_take(cursor, "intrinsic") || !text_take(cursor, "="))
		return false;
	own->instructions[0] = text_target_instruction(cursor, &own->row);
	own->instructions[1] = NULL;
	own->tile.instruction = own->instructions[0];
	while (own->instructions[0] && text_skip(cursor, ","))
		if (!read_field(cursor, &own->tile))
			return false;
	return own->instructions[0] && text_end_list(cursor, ">");
}

bool text_target_tile(struct text_cursor *cursor, struct own_target *own)
{
	struct text_cursor outside;
	bool defined = text_at_defined(cursor), good;

	if (defined && !text_enter_definition(cursor, &outside))
		return false;
	good = read_tile(cursor, own);
	own->row.instructions = own->instructions;
	own->row.tile = &own->tile;
	return good && (!defined || text_leave_definition(cursor, &outside));
}
