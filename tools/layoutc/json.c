/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/json.h"

#include <inttypes.h>

void json_str(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(out, "\\u%04x", *text);
		else
			fputc(*text, out);
	}
	fputc('"', out);
}

void json_ints(FILE *out, const int64_t *values, unsigned count)
{
	fputc('[', out);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, "%s%" PRId64, i ? ", " : "", values[i]);
	fputc(']', out);
}
