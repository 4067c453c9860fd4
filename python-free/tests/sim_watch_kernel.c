/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels that are wrong, each next to one that is right: what the simulator says.
 * And what it counts of a few that are. */
#include "support/simulated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define LANES 64

static const char lds[] =
	"@lds = internal addrspace(3) global [2048 x i32] poison, align 16\n";

/* lds[t] = v; then, with %u from before, r = lds[u], lds[t] = r, d[t] = r. */
#define PUT \
	"  %a = getelementptr i32, ptr addrspace(3) @lds, i32 %t\n" \
	"  store i32 %v, ptr addrspace(3) %a, align 4\n"
#define GET \
	"  %b = getelementptr i32, ptr addrspace(3) @lds, i32 %u\n" \
	"  %r = load i32, ptr addrspace(3) %b, align 4\n"
#define PUT_AGAIN "  store i32 %r, ptr addrspace(3) %a, align 4\n"
#define SAVE "  store i32 %r, ptr addrspace(1) %q, align 4\n"

/* Which cell: its own, that of the lane n further, all lanes of a pair the lower's. */
#define SELF "  %u = add i32 %t, 0\n"
#define XOR_N "  %u = xor i32 %t, %n32\n"
#define PLUS_N "  %u = add i32 %t, %n32\n"
#define EVEN "  %u = and i32 %t, -2\n"

#define BARRIER "  call void @llvm.amdgcn.s.barrier()\n"
#define WAVE_BARRIER "  call void @llvm.amdgcn.wave.barrier()\n"
#define BAR_SYNC "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
#define WARP_SYNC "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"

/* d[u] = v; a load of d[u]. */
#define THERE \
	"  %i = zext i32 %u to i64\n" \
	"  %o = getelementptr i32, ptr addrspace(1) %d, i64 %i\n"
#define STORE_THERE "  store i32 %v, ptr addrspace(1) %o, align 4\n"
#define LOAD_THERE "  %r = load i32, ptr addrspace(1) %o, align 4\n"

/* The byte n behind d[t], and that behind lds[t]. */
#define BYTE "  %o = getelementptr i8, ptr addrspace(1) %q, i64 %n\n"
#define LDS_BYTE \
	"  %a = getelementptr i32, ptr addrspace(3) @lds, i32 %t\n" \
	"  %c = getelementptr i8, ptr addrspace(3) %a, i32 %n32\n"

/* As d[t] = v, but the first workgroup takes its time. */
#define LATE \
	"  %g = call i32 @llvm.amdgcn.workgroup.id.x()\n" \
	"  %first = icmp eq i32 %g, 0\n" \
	"  br i1 %first, label %head, label %body\n" \
	"head:\n" \
	"  %j = phi i32 [ 0, %0 ], [ %j1, %head ]\n" \
	"  %w = load volatile i32, ptr addrspace(1) %p, align 4\n" \
	"  %j1 = add i32 %j, 1\n" \
	"  %more = icmp slt i32 %j1, %n32\n" \
	"  br i1 %more, label %head, label %body\n" \
	"body:\n" \
	"  store i32 %v, ptr addrspace(1) %q, align 4\n"

#define FAULT "kernel 'k', workgroup (0, 0, 0), lane "

/* 64 lanes a workgroup, 64 i32s in either buffer. */
static const struct {
	const char *body;
	const char *target;
	int64_t groups, n;
	const char *fault;		/* NULL: none */
} kernels[] = {
	/* LDS: stored to by one lane, loaded by another */
	{ PUT BARRIER XOR_N GET SAVE, "gfx942", 1, 1, NULL },
	{ PUT BARRIER XOR_N GET SAVE, "gfx1100", 1, 32, NULL },
	{ PUT SELF GET SAVE, "gfx942", 1, 0, NULL },
	{ PUT EVEN GET SAVE, "gfx942", 1, 0, FAULT "1: load of 4 bytes at byte 0 of the "
		"LDS: race with the store of byte 0 by lane 0" },
	{ PUT WAVE_BARRIER XOR_N GET SAVE, "gfx942", 1, 32, NULL },
	{ PUT WAVE_BARRIER XOR_N GET SAVE, "gfx1100", 1, 16, NULL },
	{ PUT WAVE_BARRIER EVEN GET SAVE, "gfx1100", 1, 0, NULL },

	/* .. stored to again, maybe too early */
	{ PUT BARRIER XOR_N GET BARRIER PUT_AGAIN SAVE, "gfx942", 1, 63, NULL },
	{ PUT BARRIER XOR_N GET PUT_AGAIN SAVE, "gfx942", 1, 0, NULL },
	{ PUT BARRIER EVEN GET PUT_AGAIN SAVE, "gfx942", 1, 0, FAULT "1: load of 4 bytes "
		"at byte 0 of the LDS: race with the store of byte 0 by lane 0" },

	/* .. never stored to */
	{ PUT BARRIER PLUS_N GET SAVE, "gfx942", 1, 64, FAULT "0: load of 4 bytes at byte "
		"256 of the LDS: byte 256 was never written by this workgroup" },
	{ PUT BARRIER PLUS_N GET SAVE, "gfx942", 1, 1, FAULT "63: load of 4 bytes at byte "
		"256 of the LDS: byte 256 was never written by this workgroup" },
	{ SELF GET SAVE, "gfx942", 1, 0, FAULT "0: load of 4 bytes at byte 0 of the LDS: "
		"byte 0 was never written by this workgroup" },

	/* the destination: two lanes, two workgroups */
	{ XOR_N THERE STORE_THERE, "gfx942", 1, 7, NULL },
	{ EVEN THERE STORE_THERE, "gfx942", 1, 0, FAULT "1: store of 4 bytes at byte 0 of "
		"'destination': race with the store of byte 0 by lane 0" },
	{ XOR_N THERE STORE_THERE, "gfx942", 2, 0, "kernel 'k', workgroup (1, 0, 0), "
		"lane 0: store of 4 bytes at byte 0 of 'destination': race with the store "
		"of byte 0 by lane 0 of workgroup (0, 0, 0)" },
	{ XOR_N THERE STORE_THERE, "gfx942", 64, 9, "kernel 'k', workgroup (1, 0, 0), "
		"lane 0: store of 4 bytes at byte 36 of 'destination': race with the "
		"store of byte 36 by lane 0 of workgroup (0, 0, 0)" },
	{ LATE, "gfx942", 1, 2000, NULL },
	{ LATE, "gfx942", 2, 2000, "kernel 'k', workgroup (1, 0, 0), "
		"lane 0: store of 4 bytes at byte 0 of 'destination': race with the store "
		"of byte 0 by lane 0 of workgroup (0, 0, 0)" },
	/* .. across a barrier, one lane of each wave */
	{ XOR_N THERE STORE_THERE BARRIER "  store i32 %t, ptr addrspace(1) %q, align 4\n",
		"gfx1100", 1, 33, NULL },
	{ XOR_N THERE STORE_THERE WAVE_BARRIER
		"  store i32 %t, ptr addrspace(1) %q, align 4\n", "gfx942", 1, 33, NULL },

	/* .. loaded: stored to before, by another, never */
	{ XOR_N THERE "  store i32 %v, ptr addrspace(1) %q, align 4\n" LOAD_THERE,
		"gfx942", 1, 0, NULL },
	{ EVEN THERE "  store i32 %v, ptr addrspace(1) %q, align 4\n" LOAD_THERE
		"  %used = icmp eq i32 %r, 9\n  call void @llvm.assume(i1 %used)\n",
		"gfx942", 1, 0, FAULT "1: load of 4 bytes at byte 0 of 'destination': "
		"race with the store of byte 0 by lane 0" },
	{ XOR_N THERE LOAD_THERE SAVE, "gfx942", 1, 0, FAULT "0: load of 4 bytes at byte 0 "
		"of 'destination': byte 0 was never written in this launch" },

	/* out of bounds, and below the alignment that is claimed or needed */
	{ XOR_N THERE STORE_THERE, "gfx942", 1, 64, FAULT "0: store of 4 bytes at byte 256 "
		"of 'destination': it has 256 bytes" },
	{ BYTE "  store i32 %v, ptr addrspace(1) %o, align 4\n", "gfx942", 1, 2, FAULT
		"0: store of 4 bytes at byte 2 of 'destination': not aligned to 4 bytes" },
	{ BYTE "  store i16 7, ptr addrspace(1) %o, align 1\n", "gfx942", 1, 1, NULL },
	{ LDS_BYTE "  store i32 %v, ptr addrspace(3) %c, align 1\n", "gfx942", 1, 0, NULL },
	{ LDS_BYTE "  store i32 %v, ptr addrspace(3) %c, align 1\n", "gfx942", 1, 1, FAULT
		"0: store of 4 bytes at byte 1 of the LDS: the LDS needs 4-byte "
		"alignment" },
	{ LDS_BYTE "  store i32 %v, ptr addrspace(3) %c, align 4\n", "gfx942", 1, 2, FAULT
		"0: store of 4 bytes at byte 2 of the LDS: not aligned to 4 bytes" },
	{ LDS_BYTE "  store i32 %v, ptr addrspace(3) %c, align 4\n", "gfx942", 1, 8192,
		FAULT "0: store of 4 bytes at byte 8192 of the LDS: it has 8192 bytes" },

	/* the same of another family: waves of 32, its barriers */
	{ PUT BAR_SYNC XOR_N GET SAVE, "sm_90", 1, 32, NULL },
	{ PUT EVEN GET SAVE, "sm_90", 1, 0, FAULT "1: load of 4 bytes at byte 0 of the "
		"LDS: race with the store of byte 0 by lane 0" },
	{ PUT WARP_SYNC XOR_N GET SAVE, "sm_90", 1, 16, NULL },
	{ PUT WARP_SYNC XOR_N GET SAVE, "sm_90", 1, 32, FAULT "0: load of 4 bytes at byte "
		"128 of the LDS: byte 128 was never written by this workgroup" },
	{ PUT BAR_SYNC XOR_N GET BAR_SYNC PUT_AGAIN SAVE, "sm_90", 1, 63, NULL },
	{ PUT BAR_SYNC EVEN GET PUT_AGAIN SAVE, "sm_90", 1, 0, FAULT "1: load of 4 bytes "
		"at byte 0 of the LDS: race with the store of byte 0 by lane 0" },
	{ PUT BAR_SYNC PLUS_N GET SAVE, "sm_90", 1, 64, FAULT "0: load of 4 bytes at byte "
		"256 of the LDS: byte 256 was never written by this workgroup" },
	{ XOR_N THERE STORE_THERE, "sm_90", 1, 7, NULL },
	{ XOR_N THERE STORE_THERE, "sm_90", 2, 0, "kernel 'k', workgroup (1, 0, 0), "
		"lane 0: store of 4 bytes at byte 0 of 'destination': race with the store "
		"of byte 0 by lane 0 of workgroup (0, 0, 0)" },
	{ XOR_N THERE STORE_THERE BAR_SYNC "  store i32 %t, ptr addrspace(1) %q, align 4\n",
		"sm_90", 1, 33, NULL },
	{ XOR_N THERE LOAD_THERE SAVE, "sm_90", 1, 0, FAULT "0: load of 4 bytes at byte 0 "
		"of 'destination': byte 0 was never written in this launch" },
	{ XOR_N THERE STORE_THERE, "sm_90", 1, 64, FAULT "0: store of 4 bytes at byte 256 "
		"of 'destination': it has 256 bytes" },
	{ BYTE "  store i32 %v, ptr addrspace(1) %o, align 4\n", "sm_90", 1, 2, FAULT
		"0: store of 4 bytes at byte 2 of 'destination': not aligned to 4 bytes" },
	{ LDS_BYTE "  store i32 %v, ptr addrspace(3) %c, align 4\n", "sm_90", 1, 2, FAULT
		"0: store of 4 bytes at byte 2 of the LDS: not aligned to 4 bytes" },
	{ LDS_BYTE "  store i32 %v, ptr addrspace(3) %c, align 4\n", "sm_90", 1, 8192,
		FAULT "0: store of 4 bytes at byte 8192 of the LDS: it has 8192 bytes" },
};

static bool run_kernel(layout_context *ctx, const char *body, const char *target,
	int64_t groups, int64_t n, layout_sim_stats *stats)
{
	uint32_t destination[LANES];
	struct simulated run = { .globals = lds, .body = body, .target = target,
		.lanes = LANES, .groups = groups, .n = n, .destination = destination };

	return simulated_run(ctx, &run, stats);
}

static void check_kernel(unsigned row)
{
	layout_context *ctx = layout_context_new();
	bool ok = run_kernel(ctx, kernels[row].body, kernels[row].target,
		kernels[row].groups, kernels[row].n, NULL);
	const char *message = layout_context_message(ctx);

	if (!kernels[row].fault) {
		if (!ok)
			fail_msg("row %u: %s", row, message);
	} else if (ok || layout_context_error(ctx) != LAYOUT_ERROR_FAULT ||
		   strcmp(message, kernels[row].fault)) {
		fail_msg("row %u: %s", row, ok ? "no fault" : message);
	}
	assert_true(layout_context_free(ctx));
}

static void test_kernels(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(kernels); i++)
		check_kernel(i);
}

/* With threads or without, the first fault of all in the order of the workgroups. */
static void test_same_fault(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 20; i++)
		for (unsigned row = 0; row < COUNT(kernels); row++)
			if (kernels[row].groups > 1)
				check_kernel(row);
}

/* Each lane stores 16 bytes to the LDS, n bytes further than the lane before. */
#define STRIDED \
	"  %far = mul i32 %t, %n32\n" \
	"  %a = getelementptr i8, ptr addrspace(3) @lds, i32 %far\n" \
	"  store <4 x i32> zeroinitializer, ptr addrspace(3) %a, align 16\n"

/* The lanes below n store %v to d[t]. */
#define SOME \
	"  %low = icmp slt i32 %t, %n32\n" \
	"  br i1 %low, label %body, label %exit\n" \
	"body:\n" \
	"  store i32 %v, ptr addrspace(1) %q, align 4\n" \
	"  br label %exit\n" \
	"exit:\n"

/* All store through a buffer of n bytes. */
#define BOUNDED \
	"  %b = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(" \
	"ptr addrspace(1) %d, i16 0, i64 %n, i32 159744)\n" \
	"  %at = shl i32 %t, 2\n" \
	"  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %v, " \
	"ptr addrspace(8) %b, i32 %at, i32 0, i32 0)\n"

/* Each kernel begins with a dense load of 4 bytes a lane. */
#define DENSE_LOAD(waves) .loads = 64, .load_bytes = 256, \
	.load = { { 0, 0, 64 }, waves, 4, 4, 2, 2, 4, 4, 2, 2 }

static const struct {
	const char *body, *target;
	int64_t n;
	layout_sim_stats stats;
} counted[] = {
	{ SOME, "gfx942", 20, { 1, 64, DENSE_LOAD(1), .stores = 20, .store_bytes = 80,
		.store = { { 0, 0, 20 }, 1, 2, 2, 1, 1, 2, 2, 1, 1 },
		.masked_lanes = 44, .lds_bytes = 8192 } },
	{ SOME, "gfx1100", 20, { 1, 64, DENSE_LOAD(2), .stores = 20, .store_bytes = 80,
		.store = { { 0, 0, 20 }, 1, 2, 2, 1, 1, 2, 2, 1, 1 },
		.masked_lanes = 12, .lds_bytes = 8192 } },
	{ BOUNDED, "gfx942", 80, { 1, 64, DENSE_LOAD(1), .stores = 20, .store_bytes = 80,
		.store = { { 0, 0, 20 }, 1, 2, 2, 1, 1, 2, 2, 1, 1 },
		.masked_lanes = 44, .lds_bytes = 8192 } },
	{ PUT BARRIER XOR_N GET SAVE, "gfx1100", 1, { 1, 64, DENSE_LOAD(2),
		.stores = 64, .store_bytes = 256,
		.store = { { 0, 0, 64 }, 2, 4, 4, 2, 2, 4, 4, 2, 2 },
		.lds_load = { { 0, 0, 64 }, 2, 256, 2, 0 },
		.lds_store = { { 0, 0, 64 }, 2, 256, 2, 0 },
		.barriers = 1, .lds_bytes = 8192 } },
	{ STRIDED, "gfx942", 16, { 1, 64, DENSE_LOAD(1),
		.lds_store = { { 0, 0, 0, 0, 0, 64 }, 1, 1024, 8, 0 },
		.lds_bytes = 8192 } },
	{ STRIDED, "gfx942", 128, { 1, 64, DENSE_LOAD(1),
		.lds_store = { { 0, 0, 0, 0, 0, 64 }, 1, 1024, 64, 56 },
		.lds_bytes = 8192 } },
};

static void test_counts(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(counted); i++) {
		layout_context *ctx = layout_context_new();
		layout_sim_stats stats;

		if (!run_kernel(ctx, counted[i].body, counted[i].target, 1, counted[i].n,
				&stats))
			fail_msg("row %u: %s", i, layout_context_message(ctx));
		if (memcmp(&stats, &counted[i].stats, sizeof(stats)))
			print_message("row %u\n", i);
		assert_memory_equal(&stats, &counted[i].stats, sizeof(stats));
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_same_fault),
		cmocka_unit_test(test_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
