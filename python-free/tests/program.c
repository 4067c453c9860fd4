/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs as text: printed and read back, refused with a position, verified for all
 * sizes; and the same built from C. */
#include <layout/codegen.h>
#include <layout/layout.h>

#include "program/broken.h"
#include "isl_bridge/context.h"
#include "support/program_data.h"
#include "support/random.h"
#include "support/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "program p(A: in row_major[M, K] f32, I: in row_major[M] i32, " \
	"S: out row_major[M] f32, T: inout row_major[M] f32) {\n" \
	"  grid (m) in (ceil(M/4)) workers w in 1\n"
#define BODY(text) HEAD text "\n}"

/* Bodies that print as they are written. */
static const char *const same[] = {
	"",
	"  a = load A[4*m, 0] : [4, 8]",
	"  assume M >= 1 and K <= 4096\n  a = load A[4*m, 0] : [4, 8]",
	"  a = load A[4*m, -3] : [4, 8] (pad = -inf)",
	"  a = load A[4*m, 8*m + 3] : [4, 8] @ { [lane, r] -> [(lane), (r)] : "
		"0 <= lane <= 3 and 0 <= r <= 7 }",
	"  i = load I[4*m] : [4]\n  a = load T[i] : [4]",
	"  x: [] f32 = fill 1",
	"  x: [4] i32 = index 0\n  y = map f32(x) * 0.5 - f32(M)",
	"  x: [4] f32 = fill 0x3f800000\n  y = map -x / (x + 2) - (x - x)",
	"  x: [4] f32 = fill nan\n  y = map select(x < 1, x, max(x, 0)) * -2",
	"  x: [4] f32 = fill 1\n  y = map x == x\n  z = map select(y, x, fma(x, x, 1))",
	"  x: [4] f32 = fill 1\n  y = map rsqrt(exp(x)) + abs(x) * erf(tanh(x))",
	"  x: [2, 1, 4] f16 = fill 1\n  y = view x permute [2, 0, 1]\n"
		"  z = view y project [2]\n  u = view z expand 0 into [2, 2]\n"
		"  v = view u collapse [1, 2]\n  w2 = view x broadcast [3, 2, 5, 4]",
	"  x: [4, 8] f16 = fill 1\n  y = view x through { [i] -> [i, 2i] } : [4]\n"
		"  z: [2] f16 @ { [lane] -> [lane] : 0 <= lane <= 1 } = view y against (4):(1) : [2]",
	"  x: [4, 8] f16 = fill 1\n  r = reduce add x over [1] keep in f32\n"
		"  q = reduce argmax x over [0, 1]",
	"  x: [4, 8] f16 = fill 1\n  y: [4, 4] f32 = fill 0\n"
		"  z = contract y, x, x : (i, j, k) -> (i, k), (j, k), (i, j) by valu",
	"  owner o = { [lane] -> [(lane)] : 0 <= lane <= 3 }\n  x: [4] f32 @ o = fill 1\n"
		"  y = convert x @ (4):(1)",
	"  a = load A[4*m, 0] : [4, 8]\n  b = load A[4*m, 8] : [4, 8] @ like a\n"
		"  c: [4, 8] f32 @ like b = map a + b\n  d = convert c @ like a\n"
		"  for k in 3 carry s: [4, 8] f32 @ like a = d {\n    yield s\n  }",
	"  a = load T[4*m] : [4] @ { [lane] -> [(lane)] : 0 <= lane <= 3 }\n  o = map a + 1\n"
		"  b = convert a @ { [lane] -> [(lane)] : 0 <= lane <= 3 }",
	"  x: [4] f32 = fill 1\n  when m < 3 and M - m >= 4 {\n    store x -> S[4*m]\n  }",
	"  x: [4] f32 = fill 1\n  for k in ceil(K/8) stages 2 carry s: [4] f32 = x, "
		"t: [4] f32 = x {\n    for j in 3 {\n      y = map s + t\n    }\n"
		"    z = map s * t\n    yield t, z\n  }\n  store s -> S[4*m]",
	"  lds l: [4, 8] f16\n  lds q: [4, 8] f32 @ strided[4, 8 : 9, 1]\n"
		"  x: [4, 4] f16 = fill 1\n  put x -> l[0, 0]\n  put x -> l[0, 4]\n"
		"  y = get l[2, 0] : [2, 8]\n  z = get l[2, 0] : [1, 8] @ { [lane] -> [0, (lane)] : "
		"0 <= lane <= 7 }",
};

static void test_same(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(same) / sizeof(*same); i++) {
		layout_context *ctx = layout_context_new();
		layout_program *program;
		char text[2048], *printed;

		snprintf(text, sizeof(text), *same[i] ? HEAD "%s\n}" : HEAD "%s}", same[i]);
		program = layout_program_parse(ctx, text);
		if (!program)
			fail_msg("%s\n%s at %ld", text, layout_context_message(ctx),
				layout_context_position(ctx));
		printed = layout_program_str(program);
		assert_string_equal(printed, text);
		layout_string_free(printed);
		layout_program_free(program);
		assert_true(layout_context_free(ctx));
	}
}

/* What is written in fewer words prints as statements of their own, and then stays. */
static void test_normal(void **state)
{
	static const char text[] = BODY("  for k in 3 carry s: [4] f32 = fill 0 { yield "
		"map s + 1 } // behind\n  # a comment\n  t = s\n  store view (load "
		"T[4*m] : [4]) permute (0) -> S[4*m]");
	static const char normal[] = BODY("  _0: [4] f32 = fill 0\n  for k in 3 carry s: [4] "
		"f32 = _0 {\n    _2 = map s + 1\n    yield _2\n  }\n  t = map s\n"
		"  _5 = load T[4*m] : [4]\n  _6 = view _5 permute [0]\n  store _6 -> S[4*m]");
	layout_context *ctx = layout_context_new();
	layout_program *program = layout_program_parse(ctx, text);
	char *printed = layout_program_str(program);

	(void)state;
	assert_string_equal(printed, normal);
	layout_program_free(program);
	program = layout_program_parse(ctx, printed);
	layout_string_free(printed);
	printed = layout_program_str(program);
	assert_string_equal(printed, normal);
	layout_string_free(printed);
	layout_program_free(program);
	assert_true(layout_context_free(ctx));
}

/* Bodies with an error at the first "^", which is not part of them. */
static const struct wrong {
	const char *body;
	layout_error kind;
	const char *message;
} wrong[] = {
	{ "^+", LAYOUT_ERROR_PARSE, "expected a statement, found `+`" },
	{ "x ^y", LAYOUT_ERROR_PARSE, "expected `:` or `=`, found `y`" },
	{ "x = ^y", LAYOUT_ERROR_PARSE, "there is no tile `y`" },
	{ "x: [4] f32 @ like ^y = fill 0", LAYOUT_ERROR_PARSE, "there is no tile `y`" },
	{ "x: [4] f32 = fill 0 ^y: [3] f32 @ like x = fill 0", LAYOUT_ERROR_INVALID,
		"has another box than the tile it is to be like" },
	{ "x: [4] f32 = fill 0 y: [4, 2] f32 @ ^like x = fill 0", LAYOUT_ERROR_SPACE,
		"the owner is of rank 1, the box of rank 2" },
	{ "x: [4] f32 = fill 0 y = view x through ^like x : [4]", LAYOUT_ERROR_INVALID,
		"`x` has no owner of its own to see through" },
	{ "x = fill ^0", LAYOUT_ERROR_PARSE, "it needs a type" },
	{ "x: [4] f32 = fill ^one", LAYOUT_ERROR_INVALID, "one" },
	{ "x: [4] ^f33 = fill 0", LAYOUT_ERROR_INVALID, "f33" },
	{ "x: [0] f32 = fill ^0", LAYOUT_ERROR_INVALID, "at least 1" },
	{ "x: [2097152] f32 = fill ^0", LAYOUT_ERROR_INVALID, "at most 1048576 elements" },
	{ "x: [4] f32 = fill 0 ^x: [4] f32 = fill 0", LAYOUT_ERROR_INVALID,
		"there is a tile `x` already" },
	{ "^A: [4] f32 = fill 0", LAYOUT_ERROR_INVALID, "there is an argument `A` already" },
	{ "^M: [4] f32 = fill 0", LAYOUT_ERROR_INVALID,
		"there is a size or coordinate `M` already" },
	{ "x = load ^B[0] : [4]", LAYOUT_ERROR_PARSE, "the program has no argument or object `B`" },
	{ "x = load ^S[0] : [4]", LAYOUT_ERROR_INVALID, "`S` is `out`: it is not read" },
	{ "x = load ^A[0] : [4]", LAYOUT_ERROR_SPACE, "`A` has 2 dimensions, 1 positions" },
	{ "x = load ^A[0, 0] : [4]", LAYOUT_ERROR_SPACE, "`A` has 2 dimensions, the box 1" },
	{ "x = load ^A[Q, 0] : [4, 4]", LAYOUT_ERROR_INVALID,
		"`Q` is no size, coordinate or counter here" },
	{ "x = load A[m^*M, 0] : [4, 4]", LAYOUT_ERROR_PARSE, "not affine" },
	{ "x: [4] f32 = fill 1 y = load ^T[x] : [4]", LAYOUT_ERROR_INVALID,
		"indices of i32, `x` has f32" },
	{ "x: ^[4] f16 = load T[0] : [4]", LAYOUT_ERROR_INVALID, "another box or type" },
	{ "x: [4] f32 = fill 1 store x -> ^A[0, 0]", LAYOUT_ERROR_SPACE,
		"`A` has 2 dimensions, the box 1" },
	{ "x: [4] f32 = fill 1 store x -> ^I[0]", LAYOUT_ERROR_INVALID,
		"`I` is `in`: it is not written" },
	{ "x: [4] i32 = fill 1 store x -> ^S[0]", LAYOUT_ERROR_INVALID,
		"a cast is missing" },
	{ "x: [4] f32 = fill 1 y: [3] f32 = fill 1 z = map ^x + y", LAYOUT_ERROR_SPACE,
		"`y` and what it meets" },
	{ "x: [4] f32 = fill 1 y: [4] i32 = fill 1 z = map x ^+ y", LAYOUT_ERROR_INVALID,
		"f32 meets i32: a cast is missing" },
	{ "z = map ^1 + 2", LAYOUT_ERROR_INVALID, "a number alone has no type" },
	{ "z = map ^M", LAYOUT_ERROR_INVALID, "a map is of tiles" },
	{ "x: [4] i32 = fill 1 z = map ^exp(x)", LAYOUT_ERROR_INVALID,
		"exp is of floating point, not of i32" },
	{ "x: [4] f32 = fill 1 z = map ^select(x, x, x)", LAYOUT_ERROR_INVALID,
		"a select begins with i1" },
	{ "x: [4] f32 = fill 1 z = map max(x^)", LAYOUT_ERROR_PARSE, "expected `,`" },
	{ "x: [4] f32 = fill 1 z = map x = ^1", LAYOUT_ERROR_PARSE, "expected `=`, found `1`" },
	{ "x: [4] f32 = fill 1 z = map x ! ^x", LAYOUT_ERROR_PARSE, "expected `=`, found `x`" },
	{ "when m ! ^1 { }", LAYOUT_ERROR_PARSE, "expected `=`, found `1`" },
	{ "x: [4] f32 = fill 1 z = map ^sinh(x)", LAYOUT_ERROR_INVALID, "sinh" },
	{ "x: [4] f32 = fill 1 z = view x ^permute [1]", LAYOUT_ERROR_INVALID, "dimension 1" },
	{ "x: [4] f32 = fill 1 z = view x ^project [0]", LAYOUT_ERROR_INVALID,
		"only dimensions of extent 1" },
	{ "x: [4] f32 = fill 1 z = view x ^expand 0 into [3, 2]", LAYOUT_ERROR_INVALID,
		"dimension 0 has 4 elements, the extents make 6" },
	{ "x: [4] f32 = fill 1 z = view x ^broadcast [5]", LAYOUT_ERROR_INVALID,
		"only dimensions of extent 1 are broadcast" },
	{ "x: [4] f32 = fill 1 z = view x ^through { [i] -> [i + 1] } : [4]",
		LAYOUT_ERROR_INVALID,
		"element (3) of the view would be one that `x` does not have" },
	{ "x: [4] f32 = fill 1 z = view x ^against { [i] -> [i + 1] } : [4]",
		LAYOUT_ERROR_INVALID, "element (0) of the view is none of `x`" },
	{ "x: [4] f32 = fill 1 z = view x ^through { [i] -> [i, i] } : [4]",
		LAYOUT_ERROR_SPACE, "the map has 1 inputs and 2 coordinates, it takes 1 and 1" },
	{ "x: [4] f32 = fill 1 z = view x ^through [N] -> { [i] -> [N] } : [4]",
		LAYOUT_ERROR_INVALID, "with the size N" },
	{ "x: [4] f32 = fill 1 z = view x through { [i] -> [i] } ^[4]", LAYOUT_ERROR_PARSE,
		"expected `:`" },
	{ "x: [4] f32 = fill 1 z = view x ^through { [i] -> [i] } : [0]",
		LAYOUT_ERROR_INVALID, "its extents are at least 1" },
	{ "x: [4] i32 = index ^99999", LAYOUT_ERROR_INVALID, "no dimension 99999" },
	{ "x: [4] i32 = index ^99999999999", LAYOUT_ERROR_INVALID, "no dimension 99999999999" },
	{ "x: [4] f32 = fill 1 z = reduce ^add x over [99999]", LAYOUT_ERROR_INVALID,
		"dimension 99999" },
	{ "x: [4] f32 = fill 1 z = reduce ^add x over [-1]", LAYOUT_ERROR_INVALID,
		"no dimension -1" },
	{ "x: [4] f32 = fill 1 z = reduce ^sum x over [0]", LAYOUT_ERROR_INVALID,
		"no reduction is called `sum`" },
	{ "x: [4] f32 = fill 1 z = reduce ^add x over [1]", LAYOUT_ERROR_INVALID,
		"dimension 1" },
	{ "x: [4] f32 = fill 1 z = reduce ^and x over [0]", LAYOUT_ERROR_UNSUPPORTED,
		"and of f32" },
	{ "x: [4] f32 = fill 1 z = reduce ^add x over [0] in f16", LAYOUT_ERROR_INVALID,
		"add of f32 is not computed in f16" },
	{ "x: [4] f32 = fill 1 z = contract ^x, x, x : (i) -> (i), (i), ()",
		LAYOUT_ERROR_SPACE, "`x` has 1 dimensions, its map 0" },
	{ "x: [4] f32 = fill 1 z = contract x, x, x : (i, ^i) -> (i), (i), (i)",
		LAYOUT_ERROR_PARSE, "`i` is there twice" },
	{ "x: [4] f32 @ ^{ [l, r] -> [l, r] } = fill 1", LAYOUT_ERROR_SPACE, "rank" },
	{ "x: [4] f32 @ (4,^:1 = fill 1", LAYOUT_ERROR_PARSE, "expected" },
	{ "for k in 3 carry s: [4] f32 = fill 0 { ^}", LAYOUT_ERROR_INVALID,
		"the loop carries 1 values, 0 are yielded" },
	{ "for k in 3 carry s: [4] f32 = fill 0 { x: [2] f32 = fill 0 ^yield x }",
		LAYOUT_ERROR_INVALID, "`s` is carried, `x` yielded" },
	{ "for k in 3 { x: [4] f32 = fill 0 } store ^x -> S[0]", LAYOUT_ERROR_PARSE,
		"there is no tile `x`" },
	{ "for ^m in 3 { }", LAYOUT_ERROR_INVALID, "there is a size or coordinate `m`" },
	{ "when m ^{ }", LAYOUT_ERROR_PARSE, "expected a comparison" },
	{ "assume ^m < 3", LAYOUT_ERROR_INVALID, "`m` is no size" },
	{ "x = load ^T[4611686018427387904*m] : [4]", LAYOUT_ERROR_OVERFLOW, "beyond 2^61" },
	{ "when ^4611686018427387904*m < 1 { }", LAYOUT_ERROR_OVERFLOW, "beyond 2^61" },
	{ "on ^w { }", LAYOUT_ERROR_INVALID, "there is no set of workers `w`" },
	{ "lds ^l: [0] f32", LAYOUT_ERROR_INVALID, "at least 1" },
	{ "lds ^A: [4] f32", LAYOUT_ERROR_INVALID, "there is an argument `A` already" },
	{ "lds l: [4] f32 lds ^l: [4] f32", LAYOUT_ERROR_INVALID,
		"there is an object `l` already" },
	{ "lds ^l: [4] f32 @ row_major[5]", LAYOUT_ERROR_INVALID,
		"the place has 5 in dimension 0, the box 4" },
	{ "lds ^l: [4] f32 @ row_major[M]", LAYOUT_ERROR_INVALID, "a storage of 1 numbers" },
	{ "lds ^l: [2, 4] f32 @ strided[2, 4 : 3, 1]", LAYOUT_ERROR_INVALID,
		"(0, 3) and (1, 0) of the box have one place" },
	{ "lds l: [4] f32 x = load ^l[0] : [4]", LAYOUT_ERROR_INVALID, "`get` is what reads it" },
	{ "lds l: [4] f32 x: [4] f32 = fill 0 store x -> ^l[0]", LAYOUT_ERROR_INVALID,
		"`put` is what writes it" },
	{ "x = get ^I[0] : [4]", LAYOUT_ERROR_INVALID, "`I` is not in the LDS" },
	{ "lds l: [4] f32 x: [4] f32 = fill 0 put x -> ^l[1]", LAYOUT_ERROR_INVALID,
		"4 elements from 1 on in dimension 0 are not inside of `l`, which has 4" },
	{ "lds l: [4] f32 x: [2] f32 = fill 0 put x -> ^l[2*m]", LAYOUT_ERROR_UNSUPPORTED,
		"positions in the LDS are numbers, not `2*m`" },
	{ "lds l: [4] f16 x: [4] f32 = fill 0 put x -> ^l[0]", LAYOUT_ERROR_INVALID,
		"a cast is missing" },
	{ "copy A[0, 0] -> ^l", LAYOUT_ERROR_PARSE, "there is no object `l`" },
	{ "copy A[0, 0] -> ^I", LAYOUT_ERROR_INVALID, "a copy goes to an object in the LDS" },
	{ "lds l: [4] f32 copy A[0, 0] -> ^l", LAYOUT_ERROR_SPACE,
		"`A` has 2 dimensions, `l` 1" },
	{ "lds l: [4] f32 copy ^A[0] -> l", LAYOUT_ERROR_SPACE,
		"`A` has 2 dimensions, 1 positions are given" },
	{ "lds l: [4] f32 copy l[0] -> ^l", LAYOUT_ERROR_INVALID, "`get` is what reads it" },
	{ "lds l: [4] i32 copy I[0] -> l by ^hand", LAYOUT_ERROR_PARSE,
		"expected `direct` or `registers`" },
};

static void test_wrong(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		program_refused(HEAD, wrong[i].body, " }", wrong[i].kind, wrong[i].message);
}

/* Bodies behind HEAD; what verify says of them, for all sizes. */
static const struct verified {
	const char *body;
	layout_answer answer;
	const char *reason, *witness;
} verified[] = {
	{ "x: [4] f32 = fill 0 store x -> S[4*m]", LAYOUT_YES, NULL, NULL },
	{ "lds l: [4] f32 x: [4] f32 = fill 0 put x -> l[0] y = get l[0] : [4] "
		"store y -> S[4*m]", LAYOUT_YES, NULL, NULL },
	{ "lds l: [4] f32 x: [3] f32 = fill 0 put x -> l[0] y = get l[0] : [4] "
		"store y -> S[4*m]", LAYOUT_NO,
		"(3): `y` gets the element of `l`, and nothing has put it before", NULL },
	{ "lds l: [4] f32 x: [4] f32 = fill 0 for k in K { put x -> l[0] } y = get l[0] : [4] "
		"store y -> S[4*m]", LAYOUT_NO, "(0): `y` gets the element of `l`", NULL },
	{ "lds l: [4] f32 x: [4] f32 = fill 0 put x -> l[0] for k in K { y = get l[0] : [4] "
		"put y -> l[0] } store x -> S[4*m]", LAYOUT_YES, NULL, NULL },
	{ "lds l: [4] f32 x: [4] f32 = fill 0 for k in K stages 2 { put x -> l[0] y = get l[0] "
		": [4] } store x -> S[4*m]", LAYOUT_YES, NULL, NULL },
	{ "lds l: [4] f32 x: [2] f32 = fill 0 z: [4] f32 = fill 0 for k in K stages 2 { "
		"put x -> l[2] y = get l[0] : [4] } store z -> S[4*m]", LAYOUT_NO,
		"a loop of several stages has not put it in the same step", NULL },
	{ "assume M <= 4 x: [4] f32 = fill 0 store x -> S[0]", LAYOUT_YES, NULL, NULL },
	{ "assume M <= 5 x: [4] f32 = fill 0 when m < 1 { store x -> S[0] }", LAYOUT_NO,
		"no store writes the element of `S`", "M = 5: (4)" },
	{ "x: [4] f32 = fill 0", LAYOUT_NO, "no store writes the element of `S`", "M = 1: (0)" },
	{ "x: [3] f32 = fill 0 store x -> S[4*m]", LAYOUT_NO,
		"no store writes the element of `S`", "M = 4: (3)" },
	{ "x: [5] f32 = fill 0 store x -> S[4*m]", LAYOUT_NO,
		"two points of (workgroup, iteration, element) of `x`", "M = 5: (0, 4), (1, 0)" },
	{ "x: [4] f32 = fill 0 for k in 2 { store x -> S[4*m] }", LAYOUT_NO,
		"two points of", "M = 1: (0, 0, 0), (0, 1, 0)" },
	{ "x: [2] f32 = fill 0 for k in 2 { store x -> S[4*m + 2*k] }", LAYOUT_YES, NULL,
		NULL },
	{ "x: [2] f32 = fill 0 for k in K { store x -> S[4*m + 2*k] }", LAYOUT_NO,
		"two points of", NULL },
	{ "x: [2] f32 = fill 0 store x -> S[4*m] store x -> S[4*m + 2]", LAYOUT_YES, NULL,
		NULL },
	{ "x: [2] f32 = fill 0 store x -> S[4*m] store x -> S[4*m + 1]", LAYOUT_NO,
		"`x` and `x` are stored to one element", "M = 2: (1)" },
	{ "x: [4] f32 = fill 0 when m < 1 { store x -> S[4*m] }", LAYOUT_NO,
		"no store writes the element of `S`", "M = 5: (4)" },
	{ "x: [4] f32 = fill 0 when m < 1 { store x -> S[4*m] } when m >= 1 { store x -> "
		"S[4*m] }", LAYOUT_YES, NULL, NULL },
	{ "x: [4] f32 = fill 0 when m == 1 { store x -> S[4*m] } when 1 != m { store x -> "
		"S[4*m] }", LAYOUT_YES, NULL, NULL },
	{ "x = load T[4*m] : [4] y = map x + 1 store y -> T[4*m] store x -> S[4*m]",
		LAYOUT_YES, NULL, NULL },
	{ "x = load T[4*m + 1] : [4] y = map x + 1 store y -> T[4*m] store x -> S[4*m]",
		LAYOUT_NO, "`x` is loaded from where `y` is stored", "M = 2: (1)" },
	{ "x = load T[4*m] : [4] store x -> T[4*m] y = load T[4*m] : [4] store x -> S[4*m]",
		LAYOUT_NO, "`y` is loaded from where `x` is stored", NULL },
	{ "v = load T[floor(m/2)] : [1] when m < 1 { y = map v + 1 store y -> T[floor(m/2)] } "
		"x: [4] f32 = fill 0 store x -> S[4*m]", LAYOUT_NO,
		"`v` is loaded from where `y` is stored", NULL },
	{ "for k in 3 { v = load T[m] : [1] when k < 1 { y = map v + 1 store y -> T[m] } } "
		"x: [4] f32 = fill 0 store x -> S[4*m]", LAYOUT_NO,
		"`v` is loaded from where `y` is stored", NULL },
	{ "for k in 2 { v = load T[4*m + 2*k] : [2] y = map v + 1 store y -> T[4*m + 2*k] } "
		"x: [4] f32 = fill 0 store x -> S[4*m]", LAYOUT_YES, NULL, NULL },
	{ "i: [4] i32 = index 0 x: [4] f32 = fill 0 store x -> S[i]", LAYOUT_NO,
		"`x` is stored where `i` says", NULL },
	{ "x: [4] f32 @ { [lane] -> [lane] : 0 <= lane < 4 } = fill 0 store x -> S[4*m]",
		LAYOUT_YES, NULL, NULL },
	{ "x: [4] f32 @ { [lane, r] -> [lane] : 0 <= lane < 4 and 0 <= r < 2 } = fill 0 "
		"store x -> S[4*m]", LAYOUT_YES, NULL, NULL },
	{ "x: [4] f32 @ { [lane] -> [c] : 0 <= lane < 2 and 0 <= c < 4 } = fill 0 store x -> "
		"S[4*m]", LAYOUT_NO, "a register of `x` holds two elements", NULL },
	{ "x: [4] f32 @ { [lane] -> [lane] : 0 <= lane < 3 } = fill 0 store x -> S[4*m]",
		LAYOUT_NO, "the owner of `x` does not cover its box", "(3)" },
	{ "x: [4] f32 @ { [lane] -> [lane + 1] : 0 <= lane < 3 } = fill 0 store x -> S[4*m]",
		LAYOUT_NO, "the owner of `x` does not cover its box", "(0)" },
	{ "x: [4] f32 @ { [lane] -> [lane] : 0 <= lane < 5 } = fill 0 store x -> S[4*m]",
		LAYOUT_NO, "the owner of `x` holds an element that its box does not", "(4)" },
	{ "x: [4] f32 = fill 0 store x -> S[4*m] for k in 3 carry c: [4] f32 @ "
		"{ [lane] -> [lane] : 0 <= lane < 2 } = x { yield c }", LAYOUT_NO,
		"the owner of `c` does not cover", "(2)" },
};

static void test_verify(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(verified) / sizeof(*verified); i++) {
		const struct verified *row = &verified[i];
		layout_context *ctx = layout_context_new();
		layout_program *program;
		layout_witness *witness;
		char text[1024], *reason;
		layout_answer answer;

		snprintf(text, sizeof(text), HEAD "%s }", row->body);
		program = layout_program_parse(ctx, text);
		if (!program)
			fail_msg("%s: %s", row->body, layout_context_message(ctx));
		answer = layout_program_verify(program, &reason, &witness);
		if (answer != row->answer || !reason != !row->reason ||
		    (reason && !strstr(reason, row->reason)) ||
		    (row->witness && (!witness || strcmp(witness->text, row->witness))))
			fail_msg("%s: %d, %s, %s", row->body, answer, reason ? reason : "",
				witness ? witness->text : "");
		layout_string_free(reason);
		layout_witness_free(witness);
		layout_program_free(program);
		assert_true(layout_context_free(ctx));
	}
}

/* Storages whose elements share cells are not written, but where they do not. */
static void test_cells(void **state)
{
	static const struct {
		const char *storage, *assumed;
		layout_answer answer;
	} rows[] = {
		{ "strided[M, K : 4, 1]", "", LAYOUT_NO },
		{ "strided[M, K : 4, 1]", "assume K <= 4", LAYOUT_YES },
		{ "strided[M, K : 0, 1]", "", LAYOUT_NO },
		{ "strided[M, K : P, 1]", "", LAYOUT_YES },
		{ "col_major[M, K]", "", LAYOUT_YES },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_program *program;
		char text[512];

		snprintf(text, sizeof(text), "program p(S: out %s f32) { grid (m, k) in (M, "
			"ceil(K/8)) workers w in 1 %s v: [1, 8] f32 = fill 0 "
			"store v -> S[m, 8*k] }", rows[i].storage, rows[i].assumed);
		program = layout_program_parse(ctx, text);
		if (layout_program_verify(program, NULL, NULL) != rows[i].answer)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		layout_program_free(program);
		assert_true(layout_context_free(ctx));
	}
}

/* Out of quota the answer is unknown, never yes. */
static void test_quota(void **state)
{
	static const char text[] = BODY("x: [4] f32 = fill 0 store x -> S[4*m]");
	layout_context *ctx = layout_context_new();
	layout_program *program = layout_program_parse(ctx, text);
	bool done = false;

	(void)state;
	for (unsigned long quota = 1; !done; quota *= 3) {
		layout_answer answer;

		layout_context_set_quota(ctx, quota);
		answer = layout_program_verify(program, NULL, NULL);
		assert_int_not_equal(answer, LAYOUT_NO);
		done = answer == LAYOUT_YES;
		if (!done)
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
		layout_context_clear(ctx);
	}
	layout_program_free(program);
	assert_true(layout_context_free(ctx));
}

/* "count" times a text, with the number in it, behind HEAD and before "end". */
static char *repeated(unsigned count, const char *format, const char *end)
{
	size_t size = strlen(HEAD) + count * (strlen(format) + 24) + strlen(end) + 64;
	char *text = malloc(size);
	size_t length = (size_t)snprintf(text, size, HEAD);

	for (unsigned i = 0; i < count; i++) {
		const char *number = strchr(format, '%');

		length += (size_t)snprintf(text + length, size - length, "%.*s%u%s",
			(int)(number - format), format, i, number + 1);
	}
	snprintf(text + length, size - length, "%s }", end);
	return text;
}

/* What there is too much of to be looked through in seconds is refused, with the limit. */
static void test_limits(void **state)
{
	static const struct {
		unsigned count;
		const char *format, *end;
		bool reads;
		layout_error kind;
		const char *message;
	} rows[] = {
		{ 4097, "x% = load A[0, 0] : [1, 1] ", "", false, LAYOUT_ERROR_UNSUPPORTED,
			"a program has at most 4096 statements" },
		{ 4097, "when m < % { } ", "", false, LAYOUT_ERROR_UNSUPPORTED,
			"a program has at most 4096 statements" },
		{ 4097, "owner o% = { [l] -> [l] } ", "", false, LAYOUT_ERROR_UNSUPPORTED,
			"a program names at most 4096 owners" },
		{ 9, "v% = view (load T[0] : [1]) through { [i] -> [0] } : [1048576] ", "",
			false, LAYOUT_ERROR_UNSUPPORTED,
			"have at most 8388608 elements altogether" },
		{ 65, "for k in 1 { x = load T[64*m + %] : [1] } ", "", true, LAYOUT_ERROR_UNSUPPORTED,
			"more than 64 accesses of memories that are written" },
		{ 65, "x%: [1048576] f32 @ { [l, r] -> [l + 64*r] : 0 <= l < 64 and "
			"0 <= r < 16384 } = fill 0 ", "", true, LAYOUT_ERROR_QUOTA,
			"the owners have too many points" },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = repeated(rows[i].count, rows[i].format, rows[i].end);
		layout_context *ctx = layout_context_new();
		layout_program *program;

		/* With sanitizers, a machine with much to do takes more than its seconds. */
		layout_context_set_time(ctx, 0);
		program = layout_program_parse(ctx, text);
		assert_int_equal(program != NULL, rows[i].reads);
		if (program)
			assert_int_equal(layout_program_verify(program, NULL, NULL),
				LAYOUT_UNKNOWN);
		assert_int_equal(layout_context_error(ctx), rows[i].kind);
		assert_non_null(strstr(layout_context_message(ctx), rows[i].message));
		layout_program_free(program);
		assert_true(layout_context_free(ctx));
		free(text);
	}
	(void)state;
}

/* As many as there may be are looked through. */
static void test_most(void **state)
{
	char *text = repeated(63, "when m == % { x: [4] f32 = fill 1 store x -> S[4*m] } ", "");
	layout_context *ctx = layout_context_new();
	layout_program *program;
	char *reason;

	(void)state;
	program = layout_program_parse(ctx, text);
	assert_int_equal(layout_program_verify(program, &reason, NULL), LAYOUT_NO);
	assert_non_null(strstr(reason, "no store writes the element of `S`"));
	layout_string_free(reason);
	layout_program_free(program);
	assert_true(layout_context_free(ctx));
	free(text);
}

/* A store that there is no code for is where it is written. */
static void test_position(void **state)
{
	static const char text[] = "program p(S: out row_major[M] i4) { grid (m) in (ceil(M/3)) "
		"workers w in 1 x: [3] i4 = fill 1 for k in 1 { store x -> S[3*m] } }";
	layout_context *ctx = layout_context_new();
	layout_program *program = layout_program_parse(ctx, text);

	(void)state;
	assert_non_null(program);
	for (unsigned i = 0; i < 2; i++) {
		assert_null(layout_kernel_new_program(program, i ? "sm_90" : "gfx942", NULL));
		assert_int_equal(layout_context_position(ctx), strstr(text, "store") - text);
		layout_context_clear(ctx);
	}
	layout_program_free(program);
	assert_true(layout_context_free(ctx));
}

/* What is no program is so somewhere: the store, the tile with its owner, the argument. */
static void test_denied(void **state)
{
	static const struct {
		const char *text, *place;
	} rows[] = {
		{ "program p(S: out row_major[M] f32) { grid (m) in (ceil(M/4)) workers w in 1 "
			"x: [4] f32 = fill 1 store x -> S[2*m] }", "store" },
		{ "program p(S: out row_major[M] f32) { grid (m) in (ceil(M/5)) workers w in 1 "
			"x: [4] f32 = fill 1 store x -> S[5*m] }", "S: out" },
		{ "program p(S: out row_major[M] f32) { grid (m) in (ceil(M/4)) workers w in 1 "
			"x: [4] f32 @ { [lane] -> [lane] : 0 <= lane < 3 } = fill 1 "
			"store x -> S[4*m] }", "x: [4]" },
		{ "program p(S: out row_major[M] f32) { grid (m) in (ceil(M/4)) workers w in 1 "
			"lds l: [4] f32 x = get l[0] : [4] store x -> S[4*m] }", "x = get" },
		{ "program p(S: out row_major[M] f32) { grid (m) in (ceil(M/4)) workers w in 1 "
			"x: [4] f32 = fill 1 store x -> S[4*m] }", NULL },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_program *program = layout_program_parse(ctx, rows[i].text);
		const char *place = rows[i].place;

		assert_int_equal(layout_program_denied_at(program), -1);
		assert_int_equal(layout_program_verify(program, NULL, NULL),
			place ? LAYOUT_NO : LAYOUT_YES);
		assert_int_equal(layout_program_denied_at(program),
			place ? strstr(rows[i].text, place) - rows[i].text : -1);
		layout_program_free(program);
		assert_true(layout_context_free(ctx));
	}
	assert_int_equal(layout_program_denied_at(NULL), -1);
}

static layout_program *build_row_sum(layout_context *ctx)
{
	static const char *const grid[] = { "m" }, *const counts[] = { "ceil(M/4)" };
	static const char *const sizes[] = { "M", "K" }, *const at[] = { "4*m", "256*k" };
	static const int64_t waves[] = { 1 }, box[] = { 4, 256 };
	static const unsigned over[] = { 1 };
	layout_program *p = layout_program_new(ctx, "row_sum");
	layout_memory *a = layout_program_argument(p, "A",
		layout_storage_row_major(ctx, 2, sizes), "f32", LAYOUT_ACCESS_IN);
	layout_memory *s = layout_program_argument(p, "S",
		layout_storage_row_major(ctx, 1, sizes), "f32", LAYOUT_ACCESS_OUT);
	layout_tile *zero, *carry, *x, *next;

	assert_true(layout_program_grid(p, grid, counts, 1));
	assert_true(layout_program_workers(p, "w", waves, 1));
	zero = layout_program_fill(p, box, 2, "f32", "0", NULL);
	assert_true(layout_program_for(p, "k", "ceil(K/256)", 1));
	carry = layout_program_carry(p, zero, NULL);
	assert_true(layout_tile_set_name(carry, "s"));
	x = layout_program_load(p, a, at, box, NULL, NULL);
	assert_true(layout_tile_set_name(x, "x"));
	next = layout_program_map(p, "s + x");
	assert_true(layout_program_end(p, &next, 1));
	next = layout_program_reduce(p, layout_program_result(p, carry), "add", over, 1,
		false, NULL);
	assert_true(layout_program_store(p, next, s, at));
	return p;
}

static void expect_error(layout_context *ctx, const char *message)
{
	assert_non_null(strstr(layout_context_message(ctx), message));
	layout_context_clear(ctx);
}

/* Like another tile, built from C. */
static void test_like(void **state)
{
	static const char *const grid[] = { "m" }, *const counts[] = { "1" };
	static const int64_t waves[] = { 1 }, box[] = { 4 }, other[] = { 5 };
	layout_context *ctx = layout_context_new();
	layout_program *p = layout_program_new(ctx, "p");
	layout_tile *x, *y, *z, *far;
	char *printed;

	(void)state;
	assert_true(layout_program_grid(p, grid, counts, 1));
	assert_true(layout_program_workers(p, "w", waves, 1));
	x = layout_program_fill(p, box, 1, "f32", "0", NULL);
	y = layout_program_fill(p, box, 1, "f32", "1", NULL);
	far = layout_program_fill(p, other, 1, "f32", "1", NULL);
	assert_true(layout_tile_set_like(y, x));
	z = layout_program_convert_like(p, x, y);
	assert_non_null(z);
	printed = layout_program_str(p);
	assert_non_null(strstr(printed, "_1: [4] f32 @ like _0 = fill 1"));
	assert_non_null(strstr(printed, "= convert _0 @ like _1"));
	layout_string_free(printed);
	assert_false(layout_tile_set_like(y, x));
	expect_error(ctx, "`_1` has an owner already");
	assert_false(layout_tile_set_like(x, y));
	expect_error(ctx, "`_0` is to be like a tile behind it");
	assert_false(layout_tile_set_like(far, x));
	expect_error(ctx, "another box");
	assert_false(layout_tile_set_like(NULL, x));
	layout_program_free(p);
	assert_true(layout_context_free(ctx));
}

/* Sizes and arguments have their names apart; nothing else has. */
static void test_names(void **state)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{ "program p(B: in row_major[B, M] f32, M: out row_major[M] f32) { grid (m) in (M) "
		  "workers w in 1 x = load B[0, m] : [1, 1] y = map x + f32(B * M) "
		  "z = view y collapse [0, 1] store z -> M[m] }", NULL },
		{ "program p(M: in row_major[M] f32, M: out row_major[M] f32)",
		  "there is an argument `M` already" },
		{ "program p(A: in row_major[K] f32, A: out row_major[A] f32)",
		  "there is an argument `A` already" },
		{ "program p(M: out row_major[N] f32) { grid (M) in (N) workers w in 1 }",
		  "there is an argument `M` already" },
		{ "program p(M: out row_major[M] f32) { grid (m) in (1) workers w in 1 "
		  "M: [4] f32 = fill 0 }", "there is an argument `M` already" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_program *program = layout_program_parse(ctx, rows[i].text);

		if (rows[i].error)
			expect_error(ctx, rows[i].error);
		else
			assert_non_null(program);
		layout_program_free(program);
		assert_true(layout_context_free(ctx));
	}
}

static void test_built(void **state)
{
	static const char text[] = "program row_sum(A: in row_major[M, K] f32, S: out "
		"row_major[M] f32) {\n  grid (m) in (ceil(M/4)) workers w in 1\n"
		"  _0: [4, 256] f32 = fill 0\n"
		"  for k in ceil(K/256) carry s: [4, 256] f32 = _0 {\n"
		"    x = load A[4*m, 256*k] : [4, 256]\n    _3 = map s + x\n"
		"    yield _3\n  }\n  _5 = reduce add s over [1]\n  store _5 -> S[4*m]\n}";
	layout_context *ctx = layout_context_new();
	layout_program *program = build_row_sum(ctx);
	char *printed = layout_program_str(program);

	(void)state;
	assert_string_equal(printed, text);
	assert_int_equal(layout_program_verify(program, NULL, NULL), LAYOUT_YES);
	assert_string_equal(layout_program_size_name(program, 1), "K");
	assert_null(layout_program_size_name(program, 2));
	layout_string_free(printed);
	layout_program_free(program);
	assert_true(layout_context_free(ctx));
}

/* Whatever is cut out of or doubled in a text, there is a program or an error. */
static void test_mutated(void **state)
{
	(void)state;
	srandom(random_seed());
	for (unsigned n = 0; n < share_count(3000); n++) {
		const char *body = same[(size_t)random() % (sizeof(same) / sizeof(*same))];
		layout_context *ctx = layout_context_new();
		layout_program *program;
		char text[4096];
		size_t length, at, some;

		length = (size_t)snprintf(text, sizeof(text) / 2, HEAD "%s\n}", body);
		for (unsigned k = (unsigned)random() % 3; k < 3; k++) {
			at = (size_t)random() % length;
			some = (size_t)random() % 8;
			some = some < length - at ? some : length - at;
			if (random() % 2) {
				memmove(text + at, text + at + some, length - at - some + 1);
				length -= some;
			} else {
				memmove(text + at + some, text + at, length - at + 1);
				length += some;
			}
		}
		program = layout_program_parse(ctx, text);
		assert_true(!program == (layout_context_error(ctx) != LAYOUT_ERROR_NONE));
		layout_program_free(program);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_quota),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_position),
		cmocka_unit_test(test_denied),
		cmocka_unit_test(test_like),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_built),
		cmocka_unit_test(test_mutated),
		cmocka_unit_test_setup_teardown(test_broken, program_context_new,
			program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
