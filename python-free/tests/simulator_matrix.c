/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Matrix instructions in the simulator against products computed here, with the places
 * of the elements as AMD's documents give them. */
#include "sim/number.h"
#include "support/random.h"
#include "support/simulated.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static const struct {
	const char *type;
	uint64_t bits;
	double value;
	bool exact;			/* encodes to the same bits */
} numbers[] = {
	{ "f16", 0x3c00, 1.0, true },
	{ "f16", 0xc500, -5.0, true },
	{ "f16", 0x0001, 0x1p-24, true },
	{ "f16", 0x03ff, 0x3ffp-24, true },
	{ "f16", 0x7bff, 65504.0, true },
	{ "f16", 0x7c00, INFINITY, true },
	{ "f16", 0x7c00, 65520.0, false },
	{ "f16", 0x7bff, 65519.0, false },
	{ "f16", 0x3c00, 1.0 + 0x1p-11, false },
	{ "f16", 0x3c02, 1.0 + 0x3p-11, false },
	{ "f16", 0x0000, 0x1p-25, false },
	{ "f16", 0x0001, 0x1.8p-25, false },
	{ "f16", 0x8000, -0.0, true },
	{ "bf16", 0x3f80, 1.0, true },
	{ "bf16", 0xc0a0, -5.0, true },
	{ "f32", 0x3f800000, 1.0, true },
	{ "f32", 0x00000001, 0x1p-149, true },
	{ "f32", 0x7f7fffff, 0x1.fffffep127, true },
	{ "f64", 0x3ff0000000000000, 1.0, true },
	{ "f8E4M3FN", 0x38, 1.0, true },
	{ "f8E4M3FN", 0x7e, 448.0, true },
	{ "f8E4M3FN", 0x01, 0x1p-9, true },
	{ "f8E5M2", 0x3c, 1.0, true },
	{ "f8E5M2", 0x7b, 57344.0, true },
	{ "f8E5M2", 0x7c, INFINITY, true },
	{ "f8E4M3FNUZ", 0x40, 1.0, true },
	{ "f8E4M3FNUZ", 0x7f, 240.0, true },
	{ "f8E5M2FNUZ", 0x40, 1.0, true },
	{ "i8", 0x85, -123.0, false },
};

static void test_numbers(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(numbers); i++) {
		const struct number_type *type = number_find(numbers[i].type);
		double value = number_decode(type, numbers[i].bits, true);

		if (numbers[i].exact || !type->exponent)
			assert_true(value == numbers[i].value);
		if (type->exponent >= 5 && type->bits >= 16 &&
		    number_encode(type, numbers[i].value) != numbers[i].bits)
			fail_msg("row %u: %#llx", i, (unsigned long long)
				number_encode(type, numbers[i].value));
	}
	assert_true(isnan(number_decode(number_find("f8E4M3FN"), 0x7f, true)));
	assert_true(isnan(number_decode(number_find("f8E4M3FNUZ"), 0x80, true)));
	assert_true(isnan(number_decode(number_find("f16"), 0x7c01, true)));
	assert_true(number_decode(number_find("iu8"), 0x85, false) == 133.0);
	assert_null(number_find("f7"));
}

/* Where an element is: block, row or column, and k; or block, row, column. */
struct at {
	unsigned block, i, j;
};
typedef struct at (*layout)(unsigned lane, unsigned element);

/* One block: k is the group of lanes, then the element; "per" elements a lane. */
#define INPUT(name, rows, per) \
	static struct at name(unsigned lane, unsigned e) \
	{ \
		return (struct at){ 0, lane % (rows), lane / (rows) * (per) + e }; \
	}

INPUT(input_16_1, 16, 1)
INPUT(input_16_4, 16, 4)
INPUT(input_32_4, 32, 4)
INPUT(input_16_8, 16, 8)

/* gfx11: both halves of a wave hold the same 16 elements. */
static struct at input_11(unsigned lane, unsigned e)
{
	return (struct at){ 0, lane % 16, e };
}

/* gfx12: k = 8*(e/4) + 4*(lane/16) + e%4, but any one order does. */
static struct at input_12(unsigned lane, unsigned e)
{
	return (struct at){ 0, lane % 16, 8 * (e / 4) + 4 * (lane / 16) + e % 4 };
}

/* gfx12, K = 32 of 4 bits */
static struct at input_12_iu4(unsigned lane, unsigned e)
{
	return (struct at){ 0, lane % 16, 16 * (lane / 16) + e };
}

/* gfx1250: runs of 8 */
static struct at input_1250(unsigned lane, unsigned e)
{
	return (struct at){ 0, lane % 16, 16 * (e / 8) + 8 * (lane / 16) + e % 8 };
}

static struct at input_4x4(unsigned lane, unsigned e)
{
	return (struct at){ lane / 4, lane % 4, e };
}

static struct at output_16(unsigned lane, unsigned e)
{
	return (struct at){ 0, lane / 16 * 4 + e, lane % 16 };
}

static struct at output_32(unsigned lane, unsigned e)
{
	return (struct at){ 0, e / 4 * 8 + lane / 32 * 4 + e % 4, lane % 32 };
}

static struct at output_f64(unsigned lane, unsigned e)
{
	return (struct at){ 0, 4 * e + lane / 16, lane % 16 };
}

static struct at output_4x4(unsigned lane, unsigned e)
{
	return (struct at){ lane / 4, e, lane % 4 };
}

static struct at output_11(unsigned lane, unsigned e)
{
	return (struct at){ 0, 2 * e + lane / 16, lane % 16 };
}

static struct at output_11_w64(unsigned lane, unsigned e)
{
	return (struct at){ 0, 4 * e + lane / 16, lane % 16 };
}

/* 16 bits in the lower halves of the registers; nothing in the upper ones */
#define NOTHING 999
static struct at output_11_half(unsigned lane, unsigned e)
{
	return (struct at){ e % 2 ? NOTHING : 0, e / 2 * 2 + lane / 16, lane % 16 };
}

static struct at output_12(unsigned lane, unsigned e)
{
	return (struct at){ 0, lane / 16 * 8 + e, lane % 16 };
}

/* What an intrinsic has besides lhs, rhs and sum: nothing; three numbers behind; one
 * flag behind; a sign before each factor and a flag behind; on gfx1250 the like. */
enum flags {
	PLAIN,
	MFMA,
	HALF,
	SIGNS,
	NEG_1250,
	F8_1250,
};

static const struct {
	const char *before, *sum, *behind;
} flag_texts[] = {
	[PLAIN] = { "", "", "" },
	[MFMA] = { "", "", ", i32 0, i32 0, i32 0" },
	[HALF] = { "", "", ", i1 false" },
	[SIGNS] = { "i1 true, ", "", ", i1 false" },
	[NEG_1250] = { "i1 false, ", "i16 0, ", ", i1 false, i1 false" },
	[F8_1250] = { "", "i16 0, ", ", i1 false, i1 false" },
};

static const struct {
	const char *target;
	const char *intrinsic;		/* with its overloads */
	const char *factor, *sum;	/* LLVM's types */
	enum flags flags;
	const char *number, *sum_number;
	unsigned n, k, blocks, in, out;
	layout input, output;
} products[] = {
	{ "gfx942", "mfma.f32.16x16x4f32", "float", "<4 x float>", MFMA,
		"f32", "f32", 16, 4, 1, 1, 4, input_16_1, output_16 },
	{ "gfx942", "mfma.f32.16x16x16f16", "<4 x half>", "<4 x float>", MFMA,
		"f16", "f32", 16, 16, 1, 4, 4, input_16_4, output_16 },
	{ "gfx90a", "mfma.f32.16x16x16bf16.1k", "<4 x i16>", "<4 x float>", MFMA,
		"bf16", "f32", 16, 16, 1, 4, 4, input_16_4, output_16 },
	{ "gfx942", "mfma.f32.16x16x16bf16.1k", "<4 x i16>", "<4 x float>", MFMA,
		"bf16", "f32", 16, 16, 1, 4, 4, input_16_4, output_16 },
	{ "gfx942", "mfma.f32.32x32x8f16", "<4 x half>", "<16 x float>", MFMA,
		"f16", "f32", 32, 8, 1, 4, 16, input_32_4, output_32 },
	{ "gfx942", "mfma.f32.4x4x4f16", "<4 x half>", "<4 x float>", MFMA,
		"f16", "f32", 4, 4, 16, 4, 4, input_4x4, output_4x4 },
	{ "gfx942", "mfma.i32.16x16x32.i8", "i64", "<4 x i32>", MFMA,
		"i8", "i32", 16, 32, 1, 8, 4, input_16_8, output_16 },
	{ "gfx942", "mfma.f64.16x16x4f64", "double", "<4 x double>", MFMA,
		"f64", "f64", 16, 4, 1, 1, 4, input_16_1, output_f64 },
	{ "gfx942", "mfma.f32.16x16x32.fp8.bf8", "i64", "<4 x float>", MFMA,
		NULL, "f32", 16, 32, 1, 8, 4, input_16_8, output_16 },
	{ "gfx950", "mfma.f32.16x16x32.f16", "<8 x half>", "<4 x float>", MFMA,
		"f16", "f32", 16, 32, 1, 8, 4, input_16_8, output_16 },
	{ "gfx1100", "wmma.f32.16x16x16.f16.v8f32.v16f16", "<16 x half>", "<8 x float>",
		PLAIN, "f16", "f32", 16, 16, 1, 16, 8, input_11, output_11 },
	{ "gfx1100", "wmma.f32.16x16x16.bf16.v8f32.v16i16", "<16 x i16>", "<8 x float>",
		PLAIN, "bf16", "f32", 16, 16, 1, 16, 8, input_11, output_11 },
	{ "gfx1100", "wmma.i32.16x16x16.iu8.v8i32.v4i32", "<4 x i32>", "<8 x i32>",
		SIGNS, "i8", "i32", 16, 16, 1, 16, 8, input_11, output_11 },
	{ "gfx1100:wave64", "wmma.f32.16x16x16.bf16.v4f32.v16i16", "<16 x i16>",
		"<4 x float>", PLAIN, "bf16", "f32", 16, 16, 1, 16, 4, input_11,
		output_11_w64 },
	{ "gfx1100", "wmma.f16.16x16x16.f16.v16f16.v16f16", "<16 x half>", "<16 x half>",
		HALF, "f16", "f16", 16, 16, 1, 16, 16, input_11, output_11_half },
	{ "gfx1100", "wmma.f16.16x16x16.f16.tied.v16f16.v16f16", "<16 x half>",
		"<16 x half>", HALF, "f16", "f16", 16, 16, 1, 16, 16, input_11,
		output_11_half },
	{ "gfx1100", "wmma.bf16.16x16x16.bf16.v16i16.v16i16", "<16 x i16>", "<16 x i16>",
		HALF, "bf16", "bf16", 16, 16, 1, 16, 16, input_11, output_11_half },
	{ "gfx1100", "wmma.i32.16x16x16.iu4.v8i32.v2i32", "<2 x i32>", "<8 x i32>",
		SIGNS, "iu4", "i32", 16, 16, 1, 16, 8, input_11, output_11 },
	{ "gfx1200", "wmma.i32.16x16x16.iu4.v8i32.i32", "i32", "<8 x i32>",
		SIGNS, "iu4", "i32", 16, 16, 1, 8, 8, input_12, output_12 },
	{ "gfx1200", "wmma.i32.16x16x32.iu4.v8i32.v2i32", "<2 x i32>", "<8 x i32>",
		SIGNS, "iu4", "i32", 16, 32, 1, 16, 8, input_12_iu4, output_12 },
	{ "gfx1200", "wmma.f16.16x16x16.f16.v8f16.v8f16", "<8 x half>", "<8 x half>",
		HALF, "f16", "f16", 16, 16, 1, 8, 8, input_12, output_12 },
	{ "gfx1200", "wmma.f32.16x16x16.f16.v8f32.v8f16", "<8 x half>", "<8 x float>",
		PLAIN, "f16", "f32", 16, 16, 1, 8, 8, input_12, output_12 },
	{ "gfx1250", "wmma.f32.16x16x32.f16.v8f32.v16f16", "<16 x half>", "<8 x float>",
		NEG_1250, "f16", "f32", 16, 32, 1, 16, 8, input_1250, output_12 },
	{ "gfx1250", "wmma.f32.16x16x64.fp8.bf8.v8f32.v8i32", "<8 x i32>", "<8 x float>",
		F8_1250, "OCP", "f32", 16, 64, 1, 32, 8, input_1250, output_12 },
	{ "gfx1250", "wmma.f16.16x16x128.fp8.bf8.v8f16.v16i32", "<16 x i32>",
		"<8 x half>", F8_1250, "OCP", "f16", 16, 128, 1, 64, 8, input_1250,
		output_12 },
	{ "gfx1200", "wmma.i32.16x16x16.iu8.v8i32.v2i32", "<2 x i32>", "<8 x i32>",
		SIGNS, "i8", "i32", 16, 16, 1, 8, 8, input_12, output_12 },
};

#define MAX_CELLS (16 * 32 * 32)
#define REGISTER_BYTES (64 * 128)

/* The matrices of one product, [block][row][k], [block][column][k] and [block][row]
 * [column]. */
struct product {
	unsigned row, wave;
	double lhs[MAX_CELLS], rhs[MAX_CELLS], sum[MAX_CELLS];
};

static void put(unsigned char *at, const struct number_type *type, double value)
{
	uint64_t bits = type->exponent ? number_encode(type, value) :
		(uint64_t)(int64_t)value;

	memcpy(at, &bits, type->bits / 8);
}

/* The same for an element of an array, which may be half a byte. */
static void put_at(unsigned char *array, size_t index, const struct number_type *type,
	double value)
{
	unsigned shift = index % 2 * 4;

	if (type->bits >= 8) {
		put(array + index * type->bits / 8, type, value);
		return;
	}
	array[index / 2] = (unsigned char)((array[index / 2] & ~(15 << shift)) |
		((int)value & 15) << shift);
}

static double get(const unsigned char *at, const struct number_type *type)
{
	uint64_t bits = 0;

	memcpy(&bits, at, type->bits / 8);
	return number_decode(type, bits, true);
}

static void fill(uint64_t *random, double *matrix)
{
	for (unsigned i = 0; i < MAX_CELLS; i++)
		matrix[i] = (double)random_below(random, 15) - 7;
}

/* Lay a matrix of "columns" columns out in registers. */
static void lay_out(const struct product *p, unsigned char *registers,
	const double *matrix, layout place, unsigned columns, unsigned elements,
	const struct number_type *type)
{
	for (unsigned lane = 0; lane < p->wave; lane++)
		for (unsigned e = 0; e < elements; e++) {
			struct at at = place(lane, e);
			unsigned n = products[p->row].n;

			if (at.block != NOTHING)
				put_at(registers, lane * elements + e, type,
					matrix[(at.block * n + at.i) * columns + at.j]);
		}
}

static double expected(const struct product *p, struct at at)
{
	unsigned n = products[p->row].n, depth = products[p->row].k;
	double sum = p->sum[(at.block * n + at.i) * n + at.j];

	for (unsigned k = 0; k < depth; k++)
		sum += p->lhs[(at.block * n + at.i) * depth + k] *
			p->rhs[(at.block * n + at.j) * depth + k];
	return sum;
}

/* As the sum's type has it. */
static double rounded(const struct number_type *type, double value)
{
	return type->exponent ? number_decode(type, number_encode(type, value), true) :
		value;
}

static char *write_body(layout_context *ctx, unsigned row, unsigned factor_bytes,
	unsigned wave)
{
	struct layout_buffer body = { 0 };
	const char *factor = products[row].factor, *sum = products[row].sum;
	enum flags flags = products[row].flags;
	const char *before = flag_texts[flags].before;

	layout_buffer_printf(&body,
		"  %%pa = getelementptr %s, ptr addrspace(1) %%s, i64 %%t64\n"
		"  %%sb = getelementptr i8, ptr addrspace(1) %%s, i64 %u\n"
		"  %%pb = getelementptr %s, ptr addrspace(1) %%sb, i64 %%t64\n"
		"  %%sc = getelementptr i8, ptr addrspace(1) %%s, i64 %u\n"
		"  %%pc = getelementptr %s, ptr addrspace(1) %%sc, i64 %%t64\n"
		"  %%pd = getelementptr %s, ptr addrspace(1) %%d, i64 %%t64\n"
		"  %%a = load %s, ptr addrspace(1) %%pa, align 4\n"
		"  %%b = load %s, ptr addrspace(1) %%pb, align 4\n"
		"  %%c = load %s, ptr addrspace(1) %%pc, align 4\n",
		factor, factor_bytes * wave, factor, 2 * factor_bytes * wave, sum, sum,
		factor, factor, sum);
	layout_buffer_printf(&body, "  %%r = call %s @llvm.amdgcn.%s(%s%s %%a, %s%s %%b, "
		"%s%s %%c%s)\n  store %s %%r, ptr addrspace(1) %%pd, align 4\n", sum,
		products[row].intrinsic, before, factor, before, factor,
		flag_texts[flags].sum, sum, flag_texts[flags].behind, sum);
	return layout_buffer_take(ctx, &body);
}

static void compare(const struct product *p, const unsigned char *result)
{
	const struct number_type *type = number_find(products[p->row].sum_number);
	unsigned out = products[p->row].out;

	for (unsigned lane = 0; lane < p->wave; lane++)
		for (unsigned e = 0; e < out; e++) {
			struct at at = products[p->row].output(lane, e);
			double found = get(result + (lane * out + e) * type->bits / 8,
				type);

			if (at.block != NOTHING && found != rounded(type, expected(p, at)))
				fail_msg("%s on %s, lane %u, element %u: %g, not %g",
					products[p->row].intrinsic,
					products[p->row].target, lane, e, found,
					expected(p, at));
		}
}

static void check_product(uint64_t *random, unsigned row)
{
	static struct product p;
	static unsigned char source[3 * REGISTER_BYTES], result[REGISTER_BYTES];
	layout_context *ctx = layout_context_new();
	const char *name = products[row].number;
	bool ocp = name && !strcmp(name, "OCP");
	const struct number_type *a = number_find(!name ? "f8E4M3FNUZ" : ocp ?
		"f8E4M3FN" : name);
	const struct number_type *b = number_find(!name ? "f8E5M2FNUZ" : ocp ?
		"f8E5M2" : name);
	const struct number_type *c = number_find(products[row].sum_number);
	unsigned in = products[row].in * a->bits / 8, out = products[row].out;
	struct simulated run = { .target = products[row].target, .source = source,
		.source_bytes = sizeof(source), .destination = result,
		.destination_bytes = sizeof(result) };
	char *body;

	p.row = row;
	p.wave = layout_target_find(ctx, run.target)->wave_size;
	fill(random, p.lhs);
	fill(random, p.rhs);
	fill(random, p.sum);
	lay_out(&p, source, p.lhs, products[row].input, products[row].k,
		products[row].in, a);
	lay_out(&p, source + in * p.wave, p.rhs, products[row].input, products[row].k,
		products[row].in, b);
	lay_out(&p, source + 2 * in * p.wave, p.sum, products[row].output,
		products[row].n, out, c);
	run.lanes = p.wave;
	run.body = body = write_body(ctx, row, in, p.wave);
	if (!simulated_run(ctx, &run, NULL))
		fail_msg("row %u: %s", row, layout_context_message(ctx));
	compare(&p, result);
	free(body);
	assert_true(layout_context_free(ctx));
}

static void test_products(void **state)
{
	uint64_t random = random_seed();

	(void)state;
	for (unsigned i = 0; i < COUNT(products); i++)
		check_product(&random, i);
}

#define PRODUCT(flag) \
	"  %f = bitcast i32 %v to float\n" \
	"  %x = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32(float %f, float %f, " \
	"<4 x float> zeroinitializer, i32 0, i32 0, i32 " flag ")\n"

/* The last lane has another element 2 than the others of its column. */
#define TWINS(sum) \
	"  %c = icmp eq i32 %t, 31\n  %h = select i1 %c, half 1.0, half 2.0\n" \
	"  %f = insertelement <16 x half> zeroinitializer, half %h, i32 2\n" \
	"  %x = call <" sum "> @llvm.amdgcn.wmma.f32.16x16x16.f16(<16 x half> " \
	"zeroinitializer, <16 x half> %f, <" sum "> zeroinitializer)\n"

static const struct {
	const char *target;
	const char *body;
	const char *message;
} refusals[] = {
	{ "gfx942", PRODUCT("1"), "with its operand 5" },
	{ "gfx1100:wave64", PRODUCT("0"), "mfma.f32.16x16x4f32 on this target" },
	{ "gfx942", "  %c = icmp eq i32 %t, 9\n  br i1 %c, label %out, label %in\nin:\n"
		PRODUCT("0") "  br label %out\nout:\n", "without lane 9 of its wave" },
	{ "gfx1100", TWINS("8 x float"), "element 2 of" },
	{ "gfx1100:wave64", TWINS("4 x float"), "element 2 of" },
	{ "gfx942", "  %x = call <4 x float> @llvm.amdgcn.smfmac.f32.16x16x32.f16("
		"<4 x half> zeroinitializer, <8 x half> zeroinitializer, "
		"<4 x float> zeroinitializer, i32 0, i32 0, i32 0)\n",
		"does not execute calls of llvm.amdgcn.smfmac" },
};

static void test_refusals(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(refusals); i++) {
		layout_context *ctx = layout_context_new();
		uint32_t result[64];
		struct simulated run = { .target = refusals[i].target,
			.lanes = layout_target_find(ctx, refusals[i].target)->wave_size,
			.body = refusals[i].body, .destination = result };

		assert_false(simulated_run(ctx, &run, NULL));
		if (!strstr(layout_context_message(ctx), refusals[i].message))
			fail_msg("row %u: %s", i, layout_context_message(ctx));
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_products),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
