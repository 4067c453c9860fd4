/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of the functions of the expressions: their arguments, their rows. */
#ifndef LAYOUT_TEXT_CALL_H
#define LAYOUT_TEXT_CALL_H

#include "text/list.h"
#include "text/notations.h"
#include "text/profile.h"
#include "value/value.h"

#define FUNCTION_ARGUMENTS 5

/* What an argument must be.  The kinds up to ARGUMENT_TILE are expressions. */
enum argument_kind {
	ARGUMENT_NONE,
	ARGUMENT_RELATION,	/* whatever is not a set */
	ARGUMENT_SET,
	ARGUMENT_EITHER,	/* relation or set, the same for all of these */
	ARGUMENT_PADDED,	/* a storage or a chain */
	ARGUMENT_CUTE,
	ARGUMENT_LINEAR,
	ARGUMENT_NESTED,
	ARGUMENT_TRITON,	/* an encoding, or the linear layout that is one */
	ARGUMENT_OPERAND,	/* of a contraction, its encoding */
	ARGUMENT_COPIES,	/* CuTe layout, or 3 for 3:1 */
	ARGUMENT_INNER,		/* relation or tiler "<3:4, 8, _>", or 3 for 3:1 */
	ARGUMENT_TILE,		/* CuTe layout or tiler, or 3 for 3:1 */
	ARGUMENT_NUMBERS,	/* "[1, 0]" */
	ARGUMENT_DIMS,		/* "[1, -1]", -1 being none */
	ARGUMENT_NAMES,		/* "[lane, warp]" */
	ARGUMENT_SIZES,		/* "[16, 4]" */
	ARGUMENT_NAMED,		/* "[lane = 16, warp = 4]" */
	ARGUMENT_VIEW,		/* a name, or one of these three */
	ARGUMENT_INT,
	ARGUMENT_NAME,
	ARGUMENT_TARGET,	/* "CHIP:wave64" */
	ARGUMENT_TILING_TARGET,	/* "CHIP{simds = 1}" */
	ARGUMENT_PROFILE,	/* "(1, (1, 1))" */
	ARGUMENT_LAYOUTS,	/* "[A, B]", nested layouts */
	ARGUMENT_MAPS,		/* "[[0, 2], [2, 1]]" */
	ARGUMENT_MODE,		/* CuTe layout, "(4, 8)" or LayoutRight */
	ARGUMENT_SHAPE,		/* "(4, (2, 8))" */
	ARGUMENT_COORDINATE,	/* "(1, _)" */
	ARGUMENT_ORDER,		/* "[1, 0]", 0 the fastest mode, or "Step<_2,_1>" */
	ARGUMENT_TILER,		/* "(4, 8:2)" or "<4, 8:2>", for a CuTe layout */
};

/* What a row says of an argument.  One with a name is written "name = ARG", behind
 * those without, and may be missing. */
struct parameter {
	enum argument_kind kind;
	const char *name;
	const char *key;	/* in its place it may be "key = ARG", as Python has it */
	bool optional;
};

/* An argument as it was read; "given" unless it was left out.  The entries of a list
 * of expressions or of lists are arguments themselves. */
struct argument {
	bool given;
	long position;
	layout_value *value;
	struct text_list list;
	struct text_tiler *tiler;
	struct text_profile *profile;
	struct text_numbers *numbers;
	int64_t integer;
	char *name;
	layout_tiling_target *tiling_target;
	struct argument *items;
	unsigned item_count;
};

struct function;

/* A call under evaluation.  The function fills in "result", which is a relation unless
 * said otherwise. */
struct call {
	layout_context *ctx;
	const struct function *function;
	long position;
	struct argument arguments[FUNCTION_ARGUMENTS];
	layout_value *result;
};

/* A function of the expressions: what it takes and what it does. */
struct function {
	const char *name;
	bool (*run)(struct call *call);	/* false: the error is on the context */
	struct parameter parameters[FUNCTION_ARGUMENTS];
	const char *alias;	/* another system's name for it; NULL: none */
	const char *example;	/* a call that has a value */
};

/* What it is instead for a first operand whose kind has the row. */
struct overload {
	const char *name;
	bool (*run)(struct call *call);
	bool both;	/* the second operand is of that kind, too, or tiles of one */
};

/* The rows of a kind, ending with one without a name. */
extern const struct overload overloads_cute[], overloads_linear[], overloads_nested[];

/* Run the call by its kind's row or its function's; false on an error. */
bool call_run(struct call *call);

/* Parameters in a row: ARG(CUTE), one with a key, one that may be left out, one with a name. */
#define ARG(what) { .kind = ARGUMENT_##what }
#define KEY(called, what) { .kind = ARGUMENT_##what, .key = called }
#define OPTIONAL(what) { .kind = ARGUMENT_##what, .optional = true }
#define OPTIONAL_KEY(called, what) { .kind = ARGUMENT_##what, .key = called, .optional = true }
#define NAMED(key, what) { .kind = ARGUMENT_##what, .name = key, .optional = true }

/* See text/as.c, text/convert.c. */
bool run_as(struct call *call);
bool run_convert(struct call *call);

/* The functions of a family of layouts, ending with one without a name. */
extern const struct function functions_relation[];
extern const struct function functions_cute[];
extern const struct function functions_shape[];
extern const struct function functions_linear[];
extern const struct function functions_nested[];
extern const struct function functions_mma[];
extern const struct function functions_lds[];
extern const struct function functions_tiling[];

/* A value, consumed, at the coordinate "(1, _)" at the cursor; NULL on an error. */
layout_value *text_at_coordinate(struct text_cursor *cursor, layout_value *value);

/* The function the cursor's name means, or NULL. */
const struct function *text_function(const struct text_cursor *cursor);
const struct function *text_function_named(const char *name);

/* "(ARG, ..)" into call->arguments, which call_free() frees; false on an error. */
bool text_arguments(struct text_cursor *cursor, struct call *call);

/* Both of "A o B", where A is read, at that position, and taken: the cursor is behind "o". */
bool text_operands(struct text_cursor *cursor, struct call *call, layout_value *first,
	long position);
void call_free(struct call *call);

/* The kind of argument i's value; a relation where it is no value. */
const struct value_kind *call_kind(struct call *call, unsigned i);

/* Argument i as an object of the call's own, its errors at the argument; NULL on an
 * error. */
layout_relation *call_relation(struct call *call, unsigned i);
layout_set *call_set(struct call *call, unsigned i);
layout_cute *call_cute(struct call *call, unsigned i);
layout_linear *call_linear(struct call *call, unsigned i);
layout_nested *call_nested(struct call *call, unsigned i);

/* Errors from now on lie at argument i. */
void call_blame(struct call *call, unsigned i);

/* The coordinates of an ARGUMENT_NUMBERS, as many as its list has; false, at the
 * argument, for one that fits no unsigned. */
bool call_numbers(struct call *call, const struct argument *argument,
	unsigned numbers[TEXT_LIST_LIMIT]);

/* The names and sizes of an ARGUMENT_NAMED, which keeps the names; how many. */
unsigned call_sizes(struct call *call, unsigned i, layout_size sizes[TEXT_LIST_LIMIT]);

/* Fill in the result; false for NULL, a failure. */
bool give_relation(struct call *call, layout_relation *relation);
bool give_set(struct call *call, layout_set *set);
bool give_cute(struct call *call, layout_cute *cute);
bool give_linear(struct call *call, layout_linear *linear);
bool give_nested(struct call *call, layout_nested *nested);
bool give_integer(struct call *call, int64_t number);

/* 1 for yes, 0 for no; false for an answer that is unknown. */
bool give_answer(struct call *call, layout_answer answer);

#endif
