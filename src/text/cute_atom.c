/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layouts of shared memory that Hopper's and Blackwell's matrix instructions read, by the
 * names that CuTe's C++ has for them:
 *
 *	GMMA::Layout_K_SW128_Atom<half_t>	Sw<3,3,3> o 0 o (8,64):(64,1)
 *	GMMA::Layout_MN_SW64_Atom<half_t>{}	Sw<2,3,3> o 0 o (32,8):(1,32)
 *
 * 128, 256, 512 or 1024 bits along K or along M and N, eight times, with a swizzle of bytes. */
#include "text/notations.h"

#include <layout/cute.h>

#include <string.h>

#define BITS_OF_INTERLEAVED 128

/* Past "GMMA::", "cute::SM90::GMMA::". */
static void skip_namespaces(struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	while (behind.token.kind == TEXT_NAME) {
		text_advance(&behind);
		if (!text_skip(&behind, ":") || !text_skip(&behind, ":"))
			return;
		*cursor = behind;
	}
}

/* Which of them the name at the cursor is: the bits of its swizzle, and whether K is first
 * in memory. */
static bool find(const struct text_cursor *cursor, int *bits, bool *along_k)
{
	static const char *const names[2][4] = {
		{ "Layout_MN_INTER_Atom", "Layout_MN_SW32_Atom", "Layout_MN_SW64_Atom",
			"Layout_MN_SW128_Atom" },
		{ "Layout_K_INTER_Atom", "Layout_K_SW32_Atom", "Layout_K_SW64_Atom",
			"Layout_K_SW128_Atom" },
	};

	for (unsigned i = 0; i < 8; i++)
		if (text_at(cursor, names[i / 4][i % 4])) {
			*along_k = i / 4;
			*bits = (int)(i % 4);
			return true;
		}
	return false;
}

bool text_at_cute_atom(const struct text_cursor *cursor)
{
	struct text_cursor at = *cursor;
	bool along_k;
	int bits;

	skip_namespaces(&at);
	return find(&at, &bits, &along_k);
}

/* The bits of an element by its type in C++. */
static bool read_element(struct text_cursor *cursor, int64_t *bits)
{
	static const struct {
		const char *name;
		int bits;
	} types[] = {
		{ "half_t", 16 }, { "bfloat16_t", 16 }, { "float", 32 }, { "tfloat32_t", 32 },
		{ "double", 64 }, { "float_e4m3_t", 8 }, { "float_e5m2_t", 8 },
		{ "int8_t", 8 }, { "uint8_t", 8 }, { "int16_t", 16 }, { "uint16_t", 16 },
		{ "int32_t", 32 }, { "uint32_t", 32 }, { "int4_t", 4 }, { "uint4_t", 4 },
		{ "float_e2m1_t", 4 },
	};

	skip_namespaces(cursor);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (text_skip(cursor, types[i].name)) {
			*bits = types[i].bits;
			return true;
		}
	return text_expected(cursor, "the type of an element: `half_t`, `float_e4m3_t`, ..");
}

layout_cute *text_cute_atom(struct text_cursor *cursor)
{
	static const int arity[] = { 2, -1, -1 };
	layout_cute_swizzle swizzle = { .base = 4, .shift = 3 };
	long begin = text_position(cursor);
	int64_t shape[2] = { 8, 8 }, stride[2], bits = 1, row;
	bool along_k = false;
	layout_cute *cute;

	skip_namespaces(cursor);
	find(cursor, &swizzle.bits, &along_k);
	text_advance(cursor);
	if (!text_take(cursor, "<") || !read_element(cursor, &bits) ||
	    !text_take(cursor, ">"))
		return NULL;
	text_skip_braces(cursor);
	row = (BITS_OF_INTERLEAVED << swizzle.bits) / bits;
	shape[along_k] = row;
	stride[along_k] = 1;
	stride[!along_k] = row;
	cute = layout_cute_new(cursor->ctx, arity, 3, shape, stride, 2);
	if (!swizzle.bits)
		return cute;
	if (text_swizzle_of_bytes(cursor, begin, bits, &swizzle))
		return layout_cute_apply_swizzle(cute, swizzle);
	layout_cute_free(cute);
	return NULL;
}
