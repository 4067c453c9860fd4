/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lanes that wait for each other in the simulator: exchanges in waves of 32 and 64,
 * barriers, and what becomes of those that not all lanes reach. */
#include "support/simulated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define STORE "  store i32 %r, ptr addrspace(1) %q, align 4\n"
#define AWAY 1000	/* what "old" operands hold */

/* Which lane's number each lane gets.  The workgroup has two waves. */
typedef unsigned (*source)(unsigned lane, unsigned wave);

static unsigned first(unsigned lane, unsigned wave)
{
	return lane / wave * wave;
}

static unsigned third(unsigned lane, unsigned wave)
{
	return lane / wave * wave + 3;
}

static unsigned reversed(unsigned lane, unsigned wave)
{
	return lane / wave * wave + (wave - 1 - lane % wave);
}

static unsigned next(unsigned lane, unsigned wave)
{
	return lane / wave * wave + (lane + 1) % wave;
}

static unsigned previous(unsigned lane, unsigned wave)
{
	return lane / wave * wave + (lane + wave - 1) % wave;
}

static unsigned quad_1230(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane / 4 * 4 + (lane + 1) % 4;
}

static unsigned xor_1(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane ^ 1;
}

static unsigned xor_5(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane ^ 5;
}

static unsigned xor_7(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane ^ 7;
}

static unsigned xor_15(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane ^ 15;
}

static unsigned xor_16(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane ^ 16;
}

static unsigned xor_32(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane ^ 32;
}

static unsigned row_left_3(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane % 16 < 13 ? lane + 3 : AWAY;
}

static unsigned row_right_3(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane % 16 >= 3 ? lane - 3 : AWAY;
}

static unsigned row_right_3_or_0(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane % 16 >= 3 ? lane - 3 : 0;
}

static unsigned row_turn_3(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane / 16 * 16 + (lane + 13) % 16;
}

static unsigned row_lane_5(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane / 16 * 16 + 5;
}

static unsigned row_ends(unsigned lane, unsigned wave)
{
	return lane % wave < 16 ? AWAY : lane / 16 * 16 - 1;
}

static unsigned lane_31(unsigned lane, unsigned wave)
{
	return lane % wave < 32 ? AWAY : lane / wave * wave + 31;
}

/* Rows 0 and 2, the upper two banks of each, from the lane before. */
static unsigned masked_turn(unsigned lane, unsigned wave)
{
	bool on = lane / 16 % 2 == 0 && lane % 16 >= 8;

	(void)wave;
	return on ? lane - 1 : AWAY;
}

static unsigned same(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane;
}

/* ds_swizzle: 5 lanes on, but bit 0 stays. */
static unsigned turn_5(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane / 32 * 32 + ((lane & 1) | ((lane + 5) % 32 & 30));
}

static unsigned number(unsigned lane, unsigned wave)
{
	return lane % wave;
}

static unsigned threes(unsigned lane, unsigned wave)
{
	(void)lane;
	(void)wave;
	return 0x49249249;
}

/* permlane16.swap of lane and 100 + lane. */
static unsigned rows_x(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane & 16 ? 100 + (lane ^ 16) : lane;
}

static unsigned rows_y(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane & 16 ? 100 + lane : lane ^ 16;
}

static unsigned halves_x(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane & 32 ? 100 + (lane ^ 32) : lane;
}

static unsigned halves_y(unsigned lane, unsigned wave)
{
	(void)wave;
	return lane & 32 ? 100 + lane : lane ^ 32;
}

#define DPP(control, rows, banks, bound) \
	"  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 1000, i32 %v, i32 " \
	control ", i32 " rows ", i32 " banks ", i1 " bound ")\n"

static const struct {
	const char *body;
	source expected;
	unsigned wave;			/* 0: of both sizes */
} exchanges[] = {
	{ "  %r = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)\n", first, 0 },
	{ "  %r = call i32 @llvm.amdgcn.readlane.i32(i32 %v, i32 3)\n", third, 0 },
	{ "  %a = sub i32 -1, %v\n  %b = shl i32 %a, 2\n"
		"  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %b, i32 %v)\n",
		reversed, 0 },
	{ "  %a = add i32 %v, 1\n  %b = shl i32 %a, 2\n"
		"  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %b, i32 %v)\n", next, 0 },
	{ "  %a = add i32 %v, 1\n  %b = shl i32 %a, 2\n"
		"  %r = call i32 @llvm.amdgcn.ds.permute(i32 %b, i32 %v)\n",
		previous, 0 },
	/* quads 1 2 3 0; and 31, or 0, xor 5; and 31, xor 16; a rotation either way */
	{ "  %r = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 32825)\n", quad_1230, 0 },
	{ "  %r = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 5151)\n", xor_5, 0 },
	{ "  %r = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 16415)\n", xor_16, 0 },
	{ "  %r = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 49313)\n", turn_5, 0 },
	{ "  %r = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 51041)\n", turn_5, 0 },
	{ DPP("57", "15", "15", "false"), quad_1230, 0 },
	{ DPP("177", "15", "15", "false"), xor_1, 0 },
	{ DPP("259", "15", "15", "false"), row_left_3, 0 },
	{ DPP("275", "15", "15", "false"), row_right_3, 0 },
	{ DPP("275", "15", "15", "true"), row_right_3_or_0, 0 },
	{ DPP("291", "15", "15", "false"), row_turn_3, 0 },
	{ DPP("320", "15", "15", "false"), xor_15, 0 },
	{ DPP("321", "15", "15", "false"), xor_7, 0 },
	{ DPP("322", "15", "15", "false"), row_ends, 64 },
	{ DPP("323", "15", "15", "false"), lane_31, 64 },
	{ DPP("316", "15", "15", "false"), previous, 64 },
	{ DPP("341", "15", "15", "false"), row_lane_5, 32 },
	{ DPP("357", "15", "15", "false"), xor_5, 32 },
	{ DPP("273", "5", "12", "false"), masked_turn, 0 },
	{ "  %r = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %v, i32 177, i32 15, i32 15, "
		"i1 true)\n", xor_1, 0 },
	{ "  %r = call i32 @llvm.amdgcn.permlane16.i32(i32 1000, i32 %v, "
		"i32 1985229328, i32 -19088744, i1 false, i1 false)\n", same, 32 },
	{ "  %r = call i32 @llvm.amdgcn.permlanex16.i32(i32 1000, i32 %v, "
		"i32 1985229328, i32 -19088744, i1 false, i1 false)\n", xor_16, 32 },
	{ "  %w = add i32 %v, 100\n"
		"  %x = call { i32, i32 } @llvm.amdgcn.permlane16.swap(i32 %v, i32 %w, "
		"i1 false, i1 false)\n"
		"  %r = extractvalue { i32, i32 } %x, 0\n", rows_x, 64 },
	{ "  %w = add i32 %v, 100\n"
		"  %x = call { i32, i32 } @llvm.amdgcn.permlane16.swap(i32 %v, i32 %w, "
		"i1 false, i1 false)\n"
		"  %r = extractvalue { i32, i32 } %x, 1\n", rows_y, 64 },
	{ "  %w = add i32 %v, 100\n"
		"  %x = call { i32, i32 } @llvm.amdgcn.permlane32.swap(i32 %v, i32 %w, "
		"i1 false, i1 false)\n"
		"  %r = extractvalue { i32, i32 } %x, 0\n", halves_x, 64 },
	{ "  %w = add i32 %v, 100\n"
		"  %x = call { i32, i32 } @llvm.amdgcn.permlane32.swap(i32 %v, i32 %w, "
		"i1 false, i1 false)\n"
		"  %r = extractvalue { i32, i32 } %x, 1\n", halves_y, 64 },
	{ "  %r = call i32 @llvm.amdgcn.permlane64.i32(i32 %v)\n", xor_32, 64 },
	{ "  %a = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n"
		"  %r = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %a)\n", number, 0 },
	{ "  %l = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n"
		"  %a = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %l)\n"
		"  %m = urem i32 %a, 3\n  %c = icmp eq i32 %m, 0\n"
		"  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)\n"
		"  %r = trunc i64 %b to i32\n", threes, 0 },
};

static void check_exchange(unsigned row, unsigned wave)
{
	layout_context *ctx = layout_context_new();
	struct layout_buffer body = { 0 };
	uint32_t result[128];
	struct simulated run = { .lanes = 2 * wave, .destination = result,
		.target = wave == 64 ? "gfx942" : "gfx1100" };
	char *text;

	layout_buffer_printf(&body, "%s%s", exchanges[row].body, STORE);
	text = layout_buffer_take(ctx, &body);
	run.body = text;
	if (!simulated_run(ctx, &run, NULL))
		fail_msg("row %u: %s", row, layout_context_message(ctx));
	for (unsigned lane = 0; lane < 2 * wave; lane++) {
		unsigned expected = exchanges[row].expected(lane, wave);

		if (result[lane] != expected)
			fail_msg("row %u, wave %u, lane %u: %u, not %u", row, wave, lane,
				result[lane], expected);
	}
	free(text);
	assert_true(layout_context_free(ctx));
}

/* The crossbar of gfx10 and later has two halves, also for a wave of 64. */
static void test_halves(void **state)
{
	layout_context *ctx = layout_context_new();
	uint32_t result[64];
	const struct simulated run = { .lanes = 64, .destination = result,
		.target = "gfx1100:wave64", .body =
		"  %a = add i32 %v, 33\n  %b = shl i32 %a, 2\n"
		"  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %b, i32 %v)\n" STORE };

	(void)state;
	assert_true(simulated_run(ctx, &run, NULL));
	for (unsigned lane = 0; lane < 64; lane++)
		assert_int_equal(result[lane], lane / 32 * 32 + (lane + 1) % 32);
	assert_true(layout_context_free(ctx));
}

static void test_exchanges(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(exchanges); i++) {
		if (exchanges[i].wave != 32)
			check_exchange(i, 64);
		if (exchanges[i].wave != 64)
			check_exchange(i, 32);
	}
}

#define LDS "@lds = internal addrspace(3) global [128 x i32] poison, align 16\n"
#define LDS_AT(name, index) \
	"  %" name " = getelementptr i32, ptr addrspace(3) @lds, i32 " index "\n"
#define BARRIER "  call void @llvm.amdgcn.s.barrier()\n"

/* 128 lanes; the result is s[127 - t] in each that writes. */
static const struct {
	const char *target;
	const char *body;
	const char *fault;		/* NULL: none */
} rounds[] = {
	{ "gfx942", LDS_AT("a", "%t")
		"  store i32 %v, ptr addrspace(3) %a, align 4\n" BARRIER
		"  %m = sub i32 127, %t\n" LDS_AT("b", "%m")
		"  %r = load i32, ptr addrspace(3) %b, align 4\n" STORE, NULL },
	/* the other barriers */
	{ "gfx1200", LDS_AT("a", "%t")
		"  store i32 %v, ptr addrspace(3) %a, align 4\n"
		"  fence syncscope(\"workgroup\") release\n"
		"  call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n"
		"  call void @llvm.amdgcn.s.barrier.wait(i16 -1)\n"
		"  fence syncscope(\"workgroup\") acquire\n"
		"  %m = sub i32 127, %t\n" LDS_AT("b", "%m")
		"  %r = load i32, ptr addrspace(3) %b, align 4\n" STORE, NULL },
	/* pointers that a phi, a select and numbers carry */
	{ "gfx942", LDS_AT("a", "%t")
		"  %i = ptrtoint ptr addrspace(3) %a to i32\n"
		"  %c = icmp ult i32 %t, 64\n"
		"  br i1 %c, label %low, label %join\n"
		"low:\n  %x = inttoptr i32 %i to ptr addrspace(3)\n"
		"  br label %join\n"
		"join:\n  %y = phi ptr addrspace(3) [ %x, %low ], [ %a, %0 ]\n"
		"  store i32 %v, ptr addrspace(3) %y, align 4\n" BARRIER
		"  %m = sub i32 127, %t\n"
		"  %e = select i1 %c, ptr addrspace(3) @lds, ptr addrspace(3) "
		"getelementptr (i8, ptr addrspace(3) @lds, i32 0)\n"
		"  %b = getelementptr i32, ptr addrspace(3) %e, i32 %m\n"
		"  %g = addrspacecast ptr addrspace(3) %b to ptr\n"
		"  %r = load i32, ptr %g, align 4\n" STORE, NULL },
	/* several barriers, in a loop that all lanes turn as often */
	{ "gfx942", LDS_AT("a", "%t")
		"  %m = sub i32 127, %t\n" LDS_AT("b", "%m")
		"  br label %loop\n"
		"loop:\n  %i = phi i32 [ 0, %0 ], [ %i1, %loop ]\n"
		"  %o = phi i32 [ %v, %0 ], [ %r, %loop ]\n"
		"  store i32 %o, ptr addrspace(3) %a, align 4\n" BARRIER
		"  %r = load i32, ptr addrspace(3) %b, align 4\n" BARRIER
		"  %i1 = add i32 %i, 1\n  %c = icmp ult i32 %i1, 3\n"
		"  br i1 %c, label %loop, label %end\nend:\n" STORE, NULL },
	/* 16 bytes a lane: lane 32 is beyond the end */
	{ "gfx942", "  %f = shl i32 %t, 2\n" LDS_AT("a", "%f")
		"  store <4 x i32> zeroinitializer, ptr addrspace(3) %a, align 4\n"
		BARRIER,
		"lane 32: store of 16 bytes at byte 512 of the LDS: it has 512 bytes" },
	{ "gfx942", LDS_AT("a", "%t")
		"  store <2 x i32> zeroinitializer, ptr addrspace(3) %a, align 8\n"
		BARRIER,
		"lane 1: store of 8 bytes at byte 4 of the LDS: not aligned to 8 bytes" },
	/* half of a wave, a whole wave, and none but lane 0 stay away */
	{ "gfx942", "  %c = icmp ult i32 %t, 32\n"
		"  br i1 %c, label %in, label %out\nin:\n" BARRIER
		"  br label %out\nout:\n",
		"lane 0: waits at a barrier that lane 32 never reaches" },
	{ "gfx942", "  %c = icmp ult i32 %t, 64\n"
		"  br i1 %c, label %out, label %in\nin:\n" BARRIER
		"  br label %out\nout:\n",
		"lane 64: waits at a barrier that lane 0 never reaches" },
	{ "gfx942", "  %c = icmp eq i32 %t, 0\n"
		"  br i1 %c, label %in, label %out\nin:\n" BARRIER
		"  br label %out\nout:\n",
		"lane 0: waits at a barrier that lane 1 never reaches" },
	/* a wave in two parts, each at a barrier of its own */
	{ "gfx942", "  %b = and i32 %t, 1\n  %c = icmp eq i32 %b, 0\n"
		"  br i1 %c, label %x, label %y\n"
		"x:\n" BARRIER "  store i32 1, ptr addrspace(1) %q, align 4\n"
		"  br label %out\n"
		"y:\n" BARRIER "  br label %out\nout:\n",
		"lane 1: waits at a barrier, and lane 0 of its wave at another" },
	/* lane 5 turns once more */
	{ "gfx942", "  %c = icmp eq i32 %t, 5\n  %l = select i1 %c, i32 3, i32 2\n"
		"  br label %loop\n"
		"loop:\n  %i = phi i32 [ 0, %0 ], [ %i1, %loop ]\n" BARRIER
		"  %i1 = add i32 %i, 1\n  %e = icmp ult i32 %i1, %l\n"
		"  br i1 %e, label %loop, label %end\nend:\n",
		"lane 5: waits at a barrier that lane 0 never reaches" },
	{ "gfx1200", "  %c = icmp ult i32 %t, 64\n"
		"  br i1 %c, label %in, label %out\n"
		"in:\n  call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n"
		"  br label %out\nout:\n"
		"  call void @llvm.amdgcn.s.barrier.wait(i16 -1)\n",
		"lane 0: waits at a barrier that lane 64 never reaches" },
};

static void check_round(unsigned row)
{
	layout_context *ctx = layout_context_new();
	uint32_t result[128];
	struct simulated run = { .globals = LDS, .body = rounds[row].body, .lanes = 128,
		.target = rounds[row].target, .destination = result };
	bool ok = simulated_run(ctx, &run, NULL);

	if (ok != !rounds[row].fault)
		fail_msg("row %u: %s", row, layout_context_message(ctx));
	for (unsigned i = 0; ok && i < 128; i++)
		if (result[i] != 127 - i)
			fail_msg("row %u, lane %u: %u", row, i, result[i]);
	if (!ok) {
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_FAULT);
		if (!strstr(layout_context_message(ctx), rounds[row].fault))
			fail_msg("row %u: %s", row, layout_context_message(ctx));
	}
	assert_true(layout_context_free(ctx));
}

static void test_barriers(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(rounds); i++)
		check_round(i);
}

/* Half h of the LDS is h; sixteen lanes load 64 halves, and lane k of them gets those at
 * k, 16 + k, 32 + k and 48 + k. */
static void test_turned(void **state)
{
	layout_context *ctx = layout_context_new();
	uint32_t result[64];
	struct simulated run = { .globals = LDS, .lanes = 64, .target = "gfx950",
		.destination = result, .body =
		"  %h = shl i32 %t, 2\n  %i = shl i32 %t, 1\n" LDS_AT("a", "%i")
		"  %s0 = insertelement <4 x i32> poison, i32 %h, i32 0\n"
		"  %s1 = shufflevector <4 x i32> %s0, <4 x i32> poison, "
		"<4 x i32> zeroinitializer\n"
		"  %s2 = add <4 x i32> %s1, <i32 0, i32 1, i32 2, i32 3>\n"
		"  %s3 = trunc <4 x i32> %s2 to <4 x i16>\n"
		"  store <4 x i16> %s3, ptr addrspace(3) %a, align 8\n"
		"  %x = call <4 x i16> @llvm.amdgcn.ds.read.tr16.b64.v4i16("
		"ptr addrspace(3) %a)\n"
		"  %e1 = extractelement <4 x i16> %x, i32 1\n"
		"  %e3 = extractelement <4 x i16> %x, i32 3\n"
		"  %l = zext i16 %e1 to i32\n  %u = zext i16 %e3 to i32\n"
		"  %v3 = shl i32 %u, 16\n  %r = or i32 %l, %v3\n" STORE };

	(void)state;
	if (!simulated_run(ctx, &run, NULL))
		fail_msg("%s", layout_context_message(ctx));
	for (uint32_t lane = 0; lane < 64; lane++) {
		uint32_t first = lane / 16 * 64 + lane % 16;

		assert_int_equal(result[lane], (first + 48) << 16 | (first + 16));
	}
	assert_true(layout_context_free(ctx));
}

/* Even lanes exchange at one place, odd ones at another, and lanes that are away do
 * not count: then 10 from lane 0, 20 from lane 1. */
static const char parted[] =
	"  %b = and i32 %t, 1\n  %c = icmp eq i32 %b, 0\n"
	"  br i1 %c, label %x, label %y\n"
	"x:\n  %x0 = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)\n"
	"  %x1 = add i32 %x0, 10\n  br label %join\n"
	"y:\n  %y0 = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)\n"
	"  %y1 = add i32 %y0, 20\n  br label %join\n"
	"join:\n  %r = phi i32 [ %x1, %x ], [ %y1, %y ]\n" STORE;

/* Lane t turns t + 1 times; each turn counts the lanes that are still there. */
static const char thinning[] =
	"  br label %loop\n"
	"loop:\n  %i = phi i32 [ 0, %0 ], [ %i1, %loop ]\n"
	"  %sum = phi i32 [ 0, %0 ], [ %r, %loop ]\n"
	"  %m = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n"
	"  %p64 = call i64 @llvm.ctpop.i64(i64 %m)\n"
	"  %p32 = trunc i64 %p64 to i32\n"
	"  %r = add i32 %sum, %p32\n"
	"  %i1 = add i32 %i, 1\n  %e = icmp ule i32 %i1, %t\n"
	"  br i1 %e, label %loop, label %end\nend:\n" STORE;

/* The same, and who is behind the loop waits there for the others. */
static const char gathered[] =
	"  br label %loop\n"
	"loop:\n  %i = phi i32 [ 0, %0 ], [ %i1, %loop ]\n"
	"  %m = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n"
	"  %i1 = add i32 %i, 1\n  %e = icmp ule i32 %i1, %t\n"
	"  br i1 %e, label %loop, label %end\nend:\n"
	"  %a = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n"
	"  %p64 = call i64 @llvm.ctpop.i64(i64 %a)\n"
	"  %r = trunc i64 %p64 to i32\n" STORE;

/* Lanes whose number and turn are odd together ask for the first of them in each of four turns. */
static const char turning[] =
	"  br label %loop\n"
	"loop:\n  %i = phi i32 [ 0, %0 ], [ %i1, %next ]\n"
	"  %sum = phi i32 [ 0, %0 ], [ %r, %next ]\n"
	"  %a = add i32 %t, %i\n  %b = and i32 %a, 1\n  %c = icmp eq i32 %b, 1\n"
	"  br i1 %c, label %odd, label %next\n"
	"odd:\n  %i100 = mul i32 %i, 100\n  %w = add i32 %t, %i100\n"
	"  %f = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %w)\n"
	"  %s1 = add i32 %sum, %f\n  br label %next\n"
	"next:\n  %r = phi i32 [ %sum, %loop ], [ %s1, %odd ]\n"
	"  %i1 = add i32 %i, 1\n  %e = icmp ult i32 %i1, 4\n"
	"  br i1 %e, label %loop, label %end\nend:\n" STORE;

/* A branch that is written behind what follows it: all lanes meet there. */
static const char behind[] =
	"  %b = and i32 %t, 1\n  %c = icmp eq i32 %b, 1\n"
	"  br i1 %c, label %odd, label %join\n"
	"join:\n  %x = phi i32 [ 0, %0 ], [ %f, %odd ]\n"
	"  %m = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n"
	"  %p64 = call i64 @llvm.ctpop.i64(i64 %m)\n"
	"  %p32 = trunc i64 %p64 to i32\n"
	"  %r = add i32 %p32, %x\n  br label %end\n"
	"odd:\n  %f = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %t)\n  br label %join\n"
	"end:\n" STORE;

/* Lane t turns (t + i) % 4 + 1 times in turn i of three; a block leads back to both loops. */
static const char nested[] =
	"  br label %outer\n"
	"outer:\n  %i = phi i32 [ 0, %0 ], [ %i1, %inner ]\n"
	"  %sum = phi i32 [ 0, %0 ], [ %in1, %inner ]\n"
	"  %a = add i32 %t, %i\n  %b = and i32 %a, 3\n"
	"  %i1 = add i32 %i, 1\n  %e = icmp ult i32 %i, 3\n"
	"  br i1 %e, label %inner, label %end\n"
	"inner:\n  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]\n"
	"  %in = phi i32 [ %sum, %outer ], [ %in1, %inner ]\n"
	"  %m = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n"
	"  %p64 = call i64 @llvm.ctpop.i64(i64 %m)\n"
	"  %p32 = trunc i64 %p64 to i32\n"
	"  %in1 = add i32 %in, %p32\n"
	"  %j1 = add i32 %j, 1\n  %g = icmp ule i32 %j1, %b\n"
	"  br i1 %g, label %inner, label %outer\nend:\n"
	"  %r = add i32 %sum, 0\n" STORE;

static void test_divergence(void **state)
{
	layout_context *ctx = layout_context_new();
	uint32_t result[64], sum = 0;
	struct simulated run = { .body = parted, .lanes = 64, .destination = result };
	layout_sim_stats stats;

	(void)state;
	assert_true(simulated_run(ctx, &run, &stats));
	assert_int_equal(stats.exchanges, 2);
	for (unsigned i = 0; i < 64; i++)
		assert_int_equal(result[i], i % 2 ? 21 : 10);
	run.body = thinning;
	assert_true(simulated_run(ctx, &run, &stats));
	assert_int_equal(stats.exchanges, 64);
	for (unsigned i = 0; i < 64; i++) {
		sum += 64 - i;
		assert_int_equal(result[i], sum);
	}
	run.body = gathered;
	assert_true(simulated_run(ctx, &run, &stats));
	assert_int_equal(stats.exchanges, 65);
	for (unsigned i = 0; i < 64; i++)
		assert_int_equal(result[i], 64);
	assert_true(layout_context_free(ctx));
}

/* Lanes in different turns of a loop do not meet. */
static void test_turns(void **state)
{
	layout_context *ctx = layout_context_new();
	uint32_t result[64], sum;
	struct simulated run = { .body = turning, .lanes = 64, .destination = result };
	layout_sim_stats stats;

	(void)state;
	assert_true(simulated_run(ctx, &run, &stats));
	assert_int_equal(stats.exchanges, 4);
	for (unsigned i = 0; i < 64; i++)
		assert_int_equal(result[i], i % 2 ? 1 + 201 : 100 + 300);
	run.body = behind;
	assert_true(simulated_run(ctx, &run, &stats));
	assert_int_equal(stats.exchanges, 2);
	for (unsigned i = 0; i < 64; i++)
		assert_int_equal(result[i], 64 + i % 2);
	run.body = nested;
	assert_true(simulated_run(ctx, &run, &stats));
	assert_int_equal(stats.exchanges, 3 * 4);
	for (unsigned i = 0; i < 64; i++) {
		sum = 0;
		for (unsigned turn = 0; turn < 3; turn++)
			for (unsigned j = 0; j <= (i + turn) % 4; j++)
				sum += 64 - 16 * j;
		assert_int_equal(result[i], sum);
	}
	assert_true(layout_context_free(ctx));
}

/* 1024 lanes, and workgroups of which the last wave is not whole. */
static void test_sizes(void **state)
{
	static const unsigned sizes[] = { 1, 31, 96, 256, 1000, 1024 };
	static const char body[] = BARRIER
		"  %f = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)\n" BARRIER
		"  %r = add i32 %f, 1\n"
		"  %g = call i32 @llvm.amdgcn.workgroup.id.x()\n"
		"  %z = mul i32 %g, 1024\n  %o = add i32 %z, %t\n"
		"  %u = zext i32 %o to i64\n"
		"  %h = getelementptr i32, ptr addrspace(1) %d, i64 %u\n"
		"  store i32 %r, ptr addrspace(1) %h, align 4\n";
	uint32_t *result = malloc(5 * 1024 * 4);

	(void)state;
	for (unsigned k = 0; k < COUNT(sizes); k++) {
		layout_context *ctx = layout_context_new();
		struct simulated run = { .body = body, .lanes = sizes[k], .groups = 5,
			.destination = result, .destination_bytes = 5 * 1024 * 4 };
		layout_sim_stats stats;

		if (!simulated_run(ctx, &run, &stats))
			fail_msg("%s", layout_context_message(ctx));
		assert_int_equal(stats.barriers, 10);
		assert_int_equal(stats.lanes, 5 * sizes[k]);
		for (unsigned i = 0; i < 5 * sizes[k]; i++)
			assert_int_equal(result[i / sizes[k] * 1024 + i % sizes[k]],
				i % sizes[k] / 64 * 64 + 1);
		assert_true(layout_context_free(ctx));
	}
	free(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exchanges),
		cmocka_unit_test(test_halves),
		cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_turned),
		cmocka_unit_test(test_divergence),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
