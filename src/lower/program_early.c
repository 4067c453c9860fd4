/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads a step ahead.  What the first step loads is loaded before the loop, and once it was
 * put, what the next one does; behind the last step that is what was there before. */
#include "lower/program_parts.h"

#include <stdlib.h>
#include <string.h>

bool program_is_early(const program_scope *body, const struct program_statement *of)
{
	return body->whole && of->early && !(body->direct && of->tile->piece);
}

bool program_has_early(const program_scope *body, const struct program_statement *loop)
{
	for (unsigned i = 0; i < loop->body.count; i++)
		if (program_is_early(body, &loop->body.statements[i]))
			return true;
	return false;
}

/* Make a load as that of step "turn" + ahead. */
static bool load_at(program_scope *body, const struct program_statement *loop,
	const layout_tile *tile, LLVMValueRef turn, unsigned ahead)
{
	LLVMValueRef counter = body->vars[loop->variable], before = body->turn;
	unsigned ahead_before = body->ahead;
	bool ok;

	body->vars[loop->variable] = LLVMBuildNUWAdd(body->b, turn, program_int(body->i32,
		ahead), "");
	body->turn = turn;
	body->ahead = ahead;
	ok = program_lower_load(body, tile);
	body->vars[loop->variable] = counter;
	body->turn = before;
	body->ahead = ahead_before;
	return ok;
}

bool program_early_load(program_scope *body, const struct program_statement *loop,
	LLVMValueRef counter)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < loop->body.count; i++)
		if (program_is_early(body, &loop->body.statements[i]))
			ok = load_at(body, loop, loop->body.statements[i].tile, counter, 0);
	return ok;
}

/* Registers that a word of the machine has. */
static unsigned word_of(const program_scope *body, const layout_tile *tile)
{
	unsigned each = tile->type->bits < 32 ? 32 / tile->type->bits : 1;

	return program_registers_of(body, tile) % each ? 1 : each;
}

static LLVMTypeRef word_type(const program_scope *body, const layout_tile *tile)
{
	return LLVMIntTypeInContext(LLVMGetBuilderContext(body->b), word_of(body, tile) *
		tile->type->bits);
}

static LLVMTypeRef parts_type(const program_scope *body, const layout_tile *tile)
{
	return LLVMVectorType(program_type(body, tile->type), word_of(body, tile));
}

/* The word from register r on, and its parts. */
static LLVMValueRef join(const program_scope *body, const layout_tile *tile, unsigned r)
{
	LLVMValueRef vector = LLVMGetPoison(parts_type(body, tile));

	for (unsigned i = 0; i < word_of(body, tile); i++)
		vector = LLVMBuildInsertElement(body->b, vector,
			body->values[tile->number][r + i], program_int(body->i32, i), "");
	return LLVMBuildBitCast(body->b, vector, word_type(body, tile), "");
}

static void part(const program_scope *body, const layout_tile *tile, unsigned r,
	LLVMValueRef word)
{
	word = LLVMBuildBitCast(body->b, word, parts_type(body, tile), "");
	for (unsigned i = 0; i < word_of(body, tile); i++)
		body->values[tile->number][r + i] = LLVMBuildExtractElement(body->b, word,
			program_int(body->i32, i), "");
}

/* Words of a tile as phis; what comes from "from" is joined there. */
static LLVMValueRef *begin(program_scope *body, const layout_tile *tile,
	LLVMBasicBlockRef from)
{
	unsigned count = program_registers_of(body, tile), each = word_of(body, tile);
	LLVMValueRef *phis = layout_alloc(body->ctx, count, sizeof(*phis));
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);

	for (unsigned r = 0; phis && r < count; r += each) {
		LLVMValueRef word;

		LLVMPositionBuilderBefore(body->b, LLVMGetBasicBlockTerminator(from));
		word = join(body, tile, r);
		LLVMPositionBuilderAtEnd(body->b, here);
		phis[r] = LLVMBuildPhi(body->b, word_type(body, tile), "early");
		LLVMAddIncoming(phis[r], &word, &from, 1);
	}
	return phis;
}

bool program_early_begin(program_scope *body, const struct program_statement *loop,
	LLVMValueRef **phis, LLVMBasicBlockRef from)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < loop->body.count; i++)
		if (program_is_early(body, &loop->body.statements[i])) {
			phis[i] = begin(body, loop->body.statements[i].tile, from);
			ok = phis[i];
		}
	for (unsigned i = 0; ok && i < loop->body.count; i++) {
		const layout_tile *tile = loop->body.statements[i].tile;

		for (unsigned r = 0; phis[i] && r < program_registers_of(body, tile);
		     r += word_of(body, tile))
			part(body, tile, r, phis[i][r]);
	}
	return ok;
}

void program_early_end(const program_scope *body, const struct program_statement *loop,
	LLVMValueRef **phis, LLVMBasicBlockRef last)
{
	for (unsigned i = 0; i < loop->body.count; i++) {
		const layout_tile *tile = loop->body.statements[i].tile;

		for (unsigned r = 0; phis[i] && r < program_registers_of(body, tile);
		     r += word_of(body, tile)) {
			LLVMValueRef word = join(body, tile, r);

			LLVMAddIncoming(phis[i][r], &word, &last, 1);
		}
	}
}

bool program_early_next(program_scope *body, const struct program_statement *loop,
	unsigned done, const struct program_turn *turn)
{
	LLVMValueRef next = turn->counter;
	unsigned ahead = turn->step + 1;
	bool ok = true;

	for (unsigned i = 0; ok && i < loop->body.count; i++) {
		if (!program_is_early(body, &loop->body.statements[i]) ||
		    loop->body.statements[i].early != done)
			continue;
		if (ahead == turn->times) {
			next = LLVMBuildNUWAdd(body->b, next, program_int(body->i32,
				turn->times), "");
			next = LLVMBuildSelect(body->b, LLVMBuildICmp(body->b, LLVMIntSLT,
				next, turn->end, ""), next, turn->counter, "");
			ahead = 0;
		}
		ok = load_at(body, loop, loop->body.statements[i].tile, next, ahead);
	}
	return ok;
}
