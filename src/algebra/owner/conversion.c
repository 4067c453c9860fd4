/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The plan of a conversion: the cheapest of the ways that there are. */
#include "algebra/owner/conversion.h"
#include "isl_bridge/bridge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool keeps_subgroups(const struct owner *pull)
{
	int64_t extent = 1;

	for (unsigned i = 0; i < pull->term_count; i++) {
		const struct owner_term *term = &pull->terms[i];
		const struct owner_digit *digit =
			&pull->digits[__builtin_ctzll(term->digits)];

		if (term->dim != OWNER_SUBGROUP)
			continue;
		if (term->digits & (term->digits - 1) || digit->part != OWNER_SUBGROUP ||
		    term->weight != digit->place)
			return false;
		extent *= digit->radix;
	}
	return !pull->base[OWNER_SUBGROUP] && extent == pull->extent[OWNER_SUBGROUP];
}

/* The way inside a wave. */
static bool find_steps(layout_conversion_plan *plan)
{
	return conversion_pull(plan, PULL_NEAREST, &plan->pull) &&
		keeps_subgroups(&plan->pull) &&
		(conversion_stage(plan) || conversion_gather(plan));
}

/* Does the result need a step? */
static bool has_steps(const struct conversion_steps *lanes)
{
	for (unsigned i = 0; i < lanes->step_count; i++)
		if (lanes->steps[i].used && lanes->steps[i].op != CONVERSION_PACK)
			return true;
	return false;
}

static void print_cost(struct layout_buffer *out, const struct conversion_cost *cost)
{
	layout_buffer_printf(out, "cost %u: %u instructions, %u cycles of the LDS, %u waits",
		conversion_total(cost), cost->issue, cost->lds, cost->waits);
}

/* "8 ds_bpermute_b32, 4 quad_perm, " by the instructions that there are. */
static void print_exchanges(struct layout_buffer *out, const layout_conversion_plan *plan)
{
	const struct conversion_steps *lanes = &plan->lanes;

	for (const struct chip_lanes *row = plan->chip->lanes; row && row->name; row++) {
		unsigned count = 0;

		for (unsigned i = 0; i < lanes->step_count; i++) {
			const struct conversion_step *step = &lanes->steps[i];

			count += step->used && step->op == CONVERSION_EXCHANGE &&
				row == chip_lanes_of(plan->chip, step->indexed ?
					CHIP_ANY_LANE : (unsigned)step->offset);
		}
		if (count)
			layout_buffer_printf(out, "%u %s, ", count, row->name);
	}
}

static unsigned swap_count(const struct conversion_steps *lanes)
{
	unsigned count = 0;

	for (unsigned i = 0; i < lanes->step_count; i++)
		count += lanes->steps[i].used && lanes->steps[i].second;
	return count;
}

static void print_lanes(struct layout_buffer *out, const layout_conversion_plan *plan)
{
	if (has_steps(&plan->lanes)) {
		layout_buffer_printf(out, "lanes: ");
		print_exchanges(out, plan);
		if (swap_count(&plan->lanes))
			layout_buffer_printf(out, "%u swaps, ", swap_count(&plan->lanes));
		layout_buffer_printf(out, "%u selects; ", plan->lanes.selects);
	} else {
		layout_buffer_printf(out, "registers renamed; ");
	}
	print_cost(out, &plan->lanes.cost);
}

static void print_lds(struct layout_buffer *out, const layout_conversion_plan *plan)
{
	const struct conversion_lds *lds = &plan->lds;

	layout_buffer_printf(out, "LDS: %" PRId64 " bytes%s, %u elements a store, %u a load%s, "
		"%s; ", lds->bytes, lds->slices ? " in slices" : "", lds->vectors[0],
		lds->vectors[1], lds->turned ? " turned among 16 lanes" : "", lds->slices ? "a fence" : "a barrier");
	print_cost(out, &lds->cost);
}

/* The chosen way, then the other. */
static void explain(layout_conversion_plan *plan, bool lanes, bool lds)
{
	bool chosen = plan->kind == LAYOUT_CONVERT_LDS;
	struct layout_buffer out = { 0 };

	(chosen ? print_lds : print_lanes)(&out, plan);
	layout_buffer_printf(&out, "\n");
	if (chosen ? lanes : lds) {
		layout_buffer_printf(&out, "not ");
		(chosen ? print_lanes : print_lds)(&out, plan);
		layout_buffer_printf(&out, "\n");
	}
	plan->text = layout_buffer_take(plan->ctx, &out);
}

static bool fail(layout_conversion_plan *plan)
{
	if (layout_context_error(plan->ctx) == LAYOUT_ERROR_NONE)
		layout_fail(plan->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "the conversion "
			"needs %" PRId64 " bytes of the LDS, %s has %u", plan->lds.bytes,
			plan->chip->target.name, plan->chip->lds.bytes);
	return false;
}

static bool choose(layout_conversion_plan *plan)
{
	bool lanes = find_steps(plan), lds;

	if (lanes && !has_steps(&plan->lanes)) {
		plan->kind = LAYOUT_CONVERT_RENAME;
		explain(plan, true, false);
		return plan->text;
	}
	lds = plan->chip->lds.banks && conversion_place(plan);
	if (!lanes && !lds)
		return fail(plan);
	plan->kind = !lanes || (lds && conversion_total(&plan->lds.cost) <
		conversion_total(&plan->lanes.cost)) ? LAYOUT_CONVERT_LDS :
		LAYOUT_CONVERT_LANES;
	explain(plan, lanes, lds);
	return plan->text;
}

layout_conversion_plan *conversion_plan_new(layout_context *ctx, const struct owner *from,
	const struct owner *to, unsigned bits, const struct chip *chip)
{
	layout_conversion_plan *plan;

	if (!from || !to || !chip)
		return NULL;
	if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"elements of %u bits are not converted", bits);
		return NULL;
	}
	plan = layout_alloc(ctx, 1, sizeof(*plan));
	if (!plan)
		return NULL;
	plan->ctx = ctx;
	plan->from = *from;
	plan->to = *to;
	plan->bits = bits;
	plan->chip = chip;
	if (choose(plan))
		return plan;
	layout_conversion_plan_free(plan);
	return NULL;
}

void layout_conversion_plan_free(layout_conversion_plan *plan)
{
	if (!plan)
		return;
	conversion_end(&plan->lanes);
	free(plan->text);
	free(plan);
}

layout_conversion_plan *layout_owner_convert(layout_relation *from, layout_relation *to,
	unsigned bits, const char *target)
{
	layout_context *ctx = from ? layout_relation_context(from) : NULL;
	const struct chip *chip = ctx && to && bridge_contexts_meet(ctx,
		layout_relation_context(to)) ? chip_find(ctx, target) : NULL;
	layout_conversion_plan *plan = NULL;
	struct owner *owners[2] = { NULL };

	if (!chip)
		return NULL;
	owners[0] = owner_of_relation(ctx, from, NULL, 0, chip->target.wave_size);
	if (owners[0])
		owners[1] = owner_of_relation(ctx, to, owners[0]->box, owners[0]->rank,
			chip->target.wave_size);
	plan = conversion_plan_new(ctx, owners[0], owners[1], bits, chip);
	owner_free(owners[0]);
	owner_free(owners[1]);
	return plan;
}

bool layout_conversion_plan_cost(layout_conversion_plan *plan,
	layout_conversion_cost *cost)
{
	const struct conversion_cost *of;
	bool lds;

	if (!plan || !layout_given(plan->ctx, cost, "cost"))
		return false;
	lds = plan->kind == LAYOUT_CONVERT_LDS;
	of = lds ? &plan->lds.cost : &plan->lanes.cost;
	*cost = (layout_conversion_cost){ .size = sizeof(*cost), .kind = plan->kind,
		.exchanges = lds ? 0 : plan->lanes.exchanges,
		.selects = lds ? 0 : plan->lanes.selects, .instructions = of->issue,
		.lds_cycles = of->lds, .waits = of->waits, .total = conversion_total(of),
		.lds_bytes = lds ? (unsigned)plan->lds.bytes : 0,
		.barrier = lds && !plan->lds.slices };
	return true;
}

char *layout_conversion_plan_str(layout_conversion_plan *plan)
{
	return plan ? layout_strdup(plan->ctx, plan->text) : NULL;
}
