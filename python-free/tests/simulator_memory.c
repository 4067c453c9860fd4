/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The simulator's memory operations: bounded buffers, local memory, loads between the
 * two; and the operations of one lane that go with them. */
#include "support/simulated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define STORE "  store i32 %r, ptr addrspace(1) %q, align 4\n"

/* Operations of a lane: from s[t] = v and n to d[t]. */
static const struct {
	const char *body;
	uint32_t v;
	int64_t n;
	uint32_t result;
} lane_rows[] = {
	/* 0x44556677 */
	{ "  %r = call i32 @llvm.amdgcn.perm(i32 %v, i32 1146447479, i32 %n32)\n",
		0x00112233, 0x03020100, 0x44556677 },
	{ "  %r = call i32 @llvm.amdgcn.perm(i32 %v, i32 1146447479, i32 %n32)\n",
		0x00112233, 0x07060504, 0x00112233 },
	{ "  %r = call i32 @llvm.amdgcn.perm(i32 %v, i32 1146447479, i32 %n32)\n",
		0x00112233, 0x04000307, 0x33774400 },
	{ "  %r = call i32 @llvm.amdgcn.perm(i32 %v, i32 1146447479, i32 %n32)\n",
		0x00112233, 0x0c0dff0c, 0x00ffff00 },
	/* signs: bytes 1 and 3 of each, 0x66 and 0x44, then those of %v */
	{ "  %r = call i32 @llvm.amdgcn.perm(i32 %v, i32 1146447479, i32 %n32)\n",
		0x80008000, 0x0b0a0908, 0xffff0000 },
	{ "  %r = call i32 @llvm.amdgcn.perm(i32 %v, i32 2147516416, i32 %n32)\n",
		0x00000000, 0x0b0a0908, 0x0000ffff },
	{ "  %x = call { i32, i32 } asm \"v_swap_b32 $0, $1\", \"=v,=v,0,1\""
		"(i32 %v, i32 %n32)\n"
		"  %r = extractvalue { i32, i32 } %x, 0\n", 7, 9, 9 },
	{ "  %x = call { i32, i32 } asm \"v_swap_b32 $0, $1\", \"=v,=v,0,1\""
		"(i32 %v, i32 %n32)\n"
		"  %r = extractvalue { i32, i32 } %x, 1\n", 7, 9, 7 },
	{ "  %r = call i32 asm \"\", \"=s,0\"(i32 %v)\n", 7, 9, 7 },
	{ "  %x = call { i32, i32 } asm sideeffect \"\", \"=s,=s,1,0\""
		"(i32 %v, i32 %n32)\n"
		"  %r = extractvalue { i32, i32 } %x, 0\n", 7, 9, 9 },
	{ "  %r = call i32 @llvm.amdgcn.mul.u24.i32(i32 %v, i32 %n32)\n",
		0xff000003, 0x01000005, 15 },
	{ "  %r = call i32 @llvm.amdgcn.mul.i24.i32(i32 %v, i32 %n32)\n",
		0x00ffffff, 5, 0xfffffffb },
	{ "  %r = call i32 @llvm.amdgcn.wavefrontsize()\n", 0, 0, 64 },
	{ "  %r = call i32 @llvm.umin.i32(i32 %v, i32 %n32)\n", 7, 9, 7 },
	{ "  %r = call i32 @llvm.fshl.i32(i32 %v, i32 %n32, i32 8)\n",
		0x11223344, 0x55667788, 0x22334455 },
	{ "  fence syncscope(\"workgroup\") release\n  %r = add i32 %v, 1\n", 7, 0, 8 },
	{ "  call void @llvm.amdgcn.sched.barrier(i32 0)\n  %r = add i32 %v, 1\n",
		7, 0, 8 },
};

static void test_lane_operations(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(lane_rows); i++) {
		layout_context *ctx = layout_context_new();
		struct layout_buffer body = { 0 };
		uint32_t result = 0;
		struct simulated run = { .lanes = 1, .n = lane_rows[i].n,
			.source = &lane_rows[i].v, .source_bytes = 4,
			.destination = &result };
		char *text;

		layout_buffer_printf(&body, "%s%s", lane_rows[i].body, STORE);
		text = layout_buffer_take(ctx, &body);
		run.body = text;
		if (!simulated_run(ctx, &run, NULL))
			fail_msg("row %u: %s", i, layout_context_message(ctx));
		if (result != lane_rows[i].result)
			fail_msg("row %u: %#x", i, result);
		free(text);
		assert_true(layout_context_free(ctx));
	}
}

/* %b, the source as a buffer of n bytes, %c, the destination as one of 64. */
#define BUFFERS \
	"  %b = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(" \
	"ptr addrspace(1) %s, i16 0, i64 %n, i32 159744)\n" \
	"  %c = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(" \
	"ptr addrspace(1) %d, i16 0, i64 64, i32 159744)\n"
#define LOAD(type, name) \
	" = call " type " @llvm.amdgcn.raw.ptr.buffer.load." name "(" \
	"ptr addrspace(8) %b, "
#define SAVE(type, name) \
	"  call void @llvm.amdgcn.raw.ptr.buffer.store." name "(" type " %r, " \
	"ptr addrspace(8) %c, "

/* A buffer that begins 4 bytes before an address, and a store there. */
#define BEFORE(address) \
	"  %f = call ptr addrspace(1) @llvm.amdgcn." address "\n" \
	"  %g = getelementptr i8, ptr addrspace(1) %f, i64 -4\n" \
	"  %h = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(" \
	"ptr addrspace(1) %g, i16 0, i64 64, i32 159744)\n"
#define PUT(at) \
	"  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %r, " \
	"ptr addrspace(8) %h, i32 " at ", i32 0, i32 0)\n"

/* One lane copies through buffers: byte i of the source is i + 1, of the destination
 * 0xee before; both have 64 bytes, one behind the other. */
static const struct {
	const char *body;
	int64_t n;
	const char *result;		/* the first 20 bytes as hex, or a fault */
} buffer_rows[] = {
	{ "  %r" LOAD("i8", "i8") "i32 3, i32 0, i32 0)\n"
		SAVE("i8", "i8") "i32 1, i32 0, i32 0)\n",
		64, "ee04eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" },
	{ "  %r" LOAD("i16", "i16") "i32 3, i32 2, i32 0)\n"
		SAVE("i16", "i16") "i32 1, i32 1, i32 0)\n",
		64, "eeee0607eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" },
	{ "  %r" LOAD("i32", "i32") "i32 60, i32 0, i32 0)\n"
		SAVE("i32", "i32") "i32 4, i32 0, i32 0)\n",
		64, "eeeeeeee3d3e3f40eeeeeeeeeeeeeeeeeeeeeeee" },
	{ "  %r" LOAD("i64", "i64") "i32 0, i32 0, i32 0)\n"
		SAVE("i64", "i64") "i32 0, i32 0, i32 0)\n",
		64, "0102030405060708eeeeeeeeeeeeeeeeeeeeeeee" },
	{ "  %r" LOAD("<3 x i32>", "v3i32") "i32 0, i32 0, i32 0)\n"
		SAVE("<3 x i32>", "v3i32") "i32 0, i32 0, i32 0)\n",
		64, "0102030405060708090a0b0ceeeeeeeeeeeeeeee" },
	{ "  %r" LOAD("<4 x i32>", "v4i32") "i32 4, i32 8, i32 0)\n"
		SAVE("<4 x i32>", "v4i32") "i32 0, i32 0, i32 0)\n",
		64, "0d0e0f101112131415161718191a1b1ceeeeeeee" },
	{ "  %r" LOAD("<8 x half>", "v8f16") "i32 0, i32 0, i32 0)\n"
		SAVE("<8 x half>", "v8f16") "i32 0, i32 0, i32 0)\n",
		64, "0102030405060708090a0b0c0d0e0f10eeeeeeee" },
	/* out of range: zeros, no store; word by word */
	{ "  %r" LOAD("i32", "i32") "i32 16, i32 0, i32 0)\n"
		SAVE("i32", "i32") "i32 0, i32 0, i32 0)\n",
		16, "00000000eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" },
	{ "  %r" LOAD("i32", "i32") "i32 -2147483648, i32 0, i32 0)\n"
		SAVE("i32", "i32") "i32 64, i32 0, i32 0)\n",
		2147483648, "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" },
	{ "  %r" LOAD("<4 x i32>", "v4i32") "i32 8, i32 0, i32 0)\n"
		SAVE("<4 x i32>", "v4i32") "i32 0, i32 0, i32 0)\n",
		16, "090a0b0c0d0e0f100000000000000000eeeeeeee" },
	/* the scalar offset is no part of the check */
	{ "  %r" LOAD("i32", "i32") "i32 12, i32 4, i32 0)\n"
		SAVE("i32", "i32") "i32 0, i32 0, i32 0)\n",
		16, "11121314eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" },
	/* a window that is larger than the allocation */
	{ "  %r" LOAD("i32", "i32") "i32 12, i32 0, i32 0)\n"
		SAVE("i32", "i32") "i32 0, i32 0, i32 0)\n",
		2147483648, "0d0e0f10eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" },
	{ "  %r" LOAD("i32", "i32") "i32 64, i32 0, i32 0)\n"
		SAVE("i32", "i32") "i32 0, i32 0, i32 0)\n",
		2147483648,
		"load of 4 bytes at byte 64 of 'source': it has 64 bytes" },
	{ "  %r" LOAD("<4 x i32>", "v4i32") "i32 56, i32 0, i32 0)\n"
		SAVE("<4 x i32>", "v4i32") "i32 0, i32 0, i32 0)\n",
		2147483648,
		"load of 16 bytes at byte 56 of 'source': it has 64 bytes" },
	{ "  %r" LOAD("i32", "i32") "i32 0, i32 -4, i32 0)\n"
		SAVE("i32", "i32") "i32 0, i32 0, i32 0)\n",
		64, "load of 4 bytes at byte 4294967292 of 'source': it has 64 bytes" },
	{ "  %r" LOAD("i32", "i32") "i32 12, i32 0, i32 0)\n"
		SAVE("i32", "i32") "i32 0, i32 0, i32 0)\n",
		14, "an access of 4 bytes across the end of its buffer's descriptor" },
	{ "  %r = add i32 %n32, 0\n"
		"  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %r, "
		"ptr addrspace(8) %b, i32 0, i32 0, i32 0)\n",
		64, "store of 4 bytes at byte 0 of 'source': it is read-only" },
	/* one that begins before its buffer, where the other one is: by a wave's address, and by
	 * one of two */
	{ "  %r" LOAD("i32", "i32") "i32 8, i32 0, i32 0)\n" BEFORE("readfirstlane.p1("
		"ptr addrspace(1) %d)") PUT("8"), 64, "eeeeeeee090a0b0ceeeeeeeeeeeeeeeeeeeeeeee" },
	{ "  %r" LOAD("i32", "i32") "i32 8, i32 0, i32 0)\n" BEFORE("readfirstlane.p1("
		"ptr addrspace(1) %d)") PUT("0"), 64,
		"store of 4 bytes at byte -4 of 'destination': it has 64 bytes" },
	{ "  %r" LOAD("i32", "i32") "i32 8, i32 0, i32 0)\n"
		"  %y = icmp eq i64 %n, 64\n"
		"  %w = select i1 %y, ptr addrspace(1) %d, ptr addrspace(1) %s\n"
		BEFORE("readfirstlane.p1(ptr addrspace(1) %w)") PUT("8"),
		64, "eeeeeeee090a0b0ceeeeeeeeeeeeeeeeeeeeeeee" },
	/* a descriptor that a branch chooses */
	{ "  %y = icmp eq i64 %n, 64\n"
		"  %e = select i1 %y, ptr addrspace(8) %b, ptr addrspace(8) %c\n"
		"  %r = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %e, "
		"i32 8, i32 0, i32 0)\n"
		SAVE("i32", "i32") "i32 0, i32 0, i32 0)\n",
		64, "090a0b0ceeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" },
};

static void check_buffer_row(unsigned row)
{
	layout_context *ctx = layout_context_new();
	struct layout_buffer body = { 0 };
	unsigned char source[128], *destination = source + 64;
	struct simulated run = { .lanes = 1, .n = buffer_rows[row].n, .source = source,
		.source_bytes = 64, .destination = destination,
		.destination_bytes = 64 };
	char *text, hex[41];

	for (unsigned i = 0; i < 64; i++)
		source[i] = (unsigned char)(i + 1);
	memset(destination, 0xee, 64);
	layout_buffer_printf(&body, "%s%s", BUFFERS, buffer_rows[row].body);
	text = layout_buffer_take(ctx, &body);
	run.body = text;
	if (simulated_run(ctx, &run, NULL)) {
		for (unsigned i = 0; i < 20; i++)
			snprintf(hex + 2 * i, 3, "%02x", destination[i]);
		if (strcmp(hex, buffer_rows[row].result))
			fail_msg("row %u: %s", row, hex);
	} else if (!strstr(layout_context_message(ctx), buffer_rows[row].result)) {
		fail_msg("row %u: %s", row, layout_context_message(ctx));
	}
	free(text);
	assert_true(layout_context_free(ctx));
}

/* What lanes load from a constant, by what it is in each; or that there is no such place. */
#define TABLE "@table = internal addrspace(4) constant [4 x i32] [i32 5, i32 6, i32 7, i32 8]\n"
#define LOOK_UP(index) \
	"  %i = " index "\n  %a = getelementptr i32, ptr addrspace(4) @table, i64 %i\n" \
	"  %x = load i32, ptr addrspace(4) %a, align 4\n" \
	"  store i32 %x, ptr addrspace(1) %q, align 4\n"

static const struct {
	const char *body, *message;	/* NULL: none */
	uint32_t result[2];
} tables[] = {
	{ LOOK_UP("and i64 %t64, 3"), NULL, { 5, 6 } },
	{ "  %x = load i32, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @table, "
		"i64 12), align 4\n  store i32 %x, ptr addrspace(1) %q, align 4\n", NULL,
		{ 8, 8 } },
	{ LOOK_UP("add i64 %t64, 3"), "lane 1: load of 4 bytes at byte 16 of a constant: it has 16 "
		"bytes", { 0 } },
	{ LOOK_UP("sub i64 0, %t64"), "lane 1: load of 4 bytes at byte -4 of a constant: it has 16 "
		"bytes", { 0 } },
};

static void check_table(unsigned row, const char *target)
{
	layout_context *ctx = layout_context_new();
	uint32_t result[64] = { 0 };
	struct simulated run = { .globals = TABLE, .body = tables[row].body, .target = target,
		.lanes = layout_target_find(ctx, target)->wave_size, .destination = result };
	bool ok = simulated_run(ctx, &run, NULL);

	if (ok == (tables[row].message != NULL) || memcmp(result, tables[row].result,
	    ok ? sizeof(tables[row].result) : 0))
		fail_msg("row %u: %u, %u", row, result[0], result[1]);
	if (!ok && !strstr(layout_context_message(ctx), tables[row].message))
		fail_msg("row %u: %s", row, layout_context_message(ctx));
	assert_true(layout_context_free(ctx));
}

static void test_tables(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(tables); i++) {
		check_table(i, "gfx942");
		check_table(i, "sm_90");
	}
}

static void test_buffers(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(buffer_rows); i++)
		check_buffer_row(i);
}

#define LDS "@lds = internal addrspace(3) global [320 x i32] poison, align 16\n"
#define GLOBAL_PIECE(from, lds, bytes, offset) \
	"  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) " from \
	", ptr addrspace(3) " lds ", i32 " bytes ", i32 " offset ", i32 0)\n"
#define BUFFER_PIECE(bytes, at, scalar, offset) \
	"  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %b, " \
	"ptr addrspace(3) @lds, i32 " bytes ", i32 " at ", i32 " scalar ", i32 " \
	offset ", i32 0)\n"
#define BACKWARDS \
	"  %u = sub i32 63, %t\n  %u64 = zext i32 %u to i64\n" \
	"  %f = getelementptr i32, ptr addrspace(1) %s, i64 %u64\n"
#define BEHIND "  %y = getelementptr i32, ptr addrspace(3) @lds, i32 64\n"
/* What s_waitcnt waits for: loads are the lowest four bits, the LDS is those from 8 on. */
#define WAIT(counts) "  call void @llvm.amdgcn.s.waitcnt(i32 " counts ")\n"
/* d[t] = lds[t + "skip"] */
#define READ_BACK(skip) WAIT("0") READ_ON(skip)
#define READ_ON(skip) \
	"  call void @llvm.amdgcn.s.barrier()\n" \
	"  %i = add i32 %t, " skip "\n" \
	"  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %i\n" \
	"  %r = load i32, ptr addrspace(3) %l, align 4\n" STORE

/* 64 lanes; s[i] is i.  The result of lane t is scale * t + start, or 0 where that is
 * not below "end". */
static const struct {
	const char *body;
	int64_t n;
	int scale, start, end;
	const char *fault;		/* NULL: none */
} pieces[] = {
	{ BACKWARDS GLOBAL_PIECE("%f", "@lds", "4", "0") READ_BACK("0"),
		0, -1, 63, 64, NULL },
	{ GLOBAL_PIECE("%p", "@lds", "4", "0") READ_BACK("0"), 0, 1, 0, 64, NULL },
	/* the offset counts on both sides */
	{ GLOBAL_PIECE("%s", "@lds", "4", "8") READ_BACK("2"), 0, 0, 2, 64, NULL },
	/* the address of the wave is its first lane's */
	{ "  %x = getelementptr i32, ptr addrspace(3) @lds, i32 %t\n"
		GLOBAL_PIECE("%p", "%x", "4", "0") READ_BACK("0"), 0, 1, 0, 64, NULL },
	/* 16 bytes a lane: word t of the LDS is word t % 4 of the source */
	{ "  %h = and i32 %t, 0\n  %h64 = zext i32 %h to i64\n"
		"  %f = getelementptr i32, ptr addrspace(1) %s, i64 %h64\n"
		GLOBAL_PIECE("%f", "@lds", "16", "0") WAIT("0")
		"  call void @llvm.amdgcn.s.barrier()\n"
		"  %i = shl i32 %t, 2\n"
		"  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %i\n"
		"  %w = load <4 x i32>, ptr addrspace(3) %l, align 16\n"
		"  %r = extractelement <4 x i32> %w, i32 3\n" STORE,
		0, 0, 3, 64, NULL },
	{ BUFFERS "  %o = shl i32 %t, 2\n" BUFFER_PIECE("4", "%o", "0", "0")
		READ_BACK("0"), 256, 1, 0, 64, NULL },
	{ BUFFERS "  %o = shl i32 %t, 2\n" BUFFER_PIECE("4", "%o", "0", "0")
		READ_BACK("0"), 100, 1, 0, 25, NULL },
	{ BUFFERS "  %o = shl i32 %t, 2\n" BUFFER_PIECE("4", "0", "8", "4")
		READ_BACK("1"), 256, 0, 3, 64, NULL },
	/* asynchronous: each lane has its own address in the LDS */
	{ "  %x = getelementptr i32, ptr addrspace(3) @lds, i32 %t\n"
		"  call void @llvm.amdgcn.global.load.async.to.lds.b32("
		"ptr addrspace(1) %s, ptr addrspace(3) %x, i32 8, i32 0)\n"
		"  call void @llvm.amdgcn.s.wait.asynccnt(i16 0)\n"
		READ_BACK("2"), 0, 0, 2, 64, NULL },
	{ GLOBAL_PIECE("%p", "@lds", "4", "4") READ_BACK("0"), 0, 0, 0, 0,
		"lane 63: load of 4 bytes at byte 256 of 'source'" },
	{ "  %x = getelementptr i32, ptr addrspace(3) @lds, i32 300\n"
		GLOBAL_PIECE("%p", "%x", "4", "0") READ_BACK("0"), 0, 0, 0, 0,
		"lane 20: store of 4 bytes at byte 1280 of the LDS" },
	{ "  %x = getelementptr i8, ptr addrspace(3) @lds, i32 2\n"
		GLOBAL_PIECE("%p", "%x", "4", "0") READ_BACK("0"), 0, 0, 0, 0,
		"lane 0: store of 4 bytes at byte 2 of the LDS: not aligned" },
	{ GLOBAL_PIECE("%p", "@lds", "8", "0"), 0, 0, 0, 0, "that width" },

	/* without a wait, behind one that waits for the LDS alone, and for all but the last */
	{ GLOBAL_PIECE("%p", "@lds", "4", "0") READ_ON("0"), 0, 0, 0, 0,
		"lane 0: load of 4 bytes at byte 0 of the LDS: a copy to byte 0 is under way" },
	{ GLOBAL_PIECE("%p", "@lds", "4", "0") WAIT("49279") READ_ON("0"), 0, 0, 0, 0,
		"a copy to byte 0 is under way" },
	{ BEHIND GLOBAL_PIECE("%p", "@lds", "4", "0") GLOBAL_PIECE("%s", "%y", "4", "0") WAIT("1")
		READ_ON("0") WAIT("0"), 0, 1, 0, 64, NULL },
	{ BEHIND GLOBAL_PIECE("%s", "%y", "4", "0") GLOBAL_PIECE("%p", "@lds", "4", "0") WAIT("1")
		READ_ON("0") WAIT("0"), 0, 0, 0, 0, "a copy to byte 0 is under way" },
	/* without a barrier, and at the end */
	{ BACKWARDS GLOBAL_PIECE("%f", "@lds", "4", "0") WAIT("0") "  %l = getelementptr i32, "
		"ptr addrspace(3) @lds, i32 %u\n  %r = load i32, ptr addrspace(3) %l, align 4\n"
		STORE, 0, 0, 0, 0, "race with the store of byte" },
	{ GLOBAL_PIECE("%p", "@lds", "4", "0"), 0, 0, 0, 0,
		"ends while a copy to the LDS is under way" },
	/* where something is loaded from still, and where that was waited for */
	{ GLOBAL_PIECE("%p", "@lds", "4", "0") READ_BACK("0") WAIT("3952")
		"  call void @llvm.amdgcn.s.barrier()\n" GLOBAL_PIECE("%s", "@lds", "4", "0")
		WAIT("0"), 0, 0, 0, 0, "race with the load of byte 0 by lane 0" },
	{ GLOBAL_PIECE("%p", "@lds", "4", "0") READ_BACK("0") WAIT("127")
		"  call void @llvm.amdgcn.s.barrier()\n" GLOBAL_PIECE("%s", "@lds", "4", "0")
		WAIT("0"), 0, 1, 0, 64, NULL },
};

static void check_piece(unsigned row)
{
	layout_context *ctx = layout_context_new();
	uint32_t result[64];
	struct simulated run = { .globals = LDS, .body = pieces[row].body, .lanes = 64,
		.n = pieces[row].n, .target = "gfx950", .destination = result };
	bool ok = simulated_run(ctx, &run, NULL);

	if (ok != !pieces[row].fault)
		fail_msg("row %u: %s", row, layout_context_message(ctx));
	if (!ok && !strstr(layout_context_message(ctx), pieces[row].fault))
		fail_msg("row %u: %s", row, layout_context_message(ctx));
	for (int t = 0; ok && t < 64; t++) {
		int value = pieces[row].scale * t + pieces[row].start;

		if (result[t] != (uint32_t)(value < pieces[row].end ? value : 0))
			fail_msg("row %u, lane %d: %u", row, t, result[t]);
	}
	assert_true(layout_context_free(ctx));
}

static void test_loads_to_lds(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(pieces); i++)
		check_piece(i);
}

/* What the last workgroup left in the LDS is not there for the next. */
static void test_fresh_lds(void **state)
{
	static const char body[] =
		"  %g = call i32 @llvm.amdgcn.workgroup.id.x()\n"
		"  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %t\n"
		"  %c = icmp eq i32 %g, 0\n"
		"  br i1 %c, label %write, label %read\n"
		"write:\n  store i32 1, ptr addrspace(3) %l, align 4\n"
		"  br label %end\n"
		"read:\n  %r = load i32, ptr addrspace(3) %l, align 4\n" STORE
		"  br label %end\nend:\n";
	layout_context *ctx = layout_context_new();
	uint32_t result[64];
	struct simulated run = { .globals = LDS, .body = body, .lanes = 64, .groups = 2,
		.destination = result };

	(void)state;
	assert_false(simulated_run(ctx, &run, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_FAULT);
	assert_non_null(strstr(layout_context_message(ctx), "workgroup (1, 0, 0), "
		"lane 0: load of 4 bytes at byte 0 of the LDS"));
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lane_operations),
		cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_loads_to_lds),
		cmocka_unit_test(test_fresh_lds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
