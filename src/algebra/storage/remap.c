/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/remap_map.h"
#include "algebra/chain/chain.h"
#include "algebra/storage/maps.h"

#include <stdlib.h>
#include <string.h>

void layout_remap_free(layout_remap *remap)
{
	if (!remap)
		return;
	layout_storage_free(remap->source);
	layout_storage_free(remap->destination);
	layout_chain_free(remap->chain);
	remap_map_free(remap->map);
	free(remap->pad);
	free(remap->scale);
	free(remap->names);
	for (unsigned i = 0; i < remap->assumption_count; i++) {
		free(remap->assumptions[i].text);
		isl_set_free(remap->assumptions[i].sizes);
	}
	free(remap->assumptions);
	free(remap);
}

/* The name at the end of the list, unless it is there already. */
static void add_name(layout_remap *remap, const char *name)
{
	for (unsigned k = 0; k < remap->name_count; k++)
		if (strcmp(remap->names[k], name) == 0)
			return;
	remap->names[remap->name_count++] = name;
}

/* The names of a chain, its source's first, then the destination's new ones. */
static bool collect_chained(layout_remap *remap)
{
	isl_space *params = remap->chain->params;
	isl_size count = isl_space_dim(params, isl_dim_param);

	if (count < 0)
		return false;
	remap->names = layout_alloc(remap->ctx, remap->source->name_count +
		(size_t)count + remap->destination->name_count, sizeof(*remap->names));
	if (!remap->names)
		return false;
	for (unsigned i = 0; i < remap->source->name_count; i++)
		add_name(remap, remap->source->names[i]);
	for (isl_size i = 0; i < count; i++)
		add_name(remap, isl_space_get_dim_name(params, isl_dim_param, i));
	for (unsigned i = 0; i < remap->destination->name_count; i++)
		add_name(remap, remap->destination->names[i]);
	return true;
}

/* The map as the user gave it; NULL: there is none. */
static layout_relation *remap_given_map(const layout_remap *remap)
{
	return remap->map ? remap->map->given : NULL;
}

/* The source's names, then the destination's new ones, then the map's. */
static bool collect_names(layout_remap *remap)
{
	const layout_storage *all[] = { remap->source, remap->destination };
	layout_relation *map = remap_given_map(remap);
	unsigned mapped = map ? layout_relation_param_count(map) : 0;

	remap->names = layout_alloc(remap->ctx,
		remap->source->name_count + remap->destination->name_count + mapped,
		sizeof(*remap->names));
	for (unsigned s = 0; remap->names && s < 2; s++)
		for (unsigned i = 0; i < all[s]->name_count; i++)
			add_name(remap, all[s]->names[i]);
	for (unsigned i = 0; remap->names && i < mapped; i++)
		add_name(remap, layout_relation_param_name(map, i));
	return remap->names != NULL;
}

static bool ranks_agree(layout_storage *source, layout_storage *destination)
{
	unsigned from = storage_tensor_rank(source), to = storage_tensor_rank(destination);

	if (from != to)
		layout_fail(source->ctx, LAYOUT_ERROR_SPACE, -1,
			"the source's logical tensor has rank %u, the destination's %u",
			from, to);
	return from == to;
}

/* Both storages are of one logical shape, for all values of the names. */
static bool shapes_agree(layout_remap *remap)
{
	layout_storage *source = remap->source, *destination = remap->destination;
	isl_set *a, *b;
	bool equal, finished;
	bool whole = source->rank == destination->rank;
	unsigned rank = whole ? source->rank : storage_tensor_rank(source);

	if (!whole && !ranks_agree(source, destination))
		return false;
	for (unsigned d = 0; d < rank; d++) {
		if (size_same(&source->sizes[d], &destination->sizes[d]))
			continue;
		bridge_enter(remap->ctx);
		a = whole ? isl_set_copy(source->maps->logical) :
			storage_tensor_box(source);
		b = whole ? isl_set_copy(destination->maps->logical) :
			storage_tensor_box(destination);
		equal = isl_set_is_equal(a, b) == isl_bool_true;
		isl_set_free(a);
		isl_set_free(b);
		finished = bridge_leave(remap->ctx, "compare the logical shapes");
		if (finished && !equal)
			layout_fail(remap->ctx, LAYOUT_ERROR_SPACE, -1,
				"the source's size %u is %s, the destination's %s", d,
				source->sizes[d].text, destination->sizes[d].text);
		return equal && finished;
	}
	return true;
}

/* The conversion and the pad value, both as given and as bits. */
static bool take_elements(layout_remap *remap, const char *type, const char *pad,
	const layout_conversion *wanted)
{
	const char *scale;

	if (!conversion_make(remap->ctx, type, wanted, &remap->conversion))
		return false;
	scale = remap->conversion.scaled ? wanted->scale : NULL;
	if (scale && !(remap->scale = layout_strdup(remap->ctx, scale)))
		return false;
	return !pad || (element_type_bits(remap->ctx, remap->conversion.to, pad,
			&remap->pad_bits) &&
		(remap->pad = layout_strdup(remap->ctx, pad)));
}

/* With a map, or both storages are of one logical tensor.  Consumes the map. */
static bool take_map(layout_remap *remap, layout_relation *map)
{
	if (!map && !shapes_agree(remap))
		return false;
	if (!map && remap->source->rank == remap->destination->rank)
		return true;
	remap->map = remap_map_new(remap->source, remap->destination, map);
	return remap->map != NULL;
}

/* Consumes the storages, also on failure. */
static layout_remap *remap_begin(layout_storage *source, layout_storage *destination)
{
	layout_remap *remap = NULL;

	if (source && destination && bridge_contexts_meet(source->ctx, destination->ctx))
		remap = layout_alloc(source->ctx, 1, sizeof(*remap));
	if (!remap) {
		layout_storage_free(source);
		layout_storage_free(destination);
		return NULL;
	}
	*remap = (struct layout_remap){ .ctx = source->ctx, .source = source,
		.destination = destination };
	return remap;
}

/* "map" may be NULL. */
static layout_remap *remap_new(layout_storage *source, layout_storage *destination,
	layout_relation *map, const char *type, const char *pad,
	const layout_conversion *conversion)
{
	layout_remap *remap = remap_begin(source, destination);

	if (!remap) {
		layout_relation_free(map);
		return NULL;
	}
	if (take_map(remap, map) && take_elements(remap, type, pad, conversion) &&
	    collect_names(remap))
		return remap;
	layout_remap_free(remap);
	return NULL;
}

layout_remap *layout_remap_new_converting(layout_storage *source,
	layout_storage *destination, const char *type, const char *pad,
	const layout_conversion *conversion)
{
	if (!source || !destination || ranks_agree(source, destination))
		return remap_new(source, destination, NULL, type, pad, conversion);
	layout_storage_free(source);
	layout_storage_free(destination);
	return NULL;
}

layout_remap *layout_remap_new_mapped(layout_storage *source, layout_storage *destination,
	layout_relation *map, const char *type, const char *pad,
	const layout_conversion *conversion)
{
	if (map && source && bridge_contexts_meet(source->ctx, layout_relation_context(map)))
		return remap_new(source, destination, map, type, pad, conversion);
	layout_storage_free(source);
	layout_storage_free(destination);
	layout_relation_free(map);
	return NULL;
}

layout_remap *layout_remap_new(layout_storage *source, layout_storage *destination,
	const char *type, const char *pad)
{
	return layout_remap_new_converting(source, destination, type, pad, NULL);
}

/* What happens to elements, for a remap that is like another; the scale is borrowed. */
static layout_conversion conversion_of(const layout_remap *remap)
{
	layout_conversion conversion = LAYOUT_CONVERSION_INIT;

	conversion.type = remap->conversion.to->name;
	conversion.rounding = remap->conversion.rounding;
	conversion.scale = remap->scale;
	return conversion;
}

layout_remap *remap_like(layout_remap *remap, layout_storage *source,
	layout_storage *destination, layout_relation *map)
{
	layout_conversion conversion = conversion_of(remap);
	layout_remap *like = remap_new(source, destination, map,
		remap->conversion.from->name, remap->pad, &conversion);

	if (like)
		like->pad_bits = remap->pad_bits;
	return like;
}

/* Without what is assumed; with what a chain implies. */
static layout_remap *copy_plain(layout_remap *remap)
{
	layout_conversion conversion = conversion_of(remap);
	layout_relation *map = NULL;

	if (remap->chain)
		return layout_remap_new_chained(layout_chain_copy(remap->chain),
			layout_storage_copy(remap->destination),
			remap->conversion.from->name, remap->pad, &conversion);
	if (remap_given_map(remap) && !(map = layout_relation_copy(remap->map->given)))
		return NULL;
	return remap_like(remap, layout_storage_copy(remap->source),
		layout_storage_copy(remap->destination), map);
}

layout_remap *layout_remap_copy(layout_remap *remap)
{
	layout_remap *copy = remap ? copy_plain(remap) : NULL;

	for (unsigned i = remap ? remap->implied_count : 0;
	     copy && i < remap->assumption_count; i++)
		if (!remap_add_assumption(copy, remap->assumptions[i].text,
				isl_set_copy(remap->assumptions[i].sizes))) {
			layout_remap_free(copy);
			copy = NULL;
		}
	return copy;
}

layout_context *layout_remap_context(layout_remap *remap)
{
	return remap ? remap->ctx : NULL;
}

layout_storage *layout_remap_source(layout_remap *remap)
{
	return remap ? remap->source : NULL;
}

layout_storage *layout_remap_destination(layout_remap *remap)
{
	return remap ? remap->destination : NULL;
}

const char *layout_remap_type(layout_remap *remap)
{
	return remap ? remap->conversion.from->name : NULL;
}

const char *layout_remap_destination_type(layout_remap *remap)
{
	return remap ? remap->conversion.to->name : NULL;
}

unsigned layout_remap_element_bits(layout_remap *remap)
{
	return remap ? remap->conversion.from->bits : 0;
}

unsigned layout_remap_destination_bits(layout_remap *remap)
{
	return remap ? remap->conversion.to->bits : 0;
}

unsigned layout_remap_element_bytes(layout_remap *remap)
{
	return (layout_remap_element_bits(remap) + 7) / 8;
}

uint64_t layout_remap_pad_bits(layout_remap *remap)
{
	return remap ? remap->pad_bits : 0;
}

const char *layout_remap_size_name(layout_remap *remap, unsigned i)
{
	return remap && i < remap->name_count ? remap->names[i] : NULL;
}

static bool has_name(const layout_remap *remap, const char *name, size_t length)
{
	for (unsigned i = 0; i < remap->name_count; i++)
		if (strlen(remap->names[i]) == length &&
		    strncmp(remap->names[i], name, length) == 0)
			return true;
	return false;
}

/* All names in the condition are sizes, unless it has names of its own. */
static bool check_condition_names(layout_remap *remap, const char *condition)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	const char *at = condition;
	size_t length;

	if (strstr(condition, "exists"))
		return true;
	for (; *at; at += length ? length : 1) {
		length = strspn(at, letters);
		if (!layout_is_plain_name(at, length) || has_name(remap, at, length))
			continue;
		layout_fail(remap->ctx, LAYOUT_ERROR_PARSE, at - condition,
			"%.*s is not a size of the remap", (int)length, at);
		return false;
	}
	return true;
}

isl_space *remap_space(const layout_remap *remap)
{
	return isl_space_params(size_names_space(remap->ctx,
		(char *const *)(uintptr_t)remap->names, remap->name_count, 0));
}

/* The sizes for which a condition of the user's holds; NULL where it is none. */
static isl_set *read_condition(const layout_remap *remap, const char *condition)
{
	struct layout_buffer out = { 0 };
	layout_set *read;
	isl_set *set = NULL;
	char *text;

	size_names_print(&out, (char *const *)(uintptr_t)remap->names, remap->name_count);
	layout_buffer_printf(&out, "{ : %s }", condition);
	text = layout_buffer_take(remap->ctx, &out);
	read = text && !strpbrk(condition, "{}[]") ?
		layout_set_read(remap->ctx, text) : NULL;
	if (read)
		set = isl_set_params(isl_set_copy(read->set));
	layout_set_free(read);
	free(text);
	return set;
}

bool remap_add_assumption(layout_remap *remap, const char *text, isl_set *sizes)
{
	struct remap_assumption *grown = realloc(remap->assumptions,
		(remap->assumption_count + 1) * sizeof(*grown));
	char *copy = layout_is_made(remap->ctx, grown) ? layout_strdup(remap->ctx, text) :
		NULL;

	if (grown)
		remap->assumptions = grown;
	if (!copy || !sizes) {
		isl_set_free(sizes);
		free(copy);
		return false;
	}
	grown[remap->assumption_count++] = (struct remap_assumption){ copy, sizes };
	return true;
}

/* Only the remap's names are in the condition. */
static bool assume_condition(layout_remap *remap, const char *condition)
{
	isl_set *set;

	if (!layout_given(remap->ctx, condition, "condition") ||
	    !check_condition_names(remap, condition))
		return false;
	set = read_condition(remap, condition);
	if (!set)
		layout_fail(remap->ctx, LAYOUT_ERROR_PARSE, 0,
			"\"%s\" is not a condition on the remap's sizes", condition);
	return set && remap_add_assumption(remap, condition, set);
}

layout_remap *layout_remap_assume(layout_remap *remap, const char *condition)
{
	if (!remap || assume_condition(remap, condition))
		return remap;
	layout_remap_free(remap);
	return NULL;
}

/* The chain's map and pad value, and what has to hold of sizes. */
static bool take_chain(layout_remap *remap, layout_chain *chain, const char *type,
	const char *pad, const layout_conversion *conversion)
{
	remap->chain = chain;
	remap->map = remap_map_of_chain(remap->source, remap->destination, chain);
	return remap->map && take_elements(remap, type, pad, conversion) &&
		collect_chained(remap) && remap_chain_check(remap);
}

layout_remap *layout_remap_new_chained(layout_chain *chain, layout_storage *destination,
	const char *type, const char *pad, const layout_conversion *conversion)
{
	layout_remap *remap = remap_begin(chain ?
		layout_storage_copy(layout_chain_source(chain)) : NULL, destination);

	if (!remap) {
		layout_chain_free(chain);
		return NULL;
	}
	if (take_chain(remap, chain, type, pad, conversion))
		return remap;
	layout_remap_free(remap);
	return NULL;
}

layout_relation *layout_remap_map(layout_remap *remap)
{
	return remap && remap->map ? layout_relation_copy(remap->map->given) : NULL;
}

/* The map between the tensors, on the source's box. */
static layout_relation *map_of_tensors(layout_remap *remap)
{
	unsigned from = storage_tensor_rank(remap->source);
	unsigned to = storage_tensor_rank(remap->destination);
	isl_map *map;

	if (!remap->source->units && !remap->destination->units)
		return layout_relation_copy(remap->map->map);
	bridge_enter(remap->ctx);
	map = isl_map_project_out(isl_map_copy(remap->map->map->map), isl_dim_in, from,
		remap->source->units);
	map = isl_map_project_out(map, isl_dim_out, to, remap->destination->units);
	map = isl_map_set_tuple_name(map, isl_dim_in, "logical");
	map = isl_map_set_tuple_name(map, isl_dim_out, "logical");
	return bridge_give_relation(remap->ctx, "read the map of a remap", map, NULL, NULL);
}

layout_relation *layout_remap_relation(layout_remap *remap)
{
	layout_relation *relation;

	if (!remap)
		return NULL;
	relation = layout_relation_inverse(layout_storage_relation(remap->source));
	if (remap_given_map(remap))
		relation = layout_relation_compose(map_of_tensors(remap), relation);
	return layout_relation_simplify(layout_relation_compose(
		layout_storage_relation(remap->destination), relation));
}
