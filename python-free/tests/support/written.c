/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/written.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

char *next_entry(char **list, const char *separator)
{
	return *list && **list ? strsep(list, separator) : NULL;
}

static void read_bases(struct written *w, char *bases, layout_size *in)
{
	unsigned width = 0;
	char *basis, *number;

	while ((basis = next_entry(&bases, ";"))) {
		unsigned i = 0;

		if (!strcmp(basis, "()"))
			basis = NULL;
		while ((number = strsep(&basis, ",")))
			w->bases[w->bits * w->out_count + i++] = strtoll(number, NULL,
				10);
		assert_int_equal(i, w->out_count);
		w->bits++;
		width++;
	}
	in->value = (int64_t)1 << width;
}

static void read_outs(struct written *w, char *outs)
{
	char *entry, *colon;

	while ((entry = next_entry(&outs, ","))) {
		colon = strchr(entry, ':');
		*colon = '\0';
		w->outs[w->out_count++] = (layout_size){ entry,
			strtoll(colon + 1, NULL, 10) };
	}
}

bool read_written(struct written *w, const char *text)
{
	char *rest = w->text, *arrow, *entry;

	memset(w, 0, sizeof(*w));
	snprintf(w->text, sizeof(w->text), "%s", text);
	arrow = strstr(w->text, "->");
	assert_non_null(arrow);
	*arrow = '\0';
	read_outs(w, arrow + 2);
	for (unsigned i = 0; i < w->out_count; i++)
		if (w->outs[i].value & (w->outs[i].value - 1))
			return false;
	while ((entry = next_entry(&rest, "|"))) {
		char *bases = strchr(entry, '=') + 1;

		bases[-1] = '\0';
		w->ins[w->in_count].name = entry;
		read_bases(w, bases, &w->ins[w->in_count++]);
	}
	return true;
}

layout_linear *linear_of(layout_context *ctx, const struct written *w)
{
	return layout_linear_new(ctx, w->ins, w->in_count, w->outs, w->out_count,
		w->bases);
}

void image_of(const struct written *w, const int64_t *point, int64_t *image)
{
	const int64_t *basis = w->bases;

	memset(image, 0, MAX_RANK * sizeof(*image));
	for (unsigned i = 0; i < w->in_count; i++)
		for (unsigned bit = 0; w->ins[i].value >> bit > 1; bit++) {
			for (unsigned out = 0; out < w->out_count; out++)
				if (point[i] >> bit & 1)
					image[out] ^= basis[out];
			basis += w->out_count;
		}
}

/* The points of a box one after the other, at most a few thousand spread over it.
 * The first coordinate is the fastest. */
struct points {
	uint64_t next, count, step;
	const layout_size *sizes;
	unsigned rank;
};

static struct points points_of(const layout_size *sizes, unsigned rank)
{
	struct points points = { .count = 1, .step = 1, .sizes = sizes, .rank = rank };

	for (unsigned i = 0; i < rank; i++)
		points.count *= (uint64_t)sizes[i].value;
	if (points.count > 4096)
		points.step = points.count / 2048 + 1;
	return points;
}

static bool next_point(struct points *points, int64_t *point)
{
	uint64_t rest = points->next;

	if (rest >= points->count)
		return false;
	for (unsigned i = 0; i < points->rank; i++) {
		point[i] = (int64_t)(rest % (uint64_t)points->sizes[i].value);
		rest /= (uint64_t)points->sizes[i].value;
	}
	points->next += points->step;
	return true;
}

bool is_written(layout_linear *linear, const struct written *w)
{
	struct points points = points_of(w->ins, w->in_count);
	int64_t point[MAX_RANK], image[MAX_RANK], expected[MAX_RANK];

	if (!linear || layout_linear_in_count(linear) != w->in_count ||
	    layout_linear_out_count(linear) != w->out_count)
		return false;
	for (unsigned i = 0; i < w->in_count; i++)
		if (strcmp(layout_linear_in_name(linear, i), w->ins[i].name) ||
		    layout_linear_in_size(linear, i) != w->ins[i].value)
			return false;
	for (unsigned i = 0; i < w->out_count; i++)
		if (strcmp(layout_linear_out_name(linear, i), w->outs[i].name) ||
		    layout_linear_out_size(linear, i) != w->outs[i].value)
			return false;
	while (next_point(&points, point)) {
		image_of(w, point, expected);
		if (!layout_linear_eval(linear, point, image) ||
		    memcmp(image, expected, w->out_count * sizeof(*image)))
			return false;
	}
	return true;
}
