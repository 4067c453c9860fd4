/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions as LLVM values.
 *
 *	bits of "from" -> bits of "wide" -> times the scale -> bits of "to"
 *
 * "wide" is f32 or f64 and holds every number of "from", so that only the product and
 * the last step round.  LLVM's own operations are used where they are exact on every
 * target: f16 and f32 widened, and narrowed to nearest; all else is integer arithmetic,
 * since for some CPUs LLVM flushes subnormals on the way to bf16. */
#include "lower/convert.h"
#include "lower/llvm.h"

/* "lanes" is 0 for a scalar. */
struct work {
	LLVMBuilderRef b;
	unsigned lanes;
};

static LLVMTypeRef vector_of(const struct work *w, LLVMTypeRef element)
{
	return w->lanes ? LLVMVectorType(element, w->lanes) : element;
}

static LLVMTypeRef integer_type(const struct work *w, unsigned bits)
{
	return vector_of(w, LLVMIntTypeInContext(LLVMGetBuilderContext(w->b), bits));
}

static LLVMTypeRef float_type(const struct work *w, const struct element_type *type)
{
	LLVMContextRef llvm = LLVMGetBuilderContext(w->b);

	return vector_of(w, type->bits == 16 ? LLVMHalfTypeInContext(llvm) :
		type->bits == 32 ? LLVMFloatTypeInContext(llvm) :
		LLVMDoubleTypeInContext(llvm));
}

/* "element" in every lane. */
static LLVMValueRef splat(const struct work *w, LLVMValueRef element)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(w->b));
	LLVMValueRef none, first;

	if (!w->lanes)
		return element;
	none = LLVMGetPoison(vector_of(w, LLVMTypeOf(element)));
	first = LLVMBuildInsertElement(w->b, none, element, LLVMConstNull(i32), "");
	return LLVMBuildShuffleVector(w->b, first, none,
		LLVMConstNull(vector_of(w, i32)), "");
}

/* A constant, modulo its width, of an integer value's type. */
static LLVMValueRef constant(const struct work *w, LLVMValueRef like, uint64_t value)
{
	LLVMTypeRef type = LLVMTypeOf(like);

	type = w->lanes ? LLVMGetElementType(type) : type;
	value &= UINT64_MAX >> (64 - LLVMGetIntTypeWidth(type));
	return splat(w, LLVMConstInt(type, value, false));
}

static LLVMValueRef compare(const struct work *w, LLVMIntPredicate predicate,
	LLVMValueRef a, uint64_t b)
{
	return LLVMBuildICmp(w->b, predicate, a, constant(w, a, b), "");
}

static LLVMValueRef shift_left(const struct work *w, LLVMValueRef a, unsigned by)
{
	return LLVMBuildShl(w->b, a, constant(w, a, by), "");
}

static LLVMValueRef shift_right(const struct work *w, LLVMValueRef a, unsigned by)
{
	return LLVMBuildLShr(w->b, a, constant(w, a, by), "");
}

static LLVMValueRef mask(const struct work *w, LLVMValueRef a, unsigned bits)
{
	return LLVMBuildAnd(w->b, a, constant(w, a, ((uint64_t)1 << bits) - 1), "");
}

/* The lesser of "a" and a constant. */
static LLVMValueRef at_most(const struct work *w, LLVMValueRef a, uint64_t most)
{
	return LLVMBuildSelect(w->b, compare(w, LLVMIntULT, a, most), a,
		constant(w, a, most), "");
}

/* "value" where "a" is the constant or beyond, else "otherwise". */
static LLVMValueRef from_on(const struct work *w, LLVMValueRef a, uint64_t least,
	LLVMValueRef value, LLVMValueRef otherwise)
{
	return LLVMBuildSelect(w->b, compare(w, LLVMIntUGE, a, least), value, otherwise,
		"");
}

static LLVMValueRef as_float(const struct work *w, const struct element_type *type,
	LLVMValueRef bits)
{
	return LLVMBuildBitCast(w->b, bits, float_type(w, type), "");
}

static LLVMValueRef as_bits(const struct work *w, const struct element_type *type,
	LLVMValueRef number)
{
	return LLVMBuildBitCast(w->b, number, integer_type(w, type->bits), "");
}

/* The bits of an infinity, or where there is none of what is beyond all numbers. */
static uint64_t beyond(const struct element_type *type)
{
	return element_type_largest(type) + 1;
}

static const struct element_type f32 = { "f32", 32, 'f', 8, 23, 127, 0x7fc00000, false };

/* The least step of a format of eight bits or less, as an f32. */
static LLVMValueRef least_step(const struct work *w, const struct element_type *type)
{
	LLVMTypeRef single = LLVMFloatTypeInContext(LLVMGetBuilderContext(w->b));
	unsigned halvings = (unsigned)type->bias - 1 + type->mantissa;

	return splat(w, LLVMConstReal(single, 1.0 / (double)(1u << halvings)));
}

/* A number of eight bits or less as an f32.  "magnitude" is it without its sign: a
 * subnormal one is a number of least steps, others get the exponent's other bias. */
static LLVMValueRef widen_magnitude(const struct work *w,
	const struct element_type *from, LLVMValueRef magnitude)
{
	unsigned steps = f32.mantissa - from->mantissa;
	LLVMValueRef shifted = shift_left(w, magnitude, steps);
	LLVMValueRef normal = LLVMBuildAdd(w->b, shifted, constant(w, shifted,
		(uint64_t)(f32.bias - from->bias) << f32.mantissa), "");
	LLVMValueRef count = LLVMBuildUIToFP(w->b, magnitude, float_type(w, &f32), "");
	LLVMValueRef subnormal = as_bits(w, &f32, LLVMBuildFMul(w->b, count,
		least_step(w, from), ""));
	LLVMValueRef value = from_on(w, magnitude, (uint64_t)1 << from->mantissa, normal,
		subnormal);

	if (from->finite)
		return value;
	return from_on(w, magnitude, beyond(from), LLVMBuildOr(w->b, shifted,
		constant(w, shifted, beyond(&f32)), ""), value);
}

static LLVMValueRef widen_small(const struct work *w, const struct element_type *from,
	LLVMValueRef bits)
{
	unsigned sign_bit = from->bits - 1;
	LLVMValueRef code = LLVMBuildZExt(w->b, bits, integer_type(w, 32), "");
	LLVMValueRef magnitude = mask(w, code, sign_bit);
	LLVMValueRef value = widen_magnitude(w, from, magnitude);
	LLVMValueRef sign = shift_left(w, shift_right(w, code, sign_bit), 31);
	bool signed_nan = from->nan >> sign_bit;

	if (from->finite && from->nan)
		value = LLVMBuildSelect(w->b, compare(w, LLVMIntEQ,
			signed_nan ? code : magnitude, from->nan),
			constant(w, value, f32.nan), value, "");
	return LLVMBuildOr(w->b, value, sign, "");
}

static const struct element_type f16 = { "f16", 16, 'f', 5, 10, 15, 0x7e00, false };

/* Has f16 an exponent for each of the format, or the same? */
static bool is_part_of_half(const struct element_type *type)
{
	return type->bits <= 8 && (type->exponent < f16.exponent ||
		(type->bias == f16.bias && !type->finite));
}

/* Is the number, of type "as", what the code of a NaN would be as one?  Where the code has a sign
 * it is -0. */
static LLVMValueRef is_code_of_nan(const struct work *w, const struct element_type *from,
	const struct element_type *as, LLVMValueRef value)
{
	uint64_t magnitude = from->nan & (((uint64_t)1 << (from->bits - 1)) - 1);
	uint64_t digits = magnitude & (((uint64_t)1 << from->mantissa) - 1);
	int exponent = (int)(magnitude >> from->mantissa) - from->bias + as->bias;
	LLVMValueRef number = as_float(w, as, value), code;

	if (!magnitude)
		return compare(w, LLVMIntEQ, value, (uint64_t)1 << (as->bits - 1));
	code = constant(w, value, (uint64_t)exponent << as->mantissa |
		digits << (as->mantissa - from->mantissa));
	return LLVMBuildFCmp(w->b, LLVMRealOEQ, lower_intrinsic_like(w->b, "llvm.fabs", &number, 1),
		as_float(w, as, code), "");
}

/* A number as an f16 of the other bias, then as one of the right bias: an f16 or an f32, "as". */
static LLVMValueRef widen_by_half(const struct work *w, const struct element_type *from,
	const struct element_type *as, LLVMValueRef code)
{
	LLVMTypeRef type = float_type(w, as);
	double scale = (double)(1u << (f16.bias - from->bias));
	LLVMValueRef value = shift_left(w, LLVMBuildSExt(w->b, code, integer_type(w, 16), ""),
		f16.mantissa - from->mantissa);

	value = LLVMBuildAnd(w->b, value, constant(w, value, (uint64_t)1 << 15 |
		(((uint64_t)1 << (f16.mantissa + from->exponent)) - 1)), "");
	value = as_float(w, &f16, value);
	if (as->bits > f16.bits)
		value = LLVMBuildFPExt(w->b, value, type, "");
	value = as_bits(w, as, LLVMBuildFMul(w->b, value, splat(w, LLVMConstReal(w->lanes ?
		LLVMGetElementType(type) : type, scale)), ""));
	if (!from->finite || !from->nan)
		return value;
	return LLVMBuildSelect(w->b, is_code_of_nan(w, from, as, value), constant(w, value,
		as->nan), value, "");
}

/* The bits of a number of type "from" as one of type "wide". */
static LLVMValueRef widen(const struct work *w, const struct element_type *from,
	const struct element_type *wide, bool by_half, LLVMValueRef bits)
{
	if (from->bits == wide->bits)
		return bits;
	if (from->bits == 16 && from->exponent == f32.exponent) {
		bits = shift_left(w, LLVMBuildZExt(w->b, bits, integer_type(w, 32), ""),
			16);
		from = &f32;
	} else if (from->bits <= 8) {
		bits = by_half && is_part_of_half(from) ? widen_by_half(w, from, &f32, bits) :
			widen_small(w, from, bits);
		from = &f32;
	}
	if (from->bits == wide->bits)
		return bits;
	return as_bits(w, wide, LLVMBuildFPExt(w->b, as_float(w, from, bits),
		float_type(w, wide), ""));
}

/* (value - less) / 2^by to the nearest integer, of two the even one; 2^(by + 1) divides "less". */
static LLVMValueRef round_shift(const struct work *w, LLVMValueRef value, unsigned by, uint64_t less)
{
	LLVMValueRef odd = mask(w, shift_right(w, value, by), 1);
	LLVMValueRef half = constant(w, value, (((uint64_t)1 << (by - 1)) - 1) - less);

	return shift_right(w, LLVMBuildAdd(w->b, LLVMBuildAdd(w->b, value, odd, ""), half, ""), by);
}

/* Are all numbers of the one format, as they are, numbers of the other? */
static bool is_exact(const struct conversion *c)
{
	return !c->scaled && c->from->mantissa <= c->to->mantissa &&
		c->from->exponent <= c->to->exponent;
}

/* To a format of the same exponent, bf16: an upper half, rounded.  What carries out of
 * the largest number is an infinity. */
static LLVMValueRef narrow_half(const struct work *w, const struct conversion *c,
	LLVMValueRef bits)
{
	LLVMValueRef number = as_float(w, c->wide, bits);
	LLVMValueRef is_nan = LLVMBuildFCmp(w->b, LLVMRealUNO, number, number, "");
	LLVMTypeRef type = integer_type(w, c->to->bits);
	unsigned steps = c->wide->mantissa - c->to->mantissa;
	bool cut = is_exact(c) || c->rounding == LAYOUT_ROUND_TOWARD_ZERO;
	LLVMValueRef half = LLVMBuildTrunc(w->b, cut ? shift_right(w, bits, steps) :
		round_shift(w, bits, steps, 0), type, "");

	if (is_exact(c) && c->from->finite)
		return half;
	return LLVMBuildSelect(w->b, is_nan, constant(w, half, c->to->nan), half, "");
}

/* How many of its least steps a number is that is subnormal there: the last digits of a sum with
 * a power of two whose last digit is such a step. */
static LLVMValueRef round_subnormal(const struct work *w, const struct conversion *c,
	LLVMValueRef magnitude)
{
	int exponent = (int)c->wide->mantissa + 1 - c->to->bias - (int)c->to->mantissa;
	LLVMValueRef power = constant(w, magnitude,
		(uint64_t)(exponent + c->wide->bias) << c->wide->mantissa);
	LLVMValueRef sum = LLVMBuildFAdd(w->b, as_float(w, c->wide, magnitude),
		as_float(w, c->wide, power), "");

	return LLVMBuildSub(w->b, as_bits(w, c->wide, sum), power, "");
}

/* To a format of less exponent: its other bias goes with what rounds. */
static LLVMValueRef round_nearest(const struct work *w, const struct conversion *c,
	LLVMValueRef magnitude)
{
	uint64_t one = (uint64_t)1 << c->wide->mantissa;
	uint64_t bias = (uint64_t)(c->wide->bias - c->to->bias) << c->wide->mantissa;

	return from_on(w, magnitude, bias + one, round_shift(w, magnitude,
		c->wide->mantissa - c->to->mantissa, bias), round_subnormal(w, c, magnitude));
}

/* A magnitude cut to a format of less exponent: the significand of a number that is
 * subnormal there moves by its exponent, too, and beyond its width leaves nothing. */
static LLVMValueRef cut_biased(const struct work *w, const struct conversion *c,
	LLVMValueRef magnitude)
{
	const struct element_type *wide = c->wide, *to = c->to;
	unsigned steps = wide->mantissa - to->mantissa;
	uint64_t bias = (uint64_t)(wide->bias - to->bias);
	LLVMValueRef is_normal = compare(w, LLVMIntUGE, magnitude,
		(bias + 1) << wide->mantissa);
	LLVMValueRef significand = LLVMBuildOr(w->b, mask(w, magnitude, wide->mantissa),
		constant(w, magnitude, (uint64_t)1 << wide->mantissa), "");
	LLVMValueRef exponent = shift_right(w, magnitude, wide->mantissa);
	LLVMValueRef by = at_most(w, LLVMBuildSub(w->b, constant(w, magnitude,
		steps + bias + 1), exponent, ""), wide->mantissa + 2);
	LLVMValueRef value = LLVMBuildSelect(w->b, is_normal, magnitude, significand, "");

	by = LLVMBuildSelect(w->b, is_normal, constant(w, by, steps), by, "");
	value = LLVMBuildLShr(w->b, value, by, "");
	return LLVMBuildSub(w->b, value, LLVMBuildSelect(w->b, is_normal,
		constant(w, value, bias << to->mantissa), constant(w, value, 0), ""), "");
}

/* What is too large, and NaN, after rounding. */
static LLVMValueRef bound(const struct work *w, const struct conversion *c,
	LLVMValueRef magnitude, LLVMValueRef rounded)
{
	const struct element_type *to = c->to;
	bool to_infinity = !to->finite && c->rounding == LAYOUT_ROUND_NEAREST_EVEN;
	uint64_t infinity = beyond(c->wide);
	LLVMValueRef value = at_most(w, rounded,
		to_infinity ? beyond(to) : element_type_largest(to));

	if (!to->finite && !to_infinity)
		value = from_on(w, magnitude, infinity, constant(w, value, beyond(to)),
			value);
	if (to->nan)
		value = from_on(w, magnitude, infinity + 1, constant(w, value, to->nan),
			value);
	return value;
}

/* Can there be a NaN that the format has no code for? */
static bool loses_nan(const struct conversion *c)
{
	return !c->to->nan && (!c->from->finite || c->from->nan || c->scaled);
}

/* To a format of less exponent.  The sign of a NaN says nothing, and is another on other
 * machines: what stands for it has none. */
static LLVMValueRef narrow_biased(const struct work *w, const struct conversion *c,
	LLVMValueRef bits)
{
	const struct element_type *to = c->to;
	unsigned sign_bit = c->wide->bits - 1;
	LLVMValueRef magnitude = mask(w, bits, sign_bit), value, sign;

	value = bound(w, c, magnitude, (c->rounding == LAYOUT_ROUND_NEAREST_EVEN ? round_nearest :
		cut_biased)(w, c, magnitude));
	sign = shift_left(w, shift_right(w, bits, sign_bit), to->bits - 1);
	if (to->nan == (uint64_t)1 << (to->bits - 1))
		sign = from_on(w, value, 1, sign, constant(w, sign, 0));
	if (loses_nan(c))
		sign = from_on(w, magnitude, beyond(c->wide) + 1, constant(w, sign, 0), sign);
	value = LLVMBuildOr(w->b, value, sign, "");
	return LLVMBuildTrunc(w->b, value, integer_type(w, to->bits), "");
}

/* The bits of a number of type "wide" as one of type "to". */
static LLVMValueRef narrow(const struct work *w, const struct conversion *c,
	LLVMValueRef bits)
{
	const struct element_type *to = c->to, *wide = c->wide;
	bool nearest = c->rounding == LAYOUT_ROUND_NEAREST_EVEN;
	bool is_half = to->bits == 16 && to->exponent == 5;

	if (to->bits == wide->bits)
		return bits;
	if (wide->bias == to->bias)
		return narrow_half(w, c, bits);
	if (!nearest || !(wide->bits == 64 ? to->bits == 32 : is_half))
		return narrow_biased(w, c, bits);
	return as_bits(w, to, LLVMBuildFPTrunc(w->b, as_float(w, wide, bits),
		float_type(w, to), ""));
}

static LLVMValueRef convert_float(const struct work *w, const struct conversion *c,
	LLVMValueRef bits)
{
	LLVMValueRef value, scale;

	if (!c->scaled && c->from->bits == f16.bits && c->from->bias == c->to->bias &&
	    c->to->bits < f16.bits) {
		struct conversion half = *c;

		half.wide = c->from;
		return narrow(w, &half, bits);
	}
	if (c->by_half && !c->scaled && c->to->bits == f16.bits && c->to->bias == f16.bias &&
	    is_part_of_half(c->from))
		return widen_by_half(w, c->from, &f16, bits);
	value = widen(w, c->from, c->wide, c->by_half, bits);

	if (c->scaled) {
		scale = constant(w, value, c->scale);
		value = as_bits(w, c->wide, LLVMBuildFMul(w->b,
			as_float(w, c->wide, value), as_float(w, c->wide, scale), ""));
	}
	return narrow(w, c, value);
}

/* The least and the largest integer of a type, as 64 bits. */
static int64_t least_integer(const struct element_type *type)
{
	return type->kind == 'u' ? 0 : INT64_MIN >> (64 - type->bits);
}

static uint64_t largest_integer(const struct element_type *type)
{
	return UINT64_MAX >> (64 - type->bits + (type->kind == 'i'));
}

/* To or from a truth value. */
static LLVMValueRef convert_truth(const struct work *w, const struct conversion *c,
	LLVMValueRef bits)
{
	return LLVMBuildIntCast2(w->b, compare(w, LLVMIntNE, bits, 0),
		integer_type(w, c->to->bits), false, "");
}

/* Clamped while it is of the type converted from, whose comparisons fit it. */
static LLVMValueRef convert_integer(const struct work *w, const struct conversion *c,
	LLVMValueRef bits)
{
	bool is_signed = c->from->kind == 'i';
	uint64_t least = (uint64_t)least_integer(c->to);
	uint64_t largest = largest_integer(c->to);

	if (largest < largest_integer(c->from))
		bits = LLVMBuildSelect(w->b, compare(w, is_signed ? LLVMIntSGT :
			LLVMIntUGT, bits, largest), constant(w, bits, largest), bits, "");
	if (is_signed && least_integer(c->from) < least_integer(c->to))
		bits = LLVMBuildSelect(w->b, compare(w, LLVMIntSLT, bits, least),
			constant(w, bits, least), bits, "");
	return LLVMBuildIntCast2(w->b, bits, integer_type(w, c->to->bits), is_signed, "");
}

LLVMValueRef convert_value(LLVMBuilderRef builder, const struct conversion *conversion,
	LLVMValueRef bits)
{
	LLVMTypeRef type = LLVMTypeOf(bits);
	struct work w = { builder, LLVMGetTypeKind(type) == LLVMVectorTypeKind ?
		LLVMGetVectorSize(type) : 0 };

	if (conversion_is_copy(conversion))
		return bits;
	if (conversion->from->kind == 'f')
		return convert_float(&w, conversion, bits);
	return conversion->from->kind == 'b' || conversion->to->kind == 'b' ?
		convert_truth(&w, conversion, bits) :
		convert_integer(&w, conversion, bits);
}
