/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* JSON, one value on one line. */
#ifndef LAYOUTC_JSON_H
#define LAYOUTC_JSON_H

#include <stdint.h>
#include <stdio.h>

/* A string with its quotes. */
void json_str(FILE *out, const char *text);

/* Numbers in brackets. */
void json_ints(FILE *out, const int64_t *values, unsigned count);

#endif
