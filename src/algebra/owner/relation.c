/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/owner/owner.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/objects.h"

/* The xor of the digits: they are bits where there are several. */
static isl_aff *set_value(isl_space *hw, const struct owner *owner, uint64_t digits)
{
	isl_aff *sum = aff_number(hw, 0);

	for (uint64_t rest = digits; rest; rest &= rest - 1) {
		const struct owner_digit *digit = &owner->digits[__builtin_ctzll(rest)];

		sum = isl_aff_add(sum, aff_coordinate_digit(hw, digit->part, digit->place,
			digit->place * digit->radix == owner->extent[digit->part] ? 0 :
			digit->radix));
	}
	return digits & (digits - 1) ? aff_mod(sum, 2) : sum;
}

static isl_aff *coordinate(isl_space *hw, const struct owner *owner, unsigned dim)
{
	isl_aff *sum = aff_number(hw, owner->base[dim]);

	for (unsigned i = 0; i < owner->term_count; i++) {
		const struct owner_term *term = &owner->terms[i];

		if (term->dim == dim)
			sum = aff_add_scaled(sum, set_value(hw, owner, term->digits),
				term->weight);
	}
	return sum;
}

layout_relation *owner_relation(layout_context *ctx, const struct owner *owner)
{
	static const char *const names[] = { "subgroup", "lane", "register" };
	isl_space *hw;
	isl_aff_list *list;
	isl_multi_aff *function;
	isl_set *box;

	if (!owner)
		return NULL;
	bridge_enter(ctx);
	hw = isl_space_set_alloc(bridge_isl(ctx), 0, OWNER_PARTS);
	for (unsigned part = 0; part < OWNER_PARTS; part++)
		hw = isl_space_set_dim_name(hw, isl_dim_set, part, names[part]);
	hw = isl_space_set_tuple_name(hw, isl_dim_set, "hw");
	list = isl_aff_list_alloc(bridge_isl(ctx), (int)owner->rank);
	for (unsigned d = 0; d < owner->rank; d++)
		list = isl_aff_list_add(list, coordinate(hw, owner, d));
	box = isl_set_universe(isl_space_copy(hw));
	for (unsigned part = 0; part < OWNER_PARTS; part++)
		box = bridge_bound(box, part, owner->extent[part]);
	function = aff_function(hw, isl_space_set_alloc(bridge_isl(ctx), 0, owner->rank), list);
	return bridge_give_relation(ctx, "build an owner", isl_map_intersect_domain(
		isl_map_from_multi_aff(isl_multi_aff_copy(function)), box), function, NULL);
}

char *owner_str(layout_context *ctx, const struct owner *owner)
{
	layout_relation *relation = owner_relation(ctx, owner);
	char *text = layout_relation_str(relation);

	layout_relation_free(relation);
	return text;
}
