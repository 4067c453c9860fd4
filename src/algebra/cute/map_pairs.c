/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a map of CuTe layouts is: as a relation, and pair by pair. */
#include "algebra/cute/cute.h"
#include "algebra/cute/map.h"
#include "algebra/cute/swizzle.h"
#include "algebra/forms.h"

#include <stdlib.h>

/* An inverse is sorted by offset, all of it at once. */
#define MOST_SORTED ((int64_t)1 << 20)

/* Past so many coordinates without an image, a second, what is left may be none, too. */
#define MOST_SKIPPED ((int64_t)1 << 26)

struct pair {
	int64_t in, image;
};

void cute_map_free(struct cute_map *map)
{
	layout_cute_free(map->outer);
	layout_cute_free(map->inner);
	*map = (struct cute_map){ 0 };
}

layout_relation *cute_map_relation(const struct cute_map *map)
{
	layout_relation *outer;
	struct f2 *f2;

	if (!map->inner)
		return layout_relation_least_inverse(layout_cute_relation(map->outer));
	if ((map->outer->swizzled || map->inner->swizzled) &&
			cute_f2_composed(map->outer, map->inner, &f2))
		return form_f2_relation(map->outer->ctx, f2);
	outer = layout_cute_unbounded_relation(map->outer);
	return layout_relation_compose(outer, layout_cute_relation(map->inner));
}

bool cute_map_is_listable(const struct cute_map *map)
{
	return map->outer && (map->inner || layout_cute_size(map->outer) <= MOST_SORTED);
}

static bool give_up(const struct cute_map *map)
{
	layout_fail(map->inner->ctx, LAYOUT_ERROR_QUOTA, -1,
		"quota: of %lld coordinates in a row none has an image", (long long)MOST_SKIPPED);
	return false;
}

/* No offset below 0 is a coordinate, and none is one of a layout of size 0. */
static bool for_each_composed(const struct cute_map *map, layout_visit_pair visit,
	void *user)
{
	int64_t size = layout_cute_size(map->outer) ? layout_cute_size(map->inner) : 0;
	int64_t between, image, skipped = 0;

	for (int64_t i = 0; i < size; i++) {
		if (!layout_cute_eval(map->inner, i, &between))
			return false;
		if (between < 0 && ++skipped > MOST_SKIPPED)
			return give_up(map);
		if (between < 0)
			continue;
		skipped = 0;
		if (!layout_cute_eval(map->outer, between, &image))
			return false;
		if (!visit(user, &i, 1, &image, 1))
			break;
	}
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;

	if (a->in != b->in)
		return a->in < b->in ? -1 : 1;
	return a->image < b->image ? -1 : a->image > b->image;
}

/* The first of the pairs of each offset. */
static bool for_each_inverted(const struct cute_map *map, layout_visit_pair visit,
	void *user)
{
	size_t count = (size_t)layout_cute_size(map->outer);
	struct pair *pairs = calloc(count + 1, sizeof(*pairs));
	bool good = pairs;

	for (size_t i = 0; good && i < count; i++) {
		pairs[i].image = (int64_t)i;
		good = layout_cute_eval(map->outer, pairs[i].image, &pairs[i].in);
	}
	if (good)
		qsort(pairs, count, sizeof(*pairs), compare);
	for (size_t i = 0; good && i < count; i++)
		if ((!i || pairs[i - 1].in != pairs[i].in) &&
				!visit(user, &pairs[i].in, 1, &pairs[i].image, 1))
			break;
	free(pairs);
	return good;
}

bool cute_map_for_each(const struct cute_map *map, layout_visit_pair visit, void *user)
{
	return (map->inner ? for_each_composed : for_each_inverted)(map, visit, user);
}
