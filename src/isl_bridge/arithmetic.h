/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arithmetic on 64 bits that all the house shares. */
#ifndef LAYOUT_BRIDGE_ARITHMETIC_H
#define LAYOUT_BRIDGE_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

/* The exponent of a power of two, or -1. */
static inline int int_log2(int64_t value)
{
	return value > 0 && !(value & (value - 1)) ? __builtin_ctzll((uint64_t)value) :
		-1;
}

static inline bool int_is_power2(int64_t value)
{
	return int_log2(value) >= 0;
}

/* How many bits a number takes, 0 for 0. */
static inline unsigned int_width(uint64_t value)
{
	return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

/* The greatest common divisor of numbers >= 0. */
static inline int64_t int_gcd(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The fewest elements of so many bits that make up whole bytes. */
static inline int64_t int_whole_bytes(unsigned bits)
{
	return 8 / int_gcd(8, bits);
}

/* a modulo b > 0, from 0 on. */
static inline int64_t int_mod(int64_t a, int64_t b)
{
	int64_t rest = a % b;

	return rest < 0 ? rest + b : rest;
}

/* *sum += a * b; false where that does not fit. */
static inline bool int_add_product(int64_t *sum, int64_t a, int64_t b)
{
	int64_t product;

	return !__builtin_mul_overflow(a, b, &product) &&
		!__builtin_add_overflow(*sum, product, sum);
}

#endif
