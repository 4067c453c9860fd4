/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/shift.h"

#include "lower/branch.h"
#include "lower/tile/permute.h"

#include <string.h>

enum { WORD = 4, MOST_WORDS = 4 };

static LLVMTypeRef word_type(const struct access *access)
{
	return LLVMInt32TypeInContext(LLVMGetBuilderContext(access->address.builder));
}

static LLVMValueRef number(const struct access *access, uint64_t value)
{
	return LLVMConstInt(word_type(access), value, false);
}

static LLVMValueRef move_by(const struct access *access, LLVMValueRef pointer,
	LLVMValueRef bytes)
{
	LLVMBuilderRef builder = access->address.builder;

	return LLVMBuildGEP2(builder, LLVMInt8TypeInContext(LLVMGetBuilderContext(builder)),
		pointer, &bytes, 1, "address");
}

/* ---- words */

static void part(const struct access *access, LLVMValueRef vector, unsigned count,
	LLVMValueRef *words)
{
	LLVMBuilderRef builder = access->address.builder;

	for (unsigned i = 0; i < count; i++)
		words[i] = LLVMBuildExtractElement(builder, vector, number(access, i), "word");
}

static LLVMValueRef join(const struct access *access, LLVMValueRef *words, unsigned count)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef vector = LLVMGetPoison(LLVMVectorType(word_type(access), count));

	for (unsigned i = 0; i < count; i++)
		vector = LLVMBuildInsertElement(builder, vector, words[i], number(access, i),
			"vector");
	return vector;
}

/* The "count" + 1 of 2 * "count" words that begin phase / 4 words further, by its bits. */
static void skip_words(const struct access *access, LLVMValueRef *words, unsigned count,
	LLVMValueRef phase)
{
	LLVMBuilderRef builder = access->address.builder;
	unsigned kept = 2 * count;

	for (unsigned skip = count / 2; skip; skip /= 2) {
		LLVMValueRef bit = LLVMBuildAnd(builder, phase, number(access,
			(uint64_t)skip * WORD), "phase");
		LLVMValueRef skips = LLVMBuildICmp(builder, LLVMIntNE, bit, number(access, 0),
			"skips");

		kept -= skip;
		for (unsigned i = 0; i < kept; i++)
			words[i] = LLVMBuildSelect(builder, skips, words[i + skip], words[i],
				"word");
	}
}

/* 32 bits of high:low, shifted by the bytes of the phase that are less than a word. */
static LLVMValueRef funnel(const struct access *access, const char *intrinsic,
	LLVMValueRef high, LLVMValueRef low, LLVMValueRef phase)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMModuleRef module = LLVMGetGlobalParent(access->iteration->function);
	LLVMTypeRef i32 = word_type(access);
	LLVMValueRef args[] = { high, low, LLVMBuildShl(builder, phase, number(access, 3),
		"bits") };
	LLVMValueRef function = LLVMGetIntrinsicDeclaration(module,
		LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic)), &i32, 1);

	return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, args, 3,
		"shifted");
}

/* Of two vectors, the bytes from "phase" on: what begins there. */
static LLVMValueRef cut_out(const struct access *access, LLVMValueRef first,
	LLVMValueRef second, unsigned count, LLVMValueRef phase)
{
	LLVMValueRef words[2 * MOST_WORDS];

	part(access, first, count, words);
	part(access, second, count, words + count);
	skip_words(access, words, count, phase);
	for (unsigned i = 0; i < count; i++)
		words[i] = funnel(access, "llvm.fshr", words[i + 1], words[i], phase);
	return join(access, words, count);
}

/* The last "phase" bytes of a vector, then the first of the one behind it. */
static LLVMValueRef push_in(const struct access *access, LLVMValueRef before,
	LLVMValueRef own, unsigned count, LLVMValueRef phase)
{
	LLVMValueRef words[2 * MOST_WORDS], turned[2 * MOST_WORDS], pushed[MOST_WORDS];

	part(access, before, count, words);
	part(access, own, count, words + count);
	for (unsigned i = 0; i < 2 * count; i++)
		turned[i] = words[2 * count - 1 - i];
	skip_words(access, turned, count, phase);
	for (unsigned i = 0; i < count; i++)
		pushed[count - 1 - i] = funnel(access, "llvm.fshl", turned[i], turned[i + 1],
			phase);
	return join(access, pushed, count);
}

/* ---- addresses */

/* Where an access begins; returned is where the aligned vector begins that has its first
 * byte, "phase" bytes before. */
static LLVMValueRef align_down(const struct access *access, LLVMValueRef pointer,
	unsigned bytes, LLVMValueRef *phase)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(builder));

	*phase = LLVMBuildAnd(builder, LLVMBuildPtrToInt(builder, pointer, word_type(access),
		"phase"), number(access, bytes - 1), "phase");
	return move_by(access, pointer, LLVMBuildNeg(builder, LLVMBuildZExt(builder, *phase,
		i64, "phase"), "phase"));
}

/* Bytes from the tile's first to the end of its last element, an i64. */
static LLVMValueRef tile_span(const struct access *access)
{
	const struct address *address = &access->address;
	const struct form_side *side = address->plan->side;
	LLVMBuilderRef builder = address->builder;
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(builder));
	int64_t most[FORM_SYMBOLS] = { 0 }, constant = form_bytes(side, 1);
	LLVMValueRef span;

	for (unsigned t = 0; t < side->term_count; t++) {
		const struct form_term *term = &side->terms[t];
		unsigned d = (unsigned)__builtin_ctzll(term->digits);
		int64_t worth = term->factor * (address->plan->form->digits[d].digit.radix - 1);

		*(term->symbol == FORM_CONSTANT ? &constant : &most[term->symbol]) += worth;
	}
	for (unsigned c = 0; c < side->carry_count; c++) {
		const struct form_carry *carry = &side->carries[c];
		int64_t worth = carry->factor * carry_span(address->plan->form, carry);

		*(carry->symbol == FORM_CONSTANT ? &constant : &most[carry->symbol]) += worth;
	}
	span = LLVMConstInt(i64, (uint64_t)constant, false);
	for (unsigned s = 0; s < side->symbol_count; s++)
		span = LLVMBuildAdd(builder, span, LLVMBuildMul(builder, LLVMBuildZExt(builder,
			address->symbols[s], i64, "pitch"), LLVMConstInt(i64,
			(uint64_t)most[s], false), "span"), "span");
	return span;
}

LLVMValueRef shift_exists(const struct access *access, unsigned bytes, LLVMValueRef end)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef left = LLVMBuildSub(builder,
		LLVMBuildPtrToInt(builder, end, i64, "end"),
		LLVMBuildPtrToInt(builder, access->tile, i64, "tile"), "left");

	return LLVMBuildICmp(builder, LLVMIntULE, LLVMBuildAdd(builder, tile_span(access),
		LLVMConstInt(i64, bytes, false), "span"), left, "exists");
}

/* ---- accesses */

static LLVMValueRef load_at(const struct access *access, LLVMValueRef pointer, unsigned bytes)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef value = LLVMBuildLoad2(builder, permute_type(
		LLVMGetBuilderContext(builder), bytes), pointer, "loaded");

	LLVMSetAlignment(value, bytes);
	return value;
}

static void store_at(const struct access *access, LLVMValueRef pointer, unsigned bytes,
	LLVMValueRef value)
{
	LLVMSetAlignment(LLVMBuildStore(access->address.builder, value, pointer), bytes);
}

LLVMValueRef shift_load(const struct access *access, const struct address_digits *digits,
	unsigned bytes)
{
	LLVMValueRef phase, pointer, first;

	pointer = align_down(access, access_pointer(access, digits), bytes, &phase);
	first = load_at(access, pointer, bytes);
	return cut_out(access, first, load_at(access, move_by(access, pointer,
		number(access, bytes)), bytes), bytes / WORD, phase);
}

struct shift_lanes shift_lanes_of(const struct access *access,
	const struct lane_number *lane, unsigned run)
{
	LLVMBuilderRef builder = access->address.builder;
	unsigned wave = access->iteration->kernel->target->wave_size;
	LLVMValueRef place = LLVMBuildAnd(builder, lane->value, number(access, run - 1),
		"place");
	struct shift_lanes lanes = {
		.own = LLVMBuildAnd(builder, lane->value, number(access, wave - 1), "own") };

	lanes.before = LLVMBuildAnd(builder, LLVMBuildSub(builder, lane->value,
		number(access, 1), "before"), number(access, wave - 1), "before");
	lanes.first = LLVMBuildICmp(builder, LLVMIntEQ, place, number(access, 0), "first");
	lanes.last = LLVMBuildICmp(builder, LLVMIntEQ, place, number(access, run - 1),
		"last");
	return lanes;
}

/* The vector of the lane before. */
static LLVMValueRef read_before(const struct access *access, const struct shift_lanes *lanes,
	LLVMValueRef own, unsigned count)
{
	const layout_kernel *kernel = access->iteration->kernel;
	LLVMValueRef words[MOST_WORDS];

	part(access, own, count, words);
	for (unsigned i = 0; i < count; i++)
		words[i] = kernel->hooks->lane_read(access->address.builder, kernel->target,
			words[i], lanes->own, lanes->before);
	return join(access, words, count);
}

/* The lowest bytes of a vector, as many as "count" says, fewer than it has: in parts of
 * powers of two, the least first if "up", else the largest. */
static void store_parts(const struct access *access, LLVMValueRef pointer,
	LLVMValueRef value, unsigned bytes, LLVMValueRef count, bool up)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);
	unsigned least = form_bytes(access->address.plan->side, 1);

	value = LLVMBuildBitCast(builder, value, LLVMIntTypeInContext(llvm, bytes * 8), "rest");
	for (unsigned i = least; i < bytes; i *= 2) {
		unsigned size = up ? i : bytes / 2 * least / i;
		LLVMValueRef bit = LLVMBuildAnd(builder, count, number(access, size), "bytes");
		LLVMValueRef has = LLVMBuildICmp(builder, LLVMIntNE, bit, number(access, 0),
			"has");
		struct branch branch = branch_open(access->iteration, has, "part");

		store_at(access, pointer, size, LLVMBuildBitCast(builder, LLVMBuildTrunc(
			builder, value, LLVMIntTypeInContext(llvm, size * 8), "part"),
			permute_type(llvm, size), "part"));
		branch_close(access->iteration, &branch);
		value = LLVMBuildSelect(builder, has, LLVMBuildLShr(builder, value,
			LLVMConstInt(LLVMTypeOf(value), size * 8, false), "rest"), value, "rest");
		pointer = move_by(access, pointer, bit);
	}
}

void shift_store(const struct access *access, const struct shift_lanes *lanes,
	const struct address_digits *digits, unsigned bytes, LLVMValueRef value)
{
	LLVMBuilderRef builder = access->address.builder;
	unsigned count = bytes / WORD;
	LLVMValueRef start = access_pointer(access, digits), phase, pointer, head, tail, none;
	LLVMValueRef before = read_before(access, lanes, value, count);
	struct branch branch;

	pointer = align_down(access, start, bytes, &phase);
	none = LLVMBuildICmp(builder, LLVMIntEQ, phase, number(access, 0), "aligned");
	head = LLVMBuildAnd(builder, lanes->first, LLVMBuildNot(builder, none, "odd"), "head");
	tail = LLVMBuildAnd(builder, lanes->last, LLVMBuildNot(builder, none, "odd"), "tail");
	branch = branch_open(access->iteration, head, "head");
	store_parts(access, start, value, bytes, LLVMBuildSub(builder, number(access, bytes),
		phase, "count"), true);
	branch_otherwise(access->iteration, &branch);
	store_at(access, pointer, bytes, push_in(access, before, value, count, phase));
	branch_close(access->iteration, &branch);
	branch = branch_open(access->iteration, tail, "tail");
	store_parts(access, move_by(access, pointer, number(access, bytes)), push_in(access,
		value, LLVMConstNull(LLVMTypeOf(value)), count, phase), bytes, phase, false);
	branch_close(access->iteration, &branch);
}
