/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who holds which element of a tile: the digits of the element's coordinates, each
 * decided by the thread or running through a thread's registers.  A digit may be of lane
 * and subgroup together, which those of a `struct owner` are not. */
#ifndef LAYOUT_ALGEBRA_TILING_DISTRIBUTION_H
#define LAYOUT_ALGEBRA_TILING_DISTRIBUTION_H

#include "algebra/digits/digit.h"
#include "algebra/tiling/resolution.h"

/* Digits have a radix > 1, so that there are fewer than bits of all coordinates. */
#define TILING_DIGITS (TILING_LOOPS * 63)

/* Digits of the tile's coordinates, held by the flat thread, subgroup*wave_size + lane, or
 * by a thread's registers. */
struct tile_digits {
	layout_context *ctx;
	int64_t subgroups, wave_size;
	unsigned rank;
	int64_t sizes[TILING_LOOPS];
	unsigned count;
	struct held_digit items[TILING_DIGITS];
};

/* The coordinate of a loop in the encoding's tile; false where it has none. */
bool tile_find_coordinate(const layout_resolution *resolution, layout_loop loop,
	unsigned *coordinate);

/* No digits yet, of a tile as the encoding has it. */
void tile_digits_start(struct tile_digits *digits, const layout_resolution *resolution);

/* Nothing where the radix is 1. */
void tile_digits_add(struct tile_digits *digits, struct held_digit digit);

/* Make two of digit i where its lower part has radix "lower", which divides its own. */
void tile_digits_cut(struct tile_digits *digits, unsigned i, int64_t lower);

/* The digits as the encoding's parts say; false with the error on the context. */
bool tile_digits_of_encoding(struct tile_digits *digits,
	const layout_resolution *resolution);

#endif
