/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products of two tensors,
 *
 *	matmul(A: row_major[M, K] f16, B: row_major[N, K] f16, D: row_major[N] f32
 *		-> C: row_major[M, N] f16, epilogue = max(C + D, 0)) */
#include "program/matmul.h"
#include "text/program.h"

#include <stdio.h>
#include <stdlib.h>

/* What "?" is of a tensor, whose sizes have no names to match by: as one writes a product, of
 * [M, K] and [K, N], in front of which there may be dimensions of batches, or of [K] and either; what
 * follows it has those of the result. */
struct inferred {
	char batches[TEXT_TENSOR_RANK][8];
	const char *names[TEXT_TENSOR_RANK];
};

static void infer_sizes(struct text_cursor *cursor, struct inferred *inferred,
	const struct matmul *matmul, unsigned rank, bool result)
{
	static const char *const last[][2] = { { "M", "K" }, { "K", "N" }, { "M", "N" } };
	unsigned operand = result || matmul->count > MATMUL_FACTORS ? 2 : matmul->count - 1;

	for (unsigned d = 0; d < rank; d++) {
		unsigned behind = rank - 1 - d;

		snprintf(inferred->batches[d], sizeof(inferred->batches[d]), "B%u", behind - 2);
		inferred->names[d] = behind < 2 ? last[operand][1 - behind] :
			inferred->batches[d];
	}
	if (rank == 1 && operand < 2)
		inferred->names[0] = "K";
	else if (rank == 1 && result && layout_storage_rank(matmul->operands[0].storage) > 1)
		inferred->names[0] = "M";
	cursor->inferred = inferred->names;
	cursor->inferred_count = rank;
}

/* "A: STORAGE f16" */
static bool read_operand(struct text_cursor *cursor, struct matmul *matmul, bool result)
{
	struct matmul_operand *operand = &matmul->operands[matmul->count];
	struct text_tensor tensor;
	struct inferred inferred;

	if (!text_room(cursor, matmul->count, PROGRAM_OPERANDS))
		return false;
	matmul->count++;
	operand->name = text_word(cursor, "an operand");
	if (!operand->name || !text_take(cursor, ":"))
		return false;
	text_peek_tensor(cursor, &tensor);
	infer_sizes(cursor, &inferred, matmul, tensor.rank, result);
	operand->storage = result ? text_storage(cursor) :
		text_seen_storage(cursor, &operand->sight);
	cursor->inferred = NULL;
	cursor->inferred_count = 0;
	return operand->storage && (operand->type = text_type_name(cursor, tensor.element));
}

/* Up to the ")" behind it; what it says is read where the product is made a program. */
static bool read_epilogue(struct text_cursor *cursor, struct matmul *matmul)
{
	size_t begin = cursor->token.begin;
	unsigned open = 0;

	matmul->epilogue_at = text_position(cursor);
	while (cursor->token.kind != TEXT_END && (open || !text_at(cursor, ")"))) {
		open += text_at(cursor, "(");
		open -= text_at(cursor, ")");
		text_advance(cursor);
	}
	if (cursor->token.begin == begin)
		return text_expected(cursor, "an expression");
	matmul->epilogue = text_since(cursor, begin);
	return matmul->epilogue;
}

static bool read_operands(struct text_cursor *cursor, struct matmul *matmul)
{
	do
		if (!read_operand(cursor, matmul, false))
			return false;
	while (text_skip(cursor, ","));
	return (matmul->count >= MATMUL_FACTORS || text_take(cursor, ",")) &&
		text_take(cursor, "->") && read_operand(cursor, matmul, true);
}

/* What is taken besides the factors is for an expression. */
static bool read_all(struct text_cursor *cursor, struct matmul *matmul)
{
	return text_take(cursor, "matmul") && text_take(cursor, "(") &&
		read_operands(cursor, matmul) &&
		(matmul->count > MATMUL_FACTORS + 1 ? text_take(cursor, ",") :
		!text_at(cursor, ",") || text_skip(cursor, ",")) &&
		(text_at(cursor, ")") || (text_take(cursor, "epilogue") &&
		text_take(cursor, "=") && read_epilogue(cursor, matmul))) &&
		text_take(cursor, ")");
}

layout_program *text_matmul(struct text_cursor *cursor)
{
	struct matmul *matmul = layout_alloc(cursor->ctx, 1, sizeof(*matmul));
	long position = text_position(cursor), base;
	layout_program *program;

	if (!matmul)
		return NULL;
	matmul->ctx = cursor->ctx;
	if (!read_all(cursor, matmul)) {
		matmul_free(matmul);
		return NULL;
	}
	base = layout_context_set_base(cursor->ctx, position);
	program = matmul_new_program(matmul);
	layout_context_set_base(cursor->ctx, base);
	return program;
}
