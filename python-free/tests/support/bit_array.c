/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/bit_array.h"

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
