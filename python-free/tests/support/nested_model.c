/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/nested_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

layout_nested *model_build(layout_context *ctx, const struct model *model)
{
	layout_nested_desc desc = LAYOUT_NESTED_DESC_INIT;

	desc.rank = model->rank;
	desc.subgroup_tile = model->lists[S];
	desc.batch_tile = model->lists[B];
	desc.outer_tile = model->lists[O];
	desc.thread_tile = model->lists[T];
	desc.element_tile = model->lists[E];
	desc.subgroup_strides = model->lists[S_STRIDES];
	desc.thread_strides = model->lists[T_STRIDES];
	desc.subgroup_size = model->subgroup_size;
	desc.subgroup_count = model->subgroup_count;
	return layout_nested_new(ctx, &desc);
}

void model_print(const struct model *model, char *text, size_t size)
{
	static const char *const names[MODEL_LISTS] = {
		"subgroup_tile", "batch_tile", "outer_tile", "thread_tile",
		"element_tile", "subgroup_strides", "thread_strides",
	};
	FILE *out = fmemopen(text, size, "w");

	fprintf(out, "nested_layout<");
	for (unsigned list = 0; list < MODEL_LISTS; list++) {
		fprintf(out, "%s%s = [", list ? ", " : "", names[list]);
		for (unsigned d = 0; d < model->rank; d++)
			fprintf(out, "%s%" PRId64, d ? ", " : "",
				model->lists[list][d]);
		fprintf(out, "]");
	}
	if (model->subgroup_size != 64)
		fprintf(out, ", subgroup_size = %" PRId64, model->subgroup_size);
	if (model->subgroup_count)
		fprintf(out, ", subgroup_count = %" PRId64, model->subgroup_count);
	fprintf(out, ">");
	fclose(out);
}

/* The dimensions in a random order. */
static void shuffled_dims(uint64_t *seed, unsigned *dims, unsigned rank)
{
	for (unsigned i = 0; i < rank; i++) {
		unsigned j = (unsigned)random_wide(seed, i + 1);

		dims[i] = dims[j];
		dims[j] = i;
	}
}

/* Strides that go on from each other in a random order of the dimensions, with gaps
 * below, between and above them; threads are at most "most". */
static void chain_strides(struct model *model, uint64_t *seed, unsigned tiles,
	unsigned strides, int64_t most)
{
	static const int64_t gaps[] = { 1, 1, 1, 1, 1, 2, 2, 3, 4, 8 };
	unsigned dims[MODEL_RANK];
	int64_t next = 1;

	shuffled_dims(seed, dims, model->rank);
	for (unsigned i = 0; i < model->rank; i++) {
		int64_t gap = gaps[random_wide(seed, 10)];

		if (next * gap * model->lists[tiles][dims[i]] <= most)
			next *= gap;
		model->lists[strides][dims[i]] = random_wide(seed, 10) ? next : 0;
		next *= model->lists[tiles][dims[i]];
	}
}

static void any_strides(struct model *model, uint64_t *seed, unsigned strides)
{
	for (unsigned d = 0; d < model->rank; d++)
		model->lists[strides][d] = random_wide(seed, 9);
}

struct model model_random(uint64_t *seed, unsigned most_rank, int64_t most_elements)
{
	static const int64_t sizes[] = { 1, 4, 6, 8, 12, 21, 32, 32, 64, 64 };
	static const int64_t tiles[] = { 1, 1, 1, 1, 2, 2, 3, 4, 5 };
	struct model model = { 0 };

	model.rank = (unsigned)random_wide(seed, most_rank + 1);
	model.subgroup_size = sizes[random_wide(seed, 10)];
	model.subgroup_count = random_wide(seed, 3) ? 0 : 1 + random_wide(seed, 5);
	for (unsigned list = S; list <= E; list++)
		for (unsigned d = 0; d < model.rank; d++) {
			int64_t tile = tiles[random_wide(seed, 9)];

			model.lists[list][d] = most_elements >= tile ? tile : 1;
			most_elements /= model.lists[list][d];
		}
	if (random_wide(seed, 4)) {
		chain_strides(&model, seed, S, S_STRIDES, 12);
		chain_strides(&model, seed, T, T_STRIDES, 128);
	} else {
		any_strides(&model, seed, S_STRIDES);
		any_strides(&model, seed, T_STRIDES);
	}
	for (unsigned d = 0; d < model.rank; d++) {
		if (model.lists[S][d] == 1)
			model.lists[S_STRIDES][d] = 0;
		if (model.lists[T][d] == 1)
			model.lists[T_STRIDES][d] = 0;
	}
	return model;
}

static void at_least(int64_t *subgroups, int64_t threads, int64_t size)
{
	while (*subgroups * size < threads)
		++*subgroups;
}

/* Subgroups that have each thread that the ids name, and each that a gap makes the same
 * as another; threads of one subgroup name no other. */
static int64_t named_subgroups(const struct model *model)
{
	int64_t subgroups = 1, s_last = 0, t_last = 0;

	for (unsigned d = 0; d < model->rank; d++) {
		s_last += (model->lists[S][d] - 1) * model->lists[S_STRIDES][d];
		t_last += (model->lists[T][d] - 1) * model->lists[T_STRIDES][d];
		at_least(&subgroups, model->lists[S][d] * model->lists[S_STRIDES][d], 1);
	}
	at_least(&subgroups, s_last + 1, 1);
	at_least(&subgroups, t_last + 1, model->subgroup_size);
	for (unsigned d = 0; t_last >= model->subgroup_size && d < model->rank; d++)
		at_least(&subgroups, model->lists[T][d] * model->lists[T_STRIDES][d],
			model->subgroup_size);
	return subgroups;
}

int64_t model_virtual_threads(const struct model *model)
{
	int64_t named = named_subgroups(model);

	return model->subgroup_size *
		(named > model->subgroup_count ? named : model->subgroup_count);
}

int64_t model_threads(const struct model *model)
{
	return model->subgroup_size *
		(model->subgroup_count ? model->subgroup_count : named_subgroups(model));
}

int64_t model_extent(const struct model *model, unsigned dim)
{
	int64_t extent = 1;

	for (unsigned level = S; level <= E; level++)
		extent *= model->lists[level][dim];
	return extent;
}

int64_t model_elements(const struct model *model)
{
	int64_t elements = 1;

	for (unsigned d = 0; d < model->rank; d++)
		elements *= model_extent(model, d);
	return elements;
}

void model_coordinate(const struct model *model, int64_t index, int64_t *coordinate)
{
	for (unsigned d = model->rank; d-- > 0;) {
		coordinate[d] = index % model_extent(model, d);
		index /= model_extent(model, d);
	}
}

/* The digit of a coordinate at a level: what lies inside is divided away. */
static int64_t digit(const struct model *model, const int64_t *coordinate,
	unsigned level, unsigned dim)
{
	int64_t inside = 1;

	for (unsigned k = level + 1; k <= E; k++)
		inside *= model->lists[k][dim];
	return coordinate[dim] / inside % model->lists[level][dim];
}

bool model_virtual_holds(const struct model *model, int64_t thread,
	const int64_t *coordinate)
{
	for (unsigned d = 0; d < model->rank; d++) {
		int64_t s_step = model->lists[S_STRIDES][d] * model->subgroup_size;
		int64_t t_step = model->lists[T_STRIDES][d];

		if (s_step && thread / s_step % model->lists[S][d] !=
			digit(model, coordinate, S, d))
			return false;
		if (t_step && thread / t_step % model->lists[T][d] !=
			digit(model, coordinate, T, d))
			return false;
	}
	return true;
}

bool model_holds(const struct model *model, int64_t thread, const int64_t *coordinate)
{
	int64_t threads = model_threads(model), all = model_virtual_threads(model);

	for (int64_t x = thread; x < all || x == thread; x += threads)
		if (model_virtual_holds(model, x, coordinate))
			return true;
	return false;
}

void model_place(const struct model *model, const int64_t *coordinate, int64_t *place)
{
	static const unsigned levels[] = { B, O, E };

	for (unsigned i = 0; i < 3 * model->rank; i++)
		place[i] = digit(model, coordinate, levels[i / model->rank],
			i % model->rank);
}

/* "1,2" into numbers; how many. */
static unsigned read_list(const char *text, int64_t *list)
{
	unsigned count = 0;
	char *end;

	for (; *text && count < MODEL_RANK; text = *end ? end + 1 : end)
		list[count++] = strtoll(text, &end, 10);
	return count;
}

/* OWN, seven lists, thread, ids, the first coordinate, that of the last slice. */
static struct model_row read_row(char *line)
{
	struct model_row row = { .model.subgroup_size = 64 };
	char *fields[13] = { NULL };

	for (unsigned i = 0; i < 13; i++)
		fields[i] = strsep(&line, "\t\n");
	for (unsigned i = 0; i < MODEL_LISTS; i++)
		row.model.rank = read_list(fields[1 + i], row.model.lists[i]);
	row.thread = strtoll(fields[8], NULL, 10);
	read_list(fields[11], row.first);
	read_list(fields[12], row.last);
	return row;
}

unsigned model_check_rows(const char *path, void (*check)(const struct model_row *row))
{
	FILE *file = fopen(path, "r");
	char line[1000];
	unsigned rows = 0;

	while (file && fgets(line, sizeof(line), file)) {
		struct model_row row;

		if (strncmp(line, "OWN\t", 4) != 0)
			continue;
		row = read_row(line);
		check(&row);
		rows++;
	}
	if (file)
		fclose(file);
	return rows;
}

void model_note(void **state, const struct model *model)
{
	free(*state);
	*state = model ? calloc(1, 1000) : NULL;
	if (*state)
		model_print(model, *state, 1000);
}

int model_report(void **state)
{
	if (*state)
		printf("failed at: %s\n", (char *)*state);
	model_note(state, NULL);
	return 0;
}
