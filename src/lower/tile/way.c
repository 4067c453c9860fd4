/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile/align.h"
#include "lower/tile/path_parts.h"

#include <limits.h>
#include <stdlib.h>

/* Elements whose loads an edge has in flight, where vectors do not ask for more. */
#define EDGE_ELEMENTS 16

/* Elements of a vector that an edge may cross, as what it parts is accessed one by one;
 * and what a block then may hold, or vectors are half as long. */
#define EDGE_VECTOR 8
#define EDGE_BLOCK 32

/* The dims whose edges may cross what a side's accesses hold together; of parts of bytes,
 * all in which a tile may end. */
static uint64_t crossed_dims(const struct way *way, const struct form_side *side,
	bool source)
{
	const struct plan_tile *tile = plan_of(way)->tile;
	uint64_t ragged = source ? bounds_unread(tile) : bounds_unwritten(tile);
	uint64_t crossed = 0;

	for (; ragged; ragged &= ragged - 1) {
		unsigned d = (unsigned)__builtin_ctzll(ragged);
		const struct tile_dim *dim = &tile->dims[d];
		int64_t span = form_span(way->path->form, side->chain, d);

		if (side->bits < 8 ||
		    (source ? dim->read_step : dim->written_step) % span)
			crossed |= ragged & -ragged;
	}
	return crossed;
}

static bool is_edge(const struct way *way)
{
	return way->kind == PATH_EDGE || way->kind == PATH_SHIFTED;
}

/* How far a side's vectors may go: wherever the tile is whole; else along the dims whose
 * edges they cannot cross or, "parted", across edges if that is further; a far path takes
 * single elements. */
static void choose_chain(const struct way *way, struct way_side *of, bool source,
	unsigned most)
{
	const struct path_side *side = of->side;
	const struct form_side *form = side->plan.side;
	uint64_t ragged = crossed_dims(way, form, source);
	uint64_t across;
	unsigned vector, longer;

	if (way->kind == PATH_FULL || of->shifted || (is_edge(way) && side->local))
		ragged = 0;
	if (way->kind == PATH_FAR)
		ragged = UINT64_MAX;
	of->chain = form_chain(way->path->form, form, ragged, UINT_MAX, &vector);
	across = form_chain(way->path->form, form, 0, most, &longer);
	of->parted = is_edge(way) && ragged && form->bits >= 8 &&
		longer > vector;
	if (of->parted)
		of->chain = across;
}

static void choose_chains(struct way *way, unsigned most)
{
	choose_chain(way, &way->load, true, most);
	choose_chain(way, &way->store, false, most);
}

/* The digits of a block: those of both chains and, on an edge, more of them as long as
 * there are few elements. */
static uint64_t choose_digits(const struct way *way)
{
	const struct tile_form *form = way->path->form;
	uint64_t all = form_register_digits(form), rest;
	uint64_t digits = way->load.chain | way->store.chain;

	if (way->kind == PATH_FULL)
		return all;
	for (rest = way->kind == PATH_EDGE ? all & ~digits : 0; rest; rest &= rest - 1) {
		uint64_t digit = rest & -rest;

		if (block_size(form, digits | digit) <= EDGE_ELEMENTS)
			digits |= digit;
	}
	return digits;
}

static int compare_constants(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The constant offsets of a block's vectors; "values" has room for them. */
static void find_constants(const struct way *way, const struct way_side *side,
	const struct block_side *vectors, struct access_constants *constants)
{
	for (unsigned i = 0; i < vectors->count; i++) {
		struct address_digits digits = { { 0 }, { NULL } };
		bool symbolic;

		block_digits(&way->block, vectors->starts[i], &digits);
		constants->values[i] = address_constant(&side->side->plan, &digits,
			&symbolic);
		constants->symbolic = constants->symbolic || symbolic;
	}
	constants->count = vectors->count;
	qsort(constants->values, constants->count, sizeof(int64_t), compare_constants);
}

static enum access_kind choose_access(const struct way *way, const struct way_side *side,
	const struct access_constants *constants)
{
	const layout_kernel *kernel = way->path->iteration->kernel;

	if (side->side->local)
		return ACCESS_LOCAL;
	if (way->kind == PATH_FAR)
		return ACCESS_FAR;
	if (is_edge(way))
		return chip_of(kernel->target)->code.buffers ? ACCESS_EDGE : ACCESS_FAR;
	return access_kind_of(&chip_of(kernel->target)->code, constants);
}

LLVMValueRef way_source_bytes(const struct way *way)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(builder_of(way)));
	const struct visit_access *load = &plan_of(way)->visit.load;

	return LLVMBuildMul(builder_of(way), expression_lower_as(
		&way->path->iteration->scope, load->elements, i64),
		LLVMConstInt(i64, load->bits / 8, false), "bytes");
}

static struct tile_align align_of(const struct path *path)
{
	const layout_kernel *kernel = path->iteration->kernel;

	return tile_align_of(kernel->plan, chip_of(kernel->target), kernel->target->wave_size);
}

/* Lanes that put aligned vectors together, of a side that shifts them: one for what is
 * loaded, several whose vectors follow each other, "line" in one dimension, for what is
 * stored; 0: none do, as where the source may begin inside of such a vector. */
static unsigned find_run(const struct path *path, bool source, bool line)
{
	const layout_kernel *kernel = path->iteration->kernel;
	const struct path_side *side = source ? path->load : path->store;
	struct tile_align align = align_of(path);
	const struct form_side *form = side->plan.side;
	unsigned run;

	if (side->local || !tile_side_shifts(&align, !source) ||
	    (source && kernel->base_align < form_bytes(form, form->vector)))
		return 0;
	run = source ? 1 : tile_lane_run(kernel->plan->tile, form->vector, align.wave_size,
		line);
	return source || run > 1 ? run : 0;
}

/* A side of a shifted way: rows of others begin with vectors. */
static bool side_can_shift(const struct path *path, bool source)
{
	const struct path_side *side = source ? path->load : path->store;
	struct tile_align align = align_of(path);

	return side->local || !tile_side_shifts(&align, !source) ||
		find_run(path, source, true);
}

bool path_can_shift(const struct path *path)
{
	struct tile_align align = align_of(path);

	return chip_of(path->iteration->kernel->target)->code.aligned &&
		tile_is_shifted(&align) && side_can_shift(path, true) &&
		side_can_shift(path, false);
}

/* Bytes that the vectors of an edge are aligned to, once that was found. */
static unsigned edge_align(const struct path *path, const struct path_side *side)
{
	const layout_kernel *kernel = path->iteration->kernel;
	const struct form_side *form = side->plan.side;
	unsigned element = form->bits < 8 ? 1 : form->bits / 8;
	unsigned bytes = form_bytes(form, form->vector);

	if (!chip_of(kernel->target)->code.aligned || form->side->step > 1)
		return element;
	bytes &= -bytes;
	return bytes < element ? element : bytes;
}

static LLVMValueRef side_is_aligned(layout_context *ctx, const struct path *path,
	const struct path_side *side)
{
	const struct access_constants none = { 0 };
	LLVMTypeRef i1 = LLVMInt1TypeInContext(LLVMGetBuilderContext(
		path->iteration->scope.builder));
	LLVMValueRef aligned = NULL;
	struct tile_access access;
	unsigned align;
	bool ok = access_open(ctx, &access, path->iteration, ACCESS_FAR, &side->plan,
		side->base, &path->lane, &none);

	if (ok && !side->local)
		aligned = tile_is_aligned(&access, edge_align(path, side), &align);
	access_close(&access);
	return !ok || aligned ? aligned : LLVMConstInt(i1, 1, false);
}

LLVMValueRef path_is_aligned(layout_context *ctx, const struct path *path)
{
	LLVMValueRef load = side_is_aligned(ctx, path, path->load);
	LLVMValueRef store = load ? side_is_aligned(ctx, path, path->store) : NULL;

	return store ? LLVMBuildAnd(path->iteration->scope.builder, load, store, "aligned") :
		NULL;
}

/* There is an aligned vector of the source, if that shifts; sides that do not are aligned. */
LLVMValueRef path_is_shifted(layout_context *ctx, const struct path *path)
{
	struct way way = { .path = path };
	LLVMBuilderRef builder = builder_of(&way);
	const struct form_side *form = path->load->plan.side;
	bool source = find_run(path, true, true), destination = find_run(path, false, true);
	LLVMValueRef bytes, load, store = LLVMConstInt(LLVMInt1TypeInContext(
		LLVMGetBuilderContext(builder)), 1, false);

	if (source) {
		bytes = way_source_bytes(&way);
		load = LLVMBuildICmp(builder, LLVMIntUGE, bytes, LLVMConstInt(
			LLVMTypeOf(bytes), form_bytes(form, form->vector), false), "exists");
	} else {
		load = side_is_aligned(ctx, path, path->load);
	}
	if (load && !destination)
		store = side_is_aligned(ctx, path, path->store);
	return load && store ? LLVMBuildAnd(builder, load, store, "shifted") : NULL;
}

static bool open_side(layout_context *ctx, struct way *way, struct way_side *side,
	const struct block_side *vectors, bool source)
{
	const struct path *path = way->path;
	struct access_constants constants = { .values =
		layout_alloc(ctx, vectors->count, sizeof(int64_t)) };
	bool ok = constants.values;

	if (ok) {
		find_constants(way, side, vectors, &constants);
		ok = access_open(ctx, &side->access, path->iteration,
			choose_access(way, side, &constants), &side->side->plan,
			side->side->base, &path->lane, &constants);
	}
	free(constants.values);
	side->masked = way->kind != PATH_FULL && !side->side->local;
	if (ok && is_edge(way) && side->masked)
		side->access.align = edge_align(way->path, side->side);
	if (ok && side->parted && source)
		access_limit(&side->access, LLVMGetParam(path->iteration->function,
			PLAN_SOURCE), way_source_bytes(way));
	if (ok && !side->masked && !side->shared &&
	    (!source || side->side->plan.side->side->step == 1))
		side->aligned = tile_is_aligned(&side->access, form_bytes(
			side->side->plan.side, vectors->vector), &side->align);
	side->run = side->aligned || side->shifted || side->shared ?
		find_run(path, source, side->shifted) : 0;
	if (ok && side->masked)
		bounds_open(&side->bounds, path->iteration, path->form, source,
			&path->lane);
	return ok;
}

bool way_open(layout_context *ctx, struct way *way)
{
	const struct plan_tile *tile = plan_of(way)->tile;
	const struct tile_form *form = way->path->form;
	struct block *block = &way->block;
	uint64_t digits;

	way->load.side = way->path->load;
	way->store.side = way->path->store;
	way->load.shifted = way->kind == PATH_SHIFTED && find_run(way->path, true, true);
	way->store.shifted = way->kind == PATH_SHIFTED && find_run(way->path, false, true);
	way->store.shared = way->kind == PATH_FULL && !way->store.side->local &&
		plan_tile_shared_dim(tile) < tile->dim_count;
	choose_chains(way, EDGE_VECTOR);
	if ((way->load.parted || way->store.parted) &&
	    block_size(form, way->load.chain | way->store.chain) > EDGE_BLOCK)
		choose_chains(way, EDGE_VECTOR / 2);
	digits = choose_digits(way);
	way->looped = form_register_digits(form) & ~digits;
	if (!block_build(ctx, block, form, digits, way->load.chain, way->store.chain))
		return false;
	way->values = layout_alloc(ctx, block->count, sizeof(*way->values));
	way->stored = layout_alloc(ctx, block->count, sizeof(*way->stored));
	way->parts = layout_alloc(ctx, block->count, sizeof(*way->parts));
	way->alike = layout_alloc(ctx, block->count, sizeof(*way->alike));
	way->from = layout_alloc(ctx, block->count, sizeof(*way->from));
	if (!way->values || !way->stored || !way->parts || !way->alike || !way->from)
		return false;
	for (unsigned e = 0; e < block->count; e++)
		way->from[block->store.slots[e]] = block->load.slots[e];
	return open_side(ctx, way, &way->load, &block->load, true) &&
		open_side(ctx, way, &way->store, &block->store, false);
}

void way_close(struct way *way)
{
	access_close(&way->load.access);
	access_close(&way->store.access);
	block_free(&way->block);
	free(way->values);
	free(way->stored);
	free(way->parts);
	free(way->alike);
	free(way->from);
}
