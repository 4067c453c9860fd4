/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What lowering asks of a target.  A family fills in one struct of hooks;
 * src/targets/ lists them. */
#ifndef LAYOUT_LOWER_TARGET_H
#define LAYOUT_LOWER_TARGET_H

#include "algebra/chip.h"
#include "algebra/storage/element.h"
#include <layout/codegen.h>
#include <llvm-c/Core.h>
#include <llvm-c/Object.h>
#include <llvm-c/TargetMachine.h>

/* Bytes that a buffer window spans; an offset from there on is out of its range. */
#define TARGET_WINDOW 0x80000000u

/* In the place of a byte's number. */
#define TARGET_NO_BYTE 8

/* A run of a kernel on buffers that were checked, one an operand. */
struct kernel_run {
	const struct kernel_buffer {
		void *base;
		size_t bytes;
	} *buffers;
	const int64_t *sizes;		/* in argument order */
	int64_t grid[3];		/* workgroups */
	uint64_t first_workgroup, workgroup_count;
	layout_sim_stats *stats;	/* NULL: nobody asked */
	void (*progress)(void *user, double done);	/* NULL: the same */
	void *progress_user;
};

struct plan;

/* sum + lhs * rhs, by a matrix instruction of the wave: what a lane has of each, as
 * integers of the elements' bits, several as a vector. */
struct target_product {
	const struct mma_code *code;
	LLVMValueRef factors[2];
	const struct element_type *types[2];
	LLVMValueRef scales[2];	/* an i8 of each lane, or NULL */
	LLVMValueRef sum;
	unsigned words;		/* registers that all products of the statement take */
};

struct target_hooks {
	const char *family;	/* whose chips these hooks are for */

	/* Make what LLVM has for them known to it, once in this process.  NULL: nothing. */
	void (*initialize)(void);

	/* Around a kernel's name where a line of assembly begins it.  NULL: it is a label. */
	const char *entry[2];

	/* Of the source and destination pointers. */
	unsigned address_space;

	/* A machine for the row and, unless it is NULL, what is planned for it; the targets
	 * of LLVM that it needs become ready.
	 * "level" is what LLVM does for the code's speed.  NULL with an error. */
	LLVMTargetMachineRef (*machine)(layout_context *ctx, const layout_target *row,
		const struct plan *plan, LLVMCodeGenOptLevel level);

	/* The same for another CPU, where there is one of that name, which check_cpu() says.
	 * NULL, both: rows are all there is. */
	LLVMTargetMachineRef (*cpu_machine)(layout_context *ctx, const char *cpu,
		LLVMCodeGenOptLevel level);
	bool (*check_cpu)(layout_context *ctx, const char *cpu);

	/* Give an empty kernel its calling convention and attributes, and its
	 * module the flags that go with them. */
	void (*prologue)(const layout_kernel *kernel, LLVMValueRef function);

	/* The workgroup's place on grid axis 0, 1, 2, and the lane's in the
	 * workgroup, each an i32.  NULL where it has no lanes. */
	LLVMValueRef (*group_id)(LLVMBuilderRef builder, unsigned axis);
	LLVMValueRef (*lane_id)(LLVMBuilderRef builder);

	/* The window of TARGET_WINDOW bytes from "pointer" on, as a bounds-checked
	 * buffer: a load out of its range gives 0, a store does nothing.  Offsets are
	 * of the lane, then of the wave, each an i32; the lane's alone may be out of
	 * range.  For rows with buffers. */
	LLVMValueRef (*buffer)(LLVMBuilderRef builder, const layout_target *row,
		LLVMValueRef pointer);
	LLVMValueRef (*buffer_load)(LLVMBuilderRef builder, LLVMTypeRef type,
		LLVMValueRef buffer, LLVMValueRef lane, LLVMValueRef wave);
	void (*buffer_store)(LLVMBuilderRef builder, LLVMValueRef value,
		LLVMValueRef buffer, LLVMValueRef lane, LLVMValueRef wave);

	/* Exchange two i32 in place. */
	void (*exchange)(LLVMBuilderRef builder, LLVMValueRef pair[2]);

	/* Four bytes of "low" (numbered 0 to 3) and "high" (4 to 7), by number from the
	 * lowest on; TARGET_NO_BYTE gives a byte of 0. */
	LLVMValueRef (*permute_bytes)(LLVMBuilderRef builder, LLVMValueRef high,
		LLVMValueRef low, const unsigned bytes[4]);

	/* sum + a[0]*b[0] + a[1]*b[1] of halves, and of a float; NULL: the row has nothing for
	 * it. */
	LLVMValueRef (*dot2)(LLVMBuilderRef builder, const layout_target *row,
		LLVMValueRef a, LLVMValueRef b, LLVMValueRef sum);

	/* A product, as its sum is.  For rows whose chip has code for it. */
	LLVMValueRef (*multiply)(LLVMBuilderRef builder, const layout_target *row,
		const struct target_product *product);

	/* The same integer or pointer, computed once a wave and from here on; LLVM does not know
	 * where it is from. */
	LLVMValueRef (*pin)(LLVMBuilderRef builder, LLVMValueRef value);

	/* The same i32, which all lanes of the wave have, computed once a wave. */
	LLVMValueRef (*uniform)(LLVMBuilderRef builder, LLVMValueRef value);

	/* The same words of a lane, which are there: no load of them is under way. */
	LLVMValueRef (*await)(LLVMBuilderRef builder, LLVMValueRef value);

	/* The same number or vector of i32, computed before what follows, and what is made of it
	 * behind what precedes.  NULL: as the compiler likes. */
	LLVMValueRef (*here)(LLVMBuilderRef builder, LLVMValueRef value);

	/* Nothing that the compiler may move instructions across. */
	void (*fence)(LLVMBuilderRef builder);

	/* "exp", "log", "exp2", "log2", "sin", "cos", "tanh" or "erf" of a float or double, as that.  NULL with an error. */
	LLVMValueRef (*math)(layout_context *ctx, LLVMBuilderRef builder, const char *name,
		LLVMValueRef arg);

	/* An i32 of another lane of the wave: of lane (lane ^ x), 0 < x; and of lane
	 * "from".  "lane" is the own one, of the wave.  All lanes must be there.  For rows
	 * whose chip says how. */
	LLVMValueRef (*lane_xor)(LLVMBuilderRef builder, const layout_target *row,
		LLVMValueRef value, LLVMValueRef lane, unsigned x);
	LLVMValueRef (*lane_read)(LLVMBuilderRef builder, const layout_target *row,
		LLVMValueRef value, LLVMValueRef lane, LLVMValueRef from);

	/* Two i32 change places, between lanes with bit x and lanes without: the first of
	 * those with the second of these.  For the chip's lane_swaps. */
	void (*lane_swap)(LLVMBuilderRef builder, LLVMValueRef pair[2], unsigned x);

	/* Four halves a lane from the LDS, turned round among 16 lanes: of what lanes 4*i to
	 * 4*i + 3 of them load, 16 halves, lane k gets the k-th as its i-th.  All lanes must
	 * be there.  For chips with turned loads. */
	LLVMValueRef (*load_turned)(LLVMBuilderRef builder, LLVMTypeRef type,
		LLVMValueRef pointer);

	/* Wait for all lanes of the workgroup and what they stored to the LDS, which
	 * is in "local_space". */
	void (*barrier)(LLVMBuilderRef builder);
	unsigned local_space;

	/* The same for the lanes of a wave alone. */
	void (*wave_barrier)(LLVMBuilderRef builder);

	/* What the wave has loaded from memory, it has: no store behind a barrier changes that.
	 * NULL: barriers see to it. */
	void (*loaded)(LLVMBuilderRef builder);

	/* Load "bytes" of each lane, by the offsets of buffer_load(), to the LDS: one behind
	 * the other from "to" on, which is the same for the wave, and none of it before the
	 * wave has landed it.  A lane's offset of TARGET_WINDOW gives zeros.  "buffer" is one, or
	 * a pointer on rows without buffers.  Returned is the access.  For rows whose loads to the
	 * LDS kernels use. */
	LLVMValueRef (*copy)(LLVMBuilderRef builder, LLVMValueRef buffer, LLVMValueRef to,
		unsigned bytes, LLVMValueRef lane, LLVMValueRef wave);

	/* Wait until no more than so many of the wave's copies are under way, or with -1 for
	 * none; and with "accesses" until it has done what it loads from the LDS and stores
	 * there. */
	void (*land)(LLVMBuilderRef builder, int copies, bool accesses);

	/* Wait for all lanes of the workgroup, or of the wave, as they are: what they have
	 * landed is there for all. */
	void (*meet)(LLVMBuilderRef builder, bool workgroup);

	/* Add to a module what only its code carries.  NULL: nothing. */
	bool (*annotate)(layout_context *ctx, const layout_kernel *kernel,
		LLVMModuleRef module);

	/* The bytes of a lane that have no place in its registers, by machine code of the kernel:
	 * what has any is not to be used.  And have a module's code made with as few registers
	 * as can be, for what would else miss some.  NULL: none ever are. */
	uint32_t (*missing)(const layout_kernel *kernel, LLVMCodeGenFileType type,
		LLVMMemoryBufferRef code);
	void (*spare_registers)(LLVMModuleRef module);

	/* Make the loadable form of an object: opened before there is one, since what links
	 * takes time to start; without an object it is given up.  NULL: there is none. */
	void *(*link_open)(layout_context *ctx, const layout_kernel *kernel);
	char *(*link_close)(layout_context *ctx, void *opened, const char *object,
		size_t size, size_t *length);

	/* Bytes of a vector register of that CPU, how many registers there are, and the bytes
	 * that a core's first or second cache has, or for 0 the last one, for a processor
	 * without lanes.  NULL, all: elements are moved one by one. */
	unsigned (*vector_bytes)(const char *cpu);
	unsigned (*vector_count)(const char *cpu);
	int64_t (*cache_bytes)(unsigned level);

	/* Run the kernel. */
	bool (*run)(layout_context *ctx, const layout_kernel *kernel,
		const struct kernel_run *run);
};

/* The hooks of a row of the table. */
const struct target_hooks *target_hooks_of(const layout_target *row);

/* Those of all families, up to a NULL. */
extern const struct target_hooks *const target_families[];

#endif
