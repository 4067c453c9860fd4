/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The life of a watch, and what happens at each event of the run. */
#include "sim/watch_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool init_watch(layout_context *ctx, struct sim_watch *watch)
{
	struct sim_watch_setup *setup = &watch->setup;
	unsigned count = setup->buffer_count;
	struct sim_watch_buffer *buffers = layout_alloc(ctx, count, sizeof(*buffers));

	if (buffers)
		memcpy(buffers, setup->buffers, count * sizeof(*buffers));
	setup->buffers = buffers;
	watch->shadows = layout_alloc(ctx, count, sizeof(*watch->shadows));
	if (!buffers || !watch->shadows)
		return false;
	for (unsigned i = 0; i < count; i++) {
		watch->shadows[i].given = buffers[i].given;
		watch->shadows[i].repeated = buffers[i].repeated;
		if (!buffers[i].writable ||
		    watch_shadow_init(&watch->shadows[i], buffers[i].bytes))
			continue;
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "no memory");
		return false;
	}
	for (unsigned i = 0; i < LOCK_COUNT; i++)
		atomic_flag_clear(&watch->locks[i].held);
	if (setup->target)
		watch->lds = layout_lds_find(ctx, setup->target->name);
	return watch->lds || !setup->target;
}

struct sim_watch *sim_watch_new(layout_context *ctx, const struct sim_watch_setup *setup)
{
	size_t size = sizeof(struct sim_watch);
	struct sim_watch *watch = aligned_alloc(_Alignof(struct sim_watch), size);

	if (!watch) {
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "no memory");
		return NULL;
	}
	memset(watch, 0, size);
	watch->setup = *setup;
	if (init_watch(ctx, watch))
		return watch;
	sim_watch_free(watch);
	return NULL;
}

void sim_watch_free(struct sim_watch *watch)
{
	if (!watch)
		return;
	for (unsigned i = 0; watch->shadows && i < watch->setup.buffer_count; i++)
		watch_shadow_clear(&watch->shadows[i]);
	for (unsigned i = 0; i < INTERVAL_BLOCKS; i++)
		free(watch->blocks[i]);
	free(watch->shadows);
	free((void *)(uintptr_t)watch->setup.buffers);
	free(watch);
}

static bool init_watcher(struct sim_watcher *w)
{
	const struct sim_watch_setup *setup = &w->watch->setup;

	w->wave_shift = (unsigned)__builtin_ctz(setup->wave_size);
	w->wave_count = (setup->lanes + setup->wave_size - 1) / setup->wave_size;
	w->waves = calloc(w->wave_count + 1, sizeof(*w->waves));
	for (unsigned i = 0; w->waves && i < w->wave_count; i++) {
		unsigned left = setup->lanes - i * setup->wave_size;

		w->waves[i].lanes = left < setup->wave_size ? left : setup->wave_size;
	}
	w->stats.lds_bytes = setup->lds_bytes;
	if (setup->copies)
		w->flights = calloc(setup->lds_bytes + 1, 1);
	return w->waves && (w->flights || !setup->copies) && watch_sorter_init(w) &&
		watch_shadow_init(&w->lds, setup->lds_bytes) &&
		watch_segments_init(&w->access_segments) &&
		watch_segments_init(&w->wave_segments[0]) &&
		watch_segments_init(&w->wave_segments[1]);
}

struct sim_watcher *sim_watcher_new(layout_context *ctx, struct sim_watch *watch)
{
	struct sim_watcher *w = calloc(1, sizeof(*w));

	if (w) {
		w->ctx = ctx;
		w->watch = watch;
		if (init_watcher(w))
			return w;
	}
	sim_watcher_free(w);
	layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "no memory");
	return NULL;
}

void sim_watcher_free(struct sim_watcher *w)
{
	if (!w)
		return;
	for (unsigned i = 0; w->waves && i < w->wave_count; i++)
		free(w->waves[i].log);
	free(w->waves);
	free(w->flights);
	watch_shadow_clear(&w->lds);
	watch_sorter_clear(&w->sorter);
	watch_segments_clear(&w->access_segments);
	watch_segments_clear(&w->wave_segments[0]);
	watch_segments_clear(&w->wave_segments[1]);
	free(w);
}

void sim_watch_begin(struct sim_watcher *w, uint64_t workgroup)
{
	w->workgroup = workgroup;
	w->epoch = 0;
	for (unsigned i = 0; i < w->wave_count; i++) {
		w->waves[i].sync = w->waves[i].open = 0;
		watch_next_interval(w, i);
	}
	if (w->wave_count)
		w->first_mark = w->waves[0].interval << MARK_BITS;
}

/* The LDS is addressed by words: an access narrower than one lies within its own
 * multiple, a wider one begins with a word.  Global memory may be accessed at any byte. */
static const char *check_alignment(struct sim_watcher *w, const struct sim_access *access)
{
	unsigned need = access->bytes < 4 ? access->bytes & -access->bytes : 4;

	if (access->buffer != SIM_WATCH_LDS || access->offset % need == 0)
		return NULL;
	snprintf(w->reason, sizeof(w->reason), "the LDS needs %u-byte alignment", need);
	return w->reason;
}

const char *sim_watch_access(struct sim_watcher *w, const struct sim_access *access)
{
	const char *reason;

	if (access->flight != SIM_LANDS)
		watch_log(w, access);
	if (access->masked)
		return NULL;
	reason = check_alignment(w, access);
	return reason ? reason : watch_order(w, access);
}

void sim_watch_barrier(struct sim_watcher *w)
{
	w->stats.barriers++;
	w->epoch++;
	for (unsigned i = 0; i < w->wave_count; i++)
		watch_next_interval(w, i);
}

void sim_watch_sync(struct sim_watcher *w, unsigned wave)
{
	w->stats.wave_syncs++;
	w->waves[wave].sync++;
	watch_next_interval(w, wave);
}

void sim_watch_exchange(struct sim_watcher *w, unsigned wave)
{
	(void)wave;
	w->stats.exchanges++;
}

void sim_watch_close(struct sim_watcher *w, unsigned wave)
{
	w->waves[wave].open = 0;
}

bool sim_watch_end(struct sim_watcher *w, layout_context *ctx)
{
	for (unsigned i = 0; i < w->wave_count; i++)
		watch_count_wave(w, &w->waves[i]);
	if (w->failure == WATCH_NO_MEMORY)
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "no memory");
	else if (w->failure)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "the simulator tells at "
			"most 33 million waves apart; run fewer workgroups at a time");
	return !w->failure;
}
