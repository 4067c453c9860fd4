/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays of elements of any number of bits, lowest first, walked bit by bit. */
#ifndef TEST_SUPPORT_BIT_ARRAY_H
#define TEST_SUPPORT_BIT_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that "count" elements need. */
size_t bit_array_bytes(int64_t count, unsigned bits);

/* Memory for an array, filled with a byte, that has so many more bytes in front of it and at
 * least as many behind: where it begins, and all its bytes.  To be freed. */
enum { BIT_ARRAY_GUARD = 64 };
unsigned char *bit_array_guarded(int64_t count, unsigned bits, int fill);
size_t bit_array_guarded_bytes(int64_t count, unsigned bits);

uint64_t bit_array_get(const unsigned char *array, int64_t element, unsigned bits);
void bit_array_set(unsigned char *array, int64_t element, unsigned bits, uint64_t value);

#endif
