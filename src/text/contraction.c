/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions under a lowering config,
 *
 *	contract(A: row_major[M, K] f16, B: row_major[N, K] f16 -> C: row_major[M, N] f32,
 *		maps = [affine_map<(m, n, k) -> (m, k)>, .., ..],
 *		config = #iree_gpu.lowering_config<{workgroup = [2, 1, 0], ..}>) */
#include "program/contraction.h"
#include "text/program.h"

#include <stdlib.h>
#include <string.h>

/* "A: STORAGE f16" */
static bool read_side(struct text_cursor *cursor, struct contraction *of, char **names,
	char **types, unsigned side)
{
	struct text_tensor tensor;

	names[side] = text_word(cursor, "an operand");
	if (!names[side] || !text_take(cursor, ":"))
		return false;
	text_peek_tensor(cursor, &tensor);
	of->storages[side] = text_storage(cursor);
	if (!of->storages[side])
		return false;
	types[side] = text_type_name(cursor, tensor.element);
	of->names[side] = names[side];
	of->types[side] = types[side];
	return types[side];
}

/* The dimensions before "->" are the same in each map. */
static bool read_dims(struct text_cursor *cursor, struct contract_maps *maps, bool first)
{
	struct contract_maps again = { 0 };
	long position = text_position(cursor);
	bool good;

	if (first)
		return text_letters(cursor, maps, -1);
	good = text_letters(cursor, &again, -1);
	if (good && again.letter_count != maps->letter_count) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
			"the maps have %u and %u loops", maps->letter_count,
			again.letter_count);
		good = false;
	}
	for (unsigned i = 0; good && i < maps->letter_count; i++)
		if (strcmp(maps->letters[i], again.letters[i])) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
				"loop %u is `%s` in one map and `%s` in another", i,
				maps->letters[i], again.letters[i]);
			good = false;
		}
	text_contract_maps_free(&again);
	return good;
}

/* "[affine_map<(d0, d1, d2) -> (d0, d2)>, .., ..]" */
static bool read_maps(struct text_cursor *cursor, struct contract_maps *maps)
{
	if (!text_take(cursor, "["))
		return false;
	for (int which = 0; which < 3; which++)
		if ((which && !text_take(cursor, ",")) ||
		    !text_take(cursor, "affine_map") || !text_take(cursor, "<") ||
		    !read_dims(cursor, maps, !which) || !text_take(cursor, "->") ||
		    !text_letters(cursor, maps, which) || !text_take(cursor, ">"))
			return false;
	return text_take(cursor, "]");
}

static bool read_integers(struct text_cursor *cursor, int64_t *list, unsigned *count)
{
	struct text_ints ints;

	if (!text_integers(cursor, 0, "an entry", &ints) ||
	    !text_room(cursor, ints.count ? ints.count - 1 : 0, PROGRAM_RANK))
		return false;
	memcpy(list, ints.items, ints.count * sizeof(*list));
	*count = ints.count;
	return true;
}

/* "[[1, 1, 64], [0, 1, 2]]" */
static bool read_basis(struct text_cursor *cursor, struct config_basis *basis)
{
	return text_take(cursor, "[") &&
		read_integers(cursor, basis->counts, &basis->count) &&
		text_take(cursor, ",") &&
		read_integers(cursor, basis->mapping, &basis->mapping_count) &&
		text_end_list(cursor, "]");
}

static bool read_entry(struct text_cursor *cursor, struct lowering_config *config)
{
	static const char *const names[] = { "workgroup", "partial_reduction", "thread",
		"expand_dims", "lane_basis", "subgroup_basis" };
	int64_t *const lists[] = { config->workgroup, config->partial, config->thread,
		config->expand };
	unsigned *const counts[] = { &config->workgroup_count, &config->partial_count,
		&config->thread_count, &config->expand_count, &config->lanes.count,
		&config->subgroups.count };
	unsigned which = 0;

	while (which < 6 && !text_at(cursor, names[which]))
		which++;
	if (which == 6)
		return text_expected(cursor, "`workgroup`, `partial_reduction`, `thread`, "
			"`lane_basis`, `subgroup_basis` or `expand_dims`");
	if (*counts[which])
		return text_duplicate(cursor);
	text_advance(cursor);
	if (!text_take(cursor, "="))
		return false;
	return which < 4 ? read_integers(cursor, lists[which], counts[which]) :
		read_basis(cursor, which == 4 ? &config->lanes : &config->subgroups);
}

/* "#iree_gpu.lowering_config<{..}>" */
static bool read_config(struct text_cursor *cursor, struct lowering_config *config)
{
	if (!text_take(cursor, "#iree_gpu.lowering_config") || !text_take(cursor, "<") ||
	    !text_take(cursor, "{"))
		return false;
	do
		if (!read_entry(cursor, config))
			return false;
	while (text_skip(cursor, ","));
	return text_end_list(cursor, "}") && text_take(cursor, ">");
}

layout_program *text_contraction(struct text_cursor *cursor)
{
	struct contraction of = { .ctx = cursor->ctx };
	char *names[3] = { NULL }, *types[3] = { NULL };
	layout_program *program = NULL;
	long position = text_position(cursor), base;

	if (text_take(cursor, "contract") && text_take(cursor, "(") &&
	    read_side(cursor, &of, names, types, 0) && text_take(cursor, ",") &&
	    read_side(cursor, &of, names, types, 1) && text_take(cursor, "->") &&
	    read_side(cursor, &of, names, types, 2) && text_take(cursor, ",") &&
	    text_take(cursor, "maps") && text_take(cursor, "=") &&
	    read_maps(cursor, &of.maps) && text_take(cursor, ",") &&
	    text_take(cursor, "config") && text_take(cursor, "=") &&
	    read_config(cursor, &of.config) && text_take(cursor, ")")) {
		base = layout_context_set_base(cursor->ctx, position);
		program = contraction_program(&of);
		layout_context_set_base(cursor->ctx, base);
	}
	for (unsigned i = 0; i < 3; i++) {
		layout_storage_free(of.storages[i]);
		free(names[i]);
		free(types[i]);
	}
	text_contract_maps_free(&of.maps);
	return program;
}
