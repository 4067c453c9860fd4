/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Products of two tensors,
 *
 *	matmul(A: row_major[M, K] f16, B: row_major[N, K] f16, D: row_major[N] f32
 *		-> C: row_major[M, N] f16, epilogue = max(C + D, 0)) */
#include "program/matmul.h"
#include "text/program.h"

#include <stdlib.h>

/* "A: STORAGE f16" */
static bool read_operand(struct text_cursor *cursor, struct matmul *matmul, bool result)
{
	struct matmul_operand *operand = &matmul->operands[matmul->count];

	if (!text_room(cursor, matmul->count, PROGRAM_OPERANDS))
		return false;
	matmul->count++;
	return (operand->name = text_word(cursor, "an operand")) && text_take(cursor, ":") &&
		(operand->storage = result ? text_storage(cursor) :
			text_seen_storage(cursor, &operand->sight)) &&
		(operand->type = text_word(cursor, "an element type"));
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
