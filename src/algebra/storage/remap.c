/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/remap_map.h"
#include "algebra/storage/sizes.h"
#include "algebra/storage/maps.h"

#include <stdlib.h>
#include <string.h>

void layout_remap_free(layout_remap *remap)
{
	if (!remap)
		return;
	layout_storage_free(remap->source);
	layout_storage_free(remap->destination);
	remap_map_free(remap->map);
	free(remap->pad);
	free(remap->scale);
	free(remap->names);
	for (unsigned i = 0; i < remap->assumption_count; i++)
		free(remap->assumptions[i]);
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

/* The source's names, then the destination's new ones, then the map's. */
static bool collect_names(layout_remap *remap)
{
	const layout_storage *all[] = { remap->source, remap->destination };
	layout_relation *map = remap->map ? remap->map->given : NULL;
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

/* Both storages are of one logical shape, for all values of the names. */
static bool shapes_agree(layout_remap *remap)
{
	layout_storage *source = remap->source, *destination = remap->destination;
	isl_set *a, *b;
	bool equal, finished;

	if (source->rank != destination->rank) {
		layout_fail(remap->ctx, LAYOUT_ERROR_SPACE, -1,
			"the source's logical tensor has rank %u, the destination's %u",
			source->rank, destination->rank);
		return false;
	}
	for (unsigned d = 0; d < source->rank; d++) {
		if (strcmp(source->sizes[d], destination->sizes[d]) == 0)
			continue;
		bridge_enter(remap->ctx);
		a = isl_set_copy(source->maps->logical);
		b = isl_set_copy(destination->maps->logical);
		equal = isl_set_is_equal(a, b) == isl_bool_true;
		isl_set_free(a);
		isl_set_free(b);
		finished = bridge_leave(remap->ctx, "compare the logical shapes");
		if (finished && !equal)
			layout_fail(remap->ctx, LAYOUT_ERROR_SPACE, -1,
				"the source's size %u is %s, the destination's %s", d,
				source->sizes[d], destination->sizes[d]);
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
	if (!map)
		return shapes_agree(remap);
	remap->map = remap_map_new(remap->source, remap->destination, map);
	return remap->map != NULL;
}

/* "map" may be NULL. */
static layout_remap *remap_new(layout_storage *source, layout_storage *destination,
	layout_relation *map, const char *type, const char *pad,
	const layout_conversion *conversion)
{
	layout_context *ctx;
	layout_remap *remap = NULL;

	if (source && destination && bridge_contexts_meet(source->ctx, destination->ctx))
		remap = layout_alloc(source->ctx, 1, sizeof(*remap));
	if (!remap) {
		layout_storage_free(source);
		layout_storage_free(destination);
		layout_relation_free(map);
		return NULL;
	}
	ctx = source->ctx;
	*remap = (struct layout_remap){ .ctx = ctx, .source = source,
		.destination = destination };
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
	return remap_new(source, destination, NULL, type, pad, conversion);
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

layout_remap *layout_remap_copy(layout_remap *remap)
{
	layout_conversion conversion = LAYOUT_CONVERSION_INIT;
	layout_relation *map = NULL;
	layout_remap *copy;

	if (!remap)
		return NULL;
	conversion.type = remap->conversion.to->name;
	conversion.rounding = remap->conversion.rounding;
	conversion.scale = remap->scale;
	if (remap->map && !(map = layout_relation_copy(remap->map->given)))
		return NULL;
	copy = remap_new(layout_storage_copy(remap->source),
		layout_storage_copy(remap->destination), map,
		remap->conversion.from->name, remap->pad, &conversion);
	for (unsigned i = 0; i < remap->assumption_count; i++)
		copy = layout_remap_assume(copy, remap->assumptions[i]);
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

/* The condition as a set of sizes, for checking it; only the remap's names. */
static bool check_condition(layout_remap *remap, const char *condition)
{
	struct layout_buffer out = { 0 };
	layout_set *set;
	char *text;

	if (!layout_given(remap->ctx, condition, "condition"))
		return false;
	size_names_print(&out, (char *const *)(uintptr_t)remap->names, remap->name_count);
	layout_buffer_printf(&out, "{ : %s }", condition);
	text = layout_buffer_take(remap->ctx, &out);
	set = text && !strpbrk(condition, "{}[]") ?
		layout_set_read(remap->ctx, text) : NULL;
	if (!set)
		layout_fail(remap->ctx, LAYOUT_ERROR_PARSE, 0,
			"\"%s\" is not a condition on the remap's sizes", condition);
	layout_set_free(set);
	free(text);
	return set != NULL;
}

layout_remap *layout_remap_assume(layout_remap *remap, const char *condition)
{
	char **grown;

	if (!remap)
		return NULL;
	grown = check_condition(remap, condition) ? realloc(remap->assumptions,
		(remap->assumption_count + 1) * sizeof(*grown)) : NULL;
	if (grown) {
		remap->assumptions = grown;
		grown[remap->assumption_count] = layout_strdup(remap->ctx, condition);
		if (grown[remap->assumption_count]) {
			remap->assumption_count++;
			return remap;
		}
	}
	layout_remap_free(remap);
	return NULL;
}

layout_relation *layout_remap_map(layout_remap *remap)
{
	return remap && remap->map ? layout_relation_copy(remap->map->given) : NULL;
}

layout_relation *layout_remap_relation(layout_remap *remap)
{
	layout_relation *relation;

	if (!remap)
		return NULL;
	relation = layout_relation_inverse(layout_storage_relation(remap->source));
	if (remap->map)
		relation = layout_relation_compose(
			layout_relation_copy(remap->map->map), relation);
	return layout_relation_simplify(layout_relation_compose(
		layout_storage_relation(remap->destination), relation));
}
