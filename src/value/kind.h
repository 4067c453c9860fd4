/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a value can be: one row of functions a kind. */
#ifndef LAYOUT_VALUES_KIND_H
#define LAYOUT_VALUES_KIND_H

#include <layout/value.h>
#include <layout/view.h>

struct layout_buffer;
struct overload;
struct show_kind;
struct text_cursor;

#define VALUE_NOTATIONS (LAYOUT_NOTATION_ENCODING + 1)

/* A kind fills in what it can do; the comments say what NULL is taken for. */
struct value_kind {
	const char *name, *noun;	/* "cute", "a CuTe layout" */
	const char *lacks;		/* why there is no relation yet; NULL: for good */
	const char *kernel;		/* what moves its elements, where that is wanted; or NULL */

	/* Does a literal begin at the cursor?  Read it into a value that is empty but for
	 * its kind; false on an error.  NULL: there are no literals. */
	bool (*at)(const struct text_cursor *cursor);
	bool (*read)(struct text_cursor *cursor, layout_value *value);

	/* Make of the literal what stands behind it; false on an error.  NULL: nothing does. */
	bool (*read_behind)(struct text_cursor *cursor, layout_value *value);
	char *(*print)(layout_value *value);
	void (*free)(layout_value *value);	/* what it holds; NULL: nothing */

	/* NULL: it is no relation. */
	layout_relation *(*relation)(layout_value *value);

	/* The boxes of images and inputs that it declares.  NULL: none. */
	layout_set *(*onto)(layout_value *value);
	layout_set *(*from)(layout_value *value);

	/* Where its offsets end.  NULL: they are none, or have no end. */
	int64_t (*end)(layout_value *value);

	/* How its points are numbered.  NULL: lexicographically. */
	layout_order (*order)(layout_value *value);

	/* Write an input of the relation.  NULL: as a tuple. */
	void (*print_point)(void *value, struct layout_buffer *out, const int64_t *point);

	/* See layout_value_for_each().  NULL: those of the relation. */
	bool (*for_each)(layout_value *value, const layout_size *sizes, unsigned count,
		layout_visit_pair visit, void *user);

	const char *(*size_name)(layout_value *value, unsigned i);	/* NULL: none */

	/* The storage whose cells the images are; borrowed.  NULL: none. */
	layout_storage *(*cells)(layout_value *value);

	/* Its padding, and how much that is as a formula, or NULL: not known.  NULL: it
	 * has none. */
	layout_set *(*padding)(layout_value *value, char **count);

	/* What it is in a notation.  NULL: what is recognised in the relation. */
	void *(*convert[VALUE_NOTATIONS])(layout_value *value);

	/* { [thread, value] -> [x..] } for a nested layout, and the lanes of a subgroup.
	 * NULL: the relation, and any lanes. */
	layout_relation *(*by_threads)(layout_value *value, int64_t *lanes);

	/* The notation that results with such a first operand are shown in, if they have
	 * it; or are they shown as isl does? */
	layout_notation results;
	bool is_plain;

	/* Functions of expressions that mean something of their own for such operands, ending
	 * with one without a name.  NULL: there are none. */
	const struct overload *overloads;

	const struct show_kind *show;	/* NULL: it is drawn as its relation */
};

/* The rows are with their notations; this is all of them, and what each is to the API, in
 * the order in which a literal is looked for.  The last has no row. */
struct value_kind_row {
	layout_value_kind id;
	const struct value_kind *kind;
};
extern const struct value_kind_row value_kinds[];

extern const struct value_kind kind_relation, kind_set, kind_affine_map, kind_cute,
	kind_nested, kind_encoding, kind_storage, kind_remap, kind_linear, kind_mma,
	kind_swizzle, kind_triton, kind_integer, kind_operand, kind_chain, kind_program;

#endif
