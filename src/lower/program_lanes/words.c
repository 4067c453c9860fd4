/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements of less than a byte as words: registers that follow each other in memory, of a tile that
 * is inside, where rows begin with a byte. */
#include "lower/program_lanes/access_parts.h"
#include "program/bytes.h"

/* That of which runs are asked for. */
static struct access_split split_of(const struct program_access *access)
{
	struct access_split split = access->split;

	split.apart = access->follows;
	return split;
}

bool program_words_can(const struct program_access *access)
{
	struct access_split split = split_of(access);

	return access->type->bits < 8 && !access->part && program_fills_bytes(&split,
		access->memory, access->owner, access->place, access->type);
}

LLVMValueRef program_words_hold(const struct program_access *access)
{
	const program_scope *body = access->body;
	struct index *rows = program_rows_are_bytes(access->memory, access->type);
	LLVMValueRef holds = rows ? program_uniform(body, rows) : NULL;

	index_free(rows);
	if (!holds)
		return NULL;
	holds = compare(body, LLVMIntNE, holds, LLVMConstNull(LLVMTypeOf(holds)));
	for (unsigned d = 0; d < access->owner->rank; d++) {
		LLVMValueRef at = access->at[d], end = LLVMBuildAdd(body->b, at, lower_int(
			body->i64, access->owner->box[d]), "");

		if (program_access_always_inside(access, d))
			continue;
		holds = both(body, holds, compare(body, LLVMIntSGE, at, lower_int(body->i64,
			0)));
		holds = both(body, holds, compare(body, LLVMIntSLE, end, access->size[d]));
	}
	return holds;
}

static LLVMValueRef load_bytes(const struct program_access *access, LLVMTypeRef type, unsigned r)
{
	const program_scope *body = access->body;
	LLVMValueRef inside, byte = program_access_find(access, r, &inside), loaded;

	byte = LLVMBuildLShr(body->b, LLVMBuildMul(body->b, byte, lower_int(body->i64,
		access->type->bits), ""), lower_int(body->i64, 3), "");
	loaded = LLVMBuildLoad2(body->b, type, LLVMBuildGEP2(body->b, body->i8, access->pointer,
		&byte, 1, ""), "");
	LLVMSetAlignment(loaded, 1);
	return loaded;
}

static LLVMValueRef word_of(const program_scope *body, LLVMValueRef words, unsigned i)
{
	return LLVMGetTypeKind(LLVMTypeOf(words)) == LLVMVectorTypeKind ?
		LLVMBuildExtractElement(body->b, words, lower_int(body->i32, i), "") :
		LLVMBuildZExtOrBitCast(body->b, words, body->i32, "");
}

/* The element whose first bit this is. */
static LLVMValueRef cut(const struct program_access *access, LLVMValueRef words, unsigned bit)
{
	const program_scope *body = access->body;
	unsigned bits = access->type->bits, first = bit / 32, shift = bit % 32;
	LLVMValueRef low = LLVMBuildLShr(body->b, word_of(body, words, first),
		lower_int(body->i32, shift), "");

	if (shift + bits > 32)
		low = LLVMBuildOr(body->b, low, LLVMBuildShl(body->b, word_of(body, words,
			first + 1), lower_int(body->i32, 32 - shift), ""), "");
	return LLVMBuildTrunc(body->b, low, program_type(body, access->type), "");
}

/* So many bits, which are bytes: words, of which the last one may have less. */
static LLVMValueRef load_words(const struct program_access *access, unsigned bits, unsigned r)
{
	const program_scope *body = access->body;
	LLVMContextRef llvm = LLVMGetBuilderContext(body->b);
	unsigned count = (bits + 31) / 32;
	LLVMTypeRef words = LLVMVectorType(body->i32, count);
	LLVMValueRef loaded;

	if (bits > 32 && bits % 32 == 0)
		return load_bytes(access, words, r);
	loaded = load_bytes(access, LLVMIntTypeInContext(llvm, bits), r);
	return count == 1 ? loaded : LLVMBuildBitCast(body->b, LLVMBuildZExt(body->b,
		loaded, LLVMIntTypeInContext(llvm, 32 * count), ""), words, "");
}

void program_words_load(struct program_access *access, LLVMValueRef *values)
{
	const program_scope *body = access->body;
	const struct access_split split = split_of(access);
	unsigned bits = access->type->bits;
	unsigned most = body->iteration->kernel->target->max_load_bytes * 8 / bits;

	for (unsigned i = 0, run; i < split.count; i += run) {
		LLVMValueRef words;

		run = access_split_run(&split, access->memory, i, most);
		words = load_words(access, run * bits, split.order[i]);
		for (unsigned j = 0; j < run; j++)
			values[split.order[i + j]] = cut(access, words, j * bits);
	}
}
