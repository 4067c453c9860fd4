/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads and stores go one of four ways, as scalar branches find:
 *
 *	whole	the tile is inside of the memory: vectors, without masks
 *	even	vectors are inside or outside as one: these by a bounds-checked buffer
 *	near	elements by such a buffer
 *	far	where offsets have no parts: an element at a time, wherever it is */
#include "lower/program_lanes/access_parts.h"

#include <stdlib.h>
#include <string.h>

static bool is_const(LLVMValueRef condition, bool value)
{
	return LLVMIsAConstantInt(condition) &&
		LLVMConstIntGetZExtValue(condition) == value;
}

LLVMTypeRef access_vector_type(const struct program_access *access, unsigned count)
{
	LLVMTypeRef type = program_type(access->body, access->type);

	return count > 1 ? LLVMVectorType(type, count) : type;
}

unsigned access_most(const struct program_access *access)
{
	return access->body->iteration->kernel->target->max_load_bytes * 8 /
		access->type->bits;
}

LLVMValueRef access_part(const struct program_access *access, LLVMValueRef vector,
	unsigned count, unsigned i)
{
	const program_scope *body = access->body;

	if (access->type->bits < 8 && count > 1)
		return LLVMBuildTrunc(body->b, LLVMBuildLShr(body->b, vector, lower_int(
			body->i32, i * access->type->bits), ""), program_type(body,
			access->type), "");
	return count == 1 ? vector : LLVMBuildExtractElement(access->body->b, vector,
		lower_int(access->body->i32, i), "");
}

LLVMValueRef access_start(struct program_access *access, unsigned i)
{
	return access->starts ? access->starts[i] : program_access_address(access,
		access->split.order[i]);
}

unsigned access_align(const struct program_access *access, unsigned run)
{
	unsigned element = access->type->bits / 8, bytes = run * element;

	return access->wide ? bytes & -bytes : element;
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
			access_most(access));

		access->starts[i] = program_access_address(access, access->split.order[i]);
		if (run > 1) {
			low = LLVMBuildAnd(body->b, LLVMBuildPtrToInt(body->b,
				access->starts[i], body->i32, ""), lower_int(body->i32,
				access_align(access, run) - 1), "");
			phase = phase ? LLVMBuildOr(body->b, phase, low, "") : low;
		}
		i += run;
	}
	access->wide = false;
	return phase ? LLVMBuildICmp(body->b, LLVMIntEQ, phase, lower_int(body->i32, 0),
		"aligned") : NULL;
}

LLVMValueRef access_element(const struct program_access *access, LLVMValueRef offset)
{
	LLVMValueRef bytes = LLVMBuildMul(access->body->b, offset, lower_int(
		access->body->i64, access->type->bits / 8), "");

	return LLVMBuildGEP2(access->body->b, access->body->i8, access->pointer, &bytes, 1,
		"");
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
	LLVMValueRef word = lower_int(body->i32, 0);

	for (unsigned j = 0; j < count; j++)
		word = LLVMBuildOr(body->b, word, LLVMBuildShl(body->b, LLVMBuildZExt(body->b,
			values[order[j]], body->i32, ""), lower_int(body->i32,
			j * access->type->bits), ""), "");
	return word;
}

LLVMValueRef access_join(const struct program_access *access, const unsigned *order,
	unsigned count, LLVMValueRef *values)
{
	LLVMValueRef value = values[order[0]];

	if (access->type->bits < 8 && count > 1)
		return join_word(access, order, count, values);
	for (unsigned j = 0; count > 1 && j < count; j++)
		value = LLVMBuildInsertElement(access->body->b, j ? value : LLVMGetPoison(
			access_vector_type(access, count)), values[order[j]],
			lower_int(access->body->i32, j), "");
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
			either[w] = access_join(access, order, together, ways->values[w]);
		}
		LLVMPositionBuilderAtEnd(b, ways->join);
		word = meet(access, ways, either);
		for (unsigned j = 0; j < together; j++)
			ways->values[1][order[j]] = word;
	}
	for (unsigned i = 0; i < access->split.count; i++) {
		LLVMValueRef *value = &ways->values[1][access->split.order[i]];

		if (together > 1 && differ(ways, access->split.order[i]))
			*value = access_part(access, *value, together, i % together);
	}
}

void access_ways(struct program_access *access, LLVMValueRef condition,
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

void access_runs(struct program_access *access, access_way *wide, access_way *split,
	LLVMValueRef *values)
{
	const layout_kernel *kernel = access->body->iteration->kernel;
	LLVMValueRef aligned = NULL;

	program_access_begin(access, 1);
	if (chip_of(kernel->target)->code.aligned)
		aligned = find_starts(access);
	if (aligned)
		access_ways(access, aligned, wide, split, values);
	else
		split(access, values);
	free(access->starts);
	access->starts = NULL;
}

unsigned access_even_vector(const struct program_access *access)
{
	return access_split_even(&access->split, access->memory, access->owner,
		access_most(access));
}

LLVMTypeRef access_words_type(const struct program_access *access, unsigned count)
{
	unsigned bits = count * access->type->bits;
	LLVMContextRef llvm = LLVMGetBuilderContext(access->body->b);

	return bits <= 32 ? LLVMIntTypeInContext(llvm, bits) :
		LLVMVectorType(access->body->i32, bits / 32);
}

LLVMValueRef access_is_whole(const struct program_access *access)
{
	struct program_room room = program_room_begin(access->body);

	program_access_find_room(access, &room);
	return program_room_holds(access->body, &room);
}

bool access_is_edge(const struct program_access *access)
{
	return access->body->edge && access_even_vector(access) == access_split_vector(
		&access->split, access->memory, access_most(access));
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
		*steps = lower_int(body->i64, 0);
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
