/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NVPTX: what its instructions do in the simulator, that nothing is accessed across its own
 * bytes there, and how kernels keep to that whatever the sizes are. */
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
#define SHUFFLE(how, lanes, which, clamp) \
	"  %r = call i32 @llvm.nvvm.shfl.sync." how ".i32(i32 " lanes ", i32 %v, i32 " which \
	", i32 " clamp ")\n"
#define FAULT "kernel 'k', workgroup (0, 0, 0), lane "
#define AT_BYTE(at, access) \
	"  %a = getelementptr i8, ptr addrspace(1) %s, i64 " at "\n" \
	"  %w = load <4 x i32>, ptr addrspace(1) %a, align " access "\n" \
	"  %r = extractelement <4 x i32> %w, i32 0\n"
#define LDS "@lds = internal addrspace(3) global [64 x i32] poison, align 16\n"
#define LDS_AT(name, index) \
	"  %" name " = getelementptr i32, ptr addrspace(3) @lds, i32 " index "\n"

/* 64 lanes, of which lane 1 gets "second" and lane 40 "late"; or the fault. */
static const struct {
	const char *body;
	uint32_t second, late;
	const char *fault;
} rows[] = {
	{ SHUFFLE("bfly", "-1", "5", "31"), 4, 45, NULL },
	{ SHUFFLE("idx", "-1", "7", "31"), 7, 39, NULL },
	{ "  %x = sub i32 31, %t\n" SHUFFLE("idx", "-1", "%x", "31"), 30, 55, NULL },
	{ SHUFFLE("bfly", "-1", "5", "15"), 0, 0, FAULT "0: a shuffle among parts" },
	{ SHUFFLE("bfly", "255", "8", "31"), 0, 0, FAULT "0: a shuffle from lane 8 by the "
		"lanes 0xff" },
	/* 0x11223344 and 0x55667788, by numbers of their bytes; and by a byte's sign */
	{ "  %r = call i32 @llvm.nvvm.prmt(i32 287454020, i32 1432778632, i32 29250)\n",
		0x55228822, 0x55228822, NULL },
	{ "  %r = call i32 @llvm.nvvm.prmt(i32 128, i32 0, i32 38952)\n", 0x00ff00ff,
		0x00ff00ff, NULL },
	{ AT_BYTE("16", "16"), 4, 4, NULL },
	{ AT_BYTE("20", "4"), 5, 5, NULL },
	{ AT_BYTE("20", "16"), 0, 0, FAULT "0: load of 16 bytes at byte 20 of 'source': not "
		"aligned to 16 bytes" },
	{ AT_BYTE("18", "4"), 0, 0, FAULT "0: load of 16 bytes at byte 18 of 'source': not "
		"aligned to 4 bytes" },
	{ LDS_AT("a", "%t") "  store i32 %v, ptr addrspace(3) %a, align 4\n"
		"  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
		"  %m = sub i32 63, %t\n" LDS_AT("b", "%m")
		"  %r = load i32, ptr addrspace(3) %b, align 4\n", 62, 23, NULL },
	{ LDS_AT("a", "%t") "  store i32 %v, ptr addrspace(3) %a, align 4\n"
		"  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
		"  %m = xor i32 31, %t\n" LDS_AT("b", "%m")
		"  %r = load i32, ptr addrspace(3) %b, align 4\n", 30, 55, NULL },
	{ "  %r = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %v)\n", 0, 0,
		"does not execute calls of llvm.nvvm.match.any.sync.i32" },
};

static void test_operations(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++) {
		layout_context *ctx = layout_context_new();
		uint32_t result[64] = { 0 };
		struct layout_buffer body = { 0 };
		struct simulated run = { .globals = LDS, .target = "sm_90", .lanes = 64,
			.destination = result };
		const char *message;
		char *text;
		bool ok;

		layout_buffer_printf(&body, "%s%s", rows[i].body, STORE);
		run.body = text = layout_buffer_take(ctx, &body);
		ok = simulated_run(ctx, &run, NULL);
		message = layout_context_message(ctx);
		if (ok != !rows[i].fault || (!ok && !strstr(message, rows[i].fault)) ||
		    (ok && (result[1] != rows[i].second || result[40] != rows[i].late)))
			fail_msg("row %u: %s, %#x, %#x", i, ok ? "" : message, result[1],
				result[40]);
		free(text);
		layout_context_free(ctx);
	}
}

#define TRANSPOSE "remap(row_major[M, N] -> col_major[M, N], type = "
#define PACK "remap(row_major[M, N] -> packed(encoding_info<{innerDimsPos = [0, 1], " \
	"innerTileSizes = [16, 16], outerDimsPerm = [0, 1]}>, [M, N]), type = "

/* The function that is launched for a size, and the bytes of its lanes' widest and, at most
 * a tenth of them, other accesses on both sides. */
static const struct {
	const char *remap;
	int64_t m, n;
	unsigned load, store;
} launches[] = {
	{ TRANSPOSE "f32)", 256, 256, 16, 16 },
	{ TRANSPOSE "f32)", 252, 260, 16, 16 },
	{ TRANSPOSE "f32)", 253, 256, 4, 4 },
	{ TRANSPOSE "f32)", 251, 257, 4, 4 },
	{ TRANSPOSE "f16)", 256, 256, 16, 16 },
	{ TRANSPOSE "f16)", 260, 254, 4, 4 },
	{ TRANSPOSE "f16)", 251, 257, 2, 2 },
	{ TRANSPOSE "i8)", 512, 512, 16, 16 },
	{ TRANSPOSE "i8)", 508, 516, 4, 4 },
	{ PACK "f32)", 256, 256, 16, 16 },
	{ PACK "f32)", 255, 255, 4, 4 },
};

static unsigned width_at(unsigned i)
{
	static const unsigned widths[] = { 1, 2, 4, 8, 12, 16 };

	return widths[i];
}

/* The width that most accesses have. */
static unsigned main_width(const layout_sim_traffic *traffic)
{
	unsigned best = 0;

	for (unsigned i = 1; i < COUNT(traffic->widths); i++)
		if (traffic->widths[i] > traffic->widths[best])
			best = i;
	return width_at(best);
}

static void check_launch(unsigned i)
{
	layout_context *ctx = layout_context_new();
	layout_remap *remap = layout_remap_parse(ctx, launches[i].remap);
	unsigned element = layout_remap_element_bytes(remap);
	layout_kernel *kernel = layout_kernel_new(remap, "sm_90", NULL);
	layout_size sizes[] = { { "M", launches[i].m }, { "N", launches[i].n } };
	size_t bytes = (size_t)((launches[i].m + 15) / 16 * 16 * (launches[i].n + 15) / 16 *
		16) * element;
	unsigned char *from = calloc(bytes, 1), *to = calloc(bytes, 1);
	layout_sim_stats stats = { 0 };
	layout_run run = LAYOUT_RUN_INIT;

	run.source = from;
	run.destination = to;
	run.source_bytes = run.destination_bytes = bytes;
	run.sizes = sizes;
	run.size_count = 2;
	run.stats = &stats;
	if (!kernel || !layout_kernel_run(ctx, kernel, &run))
		fail_msg("launch %u: %s", i, layout_context_message(ctx));
	if (main_width(&stats.load) != launches[i].load ||
	    main_width(&stats.store) != launches[i].store)
		fail_msg("launch %u: loads of %u bytes, stores of %u", i,
			main_width(&stats.load), main_width(&stats.store));
	free(from);
	free(to);
	layout_kernel_free(kernel);
	layout_remap_free(remap);
	layout_context_free(ctx);
}

static void test_launches(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(launches); i++)
		check_launch(i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operations),
		cmocka_unit_test(test_launches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
