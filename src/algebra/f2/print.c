/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/print.h"
#include "algebra/f2/piece.h"

#include <inttypes.h>

/* floor(x/2^bit) */
static void print_from(struct layout_buffer *out, const char *name, unsigned bit)
{
	if (bit)
		layout_buffer_printf(out, "floor(%s/%" PRId64 ")", name,
			(int64_t)1 << bit);
	else
		layout_buffer_printf(out, "%s", name);
}

/* "4*(floor(i/2) mod 8)", "4*floor(i/2)", "4i" */
static void print_digit(struct layout_buffer *out, const struct f2 *f2,
	const struct f2_piece *piece, const char *name)
{
	bool mod = !f2_piece_is_last(f2, piece);

	if (piece->begin)
		layout_buffer_printf(out, "%" PRId64 "%s%s", (int64_t)1 << piece->begin,
			mod || piece->bit ? "*" : "", mod ? "(" : "");
	print_from(out, name, piece->bit);
	if (mod)
		layout_buffer_printf(out, " mod %" PRId64 "%s", f2_piece_last(piece) + 1,
			piece->begin ? ")" : "");
}

/* "4*((i + floor(j/2) + 1) mod 2)" */
static void print_parity(struct layout_buffer *out, const struct f2 *f2,
	unsigned coordinate, const struct f2_piece *piece, const char *const *names)
{
	const char *separator = "";
	unsigned number = 0;

	if (piece->begin)
		layout_buffer_printf(out, "%" PRId64 "*(", (int64_t)1 << piece->begin);
	layout_buffer_printf(out, "(");
	for (unsigned i = 0; i < f2->in_rank; i++)
		for (unsigned bit = 0; bit < f2->in_widths[i]; bit++) {
			if (!(f2_get(f2, number++, coordinate) >> piece->begin & 1))
				continue;
			layout_buffer_printf(out, "%s", separator);
			print_from(out, names[i], bit);
			separator = " + ";
		}
	layout_buffer_printf(out, "%s) mod 2%s", piece->flipped ? " + 1" : "",
		piece->begin ? ")" : "");
}

/* The pieces from the highest bit down; at most one a bit. */
static unsigned split(const struct f2 *f2, unsigned coordinate, struct f2_piece *pieces)
{
	unsigned count = 0, bit = 0;

	while (bit < f2->out_widths[coordinate]) {
		pieces[count] = f2_piece_at(f2, coordinate, bit);
		bit += pieces[count++].length;
	}
	return count;
}

bool f2_has_parity(const struct f2 *f2, unsigned coordinate)
{
	struct f2_piece pieces[F2_WIDTH];
	unsigned count = split(f2, coordinate, pieces);

	for (unsigned i = 0; i < count; i++)
		if (pieces[i].sources > 1)
			return true;
	return false;
}

/* What the constant bits and the flipped digits add up to. */
static int64_t constant_of(const struct f2_piece *pieces, unsigned count)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < count; i++)
		if (pieces[i].flipped && pieces[i].sources < 2)
			sum += f2_piece_last(&pieces[i]) << pieces[i].begin;
	return sum;
}

void f2_print(struct layout_buffer *out, const struct f2 *f2, unsigned coordinate,
	const char *const *names)
{
	struct f2_piece pieces[F2_WIDTH];
	unsigned count = split(f2, coordinate, pieces), terms = 0;
	int64_t constant = constant_of(pieces, count);

	if (constant) {
		layout_buffer_printf(out, "%" PRId64, constant);
		terms++;
	}
	for (unsigned i = count; i-- > 0;) {
		const struct f2_piece *piece = &pieces[i];

		if (!piece->sources)
			continue;
		if (terms++)
			layout_buffer_printf(out, piece->flipped && piece->sources == 1 ?
				" - " : " + ");
		if (piece->sources == 1)
			print_digit(out, f2, piece, names[piece->in]);
		else
			print_parity(out, f2, coordinate, piece, names);
	}
	if (!terms)
		layout_buffer_printf(out, "0");
}
