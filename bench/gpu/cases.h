/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cases that are timed on a GPU, both ways, and what each means, said once more without
 * liblayout: which element of the tensor lies where.
 *
 * Memory is a list of digits, the outermost first: "1/4%8" is (index 1 / 4) mod 8, without
 * "%8" to the end of the dimension, and "^0" flips it by index 0. */
#ifndef BENCH_GPU_CASES_H
#define BENCH_GPU_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPU_RANK = 4, GPU_SIZES = 3 };

#define THREAD(n) "[\"CrossThread\", " #n "]"
#define TILED(rest) "packed(encoding_info<{innerDimsPos = [0, 1], " rest
#define LHS_F32 TILED("innerTileSizes = [128, 16], outerDimsPerm = [0, 1], " \
	"swizzle = {expandShape = [[" THREAD(4) ", " THREAD(8) ", " THREAD(4) "], " \
	"[" THREAD(4) ", " THREAD(4) "]], permutation = [1, 4, 0, 2, 3]}}>, [A, B])")
#define LHS_F16 TILED("innerTileSizes = [128, 32], outerDimsPerm = [0, 1], " \
	"swizzle = {expandShape = [[" THREAD(4) ", " THREAD(8) ", " THREAD(4) "], " \
	"[" THREAD(2) ", " THREAD(4) ", " THREAD(4) "]], " \
	"permutation = [1, 4, 0, 2, 3, 5]}}>, [A, B])")
#define ACC_F32 TILED("innerTileSizes = [128, 128], outerDimsPerm = [0, 1], " \
	"swizzle = {expandShape = [[" THREAD(4) ", " THREAD(8) ", " THREAD(4) "], " \
	"[" THREAD(4) ", " THREAD(16) ", " THREAD(2) "]], " \
	"permutation = [3, 1, 5, 0, 4, 2]}}>, [A, B])")
#define NHWC "packed(encoding_info<{innerDimsPos = [], innerTileSizes = [], " \
	"outerDimsPerm = [0, 2, 3, 1]}>, [A, B, C, D])"
#define NCHW16C "packed(encoding_info<{innerDimsPos = [1], innerTileSizes = [16], " \
	"outerDimsPerm = [0, 1, 2, 3]}>, [A, B, C, D])"
#define SQUARE { { 16384, 16384 }, { 16383, 16381 }, { 391, 333 } }
#define SQUARE_F16 { { 32768, 16384 }, { 32765, 16381 }, { 391, 333 } }
#define IMAGE { { 64, 256, 128, 128 }, { 64, 255, 127, 129 }, { 2, 67, 19, 27 } }

/* Sizes whose tiles are whole, odd ones, and small ones, of which every element is looked
 * at.  Matrices of bytes have more than 2^31 elements. */
static const struct gpu_case {
	const char *name, *type;
	unsigned bits, rank;
	const char *texts[2], *digits[2];
	int64_t sizes[GPU_SIZES][GPU_RANK];
} gpu_cases[] = {
	{ "transpose", "f32", 32, 2, { "row_major[A, B]", "col_major[A, B]" },
		{ "0/1 1/1", "1/1 0/1" }, SQUARE },
	{ "transpose", "f16", 16, 2, { "row_major[A, B]", "col_major[A, B]" },
		{ "0/1 1/1", "1/1 0/1" }, SQUARE_F16 },
	{ "transpose", "i8", 8, 2, { "row_major[A, B]", "col_major[A, B]" },
		{ "0/1 1/1", "1/1 0/1" },
		{ { 65536, 65536 }, { 65533, 65521 }, { 391, 333 } } },
	{ "transpose_60", "f32", 32, 2, { "row_major[A, B]", "col_major[A, B]" },
		{ "0/1 1/1", "1/1 0/1" },
		{ { 4194304, 64 }, { 4194304, 60 }, { 1000, 60 } } },
	{ "transpose_60", "f16", 16, 2, { "row_major[A, B]", "col_major[A, B]" },
		{ "0/1 1/1", "1/1 0/1" },
		{ { 8388608, 64 }, { 8388608, 60 }, { 1000, 60 } } },
	{ "lhs", "f32", 32, 2, { "row_major[A, B]", LHS_F32 },
		{ "0/1 1/1", "0/128 1/16 0/4%8 1/1%4 0/32%4 0/1%4 1/4%4" }, SQUARE },
	{ "lhs", "f16", 16, 2, { "row_major[A, B]", LHS_F16 },
		{ "0/1 1/1", "0/128 1/32 0/4%8 1/4%4 0/32%4 0/1%4 1/16%2 1/1%4" },
		SQUARE_F16 },
	{ "acc", "f32", 32, 2, { "row_major[A, B]", ACC_F32 },
		{ "0/1 1/1", "0/128 1/128 1/32%4 0/4%8 1/1%2 0/32%4 1/2%16 0/1%4" }, SQUARE },
	{ "nchw_nhwc", "f32", 32, 4, { "row_major[A, B, C, D]", NHWC },
		{ "0/1 1/1 2/1 3/1", "0/1 2/1 3/1 1/1" }, IMAGE },
	{ "nchw_nhwc", "f16", 16, 4, { "row_major[A, B, C, D]", NHWC },
		{ "0/1 1/1 2/1 3/1", "0/1 2/1 3/1 1/1" },
		{ { 128, 256, 128, 128 }, { 128, 255, 127, 129 }, { 2, 67, 19, 27 } } },
	{ "nchw_nchw16c", "f32", 32, 4, { "row_major[A, B, C, D]", NCHW16C },
		{ "0/1 1/1 2/1 3/1", "0/1 1/16 2/1 3/1 1/1%16" }, IMAGE },
	{ "xor_rows", "f16", 16, 2, { "row_major[A, 64]",
		"swizzled(row_major[A, 64], xor_shuffle<64, 8>)" },
		{ "0/1 1/1", "0/1 1/8%8^0 1/1%8" },
		{ { 8388608, 64 }, { 8388607, 64 }, { 391, 64 } } },
};
enum { GPU_CASES = sizeof(gpu_cases) / sizeof(*gpu_cases) };

struct gpu_memory {
	unsigned count;
	struct gpu_digit {
		int dim, flip;		/* "flip": a dim, or -1 */
		int64_t step, radix;
	} digits[16];
};

static inline struct gpu_memory gpu_memory_of(const struct gpu_case *row, unsigned side,
	const int64_t *sizes)
{
	struct gpu_memory memory = { 0 };
	const char *at = row->digits[side];

	while (*at) {
		struct gpu_digit *digit = &memory.digits[memory.count++];
		char *end;

		digit->dim = (int)strtol(at, &end, 10);
		digit->step = strtoll(end + 1, &end, 10);
		digit->radix = (sizes[digit->dim] + digit->step - 1) / digit->step;
		if (*end == '%')
			digit->radix = strtoll(end + 1, &end, 10);
		digit->flip = *end == '^' ? (int)strtol(end + 1, &end, 10) : -1;
		at = *end ? end + 1 : end;
	}
	return memory;
}

static inline int64_t gpu_cells(const struct gpu_memory *memory)
{
	int64_t cells = 1;

	for (unsigned i = 0; i < memory->count; i++)
		cells *= memory->digits[i].radix;
	return cells;
}

static inline int64_t gpu_cell(const struct gpu_memory *memory, const int64_t *index)
{
	int64_t cell = 0;

	for (unsigned i = 0; i < memory->count; i++) {
		const struct gpu_digit *digit = &memory->digits[i];
		int64_t value = index[digit->dim] / digit->step % digit->radix;

		if (digit->flip >= 0)
			value ^= index[digit->flip] % digit->radix;
		cell = cell * digit->radix + value;
	}
	return cell;
}

/* Is the destination what the source says, at every "stride"th element of the tensor, and 0
 * where there is none, if all are looked at?  Else what is wrong, in "text". */
static inline bool gpu_check(const struct gpu_case *row, bool back, const int64_t *sizes,
	const unsigned char *source, const unsigned char *destination, int64_t stride,
	char text[128])
{
	const struct gpu_memory from = gpu_memory_of(row, back, sizes);
	const struct gpu_memory to = gpu_memory_of(row, !back, sizes);
	size_t bytes = row->bits / 8;
	int64_t elements = 1, cells = gpu_cells(&to), index[GPU_RANK];
	unsigned char *reached = stride == 1 ? calloc((size_t)cells, 1) : NULL;
	bool ok = true;

	for (unsigned d = 0; d < row->rank; d++)
		elements *= sizes[d];
	for (int64_t e = 0; ok && e < elements; e += stride) {
		int64_t rest = e, a, b;

		for (unsigned d = row->rank; d--; rest /= sizes[d])
			index[d] = rest % sizes[d];
		a = gpu_cell(&from, index);
		b = gpu_cell(&to, index);
		ok = !memcmp(source + (size_t)a * bytes, destination + (size_t)b * bytes,
			bytes);
		if (!ok)
			snprintf(text, 128, "cell %lld is not cell %lld of the source",
				(long long)b, (long long)a);
		if (reached)
			reached[b] = 1;
	}
	for (int64_t b = 0; ok && reached && b < cells; b++)
		for (size_t i = 0; ok && !reached[b] && i < bytes; i++) {
			ok = !destination[(size_t)b * bytes + i];
			if (!ok)
				snprintf(text, 128, "cell %lld is no padding",
					(long long)b);
		}
	free(reached);
	return ok;
}

/* "FOLDER/transpose_f32_back.ptx" */
static inline void gpu_path(char path[4096], const char *folder, const struct gpu_case *row,
	bool back, const char *end)
{
	snprintf(path, 4096, "%s/%s_%s%s%s", folder, row->name, row->type,
		back ? "_back" : "", end);
}

#endif
