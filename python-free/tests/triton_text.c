/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Triton's encodings as texts and descriptions: printed and read back, refused. */
#include "support/random.h"
#include "support/share.h"

#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define PARSE LAYOUT_ERROR_PARSE
#define INVALID LAYOUT_ERROR_INVALID
#define SPACE LAYOUT_ERROR_SPACE
#define OVERFLOW LAYOUT_ERROR_OVERFLOW
#define NO_ANSWER LAYOUT_ERROR_NO_ANSWER

#define MFMA "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = " \
	"[32, 32, 8], isTransposed = true}>"
#define BLOCKED "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], " \
	"warpsPerCTA = [4, 1], order = [1, 0]}>"

static const struct {
	const char *text, *printed;	/* NULL: the same */
} good[] = {
	{ BLOCKED, NULL },
	{ MFMA, NULL },
	{ "blocked<{order=[0],warpsPerCTA=[1],sizePerThread=[2],threadsPerWarp=[64]}>",
		"#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [64], "
		"warpsPerCTA = [1], order = [0]}>" },
	{ "#triton_gpu.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], "
		"warpsPerCTA = [4, 1], order = [1, 0], CTAsPerCGA = [2, 4], "
		"CTASplitNum = [2, 1], CTAOrder = [0, 1]}>",
		"#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], "
		"warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0], [0, 0], "
		"[0, 0]]}>" },
	{ "#ttg.slice<{dim = 0, parent = " BLOCKED "}>", NULL },
	{ "#ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 0, parent = #ttg.blocked<{"
		"sizePerThread = [1, 1, 1], threadsPerWarp = [8, 8, 1], warpsPerCTA = "
		"[4, 1, 1], order = [2, 1, 0]}>}>}>", NULL },
	{ "#ttg.dot_op<{opIdx = 0, parent = " MFMA ", kWidth = 4}>", NULL },
	{ "#ttg.dot_op<{opIdx = 1, parent = " BLOCKED "}>", NULL },
	{ "dot_op<{kWidth = 0, parent = " BLOCKED ", opIdx = 1}>",
		"#ttg.dot_op<{opIdx = 1, parent = " BLOCKED "}>" },
	{ "#ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 4], instrShape = [16, 16], "
		"isTransposed = false, tilesPerWarp = [1, 1], elementBitWidth = 32}>",
		"#ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 4], instrShape = "
		"[16, 16], isTransposed = false}>" },
	{ "#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 2, 4], instrShape = "
		"[16, 16, 4], isTransposed = true, tilesPerWarp = [1, 2, 2], "
		"elementBitWidth = 64}>", NULL },
	{ "#ttg.amd_mfma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [2, 2], "
		"instrShape = [32, 32, 8], isTransposed = true}>", MFMA },
	{ "#triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0], "
		"hasLeadingOffset = false}>", "#ttg.swizzled_shared<{vec = 8, perPhase = 1, "
		"maxPhase = 4, order = [1, 0]}>" },
	{ "#ttg.shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>",
		"#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>" },
	{ "#ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = "
		"[[0, 1], [1, 0]]}}>", NULL },
	{ "#ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {register = "
		"[[2, 0]], warp = [[2, 1], [1, 0]]}, instrShape = [16, 16, 128]}>",
			NULL },
	{ "#ttg.amd_wmma<{version = 1, warpsPerCTA = [2, 4], tilesPerWarp = [2, 1], "
		"isTranspose = false}>",
		"#ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = "
		"{register = [[1, 0]], warp = [[0, 1], [0, 2], [2, 0]]}}>" },
	{ "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], "
		"CGALayout = [[0, 0]], instrShape = [16, 8]}>", NULL },
	{ "nvidia_mma<{instrShape = [1, 16, 8], warpsPerCTA = [1, 2, 2], versionMajor = 2}>",
		"#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
		"[1, 2, 2], instrShape = [1, 16, 8]}>" },
	{ "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], "
		"instrShape = [16, 64, 16]}>", NULL },
	{ "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, "
		"elementBitWidth = 16, CGALayout = [[0, 1]]}>", NULL },
	{ "#ttg.amd_wmma<{version = 1, ctaLayout = {}, rank = 3}>",
		"#ttg.amd_wmma<{version = 1, isTranspose = false, ctaLayout = {}, "
		"rank = 3}>" },
	{ "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
		NULL },
	{ "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], "
		"CGALayout = [[1], [0], [2]]}>", NULL },
	{ "#ttg.amd_rotating_shared<{vec = 4, perPhase = 2, maxPhase = 8, "
		"order = [0, 1]}>", NULL },
	{ "#ttg.padded_shared<[128:+4] {order = [1, 0], shape = [64, 64]}>", NULL },
	{ "#ttg.padded_shared<[128:+4,256:+8]{order=[1,0]}>",
		"#ttg.padded_shared<[128:+4, 256:+8] {order = [1, 0]}>" },
	{ "#ttg.padded_shared<[4:+4] {offset = [[1, 0], [2, 0], [0, 1]], block = []}>",
		"#ttg.padded_shared<[4:+4] {order = [0, 1], shape = [4, 2]}>" },
	{ "#ttg.padded_shared<[16:+1] {offset = [[0, 1], [0, 2], [2, 0], [4, 0], "
		"[1, 0]], block = []}>", NULL },
	{ "#ttg.padded_shared<[16:+1] {offset = [[0, 1]], block = [[0, 2], [0, 0]]}>",
		NULL },
	{ "#ttg.padded_shared<[16:+1] {offset = [], block = [[1]]}>", NULL },

	{ "#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = [[0, 0]]}>",
		NULL },
	{ "linear<{lane = [[1]]}>", "#ttg.linear<{register = [], lane = [[1]], warp = [], "
		"block = []}>" },
	{ "#ttg.slice<{dim = 0, parent = #ttg.linear<{register = [[0, 1]], lane = [[1, 0]], "
		"warp = [], block = []}>}>", NULL },
	{ "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 2]]}, alignment = 16>",
		NULL },
	{ "#ttg.shared_linear<{offset = [[0, 1]], block = [[1, 0]]}, alignment = 128>", NULL },
	{ "shared_linear<{block = [], offset = [[1]]}, alignment = 8>",
		"#ttg.shared_linear<{offset = [[1]]}, alignment = 8>" },

	/* Gluon's classes */
	{ "gl.SharedLinearLayout([[0, 1], [1, 1]], block_bases=[])",
		"#ttg.shared_linear<{offset = [[0, 1], [1, 1]]}, alignment = 16>" },
	{ "gl.SliceLayout(1, gl.DistributedLinearLayout(reg_bases=[[0, 1]], lane_bases=[[1, 0]], "
		"warp_bases=[], block_bases=[], shape=[2, 2]))", "#ttg.slice<{dim = 1, parent = "
		"#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []}>}>" },
	{ "gl.BlockedLayout([1, 4], [8, 8], [4, 1], [1, 0])", BLOCKED },
	{ "BlockedLayout(order=[1, 0], size_per_thread=[1, 4], warps_per_cta=[4, 1], "
		"threads_per_warp=[8, 8], cga_layout=[],)", BLOCKED },
	{ "ttgl.BlockedLayout([1, 4], [8, 8], [4, 1], [1, 0], ctas_per_cga=[2, 4], "
		"cta_split_num=[2, 1], cta_order=None)", "#ttg.blocked<{sizePerThread = [1, 4], "
		"threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = "
		"[[0, 0], [0, 0], [1, 0]]}>" },
	{ "gl.SliceLayout(0, gl.BlockedLayout([1, 4], [8, 8], [4, 1], [1, 0]))",
		"#ttg.slice<{dim = 0, parent = " BLOCKED "}>" },
	{ "gl.SliceLayout(dim=0, parent=" BLOCKED ")", "#ttg.slice<{dim = 0, parent = " BLOCKED
		"}>" },
	{ "gl.amd.AMDMFMALayout(version=3, instr_shape=[32, 32, 8], transposed=True, "
		"warps_per_cta=[2, 2], element_bitwidth=32)", MFMA },
	{ "gl.DotOperandLayout(0, gl.amd.AMDMFMALayout(3, warps_per_cta=[2, 2], transposed=True,"
		" instr_shape=[32, 32, 8]), 4)", "#ttg.dot_op<{opIdx = 0, parent = " MFMA
		", kWidth = 4}>" },
	{ "gl.amd.AMDWMMALayout(3, False, warp_bases=[[2, 1], [1, 0]], reg_bases=[[2, 0]], "
		"instr_shape=[16, 16, 128])", "#ttg.amd_wmma<{version = 3, isTranspose = false, "
		"ctaLayout = {register = [[2, 0]], warp = [[2, 1], [1, 0]]}, instrShape = "
		"[16, 16, 128]}>" },
	{ "gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 2], "
		"instr_shape=[16, 64, 16])", "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, "
		"warpsPerCTA = [4, 2], instrShape = [16, 64, 16]}>" },
	{ "gl.SwizzledSharedLayout(8, 1, 4, order=[1, 0])", "#ttg.swizzled_shared<{vec = 8, "
		"perPhase = 1, maxPhase = 4, order = [1, 0]}>" },
	{ "gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2, "
		"transposed=True, fp4_padded=False)", "#ttg.nvmma_shared<{swizzlingByteWidth = 128, "
		"transposed = true, elementBitWidth = 16}>" },
	{ "gl.NVMMASharedLayout(128, 8, 3, fp4_padded=True)", "#ttg.nvmma_shared<{"
		"swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = "
		"true, rank = 3}>" },
	{ "#ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8, "
		"rank = 5}>", NULL },
	{ "gl.NVMMASharedLayout(32, 8)", "#ttg.nvmma_shared<{swizzlingByteWidth = 32, "
		"transposed = false, elementBitWidth = 8}>" },
	{ "gl.PaddedSharedLayout.with_identity_for([[128, 4]], [32, 64], [1, 0])",
		"#ttg.padded_shared<[128:+4] {order = [1, 0], shape = [32, 64]}>" },
	{ "gl.PaddedSharedLayout([[4, 4], [16, 8]], offset_bases=[[1, 0], [2, 0], [0, 1]], "
		"cga_layout=[], shape=[4, 2])",
		"#ttg.padded_shared<[4:+4, 16:+8] {order = [0, 1], shape = [4, 2]}>" },
};

static void texts(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		layout_triton *encoding = layout_triton_parse(ctx, good[i].text), *copy;
		char *text = layout_triton_str(encoding);

		if (!text)
			fail_msg("%s: %s", good[i].text, layout_context_message(ctx));
		assert_string_equal(text, good[i].printed ? good[i].printed :
			good[i].text);
		copy = layout_triton_copy(encoding);
		layout_triton_free(encoding);
		encoding = layout_triton_parse(ctx, text);
		layout_string_free(text);
		text = layout_triton_str(encoding);
		assert_string_equal(text, good[i].printed ? good[i].printed :
			good[i].text);
		layout_string_free(text);
		layout_triton_free(encoding);
		layout_triton_free(copy);
	}
	assert_true(layout_context_free(ctx));
}

#define B(fields) "#ttg.blocked<{" fields "}>"
#define BO(fields) B("sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = " \
	"[4, 1], order = [1, 0]" fields)
#define W(fields) "#ttg.amd_wmma<{version = 1, " fields "}>"
#define S(fields) "#ttg.swizzled_shared<{" fields "}>"
#define P(rest) "#ttg.padded_shared<" rest ">"

/* What no tensor has: the error, where it is, and a part of its message. */
static const struct {
	const char *text;
	layout_error kind;
	long position;
	const char *message;
} bad[] = {
	{ "", PARSE, 0, "an encoding of Triton" },
	{ "linear<{bank = [[1]]}>", SPACE, 0, "linear has no input bank" },
	{ "linear<{offset = [[1]]}>", SPACE, 0, "linear has no input offset" },
	{ "linear<{lane = [[2]]}>", INVALID, 0, "nothing has (1)" },
	{ "linear<{lane = []}>", SPACE, 0, "0 dimensions" },
	{ "shared_linear<{lane = [[1]]}, alignment = 16>", SPACE, 0,
		"shared_linear has no input lane" },
	{ "shared_linear<{offset = [[1]]}, alignment = 12>", INVALID, 44, "not 12" },
	{ "shared_linear<{offset = [[1]]}, alignment = 0>", INVALID, 44, "not 0" },
	{ "shared_linear<{offset = [[1]]}>", PARSE, 30, "expected `,`" },
	{ "gl.SharedLinearLayout([[1]], [], alignment=12)", INVALID, 0, "12 is no power of two" },
	{ "slice<{dim = 0, parent = shared_linear<{offset = [[1, 0], [0, 1]]}, alignment = 16>}>", INVALID, 25,
		"has no slices" },
	{ "gl.BlockedLayout([1], order=[0])", PARSE, 31, "expected `threads_per_warp`" },
	{ "gl.BlockedLayout([1], size_per_thread=[1])", PARSE, 22, "`size_per_thread`" },
	{ "gl.BlockedLayout([1], [4], [1], [0], [1])", PARSE, 37, "the name of a parameter" },
	{ "gl.BlockedLayout([1], [4], [1], [0], vec=1)", PARSE, 37,
		"a parameter of BlockedLayout, found `vec`" },
	{ "gl.BlockedLayout([1, 4], [8, 8, 1], [4, 1], [1, 0])", SPACE, 25, "3 entries, 2" },
	{ "gl.BlockedLayout([1], [4], [1], [0]", PARSE, 35, "expected `,` or `)`" },
	{ "gl.SliceLayout(0, 5)", PARSE, 18, "an encoding of Triton" },
	{ "gl.NVMMASharedLayout(128, 16, 3, transposed=True)", LAYOUT_ERROR_UNSUPPORTED, 44,
		"true, of 3 dimensions" },
	{ "gl.NVMMASharedLayout(128, 16, 1)", SPACE, 0, "1 dimension, but rows are swizzled" },
	{ "gl.NVMMASharedLayout(128, 16, 4294967298)", SPACE, 0, "dimensions instead of" },
	{ "gl.NVMMASharedLayout(128, 16, fp4_padded=True)", INVALID, 41, "true of elements of 16" },
	{ "gl.NVMMASharedLayout(128, 16, fp4_padded=1)", PARSE, 41, "`False`" },
	{ "gl.NVMMADistributedLayout([3], [4, 1], instr_shape=[16, 64, 16])", SPACE, 27,
		"version: 1 numbers, 2 wanted" },
	{ "gl.amd.AMDMFMALayout(3, [32, 32, 8], True, [2, 2])", PARSE, 24,
		"the name of a parameter and `=`" },
	{ "gl.PaddedSharedLayout.with_identity_for([[128]], [32, 64], [1, 0])", PARSE, 46,
		"pairs of an interval" },
	{ "#ttg.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], "
		"hasLeadingOffset = true}>", LAYOUT_ERROR_UNSUPPORTED, 85,
		"with a leading offset it is nvmma_shared" },
	{ "#ttg.amd_mfma<{versionMajor = 3, version = 3}>", PARSE, 33, "" },
	{ "#ttg.nvidia_mmb<{}>", PARSE, 0, "found `#ttg.nvidia_mmb`" },
	{ "#ttg.nvidia_mma<{}>", PARSE, 17, "a field of nvidia_mma, found `}`" },
	{ "#ttg.nvidia_mma<{versionMajor = 4, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>",
		INVALID, 32, "4 is not in 2 .. 3" },
	{ "#ttg.nvidia_mma<{versionMajor = 3, warpsPerCTA = [4, 1], instrShape = [16, 8]}>",
		SPACE, 70, "2 sizes instead of M, N and K" },
	{ "#ttg.nvidia_mma<{versionMajor = 3, warpsPerCTA = [4, 1], instrShape = [64, 8, 16]}>",
		INVALID, 70, "no instruction [64, 8, 16] of version 3" },
	{ "#ttg.nvidia_mma<{versionMajor = 3, warpsPerCTA = [2, 2], instrShape = [16, 8, 16]}>",
		INVALID, 49, "2 warps along M" },
	{ "dot_op<{opIdx = 1, parent = nvidia_mma<{versionMajor = 3, warpsPerCTA = [4, 1], "
		"instrShape = [16, 8, 16]}>, kWidth = 2}>", INVALID, 16, "in shared memory" },
	{ "nvmma_shared<{swizzlingByteWidth = 16, transposed = false, elementBitWidth = 16}>",
		INVALID, 35, "16 is not 0, 32, 64 or 128" },
	{ "nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 64}>",
		INVALID, 77, "64 is not in 8 .. 32" },
	{ "#ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [4, 1], instrShape = [16, 16]}>",
		INVALID, 70, "16 by 8 alone" },
	{ "#ttg.blocked", PARSE, 12, "expected `<`" },
	{ B(""), PARSE, 14, "a field of blocked, found `}`" },
	{ B("vec = 1"), PARSE, 14, "a field of blocked, found `vec`" },
	{ B("order = [0]"), PARSE, 25, "expected `sizePerThread`" },
	{ B("order = [0], order = [0]"), PARSE, 27, "given twice" },
	{ B("order [0]"), PARSE, 20, "expected `=`" },
	{ B("order = 0"), PARSE, 22, "expected `[`" },
	{ B("order = [-1]"), INVALID, 23, "at least 0, not -1" },
	{ BO("") " x", PARSE, 102, "the end of the text" },
	{ BO(", CTAOrder = [0, 1]"), PARSE, 112, "come together" },
	{ BO(", CGALayout = [[1]]"), SPACE, 113, "1 coordinates, 2" },
	{ BO(", CGALayout = [[1, 0], [1]]"), SPACE, 122, "1 coordinates" },
	{ BO(", CGALayout = [[1, 1]]"), INVALID, 113, "2 dimensions" },
	{ BO(", CGALayout = [[2, 0]]"), INVALID, 113, "goes by 1" },
	{ BO(", CGALayout = [[1, 0], [1, 0]]"), INVALID, 113, "twice" },
	{ BO(", CGALayout = [[3, 0]]"), INVALID, 113, "no power of two" },
	{ BO(", CTAsPerCGA = [2, 1], CTASplitNum = [4, 1], CTAOrder = [1, 0]"),
		INVALID, 136, "more parts than blocks" },
	{ BO(", CTAsPerCGA = [2, 1], CTASplitNum = [2, 1], CTAOrder = [1, 1]"),
		INVALID, 155, "once" },
	{ BO(", CTAsPerCGA = [3, 1], CTASplitNum = [1, 1], CTAOrder = [1, 0]"),
		INVALID, 114, "power of two" },
	{ BO(", CTAsPerCGA = [2], CTASplitNum = [1, 1], CTAOrder = [1, 0]"),
		SPACE, 114, "1 entries, 2 wanted" },
	{ B("sizePerThread = [1], threadsPerWarp = [3], warpsPerCTA = [1], order = [0]"),
		INVALID, 52, "threadsPerWarp: 3 is no power of two" },
	{ B("sizePerThread = [0], threadsPerWarp = [4], warpsPerCTA = [1], order = [0]"),
		INVALID, 30, "sizePerThread: 0 is no power of two" },
	{ B("sizePerThread = [1], threadsPerWarp = [4, 1], warpsPerCTA = [1], order = "
		"[0]"), SPACE, 52, "2 entries, 1 wanted" },
	{ B("sizePerThread = [1], threadsPerWarp = [4], warpsPerCTA = [1], order = [1]"),
		INVALID, 84, "1 is not in 0 .. 0" },
	{ B("sizePerThread = [], threadsPerWarp = [], warpsPerCTA = [], order = []"),
		SPACE, 0, "0 dimensions" },
	{ "slice<{dim = 0, parent = " B("sizePerThread = [1], threadsPerWarp = [4], "
		"warpsPerCTA = [1], order = [0]") "}>", SPACE, 0,
		"0 dimensions" },
	{ "slice<{dim = 2, parent = " BLOCKED "}>", INVALID, 13,
		"dim: 2 is not in 0 .. 1" },
	{ "slice<{parent = " BLOCKED "}>", PARSE, 117, "expected `dim`" },
	{ "slice<{dim = 0, parent = 4:1}>", PARSE, 25, "found `4`" },
	{ "slice<{dim = 0, parent = " S("vec = 1, perPhase = 1, maxPhase = 1, order = "
		"[0, 1]") "}>", INVALID, 25, "lies in shared memory" },
	{ "dot_op<{opIdx = 2, parent = " BLOCKED "}>", INVALID, 16,
		"2 is not in 0 .. 1" },
	{ "dot_op<{opIdx = 0, parent = " BLOCKED ", kWidth = 4}>",
		INVALID, 140, "although the parent is blocked" },
	{ "dot_op<{opIdx = 0, parent = " MFMA "}>", INVALID, 0,
		"kWidth: 0 is no power of two" },
	{ "dot_op<{opIdx = 0, parent = " W("ctaLayout = {}") ", kWidth = 4}>",
		INVALID, 83, "4 is not 8 or 16" },
	{ "dot_op<{opIdx = 0, parent = dot_op<{opIdx = 0, parent = " BLOCKED "}>}>",
		INVALID, 28, "not the result of a dot" },
	{ "#ttg.amd_mfma<{version = 5, warpsPerCTA = [1, 1], instrShape = [32, 32], "
		"isTransposed = true}>", INVALID, 25, "not in 1 .. 4" },
	{ "#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [4, 4, 4], "
		"isTransposed = true}>", INVALID, 63,
		"no instruction [4, 4, 4] of version 3" },
	{ "#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [32], "
		"isTransposed = true}>", SPACE, 63, "1 sizes" },
	{ "#ttg.amd_mfma<{version = 3, warpsPerCTA = [1], instrShape = [32, 32], "
		"isTransposed = true}>", SPACE, 42, "2 or 3" },
	{ "#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [64, 4, 4], "
		"isTransposed = false}>", INVALID, 90, "always transposed" },
	{ "#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [32, 32], "
		"isTransposed = 1}>", PARSE, 88, "`true` or `false`" },
	{ "#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [32, 32], "
		"isTransposed = true, elementBitWidth = 16}>", INVALID, 112,
		"neither 32 nor 64" },
	{ W("isTranspose = true"), PARSE, 0, "ctaLayout or warpsPerCTA" },
	{ W("ctaLayout = {lane = []}"), PARSE, 41, "`register` or `warp`" },
	{ W("ctaLayout = {warp = [[0, 1]], warp = []}"), PARSE, 58,
		"given twice" },
	{ W("ctaLayout = {}, warpsPerCTA = [1, 1]"), PARSE, 58,
		"although `ctaLayout`" },
	{ W("ctaLayout = {warp = [[0, 1, 0]]}, rank = 2"), SPACE, 40,
		"3 coordinates, 2 wanted" },
	{ W("ctaLayout = {}, instrShape = [16, 16, 32]"), INVALID, 57,
		"no instruction [16, 16, 32] of version 1" },
	{ S("vec = 3, perPhase = 1, maxPhase = 1, order = [0]"), INVALID,
		28, "vec: 3 is no power of two" },
	{ S("vec = 1, perPhase = 0, maxPhase = 1, order = [0]"), INVALID,
		42, "perPhase: 0 is no power of two" },
	{ S("vec = -1, perPhase = 0, maxPhase = 1, order = [0]"), INVALID,
		28, "at least 0, not -1" },
	{ S("vec = 1, perPhase = 1, maxPhase = 1, order = [0, 0]"),
		INVALID, 67, "0 stands twice" },
	{ P("[] {order = [0]}"), PARSE, 20, "an integer" },
	{ P("[8+4] {order = [0]}"), PARSE, 21, "expected `:`" },
	{ P("[8:+3] {order = [0]}"), INVALID, 19, "3 is no power of two" },
	{ P("[6:+4] {order = [0]}"), INVALID, 19, "6 is no power of two" },
	{ P("[8:+4, 8:+1] {order = [0]}"), INVALID, 19, "stands twice" },
	{ P("[8:+4] {shape = [8]}"), PARSE, 0, "order or offset" },
	{ P("[8:+4] {order = [0], shape = [6]}"), INVALID, 48, "shape: 6" },
	{ P("[8:+4] {order = [0], offset = [[1]]}"), PARSE, 35,
		"order: given although `offset` is" },
	{ P("[8:+4] {offset = [], block = []}"), PARSE, 0,
		"without any dimension" },
	{ P("[8:+4] {offset = [[0, 0]], block = []}"), INVALID, 36,
		"along 0 dimensions" },
	{ P("[8:+4] {offset = [[1, 0], [1, 0]], block = []}"), INVALID,
		36, "1 of dimension 0 stands twice" },
	{ P("[8:+4] {offset = [[4611686018427387904]], block = []}"), INVALID, 36,
		"4611686018427387904 is no coordinate" },
	{ P("[8:+4] {offset = [[2, 0]], block = []}"), INVALID, 36,
		"goes by 1 in dimension 0" },
};

static void bad_texts(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_null(layout_triton_parse(ctx, bad[i].text));
		if (layout_context_error(ctx) != bad[i].kind ||
		    layout_context_position(ctx) != bad[i].position ||
		    !strstr(layout_context_message(ctx), bad[i].message))
			fail_msg("%s: error %d at %ld: %s", bad[i].text,
				(int)layout_context_error(ctx),
				layout_context_position(ctx),
					layout_context_message(ctx));
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* Texts with bytes changed, taken away and cut off: an encoding that prints and reads
 * back, or an error with a message; and nothing else. */
static void broken_texts(void **state)
{
	static const char bytes[] = "[]{}<>,=:+-0123456789abtw# \n\xff";
	uint64_t seed = random_seed();

	(void)state;
	for (unsigned i = 0; i < share_count(6000); i++) {
		layout_context *ctx = layout_context_new();
		char text[500], *printed;
		layout_triton *encoding;
		size_t length, at;

		snprintf(text, sizeof(text), "%s",
			good[random_below(&seed, sizeof(good) / sizeof(*good))].text);
		for (unsigned change = random_below(&seed, 3) + 1; change; change--) {
			length = strlen(text);
			at = random_below(&seed, (unsigned)length);
			if (random_below(&seed, 3))
				text[at] = bytes[random_below(&seed, sizeof(bytes) - 1)];
			else
				memmove(text + at, text + at + 1, length - at);
		}
		if (!random_below(&seed, 8))
			text[random_below(&seed, (unsigned)strlen(text))] = 0;
		encoding = layout_triton_parse(ctx, text);
		if (!encoding && !*layout_context_message(ctx))
			fail_msg("%s: no message", text);
		printed = layout_triton_str(encoding);
		layout_triton_free(encoding);
		if (printed) {
			encoding = layout_triton_parse(ctx, printed);
			if (!encoding)
				fail_msg("%s: %s", printed, layout_context_message(ctx));
			layout_triton_free(encoding);
		}
		layout_string_free(printed);
		assert_true(layout_context_free(ctx));
	}
}

/* "slice<{dim = 0, parent = slice<..": no text is too deep to be refused. */
static void deep_texts(void **state)
{
	static const char one[] = "slice<{dim = 0, parent = ";
	layout_context *ctx = layout_context_new();
	char *text = calloc(10001, sizeof(one));

	(void)state;
	assert_non_null(text);
	for (unsigned i = 0; i < 10000; i++)
		memcpy(text + i * (sizeof(one) - 1), one, sizeof(one));
	assert_null(layout_triton_parse(ctx, text));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_PARSE);
	assert_non_null(strstr(layout_context_message(ctx), "nested deeper"));
	free(text);
	assert_true(layout_context_free(ctx));
}

/* Shapes and the layouts that they do not have. */

static const struct {
	const char *text;
	unsigned rank;
	int64_t shape[3];
	layout_error kind;	/* NONE: a layout */
	const char *message;
} shaped[] = {
	{ BLOCKED, 2, { 128, 64 }, LAYOUT_ERROR_NONE, "" },
	{ BLOCKED, 2, { 1, 1 }, LAYOUT_ERROR_NONE, "" },
	{ BLOCKED, 2, { (int64_t)1 << 40, 2 }, LAYOUT_ERROR_NONE, "" },
	{ BLOCKED, 2, { 96, 64 }, NO_ANSWER,
		"dimension 0 of the tensor has 96 elements" },
	{ BLOCKED, 2, { 64, 0 }, NO_ANSWER, "has 0 elements" },
	{ BLOCKED, 2, { 64, -4 }, NO_ANSWER, "has -4 elements" },
	{ BLOCKED, 1, { 64 }, SPACE,
		"the tensor has 1 dimensions, its encoding blocked has 2" },
	{ BLOCKED, 3, { 1, 64, 64 }, SPACE, "3 dimensions" },
	{ BLOCKED, 2, { (int64_t)1 << 62, (int64_t)1 << 62 }, OVERFLOW,
		"62 bits" },
	{ "slice<{dim = 0, parent = " BLOCKED "}>", 2, { 4, 4 }, SPACE,
		"its encoding slice has 1" },
	{ MFMA, 2, { 2, 2 }, LAYOUT_ERROR_NONE, "" },
	{ MFMA, 2, { 64, 48 }, NO_ANSWER, "dimension 1" },
	{ P("[8:+4] {order = [0], shape = [64]}"), 1, { 32 }, SPACE,
		"its encoding padded_shared is for 64" },
	{ P("[8:+4] {order = [0], shape = [64]}"), 1, { 64 }, NO_ANSWER,
		"adds 4 to the offset after every 8 elements" },
	{ "blocked<{sizePerThread = [2305843009213693952], threadsPerWarp = [4], "
		"warpsPerCTA = [1], order = [0]}>", 1, { 64 }, OVERFLOW,
		"62 bits" },
	{ W("ctaLayout = {warp = [[1152921504606846976, 0]]}"), 2, { 16, 16 },
		OVERFLOW, "is beyond 2^62" },
	{ W("ctaLayout = {register = [[0, 2]], warp = [[1, 0]]}"), 2, { 64, 64 },
		NO_ANSWER, "ctaLayout: no register of a warp has (0, 16)" },
	{ W("ctaLayout = {register = [[0, 2]], warp = [[1, 0]]}"), 2, { 64, 16 },
		LAYOUT_ERROR_NONE, "" },
};

static void shapes(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(shaped) / sizeof(*shaped); i++) {
		layout_triton *encoding = layout_triton_parse(ctx, shaped[i].text);
		layout_linear *linear;

		if (!encoding)
			fail_msg("%s: %s", shaped[i].text, layout_context_message(ctx));
		linear = layout_triton_linear(encoding, shaped[i].shape, shaped[i].rank);
		if (layout_context_error(ctx) != shaped[i].kind ||
		    layout_context_position(ctx) != -1 ||
		    !linear != (shaped[i].kind != LAYOUT_ERROR_NONE) ||
		    !strstr(layout_context_message(ctx), shaped[i].message))
			fail_msg("%s: %s", shaped[i].text, layout_context_message(ctx));
		layout_context_clear(ctx);
		layout_linear_free(linear);
		layout_triton_free(encoding);
	}
	assert_true(layout_context_free(ctx));
}

/* As many intervals as there are powers of two, and one more. */
static void many_intervals(void **state)
{
	static const int64_t order[] = { 0 }, shape[] = { 4 };
	layout_triton_desc desc = LAYOUT_TRITON_DESC_INIT;
	layout_context *ctx = layout_context_new();
	int64_t intervals[64], pads[64];
	layout_triton *encoding;
	layout_relation *relation;

	(void)state;
	for (unsigned i = 0; i < 64; i++) {
		intervals[i] = (int64_t)1 << i % 63;
		pads[i] = 1;
	}
	desc.kind = LAYOUT_TRITON_PADDED_SHARED;
	desc.rank = 1;
	desc.order = order;
	desc.intervals = intervals;
	desc.pads = pads;
	desc.pad_count = 64;
	assert_null(layout_triton_new(ctx, &desc));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	desc.pad_count = 63;
	encoding = layout_triton_new(ctx, &desc);
	assert_non_null(encoding);
	relation = layout_triton_relation(encoding, shape, 1);
	assert_null(relation);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_OVERFLOW);
	layout_triton_free(encoding);
	assert_true(layout_context_free(ctx));
}

/* Numbers of all lengths in a message. */
static void long_sizes(void **state)
{
	static const int64_t shape[] = { INT64_MIN, INT64_MIN, INT64_MIN },
		warps[] = { 1, 1 };
	layout_triton_desc desc = LAYOUT_TRITON_DESC_INIT;
	layout_context *ctx = layout_context_new();

	(void)state;
	desc.kind = LAYOUT_TRITON_AMD_WMMA;
	desc.rank = 2;
	desc.version = 1;
	desc.warps_per_cta = warps;
	desc.instr_count = 3;
	desc.instr_shape = shape;
	assert_null(layout_triton_new(ctx, &desc));
	assert_string_equal(layout_context_message(ctx), "instrShape: there is no "
		"instruction [-9223372036854775808, -9223372036854775808, "
		"-9223372036854775808] of version 1");
	assert_true(layout_context_free(ctx));
}

/* Descriptions instead of texts. */
static void linear_descriptions(layout_context *ctx)
{
	layout_triton_desc desc = LAYOUT_TRITON_DESC_INIT;
	layout_triton *encoding;
	char *text;

	desc.kind = LAYOUT_TRITON_SHARED_LINEAR;
	assert_null(layout_triton_new(ctx, &desc));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	desc.linear = layout_linear_parse(ctx, "linear<{offset = [[1], [2]]}>");
	desc.alignment = 3;
	assert_null(layout_triton_new(ctx, &desc));
	assert_string_equal(layout_context_message(ctx), "alignment: 3 is no power of two");
	layout_context_clear(ctx);
	desc.alignment = 0;
	encoding = layout_triton_new(ctx, &desc);
	layout_linear_free(desc.linear);
	assert_int_equal(layout_triton_rank(encoding), 1);
	text = layout_triton_str(encoding);
	assert_string_equal(text, "#ttg.shared_linear<{offset = [[1], [2]]}, alignment = 16>");
	layout_string_free(text);
	layout_triton_free(encoding);
}

static void descriptions(void **state)
{
	static const int64_t two[] = { 2, 2 }, order[] = { 1, 0 },
		many[] = { INT64_C(1) << 40, INT64_C(1) << 40 };
	layout_triton_desc desc = LAYOUT_TRITON_DESC_INIT,
		slice = LAYOUT_TRITON_DESC_INIT;
	layout_context *ctx = layout_context_new(), *other = layout_context_new();
	layout_triton *encoding, *child;
	char *text;

	(void)state;
	assert_null(layout_triton_new(ctx, NULL));
	layout_context_clear(ctx);
	desc.kind = LAYOUT_TRITON_BLOCKED;
	desc.rank = 2;
	desc.size_per_thread = desc.threads_per_warp = two;
	desc.order = order;
	assert_null(layout_triton_new(ctx, &desc));
	assert_string_equal(layout_context_message(ctx), "warpsPerCTA: not given");
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_context_clear(ctx);
	desc.warps_per_cta = two;
	desc.order = NULL;
	assert_null(layout_triton_new(ctx, &desc));
	assert_string_equal(layout_context_message(ctx), "order: not given");
	layout_context_clear(ctx);
	desc.order = order;
	encoding = layout_triton_new(ctx, &desc);
	slice.kind = LAYOUT_TRITON_SLICE;
	assert_null(layout_triton_new(ctx, &slice));
	layout_context_clear(ctx);
	slice.parent = encoding;
	slice.dim = 1;
	assert_null(layout_triton_new(other, &slice));
	assert_int_equal(layout_context_error(other), LAYOUT_ERROR_INVALID);
	assert_true(layout_context_free(other));
	child = layout_triton_new(ctx, &slice);
	layout_triton_free(encoding);
	text = layout_triton_str(child);
	assert_string_equal(text, "#ttg.slice<{dim = 1, parent = #ttg.blocked<{"
		"sizePerThread = [2, 2], threadsPerWarp = [2, 2], warpsPerCTA = [2, 2], "
		"order = [1, 0]}>}>");
	assert_int_equal(layout_triton_get_kind(child), LAYOUT_TRITON_SLICE);
	layout_string_free(text);
	layout_triton_free(child);
	desc.kind = (layout_triton_kind)99;
	assert_null(layout_triton_new(ctx, &desc));
	layout_context_clear(ctx);
	desc.kind = LAYOUT_TRITON_AMD_WMMA;
	desc.version = 2;
	encoding = layout_triton_new(ctx, &desc);
	text = layout_triton_str(encoding);
	assert_string_equal(text, "#ttg.amd_wmma<{version = 2, isTranspose = false, "
		"ctaLayout = {warp = [[0, 1], [1, 0]]}}>");
	layout_string_free(text);
	layout_triton_free(encoding);
	desc.warps_per_cta = many;
	assert_null(layout_triton_new(ctx, &desc));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_OVERFLOW);
	layout_context_clear(ctx);
	linear_descriptions(ctx);
	assert_null(layout_triton_linear(NULL, two, 2));
	assert_null(layout_triton_relation(NULL, two, 2));
	assert_null(layout_triton_copy(NULL));
	assert_null(layout_triton_str(NULL));
	layout_triton_free(NULL);
	assert_int_equal(layout_triton_rank(NULL), 0);
	assert_true(layout_context_free(ctx));
}

#define OF_TENSOR "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], " \
	"warpsPerCTA = [4, 1], order = [1, 0]}>"

#define LINEAR_8X4 "#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [1, 0], [2, 0]], " \
	"warp = [[4, 0]], block = []}>"

#define SHARED_LINEAR "#ttg.shared_linear<{offset = [[0, 1], [1, 1], [2, 0]]}, alignment = 16>"

#define SHARED "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"

/* Types of tensors: the call that they are, or what is wrong where. */
static const struct {
	const char *text, *wanted;
	long position;			/* -1: nothing is wrong */
} types[] = {
	{ "tensor<32x16xf16, " OF_TENSOR ">", "distribute(" OF_TENSOR ", [32, 16])", -1 },
	{ "#blocked = " OF_TENSOR "\ntensor<64x16x!tt.ptr, #blocked>", "expected the shape and "
		"element type", 0 },
	{ "tensor<32x16x!tt.ptr<f16>, " OF_TENSOR ">", "distribute(" OF_TENSOR ", [32, 16])", -1 },
	{ "tensor<32x16x!tt.ptr<tensor<4xf16>, 1>, " OF_TENSOR ">", "distribute(" OF_TENSOR
		", [32, 16])", -1 },
	{ "tensor<32x16x!tt.ptr<f16, " OF_TENSOR, "expected the shape and element type", 0 },
	{ "!ttg.memdesc<16x64xf16, " SHARED ", #smem, mutable>", "distribute(" SHARED
		", [16, 64])", -1 },
	{ "#shared = " SHARED "\n#smem = #ttg.shared_memory\n"
		"!ttg.memdesc<16x64xf16, #shared, #smem, mutable, 16x64>", "distribute(" SHARED
		", [16, 64])", -1 },
	{ "!tt.memdesc<16x64xf16, " SHARED ">", "distribute(" SHARED ", [16, 64])", -1 },
	{ "!ttg.memdesc<16x64xf16, " SHARED ", #smem, 16x640>", "a part of what is allocated", 108 },
	{ "!ttg.memdesc<16x64xf16, " SHARED ", #smem, 32x64>", "a part of what is allocated", 108 },
	{ "!ttg.memdesc<16x64xf16, " SHARED ", #smem, 216x64>", "a part of what is allocated", 108 },
	/* several memories, and one of them */
	{ "!ttg.memdesc<16x64xf16, " SHARED ", #smem, 3x16x64>", "distribute(" SHARED
		", [16, 64])", -1 },
	{ "!ttg.memdesc<2x4x4x8xf16, " SHARED ", #smem, mutable>", "linear<{offset = "
		"[[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 4], [0, 0, 1, 0], [0, 0, 2, 0], "
		"[0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0]], block = []}>", -1 },
	{ "!ttg.memdesc<3x16x64xf16, " SHARED ", #smem, mutable>",
		"the size of offset must be a power of two, not 3", 1 },
	{ "!ttg.memdesc<4294967296x4294967296x16x64xf16, " SHARED ", #smem, mutable>",
		"at most 62 fit", 1 },
	{ "!ttg.memdesc<16x64xf16>", "expected an expression", 0 },
	{ "#blocked = " OF_TENSOR "\ntensor<64x16xf32, #blocked>",
		"distribute(" OF_TENSOR ", [64, 16])", -1 },
	{ "tensor<16xf32, #ttg.slice<{dim = 0, parent = " OF_TENSOR "}>>",
		"distribute(#ttg.slice<{dim = 0, parent = " OF_TENSOR "}>, [16])", -1 },
	{ "inverse(tensor<32x16xf16, " OF_TENSOR ">)",
		"inverse(distribute(" OF_TENSOR ", [32, 16]))", -1 },
	{ "tensor<8x4xf32, " LINEAR_8X4 ">", LINEAR_8X4, -1 },
	{ "#linear = " LINEAR_8X4 "\ntensor<8x4xf32, #linear>", LINEAR_8X4, -1 },
	{ "#linear = " LINEAR_8X4 "\ninverse(tensor<8x4xf32, #linear>)", "inverse(" LINEAR_8X4 ")", -1 },
	{ "tensor<8xf32, " LINEAR_8X4 ">", "the tensor has 1 dimensions", 0 },
	/* repeated, in the order of the registers; cut, with registers left out */
	{ "tensor<32x16xf32, " LINEAR_8X4 ">", "linear<{register = [[0, 1], [0, 4], [0, 8], [8, 0], "
		"[16, 0]], lane = [[0, 2], [1, 0], [2, 0]], warp = [[4, 0]], block = []}>", -1 },
	{ "tensor<2x1xf32, " LINEAR_8X4 ">", "linear<{register = [], lane = [[0, 0], [1, 0], [0, 0]], "
		"warp = [[0, 0]], block = []} -> {dim0 = 2, dim1 = 1}>", -1 },
	{ "tensor<2x8xf32, " LINEAR_8X4 ">", "linear<{register = [[0, 1], [0, 4]], lane = [[0, 2], "
		"[1, 0], [0, 0]], warp = [[0, 0]], block = []}>", -1 },
	{ "tensor<2xf32, #ttg.linear<{register = [[1], [3]]}>>", "a basis goes by 3 in dimension 0, of "
		"which the tensor has 2", 0 },
	{ "tensor<8xf32, #ttg.linear<{register = [[1], [3]]}>>", "linear<{register = [[1], [3], [4]], "
		"lane = [], warp = [], block = []}>", -1 },
	{ "distribute(" LINEAR_8X4 ", [8, 8])", "tensor<8x8xf32, " LINEAR_8X4 ">", -1 },
	{ "tensor<4xf32, #ttg.slice<{dim = 0, parent = " LINEAR_8X4 "}>>", "linear<{register = [[1]], "
		"lane = [[2], [0], [0]], warp = [[0]], block = []}>", -1 },
	{ "!ttg.memdesc<4x2xf32, " SHARED_LINEAR ", #smem, mutable>", "linear<{offset = [[0, 1], "
		"[1, 1], [2, 0]], block = []}>", -1 },
	{ "!ttg.memdesc<2x4x2xf32, " SHARED_LINEAR ", #smem, mutable>", "linear<{offset = "
		"[[0, 0, 1], [0, 1, 1], [0, 2, 0], [1, 0, 0]], block = []}>", -1 },
	{ "!ttg.memdesc<4x4xf32, " SHARED_LINEAR ", #smem, mutable>", "its encoding shared_linear is "
		"for 2", 1 },
	/* operations that move one */
	{ "%1 = ttg.convert_layout %0 : tensor<8x4xf32, " LINEAR_8X4 "> -> tensor<8x4xf32, " OF_TENSOR
		">", "invert_and_compose(tensor<8x4xf32, " LINEAR_8X4 ">, tensor<8x4xf32, " OF_TENSOR
		">)", -1 },
	{ "#s = " SHARED "\n#b = " OF_TENSOR "\nttg.local_store %v, %arg1 {x = [1, 2]} : "
		"tensor<32x16xf16, #b> -> !ttg.memdesc<32x16xf16, #s, #smem, mutable>",
		"invert_and_compose(tensor<32x16xf16, " OF_TENSOR ">, distribute(" SHARED
		", [32, 16]))", -1 },
	{ "%m = triton_gpu.local_alloc %v : (tensor<32x16xf16, " OF_TENSOR ">) -> !tt.memdesc<"
		"32x16xf16, " SHARED ">", "invert_and_compose(tensor<32x16xf16, " OF_TENSOR
		">, distribute(" SHARED ", [32, 16]))", -1 },
	{ "%2 = ttg.local_load %m token %t : !ttg.memdesc<32x16xf16, " SHARED ", #smem> -> "
		"tensor<32x16xf16, " OF_TENSOR ">", "invert_and_compose(tensor<32x16xf16, " OF_TENSOR
		">, distribute(" SHARED ", [32, 16]))", -1 },
	{ "%2 = ttg.local_load %m : !ttg.memdesc<32x16xf16, " SHARED ", #smem>", "expected `->`",
		49 + (long)sizeof(SHARED) - 1 + 8 },
	{ "ttg.convert_layout %0", "expected `:`", 21 },
	{ "ttg.convert_layout %0 : tensor<4xf32> -> tensor<4xf32>", "with its encoding", 24 },
	{ "ttg.convert_layout %0 : tensor<8x4xf32, " LINEAR_8X4 "> -> tensor<8x8xf32, " LINEAR_8X4
		">", "the shape is not that", 45 + (long)sizeof(LINEAR_8X4) - 1 },
	{ "tensor<8x4xf32, " LINEAR_8X4, "expected `>`", 16 + (long)sizeof(LINEAR_8X4) - 1 },
	{ "tensor<8x4xf32, #ttg.linear<{lane = [[1 0]]}>>", "expected `,` or `]`", 40 },
	{ "tensor<?x16xf16, " OF_TENSOR ">", "has sizes that are numbers", 0 },
	{ "tensor<32xf16, " OF_TENSOR ">", "the tensor has 1 dimensions", 0 },
	{ "tensor<32x12xf16, " OF_TENSOR ">", "which is no power of two", 0 },
	{ "tensor<32x16xf16, " OF_TENSOR, "expected `>`", 18 + (long)sizeof(OF_TENSOR) - 1 },
};

static void tensor_types(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		const char *text = types[i].text;
		layout_value *value = layout_value_parse(ctx, text);
		layout_value *wanted = types[i].position < 0 ?
			layout_value_parse(ctx, types[i].wanted) : NULL;
		char *found = layout_value_str(value), *other = layout_value_str(wanted);

		if (wanted) {
			assert_non_null(found);
			assert_string_equal(found, other);
		} else {
			if (value || !strstr(layout_context_message(ctx),
					types[i].wanted))
				fail_msg("%s: %s", text, layout_context_message(ctx));
			if (types[i].position)
				assert_int_equal(layout_context_position(ctx),
					types[i].position);
		}
		layout_context_clear(ctx);
		layout_string_free(found);
		layout_string_free(other);
		layout_value_free(value);
		layout_value_free(wanted);
	}
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(bad_texts),
		cmocka_unit_test(broken_texts),
		cmocka_unit_test(deep_texts),
		cmocka_unit_test(shapes),
		cmocka_unit_test(many_intervals),
		cmocka_unit_test(long_sizes),
		cmocka_unit_test(descriptions),
		cmocka_unit_test(tensor_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
