/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A MessagePack reader, for the metadata of code objects. */
#ifndef TESTS_SUPPORT_MSGPACK_H
#define TESTS_SUPPORT_MSGPACK_H

#include <stddef.h>
#include <stdint.h>

/* A value inside a text that must outlive it; "at" is NULL for one that is not
 * there, and everything asked of that is not there either. */
struct msgpack {
	const unsigned char *at, *end;
};

/* The value of a map's key, and an array's element. */
struct msgpack msgpack_get(struct msgpack map, const char *key);
struct msgpack msgpack_at(struct msgpack array, uint64_t i);

/* How many elements an array has; -1 for another value. */
int64_t msgpack_count(struct msgpack array);

/* A number, -1 for another value; and is it this string? */
int64_t msgpack_int(struct msgpack value);
int msgpack_is(struct msgpack value, const char *text);

#endif
