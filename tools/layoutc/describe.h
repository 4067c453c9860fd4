/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A value as JSON: what it is, how large, and what holds for it. */
#ifndef LAYOUTC_DESCRIBE_H
#define LAYOUTC_DESCRIBE_H

#include "layoutc/subject.h"

/* False on an error, after a part of the object; notions that the value has not are left
 * out. */
bool describe(FILE *out, layout_context *ctx, layout_value *value,
	const struct arguments *arguments);

/* The members of these kinds. */
bool describe_chain(FILE *out, layout_value *value, const struct arguments *arguments);
bool describe_integer(FILE *out, layout_value *value, const struct arguments *arguments);
bool describe_program(FILE *out, layout_value *value, const struct arguments *arguments);
bool describe_set(FILE *out, layout_value *value, const struct arguments *arguments);

#endif
