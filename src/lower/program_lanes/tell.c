/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects in the LDS, and their copies for the steps of a loop, as scopes of aliasing, and what
 * conversions and reductions take as one more: LLVM waits for a copy that is under way before it
 * accesses what may be the same. */
#include "lower/program_lanes/local.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

LLVMValueRef program_local_stage(const program_scope *body, const layout_memory *local)
{
	int64_t bytes = program_find_local(body, local)->bytes;
	LLVMValueRef stage;

	if (local->stages == 1)
		return NULL;
	if (body->stage >= 0 && body->ring == local->loop)
		return lower_int(body->i32, body->stage * bytes);
	stage = LLVMBuildURem(body->b, body->vars[local->loop->variable],
		lower_int(body->i32, local->stages), "stage");
	return LLVMBuildMul(body->b, stage, lower_int(body->i32, bytes), "");
}

/* A node that has itself first, and so is like no other. */
static LLVMMetadataRef own_node(LLVMContextRef llvm, LLVMMetadataRef domain)
{
	LLVMMetadataRef own = LLVMTemporaryMDNode(llvm, NULL, 0), parts[] = { own, domain };
	LLVMMetadataRef node = LLVMMDNodeInContext2(llvm, parts, domain ? 2 : 1);

	LLVMMetadataReplaceAllUsesWith(own, node);
	return node;
}

/* Those of all objects; the scope of what is no object is behind them. */
static unsigned count_copies(const program_scope *body)
{
	const layout_program *program = body->plan->program;
	unsigned count = 0;

	for (unsigned i = 0; i < program->local_count; i++)
		count += program->locals[i]->stages;
	return count;
}

bool program_local_begin(program_scope *body)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(body->b);
	unsigned count = count_copies(body) + 1;
	LLVMMetadataRef domain;

	body->copies = layout_alloc(body->ctx, count, sizeof(*body->copies));
	domain = own_node(llvm, NULL);
	for (unsigned i = 0; body->copies && i < count; i++)
		body->copies[i] = own_node(llvm, domain);
	return body->copies;
}

static struct scopes scopes_of(const program_scope *body, LLVMMetadataRef *own,
	unsigned own_count, LLVMMetadataRef *others, unsigned other_count)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(body->b);

	return (struct scopes){
		LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, own, own_count)),
		LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, others, other_count)) };
}

struct scopes program_local_scopes(const program_scope *body, const layout_tile *tile)
{
	unsigned count = count_copies(body);
	bool over = body->plan->scratch[tile->number] < body->plan->object_bytes;

	if (over || !count)
		return (struct scopes){ NULL, NULL };
	return scopes_of(body, body->copies + count, 1, body->copies, count);
}

void program_local_tell(const program_scope *body, LLVMValueRef access,
	const layout_memory *local)
{
	const layout_program *program = body->plan->program;
	bool known = body->stage >= 0 && body->ring == local->loop;
	unsigned own_count = 0, other_count = 0, number = 0, most = count_copies(body);
	LLVMMetadataRef *own, *others;

	own = layout_alloc(body->ctx, 2 * most, sizeof(*own));
	others = own + most;
	for (unsigned i = 0; own && i < program->local_count; i++)
		for (unsigned s = 0; s < program->locals[i]->stages; s++, number++)
			if (program->locals[i] == local && (!known || s == (unsigned)body->stage))
				own[own_count++] = body->copies[number];
			else
				others[other_count++] = body->copies[number];
	if (own && other_count)
		scopes_tell(access, scopes_of(body, own, own_count, others, other_count));
	free(own);
}
