/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements of less than a byte, which are stored as whole bytes. */
#ifndef LAYOUT_PROGRAM_BYTES_H
#define LAYOUT_PROGRAM_BYTES_H

#include "algebra/storage/address.h"
#include "program/access.h"
#include "program/program.h"

/* The fewest elements that fill whole bytes. */
static inline unsigned program_byte_elements(const struct element_type *type)
{
	return type->bits % 8 == 0 ? 1 : type->bits == 6 ? 4 : 8 / type->bits;
}

/* Do the registers of every lane hold all elements of the bytes that they have some of,
 * wherever rows begin with a byte, from order[0] on as many at a time? */
LAYOUT_INTERNAL bool program_fills_bytes(const struct access_split *split,
	const struct storage_access *access, const struct owner *owner,
	const struct program_place *place, const struct element_type *type)
	LAYOUT_SYMBOL(program_fills_bytes);

/* Where rows do, over the sizes: an index. */
LAYOUT_INTERNAL struct index *program_rows_are_bytes(const struct storage_access *access,
	const struct element_type *type) LAYOUT_SYMBOL(program_rows_are_bytes);

#endif
