/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/call.h"

#include <string.h>

/* The i-th function of all families; NULL past the last. */
static const struct function *function_at(unsigned i)
{
	static const struct function *const families[] = {
		functions_relation, functions_cute, functions_shape, functions_linear, functions_nested,
		functions_mma, functions_lds, functions_tiling,
	};

	for (size_t k = 0; k < sizeof(families) / sizeof(*families); k++)
		for (const struct function *row = families[k]; row->name; row++)
			if (!i--)
				return row;
	return NULL;
}

const struct function *text_function(const struct text_cursor *cursor)
{
	const struct function *row;

	for (unsigned i = 0; (row = function_at(i)); i++)
		if (text_at(cursor, row->name) ||
		    (row->alias && text_at(cursor, row->alias)))
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
