/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fuzz_seeds TARGET FOLDER FILE..: the seeds of the target, in the folder: the literals
 * of the tests, and of each FILE its whole text and its lines, of a .tsv all columns. */
#include "fuzz/fuzz.h"
#include "support/notations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct target *target;
static const char *folder;
static unsigned count;

/* One in so many lines of the vectors. */
#define ONE_LINE_IN 40

static void write_seed(const char *data, size_t size)
{
	char path[4096];
	FILE *file;

	if (!target_takes(target, data))
		return;
	snprintf(path, sizeof(path), "%s/%04u", folder, count++);
	file = fopen(path, "wb");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file)) {
		perror(path);
		exit(1);
	}
}

static void write_columns(FILE *file)
{
	char *line = NULL, *rest, *text;
	size_t capacity = 0;

	for (unsigned i = 0; getline(&line, &capacity, file) >= 0; i++)
		for (rest = line; i % ONE_LINE_IN == 0 &&
		    (text = strsep(&rest, "\t\n"));)
			if (strlen(text) > 2)
				write_seed(text, strlen(text));
	free(line);
}

static void write_file(FILE *file)
{
	char *text = NULL;
	size_t capacity = 0;
	ssize_t length = getdelim(&text, &capacity, '\0', file);

	if (length > 0)
		write_seed(text, (size_t)length);
	free(text);
}

static void write_npy(void)
{
	static const char *const headers[] = {
		"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }",
		"{'descr': '>i2', 'fortran_order': True, 'shape': (3,), }",
		"{'shape': (), 'descr': '|b1', 'fortran_order': False}",
	};

	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		char data[144] = "\x93NUMPY\1\0v";

		snprintf(data + 10, sizeof(data) - 10, "%-117s\n", headers[i]);
		write_seed(data, sizeof(data));
	}
}

static void write_mlir(void)
{
	static const char *const texts[] = {
		"%c = arith.constant 0.0 : f32\n%p = linalg.pack %a padding_value(%c : f32) "
			"outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [8, 4] "
			"into %b : tensor<?x?xf32> -> tensor<?x?x8x4xf32>",
		"%u = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %b : "
			"tensor<?x?x8x4xf32> -> tensor<?x?xf32>",
		"%n = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%N]\n"
			"%r = iree_linalg_ext.map_store %s into %t {\n^bb0(%i: index, %j: index):\n"
			"%x = affine.linearize_index disjoint [%i, %j] by (%M, %n) : index\n"
			"%y:3 = affine.delinearize_index %x into (%M, %N, 16) : index, index, "
			"index\n%m = arith.cmpi ult, %i, %c4 : index\n  iree_linalg_ext.yield "
			"%y#1, %y#0, %y#2, %m : index, index, index, i1\n} : tensor<?x?xf32> into "
			"tensor<?x?x16xf32> -> tensor<?x?x16xf32>",
		"#map = affine_map<(d0, d1) -> (d0, d1)>\n#map1 = affine_map<(d0, d1) -> (d1)>\n"
			"%1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = "
			"[\"parallel\", \"parallel\"]} ins(%a, %b : tensor<?x?xf32>, "
			"tensor<?xf32>) outs(%c : tensor<?x?xf32>)",
		"#t = #hal.executable.target<\"llvm-cpu\", \"x\", {target_triple = "
			"\"x86_64-x-x\", cpu_features = \"+avx512f\", iree.encoding.resolver = "
			"#iree_cpu.cpu_encoding_resolver<>}>\n#hal.device.target<\"local\", [#t]>",
		"#iree_gpu.target<arch = \"gfx942\", features = \"\", wgp = <mma = "
			"[<MFMA_F32_16x16x4_F32>], subgroup_size_choices = [64], "
			"max_workgroup_memory_bytes = 65536, simds_per_wgp = 4>>",
		"memref<?x4xf32, strided<[?, 1], offset: ?>>",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		write_seed(texts[i], strlen(texts[i]));
}

int main(int argc, char **argv)
{
	target = argc > 2 ? target_find(argv[1]) : NULL;
	if (!target) {
		fprintf(stderr, "fuzz_seeds TARGET FOLDER FILE..\n");
		return 2;
	}
	folder = argv[2];
	for (unsigned i = 0; good_literal(i); i++)
		write_seed(good_literal(i), strlen(good_literal(i)));
	write_npy();
	write_mlir();
	for (int i = 3; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");

		if (!file) {
			perror(argv[i]);
			return 1;
		}
		(strstr(argv[i], ".tsv") ? write_columns : write_file)(file);
		fclose(file);
	}
	return count ? 0 : 1;
}
