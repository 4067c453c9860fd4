/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/piece.h"

static struct f2_piece bit_of(const struct f2 *f2, unsigned out, unsigned begin)
{
	struct f2_piece piece = { .begin = begin, .length = 1 };
	unsigned number = 0;

	piece.flipped = f2_get_constant(f2, out) >> begin & 1;
	for (unsigned i = 0; i < f2->in_rank; i++)
		for (unsigned bit = 0; bit < f2->in_widths[i]; bit++)
			if (f2_get(f2, number++, out) >> begin & 1) {
				piece.sources++;
				piece.in = i;
				piece.bit = bit;
			}
	return piece;
}

static bool continues(const struct f2_piece *piece, const struct f2_piece *next)
{
	return piece->sources == next->sources && piece->flipped == next->flipped &&
		(!piece->sources || (piece->in == next->in &&
			piece->bit + piece->length == next->bit));
}

struct f2_piece f2_piece_at(const struct f2 *f2, unsigned out, unsigned begin)
{
	struct f2_piece piece = bit_of(f2, out, begin), next;

	while (piece.sources < 2 && begin + piece.length < f2->out_widths[out]) {
		next = bit_of(f2, out, begin + piece.length);
		if (!continues(&piece, &next))
			break;
		piece.length++;
	}
	return piece;
}
