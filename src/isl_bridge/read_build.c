/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What was read, as isl's objects.  isl's failures show as NULL, which passes through. */
#include "isl_bridge/read_written.h"
#include "isl_bridge/aff.h"

#include <stdlib.h>
#include <string.h>

/* isl_id keeps a copy. */
static isl_id *name_id(isl_ctx *isl, const struct written_name *name)
{
	char *text = strndup(name->text, name->length);
	isl_id *id = text ? isl_id_alloc(isl, text, NULL) : NULL;

	free(text);
	return id;
}

/* The parameters and the inputs, named as far as they have names. */
static isl_space *domain_space(const struct written *written, isl_ctx *isl)
{
	unsigned params = written->param_count;
	isl_space *space = isl_space_set_alloc(isl, params,
		written->variable_count - params);

	for (unsigned i = 0; i < written->name_count; i++) {
		const struct written_name *name = &written->names[i];
		bool param = name->column < params;

		if (name->column != WRITTEN_NO_COLUMN)
			space = isl_space_set_dim_id(space,
				param ? isl_dim_param : isl_dim_set,
				name->column - (param ? 0 : params), name_id(isl, name));
	}
	if (written->tuples[0].length)
		space = isl_space_set_tuple_id(space, isl_dim_set,
			name_id(isl, &written->tuples[0]));
	return space;
}

static isl_space *map_space(const struct written *written, isl_space *domain)
{
	isl_ctx *isl = isl_space_get_ctx(domain);
	isl_space *space = isl_space_add_dims(isl_space_from_domain(
		isl_space_copy(domain)), isl_dim_out, written->image_count);

	for (unsigned i = 0; i < written->image_count; i++)
		if (written->image_names[i].length)
			space = isl_space_set_dim_id(space, isl_dim_out, i,
				name_id(isl, &written->image_names[i]));
	if (written->tuples[1].length)
		space = isl_space_set_tuple_id(space, isl_dim_out,
			name_id(isl, &written->tuples[1]));
	return space;
}

struct builder {
	const struct written *written;
	isl_space *domain;
	isl_aff *floors[WRITTEN_FLOORS];
};

static isl_val *value(const struct builder *builder, int64_t number)
{
	return isl_val_int_from_si(isl_space_get_ctx(builder->domain), number);
}

/* The numerator; of floors that have been built. */
static isl_aff *numerator(const struct builder *builder, const struct written_sum *sum)
{
	const struct written *written = builder->written;
	isl_aff *aff = aff_number(builder->domain, sum->constant);

	for (unsigned i = 0; i < written->variable_count; i++) {
		bool param = i < written->param_count;

		if (sum->coefficients[i])
			aff = isl_aff_set_coefficient_val(aff,
				param ? isl_dim_param : isl_dim_in,
				(int)(param ? i : i - written->param_count),
				value(builder, sum->coefficients[i]));
	}
	for (unsigned i = 0; i < written->floor_count; i++) {
		int64_t factor = sum->coefficients[WRITTEN_VARIABLES + i];

		if (factor)
			aff = aff_add_scaled(aff, isl_aff_copy(builder->floors[i]), factor);
	}
	return aff;
}

/* Each is of floors before it. */
static void build_floors(struct builder *builder)
{
	for (unsigned i = 0; i < builder->written->floor_count; i++) {
		const struct written_sum *sum = &builder->written->floors[i];

		builder->floors[i] = aff_floor(numerator(builder, sum), sum->by);
	}
}

static isl_basic_set *conditions(const struct builder *builder)
{
	isl_basic_set *all = isl_basic_set_universe(isl_space_copy(builder->domain));

	for (unsigned i = 0; i < builder->written->condition_count; i++) {
		const struct written_condition *condition =
			&builder->written->conditions[i];
		isl_aff *left = numerator(builder, &condition->sum);
		isl_aff *zero = aff_number(builder->domain, 0);

		all = isl_basic_set_intersect(all, condition->equal ?
			isl_aff_eq_basic_set(left, zero) :
			isl_aff_ge_basic_set(left, zero));
	}
	return all;
}

isl_map *written_build(const struct written *written, isl_ctx *isl,
	isl_multi_aff **function)
{
	struct builder builder = { .written = written };
	isl_map *map;

	builder.domain = domain_space(written, isl);
	build_floors(&builder);
	*function = isl_multi_aff_zero(map_space(written, builder.domain));
	for (unsigned i = 0; i < written->image_count; i++)
		*function = isl_multi_aff_set_aff(*function, (int)i,
			numerator(&builder, &written->images[i]));
	map = isl_map_from_multi_aff(isl_multi_aff_copy(*function));
	if (written->condition_count)
		map = isl_map_intersect_domain(map,
			isl_set_from_basic_set(conditions(&builder)));
	for (unsigned i = 0; i < written->floor_count; i++)
		isl_aff_free(builder.floors[i]);
	isl_space_free(builder.domain);
	if (!map)
		*function = isl_multi_aff_free(*function);
	return map;
}
