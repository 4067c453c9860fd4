/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Expressions on elements, a register at a time. */
#include "lower/program_lanes/parts.h"

#include <stdlib.h>
#include <string.h>

/* One register of a map: "registers" says which of each operand it takes. */
struct mapping {
	const program_scope *body;
	const layout_tile *tile;
	unsigned *registers[PROGRAM_OPERANDS];
	unsigned r;
};

unsigned *program_operand_registers(const program_scope *body, const layout_tile *operand,
	const layout_tile *tile)
{
	const struct owner *from = program_owner(body, operand);
	const struct owner *to = program_owner(body, tile);
	unsigned *map = layout_alloc(body->ctx, (size_t)to->extent[OWNER_REGISTER],
		sizeof(*map));
	int dims[OWNER_RANK];

	for (unsigned d = 0; d < operand->rank; d++)
		dims[d] = operand->box[d] == 1 ? -1 : (int)(d + tile->rank - operand->rank);
	if (!map || program_registers(from, dims, to, false, map))
		return map;
	layout_fail(body->ctx, LAYOUT_ERROR_UNSUPPORTED, tile->position,
		"the owner of `%s` does not go with that of `%s`", tile->name,
		operand->name);
	free(map);
	return NULL;
}

static LLVMValueRef lower_node(const struct mapping *m, const struct map_node *node)
{
	const program_scope *body = m->body;
	LLVMValueRef args[3] = { NULL };
	const struct element_type *type = node->type;

	for (unsigned i = 0; i < node->arg_count; i++) {
		args[i] = lower_node(m, node->arg[i]);
		if (!args[i])
			return NULL;
	}
	switch (node->op) {
	case MAP_OPERAND:
		return body->values[m->tile->operands[node->number]->number]
			[m->registers[node->number][m->r]];
	case MAP_NUMBER:
		return LLVMConstInt(program_type(body, type), node->bits, false);
	case MAP_INDEX:
		return LLVMBuildTrunc(body->b, LLVMBuildZExtOrBitCast(body->b,
			body->vars[node->number], body->i64, ""), body->i32, "");
	case MAP_CAST:
		return program_cast(body, node->arg[0]->type, type, args[0]);
	case MAP_LT:
	case MAP_LE:
	case MAP_GT:
	case MAP_GE:
	case MAP_EQ:
	case MAP_NE:
		return program_operate(body, node->op, node->arg[0]->type, args);
	default:
		return program_operate(body, node->op, type, args);
	}
}

bool program_lower_map(program_scope *body, const layout_tile *tile)
{
	struct mapping m = { .body = body, .tile = tile };
	unsigned count = program_registers_of(body, tile);
	LLVMValueRef *values = program_make_values(body, tile);
	bool ok = values;

	for (unsigned i = 0; ok && i < tile->operand_count; i++) {
		m.registers[i] = program_operand_registers(body, tile->operands[i], tile);
		ok = m.registers[i];
	}
	for (m.r = 0; ok && m.r < count; m.r++) {
		values[m.r] = lower_node(&m, tile->expression);
		ok = values[m.r];
	}
	for (unsigned i = 0; i < tile->operand_count; i++)
		free(m.registers[i]);
	return ok;
}
