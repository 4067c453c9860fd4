/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the ways to permute registers share. */
#ifndef LAYOUT_LOWER_PERMUTE_PARTS_H
#define LAYOUT_LOWER_PERMUTE_PARTS_H

#include "lower/tile/permute.h"

/* Bits from "bit" on of a word; words count through all vectors of a side, and a vector
 * narrower than a word has one of its own. */
struct word_place {
	unsigned word, bit;
};

/* A cell of a tuple of registers.  "content" is where what it must end with was loaded;
 * "value" is what it holds now. */
struct word_cell {
	unsigned content;
	bool settled, moved;
	LLVMValueRef value;
};

/* One instruction that gathers bytes of two words, for up to two results. */
struct byte_pair {
	unsigned words[2];
	unsigned used;		/* bytes */
	unsigned bytes[4];	/* as the selector has them */
	LLVMValueRef value;
};

enum permute_kind { PERMUTE_WORDS, PERMUTE_BYTES, PERMUTE_NIBBLES };

struct permute_work {
	enum permute_kind kind;
	unsigned load_words, store_words;	/* of a vector */
	LLVMValueRef *words;			/* as loaded */

	unsigned *load_cell, *store_cell;	/* PERMUTE_WORDS, by word */
	struct word_cell *cells;

	unsigned pair_count;			/* PERMUTE_BYTES */
	struct byte_pair *pairs;
};

/* Where the bits of stored word "word", from "bit" on, were loaded. */
struct word_place permute_source(const struct permute *permute, unsigned word,
	unsigned bit);

/* Valid bits in a word of a stored vector. */
unsigned permute_word_bits(const struct permute *permute);

LLVMValueRef permute_int(const struct permute *permute, unsigned value);

bool permute_words_open(layout_context *ctx, struct permute *permute);
LLVMValueRef permute_words_take(struct permute *permute, unsigned word);
bool permute_words_untouched(const struct permute *permute, unsigned s,
	unsigned *loaded);

bool permute_bytes_open(layout_context *ctx, struct permute *permute);
LLVMValueRef permute_bytes_take(struct permute *permute, unsigned word);
LLVMValueRef permute_nibbles_take(struct permute *permute, unsigned word);

#endif
