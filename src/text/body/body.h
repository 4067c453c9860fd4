/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations of MLIR on indices while they are read: what the values are, by name. */
#ifndef LAYOUT_TEXT_BODY_H
#define LAYOUT_TEXT_BODY_H

#include "algebra/body/body.h"
#include "text/notations.h"

enum { BODY_RANK = 16, BODY_NAMES = 64 };

/* "%name" or "%name#2" */
struct body_use {
	const char *name;
	size_t length;
	unsigned result;
	long position;
};

/* Digits that an index was made of: affine where the sizes are numbers, "index" then. */
struct body_digits {
	unsigned count;
	struct body_value *indices[BODY_RANK], *sizes[BODY_RANK];
};

/* What an operation gave; a tensor has sizes, which are values, or NULL. */
struct body_result {
	const char *name;
	size_t length;
	unsigned count;
	bool is_opaque;				/* no index, no condition */
	struct body_value *values[BODY_RANK];
	struct body_digits digits;
	struct body_value *sizes[BODY_RANK];
};

struct body_text {
	struct text_cursor *cursor;
	struct body *body;
	unsigned count, room;
	struct body_result *results;
	unsigned name_count;
	char *names[BODY_NAMES];
};

/* Is it a use?  Which one, and where it ends. */
bool body_at_use(const struct text_cursor *cursor, struct body_use *use);

/* A use at the cursor; its value, borrowed: an index, or a condition if "truth".  NULL on
 * an error.  What nothing gave is a name; "%c128" and "%true" say what they are. */
bool body_read_use(struct body_text *text, struct body_use *use);
const struct body_value *body_find(struct body_text *text, const struct body_use *use,
	bool truth);
const struct body_value *body_read_value(struct body_text *text, bool truth);

/* "tensor<?x4xf32, #encoding>", or that of a memory or of a vector. */
bool body_read_type(struct text_cursor *cursor, struct text_tensor *type);

/* A name for a value, as isl can hold it. */
struct body_value *body_named(struct body_text *text, const struct body_use *use);

/* The result of that name, which is new if there is none: borrowed until the next one. */
struct body_result *body_result(struct body_text *text, const struct body_use *use);

/* The same, for what an operation gives: it must be new. */
struct body_result *body_new_result(struct body_text *text, const struct body_use *use);

/* An operation, "%2 = arith.addi %0, %1 : index", and what it gives; "outside" of the
 * body others are left aside.  False on an error. */
bool body_read_operation(struct body_text *text, bool outside);

/* Does the operation that has the body stand here?  See map_store.c. */
bool text_at_body(const struct text_cursor *cursor);

/* sum of index x the sizes behind it, of "count" digits; NULL, and nothing on the context,
 * where such a product is none of numbers. */
struct body_value *body_linear(struct body *body, const struct body_digits *digits,
	unsigned first, unsigned count);

/* The digits with the sizes of "to" of the number that "from" are the digits of: groups
 * with the same product go by themselves, so that sizes may be names.  The first size may
 * be NULL. */
bool body_regroup(struct body *body, const struct body_digits *from, struct body_digits *to);

void body_text_free(struct body_text *text);

/* All of a list of them. */
void body_free_values(struct body_value *values[BODY_RANK]);

#endif
