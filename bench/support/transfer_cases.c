/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/transfer.h"

#define SIZES2 "[%1$ld, %2$ld]"
#define SIZES3 "[%1$ld, %2$ld, %3$ld]"
#define SIZES6 "[%1$ld, %2$ld, %3$ld, %4$ld, %5$ld, %6$ld]"
#define ROWS "row_major" SIZES2
#define ORDERED(order, sizes) "packed(encoding_info<{innerDimsPos = [], innerTileSizes = [], " \
	"outerDimsPerm = [" order "]}>, " sizes ")"
#define TAGGED(tag, sizes) "tagged(" tag ", " sizes ")"
#define LHS "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [128, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 2 : i16, " \
	"2 : i8], [\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 16 : i16]], " \
	"[[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]], " \
	"permutation = [0, 1, 4, 2, 3]}}>, " SIZES2 ")"
#define ACC "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [16, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], " \
	"[\"CrossIntrinsic\", 4 : i16]], [[\"CrossThread\", 16 : i16]]], " \
	"permutation = [0, 2, 1]}}>, " SIZES2 ")"
#define SQUARE { 8192, 8192 }, { 256, 256 }
#define ODD { 8191, 8189 }, { 255, 253 }
#define IMAGES { 64, 256, 4096 }, { 1, 64, 1024 }

const struct transfer_case transfer_cases[] = {
	{ "copy f32", ROWS " -> " ROWS ", type = f32", SQUARE, 4, 4, "ab", "ab", "f32",
		"f32", false },
	{ "transpose f32", ROWS " -> col_major" SIZES2 ", type = f32", SQUARE, 4, 4, "ab",
		"ba", "f32", "f32", true },
	{ "transpose f32, odd", ROWS " -> col_major" SIZES2 ", type = f32", ODD, 4, 4, "ab",
		"ba", "f32", "f32", true },
	{ "transpose f32, 64 x 64", ROWS " -> col_major" SIZES2 ", type = f32", { 0 },
		{ 64, 64 }, 4, 4, "ab", "ba", "f32", "f32", true },
	{ "transpose f16", ROWS " -> col_major" SIZES2 ", type = f16", { 11584, 11584 },
		{ 352, 352 }, 2, 2, "ab", "ba", "f16", "f16", false },
	{ "transpose f16, odd", ROWS " -> col_major" SIZES2 ", type = f16", { 11583, 11581 },
		{ 351, 349 }, 2, 2, "ab", "ba", "f16", "f16", false },
	{ "transpose i8", ROWS " -> col_major" SIZES2 ", type = i8", { 16384, 16384 },
		{ 512, 512 }, 1, 1, "ab", "ba", "i8", "i8", false },
	{ "transpose i8, odd", ROWS " -> col_major" SIZES2 ", type = i8", { 16383, 16381 },
		{ 511, 509 }, 1, 1, "ab", "ba", "i8", "i8", false },
	{ "AB16b64a f32", ROWS " -> " TAGGED("AB16b64a", SIZES2) ", type = f32", SQUARE, 4, 4, "ab", "AB16b64a", "f32", "f32", false },
	{ "AB16b64a f32, back", TAGGED("AB16b64a", SIZES2) " -> " ROWS ", type = f32", SQUARE, 4,
		4, "AB16b64a", "ab", "f32", "f32", false },
	{ "AB16a16b f32, odd", ROWS " -> " TAGGED("AB16a16b", SIZES2) ", type = f32", ODD, 4, 4,
		"ab", "AB16a16b", "f32", "f32", false },
	{ "AB16a16b f32, back", TAGGED("AB16a16b", SIZES2) " -> " ROWS ", type = f32", SQUARE, 4,
		4, "AB16a16b", "ab", "f32", "f32", false },
	{ "gfx942 LHS f32", ROWS " -> " LHS ", type = f32", SQUARE, 4, 4, 0 },
	{ "gfx942 LHS f32, odd", ROWS " -> " LHS ", type = f32", ODD, 4, 4, 0 },
	{ "gfx942 LHS f32, back", LHS " -> " ROWS ", type = f32", SQUARE, 4, 4, 0 },
	{ "gfx942 ACC f32", ROWS " -> " ACC ", type = f32", SQUARE, 4, 4, 0 },
	{ "gfx942 ACC f32, back", ACC " -> " ROWS ", type = f32", SQUARE, 4, 4, 0 },
	{ "NCHW -> NHWC f32", "row_major" SIZES3 " -> " ORDERED("0, 2, 1", SIZES3)
		", type = f32", IMAGES, 4, 4, "abc", "acb", "f32", "f32", false },
	{ "NHWC -> NCHW f32", ORDERED("0, 2, 1", SIZES3) " -> row_major" SIZES3
		", type = f32", IMAGES, 4, 4, "acb", "abc", "f32", "f32", false },
	{ "NCHW -> NHWC f16", "row_major" SIZES3 " -> " ORDERED("0, 2, 1", SIZES3)
		", type = f16", { 128, 256, 4096 }, { 1, 64, 2048 }, 2, 2, "abc", "acb",
		"f16", "f16", false },
	{ "NCHW -> NHWC i8", "row_major" SIZES3 " -> " ORDERED("0, 2, 1", SIZES3)
		", type = i8", { 256, 256, 4096 }, { 1, 64, 4096 }, 1, 1, "abc", "acb",
		"i8", "i8", false },
	{ "NCHW -> nChw16c f32", "row_major" SIZES3 " -> " TAGGED("aBc16b", SIZES3)
		", type = f32", IMAGES, 4, 4, "abc", "aBc16b", "f32", "f32", false },
	{ "NCHW -> nChw16c i8", "row_major" SIZES3 " -> " TAGGED("aBc16b", SIZES3)
		", type = i8", { 256, 256, 4096 }, { 1, 64, 4096 }, 1, 1, "abc", "aBc16b",
		"i8", "i8", false },
	{ "nChw16c -> NCHW f32", TAGGED("aBc16b", SIZES3) " -> row_major" SIZES3
		", type = f32", IMAGES, 4, 4, "aBc16b", "abc", "f32", "f32", false },
	{ "7 x 7, NHWC -> NCHW i8", "row_major" SIZES3 " -> " ORDERED("0, 2, 1", SIZES3)
		", type = i8", { 2674, 49, 2048 }, { 80, 49, 64 }, 1, 1, "abc", "acb",
		"i8", "i8", false },
	{ "heads of 80 f16", "row_major" SIZES3 " -> " ORDERED("1, 0, 2", SIZES3)
		", type = f16", { 26214, 64, 80 }, { 25, 64, 80 }, 2, 2, "abc", "bac",
		"f16", "f16", false },
	{ "rank 6, a d b e c f, f32", "row_major" SIZES6 " -> " ORDERED("0, 3, 1, 4, 2, 5", SIZES6)
		", type = f32", { 16, 16, 16, 16, 32, 32 }, { 4, 4, 4, 8, 16, 8 }, 4, 4,
		"abcdef", "adbecf", "f32", "f32", false },
	{ "rows of 64 f16, XORed", ROWS " -> swizzled(row_major" SIZES2 ", xor_shuffle<64, 8>)"
		", type = f16", { 2097152, 64 }, { 2048, 64 }, 2, 2, 0 },
	{ "transpose f16, XORed", ROWS " -> swizzled(col_major" SIZES2 ", xor_shuffle<64, 8>)"
		", type = f16", { 8192, 8192 }, { 256, 256 }, 2, 2, 0 },
	{ "[H, W, 3] -> [3, H, W] u8", "row_major" SIZES3 " -> " ORDERED("2, 0, 1", SIZES3)
		", type = u8", { 16384, 5440, 3 }, { 256, 256, 3 }, 1, 1, "abc", "cab",
		"u8", "u8", false },
	{ "[3, H, W] -> [H, W, 3] u8", ORDERED("2, 0, 1", SIZES3) " -> row_major" SIZES3
		", type = u8", { 16384, 5440, 3 }, { 256, 256, 3 }, 1, 1, "cab", "abc",
		"u8", "u8", false },
	{ "f32 -> bf16, AB16b64a", ROWS " -> " TAGGED("AB16b64a", SIZES2)
		", type = f32 -> bf16", SQUARE, 4, 2, "ab", "AB16b64a", "f32", "bf16",
		false },
	{ 0 },
};
