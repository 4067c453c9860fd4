/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of chains as MLIR share: the body that is written, its values, and the
 * operations that make new ones. */
#ifndef LAYOUT_TEXT_CHAIN_MLIR_H
#define LAYOUT_TEXT_CHAIN_MLIR_H

#include "algebra/chain/step.h"
#include "algebra/storage/element.h"

/* "%12#3" */
struct value {
	char name[48];
};

/*	sizes		texts of the sizes that have a value, and its number
 *	constants	that have a value
 *	mask		what is known of the indices so far; "" for nothing
 *	loose		an index may be out of range, so nothing may rely on that */
struct emitter {
	layout_context *ctx;
	layout_chain *chain;
	struct layout_buffer out;
	unsigned next;
	unsigned size_count, constant_count;
	struct {
		const char *text;
		unsigned number;
	} sizes[CHAIN_STEPS];
	int64_t constants[CHAIN_STEPS];
	struct value mask;
	bool loose;
	bool failed;
};

/* "%12" */
struct value mlir_numbered(unsigned number);

/* A size as a value; and as an entry of a basis, where numbers are as they are, but that
 * there are no indices in 0 of them, and MLIR takes none. */
struct value mlir_constant(struct emitter *emitter, int64_t number);
struct value mlir_size(struct emitter *emitter, const struct size *size);
struct value mlir_size_entry(struct emitter *emitter, const struct size *size);

bool mlir_same_size(const struct size *a, const struct size *b);

/* One index of "count", and the other way round. */
struct value mlir_linearize(struct emitter *emitter, const struct value *indices,
	const struct size *sizes, unsigned count);
void mlir_delinearize(struct emitter *emitter, struct value index,
	const struct size *sizes, unsigned count, struct value *results);

/* factor * index + sign * size */
struct value mlir_shift(struct emitter *emitter, struct value index, int64_t factor,
	int sign, const struct size *size);

/* "d0 floordiv 2", "d0 mod 2" */
struct value mlir_divide(struct emitter *emitter, struct value index,
	const char *operation, int64_t by);

/* The mask, and that the two compare so. */
void mlir_require(struct emitter *emitter, const char *predicate, struct value a,
	struct value b);

/* "^bb0(%i0: index, %i1: index):"; and what the body yields: the indices, and "last",
 * which is of the elements' type where "last_type" is NULL. */
void mlir_begin_body(struct emitter *emitter, const char *operation, unsigned rank,
	struct value *indices);
void mlir_end_body(struct emitter *emitter, const struct value *indices, unsigned rank,
	const char *last, const char *last_type, const struct element_type *type);

/* "f32"; MLIR's unsigned types are none that arithmetic takes. */
void mlir_print_type(struct layout_buffer *out, const struct element_type *type);

/* The whole of it.  "masked": not all padding is an index out of range.  False with the
 * error on the context. */
bool mlir_store(struct emitter *emitter, const struct element_type *type);
bool mlir_load(struct emitter *emitter, const struct element_type *type, bool masked);

#endif
