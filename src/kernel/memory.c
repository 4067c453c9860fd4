/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/memory.h"

#include <math.h>
#include <stdlib.h>

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static void append(struct memory_trace *trace, const struct memory_range *range)
{
	size_t room = trace->room ? 2 * trace->room : 256;
	struct memory_range *ranges;

	if (trace->count == trace->room && !trace->failed) {
		ranges = realloc(trace->ranges, room * sizeof(*ranges));
		trace->failed = !ranges;
		trace->ranges = ranges ? ranges : trace->ranges;
		trace->room = ranges ? room : trace->room;
	}
	if (!trace->failed)
		trace->ranges[trace->count++] = *range;
}

void memory_add(struct memory_trace *trace, struct memory_range range)
{
	struct memory_range *last = trace->count ? &trace->ranges[trace->count - 1] : NULL;

	if (last && last->wave == range.wave && last->access == range.access &&
	    last->far == range.far && last->from + last->bytes == range.from)
		last->bytes += range.bytes;
	else
		append(trace, &range);
}

void memory_trace_free(struct memory_trace *trace)
{
	free(trace->ranges);
}

/* ---- counting: ranges in the order of what is counted */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_address(const void *a, const void *b)
{
	const struct memory_range *x = a, *y = b;

	return x->far != y->far ? compare(x->far, y->far) : compare(x->from, y->from);
}

static int by_wave(const void *a, const void *b)
{
	const struct memory_range *x = a, *y = b;

	return x->wave != y->wave ? compare(x->wave, y->wave) : by_address(a, b);
}

static int by_access(const void *a, const void *b)
{
	const struct memory_range *x = a, *y = b;

	if (x->wave != y->wave || x->access == y->access)
		return by_wave(a, b);
	return compare(x->access, y->access);
}

typedef int range_order(const void *a, const void *b);

/* The end of what is in order from "begin" on. */
static size_t run_end(const struct memory_range *r, size_t begin, size_t count,
	range_order *order)
{
	size_t end = begin < count ? begin + 1 : count;

	while (end < count && order(&r[end - 1], &r[end]) <= 0)
		end++;
	return end;
}

/* Each two runs of "from" become one of "to"; how many there are then. */
static size_t merge_runs(const struct memory_range *from, struct memory_range *to,
	size_t count, range_order *order)
{
	size_t runs = 0;

	for (size_t begin = 0, end; begin < count; begin = end) {
		size_t middle = run_end(from, begin, count, order), a = begin, b = middle;

		end = run_end(from, middle, count, order);
		for (size_t i = begin; i < end; i++) {
			bool first = b == end || (a < middle && order(&from[a], &from[b]) <= 0);

			to[i] = from[first ? a++ : b++];
		}
		runs++;
	}
	return runs;
}

/* Traces have long runs that are in order already. */
static bool sort(struct memory_trace *trace, range_order *order)
{
	struct memory_range *to;
	size_t runs = 2;

	if (run_end(trace->ranges, 0, trace->count, order) == trace->count)
		return true;
	to = malloc(trace->count * sizeof(*to));
	trace->failed = !to;
	while (to && runs > 1) {
		struct memory_range *from = trace->ranges;

		runs = merge_runs(from, to, trace->count, order);
		trace->ranges = to;
		to = from;
	}
	trace->room = to ? trace->count : trace->room;
	free(to);
	return !trace->failed;
}

/* Are these of the same part of memory, and of the same wave and access where those are told
 * apart? */
static bool is_together(const struct memory_range *a, const struct memory_range *b, bool waves,
	bool accesses)
{
	return a->far == b->far && (!waves || a->wave == b->wave) &&
		(!accesses || a->access == b->access);
}

/* Blocks that are touched, and those of which not all bytes are. */
struct blocks {
	double touched, parts;
};

/* Blocks of "size" bytes, counted from the lowest on: the last that is touched ends at
 * "end", "bytes" of it are, and all that are lie before "reached". */
struct block_count {
	int64_t size, end, bytes, reached;
	struct blocks blocks;
};

static void end_block(struct block_count *count)
{
	count->blocks.parts += count->bytes > 0 && count->bytes < count->size;
	count->bytes = 0;
}

static void count_range(struct block_count *count, int64_t from, int64_t end)
{
	from = from > count->reached ? from : count->reached;
	while (from < end) {
		int64_t next;

		if (from >= count->end) {
			end_block(count);
			count->end = (floor_div(from, count->size) + 1) * count->size;
			count->blocks.touched++;
		}
		next = end < count->end ? end : count->end;
		count->bytes += next - from;
		count->reached = from = next;
	}
}

static struct blocks count_blocks(const struct memory_trace *trace, int64_t size, bool waves,
	bool accesses)
{
	const struct memory_range *r = trace->ranges;
	struct block_count count = { .size = size };

	for (size_t i = 0; i < trace->count; i++) {
		if (!i || !is_together(&r[i - 1], &r[i], waves, accesses))
			count.end = count.reached = INT64_MIN;
		count_range(&count, r[i].from, r[i].from + r[i].bytes);
	}
	end_block(&count);
	return count.blocks;
}

/* Do a wave's bytes follow each other? */
static bool is_whole(const struct memory_trace *trace)
{
	const struct memory_range *r = trace->ranges;

	for (size_t i = 1; i < trace->count; i++)
		if (r[i].wave == r[i - 1].wave && (r[i].far != r[i - 1].far ||
		    r[i].from != r[i - 1].from + r[i - 1].bytes))
			return false;
	return true;
}

static double bytes_of(const struct memory_trace *trace)
{
	double bytes = 0;

	for (size_t i = 0; i < trace->count; i++)
		bytes += (double)trace->ranges[i].bytes;
	return bytes;
}

static double accesses_of(const struct memory_trace *trace)
{
	double most = 0;

	for (size_t i = 0; i < trace->count; i++)
		most = fmax(most, trace->ranges[i].access + 1.0);
	return most;
}

/* ---- counting lines of ranges in any order */

struct line {
	int64_t far, number;
	bool seen;
};

static int64_t first_line(const struct memory_range *range, int64_t size)
{
	return floor_div(range->from, size);
}

static int64_t end_line(const struct memory_range *range, int64_t size)
{
	return floor_div(range->from + range->bytes - 1, size) + 1;
}

/* The line's place in a table of 2^bits, or the free one for it. */
static struct line *find_line(struct line *table, unsigned bits, int64_t far, int64_t number)
{
	uint64_t key = ((uint64_t)far * 31 + (uint64_t)number) * 0x9e3779b97f4a7c15u;
	size_t at = (size_t)(key >> (64 - bits));

	while (table[at].seen && (table[at].number != number || table[at].far != far))
		at = (at + 1) & (((size_t)1 << bits) - 1);
	return &table[at];
}

/* How many lines the ranges touch; no sorting, of which large workgroups take much. */
static bool count_lines(struct memory_trace *trace, int64_t size, double *touched)
{
	const struct memory_range *r = trace->ranges;
	uint64_t count = 0;
	struct line *table;
	unsigned bits = 1;

	for (size_t i = 0; i < trace->count; i++)
		count += (uint64_t)(end_line(&r[i], size) - first_line(&r[i], size));
	while (((uint64_t)1 << bits) < 2 * count)
		bits++;
	table = calloc((size_t)1 << bits, sizeof(*table));
	trace->failed = !table;
	*touched = 0;
	for (size_t i = 0; table && i < trace->count; i++)
		for (int64_t n = first_line(&r[i], size); n < end_line(&r[i], size); n++) {
			struct line *line = find_line(table, bits, r[i].far, n);

			*touched += !line->seen;
			*line = (struct line){ r[i].far, n, true };
		}
	free(table);
	return !trace->failed;
}

bool memory_count_group(struct memory_trace *trace, double *group_lines)
{
	int64_t line = trace->facts->line;
	double touched;

	if (trace->failed || !trace->count || !count_lines(trace, line, &touched))
		return false;
	*group_lines = touched / fmax(bytes_of(trace) / (double)line, 1);
	return true;
}

bool memory_count(struct memory_trace *trace, struct memory_side *side)
{
	int64_t line = trace->facts->line, sector = trace->facts->sector;
	double sectors;

	*side = (struct memory_side){ .accesses = accesses_of(trace), .bytes = bytes_of(trace) };
	sectors = fmax(side->bytes / (double)sector, 1);
	if (trace->failed || !trace->count || !sort(trace, by_access))
		return false;
	side->lines = count_blocks(trace, line, true, true).touched /
		fmax(side->bytes / (double)line, 1);
	side->parts = count_blocks(trace, sector, true, true).parts / sectors;
	if (!sort(trace, by_wave))
		return false;
	side->open = count_blocks(trace, sector, true, false).parts / sectors;
	side->whole = is_whole(trace);
	return memory_count_group(trace, &side->group_lines);
}

/* ---- what that costs */

/* How many times twice; what is less than once is as good as once. */
static double doublings(double times)
{
	return times > 1 ? log2(times) : 0;
}

void memory_terms(const struct memory_side *load, const struct memory_side *store,
	double terms[MEMORY_COSTS])
{
	terms[MEMORY_LOAD_LINES] = doublings(load->lines) * doublings(load->accesses);
	terms[MEMORY_LOAD_APART] = doublings(load->group_lines);
	terms[MEMORY_STORE_LINES] = doublings(store->lines) * doublings(store->accesses);
	terms[MEMORY_STORE_PARTS] = store->parts;
	terms[MEMORY_STORE_OPEN] = store->open * doublings(store->accesses);
	terms[MEMORY_IN_FLIGHT] = doublings(load->accesses) + doublings(store->accesses);
	terms[MEMORY_TILES] = !load->whole && !store->whole;
}

double memory_time(const struct chip_memory *facts, const struct memory_side *load,
	const struct memory_side *store, enum memory_cost *worst)
{
	double terms[MEMORY_COSTS], time = 1, most = 0;

	*worst = MEMORY_COSTS;
	memory_terms(load, store, terms);
	for (unsigned i = 0; i < MEMORY_COSTS; i++) {
		double cost = terms[i] * facts->costs[i] / 1000;

		time += cost;
		if (cost <= most)
			continue;
		most = cost;
		*worst = (enum memory_cost)i;
	}
	return time;
}

double memory_odd_time(const struct chip_memory *facts, double row_bytes, bool words)
{
	double sectors = fmax(row_bytes / facts->sector, 1);

	return (facts->odd_row / sectors + (words ? facts->odd_words : 0)) / 1000;
}

const char *memory_cost_text(enum memory_cost cost)
{
	static const char *const texts[] = {
		[MEMORY_LOAD_LINES] = "loads of parts of lines, which are read again",
		[MEMORY_LOAD_APART] = "loads of lines that a workgroup has parts of",
		[MEMORY_STORE_LINES] = "stores to parts of lines",
		[MEMORY_STORE_PARTS] = "stores to parts of sectors",
		[MEMORY_STORE_OPEN] = "stores that leave sectors in part",
		[MEMORY_IN_FLIGHT] = "the accesses in flight",
		[MEMORY_TILES] = "both sides being in pieces",
		[MEMORY_COSTS] = "nothing",
	};

	return texts[cost];
}
