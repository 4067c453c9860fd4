/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads ahead.  What the first steps load is loaded before the loop, and put but for the last of
 * them; and once that was put, what comes next.  Behind the last step, loads are of what was
 * there before, and puts go where nothing is got. */
#include "lower/program_lanes/parts.h"

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

	body->vars[loop->variable] = LLVMBuildNUWAdd(body->b, turn, lower_int(body->i32,
		ahead), "");
	body->turn = turn;
	body->ahead = ahead;
	ok = program_lower_load(body, tile);
	body->vars[loop->variable] = counter;
	body->turn = before;
	body->ahead = ahead_before;
	return ok;
}

/* Load what the step so many behind the turn's first one does: that of a later turn, where
 * there is such. */
static bool load_later(program_scope *body, const struct program_statement *loop,
	const layout_tile *tile, const struct program_turn *turn, unsigned steps)
{
	LLVMValueRef later, counter = turn->counter;

	program_on(body, tile->workers);
	if (steps >= turn->times) {
		later = LLVMBuildNUWAdd(body->b, counter, lower_int(body->i32,
			steps / turn->times * turn->times), "");
		counter = LLVMBuildSelect(body->b, LLVMBuildICmp(body->b, LLVMIntSLT, later,
			turn->end, ""), later, counter, "");
	}
	return load_at(body, loop, tile, counter, steps % turn->times);
}

/* Put what was loaded for the step so many behind the turn's first one. */
static bool put_later(program_scope *body, const struct program_statement *loop,
	const layout_tile *tile, const struct program_turn *turn, unsigned step)
{
	LLVMValueRef before = body->vars[loop->variable];
	bool ok = true;

	program_on(body, tile->workers);
	body->vars[loop->variable] = LLVMBuildNUWAdd(body->b, turn->counter,
		lower_int(body->i32, step), "");
	for (unsigned i = 0; ok && i < loop->body.count; i++)
		if (loop->body.statements[i].kind == STATEMENT_PUT &&
		    loop->body.statements[i].tile == tile)
			ok = program_lower_put(body, &loop->body.statements[i]);
	body->vars[loop->variable] = before;
	return ok;
}

bool program_early_load(program_scope *body, const struct program_statement *loop,
	const struct program_turn *turn)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < loop->body.count; i++) {
		const struct program_statement *load = &loop->body.statements[i];

		for (unsigned step = 0; ok && program_is_early(body, load) &&
		     step < load->early_steps; step++)
			ok = load_later(body, loop, load->tile, turn, step) &&
				(step + 1 == load->early_steps ||
				put_later(body, loop, load->tile, turn, step));
	}
	program_on(body, 0);
	return ok;
}

bool program_early_put(program_scope *body, const struct program_statement *put)
{
	const layout_memory *local = put->memory;
	LLVMValueRef before = local->loop ? body->vars[local->loop->variable] : NULL;
	unsigned steps = body->whole ? put->early_steps : 0;
	int stage = body->stage;
	bool ok;

	if (!steps)
		return program_lower_put(body, put);
	body->vars[local->loop->variable] = LLVMBuildNUWAdd(body->b, before,
		lower_int(body->i32, steps), "");
	if (stage >= 0)
		body->stage = (stage + (int)steps) % (int)local->stages;
	ok = program_lower_put(body, put);
	body->stage = stage;
	body->vars[local->loop->variable] = before;
	return ok;
}

/* Registers that a word of the machine has. */
static unsigned word_of(const program_scope *body, const layout_tile *tile)
{
	unsigned each = tile->type->bits < 32 ? 32 / tile->type->bits : 1;

	return program_registers_of(body, tile) % each ? 1 : each;
}

/* Registers from r on that were loaded as one, or a word of them. */
static unsigned together(const program_scope *body, const layout_tile *tile, unsigned r)
{
	const LLVMValueRef *values = body->values[tile->number];
	unsigned loaded = program_parts_of(values + r, program_registers_of(body, tile) - r);

	return loaded && loaded % word_of(body, tile) == 0 ? loaded : word_of(body, tile);
}

/* Registers that go through a loop together do so as words, or as an integer of less, and one as
 * it is. */
static LLVMTypeRef words_type(const program_scope *body, const layout_tile *tile,
	unsigned count)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(body->b);
	unsigned bits = count * tile->type->bits;

	if (count > 1 && bits > 32 && bits % 32 == 0)
		return LLVMVectorType(body->i32, bits / 32);
	return LLVMIntTypeInContext(llvm, bits);
}

static LLVMValueRef join(const program_scope *body, const layout_tile *tile, unsigned r,
	unsigned count)
{
	return LLVMBuildBitCast(body->b, program_join(body, body->values[tile->number] + r,
		count), words_type(body, tile, count), "");
}

/* Those that a phi of words has, which begin with r. */
static unsigned count_of(const layout_tile *tile, LLVMValueRef phi)
{
	LLVMTypeRef type = LLVMTypeOf(phi);
	bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;

	return (vector ? 32 * LLVMGetVectorSize(type) : LLVMGetIntTypeWidth(type)) /
		tile->type->bits;
}

static void part(const program_scope *body, const layout_tile *tile, unsigned r,
	LLVMValueRef phi)
{
	LLVMTypeRef type = program_type(body, tile->type);
	unsigned count = count_of(tile, phi);

	if (count > 1)
		phi = LLVMBuildBitCast(body->b, phi, LLVMVectorType(type, count), "");
	program_part(body, phi, count, body->values[tile->number] + r);
}

/* A tile as phis, each by its first register; what comes from "from" is joined there. */
static LLVMValueRef *begin(program_scope *body, const layout_tile *tile,
	LLVMBasicBlockRef from)
{
	unsigned count = program_registers_of(body, tile);
	LLVMValueRef *phis = layout_alloc(body->ctx, count, sizeof(*phis));
	LLVMBasicBlockRef here = LLVMGetInsertBlock(body->b);

	for (unsigned r = 0; phis && r < count; r += count_of(tile, phis[r])) {
		LLVMValueRef words;

		LLVMPositionBuilderBefore(body->b, LLVMGetBasicBlockTerminator(from));
		words = join(body, tile, r, together(body, tile, r));
		LLVMPositionBuilderAtEnd(body->b, here);
		phis[r] = program_phi(body, LLVMTypeOf(words), words, from, "early");
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

		for (unsigned r = 0; phis[i] && r < program_registers_of(body, tile); r++)
			if (phis[i][r])
				part(body, tile, r, phis[i][r]);
	}
	return ok;
}

void program_early_end(const program_scope *body, const struct program_statement *loop,
	LLVMValueRef **phis, LLVMBasicBlockRef last)
{
	for (unsigned i = 0; i < loop->body.count; i++) {
		const layout_tile *tile = loop->body.statements[i].tile;

		for (unsigned r = 0; phis[i] && r < program_registers_of(body, tile); r++) {
			LLVMValueRef words;

			if (!phis[i][r])
				continue;
			words = join(body, tile, r, count_of(tile, phis[i][r]));
			LLVMAddIncoming(phis[i][r], &words, &last, 1);
		}
	}
}

bool program_early_next(program_scope *body, const struct program_statement *loop,
	unsigned done, const struct program_turn *turn)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < loop->body.count; i++) {
		const struct program_statement *load = &loop->body.statements[i];

		if (program_is_early(body, load) && load->early == done)
			ok = load_later(body, loop, load->tile, turn, turn->step +
				load->early_steps);
	}
	return ok;
}
