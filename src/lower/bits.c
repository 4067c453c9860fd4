/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/bits.h"

enum { WORD = 32 };

/* The bits of an element, where the type is a vector of parts of bytes; else 0. */
static unsigned part_bits(LLVMTypeRef type)
{
	unsigned bits;

	if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
	    LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMIntegerTypeKind)
		return 0;
	bits = LLVMGetIntTypeWidth(LLVMGetElementType(type));
	return bits % 8 ? bits : 0;
}

/* The parts as words, or as one number where they are fewer bits or cross words. */
struct words {
	LLVMBuilderRef b;
	unsigned bits, count, in_word, words;
	LLVMTypeRef word, all;
};

static struct words words_of(LLVMBuilderRef b, LLVMTypeRef parts)
{
	struct words w = { .b = b, .bits = part_bits(parts), .count = LLVMGetVectorSize(parts) };
	unsigned whole = w.bits * w.count;
	bool one = whole % WORD || WORD % w.bits;

	w.word = lower_int_type(b, one ? whole : WORD);
	w.in_word = one ? w.count : WORD / w.bits;
	w.words = w.count / w.in_word;
	w.all = one ? w.word : LLVMVectorType(w.word, w.words);
	return w;
}

static LLVMValueRef at(const struct words *w, unsigned i)
{
	return lower_int(lower_int_type(w->b, 32), i);
}

/* Parts first .. of a vector, which are zero-extended, as one word. */
static LLVMValueRef join(const struct words *w, LLVMValueRef parts, unsigned first)
{
	LLVMValueRef word = NULL;

	for (unsigned i = 0; i < w->in_word; i++) {
		LLVMValueRef part = LLVMBuildIntCast2(w->b, LLVMBuildExtractElement(w->b, parts,
			at(w, first + i), ""), w->word, false, "");

		part = LLVMBuildShl(w->b, part, lower_int(w->word, i * w->bits), "");
		word = word ? LLVMBuildOr(w->b, word, part, "") : part;
	}
	return word;
}

static LLVMValueRef join_all(const struct words *w, LLVMValueRef parts)
{
	LLVMValueRef all = LLVMGetPoison(w->all);

	parts = LLVMBuildZExt(w->b, parts, LLVMVectorType(lower_int_type(w->b, WORD), w->count), "");
	if (w->all == w->word)
		return join(w, parts, 0);
	for (unsigned i = 0; i < w->words; i++)
		all = LLVMBuildInsertElement(w->b, all, join(w, parts, i * w->in_word), at(w, i),
			"");
	return all;
}

static LLVMValueRef spread(const struct words *w, LLVMValueRef all, LLVMTypeRef type)
{
	LLVMValueRef parts = LLVMGetPoison(type);

	for (unsigned i = 0; i < w->count; i++) {
		LLVMValueRef word = w->all == w->word ? all : LLVMBuildExtractElement(w->b, all,
			at(w, i / w->in_word), "");

		word = LLVMBuildLShr(w->b, word, lower_int(w->word, i % w->in_word * w->bits), "");
		parts = LLVMBuildInsertElement(w->b, parts, LLVMBuildTrunc(w->b, word,
			LLVMGetElementType(type), ""), at(w, i), "");
	}
	return parts;
}

LLVMValueRef bits_cast(LLVMBuilderRef builder, LLVMValueRef value, LLVMTypeRef type,
	const char *name)
{
	LLVMTypeRef from = LLVMTypeOf(value);
	struct words w;

	if (from == type)
		return value;
	if (part_bits(from)) {
		w = words_of(builder, from);
		return bits_cast(builder, join_all(&w, value), type, name);
	}
	if (part_bits(type)) {
		w = words_of(builder, type);
		return spread(&w, LLVMBuildBitCast(builder, value, w.all, name), type);
	}
	return LLVMBuildBitCast(builder, value, type, name);
}
