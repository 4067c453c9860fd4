/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/branch.h"
#include "lower/convert.h"
#include "lower/tile/path_parts.h"
#include "lower/tile/permute.h"

#include <stdlib.h>
#include <string.h>

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
	const struct tile_form *form = way->path->form;
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

bool way_move(layout_context *ctx, struct way *way,
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
