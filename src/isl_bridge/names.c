/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/context.h"

#include <ctype.h>
#include <string.h>

/* What isl would read as something else than a name, in capitals too. */
static const char *const words[] = { "and", "ceil", "ceild", "exists", "false", "floor",
	"floord", "implies", "infinity", "infty", "max", "min", "mod", "nan", "not",
	"or", "rat", "true" };

bool layout_is_plain_name(const char *name, size_t length)
{
	if (!length || !(isalpha((unsigned char)*name) || *name == '_'))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == length && strncasecmp(words[i], name, length) == 0)
			return false;
	return true;
}
