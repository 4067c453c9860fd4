/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The waves of a workgroup, sets of them, and which of them hold a tile. */
#include "program/build.h"
#include "algebra/size/index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the head */

bool layout_program_workers(layout_program *program, const char *name,
	const int64_t *waves, unsigned rank)
{
	int64_t count = 1;

	if (!build_open(program, false) ||
	    !layout_given(program->ctx, name, "name of the workers") ||
	    !layout_given(program->ctx, waves && rank && rank <= 3,
		"box of workers, of rank 1 to 3") || !build_new_name(program, name))
		return false;
	for (unsigned d = 0; d < rank; d++) {
		if (waves[d] < 1 || waves[d] > PROGRAM_WAVES / count) {
			layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "a workgroup has "
				"1 to %d waves; dimension %u is %" PRId64, PROGRAM_WAVES, d,
				waves[d]);
			return false;
		}
		count *= waves[d];
	}
	program->workers_name = layout_strdup(program->ctx, name);
	if (!program->workers_name)
		return false;
	memcpy(program->workers, waves, rank * sizeof(*waves));
	program->workers_rank = rank;
	return true;
}

/* What a bound's names are: splits, and the workers, of which there are "waves"; -1: a box, which
 * is no number. */
struct bound_names {
	unsigned count;
	const char *names[PROGRAM_SETS + 1];
	struct index *values[PROGRAM_SETS + 1];
};

static bool find_names(const layout_program *program, int64_t waves, struct bound_names *names)
{
	bool made = true;

	*names = (struct bound_names){ .count = program->split_count + (waves >= 0) };
	for (unsigned i = 0; i < names->count; i++) {
		bool split = i < program->split_count;

		names->names[i] = split ? program->splits[i].name : program->workers_name;
		names->values[i] = index_int(split ? program->splits[i].value : waves);
		made = made && names->values[i];
	}
	return layout_is_made(program->ctx, made ? names : NULL);
}

/* Of what a bound names, everything is a number by then. */
static bool check_names(const layout_program *program, const struct size_names *used,
	const struct bound_names *names)
{
	for (unsigned i = 0; i < used->count; i++) {
		unsigned k = 0;

		while (k < names->count && strcmp(used->names[i], names->names[k]))
			k++;
		if (k < names->count)
			continue;
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "`%s` is no split and no count of "
			"waves: which set a wave is of, is known when it is compiled",
			used->names[i]);
		return false;
	}
	return true;
}

/* A bound in a dimension of so many waves, or a split; false with the error. */
static bool read_number(layout_program *program, const char *text, int64_t waves,
	int64_t *number)
{
	struct size_names used = { 0 };
	struct size size = { 0 };
	struct bound_names names = { 0 };
	struct index *value = NULL;

	if (layout_given(program->ctx, text, "bound of a set of workers") &&
	    size_read(program->ctx, &used, text, &size) &&
	    find_names(program, waves, &names) && check_names(program, &used, &names))
		value = size_index(program->ctx, &size, names.count, names.names, names.values);
	if (value)
		*number = value->min;
	for (unsigned i = 0; i < names.count; i++)
		index_free(names.values[i]);
	size_names_free(&used);
	size_free(&size);
	index_free(value);
	return value;
}

/* Sets come behind the workers, in front of everything that uses them. */
static bool check_begin(const layout_program *program, unsigned count)
{
	bool behind = program->workers_rank && !program->statement_count && !program->depth;

	if (!behind)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"sets of workers come behind the workers and before statements");
	else if (count == PROGRAM_SETS)
		layout_fail(program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a program has at most %d sets of workers and splits each", PROGRAM_SETS);
	return behind && count < PROGRAM_SETS;
}

bool layout_program_split(layout_program *program, const char *name, const char *size)
{
	struct program_split split = { NULL, NULL, 0 };

	if (!program || !check_begin(program, program->split_count) ||
	    !layout_given(program->ctx, name, "name of a split") ||
	    !build_new_name(program, name) || !read_number(program, size,
		program->workers_rank == 1 ? program->workers[0] : -1, &split.value))
		return false;
	split.name = layout_strdup(program->ctx, name);
	split.text = layout_strdup(program->ctx, size);
	if (split.name && split.text) {
		program->splits[program->split_count++] = split;
		return true;
	}
	free(split.name);
	free(split.text);
	return false;
}

/* "[0, p) x [p, w)", and what that is; false with the error. */
static bool read_ranges(layout_program *program, struct program_workers *set,
	const char *const *low, const char *const *high)
{
	struct layout_buffer out = { 0 };
	bool ok = true;

	for (unsigned d = 0; ok && d < program->workers_rank; d++) {
		int64_t waves = program->workers[d];

		ok = read_number(program, low[d], waves, &set->low[d]) &&
			read_number(program, high[d], waves, &set->high[d]);
		if (ok && (set->low[d] < 0 || set->high[d] > waves ||
		    set->low[d] >= set->high[d])) {
			layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "`%s` has waves %"
				PRId64 " up to %" PRId64 " of dimension %u, which has %" PRId64,
				set->name, set->low[d], set->high[d], d, waves);
			ok = false;
		}
		if (ok)
			layout_buffer_printf(&out, "%s[%s, %s)", d ? " x " : "", low[d], high[d]);
	}
	set->text = layout_buffer_take(program->ctx, &out);
	return ok && set->text;
}

bool layout_program_worker_set(layout_program *program, const char *name,
	const char *const *low, const char *const *high, unsigned rank)
{
	struct program_workers set = { NULL };

	if (!program || !check_begin(program, program->set_count) ||
	    !layout_given(program->ctx, name, "name of a set of workers") ||
	    !layout_given(program->ctx, low && high, "ranges of a set of workers") ||
	    !build_new_name(program, name))
		return false;
	if (rank != program->workers_rank) {
		layout_fail(program->ctx, LAYOUT_ERROR_SPACE, -1, "`%s` has %u ranges, the box of "
			"`%s` %u", name, rank, program->workers_name, program->workers_rank);
		return false;
	}
	set.name = layout_strdup(program->ctx, name);
	if (set.name && read_ranges(program, &set, low, high)) {
		program->sets[program->set_count++] = set;
		return true;
	}
	free(set.name);
	free(set.text);
	return false;
}

/* ---- which waves they are */

void program_workers_box(const layout_program *program, unsigned set, int64_t box[3])
{
	for (unsigned d = 0; d < program->workers_rank; d++)
		box[d] = set ? program->sets[set - 1].high[d] - program->sets[set - 1].low[d] :
			program->workers[d];
}

static int64_t count_waves(const layout_program *program, unsigned set)
{
	int64_t box[3], waves = 1;

	program_workers_box(program, set, box);
	for (unsigned d = 0; d < program->workers_rank; d++)
		waves *= box[d];
	return waves;
}

int64_t program_waves(const layout_program *program)
{
	return count_waves(program, 0);
}

int64_t program_tile_waves(const layout_tile *tile)
{
	return count_waves(tile->program, tile->workers);
}

int64_t program_workers_wave(const layout_program *program, unsigned set, int64_t wave)
{
	int64_t box[3], number = 0, pitch = 1;

	program_workers_box(program, set, box);
	for (unsigned d = program->workers_rank; d-- > 0; wave /= box[d]) {
		number += (wave % box[d] + (set ? program->sets[set - 1].low[d] : 0)) * pitch;
		pitch *= program->workers[d];
	}
	return number;
}

unsigned program_find_workers(const layout_program *program, const char *name)
{
	for (unsigned i = 0; i < program->set_count; i++)
		if (!strcmp(program->sets[i].name, name))
			return i + 1;
	return 0;
}

static bool has_wave(const layout_program *program, const struct program_workers *set,
	int64_t wave)
{
	for (unsigned d = program->workers_rank; d-- > 0; wave /= program->workers[d])
		if (wave % program->workers[d] < set->low[d] ||
		    wave % program->workers[d] >= set->high[d])
			return false;
	return true;
}

bool build_shift(layout_context *ctx, int64_t shift)
{
	if (shift >= 0 && shift <= PROGRAM_WAVES)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
		"a set of workers is 0 to %d barriers late, not %" PRId64, PROGRAM_WAVES, shift);
	return false;
}

bool build_check_workers(const layout_program *program)
{
	for (int64_t wave = 0; program->set_count && wave < program_waves(program); wave++) {
		const struct program_workers *of = NULL, *other = NULL;

		for (unsigned i = 0; i < program->set_count; i++)
			if (has_wave(program, &program->sets[i], wave)) {
				other = of;
				of = &program->sets[i];
			}
		if (of && !other)
			continue;
		if (other)
			layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
				"wave %" PRId64 " is of `%s` and of `%s`", wave, other->name, of->name);
		else
			layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
				"wave %" PRId64 " is of no set of workers", wave);
		return false;
	}
	return true;
}

/* ---- who holds a tile */

/* The tile is held by others than what waves of the set are on for. */
static void refuse_set(const layout_tile *tile, unsigned set)
{
	const layout_program *program = tile->program;
	const char *on = set ? program->sets[set - 1].name : NULL;

	if (tile->workers)
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "`%s` is held by waves of `%s`: what "
			"%s%s%s to have of it goes through an object in the LDS", tile->name,
			program->sets[tile->workers - 1].name, on ? "those of `" : "all are",
			on ? on : "", on ? "` are" : "");
	else
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1, "`%s` is made outside of `on`, a part "
			"by each wave: what those of `%s` are to have of it goes through an object in "
			"the LDS, or is made there", tile->name, on ? on : program->workers_name);
}

/* What a carry begins as is held where it is. */
static const layout_tile *held_elsewhere(const layout_tile *tile, unsigned set)
{
	if (!tile->loose)
		return tile->workers == set ? NULL : tile;
	return tile->op == TILE_CARRY ? held_elsewhere(tile->operands[0], set) : NULL;
}

bool build_can_hold(const layout_tile *tile, unsigned set)
{
	const layout_tile *other = held_elsewhere(tile, set);

	if (other)
		refuse_set(other, set);
	return !other;
}

void build_hold(layout_tile *tile, unsigned set)
{
	for (; tile->loose; tile = tile->op == TILE_CARRY ? tile->operands[0] : tile) {
		tile->loose = false;
		tile->workers = set;
	}
}
