/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text/call.h"

const struct function *text_function(const struct text_cursor *cursor)
{
	static const struct function *const families[] = {
		functions_relation, functions_cute, functions_linear, functions_nested,
		functions_mma,
	};

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		for (const struct function *row = families[i]; row->name; row++)
			if (text_at(cursor, row->name))
				return row;
	return NULL;
}
