/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relayouts as MLIR prints them while they are read: operations on one tensor, and the
 * arithmetic on sizes between them. */
#ifndef LAYOUT_TEXT_CHAIN_IR_H
#define LAYOUT_TEXT_CHAIN_IR_H

#include "text/body/body.h"
#include "text/chain/operation.h"

#define IR_SIZE 200	/* bytes of a size as text */

struct ir {
	struct text_cursor begin;	/* of all of it */
	struct body_text text;		/* values by name */
	layout_chain *chain;		/* up to here; NULL: there is none yet */
	struct body_use last;		/* the value that it is */
};

/* An operation as it was read: of a tensor, and the one that it goes into, if any; both
 * types.  "result" is the value that it gives, without a name where it gives none. */
struct ir_step {
	struct ir *ir;
	struct text_cursor *cursor;
	const struct ir_row *row;
	long position, base;		/* of its name; of errors before it is appended */
	struct given *given;
	struct body_use result, operand, into;
	struct text_tensor from, to;
	uint64_t values;		/* entries of the last list that were values, "%n" */
};

/* Read what stands behind the name, with the types; then append it to the chain, which is
 * consumed, or is NULL: then the operand is the source. */
struct ir_row {
	const char *name;
	bool (*read)(struct ir_step *step);
	layout_chain *(*add)(struct ir_step *step, layout_chain *chain);
	const char *operation;		/* of chains, whose rules its lists have */
	bool (*is)(const struct text_cursor *cursor);	/* is it one?  NULL: always */
};
extern const struct ir_row ir_rows[];

/* The operation of chains is that of the row, and its lists are the same. */
layout_chain *ir_add(struct ir_step *step, layout_chain *chain);

/* The row whose name is at the cursor; NULL: none is. */
const struct ir_row *ir_row_at(const struct text_cursor *cursor);

/* "[4, %n]": sizes into a list, by its rule. */
bool ir_sizes(struct ir_step *step, unsigned list);

/* The constant of that name, wherever it is, as a cursor at its value; what is padded with there;
 * and is it any value, "ub.poison"? */
bool ir_constant(const struct ir *ir, const struct body_use *name, struct text_cursor *value);
bool ir_value(struct ir_step *step, struct text_cursor *value);
bool ir_is_poison(const struct ir *ir, const struct body_use *name);

/* Past "{attributes}", where there are any. */
void ir_skip_attributes(struct text_cursor *cursor);

/* The number that a size is; false: it is none. */
bool ir_number(const char *size, int64_t *number);

/* ": tensor<..> into tensor<..>", of the operand and of the result, attributes before. */
bool ir_types(struct ir_step *step, const char *between);

/* The size of a dimension of a tensor: a number, or what is known, or "letter" and the
 * dimension. */
bool ir_size(struct ir *ir, const struct body_use *tensor, const struct text_tensor *type,
	unsigned dim, char letter, char text[IR_SIZE]);

/* A chain of the operand alone. */
layout_chain *ir_source(struct ir_step *step);

/* The chain, if it has the sizes of a type, of "what", wherever both are numbers; else NULL,
 * and it is freed. */
layout_chain *ir_check(const struct ir_step *step, layout_chain *chain,
	const struct text_tensor *type, const char *what);

/* "ins(%a : tensor<..>) outs(%b : tensor<..>)", attributes before. */
bool ir_read_sides(struct ir_step *step);

/* linalg.generic, see ir_generic.c. */
bool ir_generic_moves(const struct text_cursor *cursor);
bool ir_read_generic(struct ir_step *step);
layout_chain *ir_add_generic(struct ir_step *step, layout_chain *chain);

/* Packs and unpacks, see pack.c. */
bool ir_read_pack(struct ir_step *step);
bool ir_read_unpack(struct ir_step *step);
layout_chain *ir_add_pack(struct ir_step *step, layout_chain *chain);
layout_chain *ir_add_unpack(struct ir_step *step, layout_chain *chain);

#endif
