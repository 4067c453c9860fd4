/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/permute_parts.h"

#include <stdlib.h>

LLVMTypeRef permute_type(LLVMContextRef llvm, unsigned bytes)
{
	if (bytes <= 4)
		return LLVMIntTypeInContext(llvm, 8 * bytes);
	return LLVMVectorType(LLVMInt32TypeInContext(llvm), bytes / 4);
}

LLVMValueRef permute_int(const struct permute *permute, unsigned value)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(permute->builder);

	return LLVMConstInt(LLVMInt32TypeInContext(llvm), value, false);
}

static unsigned words_of(unsigned bits)
{
	return (bits + 31) / 32;
}

unsigned permute_word_bits(const struct permute *permute)
{
	unsigned bits = permute->bits * permute->store_vector;

	return bits < 32 ? bits : 32;
}

struct word_place permute_source(const struct permute *permute, unsigned word,
	unsigned bit)
{
	const struct permute_work *work = permute->work;
	unsigned at = word % work->store_words * 32 + bit;
	unsigned s = word / work->store_words * permute->store_vector +
		at / permute->bits;
	unsigned l = permute->from[s];
	unsigned from = l % permute->load_vector * permute->bits + at % permute->bits;

	return (struct word_place){
		l / permute->load_vector * work->load_words + from / 32, from % 32 };
}

/* Do pieces of "bits" bits arrive in one piece, at multiples of it? */
static bool moves_whole(const struct permute *permute, unsigned bits)
{
	const struct permute_work *work = permute->work;
	unsigned valid = permute_word_bits(permute);

	if (valid < bits || permute->bits * permute->load_vector < bits)
		return false;
	for (unsigned w = 0; w < permute->store_count * work->store_words; w++)
		for (unsigned bit = 0; bit < valid; bit++) {
			struct word_place first = permute_source(permute, w,
				bit / bits * bits);
			struct word_place place = permute_source(permute, w, bit);

			if (first.bit % bits || place.word != first.word ||
			    place.bit != first.bit + bit % bits)
				return false;
		}
	return true;
}

static LLVMValueRef load_word(const struct permute *permute, unsigned word)
{
	LLVMBuilderRef builder = permute->builder;
	unsigned words = permute->work->load_words;
	LLVMValueRef vector = permute->loaded[word / words];

	if (LLVMGetTypeKind(LLVMTypeOf(vector)) == LLVMVectorTypeKind)
		return LLVMBuildExtractElement(builder, vector,
			permute_int(permute, word % words), "word");
	return LLVMBuildZExt(builder, vector, LLVMTypeOf(permute_int(permute, 0)),
		"word");
}

static void free_work(struct permute_work *work)
{
	free(work->words);
	free(work->load_cell);
	free(work->store_cell);
	free(work->cells);
	free(work->pairs);
	free(work);
}

static bool open_work(layout_context *ctx, struct permute *permute)
{
	struct permute_work *work = permute->work;
	unsigned count;

	work->load_words = words_of(permute->bits * permute->load_vector);
	work->store_words = words_of(permute->bits * permute->store_vector);
	count = permute->load_count * work->load_words;
	work->words = layout_alloc(ctx, count, sizeof(LLVMValueRef));
	if (!work->words)
		return false;
	for (unsigned w = 0; w < count; w++)
		work->words[w] = load_word(permute, w);
	work->kind = moves_whole(permute, 32) ? PERMUTE_WORDS :
		moves_whole(permute, 8) ? PERMUTE_BYTES : PERMUTE_NIBBLES;
	if (work->kind == PERMUTE_WORDS)
		return permute_words_open(ctx, permute);
	return work->kind == PERMUTE_NIBBLES || permute_bytes_open(ctx, permute);
}

bool permute_open(layout_context *ctx, struct permute *permute)
{
	permute->work = layout_alloc(ctx, 1, sizeof(*permute->work));
	if (!permute->work)
		return false;
	if (open_work(ctx, permute))
		return true;
	free_work(permute->work);
	return false;
}

static LLVMValueRef take_word(struct permute *permute, unsigned word)
{
	switch (permute->work->kind) {
	case PERMUTE_WORDS:
		return permute_words_take(permute, word);
	case PERMUTE_BYTES:
		return permute_bytes_take(permute, word);
	default:
		return permute_nibbles_take(permute, word);
	}
}

LLVMValueRef permute_take(struct permute *permute, unsigned s)
{
	LLVMBuilderRef builder = permute->builder;
	unsigned words = permute->work->store_words, loaded;
	unsigned bytes = permute->bits * permute->store_vector / 8;
	LLVMTypeRef type = permute_type(LLVMGetBuilderContext(builder), bytes);
	LLVMValueRef vector = LLVMGetPoison(type), word;

	if (permute->work->kind == PERMUTE_WORDS &&
	    permute_words_untouched(permute, s, &loaded))
		return permute->loaded[loaded];
	if (words == 1)
		return LLVMBuildIntCast2(builder, take_word(permute, s), type, false,
			"piece");
	for (unsigned k = 0; k < words; k++) {
		word = take_word(permute, s * words + k);
		vector = LLVMBuildInsertElement(builder, vector, word,
			permute_int(permute, k), "vector");
	}
	return vector;
}

void permute_close(struct permute *permute)
{
	free_work(permute->work);
}
