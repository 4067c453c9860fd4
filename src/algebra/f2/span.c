/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/f2/span.h"
#include "algebra/f2/bits.h"

#include <string.h>

void f2_span_begin(struct f2_span *span, unsigned words, unsigned sources)
{
	span->words = words;
	span->source_words = bits_words(sources);
	span->count = 0;
}

uint64_t *f2_span_at(struct f2_span *span, unsigned i)
{
	return span->rows + (size_t)i * (span->words + span->source_words);
}

uint64_t *f2_span_row(struct f2_span *span)
{
	uint64_t *row = f2_span_at(span, span->count);

	memset(row, 0, (span->words + span->source_words) * sizeof(*row));
	return row;
}

uint64_t *f2_span_sources(const struct f2_span *span, uint64_t *row)
{
	return row + span->words;
}

/* One word each: what a machine's layouts need.  No row has another's pivot, so that
 * the pivots can be looked at before anything is added. */
static bool reduce_short(const struct f2_span *span, uint64_t *row)
{
	uint64_t vector = row[0], sources = row[1], given = row[0];
	const uint64_t *rows = span->rows;

	for (unsigned i = 0; i < span->count; i++) {
		uint64_t has = -(given >> span->pivots[i] & 1);

		vector ^= rows[2 * i] & has;
		sources ^= rows[2 * i + 1] & has;
	}
	row[0] = vector;
	row[1] = sources;
	return !vector;
}

bool f2_span_reduce(const struct f2_span *span, uint64_t *row)
{
	unsigned stride = span->words + span->source_words;

	if (stride == 2)
		return reduce_short(span, row);
	for (unsigned i = 0; i < span->count; i++)
		if (bits_test(row, span->pivots[i]))
			bits_add(row, span->rows + (size_t)i * stride, stride);
	return bits_lowest(row, span->words) < 0;
}

/* Take the pivot of the new row, the last one, out of the others. */
static void clear_pivot(struct f2_span *span, unsigned pivot)
{
	unsigned stride = span->words + span->source_words;
	const uint64_t *row = f2_span_at(span, span->count);
	uint64_t *other = span->rows;

	for (unsigned i = 0; i < span->count; i++, other += stride) {
		if (stride == 2) {
			uint64_t has = -(other[0] >> pivot & 1);

			other[0] ^= row[0] & has;
			other[1] ^= row[1] & has;
		} else if (bits_test(other, pivot)) {
			bits_add(other, row, stride);
		}
	}
}

bool f2_span_add(struct f2_span *span, unsigned source)
{
	uint64_t *row = f2_span_at(span, span->count);
	int pivot;

	if (f2_span_reduce(span, row))
		return false;
	bits_flip(f2_span_sources(span, row), source);
	pivot = bits_lowest(row, span->words);
	clear_pivot(span, (unsigned)pivot);
	span->pivots[span->count++] = (uint16_t)pivot;
	return true;
}

bool f2_span_add_column(struct f2_span *span, const struct f2 *f2, unsigned bit)
{
	memcpy(f2_span_row(span), f2_column(f2, bit), f2->words * sizeof(uint64_t));
	return f2_span_add(span, bit);
}

void f2_span_columns(struct f2_span *span, const struct f2 *f2)
{
	f2_span_begin(span, f2->words, f2->in_bits);
	for (unsigned i = 0; i < f2->in_bits; i++)
		f2_span_add_column(span, f2, i);
}
