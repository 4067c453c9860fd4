/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/bit_array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

size_t bit_array_bytes(int64_t count, unsigned bits)
{
	return ((size_t)count * bits + 7) / 8;
}

uint64_t bit_array_get(const unsigned char *array, int64_t element, unsigned bits)
{
	uint64_t value = 0;

	for (unsigned b = 0; b < bits; b++) {
		size_t at = (size_t)element * bits + b;

		value |= (uint64_t)(array[at / 8] >> at % 8 & 1) << b;
	}
	return value;
}

void bit_array_set(unsigned char *array, int64_t element, unsigned bits, uint64_t value)
{
	for (unsigned b = 0; b < bits; b++) {
		size_t at = (size_t)element * bits + b;
		unsigned char one = (unsigned char)(1u << at % 8);

		array[at / 8] = value >> b & 1 ? array[at / 8] | one :
			array[at / 8] & (unsigned char)~one;
	}
}

size_t bit_array_guarded_bytes(int64_t count, unsigned bits)
{
	return (bit_array_bytes(count, bits) / BIT_ARRAY_GUARD + 3) * BIT_ARRAY_GUARD;
}

unsigned char *bit_array_guarded(int64_t count, unsigned bits, int fill)
{
	size_t size = bit_array_guarded_bytes(count, bits);
	unsigned char *bytes = aligned_alloc(BIT_ARRAY_GUARD, size);

	assert_non_null(bytes);
	memset(bytes, fill, size);
	return bytes;
}
