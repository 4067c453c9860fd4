/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/moves.h"

#include "algebra/chip.h"
#include "algebra/lds/lds.h"
#include "algebra/storage/remap.h"
#include "algebra/storage/storage.h"
#include "kernel/plan.h"
#include "value/value.h"

#include <inttypes.h>
#include <layout/view.h>
#include <stdlib.h>
#include <string.h>

bool show_has_moves(const layout_value *value, const layout_show_options *options)
{
	return value->kind == &kind_remap && (options->color == LAYOUT_SHOW_BY_LANE ||
		options->color == LAYOUT_SHOW_BY_WARP ||
		options->color == LAYOUT_SHOW_BY_REGISTER);
}

/* The chip whose LDS that is. */
static const struct chip *chip_with(layout_context *ctx, const layout_show_options *options)
{
	const layout_lds *lds = options->lds;
	const struct chip *chip;

	for (unsigned i = 0; lds && (chip = chip_at(i)); i++)
		if (chip->lds.banks && chip->lds.wave_size == lds->wave_size &&
				!strcmp(chip->lds.name, lds->name))
			return chip;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "cannot color by %s: a remap has the "
		"lanes of a target's kernel, and no target is said",
		show_color_name(options->color));
	return NULL;
}

/* The remap for these sizes alone. */
static layout_remap *fix_sizes(layout_remap *remap, const layout_show_options *options)
{
	remap = layout_remap_copy(remap);
	for (unsigned i = 0; remap && i < options->count; i++) {
		struct layout_buffer condition = { 0 };
		char *text;

		layout_buffer_printf(&condition, "%s = %" PRId64, options->sizes[i].name,
			options->sizes[i].value);
		text = layout_buffer_take(layout_remap_context(remap), &condition);
		remap = layout_remap_assume(remap, text);
		free(text);
	}
	return remap;
}

/* Consumes the relation, hw -> cell of a storage; all cells of what is packed are declared.
 * "name" keeps the cells from being places. */
static layout_value *value_of(layout_context *ctx, layout_relation *relation,
	const layout_storage *storage, const char *name, const layout_show_options *options)
{
	layout_value *value = layout_alloc(ctx, 1, sizeof(*value));
	int64_t shape[LAYOUT_STORAGE_SLOTS];
	int rank = -1;

	relation = layout_relation_name_outs(relation, name);
	if (value)
		*value = (struct layout_value){ .ctx = ctx, .kind = &kind_relation,
			.relation = layout_relation_copy(relation) };
	if (value && value->relation && storage->kind != LAYOUT_STORAGE_STRIDED)
		rank = layout_storage_memory_shape((layout_storage *)storage, options->sizes,
			options->count, shape);
	if (rank > 0 && (unsigned)rank == layout_relation_out_rank(relation))
		value->onto = value_box(ctx, shape, (unsigned)rank);
	layout_relation_free(relation);
	if (value && value->relation)
		return value;
	layout_value_free(value);
	return NULL;
}

/* Cells of the destination that no element goes to are padding. */
static bool build_side(struct show_moves *moves, bool after, layout_value *value,
	const layout_show_options *options, unsigned lanes)
{
	struct show_picture *picture = &moves->sides[after];
	unsigned wave = layout_lds_wave_size(options->lds);

	if (!value || !show_picture_build(picture, value->ctx, value, options))
		return false;
	show_picture_widen(picture, lanes, lanes < wave ? lanes : wave);
	for (size_t e = 0; after && !picture->pads && e < picture->count; e++)
		picture->pads = !show_place_count(picture, e);
	return show_coloring_choose(&moves->colorings[after], picture, options);
}

/* Where in the destination's memory what is before goes: "remap" as a picture has it. */
static bool find_landings(struct show_picture *before, layout_value *remap,
	const layout_show_options *options)
{
	layout_show_options plain = *options;
	struct show_picture flow;
	int64_t at[SHOW_DIMS];
	bool good;

	plain.color = LAYOUT_SHOW_BY_DEFAULT;
	good = show_picture_build(&flow, remap->ctx, remap, &plain);
	for (size_t i = 0; good && i < before->pairs.count; i++) {
		struct show_place *place = &before->places[i];
		const struct show_place *landing;

		show_picture_coordinates(before, place->element, at);
		landing = show_place_first(&flow, show_picture_element(&flow, at));
		place->memory = landing ? landing->memory : -1;
	}
	before->lands = true;
	before->memory_begin = flow.memory_begin;
	before->memory_end = flow.memory_end;
	show_picture_free(&flow);
	return good;
}

/* For the sizes of the picture. */
static layout_relation *cells_at(layout_relation *cells, const layout_show_options *options)
{
	return layout_relation_fix(layout_relation_copy(cells), options->sizes, options->count);
}

/* "before, of the kernel for M = 8 alone: row_major[M]": one for any sizes may have another
 * shape there. */
static char *title_of(layout_context *ctx, const char *side, const layout_storage *storage,
	const layout_show_options *options)
{
	struct layout_buffer title = { 0 };
	char *text = layout_storage_str((layout_storage *)storage);

	layout_buffer_printf(&title, "%s", side);
	for (unsigned i = 0; i < options->count; i++)
		layout_buffer_printf(&title, "%s%s = %" PRId64, i ? ", " :
			", of the kernel for ", options->sizes[i].name, options->sizes[i].value);
	layout_buffer_printf(&title, "%s: %s", options->count ? " alone" : "",
		text ? text : "");
	layout_string_free(text);
	return layout_buffer_take(ctx, &title);
}

static bool build_sides(struct show_moves *moves, layout_value *value, layout_remap *remap,
	const struct plan *plan, const layout_show_options *options)
{
	const char *names[] = { "before", plan->loads ? "after, through the LDS" : "after" };
	layout_relation *flow = layout_relation_fix(layout_remap_relation(remap),
		options->sizes, options->count);
	layout_relation *after = layout_relation_restrict_range(
		cells_at(plan->stores, options),
		layout_relation_range(layout_relation_copy(flow)));
	layout_relation *before = layout_relation_compose(layout_relation_inverse(flow),
		cells_at(plan->loads ? plan->loads : plan->stores, options));
	layout_value *values[] = {
		value_of(value->ctx, before, remap->source, "before", options),
		value_of(value->ctx, after, remap->destination, "after", options) };
	bool good = true;

	for (int side = 0; side < 2; side++) {
		layout_show_options own = *options;
		char *text = title_of(value->ctx, names[side], side ? remap->destination :
			remap->source, options);

		own.title = text;
		good = good && text && build_side(moves, side, values[side], &own, plan_lanes(plan));
		free(text);
		layout_value_free(values[side]);
	}
	return good && find_landings(&moves->sides[0], value, options);
}

bool show_moves_build(struct show_moves *moves, layout_value *value,
	const layout_show_options *options)
{
	const struct chip *chip = chip_with(value->ctx, options);
	layout_remap *remap = chip ? fix_sizes(value->object, options) : NULL;
	struct plan_target target = chip ? plan_target_of(chip) : (struct plan_target){ 0 };
	struct plan *plan;
	bool good;

	target.tells_cells = true;
	plan = remap ? plan_new(remap, &target) : NULL;
	*moves = (struct show_moves){ 0 };
	good = plan && build_sides(moves, value, remap, plan, options);
	plan_free(plan);
	layout_remap_free(remap);
	return good;
}

void show_moves_free(struct show_moves *moves)
{
	show_picture_free(&moves->sides[0]);
	show_picture_free(&moves->sides[1]);
}

void show_draw_moves(struct layout_buffer *out, const struct show_moves *moves,
	const char *title, const layout_show_options *options)
{
	if (options->format == LAYOUT_SHOW_SVG) {
		show_draw_svg_pair(out, title, moves->sides, moves->colorings);
		return;
	}
	if (options->format == LAYOUT_SHOW_HTML) {
		show_draw_html(out, title, &moves->sides[0], &moves->colorings[0]);
		return;
	}
	for (int side = 0; side < 2; side++) {
		const struct show_picture *picture = &moves->sides[side];

		if (options->format == LAYOUT_SHOW_TIKZ) {
			show_draw_tikz(out, picture, &moves->colorings[side]);
			continue;
		}
		layout_buffer_printf(out, "%s%s\n", side ? "\n" : "", picture->text);
		show_draw_text(out, picture, options);
	}
}
