/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe's functions of shapes and coordinates: what they print, what they refuse, and each
 * layout of threads and values cell by cell. */
#include "support/notations.h"
#include "support/shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

/* Written by hand, as CuTe's definitions have them. */
static const struct {
	const char *text, *printed;
} rows[] = {
	{ "size((4,8):(8,2))", "32" },
	{ "cosize((4,8):(8,2))", "39" },
	{ "rank((4,8):(8,2))", "2" },
	{ "rank(4:1)", "1" },
	{ "depth(4:1)", "0" },
	{ "depth((4,8):(8,2))", "1" },
	{ "depth(((2,2),4):((1,8),2))", "2" },
	{ "depth((4,(2,(2,2))):(1,(4,(8,16))))", "3" },
	{ "select((2,3,5):(1,2,6), [2, 0])", "(5,2):(6,1)" },
	{ "select((2,3,5):(1,2,6), [1])", "3:2" },
	{ "select((2,(3,7),5):(1,(2,9),6), [1])", "(3,7):(2,9)" },
	{ "select(Sw<1,0,2> o 0 o (4,2):(1,4), [0])", "Sw<1,0,2> o 0 o 4:1" },
	{ "group_modes((2,3,5):(1,2,6), 0, 2)", "((2,3),5):((1,2),6)" },
	{ "group_modes((2,3,5):(1,2,6), 1, 3)", "(2,(3,5)):(1,(2,6))" },
	{ "select<2,0>((2,3,5):(1,2,6))", "(5,2):(6,1)" },
	{ "select< 1 >((2,(3,7),5):(1,(2,9),6))", "(3,7):(2,9)" },
	{ "group<0,2>((2,3,5):(1,2,6))", "((2,3),5):((1,2),6)" },
	{ "group_modes<1,3>((2,3,5):(1,2,6))", "(2,(3,5)):(1,(2,6))" },
	{ "upcast<2>((8,4):(1,8))", "(4,4):(1,4)" },
	{ "size<1>((4,8):(8,1))", "8" },
	{ "size((4,(2,3)):(6,(3,1)), [1])", "6" },
	{ "size<1,1>((4,(2,3)):(6,(3,1)))", "3" },
	{ "cosize<0>((4,8):(8,1))", "25" },
	{ "rank<1>((4,(2,3)):(6,(3,1)))", "2" },
	{ "depth<1,0>((4,((2,2),3)):(12,((6,3),1)))", "1" },
	{ "size<0>(select<1,0>((4,8):(8,1)))", "8" },
	{ "make_layout((4,8))", "(4,8):(1,4)" },
	{ "make_layout((4,8), LayoutLeft)", "(4,8):(1,4)" },
	{ "make_layout((4,8), LayoutRight)", "(4,8):(8,1)" },
	{ "make_layout((_4,(2,8)), (16,(_1,2)))", "(4,(2,8)):(16,(1,2))" },
	{ "make_layout((2,(3,5)), LayoutRight)", "(2,(3,5)):(15,(5,1))" },
	{ "make_layout(4:1, (2,3):(4,8))", "(4,(2,3)):(1,(4,8))" },
	{ "make_layout(4)", "4:1" },
	{ "make_layout((4,2), (2,-1))", "(4,2):(2,-1)" },
	{ "tile_to_shape((4,2):(2,1), (8, 8))", "(8,(2,4)):(2,(1,16))" },
	{ "tile_to_shape((4,2):(2,1), (8, 8), [1, 0])", "((4,2),(2,4)):((2,32),(1,8))" },
	{ "tile_to_shape((4,2):(2,1), (8, 8), Step<_2,_1>{})", "((4,2),(2,4)):((2,32),(1,8))" },
	{ "tile_to_shape((4,2):(2,1), make_shape(_8{}, 4, 3), Step<_2,_3,_1>)",
		"((4,2),(2,2),3):((2,24),(1,48),8)" },
	{ "tile_to_shape((4,2):(2,1), (8,4,3), [1,2,0])", "((4,2),(2,2),3):((2,24),(1,48),8)" },
	{ "Layout<Shape<_4,_8>,Stride<_8,_1>>", "(4,8):(8,1)" },
	{ "Layout<Shape <_2,Shape <_1,_6>>, Stride<_1,Stride<_6,_2>>>{}", "(2,(1,6)):(1,(6,2))" },
	{ "Layout< _4 , _1 > {}", "4:1" },
	{ "Layout<Shape<_4,Shape<_2,Int<8>>>>{}", "(4,(2,8)):(1,(4,8))" },
	{ "Layout<Shape<_4,Shape<_2,_8>>, LayoutRight>{}", "(4,(2,8)):(16,(8,1))" },
	{ "Layout<Shape<_4,_8>,GenColMajor{}>", "(4,8):(1,4)" },
	{ "Layout<Shape<_4,_8>,Stride<_-1,Int<-4>>>", "(4,8):(-1,-4)" },
	{ "make_layout(make_shape(Int<2>{}, _4{}), make_stride(Int<12>{}, Int<1>{}))",
		"(2,4):(12,1)" },
	{ "make_layout(make_shape(2, make_shape(3, 5)), GenRowMajor{})", "(2,(3,5)):(15,(5,1))" },
	{ "make_layout(Shape<_2,_4>{}, LayoutRight{})", "(2,4):(4,1)" },
	{ "make_layout((2, 4), stride=(4, 1))", "(2,4):(4,1)" },
	{ "make_layout(Int<4>{}, Int<2>{})", "4:2" },
	{ "cute.composition(cute.make_layout((6, 2), stride=(8, 2)), cute.make_layout((4, 3), "
		"stride=(3, 1)))", "((2,2),3):((24,2),8)" },
	{ "cute.zipped_divide(cute.make_layout((9, (4, 8)), stride=(59, (13, 1))), "
		"(cute.make_layout(3, stride=3), cute.make_layout((2, 4), stride=(1, 8))))",
		"((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))" },
	{ "let T = 3:4\ncomposition((12,(4,8)):(59,(13,1)), <T, 8:2>)", "(3,(2,4)):(236,(26,1))" },
	{ "let T = 3:4\ncomposition((12,(4,8)):(59,(13,1)), <T, <T, 8>>)",
		"(3,(3,8)):(236,(52,1))" },
	{ "cute.coalesce((2,(1,6)):(1,(6,2)), target_profile=(1, 1))", "(2,6):(1,2)" },
	{ "S<3,3,3> o 0 o (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)" },
	{ "S<2,4,3>", "Sw<2,4,3>" },
	{ "ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, "
		"Layout<Shape<_8,_64>,Stride<_64,_1>>>", "Sw<3,3,3> o 0 o (8,64):(64,1)" },
	{ "ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag, "
		"Layout<Shape<_8,_1024>,Stride<_1024,_1>>>{}", "Sw<3,7,3> o 0 o (8,1024):(1024,1)" },
	{ "ComposedLayout<Swizzle<2,4,3>{}, Int<0>, (8,8):(8,1)>", "Sw<2,4,3> o 0 o (8,8):(8,1)" },
	{ "tile_to_shape(ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, "
		"Layout<Shape<_8,_64>,Stride<_64,_1>>>{}, make_shape(Int<128>{}, Int<64>{}))",
		"Sw<3,3,3> o 0 o (128,64):(64,1)" },
	{ "cute.size(cute.make_layout((4, 8)))", "32" },
	{ "cute::make_layout(cute::make_shape(4, cute::_8{}), cute::LayoutRight{})", "(4,8):(8,1)" },
	{ "cute::Layout<cute::Shape<cute::_4, cute::Int<8>>>{}", "(4,8):(1,4)" },
	{ "cute::SM90::GMMA::Layout_K_INTER_Atom<cute::half_t>", "(8,8):(8,1)" },
	{ "cute.make_layout(shape=(4, 8), stride=(8, 1))", "(4,8):(8,1)" },
	{ "GMMA::Layout_K_INTER_Atom<half_t>", "(8,8):(8,1)" },
	{ "GMMA::Layout_K_SW32_Atom<float>{}", "Sw<1,2,3> o 0 o (8,8):(8,1)" },
	{ "SM90::GMMA::Layout_K_SW128_Atom<cutlass::half_t>{}", "Sw<3,3,3> o 0 o (8,64):(64,1)" },
	{ "Layout_K_SW64_Atom<uint8_t>", "Sw<2,4,3> o 0 o (8,64):(64,1)" },
	{ "GMMA::Layout_MN_SW128_Atom<bfloat16_t>{}", "Sw<3,3,3> o 0 o (64,8):(1,64)" },
	{ "UMMA::Layout_MN_SW64_Atom<tfloat32_t>", "Sw<2,2,3> o 0 o (16,8):(1,16)" },
	{ "UMMA::Layout_K_SW128_Atom<float_e2m1_t>", "Sw<3,5,3> o 0 o (8,256):(256,1)" },
	{ "GMMA::Layout_MN_INTER_Atom<int8_t>", "(16,8):(1,16)" },
	{ "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(_128{}, _64{}))",
		"Sw<3,3,3> o 0 o (128,64):(64,1)" },
	{ "make_ordered_layout((4,8), (1,0))", "(4,8):(8,1)" },
	{ "cute.make_ordered_layout((4, 8), order=(1, 0))", "(4,8):(8,1)" },
	/* Python's keywords */
	{ "cute.make_layout(shape=(4, 2), stride=(2, 1))", "(4,2):(2,1)" },
	{ "cute.size((4,2):(2,1), mode=[0])", "4" },
	{ "cute.select((4,2,3):(2,1,8), mode=[2, 0])", "(3,4):(8,2)" },
	{ "cute.group_modes((4,2,3):(2,1,8), begin=0, end=2)", "((4,2),3):((2,1),8)" },
	{ "cute.local_tile((16,32):(32,1), tiler=(4, 8), coord=(0, 0))", "(4,8):(32,1)" },
	{ "cute.tile_to_shape((4,8):(8,1), trg_shape=(8, 8), order=(1, 0))", "(8,8):(8,1)" },
	{ "cute.logical_divide((4,8):(8,1), tiler=(2, 4))", "((2,2),(4,2)):((8,16),(1,4))" },
	{ "cute.logical_product((2,2):(2,1), tiler=6:1)", "((2,2),6):((2,1),4)" },
	{ "make_ordered_layout((4,8), [0, 1])", "(4,8):(1,4)" },
	{ "make_ordered_layout((4,(2,3),5), Step<_3,_1,_2>{})", "(4,(2,3),5):(30,(1,2),6)" },
	{ "make_ordered_layout((4,(2,3)), (0,(2,1)))", "(4,(2,3)):(1,(12,4))" },
	{ "make_ordered_layout((4,(2,3),5), (2,1,0))", "(4,(2,3),5):(30,(5,10),1)" },
	{ "make_layout_tv((4,32):(32,1), (4,4):(4,1))", "((32,4),(4,4)):((64,4),(16,1))" },
	{ "cute.make_layout_tv(make_ordered_layout((2,2), order=(1,0)), make_layout((1,2)))",
		"((2,2),2):((4,1),2)" },
	{ "make_layout(Layout<_4>{}, Layout<Shape<_2,_3>,Stride<_4,_8>>{})", "(4,(2,3)):(1,(4,8))" },
	{ "make_shape(4, 8):make_stride(8, 1)", "(4,8):(8,1)" },
	{ "Swizzle<2,3,3>{}", "Sw<2,3,3>" },
	{ "composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>,Stride<_64,_1>>{})",
		"Sw<3,3,3> o 0 o (8,64):(64,1)" },
	{ "composition((12,(4,8)):(59,(13,1)), Tile<Layout<_3,_4>, Layout<_8,_2>>{})",
		"(3,(2,4)):(236,(26,1))" },
	{ "composition((12,(4,8)):(59,(13,1)), make_tile(Layout<_3,_4>{}, Layout<_8,_2>{}))",
		"(3,(2,4)):(236,(26,1))" },
	{ "composition((12,(4,8)):(59,(13,1)), Shape<_3,_8>{})", "(3,(4,2)):(59,(13,1))" },
	{ "composition((12,(4,8)):(59,(13,1)), make_shape(Int<3>{}, Int<8>{}))",
		"(3,(4,2)):(59,(13,1))" },
	{ "zipped_divide(Layout<Shape<_8,_8>>{}, Tile<_2,_>{})", "((2,8),(4,1)):((1,8),(2,0))" },
	{ "coalesce(Layout<Shape<_2,Shape<_1,_6>>,Stride<_1,Stride<_6,_2>>>{}, Step<_1,_1>{})",
		"(2,6):(1,2)" },
	{ "local_tile((128,64):(64,1), Shape<_32,_16>{}, make_coord(1, 2))",
		"Sw<0,0,0> o 2080 o (32,16):(64,1)" },
	{ "((4,8):(8,1))((2,3))", "19" },
	{ "(((2,4)):((1,2)))((1,3))", "7" },
	{ "(Layout<Shape<_4,_8>,Stride<_8,_1>>{})(make_coord(2, 3))", "19" },
	{ "tile_to_shape((4,2):(2,1), (8, 2, 3))", "(8,2,3):(2,1,16)" },
	{ "tile_to_shape(Sw<3,3,3> o 0 o (8,64):(64,1), (128, 128))",
		"Sw<3,3,3> o 0 o (128,(64,2)):(64,(1,8192))" },
	{ "composition((4,8):(8,1), (2,4))", "(2,4):(8,1)" },
	{ "composition((8,4):(1,8), (2,2):(1,4))", "(2,2):(1,4)" },
	{ "logical_divide((4,8):(8,1), (2,4))", "((2,2),(4,2)):((8,16),(1,4))" },
	{ "logical_divide((4,8):(8,1), (2:2,_))", "((2,2),8):((16,8),1)" },
	{ "composition((16,(6,8)):(48,(8,1)), <4,<3,2>>)", "(4,(3,2)):(48,(8,1))" },
	{ "composition((16,(6,8)):(48,(8,1)), (4,(3,2)))", "(4,(3,2)):(48,(8,1))" },
	{ "composition((16,(6,8)):(48,(8,1)), <4,<_,2:4>>)", "(4,(6,2)):(48,(8,4))" },
	{ "logical_divide((16,(6,8)):(48,(8,1)), <4,<3,2>>)",
		"((4,4),((3,2),(2,4))):((48,192),((8,24),(1,2)))" },
	{ "zipped_divide((16,(6,8)):(48,(8,1)), (4,(3,2)))",
		"((4,(3,2)),(4,(2,4))):((48,(8,1)),(192,(24,2)))" },
	{ "zipped_divide((16,(6,8)):(48,(8,1)), <_,<3,_>>)",
		"((16,(3,8)),(1,(2,1))):((48,(8,1)),(0,(24,0)))" },
	{ "tiled_divide((16,(6,8),5):(48,(8,1),1000), <4,<6,2>>)",
		"((4,(6,2)),4,(1,4),5):((48,(8,1)),192,(0,2),1000)" },
	{ "flat_divide((16,(6,8)):(48,(8,1)), <4,<3,2>>)",
		"(4,(3,2),4,(2,4)):(48,(8,1),192,(24,2))" },
	{ "zipped_product((2,(2,2)):(4,(1,2)), <2,<3,_>>)",
		"((2,(2,2)),(2,(3,1))):((4,(1,2)),(1,(2,0)))" },
	{ "local_tile((16,(6,8)):(48,(8,1)), (4,(3,2)), (1,(1,2)))",
		"Sw<0,0,0> o 220 o (4,(3,2)):(48,(8,1))" },
	{ "local_tile((16,16):(16,1), (4,8), (1,1))", "Sw<0,0,0> o 72 o (4,8):(16,1)" },
	{ "local_tile((16,16):(16,1), <4,8>, (0,_))", "(4,8,2):(16,1,8)" },
	{ "local_tile((16,16):(16,1), (4,8), (_))", "(4,8,4,2):(16,1,64,8)" },
	{ "local_tile((16,16):(16,1), (4,8), 5)", "Sw<0,0,0> o 72 o (4,8):(16,1)" },
	/* infix, and what CuTe prints before a tensor's layout */
	{ "(4,8):(8,1) o (2,4):(1,4)", "(2,4):(8,1)" },
	{ "(4,8):(8,1) o (2,4)", "(2,4):(8,1)" },
	{ "(16,(6,8)):(48,(8,1)) o <4,<3,2>>", "(4,(3,2)):(48,(8,1))" },
	{ "(8,64):(64,1) o 16:1 o 4:2", "4:128" },
	{ "let A = (4,8):(8,1)\nlet B = (2,4):(1,4)\nA o B", "(2,4):(8,1)" },
	{ "inverse((4,8):(8,1) o (4,8):(1,4))", "(8,4):(4,1)" },
	{ "{ [i] -> [2i] } o { [i] -> [3i] }", "{ [i] -> [6i] }" },
	{ "Sw<3,4,3> o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)" },
	{ "Sw<3,4,3> o -4 o (8,64):(64,1)", "Sw<3,4,3> o -4 o (8,64):(64,1)" },
	{ "Sw<3,4,3> o _8 o (_8,_64):(_64,_1)", "Sw<3,4,3> o 8 o (8,64):(64,1)" },
	{ "Sw<3,4,3> o make_layout((8,64))", "Sw<3,4,3> o 0 o (8,64):(1,8)" },
	{ "gmem_ptr[32b](0x7f0000000000) o (4,8):(8,1)", "(4,8):(8,1)" },
	{ "ptr[8b](nullptr) o (4,8):(8,1)", "(4,8):(8,1)" },
	{ "smem_ptr[16b](0x7f0000000000) o Sw<3,4,3> o _0 o (_8,_64):(_64,_1)",
		"Sw<3,4,3> o 0 o (8,64):(64,1)" },
	{ "Sw<3,4,3> o smem_ptr[8b](unset) o (8,128):(128,1)",
		"Sw<3,4,3> o 0 o (8,128):(128,1)" },
	{ "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
		"Sw<3,3,3> o 0 o (8,64):(64,1)" },
	{ "Sw<3,4,3>_smem_ptr[32b](0x7f0000000000) o (8,32):(32,1)",
		"Sw<3,2,3> o 0 o (8,32):(32,1)" },
	{ "Sw<3,4,3> o smem_ptr[4b](unset) o (8,256):(256,1)",
		"Sw<3,5,3> o 0 o (8,256):(256,1)" },
	{ "((4,8):(8,1))(1,2)", "10" },
	{ "((4,8):(8,1))(9)", "10" },
	{ "(((4,8):(8,1)))(1,2)", "10" },
	{ "(compose((4,8):(8,1), (2,4)))(1,3)", "11" },
	{ "((4,8):(8,1))((9))", NULL },
	{ "((4,8):(8,1))(_,3)", "Sw<0,0,0> o 3 o 4:8" },
	{ "((4,8):(8,1))(_,0)", "4:8" },
	{ "((4,(2,4)):(8,(1,2)))(_,(1,_))", "Sw<0,0,0> o 1 o (4,4):(8,2)" },
	{ "((4,(2,4)):(8,(1,2)))(3,5)", "29" },
	{ "(pack_map<(4,8):(8,1)>)(1,2)", "10" },
	{ "(Sw<3,3,3> o 0 o (8,64):(64,1))(1,9)", "65" },
	{ "zipped_divide((4,8):(8,1), (2,4))(_, 3)", "Sw<0,0,0> o 20 o (2,4):(8,1)" },
	{ "make_layout((4,8))(3,4)", "19" },
	{ "size(make_layout((4,8))(_,4))", "4" },
};

static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = print_any(ctx, rows[i].text);

		if (!text != !rows[i].printed || (text && strcmp(text, rows[i].printed)))
			fail_msg("%s: %s (%s)", rows[i].text, text ? text : "nothing",
				layout_context_message(ctx));
		layout_string_free(text);
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *text;
	long position;
	const char *message;
} errors[] = {
	{ "size(row_major[4])", 5, "size: expected a CuTe layout, found a storage" },
	{ "select(4:1, [3])", 0, "there is no mode 3: the layout has 1" },
	{ "select<3>(4:1)", 0, "there is no mode 3: the layout has 1" },
	{ "select<-1>(4:1)", 7, "a coordinate must be at least 0, not -1" },
	{ "select<1(4:1)", 8, "expected `,` or `>`" },
	{ "select<0>(4:1, [0])", 13, "expected `)`" },
	{ "select<0>(row_major[4])", 10, "select: expected a CuTe layout, found a storage" },
	{ "group<0>((2,3):(1,2))", 5, "expected 2 numbers for group_modes, found 1" },
	{ "group<0,1,2>((2,3):(1,2))", 5, "expected 2 numbers for group_modes, found 3" },
	{ "size<1,2>((2,3):(1,2))", 4, "there is no mode 2: the layout has 1" },
	{ "coalesce<1>((2,3):(1,2))", 8, "expected `(`" },
	{ "group_modes((2,3):(1,2), 1, 1)", 25, "modes 1 to 1 are no range of the 2" },
	{ "group_modes((2,3):(1,2), -1, 3)", 25, "no range of the 2" },
	{ "make_layout((4,8), (1))", 19, "must be congruent" },
	{ "Layout<Shape<_4,_8>,Stride<_8>>", 20, "must be congruent" },
	{ "Layout<Shape<_4,_8>", 19, "expected `,` or `>`" },
	{ "Layout<Shape<_4,_8)", 18, "expected `,` or `>`" },
	{ "Layout<Shape<_4,M>>", 16, "expected an integer or `(`" },
	{ "Layout<Shape<_-4>>", 13, "a shape must be at least 0" },
	{ "Layout<Int<4>", 13, "expected `,` or `>`" },
	{ "let T = row_major[4]\ncomposition(4:1, <T>)", 39, "expected a CuTe layout" },
	{ "composition(4:1, <size(4:1)>)", 18, "expected a CuTe layout" },
	{ "ComposedLayout<Layout<_4>, _0, Layout<_4>>", 15, "expected `Swizzle`" },
	{ "ComposedLayout<Swizzle<3,4,3>, x, Layout<_4>>", 31, "expected an integer, `smem" },
	{ "ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<3>, 4:1>", 31, "elements have 1, 2" },
	{ "ComposedLayout<Swizzle<3,4,3>, _0, Layout<_4>", 45, "expected `,` or `>`" },
	{ "GMMA::Layout_K_SW128_Atom<T>{}", 26, "the type of an element: `half_t`" },
	{ "GMMA::Layout_K_SW128_Atom<half_t", 32, "expected `>`" },
	{ "GMMA::Layout_K_SW128_Atom{}", 25, "expected `<`" },
	{ "GMMA::Layout_K_SW129_Atom<half_t>", 0, "expected an expression, found `GMMA`" },
	{ "make_ordered_layout((4,8), [7, 1])", 27, "expected an order of the shape's modes" },
	{ "make_ordered_layout((4,8), [1, 1])", 27, "expected an order of the shape's modes" },
	{ "make_ordered_layout(4, (0,1))", 23, "expected an order of the shape's modes" },
	{ "make_ordered_layout((), (0,1))", 24, "expected" },
	{ "make_ordered_layout((4,(2,8)), (1))", 31, "expected an order of the shape's modes" },
	{ "make_ordered_layout((4294967296,4294967296,2), (1,0,2))", 47, "in 64 bits" },
	{ "tvm.tir.IndexMap.from_func(8)", 0, "an index map is affine_map<" },
	{ "cute::print_layout(4:1)", 6, "layoutc show LAYOUT draws it" },
	{ "4:1 cute::", 4, "expected the end of the text, found `cute`" },
	{ "T.Layout([4], 8)", 0, "a layout of shape and strides is (8,64):(64,1)" },
	{ "S 4", 0, "expected an expression" },
	{ "make_layout(stride=(4,1))", 12, "expected an expression, found `stride`" },
	{ "(4:1)(make_coord())", 5, "the coordinate has " },
	{ "((4,8):(8,1))(())", 13, "the coordinate has " },
	{ "cute.frob(4:1)", 0, "unknown function `cute.frob`" },
	{ "Layout<Int<x>>", 11, "expected an integer" },
	{ "make_shape(4, 8)", 16, "expected `:`" },
	{ "make_shape(4, 8>", 15, "expected `,` or `)`" },
	{ "tile_to_shape((4,2):(2,1), (8, 8), Step<_1>)", 35, "an order of 2 modes, found 1" },
	{ "composition((4,8):(8,1), Tile<_2)", 32, "expected `,` or `>`" },
	{ "make_layout((4,8), 4:1)", 19, "expected the stride of the shape" },
	{ "make_layout((4,8), (1,4), 2:1)", 26, "a shape has one stride" },
	{ "make_layout(4:1, (2,2))", 17, "expected a CuTe layout beside others" },
	{ "make_layout(4:1, Sw<1,0,1>)", 0, "mode 1 is swizzled" },
	{ "make_layout((-4,8))", 0, "shape" },
	{ "tile_to_shape((4,2):(2,1), (9, 8))", 27, "blocks of 4 do not fill 9 in mode 0" },
	{ "tile_to_shape((4,0):(1,4), (8, 8))", 27, "blocks of 0 do not fill 8 in mode 1" },
	{ "tile_to_shape((4,2):(2,1), (8, 0))", 27, "blocks of 2 do not fill 0 in mode 1" },
	{ "tile_to_shape((4,2):(2,1), 8)", 27, "the shape has 1 modes where the block has 2" },
	{ "tile_to_shape((4,2):(2,1), (8,(2,4)))", 27, "expected a number for each mode" },
	{ "tile_to_shape((4,2):(2,1), (8,8), [0, 0])", 27, "the order is no permutation" },
	{ "local_tile((16,16):(16,1), 4:1, (0,0))", 27, "expected a tiler" },
	{ "composition((16,(6,8)):(48,(8,1)), <4,<3,2,5>>)", 0,
		"the tiler has 3 modes where the layout has 2" },
	{ "composition((16,8):(8,1), <4,<3,2>>)", 0,
		"the tiler has 2 modes where the layout has 1" },
	{ "zipped_divide((4,(6,8)):(48,(8,1)), <4,<3,x>>)", 42,
		"expected a layout, an integer or `_`" },
	{ "zipped_divide((4,(6,8)):(48,(8,1)), <4,<3,2)", 43, "expected `,` or `>`" },
	{ "zipped_divide(Sw<1,0,1> o 0 o (16,(6,8)):(48,(8,1)), <4,<3,2>>)", 0,
		"mode 0 is swizzled, which one mode of a layout cannot be" },
	{ "4:1 o", 5, "expected an expression" },
	{ "4:1 o x", 6, "expected an expression, found `x`" },
	{ "4:1 o { [i] }", 6, "compose: expected a relation, found a set" },
	{ "(6,2):(1,7) o (3,2):(2,3) o x", 28, "expected an expression" },
	{ "Sw<3,4,3> o smem_ptr[16](1) o 4:1", 23, "expected `b`" },
	{ "Sw<3,4,3> o smem_ptr[12b](1) o 4:1", 12, "elements have 1, 2, 4, .. or 128 bits" },
	{ "Sw<3,0,3> o smem_ptr[16b](1) o 4:1", 12, "moves parts of elements of 16 bits" },
	{ "smem_ptr[16b](1) 4:1", 17, "expected `o`" },
	{ "smem_ptr[16b]", 13, "expected `(`" },
	{ "((4,8):(8,1))(1,2,3)", 13, "the coordinate has 3 modes where the layout has 2" },
	{ "((4,8):(8,1))(1,-2)", 16, "a coordinate must be at least 0, not -2" },
	{ "((4,0):(8,1))(1,2)", 13, "there is no coordinate 2 of a mode of 0" },
	{ "(row_major[4,4])(1,2)", 16, "expected a CuTe layout, found a storage" },
	{ "((4,8):(8,1))(1,", 16, "expected an integer, `_` or `(`" },
	{ "tv((4,2):(-1,1), [8])", 3, "the layout has a negative stride" },
	{ "tv(8:1, [2, 4])", 3, "expected the two modes (threads, values), found 1" },
	{ "tv(((4,8),2):((16,1),8), [8, 4])", 3, "reaches 64 elements, the tile has 32" },
};

static void test_errors(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(errors); i++) {
		assert_null(print_any(ctx, errors[i].text));
		if (!strstr(layout_context_message(ctx), errors[i].message) ||
		    layout_context_position(ctx) != errors[i].position)
			fail_msg("%s: %ld %s", errors[i].text, layout_context_position(ctx),
				layout_context_message(ctx));
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

/* CuTe's picture of a layout of threads and values: L(t, v) is a number of the tile, its
 * first dimension the fastest. */
static bool see_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	unsigned *count = user;
	int64_t t = in[0], number = t % 4 * 16 + t / 4 + in[1] * 8;

	assert_int_equal(in_rank, 2);
	assert_int_equal(image_rank, 2);
	assert_int_equal(image[0], number % 8);
	assert_int_equal(image[1], number / 8);
	++*count;
	return true;
}

static void test_tv_points(void **state)
{
	layout_context *ctx = layout_context_new();
	layout_value *value = layout_value_parse(ctx, "tv(((4,8),2):((16,1),8), [8, 8])");
	unsigned count = 0;

	(void)state;
	assert_non_null(value);
	assert_true(layout_value_for_each(value, NULL, 0, see_pair, &count));
	assert_int_equal(count, 64);
	layout_value_free(value);
	assert_true(layout_context_free(ctx));
}

/* Cells that nobody holds, and cells with two holders. */
static const struct {
	const char *command, *output;
} pictures[] = {
	{ "show 'tv((4,2):(1,4), [2, 6])'",
		"      0     1       2     3       4     5\n"
		"0 T0:r0 T2:r0 | T0:r1 T2:r1 |     -     -\n"
		"1 T1:r0 T3:r0 | T1:r1 T3:r1 |     -     -\n" },
	{ "show 'tv((4,(2,2)):(2,(1,0)), [2, 4])'",
		"       0       1       2       3\n"
		"0 T0:r0+1 T1:r0+1 T2:r0+1 T3:r0+1\n"
		"1 T0:r1+1 T1:r1+1 T2:r1+1 T3:r1+1\n"
		"+1: one more place holds the element\n" },
	{ "show 'as((2,2):(2,1), in = [T = 2, V = 2], out = [2, 2], order = colex)'",
		"      0     1\n0 T0:r0 T1:r0\n1 T0:r1 T1:r1\n" },
	{ "check 'tv((4,2):(1,4), [2, 6])' --is surjective", "surjective: no: (0, 4)\n" },
};

static void test_pictures(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(pictures); i++) {
		int status;
		char *output = shell_output(&status, "'%s' %s", LAYOUTC_PATH, pictures[i].command);

		if (!strstr(output, pictures[i].output))
			fail_msg("%s:\n%s", pictures[i].command, output);
		free(output);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_tv_points),
		cmocka_unit_test(test_pictures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
