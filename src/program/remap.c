/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A remap as a program: each workgroup has a tile of the destination's tensor, of whose padding
 * too, and loads from the source what goes there. */
#include "program/build.h"
#include "algebra/size/text.h"
#include "algebra/storage/remap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements of a tile that follow each other in memory, on either side; those that it has; the
 * waves that hold it, if it has more than a few; and the largest odd factor of an extent that
 * lanes share. */
enum { RUN = 64, TILE = 4096, FEW = 256, WAVES = 4, ODD = 15 };

enum { NAME = 16, PLACE = 64 };

/* A program under way.
 *
 *	to	the destination, whose tensor has whole tiles
 *	low	what the destination's coordinates are greater by than the source's
 *	at	where the tile begins in the destination */
struct making {
	layout_context *ctx;
	layout_remap *remap;
	layout_storage *to;
	layout_program *program;
	unsigned rank;
	int64_t box[LAYOUT_STORAGE_SLOTS];
	char *low[LAYOUT_STORAGE_SLOTS];
	char at[LAYOUT_STORAGE_SLOTS][PLACE];
};

/* The largest power of two that is no more. */
static int64_t power2_below(int64_t value)
{
	return INT64_C(1) << (63 - __builtin_clzll((uint64_t)value));
}

static bool refuse(const struct making *m, const char *why)
{
	layout_fail(m->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "a program has no %s", why);
	return false;
}

static int64_t elements(const struct making *m)
{
	int64_t count = 1;

	for (unsigned d = 0; d < m->rank; d++)
		count *= m->box[d];
	return count;
}

/* Do lanes share so many elements without much that is over? */
static bool is_shared(int64_t extent)
{
	return extent >> __builtin_ctzll((uint64_t)extent) <= ODD;
}

/* So many elements of a dimension, or all that there are, if the tile has room: those or as many
 * as a power of two. */
static void grow(struct making *m, unsigned dim, int64_t extent)
{
	const struct size *size = &m->to->sizes[dim];
	int64_t room = TILE / (elements(m) / m->box[dim]);
	bool all = size->number && size->value <= extent;

	if (extent < 1 || (size->number && size->value < 1))
		return;
	extent = all ? size->value : extent;
	if (all && !is_shared(extent))
		extent = 2 * power2_below(extent);
	if (extent > room || !all)
		extent = power2_below(extent < room ? extent : room);
	m->box[dim] = m->box[dim] < extent ? extent : m->box[dim];
}

/* How many steps of a digit make up "more" of a run: all of them rather than some. */
static int64_t steps_of(const struct making *m, const struct digit *digit, int64_t more)
{
	const struct size *size = &m->to->sizes[digit->dim];
	int64_t all = digit->radix ? digit->radix : size->number ?
		(size->value + digit->step - 1) / digit->step : INT64_MAX;

	return all < 2 * more ? all : more;
}

/* The digits of a side from the last in memory on, until a run is "length" long. */
static void cover(struct making *m, const layout_storage *side, int64_t length)
{
	int64_t run = 1;

	for (unsigned k = side->slot_count; k-- > 0 && run && run < length;) {
		struct digit digit = storage_part(side, k);
		int64_t steps;

		if (digit.dim >= m->rank)
			continue;
		steps = steps_of(m, &digit, (length + run - 1) / run);
		grow(m, digit.dim, digit.step > TILE ? TILE : digit.step * steps);
		run *= steps;
	}
}

/* Both sides have their runs, and the destination what there is room for besides. */
static void choose_box(struct making *m)
{
	for (unsigned d = 0; d < m->rank; d++)
		m->box[d] = 1;
	cover(m, m->to, RUN);
	cover(m, m->remap->source, RUN);
	for (int64_t run = RUN; run <= TILE && elements(m) <= TILE / 2; run *= 2)
		cover(m, m->to, run);
}

/* How many tiles there are along a dimension, to be freed; what is rounded up to whole tiles of
 * the destination is not rounded twice. */
static char *count_tiles(const struct making *m, unsigned dim)
{
	const struct size *given = &m->remap->destination->sizes[dim];
	int64_t tile = storage_tile(m->remap->destination, dim), box = m->box[dim];
	struct layout_buffer out = { 0 };
	char *count;

	if (given->number)
		return text_ceil(m->ctx, m->to->sizes[dim].text, box);
	if (box % tile == 0)
		return text_ceil(m->ctx, given->text, box);
	if (tile % box)
		return text_ceil(m->ctx, m->to->sizes[dim].text, box);
	count = text_ceil(m->ctx, given->text, tile);
	layout_buffer_printf(&out, "%" PRId64 "*%s", tile / box, count ? count : "");
	free(count);
	return layout_buffer_take(m->ctx, &out);
}

/* "d2", or with another number where that is a size. */
static void name_coordinate(const struct making *m, unsigned dim, char name[NAME])
{
	unsigned n = dim;

	do
		snprintf(name, NAME, "d%u", n);
	while (program_find_variable(m->program, name) >= 0 && (n += m->rank + 1));
}

static void name_workers(const struct making *m, char name[NAME])
{
	snprintf(name, NAME, "w");
	for (unsigned n = 0; program_find_variable(m->program, name) >= 0; n++)
		snprintf(name, NAME, "w%u", n);
}

/* A coordinate for each dimension that has more than one tile, and where tiles begin. */
static bool add_grid(struct making *m)
{
	char names[LAYOUT_STORAGE_SLOTS][NAME], workers[NAME];
	char *counts[LAYOUT_STORAGE_SLOTS] = { NULL };
	const char *list[LAYOUT_STORAGE_SLOTS];
	int64_t waves = elements(m) > FEW ? WAVES : 1;
	unsigned rank = 0;
	bool good = true;

	for (unsigned d = 0; good && d < m->rank; d++) {
		good = (counts[rank] = count_tiles(m, d));
		snprintf(m->at[d], PLACE, "0");
		if (good && !strcmp(counts[rank], "1")) {
			free(counts[rank]);
			continue;
		}
		name_coordinate(m, d, names[rank]);
		snprintf(m->at[d], PLACE, m->box[d] == 1 ? "%s" : "%2$" PRId64 "*%1$s",
			names[rank], m->box[d]);
		list[rank] = names[rank];
		rank += good;
	}
	if (good && !rank) {
		name_coordinate(m, 0, names[0]);
		list[0] = names[0];
		good = (counts[rank++] = layout_strdup(m->ctx, "1"));
	}
	name_workers(m, workers);
	good = good && layout_program_grid(m->program, list, (const char *const *)counts, rank) &&
		layout_program_workers(m->program, workers, &waves, 1);
	for (unsigned i = 0; i < rank; i++)
		free(counts[i]);
	return good;
}

static bool add_assumptions(const struct making *m)
{
	const layout_remap *remap = m->remap;

	for (unsigned i = 0; i < remap->assumption_count; i++)
		if (!layout_program_assume(m->program, remap->assumptions[i].text))
			return false;
	return true;
}

/* Can the destination have padding? */
static bool has_padding(const struct making *m)
{
	const layout_storage *given = m->remap->destination;
	bool has = m->remap->map;

	for (unsigned d = 0; d < m->rank; d++)
		has = has || strcmp(m->to->sizes[d].text, given->sizes[d].text);
	return has;
}

/* What the source's tile has where that ends, of which the destination's padding is made: the
 * remap's pad or its chain's; NULL for 0.  False where there is no such number. */
static bool find_pad(const struct making *m, const char **pad)
{
	const layout_remap *remap = m->remap;
	const char *chained = layout_chain_pad_value(remap->chain);
	uint64_t bits = 0;

	*pad = NULL;
	if (!conversion_is_copy(&remap->conversion))
		return !has_padding(m) || (!remap->pad_bits &&
			conversion_keeps_zero(&remap->conversion)) ||
			refuse(m, "padding that is no 0 behind a conversion");
	if (remap->pad && !element_type_bits(m->ctx, remap->conversion.to, remap->pad, &bits))
		return false;
	*pad = bits == remap->pad_bits ? remap->pad : chained;
	return true;
}

/* Where the tile begins in a dimension of the source, "64*d0 - 2"; to be freed. */
static char *source_place(const struct making *m, unsigned dim)
{
	const char *low = m->low[dim];
	bool plain = layout_is_plain_name(low, strlen(low));
	struct layout_buffer out = { 0 };
	char *end;
	long long number = strtoll(low, &end, 10);

	if (*end)
		layout_buffer_printf(&out, plain ? "%s - %s" : "%s - (%s)", m->at[dim], low);
	else if (!strcmp(m->at[dim], "0"))
		layout_buffer_printf(&out, "%lld", -number);
	else
		layout_buffer_printf(&out, number > 0 ? "%s - %lld" : number ? "%s + %lld" : "%s",
			m->at[dim], number > 0 ? number : -number);
	return layout_buffer_take(m->ctx, &out);
}

static layout_tile *add_load(const struct making *m, layout_memory *from)
{
	char *at[LAYOUT_STORAGE_SLOTS] = { NULL };
	layout_tile *tile = NULL;
	const char *pad;
	unsigned d = 0;

	while (d < m->rank && (at[d] = source_place(m, d)))
		d++;
	if (d == m->rank && find_pad(m, &pad))
		tile = layout_program_load(m->program, from, (const char *const *)at, m->box, pad,
			NULL);
	while (d-- > 0)
		free(at[d]);
	return tile;
}

/* "f16(x * 0.5)", as remaps compute it. */
static layout_tile *add_conversion(const struct making *m, layout_tile *tile)
{
	const struct conversion *conversion = &m->remap->conversion;
	struct layout_buffer out = { 0 };
	char *text;

	if (!tile || (conversion->from == conversion->to && !conversion->scaled))
		return tile;
	if (conversion->rounding != LAYOUT_ROUND_NEAREST_EVEN) {
		refuse(m, "rounding toward zero");
		return NULL;
	}
	if (conversion->scaled)
		layout_buffer_printf(&out, "%s(%s(%s) * %s)", conversion->to->name,
			conversion->wide->name, layout_tile_name(tile), m->remap->scale);
	else
		layout_buffer_printf(&out, "%s(%s)", conversion->to->name,
			layout_tile_name(tile));
	text = layout_buffer_take(m->ctx, &out);
	tile = text ? layout_program_map(m->program, text) : NULL;
	free(text);
	return tile;
}

static bool add_store(const struct making *m, layout_tile *tile, layout_memory *to)
{
	const char *at[LAYOUT_STORAGE_SLOTS];

	for (unsigned d = 0; d < m->rank; d++)
		at[d] = m->at[d];
	return tile && layout_program_store(m->program, tile, to, at);
}

static bool build(struct making *m)
{
	layout_remap *remap = m->remap;
	layout_memory *from = layout_program_argument(m->program, "x",
		layout_storage_copy(remap->source), remap->conversion.from->name,
		LAYOUT_ACCESS_IN);
	layout_memory *to = from ? layout_program_argument(m->program, "y",
		layout_storage_copy(m->to), remap->conversion.to->name, LAYOUT_ACCESS_OUT) : NULL;

	choose_box(m);
	return to && add_grid(m) && add_assumptions(m) &&
		add_store(m, add_conversion(m, add_load(m, from)), to);
}

static bool find_shift(struct making *m)
{
	return remap_is_shifted(m->remap) ? remap_shift_texts(m->remap, m->low) :
		refuse(m, "map but one that adds to coordinates");
}

layout_program *layout_program_new_remap(layout_remap *remap)
{
	struct making m = { .remap = remap };
	bool good = remap;

	if (!good)
		return NULL;
	m.ctx = remap->ctx;
	m.rank = storage_tensor_rank(remap->destination);
	good = find_shift(&m) && (m.to = storage_whole(remap->destination)) &&
		(m.program = layout_program_new(m.ctx, "remap")) && build(&m);
	for (unsigned d = 0; d < m.rank; d++)
		free(m.low[d]);
	layout_storage_free(m.to);
	if (good)
		return m.program;
	layout_program_free(m.program);
	return NULL;
}
