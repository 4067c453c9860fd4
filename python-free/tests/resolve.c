/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Encodings resolved: the published rules on cases of our own, rows of a user, and what
 * cannot be. */
#include "support/append.h"
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TEXT 2048

#define MAP(dims, results) "affine_map<(" dims ") -> (" results ")>"
#define D3 "d0, d1, d2"
#define D4 "d0, d1, d2, d3"
#define LHS MAP(D3, "d0, d2")
#define RHS MAP(D3, "d2, d1")
#define ACC MAP(D3, "d0, d1")

/* A matmul of M = d0, N = d1 and K = d2; of a batch d0; and scaled, with the K d2 and the
 * elements d3 of a scale. */
#define MATMUL "[" LHS ", " RHS ", " ACC "]"
#define BATCH "[" MAP(D4, "d0, d1, d3") ", " MAP(D4, "d0, d3, d2") ", " \
	MAP(D4, "d0, d1, d2") "]"
#define S_LHS MAP(D4, "d0, d2, d3")
#define S_RHS MAP(D4, "d1, d2, d3")
#define S_LHS_SCALE MAP(D4, "d0, d2")
#define S_RHS_SCALE MAP(D4, "d1, d2")
#define S_ACC MAP(D4, "d0, d1")
#define SCALED "[" S_LHS ", " S_RHS ", " S_LHS_SCALE ", " S_RHS_SCALE ", " S_ACC "]"
#define MATVEC "[" MAP("d0, d1", "d0, d1") ", " MAP("d0, d1", "d1") ", " \
	MAP("d0, d1", "d0") "]"
#define VECMAT "[" MAP("d0, d1", "d1") ", " MAP("d0, d1", "d1, d0") ", " \
	MAP("d0, d1", "d0") "]"

#define F32 "f32, f32, f32"
#define F16 "f16, f16, f32"
#define I8 "i8, i8, i32"
#define F8_SCALED "f8E4M3FN, f8E4M3FN, f8E8M0FNU, f8E8M0FNU, f32"

/* An operand's encoding on a target, and what comes of it: "positions | tiles | outer
 * dimensions | groups | permutation", as encodings_swizzles.tsv has them. */
struct row {
	unsigned operand;
	const char *types, *maps, *sizes;	/* NULL sizes: not given */
	const char *target;
	const char *encoding;
	const char *mma;			/* name and repetitions; NULL: none */
	const char *note;			/* contained; NULL: none */
	layout_missing missing;
};

static const struct row rows[] = {
	/* the dimension that is missing has its group removed, whichever it is */
	{ 0, F32, "[[" LHS ", " MAP("d0, d1", "d1") "], " RHS ", " ACC "]", NULL,
		"gfx942", "0 | 16 | 0 | X4,T4 | 1,0",
		"MFMA_F32_16x16x4_F32 4 2 4 2 4 1", NULL },
	{ 0, F32, "[[" LHS ", " MAP("d0, d1", "d0") "], " RHS ", " ACC "]", NULL,
		"gfx942", "0 | 128 | 0 | T2*2,X4,T16 | 0,1,2",
		"MFMA_F32_16x16x4_F32 4 2 4 2 4 1", NULL },
	{ 1, F32, "[" LHS ", [" RHS ", " MAP("d0, d1", "d1") "], " ACC "]", NULL,
		"gfx942", "0 | 128 | 0 | T2,X4,T16 | 0,1,2",
		"MFMA_F32_16x16x4_F32 4 2 4 2 4 1", NULL },
	{ 1, F32, "[" LHS ", [" RHS ", " MAP("d0, d1", "d0") "], " ACC "]", NULL,
		"gfx942", "0 | 16 | 0 | X4,T4 | 1,0",
		"MFMA_F32_16x16x4_F32 4 2 4 2 4 1", NULL },
	{ 2, F32, "[" LHS ", " RHS ", [" ACC ", " MAP("d0, d1", "d0") "]]", NULL,
		"gfx942", "0 | 128 | 0 | T2,X4,T4,I4 | 0,1,2,3",
		"MFMA_F32_16x16x4_F32 4 2 4 2 4 1", NULL },
	{ 2, F32, "[" LHS ", " RHS ", [" ACC ", " MAP("d0, d1", "d1") "]]", NULL,
		"gfx942", "0 | 128 | 0 | T2,X4,T16 | 0,1,2",
		"MFMA_F32_16x16x4_F32 4 2 4 2 4 1", NULL },
	{ 0, F8_SCALED, "[[" S_LHS ", " MAP(D3, "d0, d1") "], " S_RHS ", "
		S_LHS_SCALE ", " S_RHS_SCALE ", " S_ACC "]", NULL, "gfx950",
		"0,1 | 64,16 | 0,1 | T2*2,X2,T16/X4,T4 | 0,1,3,4,2",
		"MFMA_SCALE_F32_16x16x128_B32 2 2 2 2 4 1", NULL },
	{ 0, F8_SCALED, "[[" S_LHS ", " MAP(D3, "d0, d2") "], " S_RHS ", "
		S_LHS_SCALE ", " S_RHS_SCALE ", " S_ACC "]", NULL, "gfx950",
		"0,1 | 64,32 | 0,1 | T2*2,X2,T16/I32 | 0,1,2,3",
		"MFMA_SCALE_F32_16x16x128_B32 2 2 2 2 4 1", NULL },
	{ 2, F8_SCALED, "[" S_LHS ", " S_RHS ", [" S_LHS_SCALE ", "
		MAP("d0, d1", "d1") "], " S_RHS_SCALE ", " S_ACC "]", NULL,
		"gfx950", "0 | 16 | 0 | X4,T4 | 1,0",
		"MFMA_SCALE_F32_16x16x128_B32 2 2 2 2 4 1", NULL },
	{ 3, F8_SCALED, "[" S_LHS ", " S_RHS ", " S_LHS_SCALE ", [" S_RHS_SCALE ", "
		MAP("d0, d1", "d0") "], " S_ACC "]", NULL, "gfx950",
		"0 | 64 | 0 | T2,X2,T16 | 0,1,2",
		"MFMA_SCALE_F32_16x16x128_B32 2 2 2 2 4 1", NULL },
	{ 0, F32, "[[" MAP(D4, "d0, d1, d3") ", " MAP(D3, "d0") "], "
		MAP(D4, "d0, d3, d2") ", " MAP(D4, "d0, d1, d2") "]", NULL, "gfx942",
		" |  | 0 |  | ",
		"MFMA_F32_16x16x4_F32 4 2 4 2 4 1", NULL },
	/* transposed */
	{ 0, F32, "[[" LHS ", " MAP("d0, d1", "d1, d0") "], " RHS ", " ACC "]", NULL,
		"gfx942", "1,0 | 128,16 | 1,0 | T2*2,X4,T16/X4,T4 | 0,1,4,2,3",
		"MFMA_F32_16x16x4_F32 4 2 4 2 4 1", NULL },
	{ 0, F32, "[[" LHS ", " MAP("d0, d1", "d1, d0") ", " MAP("d0, d1", "d1, d0") "], "
		RHS ", " ACC "]", NULL, "gfx942",
		"0,1 | 128,16 | 0,1 | T2*2,X4,T16/X4,T4 | 0,1,4,2,3",
		"MFMA_F32_16x16x4_F32 4 2 4 2 4 1", NULL },
	/* scaled, all operands */
	{ 0, F8_SCALED, SCALED, "[?, ?, ?, 32]", "gfx950",
		"0,1,2 | 64,16,32 | 0,1,2 | T2*2,X2,T16/X4,T4/I32 | 0,1,3,4,2,5",
		"MFMA_SCALE_F32_16x16x128_B32 2 2 2 2 4 1", NULL },
	{ 1, F8_SCALED, SCALED, NULL, "gfx950",
		"0,1,2 | 64,16,32 | 0,1,2 | T2,X2,T16/X4,T4/I32 | 0,1,3,4,2,5",
		"MFMA_SCALE_F32_16x16x128_B32 2 2 2 2 4 1", NULL },
	{ 2, F8_SCALED, SCALED, NULL, "gfx950",
		"0,1 | 64,16 | 0,1 | T2*2,X2,T16/X4,T4 | 0,1,4,2,3",
		"MFMA_SCALE_F32_16x16x128_B32 2 2 2 2 4 1", NULL },
	{ 3, F8_SCALED, SCALED, NULL, "gfx950",
		"0,1 | 64,16 | 0,1 | T2,X2,T16/X4,T4 | 0,1,4,2,3",
		"MFMA_SCALE_F32_16x16x128_B32 2 2 2 2 4 1", NULL },
	{ 4, F8_SCALED, SCALED, NULL, "gfx950",
		"0,1 | 64,64 | 0,1 | T2,X2,T4,I4/T2,X2,T16 | 0,4,1,5,2,6,3",
		"MFMA_SCALE_F32_16x16x128_B32 2 2 2 2 4 1", NULL },
	/* a batch, a matrix by a vector and a vector by a matrix */
	{ 1, F16, BATCH, "[8, 255, 513, ?]", "gfx942",
		"2,1 | 16,32 | 0,2,1 | T16/X2,T4,I4 | 2,0,1,3",
		"MFMA_F32_16x16x16_F16 1 1 1 1 2 1", NULL },
	{ 0, F32, MATVEC, "[?, ?]", "gfx942",
		"0,1 | 512,16 | 0,1 | X32,T16/X4,T4 | 0,3,1,2",
		"MFMA_F32_16x16x4_F32 32 1 1 1 4 1", NULL },
	{ 1, F32, VECMAT, "[?, ?]", "gfx942", "1,0 | 512,16 | 1,0 | T4,X8,T16/X4,T4 | "
		"0,1,4,2,3", "MFMA_F32_16x16x4_F32 1 1 8 4 4 1", NULL },
	/* with a group for the loop that is missing, and without */
	{ 1, F32, MATVEC, "[?, ?]", "gfx942", "-1,0 | 16,16 | 0 | T16/X4,T4 | 2,0,1",
		"MFMA_F32_16x16x4_F32 32 1 1 1 4 1", NULL },
	{ 1, F32, MATVEC, "[?, ?]", "gfx942", "0 | 16 | 0 | X4,T4 | 1,0",
		"MFMA_F32_16x16x4_F32 32 1 1 1 4 1", NULL, LAYOUT_MISSING_DROP },
	{ 2, F32, MATVEC, "[?, ?]", "gfx942",
		"0,-1 | 512,16 | 0 | X32,T4,I4/T16 | 0,1,3,2",
		"MFMA_F32_16x16x4_F32 32 1 1 1 4 1", NULL },
	{ 2, F32, MATVEC, "[?, ?]", "gfx942", "0 | 512 | 0 | X32,T4,I4 | 0,1,2",
		"MFMA_F32_16x16x4_F32 32 1 1 1 4 1", NULL, LAYOUT_MISSING_DROP },
	{ 0, F32, VECMAT, "[?, ?]", "gfx942", "-1,0 | 16,16 | 0 | T16/X4,T4 | 2,0,1",
		"MFMA_F32_16x16x4_F32 1 1 8 4 4 1", NULL },
	{ 0, F32, VECMAT, "[?, ?]", "gfx942", "0 | 16 | 0 | X4,T4 | 1,0",
		"MFMA_F32_16x16x4_F32 1 1 8 4 4 1", NULL, LAYOUT_MISSING_DROP },
	/* IREE's tests: 1x4x16x8xf16, 1x4x16x4xf32; 2x4x16x4xf32, 1x4x16x4xf32 */
	{ 1, F16, MATVEC, "[16, 16]", "gfx950", "-1,0 | 16,32 | 0 | T16/T4,I8 | 1,0,2",
		"MFMA_F32_16x16x32_F16 1 1 1 1 1 1", NULL },
	{ 2, F16, MATVEC, "[16, 16]", "gfx950", "0,-1 | 16,16 | 0 | T4,I4/T16 | 0,2,1",
		"MFMA_F32_16x16x32_F16 1 1 1 1 1 1", NULL },
	{ 0, F32, VECMAT, "[15, 20]", "gfx950", "-1,0 | 16,16 | 0 | T16/X4,T4 | 2,0,1",
		"MFMA_F32_16x16x4_F32 1 1 1 1 4 1", NULL },
	{ 2, F32, VECMAT, "[15, 20]", "gfx950", "-1,0 | 16,16 | 0 | T4,I4/T16 | 0,2,1",
		"MFMA_F32_16x16x4_F32 1 1 1 1 4 1", NULL },
	/* a vector that was broadcast is none that is missing */
	{ 1, F16, "[" MAP("d0, d1", "d0, d1") ", [" MAP("d0, d1", "d1") ", "
		MAP("d0", "") "], " MAP("d0, d1", "d0") "]", "[16, 16]", "gfx950",
		" |  |  |  | ", NULL, "no dimensions" },
	/* chips have fewer workgroup processors than are taken for granted */
	{ 0, F16, MATMUL, "[1024, 1024, ?]", "mi308x",
		"0,1 | 64,32 | 0,1 | X4,T16/X2,T4,I4 | 0,3,1,2,4",
		"MFMA_F32_16x16x16_F16 4 1 2 4 2 1", NULL },
	{ 0, F16, MATMUL, "[1024, 1024, ?]", "gfx942{processors = 80}",
		"0,1 | 64,32 | 0,1 | X4,T16/X2,T4,I4 | 0,3,1,2,4",
		"MFMA_F32_16x16x16_F16 4 1 2 4 2 1", NULL },
	/* waves of 32 lanes; inputs that both halves hold */
	{ 0, F16, MATMUL, NULL, "gfx1103",
		"0,1 | 64,16 | 0,1 | T2*2,X2,T16/T1*2,I16 | 0,1,3,2,4",
		"WMMAR3_F32_16x16x16_F16 2 2 2 2 1 1", NULL },
	{ 2, F16, MATMUL, NULL, "gfx1100:wave32",
		"0,1 | 64,64 | 0,1 | T2,X2,I8,T2/T2,X2,T16 | 0,4,1,5,2,3,6",
		"WMMAR3_F32_16x16x16_F16 2 2 2 2 1 1", NULL },
	/* rows of the user's own */
	{ 0, I8, MATMUL, NULL, "gfx942{vgpr_bits = 4096}",
		"0,1 | 64,64 | 0,1 | T2*2,X2,T16/X2,T4,I8 | 0,1,4,2,3,5",
		"MFMA_I32_16x16x32_I8 2 2 2 2 2 1", NULL },
	{ 1, I8, MATMUL, NULL, "gfx942{simds = 1, vgpr_bits = 16384,}",
		"1,0 | 128,64 | 1,0 | X8,T16/X2,T4,I8 | 0,3,1,2,4",
		"MFMA_I32_16x16x32_I8 8 1 8 1 2 1", NULL },
	{ 0, I8, MATMUL, NULL, "gfx942{max_load_bits = 64}",
		"0,1 | 128,32 | 0,1 | T2*2,X4,T16/T4,I8 | 0,1,3,2,4",
		"MFMA_I32_16x16x32_I8 4 2 4 2 1 1", NULL },
	{ 0, I8, MATMUL, NULL, "gfx942{lds_bytes = 160}",
		"0,1 | 64,64 | 0,1 | T2*2,X2,T16/X2,T4,I8 | 0,1,4,2,3,5",
		"MFMA_I32_16x16x32_I8 2 2 2 2 2 1", NULL },
	{ 0, F16, MATMUL, "[16, 16, ?]", "gfx942{mma = [MFMA_F32_32x32x8_F16, "
		"MFMA_F32_4x4x4x16B_F16]}", "0,1 | 32,16 | 0,1 | T32/X2,T2,I4 | 2,0,1,3",
		"MFMA_F32_32x32x8_F16 1 1 1 1 2 1", NULL },
	{ 0, F16, MATMUL, "[16, 16, ?]", "gfx942{mma = [MFMA_F32_16x16x16_F16, "
		"VMFMA_F32_32x32x16_F16, MFMA_F32_32x32x8_F16]}",
		"0,1 | 32,16 | 0,1 | T32/T2,I8 | 1,0,2",
		"VMFMA_F32_32x32x16_F16 1 1 1 1 1 1", NULL },
	{ 0, F16, MATMUL, "[16, 16, ?]", "gfx942{mma = [v_mfma_f32_16x16x16_f16]}",
		"0,1 | 16,32 | 0,1 | T16/X2,T4,I4 | 2,0,1,3",
		"v_mfma_f32_16x16x16_f16 1 1 1 1 2 1", NULL },
	{ 0, F16, MATMUL, "[1, 1, ?]", "gfx942{mma = [VDMFMA_F32_8x16x64x2_F16]}",
		"0,1 | 8,64 | 0,1 | T8*2/T4,I16 | 1,0,2",
		"VDMFMA_F32_8x16x64x2_F16 1 1 1 1 1 1", NULL },
	{ 0, F16, MATMUL, NULL, "gfx942{mma = [MFMA_F32_4x4x4x16B_F16]}",
		" |  | 0,1 |  | ", NULL, "no instruction takes these types" },
	{ 0, F16, MATMUL, NULL, "gfx942{mma = []}", " |  | 0,1 |  | ", NULL,
		"no instruction takes these types" },
	/* nothing to tile */
	{ 0, "i4, i4, i32", MATMUL, NULL, "gfx942", " |  | 0,1 |  | ", NULL,
		"no instruction takes these types" },
	{ 0, "f32, f16, f32", MATMUL, NULL, "gfx942", " |  | 0,1 |  | ", NULL,
		"no instruction takes these types" },
	{ 0, "f8E4M3FN, f8E5M2, f8E8M0FNU, f8E8M0FNU, f32", SCALED, NULL, "gfx950",
		" |  | 0,1,2 |  | ", NULL, "no instruction takes these types" },
	{ 0, F8_SCALED, SCALED, NULL, "gfx942", " |  | 0,1,2 |  | ", NULL,
		"no instruction takes these types" },
	{ 2, F32, "[" LHS ", " RHS ", [" ACC ", " MAP("d0, d1", "") "]]", NULL, "gfx942",
		" |  |  |  | ", NULL, "no dimensions" },
	{ 0, F32, NULL, NULL, "gfx942", " |  |  |  | ", NULL, "no indexing maps" },
	{ 0, F32, "[" LHS ", " RHS ", " MAP(D3, "d0") "]", NULL, "gfx942",
		" |  | 0,1 |  | ", NULL, "not a contraction" },
};

struct text {
	char at[TEXT];
};

static void put_list(struct text *text, const int64_t *list, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		append_text(text->at, TEXT, "%s%" PRId64, i ? "," : "", list[i]);
	append_text(text->at, TEXT, " | ");
}

static struct text encoding_text(layout_resolution *resolution)
{
	layout_encoding *encoding = layout_resolution_encoding(resolution);
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	const layout_encoding_dim *dim;
	struct text text = { 0 };

	assert_true(layout_encoding_describe(encoding, &desc));
	put_list(&text, desc.inner_dims_pos, desc.inner_count);
	put_list(&text, desc.inner_tiles, desc.inner_count);
	put_list(&text, desc.outer_dims_perm, desc.outer_count);
	dim = desc.dims;
	for (unsigned i = 0; desc.group_sizes && i < desc.inner_count; i++)
		for (unsigned k = 0; k < desc.group_sizes[i]; k++, dim++) {
			append_text(text.at, TEXT, "%s%c%" PRId64, k ? "," : i ? "/" : "",
				"ITX"[dim->kind], dim->size);
			if (dim->factor > 1)
				append_text(text.at, TEXT, "*%" PRId64, dim->factor);
		}
	append_text(text.at, TEXT, " | ");
	put_list(&text, desc.permutation, desc.dim_count);
	text.at[strlen(text.at) - 3] = 0;
	layout_encoding_free(encoding);
	return text;
}

static struct text mma_text(const layout_tiled_mma *mma)
{
	struct text text = { 0 };

	append_text(text.at, TEXT,
		"%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, mma->instruction,
		mma->intrinsics_m, mma->subgroups_m, mma->intrinsics_n, mma->subgroups_n);
	append_text(text.at, TEXT,
		" %" PRId64 " %" PRId64, mma->intrinsics_k, mma->subgroups_k);
	return text;
}

static layout_operand *make_operand(layout_context *ctx, const struct row *row)
{
	struct text text = { 0 };

	append_text(text.at, TEXT,
		"#iree_encoding.encoding<operand_index = %u, op_type = %s, "
		"element_types = [%s]", row->operand, strstr(row->types, "E8M0") ?
		"scaled_matmul" : "matmul", row->types);
	if (row->maps)
		append_text(text.at, TEXT, ", user_indexing_maps = %s", row->maps);
	if (row->sizes)
		append_text(text.at, TEXT, ", iteration_sizes = %s", row->sizes);
	append_text(text.at, TEXT, ">");
	return layout_operand_parse(ctx, text.at);
}

static layout_resolution *resolve_row(layout_context *ctx, const struct row *row,
	layout_resolver resolver)
{
	layout_operand *operand = make_operand(ctx, row);
	layout_tiling_target *target = layout_tiling_target_parse(ctx, row->target);
	layout_resolve_options options = LAYOUT_RESOLVE_OPTIONS_INIT;
	layout_resolution *resolution;

	options.resolver = resolver;
	options.missing = row->missing;
	resolution = layout_encoding_resolve_as(operand, target, &options);
	if (!resolution)
		fail_msg("%s", layout_context_message(ctx));
	layout_tiling_target_free(target);
	layout_operand_free(operand);
	return resolution;
}

static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = &rows[i];
		layout_resolution *resolution;
		const char *note;

		print_message("row %zu: operand %u of %s on %s\n", i, row->operand,
			row->maps, row->target);
		resolution = resolve_row(ctx, row, LAYOUT_RESOLVER_DATA_TILING);
		assert_string_equal(encoding_text(resolution).at, row->encoding);
		note = layout_resolution_note(resolution);
		assert_true(!row->note == !note);
		if (note && !strstr(note, row->note))
			assert_string_equal(note, row->note);
		assert_true(!row->mma == !layout_resolution_mma(resolution));
		if (row->mma)
			assert_string_equal(mma_text(layout_resolution_mma(
				resolution)).at, row->mma);
		layout_resolution_free(resolution);
	}
	layout_context_free(ctx);
}

/* Rows of the padding resolver: the operand is lhs, its rows are K long. */
static const struct row padding_rows[] = {
	{ 0, F16, MATMUL, "[?, ?, 2048]", "gfx942", "1 | 2112 | 0,1 |  | ", NULL, NULL },
	{ 0, F32, MATMUL, "[?, ?, 255]", "gfx90a", "1 | 288 | 0,1 |  | ", NULL, NULL },
	{ 0, F32, MATMUL, "[?, ?, 129]", "gfx942", "1 | 160 | 0,1 |  | ", NULL, NULL },
	{ 1, F32, MATMUL, "[?, 129, ?]", "mi300x", "1 | 160 | 0,1 |  | ", NULL, NULL },
	{ 0, I8, MATMUL, "[?, ?, 512]", "gfx942", "1 | 640 | 0,1 |  | ", NULL, NULL },
	{ 0, I8, BATCH, "[3, 4, ?, 513]", "gfx942", "2 | 640 | 0,1,2 |  | ", NULL, NULL },
	{ 0, I8, MATMUL, "[?, ?, 511]", "gfx942", " |  | 0,1 |  | ", NULL,
		"its rows do not fill all sets" },
	{ 0, F32, MATMUL, "[?, ?, 160]", "gfx942", " |  | 0,1 |  | ", NULL,
		"its rows begin in different sets" },
	{ 0, F32, MATMUL, "[4, 4, ?]", "gfx942", " |  | 0,1 |  | ", NULL,
		"the length of its rows is not known" },
	{ 0, F32, MATMUL, NULL, "gfx942", " |  | 0,1 |  | ", NULL,
		"the length of its rows is not known" },
	{ 0, "i4, i4, i32", MATMUL, "[4, 4, 4096]", "gfx942", " |  | 0,1 |  | ", NULL,
		"its elements are no whole bytes" },
	{ 0, F32, MATMUL, "[4, 4, 4096]", "gfx1100", " |  | 0,1 |  | ", NULL,
		"the target's cache is not known" },
	{ 0, F32, MATMUL, "[4, 4, 4096]",
		"gfx1100{cache_line_bytes = 64, cache_sets = 2}",
		"1 | 4112 | 0,1 |  | ", NULL, NULL },
	{ 0, F32, MATMUL, "[4, 4, 4096]",
		"gfx1100{cache_line_bytes = 66, cache_sets = 2}",
		" |  | 0,1 |  | ", NULL, "no whole number of its elements" },
	{ 0, F32, MATMUL, "[4, 4, 4096]", "gfx942{cache_line_bytes = 2147483644, "
		"cache_sets = 2147483647}", " |  | 0,1 |  | ", NULL,
		"its rows do not fill all sets" },
	{ 0, F32, NULL, NULL, "gfx942", " |  |  |  | ", NULL, "no indexing maps" },
};

static void test_padding(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(padding_rows) / sizeof(*padding_rows); i++) {
		const struct row *row = &padding_rows[i];
		layout_resolution *resolution = resolve_row(ctx, row,
			LAYOUT_RESOLVER_PAD);
		const char *note = layout_resolution_note(resolution);

		print_message("row %zu\n", i);
		assert_string_equal(encoding_text(resolution).at, row->encoding);
		assert_null(layout_resolution_mma(resolution));
		assert_true(!row->note == !note);
		if (note && !strstr(note, row->note))
			assert_string_equal(note, row->note);
		layout_resolution_free(resolution);
		resolution = resolve_row(ctx, row, LAYOUT_RESOLVER_NONE);
		assert_non_null(layout_resolution_note(resolution));
		assert_null(layout_resolution_mma(resolution));
		layout_resolution_free(resolution);
	}
	layout_context_free(ctx);
}

/* A tensor that is stored as elements of another width. */
static const struct {
	const char *stored, *original, *types;
	unsigned operand;
	const char *encoding, *error;
} bitcasts[] = {
	{ "f32", "f16", F16, 1, "1,0 | 128,16 | 1,0 | T2,X4,T16/X2,T4,I2 | 0,1,4,2,3,5",
		NULL },
	{ "f64", "f16", F16, 0, "0,1 | 128,8 | 0,1 | T2*2,X4,T16/X2,T4,I1 | 0,1,4,2,3,5",
		NULL },
	{ "i8", "f16", F16, 0, "0,1 | 128,64 | 0,1 | T2*2,X4,T16/X2,T4,I8 | 0,1,4,2,3,5",
		NULL },
	{ "i16", "f16", F16, 0, "0,1 | 128,32 | 0,1 | T2*2,X4,T16/X2,T4,I4 | 0,1,4,2,3,5",
		NULL },
	/* every element becomes two that lie together */
	{ "i16", "f32", F32, 0, "0,1 | 128,32 | 0,1 | T2*2,X4,T16/X4,T4,I2 | 0,1,4,2,3,5",
		NULL },
	{ "i16", "f32", F32, 2, "0,1 | 128,256 | 0,1 | T2,X4,T4,I4/T2,X4,T16,I2 | "
		"0,4,1,5,2,6,3,7", NULL },
	/* another type, but no bitcast */
	{ "i8", NULL, F32, 0, "0,1 | 128,16 | 0,1 | T2*2,X4,T16/X4,T4 | 0,1,4,2,3",
		NULL },
	/* neighbours in memory are not neighbours along K, or N */
	{ "f64", "f32", F32, 0, NULL, "not along the last dimension of the tile" },
	{ "f64", "f32", F32, 2, NULL, "not along the last dimension of the tile" },
	{ "i64", "i4", "i8, i8, i32", 0, NULL, "too few elements in a row" },
};

static void test_bitcasts(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(bitcasts) / sizeof(*bitcasts); i++) {
		struct text text = { 0 };
		layout_operand *operand;
		layout_resolution *resolution;

		print_message("row %zu\n", i);
		append_text(text.at, TEXT,
			"tensor<?x?x%s, #iree_encoding.encoding<operand_index = %u, "
			"op_type = matmul, element_types = [%s]%s%s, "
			"user_indexing_maps = " MATMUL ">>", bitcasts[i].stored,
			bitcasts[i].operand, bitcasts[i].types, bitcasts[i].original ?
			", original_element_type = " : "",
			bitcasts[i].original ? bitcasts[i].original : "");
		operand = layout_operand_parse(ctx, text.at);
		resolution = layout_encoding_resolve(operand,
			layout_tiling_target_find(ctx, "gfx942"),
			LAYOUT_RESOLVER_DATA_TILING);
		if (bitcasts[i].encoding) {
			assert_non_null(resolution);
			assert_string_equal(encoding_text(resolution).at,
				bitcasts[i].encoding);
		} else {
			assert_null(resolution);
			assert_int_equal(layout_context_error(ctx),
				LAYOUT_ERROR_UNSUPPORTED);
			assert_non_null(strstr(layout_context_message(ctx),
				bitcasts[i].error));
			layout_context_clear(ctx);
		}
		layout_resolution_free(resolution);
		layout_operand_free(operand);
	}
	layout_context_free(ctx);
}

static void expect_error(layout_context *ctx, layout_resolution *resolution,
	layout_error error, const char *message)
{
	assert_null(resolution);
	assert_int_equal(layout_context_error(ctx), error);
	if (!strstr(layout_context_message(ctx), message))
		assert_string_equal(layout_context_message(ctx), message);
	layout_context_clear(ctx);
}

/* Rows from C that nothing can be tiled for, and limits that are too low. */
static void test_errors(void **state)
{
	static const char *const unknown[] = { "MFMA_F32_16x16x4_F31", NULL };
	static const char *const other[] = { "WMMA_F32_16x16x4_F32", NULL };
	static const struct row row = { 0, F32, MATMUL, NULL, NULL, NULL, NULL, NULL };
	layout_context *ctx = layout_context_new();
	layout_operand *operand = make_operand(ctx, &row);
	const layout_tiling_target *usual = layout_tiling_target_find(ctx, "gfx942");
	layout_resolve_options options = LAYOUT_RESOLVE_OPTIONS_INIT;
	layout_tiling_target target = *usual;

	(void)state;
	assert_null(layout_encoding_resolve(NULL, usual, LAYOUT_RESOLVER_DATA_TILING));
	expect_error(ctx, layout_encoding_resolve(operand, NULL,
		LAYOUT_RESOLVER_DATA_TILING), LAYOUT_ERROR_INVALID, "there is no target");
	expect_error(ctx, layout_encoding_resolve(operand, usual, (layout_resolver)7),
		LAYOUT_ERROR_INVALID, "there is no resolver 7");
	options.missing = (layout_missing)2;
	expect_error(ctx, layout_encoding_resolve_as(operand, usual, &options),
		LAYOUT_ERROR_INVALID, "there is no way 2 to tile a missing loop");
	expect_error(ctx, layout_encoding_resolve_as(operand, usual, NULL),
		LAYOUT_ERROR_INVALID, "there is no options");
	assert_null(layout_encoding_resolve_as(NULL, usual, &options));
	options.size = offsetof(layout_resolve_options, missing);
	layout_resolution_free(layout_encoding_resolve_as(operand, usual, &options));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	target.vgpr_bits = 383;
	expect_error(ctx, layout_encoding_resolve(operand, &target,
		LAYOUT_RESOLVER_DATA_TILING), LAYOUT_ERROR_UNSUPPORTED,
		"does not fit the registers: it takes 384 bits");
	target = *usual;
	target.lds_bytes = 31;
	expect_error(ctx, layout_encoding_resolve(operand, &target,
		LAYOUT_RESOLVER_DATA_TILING), LAYOUT_ERROR_UNSUPPORTED,
		"does not fit the LDS: its inputs take 256 bits");
	target = *usual;
	target.instructions = unknown;
	expect_error(ctx, layout_encoding_resolve(operand, &target,
		LAYOUT_RESOLVER_DATA_TILING), LAYOUT_ERROR_UNSUPPORTED,
		"no matrix instruction 'MFMA_F32_16x16x4_F31'");
	target.instructions = other;
	expect_error(ctx, layout_encoding_resolve(operand, &target,
		LAYOUT_RESOLVER_DATA_TILING), LAYOUT_ERROR_UNSUPPORTED,
		"gfx942 has no WMMA_F32_16x16x4_F32");
	target.instructions_of = "gfx1250";
	expect_error(ctx, layout_encoding_resolve(operand, &target,
		LAYOUT_RESOLVER_DATA_TILING), LAYOUT_ERROR_UNSUPPORTED,
		"has waves of 64 lanes, WMMA_F32_16x16x4_F32 is of 32");
	target.instructions_of = NULL;
	expect_error(ctx, layout_encoding_resolve(operand, &target,
		LAYOUT_RESOLVER_DATA_TILING), LAYOUT_ERROR_INVALID, "name of a target");
	target = *usual;
	target.simds = 0;
	expect_error(ctx, layout_encoding_resolve(operand, &target,
		LAYOUT_RESOLVER_DATA_TILING), LAYOUT_ERROR_INVALID, "simds = 0");
	target = *usual;
	target.size = offsetof(layout_tiling_target, simds);
	expect_error(ctx, layout_encoding_resolve(operand, &target,
		LAYOUT_RESOLVER_DATA_TILING), LAYOUT_ERROR_INVALID, "simds = 0");
	layout_operand_free(operand);
	layout_context_free(ctx);
}

/* The explanation has the candidates, the limits and the choice. */
static void test_explanation(void **state)
{
	static const struct row row = { 0, F16, MATMUL, "[1024, ?, ?]", "gfx942",
		NULL, NULL, NULL };
	static const char *const parts[] = {
		"lhs, operand 0 of a matmul with M = 1024, N = ?, K = ? on gfx942\n",
		"MFMA_F32_16x16x16_F16: 16x16x16, taken\n",
		"MFMA_F32_32x32x8_F16: 32x32x8, has less of K\n",
		"along M 64, along N any number",
		"    4 x 16 (registers 24, LDS 4092): better than those before\n",
		"    32 x 2 (registers 2, LDS 4064)\n",
		"2 x 2 subgroups of 4 x 4: better than those before\n",
		"chosen: MFMA_F32_16x16x16_F16, intrinsics 4 x 4 x 2, subgroups 2 x 2 x 1",
		"subgroups 2 x 2 x 1, a tile of 128 x 128 x 32\n",
	};
	layout_context *ctx = layout_context_new();
	layout_resolution *resolution = resolve_row(ctx, &row,
		LAYOUT_RESOLVER_DATA_TILING);
	char *text = layout_resolution_explain(resolution);

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!strstr(text, parts[i]))
			fail_msg("%s\nlacks\n%s", text, parts[i]);
	layout_string_free(text);
	layout_resolution_free(resolution);
	layout_context_free(ctx);
}

/* A description as an older caller has it gets the fields that it knows. */
static void test_describe(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_encoding *encoding = layout_encoding_parse(ctx,
		"encoding_info<{innerDimsPos = [1], innerTileSizes = [8], "
		"outerDimsPerm = [1, 0], swizzle = {expandShape = "
		"[[[\"Internal\", 8 : i16]]], permutation = [0]}}>");
	layout_encoding_desc desc = { .size = offsetof(layout_encoding_desc, dims),
		.permutation = &(int64_t){ 7 } };

	(void)state;
	assert_true(layout_encoding_describe(encoding, &desc));
	assert_int_equal(desc.size, offsetof(layout_encoding_desc, dims));
	assert_int_equal(desc.inner_tiles[0], 8);
	assert_int_equal(desc.dim_count, 1);
	assert_null(desc.dims);
	assert_int_equal(*desc.permutation, 7);
	desc.size = sizeof(desc);
	assert_true(layout_encoding_describe(encoding, &desc));
	assert_int_equal(desc.dims->size, 8);
	assert_int_equal(*desc.permutation, 0);
	assert_false(layout_encoding_describe(NULL, &desc));
	assert_false(layout_encoding_describe(encoding, NULL));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
	layout_encoding_free(encoding);
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_bitcasts),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_explanation),
		cmocka_unit_test(test_describe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
