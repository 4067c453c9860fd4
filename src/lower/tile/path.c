/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/branch.h"
#include "lower/convert.h"
#include "lower/tile/permute.h"
#include "kernel/tile/align.h"
#include "lower/tile/path_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Elements whose loads an edge has in flight, where vectors do not ask for more. */
#define EDGE_ELEMENTS 16

/* Elements of a vector that an edge may cross, as what it parts is accessed one by one;
 * and what a block then may hold, or vectors are half as long. */
#define EDGE_VECTOR 8
#define EDGE_BLOCK 32

static LLVMValueRef small_constant(const struct way *way, int64_t value)
{
	return LLVMConstInt(LLVMTypeOf(way->path->lane.value),
		(unsigned long long)value, false);
}

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
	const struct form *form = way->path->form;
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
	const struct plan *plan = kernel->plan;

	return (struct tile_align){ plan->tile, plan->size_count, plan->valid, kernel->target->wave_size,
		chip_of(kernel->target)->lanes && kernel->lanes % kernel->target->wave_size == 0,
		{ plan->visit.load.bits, plan->visit.store.bits } };
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
	struct access access;
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

static LLVMValueRef inside(const struct way_side *side,
	const struct address_digits *digits)
{
	return side->masked ? bounds_inside(&side->bounds, digits) : NULL;
}

LLVMTypeRef lane_vector(const struct way *way, unsigned bits, unsigned count)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(builder_of(way));

	return LLVMVectorType(LLVMIntTypeInContext(llvm, bits), count);
}

LLVMValueRef way_convert(const struct way *way, LLVMValueRef value)
{
	const struct conversion *conversion = &plan_of(way)->conversion;
	const struct form *form = way->path->form;
	unsigned vector = way->block.load.vector, bytes;
	LLVMBuilderRef builder = builder_of(way);

	if (way->load.side->local || conversion_is_copy(conversion))
		return value;
	bytes = form_bytes(&form->store, vector);
	value = LLVMBuildBitCast(builder, value,
		lane_vector(way, form->load.bits, vector), "elements");
	value = convert_value(builder, conversion, value);
	return LLVMBuildBitCast(builder, value,
		permute_type(LLVMGetBuilderContext(builder), bytes), "converted");
}

/* A vector of pad values. */
static LLVMValueRef pad_of(const struct way *way, LLVMTypeRef type)
{
	unsigned bits = way->path->form->store.bits, count = way->block.load.vector;
	LLVMTypeRef element = LLVMIntTypeInContext(
		LLVMGetBuilderContext(builder_of(way)), bits);
	LLVMValueRef pads[64];

	for (unsigned i = 0; i < count; i++)
		pads[i] = LLVMConstInt(element, plan_of(way)->pad_bits, false);
	return LLVMBuildBitCast(builder_of(way), LLVMConstVector(pads, count), type,
		"pad");
}

/* May the last elements of a byte be outside where the first is inside? */
static bool ends_in_bytes(const struct way *way, const struct way_side *side)
{
	const struct form_side *form = side->side->plan.side;
	uint64_t dims = side->masked && form->bits < 8 ?
		form_dims(way->path->form, side->chain) & side->bounds.ragged : 0;

	for (; dims; dims &= dims - 1) {
		unsigned d = (unsigned)__builtin_ctzll(dims);
		const struct tile_dim *dim = &plan_of(way)->tile->dims[d];
		int64_t step = side == &way->load ? dim->read_step : dim->written_step;

		if (step % form_span(way->path->form, side->chain, d))
			return true;
	}
	return false;
}

/* Vector i, which is a byte, with the bits of "other" where an element is outside. */
static LLVMValueRef mask_elements(struct way *way, const struct way_side *side,
	const struct block_side *vectors, unsigned i, struct address_digits *digits,
	LLVMValueRef value, LLVMValueRef other)
{
	LLVMBuilderRef builder = builder_of(way);
	unsigned bits = side->side->plan.side->bits;

	for (unsigned at = 1; at < vectors->vector; at++) {
		unsigned e = block_element(&way->block, vectors,
			i * vectors->vector + at);
		LLVMValueRef part = LLVMConstInt(LLVMTypeOf(value),
			((1u << bits) - 1) << at * bits, false), cut;

		block_digits(&way->block, e, digits);
		cut = LLVMBuildOr(builder, LLVMBuildAnd(builder, value,
			LLVMBuildNot(builder, part, "others"), "kept"),
			LLVMBuildAnd(builder, other, part, "part"), "cut");
		value = LLVMBuildSelect(builder, inside(side, digits), value, cut,
			"masked");
	}
	block_digits(&way->block, vectors->starts[i], digits);
	return value;
}

/* All vectors as the source has them, where they are as aligned as the access says. */
static void load_plain(struct way *way, struct address_digits *digits)
{
	const struct block_side *vectors = &way->block.load;

	for (unsigned i = 0; i < vectors->count; i++) {
		block_digits(&way->block, vectors->starts[i], digits);
		way->values[i] = way_load(way, digits, NULL);
	}
}

/* All vectors out of aligned ones, where these exist, else as load_plain() does. */
static bool load_shifted(layout_context *ctx, struct way *way, struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	const struct block_side *vectors = &way->block.load;
	unsigned bytes = form_bytes(&way->path->form->load, vectors->vector);
	LLVMBuilderRef builder = builder_of(way);
	LLVMValueRef *shifted = layout_alloc(ctx, vectors->count, sizeof(*shifted));
	LLVMValueRef size = way_source_bytes(way);
	LLVMValueRef end = LLVMBuildGEP2(builder, LLVMInt8TypeInContext(
		LLVMGetBuilderContext(builder)), LLVMGetParam(iteration->function,
		PLAN_SOURCE), &size, 1, "end");
	struct branch branch;

	if (!shifted)
		return false;
	branch = branch_open(iteration, shift_exists(&way->load.access, bytes, end), "shifted");
	for (unsigned i = 0; i < vectors->count; i++) {
		block_digits(&way->block, vectors->starts[i], digits);
		shifted[i] = shift_load(&way->load.access, digits, bytes);
	}
	branch_otherwise(iteration, &branch);
	load_plain(way, digits);
	branch_values(iteration, &branch, way->values, shifted, vectors->count);
	free(shifted);
	return true;
}

/* Where no lane is masked and alignment is asked for: what is loaded is converted once all
 * is there. */
static bool load_either(layout_context *ctx, struct way *way, struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	unsigned count = way->block.load.count, least = way->load.access.align;
	LLVMValueRef *wide = layout_alloc(ctx, count, sizeof(*wide));
	struct branch branch;
	bool ok = true;

	if (!wide)
		return false;
	branch = branch_open(iteration, way->load.aligned, "aligned");
	way->load.access.align = way->load.align;
	load_plain(way, digits);
	memcpy(wide, way->values, count * sizeof(*wide));
	branch_otherwise(iteration, &branch);
	way->load.access.align = least;
	if (way->load.run)
		ok = load_shifted(ctx, way, digits);
	else
		load_plain(way, digits);
	branch_values(iteration, &branch, way->values, wide, count);
	for (unsigned i = 0; i < count; i++)
		way->values[i] = way_convert(way, way->values[i]);
	free(wide);
	return ok;
}

static LLVMValueRef load_vector(struct way *way, unsigned i,
	struct address_digits *digits)
{
	LLVMValueRef mask = inside(&way->load, digits), value, pad;

	value = way_convert(way, way_load(way, digits, mask));
	if (!mask)
		return value;
	pad = pad_of(way, LLVMTypeOf(value));
	if (!loads_padding(way))
		value = LLVMBuildSelect(builder_of(way), mask, value, pad, "padded");
	return ends_in_bytes(way, &way->load) ? mask_elements(way, &way->load,
		&way->block.load, i, digits, value, pad) : value;
}

static void load_vectors(struct way *way, struct address_digits *digits)
{
	const struct block_side *vectors = &way->block.load;

	if (way->load.shifted || way->load.parted) {
		(way->load.shifted ? shifted_load : parted_load)(way, digits);
		return;
	}
	for (unsigned i = 0; i < vectors->count; i++) {
		block_digits(&way->block, vectors->starts[i], digits);
		way->values[i] = load_vector(way, i, digits);
	}
}

/* Addresses are found before the first load of a full tile: found beside the data, they
 * would take registers of their own. */
static bool load_block(layout_context *ctx, struct way *way, struct address_digits *digits)
{
	const struct target_hooks *hooks = way->path->iteration->kernel->hooks;
	bool ok = true;

	if (way->kind == PATH_FULL)
		hooks->fence(builder_of(way));
	if (way->load.aligned)
		ok = load_either(ctx, way, digits);
	else
		load_vectors(way, digits);
	if (way->kind == PATH_FULL)
		hooks->fence(builder_of(way));
	return ok;
}

/* What stored[] has, to where it is as aligned as the access says. */
static void store_plain(struct way *way, struct address_digits *digits)
{
	const struct block_side *vectors = &way->block.store;
	unsigned bytes = form_bytes(&way->path->form->store, vectors->vector);

	for (unsigned i = 0; i < vectors->count; i++) {
		block_digits(&way->block, vectors->starts[i], digits);
		access_store(&way->store.access, digits, bytes, way->stored[i], NULL, NULL);
	}
}

/* The same to anywhere, by aligned vectors; "share" as for shift_store(). */
static void store_shifted(struct way *way, const struct shift_share *share,
	struct address_digits *digits)
{
	const struct block_side *vectors = &way->block.store;
	struct shift_lanes lanes = shift_lanes_of(&way->store.access, &way->path->lane,
		way->store.run);

	for (unsigned i = 0; i < vectors->count; i++) {
		block_digits(&way->block, vectors->starts[i], digits);
		shift_store(&way->store.access, &lanes, share, digits, form_bytes(
			&way->path->form->store, vectors->vector), way->stored[i], NULL);
	}
}

/* So many bytes of a row does the tile begin earlier than it would if it were not the last one. */
static LLVMValueRef excess_of(const struct way *way, unsigned d, unsigned bytes)
{
	LLVMBuilderRef builder = builder_of(way);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder));

	if (!plan_of(way)->tile->dims[d].pitch[0])
		return LLVMConstNull(i32);
	return LLVMBuildMul(builder, LLVMBuildTrunc(builder, bounds_excess(
		way->path->iteration, d), i32, "excess"), LLVMConstInt(i32, bytes, false),
		"skipped");
}

/* The same of tiles that share sectors. */
static void store_shared(struct way *way, struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	unsigned d = plan_tile_shared_dim(plan_of(way)->tile), bits = way->path->form->store.bits;
	struct shift_share share = { chip_of(iteration->kernel->target)->memory->sector,
		(unsigned)plan_of(way)->tile->dims[d].step * bits / 8, excess_of(way, d, bits / 8),
		bounds_begins(iteration, d), bounds_ends(iteration, d) };

	store_shifted(way, &share, digits);
}

static void store_either(struct way *way, struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	unsigned least = way->store.access.align;
	struct branch branch = branch_open(iteration, way->store.aligned, "aligned");

	way->store.access.align = way->store.align;
	store_plain(way, digits);
	branch_otherwise(iteration, &branch);
	way->store.access.align = least;
	if (way->store.run)
		store_shifted(way, NULL, digits);
	else
		store_plain(way, digits);
	branch_close(iteration, &branch);
}

/* Do vectors have other orders, and elements of no other vector?  LLVM then copies registers
 * where a vector is exchanged beside the store of the one before. */
static bool is_turned(const struct way *way)
{
	unsigned vector = way->block.store.vector;
	bool turned = false;

	if (way->block.load.vector != vector)
		return false;
	for (unsigned s = 0; s < way->block.count; s++) {
		if (way->from[s] / vector != way->from[s - s % vector] / vector)
			return false;
		turned = turned || way->from[s] % vector != s % vector;
	}
	return turned;
}

static void store_block(struct way *way, struct permute *permute,
	struct address_digits *digits)
{
	const struct block_side *vectors = &way->block.store;
	unsigned bytes = form_bytes(&way->path->form->store, vectors->vector);
	bool all = way->store.parted || way->store.aligned || way->store.shifted ||
		way->store.shared || is_turned(way);

	for (unsigned i = 0; all && i < vectors->count; i++)
		way->stored[i] = permute_take(permute, i);
	if (way->store.aligned || way->store.shared) {
		(way->store.shared ? store_shared : store_either)(way, digits);
		return;
	}
	if (way->store.shifted || way->store.parted) {
		(way->store.shifted ? shifted_store : parted_store)(way, digits);
		return;
	}
	for (unsigned i = 0; i < vectors->count; i++) {
		LLVMValueRef value = all ? way->stored[i] : permute_take(permute, i);

		block_digits(&way->block, vectors->starts[i], digits);
		if (ends_in_bytes(way, &way->store))
			value = mask_elements(way, &way->store, vectors, i, digits,
				value, LLVMConstNull(LLVMTypeOf(value)));
		access_store(&way->store.access, digits, bytes, value,
			inside(&way->store, digits), NULL);
	}
}

static bool move_block(layout_context *ctx, struct way *way,
	struct address_digits *digits)
{
	const struct block *block = &way->block;
	struct permute permute = {
		.builder = builder_of(way), .hooks = way->path->iteration->kernel->hooks,
		.bits = way->path->form->store.bits,
		.load_vector = block->load.vector, .store_vector = block->store.vector,
		.load_count = block->load.count, .store_count = block->store.count,
		.from = way->from, .loaded = way->values,
	};

	if (!load_block(ctx, way, digits))
		return false;
	if (!permute_open(ctx, &permute))
		return false;
	store_block(way, &permute, digits);
	permute_close(&permute);
	return true;
}

/* The digits outside the block, from the number of the turn. */
static void loop_digits(const struct way *way, LLVMValueRef turn,
	struct address_digits *digits)
{
	const struct form *form = way->path->form;
	LLVMBuilderRef builder = builder_of(way);
	int64_t place = 1;

	for (uint64_t set = way->looped; set; set &= set - 1) {
		unsigned d = (unsigned)__builtin_ctzll(set);
		LLVMValueRef quotient = LLVMBuildUDiv(builder, turn,
			small_constant(way, place), "quotient");

		digits->value[d] = LLVMBuildURem(builder, quotient,
			small_constant(way, form->digits[d].digit.radix), "digit");
		place *= form->digits[d].digit.radix;
	}
}

/* The block, where the wave has anything to store. */
static bool move_reached(layout_context *ctx, struct way *way,
	struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	LLVMValueRef reached = way->store.masked ?
		bounds_reach(&way->store.bounds, digits) : NULL;
	struct branch branch;
	bool ok;

	if (!reached)
		return move_block(ctx, way, digits);
	branch = branch_open(iteration, reached, "reached");
	ok = move_block(ctx, way, digits);
	branch_close(iteration, &branch);
	return ok;
}

static bool move_looped(layout_context *ctx, struct way *way,
	struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	int64_t turns = block_size(way->path->form, way->looped);
	LLVMBuilderRef builder = builder_of(way);
	LLVMBasicBlockRef before = LLVMGetInsertBlock(builder), body, exit;
	LLVMValueRef turn, next, first = small_constant(way, 0);
	bool ok;

	body = iteration_block(iteration, "turn");
	exit = iteration_block(iteration, "moved");
	LLVMBuildBr(builder, body);
	LLVMPositionBuilderAtEnd(builder, body);
	turn = LLVMBuildPhi(builder, LLVMTypeOf(first), "turn");
	LLVMAddIncoming(turn, &first, &before, 1);
	loop_digits(way, turn, digits);
	ok = move_reached(ctx, way, digits);
	next = LLVMBuildNUWAdd(builder, turn, small_constant(way, 1), "next");
	before = LLVMGetInsertBlock(builder);
	LLVMAddIncoming(turn, &next, &before, 1);
	LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, next,
		small_constant(way, turns), "more"), body, exit);
	LLVMPositionBuilderAtEnd(builder, exit);
	return ok;
}

static bool open_way(layout_context *ctx, struct way *way)
{
	const struct plan_tile *tile = plan_of(way)->tile;
	const struct form *form = way->path->form;
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

static void close_way(struct way *way)
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

bool path_lower(layout_context *ctx, const struct path *path, enum path_kind kind)
{
	struct way *way = layout_alloc(ctx, 1, sizeof(*way));
	struct address_digits digits = { { 0 }, { NULL } };
	bool ok;

	if (!way)
		return false;
	way->ctx = ctx;
	way->path = path;
	way->kind = kind;
	ok = open_way(ctx, way) && (way->looped ? move_looped : move_block)(ctx, way,
		&digits) && !way->failed;
	close_way(way);
	free(way);
	return ok;
}
