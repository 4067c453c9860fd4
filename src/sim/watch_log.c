/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The log of a wave, and its order: the lanes' n-th executions of one site, together. */
#include "sim/watch_parts.h"

#include <stdlib.h>
#include <string.h>

/* A longer log is counted in portions. */
#define MAX_LOG ((size_t)1 << 22)
#define FIRST_LOG 1024

static bool grow(struct sim_watcher *w, struct watch_wave *wave)
{
	size_t capacity = wave->capacity ? wave->capacity * 2 : FIRST_LOG;
	struct watch_record *log = realloc(wave->log, capacity * sizeof(*log));

	if (!log) {
		w->failure = WATCH_NO_MEMORY;
		return false;
	}
	wave->log = log;
	wave->capacity = capacity;
	return true;
}

void watch_log(struct sim_watcher *w, const struct sim_access *access)
{
	unsigned number = access->lane >> w->wave_shift;
	struct watch_wave *wave = &w->waves[number];

	if (wave->count == MAX_LOG)
		watch_count_wave(w, wave);
	if (wave->count == wave->capacity && !grow(w, wave))
		return;
	wave->log[wave->count++] = (struct watch_record){
		.place = (uint64_t)access->buffer << PLACE_BITS |
			(access->offset & ((UINT64_C(1) << PLACE_BITS) - 1)),
		.site = access->site, .bytes = access->bytes,
		.lane = (uint8_t)(access->lane - (number << w->wave_shift)),
		.is_store = access->is_store, .masked = access->masked };
}

bool watch_sorter_init(struct sim_watcher *w)
{
	const struct sim_watch_setup *setup = &w->watch->setup;
	struct watch_sorter *sorter = &w->sorter;
	size_t sites = setup->site_count + 1u;

	sorter->executions = calloc(sites * setup->wave_size, sizeof(uint32_t));
	sorter->depths = calloc(sites, sizeof(uint32_t));
	sorter->firsts = calloc(sites, sizeof(uint32_t));
	return sorter->executions && sorter->depths && sorter->firsts;
}

void watch_sorter_clear(struct watch_sorter *sorter)
{
	free(sorter->executions);
	free(sorter->depths);
	free(sorter->firsts);
	free(sorter->groups);
	free(sorter->order);
	free(sorter->ends);
}

/* There are no more groups than records. */
static bool reserve(struct watch_sorter *sorter, size_t count)
{
	size_t capacity = sorter->capacity ? sorter->capacity : FIRST_LOG;

	if (count <= sorter->capacity)
		return true;
	while (capacity < count)
		capacity *= 2;
	free(sorter->groups);
	free(sorter->order);
	free(sorter->ends);
	sorter->groups = malloc(capacity * sizeof(uint32_t));
	sorter->order = malloc(capacity * sizeof(uint32_t));
	sorter->ends = malloc(capacity * sizeof(uint32_t));
	sorter->capacity = capacity;
	if (sorter->groups && sorter->order && sorter->ends)
		return true;
	sorter->capacity = 0;
	return false;
}

/* Number each record's execution, into "groups", and each site's most. */
static void number_executions(struct watch_sorter *sorter, const struct watch_wave *wave,
	unsigned site_count)
{
	for (size_t i = 0; i < wave->count; i++) {
		const struct watch_record *record = &wave->log[i];
		uint32_t *so_far = &sorter->executions[
			(size_t)record->lane * site_count + record->site];

		sorter->groups[i] = (*so_far)++;
		if (*so_far > sorter->depths[record->site])
			sorter->depths[record->site] = *so_far;
	}
	for (size_t i = 0; i < wave->count; i++)
		sorter->executions[(size_t)wave->log[i].lane * site_count +
			wave->log[i].site] = 0;
}

/* A group for each execution of each site; their number. */
static size_t number_groups(struct watch_sorter *sorter, const struct watch_wave *wave,
	unsigned site_count)
{
	uint32_t count = 0;

	for (unsigned i = 0; i < site_count; i++) {
		sorter->firsts[i] = count;
		count += sorter->depths[i];
		sorter->depths[i] = 0;
	}
	memset(sorter->ends, 0, count * sizeof(*sorter->ends));
	for (size_t i = 0; i < wave->count; i++) {
		sorter->groups[i] += sorter->firsts[wave->log[i].site];
		sorter->ends[sorter->groups[i]]++;
	}
	return count;
}

/* From the groups' counts to their begins; each record to its place moves a begin on to
 * its end. */
static void place_records(struct watch_sorter *sorter, size_t records, size_t groups)
{
	uint32_t at = 0;

	for (size_t i = 0; i < groups; i++) {
		uint32_t count = sorter->ends[i];

		sorter->ends[i] = at;
		at += count;
	}
	for (size_t i = 0; i < records; i++)
		sorter->order[sorter->ends[sorter->groups[i]]++] = (uint32_t)i;
}

size_t watch_sort(struct sim_watcher *w, const struct watch_wave *wave)
{
	struct watch_sorter *sorter = &w->sorter;
	unsigned site_count = w->watch->setup.site_count;
	size_t groups;

	if (!reserve(sorter, wave->count)) {
		w->failure = WATCH_NO_MEMORY;
		return 0;
	}
	number_executions(sorter, wave, site_count);
	groups = number_groups(sorter, wave, site_count);
	place_records(sorter, wave->count, groups);
	return groups;
}
