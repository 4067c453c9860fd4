/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/json.h"

#include <stdlib.h>
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

void json_answer(FILE *out, const char *answer, const char *why, const char *message)
{
	fputs("{\"answer\": ", out);
	json_str(out, answer);
	if (why) {
		fputs(", \"witness\": ", out);
		json_str(out, why);
	}
	if (message) {
		fputs(", \"reason\": ", out);
		json_str(out, message);
	}
	fputs("}", out);
}

bool json_open(struct json_object *object)
{
	*object = (struct json_object){ 0 };
	object->out = open_memstream(&object->text, &object->length);
	return object->out;
}

void json_next(struct json_object *object)
{
	if (object->out)
		fputs(object->members++ ? ", " : "{", object->out);
}

void json_close(struct json_object *object, bool good)
{
	if (!object->out)
		return;
	fputs(object->members ? "}" : "{}", object->out);
	good = !fclose(object->out) && good;
	if (good)
		puts(object->text);
	free(object->text);
}
