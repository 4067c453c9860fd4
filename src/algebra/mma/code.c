/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/chip.h"

#include <string.h>

/* "f8f6f4" and "f6f4" are any of these, "f6" or a type of so many bits: the code is told. */
static bool is_any(const char *code, const char *row)
{
	char bits[] = { row[0], row[1], 0 };

	return strstr(code, "f6f4") && strstr(code, bits) && (!row[2] || row[2] == 'E');
}

/* "iu8" is of either sign, as "i8" is where the code is told. */
static bool same_type(const char *code, const char *row)
{
	return !strcmp(code, row) || (!strcmp(code, "iu8") && !strcmp(row, "i8")) ||
		is_any(code, row);
}

static bool is_of(const struct mma_code *code, const struct mma_row *row)
{
	bool same = code->m == row->shape->m && code->n == row->shape->n &&
		code->k == row->shape->k;

	for (unsigned i = 0; i < 3; i++)
		same = same && same_type(code->types[i], row->types[i]);
	return same;
}

const struct mma_code *mma_code_of(const struct chip *chip, const struct mma_row *row)
{
	const struct mma_codes *codes = chip->family->matrix_codes;

	if (!codes || !(row->targets & chip->bit) || row->shape->blocks > 1 ||
	    row->shape->lanes != chip->target.wave_size ||
	    mma_row_has(row, LAYOUT_MMA_INDEX))
		return NULL;
	for (unsigned i = 0; i < codes->count; i++)
		if ((codes->codes[i].targets & chip->bit) && is_of(&codes->codes[i], row))
			return &codes->codes[i];
	return NULL;
}
