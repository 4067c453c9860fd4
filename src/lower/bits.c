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

	parts = LLVMBuildZExt(w->b, parts, LLVMVectorType(lower_int_type(w->b, WORD), w->count),
		"");
	if (w->all == w->word)
		return join(w, parts, 0);
	for (unsigned i = 0; i < w->words; i++)
		all = LLVMBuildInsertElement(w->b, all, join(w, parts, i * w->in_word), at(w, i),
			"");
	return all;
}

/* By bytes: LLVM sees that parts of a number are in their order again, and casts it. */
static LLVMValueRef spread(const struct words *w, LLVMValueRef all, LLVMTypeRef type)
{
	LLVMTypeRef byte = lower_int_type(w->b, 8);
	LLVMValueRef parts = LLVMGetPoison(LLVMVectorType(byte, w->count));

	for (unsigned i = 0; i < w->count; i++) {
		LLVMValueRef word = w->all == w->word ? all : LLVMBuildExtractElement(w->b, all,
			at(w, i / w->in_word), "");

		word = LLVMBuildLShr(w->b, word, lower_int(w->word, i % w->in_word * w->bits), "");
		parts = LLVMBuildInsertElement(w->b, parts, LLVMBuildIntCast2(w->b, word, byte,
			false, ""), at(w, i), "");
	}
	return LLVMBuildTrunc(w->b, parts, type, "");
}

/* As LLVMBuildBitCast(). */
static LLVMValueRef cast(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef type)
{
	LLVMTypeRef from = LLVMTypeOf(value);
	struct words w;

	if (part_bits(from)) {
		w = words_of(b, from);
		return cast(b, join_all(&w, value), type);
	}
	if (part_bits(type)) {
		w = words_of(b, type);
		return spread(&w, LLVMBuildBitCast(b, value, w.all, ""), type);
	}
	return LLVMBuildBitCast(b, value, type, "");
}

static bool casts_parts(LLVMValueRef value)
{
	LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) :
		LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : LLVMRet;

	return opcode == LLVMBitCast && (part_bits(LLVMTypeOf(value)) ||
		part_bits(LLVMTypeOf(LLVMGetOperand(value, 0))));
}

/* Constants among the operands. */
static void replace_operands(LLVMBuilderRef b, LLVMValueRef instruction)
{
	for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
		LLVMValueRef operand = LLVMGetOperand(instruction, i);

		if (LLVMIsAConstantExpr(operand) && casts_parts(operand))
			LLVMSetOperand(instruction, i, cast(b, LLVMGetOperand(operand, 0),
				LLVMTypeOf(operand)));
	}
}

/* What takes the instruction's place; NULL: it stays. */
static LLVMValueRef replacement(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	LLVMTypeRef type = LLVMTypeOf(i);
	LLVMValueRef words;
	struct words w;

	if (casts_parts(i))
		return cast(b, LLVMGetOperand(i, 0), type);
	if (opcode == LLVMLoad && part_bits(type)) {
		w = words_of(b, type);
		words = LLVMBuildLoad2(b, w.all, LLVMGetOperand(i, 0), "");
		LLVMSetAlignment(words, LLVMGetAlignment(i));
		return spread(&w, words, type);
	}
	if (opcode == LLVMStore && part_bits(LLVMTypeOf(LLVMGetOperand(i, 0)))) {
		w = words_of(b, LLVMTypeOf(LLVMGetOperand(i, 0)));
		words = LLVMBuildStore(b, join_all(&w, LLVMGetOperand(i, 0)), LLVMGetOperand(i, 1));
		LLVMSetAlignment(words, LLVMGetAlignment(i));
		return words;
	}
	return NULL;
}

static void look_at(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef by;

	if (LLVMIsAPHINode(i))
		return;
	LLVMPositionBuilderBefore(b, i);
	replace_operands(b, i);
	by = replacement(b, i);
	if (!by)
		return;
	if (LLVMGetInstructionOpcode(i) != LLVMStore)
		LLVMReplaceAllUsesWith(i, by);
	LLVMInstructionEraseFromParent(i);
}

void bits_to_words(LLVMModuleRef module)
{
	lower_walk(module, look_at);
}
