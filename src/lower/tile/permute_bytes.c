/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes and halves, by permutes: an instruction picks any four bytes of two words.
 *
 * A result of three or four words takes its first two bytes from one intermediate and
 * its last two from another.  An intermediate has room for four bytes of its two words,
 * so two results share it: 4 x 4 bytes are transposed in eight instructions. */
#include "lower/tile/permute_parts.h"

/* Where the bytes of a result were loaded; "count" of them mean something. */
struct byte_sources {
	unsigned count;
	unsigned word[4], byte[4];
};

static struct byte_sources find_sources(const struct permute *permute, unsigned word)
{
	struct byte_sources sources = { permute_word_bits(permute) / 8, { 0 }, { 0 } };

	for (unsigned b = 0; b < sources.count; b++) {
		struct word_place place = permute_source(permute, word, 8 * b);

		sources.word[b] = place.word;
		sources.byte[b] = place.bit / 8;
	}
	return sources;
}

static LLVMValueRef pick(const struct permute *permute, LLVMValueRef low,
	LLVMValueRef high, const unsigned *bytes)
{
	return permute->hooks->permute_bytes(permute->builder, high, low, bytes);
}

bool permute_bytes_open(layout_context *ctx, struct permute *permute)
{
	struct permute_work *work = permute->work;

	work->pairs = layout_alloc(ctx, 2 * (size_t)permute->store_count *
		work->store_words, sizeof(*work->pairs));
	return work->pairs;
}

/* Bytes b and b + 1 of a result, as two bytes of an intermediate. */
static bool pair_has(const struct byte_pair *pair, const struct byte_sources *sources,
	unsigned b, unsigned first)
{
	return pair->bytes[first] == sources->byte[b] &&
		pair->bytes[first + 1] == 4 + sources->byte[b + 1];
}

static LLVMValueRef make_pair(const struct permute *permute, const struct byte_pair *pair)
{
	const struct permute_work *work = permute->work;

	return pick(permute, work->words[pair->words[0]], work->words[pair->words[1]],
		pair->bytes);
}

/* What the second user of an intermediate will want of it: the next result with these
 * two words in these two bytes.  Asking ahead lets one instruction serve both. */
static void fill_pair(const struct permute *permute, struct byte_pair *pair,
	unsigned word, unsigned b)
{
	unsigned count = permute->store_count * permute->work->store_words;

	for (unsigned w = word + 1; w < count && pair->used < 4; w++) {
		struct byte_sources sources = find_sources(permute, w);

		if (sources.count < 4 || sources.word[b] != pair->words[0] ||
		    sources.word[b + 1] != pair->words[1] ||
		    pair_has(pair, &sources, b, 0))
			continue;
		pair->bytes[2] = sources.byte[b];
		pair->bytes[3] = 4 + sources.byte[b + 1];
		pair->used = 4;
	}
}

/* The intermediate with bytes b and b + 1 of a result, which are its bytes "*first" and
 * the next. */
static LLVMValueRef take_pair(struct permute *permute, unsigned word,
	const struct byte_sources *sources, unsigned b, unsigned *first)
{
	struct permute_work *work = permute->work;
	struct byte_pair *pair = work->pairs;

	for (; pair < work->pairs + work->pair_count; pair++)
		for (*first = 0; *first < pair->used; *first += 2)
			if (pair->words[0] == sources->word[b] &&
			    pair->words[1] == sources->word[b + 1] &&
			    pair_has(pair, sources, b, *first))
				return pair->value;
	*pair = (struct byte_pair){
		.words = { sources->word[b], sources->word[b + 1] }, .used = 2,
		.bytes = { sources->byte[b], 4 + sources->byte[b + 1],
			TARGET_NO_BYTE, TARGET_NO_BYTE },
	};
	fill_pair(permute, pair, word, b);
	pair->value = make_pair(permute, pair);
	work->pair_count++;
	*first = 0;
	return pair->value;
}

/* The other word of a result that has at most two; false: it has more. */
static bool find_second(const struct byte_sources *sources, unsigned *second)
{
	*second = sources->word[0];
	for (unsigned b = 1; b < sources->count; b++) {
		if (*second == sources->word[0])
			*second = sources->word[b];
		if (sources->word[b] != sources->word[0] && sources->word[b] != *second)
			return false;
	}
	return true;
}

/* Bytes of one word, from a byte on, in order. */
static bool is_shift(const struct byte_sources *sources)
{
	for (unsigned b = 1; b < sources->count; b++)
		if (sources->word[b] != sources->word[0] ||
		    sources->byte[b] != sources->byte[0] + b)
			return false;
	return true;
}

static LLVMValueRef take_two(struct permute *permute, const struct byte_sources *sources,
	unsigned second)
{
	const struct permute_work *work = permute->work;
	unsigned bytes[4];

	for (unsigned b = 0; b < 4; b++)
		bytes[b] = b >= sources->count ? TARGET_NO_BYTE :
			sources->byte[b] + (sources->word[b] == sources->word[0] ? 0 : 4);
	return pick(permute, work->words[sources->word[0]], work->words[second], bytes);
}

static LLVMValueRef take_four(struct permute *permute, unsigned word,
	const struct byte_sources *sources)
{
	unsigned low, high;
	LLVMValueRef a = take_pair(permute, word, sources, 0, &low);
	LLVMValueRef b = take_pair(permute, word, sources, 2, &high);
	const unsigned bytes[] = { low, low + 1, 4 + high, 5 + high };

	return pick(permute, a, b, bytes);
}

LLVMValueRef permute_bytes_take(struct permute *permute, unsigned word)
{
	struct byte_sources sources = find_sources(permute, word);
	unsigned second;

	if (is_shift(&sources))
		return LLVMBuildLShr(permute->builder,
			permute->work->words[sources.word[0]],
			permute_int(permute, 8 * sources.byte[0]), "bytes");
	if (find_second(&sources, &second))
		return take_two(permute, &sources, second);
	return take_four(permute, word, &sources);
}
