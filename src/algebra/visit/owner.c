/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/visit/owner.h"
#include "algebra/storage/sizes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this, constant slots are not taken into the tile. */
#define LARGEST_TILE ((int64_t)1 << 20)

/* The first "outer" slots have a dimension each; the others form the tile. */
struct split {
	unsigned outer, lanes;
	int64_t tile;
};

static struct split split_slots(const layout_storage *storage, unsigned lanes)
{
	struct split split = { storage->slot_count, lanes, 1 };

	while (lanes && split.outer) {
		int64_t extent = storage->slots[split.outer - 1].constant;

		if (!extent || extent > LARGEST_TILE / split.tile)
			break;
		split.tile *= extent;
		split.outer--;
	}
	return split;
}

static bool is_taken(const char *name, const char *const *sizes, unsigned size_count)
{
	for (unsigned i = 0; i < size_count; i++)
		if (strcmp(name, sizes[i]) == 0)
			return true;
	return false;
}

char *owner_name(layout_context *ctx, const char *base, int number,
	const char *const *sizes, unsigned size_count)
{
	struct layout_buffer name = { 0 };

	layout_buffer_printf(&name, number < 0 ? "%s" : "%s%d", base, number);
	while (!name.failed && is_taken(name.text, sizes, size_count))
		layout_buffer_printf(&name, "_");
	return layout_buffer_take(ctx, &name);
}

/* How many times "lanes" elements the tiles of the last outer slot hold. */
static struct index *chunks(const struct storage_index *index, struct split split)
{
	struct index *rows = split.outer ?
		index_copy(index->extent[split.outer - 1]) : index_int(1);

	if (split.tile % split.lanes == 0)
		return index_binary(INDEX_MUL, rows, index_int(split.tile / split.lanes));
	return index_binary(INDEX_FDIV, index_binary(INDEX_ADD,
		index_binary(INDEX_MUL, rows, index_int(split.tile)),
		index_int(split.lanes - 1)), index_int(split.lanes));
}

static struct visit_dim *add_dim(struct owner *owner, char *name, enum visit_level level,
	struct index *extent)
{
	struct visit_dim *dim = &owner->dims[owner->dim_count++];

	*dim = (struct visit_dim){ name, level, extent };
	return dim;
}

static bool name_dims(struct owner *owner, layout_storage *storage,
	const struct storage_index *index, struct split split,
	const char *const *sizes, unsigned size_count)
{
	layout_context *ctx = storage->ctx;
	unsigned own = split.lanes && split.outer ? split.outer - 1 : split.outer;
	bool ok = true;

	owner->dims = layout_alloc(ctx, own + 2, sizeof(*owner->dims));
	if (!owner->dims)
		return false;
	for (unsigned k = 0; k < own; k++) {
		bool is_y = split.lanes && k + 1 == own;

		add_dim(owner, owner_name(ctx, !split.lanes ? "c" : is_y ? "y" : "z",
			is_y ? -1 : (int)k, sizes, size_count), !split.lanes ? VISIT_LOOP :
			is_y ? VISIT_GRID_Y : VISIT_GRID_Z, index_copy(index->extent[k]));
	}
	if (split.lanes) {
		add_dim(owner, owner_name(ctx, "x", -1, sizes, size_count), VISIT_GRID_X,
			chunks(index, split));
		add_dim(owner, owner_name(ctx, "lane", -1, sizes, size_count), VISIT_LANE,
			index_int(split.lanes));
	}
	for (unsigned k = 0; k < owner->dim_count; k++)
		ok = ok && owner->dims[k].name && owner->dims[k].extent;
	return ok;
}

static void print_hw(struct layout_buffer *out, const struct owner *owner)
{
	layout_buffer_printf(out, "hw[");
	for (unsigned k = 0; k < owner->dim_count; k++)
		layout_buffer_printf(out, "%s%s", k ? ", " : "", owner->dims[k].name);
	layout_buffer_printf(out, "]");
}

/* "(256*x + lane)" */
static void print_flat(struct layout_buffer *out, const struct owner *owner,
	struct split split)
{
	layout_buffer_printf(out, "(%u*%s + %s)", split.lanes,
		owner->dims[owner->dim_count - 2].name,
		owner->dims[owner->dim_count - 1].name);
}

/* floor(f / step) mod radix of the flat element f = lanes*x + lane; radix 0: no
 * mod.  Where the digit is one of x alone, or of the lane alone, it is written as
 * that: the same for a whole workgroup, or computed once for all of them. */
static void print_digit(struct layout_buffer *out, const struct owner *owner,
	struct split split, int64_t step, int64_t radix)
{
	bool of_x = step % split.lanes == 0;
	bool of_lane = radix && radix <= split.lanes && split.lanes % (step * radix) == 0;

	layout_buffer_printf(out, "floor(");
	if (of_x)
		layout_buffer_printf(out, "%s", owner->dims[owner->dim_count - 2].name);
	else if (of_lane)
		layout_buffer_printf(out, "%s", owner->dims[owner->dim_count - 1].name);
	else
		print_flat(out, owner, split);
	layout_buffer_printf(out, "/%" PRId64 ")", of_x ? step / split.lanes : step);
	if (radix)
		layout_buffer_printf(out, " mod %" PRId64, radix);
}

/* { hw[..] -> slot[..] } */
static char *to_slot_text(const struct owner *owner, layout_storage *storage,
	struct split split)
{
	struct layout_buffer out = { 0 };
	int64_t rest = split.tile;

	layout_buffer_printf(&out, "{ ");
	print_hw(&out, owner);
	layout_buffer_printf(&out, " -> %s[",
		storage->kind == LAYOUT_STORAGE_STRIDED ? "slot" : "cell");
	for (unsigned k = 0; k < storage->slot_count; k++) {
		bool in_tile = k >= split.outer;

		layout_buffer_printf(&out, k ? ", " : "");
		if (in_tile)
			rest /= storage->slots[k].constant;
		if (!split.lanes || k + 1 < split.outer)
			layout_buffer_printf(&out, "%s", owner->dims[k].name);
		else
			print_digit(&out, owner, split, rest,
				in_tile ? storage->slots[k].constant : 0);
	}
	layout_buffer_printf(&out, "] }");
	return layout_buffer_take(storage->ctx, &out);
}

/* "tile*k < size": the dimension of an outer slot stays inside. */
static void print_bound(struct layout_buffer *out, const layout_storage *storage,
	unsigned slot, const char *name)
{
	const struct storage_slot *of = &storage->slots[slot];

	if (of->constant)
		layout_buffer_printf(out, "0 <= %s < %" PRId64, name, of->constant);
	else
		layout_buffer_printf(out, "0 <= %s and %" PRId64 "*%s < (%s)", name,
			of->tile, name, storage->sizes[of->dim]);
}

/* [M, K] -> { hw[..] : bounds }, of the flat element too if "active". */
static char *domain_text(const struct owner *owner, layout_storage *storage,
	struct split split, bool active)
{
	struct layout_buffer out = { 0 };
	unsigned own = owner->dim_count - (split.lanes ? 2 : 0);

	size_names_print(&out, storage->names, storage->name_count);
	layout_buffer_printf(&out, "{ ");
	print_hw(&out, owner);
	for (unsigned k = 0; k < own; k++) {
		layout_buffer_printf(&out, k ? " and " : " : ");
		print_bound(&out, storage, k, owner->dims[k].name);
	}
	if (split.lanes) {
		const char *x = owner->dims[own].name, *lane = owner->dims[own + 1].name;
		const struct storage_slot *row =
			split.outer ? &storage->slots[own] : NULL;

		layout_buffer_printf(&out, "%s 0 <= %s and 0 <= %s < %u and ",
			own ? " and" : " :", x, lane, split.lanes);
		if (active)
			print_flat(&out, owner, split);
		else
			layout_buffer_printf(&out, "%u*%s", split.lanes, x);
		layout_buffer_printf(&out, " < %" PRId64, split.tile);
		if (row && row->constant)
			layout_buffer_printf(&out, "*%" PRId64, row->constant);
		else if (row)
			layout_buffer_printf(&out,
				"*floor(((%s) + %" PRId64 ")/%" PRId64 ")",
				storage->sizes[row->dim], row->tile - 1, row->tile);
	}
	layout_buffer_printf(&out, " }");
	return layout_buffer_take(storage->ctx, &out);
}

bool owner_build(struct owner *owner, layout_storage *storage,
	const struct storage_index *index, unsigned lanes,
	const char *const *sizes, unsigned size_count)
{
	isl_ctx *isl = bridge_isl(storage->ctx);
	struct split split = split_slots(storage, lanes);
	char *map = NULL, *domain = NULL, *active = NULL;
	bool ok;

	*owner = (struct owner){ 0 };
	if (name_dims(owner, storage, index, split, sizes, size_count)) {
		map = to_slot_text(owner, storage, split);
		domain = domain_text(owner, storage, split, false);
		active = domain_text(owner, storage, split, true);
	}
	ok = map && domain && active;
	if (ok) {
		owner->to_slot = isl_multi_aff_read_from_str(isl, map);
		owner->domain = isl_set_read_from_str(isl, domain);
		owner->active = isl_set_read_from_str(isl, active);
	}
	free(map);
	free(domain);
	free(active);
	return ok && owner->to_slot && owner->domain && owner->active;
}

void owner_free(struct owner *owner)
{
	for (unsigned k = 0; owner->dims && k < owner->dim_count; k++) {
		free(owner->dims[k].name);
		index_free(owner->dims[k].extent);
	}
	free(owner->dims);
	isl_multi_aff_free(owner->to_slot);
	isl_set_free(owner->domain);
	isl_set_free(owner->active);
}
