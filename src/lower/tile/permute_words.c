/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whole words, by exchanges.
 *
 * The vectors of the wider side are tuples of registers; those of the other side are
 * pieces that lie in a tuple each.  Pieces are assigned to their places in the tuples,
 * those first that most words need not leave. */
#include "lower/tile/permute_parts.h"

#include <stdlib.h>

struct assignment {
	const struct permute *permute;
	bool store;		/* the pieces are stored, else loaded */
	unsigned piece;		/* words of a piece */
	unsigned count;		/* pieces, and places for them */
	unsigned *place;	/* by piece; NONE: not yet */
	bool *taken;		/* by place */
};

#define NONE UINT32_MAX

static unsigned word_count(const struct permute *permute)
{
	return permute->load_count * permute->work->load_words;
}

/* The loaded word that stored word "word" is. */
static unsigned source_word(const struct permute *permute, unsigned word)
{
	return permute_source(permute, word, 0).word;
}

/* The words, of "piece" consecutive ones, that stay where they are if the piece from
 * word "at" on has the place from word "place" on. */
static unsigned count_fixed(const struct assignment *a, const unsigned *source,
	unsigned at, unsigned place)
{
	unsigned fixed = 0;

	for (unsigned k = 0; k < a->piece; k++)
		fixed += a->store ? source[at + k] == place + k :
			source[place + k] == at + k;
	return fixed;
}

/* Give places to the pieces for which "fixed" words stay. */
static void assign_round(struct assignment *a, const unsigned *source, unsigned fixed)
{
	for (unsigned i = 0; i < a->count; i++)
		for (unsigned q = 0; q < a->count && a->place[i] == NONE; q++)
			if (!a->taken[q] && count_fixed(a, source, i * a->piece,
				q * a->piece) >= fixed) {
				a->place[i] = q;
				a->taken[q] = true;
			}
}

/* The cells of the words of both sides: the tuples' words in order are the cells. */
static void number_cells(const struct assignment *a)
{
	struct permute_work *work = a->permute->work;
	unsigned *pieces = a->store ? work->store_cell : work->load_cell;
	unsigned *tuples = a->store ? work->load_cell : work->store_cell;

	for (unsigned w = 0; w < word_count(a->permute); w++) {
		tuples[w] = w;
		pieces[w] = a->place[w / a->piece] * a->piece + w % a->piece;
	}
}

static void fill_cells(const struct permute *permute, const unsigned *source)
{
	struct permute_work *work = permute->work;

	for (unsigned w = 0; w < word_count(permute); w++) {
		work->cells[work->load_cell[w]].value = work->words[w];
		work->cells[work->store_cell[w]].content = work->load_cell[source[w]];
	}
}

static bool assign(layout_context *ctx, struct permute *permute, const unsigned *source)
{
	struct permute_work *work = permute->work;
	struct assignment a = { .permute = permute,
		.store = work->store_words <= work->load_words };
	bool ok;

	a.piece = a.store ? work->store_words : work->load_words;
	a.count = word_count(permute) / a.piece;
	a.place = layout_alloc(ctx, a.count, sizeof(*a.place));
	a.taken = layout_alloc(ctx, a.count, sizeof(*a.taken));
	ok = a.place && a.taken;
	for (unsigned i = 0; ok && i < a.count; i++)
		a.place[i] = NONE;
	for (unsigned fixed = a.piece + 1; ok && fixed--;)
		assign_round(&a, source, fixed);
	if (ok) {
		number_cells(&a);
		fill_cells(permute, source);
	}
	free(a.taken);
	free(a.place);
	return ok;
}

bool permute_words_open(layout_context *ctx, struct permute *permute)
{
	struct permute_work *work = permute->work;
	unsigned count = word_count(permute);
	unsigned *source = layout_alloc(ctx, count, sizeof(*source));
	bool ok;

	work->load_cell = layout_alloc(ctx, count, sizeof(unsigned));
	work->store_cell = layout_alloc(ctx, count, sizeof(unsigned));
	work->cells = layout_alloc(ctx, count, sizeof(*work->cells));
	ok = source && work->load_cell && work->store_cell && work->cells;
	for (unsigned w = 0; ok && w < count; w++)
		source[w] = source_word(permute, w);
	ok = ok && assign(ctx, permute, source);
	free(source);
	return ok;
}

static void exchange(struct permute *permute, struct word_cell *a, struct word_cell *b)
{
	LLVMValueRef pair[2] = { a->value, b->value };

	permute->hooks->exchange(permute->builder, pair);
	a->value = pair[0];
	b->value = pair[1];
	a->moved = b->moved = true;
}

/* Bring the whole cycle through a cell to rest: each cell gets its content from the
 * next, and what the first had travels along. */
static void settle(struct permute *permute, unsigned first)
{
	struct word_cell *cells = permute->work->cells;
	unsigned at = first;

	while (cells[at].content != first) {
		exchange(permute, &cells[at], &cells[cells[at].content]);
		cells[at].settled = true;
		at = cells[at].content;
	}
	cells[at].settled = true;
}

LLVMValueRef permute_words_take(struct permute *permute, unsigned word)
{
	unsigned cell = permute->work->store_cell[word];

	if (!permute->work->cells[cell].settled)
		settle(permute, cell);
	return permute->work->cells[cell].value;
}

bool permute_words_untouched(const struct permute *permute, unsigned s, unsigned *loaded)
{
	const struct permute_work *work = permute->work;
	unsigned words = work->store_words;

	*loaded = source_word(permute, s * words) / words;
	if (work->load_words != words)
		return false;
	for (unsigned k = 0; k < words; k++) {
		unsigned cell = work->store_cell[s * words + k];

		if (work->cells[cell].moved || source_word(permute, s * words + k) !=
			*loaded * words + k)
			return false;
	}
	return true;
}
