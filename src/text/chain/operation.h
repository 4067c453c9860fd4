/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of chains share: an operation's lists while it is read. */
#ifndef LAYOUT_TEXT_CHAIN_OPERATION_H
#define LAYOUT_TEXT_CHAIN_OPERATION_H

#include "algebra/chain/step.h"
#include "text/notations.h"

enum { LISTS = 3 };

/* What an operation is given.  Lists that were not written are empty. */
struct given {
	char *texts[LISTS][CHAIN_RANK];		/* sizes, "?" */
	unsigned count[LISTS];
	struct text_ints dims, permutation, drop;
	unsigned groups[CHAIN_RANK], group_count;
	bool permuted;
	char *value;
	const char *const *rules;		/* of the lists, see text_size_by() */
};

/* As the C API takes a list. */
const char *const *given_texts(const struct given *given, unsigned list);
void given_free(struct given *given);

/* "[M, ?, 2*K]"; and ", [..]" for each of the lists "first" .. "last". */
bool given_sizes(struct text_cursor *cursor, struct given *given, unsigned list);
bool given_more(struct text_cursor *cursor, struct given *given, unsigned first,
	unsigned last);

/* "[[0, 1], [2]]"; "[1, 0]" */
bool given_groups(struct text_cursor *cursor, struct given *given);
bool given_dims(struct text_cursor *cursor, struct text_ints *dims);

/* "outer_dims_perm = [1, 0]"; and what is padded with. */
bool given_permutation(struct text_cursor *cursor, struct given *given);
bool given_value(struct text_cursor *cursor, struct given *given);

/* "found COUNT WHAT, expected WANTED"; false.  And that for the first of "lists" lists
 * that is not as long as another one. */
bool given_wrong(struct text_cursor *cursor, long position, unsigned count,
	unsigned wanted, const char *what);
bool given_as_long(struct text_cursor *cursor, long position, const struct given *given,
	unsigned lists, unsigned wanted);

/* An operation of a chain: read what is in its parentheses, then append it. */
struct operation {
	const char *name;
	const char *rules[LISTS];
	bool (*read)(struct text_cursor *cursor, struct given *given);
	layout_chain *(*add)(layout_chain *chain, struct given *given);
};

/* The operation whose name is at the cursor; NULL on an error.  And one by its name. */
const struct operation *text_find_operation(struct text_cursor *cursor);
const struct operation *text_operation_named(const char *name);

/* What an operation needs to know of the chain before it reads its lists' entries: lists
 * of the C API are as long as the tensor's rank says. */
bool text_check_lengths(struct text_cursor *cursor, long position,
	const struct given *given, layout_chain *chain, const struct operation *operation);

/* See ir.c. */
bool text_at_ir(const struct text_cursor *cursor);
layout_chain *text_ir(struct text_cursor *cursor);

#endif
