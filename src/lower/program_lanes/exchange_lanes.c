/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inside a wave: the steps of the plan, one by one. */
#include "lower/program_lanes/exchange_parts.h"

#include <stdlib.h>

/* "values" are the registers of FROM, then those of the steps. */
struct lanes {
	const struct exchange *exchange;
	LLVMBuilderRef builder;
	const layout_conversion_plan *plan;
	const struct conversion_steps *steps;
	LLVMValueRef *values;
	LLVMValueRef conditions[CONVERSION_CONDITIONS];
	LLVMValueRef index, wanted;	/* of lanes; of the registers they read */
	LLVMValueRef other;		/* the second value of a swap */
};

static LLVMTypeRef word_type(const struct lanes *lanes)
{
	return exchange_int(lanes->exchange, lanes->plan->bits < 32 ? 32 :
		lanes->plan->bits);
}

/* A piece as an element; registers are elements. */
static LLVMValueRef piece(const struct lanes *lanes, struct conversion_piece of)
{
	LLVMBuilderRef builder = lanes->builder;
	LLVMValueRef value = lanes->values[of.value];
	unsigned count = 32 / lanes->plan->bits;

	if (lanes->plan->bits >= 32 || of.value < lanes->plan->from.extent[OWNER_REGISTER])
		return value;
	return exchange_extract(lanes->exchange, LLVMBuildBitCast(builder, value,
		exchange_elements(lanes->exchange, count), "pieces"), of.piece);
}

static LLVMValueRef pack(const struct lanes *lanes, const struct conversion_step *step)
{
	LLVMValueRef word = LLVMGetPoison(exchange_elements(lanes->exchange,
		32 / lanes->plan->bits));

	for (unsigned i = 0; i < lanes->steps->pieces; i++)
		word = exchange_insert(lanes->exchange, word, piece(lanes,
			step->pieces[i]), i);
	return LLVMBuildBitCast(lanes->builder, word, word_type(lanes), "word");
}

/* Bit 0 is the parity of the bits of the set, or what is known of others. */
static LLVMValueRef parity(const struct lanes *lanes, LLVMValueRef value, uint64_t set,
	LLVMValueRef sum)
{
	LLVMBuilderRef builder = lanes->builder;

	for (; set; set &= set - 1) {
		LLVMValueRef bit = LLVMBuildLShr(builder, value, exchange_number(
			lanes->exchange, __builtin_ctzll(set)), "bit");

		sum = sum ? LLVMBuildXor(builder, sum, bit, "parity") : bit;
	}
	return sum;
}

/* The register that lanes and subgroups want, without the registers' part. */
static LLVMValueRef wanted(struct lanes *lanes)
{
	struct owner_coordinates pull;
	const struct exchange *exchange = lanes->exchange;

	if (!lanes->wanted) {
		owner_coordinates(&pull, lanes->builder, &exchange->hardware,
			&lanes->plan->pull);
		lanes->wanted = pull.hw[OWNER_REGISTER] ? pull.hw[OWNER_REGISTER] :
			exchange_number(exchange, 0);
	}
	return lanes->wanted;
}

static LLVMValueRef condition(struct lanes *lanes, unsigned number)
{
	const struct conversion_condition *of = &lanes->steps->conditions[number];
	const struct exchange *exchange = lanes->exchange;
	LLVMValueRef *known = &lanes->conditions[number], sum;

	if (*known)
		return *known;
	if (!lanes->steps->f2)
		return *known = LLVMBuildICmp(lanes->builder, LLVMIntEQ, wanted(lanes),
			exchange_number(exchange, of->value), "is_wanted");
	sum = parity(lanes, exchange->hardware.lane, of->lanes, NULL);
	sum = parity(lanes, exchange->hardware.subgroup, of->subgroups, sum);
	sum = LLVMBuildAnd(lanes->builder, sum, exchange_number(exchange, 1), "parity");
	return *known = LLVMBuildICmp(lanes->builder, LLVMIntNE, sum,
		exchange_number(exchange, 0), "is_odd");
}

/* The lane that the index says, without the step's offset. */
static LLVMValueRef indexed(struct lanes *lanes)
{
	const struct exchange *exchange = lanes->exchange;
	struct owner_coordinates index;

	if (!lanes->index) {
		owner_coordinates(&index, lanes->builder, &exchange->hardware,
			&lanes->steps->index);
		lanes->index = owner_coordinate(&index, 0, 0);
	}
	return lanes->index;
}

/* A word of 32 bits of the step's lane. */
static LLVMValueRef read_word(struct lanes *lanes, const struct conversion_step *step,
	LLVMValueRef word)
{
	const struct exchange *exchange = lanes->exchange;
	const struct owner_hardware *own = &exchange->hardware;
	const layout_target *row = &lanes->plan->chip->target;
	LLVMValueRef offset = exchange_number(exchange, step->offset), from;

	if (!step->indexed)
		return own->hooks->lane_xor(lanes->builder, row, word, own->lane,
			(unsigned)step->offset);
	from = indexed(lanes);
	if (step->offset)
		from = lanes->steps->f2 ? LLVMBuildXor(lanes->builder, from, offset, "from") :
			LLVMBuildAdd(lanes->builder, from, offset, "from");
	return own->hooks->lane_read(lanes->builder, row, word, own->lane, from);
}

static LLVMValueRef read_value(struct lanes *lanes, const struct conversion_step *step)
{
	LLVMTypeRef i32 = exchange_int(lanes->exchange, 32), type = word_type(lanes);
	LLVMValueRef value = lanes->values[step->a], words, word;

	if (lanes->plan->bits <= 32)
		return read_word(lanes, step, value);
	words = LLVMBuildBitCast(lanes->builder, value, LLVMVectorType(i32, 2), "words");
	for (unsigned i = 0; i < 2; i++) {
		word = read_word(lanes, step, exchange_extract(lanes->exchange, words, i));
		words = exchange_insert(lanes->exchange, words, word, i);
	}
	return LLVMBuildBitCast(lanes->builder, words, type, "read");
}

/* Word by word; the other value is at hand when its step comes, which is the next. */
static LLVMValueRef swap(struct lanes *lanes, const struct conversion_step *step)
{
	LLVMTypeRef i32 = exchange_int(lanes->exchange, 32), type = word_type(lanes);
	unsigned count = lanes->plan->bits > 32 ? 2 : 1;
	LLVMTypeRef words = count > 1 ? LLVMVectorType(i32, count) : i32;
	LLVMValueRef sides[] = { lanes->values[step->a], lanes->values[step->b] };

	for (unsigned k = 0; k < 2; k++)
		sides[k] = LLVMBuildBitCast(lanes->builder, sides[k], words, "words");
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef pair[2];

		for (unsigned k = 0; k < 2; k++)
			pair[k] = exchange_extract(lanes->exchange, sides[k], i);
		lanes->exchange->hardware.hooks->lane_swap(lanes->builder, pair,
			(unsigned)step->offset);
		for (unsigned k = 0; k < 2; k++)
			sides[k] = exchange_insert(lanes->exchange, sides[k], pair[k], i);
	}
	lanes->other = LLVMBuildBitCast(lanes->builder, sides[1], type, "swapped");
	return LLVMBuildBitCast(lanes->builder, sides[0], type, "swapped");
}

static LLVMValueRef run_step(struct lanes *lanes, const struct conversion_step *step)
{
	switch (step->op) {
	case CONVERSION_PACK:
		return pack(lanes, step);
	case CONVERSION_SELECT:
		return LLVMBuildSelect(lanes->builder, condition(lanes, step->condition),
			lanes->values[step->a], lanes->values[step->b], "selected");
	case CONVERSION_EXCHANGE:
		return read_value(lanes, step);
	case CONVERSION_SWAP:
		return step->second ? lanes->other : swap(lanes, step);
	}
	return NULL;
}

bool exchange_lanes(const struct exchange *exchange, const LLVMValueRef *from,
	LLVMValueRef *to)
{
	const layout_conversion_plan *plan = exchange->plan;
	size_t registers = (size_t)plan->from.extent[OWNER_REGISTER];
	struct lanes lanes = { .exchange = exchange, .builder = exchange->builder,
		.plan = plan, .steps = &plan->lanes, .values = layout_alloc(exchange->ctx,
			registers + plan->lanes.step_count, sizeof(LLVMValueRef)) };

	if (!lanes.values)
		return false;
	for (size_t r = 0; r < registers; r++)
		lanes.values[r] = from[r];
	for (unsigned i = 0; i < plan->lanes.step_count; i++)
		if (plan->lanes.steps[i].used)
			lanes.values[registers + i] = run_step(&lanes,
				&plan->lanes.steps[i]);
	for (int64_t r = 0; r < plan->to.extent[OWNER_REGISTER]; r++)
		to[r] = piece(&lanes, plan->lanes.result[r]);
	free(lanes.values);
	return true;
}
