/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/contraction.h"
#include "algebra/size/text.h"

#include <inttypes.h>
#include <layout/nested.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_A, SIDE_B, SIDE_C, SIDES };

#define NAME 16		/* of a variable or a tile of ours */

/* The loops with what each level has of them.  The last may be the inner part of the one
 * before, "inner" elements of it. */
struct plan {
	struct contraction *of;
	layout_program *program;
	unsigned count;
	int64_t tile[PROGRAM_RANK], inner;
	int64_t lanes[PROGRAM_RANK], subgroups[PROGRAM_RANK], elements[PROGRAM_RANK];
	int64_t lane_stride[PROGRAM_RANK], subgroup_stride[PROGRAM_RANK];
	bool reduced[PROGRAM_RANK];
	unsigned loops;			/* that are open */
	layout_memory *memories[SIDES];
};

static bool refuse(const struct plan *plan, const char *format, const char *list,
	int64_t a, int64_t b)
{
	struct layout_buffer out = { 0 };
	char *text;

	layout_buffer_printf(&out, format, list, a, b);
	text = layout_buffer_take(plan->of->ctx, &out);
	layout_fail(plan->of->ctx, LAYOUT_ERROR_INVALID, -1, "%s",
		text ? text : "out of memory");
	free(text);
	return false;
}

/* *product *= factor, of what "name" counts. */
static bool multiply(const struct plan *plan, const char *name, int64_t *product,
	int64_t factor)
{
	int64_t before = *product;

	return !__builtin_mul_overflow(before, factor, product) || refuse(plan,
		"%s: %" PRId64 " times %" PRId64 " does not fit 64 bits", name, before,
		factor);
}

static bool refuse_length(const struct plan *plan, const char *name, unsigned count)
{
	return refuse(plan, "%s has %" PRId64 " entries, there are %" PRId64 " loops", name, count,
		plan->count);
}

/* A list of the config has an entry a loop, or none at all. */
static bool check_length(const struct plan *plan, const char *name, unsigned count)
{
	return !count || count == plan->count || refuse_length(plan, name, count);
}

/* A list of tiles ends with the last loop that has one. */
static bool check_tiles(const struct plan *plan, const char *name, unsigned count)
{
	return count <= plan->count || refuse_length(plan, name, count);
}

/* Two loops that count lanes by one digit would leave elements to nobody. */
static bool check_mapping(const struct plan *plan, const char *name,
	const struct config_basis *basis, unsigned d)
{
	for (unsigned i = 0; i < d && basis->mapping_count; i++)
		if (basis->mapping[i] == basis->mapping[d])
			return refuse(plan, "%s maps loops %" PRId64 " and %" PRId64
				" to one count", name, i, d);
	return true;
}

/* What one loop has of a basis, and the step from one to the next: that of what its counts
 * multiply to behind it. */
static bool take_basis(const struct plan *plan, const char *name,
	const struct config_basis *basis, int64_t *counts, int64_t *strides)
{
	for (unsigned d = 0; d < plan->count; d++) {
		int64_t at = basis->mapping_count ? basis->mapping[d] : d;

		counts[d] = 1;
		strides[d] = 0;
		if (!basis->count)
			continue;
		if (at < 0 || at >= basis->count)
			return refuse(plan, "%s maps loop %" PRId64 " to count %" PRId64
				", which there is not", name, d, at);
		counts[d] = basis->counts[at];
		if (!check_mapping(plan, name, basis, d))
			return false;
		if (counts[d] < 1)
			return refuse(plan, "%s has %" PRId64 " for loop %" PRId64, name,
				counts[d], d);
		strides[d] = 1;
		for (unsigned i = (unsigned)at + 1; i < basis->count; i++)
			if (!multiply(plan, name, &strides[d], basis->counts[i]))
				return false;
	}
	return true;
}

static int64_t entry(const int64_t *list, unsigned count, unsigned d)
{
	return d < count ? list[d] : 0;
}

/* Subgroups, lanes and elements of a loop divide its tile. */
static bool check_product(const struct plan *plan, unsigned d)
{
	int64_t given = plan->subgroups[d];

	if (!multiply(plan, "lane_basis", &given, plan->lanes[d]) ||
	    !multiply(plan, "thread", &given, plan->elements[d]))
		return false;
	if (plan->tile[d] % given == 0)
		return true;
	layout_fail(plan->of->ctx, LAYOUT_ERROR_INVALID, -1, "dimension %u: %" PRId64
		" subgroups times %" PRId64 " lanes times %" PRId64 " elements make %" PRId64
		", which does not divide the %" PRId64 " that %s has", d,
		plan->subgroups[d], plan->lanes[d], plan->elements[d], given, plan->tile[d],
		plan->reduced[d] ? "partial_reduction" : "workgroup");
	return false;
}

static void find_reduced(struct plan *plan)
{
	const struct contract_maps *maps = &plan->of->maps;

	for (unsigned d = 0; d < plan->count; d++) {
		plan->reduced[d] = true;
		for (unsigned i = 0; i < maps->ranks[SIDE_C]; i++)
			plan->reduced[d] = plan->reduced[d] && maps->maps[SIDE_C][i] != d;
	}
}

/* Split loop "d" by f: what a lane has of it is the inner part, and the rest is outside.
 * In a config that speaks of the inner loop already, that is the last of its loops. */
static bool split(struct plan *plan, struct lowering_config *config, unsigned d, int64_t f)
{
	bool spoken = config->partial_count == plan->count + 1;
	int64_t lane = spoken ? entry(config->thread, config->thread_count, plan->count) :
		config->thread[d];

	if (!plan->reduced[d])
		return refuse(plan, "%s splits loop %" PRId64 " by %" PRId64
			", which is not reduced", "expand_dims", d, f);
	if (lane != f)
		return refuse(plan, "%s splits by %" PRId64 " where a thread has %" PRId64,
			"expand_dims", f, lane);
	if (!spoken && config->partial[d] % f)
		return refuse(plan, "%s: %" PRId64 " of partial_reduction are no multiple of %"
			PRId64, "expand_dims", config->partial[d], f);
	plan->inner = f;
	if (spoken) {
		config->workgroup_count -= config->workgroup_count > plan->count;
		config->partial_count--;
		config->thread_count -= config->thread_count > plan->count;
		config->lanes.mapping_count -= config->lanes.mapping_count > plan->count;
		config->subgroups.mapping_count -=
			config->subgroups.mapping_count > plan->count;
	} else {
		config->partial[d] /= f;
		config->thread[d] = 1;
	}
	return true;
}

/* Is it a loop already, which a thread has all of? */
static bool is_expanded(const struct plan *plan, unsigned d)
{
	const struct lowering_config *config = &plan->of->config;

	return d < plan->count && plan->reduced[d] &&
		entry(config->thread, config->thread_count, d) == config->expand[d] &&
		!entry(config->partial, config->partial_count, d);
}

/* At most one loop is split, the last that is reduced. */
static bool expand(struct plan *plan)
{
	struct lowering_config *config = &plan->of->config;
	unsigned last = 0;

	plan->inner = 1;
	for (unsigned d = 0; d < plan->count; d++)
		if (plan->reduced[d])
			last = d;
	for (unsigned d = 0; d < config->expand_count; d++)
		if (config->expand[d] > 1 && !is_expanded(plan, d)) {
			if (d != last + 1 || plan->inner > 1)
				return refuse(plan, "%s splits loop %" PRId64
					", and only the last reduced one, %" PRId64
					", can be", "expand_dims", (int64_t)d - 1, last);
			if (!split(plan, config, last, config->expand[d]))
				return false;
		}
	return true;
}

/* Where partial_reduction has 0 of a reduced loop, a step has what all threads do. */
static bool take_all(struct plan *plan, unsigned d)
{
	plan->tile[d] = plan->elements[d];
	return multiply(plan, "lane_basis", &plan->tile[d], plan->lanes[d]) &&
		multiply(plan, "subgroup_basis", &plan->tile[d], plan->subgroups[d]);
}

/* What all loops have of a tile is a number, and so is what any level has of it. */
static bool find_levels(struct plan *plan)
{
	const struct lowering_config *config = &plan->of->config;
	int64_t elements = plan->inner;

	if (!check_tiles(plan, "workgroup", config->workgroup_count) ||
	    !check_tiles(plan, "partial_reduction", config->partial_count) ||
	    !check_length(plan, "thread", config->thread_count) ||
	    !check_length(plan, "lane_basis", config->lanes.mapping_count) ||
	    !check_length(plan, "subgroup_basis", config->subgroups.mapping_count) ||
	    !take_basis(plan, "lane_basis", &config->lanes, plan->lanes,
		plan->lane_stride) ||
	    !take_basis(plan, "subgroup_basis", &config->subgroups, plan->subgroups,
		plan->subgroup_stride))
		return false;
	for (unsigned d = 0; d < plan->count; d++) {
		plan->tile[d] = plan->reduced[d] ?
			entry(config->partial, config->partial_count, d) :
			entry(config->workgroup, config->workgroup_count, d);
		plan->elements[d] = entry(config->thread, config->thread_count, d);
		if (plan->reduced[d] && config->partial_count && !plan->tile[d] &&
		    !take_all(plan, d))
			return false;
		plan->elements[d] += !plan->elements[d];
		if (plan->tile[d] < 1)
			return refuse(plan, "%s has nothing for loop %" PRId64,
				plan->reduced[d] ? "partial_reduction" : "workgroup", d, 0);
		if (plan->elements[d] < 1)
			return refuse(plan, "%s has %" PRId64 " for loop %" PRId64, "thread",
				plan->elements[d], d);
		if (!check_product(plan, d) ||
		    !multiply(plan, "the tile", &elements, plan->tile[d]))
			return false;
	}
	return true;
}

/* The size of a loop, as the first operand that has it calls it, or NULL. */
static const char *size_of(const struct plan *plan, unsigned d)
{
	const struct contract_maps *maps = &plan->of->maps;

	for (unsigned side = 0; side < SIDES; side++)
		for (unsigned i = 0; i < maps->ranks[side]; i++)
			if (maps->maps[side][i] == d)
				return layout_memory_storage(plan->memories[side]) ?
					layout_storage_size(layout_memory_storage(
						plan->memories[side]), i) : NULL;
	return NULL;
}

static bool check_sizes(const struct plan *plan)
{
	const struct contract_maps *maps = &plan->of->maps;

	for (unsigned side = 0; side < SIDES; side++) {
		layout_storage *storage = plan->of->storages[side];

		if (layout_storage_rank(storage) != maps->ranks[side])
			return refuse(plan, "`%s` has %" PRId64 " dimensions, its map %" PRId64,
				plan->of->names[side], layout_storage_rank(storage),
				maps->ranks[side]);
	}
	return true;
}

/* Loops of one letter have one size. */
static bool check_same(const struct plan *plan)
{
	const struct contract_maps *maps = &plan->of->maps;

	for (unsigned side = 0; side < SIDES; side++)
		for (unsigned i = 0; i < maps->ranks[side]; i++) {
			const char *size = layout_storage_size(layout_memory_storage(
				plan->memories[side]), i);
			const char *other = size_of(plan, maps->maps[side][i]);

			if (strcmp(size, other)) {
				layout_fail(plan->of->ctx, LAYOUT_ERROR_SPACE, -1,
					"`%s` is %s in one operand and %s in `%s`",
					maps->letters[maps->maps[side][i]], other, size,
					plan->of->names[side]);
				return false;
			}
		}
	return true;
}

static bool add_arguments(struct plan *plan)
{
	for (unsigned side = 0; side < SIDES; side++) {
		layout_storage *storage = plan->of->storages[side];

		plan->of->storages[side] = NULL;
		plan->memories[side] = layout_program_argument(plan->program,
			plan->of->names[side], storage, plan->of->types[side],
			side == SIDE_C ? LAYOUT_ACCESS_OUT : LAYOUT_ACCESS_IN);
		if (!plan->memories[side])
			return false;
	}
	return true;
}

static char *ceil_text(const struct plan *plan, unsigned d, int64_t by)
{
	return text_ceil(plan->of->ctx, size_of(plan, d), by);
}

static bool add_head(struct plan *plan)
{
	const char *names[PROGRAM_RANK] = { "one" };
	char *counts[PROGRAM_RANK] = { NULL };
	int64_t waves = 1;
	unsigned rank = 0;
	bool good = true;

	for (unsigned d = 0; good && d < plan->count; d++) {
		waves *= plan->subgroups[d];
		if (plan->reduced[d])
			continue;
		names[rank] = plan->of->maps.letters[d];
		good = (counts[rank] = ceil_text(plan, d, plan->tile[d]));
		rank += good;
	}
	if (good && !rank)
		good = (counts[rank++] = layout_strdup(plan->of->ctx, "1"));
	good = good && layout_program_grid(plan->program, names,
		(const char *const *)counts, rank) &&
		layout_program_workers(plan->program, "w", &waves, 1);
	for (unsigned i = 0; i < rank; i++)
		free(counts[i]);
	return good;
}

/* Where the tile of an operand begins; the inner part is what positions count. */
static void find_place(const struct plan *plan, unsigned side, char texts[][64],
	const char **at, int64_t *box)
{
	const struct contract_maps *maps = &plan->of->maps;

	for (unsigned i = 0; i < maps->ranks[side]; i++) {
		unsigned d = maps->maps[side][i];

		box[i] = plan->tile[d];
		if (plan->reduced[d] && plan->inner > 1 && d == plan->count - 1)
			box[i] *= plan->inner;
		if (box[i] == 1)
			snprintf(texts[i], 64, "%s", maps->letters[d]);
		else
			snprintf(texts[i], 64, "%" PRId64 "*%s", box[i], maps->letters[d]);
		at[i] = texts[i];
	}
}

/* Lanes, subgroups and elements of each loop. */
static layout_nested *make_nested(const struct plan *plan)
{
	layout_nested_desc desc = LAYOUT_NESTED_DESC_INIT;
	int64_t ones[PROGRAM_RANK], batch[PROGRAM_RANK], lanes = 1;

	for (unsigned d = 0; d < plan->count; d++) {
		ones[d] = 1;
		batch[d] = plan->tile[d] / (plan->subgroups[d] * plan->lanes[d] *
			plan->elements[d]);
		lanes *= plan->lanes[d];
	}
	desc.rank = plan->count;
	desc.subgroup_tile = plan->subgroups;
	desc.batch_tile = batch;
	desc.outer_tile = ones;
	desc.thread_tile = plan->lanes;
	desc.element_tile = plan->elements;
	desc.subgroup_strides = plan->subgroup_stride;
	desc.thread_strides = plan->lane_stride;
	desc.subgroup_size = lanes == 32 ? 32 : 64;
	return layout_nested_new(plan->of->ctx, &desc);
}

/* The owner of the partial sums, by the name of "o". */
static bool add_owner(struct plan *plan)
{
	layout_program *program = plan->program;
	layout_nested *nested = make_nested(plan);
	struct program_owner owner = { .relation = layout_nested_relation(nested),
		.text = layout_nested_str(nested), .name = layout_strdup(program->ctx, "o") };

	layout_nested_free(nested);
	if (owner.relation && owner.text && owner.name && build_new_name(program, "o"))
		program->owners = build_grow(program->ctx, NULL, 0, sizeof(owner));
	if (program->owners) {
		program->owners[program->owner_count++] = owner;
		return true;
	}
	layout_relation_free(owner.relation);
	free(owner.text);
	free(owner.name);
	return false;
}

/* A tile under that owner. */
static layout_tile *own(const struct plan *plan, layout_tile *tile)
{
	if (tile)
		tile->owner_text = layout_strdup(plan->of->ctx, "o");
	return tile && tile->owner_text ? tile : NULL;
}

/* An operand's tile in the loops' box: its dimensions in the loops' order, 1 for loops that
 * it does not have; the inner part stays last. */
static layout_tile *place_tile(const struct plan *plan, unsigned side, layout_tile *tile)
{
	const struct contract_maps *maps = &plan->of->maps;
	int64_t order[PROGRAM_RANK];
	unsigned rank = 0;
	bool moved = false;

	for (unsigned d = 0; d < plan->count; d++)
		for (unsigned i = 0; i < maps->ranks[side]; i++)
			if (maps->maps[side][i] == d) {
				moved = moved || i != rank;
				order[rank++] = i;
			}
	if (moved)
		tile = layout_program_view(plan->program, tile, LAYOUT_VIEW_PERMUTE, order,
			rank);
	for (unsigned d = 0, at = 0; tile && d < plan->count; d++) {
		unsigned i = 0;
		int64_t list[3];

		while (i < maps->ranks[side] && maps->maps[side][i] != d)
			i++;
		if (i < maps->ranks[side]) {
			at++;
			continue;
		}
		if (at < layout_tile_rank(tile)) {
			list[0] = at;
			list[1] = 1;
			list[2] = layout_tile_extent(tile, at);
		} else {
			list[0] = at - 1;
			list[1] = layout_tile_extent(tile, at - 1);
			list[2] = 1;
		}
		tile = layout_program_view(plan->program, tile, LAYOUT_VIEW_EXPAND, list, 3);
		at++;
	}
	return tile;
}

static layout_tile *add_load(const struct plan *plan, unsigned side)
{
	char texts[PROGRAM_RANK][64];
	const char *at[PROGRAM_RANK];
	int64_t box[PROGRAM_RANK], list[3];
	layout_tile *tile;

	find_place(plan, side, texts, at, box);
	tile = layout_program_load(plan->program, plan->memories[side], at, box, NULL, NULL);
	if (!tile || plan->inner == 1)
		return tile;
	for (unsigned i = 0; i < plan->of->maps.ranks[side]; i++)
		if (plan->of->maps.maps[side][i] == plan->count - 1) {
			list[0] = i;
			list[1] = plan->tile[plan->count - 1];
			list[2] = plan->inner;
			return layout_program_view(plan->program, tile, LAYOUT_VIEW_EXPAND,
				list, 3);
		}
	return tile;
}

/* The type that is summed in. */
static const char *sum_type(const struct plan *plan)
{
	const struct element_type *type = plan->memories[SIDE_C]->type;

	return type->bits >= 32 ? type->name : type->kind == 'f' ? "f32" : "i32";
}

/* One accumulator an element: sum + A * B, each in the loops' box. */
static layout_tile *add_product(const struct plan *plan, layout_tile *sum,
	layout_tile *a, layout_tile *b)
{
	struct layout_buffer out = { 0 };
	layout_tile *tile;
	char *text;

	a = place_tile(plan, SIDE_A, a);
	b = place_tile(plan, SIDE_B, b);
	if (!a || !b)
		return NULL;
	layout_buffer_printf(&out, "%s + %s(%s) * %s(%s)", sum->name, sum_type(plan),
		a->name, sum_type(plan), b->name);
	text = layout_buffer_take(plan->of->ctx, &out);
	tile = text ? layout_program_map(plan->program, text) : NULL;
	free(text);
	return tile;
}

/* One accumulator for all of the inner part. */
static layout_tile *add_contract(const struct plan *plan, layout_tile *sum,
	layout_tile *a, layout_tile *b)
{
	struct contract_maps maps = plan->of->maps;
	layout_tile *const operands[5] = { a, b, sum };
	unsigned last = plan->count;
	char inner[] = "inner";

	maps.letters[maps.letter_count++] = inner;
	for (unsigned side = 0; side < SIDE_C; side++)
		for (unsigned i = 0; i < maps.ranks[side]; i++)
			if (maps.maps[side][i] == last - 1) {
				memmove(maps.maps[side] + i + 2, maps.maps[side] + i + 1,
					(maps.ranks[side] - i - 1) * sizeof(unsigned));
				maps.maps[side][i + 1] = last;
				maps.ranks[side]++;
				break;
			}
	maps.ranks[SIDE_C] = 0;
	for (unsigned d = 0; d < plan->count; d++)
		maps.maps[SIDE_C][maps.ranks[SIDE_C]++] = d;
	return contract_tile(plan->program, operands, &maps, NULL);
}

static bool open_loops(struct plan *plan, layout_tile **carry)
{
	for (unsigned d = 0; d < plan->count; d++) {
		int64_t step = plan->tile[d];
		char *count;
		bool good;

		if (!plan->reduced[d])
			continue;
		if (d == plan->count - 1)
			step *= plan->inner;
		count = ceil_text(plan, d, step);
		good = count && layout_program_for(plan->program,
			plan->of->maps.letters[d], count, 1);
		free(count);
		*carry = good ? own(plan, layout_program_carry(plan->program, *carry,
			layout_relation_copy(plan->program->owners[0].relation))) : NULL;
		if (!*carry)
			return false;
		plan->loops++;
	}
	return true;
}

/* The sums in C's order and type, without the reduced loops. */
static layout_tile *finish(struct plan *plan, layout_tile *sums)
{
	const struct contract_maps *maps = &plan->of->maps;
	unsigned dims[PROGRAM_RANK], count = 0, kept[PROGRAM_RANK], left = 0;
	int64_t order[PROGRAM_RANK];
	bool moved = false;

	for (unsigned d = 0; d < plan->count; d++) {
		if (plan->reduced[d])
			dims[count++] = d;
		else
			kept[d] = left++;
	}
	if (count)
		sums = layout_program_reduce(plan->program, sums, "add", dims, count, false,
			NULL);
	for (unsigned i = 0; i < maps->ranks[SIDE_C]; i++) {
		order[i] = kept[maps->maps[SIDE_C][i]];
		moved = moved || order[i] != i;
	}
	if (sums && moved)
		sums = layout_program_view(plan->program, sums, LAYOUT_VIEW_PERMUTE, order,
			maps->ranks[SIDE_C]);
	if (sums && sums->type != plan->memories[SIDE_C]->type) {
		char text[64];

		snprintf(text, sizeof(text), "%s(%s)", plan->memories[SIDE_C]->type->name,
			sums->name);
		sums = layout_program_map(plan->program, text);
	}
	return sums;
}

static bool add_body(struct plan *plan)
{
	char texts[PROGRAM_RANK][64];
	const char *at[PROGRAM_RANK];
	int64_t box[PROGRAM_RANK];
	layout_tile *sums, *a, *b;

	if (!add_owner(plan))
		return false;
	sums = own(plan, layout_program_fill(plan->program, plan->tile, plan->count,
		sum_type(plan), "0",
		layout_relation_copy(plan->program->owners[0].relation)));
	if (!sums || !open_loops(plan, &sums))
		return false;
	a = add_load(plan, SIDE_A);
	b = a ? add_load(plan, SIDE_B) : NULL;
	if (!b)
		return false;
	sums = plan->inner > 1 ? add_contract(plan, sums, a, b) :
		add_product(plan, sums, a, b);
	sums = finish(plan, build_close_loops(plan->program, sums, plan->loops));
	find_place(plan, SIDE_C, texts, at, box);
	return sums && layout_program_store(plan->program, sums, plan->memories[SIDE_C], at);
}

layout_program *contraction_program(struct contraction *contraction)
{
	struct plan plan = { .of = contraction, .count = contraction->maps.letter_count,
		.program = layout_program_new(contraction->ctx, "contract") };

	find_reduced(&plan);
	if (plan.program && check_sizes(&plan) && expand(&plan) && find_levels(&plan) &&
	    add_arguments(&plan) && check_same(&plan) && add_head(&plan) &&
	    add_body(&plan))
		return plan.program;
	layout_program_free(plan.program);
	return NULL;
}
