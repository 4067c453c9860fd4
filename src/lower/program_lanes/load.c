/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/program_lanes/access_parts.h"
#include "lower/branch.h"

#include <stdlib.h>

static void load_runs(struct program_access *access, LLVMValueRef *values)
{
	const struct access_split *split = &access->split;

	for (unsigned i = 0; i < split->count;) {
		unsigned run = access_split_run(split, access->memory, i, access_most(access));
		LLVMValueRef loaded = LLVMBuildLoad2(access->body->b,
			access_vector_type(access, run), access_start(access, i), "");

		LLVMSetAlignment(loaded, access_align(access, run));
		for (unsigned j = 0; j < run; j++)
			values[split->order[i + j]] = access_part(access, loaded, run, j);
		i += run;
	}
}

static void load_wide(struct program_access *access, LLVMValueRef *values)
{
	access->wide = true;
	load_runs(access, values);
}

static void load_split(struct program_access *access, LLVMValueRef *values)
{
	access->wide = false;
	load_runs(access, values);
}

static void load_whole(struct program_access *access, LLVMValueRef *values)
{
	access_runs(access, load_wide, load_split, values);
}

static unsigned registers_of(const struct program_access *access)
{
	return (unsigned)access->owner->extent[OWNER_REGISTER];
}

static bool is_loaded(const struct program_access *access, unsigned r)
{
	return !access->part || access->part[r];
}

static LLVMValueRef pad_of(const struct program_access *access)
{
	return LLVMConstInt(program_type(access->body, access->type), access->tile->bits,
		false);
}

static void load_near(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	const layout_kernel *kernel = body->iteration->kernel;
	LLVMValueRef none = lower_int(body->i32, 0);

	program_access_begin(access, 1);
	for (unsigned r = 0; r < registers_of(access); r++) {
		LLVMValueRef inside;

		if (!is_loaded(access, r))
			continue;
		inside = program_access_inside(access, r);
		values[r] = kernel->hooks->buffer_load(body->b, access_vector_type(access, 1),
			program_access_buffer(access, r),
			program_access_offset(access, r, inside), none);
		if (access->tile->bits)
			values[r] = LLVMBuildSelect(body->b, inside, values[r],
				pad_of(access), "");
	}
}

static LLVMValueRef byte_at(const struct program_access *access, LLVMValueRef byte)
{
	const program_scope *body = access->body;

	return LLVMBuildLoad2(body->b, body->i8, LLVMBuildGEP2(body->b, body->i8,
		access->pointer, &byte, 1, ""), "");
}

/* Of less than a byte: from that of its first bit, and where they are not the same, that of its
 * last. */
static LLVMValueRef load_bits(const struct program_access *access, LLVMValueRef offset)
{
	const program_scope *body = access->body;
	unsigned bits = access->type->bits;
	LLVMTypeRef i16 = LLVMInt16TypeInContext(LLVMGetBuilderContext(body->b));
	LLVMValueRef first = LLVMBuildMul(body->b, offset, lower_int(body->i64, bits), "");
	LLVMValueRef three = lower_int(body->i64, 3), low, high, last;

	low = LLVMBuildZExt(body->b, byte_at(access, LLVMBuildLShr(body->b, first, three,
		"")), i16, "");
	if (8 % bits) {
		last = LLVMBuildAdd(body->b, first, lower_int(body->i64, bits - 1), "");
		high = LLVMBuildZExt(body->b, byte_at(access, LLVMBuildLShr(body->b, last,
			three, "")), i16, "");
		low = LLVMBuildOr(body->b, low, LLVMBuildShl(body->b, high,
			lower_int(i16, 8), ""), "");
	}
	low = LLVMBuildLShr(body->b, low, LLVMBuildTrunc(body->b, LLVMBuildAnd(body->b,
		first, lower_int(body->i64, 7), ""), i16, ""), "");
	return LLVMBuildTrunc(body->b, low, access_vector_type(access, 1), "");
}

static LLVMValueRef load_at(const struct program_access *access, LLVMValueRef offset)
{
	LLVMValueRef value;

	if (access->type->bits % 8)
		return load_bits(access, offset);
	value = LLVMBuildLoad2(access->body->b, access_vector_type(access, 1),
		access_element(access, offset), "");
	LLVMSetAlignment(value, access->type->bits / 8);
	return value;
}

/* What is outside is loaded from the first element, and given up; where that may be
 * stored at the same time, nothing is loaded. */
static LLVMValueRef load_one(const struct program_access *access, unsigned r)
{
	const program_scope *body = access->body;
	LLVMValueRef inside, offset = program_access_find(access, r, &inside);
	struct branch branch;

	if (access->tile->memory->access == LAYOUT_ACCESS_IN)
		return LLVMBuildSelect(body->b, inside, load_at(access, offset),
			pad_of(access), "");
	branch = branch_open(body->iteration, inside, "inside");
	return branch_value(body->iteration, &branch, load_at(access, offset),
		pad_of(access));
}

/* A memory without elements has no first one. */
static void load_far(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	LLVMValueRef elements = program_uniform(body, access->memory->elements);
	LLVMValueRef some = LLVMBuildICmp(body->b, LLVMIntSGT, elements,
		lower_int(body->i64, 0), "");
	struct branch branch = branch_open(body->iteration, some, "some");
	LLVMBasicBlockRef from[2] = { branch.from, NULL };

	for (unsigned r = 0; r < registers_of(access); r++)
		if (is_loaded(access, r))
			values[r] = load_one(access, r);
	from[1] = LLVMGetInsertBlock(body->b);
	branch_close(body->iteration, &branch);
	for (unsigned i = 0; i < access->split.count; i++) {
		unsigned r = access->split.order[i];
		LLVMValueRef either[] = { pad_of(access), values[r] };

		values[r] = LLVMBuildPhi(body->b, LLVMTypeOf(either[1]), "");
		LLVMAddIncoming(values[r], either, from, 2);
	}
}

static void load_even(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	const layout_kernel *kernel = body->iteration->kernel;
	LLVMValueRef none = lower_int(body->i32, 0);
	unsigned vector = access_even_vector(access);

	program_access_begin(access, vector);
	for (unsigned i = 0; i < access->split.count; i += vector) {
		const unsigned *order = access->split.order + i;
		LLVMValueRef inside = program_access_inside(access, order[0]), loaded;

		loaded = kernel->hooks->buffer_load(body->b, access_words_type(access, vector),
			program_access_buffer(access, order[0]),
			program_access_offset(access, order[0], inside), none);
		loaded = LLVMBuildBitCast(body->b, loaded, access_vector_type(access, vector), "");
		for (unsigned j = 0; j < vector; j++) {
			values[order[j]] = access_part(access, loaded, vector, j);
			if (access->tile->bits)
				values[order[j]] = LLVMBuildSelect(body->b, inside,
					values[order[j]], pad_of(access), "");
		}
	}
}

static void load_buffered(struct program_access *access, LLVMValueRef *values)
{
	unsigned vector = access_even_vector(access);
	struct program_rounds rounds;

	if (!program_rounds_open(access, &rounds, access->split.count))
		return;
	if (vector > 1)
		access_ways(access, program_access_is_even(access, vector), load_even,
			load_near, values);
	else
		load_near(access, values);
	program_rounds_close(access, &rounds, values);
}

static void load_masked(struct program_access *access, LLVMValueRef *values)
{
	const layout_kernel *kernel = access->body->iteration->kernel;

	if (!chip_of(kernel->target)->code.buffers)
		load_far(access, values);
	else
		access_ways(access, program_access_fits(access), load_buffered, load_far,
			values);
}

/* Registers of other parts are not loaded. */
static void keep_part(struct program_access *access, const bool *part)
{
	struct access_split *split = &access->split;
	unsigned kept = 0;

	access->part = part;
	for (unsigned i = 0; i < split->count; i++)
		if (is_loaded(access, split->order[i]))
			split->order[kept++] = split->order[i];
	split->count = kept;
}

static void load_bits_wide(struct program_access *access, LLVMValueRef *values)
{
	LLVMValueRef holds = program_words_hold(access);

	if (holds)
		access_ways(access, holds, program_words_load, load_far, values);
}

static bool load(program_scope *body, const layout_tile *tile, const bool *part, bool first)
{
	struct program_access access;
	LLVMValueRef *values = !first ? body->values[tile->number] :
		program_make_values(body, tile);
	bool ok = values && program_access_open(&access, body, tile, tile->memory,
		&tile->place);

	if (ok && part)
		keep_part(&access, part);
	if (ok && access.split.apart && body->whole)
		load_whole(&access, values);
	else if (ok && access.split.apart && access_is_edge(&access))
		load_masked(&access, values);
	else if (ok && access.split.apart)
		access_ways(&access, access_is_whole(&access), load_whole, load_masked, values);
	else if (ok && program_words_can(&access))
		load_bits_wide(&access, values);
	else if (ok)
		load_far(&access, values);
	if (values)
		program_access_free(&access);
	return ok;
}

bool program_lower_load(program_scope *body, const layout_tile *tile)
{
	return tile->parts || load(body, tile, NULL, true);
}

bool program_load_part(program_scope *body, const layout_tile *tile, bool *part, bool first)
{
	bool ok = part && load(body, tile, part, first);

	free(part);
	return ok;
}

void program_finish_part(const program_scope *body, LLVMValueRef *sums, unsigned count,
	unsigned words)
{
	const struct target_hooks *hooks = body->iteration->kernel->hooks;

	for (unsigned i = 0; hooks->here && i < count; i++) {
		LLVMTypeRef is = LLVMTypeOf(sums[i]), type = words ? LLVMVectorType(body->i32,
			words) : is;

		sums[i] = LLVMBuildBitCast(body->b, hooks->here(body->b, LLVMBuildBitCast(body->b,
			sums[i], type, "")), is, "");
	}
	hooks->fence(body->b);
}
