/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sets of memory segments: open addressing, emptied by a new stamp. */
#include "sim/watch_parts.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 512

static bool set_init(struct segment_set *set, size_t capacity)
{
	*set = (struct segment_set){ .stamp = 1, .capacity = capacity,
		.keys = malloc(capacity * sizeof(*set->keys)),
		.stamps = calloc(capacity, sizeof(*set->stamps)) };
	return set->keys && set->stamps;
}

static void set_clear(struct segment_set *set)
{
	free(set->keys);
	free(set->stamps);
}

static void set_empty(struct segment_set *set)
{
	set->count = 0;
	if (!++set->stamp) {
		memset(set->stamps, 0, set->capacity * sizeof(*set->stamps));
		set->stamp = 1;
	}
}

bool watch_segments_init(struct segments *segments)
{
	bool ok = set_init(&segments->of_64, FIRST_CAPACITY);

	return set_init(&segments->of_128, FIRST_CAPACITY) && ok;
}

void watch_segments_clear(struct segments *segments)
{
	set_clear(&segments->of_64);
	set_clear(&segments->of_128);
}

void watch_segments_empty(struct segments *segments)
{
	set_empty(&segments->of_64);
	set_empty(&segments->of_128);
}

/* Where a key is, or would go. */
static size_t find_place(const struct segment_set *set, uint64_t key)
{
	size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & (set->capacity - 1);

	while (set->stamps[at] == set->stamp && set->keys[at] != key)
		at = (at + 1) & (set->capacity - 1);
	return at;
}

static void set_put(struct segment_set *set, uint64_t key)
{
	size_t at = find_place(set, key);

	set->keys[at] = key;
	set->stamps[at] = set->stamp;
	set->count++;
}

static bool set_grow(struct segment_set *set)
{
	struct segment_set larger;

	if (!set_init(&larger, set->capacity * 2)) {
		set_clear(&larger);
		return false;
	}
	for (size_t i = 0; i < set->capacity; i++)
		if (set->stamps[i] == set->stamp)
			set_put(&larger, set->keys[i]);
	set_clear(set);
	*set = larger;
	return true;
}

bool watch_segment_add(struct segment_set *set, uint64_t key, bool *added)
{
	size_t at = find_place(set, key);

	*added = set->stamps[at] != set->stamp;
	if (!*added)
		return true;
	if (set->count >= set->capacity / 2 && !set_grow(set))
		return false;
	set_put(set, key);
	return true;
}
