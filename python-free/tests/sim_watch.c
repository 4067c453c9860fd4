/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The simulator's eyes by themselves: accesses in a row, what is wrong with the last,
 * and the counts of a few worked out by hand. */
#include "sim/watch.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

#define SOURCE 0
#define DESTINATION 1
#define REPEATED 2
#define SITES 4

/* Workgroups of 100 lanes in a grid of 3 x 2 x 2, with LDS and three buffers. */
static struct sim_watch *watch_of(layout_context *ctx, const char *target,
	unsigned lanes, uint64_t bytes)
{
	const struct sim_watch_buffer buffers[] = { { .bytes = bytes },
		{ .bytes = bytes, .writable = true },
		{ .bytes = bytes, .writable = true, .repeated = true } };
	struct sim_watch_setup setup = { .wave_size = 64, .lanes = lanes,
		.grid = { 3, 2 }, .lds_bytes = 8192, .site_count = SITES,
		.buffer_count = 3, .buffers = buffers };
	struct sim_watch *watch;

	if (target) {
		setup.target = layout_target_find(ctx, target);
		assert_non_null(setup.target);
		setup.wave_size = setup.target->wave_size;
	}
	watch = sim_watch_new(ctx, &setup);
	assert_non_null(watch);
	return watch;
}

/* Events, and what is wrong with the last of them.  "3sd8:4" is a store by lane 3 of
 * four bytes at byte 8 of the destination; "l" loads, "x" is a masked store; "s" is
 * the source, "r" what workgroups may store again, and "L" the LDS.  "|" is a barrier, "~1" a sync of wave 1, "#4" the next
 * workgroup. */
static const struct {
	const char *events, *reason;
} orders[] = {
	{ "0sd0:4 1sd4:4 2sd8:16 3ls0:4 4ls0:4", NULL },
	{ "0sd0:4 0sd2:4 0ld0:4 0sd0:4", NULL },
	{ "5sd0:4 1sd3:4", "race with the store of byte 3 by lane 5" },
	{ "5sd0:4 99sd0:1", "race with the store of byte 0 by lane 5" },
	{ "99sd0:4 5sd0:1", "race with the store of byte 0 by lane 99" },
	{ "5sd0:4 1xd0:4", NULL },
	{ "1xd0:4 5sd0:4", NULL },
	{ "0sd4094:4 1sd4097:4", "race with the store of byte 4097 by lane 0" },
	{ "0sd4094:4 1sd4095:1", "race with the store of byte 4095 by lane 0" },

	/* barriers order a workgroup, nothing orders two */
	{ "0sd0:4 | 1sd0:4 | | 70sd0:4", NULL },
	{ "0sd0:4 | 1sd0:4 2sd0:4", "race with the store of byte 0 by lane 1" },
	{ "| 0sd0:4 #4 | | 0sd3:4",
		"race with the store of byte 3 by lane 0 of workgroup (0, 0, 0)" },
	{ "#11 9sd0:4 #4 9sd0:4",
		"race with the store of byte 0 by lane 9 of workgroup (2, 1, 1)" },
	{ "0sd0:4 #1 0ld0:4",
		"race with the store of byte 0 by lane 0 of workgroup (0, 0, 0)" },

	/* unless workgroups may store the same */
	{ "0sr0:4 #4 0sr2:4 1sr8:4", NULL },
	{ "0sr0:4 #4 0sr0:4 1sr0:4",
		"race with the store of byte 0 by lane 0" },
	{ "0sr0:4 #1 0lr0:4",
		"race with the store of byte 0 by lane 0 of workgroup (0, 0, 0)" },

	/* a wave's sync orders it alone */
	{ "0sL0:4 ~0 1lL0:4 ~0 2sL0:4", NULL },
	{ "0sL0:4 1lL0:4", "race with the store of byte 0 by lane 0" },
	{ "0sL0:4 ~1 1lL0:4", "race with the store of byte 0 by lane 0" },
	{ "0sL0:4 ~0 64lL0:4", "race with the store of byte 0 by lane 0" },
	{ "0sL0:4 ~0 ~1 64lL0:4", "race with the store of byte 0 by lane 0" },
	{ "0sL0:4 ~0 | 64lL0:4", NULL },

	/* reads, one or several, then a store */
	{ "0sd0:4 | 1ld0:4 2ld0:4 64ld0:4 1ld0:4 | 3sd0:4", NULL },
	{ "0sd0:4 | 1ld0:4 1sd0:4", NULL },
	{ "0sd0:4 | 1ld2:2 2sd0:4", "race with the load of byte 2 by lane 1" },
	{ "0sd0:4 | 1ld0:4 2ld0:4 1sd0:4",
		"race with the load of byte 0 by several lanes" },
	{ "0sd0:4 | 1ld0:4 64ld0:4 1ld0:4 1sd0:4",
		"race with the load of byte 0 by several lanes" },
	{ "0sd0:4 | 0ld0:4 1ld0:4 ~0 2sd0:4", NULL },
	{ "0sd0:4 | 0ld0:4 1ld0:4 ~1 2sd0:4",
		"race with the load of byte 0 by several lanes" },
	{ "0sd0:4 | 0ld0:4 64ld0:4 ~0 2sd0:4",
		"race with the load of byte 0 by several lanes" },
	{ "0sd0:4 | 0ld0:4 64ld0:4 | 3ld0:4 3sd0:4", NULL },

	/* never written: in this launch, or by this workgroup */
	{ "0ld0:4", "byte 0 was never written in this launch" },
	{ "0sd0:2 0ld0:4", "byte 2 was never written in this launch" },
	{ "0xd0:4 0ld0:4", "byte 0 was never written in this launch" },
	{ "0lL8:4", "byte 8 was never written by this workgroup" },
	{ "0sL8:4 | 1lL8:8", "byte 12 was never written by this workgroup" },
	{ "0sL8:4 | 1lL8:4 #1 0lL8:4", "byte 8 was never written by this workgroup" },
	{ "0sL8:4 1sL12:4 | 1lL8:8 #1 1sL8:4 0sL12:4 | 0lL8:8", NULL },

	/* by words, or less */
	{ "0sd1:16 0sd17:2 0ls3:4 0sL4:16 0sL20:8 0sL30:2 0sL33:1", NULL },
	{ "0sL2:4", "the LDS needs 4-byte alignment" },
	{ "0sL6:16", "the LDS needs 4-byte alignment" },
	{ "0sL1:2", "the LDS needs 2-byte alignment" },
	{ "0xL1:2", NULL },
};

static const char *play_access(struct sim_watcher *w, const char *event)
{
	struct sim_access access = { 0 };
	unsigned lane, offset, bytes;
	char op, buffer;

	assert_int_equal(sscanf(event, "%u%c%c%u:%u", &lane, &op, &buffer, &offset,
		&bytes), 5);
	access.lane = (uint16_t)lane;
	access.offset = offset;
	access.bytes = (uint16_t)bytes;
	access.is_store = op != 'l';
	access.masked = op == 'x';
	access.buffer = buffer == 'L' ? SIM_WATCH_LDS :
		buffer == 'd' ? DESTINATION : buffer == 'r' ? REPEATED : SOURCE;
	access.site = (uint32_t)access.is_store + (buffer == 'L' ? 2 : 0);
	return sim_watch_access(w, &access);
}

static const char *play(struct sim_watcher *w, layout_context *ctx, const char *event)
{
	switch (*event) {
	case '|':
		sim_watch_barrier(w);
		return NULL;
	case '~':
		sim_watch_sync(w, (unsigned)atoi(event + 1));
		return NULL;
	case '#':
		assert_true(sim_watch_end(w, ctx));
		sim_watch_begin(w, (uint64_t)atoi(event + 1));
		return NULL;
	default:
		return play_access(w, event);
	}
}

static void check_order(layout_context *ctx, const char *events, const char *reason)
{
	struct sim_watch *watch = watch_of(ctx, NULL, 100, 16384);
	struct sim_watcher *w = sim_watcher_new(ctx, watch);
	char *copy = strdup(events), *rest = copy, *event;
	const char *found = NULL;

	sim_watch_begin(w, 0);
	while ((event = strtok_r(rest, " ", &rest))) {
		if (found)
			fail_msg("%s: before %s: %s", events, event, found);
		found = play(w, ctx, event);
	}
	if (!reason && found)
		fail_msg("%s: %s", events, found);
	if (reason && (!found || strcmp(found, reason)))
		fail_msg("%s: %s, not %s", events, found ? found : "nothing", reason);
	assert_true(sim_watch_end(w, ctx));
	sim_watcher_free(w);
	sim_watch_free(watch);
	free(copy);
}

static void test_order(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(orders); i++)
		check_order(ctx, orders[i].events, orders[i].reason);
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

/* 64 GiB, touched in three places. */
static void test_sparse(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t bytes = UINT64_C(1) << 36;
	struct sim_watch *watch = watch_of(ctx, NULL, 64, bytes);
	struct sim_watcher *w = sim_watcher_new(ctx, watch);
	struct sim_access access = { .buffer = DESTINATION, .bytes = 16,
		.is_store = true };

	(void)state;
	sim_watch_begin(w, 0);
	for (unsigned i = 0; i < 3; i++) {
		access.offset = (bytes - 16) / 2 * i;
		assert_null(sim_watch_access(w, &access));
	}
	access.lane = 1;
	access.offset -= 15;
	assert_string_equal(sim_watch_access(w, &access),
		"race with the store of byte 68719476720 by lane 0");
	assert_true(sim_watch_end(w, ctx));
	sim_watcher_free(w);
	sim_watch_free(watch);
	assert_true(layout_context_free(ctx));
}

/* One instruction of a workgroup: each lane from "lane" on, "lanes" of them, accesses
 * "bytes" bytes, "stride" further than the lane before, "times" times, "step" further
 * each time. */
struct sweep {
	char memory, op;
	unsigned lane, lanes, bytes, stride, times, step;
};

static void play_sweep(struct sim_watcher *w, const struct sweep *sweep, unsigned site,
	uint64_t base)
{
	for (unsigned i = 0; i < sweep->lanes; i++) {
		for (unsigned j = 0; j < sweep->times; j++) {
			unsigned lane = sweep->lane + i;
			struct sim_access access = { .site = site,
				.offset = base + lane * sweep->stride + j * sweep->step,
				.lane = (uint16_t)lane,
				.bytes = (uint16_t)sweep->bytes,
				.buffer = sweep->memory == 'L' ? SIM_WATCH_LDS :
					sweep->memory == 'd' ? DESTINATION : SOURCE,
				.is_store = sweep->op != 'l',
				.masked = sweep->op == 'x' };

			assert_null(sim_watch_access(w, &access));
		}
	}
}

static const struct {
	const char *target;
	unsigned lanes;			/* of the workgroup */
	struct sweep sweeps[2];		/* at one site */
	layout_sim_stats stats;
} counts[] = {
	/* 16 bytes a lane, dense */
	{ "gfx942", 64, { { 's', 'l', 0, 64, 16, 16, 1, 0 } },
		{ .loads = 64, .load_bytes = 1024, .load = { { 0, 0, 0, 0, 0, 64 }, 1,
			16, 16, 8, 8, 16, 16, 8, 8 } } },
	{ "gfx1100", 64, { { 's', 'l', 0, 64, 16, 16, 1, 0 } },
		{ .loads = 64, .load_bytes = 1024, .load = { { 0, 0, 0, 0, 0, 64 }, 2,
			16, 16, 8, 8, 16, 16, 8, 8 } } },
	{ "sm_90", 64, { { 's', 'l', 0, 64, 16, 16, 1, 0 } },
		{ .loads = 64, .load_bytes = 1024, .load = { { 0, 0, 0, 0, 0, 64 }, 2,
			16, 16, 8, 8, 16, 16, 8, 8 } } },
	/* a lane owns a segment and reads it in four accesses */
	{ "gfx942", 64, { { 's', 'l', 0, 64, 16, 64, 4, 16 } },
		{ .loads = 256, .load_bytes = 4096, .load = { { 0, 0, 0, 0, 0, 256 }, 4,
			256, 64, 128, 32, 64, 64, 32, 32 } } },
	/* a segment for every access of a lane, a thousand for the wave */
	{ "gfx942", 64, { { 's', 'l', 0, 64, 4, 64, 16, 4096 } },
		{ .loads = 1024, .load_bytes = 4096, .load = { { 0, 0, 1024 }, 16,
			1024, 64, 512, 32, 1024, 64, 512, 32 } } },
	/* 4 bytes across a segment's end */
	{ "gfx942", 64, { { 'd', 's', 0, 3, 4, 62, 1, 0 } },
		{ .stores = 3, .store_bytes = 12, .masked_lanes = 61,
			.store = { { 0, 0, 3 }, 1, 2, 1, 1, 1, 2, 1, 1, 1 } } },
	/* the same word for all */
	{ "gfx1100", 32, { { 's', 'l', 0, 32, 4, 0, 2, 4 } },
		{ .loads = 64, .load_bytes = 256, .load = { { 0, 0, 64 }, 2,
			2, 4, 2, 2, 1, 4, 1, 2 } } },
	/* 28 bytes are 16 and 12; 7 are 4, 2 and 1 */
	{ "gfx942", 64, { { 'd', 's', 0, 64, 28, 28, 1, 0 } },
		{ .stores = 128, .store_bytes = 1792, .store = {
			{ 0, 0, 0, 0, 64, 64 }, 2, 28 * 2, 28, 28, 14, 28, 28, 14, 14 } } },
	{ "gfx942", 64, { { 'd', 's', 0, 1, 7, 0, 1, 0 } },
		{ .stores = 3, .store_bytes = 7, .masked_lanes = 63 * 3,
			.store = { { 1, 1, 1 }, 3, 3, 3, 3, 3, 1, 1, 1, 1 } } },
	/* lanes that go another way, and a last wave that is not full */
	{ "gfx942", 100, { { 's', 'l', 60, 40, 4, 4, 1, 0 } },
		{ .loads = 40, .load_bytes = 160, .masked_lanes = 60,
			.load = { { 0, 0, 40 }, 2, 4, 4, 3, 3, 4, 4, 3, 3 } } },
	/* out of range */
	{ "gfx942", 64, { { 'd', 's', 0, 16, 4, 4, 1, 0 }, { 'd', 'x', 0, 64, 4, 4, 1, 0 } },
		{ .stores = 16, .store_bytes = 64, .masked_lanes = 48 + 64,
			.store = { { 0, 0, 16 }, 2, 1, 1, 1, 1, 1, 1, 1, 1 } } },
	/* the last lane's end is out of range: one instruction all the same */
	{ "gfx942", 64, { { 'd', 's', 0, 3, 16, 16, 1, 0 }, { 'd', 's', 3, 1, 8, 16, 1, 0 } },
		{ .stores = 4, .store_bytes = 56, .masked_lanes = 60,
			.store = { { 0, 0, 0, 0, 0, 4 }, 1, 1, 1, 1, 1, 1, 1, 1, 1 } } },
	/* the LDS: dense, two lanes a bank, all in one bank */
	{ "gfx942", 64, { { 'L', 's', 0, 64, 4, 4, 1, 0 } },
		{ .lds_store = { { 0, 0, 64 }, 1, 256, 2, 0 } } },
	{ "gfx942", 64, { { 'L', 's', 0, 64, 4, 8, 1, 0 } },
		{ .lds_store = { { 0, 0, 64 }, 1, 256, 4, 2 } } },
	{ "gfx942", 64, { { 'L', 's', 0, 64, 4, 128, 1, 0 } },
		{ .lds_store = { { 0, 0, 64 }, 1, 256, 64, 62 } } },
	{ "gfx942", 64, { { 'L', 's', 32, 32, 4, 4, 1, 0 } },
		{ .lds_store = { { 0, 0, 32 }, 1, 128, 1, 0 }, .masked_lanes = 32 } },
	{ "gfx950", 64, { { 'L', 's', 0, 64, 4, 4, 1, 0 } },
		{ .lds_store = { { 0, 0, 64 }, 1, 256, 1, 0 } } },
	{ "gfx1100", 64, { { 'L', 's', 0, 64, 4, 64, 1, 0 } },
		{ .lds_store = { { 0, 0, 64 }, 2, 256, 32, 30 } } },
	{ "gfx942", 64, { { 'L', 's', 0, 64, 16, 16, 1, 0 } },
		{ .lds_store = { { 0, 0, 0, 0, 0, 64 }, 1, 1024, 8, 0 } } },
	{ "sm_90", 64, { { 'L', 's', 0, 64, 4, 4, 1, 0 } },
		{ .lds_store = { { 0, 0, 64 }, 2, 256, 2, 0 } } },
	{ "sm_90", 64, { { 'L', 's', 0, 64, 4, 8, 1, 0 } },
		{ .lds_store = { { 0, 0, 64 }, 2, 256, 4, 2 } } },
	{ "sm_90", 64, { { 'L', 's', 0, 64, 4, 128, 1, 0 } },
		{ .lds_store = { { 0, 0, 64 }, 2, 256, 64, 62 } } },
	{ "sm_90", 64, { { 'L', 's', 0, 64, 16, 16, 1, 0 } },
		{ .lds_store = { { 0, 0, 0, 0, 0, 64 }, 2, 1024, 8, 0 } } },
};

static void test_counts(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < COUNT(counts); i++) {
		struct sim_watch *watch = watch_of(ctx, counts[i].target,
			counts[i].lanes, 16384);
		struct sim_watcher *w = sim_watcher_new(ctx, watch);
		layout_sim_stats stats = { 0 }, expected = counts[i].stats;

		sim_watch_begin(w, 0);
		for (unsigned j = 0; j < 2; j++)
			play_sweep(w, &counts[i].sweeps[j], 0, 0);
		assert_true(sim_watch_end(w, ctx));
		sim_watch_add(w, &stats);
		expected.lds_bytes = 8192;
		if (memcmp(&stats, &expected, sizeof(stats)))
			print_message("row %u\n", i);
		assert_memory_equal(&stats, &expected, sizeof(stats));
		sim_watcher_free(w);
		sim_watch_free(watch);
	}
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	assert_true(layout_context_free(ctx));
}

/* A lane's executions of a site are numbered through barriers, whichever lane runs
 * first; and events are counted. */
static void test_interleaving(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim_watch *watch = watch_of(ctx, NULL, 64, 16384);
	struct sim_watcher *w = sim_watcher_new(ctx, watch);
	layout_sim_stats stats = { 0 };

	(void)state;
	sim_watch_begin(w, 3);
	for (unsigned i = 0; i < 64; i++)
		play_sweep(w, &(struct sweep){ 's', 'l', 63 - i, 1, 4, 4, 1, 0 }, 0, 0);
	sim_watch_barrier(w);
	sim_watch_exchange(w, 0);
	sim_watch_sync(w, 0);
	for (unsigned i = 0; i < 32; i++)
		play_sweep(w, &(struct sweep){ 's', 'l', i, 1, 4, 4, 1, 0 }, 0, 256);
	assert_true(sim_watch_end(w, ctx));
	sim_watch_begin(w, 4);
	play_sweep(w, &(struct sweep){ 's', 'l', 0, 64, 4, 4, 1, 0 }, 0, 0);
	assert_true(sim_watch_end(w, ctx));
	sim_watch_add(w, &stats);
	assert_int_equal(stats.load.wave_accesses, 2 + 1);
	assert_int_equal(stats.load.segments_64, 4 + 2 + 4);
	assert_int_equal(stats.load.wave_segments_128, 2 + 1 + 2);
	assert_int_equal(stats.masked_lanes, 32);
	assert_int_equal(stats.barriers, 1);
	assert_int_equal(stats.exchanges, 1);
	assert_int_equal(stats.wave_syncs, 1);
	sim_watcher_free(w);
	sim_watch_free(watch);
	assert_true(layout_context_free(ctx));
}

/* A wave that loads too much to be kept is counted in two portions. */
static void test_portions(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim_watch *watch = watch_of(ctx, NULL, 64, 16384);
	struct sim_watcher *w = sim_watcher_new(ctx, watch);
	struct sweep sweep = { 's', 'l', 0, 64, 4, 4, 70000, 0 };
	layout_sim_stats stats = { 0 };

	(void)state;
	sim_watch_begin(w, 0);
	play_sweep(w, &sweep, 0, 0);
	assert_true(sim_watch_end(w, ctx));
	sim_watch_add(w, &stats);
	assert_int_equal(stats.loads, 64 * 70000);
	assert_int_equal(stats.load.wave_accesses, 2 * 70000);
	assert_int_equal(stats.load.wave_segments_64, 4 + 1);
	sim_watcher_free(w);
	sim_watch_free(watch);
	assert_true(layout_context_free(ctx));
}

#define GROUPS 24
#define GROUP_BYTES 4096

/* Some of the workgroups, by one thread. */
struct share {
	struct sim_watch *watch;
	unsigned begin, step;
	layout_sim_stats stats;
};

static void *run_share(void *argument)
{
	struct share *share = argument;
	layout_context *ctx = layout_context_new();
	struct sim_watcher *w = sim_watcher_new(ctx, share->watch);

	for (unsigned i = share->begin; i < GROUPS; i += share->step) {
		uint64_t base = (uint64_t)i * GROUP_BYTES;

		sim_watch_begin(w, i);
		play_sweep(w, &(struct sweep){ 's', 'l', 0, 64, 16, 64, 4, 16 }, 0, base);
		play_sweep(w, &(struct sweep){ 'L', 's', 0, 64, 4, 8, 1, 0 }, 2, 0);
		sim_watch_barrier(w);
		play_sweep(w, &(struct sweep){ 'L', 'l', 0, 64, 4, 8, 1, 0 }, 3, 0);
		play_sweep(w, &(struct sweep){ 'd', 's', 0, 64, 16, 16, 4, 1024 }, 1,
			base);
		assert_true(sim_watch_end(w, ctx));
	}
	sim_watch_add(w, &share->stats);
	sim_watcher_free(w);
	assert_true(layout_context_free(ctx));
	return NULL;
}

/* The counts of two threads are those of one. */
static void test_threads(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t bytes = GROUPS * GROUP_BYTES;
	struct sim_watch *alone = watch_of(ctx, "gfx942", 64, bytes);
	struct sim_watch *shared = watch_of(ctx, "gfx942", 64, bytes);
	struct share whole = { alone, 0, 1, { 0 } };
	struct share odd = { shared, 1, 2, { 0 } }, even = { shared, 0, 2, { 0 } };
	pthread_t thread;

	(void)state;
	run_share(&whole);
	assert_int_equal(pthread_create(&thread, NULL, run_share, &odd), 0);
	run_share(&even);
	pthread_join(thread, NULL);
	assert_int_equal(whole.stats.stores, GROUPS * 256);
	for (size_t i = 0; i < sizeof(whole.stats) / sizeof(uint64_t); i++)
		if (i != offsetof(layout_sim_stats, lds_bytes) / sizeof(uint64_t))
			assert_int_equal(((const uint64_t *)&whole.stats)[i],
				((const uint64_t *)&odd.stats)[i] +
				((const uint64_t *)&even.stats)[i]);
	sim_watch_free(alone);
	sim_watch_free(shared);
	assert_true(layout_context_free(ctx));
}

/* Both threads go on once both have arrived, for the n-th time. */
static atomic_uint arrivals;

static void meet(unsigned n)
{
	atomic_fetch_add(&arrivals, 1);
	for (unsigned i = 0; atomic_load(&arrivals) < 2 * n; i++)
		if (i > 1000)
			sched_yield();
}

static void *store_much(void *argument)
{
	struct sim_watcher *w = argument;
	unsigned races = 0;

	for (unsigned i = 0; i < GROUPS * GROUP_BYTES; i++) {
		struct sim_access access = { .buffer = DESTINATION, .offset = i,
			.bytes = 1, .is_store = true };

		if (i % 256 == 0)
			meet(i / 256 + 1);
		races += sim_watch_access(w, &access) != NULL;
	}
	return (void *)(uintptr_t)races;
}

/* Two workgroups at the same time on the same bytes: each byte is one race, seen by
 * the one that comes second. */
static void test_race_of_threads(void **state)
{
	layout_context *ctx = layout_context_new();
	struct sim_watch *watch = watch_of(ctx, NULL, 64, GROUPS * GROUP_BYTES);
	struct sim_watcher *mine = sim_watcher_new(ctx, watch);
	struct sim_watcher *other = sim_watcher_new(ctx, watch);
	pthread_t thread;
	uintptr_t races;
	void *others;

	(void)state;
	sim_watch_begin(mine, 0);
	sim_watch_begin(other, 1);
	assert_int_equal(pthread_create(&thread, NULL, store_much, other), 0);
	races = (uintptr_t)store_much(mine);
	pthread_join(thread, &others);
	assert_int_equal(races + (uintptr_t)others, GROUPS * GROUP_BYTES);
	sim_watcher_free(mine);
	sim_watcher_free(other);
	sim_watch_free(watch);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_sparse),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_interleaving),
		cmocka_unit_test(test_portions),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_race_of_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
