/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who touched which byte last, and was that in order? */
#include "sim/watch_parts.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Memory that is likely to be touched throughout gets large pages; a larger one may be
 * touched in a few places only. */
#define MAX_DENSE ((uint64_t)1 << 28)

static void *map_marks(uint64_t bytes)
{
	void *marks;

	if (bytes > SIZE_MAX / sizeof(uint32_t))
		return NULL;
	marks = mmap(NULL, bytes * sizeof(uint32_t), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (marks == MAP_FAILED)
		return NULL;
	if (bytes <= MAX_DENSE)
		madvise(marks, bytes * sizeof(uint32_t), MADV_HUGEPAGE);
	return marks;
}

bool watch_shadow_init(struct watch_shadow *shadow, uint64_t bytes)
{
	if (!bytes)
		return true;
	shadow->bytes = bytes;
	shadow->writers = map_marks(bytes);
	shadow->readers = map_marks(bytes);
	return shadow->writers && shadow->readers;
}

void watch_shadow_clear(struct watch_shadow *shadow)
{
	if (shadow->writers)
		munmap(shadow->writers, shadow->bytes * sizeof(uint32_t));
	if (shadow->readers)
		munmap(shadow->readers, shadow->bytes * sizeof(uint32_t));
}

static const struct watch_interval *find_interval(const struct sim_watcher *w,
	uint32_t mark)
{
	uint32_t number = mark >> MARK_BITS;

	return &w->watch->blocks[number / INTERVAL_BLOCK][number % INTERVAL_BLOCK];
}

/* A block of numbers for this thread. */
static bool take_block(struct sim_watcher *w)
{
	struct sim_watch *watch = w->watch;
	unsigned block = atomic_fetch_add(&watch->block_count, 1);
	struct watch_interval *intervals;

	if (block >= INTERVAL_BLOCKS) {
		atomic_store(&watch->block_count, INTERVAL_BLOCKS);
		w->failure = WATCH_NO_INTERVALS;
		return false;
	}
	intervals = calloc(INTERVAL_BLOCK, sizeof(*intervals));
	if (!intervals) {
		w->failure = WATCH_NO_MEMORY;
		return false;
	}
	watch->blocks[block] = intervals;
	w->next_interval = block * INTERVAL_BLOCK + !block;
	w->block_end = (block + 1) * INTERVAL_BLOCK;
	return true;
}

void watch_next_interval(struct sim_watcher *w, unsigned number)
{
	struct watch_wave *wave = &w->waves[number];

	if (w->failure || (w->next_interval == w->block_end && !take_block(w)))
		return;
	wave->interval = w->next_interval++;
	w->watch->blocks[wave->interval / INTERVAL_BLOCK]
		[wave->interval % INTERVAL_BLOCK] = (struct watch_interval){
		w->workgroup, w->epoch, wave->sync, number };
}

/* One access under inspection.  Marks below "floor" are of earlier workgroups that had
 * this LDS. */
struct inspection {
	struct sim_watcher *w;
	const struct sim_access *access;
	unsigned wave;
	uint32_t mark, floor;
	uint32_t fine;			/* a mark that was found to be in order */
	bool opens;			/* what the next mark is of may be open */
};

static bool is_same_wave(const struct inspection *in, const struct watch_interval *other,
	uint32_t mark)
{
	return other->wave == in->wave &&
		(mark & ((1u << MARK_BITS) - 1)) != MARK_SEVERAL_WAVES;
}

/* Is what the mark stands for an access of the LDS that its wave has not waited for, and may so
 * come behind this one?  Of one wave they are in turn, but for its copies. */
static bool is_open(const struct inspection *in, uint32_t mark)
{
	const struct sim_watcher *w = in->w;
	bool copy = in->access->flight == SIM_BEGINS, open = false;
	bool several = (mark & ((1u << MARK_BITS) - 1)) == MARK_SEVERAL_WAVES;
	unsigned own = find_interval(w, mark)->wave;

	for (unsigned i = 0; i < w->wave_count; i++)
		open = open || ((several || i == own) && (copy || i != in->wave) &&
			w->waves[i].open && mark >> MARK_BITS >= w->waves[i].open);
	return open;
}

/* Did all that the mark stands for happen before this access? */
static bool is_before(struct inspection *in, uint32_t mark)
{
	const struct watch_interval *other;
	bool before;

	if (mark < in->floor)
		return true;
	if (in->opens && is_open(in, mark))
		return false;
	if (mark == in->mark || mark == in->fine)
		return true;
	other = find_interval(in->w, mark);
	before = other->workgroup == in->w->workgroup &&
		(other->epoch != in->w->epoch || (is_same_wave(in, other, mark) &&
		other->sync != in->w->waves[in->wave].sync));
	if (before)
		in->fine = mark;
	return before;
}

/* Who reads now that "mark" had read, unordered.  Both are of the workgroup that wrote
 * the byte, as any other's load is a race; or nobody did. */
static uint32_t add_reader(const struct inspection *in, uint32_t mark)
{
	const struct watch_interval *other = find_interval(in->w, mark);

	return (mark & ~((1u << MARK_BITS) - 1)) | (is_same_wave(in, other, mark) ?
		MARK_SEVERAL_LANES : MARK_SEVERAL_WAVES);
}

/* "lane 5", "several lanes of workgroup (2, 0, 0)": who left a mark. */
static void describe_mark(const struct inspection *in, uint32_t mark, char *text,
	size_t size)
{
	const struct sim_watch_setup *setup = &in->w->watch->setup;
	uint64_t x = setup->grid[0] ? setup->grid[0] : 1;
	uint64_t y = setup->grid[1] ? setup->grid[1] : 1;
	unsigned slot = mark & ((1u << MARK_BITS) - 1);
	const struct watch_interval *other = find_interval(in->w, mark);
	int length;

	length = slot < WATCH_LANES ? snprintf(text, size, "lane %u",
			other->wave * setup->wave_size + slot) :
		snprintf(text, size, "several lanes");
	if (other->workgroup != in->w->workgroup)
		snprintf(text + length, size - (size_t)length, " of workgroup (%" PRIu64
			", %" PRIu64 ", %" PRIu64 ")", other->workgroup % x,
			other->workgroup / x % y, other->workgroup / x / y);
}

static const char *report_race(const struct inspection *in, uint64_t byte, uint32_t mark,
	const char *what)
{
	char who[96];

	describe_mark(in, mark, who, sizeof(who));
	snprintf(in->w->reason, sizeof(in->w->reason),
		"race with the %s of byte %" PRIu64 " by %s", what, byte, who);
	return in->w->reason;
}

static const char *report_unwritten(const struct inspection *in, uint64_t byte)
{
	snprintf(in->w->reason, sizeof(in->w->reason),
		"byte %" PRIu64 " was never written %s", byte,
		in->access->buffer == SIM_WATCH_LDS ? "by this workgroup" :
		"in this launch");
	return in->w->reason;
}

/* May this workgroup store again what another has stored? */
static bool may_repeat(const struct inspection *in, const struct watch_shadow *shadow,
	uint32_t mark)
{
	return shadow->repeated &&
		find_interval(in->w, mark)->workgroup != in->w->workgroup;
}

/* May the byte's last write be open?  What a copy has landed is not. */
static bool opens(const struct inspection *in, uint64_t i)
{
	return in->access->buffer == SIM_WATCH_LDS && in->w->flights &&
		in->w->flights[i] != FLIGHT_LANDED;
}

static const char *inspect_store(struct inspection *in, struct watch_shadow *shadow,
	uint64_t begin, uint64_t end)
{
	for (uint64_t i = begin; i < end; i++) {
		in->opens = opens(in, i);
		if (!is_before(in, shadow->writers[i]) &&
		    !may_repeat(in, shadow, shadow->writers[i]))
			return report_race(in, i, shadow->writers[i], "store");
		shadow->writers[i] = in->mark;
	}
	if (!atomic_load_explicit(&shadow->was_read, memory_order_relaxed))
		return NULL;
	in->opens = in->access->buffer == SIM_WATCH_LDS && in->w->flights;
	for (uint64_t i = begin; i < end; i++)
		if (!is_before(in, shadow->readers[i]))
			return report_race(in, i, shadow->readers[i], "load");
	return NULL;
}

static const char *inspect_load(struct inspection *in, struct watch_shadow *shadow,
	uint64_t begin, uint64_t end)
{
	atomic_store_explicit(&shadow->was_read, true, memory_order_relaxed);
	for (uint64_t i = begin; i < end; i++) {
		uint32_t reader = shadow->readers[i];

		if (shadow->writers[i] < in->floor && !shadow->given)
			return report_unwritten(in, i);
		in->opens = opens(in, i);
		if (!is_before(in, shadow->writers[i]))
			return report_race(in, i, shadow->writers[i], "store");
		in->opens = false;
		shadow->readers[i] = is_before(in, reader) ? in->mark :
			add_reader(in, reader);
	}
	return NULL;
}

static const char *inspect(struct inspection *in, struct watch_shadow *shadow,
	uint64_t begin, uint64_t end)
{
	return in->access->is_store ? inspect_store(in, shadow, begin, end) :
		inspect_load(in, shadow, begin, end);
}

static void lock(struct watch_lock *lock)
{
	while (atomic_flag_test_and_set_explicit(&lock->held, memory_order_acquire))
		sched_yield();
}

static void unlock(struct watch_lock *lock)
{
	atomic_flag_clear_explicit(&lock->held, memory_order_release);
}

/* The bytes belong to a copy from when it begins until it lands. */
static const char *inspect_flight(const struct inspection *in, uint64_t begin, uint64_t end)
{
	for (uint64_t i = begin; i < end; i++)
		if (in->w->flights[i] == FLIGHT_BEGUN) {
			snprintf(in->w->reason, sizeof(in->w->reason), "a copy to byte %" PRIu64
				" is under way", i);
			return in->w->reason;
		}
	return NULL;
}

static void land(const struct inspection *in, uint64_t begin, uint64_t end)
{
	for (uint64_t i = begin; i < end; i++) {
		in->w->flights[i] = FLIGHT_LANDED;
		in->w->lds.writers[i] = in->mark;
	}
}

/* In a kernel with copies. */
static const char *inspect_copies(struct inspection *in, uint64_t begin, uint64_t end)
{
	struct watch_wave *wave = &in->w->waves[in->wave];
	enum sim_flight flight = in->access->flight;
	const char *reason = NULL;

	if (flight == SIM_LANDS) {
		land(in, begin, end);
		return NULL;
	}
	reason = inspect_flight(in, begin, end);
	if (!reason)
		reason = inspect(in, &in->w->lds, begin, end);
	if (in->access->is_store)
		memset(in->w->flights + begin, flight == SIM_BEGINS ? FLIGHT_BEGUN :
			FLIGHT_NONE, end - begin);
	if (flight == SIM_AT_ONCE && !wave->open)
		wave->open = wave->interval;
	return reason;
}

static const char *inspect_local(struct inspection *in, uint64_t begin, uint64_t end)
{
	return in->w->flights ? inspect_copies(in, begin, end) :
		inspect(in, &in->w->lds, begin, end);
}

/* In the parts that have a lock each. */
static const char *inspect_shared(struct inspection *in, struct watch_shadow *shadow)
{
	uint64_t begin = in->access->offset, end = begin + in->access->bytes;
	const char *reason = NULL;

	while (begin < end && !reason) {
		uint64_t part = begin / LOCK_SPAN, stop = (part + 1) * LOCK_SPAN;
		struct watch_lock *its = &in->w->watch->locks[part % LOCK_COUNT];

		lock(its);
		reason = inspect(in, shadow, begin, stop < end ? stop : end);
		unlock(its);
		begin = stop;
	}
	return reason;
}

const char *watch_order(struct sim_watcher *w, const struct sim_access *access)
{
	unsigned wave = access->lane >> w->wave_shift;
	unsigned lane = access->lane - (wave << w->wave_shift);
	struct inspection in = { .w = w, .access = access, .wave = wave, .floor = 1,
		.mark = w->waves[wave].interval << MARK_BITS | lane };

	if (w->failure)
		return NULL;
	if (access->buffer != SIM_WATCH_LDS)
		return w->watch->setup.buffers[access->buffer].writable ?
			inspect_shared(&in, &w->watch->shadows[access->buffer]) : NULL;
	in.floor = w->first_mark;
	return inspect_local(&in, access->offset, access->offset + access->bytes);
}
