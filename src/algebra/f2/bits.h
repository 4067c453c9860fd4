/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vectors of bits: words, bit b in word b / 64. */
#ifndef LAYOUT_ALGEBRA_F2_BITS_H
#define LAYOUT_ALGEBRA_F2_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Words for so many bits, at least 1. */
static inline unsigned bits_words(unsigned bits)
{
	return bits ? (bits + 63) / 64 : 1;
}

static inline bool bits_test(const uint64_t *bits, unsigned bit)
{
	return bits[bit / 64] >> (bit % 64) & 1;
}

static inline void bits_flip(uint64_t *bits, unsigned bit)
{
	bits[bit / 64] ^= (uint64_t)1 << (bit % 64);
}

static inline void bits_add(uint64_t *to, const uint64_t *from, unsigned words)
{
	for (unsigned i = 0; i < words; i++)
		to[i] ^= from[i];
}

/* The lowest bit that is set, or -1. */
static inline int bits_lowest(const uint64_t *bits, unsigned words)
{
	for (unsigned i = 0; i < words; i++)
		if (bits[i])
			return (int)(64 * i) + __builtin_ctzll(bits[i]);
	return -1;
}

static inline uint64_t bits_mask(unsigned width)
{
	return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

/* The number in bits begin .. begin + width - 1, width < 64. */
static inline uint64_t bits_field(const uint64_t *bits, unsigned begin, unsigned width)
{
	unsigned word = begin / 64, shift = begin % 64;
	uint64_t value;

	if (!width)
		return 0;
	value = bits[word] >> shift;
	if (shift + width > 64)
		value |= bits[word + 1] << (64 - shift);
	return value & bits_mask(width);
}

/* XOR "value" into the bits from "begin" on; what it has beyond "width" is dropped. */
static inline void bits_add_field(uint64_t *bits, unsigned begin, unsigned width,
	uint64_t value)
{
	unsigned word = begin / 64, shift = begin % 64;

	if (!width)
		return;
	value &= bits_mask(width);
	bits[word] ^= value << shift;
	if (shift + width > 64)
		bits[word + 1] ^= value >> (64 - shift);
}

#endif
