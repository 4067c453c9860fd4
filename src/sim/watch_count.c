/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counting what waves access, wave access by wave access. */
#include "sim/watch_parts.h"

static const unsigned widths[] = { 1, 2, 4, 8, 12, 16 };

#define WIDTH_COUNT (sizeof(widths) / sizeof(*widths))

/* The lanes of one wave access that take part, where, and with how many bytes of the
 * instruction's: a bounds-checked buffer can drop some. */
struct wave_access {
	bool is_store;
	unsigned lane_count, bytes;
	uint64_t lanes;			/* a mask */
	uint8_t lane[WATCH_LANES];
	uint64_t places[WATCH_LANES];	/* by lane, as are these */
	uint16_t sizes[WATCH_LANES];
};

/* The part of the access that one instruction makes: a width at so many bytes from the
 * begin of each lane's. */
struct portion {
	unsigned begin, width;
};

/* Of a lane's bytes, those in the portion. */
static unsigned bytes_in(const struct wave_access *access, struct portion portion,
	unsigned lane)
{
	unsigned size = access->sizes[lane], bytes = widths[portion.width];

	if (size <= portion.begin)
		return 0;
	return size - portion.begin < bytes ? size - portion.begin : bytes;
}

/* The widest access of at most so many bytes. */
static unsigned find_width(unsigned bytes)
{
	unsigned i = WIDTH_COUNT - 1;

	while (widths[i] > bytes)
		i--;
	return i;
}

/* A segment of 64 bytes that the wave access touches: new to it, to its wave? */
static bool touch(struct sim_watcher *w, struct segments *wave,
	layout_sim_traffic *traffic, uint64_t segment)
{
	struct segments *access = &w->access_segments;
	bool ok, added;

	ok = watch_segment_add(&access->of_64, segment, &added);
	if (!ok || !added)
		return ok;
	traffic->segments_64++;
	ok = watch_segment_add(&access->of_128, segment / 2, &added);
	traffic->segments_128 += ok && added;
	ok = ok && watch_segment_add(&wave->of_64, segment, &added);
	if (!ok || !added)
		return ok;
	traffic->wave_segments_64++;
	ok = watch_segment_add(&wave->of_128, segment / 2, &added);
	traffic->wave_segments_128 += ok && added;
	return ok;
}

static void count_segments(struct sim_watcher *w, const struct wave_access *access,
	struct portion portion, layout_sim_traffic *traffic)
{
	struct segments *wave = &w->wave_segments[access->is_store];
	uint64_t last = UINT64_MAX;

	watch_segments_empty(&w->access_segments);
	for (unsigned i = 0; i < access->lane_count; i++) {
		unsigned lane = access->lane[i];
		uint64_t place = access->places[lane] + portion.begin;
		uint64_t end = place + bytes_in(access, portion, lane);

		for (uint64_t at = place / 64; at * 64 < end; at++) {
			if (at != last && !touch(w, wave, traffic, at))
				w->failure = WATCH_NO_MEMORY;
			last = at;
		}
	}
}

static void count_traffic(struct sim_watcher *w, const struct wave_access *access,
	struct portion portion)
{
	layout_sim_stats *stats = &w->stats;
	layout_sim_traffic *traffic = access->is_store ? &stats->store : &stats->load;
	uint64_t bytes = 0;

	for (unsigned i = 0; i < access->lane_count; i++)
		bytes += bytes_in(access, portion, access->lane[i]);
	traffic->widths[portion.width] += access->lane_count;
	traffic->wave_accesses++;
	traffic->least_64 += (bytes + 63) / 64;
	traffic->least_128 += (bytes + 127) / 128;
	*(access->is_store ? &stats->stores : &stats->loads) += access->lane_count;
	*(access->is_store ? &stats->store_bytes : &stats->load_bytes) += bytes;
	count_segments(w, access, portion, traffic);
}

static void count_lds(struct sim_watcher *w, const struct wave_access *access,
	struct portion portion)
{
	layout_sim_lds *lds = access->is_store ? &w->stats.lds_store : &w->stats.lds_load;
	layout_lds_access asked = LAYOUT_LDS_ACCESS_INIT;
	layout_lds_cost cost = { 0, 0 };
	uint64_t addresses[WATCH_LANES];

	lds->widths[portion.width] += access->lane_count;
	lds->wave_accesses++;
	lds->bytes += (uint64_t)widths[portion.width] * access->lane_count;
	for (unsigned i = 0; i < WATCH_LANES; i++)
		addresses[i] = access->places[i] + portion.begin;
	asked.bits = widths[portion.width] * 8;
	asked.store = access->is_store;
	asked.addresses = addresses;
	asked.lanes = access->lanes;
	if (w->watch->lds &&
	    layout_lds_cycles(w->ctx, w->watch->lds, &asked, &cost, NULL)) {
		lds->cycles += cost.cycles;
		lds->extra_cycles += cost.cycles - cost.least;
	}
}

/* A group's records as one access. */
static struct wave_access gather(const struct watch_wave *wave, const uint32_t *order,
	const uint32_t *end)
{
	struct wave_access access = { .is_store = wave->log[*order].is_store };

	for (; order < end; order++) {
		const struct watch_record *record = &wave->log[*order];

		if (record->bytes > access.bytes)
			access.bytes = record->bytes;
		if (record->masked)
			continue;
		access.lane[access.lane_count++] = record->lane;
		access.lanes |= UINT64_C(1) << record->lane;
		access.places[record->lane] = record->place;
		access.sizes[record->lane] = record->bytes;
	}
	return access;
}

static void count_group(struct sim_watcher *w, const struct watch_wave *wave,
	const uint32_t *order, const uint32_t *end)
{
	bool is_lds = wave->log[*order].place >> PLACE_BITS == SIM_WATCH_LDS;
	struct wave_access access = gather(wave, order, end);
	struct portion portion = { 0, 0 };

	for (; portion.begin < access.bytes; portion.begin += widths[portion.width]) {
		portion.width = find_width(access.bytes - portion.begin);
		w->stats.masked_lanes += wave->lanes - access.lane_count;
		if (is_lds)
			count_lds(w, &access, portion);
		else
			count_traffic(w, &access, portion);
	}
}

static void add_least(layout_sim_traffic *traffic, uint64_t bytes)
{
	traffic->wave_least_64 += (bytes + 63) / 64;
	traffic->wave_least_128 += (bytes + 127) / 128;
}

void watch_count_wave(struct sim_watcher *w, struct watch_wave *wave)
{
	size_t groups = wave->count ? watch_sort(w, wave) : 0;
	uint64_t load_bytes = w->stats.load_bytes, store_bytes = w->stats.store_bytes;
	const uint32_t *order = w->sorter.order, *end;

	watch_segments_empty(&w->wave_segments[0]);
	watch_segments_empty(&w->wave_segments[1]);
	for (size_t i = 0; i < groups; i++, order = end) {
		end = w->sorter.order + w->sorter.ends[i];
		count_group(w, wave, order, end);
	}
	add_least(&w->stats.load, w->stats.load_bytes - load_bytes);
	add_least(&w->stats.store, w->stats.store_bytes - store_bytes);
	wave->count = 0;
}

static void add_traffic(layout_sim_traffic *sum, const layout_sim_traffic *other)
{
	for (unsigned i = 0; i < WIDTH_COUNT; i++)
		sum->widths[i] += other->widths[i];
	sum->wave_accesses += other->wave_accesses;
	sum->segments_64 += other->segments_64;
	sum->least_64 += other->least_64;
	sum->segments_128 += other->segments_128;
	sum->least_128 += other->least_128;
	sum->wave_segments_64 += other->wave_segments_64;
	sum->wave_least_64 += other->wave_least_64;
	sum->wave_segments_128 += other->wave_segments_128;
	sum->wave_least_128 += other->wave_least_128;
}

static void add_lds(layout_sim_lds *sum, const layout_sim_lds *other)
{
	for (unsigned i = 0; i < WIDTH_COUNT; i++)
		sum->widths[i] += other->widths[i];
	sum->wave_accesses += other->wave_accesses;
	sum->bytes += other->bytes;
	sum->cycles += other->cycles;
	sum->extra_cycles += other->extra_cycles;
}

void sim_watch_add(const struct sim_watcher *w, layout_sim_stats *stats)
{
	const layout_sim_stats *mine = &w->stats;

	stats->loads += mine->loads;
	stats->stores += mine->stores;
	stats->load_bytes += mine->load_bytes;
	stats->store_bytes += mine->store_bytes;
	add_traffic(&stats->load, &mine->load);
	add_traffic(&stats->store, &mine->store);
	add_lds(&stats->lds_load, &mine->lds_load);
	add_lds(&stats->lds_store, &mine->lds_store);
	stats->masked_lanes += mine->masked_lanes;
	stats->barriers += mine->barriers;
	stats->wave_syncs += mine->wave_syncs;
	stats->exchanges += mine->exchanges;
	stats->lds_bytes = mine->lds_bytes;
}
