/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/tile/address.h"

#include <stdlib.h>

static uint64_t lane_digits(const struct tile_form *form, const struct form_term *term)
{
	return term->digits & ~form_register_digits(form);
}

/* What a factor is besides a power of two. */
static int64_t odd_part(int64_t factor)
{
	return factor / (factor & -factor);
}

/* The bits that the lane digits of a term move to, before they are multiplied by the odd
 * part of its factor; 0: it does more. */
static uint64_t bits_of(const struct tile_form *form, const struct form_term *term)
{
	int64_t factor = term->factor / odd_part(term->factor);
	uint64_t mask = 0;

	for (uint64_t set = lane_digits(form, term); set; set &= set - 1) {
		const struct held_digit *digit = &form->digits[__builtin_ctzll(set)];
		const struct lane_item item = { digit->place, digit->digit.radix, factor,
			false };

		if (!lane_item_is_bits(&item))
			return 0;
		mask |= (uint64_t)(digit->digit.radix - 1) * (uint64_t)factor;
	}
	return mask;
}

/* The part that a term joins: one with its symbol, which is multiplied by as much and has
 * room for its bits. */
static unsigned find_part(struct address_plan *plan, const struct form_term *term)
{
	uint64_t mask = bits_of(plan->form, term);
	int64_t scale = mask ? odd_part(term->factor) : term->factor;
	unsigned i = 0;

	while (i < plan->part_count && (!mask || !plan->parts[i].mask ||
		plan->parts[i].symbol != term->symbol ||
		plan->parts[i].scale != scale || plan->parts[i].mask & mask))
		i++;
	if (i == plan->part_count)
		plan->parts[plan->part_count++] = (struct address_part){
			.symbol = term->symbol, .scale = scale };
	plan->parts[i].mask |= mask;
	return i;
}

static void add_items(struct address_plan *plan, const struct form_term *term,
	unsigned part)
{
	const struct tile_form *form = plan->form;
	bool flips = false;

	for (uint64_t set = lane_digits(form, term); set; set &= set - 1) {
		const struct held_digit *digit = &form->digits[__builtin_ctzll(set)];
		struct lane_item item = { digit->place, digit->digit.radix,
			term->factor / plan->parts[part].scale, flips };

		plan->items[plan->item_count++] = (struct address_item){ item, part };
		flips = true;
	}
}

static void build_parts(struct address_plan *plan)
{
	for (unsigned t = 0; t < plan->side->term_count; t++) {
		const struct form_term *term = &plan->side->terms[t];

		plan->part_of[t] = -1;
		if (!lane_digits(plan->form, term))
			continue;
		plan->part_of[t] = (int)find_part(plan, term);
		add_items(plan, term, (unsigned)plan->part_of[t]);
	}
}

/* The most that a term is worth, in symbols. */
static int64_t term_span(const struct tile_form *form, const struct form_term *term)
{
	int64_t most = 0;

	for (uint64_t set = term->digits; set; set &= set - 1) {
		int64_t radix = form->digits[__builtin_ctzll(set)].digit.radix;

		if (radix - 1 > most)
			most = radix - 1;
	}
	return most * term->factor;
}

/* The most that all terms and carries are worth: in constants, and in each symbol. */
static void find_spans(const struct address_plan *plan, int64_t *constants,
	int64_t spans[FORM_SYMBOLS])
{
	const struct form_side *side = plan->side;

	*constants = 0;
	for (unsigned s = 0; s < side->symbol_count; s++)
		spans[s] = 0;
	for (unsigned t = 0; t < side->term_count; t++)
		*(side->terms[t].symbol == FORM_CONSTANT ? constants :
			&spans[side->terms[t].symbol]) +=
			term_span(plan->form, &side->terms[t]);
	for (unsigned c = 0; c < side->carry_count; c++) {
		const struct form_carry *carry = &side->carries[c];

		*(carry->symbol == FORM_CONSTANT ? constants : &spans[carry->symbol]) +=
			carry_span(plan->form, carry) * carry->factor;
	}
}

/* The target multiplies by scale * symbol. */
static void limit_product(struct address_plan *plan, int symbol, int64_t scale)
{
	if (symbol != FORM_CONSTANT && plan->limit[symbol] > plan->most_factor / scale)
		plan->limit[symbol] = plan->most_factor / scale;
}

/* The symbols share the room evenly. */
static void find_limits(struct address_plan *plan)
{
	const struct form_side *side = plan->side;
	int64_t room = INT32_MAX - 16, constants, each[FORM_SYMBOLS], spans = 0;

	find_spans(plan, &constants, each);
	for (unsigned s = 0; s < side->symbol_count; s++)
		spans += each[s];
	room -= constants;
	plan->fits = room >= 0;
	for (unsigned s = 0; s < side->symbol_count; s++)
		plan->limit[s] = plan->reach[s] = room / (spans ? spans : 1);
	for (unsigned p = 0; p < plan->part_count; p++)
		limit_product(plan, plan->parts[p].symbol, plan->parts[p].scale);
	for (unsigned c = 0; c < side->carry_count; c++)
		limit_product(plan, side->carries[c].symbol, side->carries[c].factor);
}

bool address_plan_build(layout_context *ctx, struct address_plan *plan,
	const struct tile_form *form, const struct form_side *side, unsigned factor_bits)
{
	size_t count = side->term_count, items = 0;

	*plan = (struct address_plan){ .form = form, .side = side,
		.most_factor = (INT64_C(1) << factor_bits) - 1 };
	for (unsigned t = 0; t < side->term_count; t++)
		items += (size_t)__builtin_popcountll(side->terms[t].digits);
	plan->parts = layout_alloc(ctx, count, sizeof(*plan->parts));
	plan->part_of = layout_alloc(ctx, count, sizeof(*plan->part_of));
	plan->items = layout_alloc(ctx, items, sizeof(*plan->items));
	if (!plan->parts || !plan->part_of || !plan->items)
		return false;
	build_parts(plan);
	find_limits(plan);
	return true;
}

void address_plan_free(struct address_plan *plan)
{
	free(plan->parts);
	free(plan->part_of);
	free(plan->items);
}

static LLVMValueRef constant(const struct address *address, int64_t value)
{
	return LLVMConstInt(address->type, (unsigned long long)value, true);
}

/* Products of a lane's and a wave's number are of such as the target multiplies. */
static LLVMValueRef multiplier(const struct address *address, int symbol, int64_t scale)
{
	LLVMBuilderRef builder = address->builder;
	LLVMValueRef value;

	if (symbol == FORM_CONSTANT)
		return scale == 1 ? NULL : constant(address, scale);
	value = LLVMBuildMul(builder, address->symbols[symbol], constant(address, scale),
		"pitch");
	if (!address->narrow)
		return value;
	return LLVMBuildAnd(builder, value,
		constant(address, address->plan->most_factor), "pitch");
}

/* The most that a part's lanes count in terms that are backward: these move bits of their
 * own, or are alone in their part. */
static int64_t backward_most(const struct address_plan *plan, unsigned part)
{
	int64_t most = 0;

	for (unsigned t = 0; t < plan->side->term_count; t++) {
		const struct form_term *term = &plan->side->terms[t];

		if (plan->part_of[t] == (int)part && term->backward)
			most += term_span(plan->form, term) / plan->parts[part].scale;
	}
	return most;
}

static LLVMValueRef count_backward(const struct address *address, unsigned part,
	LLVMValueRef value)
{
	int64_t most = backward_most(address->plan, part);

	if (!most)
		return value;
	return address->plan->parts[part].mask ?
		LLVMBuildXor(address->builder, value, constant(address, most), "backward") :
		LLVMBuildNUWSub(address->builder, constant(address, most), value,
			"backward");
}

/* Do registers flip bits of the part that lanes have, too? */
static bool registers_flip(const struct address_plan *plan, unsigned part)
{
	for (unsigned t = 0; t < plan->side->term_count; t++) {
		uint64_t digits = plan->side->terms[t].digits;
		unsigned lanes = 0;

		for (uint64_t set = digits; set; set &= set - 1)
			lanes += plan->form->digits[__builtin_ctzll(set)].lane;
		if (plan->part_of[t] == (int)part && lanes &&
		    lanes < (unsigned)__builtin_popcountll(digits))
			return true;
	}
	return false;
}

/* What many registers flip is computed once: LLVM would rather leave the last step of it
 * to each of them. */
static LLVMValueRef part_lanes(const struct address *address, unsigned part,
	const struct lane_number *lane)
{
	const struct address_plan *plan = address->plan;
	struct lane_item items[LANE_ITEMS];
	LLVMValueRef sum;
	unsigned count = 0;

	for (unsigned i = 0; i < plan->item_count && count < LANE_ITEMS; i++)
		if (plan->items[i].part == part)
			items[count++] = plan->items[i].lane;
	sum = lane_sum(address->builder, lane, items, count);
	if (sum && registers_flip(plan, part))
		sum = lane->hide(address->builder, sum);
	return count_backward(address, part, sum);
}

bool address_open(layout_context *ctx, struct address *address,
	const struct address_plan *plan, const struct expression_scope *scope,
	LLVMTypeRef type, bool narrow, const struct lane_number *lane)
{
	struct lane_number wide = *lane;

	*address = (struct address){ .plan = plan, .builder = scope->builder,
		.type = type, .narrow = narrow };
	address->lanes = layout_alloc(ctx, plan->part_count, sizeof(LLVMValueRef));
	address->multipliers = layout_alloc(ctx, plan->part_count, sizeof(LLVMValueRef));
	address->carries = layout_alloc(ctx, plan->side->carry_count,
		sizeof(*address->carries));
	if (!address->lanes || !address->multipliers || !address->carries)
		return false;
	for (unsigned s = 0; s < plan->side->symbol_count; s++)
		address->symbols[s] = expression_lower_as(scope, plan->side->symbols[s],
			type);
	wide.value = LLVMBuildZExt(scope->builder, lane->value, type, "lane");
	for (unsigned p = 0; p < plan->part_count; p++) {
		address->lanes[p] = part_lanes(address, p, &wide);
		address->multipliers[p] = multiplier(address, plan->parts[p].symbol,
			plan->parts[p].scale);
	}
	for (unsigned c = 0; c < plan->side->carry_count; c++)
		carry_open(&address->carries[c], plan->form, &plan->side->carries[c],
			scope, lane);
	return true;
}

void address_close(struct address *address)
{
	free(address->lanes);
	free(address->multipliers);
	free(address->carries);
}

/* Sums and products of offsets are not negative and fit their type. */
static LLVMValueRef add(const struct address *address, LLVMValueRef a, LLVMValueRef b)
{
	if (!a || !b)
		return a ? a : b;
	return LLVMBuildNUWAdd(address->builder, a, b, "offset");
}

static LLVMValueRef multiply(const struct address *address, LLVMValueRef a,
	LLVMValueRef b)
{
	return b ? LLVMBuildNUWMul(address->builder, a, b, "product") : a;
}

static LLVMValueRef flip(const struct address *address, LLVMValueRef a, LLVMValueRef b)
{
	if (!a || !b)
		return a ? a : b;
	return LLVMBuildXor(address->builder, a, b, "flipped");
}

/* What a register's digit counts; nothing where lanes hold it. */
static int64_t register_count(const struct address_plan *plan,
	const struct form_term *term, unsigned digit, int64_t value)
{
	return plan->form->digits[digit].lane ? 0 :
		form_count(plan->form, term, digit, value);
}

/* The same for one that is no constant. */
static LLVMValueRef count_value(const struct address *address, const struct form_term *term,
	unsigned digit, LLVMValueRef value)
{
	int64_t radix = address->plan->form->digits[digit].digit.radix;

	value = LLVMBuildZExt(address->builder, value, address->type, "digit");
	return !term->backward ? value : LLVMBuildNUWSub(address->builder,
		constant(address, radix - 1), value, "backward");
}

/* The xor of a term's register digits: a constant, and a value or NULL. */
static int64_t term_digits(const struct address *address, const struct form_term *term,
	const struct address_digits *digits, LLVMValueRef *value)
{
	int64_t sum = 0;

	*value = NULL;
	for (uint64_t set = term->digits; set; set &= set - 1) {
		unsigned d = (unsigned)__builtin_ctzll(set);

		if (!digits->value[d])
			sum ^= register_count(address->plan, term, d, digits->constant[d]);
		else
			*value = flip(address, *value, count_value(address, term, d,
				digits->value[d]));
	}
	return sum;
}

/* A term without lane digits, with a digit that is no constant. */
static LLVMValueRef wave_term(const struct address *address,
	const struct form_term *term, int64_t sum, LLVMValueRef value)
{
	if (sum)
		value = flip(address, value, constant(address, sum));
	value = multiply(address, value, constant(address, term->factor));
	return term->symbol == FORM_CONSTANT ? value :
		multiply(address, value, address->symbols[term->symbol]);
}

static LLVMValueRef part_value(const struct address *address, unsigned part,
	const struct address_digits *digits)
{
	const struct address_plan *plan = address->plan;
	LLVMValueRef value = address->lanes[part], by;
	int64_t factor, sum, flips = 0;

	for (unsigned t = 0; t < plan->side->term_count; t++) {
		const struct form_term *term = &plan->side->terms[t];

		if (plan->part_of[t] != (int)part)
			continue;
		factor = term->factor / plan->parts[part].scale;
		sum = term_digits(address, term, digits, &by);
		flips ^= sum * factor;
		if (by)
			value = flip(address, value, multiply(address, by,
				constant(address, factor)));
	}
	if (flips)
		value = flip(address, value, constant(address, flips));
	return multiply(address, value, address->multipliers[part]);
}

static LLVMValueRef carry_value(const struct address *address, unsigned c,
	const struct address_digits *digits)
{
	const struct form_carry *of = &address->plan->side->carries[c];
	LLVMValueRef count = carry_count(&address->carries[c], digits->constant,
		digits->value);

	return multiply(address, LLVMBuildZExt(address->builder, count, address->type,
		"count"), multiplier(address, of->symbol,
		of->factor / address->carries[c].scale));
}

static LLVMValueRef lane_offset(const struct address *address,
	const struct address_digits *digits)
{
	LLVMValueRef sum = NULL;

	for (unsigned c = 0; c < address->plan->side->carry_count; c++)
		sum = add(address, sum, carry_value(address, c, digits));
	for (unsigned p = address->plan->part_count; p--;)
		sum = add(address, sum, part_value(address, p, digits));
	return sum;
}

/* Elements smaller than a byte. */
static void to_bytes(const struct address *address, struct address_offset *offset)
{
	unsigned shift = address->plan->side->shift;

	if (!shift)
		return;
	offset->constant >>= shift;
	if (offset->lane)
		offset->lane = LLVMBuildLShr(address->builder, offset->lane,
			constant(address, shift), "bytes");
	if (offset->wave)
		offset->wave = LLVMBuildLShr(address->builder, offset->wave,
			constant(address, shift), "bytes");
}

struct address_offset address_of(const struct address *address,
	const struct address_digits *digits)
{
	const struct form_side *side = address->plan->side;
	struct address_offset offset = { lane_offset(address, digits), NULL, 0 };
	int64_t counts[FORM_SYMBOLS] = { 0 };

	for (unsigned t = 0; t < side->term_count; t++) {
		const struct form_term *term = &side->terms[t];
		LLVMValueRef value;
		int64_t sum;

		if (address->plan->part_of[t] >= 0)
			continue;
		sum = term_digits(address, term, digits, &value);
		if (value)
			offset.wave = add(address, offset.wave,
				wave_term(address, term, sum, value));
		else if (term->symbol == FORM_CONSTANT)
			offset.constant += sum * term->factor;
		else
			counts[term->symbol] += sum * term->factor;
	}
	for (unsigned s = 0; s < side->symbol_count; s++)
		if (counts[s])
			offset.wave = add(address, offset.wave, multiply(address,
				address->symbols[s], constant(address, counts[s])));
	to_bytes(address, &offset);
	return offset;
}

/* Do registers change what lanes add? */
static bool registers_change(const struct address_plan *plan)
{
	uint64_t registers = form_register_digits(plan->form);

	for (unsigned t = 0; t < plan->side->term_count; t++)
		if (plan->part_of[t] >= 0 && plan->side->terms[t].digits & registers)
			return true;
	return plan->side->carry_count;
}

LLVMValueRef address_lane(const struct address *address)
{
	struct address_digits none = { { 0 }, { NULL } };

	return registers_change(address->plan) ? NULL : address_of(address, &none).lane;
}

LLVMValueRef address_most(const struct address *address)
{
	const struct form_side *side = address->plan->side;
	int64_t constants, spans[FORM_SYMBOLS];
	LLVMValueRef most;

	find_spans(address->plan, &constants, spans);
	most = constant(address, constants);
	for (unsigned s = 0; s < side->symbol_count; s++)
		if (spans[s])
			most = add(address, most, multiply(address, address->symbols[s],
				constant(address, spans[s])));
	return side->shift ? LLVMBuildLShr(address->builder, most,
		constant(address, side->shift), "most") : most;
}

int64_t address_constant(const struct address_plan *plan,
	const struct address_digits *digits, bool *symbolic)
{
	int64_t offset = 0;

	*symbolic = false;
	for (unsigned t = 0; t < plan->side->term_count; t++) {
		const struct form_term *term = &plan->side->terms[t];
		int64_t sum = 0;

		if (plan->part_of[t] >= 0)
			continue;
		for (uint64_t set = term->digits; set; set &= set - 1)
			sum ^= register_count(plan, term, (unsigned)__builtin_ctzll(set),
				digits->constant[__builtin_ctzll(set)]);
		if (term->symbol == FORM_CONSTANT)
			offset += sum * term->factor;
		else
			*symbolic = *symbolic || sum;
	}
	return offset >> plan->side->shift;
}
