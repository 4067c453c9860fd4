/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* JSON, one value on one line. */
#ifndef LAYOUTC_JSON_H
#define LAYOUTC_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A string with its quotes. */
void json_str(FILE *out, const char *text);

/* Numbers in brackets. */
void json_ints(FILE *out, const int64_t *values, unsigned count);

/* An object that is printed when all of it is there.  Without one, "out" is NULL, and these
 * do nothing. */
struct json_object {
	FILE *out;
	char *text;
	size_t length;
	unsigned members;
};
bool json_open(struct json_object *object);
void json_next(struct json_object *object);	/* a member follows */
void json_close(struct json_object *object, bool good);

/* {"answer": "no", "witness": WHY, "reason": MESSAGE}; those that are NULL are left out. */
void json_answer(FILE *out, const char *answer, const char *why, const char *message);

#endif
