/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An expression of the command line, evaluated. */
#ifndef LAYOUTC_SUBJECT_H
#define LAYOUTC_SUBJECT_H

#include "layoutc/arguments.h"
#include "layoutc/text.h"

#include <layout/value.h>

struct subject {
	struct text text;
	layout_value *value;
};

/* Read and evaluate an operand (see text_from()) for "command".  0, or the exit
 * status after a complaint.  Free with subject_release(), also on failure. */
int subject_open(struct subject *subject, layout_context *ctx, const char *operand,
	bool or_file, const char *command);
void subject_release(struct subject *subject);

/* Do "act" with the first operand, evaluated, once -D is known to fit it; the exit
 * status. */
int with_subject(const struct arguments *arguments, bool or_file,
	int (*act)(layout_context *ctx, const struct subject *subject,
		const struct arguments *arguments));

/* The same with each statement of the operand, as long as all goes well. */
int with_statements(const struct arguments *arguments,
	int (*act)(layout_context *ctx, const struct subject *subject,
		const struct arguments *arguments));

/* Verify the subject, a program; 0, or the exit status after a complaint of "command". */
int require_program(const struct subject *subject, layout_program *program,
	const char *command);

/* The value as a relation or a set, with the numbers of -D for its sizes; NULL with
 * the error on the context. */
layout_relation *value_relation(layout_value *value, const struct arguments *arguments);
layout_set *value_set(layout_value *value, const struct arguments *arguments);

/* The target of data tiling that an option has as a text (see text_from()); NULL after a
 * complaint, with its exit status. */
layout_tiling_target *open_tiling_target(layout_context *ctx, const char *value, int *status);

/* The number that -D gives to a name; NULL for none. */
const layout_size *find_size(const layout_size *sizes, unsigned count, const char *name);

#endif
