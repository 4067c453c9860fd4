/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/remap_map.h"
#include "algebra/chain/chain.h"
#include "algebra/size/affine.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/twist.h"
#include "isl_bridge/aff.h"

#include <stdlib.h>
#include <string.h>

void remap_map_free(struct remap_map *map)
{
	if (!map)
		return;
	layout_relation_free(map->given);
	layout_relation_free(map->map);
	isl_multi_aff_free(map->shift);
	isl_multi_aff_free(map->load);
	isl_multi_aff_free(map->store);
	isl_set_free(map->reached);
	free(map);
}

/* A map within the library may count units. */
static bool check_rank(layout_storage *storage, const char *side, const char *what,
	unsigned rank)
{
	bool good = rank == storage_tensor_rank(storage) || rank == storage->rank;

	if (!good)
		layout_fail(storage->ctx, LAYOUT_ERROR_SPACE, -1,
			"the map's %s have rank %u, the %s's logical tensor has %u", what,
			rank, side, storage_tensor_rank(storage));
	return good;
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

/* "map" between tensors as one between the storages' indices, which count units, too. */
static isl_map *with_units(isl_map *map, layout_storage *source,
	layout_storage *destination)
{
	unsigned from = (unsigned)isl_map_dim(map, isl_dim_in);
	unsigned to = (unsigned)isl_map_dim(map, isl_dim_out);

	map = isl_map_insert_dims(map, isl_dim_in, from, source->rank - from);
	map = isl_map_insert_dims(map, isl_dim_out, to, destination->rank - to);
	for (unsigned d = from; d < source->rank; d++)
		map = isl_map_fix_si(map, isl_dim_in, d, 0);
	for (unsigned d = to; d < destination->rank; d++)
		map = isl_map_fix_si(map, isl_dim_out, d, 0);
	return map;
}

/* The same for a function; NULL stays NULL. */
static isl_multi_aff *function_with_units(isl_multi_aff *function, layout_storage *from,
	layout_storage *to)
{
	unsigned in = (unsigned)isl_multi_aff_dim(function, isl_dim_in);
	unsigned out = (unsigned)isl_multi_aff_dim(function, isl_dim_out);
	isl_multi_aff *units;
	isl_space *space;

	if (!function || (in == from->rank && out == to->rank))
		return function;
	function = isl_multi_aff_insert_dims(function, isl_dim_in, in, from->rank - in);
	space = isl_space_from_domain(isl_space_domain(isl_multi_aff_get_space(function)));
	units = isl_multi_aff_zero(isl_space_add_dims(space, isl_dim_out, to->rank - out));
	function = isl_multi_aff_flat_range_product(function, units);
	return isl_multi_aff_set_tuple_name(isl_multi_aff_set_tuple_name(function,
		isl_dim_in, "logical"), isl_dim_out, "logical");
}

/* Every element of a tensor to its own index. */
static isl_multi_aff *keep_index(layout_storage *from, layout_storage *to)
{
	return function_with_units(isl_multi_aff_identity_on_domain_space(
		isl_space_set_alloc(bridge_isl(from->ctx), 0, storage_tensor_rank(from))),
		from, to);
}

/* The map on the source's box. */
static layout_relation *on_the_box(layout_relation *given, layout_storage *source,
	layout_storage *destination)
{
	isl_map *map;
	isl_multi_aff *forward;

	bridge_enter(given->ctx);
	if (!bridge_need_map(given) || !check_tuples(given)) {
		bridge_leave(given->ctx, "read the map of a remap");
		return NULL;
	}
	map = with_units(isl_map_copy(given->map), source, destination);
	map = isl_map_set_tuple_name(map, isl_dim_in, "logical");
	map = isl_map_set_tuple_name(map, isl_dim_out, "logical");
	forward = bridge_name_forward(function_with_units(
		isl_multi_aff_copy(given->forward), source, destination), map);
	map = isl_map_intersect_domain(map, isl_set_copy(source->maps->logical));
	return bridge_give_relation(given->ctx, "read the map of a remap", map, forward,
		NULL);
}

/* Does every element go to one index?  False with the error on the context where that
 * is not known. */
static bool ask_function(struct remap_map *map)
{
	layout_witness *witness = NULL;
	layout_answer answer = layout_relation_is_function(map->map, &witness);

	layout_witness_free(witness);
	map->one = answer == LAYOUT_YES;
	return answer != LAYOUT_UNKNOWN;
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

isl_multi_aff *remap_map_shifted_back(isl_multi_aff *function)
{
	isl_space *space = isl_space_domain(isl_multi_aff_get_space(function));
	isl_multi_aff *identity = isl_multi_aff_identity_on_domain_space(space);
	isl_multi_aff *twice = isl_multi_aff_add(isl_multi_aff_copy(identity), identity);

	return isl_multi_aff_sub(twice, function);
}

/* The shift that the function is, which it consumes; NULL where it is none. */
static isl_multi_aff *find_shift(isl_multi_aff *function, layout_storage *source,
	layout_storage *destination)
{
	bool shifts = source->rank == destination->rank;

	for (unsigned d = 0; function && shifts && d < source->rank; d++) {
		isl_aff *aff = isl_multi_aff_get_aff(function, (int)d);

		shifts = is_shift(aff, d);
		isl_aff_free(aff);
	}
	if (function && shifts)
		return remap_map_shifted_back(function);
	isl_multi_aff_free(function);
	return NULL;
}

/* The elements that a shift has to be of: those of the box or, where the destination has
 * no padding of its own, that stay inside of it.  What is beyond is never asked for. */
static isl_set *asked_box(layout_storage *source, layout_storage *destination,
	isl_multi_aff *function)
{
	isl_set *box = isl_set_copy(source->maps->logical);

	if (!function || storage_is_rounded(destination))
		return box;
	return isl_set_intersect(box, isl_set_preimage_multi_aff(
		isl_set_copy(destination->maps->logical),
		isl_multi_aff_copy(function)));
}

/* Has the map no image for some of the source's box? */
static bool cuts(const struct remap_map *map, layout_storage *source)
{
	isl_set *elements = isl_map_domain(isl_map_copy(map->map->map));
	bool whole = isl_set_is_subset(source->maps->logical, elements) == isl_bool_true;

	isl_set_free(elements);
	return !whole;
}

static layout_relation *map_as_given(layout_relation *given, layout_storage *source,
	layout_storage *destination)
{
	if (check_rank(source, "source", "inputs", layout_relation_in_rank(given)) &&
	    check_rank(destination, "destination", "images",
			layout_relation_out_rank(given)) && check_names(given))
		return on_the_box(given, source, destination);
	return NULL;
}

static layout_relation *map_of_units(layout_storage *source, layout_storage *destination)
{
	isl_multi_aff *function;

	bridge_enter(source->ctx);
	function = keep_index(source, destination);
	return bridge_give_relation(source->ctx, "read the map of a remap",
		isl_map_intersect_domain(isl_map_from_multi_aff(
			isl_multi_aff_copy(function)),
			isl_set_copy(source->maps->logical)), function, NULL);
}

struct remap_map *remap_map_new(layout_storage *source, layout_storage *destination,
	layout_relation *given)
{
	layout_context *ctx = source->ctx;
	struct remap_map *map = layout_alloc(ctx, 1, sizeof(*map));
	isl_set *box;

	if (!map) {
		layout_relation_free(given);
		return NULL;
	}
	map->given = given;
	map->map = given ? map_as_given(given, source, destination) :
		map_of_units(source, destination);
	if (map->map && ask_function(map)) {
		bridge_enter(ctx);
		if (!given) {
			map->load = keep_index(destination, source);
			map->store = keep_index(source, destination);
			map->reached = isl_set_copy(destination->maps->logical);
		}
		box = asked_box(source, destination, map->map->forward);
		map->shift = map->one ? find_shift(only_case(map->map, box), source,
			destination) : NULL;
		isl_set_free(box);
		map->cut = map->shift && cuts(map, source);
		if (bridge_leave(ctx, "read the map of a remap"))
			return map;
	}
	remap_map_free(map);
	return NULL;
}

static isl_set *set_with_units(isl_set *set, layout_storage *storage)
{
	unsigned rank = (unsigned)isl_set_dim(set, isl_dim_set);

	if (rank == storage->rank)
		return set;
	set = isl_set_insert_dims(set, isl_dim_set, rank, storage->rank - rank);
	for (unsigned d = rank; d < storage->rank; d++)
		set = isl_set_fix_si(set, isl_dim_set, d, 0);
	return isl_set_set_tuple_name(set, "logical");
}

/* Does the store function of a chain say all there is to say? */
static bool is_of_all(const struct remap_map *map, layout_storage *source,
	layout_storage *destination)
{
	isl_set *elements = isl_set_preimage_multi_aff(isl_set_copy(map->reached),
		isl_multi_aff_copy(map->store));
	isl_set *box = asked_box(source, destination, map->store);
	bool all = isl_set_is_subset(box, elements) == isl_bool_true;

	isl_set_free(elements);
	isl_set_free(box);
	return all;
}

static bool check_result(layout_chain *chain, layout_storage *destination)
{
	unsigned rank = layout_chain_rank(chain), wanted = storage_tensor_rank(destination);

	if (rank != wanted)
		layout_fail(destination->ctx, LAYOUT_ERROR_SPACE, -1,
			"the chain's result has rank %u, the destination's logical"
			" tensor has %u", rank, wanted);
	return rank == wanted;
}

struct remap_map *remap_map_of_chain(layout_storage *source, layout_storage *destination,
	layout_chain *chain)
{
	layout_context *ctx = source->ctx;
	struct remap_map *map = NULL;

	if (check_result(chain, destination))
		map = layout_alloc(ctx, 1, sizeof(*map));
	if (!map)
		return NULL;
	map->given = layout_chain_relation(chain);
	map->map = map->given ? on_the_box(map->given, source, destination) : NULL;
	bridge_enter(ctx);
	map->load = function_with_units(isl_multi_aff_copy(chain->load), destination,
		source);
	map->store = function_with_units(isl_multi_aff_copy(chain->store), source,
		destination);
	map->reached = set_with_units(isl_set_intersect(isl_set_copy(chain->where),
		chain_box(chain)), destination);
	map->one = map->store;
	if (map->store && is_of_all(map, source, destination))
		map->shift = find_shift(isl_multi_aff_copy(map->store), source,
			destination);
	map->cut = map->map && map->shift && cuts(map, source);
	if (bridge_leave(ctx, "read the chain of a remap") && map->map)
		return map;
	remap_map_free(map);
	return NULL;
}

/* The map for these sizes. */
static isl_map *allowed_map(layout_remap *remap, isl_set *sizes)
{
	return isl_map_intersect_params(isl_map_copy(remap->map->map->map),
		isl_set_copy(sizes));
}

bool remap_map_stays_inside(layout_remap *remap, isl_set *sizes)
{
	isl_set *against;
	bool inside;

	if (remap->chain)
		return true;
	against = isl_set_flatten(isl_map_wrap(isl_map_subtract_range(allowed_map(remap, sizes),
		isl_set_copy(remap->destination->maps->logical))));
	inside = isl_set_is_empty(against) == isl_bool_true;
	if (inside || !against || bridge_failed(remap->ctx)) {
		isl_set_free(against);
		return inside;
	}
	return bridge_demand(remap->ctx, LAYOUT_NO, "the map sends an element to an index "
		"outside of the destination", bridge_witness(remap->ctx, against,
			remap->source->rank, true));
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
		allowed_map(remap, sizes), NULL, NULL);
	answer = layout_relation_is_injective(map, &witness);
	layout_relation_free(map);
	return bridge_demand(remap->ctx, answer, "the map sends two elements to one index"
		" of the destination", witness);
}

bool remap_map_check(layout_remap *remap, isl_set *sizes)
{
	return remap_map_stays_inside(remap, sizes) &&
		(remap->chain || check_injective(remap, sizes));
}

isl_set *remap_map_reached(layout_remap *remap)
{
	const struct remap_map *map = remap->map;

	if (map->reached)
		return isl_set_copy(map->reached);
	if (map->shift)
		return isl_set_preimage_multi_aff(
			isl_set_copy(remap->source->maps->logical),
			isl_multi_aff_copy(map->shift));
	return bridge_coalesce_set(remap->ctx, isl_set_compute_divs(
		isl_map_range(isl_map_copy(map->map->map))));
}

isl_pw_multi_aff *remap_map_reversed(layout_remap *remap, isl_set *sizes)
{
	isl_multi_aff *known = remap->map->shift ? remap->map->shift : remap->map->load;

	if (known)
		return isl_pw_multi_aff_from_multi_aff(isl_multi_aff_copy(known));
	return bridge_coalesce_pieces(remap->ctx, isl_pw_multi_aff_from_map(
		isl_map_reverse(allowed_map(remap, sizes))));
}

isl_pw_multi_aff *remap_map_forward(layout_remap *remap, isl_set *sizes)
{
	const layout_relation *map = remap->map->map;
	isl_set *elements;

	if (!remap->map->one)
		return NULL;
	if (!map->forward)
		return bridge_coalesce_pieces(remap->ctx, isl_pw_multi_aff_from_map(
			allowed_map(remap, sizes)));
	elements = isl_map_domain(isl_map_copy(map->map));
	return isl_pw_multi_aff_intersect_domain(isl_pw_multi_aff_from_multi_aff(
		isl_multi_aff_copy(map->forward)), elements);
}

/* A storage's logical box for these sizes. */
static isl_set *box_of(layout_storage *storage, isl_set *sizes)
{
	return isl_set_intersect_params(isl_set_copy(storage->maps->logical),
		isl_set_copy(sizes));
}

/* Is all of it in "set", which it consumes? */
static bool is_whole(layout_storage *storage, isl_set *sizes, isl_set *set)
{
	isl_set *box = box_of(storage, sizes);
	bool whole = isl_set_is_subset(box, set) == isl_bool_true;

	isl_set_free(box);
	isl_set_free(set);
	return whole;
}

/* The function that pieces without cases are, of all of a storage's logical box; consumes them. */
static isl_multi_aff *only_piece(layout_storage *storage, isl_set *sizes,
	isl_pw_multi_aff *pieces)
{
	if (isl_pw_multi_aff_n_piece(pieces) == 1 && is_whole(storage, sizes,
	    isl_pw_multi_aff_domain(isl_pw_multi_aff_copy(pieces)))) {
		pieces = isl_pw_multi_aff_gist(pieces, box_of(storage, sizes));
		if (isl_pw_multi_aff_isa_multi_aff(pieces) == isl_bool_true)
			return isl_pw_multi_aff_as_multi_aff(pieces);
	}
	isl_pw_multi_aff_free(pieces);
	return NULL;
}

isl_multi_aff *remap_map_store(layout_remap *remap, isl_set *sizes)
{
	const struct remap_map *map = remap->map;
	isl_multi_aff *function;
	isl_set *elements;

	if (!map->one)
		return NULL;
	if (!map->store && !map->map->forward)
		return only_piece(remap->source, sizes, remap_map_forward(remap, sizes));
	function = isl_multi_aff_copy(map->store ? map->store : map->map->forward);
	elements = map->store ? isl_set_preimage_multi_aff(
			isl_set_copy(map->reached), isl_multi_aff_copy(function)) :
		isl_map_domain(isl_map_copy(map->map->map));
	if (is_whole(remap->source, sizes, elements))
		return function;
	isl_multi_aff_free(function);
	return NULL;
}

isl_multi_aff *remap_map_load(layout_remap *remap, isl_set *sizes)
{
	const struct remap_map *map = remap->map;

	if (!map->load || !is_whole(remap->destination, sizes, isl_set_copy(map->reached)))
		return NULL;
	return isl_multi_aff_copy(map->load);
}

isl_multi_aff *remap_map_back(layout_remap *remap, isl_set *sizes)
{
	return remap->map->load ? NULL : only_piece(remap->destination, sizes,
		remap_map_reversed(remap, sizes));
}

isl_set *remap_map_unreached(layout_remap *remap)
{
	layout_storage *storage = remap->destination;
	isl_set *reached = isl_set_preimage_multi_aff(remap_map_reached(remap),
		isl_multi_aff_copy(storage->maps->from_slot));

	return isl_set_subtract(isl_set_copy(storage->maps->slots), reached);
}

isl_set *remap_map_padding(layout_remap *remap)
{
	layout_storage *storage = remap->destination;

	return storage_cells_of(storage,
		storage_in_memory(storage, remap_map_unreached(remap)));
}

/* low[d] as a function of the sizes alone: what i - low has beside i, negated. */
static isl_aff *low_of(isl_multi_aff *shift, unsigned d)
{
	isl_aff *aff = isl_multi_aff_get_aff(shift, (int)d);
	isl_aff *low = aff_of_parameters(aff, isl_space_params(isl_multi_aff_get_space(shift)));

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

bool remap_is_shifted(const layout_remap *remap)
{
	return !remap->map || (remap->map->shift && !remap->source->units &&
		!remap->destination->units);
}

bool remap_shift_texts(layout_remap *remap, char **low)
{
	isl_multi_aff *shift = remap->map ? remap->map->shift : NULL;
	unsigned rank = storage_tensor_rank(remap->source), d = 0;

	bridge_enter(remap->ctx);
	for (; d < rank; d++) {
		isl_aff *aff = shift ? low_of(shift, d) : NULL;

		low[d] = shift ? size_aff_str(remap->ctx, aff) : layout_strdup(remap->ctx, "0");
		isl_aff_free(aff);
		if (!low[d])
			break;
	}
	if (bridge_leave(remap->ctx, "find the shift of a remap") && d == rank)
		return true;
	while (d-- > 0) {
		free(low[d]);
		low[d] = NULL;
	}
	return false;
}
