/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storages twice: as the text that the library reads, and as digits of the logical index
 * with arithmetic that shares nothing with it. */
#ifndef TESTS_SUPPORT_STORAGE_MODEL_H
#define TESTS_SUPPORT_STORAGE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_RANK 8
#define MODEL_DIGITS 24
#define MODEL_TEXT 2048

enum model_kind { MODEL_ROW, MODEL_COLUMN, MODEL_STRIDED, MODEL_PACKED };

/* floor(i[dim] / step) mod radix */
struct model_digit {
	unsigned dim;
	int64_t step, radix;
};

/* A packed storage has the quotients i[d] / tile[d] first, in the order of "outer", then
 * the digits of the tile as "digits" lists them.  A tile of 0 stands for a dimension
 * without one.  Where "row" is not 0, xor_shuffle<row, access> or rotate_rows permutes the
 * cells, or with "of_index" the indices, which has to leave the index box whole.  Behind
 * the dimensions are "units" that have one step and are in no index, but have tiles. */
struct storage_model {
	enum model_kind kind;
	unsigned rank;
	int64_t stride[MODEL_RANK];
	int64_t tile[MODEL_RANK];
	unsigned outer[MODEL_RANK];
	unsigned digit_count;
	struct model_digit digits[MODEL_DIGITS];
	int64_t row, access;
	bool rotates, of_index;
	unsigned units;
};

/* The next index of sizes "n", the last dimension first; false behind the last one, which the
 * first one follows. */
bool model_next_index(unsigned rank, const int64_t *n, int64_t *i);

/* "size" are the logical sizes as text, one a dimension. */
void storage_model_text(const struct storage_model *model, const char *const *size,
	char text[MODEL_TEXT]);

/* The element of logical index "i" of sizes "n"; and the elements from first to last,
 * gaps included. */
int64_t storage_model_offset(const struct storage_model *model, const int64_t *n,
	const int64_t *i);
int64_t storage_model_elements(const struct storage_model *model, const int64_t *n);

/* Has each element, of two dimensions at most, the same offset in both, and are there as
 * many from first to last? */
bool storage_model_agree(const struct storage_model *a, const struct storage_model *b,
	const int64_t *n);

/* Cells without an element are padding, not gaps. */
bool storage_model_pads(const struct storage_model *model);

/* The inner tiles in the order in which they are named: a split of dimension "dim" into
 * radices, outermost first.  The digits' order in memory is "order", a permutation of all
 * of them as they were added. */
void storage_model_split(struct storage_model *model, unsigned dim, unsigned count,
	const int64_t *radices);
void storage_model_order(struct storage_model *model, const unsigned *order);

/* Tiles of all dimensions, of one of the splits each or none, where two digits may have
 * changed places: some of them come to the same. */
struct storage_split {
	unsigned count;
	int64_t radices[3];
};
void storage_model_tile(struct storage_model *model, uint64_t *state,
	const struct storage_split *splits, unsigned count);

#endif
