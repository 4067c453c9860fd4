/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nested layouts as tests see them: seven lists, random ones, and the published
 * formula looked at point by point, without the library. */
#ifndef TESTS_SUPPORT_NESTED_MODEL_H
#define TESTS_SUPPORT_NESTED_MODEL_H

#include "support/random.h"

#include <layout/layout.h>

#define MODEL_RANK 8

enum { S, B, O, T, E, S_STRIDES, T_STRIDES, MODEL_LISTS };

struct model {
	unsigned rank;
	int64_t lists[MODEL_LISTS][MODEL_RANK];
	int64_t subgroup_size, subgroup_count;
};

/* The layout of a model, and its notation. */
layout_nested *model_build(layout_context *ctx, const struct model *model);
void model_print(const struct model *model, char *text, size_t size);

/* A random layout of at most so many elements, strides of all kinds. */
struct model model_random(uint64_t *seed, unsigned most_rank, int64_t most_elements);

/* Threads of the formula, and of the hardware. */
int64_t model_virtual_threads(const struct model *model);
int64_t model_threads(const struct model *model);
int64_t model_extent(const struct model *model, unsigned dim);
int64_t model_elements(const struct model *model);

/* Coordinate number "index" in lexicographic order. */
void model_coordinate(const struct model *model, int64_t index, int64_t *coordinate);

/* Does this thread of the formula hold a coordinate; does one of the hardware? */
bool model_virtual_holds(const struct model *model, int64_t thread,
	const int64_t *coordinate);
bool model_holds(const struct model *model, int64_t thread, const int64_t *coordinate);

/* Where a holder keeps a coordinate: b.., o.., e... */
void model_place(const struct model *model, const int64_t *coordinate, int64_t *place);

/* A row of the published table of who owns what: the first coordinate that a thread
 * holds, and that of its last slice. */
struct model_row {
	struct model model;
	int64_t thread, first[MODEL_RANK], last[MODEL_RANK];
};

/* Check each row of "path"; how many there are. */
unsigned model_check_rows(const char *path, void (*check)(const struct model_row *row));

/* A test notes the layout it is about; its teardown prints that one if the test failed
 * there.  A NULL model means that all went well. */
void model_note(void **state, const struct model *model);
int model_report(void **state);

#endif
