/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Element types: a name, a width, and how a number becomes bits. */
#ifndef LAYOUT_ALGEBRA_STORAGE_ELEMENT_H
#define LAYOUT_ALGEBRA_STORAGE_ELEMENT_H

#include "isl_bridge/context.h"

/* The last five only matter for 'f': the exponent's bias, and the bits of a NaN, 0 where
 * there is none; formats without infinities have "finite".
 *
 * In memory elements lie bit after bit, the lowest first: element e begins at bit
 * e*bits, bit b of memory is bit b mod 8 of byte b / 8, and what the last byte has
 * beyond the last element means nothing. */
struct element_type {
	const char *name;
	unsigned bits;
	char kind;			/* 'i' signed, 'u' unsigned, 'b' 0 or 1, */
					/* 'f' floating point, 'e' the exponent of a */
					/* power of 2 */
	unsigned exponent, mantissa;	/* bits */
	int bias;
	uint64_t nan;
	bool finite;
};

/* NULL with LAYOUT_ERROR_INVALID. */
const struct element_type *element_type_find(layout_context *ctx, const char *name);

/* The bits of the largest finite number of a floating point type. */
LAYOUT_INTERNAL uint64_t element_type_largest(const struct element_type *type)
	LAYOUT_SYMBOL(element_type_largest);

/* The bits of a finite number that is not negative, rounded to nearest even in a format
 * of as many exponents as it takes: beyond the largest number of "type" they mean nothing. */
uint64_t element_type_round(const struct element_type *type, double value);

/* The bits of the number "text": decimal, or 0x... for the bits themselves.  Floats
 * round to nearest even.  LAYOUT_ERROR_INVALID where it is no number, or none that
 * the type can hold. */
bool element_type_bits(layout_context *ctx, const struct element_type *type,
	const char *text, uint64_t *bits);

#endif
