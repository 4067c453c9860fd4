/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/bank.h"

#include "algebra/lds/lds.h"

#include <inttypes.h>
#include <stdlib.h>

#define WORD (8 * LDS_WORD)	/* bits */
#define WIDEST 128		/* bits of a lane's access */

/* A word that a lane wants, of an element in the grid. */
struct want {
	size_t access;		/* of a wave */
	int64_t phase, bank;	/* lanes that are served together */
	__int128 word;
	size_t element;
};

static __int128 floor_divide(__int128 number, __int128 by)
{
	return number / by - (number % by < 0);
}

static __int128 first_bit(const struct show_banks *banks, int64_t offset)
{
	return (__int128)offset * banks->element_bits;
}

static int64_t bank_of_word(const struct show_banks *banks, __int128 word)
{
	return (int64_t)(word - floor_divide(word, banks->banks) * banks->banks);
}

int64_t show_bank(const struct show_banks *banks, int64_t offset)
{
	return bank_of_word(banks, floor_divide(first_bit(banks, offset), WORD));
}

static bool is_access(unsigned bits)
{
	return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 96 ||
		bits == 128;
}

/* Are the elements from this one on, as many as the row has of an access, one behind the
 * other from a multiple of its bits on?  Elements without a place take no part. */
static bool is_run(const struct show_picture *picture, const struct show_banks *banks,
	size_t element, int64_t columns)
{
	const struct show_place *first = show_place_first(picture, element), *place;
	__int128 bits = columns * banks->element_bits;
	__int128 begin = first ? first_bit(banks, first->memory) : 0;

	if (bits != 96 && begin % bits)
		return false;
	for (int64_t i = 0; i < columns; i++) {
		place = element + (size_t)i < picture->count ?
			show_place_first(picture, element + (size_t)i) : NULL;
		if (!first != !place || (place && (__int128)place->memory - i != first->memory))
			return false;
	}
	return true;
}

static bool all_run(const struct show_picture *picture, const struct show_banks *banks,
	int64_t columns)
{
	for (size_t e = 0; e < picture->count; e += (size_t)columns)
		if (!is_run(picture, banks, e, columns))
			return false;
	return true;
}

/* The widest access that every lane has; of elements of less than a byte that do not
 * follow each other the bytes that they are in. */
static void choose_access(struct show_banks *banks, const struct show_picture *picture)
{
	int64_t columns = picture->size[SHOW_COLUMNS];

	banks->columns = 1;
	banks->bits = banks->element_bits < 8 ? 8 :
		is_access(banks->element_bits) ? banks->element_bits : 0;
	for (int64_t take = 2; take * banks->element_bits <= WIDEST; take *= 2)
		if (columns % take == 0 && is_access((unsigned)take * banks->element_bits) &&
				all_run(picture, banks, take)) {
			banks->columns = take;
			banks->bits = (unsigned)take * banks->element_bits;
		}
}

/* Which of the lanes of its wave are served with this one: the least of them. */
static int64_t phase_of(const struct show_banks *banks, int64_t lane)
{
	unsigned wide = banks->bits > WORD ? banks->bits : WORD;
	int64_t together = (int64_t)banks->banks * WORD / wide;

	if (banks->lds) {
		const struct lds_known *known = lds_known(banks->lds, banks->bits, false);

		return lds_group(known->candidates[0], (unsigned)lane);
	}
	return lane / (together ? together : 1);
}

/* The access that an element is of, and the lanes that are served with its lane: waves of
 * threads end where those of the layout do. */
static struct want want_of(const struct show_banks *banks,
	const struct show_picture *picture, size_t element)
{
	int64_t columns = picture->size[SHOW_COLUMNS], rows = picture->size[SHOW_ROWS];
	int64_t row = (int64_t)element / columns % rows;
	int64_t slice = (int64_t)element / columns / rows;
	int64_t lanes = show_grid_of(&picture->pairs) == SHOW_GRID_THREADS ?
		picture->lanes : rows;
	int64_t wave = banks->lds ? layout_lds_wave_size(banks->lds) : LDS_LANES;
	int64_t lane = row % lanes, waves = (lanes + wave - 1) / wave;
	int64_t number = (slice * ((rows + lanes - 1) / lanes) + row / lanes) * waves +
		lane / wave;

	return (struct want){
		.access = (size_t)(number * (columns / banks->columns) +
			(int64_t)element % columns / banks->columns),
		.phase = phase_of(banks, lane % wave), .element = element };
}

/* The words of an access that begin in an element: of one after the other, all of its
 * own. */
static size_t add_wants(const struct show_banks *banks,
	const struct show_picture *picture, size_t element, struct want *wants)
{
	const struct show_place *place = show_place_first(picture, element);
	__int128 begin, word, last;
	size_t count = 0;

	if (!place)
		return 0;
	begin = first_bit(banks, place->memory);
	word = floor_divide(begin, WORD);
	last = floor_divide(begin + banks->element_bits - 1, WORD);
	for (; word <= last; word++) {
		wants[count] = want_of(banks, picture, element);
		wants[count].bank = bank_of_word(banks, word);
		wants[count++].word = word;
	}
	return count;
}

static int compare(const void *left, const void *right)
{
	const struct want *a = left, *b = right;

	if (a->access != b->access)
		return a->access < b->access ? -1 : 1;
	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	if (a->bank != b->bank)
		return a->bank < b->bank ? -1 : 1;
	return (a->word > b->word) - (a->word < b->word);
}

/* What one bank does for one phase: as many cycles as there are words.  How many wants
 * that is. */
static size_t serve_bank(struct show_banks *banks, const struct want *wants, size_t count,
	int64_t *cycles)
{
	size_t end = 1;

	*cycles = 1;
	for (; end < count && wants[end].access == wants->access &&
			wants[end].phase == wants->phase && wants[end].bank == wants->bank; end++)
		*cycles += wants[end].word != wants[end - 1].word;
	for (size_t i = 0; *cycles > 1 && i < end; i++)
		banks->conflict[wants[i].element] = true;
	return end;
}

/* A phase takes as long as its busiest bank. */
static void serve(struct show_banks *banks, const struct want *wants, size_t count)
{
	int64_t busiest = 0;

	for (size_t i = 0; i < count;) {
		const struct want *first = &wants[i];
		int64_t cycles;

		i += serve_bank(banks, first, count - i, &cycles);
		busiest = cycles > busiest ? cycles : busiest;
		if (i < count && wants[i].access == first->access &&
				wants[i].phase == first->phase)
			continue;
		banks->accesses += i == count || wants[i].access != first->access;
		banks->cycles += busiest;
		banks->least++;
		busiest = 0;
	}
}

/* List what all lanes want of which bank, and serve it. */
static bool count_cycles(struct show_banks *banks, const struct show_picture *picture)
{
	size_t most = WIDEST / WORD + 1, count = 0;
	struct want *wants = layout_alloc(picture->ctx, picture->count * most,
		sizeof(*wants));

	for (size_t e = 0; wants && e < picture->count; e++)
		count += add_wants(banks, picture, e, wants + count);
	if (wants)
		qsort(wants, count, sizeof(*wants), compare);
	serve(banks, wants, count);
	free(wants);
	return wants;
}

struct show_banks *show_banks_new(const struct show_picture *picture,
	const layout_show_options *options)
{
	struct show_banks *banks = layout_alloc(picture->ctx, 1, sizeof(*banks));

	if (!banks)
		return NULL;
	*banks = (struct show_banks){ .lds = options->lds,
		.banks = options->lds ? layout_lds_banks(options->lds) : options->banks,
		.element_bits = options->element_bits,
		.conflict = layout_alloc(picture->ctx, picture->element_count,
			sizeof(*banks->conflict)) };
	choose_access(banks, picture);
	if (banks->conflict && (!banks->bits || count_cycles(banks, picture)))
		return banks;
	show_banks_free(banks);
	return NULL;
}

void show_banks_free(struct show_banks *banks)
{
	if (!banks)
		return;
	free(banks->conflict);
	free(banks);
}

void show_banks_describe(struct layout_buffer *out, const struct show_banks *banks)
{
	layout_buffer_printf(out, "%u banks%s%s: ", banks->banks,
		banks->lds ? " of " : "", banks->lds ? layout_lds_name(banks->lds) : "");
	if (!banks->bits) {
		layout_buffer_printf(out, "no access has elements of %u bits",
			banks->element_bits);
		return;
	}
	layout_buffer_printf(out, "%" PRId64 " read%s of %u bits a lane, a lane a row, "
		"take%s %" PRId64 " cycle%s", banks->accesses, banks->accesses == 1 ? "" : "s",
		banks->bits, banks->accesses == 1 ? "s" : "", banks->cycles,
		banks->cycles == 1 ? "" : "s");
	if (banks->cycles > banks->least)
		layout_buffer_printf(out, ", %" PRId64 " without conflicts (!)",
			banks->least);
	else
		layout_buffer_printf(out, ", without conflicts");
}
