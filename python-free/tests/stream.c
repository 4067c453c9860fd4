/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dispatches read out of IREE's stream dialect, and what layoutc specialize says of them. */
#include "support/shell.h"
#include <layout/layout.h>
#include <layout/specialize.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TILES(m, k) "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [" m ", " k \
	"], outerDimsPerm = [0, 1]}>"

/* The walk-through's three devices: sizes, two dispatches of one kernel, and one that takes
 * a tensor which another device has encoded. */
static void three_devices(void **state)
{
	char *found = shell_must("%s specialize '%s/stream.mlir'", LAYOUTC_PATH,
		TEST_DATA_DIR);

	(void)state;
	assert_string_equal(found,
		"layout 0: " TILES("8", "4") "\n"
		"layout 1: " TILES("16", "1") "\n"
		"dispatch 0 on @device_a: ex_set_encoding_vmvx\n"
		"dispatch 1 on @device_b: ex_set_encoding_x86_64\n"
		"dispatch 2 on @device_a: use_use_vmvx\n"
		"kernel ex_set_encoding_vmvx for vmvx: row-major, layout 0\n"
		"kernel ex_set_encoding_x86_64 for x86_64: row-major, layout 1\n"
		"kernel use_use_vmvx for vmvx: layout 0, row-major\n"
		"kernel relayout_f32_1_to_0_vmvx for vmvx: remap(packed(" TILES("16", "1")
		", [N, K]) -> packed(" TILES("8", "4") ", [N, K]), type = f32)\n"
		"    before dispatch 2, for tensor 0\n"
		"size on @device_a: 4*8*ceil(d0/8)*4*ceil(d1/4) bytes, " TILES("8", "4") "\n"
		"size on @device_b: 4*16*ceil(d0/16)*d1 bytes, " TILES("16", "1") "\n"
		"size on @device_c: 4*d0*d1 bytes, encoding_info<{innerDimsPos = [], "
		"innerTileSizes = [], outerDimsPerm = [0, 1]}>\n");
	free(found);
}

/* The same kernels once IREE has specialised them: encodings that have been resolved, of which
 * those of IREE's own tests are only told apart. */
static void resolved(void **state)
{
	char *found = shell_must("%s specialize '%s/stream_resolved.mlir'", LAYOUTC_PATH,
		TEST_DATA_DIR);

	(void)state;
	assert_string_equal(found,
		"layout 0: #iree_encoding.specialized<123, tensor<?x?xf32>>\n"
		"layout 1: #iree_encoding.specialized<456, tensor<?x?xf32>>\n"
		"layout 2: " TILES("16", "1") "\n"
		"dispatch 0 on @device_a: ex_set_encoding_vmvx\n"
		"dispatch 1 on @device_b: ex_dup0_set_encoding_x86_64\n"
		"dispatch 2 on @device_a: ex_set_encoding_vmvx\n"
		"dispatch 3 on @device_b: use_use_x86_64\n"
		"kernel ex_set_encoding_vmvx for vmvx: row-major, layout 0\n"
		"kernel ex_dup0_set_encoding_x86_64 for x86_64: row-major, layout 1\n"
		"kernel use_use_x86_64 for x86_64: layout 2, layout 0\n"
		"size on @device_b: 4*16*ceil(N/16)*K bytes, " TILES("16", "1") "\n");
	free(found);
	found = shell_must("(cat '%s/stream_resolved.mlir'; echo 'stream.tensor.sizeof "
		"on(#hal.device.affinity<@device_a>) tensor<?x?xf32, #encoding>{%%N, %%K}') | "
		"%s specialize - 2>&1; test $? = 3", TEST_DATA_DIR, LAYOUTC_PATH);
	assert_string_equal(found, "layoutc: error: specialize: #iree_encoding.specialized<"
		"123, tensor<?x?xf32>> stands for any layout in IREE's own tests: it says none; "
		"write what a resolver answers, #iree_encoding.layout<[#iree_gpu."
		"gpu_encoding_resolver<configuration = {encoding_info = {..}}>]>, or the encoding "
		"that is resolved\n");
	free(found);
}

#define VMVX "#t = #hal.executable.target<\"vmvx\", \"vmvx\">\nutil.global private @a = #t\n"
#define ENCODED "#e = #iree_encoding.encoding<operand_index = 0, op_type = matmul, " \
	"element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(m, n, k) -> " \
	"(m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]>\n"
#define ON "on(#hal.device.affinity<@a>) "

/* The dispatches, each as "kernel: how its tensors are held, with their sizes"; or what is
 * wrong where. */
static const struct {
	const char *text, *found;
	long position;
} texts[] = {
	{ VMVX "stream.tensor.dispatch " ON "@x::@y(%0) : (tensor<4x?xf16>{%n}) -> tensor<f32>",
		"x_y: f16 [4, n] f32 []; ", -1 },
	{ VMVX "%2:2 = stream.tensor.dispatch " ON "@x(%0, %1) : (index, tensor<?xf32>{%3} in "
		"!stream.resource<*>{%c16}) -> (tensor<2xi8>, tensor<3xi8>{} in !a)",
		"x: f32 [v3] i8 [2] i8 [3]; ", -1 },
	{ VMVX "stream.tensor.dispatch " ON "@x() : () -> ()", "x:; ", -1 },
	{ ENCODED VMVX "%1 = stream.tensor.encode " ON "%0 : tensor<?x?xf32>{%a, %b} in "
		"!stream.resource<*>{%2} -> tensor<?x?xf32, #e>{%a, %b} in !s\n"
		"stream.tensor.dispatch " ON "@use(%1) : (tensor<?x?xf32, #e>{%a, %b}) -> index",
		"encode: f32 [a, b] f32* [a, b]; use: f32* [a, b]; ", -1 },
	{ ENCODED "#u = #hal.executable.target<\"llvm-cpu\", \"x\", {target_triple = "
		"\"x86_64-x\"}>\n" VMVX "util.global private @b = #u\nutil.global @n : index\n"
		"%1 = stream.tensor.encode on(#hal.device.affinity<@b>) %0 : tensor<4x4xf32> -> "
		"tensor<4x4xf32, #e>\nstream.tensor.dispatch " ON "@use(%1, %1) : "
		"(tensor<4x4xf32, #e>, tensor<4x4xf32>) -> index",
		"encode: f32 [4, 4] f32* [4, 4]; use: f32*x86_64 [4, 4] f32 [4, 4]; ", -1 },
	{ "#c = dense<1>\nutil.global @w = #c\nutil.global @a = #hal.executable.target<"
		"\"vmvx\", \"vmvx\">\nstream.tensor.dispatch " ON "@x() : () -> ()", "x:; ",
		-1 },
	{ VMVX "util.global @b = #hal.device.target<\"local\", [#t, #t]>\n", "expected one "
		"target: name the one that is meant", 122 },
	{ VMVX "%1 = arith.constant 3", "expected a dispatch, or a tensor's size", 93 },
	{ VMVX "stream.tensor.dispatch on(#hal.device.affinity<@b>) @x() : () -> ()",
		"no global says which target @b is", 119 },
	{ VMVX "stream.tensor.dispatch " ON "@x(%0) : (tensor<?xf32>) -> ()",
		"expected `{`, found `)`", 147 },
	{ VMVX "stream.tensor.sizeof " ON "index", "expected the type of a tensor", 122 },
	{ VMVX "stream.tensor.sizeof " ON "tensor<4xf32, #iree_encoding.testing<>>",
		"expected `#iree_encoding.encoding`, found `#iree_encoding.testing`", 136 },
	{ VMVX "stream.tensor.dispatch " ON "@x(%0) : (tensor<4x?xf32, #iree_encoding."
		"specialized<1>>{%n}) -> tensor<2xi8, #iree_encoding.layout<[encoding_info<{"
		"innerDimsPos = [0], innerTileSizes = [2]}>]>>", "x: f32* [4, n] i8* [2]; ", -1 },
	{ VMVX "stream.tensor.sizeof " ON "tensor<4xq7, #iree_encoding.specialized<1>>",
		"there is no element type q7", 131 },
	{ VMVX "stream.tensor.dispatch " ON "@x(%0) : (tensor<4xf32>)", "expected `->`", 148 },
	{ VMVX "stream.tensor.dispatch @x()", "expected `on`", 95 },
	{ "#t = #hal.executable.target<\"none\", \"x\">\nutil.global @a = #t",
		"expected `target_triple`", 39 },
	{ "", "expected a dispatch", 0 },
};

static char *describe(layout_stream *stream)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	unsigned count;
	const layout_dispatch *dispatches = layout_stream_dispatches(stream, &count);

	assert_non_null(out);
	for (unsigned i = 0; i < count; i++) {
		fprintf(out, "%s:", dispatches[i].kernel);
		for (unsigned k = 0; k < dispatches[i].operand_count; k++) {
			const layout_dispatch_operand *operand = &dispatches[i].operands[k];
			const char *separator = "";

			fprintf(out, " %s%s%s [", operand->type, operand->encoding ? "*" : "",
				operand->held == LAYOUT_HELD_FOR_TARGET ?
				operand->holder->name : "");
			for (unsigned d = 0; operand->sizes[d] && d < 2; d++) {
				fprintf(out, "%s%s", separator, operand->sizes[d]);
				separator = ", ";
			}
			fputc(']', out);
		}
		fputs("; ", out);
	}
	assert_int_equal(fclose(out), 0);
	return text;
}

static void as_text(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		layout_stream *stream = layout_stream_parse(ctx, texts[i].text);

		print_message("%s\n", texts[i].text);
		if (texts[i].position < 0) {
			char *found = stream ? describe(stream) : NULL;

			if (!found || strcmp(found, texts[i].found))
				fail_msg("%s", found ? found : layout_context_message(ctx));
			free(found);
		} else {
			assert_null(stream);
			if (!strstr(layout_context_message(ctx), texts[i].found) ||
			    layout_context_position(ctx) != texts[i].position)
				fail_msg("%ld: %s", layout_context_position(ctx),
					layout_context_message(ctx));
		}
		layout_stream_free(stream);
		layout_context_clear(ctx);
	}
	layout_stream_free(NULL);
	assert_null(layout_stream_device(NULL, 0));
	assert_null(layout_stream_size_at(NULL, 0));
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_devices),
		cmocka_unit_test(resolved),
		cmocka_unit_test(as_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
