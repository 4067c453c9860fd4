/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/remap_map.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/xor.h"

#include <stdlib.h>
#include <string.h>

/* More pieces of a reversed map are too much for a kernel to choose among. */
#define PIECE_LIMIT 16

void remap_map_free(struct remap_map *map)
{
	if (!map)
		return;
	layout_relation_free(map->given);
	layout_relation_free(map->map);
	isl_multi_aff_free(map->shift);
	free(map);
}

static bool check_rank(layout_context *ctx, const char *side, const char *what,
	unsigned rank, unsigned wanted)
{
	if (rank != wanted)
		layout_fail(ctx, LAYOUT_ERROR_SPACE, -1,
			"the map's %s have rank %u, the %s's logical tensor has %u", what,
			rank, side, wanted);
	return rank == wanted;
}

/* The parameters will be arguments of a kernel. */
static bool check_names(layout_relation *given)
{
	for (unsigned i = 0; i < layout_relation_param_count(given); i++) {
		const char *name = layout_relation_param_name(given, i);

		if (layout_is_plain_name(name, strlen(name)))
			continue;
		layout_fail(given->ctx, LAYOUT_ERROR_INVALID, -1,
			"a size cannot be named %s", name);
		return false;
	}
	return true;
}

static bool is_logical(const char *tuple)
{
	return !tuple || strcmp(tuple, "logical") == 0;
}

/* Of logical indices, by name or without one. */
static bool check_tuples(layout_relation *given)
{
	isl_map *map = given->map;

	if (is_logical(isl_map_get_tuple_name(map, isl_dim_in)) &&
	    is_logical(isl_map_get_tuple_name(map, isl_dim_out)))
		return true;
	layout_fail(given->ctx, LAYOUT_ERROR_SPACE, -1,
		"the map of a remap is from logical[..] to logical[..], or without names");
	return false;
}

/* The map on the source's box. */
static layout_relation *on_the_box(layout_relation *given, layout_storage *source)
{
	isl_map *map;
	isl_multi_aff *forward;

	bridge_enter(given->ctx);
	if (!bridge_need_map(given) || !check_tuples(given)) {
		bridge_leave(given->ctx, "read the map of a remap");
		return NULL;
	}
	map = isl_map_set_tuple_name(isl_map_copy(given->map), isl_dim_in, "logical");
	map = isl_map_set_tuple_name(map, isl_dim_out, "logical");
	forward = bridge_name_forward(isl_multi_aff_copy(given->forward), map);
	map = isl_map_intersect_domain(map, isl_set_copy(source->maps->logical));
	return bridge_give_relation(given->ctx, "read the map of a remap", map, forward,
		NULL);
}

static bool check_function(layout_relation *map)
{
	layout_witness *witness = NULL;
	layout_answer answer = layout_relation_is_function(map, &witness);

	if (answer == LAYOUT_NO)
		return bridge_refuse(map->ctx, "the map sends an element to two indices",
			witness);
	layout_witness_free(witness);
	return answer == LAYOUT_YES;
}

/* i + low in coordinate "d"? */
static bool is_shift(isl_aff *aff, unsigned d)
{
	isl_size rank = isl_aff_dim(aff, isl_dim_in);
	isl_val *denominator = isl_aff_get_denominator_val(aff);
	bool good = isl_aff_dim(aff, isl_dim_div) == 0 &&
		isl_val_is_one(denominator) == isl_bool_true;

	isl_val_free(denominator);
	for (isl_size i = 0; good && i < rank; i++) {
		isl_val *factor = isl_aff_get_coefficient_val(aff, isl_dim_in, i);

		good = (unsigned)i == d ? isl_val_is_one(factor) == isl_bool_true :
			isl_val_is_zero(factor) == isl_bool_true;
		isl_val_free(factor);
	}
	return good;
}

/* The function of the map if it is one without cases on the box, which it keeps. */
static isl_multi_aff *only_case(layout_relation *map, isl_set *box)
{
	isl_pw_multi_aff *cases;

	if (map->forward) {
		isl_set *domain = isl_map_domain(isl_map_copy(map->map));
		bool whole = isl_set_is_subset(box, domain) == isl_bool_true;

		isl_set_free(domain);
		return whole ? isl_multi_aff_copy(map->forward) : NULL;
	}
	cases = isl_pw_multi_aff_gist(isl_pw_multi_aff_from_map(isl_map_copy(map->map)),
		isl_set_copy(box));
	if (isl_pw_multi_aff_isa_multi_aff(cases) == isl_bool_true)
		return isl_pw_multi_aff_as_multi_aff(cases);
	isl_pw_multi_aff_free(cases);
	return NULL;
}

/* i - low, where the function is i + low: 2i - (i + low).  Consumes the function. */
static isl_multi_aff *shifted_back(isl_multi_aff *function)
{
	isl_space *space = isl_space_domain(isl_multi_aff_get_space(function));
	isl_multi_aff *identity = isl_multi_aff_identity_on_domain_space(space);
	isl_multi_aff *twice = isl_multi_aff_add(isl_multi_aff_copy(identity), identity);

	return isl_multi_aff_sub(twice, function);
}

static isl_multi_aff *find_shift(layout_relation *map, layout_storage *source,
	layout_storage *destination)
{
	isl_multi_aff *function;
	bool shifts = source->rank == destination->rank;

	function = shifts ? only_case(map, source->maps->logical) : NULL;
	for (unsigned d = 0; function && d < source->rank; d++) {
		isl_aff *aff = isl_multi_aff_get_aff(function, (int)d);

		shifts = shifts && is_shift(aff, d);
		isl_aff_free(aff);
	}
	if (function && shifts)
		return shifted_back(function);
	isl_multi_aff_free(function);
	return NULL;
}

struct remap_map *remap_map_new(layout_storage *source, layout_storage *destination,
	layout_relation *given)
{
	layout_context *ctx = source->ctx;
	struct remap_map *map = layout_alloc(ctx, 1, sizeof(*map));

	if (!map) {
		layout_relation_free(given);
		return NULL;
	}
	map->given = given;
	if (check_rank(ctx, "source", "inputs", layout_relation_in_rank(given),
			source->rank) &&
	    check_rank(ctx, "destination", "images", layout_relation_out_rank(given),
			destination->rank) && check_names(given))
		map->map = on_the_box(given, source);
	if (map->map && check_function(map->map)) {
		bridge_enter(ctx);
		map->shift = find_shift(map->map, source, destination);
		if (bridge_leave(ctx, "read the map of a remap"))
			return map;
	}
	remap_map_free(map);
	return NULL;
}

/* Elements that go to an index which the destination does not have. */
static bool check_inside(layout_remap *remap, isl_set *sizes)
{
	isl_map *beyond = isl_map_subtract_range(isl_map_copy(remap->map->map->map),
		isl_set_copy(remap->destination->maps->logical));
	isl_set *against;
	bool inside;

	beyond = isl_map_intersect_params(beyond, isl_set_copy(sizes));
	against = isl_set_flatten(isl_map_wrap(beyond));
	inside = isl_set_is_empty(against) == isl_bool_true;
	if (inside || !against || bridge_failed(remap->ctx)) {
		isl_set_free(against);
		return inside;
	}
	return bridge_refuse(remap->ctx, "the map sends an element to an index outside of the"
		" destination", bridge_witness(remap->ctx, against, remap->source->rank,
			true));
}

static bool check_injective(layout_remap *remap, isl_set *sizes)
{
	layout_relation *map;
	layout_witness *witness = NULL;
	layout_answer answer;

	if (remap->map->shift)
		return true;
	bridge_enter(remap->ctx);
	map = bridge_give_relation(remap->ctx, "read the map of a remap",
		isl_map_intersect_params(isl_map_copy(remap->map->map->map),
			isl_set_copy(sizes)), NULL, NULL);
	answer = layout_relation_is_injective(map, &witness);
	layout_relation_free(map);
	if (answer == LAYOUT_NO)
		return bridge_refuse(remap->ctx, "the map sends two elements to one index of the"
			" destination", witness);
	layout_witness_free(witness);
	return answer == LAYOUT_YES;
}

bool remap_map_check(layout_remap *remap, isl_set *sizes)
{
	return check_inside(remap, sizes) && check_injective(remap, sizes);
}

isl_set *remap_map_reached(layout_remap *remap)
{
	const struct remap_map *map = remap->map;

	if (map->shift)
		return isl_set_preimage_multi_aff(
			isl_set_copy(remap->source->maps->logical),
			isl_multi_aff_copy(map->shift));
	return isl_set_coalesce(isl_set_compute_divs(
		isl_map_range(isl_map_copy(map->map->map))));
}

isl_pw_multi_aff *remap_map_reversed(layout_remap *remap, isl_set *sizes)
{
	const struct remap_map *map = remap->map;
	isl_pw_multi_aff *pieces;

	if (map->shift)
		return isl_pw_multi_aff_from_multi_aff(isl_multi_aff_copy(map->shift));
	pieces = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(isl_map_reverse(
		isl_map_intersect_params(isl_map_copy(map->map->map),
			isl_set_copy(sizes)))));
	if (isl_pw_multi_aff_n_piece(pieces) <= PIECE_LIMIT)
		return pieces;
	layout_fail(remap->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"the map of a remap, reversed, is a function of %d pieces; %d is the most",
		(int)isl_pw_multi_aff_n_piece(pieces), PIECE_LIMIT);
	isl_pw_multi_aff_free(pieces);
	return NULL;
}

isl_set *remap_map_padding(layout_remap *remap)
{
	layout_storage *storage = remap->destination;
	isl_set *reached = isl_set_preimage_multi_aff(remap_map_reached(remap),
		isl_multi_aff_copy(storage->maps->from_slot));
	isl_set *slots = isl_set_subtract(isl_set_copy(storage->maps->slots), reached);

	return storage_cells_of(storage, storage_in_memory(storage, slots));
}

/* low[d] as a function of the sizes alone: what i - low has beside i, negated. */
static isl_aff *low_of(isl_multi_aff *shift, unsigned d)
{
	isl_aff *aff = isl_multi_aff_get_aff(shift, (int)d);
	isl_size params = isl_aff_dim(aff, isl_dim_param);
	isl_aff *low = isl_aff_zero_on_domain_space(
		isl_space_params(isl_multi_aff_get_space(shift)));

	low = isl_aff_set_constant_val(low, isl_aff_get_constant_val(aff));
	for (isl_size i = 0; i < params; i++)
		low = isl_aff_set_coefficient_val(low, isl_dim_param, i,
			isl_aff_get_coefficient_val(aff, isl_dim_param, i));
	isl_aff_free(aff);
	return isl_aff_neg(low);
}

bool remap_shift(layout_remap *remap, const struct ast_scope *sizes, isl_set *contract,
	struct index **low)
{
	isl_multi_aff *shift = remap->map ? remap->map->shift : NULL;
	bool good = true;

	if (remap->map && !shift)
		return false;
	for (unsigned d = 0; d < remap->source->rank; d++) {
		low[d] = shift ? ast_index_from_aff(sizes, contract, low_of(shift, d)) :
			index_int(0);
		good = good && low[d];
	}
	for (unsigned d = 0; !good && d < remap->source->rank; d++) {
		index_free(low[d]);
		low[d] = NULL;
	}
	return good;
}
