/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the command does of its own with a kind of values; nothing else of it names one. */
#ifndef LAYOUTC_KIND_H
#define LAYOUTC_KIND_H

#include "layoutc/arguments.h"

#include <layout/value.h>
#include <stdio.h>

/* The comments say what NULL is taken for. */
struct kind {
	bool waits;		/* for sizes, a shape or a target: no relation yet */
	bool is_set, is_number;

	/* Does "valid" hold?  NULL: that has no meaning. */
	layout_answer (*verify)(layout_value *value, char **reason,
		layout_witness **witness);

	/* Print shape, size and cosize, see extent_print().  NULL: it has none. */
	void (*extent)(FILE *out, layout_value *value, const struct arguments *arguments);

	/* Print what is known as members of a JSON object; false on an error.  NULL: what is
	 * known of its relation. */
	bool (*describe)(FILE *out, layout_value *value, const struct arguments *arguments);

	/* As MLIR prints it.  NULL: as an affine map. */
	char *(*mlir)(layout_value *value, const struct arguments *arguments);
};

/* A kind without a row of its own has that of a relation. */
const struct kind *kind_of(layout_value *value);

/* The value as what it was written as, borrowed; NULL, and no error, where it is something
 * else. */
layout_cute *value_cute(layout_value *value);
layout_storage *value_storage(layout_value *value);
layout_operand *value_operand(layout_value *value);
layout_remap *value_remap(layout_value *value);
layout_program *value_program(layout_value *value);

#endif
