/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/call.h"
#include "text/words.h"

#include <string.h>

/* The functions, and the page about those of a family. */
static const struct {
	const struct function *functions;
	const char *page;
} families[] = {
	{ functions_relation, "notation.md" }, { functions_cute, "cute.md" },
	{ functions_shape, "cute.md" }, { functions_linear, "linear.md" },
	{ functions_nested, "nested.md" }, { functions_mma, "mma.md" },
	{ functions_lds, "notation.md" }, { functions_tiling, "data-tiling.md" },
};

/* The i-th function of all families; NULL past the last. */
static const struct function *function_at(unsigned i)
{

	for (size_t k = 0; k < sizeof(families) / sizeof(*families); k++)
		for (const struct function *row = families[k].functions; row->name; row++)
			if (!i--)
				return row;
	return NULL;
}

/* The name, or as CuTe's Python has it, "cute.make_layout". */
static bool is_called(const struct text_cursor *cursor, const char *name)
{
	static const char module[] = "cute.";
	const size_t length = sizeof(module) - 1;
	const char *text = cursor->text + cursor->token.begin;

	return text_at(cursor, name) || (cursor->token.kind == TEXT_NAME &&
		cursor->token.length == length + strlen(name) &&
		!memcmp(text, module, length) && !memcmp(text + length, name, strlen(name)));
}

const struct function *text_function(const struct text_cursor *cursor)
{
	const struct function *row;

	for (unsigned i = 0; (row = function_at(i)); i++)
		if (is_called(cursor, row->name) || (row->alias && is_called(cursor, row->alias)))
			return row;
	return NULL;
}

bool call_run(struct call *call)
{
	const struct value_kind *kind = call_kind(call, 0);
	const struct overload *own = kind->overloads;

	for (; own && own->name; own++)
		if (!strcmp(own->name, call->function->name) && (!own->both ||
				call->arguments[1].tiler || call_kind(call, 1) == kind))
			return own->run(call);
	return call->function->run(call);
}

const char *layout_value_function(unsigned i)
{
	const struct function *row = function_at(i);

	return row ? row->name : NULL;
}

/* How an argument is written, in the order of enum argument_kind. */
static const char *const written[] = {
	[ARGUMENT_RELATION] = "LAYOUT",
	[ARGUMENT_SET] = "SET",
	[ARGUMENT_EITHER] = "LAYOUT|SET",
	[ARGUMENT_PADDED] = "STORAGE|CHAIN",
	[ARGUMENT_CUTE] = "CUTE",
	[ARGUMENT_LINEAR] = "LINEAR",
	[ARGUMENT_NESTED] = "NESTED",
	[ARGUMENT_TRITON] = "TRITON",
	[ARGUMENT_OPERAND] = "OPERAND",
	[ARGUMENT_COPIES] = "CUTE|NUMBER",
	[ARGUMENT_INNER] = "LAYOUT|TILER",
	[ARGUMENT_TILE] = "CUTE|TILER",
	[ARGUMENT_NUMBERS] = "[NUMBER, ..]",
	[ARGUMENT_ORDER] = "[NUMBER, ..]",
	[ARGUMENT_DIMS] = "[NUMBER, ..]",
	[ARGUMENT_NAMES] = "[NAME, ..]",
	[ARGUMENT_SIZES] = "[SIZE, ..]",
	[ARGUMENT_NAMED] = "[NAME = SIZE, ..]",
	[ARGUMENT_VIEW] = "NAME|LIST",
	[ARGUMENT_INT] = "NUMBER",
	[ARGUMENT_NAME] = "NAME",
	[ARGUMENT_TARGET] = "TARGET",
	[ARGUMENT_TILING_TARGET] = "TARGET",
	[ARGUMENT_PROFILE] = "PROFILE",
	[ARGUMENT_LAYOUTS] = "[NESTED, ..]",
	[ARGUMENT_MAPS] = "[[NUMBER, ..], ..]",
	[ARGUMENT_MODE] = "CUTE|SHAPE",
	[ARGUMENT_SHAPE] = "SHAPE",
	[ARGUMENT_COORDINATE] = "COORDINATE",
	[ARGUMENT_TILER] = "TILER",
};

const struct function *text_function_named(const char *name)
{
	const struct function *row;

	for (unsigned i = 0; name && (row = function_at(i)); i++)
		if (!strcmp(row->name, name) || (row->alias && !strcmp(row->alias, name)))
			return row;
	return NULL;
}

char *layout_value_function_signature(const char *name)
{
	const struct function *row = text_function_named(name);
	const struct text_word *word = text_word_named(name);
	struct layout_buffer out = { 0 };

	if (!row)
		return word ? layout_strdup(NULL, word->form) : NULL;
	layout_buffer_printf(&out, "%s(", row->name);
	for (unsigned i = 0; i < FUNCTION_ARGUMENTS && row->parameters[i].kind; i++) {
		const struct parameter *parameter = &row->parameters[i];
		bool optional = parameter->optional;

		layout_buffer_printf(&out, "%s%s%s%s%s%s", optional ? "[" : "",
			i ? ", " : "", parameter->name ? parameter->name : "",
			parameter->name ? " = " : "", written[parameter->kind],
			optional ? "]" : "");
	}
	layout_buffer_printf(&out, ")");
	return layout_buffer_take(NULL, &out);
}

const char *layout_value_function_example(const char *name)
{
	const struct function *row = text_function_named(name);
	const struct text_word *word = text_word_named(name);

	return row ? row->example : word ? word->example : NULL;
}

const char *layout_value_function_page(const char *name)
{
	const struct function *row = text_function_named(name);
	const struct text_word *word = text_word_named(name);

	for (size_t k = 0; row && k < sizeof(families) / sizeof(*families); k++)
		for (const struct function *f = families[k].functions; f->name; f++)
			if (f == row)
				return families[k].page;
	return word ? word->page : NULL;
}
