/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct chip *chip_at(unsigned i)
{
	for (unsigned f = 0; chip_families[f]; f++) {
		if (i < chip_families[f]->chip_count)
			return &chip_families[f]->chips[i];
		i -= chip_families[f]->chip_count;
	}
	return NULL;
}

bool chip_is_named(const char *name, unsigned wave_size, const char *text)
{
	char long_name[64];

	snprintf(long_name, sizeof(long_name), "%.*s:wave%u", (int)strcspn(name, ":"),
		name, wave_size);
	return !strcmp(name, text) || !strcmp(long_name, text);
}

void chip_fail(layout_context *ctx, const char *format, const char *name,
	const char *(*name_at)(unsigned i))
{
	struct layout_buffer names = { 0 };
	const char *other;
	char *text;

	for (unsigned i = 0; (other = name_at(i)); i++)
		layout_buffer_printf(&names, "%s%s", i ? ", " : "", other);
	text = layout_buffer_take(ctx, &names);
	if (text)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, format, name, text);
	free(text);
}
