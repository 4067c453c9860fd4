/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Register layouts of matrix instructions against the bits of lane and slot in AMD's
 * documents, element by element; and the sparse ones as what they mean. */
#include "isl_bridge/relation.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define FIELDS 13
#define MAX_BITS 8
#define RANK 3

enum { SOURCE, GFX, WAVE, NAME, OPERAND, TYPE, M, N, K, BLOCKS, FIRST, LANES, SLOTS };

/* The images of a number's bits; one that is not there ends what is held. */
struct bases {
	unsigned count;
	bool held[MAX_BITS];
	int64_t image[MAX_BITS][RANK];
};

static struct bases read_bases(char *text)
{
	struct bases bases = { 0 };
	char *entry;

	while (*text && (entry = strsep(&text, ";"))) {
		int64_t *image = bases.image[bases.count];

		assert_true(bases.count < MAX_BITS);
		bases.held[bases.count++] = sscanf(entry, "%ld,%ld,%ld", &image[0],
			&image[1], &image[2]) == 3;
		if (!text)
			break;
	}
	return bases;
}

/* Add a number's bits to the image; false where nothing is held. */
static bool add(const struct bases *bases, unsigned number, int64_t image[RANK])
{
	if (number >> bases->count)
		return false;
	for (unsigned i = 0; i < bases->count; i++) {
		if (!(number >> i & 1))
			continue;
		if (!bases->held[i])
			return false;
		for (unsigned j = 0; j < RANK; j++)
			image[j] ^= bases->image[i][j];
	}
	return true;
}

/* A message and the row that it is about. */
static void fail_at(char *const fields[FIELDS], const char *target, const char *what)
{
	fail_msg("%s, %s of %s: %s", target, fields[OPERAND], fields[NAME], what);
}

static void check_points(char *const fields[FIELDS], const char *target, layout_mma *mma,
	const struct bases *lanes, const struct bases *slots)
{
	unsigned first = (unsigned)atoi(fields[FIRST]), skip = atoi(fields[BLOCKS]) == 1;

	for (unsigned lane = 0; lane <= 1u << lanes->count; lane++)
		for (unsigned slot = 0; slot <= 1u << slots->count; slot++) {
			int64_t image[RANK] = { 0 }, ours[RANK];
			bool held = add(lanes, lane, image) &&
				add(slots, slot ^ first, image);
			unsigned rank = layout_mma_apply(mma, lane, slot, ours);

			if (rank != (held ? RANK - skip : 0))
				fail_at(fields, target, "held elsewhere");
			if (held && memcmp(ours, image + skip, rank * sizeof(*image)))
				fail_at(fields, target, "another element");
		}
}

static layout_mma_operand operand_of(const char *name)
{
	for (layout_mma_operand i = 0; layout_mma_operand_name(i); i++)
		if (!strcmp(name, layout_mma_operand_name(i)))
			return i;
	fail_msg("operand %s", name);
	return 0;
}

struct visit {
	unsigned pairs, lanes;
};

static bool visit_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned rank)
{
	struct visit *visit = user;

	(void)image;
	assert_true(in_rank == 2 && rank >= 2);
	assert_true(in[0] < visit->lanes);
	visit->pairs++;
	return true;
}

/* The relation, too, lacks the lanes that hold nothing, and is onto the matrix. */
static void check_relation(char *const fields[FIELDS], const char *target,
	layout_mma *mma, const struct bases *lanes)
{
	layout_relation *relation = layout_mma_relation(mma);
	layout_linear *linear = layout_mma_linear(mma);
	layout_set *box = layout_mma_box(mma);
	struct visit visit = { 0, 1u << (lanes->count - 1) };

	assert_true(layout_relation_for_each(relation, visit_pair, &visit));
	assert_int_equal(visit.pairs, visit.lanes * layout_mma_elements(mma));
	if (layout_relation_is_surjective(relation, box, NULL) != LAYOUT_YES)
		fail_at(fields, target, "not onto its matrix");
	assert_non_null(linear);
	layout_linear_free(linear);
	layout_set_free(box);
	layout_relation_free(relation);
}

static void check_row(layout_context *ctx, char *const fields[FIELDS], const char *gfx)
{
	struct bases lanes, slots;
	char target[40], *text;
	layout_mma_shape shape;
	layout_mma *mma;

	snprintf(target, sizeof(target), "%s:wave%s", gfx, fields[WAVE]);
	mma = layout_mma_find(ctx, fields[NAME], operand_of(fields[OPERAND]), target);
	if (!mma)
		fail_at(fields, target, layout_context_message(ctx));
	shape = layout_mma_get_shape(mma);
	assert_int_equal(shape.m, atoi(fields[M]));
	assert_int_equal(shape.n, atoi(fields[N]));
	assert_int_equal(shape.k, atoi(fields[K]));
	assert_int_equal(shape.blocks, atoi(fields[BLOCKS]));
	assert_int_equal(layout_mma_lanes(mma), atoi(fields[WAVE]));
	if (strcmp(layout_mma_type(mma), fields[TYPE]))
		fail_at(fields, target, layout_mma_type(mma));
	text = strdup(fields[LANES]);
	lanes = read_bases(text);
	free(text);
	text = strdup(fields[SLOTS]);
	slots = read_bases(text);
	free(text);
	check_points(fields, target, mma, &lanes, &slots);
	if (!lanes.held[lanes.count - 1])
		check_relation(fields, target, mma, &lanes);
	layout_mma_free(mma);
}

/* Those of a target that another one has, too. */
static void check_others(layout_context *ctx, char *const fields[FIELDS])
{
	if (!strcmp(fields[GFX], "gfx1200"))
		check_row(ctx, fields, "gfx1201");
	if (!strcmp(fields[GFX], "gfx1200") && !strcmp(fields[WAVE], "32"))
		check_row(ctx, fields, "gfx1250");
	if (!strcmp(fields[GFX], "gfx942") && !strstr(fields[NAME], "p8") &&
			!strstr(fields[NAME], "bf8") && !strstr(fields[NAME], "xf32"))
		check_row(ctx, fields, "gfx950");
}

static void published_bases(void **state)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/mma_bases.tsv", "r");
	layout_context *ctx = layout_context_new();
	char *line = NULL, *fields[FIELDS], *rest;
	size_t capacity = 0;
	unsigned rows = 0;

	(void)state;
	assert_non_null(file);
	while (getline(&line, &capacity, file) > 0) {
		if (line[0] == '#')
			continue;
		rest = line;
		for (unsigned i = 0; i < FIELDS; i++)
			assert_non_null(fields[i] = strsep(&rest, "\t\n"));
		check_row(ctx, fields, fields[GFX]);
		check_others(ctx, fields);
		rows++;
	}
	assert_int_equal(rows, 942);
	free(line);
	fclose(file);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_bases),
	};

	cmocka_set_test_filter(getenv("LAYOUT_TEST_FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
