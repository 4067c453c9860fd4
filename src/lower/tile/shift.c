/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/shift.h"

#include "lower/branch.h"
#include "lower/tile/permute.h"

#include <string.h>

enum { WORD = 4, MOST_WORDS = 4 };

static LLVMTypeRef word_type(const struct tile_access *access)
{
	return LLVMInt32TypeInContext(LLVMGetBuilderContext(access->address.builder));
}

static LLVMValueRef number(const struct tile_access *access, uint64_t value)
{
	return LLVMConstInt(word_type(access), value, false);
}

static LLVMValueRef move_by(const struct tile_access *access, LLVMValueRef pointer,
	LLVMValueRef bytes)
{
	LLVMBuilderRef builder = access->address.builder;

	return LLVMBuildGEP2(builder, LLVMInt8TypeInContext(LLVMGetBuilderContext(builder)),
		pointer, &bytes, 1, "address");
}

/* ---- words */

static void part(const struct tile_access *access, LLVMValueRef vector, unsigned count,
	LLVMValueRef *words)
{
	LLVMBuilderRef builder = access->address.builder;

	for (unsigned i = 0; i < count; i++)
		words[i] = LLVMBuildExtractElement(builder, vector, number(access, i), "word");
}

static LLVMValueRef join(const struct tile_access *access, LLVMValueRef *words, unsigned count)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef vector = LLVMGetPoison(LLVMVectorType(word_type(access), count));

	for (unsigned i = 0; i < count; i++)
		vector = LLVMBuildInsertElement(builder, vector, words[i], number(access, i),
			"vector");
	return vector;
}

/* The "count" + 1 of 2 * "count" words that begin phase / 4 words further, by its bits. */
static void skip_words(const struct tile_access *access, LLVMValueRef *words, unsigned count,
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
static LLVMValueRef funnel(const struct tile_access *access, const char *intrinsic,
	LLVMValueRef high, LLVMValueRef low, LLVMValueRef phase)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef args[] = { high, low, LLVMBuildShl(builder, phase, number(access, 3),
		"bits") };

	return lower_intrinsic_like(builder, intrinsic, args, 3);
}

/* Of two vectors, the bytes from "phase" on: what begins there. */
static LLVMValueRef cut_out(const struct tile_access *access, LLVMValueRef first,
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
static LLVMValueRef push_in(const struct tile_access *access, LLVMValueRef before,
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
static LLVMValueRef align_down(const struct tile_access *access, LLVMValueRef pointer,
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
static LLVMValueRef tile_span(const struct tile_access *access)
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

LLVMValueRef shift_exists(const struct tile_access *access, unsigned bytes, LLVMValueRef end)
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

static LLVMValueRef load_at(const struct tile_access *access, LLVMValueRef pointer, unsigned bytes)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef value = LLVMBuildLoad2(builder, permute_type(
		LLVMGetBuilderContext(builder), bytes), pointer, "loaded");

	LLVMSetAlignment(value, bytes);
	return value;
}

static void store_at(const struct tile_access *access, LLVMValueRef pointer, unsigned bytes,
	LLVMValueRef value)
{
	LLVMSetAlignment(LLVMBuildStore(access->address.builder, value, pointer), bytes);
}

LLVMValueRef shift_load(const struct tile_access *access, const struct address_digits *digits,
	unsigned bytes)
{
	LLVMValueRef phase, pointer, first;

	pointer = align_down(access, access_pointer(access, digits), bytes, &phase);
	first = load_at(access, pointer, bytes);
	return cut_out(access, first, load_at(access, move_by(access, pointer,
		number(access, bytes)), bytes), bytes / WORD, phase);
}

struct shift_lanes shift_lanes_of(const struct tile_access *access,
	const struct lane_number *lane, unsigned run)
{
	LLVMBuilderRef builder = access->address.builder;
	unsigned wave = access->iteration->kernel->target->wave_size;
	LLVMValueRef place = LLVMBuildAnd(builder, lane->value, number(access, run - 1),
		"place");
	struct shift_lanes lanes = {
		.own = LLVMBuildAnd(builder, lane->value, number(access, wave - 1), "own"),
		.place = place };

	lanes.before = LLVMBuildAnd(builder, LLVMBuildSub(builder, lane->value,
		number(access, 1), "before"), number(access, wave - 1), "before");
	lanes.first = LLVMBuildICmp(builder, LLVMIntEQ, place, number(access, 0), "first");
	lanes.last = LLVMBuildICmp(builder, LLVMIntEQ, place, number(access, run - 1),
		"last");
	return lanes;
}

/* The vector of the lane before. */
static LLVMValueRef read_before(const struct tile_access *access, const struct shift_lanes *lanes,
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

static LLVMValueRef less(const struct tile_access *access, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildICmp(access->address.builder, LLVMIntSLT, a, b, "less");
}

static LLVMValueRef lesser(const struct tile_access *access, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildSelect(access->address.builder, less(access, a, b), a, b, "lesser");
}

/* Part of an aligned vector at "pointer": its words, of which bytes from "from" to before "to" are
 * stored, both i32 and "to" possibly less. */
struct stored_part {
	LLVMValueRef pointer, *words;
	unsigned count;
	LLVMValueRef from, to;
};

/* The lowest "bytes" of a word, "at" bytes behind the vector's begin, if they are of the part
 * and "has" holds; NULL: it does. */
static void store_piece(const struct tile_access *access, const struct stored_part *part,
	LLVMValueRef at, LLVMValueRef word, unsigned bytes, LLVMValueRef has)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMTypeRef type = LLVMIntTypeInContext(LLVMGetBuilderContext(builder), 8 * bytes);
	LLVMValueRef inside = LLVMBuildNot(builder, LLVMBuildOr(builder,
		less(access, at, part->from), less(access, part->to, LLVMBuildAdd(builder, at,
		number(access, bytes), "end")), "outside"), "inside");
	struct branch branch = branch_open(access->iteration, has ?
		LLVMBuildAnd(builder, inside, has, "inside") : inside, "piece");

	store_at(access, move_by(access, part->pointer, at), bytes,
		LLVMBuildTrunc(builder, word, type, "piece"));
	branch_close(access->iteration, &branch);
}

/* The word that has byte "at", and its bytes from there on. */
static LLVMValueRef find_word(const struct tile_access *access, const struct stored_part *part,
	LLVMValueRef at)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef word = part->words[0];

	for (unsigned i = 1; i < part->count; i++)
		word = LLVMBuildSelect(builder, less(access, at, number(access, i * WORD)), word,
			part->words[i], "word");
	return LLVMBuildLShr(builder, word, LLVMBuildShl(builder, LLVMBuildAnd(builder, at,
		number(access, WORD - 1), "place"), number(access, 3), "bits"), "piece");
}

static LLVMValueRef is_odd(const struct tile_access *access, LLVMValueRef bound, unsigned bits)
{
	LLVMBuilderRef builder = access->address.builder;

	return LLVMBuildICmp(builder, LLVMIntNE, LLVMBuildAnd(builder, bound,
		number(access, bits), "odd"), number(access, 0), "odd");
}

/* Half of the word that a bound is in, "at" bytes behind its begin, if that is no whole one. */
static void store_half(const struct tile_access *access, const struct stored_part *part,
	LLVMValueRef bound, unsigned at)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef place = LLVMBuildAdd(builder, LLVMBuildAnd(builder, bound,
		number(access, (uint32_t)-WORD), "begin"), number(access, at), "half");

	store_piece(access, part, place, find_word(access, part, place), WORD / 2,
		is_odd(access, bound, WORD - 1));
}

/* Whole words, and halves and bytes of those that the part begins and ends in. */
static void store_part(const struct tile_access *access, const struct stored_part *part)
{
	LLVMBuilderRef builder = access->address.builder;
	unsigned least = form_bytes(access->address.plan->side, 1);
	LLVMValueRef last = LLVMBuildSub(builder, part->to, number(access, 1), "last");

	for (unsigned i = 0; i < part->count; i++)
		store_piece(access, part, number(access, i * WORD), part->words[i], WORD, NULL);
	if (least < WORD) {
		store_half(access, part, part->from, WORD / 2);
		store_half(access, part, part->to, 0);
	}
	if (least == 1) {
		store_piece(access, part, part->from, find_word(access, part, part->from), 1,
			is_odd(access, part->from, 1));
		store_piece(access, part, last, find_word(access, part, last), 1,
			is_odd(access, part->to, 1));
	}
}

/* What a lane stores of vectors that not all of is stored: of the aligned one, values[0], where
 * it is "parted", the first lane of a run its own bytes, others all up to the limit; else the
 * last lane what it has behind it, values[1]. */
static void store_rest(const struct tile_access *access, const struct shift_lanes *lanes,
	LLVMValueRef pointer, LLVMValueRef values[2], unsigned bytes, LLVMValueRef phase,
	LLVMValueRef limit, LLVMValueRef parted)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef none = number(access, 0), all = number(access, bytes);
	LLVMValueRef words[MOST_WORDS];
	struct stored_part of = { LLVMBuildSelect(builder, parted, pointer,
		move_by(access, pointer, all), "pointer"), words, bytes / WORD,
		LLVMBuildSelect(builder, LLVMBuildAnd(builder, parted, lanes->first, "head"),
		phase, none, "from"), LLVMBuildSelect(builder, parted, all, phase, "to") };

	if (limit) {
		LLVMValueRef end = LLVMBuildAdd(builder, limit, phase, "end");

		of.to = lesser(access, of.to, LLVMBuildSelect(builder, parted, end,
			LLVMBuildSub(builder, end, all, "end"), "end"));
	}
	part(access, LLVMBuildSelect(builder, parted, values[0], values[1], "value"), of.count,
		words);
	store_part(access, &of);
}

/* Is the aligned vector "phase" bytes before "start", where the lane's own begins, of the run's
 * share? */
static LLVMValueRef is_own(const struct tile_access *access, const struct shift_lanes *lanes,
	const struct shift_share *share, LLVMValueRef start, unsigned bytes, LLVMValueRef phase)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef from = LLVMBuildSub(builder, LLVMBuildMul(builder, lanes->place,
		number(access, bytes), "from"), share->skipped, "from");
	LLVMValueRef row = LLVMBuildSub(builder, LLVMBuildPtrToInt(builder, start,
		word_type(access), "start"), from, "row");
	LLVMValueRef first = LLVMBuildAnd(builder, LLVMBuildSub(builder, number(access, 0), row,
		"missing"), number(access, share->sector - 1), "sector");
	LLVMValueRef at = LLVMBuildSub(builder, LLVMBuildSub(builder, from, phase, "at"), first,
		"at");
	LLVMValueRef none = number(access, 0), end = number(access, share->bytes);
	LLVMValueRef begins = LLVMBuildOr(builder, share->first, LLVMBuildICmp(builder,
		LLVMIntSGE, at, none, "behind"), "begins");
	LLVMValueRef ends = LLVMBuildOr(builder, share->last, less(access, at, end), "ends");

	return LLVMBuildAnd(builder, begins, ends, "own");
}

void shift_store(const struct tile_access *access, const struct shift_lanes *lanes,
	const struct shift_share *share, const struct address_digits *digits, unsigned bytes,
	LLVMValueRef value, LLVMValueRef limit)
{
	LLVMBuilderRef builder = access->address.builder;
	unsigned count = bytes / WORD;
	LLVMValueRef start = access_pointer(access, digits), pointer, phase, odd, whole, parted, tail;
	LLVMValueRef before = read_before(access, lanes, value, count), values[2];
	struct branch branch;

	pointer = align_down(access, start, bytes, &phase);
	values[0] = push_in(access, before, value, count, phase);
	odd = LLVMBuildICmp(builder, LLVMIntNE, phase, number(access, 0), "odd");
	parted = LLVMBuildAnd(builder, lanes->first, odd, "head");
	if (limit)
		parted = LLVMBuildOr(builder, parted, less(access, LLVMBuildAdd(builder, limit,
			phase, "end"), number(access, bytes)), "parted");
	whole = LLVMBuildNot(builder, parted, "whole");
	tail = LLVMBuildAnd(builder, lanes->last, odd, "tail");
	if (share) {
		whole = LLVMBuildAnd(builder, whole, is_own(access, lanes, share, start, bytes,
			phase), "own");
		parted = LLVMBuildAnd(builder, parted, share->first, "head");
		tail = LLVMBuildAnd(builder, tail, share->last, "tail");
	}
	branch = branch_open(access->iteration, whole, "whole");
	store_at(access, pointer, bytes, values[0]);
	branch_close(access->iteration, &branch);
	branch = branch_open(access->iteration, LLVMBuildOr(builder, parted, tail, "rest"), "rest");
	values[1] = push_in(access, value, LLVMConstNull(LLVMTypeOf(value)), count, phase);
	store_rest(access, lanes, pointer, values, bytes, phase, limit, parted);
	branch_close(access->iteration, &branch);
}

/* ---- memory with an end */

static LLVMTypeRef long_type(const struct tile_access *access)
{
	return LLVMInt64TypeInContext(LLVMGetBuilderContext(access->address.builder));
}

static LLVMValueRef long_number(const struct tile_access *access, int64_t value)
{
	return LLVMConstInt(long_type(access), (uint64_t)value, true);
}

/* The first "count" bytes from an aligned pointer on, fewer than 2 * "size", as an integer of
 * so many bytes: the largest part first. */
static LLVMValueRef load_first(const struct tile_access *access, LLVMValueRef pointer,
	LLVMValueRef count, unsigned size)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);
	LLVMTypeRef type = LLVMIntTypeInContext(llvm, 16 * size);
	LLVMValueRef has = is_odd(access, count, size), low, rest, both;
	struct branch branch = branch_open(access->iteration, has, "first");

	low = load_at(access, pointer, size);
	low = branch_value(access->iteration, &branch, low, LLVMConstNull(LLVMTypeOf(low)));
	low = LLVMBuildZExt(builder, LLVMBuildBitCast(builder, low,
		LLVMIntTypeInContext(llvm, 8 * size), "low"), type, "low");
	if (size == form_bytes(access->address.plan->side, 1))
		return low;
	rest = load_first(access, move_by(access, pointer, LLVMBuildSelect(builder, has,
		number(access, size), number(access, 0), "behind")), count, size / 2);
	rest = LLVMBuildZExt(builder, rest, type, "rest");
	both = LLVMBuildOr(builder, low, LLVMBuildShl(builder, rest,
		LLVMConstInt(type, 8 * size, false), "high"), "both");
	return LLVMBuildSelect(builder, has, both, rest, "first");
}

/* What is left behind the whole vectors, if the tile comes near it. */
static LLVMValueRef load_rest(const struct tile_access *access, const struct shift_memory *memory,
	LLVMValueRef left, unsigned bytes)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMTypeRef type = permute_type(LLVMGetBuilderContext(builder), bytes);
	LLVMValueRef tile = LLVMBuildSub(builder,
		LLVMBuildPtrToInt(builder, access->tile, long_type(access), "tile"),
		LLVMBuildPtrToInt(builder, memory->start, long_type(access), "start"), "tile");
	LLVMValueRef near = LLVMBuildICmp(builder, LLVMIntSGT, LLVMBuildAdd(builder, tile,
		tile_span(access), "end"), memory->whole, "near"), rest;
	struct branch branch = branch_open(access->iteration, near, "rest");

	rest = LLVMBuildBitCast(builder, load_first(access, move_by(access, memory->start,
		memory->whole), left, bytes / 2), type, "rest");
	return branch_value(access->iteration, &branch, rest, LLVMConstNull(type));
}

struct shift_memory shift_memory_of(const struct tile_access *access, LLVMValueRef start,
	LLVMValueRef size, unsigned bytes)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef left = LLVMBuildAnd(builder, size, long_number(access, bytes - 1), "left");
	struct shift_memory memory = { start, LLVMBuildSub(builder, size, left, "whole"), NULL };

	memory.rest = load_rest(access, &memory, LLVMBuildTrunc(builder, left,
		word_type(access), "left"), bytes);
	return memory;
}

/* The aligned vector "at" bytes behind the start: another one of the memory, where it has none
 * of it. */
static LLVMValueRef load_whole(const struct tile_access *access, const struct shift_memory *memory,
	LLVMValueRef at, unsigned bytes)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef none = long_number(access, 0), from = at, value;
	LLVMValueRef most = LLVMBuildSub(builder, memory->whole, long_number(access, bytes),
		"most");

	from = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntSLT, from, most, "less"),
		from, most, "from");
	from = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntSGT, from, none, "more"),
		from, none, "from");
	value = load_at(access, move_by(access, memory->start, from), bytes);
	return LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntEQ, at, memory->whole,
		"is rest"), memory->rest, value, "loaded");
}

LLVMValueRef shift_load_inside(const struct tile_access *access, const struct shift_memory *memory,
	const struct address_digits *digits, unsigned bytes, LLVMValueRef reached)
{
	LLVMBuilderRef builder = access->address.builder;
	LLVMValueRef at = LLVMBuildSub(builder, LLVMBuildPtrToInt(builder,
		access_pointer(access, digits), long_type(access), "at"),
		LLVMBuildPtrToInt(builder, memory->start, long_type(access), "start"), "at");
	LLVMValueRef phase = LLVMBuildAnd(builder, LLVMBuildTrunc(builder, at,
		word_type(access), "phase"), number(access, bytes - 1), "phase"), first, value;

	at = LLVMBuildAnd(builder, at, long_number(access, -(int64_t)bytes), "at");
	if (reached)
		at = LLVMBuildSelect(builder, reached, at, long_number(access, 0), "at");
	first = load_whole(access, memory, at, bytes);
	value = cut_out(access, first, load_whole(access, memory, LLVMBuildAdd(builder, at,
		long_number(access, bytes), "next"), bytes), bytes / WORD, phase);
	return reached ? LLVMBuildSelect(builder, reached, value,
		LLVMConstNull(LLVMTypeOf(value)), "value") : value;
}
