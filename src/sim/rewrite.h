/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of a rewriting: accesses, calls, local memory, each a file. */
#ifndef LAYOUT_SIM_REWRITE_H
#define LAYOUT_SIM_REWRITE_H

#include "sim/program.h"

/* A global variable in local memory, by its place there. */
struct rewrite_local {
	LLVMValueRef global;
	uint64_t offset;
};

/* An address that an operation gave, and the pointer parameter that it was computed from. */
struct rewrite_passed {
	LLVMValueRef address;
	int slot;
};

/* A loop by its blocks' places in the order: from its head to before "end". */
struct rewrite_loop {
	unsigned first, end;
};

/* A kernel's blocks, each behind those that lead to it but by a loop's next turn, a loop's
 * together; inner loops are listed before those around them. */
struct rewrite_order {
	LLVMBasicBlockRef *blocks;
	unsigned count;
	struct rewrite_loop *loops;
	unsigned loop_count;
};

struct rewrite {
	layout_context *ctx;
	struct sim_program *program;
	const struct sim_isa *isa;
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMTargetDataRef data;
	LLVMBuilderRef builder;
	LLVMTypeRef i8, i32, i64, pointer;
	LLVMTypeRef access_type, operate_type;
	LLVMValueRef access, operate;
	LLVMValueRef lane, state, lds, block;
	LLVMBasicBlockRef prologue;
	struct rewrite_order order;
	LLVMValueRef *parameters;	/* what the prologue loaded of them */
	struct rewrite_local *locals;
	unsigned local_count;
	struct rewrite_passed *passed;
	unsigned passed_count;
	unsigned block_bytes;
};

/* Fail with LAYOUT_ERROR_UNSUPPORTED, "... does not execute WHAT NAME". */
bool rewrite_refuse(struct rewrite *w, const char *what, const char *name);

/* The address "offset" bytes behind "base", and a load of what lies there, where the
 * builder is. */
LLVMValueRef rewrite_at(struct rewrite *w, LLVMValueRef base, size_t offset);
LLVMValueRef rewrite_load_at(struct rewrite *w, LLVMTypeRef type, LLVMValueRef base,
	size_t offset);

/* Is an address space one of buffers? */
bool rewrite_is_memory(const struct rewrite *w, unsigned space);

/* The next site; NULL without memory. */
struct sim_site *rewrite_add_site(struct rewrite *w);

/* Order the kernel's blocks; false with the error on the context. */
bool rewrite_find_order(struct rewrite *w, LLVMValueRef kernel);
void rewrite_free_order(struct rewrite_order *order);

/* Lanes meet before a loop's next turn, at a site behind those of its blocks; false without
 * memory. */
bool rewrite_turn(struct rewrite *w, const struct rewrite_loop *loop);

/* The table that an address is in; NULL where it is in none. */
LLVMValueRef rewrite_find_table(LLVMValueRef address);

/* The pointer parameter that an address is computed from; -1 where several may
 * meet in it. */
int rewrite_find_slot(struct rewrite *w, LLVMValueRef address);

/* What an operation gives is an address like its operand, of whichever lane, if the types are
 * one; false without memory. */
bool rewrite_pass_address(struct rewrite *w, LLVMValueRef result, LLVMValueRef operand);

/* Check and watch a load or store.  The check is for the alignment that it claims;
 * the access itself then claims none, as the host's buffers promise none. */
bool rewrite_access(struct rewrite *w, LLVMValueRef access);

/* A site without operands, at which lanes meet; false without memory.  And the call of a site's
 * operation, where the builder is. */
bool rewrite_add_meeting(struct rewrite *w, const struct sim_intrinsic *row);
void rewrite_operate(struct rewrite *w, unsigned number);

/* Replace a call by what its row of the table means, or refuse it. */
bool rewrite_call(struct rewrite *w, LLVMValueRef call);

/* Does the module call what copies to the LDS in its time?  Then a fence that releases what a
 * workgroup sees waits for all; else fences are nothing. */
void rewrite_find_copies(struct rewrite *w);
bool rewrite_fence(struct rewrite *w, LLVMValueRef fence);

/* The same for assembly whose results are its operands, exchanged or not. */
bool rewrite_tied(struct rewrite *w, LLVMValueRef call, bool exchanged);

/* Give the module's variables in local memory their places. */
bool rewrite_place_locals(struct rewrite *w);

/* Replace the variables in an instruction's operands by addresses in this
 * workgroup's local memory; variables elsewhere are refused. */
bool rewrite_locals(struct rewrite *w, LLVMValueRef instruction);

/* Local memory's addresses as numbers count from its start. */
void rewrite_local_number(struct rewrite *w, LLVMValueRef cast);

#endif
