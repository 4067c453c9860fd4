/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe operations as functions, for where no layout is the result.  They are no
 * `layout_relation` until one is asked for: isl may take long to compose what the layouts
 * tell at once, point by point. */
#ifndef LAYOUT_CUTE_MAP_H
#define LAYOUT_CUTE_MAP_H

#include <layout/cute.h>
#include <layout/value.h>

/* linear coordinate -> offset: "outer", whose last mode has no end, after "inner"; or
 * where there is no "inner" the least coordinate of each offset of "outer".  All
 * NULL: no map. */
struct cute_map {
	layout_cute *outer, *inner;
};

/* Fill in an empty map; all keep their other arguments.  False, with an error on the
 * context or none, where the map is not defined either.  Free in both cases. */
bool cute_map_compose(struct cute_map *map, layout_cute *outer, layout_cute *inner);
bool cute_map_compose_by(struct cute_map *map, layout_cute *outer,
	const layout_cute_tile *tiles, unsigned count);
bool cute_map_divide(struct cute_map *map, layout_cute *cute, layout_cute *tiler);
bool cute_map_divide_by(struct cute_map *map, layout_cute *cute,
	const layout_cute_tile *tiles, unsigned count, layout_cute_form form);
void cute_map_free(struct cute_map *map);

/* The map as a relation: a question to isl, which may take long. */
layout_relation *cute_map_relation(const struct cute_map *map);

/* Can its pairs be had from the layouts?  Then visit them, sorted by input; false on an
 * error. */
bool cute_map_is_listable(const struct cute_map *map);
bool cute_map_for_each(const struct cute_map *map, layout_visit_pair visit, void *user);

#endif
