/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/codegen/stats.h"

#include <inttypes.h>
#include <stddef.h>

/* A counter: its name in the table, its key in the JSON, its place in the struct. */
struct counter {
	const char *name, *key;
	size_t place;
};

#define COUNTER(type, member, name) { name, #member, offsetof(type, member) }

static const struct counter run_counters[] = {
	COUNTER(layout_sim_stats, workgroups, "workgroups"),
	COUNTER(layout_sim_stats, lanes, "lanes"),
	COUNTER(layout_sim_stats, masked_lanes, "masked lanes"),
	COUNTER(layout_sim_stats, barriers, "barriers"),
	COUNTER(layout_sim_stats, wave_syncs, "wave syncs"),
	COUNTER(layout_sim_stats, exchanges, "lane exchanges"),
	COUNTER(layout_sim_stats, lds_bytes, "LDS bytes"),
	{ 0 },
};

static const struct counter traffic_counters[] = {
	COUNTER(layout_sim_traffic, wave_accesses, "accesses of waves"),
	COUNTER(layout_sim_traffic, segments_64, "64-byte segments"),
	COUNTER(layout_sim_traffic, least_64, "  least"),
	COUNTER(layout_sim_traffic, wave_segments_64, "  by wave"),
	COUNTER(layout_sim_traffic, wave_least_64, "  least by wave"),
	COUNTER(layout_sim_traffic, segments_128, "128-byte segments"),
	COUNTER(layout_sim_traffic, least_128, "  least"),
	COUNTER(layout_sim_traffic, wave_segments_128, "  by wave"),
	COUNTER(layout_sim_traffic, wave_least_128, "  least by wave"),
	{ 0 },
};

static const struct counter lds_counters[] = {
	COUNTER(layout_sim_lds, wave_accesses, "accesses of waves"),
	COUNTER(layout_sim_lds, cycles, "cycles"),
	COUNTER(layout_sim_lds, extra_cycles, "  of bank conflicts"),
	{ 0 },
};

static const unsigned widths[] = { 1, 2, 4, 8, 12, 16 };

#define WIDTH_COUNT (sizeof(widths) / sizeof(*widths))

/* The loads of a memory, or the stores. */
struct side {
	const char *key;
	uint64_t lanes, bytes;
	const uint64_t *widths;
	const void *counted;
};

/* A memory, its loads first. */
struct memory {
	const char *name;
	struct side sides[2];
	const struct counter *counters;
};

static uint64_t sum(const uint64_t *values)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < WIDTH_COUNT; i++)
		total += values[i];
	return total;
}

static struct memory memory_of_buffers(const layout_sim_stats *stats)
{
	return (struct memory){ "buffers", {
		{ "load", stats->loads, stats->load_bytes, stats->load.widths,
			&stats->load },
		{ "store", stats->stores, stats->store_bytes, stats->store.widths,
			&stats->store },
	}, traffic_counters };
}

static struct memory memory_of_lds(const layout_sim_stats *stats)
{
	const layout_sim_lds *load = &stats->lds_load, *store = &stats->lds_store;

	return (struct memory){ "LDS", {
		{ "lds_load", sum(load->widths), load->bytes, load->widths, load },
		{ "lds_store", sum(store->widths), store->bytes, store->widths, store },
	}, lds_counters };
}

static uint64_t value_at(const void *counted, const struct counter *counter)
{
	return *(const uint64_t *)(const void *)((const char *)counted + counter->place);
}

static void print_row(FILE *out, const char *name, uint64_t loads, uint64_t stores)
{
	fprintf(out, "%-20s%20" PRIu64 "%20" PRIu64 "\n", name, loads, stores);
}

/* Widths that do not occur are left out. */
static void print_widths(FILE *out, const struct memory *memory)
{
	char name[24];

	for (unsigned i = 0; i < WIDTH_COUNT; i++) {
		uint64_t loads = memory->sides[0].widths[i];
		uint64_t stores = memory->sides[1].widths[i];

		snprintf(name, sizeof(name), "  of %u byte%s", widths[i], i ? "s" : "");
		if (loads || stores)
			print_row(out, name, loads, stores);
	}
}

static void print_memory(FILE *out, const struct memory *memory)
{
	const struct side *loads = &memory->sides[0], *stores = &memory->sides[1];

	fprintf(out, "\n%-20s%20s%20s\n", memory->name, "loads", "stores");
	print_row(out, "accesses of lanes", loads->lanes, stores->lanes);
	print_widths(out, memory);
	print_row(out, "bytes", loads->bytes, stores->bytes);
	for (const struct counter *c = memory->counters; c->name; c++)
		print_row(out, c->name, value_at(loads->counted, c),
			value_at(stores->counted, c));
}

void stats_print(FILE *out, const layout_sim_stats *stats)
{
	struct memory buffers = memory_of_buffers(stats), lds = memory_of_lds(stats);

	for (const struct counter *c = run_counters; c->name; c++)
		fprintf(out, "%-20s%20" PRIu64 "\n", c->name, value_at(stats, c));
	print_memory(out, &buffers);
	if (stats->lds_bytes)
		print_memory(out, &lds);
}

static void print_json_side(FILE *out, const struct side *side,
	const struct counter *counters)
{
	fprintf(out, ",\n \"%s\": {\"lanes\": %" PRIu64 ", \"bytes\": %" PRIu64
		", \"widths\": {", side->key, side->lanes, side->bytes);
	for (unsigned i = 0; i < WIDTH_COUNT; i++)
		fprintf(out, "%s\"%u\": %" PRIu64, i ? ", " : "", widths[i],
			side->widths[i]);
	fputc('}', out);
	for (; counters->name; counters++)
		fprintf(out, ", \"%s\": %" PRIu64, counters->key,
			value_at(side->counted, counters));
	fputc('}', out);
}

void stats_print_json(FILE *out, const layout_sim_stats *stats)
{
	struct memory memories[] = { memory_of_buffers(stats), memory_of_lds(stats) };

	for (const struct counter *c = run_counters; c->name; c++)
		fprintf(out, "%s\"%s\": %" PRIu64, c == run_counters ? "{" : ", ", c->key,
			value_at(stats, c));
	for (unsigned i = 0; i < 2; i++)
		for (unsigned j = 0; j < 2; j++)
			print_json_side(out, &memories[i].sides[j],
				memories[i].counters);
	fputs("}\n", out);
}
