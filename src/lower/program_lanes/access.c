/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads and stores go one of four ways, as scalar branches find:
 *
 *	whole	the tile is inside of the memory: vectors, without masks
 *	even	vectors are inside or outside as one: these by a bounds-checked buffer
 *	near	elements by such a buffer
 *	far	where offsets have no parts: an element at a time, wherever it is */
#include "lower/program_lanes/access.h"

#include "lower/branch.h"
#include "program/bytes.h"

#include <stdlib.h>
#include <string.h>

static bool is_const(LLVMValueRef condition, bool value)
{
	return LLVMIsAConstantInt(condition) &&
		LLVMConstIntGetZExtValue(condition) == value;
}

static LLVMTypeRef vector_type(const struct program_access *access, unsigned count)
{
	LLVMTypeRef type = program_type(access->body, access->type);

	return count > 1 ? LLVMVectorType(type, count) : type;
}

/* Elements of the widest access. */
static unsigned most_of(const struct program_access *access)
{
	return access->body->iteration->kernel->target->max_load_bytes * 8 /
		access->type->bits;
}

static LLVMValueRef part_of(const struct program_access *access, LLVMValueRef vector,
	unsigned count, unsigned i)
{
	const program_scope *body = access->body;

	if (access->type->bits < 8 && count > 1)
		return LLVMBuildTrunc(body->b, LLVMBuildLShr(body->b, vector, program_int(
			body->i32, i * access->type->bits), ""), program_type(body,
			access->type), "");
	return count == 1 ? vector : LLVMBuildExtractElement(access->body->b, vector,
		program_int(access->body->i32, i), "");
}

typedef void access_way(struct program_access *access, LLVMValueRef *values);
static access_way load_wide, load_split, store_wide, store_split;
static void branch_ways(struct program_access *access, LLVMValueRef condition,
	access_way *one, access_way *other, LLVMValueRef *values);

/* Where the run that begins with split->order[i] is; found before where alignment is asked
 * for. */
static LLVMValueRef start_of(struct program_access *access, unsigned i)
{
	return access->starts ? access->starts[i] : program_access_address(access,
		access->split.order[i]);
}

/* Bytes that a vector is aligned to. */
static unsigned align_of(const struct program_access *access, unsigned run)
{
	unsigned element = access->type->bits / 8, bytes = run * element;

	return access->wide ? bytes & -bytes : element;
}

static void load_runs(struct program_access *access, LLVMValueRef *values)
{
	const struct access_split *split = &access->split;

	for (unsigned i = 0; i < split->count;) {
		unsigned run = access_split_run(split, access->memory, i, most_of(access));
		LLVMValueRef loaded = LLVMBuildLoad2(access->body->b,
			vector_type(access, run), start_of(access, i), "");

		LLVMSetAlignment(loaded, align_of(access, run));
		for (unsigned j = 0; j < run; j++)
			values[split->order[i + j]] = part_of(access, loaded, run, j);
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

/* Is what vectors begin at as aligned as that?  NULL where they are single elements, or no
 * memory. */
static LLVMValueRef find_starts(struct program_access *access)
{
	const program_scope *body = access->body;
	LLVMValueRef phase = NULL, low;

	access->wide = true;
	access->starts = layout_alloc(body->ctx, access->split.count, sizeof(LLVMValueRef));
	for (unsigned i = 0; access->starts && i < access->split.count;) {
		unsigned run = access_split_run(&access->split, access->memory, i,
			most_of(access));

		access->starts[i] = program_access_address(access, access->split.order[i]);
		if (run > 1) {
			low = LLVMBuildAnd(body->b, LLVMBuildPtrToInt(body->b,
				access->starts[i], body->i32, ""), program_int(body->i32,
				align_of(access, run) - 1), "");
			phase = phase ? LLVMBuildOr(body->b, phase, low, "") : low;
		}
		i += run;
	}
	access->wide = false;
	return phase ? LLVMBuildICmp(body->b, LLVMIntEQ, phase, program_int(body->i32, 0),
		"aligned") : NULL;
}

/* Runs of vectors; two ways of them where the target wants to know that they are aligned. */
static void access_runs(struct program_access *access, access_way *wide, access_way *split,
	LLVMValueRef *values)
{
	const layout_kernel *kernel = access->body->iteration->kernel;
	LLVMValueRef aligned = NULL;

	program_access_begin(access, 1);
	if (chip_of(kernel->target)->code.aligned)
		aligned = find_starts(access);
	if (aligned)
		branch_ways(access, aligned, wide, split, values);
	else
		split(access, values);
	free(access->starts);
	access->starts = NULL;
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
	const struct load_part *part = access->part;

	return !part || (r / part->elements % part->steps - part->first_step < part->step_count &&
		r / part->elements / part->steps - part->first_block < part->block_count);
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
	LLVMValueRef none = program_int(body->i32, 0);

	program_access_begin(access, 1);
	for (unsigned r = 0; r < registers_of(access); r++) {
		LLVMValueRef inside;

		if (!is_loaded(access, r))
			continue;
		inside = program_access_inside(access, r);
		values[r] = kernel->hooks->buffer_load(body->b, vector_type(access, 1),
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
	LLVMValueRef first = LLVMBuildMul(body->b, offset, program_int(body->i64, bits), "");
	LLVMValueRef three = program_int(body->i64, 3), low, high, last;

	low = LLVMBuildZExt(body->b, byte_at(access, LLVMBuildLShr(body->b, first, three,
		"")), i16, "");
	if (8 % bits) {
		last = LLVMBuildAdd(body->b, first, program_int(body->i64, bits - 1), "");
		high = LLVMBuildZExt(body->b, byte_at(access, LLVMBuildLShr(body->b, last,
			three, "")), i16, "");
		low = LLVMBuildOr(body->b, low, LLVMBuildShl(body->b, high,
			program_int(i16, 8), ""), "");
	}
	low = LLVMBuildLShr(body->b, low, LLVMBuildTrunc(body->b, LLVMBuildAnd(body->b,
		first, program_int(body->i64, 7), ""), i16, ""), "");
	return LLVMBuildTrunc(body->b, low, vector_type(access, 1), "");
}

static LLVMValueRef element_at(const struct program_access *access, LLVMValueRef offset)
{
	LLVMValueRef bytes = LLVMBuildMul(access->body->b, offset, program_int(
		access->body->i64, access->type->bits / 8), "");

	return LLVMBuildGEP2(access->body->b, access->body->i8, access->pointer, &bytes, 1,
		"");
}

static LLVMValueRef load_at(const struct program_access *access, LLVMValueRef offset)
{
	LLVMValueRef value;

	if (access->type->bits % 8)
		return load_bits(access, offset);
	value = LLVMBuildLoad2(access->body->b, vector_type(access, 1),
		element_at(access, offset), "");
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
		program_int(body->i64, 0), "");
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

/* Two ways on their way: what registers are at the end of each, and where that is. */
struct ways {
	LLVMBasicBlockRef from[2], join;
	LLVMValueRef *values[2];
};

static bool differ(const struct ways *ways, unsigned r)
{
	return ways->values[0][r] != ways->values[1][r];
}

static LLVMValueRef meet(const struct program_access *access, const struct ways *ways,
	LLVMValueRef either[2])
{
	LLVMValueRef phi = LLVMBuildPhi(access->body->b, LLVMTypeOf(either[0]), "");

	LLVMAddIncoming(phi, either, (LLVMBasicBlockRef *)ways->from, 2);
	return phi;
}

/* Of less than a byte, those that follow each other in a word. */
static LLVMValueRef join_word(const struct program_access *access, const unsigned *order,
	unsigned count, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	LLVMValueRef word = program_int(body->i32, 0);

	for (unsigned j = 0; j < count; j++)
		word = LLVMBuildOr(body->b, word, LLVMBuildShl(body->b, LLVMBuildZExt(body->b,
			values[order[j]], body->i32, ""), program_int(body->i32,
			j * access->type->bits), ""), "");
	return word;
}

/* The registers "order" has as a vector. */
static LLVMValueRef join(const struct program_access *access, const unsigned *order,
	unsigned count, LLVMValueRef *values)
{
	LLVMValueRef value = values[order[0]];

	if (access->type->bits < 8 && count > 1)
		return join_word(access, order, count, values);
	for (unsigned j = 0; count > 1 && j < count; j++)
		value = LLVMBuildInsertElement(access->body->b, j ? value : LLVMGetPoison(
			vector_type(access, count)), values[order[j]],
			program_int(access->body->i32, j), "");
	return value;
}

/* Elements that a register of the machine has: they meet together. */
static unsigned meeting(const struct program_access *access)
{
	unsigned bits = access->type->bits, together = bits == 6 ? 4 : bits < 32 ? 32 / bits : 1;

	return access->split.count % together ? 1 : together;
}

static void meet_all(const struct program_access *access, const struct ways *ways)
{
	LLVMBuilderRef b = access->body->b;
	unsigned together = meeting(access);

	for (unsigned i = 0; i < access->split.count; i += together) {
		const unsigned *order = access->split.order + i;
		LLVMValueRef either[2], word;

		if (!differ(ways, order[0]))
			continue;
		for (unsigned w = 0; w < 2; w++) {
			LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(
				ways->from[w]));
			either[w] = join(access, order, together, ways->values[w]);
		}
		LLVMPositionBuilderAtEnd(b, ways->join);
		word = meet(access, ways, either);
		for (unsigned j = 0; j < together; j++)
			ways->values[1][order[j]] = word;
	}
	for (unsigned i = 0; i < access->split.count; i++) {
		LLVMValueRef *value = &ways->values[1][access->split.order[i]];

		if (together > 1 && differ(ways, access->split.order[i]))
			*value = part_of(access, *value, together, i % together);
	}
}

static void branch_ways(struct program_access *access, LLVMValueRef condition,
	access_way *one, access_way *other, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	unsigned count = (unsigned)access->owner->extent[OWNER_REGISTER];
	struct ways ways = { .values = { NULL, values } };
	LLVMBasicBlockRef yes, no;

	if (is_const(condition, true) || is_const(condition, false)) {
		(is_const(condition, true) ? one : other)(access, values);
		return;
	}
	ways.values[0] = layout_alloc(body->ctx, count, sizeof(LLVMValueRef));
	if (!ways.values[0])
		return;
	memcpy(ways.values[0], values, count * sizeof(LLVMValueRef));
	yes = iteration_block(body->iteration, "way");
	no = iteration_block(body->iteration, "other");
	ways.join = iteration_block(body->iteration, "accessed");
	LLVMBuildCondBr(body->b, condition, yes, no);
	LLVMPositionBuilderAtEnd(body->b, yes);
	one(access, ways.values[0]);
	ways.from[0] = LLVMGetInsertBlock(body->b);
	LLVMBuildBr(body->b, ways.join);
	LLVMPositionBuilderAtEnd(body->b, no);
	other(access, values);
	ways.from[1] = LLVMGetInsertBlock(body->b);
	LLVMBuildBr(body->b, ways.join);
	LLVMPositionBuilderAtEnd(body->b, ways.join);
	meet_all(access, &ways);
	free(ways.values[0]);
}

static unsigned even_vector(const struct program_access *access)
{
	return access_split_even(&access->split, access->memory, access->owner,
		most_of(access));
}

/* As words, or one integer of less. */
static LLVMTypeRef words_type(const struct program_access *access, unsigned count)
{
	unsigned bits = count * access->type->bits;
	LLVMContextRef llvm = LLVMGetBuilderContext(access->body->b);

	return bits <= 32 ? LLVMIntTypeInContext(llvm, bits) :
		LLVMVectorType(access->body->i32, bits / 32);
}

static void load_even(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	const layout_kernel *kernel = body->iteration->kernel;
	LLVMValueRef none = program_int(body->i32, 0);
	unsigned vector = even_vector(access);

	program_access_begin(access, vector);
	for (unsigned i = 0; i < access->split.count; i += vector) {
		const unsigned *order = access->split.order + i;
		LLVMValueRef inside = program_access_inside(access, order[0]), loaded;

		loaded = kernel->hooks->buffer_load(body->b, words_type(access, vector),
			program_access_buffer(access, order[0]),
			program_access_offset(access, order[0], inside), none);
		loaded = LLVMBuildBitCast(body->b, loaded, vector_type(access, vector), "");
		for (unsigned j = 0; j < vector; j++) {
			values[order[j]] = part_of(access, loaded, vector, j);
			if (access->tile->bits)
				values[order[j]] = LLVMBuildSelect(body->b, inside,
					values[order[j]], pad_of(access), "");
		}
	}
}

static void load_buffered(struct program_access *access, LLVMValueRef *values)
{
	unsigned vector = even_vector(access);
	struct program_rounds rounds;

	if (!program_rounds_open(access, &rounds, access->split.count))
		return;
	if (vector > 1)
		branch_ways(access, program_access_is_even(access, vector), load_even,
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
		branch_ways(access, program_access_fits(access), load_buffered, load_far,
			values);
}

static LLVMValueRef is_whole(const struct program_access *access)
{
	struct program_room room = program_room_begin(access->body);

	program_access_find_room(access, &room);
	return program_room_holds(access->body, &room);
}

bool program_whole_steps(program_scope *body, const struct program_statement *statement,
	LLVMValueRef *steps)
{
	bool store = statement->kind == STATEMENT_STORE, ok;
	const layout_tile *tile = statement->tile;
	struct program_access access;

	ok = program_access_open(&access, body, tile, store ? statement->memory :
		tile->memory, store ? &statement->place : &tile->place);
	if (ok && program_access_can_be_whole(&access) &&
	    !program_access_whole_steps(&access, steps))
		*steps = program_int(body->i64, 0);
	program_access_free(&access);
	return ok;
}

bool program_find_room(program_scope *body, const struct program_statement *statement,
	struct program_room *room)
{
	bool store = statement->kind == STATEMENT_STORE, ok;
	const layout_tile *tile = statement->tile;
	struct program_access access;

	ok = program_access_open(&access, body, tile, store ? statement->memory :
		tile->memory, store ? &statement->place : &tile->place);
	if (ok && program_access_can_be_whole(&access))
		program_access_find_room(&access, room);
	else if (ok && !access.alone)
		room->holds = LLVMConstNull(LLVMInt1TypeInContext(LLVMGetBuilderContext(
			body->b)));
	program_access_free(&access);
	return ok;
}

/* Where the program has another version for whole tiles, what is masked is as wide. */
static bool is_edge(const struct program_access *access)
{
	return access->body->edge && even_vector(access) == access_split_vector(
		&access->split, access->memory, most_of(access));
}

/* Registers of other parts are not loaded. */
static void keep_part(struct program_access *access, const struct load_part *part)
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
		branch_ways(access, holds, program_words_load, load_far, values);
}

static bool load(program_scope *body, const layout_tile *tile, const struct load_part *part)
{
	struct program_access access;
	bool begun = part && (part->first_step || part->first_block);
	LLVMValueRef *values = begun ? body->values[tile->number] :
		program_make_values(body, tile);
	bool ok = values && program_access_open(&access, body, tile, tile->memory,
		&tile->place);

	if (ok && part)
		keep_part(&access, part);
	if (ok && access.split.apart && body->whole)
		load_whole(&access, values);
	else if (ok && access.split.apart && is_edge(&access))
		load_masked(&access, values);
	else if (ok && access.split.apart)
		branch_ways(&access, is_whole(&access), load_whole, load_masked, values);
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
	return tile->parts || load(body, tile, NULL);
}

bool program_load_part(program_scope *body, const layout_tile *tile,
	const struct load_part *part)
{
	return load(body, tile, part);
}

/* Registers that hold what others hold are not stored. */
static void drop_copies(struct program_access *access)
{
	struct access_split *split = &access->split;
	unsigned kept = 0;

	for (unsigned i = 0; i < split->count; i++)
		if (program_guard_register(access->owner, split->order[i]))
			split->order[kept++] = split->order[i];
	split->count = kept;
}

static void store_runs(struct program_access *access, LLVMValueRef *values)
{
	const struct access_split *split = &access->split;
	LLVMBuilderRef b = access->body->b;

	for (unsigned i = 0; i < split->count;) {
		unsigned run = access_split_run(split, access->memory, i, most_of(access));
		LLVMValueRef value = join(access, split->order + i, run, values), stored;

		stored = LLVMBuildStore(b, value, start_of(access, i));
		LLVMSetAlignment(stored, align_of(access, run));
		i += run;
	}
}

static void store_wide(struct program_access *access, LLVMValueRef *values)
{
	access->wide = true;
	store_runs(access, values);
}

static void store_split(struct program_access *access, LLVMValueRef *values)
{
	access->wide = false;
	store_runs(access, values);
}

static void store_whole(struct program_access *access, LLVMValueRef *values)
{
	access_runs(access, store_wide, store_split, values);
}

static void store_near(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	const layout_kernel *kernel = body->iteration->kernel;
	LLVMValueRef none = program_int(body->i32, 0);

	program_access_begin(access, 1);
	for (unsigned i = 0; i < access->split.count; i++) {
		unsigned r = access->split.order[i];

		kernel->hooks->buffer_store(body->b, values[r],
			program_access_buffer(access, r),
			program_access_offset(access, r, program_access_inside(access, r)), none);
	}
}

static void store_far(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;

	for (unsigned i = 0; i < access->split.count; i++) {
		unsigned r = access->split.order[i];
		LLVMValueRef inside, offset = program_access_find(access, r, &inside);
		struct branch branch = branch_open(body->iteration, inside, "inside");
		LLVMValueRef stored = LLVMBuildStore(body->b, values[r],
			element_at(access, offset));

		LLVMSetAlignment(stored, access->type->bits / 8);
		branch_close(body->iteration, &branch);
	}
}

/* The lowest bits first; what is outside is 0. */
static LLVMValueRef join_bits(const struct program_access *access, const unsigned *order,
	const LLVMValueRef *inside, unsigned count, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	LLVMValueRef word = program_int(body->i32, 0);

	for (unsigned j = 0; j < count; j++) {
		LLVMValueRef bits = LLVMBuildZExt(body->b, values[order[j]], body->i32, "");

		bits = LLVMBuildShl(body->b, bits, program_int(body->i32,
			j * access->type->bits), "");
		word = LLVMBuildOr(body->b, word, LLVMBuildSelect(body->b, inside[j], bits,
			program_int(body->i32, 0), ""), "");
	}
	return word;
}

/* The bytes of which some element is inside. */
static void store_group(const struct program_access *access, const unsigned *order,
	LLVMValueRef *values)
{
	const program_scope *body = access->body;
	unsigned bits = access->type->bits, count = program_byte_elements(access->type);
	LLVMValueRef inside[4], first = NULL, word;

	for (unsigned j = 0; j < count; j++) {
		LLVMValueRef offset = program_access_find(access, order[j], &inside[j]);

		first = first ? first : offset;
	}
	word = join_bits(access, order, inside, count, values);
	first = LLVMBuildLShr(body->b, LLVMBuildMul(body->b, first, program_int(body->i64,
		bits), ""), program_int(body->i64, 3), "");
	for (unsigned byte = 0; byte < count * bits / 8; byte++) {
		struct branch branch = branch_open(body->iteration, inside[8 * byte / bits],
			"inside");
		LLVMValueRef at = LLVMBuildAdd(body->b, first, program_int(body->i64, byte),
			""), value = LLVMBuildLShr(body->b, word, program_int(body->i32,
			8 * byte), "");

		LLVMBuildStore(body->b, LLVMBuildTrunc(body->b, value, body->i8, ""),
			LLVMBuildGEP2(body->b, body->i8, access->pointer, &at, 1, ""));
		branch_close(body->iteration, &branch);
	}
}

static void store_bytes(const struct program_access *access, LLVMValueRef *values)
{
	unsigned count = program_byte_elements(access->type);

	for (unsigned i = 0; i < access->split.count; i += count)
		store_group(access, access->split.order + i, values);
}

/* Where a store goes is computed when there is something to store: before, loads want the
 * registers. */
static void store_even(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	const layout_kernel *kernel = body->iteration->kernel;
	LLVMValueRef none = program_int(body->i32, 0);
	unsigned vector = even_vector(access);

	kernel->hooks->fence(body->b);
	program_access_begin(access, vector);
	for (unsigned i = 0; i < access->split.count; i += vector) {
		const unsigned *order = access->split.order + i;
		LLVMValueRef inside = program_access_inside(access, order[0]);
		LLVMValueRef words = LLVMBuildBitCast(body->b, join(access, order, vector,
			values), words_type(access, vector), "");

		kernel->hooks->buffer_store(body->b, words, program_access_buffer(access,
			order[0]), program_access_offset(access, order[0], inside), none);
	}
}

static void store_buffered(struct program_access *access, LLVMValueRef *values)
{
	unsigned vector = even_vector(access);
	struct program_rounds rounds;

	if (!program_rounds_open(access, &rounds, 0))
		return;
	if (vector > 1)
		branch_ways(access, program_access_is_even(access, vector), store_even,
			store_near, values);
	else
		store_near(access, values);
	program_rounds_close(access, &rounds, NULL);
}

static void store_masked(struct program_access *access, LLVMValueRef *values)
{
	const layout_kernel *kernel = access->body->iteration->kernel;

	if (!chip_of(kernel->target)->code.buffers)
		store_far(access, values);
	else
		branch_ways(access, program_access_fits(access), store_buffered, store_far,
			values);
}

static void store_ways(struct program_access *access, LLVMValueRef *values)
{
	if (access->type->bits % 8)
		store_bytes(access, values);
	else if (access->split.apart && access->body->whole)
		store_whole(access, values);
	else if (access->split.apart && is_edge(access))
		store_masked(access, values);
	else if (access->split.apart)
		branch_ways(access, is_whole(access), store_whole, store_masked, values);
	else
		store_far(access, values);
}

/* Lanes load what other lanes store: all loads come before. */
static bool waits_for_loads(const program_scope *body,
	const struct program_statement *store)
{
	const layout_program *program = body->plan->program;
	const struct owner *owner = program_owner(body, store->tile);

	for (unsigned i = 0; i < program->tile_count; i++) {
		const layout_tile *tile = program->tiles[i];

		if (tile->op == TILE_LOAD && tile->memory == store->memory &&
		    (owner_is_replicated(program_owner(body, tile)) ||
		    !owner_equal(program_owner(body, tile), owner)))
			return true;
	}
	return false;
}

bool program_lower_store(program_scope *body, const struct program_statement *store)
{
	LLVMValueRef *values = body->values[store->tile->number];
	struct program_access access;
	struct branch branch;
	LLVMValueRef guard;
	bool ok;

	ok = program_access_open(&access, body, store->tile, store->memory, &store->place);
	if (ok)
		drop_copies(&access);
	if (ok && waits_for_loads(body, store))
		body->iteration->kernel->hooks->barrier(body->b);
	guard = ok ? program_guard(body, access.owner) : NULL;
	if (guard)
		branch = branch_open(body->iteration, guard, "first");
	if (ok)
		store_ways(&access, values);
	if (guard)
		branch_close(body->iteration, &branch);
	program_access_free(&access);
	return ok;
}
