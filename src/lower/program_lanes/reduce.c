/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reductions: over registers, then over the lanes of a wave, then over the waves.
 *
 * Only digits of the reduced dimensions are gone through, which hold every element once;
 * where other digits make copies, each copy is reduced by itself. */
#include "lower/program_lanes/local.h"
#include "lower/program_lanes/parts.h"
#include "isl_bridge/arithmetic.h"

#include <stdlib.h>

/* What the registers of the result are so far, of "type"; with the element that they are
 * of where that is asked for. */
struct reducing {
	program_scope *body;
	const layout_tile *tile, *operand;
	const struct owner *owner;
	const struct element_type *type;
	uint64_t digits;		/* of the reduced dimensions */
	unsigned count;			/* of these; .. */
	unsigned last;			/* and in the end, where lanes share them out */
	LLVMValueRef *values, *elements;
	LLVMValueRef *nans;		/* of extrema: is there one?  NULL: as values */
};

static bool finds_index(const struct reducing *r)
{
	return r->tile->reduce >= REDUCE_ARGMIN;
}

/* Is it an extremum of numbers that the target computes? */
static bool keeps_nans(const struct reducing *r)
{
	return (r->tile->reduce == REDUCE_MIN || r->tile->reduce == REDUCE_MAX) &&
		r->type->kind == 'f' && r->type->bits == 32;
}

static LLVMValueRef as_float(const struct reducing *r, LLVMValueRef bits)
{
	return LLVMBuildBitCast(r->body->b, bits, LLVMFloatTypeInContext(
		LLVMGetBuilderContext(r->body->b)), "");
}

/* The larger or smaller one as if none were a NaN, and the register's own word of that.  What
 * was made so is nothing at all behind a NaN, and not asked whether it is one. */
static LLVMValueRef extremum(struct reducing *r, unsigned n, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef builder = r->body->b;
	LLVMValueRef args[] = { as_float(r, a), as_float(r, b) }, value;
	LLVMValueRef nan = LLVMBuildFCmp(builder, LLVMRealUNO, args[r->nans[n] ? 1 : 0], args[1],
		"");

	r->nans[n] = r->nans[n] ? LLVMBuildOr(builder, r->nans[n], nan, "") : nan;
	value = lower_intrinsic_like(r->body->b, r->tile->reduce == REDUCE_MIN ? "llvm.minnum" :
		"llvm.maxnum", args, 2);
	LLVMSetFastMathFlags(value, LLVMFastMathNoNaNs);
	return LLVMBuildBitCast(builder, value, r->body->i32, "");
}

/* The extrema, or NaN where there was one. */
static void settle_nans(struct reducing *r)
{
	LLVMValueRef nan = lower_int(r->body->i32, (int64_t)r->type->nan);

	for (unsigned n = 0; n < r->count; n++)
		if (r->nans[n])
			r->values[n] = LLVMBuildSelect(r->body->b, r->nans[n], nan,
				r->values[n], "");
	free(r->nans);
	r->nans = NULL;
}

static LLVMValueRef combine(const struct reducing *r, LLVMValueRef a, LLVMValueRef b)
{
	static const enum map_op ops[] = { [REDUCE_ADD] = MAP_ADD, [REDUCE_MUL] = MAP_MUL,
		[REDUCE_MIN] = MAP_MIN, [REDUCE_MAX] = MAP_MAX };
	LLVMValueRef args[] = { a, b, NULL };

	switch (r->tile->reduce) {
	case REDUCE_AND:
		return LLVMBuildAnd(r->body->b, a, b, "");
	case REDUCE_OR:
		return LLVMBuildOr(r->body->b, a, b, "");
	default:
		return program_operate(r->body, ops[r->tile->reduce], r->type, args);
	}
}

static LLVMValueRef holds(const struct reducing *r, enum map_op op, LLVMValueRef a,
	LLVMValueRef b)
{
	LLVMValueRef args[] = { a, b, NULL };
	LLVMValueRef bits = program_operate(r->body, op, r->type, args);

	return LLVMBuildICmp(r->body->b, LLVMIntNE, bits, lower_int(r->body->i8, 0), "");
}

/* Is (b, element) the one to take, rather than (a, other): better, or as good and earlier?
 * A NaN is better than every number. */
static LLVMValueRef is_better(const struct reducing *r, LLVMValueRef a, LLVMValueRef other,
	LLVMValueRef b, LLVMValueRef element)
{
	enum map_op op = r->tile->reduce == REDUCE_ARGMIN ? MAP_LT : MAP_GT;
	LLVMBuilderRef builder = r->body->b;
	LLVMValueRef better = holds(r, op, b, a), same = holds(r, MAP_EQ, b, a);
	LLVMValueRef earlier = LLVMBuildICmp(builder, LLVMIntULT, element, other, "");
	LLVMValueRef a_none = holds(r, MAP_NE, a, a), b_none = holds(r, MAP_NE, b, b);

	better = LLVMBuildOr(builder, better, LLVMBuildAnd(builder, b_none,
		LLVMBuildNot(builder, a_none, ""), ""), "");
	same = LLVMBuildOr(builder, same, LLVMBuildAnd(builder, a_none, b_none, ""), "");
	return LLVMBuildOr(builder, better, LLVMBuildAnd(builder, same, earlier, ""), "");
}

/* Take another value into register n of the result. */
static bool take(struct reducing *r, unsigned n, LLVMValueRef value, LLVMValueRef element)
{
	LLVMValueRef better;

	if (!value)
		return false;
	if (!r->values[n]) {
		r->values[n] = value;
		r->elements[n] = element;
	} else if (finds_index(r)) {
		better = is_better(r, r->values[n], r->elements[n], value, element);
		r->values[n] = LLVMBuildSelect(r->body->b, better, value, r->values[n], "");
		r->elements[n] = LLVMBuildSelect(r->body->b, better, element, r->elements[n],
			"");
	} else {
		r->values[n] = r->nans ? extremum(r, n, r->values[n], value) :
			combine(r, r->values[n], value);
	}
	return r->values[n];
}

/* The number of an operand's element among the reduced dimensions, row-major. */
static LLVMValueRef element_of(const struct reducing *r, const struct owner_coordinates *at,
	unsigned q)
{
	LLVMValueRef sum = lower_int(r->body->i32, 0);

	for (unsigned d = 0; d < r->operand->rank; d++)
		if (program_lists_dim(r->tile, d))
			sum = LLVMBuildAdd(r->body->b, LLVMBuildMul(r->body->b, sum,
				lower_int(r->body->i32, r->operand->box[d]), ""),
				owner_coordinate(at, q, d), "");
	return sum;
}

static int64_t digit_of(const struct owner_digit *digit, int64_t n)
{
	return n / digit->place % digit->radix;
}

/* A register without its reduced digits; -1 where it is a copy of another. */
static int64_t kept_register(const struct reducing *r, uint64_t used, int64_t q)
{
	int64_t kept = q;

	for (unsigned i = 0; i < r->owner->digit_count; i++) {
		const struct owner_digit *digit = &r->owner->digits[i];

		if (digit->part != OWNER_REGISTER)
			continue;
		if (!(used >> i & 1) && digit_of(digit, q))
			return -1;
		if (r->digits >> i & 1)
			kept -= digit_of(digit, q) * digit->place;
	}
	return kept;
}

static uint64_t used_digits(const struct owner *owner)
{
	uint64_t used = 0;

	for (unsigned i = 0; i < owner->term_count; i++)
		used |= owner->terms[i].digits;
	return used;
}

/* "old" has the register of the operand that each of the result's was. */
static bool reduce_registers(struct reducing *r, const unsigned *old)
{
	struct owner_coordinates at = program_coordinates(r->body, r->owner);
	LLVMValueRef *values = r->body->values[r->operand->number];
	uint64_t used = used_digits(r->owner);
	bool ok = true;

	if (keeps_nans(r)) {
		r->nans = layout_alloc(r->body->ctx, r->count, sizeof(LLVMValueRef));
		ok = r->nans;
	}

	for (unsigned q = 0; ok && q < r->owner->extent[OWNER_REGISTER]; q++) {
		int64_t kept = kept_register(r, used, q);
		LLVMValueRef value = values[q];
		unsigned n = 0;

		if (kept < 0)
			continue;
		while (old[n] != kept)
			n++;
		if (r->type != r->operand->type)
			value = program_cast(r->body, r->operand->type, r->type, value);
		ok = take(r, n, value, finds_index(r) ? element_of(r, &at, q) : NULL);
	}
	if (r->nans)
		settle_nans(r);
	return ok;
}

static LLVMValueRef read_lane(const struct reducing *r, LLVMValueRef value,
	LLVMValueRef lane, unsigned mask)
{
	return value ? program_lane_value(r->body, value, lane, mask) : NULL;
}

/* Each lane takes what the lane with another digit has; both come to the same. */
static bool reduce_bit(struct reducing *r, unsigned mask)
{
	bool ok = true;

	for (unsigned n = 0; ok && n < r->count; n++) {
		LLVMValueRef value = read_lane(r, r->values[n], NULL, mask);
		LLVMValueRef element = read_lane(r, r->elements[n], NULL, mask);

		ok = take(r, n, value, element);
	}
	return ok;
}

/* The two lanes share the registers out: that with the bit takes the upper half of both,
 * the other one the lower half. */
static bool share_bit(struct reducing *r, unsigned mask)
{
	LLVMBuilderRef b = r->body->b;
	LLVMValueRef bit = LLVMBuildAnd(b, r->body->hardware.lane, lower_int(r->body->i32,
		mask), "");
	LLVMValueRef upper = LLVMBuildICmp(b, LLVMIntNE, bit, lower_int(r->body->i32, 0),
		"");
	bool ok = true;

	r->count /= 2;
	for (unsigned n = 0; ok && n < r->count; n++) {
		LLVMValueRef low = r->values[n], high = r->values[r->count + n];
		LLVMValueRef given = LLVMBuildSelect(b, upper, low, high, "");

		r->values[n] = LLVMBuildSelect(b, upper, high, low, "");
		ok = take(r, n, read_lane(r, given, NULL, mask), NULL);
	}
	return ok;
}

static bool reduce_bits(struct reducing *r, const struct owner_digit *digit)
{
	bool ok = true;

	for (int64_t step = 1; ok && step < digit->radix; step *= 2)
		ok = (r->count > r->last ? share_bit : reduce_bit)(r,
			(unsigned)(step * digit->place));
	return ok;
}

/* A number of the hardware among those of the owner: what is beyond has what these have. */
static LLVMValueRef own_number(const struct reducing *r, enum owner_part part,
	LLVMValueRef number, int64_t count)
{
	int64_t own = r->owner->extent[part];

	return own == count ? number : LLVMBuildURem(r->body->b, number,
		lower_int(r->body->i32, own), "");
}

/* The owner's number with 0 for a digit; a constant where there is no other one, which the
 * chips read a lane at for less. */
static LLVMValueRef without_digit(const struct reducing *r, LLVMValueRef number,
	const struct owner_digit *digit)
{
	LLVMBuilderRef b = r->body->b;
	LLVMTypeRef i32 = r->body->i32;
	int64_t above = digit->place * digit->radix;
	LLVMValueRef place = lower_int(i32, digit->place), next = lower_int(i32, above);
	LLVMValueRef upper = above == r->owner->extent[digit->part] ? lower_int(i32, 0) :
		LLVMBuildMul(b, LLVMBuildUDiv(b, number, next, ""), next, "");
	LLVMValueRef lower = digit->place == 1 ? lower_int(i32, 0) :
		LLVMBuildURem(b, number, place, "");

	return LLVMBuildAdd(b, upper, lower, "");
}

/* All lanes take what the lanes with digit 0, 1, .. have, in this order. */
static bool reduce_in_order(struct reducing *r, const struct owner_digit *digit)
{
	program_scope *body = r->body;
	LLVMValueRef first = without_digit(r, own_number(r, OWNER_LANE,
		body->hardware.lane, body->hardware.wave_size), digit);
	bool ok = true;

	for (unsigned n = 0; ok && n < r->count; n++) {
		LLVMValueRef own = r->values[n], own_element = r->elements[n];

		r->values[n] = NULL;
		for (int64_t i = 0; ok && i < digit->radix; i++) {
			LLVMValueRef lane = LLVMBuildAdd(body->b, first, lower_int(
				body->i32, i * digit->place), "");

			ok = take(r, n, read_lane(r, own, lane, 0),
				read_lane(r, own_element, lane, 0));
		}
	}
	return ok;
}

static bool reduce_lanes(struct reducing *r)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < r->owner->digit_count; i++) {
		const struct owner_digit *digit = &r->owner->digits[i];

		if (digit->part == OWNER_LANE && r->digits >> i & 1)
			ok = int_is_power2(digit->place) && int_is_power2(digit->radix) ?
				reduce_bits(r, digit) : reduce_in_order(r, digit);
	}
	return ok;
}

/* Every wave puts what it has; each takes from the waves that differ in this digit. */
static bool reduce_waves(struct reducing *r, const struct owner_digit *digit)
{
	program_scope *body = r->body;
	LLVMValueRef first = without_digit(r, own_number(r, OWNER_SUBGROUP,
		body->hardware.subgroup, body->hardware.subgroups), digit);
	bool ok = true;

	program_local_await(body, r->tile);
	for (unsigned n = 0; ok && n < r->count; n++) {
		program_local_put(body, r->tile, r->values[n], n);
		if (r->elements[n])
			program_local_put(body, r->tile, r->elements[n], r->count + n);
	}
	program_local_barrier(body);
	for (unsigned n = 0; ok && n < r->count; n++) {
		LLVMTypeRef type = LLVMTypeOf(r->values[n]);
		LLVMValueRef element = r->elements[n];

		r->values[n] = NULL;
		for (int64_t i = 0; ok && i < digit->radix; i++) {
			LLVMValueRef wave = LLVMBuildAdd(body->b, first, lower_int(
				body->i32, i * digit->place), "");

			ok = take(r, n, program_local_get(body, r->tile, type, wave, n),
				element ? program_local_get(body, r->tile,
				body->i32, wave, r->count + n) : NULL);
		}
	}
	body->read_local = true;
	return ok;
}

static bool reduce_subgroups(struct reducing *r)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < r->owner->digit_count; i++)
		if (r->owner->digits[i].part == OWNER_SUBGROUP && r->digits >> i & 1)
			ok = reduce_waves(r, &r->owner->digits[i]);
	return ok;
}

/* The registers of the operand that those of the result were; to be freed. */
static unsigned *find_old(struct reducing *r)
{
	struct owner left = *r->owner;
	unsigned *old = layout_alloc(r->body->ctx, (size_t)left.extent[OWNER_REGISTER],
		sizeof(*old));

	for (unsigned i = 0; i < left.term_count; i++)
		if (program_lists_dim(r->tile, left.terms[i].dim))
			r->digits |= left.terms[i].digits;
	for (unsigned d = left.rank; d-- > 0;)
		if (program_lists_dim(r->tile, d))
			owner_project(&left, d);
	if (old)
		owner_drop_registers(&left, old);
	r->count = (unsigned)left.extent[OWNER_REGISTER];
	return old;
}

bool program_lower_reduce(program_scope *body, const layout_tile *tile)
{
	const layout_tile *operand = tile->operands[0];
	struct reducing r = { .body = body, .tile = tile, .operand = operand,
		.owner = program_owner(body, operand),
		.type = tile->sum_type ? tile->sum_type : operand->type,
		.last = program_registers_of(body, tile) };
	unsigned *old = find_old(&r);
	LLVMValueRef *values = program_make_values(body, tile);
	bool ok;

	r.values = layout_alloc(body->ctx, r.count, sizeof(LLVMValueRef));
	r.elements = layout_alloc(body->ctx, r.count, sizeof(LLVMValueRef));
	ok = old && values && r.values && r.elements && reduce_registers(&r, old) &&
		reduce_lanes(&r) && reduce_subgroups(&r);
	for (unsigned n = 0; ok && n < r.last; n++)
		values[n] = finds_index(&r) ? r.elements[n] : r.values[n];
	free(old);
	free(r.values);
	free(r.elements);
	return ok;
}
