/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running: a thread a part of the workgroups, each in their order. */
#include "sim/group.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_THREADS 16
#define MAX_LANES 1024

/* A part of the workgroups, on a thread of its own. */
struct part {
	pthread_t thread;
	const struct sim *sim;
	const struct sim_launch *launch;
	struct sim_watch *watch;
	uint64_t begin, end;
	layout_context *ctx;
	struct sim_group group;
	struct sim_watcher *watcher;
	bool ok;
};

static bool refuse_launch(layout_context *ctx, const struct sim *sim, const char *why)
{
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "launch of '%s': %s",
		sim->program.kernel, why);
	return false;
}

/* The workgroups to run, [*begin, *end) in linear order. */
static bool find_range(const struct sim_launch *launch, uint64_t *begin, uint64_t *end)
{
	uint64_t total = 1;

	for (unsigned i = 0; i < 3; i++)
		if (launch->grid[i] < 0 || launch->grid[i] > UINT32_MAX ||
		    __builtin_mul_overflow(total, (uint64_t)launch->grid[i], &total))
			return false;
	if (launch->first > total || launch->count > total - launch->first)
		return false;
	*begin = launch->first;
	*end = launch->count ? launch->first + launch->count : total;
	return true;
}

/* At least one lane, at most MAX_LANES. */
static bool check_size(const unsigned size[3])
{
	uint64_t lanes = 1;

	for (unsigned i = 0; i < 3; i++) {
		if (!size[i] || size[i] > MAX_LANES)
			return false;
		lanes *= size[i];
	}
	return lanes <= MAX_LANES;
}

static bool check_launch(layout_context *ctx, const struct sim *sim,
	const struct sim_launch *launch)
{
	unsigned wave = launch->target ? launch->target->wave_size : SIM_MAX_WAVE;

	if (launch->buffer_count != sim->program.buffer_count ||
	    launch->arg_count != sim->program.arg_count)
		return refuse_launch(ctx, sim, "arguments that are not the parameters");
	for (unsigned i = 0; i < launch->buffer_count; i++)
		if (__builtin_popcount(launch->buffers[i].align) != 1)
			return refuse_launch(ctx, sim, "an alignment not a power of two");
	if (!check_size(launch->workgroup_size))
		return refuse_launch(ctx, sim,
			"a workgroup that is empty or has more than 1024 lanes");
	if (!wave || wave > SIM_MAX_WAVE)
		return refuse_launch(ctx, sim, "waves of a size that no GPU has");
	return true;
}

static struct sim_watch *make_watch(layout_context *ctx, const struct sim *sim,
	const struct sim_launch *launch)
{
	struct sim_watch_buffer *buffers = layout_alloc(ctx, launch->buffer_count,
		sizeof(*buffers));
	const unsigned *size = launch->workgroup_size;
	const struct sim_watch_setup setup = {
		.target = launch->target,
		.wave_size = launch->target ? launch->target->wave_size : SIM_MAX_WAVE,
		.lanes = size[0] * size[1] * size[2],
		.grid = { (uint64_t)launch->grid[0], (uint64_t)launch->grid[1] },
		.lds_bytes = (unsigned)sim->program.lds_bytes,
		.copies = sim->program.copies,
		.site_count = sim->program.site_count,
		.buffer_count = launch->buffer_count,
		.buffers = buffers,
	};
	struct sim_watch *watch = NULL;

	if (!buffers)
		return NULL;
	for (unsigned i = 0; i < launch->buffer_count; i++)
		buffers[i] = (struct sim_watch_buffer){ launch->buffers[i].bytes,
			launch->buffers[i].writable, launch->buffers[i].given,
			launch->buffers[i].repeated };
	watch = sim_watch_new(ctx, &setup);
	free(buffers);
	return watch;
}

static void *run_part(void *user)
{
	struct part *part = user;
	bool ok = true;

	for (uint64_t i = part->begin; ok && i < part->end; i++)
		ok = sim_group_run(&part->group, i);
	part->ok = ok;
	return NULL;
}

/* Errors go to a context of the part's own: threads share none. */
static bool open_part(struct part *part, layout_context *ctx)
{
	part->ctx = layout_context_new();
	if (!part->ctx) {
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "no memory");
		return false;
	}
	part->ok = sim_group_init(&part->group, part->ctx, part->sim, part->launch);
	part->watcher = sim_watcher_new(part->ctx, part->watch);
	part->group.watcher = part->watcher;
	part->ok = part->ok && part->watcher;
	return part->ok;
}

/* Hand on the error of the first part that has one. */
static bool settle(layout_context *ctx, const struct part *part)
{
	if (part->ctx && layout_context_error(part->ctx) != LAYOUT_ERROR_NONE)
		layout_fail(ctx, layout_context_error(part->ctx), -1, "%s",
			layout_context_message(part->ctx));
	return part->ok;
}

static void close_part(struct part *part)
{
	sim_group_free(&part->group);
	sim_watcher_free(part->watcher);
	if (part->ctx)
		layout_context_free(part->ctx);
}

static void add_stats(const struct part *part, layout_sim_stats *stats)
{
	stats->workgroups += part->group.workgroups;
	stats->lanes += part->group.lanes_run;
	sim_watch_add(part->watcher, stats);
}

/* What runs in the first part's thread is the caller's. */
static bool run_parts(layout_context *ctx, struct part *parts, unsigned count,
	layout_sim_stats *stats)
{
	unsigned started = 1;
	bool ok = true;

	for (; started < count; started++)
		if (pthread_create(&parts[started].thread, NULL, run_part,
				&parts[started]))
			break;
	run_part(&parts[0]);
	for (unsigned i = started; i < count; i++)
		run_part(&parts[i]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(parts[i].thread, NULL);
	for (unsigned i = 0; ok && i < count; i++) {
		add_stats(&parts[i], stats);
		ok = settle(ctx, &parts[i]);
	}
	return ok;
}

static unsigned count_threads(uint64_t workgroups)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t count = processors < 1 ? 1 : (uint64_t)processors;

	if (count > MAX_THREADS)
		count = MAX_THREADS;
	if (count > workgroups)
		count = workgroups ? workgroups : 1;
	return (unsigned)count;
}

static bool run_range(layout_context *ctx, const struct part *all, unsigned count,
	layout_sim_stats *stats)
{
	uint64_t share = (all->end - all->begin) / count;
	uint64_t rest = (all->end - all->begin) % count, at = all->begin;
	struct part *parts = layout_alloc(ctx, count, sizeof(*parts));
	bool ok = parts;

	for (unsigned i = 0; ok && i < count; i++) {
		parts[i] = *all;
		parts[i].begin = at;
		at += share + (i < rest);
		parts[i].end = at;
		ok = open_part(&parts[i], ctx) || settle(ctx, &parts[i]);
	}
	ok = ok && run_parts(ctx, parts, count, stats);
	for (unsigned i = 0; parts && i < count; i++)
		close_part(&parts[i]);
	free(parts);
	return ok;
}

/* By so many threads, with a new watch. */
static bool run_watched(layout_context *ctx, struct part *all, unsigned count,
	layout_sim_stats *stats)
{
	bool ok;

	*stats = (layout_sim_stats){ 0 };
	all->watch = make_watch(ctx, all->sim, all->launch);
	ok = all->watch && run_range(ctx, all, count, stats);
	sim_watch_free(all->watch);
	return ok;
}

/* What several threads object to depends on which was first where; what a run does
 * that objects to nothing does not.  So after a fault, one thread goes alone. */
static bool run_in_order(layout_context *ctx, struct part *all, layout_sim_stats *stats)
{
	unsigned count = count_threads(all->end - all->begin);
	struct layout_caught caught = { 0 }, *outer;
	bool ok;

	if (count == 1)
		return run_watched(ctx, all, 1, stats);
	outer = layout_context_catch(ctx, &caught);
	ok = run_watched(ctx, all, count, stats);
	layout_context_catch(ctx, outer);
	if (!ok && (caught.kind != LAYOUT_ERROR_FAULT || run_watched(ctx, all, 1, stats)))
		layout_context_raise(ctx, &caught);
	else
		free(caught.message);
	return ok;
}

bool sim_run(layout_context *ctx, const struct sim *sim, const struct sim_launch *launch,
	layout_sim_stats *stats)
{
	struct part all = { .sim = sim, .launch = launch };
	layout_sim_stats counted = { 0 };
	bool ok;

	if (!check_launch(ctx, sim, launch))
		return false;
	if (!find_range(launch, &all.begin, &all.end))
		return refuse_launch(ctx, sim, "a range outside the grid");
	ok = run_in_order(ctx, &all, &counted);
	if (stats)
		*stats = counted;
	return ok;
}
