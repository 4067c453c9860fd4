/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The simulator on hand-written kernels: results, counts, every kind of fault. */
#include "amdgpu/code/amdgpu.h"
#include "lower/llvm.h"

#include <llvm-c/IRReader.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static const char prelude[] =
	"target datalayout = \"e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-"
	"p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-"
	"i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-"
	"v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9\"\n"
	"target triple = \"amdgcn-amd-amdhsa\"\n"
	"declare i32 @llvm.amdgcn.workitem.id.x()\n"
	"declare i32 @llvm.amdgcn.workitem.id.y()\n"
	"declare i32 @llvm.amdgcn.workitem.id.z()\n"
	"declare i32 @llvm.amdgcn.workgroup.id.x()\n"
	"declare i32 @llvm.amdgcn.workgroup.id.y()\n"
	"declare i32 @llvm.amdgcn.workgroup.id.z()\n"
	"declare i32 @llvm.amdgcn.wavefrontsize()\n"
	"declare i32 @llvm.smin.i32(i32, i32)\n"
	"declare void @llvm.assume(i1)\n"
	"declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, "
	"i1)\n"
	"declare void @other(ptr addrspace(1))\n"
	"@note = private constant [4 x i8] c\"abcd\", section \".note.test\"\n"
	"@llvm.used = appending addrspace(1) global [2 x ptr] [ptr @note, ptr @k], "
	"section \"llvm.metadata\"\n"
	"@lds = internal addrspace(3) global [64 x i32] poison\n"
	"@word = internal addrspace(1) global i32 1\n"
	"@table = addrspace(4) constant [2 x i32] [i32 1, i32 2]\n";

#define KERNEL \
	"define amdgpu_kernel void @k(ptr addrspace(1) noalias readonly align 16 %s, " \
	"ptr addrspace(1) noalias writeonly align 16 %d, i64 %n) #0 {\n"
#define END "  ret void\n}\n" \
	"attributes #0 = { \"target-cpu\"=\"gfx942\" " \
	"\"amdgpu-flat-work-group-size\"=\"64,64\" }\n"

/* %i is the number of this lane in a launch of x only, 64 lanes a workgroup. */
#define LANE \
	"  %t = call range(i32 0, 64) i32 @llvm.amdgcn.workitem.id.x()\n" \
	"  %w = call i32 @llvm.amdgcn.workgroup.id.x()\n" \
	"  %w64 = shl nuw nsw i32 %w, 6\n" \
	"  %i32 = or disjoint i32 %w64, %t\n" \
	"  %i = zext nneg i32 %i32 to i64\n"

static const char copy[] = KERNEL LANE
	"  %inside = icmp ult i64 %i, %n\n"
	"  br i1 %inside, label %body, label %exit\n"
	"body:\n"
	"  %p = getelementptr inbounds nuw float, ptr addrspace(1) %s, i64 %i\n"
	"  %v = load float, ptr addrspace(1) %p, align 4, !invariant.load !0\n"
	"  %q = getelementptr inbounds nuw float, ptr addrspace(1) %d, i64 %i\n"
	"  store float %v, ptr addrspace(1) %q, align 4\n"
	"  br label %exit\n"
	"exit:\n"
	END "!0 = !{}\n";

/* The same without the mask. */
static const char unmasked[] = KERNEL LANE
	"  %p = getelementptr inbounds nuw float, ptr addrspace(1) %s, i64 %i\n"
	"  %v = load float, ptr addrspace(1) %p, align 4\n"
	"  %q = getelementptr inbounds nuw float, ptr addrspace(1) %d, i64 %i\n"
	"  store float %v, ptr addrspace(1) %q, align 4\n"
	END;

/* Loads n elements lower. */
static const char before[] = KERNEL LANE
	"  %j = sub nuw nsw i64 %i, %n\n"
	"  %ok = icmp ult i64 %j, 1000000\n"
	"  call void @llvm.assume(i1 %ok)\n"
	"  %p = getelementptr inbounds nuw i32, ptr addrspace(1) %s, i64 %j\n"
	"  %v = load i32, ptr addrspace(1) %p, align 4, !range !0\n"
	"  %q = getelementptr inbounds nuw i32, ptr addrspace(1) %d, i64 %i\n"
	"  store i32 %v, ptr addrspace(1) %q, align 4\n"
	END "!0 = !{i32 1, i32 7}\n";

/* 16 bytes a lane, n elements further. */
static const char wide[] = KERNEL LANE
	"  %i4 = shl i64 %i, 2\n"
	"  %j = add i64 %i4, %n\n"
	"  %p = getelementptr inbounds i32, ptr addrspace(1) %s, i64 %j\n"
	"  %v = load <4 x i32>, ptr addrspace(1) %p, align 16\n"
	"  %q = getelementptr inbounds i32, ptr addrspace(1) %d, i64 %i4\n"
	"  store <4 x i32> %v, ptr addrspace(1) %q, align 16\n"
	END;

/* Claims more than the base is worth. */
static const char overaligned[] = KERNEL
	"  %v = load <4 x i32>, ptr addrspace(1) %s, align 32\n"
	"  store <4 x i32> %v, ptr addrspace(1) %d, align 16\n"
	END;

static const char to_source[] = KERNEL LANE
	"  %p = getelementptr inbounds i8, ptr addrspace(1) %s, i64 %i\n"
	"  store i8 1, ptr addrspace(1) %p, align 1\n"
	END;

/* Lane n and those after it write to the buffer that a select chooses. */
static const char chosen[] = KERNEL LANE
	"  %low = icmp ult i64 %i, %n\n"
	"  %b = select i1 %low, ptr addrspace(1) %d, ptr addrspace(1) %s\n"
	"  %p = getelementptr i16, ptr addrspace(1) %b, i64 %i\n"
	"  store i16 9, ptr addrspace(1) %p, align 2\n"
	END;

/* Past the end of the source, wherever that may be. */
static const char stray[] = KERNEL
	"  %a = ptrtoint ptr addrspace(1) %d to i64\n"
	"  %b = add i64 %a, %n\n"
	"  %p = inttoptr i64 %b to ptr addrspace(1)\n"
	"  store i32 9, ptr addrspace(1) %p, align 4\n"
	END;

/* What is loaded is not what the metadata says: the compiler may rely on it, the
 * simulator does not. */
static const char lying[] = KERNEL
	"  %v = load i32, ptr addrspace(1) %s, align 4, !range !0\n"
	"  %low = icmp ult i32 %v, 4\n"
	"  %j = select i1 %low, i64 0, i64 9999\n"
	"  %q = getelementptr i8, ptr addrspace(1) %d, i64 %j\n"
	"  store i8 1, ptr addrspace(1) %q, align 1\n"
	END "!0 = !{i32 0, i32 4}\n";

/* The same of a flag: the shift is not exact. */
static const char inexact[] = KERNEL
	"  %m = or i64 %n, 1\n"
	"  %j = lshr exact i64 %m, 1\n"
	"  %q = getelementptr inbounds i32, ptr addrspace(1) %d, i64 %j\n"
	"  store i32 1, ptr addrspace(1) %q, align 4\n"
	END;

/* Waits for what no one writes, n elements further. */
static const char spinning[] = KERNEL
	"  br label %head\n"
	"head:\n"
	"  %p = getelementptr inbounds i32, ptr addrspace(1) %s, i64 %n\n"
	"  %v = load volatile i32, ptr addrspace(1) %p, align 4\n"
	"  %again = icmp eq i32 %v, 0\n"
	"  br i1 %again, label %head, label %exit\n"
	"exit:\n"
	END;

/* A loop: each lane adds up n elements of its row. */
static const char loop[] = KERNEL LANE
	"  %row = mul nuw nsw i64 %i, %n\n"
	"  %b = getelementptr inbounds i64, ptr addrspace(1) %s, i64 %row\n"
	"  br label %head\n"
	"head:\n"
	"  %j = phi i64 [ 0, %0 ], [ %j1, %body ]\n"
	"  %sum = phi i64 [ 0, %0 ], [ %sum1, %body ]\n"
	"  %more = icmp slt i64 %j, %n\n"
	"  br i1 %more, label %body, label %exit, !prof !0\n"
	"body:\n"
	"  %p = getelementptr inbounds i64, ptr addrspace(1) %b, i64 %j\n"
	"  %v = load i64, ptr addrspace(1) %p, align 8\n"
	"  %sum1 = add i64 %sum, %v\n"
	"  %j1 = add nuw nsw i64 %j, 1\n"
	"  br label %head\n"
	"exit:\n"
	"  %q = getelementptr inbounds i64, ptr addrspace(1) %d, i64 %i\n"
	"  store i64 %sum, ptr addrspace(1) %q, align 8\n"
	END "!0 = !{!\"branch_weights\", i32 9, i32 1}\n";

/* Each lane of a three-dimensional launch writes its ids as digits. */
static const char ids[] = KERNEL
	"  %x = call i32 @llvm.amdgcn.workitem.id.x()\n"
	"  %y = call i32 @llvm.amdgcn.workitem.id.y()\n"
	"  %z = call i32 @llvm.amdgcn.workitem.id.z()\n"
	"  %gx = call i32 @llvm.amdgcn.workgroup.id.x()\n"
	"  %gy = call i32 @llvm.amdgcn.workgroup.id.y()\n"
	"  %gz = call i32 @llvm.amdgcn.workgroup.id.z()\n"
	"  %a1 = mul i32 %gz, 3\n"		/* grid 2 x 3 x 2, lanes 4 x 2 x 3 */
	"  %a2 = add i32 %a1, %gy\n"
	"  %a3 = mul i32 %a2, 2\n"
	"  %a4 = add i32 %a3, %gx\n"
	"  %a5 = mul i32 %a4, 3\n"
	"  %a6 = add i32 %a5, %z\n"
	"  %a7 = mul i32 %a6, 2\n"
	"  %a8 = add i32 %a7, %y\n"
	"  %a9 = mul i32 %a8, 4\n"
	"  %i = add i32 %a9, %x\n"
	"  %i64 = zext i32 %i to i64\n"
	"  %v1 = mul i32 %gz, 10\n"
	"  %v2 = add i32 %v1, %gy\n"
	"  %v3 = mul i32 %v2, 10\n"
	"  %v4 = add i32 %v3, %gx\n"
	"  %v5 = mul i32 %v4, 10\n"
	"  %v6 = add i32 %v5, %z\n"
	"  %v7 = mul i32 %v6, 10\n"
	"  %v8 = add i32 %v7, %y\n"
	"  %v9 = mul i32 %v8, 10\n"
	"  %v = add i32 %v9, %x\n"
	"  %q = getelementptr inbounds i32, ptr addrspace(1) %d, i64 %i64\n"
	"  store i32 %v, ptr addrspace(1) %q, align 4\n"
	END;

static struct sim *try_sim(layout_context *ctx, const char *text, const char *kernel)
{
	struct lower_diagnostic diagnostic = { 0 };
	LLVMContextRef context = lower_context_new(&diagnostic);
	char *whole = malloc(strlen(prelude) + strlen(text) + 1);
	LLVMModuleRef module = NULL;
	LLVMMemoryBufferRef buffer;
	char *message = NULL;
	struct sim *sim;

	strcpy(whole, prelude);
	strcat(whole, text);
	buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(whole, strlen(whole),
		"kernel");
	free(whole);
	if (LLVMParseIRInContext(context, buffer, &module, &message))
		fail_msg("%s", message);
	sim = sim_new(ctx, module, kernel, &amdgpu_isa);
	assert_non_null(LLVMGetNamedFunction(module, "k"));
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	free(diagnostic.message);
	return sim;
}

static struct sim *sim_of(layout_context *ctx, const char *text)
{
	struct sim *sim = try_sim(ctx, text, "k");

	if (!sim)
		fail_msg("%s", layout_context_message(ctx));
	return sim;
}

/* Source and destination of a launch with one argument; the memory around the
 * destination is watched. */
struct memory {
	unsigned char source[4096];
	unsigned char guard0[256], destination[4096], guard1[256];
};

static struct memory *memory_new(void)
{
	struct memory *memory = malloc(sizeof(*memory));

	for (unsigned i = 0; i < sizeof(memory->source); i++)
		memory->source[i] = (unsigned char)(i * 7 + i / 256);
	memset(memory->guard0, 0x5a, sizeof(memory->guard0));
	memset(memory->guard1, 0x5a, sizeof(memory->guard1));
	memset(memory->destination, 0xee, sizeof(memory->destination));
	return memory;
}

static bool guards_hold(const struct memory *memory)
{
	for (unsigned i = 0; i < sizeof(memory->guard0); i++)
		if (memory->guard0[i] != 0x5a || memory->guard1[i] != 0x5a)
			return false;
	return true;
}

struct shape {
	int64_t workgroups;
	uint64_t source_bytes, destination_bytes;
	int64_t n;
};

static bool run(layout_context *ctx, const struct sim *sim, struct memory *memory,
	const struct shape *shape, layout_sim_stats *stats)
{
	const struct sim_buffer buffers[] = {
		{ "source", memory->source, shape->source_bytes, false, 16 },
		{ "destination", memory->destination, shape->destination_bytes, true,
			16 },
	};
	const struct sim_launch launch = { .grid = { shape->workgroups, 1, 1 },
		.workgroup_size = { 64, 1, 1 }, .buffer_count = 2, .buffers = buffers,
		.arg_count = 1, .args = &shape->n };

	return sim_run(ctx, sim, &launch, stats);
}

static const struct {
	struct shape shape;
	uint64_t workgroups, lanes, loads, stores, load_bytes, store_bytes;
} copies[] = {
	{ { 1, 256, 256, 64 }, 1, 64, 64, 64, 256, 256 },
	{ { 3, 640, 640, 160 }, 3, 192, 160, 160, 640, 640 },
	{ { 3, 4, 4, 1 }, 3, 192, 1, 1, 4, 4 },
	{ { 3, 0, 0, 0 }, 3, 192, 0, 0, 0, 0 },
	{ { 0, 0, 0, 0 }, 0, 0, 0, 0, 0, 0 },
};

static void test_copy(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim *sim = sim_of(ctx, copy);

	(void)state;
	for (unsigned i = 0; i < COUNT(copies); i++) {
		struct memory *memory = memory_new();
		size_t bytes = copies[i].shape.destination_bytes;
		layout_sim_stats stats;

		assert_true(run(ctx, sim, memory, &copies[i].shape, &stats));
		assert_int_equal(stats.workgroups, copies[i].workgroups);
		assert_int_equal(stats.lanes, copies[i].lanes);
		assert_int_equal(stats.loads, copies[i].loads);
		assert_int_equal(stats.stores, copies[i].stores);
		assert_int_equal(stats.load_bytes, copies[i].load_bytes);
		assert_int_equal(stats.store_bytes, copies[i].store_bytes);
		assert_memory_equal(memory->destination, memory->source, bytes);
		for (; bytes < sizeof(memory->destination); bytes++)
			assert_int_equal(memory->destination[bytes], 0xee);
		assert_true(guards_hold(memory));
		free(memory);
	}
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	sim_free(sim);
	sim_free(NULL);
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *kernel;
	struct shape shape;
	const char *fault;		/* NULL: none */
} faults[] = {
	{ unmasked, { 1, 256, 256, 0 }, NULL },
	{ unmasked, { 1, 252, 256, 0 }, "kernel 'k', workgroup (0, 0, 0), lane 63: "
		"load of 4 bytes at byte 252 of 'source': it has 252 bytes" },
	{ unmasked, { 1, 255, 256, 0 }, "kernel 'k', workgroup (0, 0, 0), lane 63: "
		"load of 4 bytes at byte 252 of 'source': it has 255 bytes" },
	{ unmasked, { 3, 640, 516, 0 }, "kernel 'k', workgroup (2, 0, 0), lane 1: "
		"store of 4 bytes at byte 516 of 'destination': it has 516 bytes" },
	/* the first of many workgroups, whichever thread is first */
	{ unmasked, { 16, 640, 4096, 0 }, "kernel 'k', workgroup (2, 0, 0), lane 32: "
		"load of 4 bytes at byte 640 of 'source': it has 640 bytes" },
	{ unmasked, { 1, 0, 256, 0 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"load of 4 bytes at byte 0 of 'source': it has 0 bytes" },
	{ unmasked, { 1, 3, 256, 0 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"load of 4 bytes at byte 0 of 'source': it has 3 bytes" },
	/* the first of two in one lane */
	{ unmasked, { 1, 252, 252, 0 }, "kernel 'k', workgroup (0, 0, 0), lane 63: "
		"load of 4 bytes at byte 252 of 'source': it has 252 bytes" },
	{ before, { 1, 256, 256, 3 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"load of 4 bytes at byte -12 of 'source': it has 256 bytes" },
	{ before, { 1, 256, 256, 0 }, NULL },
	/* the source's own bounds, even where other memory follows */
	{ before, { 1, 256, 256, -64 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"load of 4 bytes at byte 256 of 'source': it has 256 bytes" },
	{ before, { 1, 256, 256, -1088 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"load of 4 bytes at byte 4352 of 'source': it has 256 bytes" },
	{ wide, { 1, 1024, 1024, 0 }, NULL },
	{ wide, { 1, 1040, 1024, 4 }, NULL },
	{ wide, { 1, 2048, 1024, 2 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"load of 16 bytes at byte 8 of 'source': not aligned to 16 bytes" },
	{ wide, { 1, 1032, 1024, 4 }, "kernel 'k', workgroup (0, 0, 0), lane 63: "
		"load of 16 bytes at byte 1024 of 'source': it has 1032 bytes" },
	{ overaligned, { 1, 256, 256, 0 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"load of 16 bytes at byte 0 of 'source': not aligned to 32 bytes" },
	{ to_source, { 1, 256, 256, 0 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"store of 1 bytes at byte 0 of 'source': it is read-only" },
	{ chosen, { 1, 256, 256, 64 }, NULL },
	{ chosen, { 1, 256, 256, 5 }, "kernel 'k', workgroup (0, 0, 0), lane 5: "
		"store of 2 bytes at byte 10 of 'source': it is read-only" },
	{ chosen, { 1, 256, 21, 64 }, "kernel 'k', workgroup (0, 0, 0), lane 10: "
		"store of 2 bytes at byte 20 of 'destination': it has 21 bytes" },
	{ spinning, { 1, 256, 256, 64 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"load of 4 bytes at byte 256 of 'source': it has 256 bytes" },
	{ spinning, { 1, 256, 256, 63 }, NULL },
	{ stray, { 1, 256, 256, 252 }, "kernel 'k', workgroup (0, 0, 0), lane 1: "
		"store of 4 bytes at byte 252 of 'destination': "
		"race with the store of byte 252 by lane 0" },
	{ stray, { 1, 256, 256, 260 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"store of 4 bytes at byte 260 of 'destination': it has 256 bytes" },
	{ stray, { 1, 256, 256, -8 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"store of 4 bytes at byte -8 of 'destination': it has 256 bytes" },
	{ stray, { 1, 256, 256, 6 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"store of 4 bytes at byte 6 of 'destination': not aligned to 4 bytes" },
	{ lying, { 1, 256, 256, 0 }, "kernel 'k', workgroup (0, 0, 0), lane 0: "
		"store of 1 bytes at byte 9999 of 'destination': it has 256 bytes" },
	{ inexact, { 1, 256, 256, 6 }, "kernel 'k', workgroup (0, 0, 0), lane 1: "
		"store of 4 bytes at byte 12 of 'destination': "
		"race with the store of byte 12 by lane 0" },
};

static void count_error(void *user, layout_error kind, const char *message, long position)
{
	(void)kind;
	(void)message;
	(void)position;
	++*(unsigned *)user;
}

static void test_faults(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(faults); i++) {
		layout_context *ctx = layout_context_new();
		struct sim *sim = sim_of(ctx, faults[i].kernel);
		struct memory *memory = memory_new();
		unsigned errors = 0;
		bool ok;

		layout_context_on_error(ctx, count_error, &errors);
		ok = run(ctx, sim, memory, &faults[i].shape, NULL);
		assert_int_equal(errors, !ok);
		if (ok != !faults[i].fault)
			fail_msg("row %u: %s", i, layout_context_message(ctx));
		if (!ok) {
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_FAULT);
			assert_string_equal(layout_context_message(ctx), faults[i].fault);
		}
		assert_true(guards_hold(memory));
		free(memory);
		sim_free(sim);
		assert_true(layout_context_free(ctx));
	}
}

/* The lane with the first fault is the last one, and what it was about to do is not
 * counted. */
static void test_stops(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim *sim = sim_of(ctx, unmasked);
	struct memory *memory = memory_new();
	layout_sim_stats stats;

	(void)state;
	assert_false(run(ctx, sim, memory, &(struct shape){ 3, 276, 4096, 0 }, &stats));
	assert_int_equal(stats.lanes, 70);
	assert_int_equal(stats.workgroups, 2);
	assert_int_equal(stats.loads, 69);
	free(memory);
	sim_free(sim);
	assert_true(layout_context_free(ctx));
}

/* Alignment counts from the base, wherever the host has put that. */
static void test_odd_base(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim *sim = sim_of(ctx, wide);
	struct memory *memory = memory_new();
	const struct sim_buffer buffers[] = {
		{ "source", memory->source + 5, 1024, false, 16 },
		{ "destination", memory->destination + 3, 1024, true, 16 },
	};
	const int64_t n = 0;
	const struct sim_launch launch = { .grid = { 1, 1, 1 },
		.workgroup_size = { 64, 1, 1 }, .buffer_count = 2, .buffers = buffers,
		.arg_count = 1, .args = &n };

	(void)state;
	assert_true(sim_run(ctx, sim, &launch, NULL));
	assert_memory_equal(memory->destination + 3, memory->source + 5, 1024);
	free(memory);
	sim_free(sim);
	assert_true(layout_context_free(ctx));
}

static void test_loop(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim *sim = sim_of(ctx, loop);
	struct memory *memory = memory_new();
	layout_sim_stats stats;

	(void)state;
	assert_true(run(ctx, sim, memory, &(struct shape){ 1, 2560, 512, 5 }, &stats));
	for (unsigned i = 0; i < 64; i++) {
		int64_t row[5], sum;

		memcpy(row, memory->source + i * sizeof(row), sizeof(row));
		memcpy(&sum, memory->destination + i * sizeof(sum), sizeof(sum));
		assert_true((uint64_t)sum == (uint64_t)row[0] + (uint64_t)row[1] +
			(uint64_t)row[2] + (uint64_t)row[3] + (uint64_t)row[4]);
	}
	assert_int_equal(stats.loads, 320);
	assert_int_equal(stats.load_bytes, 2560);
	assert_int_equal(stats.stores, 64);
	assert_int_equal(stats.store_bytes, 512);
	free(memory);
	sim_free(sim);
	assert_true(layout_context_free(ctx));
}

/* Ranges of a launch of 2 x 3 x 2 workgroups of 4 x 2 x 3 lanes. */
static const struct {
	uint64_t first, count;
	unsigned begin, end;		/* workgroups that run; none: an error */
} ranges[] = {
	{ 0, 0, 0, 12 },
	{ 0, 12, 0, 12 },
	{ 5, 0, 5, 12 },
	{ 5, 2, 5, 7 },
	{ 11, 1, 11, 12 },
	{ 0, 13, 0, 0 },
	{ 11, 2, 0, 0 },
	{ 13, 0, 0, 0 },
	{ UINT64_MAX, UINT64_MAX, 0, 0 },
};

/* What lane "i" of the launch writes: gz gy gx z y x. */
static int32_t digits_of(unsigned i)
{
	static const unsigned radix[6] = { 4, 2, 3, 2, 3, 2 };
	int32_t value = 0, place = 1;

	for (unsigned d = 0; d < 6; d++) {
		value += place * (int32_t)(i % radix[d]);
		i /= radix[d];
		place *= 10;
	}
	return value;
}

static void check_range(layout_context *ctx, const struct sim *sim, unsigned row)
{
	struct memory *memory = memory_new();
	const struct sim_buffer buffers[] = {
		{ "source", memory->source, 0, false, 16 },
		{ "destination", memory->destination, 12 * 24 * 4, true, 16 },
	};
	const int64_t n = 0;
	const struct sim_launch launch = { .grid = { 2, 3, 2 },
		.workgroup_size = { 4, 2, 3 }, .buffer_count = 2, .buffers = buffers,
		.arg_count = 1, .args = &n,
		.first = ranges[row].first, .count = ranges[row].count };
	layout_sim_stats stats;
	int32_t value;

	if (ranges[row].end) {
		assert_true(sim_run(ctx, sim, &launch, &stats));
		assert_int_equal(stats.workgroups, ranges[row].end - ranges[row].begin);
		assert_int_equal(stats.lanes, stats.workgroups * 24);
		assert_int_equal(stats.stores, stats.lanes);
	} else {
		assert_false(sim_run(ctx, sim, &launch, &stats));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
	}
	for (unsigned i = 0; i < 12 * 24; i++) {
		bool ran = i / 24 >= ranges[row].begin && i / 24 < ranges[row].end;

		memcpy(&value, memory->destination + i * 4, 4);
		assert_int_equal(value, ran ? digits_of(i) : (int32_t)0xeeeeeeee);
	}
	free(memory);
}

/* A fault inside workgroup 9 of the same launch, at lane 17: z 2, y 0, x 1. */
static void test_fault_place(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim *sim = sim_of(ctx, ids);
	struct memory *memory = memory_new();
	const struct sim_buffer buffers[] = {
		{ "source", memory->source, 0, false, 16 },
		{ "destination", memory->destination, (9 * 24 + 17) * 4, true, 16 },
	};
	const int64_t n = 0;
	const struct sim_launch launch = { .grid = { 2, 3, 2 },
		.workgroup_size = { 4, 2, 3 }, .buffer_count = 2, .buffers = buffers,
		.arg_count = 1, .args = &n };

	(void)state;
	assert_false(sim_run(ctx, sim, &launch, NULL));
	assert_string_equal(layout_context_message(ctx),
		"kernel 'k', workgroup (1, 1, 1), lane 17: "
		"store of 4 bytes at byte 932 of 'destination': it has 932 bytes");
	free(memory);
	sim_free(sim);
	assert_true(layout_context_free(ctx));
}

static void test_ids_and_ranges(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim *sim = sim_of(ctx, ids);

	(void)state;
	for (unsigned i = 0; i < COUNT(ranges); i++)
		check_range(ctx, sim, i);
	sim_free(sim);
	assert_true(layout_context_free(ctx));
}

static const struct sim_launch bad_launches[] = {
	{ { 1, 1, 1 }, { 64, 1, 1 }, 1, NULL, 1, NULL, 0, 0, NULL },
	{ { 1, 1, 1 }, { 64, 1, 1 }, 2, NULL, 0, NULL, 0, 0, NULL },
	{ { -1, 1, 1 }, { 64, 1, 1 }, 2, NULL, 1, NULL, 0, 0, NULL },
	{ { 1, 1ll << 32, 1 }, { 64, 1, 1 }, 2, NULL, 1, NULL, 0, 0, NULL },
	{ { UINT32_MAX, UINT32_MAX, 9 }, { 64, 1, 1 }, 2, NULL, 1, NULL, 0, 0, NULL },
	{ { 1, 1, 1 }, { 64, 0, 1 }, 2, NULL, 1, NULL, 0, 0, NULL },
};

static void test_bad_launches(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim *sim = sim_of(ctx, copy);
	struct sim_buffer buffers[2] = {
		{ "source", NULL, 0, false, 16 },
		{ "destination", NULL, 0, true, 16 },
	};
	const int64_t n = 0;
	const struct sim_launch good = { { 1, 1, 1 }, { 64, 1, 1 }, 2, buffers, 1, &n,
		0, 0, NULL };

	(void)state;
	for (unsigned i = 0; i < COUNT(bad_launches); i++) {
		struct sim_launch launch = bad_launches[i];

		launch.buffers = buffers;
		launch.args = &n;
		assert_false(sim_run(ctx, sim, &launch, NULL));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
		layout_context_clear(ctx);
	}
	assert_true(sim_run(ctx, sim, &good, NULL));
	buffers[1].align = 12;
	assert_false(sim_run(ctx, sim, &good, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	sim_free(sim);
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *name;
	const char *body;		/* a whole definition, or what is in a kernel */
	layout_error error;
	const char *message;		/* a part of it */
} refusals[] = {
	{ "absent", "", LAYOUT_ERROR_INVALID, "'absent'" },
	{ "other", "", LAYOUT_ERROR_INVALID, "'other'" },
	{ "k", "  call void @other(ptr addrspace(1) %d)\n",
		LAYOUT_ERROR_UNSUPPORTED, "other" },
	{ "k", "  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %d, "
		"ptr addrspace(1) %s, i64 %n, i1 false)\n",
		LAYOUT_ERROR_UNSUPPORTED, "llvm.memcpy" },
	{ "k", "  %a = atomicrmw add ptr addrspace(1) %d, i32 1 monotonic\n",
		LAYOUT_ERROR_UNSUPPORTED, "atomic" },
	{ "k", "  store atomic i32 1, ptr addrspace(1) %d monotonic, align 4\n",
		LAYOUT_ERROR_UNSUPPORTED, "atomic" },
	{ "k", "  %a = alloca i32, addrspace(5)\n"
		"  store i32 1, ptr addrspace(5) %a\n",
		LAYOUT_ERROR_UNSUPPORTED, "private" },
	{ "k", "  %v = load i32, ptr addrspace(1) @word\n"
		"  store i32 %v, ptr addrspace(1) %d\n",
		LAYOUT_ERROR_UNSUPPORTED, "word" },
	{ "k", "  %c = icmp eq i64 %n, 0\n  %a = getelementptr i32, ptr addrspace(4) @table, "
		"i64 %n\n  %b = select i1 %c, ptr addrspace(4) %a, ptr addrspace(4) null\n"
		"  %v = load i32, ptr addrspace(4) %b\n  store i32 %v, ptr addrspace(1) %d\n",
		LAYOUT_ERROR_UNSUPPORTED, "table" },
	{ "k", "  store i64 ptrtoint (ptr addrspace(4) getelementptr (i8, ptr addrspace(4) "
		"@table, i64 4) to i64), ptr addrspace(1) %d\n",
		LAYOUT_ERROR_UNSUPPORTED, "table" },
	{ "k", "  store i32 7, ptr addrspace(4) @table\n", LAYOUT_ERROR_UNSUPPORTED, "table" },
	{ "k", "  call amdgpu_kernel void @k(ptr addrspace(1) %s, ptr addrspace(1) %d, "
		"i64 0)\n",
		LAYOUT_ERROR_UNSUPPORTED, "call" },
	{ "k", "  call void asm sideeffect \"s_nop 0\", \"\"()\n",
		LAYOUT_ERROR_UNSUPPORTED, "assembly" },
	{ "k", "  store [2000 x i8] zeroinitializer, ptr addrspace(1) %d\n",
		LAYOUT_ERROR_UNSUPPORTED, "wide" },
};

/* Kernels whose parameters are not those of ours. */
static const char *const strange[] = {
	"define amdgpu_kernel void @k(ptr addrspace(1) %s, i32 %n) {\n  ret void\n}\n",
	"define amdgpu_kernel void @k(i64 %n, ptr addrspace(1) %s) {\n  ret void\n}\n",
	"define amdgpu_kernel void @k(ptr addrspace(3) %s, i64 %n) {\n  ret void\n}\n",
	"define amdgpu_kernel void @k(i64 %n) {\n  ret void\n}\n",
	"define amdgpu_kernel void @k() {\n  ret void\n}\n",
};

static void check_refusal(const char *text, const char *name, layout_error error,
	const char *message)
{
	layout_context *ctx = layout_context_new();

	assert_null(try_sim(ctx, text, name));
	assert_int_equal(layout_context_error(ctx), error);
	if (!strstr(layout_context_message(ctx), message))
		fail_msg("'%s' does not say '%s'", layout_context_message(ctx), message);
	assert_null(strchr(layout_context_message(ctx), '\n'));
	assert_true(layout_context_free(ctx));
}

static void test_refusals(void **state)
{
	char text[4096];

	(void)state;
	for (unsigned i = 0; i < COUNT(refusals); i++) {
		snprintf(text, sizeof(text), "%s%s%s", KERNEL, refusals[i].body, END);
		check_refusal(text, refusals[i].name, refusals[i].error,
			refusals[i].message);
	}
	for (unsigned i = 0; i < COUNT(strange); i++)
		check_refusal(strange[i], "k", LAYOUT_ERROR_UNSUPPORTED, "'k'");
}

static void *run_copy(void *user)
{
	layout_context *ctx = layout_context_new();
	struct memory *memory = memory_new();
	const struct shape shape = { 16, 4096, 4096, 1024 };
	bool ok = true;

	for (unsigned i = 0; i < 50; i++) {
		memset(memory->destination, 0, sizeof(memory->destination));
		ok = run(ctx, user, memory, &shape, NULL) && ok &&
			!memcmp(memory->destination, memory->source, 4096);
	}
	free(memory);
	return layout_context_free(ctx) && ok ? user : NULL;
}

static void test_threads(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim *sim = sim_of(ctx, copy);
	pthread_t threads[4];
	void *result;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run_copy, sim), 0);
	for (unsigned i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		assert_ptr_equal(result, sim);
	}
	sim_free(sim);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_stops),
		cmocka_unit_test(test_odd_base),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_ids_and_ranges),
		cmocka_unit_test(test_fault_place),
		cmocka_unit_test(test_bad_launches),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
