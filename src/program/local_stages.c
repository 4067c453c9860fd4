/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which loop's steps have copies of their own of an object in the LDS. */
#include "program/local.h"

/* The way to an object's accesses: the loops around all of them, outermost first. */
struct around {
	const layout_memory *local;
	unsigned depth, common;
	const struct program_statement *loops[16], *all[16];
	bool found;
};

static void meet(struct around *around)
{
	if (!around->found) {
		for (unsigned i = 0; i < around->depth; i++)
			around->all[i] = around->loops[i];
		around->common = around->depth;
	}
	for (unsigned i = 0; i < around->common; i++)
		if (i >= around->depth || around->all[i] != around->loops[i])
			around->common = i;
	around->found = true;
}

static void walk(struct around *around, const struct program_body *body)
{
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *statement = &body->statements[i];
		bool loop = statement->kind == STATEMENT_FOR;

		if ((statement->kind == STATEMENT_PUT && statement->memory == around->local) ||
		    (statement->kind == STATEMENT_TILE && statement->tile->op == TILE_GET &&
		    statement->tile->memory == around->local))
			meet(around);
		if (loop)
			around->loops[around->depth++] = statement;
		walk(around, &statement->body);
		around->depth -= loop;
	}
}

void local_find_stages(layout_program *program)
{
	for (unsigned i = 0; i < program->local_count; i++) {
		layout_memory *local = program->locals[i];
		struct around around = { .local = local };

		walk(&around, &program->body);
		local->loop = around.common ? around.all[around.common - 1] : NULL;
		local->stages = local->loop ? local->loop->stages : 1;
		if (local->stages == 1)
			local->loop = NULL;
	}
}
