/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a tile touches of a storage, for all positions of the tile at once. */
#ifndef LAYOUT_ALGEBRA_STORAGE_ACCESS_H
#define LAYOUT_ALGEBRA_STORAGE_ACCESS_H

#include "algebra/storage/storage.h"
#include <layout/relation.h>

/* 0 <= name < extent; extents are over sizes and the variables before. */
struct access_variable {
	const char *name;
	const struct size *extent;
};

/* a < b, a <= b, a = b, a != b */
enum access_order { ACCESS_LESS, ACCESS_AT_MOST, ACCESS_EQUAL, ACCESS_OTHER };

struct access_condition {
	enum access_order order;
	const struct size *a, *b;
};

/* The tile begins at "at", whose entries are over sizes and variables; NULL: it can be
 * anywhere in that dimension. */
struct access {
	layout_storage *storage;
	unsigned variable_count, condition_count;
	const struct access_variable *variables;
	const struct access_condition *conditions;
	const int64_t *box;			/* as many as the storage has dimensions */
	const struct size *const *at;
};

/* { [variables.., t..] -> [at + t] : 0 <= t < box, inside of the storage's tensor }.
 * NULL with the error on the context. */
layout_relation *access_relation(layout_context *ctx, const struct access *access);

/* In which dimensions is the tile within the tensor, wherever it begins?  Bit d; what isl would
 * take long for is no. */
uint32_t access_inside(layout_context *ctx, const struct access *access);

/* Is the size a multiple of "by" wherever variables and conditions of the access are known?
 * Of no storage; likewise. */
bool access_divides(layout_context *ctx, const struct access *access, const struct size *size,
	int64_t by);

/* Narrow what a name is at least and at most to what the conditions let it be; not to
 * nothing. */
void access_bounds(layout_context *ctx, unsigned count,
	const struct access_condition *conditions, const char *name, int64_t *least,
	int64_t *most);

/* { [e..] } of the storage's tensor, for sizes that satisfy the conditions. */
layout_set *access_elements(layout_storage *storage, unsigned count,
	const struct access_condition *conditions);

/* The storage's relation, logical -> cell, for such sizes. */
layout_relation *access_cells(layout_storage *storage, unsigned count,
	const struct access_condition *conditions);

/* The set without the name of its tuple; consumes it. */
layout_set *access_anonymous(layout_set *set);

#endif
