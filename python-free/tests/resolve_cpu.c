/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Data tiling for CPUs: the tile of each row, narrow products, and targets as MLIR prints
 * them.  The expected tiles are written down from IREE's tables, not from ours. */
#include "isl_bridge/relation.h"
#include "support/shell.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static layout_operand *operand_of(layout_context *ctx, unsigned index, const char *types,
	const char *maps, const char *sizes)
{
	char text[1024];
	layout_operand *operand;

	snprintf(text, sizeof(text), "encoding<operand_index = %u, op_type = matmul, "
		"element_types = [%s], user_indexing_maps = [%s]%s%s%s>", index, types, maps,
		sizes ? ", iteration_sizes = [" : "", sizes ? sizes : "", sizes ? "]" : "");
	operand = layout_operand_parse(ctx, text);
	if (!operand)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	return operand;
}

/* The encoding, or the note where there is none; to be freed. */
static char *resolve(layout_context *ctx, layout_operand *operand, const char *target_text)
{
	layout_tiling_target *target = layout_tiling_target_parse(ctx, target_text);
	layout_resolution *resolution = layout_encoding_resolve(operand, target,
		LAYOUT_RESOLVER_DATA_TILING);
	layout_encoding *encoding = layout_resolution_encoding(resolution);
	char *text;

	if (!encoding)
		fail_msg("%s: %s", target_text, layout_context_message(ctx));
	assert_null(layout_resolution_mma(resolution));
	text = layout_resolution_note(resolution) ?
		strdup(layout_resolution_note(resolution)) : layout_encoding_str(encoding);
	layout_encoding_free(encoding);
	layout_resolution_free(resolution);
	layout_tiling_target_free(target);
	layout_operand_free(operand);
	return text;
}

#define MATMUL "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, " \
	"affine_map<(m, n, k) -> (m, n)>"

/* M, N and K of the tile, 0 for none at all. */
static const struct {
	const char *target, *types, *sizes;
	int m, n, k;
} tiles[] = {
	{ "x86_64", "f32, f32, f32", NULL, 8, 4, 1 },
	{ "x86_64{features = [avx]}", "f32, f32, f32", NULL, 8, 8, 1 },
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", NULL, 16, 16, 1 },
	{ "x86_64{features = [avx, avx512f]}", "f16, f16, f32", NULL, 16, 16, 1 },
	{ "x86_64{features = [avx2]}", "f32, f32, f32", NULL, 8, 4, 1 },
	{ "x86_64{features = [avx512bf16, avx512f]}", "bf16, bf16, f32", NULL, 16, 16, 2 },
	{ "x86_64{features = [avx512bf16, avx512f]}", "bf16, bf16, f16", NULL, 16, 16, 1 },
	{ "x86_64{features = [avx512f]}", "f64, f64, f64", NULL, 0, 0, 0 },
	{ "x86_64", "i8, i8, i32", NULL, 8, 4, 2 },
	{ "x86_64{features = [avx2]}", "i8, i8, i32", NULL, 8, 8, 2 },
	{ "x86_64{features = [avx512bw]}", "i16, i16, i32", NULL, 16, 16, 2 },
	{ "x86_64{features = [avx512vnni]}", "i8, i8, i32", NULL, 16, 16, 2 },
	{ "x86_64{features = [avx512vnni]}", "i16, ui4, i32", NULL, 1, 32, 8 },
	{ "x86_64{features = [avx512vnni]}", "i8, i16, i32", NULL, 0, 0, 0 },
	{ "aarch64", "f32, f32, f32", NULL, 8, 8, 1 },
	{ "aarch64{features = [bf16]}", "bf16, bf16, f32", NULL, 8, 8, 4 },
	{ "aarch64", "bf16, bf16, f32", NULL, 8, 8, 1 },
	{ "aarch64", "i8, i8, i32", NULL, 0, 0, 0 },
	{ "aarch64{features = [dotprod]}", "i8, i8, i32", NULL, 8, 8, 4 },
	{ "aarch64{features = [dotprod, i8mm]}", "i8, i8, i32", NULL, 8, 8, 8 },
	{ "aarch64", "i8, i4, i32", NULL, 4, 16, 2 },
	{ "aarch64{features = [dotprod]}", "i8, i4, i32", NULL, 8, 8, 8 },
	{ "aarch64{features = [i8mm]}", "i8, i4, i32", NULL, 4, 8, 16 },
	{ "aarch64{features = [sve]}", "f32, f32, f32", NULL, 0, 0, 0 },
	{ "riscv64", "f32, f32, f32", NULL, 0, 0, 0 },
	{ "riscv64{features = [v]}", "f32, f32, f32", NULL, 7, 16, 1 },
	{ "riscv64{features = [v, zvl256b]}", "f32, f32, f32", NULL, 7, 32, 1 },
	{ "riscv64{features = [v, zvl1024b, zvl512b]}", "f32, f32, f32", NULL, 7, 128, 1 },
	{ "vmvx", "f32, f32, f32", NULL, 8, 8, 4 },
	{ "vmvx", "i8, i8, i32", NULL, 8, 8, 4 },
	/* narrow */
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", "1, ?, ?", 1, 16, 1 },
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", "2, ?, ?", 2, 16, 1 },
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", "3, ?, ?", 4, 16, 1 },
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", "7, 300, ?", 8, 16, 1 },
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", "9, 300, 4", 16, 16, 1 },
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", "300, 500, 4", 16, 16, 1 },
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", "?, 1, ?", 16, 1, 1 },
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", "300, 5, ?", 16, 8, 1 },
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", "4, 4, ?", 4, 16, 1 },
	{ "x86_64{features = [avx512f]}", "f32, f32, f32", "?, ?, 1", 16, 16, 1 },
	{ "x86_64", "f32, f32, f32", "?, 300, ?", 4, 8, 1 },
	{ "riscv64{features = [v]}", "f32, f32, f32", "5, ?, ?", 7, 16, 1 },
	{ "riscv64{features = [v]}", "f32, f32, f32", "4, ?, ?", 4, 16, 1 },
	{ "vmvx", "f32, f32, f32", "1, 256, 128", 1, 8, 4 },
	{ "x86_64{features = [avx512vnni]}", "i16, ui4, i32", "300, ?, ?", 1, 32, 8 },
};

/* Is N the narrow dimension, so that the result is turned?  As the rows say it. */
static bool is_turned(size_t row)
{
	int m, n;
	const char *sizes = tiles[row].sizes;

	if (!sizes || sscanf(strchr(sizes, ',') + 1, "%d", &n) != 1)
		return false;
	return sscanf(sizes, "%d", &m) != 1 || n < m;
}

static void expect(layout_context *ctx, size_t row, unsigned index, const char *dims, int a,
	int b)
{
	char *found = resolve(ctx, operand_of(ctx, index, tiles[row].types, MATMUL,
		tiles[row].sizes), tiles[row].target);
	char wanted[256];

	snprintf(wanted, sizeof(wanted), "encoding_info<{innerDimsPos = [%s], innerTileSizes = "
		"[%d, %d], outerDimsPerm = [%s]}>", dims, a, b, dims);
	if (!tiles[row].m ? !strncmp(found, "encoding", 8) : strcmp(found, wanted))
		fail_msg("row %zu, %s, operand %u: %s", row, tiles[row].target, index, found);
	free(found);
}

static void of_products(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(tiles); i++) {
		expect(ctx, i, 0, "0, 1", tiles[i].m, tiles[i].k);
		expect(ctx, i, 1, "1, 0", tiles[i].n, tiles[i].k);
		if (is_turned(i))
			expect(ctx, i, 2, "1, 0", tiles[i].n, tiles[i].m);
		else
			expect(ctx, i, 2, "0, 1", tiles[i].m, tiles[i].n);
	}
	assert_true(layout_context_free(ctx));
}

/* Batches have no tile; a vector has one dimension; a broadcast leaves one out. */
static void of_other_forms(void **state)
{
	static const struct {
		unsigned operand;
		const char *maps, *sizes, *tiles, *dims, *outer;
	} forms[] = {
		{ 0, "affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> "
			"(b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>", NULL,
		  "16, 1", "1, 2", "0, 1, 2" },
		{ 2, "affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> "
			"(b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>", "?, ?, 4, ?",
		  "4, 16", "2, 1", "0, 2, 1" },
		{ 1, "affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, "
			"affine_map<(m, k) -> (m)>", "?, ?", "1", "0", "0" },
		{ 2, "affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, "
			"affine_map<(m, k) -> (m)>", "?, ?", "16", "0", "0" },
		{ 1, "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, "
			"affine_map<(m, n, k) -> (m, n)>", NULL, "16, 1", "0, 1", "0, 1" },
		{ 2, "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, "
			"[affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n) -> (n)>]", NULL,
		  "16", "0", "0" },
	};
	layout_context *ctx = layout_context_new();
	char wanted[256], *found;

	(void)state;
	for (size_t i = 0; i < COUNT(forms); i++) {
		found = resolve(ctx, operand_of(ctx, forms[i].operand, "f32, f32, f32",
			forms[i].maps, forms[i].sizes), "x86_64{features = [avx512f]}");
		snprintf(wanted, sizeof(wanted), "encoding_info<{innerDimsPos = [%s], "
			"innerTileSizes = [%s], outerDimsPerm = [%s]}>", forms[i].dims,
			forms[i].tiles, forms[i].outer);
		if (strcmp(found, wanted))
			fail_msg("form %zu: %s", i, found);
		free(found);
	}
	assert_true(layout_context_free(ctx));
}

#define ALIASES "#executable_target_vmvx_bytecode_fb = #hal.executable.target<\"vmvx\", " \
	"\"vmvx-bytecode-fb\", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>}>\n" \
	"#executable_target_x86_64 = #hal.executable.target<\"llvm-cpu\", \"xyz\", " \
	"{iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, " \
	"target_triple=\"x86_64-xyz-xyz\", cpu_features=\"+avx512f\"}>\n" \
	"#executable_target_aarch64 = #hal.executable.target<\"llvm-cpu\", \"xyz\", " \
	"{iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, " \
	"target_triple=\"aarch64-xyz-xyz\", cpu_features=\"+sve\"}>\n" \
	"#device_target_local_0_ = #hal.device.target<\"local\", {ordinal = 0 : index}, " \
	"[#executable_target_vmvx_bytecode_fb]> : !hal.device\n" \
	"#device_target_local_1_ = #hal.device.target<\"local\", {ordinal = 1 : index}, " \
	"[#executable_target_x86_64]> : !hal.device\n" \
	"#device_target_local_2_ = #hal.device.target<\"local\", {ordinal = 2 : index}, " \
	"[#executable_target_aarch64]> : !hal.device\n"
#define GPU "#iree_gpu.target<arch = \"gfx942\", features = \"\", wgp = <compute = fp64|fp32, " \
	"storage = b64|b8, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x4_F32>, " \
	"<MFMA_F32_16x16x16_F16>], subgroup_size_choices = [64], max_workgroup_sizes = " \
	"[1024, 1024, 1024], max_workgroup_memory_bytes = 32768, " \
	"max_load_instruction_bits = 64, simds_per_wgp = 2, vgpr_space_bits = 8192>"

/* A name and features, or what is wrong where. */
static const struct {
	const char *text, *name, *features, *message;
	long position;
} targets[] = {
	{ ALIASES "#device_target_local_0_", "vmvx", "", NULL, 0 },
	{ ALIASES "#device_target_local_1_", "x86_64", "+avx512f", NULL, 0 },
	{ ALIASES "#device_target_local_2_", "aarch64", "+sve", NULL, 0 },
	{ ALIASES "#executable_target_x86_64", "x86_64", "+avx512f", NULL, 0 },
	{ "#hal.executable.target<\"llvm-cpu\", \"elf\", {target_triple = \"arm64-apple\"}>",
		"aarch64", "", NULL, 0 },
	{ GPU ">", "gfx942", NULL, NULL, 0 },
	{ GPU ", chip = <wgp_count = 7, sku = \"mi300x\">>", "gfx942", NULL, NULL, 0 },
	{ "#hal.executable.target<\"rocm\", \"rocm-hsaco-fb\", {abi = \"hip\", "
		"iree.encoding.resolver = #iree_gpu.gpu_encoding_resolver<>, "
		"iree_codegen.target_info = " GPU ">, ukernels = \"none\"}>", "gfx942", NULL,
		NULL, 0 },
	{ "x86_64{features = []}", "x86_64", "", NULL, 0 },
	{ "x86_64{features = [avx, fma]}", "x86_64", "+avx,+fma", NULL, 0 },
	{ "host", "host", "", NULL, 0 },
	{ "x86_64{simds = 1}", NULL, NULL, "expected `features`, found `simds`", 7 },
	{ "gfx942{features = [avx]}", NULL, NULL, "expected `max_load_bits`", 7 },
	{ "x86_64{features = [3]}", NULL, NULL, "expected the name of a feature", 19 },
	{ "x86_64{features = [avx], features = []}", NULL, NULL, "", 25 },
	{ "#iree_gpu.target<arch = \"gfx9\">", NULL, NULL, "no data tiling for a target 'gfx9'",
		24 },
	{ "#iree_gpu.target<arch = gfx942>", NULL, NULL, "expected a string", 24 },
	{ "#iree_gpu.target<arch = \"gfx942\", wgp = <mma = [<NONE>]>>", NULL, NULL, "", 49 },
	{ "#iree_gpu.target<arch = \"gfx942\", wgp = <simds_per_wgp = -1>>", NULL, NULL,
		"a number from 0", 57 },
	{ "#iree_gpu.target<arch = \"gfx942\"", NULL, NULL, "expected `,` or `>`", 32 },
	{ "#hal.executable.target<\"llvm-cpu\", \"x\", {target_triple = \"sparc-x-x\"}>", NULL,
		NULL, "no data tiling for a target 'sparc'", 57 },
	{ "#hal.executable.target<\"llvm-cpu\", \"x\", {target_triple = \"gfx942-x-x\"}>", NULL,
		NULL, "the triple is of no CPU", 57 },
	{ "#hal.executable.target<\"llvm-cpu\", \"x\">", NULL, NULL,
		"expected `target_triple` or", 38 },
	{ "#hal.device.target<\"local\", [#nothing]>", NULL, NULL, "expected a target", 29 },
	{ "#a = #hal.device.target<\"local\", [#a]>\n#a", NULL, NULL, "expected a target", 34 },
	{ "[gfx942]", NULL, NULL, "expected a target", 1 },
	{ "#hal.device.target<\"local\", []>", NULL, NULL, "expected a target", 29 },
	{ "#t = #hal.executable.target<\"vmvx\", \"v\">\n[#t, #t]", NULL, NULL,
		"expected one target: name the one that is meant", 46 },
	{ "#t = #hal.executable.target<\"vmvx\", \"v\">\n#hal.device.select<[#t]>", "vmvx",
		"", NULL, 0 },
	{ "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
		"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
		"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
		NULL, NULL, "", 64 },
};

/* Devices of several targets, of all of which there is an answer; and what is wrong with
 * another than the one that is asked for. */
static void several(void **state)
{
	static const char *const texts[] = {
		ALIASES "[#device_target_local_0_, #device_target_local_1_, "
			"#executable_target_aarch64]",
		ALIASES "#hal.device.select<[#device_target_local_0_, #hal.device.target<\"l\", "
			"[#executable_target_x86_64, #executable_target_aarch64]>]> : !hal.device",
	};
	static const char *const names[] = { "vmvx", "x86_64", "aarch64" };
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		for (unsigned k = 0; k < COUNT(names); k++) {
			layout_tiling_target *target = layout_tiling_target_parse_at(ctx,
				texts[i], k);

			if (!target)
				fail_msg("%s", layout_context_message(ctx));
			assert_string_equal(target->name, names[k]);
			layout_tiling_target_free(target);
		}
		assert_null(layout_tiling_target_parse_at(ctx, texts[i], 3));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	}
	assert_null(layout_tiling_target_parse_at(ctx, "gfx942", 1));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_null(layout_tiling_target_parse_at(ctx, ALIASES "[#device_target_local_0_, #x]",
		0));
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_PARSE);
	layout_context_free(ctx);
}

static void as_text(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(targets); i++) {
		layout_tiling_target *target = layout_tiling_target_parse(ctx,
			targets[i].text);
		const char *message = layout_context_message(ctx);

		print_message("%s\n", targets[i].text);
		if (!targets[i].name) {
			assert_null(target);
			assert_int_equal(layout_context_position(ctx), targets[i].position);
			assert_non_null(strstr(message, targets[i].message));
		} else {
			if (!target)
				fail_msg("%s", message);
			assert_string_equal(target->name, targets[i].name);
			assert_int_equal(!target->features, !targets[i].features);
			if (target->features)
				assert_string_equal(target->features, targets[i].features);
		}
		layout_tiling_target_free(target);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* What a GPU's attribute says is in the place of what the row does. */
static void facts_of_gpus(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_tiling_target *target = layout_tiling_target_parse(ctx,
		GPU ", chip = <wgp_count = 7, sku = \"mi300x\">>");

	(void)state;
	assert_non_null(target);
	assert_int_equal(target->max_load_bits, 64);
	assert_int_equal(target->simds, 2);
	assert_int_equal(target->vgpr_bits, 8192);
	assert_int_equal(target->lds_bytes, 32768);
	assert_int_equal(target->processors, 7);
	assert_string_equal(target->instructions[0], "MFMA_F32_16x16x4_F32");
	assert_string_equal(target->instructions[1], "MFMA_F32_16x16x16_F16");
	assert_null(target->instructions[2]);
	layout_tiling_target_free(target);
	assert_true(layout_context_free(ctx));
}

#define LHS "encoding<operand_index = 0, op_type = matmul, element_types = [f32, f32, f32], " \
	"user_indexing_maps = [" MATMUL "]>"

#define M 9
#define K 21

static void write_input(const char *path)
{
	static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (9, 21), }";
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	fprintf(file, "\x93NUMPY\x01%c%c%c%-117s\n", 0, 118, 0, header);
	for (unsigned i = 0; i < M * K; i++) {
		float value = (float)(i + 1);

		assert_int_equal(fwrite(&value, sizeof(value), 1, file), 1);
	}
	assert_int_equal(fclose(file), 0);
}

/* One a line; to be freed. */
static float *read_floats(const char *text)
{
	float *cells = calloc(strlen(text) + 1, sizeof(*cells));
	unsigned count = 0;
	char *end;

	assert_non_null(cells);
	for (cells[0] = strtof(text, &end); end != text; cells[++count] = strtof(text, &end))
		text = end;
	return cells;
}

struct packed {
	const float *cells;
	const int64_t *shape;
	unsigned rank, count;
};

/* The cell that an element is in has its number. */
static bool check_cell(void *user, const int64_t *in, unsigned in_rank, const int64_t *cell,
	unsigned rank)
{
	struct packed *packed = user;
	int64_t place = 0;

	assert_int_equal(in_rank, 2);
	assert_int_equal(rank, packed->rank);
	for (unsigned d = 0; d < rank; d++)
		place = place * packed->shape[d] + cell[d];
	assert_true(packed->cells[place] == (float)(in[0] * K + in[1] + 1));
	packed->count++;
	return true;
}

/* The host's engine packs what is resolved for the CPU that we run on. */
static void on_this_cpu(void **state)
{
	static const char storage_text[] = "packed(resolve(" LHS ", target = host), [9, 21])";
	layout_context *ctx = layout_context_new();
	layout_value *value = layout_value_parse(ctx, storage_text);
	int64_t shape[LAYOUT_STORAGE_SLOTS];
	struct packed packed = { .shape = shape };
	char *folder = shell_folder_new(), path[4096], *bytes;
	layout_relation *relation;

	(void)state;
	if (!value)
		fail_msg("%s", layout_context_message(ctx));
	snprintf(path, sizeof(path), "%s/a.npy", folder);
	write_input(path);
	free(shell_must("cd '%s' && %s run 'remap(row_major[M, K] -> packed(resolve(" LHS
		", target = host), [M, K]), type = f32, pad = 0.0)' --engine host "
		"--input a.npy --output b.npy", folder, LAYOUTC_PATH));
	bytes = shell_must("cd '%s' && tail -c +129 b.npy | od -A n -v -t f4 -w4", folder);
	packed.rank = (unsigned)layout_storage_memory_shape(layout_value_storage(value), NULL, 0,
		shape);
	packed.cells = read_floats(bytes);
	relation = layout_value_relation(value);
	assert_true(layout_relation_for_each(relation, check_cell, &packed));
	assert_int_equal(packed.count, M * K);
	free((void *)packed.cells);
	free(bytes);
	layout_relation_free(relation);
	layout_value_free(value);
	assert_true(layout_context_free(ctx));
	shell_folder_remove(folder);
}

/* An answer for each target of several devices, and one list of them as JSON. */
static void command(void **state)
{
	char *found = shell_must("echo '" ALIASES "[#device_target_local_1_, "
		"#device_target_local_0_]' | %s resolve '" LHS "' --target -", LAYOUTC_PATH);

	(void)state;
	assert_string_equal(found, "on x86_64:\nencoding_info<{innerDimsPos = [0, 1], "
		"innerTileSizes = [16, 1], outerDimsPerm = [0, 1]}>\non vmvx:\n"
		"encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [8, 4], outerDimsPerm = "
		"[0, 1]}>\n");
	free(found);
	found = shell_must("echo '" ALIASES "[#device_target_local_1_, "
		"#device_target_local_0_]' | %s resolve '" LHS "' --target - --format json | "
		"tr -d '\\n' | sed -E 's/\"outer[^}]*//g'", LAYOUTC_PATH);
	assert_string_equal(found, "[{\"inner_dims_pos\": [0, 1], \"inner_tiles\": [16, 1], }, "
		"{\"inner_dims_pos\": [0, 1], \"inner_tiles\": [8, 4], }]");
	free(found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_products),
		cmocka_unit_test(of_other_forms),
		cmocka_unit_test(as_text),
		cmocka_unit_test(several),
		cmocka_unit_test(command),
		cmocka_unit_test(facts_of_gpus),
		cmocka_unit_test(on_this_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
