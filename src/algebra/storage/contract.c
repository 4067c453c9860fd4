/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/contract.h"
#include "algebra/size/affine.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/remap_map.h"
#include "algebra/storage/twist.h"
#include "isl_bridge/arithmetic.h"
#include "isl_bridge/ast.h"

#include <inttypes.h>
#include <isl/ilp.h>
#include <stdlib.h>

#define SIZE_LIMIT ((int64_t)1 << 31)

void contract_free(struct contract *contract)
{
	isl_set_free(contract->sizes);
	layout_texts_free(contract->requirements, contract->requirement_count);
	*contract = (struct contract){ 0 };
}

/* Tell people, in their words. */
static bool add_requirement(struct contract *contract, layout_remap *remap,
	const char *condition)
{
	contract->requirements[contract->requirement_count] =
		layout_strdup(remap->ctx, condition);
	return contract->requirements[contract->requirement_count++] != NULL;
}

/* A size, "text", is in 0 .. 2^31-1: "below" are the names for which it is.  Tell people
 * unless that is no news. */
static bool add_size(struct contract *contract, layout_remap *remap, const char *text,
	isl_set *below)
{
	struct layout_buffer out = { 0 };
	char *condition;
	bool ok;

	if (isl_set_is_subset(contract->sizes, below) == isl_bool_true) {
		isl_set_free(below);
		return true;
	}
	contract->sizes = isl_set_intersect(contract->sizes, below);
	layout_buffer_printf(&out, "0 <= %s < %" PRId64, text, SIZE_LIMIT);
	condition = layout_buffer_take(remap->ctx, &out);
	ok = condition && add_requirement(contract, remap, condition);
	free(condition);
	return ok;
}

/* 0 <= name < 2^31 */
static isl_set *name_below(layout_remap *remap, unsigned i)
{
	isl_set *set = isl_set_universe(remap_space(remap));

	set = isl_set_lower_bound_si(set, isl_dim_param, i, 0);
	return isl_set_upper_bound_val(set, isl_dim_param, i,
		isl_val_int_from_si(bridge_isl(remap->ctx), SIZE_LIMIT - 1));
}

bool contract_add_storage(struct contract *contract, layout_remap *remap,
	const layout_storage *storage)
{
	bool ok = true;

	for (unsigned d = 0; ok && d < storage->rank; d++)
		ok = add_size(contract, remap, storage->sizes[d].text,
			size_below(&storage->sizes[d], SIZE_LIMIT));
	return ok;
}

bool contract_build(struct contract *contract, layout_remap *remap)
{
	layout_storage *source = remap->source, *destination = remap->destination;
	unsigned most = remap->name_count + source->rank + destination->rank +
		remap->assumption_count + 2 + LAYOUT_STORAGE_SLOTS;
	bool ok;

	*contract = (struct contract){
		.sizes = isl_set_universe(remap_space(remap)),
		.requirements = layout_alloc(remap->ctx, most, sizeof(char *)) };
	ok = contract->requirements != NULL;
	for (unsigned i = 0; ok && i < remap->name_count; i++)
		ok = add_size(contract, remap, remap->names[i], name_below(remap, i));
	ok = ok && contract_add_storage(contract, remap, source) &&
		(!remap->map || contract_add_storage(contract, remap, destination));
	for (unsigned i = 0; ok && i < remap->assumption_count; i++) {
		contract->sizes = isl_set_intersect(contract->sizes,
			isl_set_copy(remap->assumptions[i].sizes));
		ok = add_requirement(contract, remap, remap->assumptions[i].text);
	}
	if (ok && isl_set_is_empty(contract->sizes) == isl_bool_true) {
		layout_fail(remap->ctx, LAYOUT_ERROR_INVALID, -1,
			"no sizes are allowed: each is below 2^31%s",
			remap->assumption_count ? ", and what is assumed" : "");
		return false;
	}
	return ok && contract->sizes;
}

/* "value", where it is a number, else "otherwise". */
static int64_t bound_or(layout_context *ctx, isl_val *value, int64_t otherwise)
{
	if (isl_val_is_int(value) == isl_bool_true)
		bridge_int64(ctx, isl_val_copy(value), &otherwise);
	isl_val_free(value);
	return otherwise;
}

int64_t contract_step(const layout_remap *remap)
{
	int64_t from = int_whole_bytes(remap->conversion.from->bits);
	int64_t to = int_whole_bytes(remap->conversion.to->bits);

	return from > to ? from : to;
}

/* What all values of a size are multiples of. */
static int64_t multiple_of(const struct contract *contract, layout_remap *remap, unsigned at)
{
	isl_set *values = isl_set_move_dims(isl_set_copy(contract->sizes), isl_dim_set, 0,
		isl_dim_param, at, 1);
	isl_stride_info *info = isl_set_get_stride_info(values, 0);
	isl_aff *first = isl_stride_info_get_offset(info);
	int64_t multiple = bound_or(remap->ctx, isl_stride_info_get_stride(info), 1);
	int64_t offset = bound_or(remap->ctx, isl_aff_get_constant_val(first), 1);

	multiple = isl_aff_is_cst(first) == isl_bool_true ? int_gcd(multiple,
		offset < 0 ? -offset : offset) : 1;
	isl_aff_free(first);
	isl_stride_info_free(info);
	isl_set_free(values);
	return multiple > 1 ? multiple : 1;
}

struct index *contract_multiple(struct index *size, int64_t step)
{
	return step == 1 ? size : index_binary(INDEX_MUL, index_int(step),
		index_binary(INDEX_PDIV, size, index_int(step)));
}

/* The i-th size of the remap. */
static isl_aff *size_aff(const struct contract *contract, const layout_remap *remap, unsigned i)
{
	int at = isl_set_find_dim_by_name(contract->sizes, isl_dim_param, remap->names[i]);

	return isl_aff_param_on_domain_space_id(isl_set_get_space(contract->sizes),
		isl_set_get_dim_id(contract->sizes, isl_dim_param, (unsigned)at));
}

bool contract_has_multiples(const struct contract *contract, layout_remap *remap, unsigned i,
	int64_t step)
{
	isl_aff *rest = isl_aff_mod_val(size_aff(contract, remap, i),
		isl_val_int_from_si(bridge_isl(remap->ctx), (long)step));
	isl_set *some = isl_set_intersect(isl_set_copy(contract->sizes),
		isl_set_from_basic_set(isl_aff_zero_basic_set(rest)));
	bool has = isl_set_is_empty(some) == isl_bool_false;

	isl_set_free(some);
	return has;
}

struct index *contract_size(const struct contract *contract, layout_remap *remap,
	unsigned i)
{
	int at = isl_set_find_dim_by_name(contract->sizes, isl_dim_param, remap->names[i]);
	isl_aff *size = size_aff(contract, remap, i);
	int64_t least = bound_or(remap->ctx, isl_set_min_val(contract->sizes, size), 0);
	int64_t most = bound_or(remap->ctx, isl_set_max_val(contract->sizes, size),
		SIZE_LIMIT - 1);
	struct index *var = index_var(i, least, most);

	isl_aff_free(size);
	return contract_multiple(var, multiple_of(contract, remap, (unsigned)at));
}

struct index *contract_valid(const struct contract *contract, layout_remap *remap)
{
	struct index **vars = layout_alloc(remap->ctx, remap->name_count, sizeof(*vars));
	struct ast_scope scope = { remap->ctx, remap->name_count, remap->names, vars };
	isl_set *any = isl_set_universe(isl_set_get_space(contract->sizes));
	struct index *valid = NULL;

	for (unsigned i = 0; vars && i < remap->name_count; i++)
		vars[i] = index_var(i, INT64_MIN, INT64_MAX);
	if (vars)
		valid = ast_index_from_set(&scope, any, isl_set_copy(contract->sizes));
	index_list_free(vars, remap->name_count);
	isl_set_free(any);
	return valid;
}

/* Do no two elements share a cell of the destination?  Swizzles do not make them. */
static bool are_apart(const struct contract *contract, layout_remap *remap)
{
	layout_relation *relation;
	layout_witness *witness = NULL;
	layout_answer answer;

	if (storage_finds_slots(remap->destination))
		return true;
	relation = storage_unswizzled_relation(remap->destination);
	if (relation)
		relation->map = isl_map_intersect_params(relation->map,
			isl_set_copy(contract->sizes));
	answer = layout_relation_is_injective(relation, &witness);
	layout_relation_free(relation);
	return bridge_demand(remap->ctx, answer,
		"two elements share a cell of the destination", witness);
}

bool contract_check(const struct contract *contract, layout_remap *remap)
{
	return are_apart(contract, remap) &&
		(!remap->map || remap_map_check(remap, contract->sizes));
}
