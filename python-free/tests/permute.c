/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements from loaded vectors to stored ones: on constants, which LLVM's builder folds,
 * so that what each instruction gives can be looked at here. */
#include "lower/tile/permute.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MOST 512	/* elements */

static unsigned exchanges, byte_permutes;

static void exchange(LLVMBuilderRef builder, LLVMValueRef pair[2])
{
	LLVMValueRef kept = pair[0];

	(void)builder;
	pair[0] = pair[1];
	pair[1] = kept;
	exchanges++;
}

static LLVMValueRef permute_bytes(LLVMBuilderRef builder, LLVMValueRef high,
	LLVMValueRef low, const unsigned picked[4])
{
	uint64_t bytes = LLVMConstIntGetZExtValue(high) << 32 |
		LLVMConstIntGetZExtValue(low);
	uint64_t result = 0;

	(void)builder;
	byte_permutes++;
	for (unsigned b = 0; b < 4; b++) {
		assert_true(picked[b] < 8 || picked[b] == TARGET_NO_BYTE);
		if (picked[b] != TARGET_NO_BYTE)
			result |= (bytes >> 8 * picked[b] & 0xff) << 8 * b;
	}
	return LLVMConstInt(LLVMTypeOf(low), result, false);
}

static const struct target_hooks hooks = { .exchange = exchange,
	.permute_bytes = permute_bytes };

/* Vectors of "bits" wide elements: so many of so many on each side. */
struct shape {
	unsigned bits, load_vector, load_count, store_vector, store_count;
};

/* Bit "bit" of loaded element "e". */
static unsigned bit_of(unsigned e, unsigned bit)
{
	uint64_t hash = (e + 1) * UINT64_C(0x9e3779b97f4a7c15);

	hash ^= hash >> 29;
	return hash * UINT64_C(0xbf58476d1ce4e5b9) >> (63 - bit) & 1;
}

static unsigned bits_of_word(const struct shape *shape, unsigned vector, unsigned word)
{
	unsigned bits = 0, valid = shape->load_vector * shape->bits;

	for (unsigned bit = 0; bit < 32 && 32 * word + bit < valid; bit++) {
		unsigned at = 32 * word + bit;

		bits |= bit_of(vector * shape->load_vector + at / shape->bits,
			at % shape->bits) << bit;
	}
	return bits;
}

static LLVMValueRef loaded_vector(LLVMContextRef llvm, const struct shape *shape,
	unsigned vector)
{
	unsigned bytes = shape->bits * shape->load_vector / 8;
	LLVMValueRef words[MOST];

	if (bytes <= 4)
		return LLVMConstInt(permute_type(llvm, bytes),
			bits_of_word(shape, vector, 0), false);
	for (unsigned w = 0; w < bytes / 4; w++)
		words[w] = LLVMConstInt(LLVMInt32TypeInContext(llvm),
			bits_of_word(shape, vector, w), false);
	return LLVMConstVector(words, bytes / 4);
}

static unsigned bit_of_vector(LLVMValueRef vector, unsigned at)
{
	if (LLVMGetTypeKind(LLVMTypeOf(vector)) == LLVMVectorTypeKind)
		vector = LLVMGetAggregateElement(vector, at / 32);
	assert_non_null(LLVMIsAConstantInt(vector));
	return LLVMConstIntGetZExtValue(vector) >> at % 32 & 1;
}

/* Elements in a stored vector that are not from[s]. */
static unsigned count_wrong(const struct shape *shape, LLVMValueRef vector, unsigned s,
	const unsigned *from)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < shape->store_vector; i++) {
		unsigned e = from[s * shape->store_vector + i];
		bool same = true;

		for (unsigned bit = 0; bit < shape->bits; bit++)
			same = same && bit_of_vector(vector, i * shape->bits + bit) ==
				bit_of(e, bit);
		wrong += !same;
	}
	return wrong;
}

/* How many elements arrive wrong; "as_loaded": stored vectors that are loaded ones. */
static unsigned run(const struct shape *shape, const unsigned *from, unsigned *as_loaded)
{
	layout_context *ctx = layout_context_new();
	LLVMContextRef llvm = LLVMContextCreate();
	LLVMValueRef loaded[MOST];
	struct permute permute = { .builder = LLVMCreateBuilderInContext(llvm),
		.hooks = &hooks, .bits = shape->bits, .load_vector = shape->load_vector,
		.store_vector = shape->store_vector, .load_count = shape->load_count,
		.store_count = shape->store_count, .from = from, .loaded = loaded };
	unsigned wrong = 0;

	exchanges = byte_permutes = *as_loaded = 0;
	for (unsigned i = 0; i < shape->load_count; i++)
		loaded[i] = loaded_vector(llvm, shape, i);
	assert_true(permute_open(ctx, &permute));
	for (unsigned s = 0; s < shape->store_count; s++) {
		LLVMValueRef vector = permute_take(&permute, s);

		assert_ptr_equal(LLVMTypeOf(vector), permute_type(llvm,
			shape->bits * shape->store_vector / 8));
		wrong += count_wrong(shape, vector, s, from);
		for (unsigned i = 0; i < shape->load_count; i++)
			*as_loaded += vector == loaded[i];
	}
	permute_close(&permute);
	LLVMDisposeBuilder(permute.builder);
	LLVMContextDispose(llvm);
	assert_true(layout_context_free(ctx));
	return wrong;
}

/* Stored element s is that of row s % rows and column s / rows of the loaded elements, a
 * row after the other; 0 rows: where it was. */
static const struct moved {
	struct shape shape;
	unsigned rows;
	unsigned exchanges, byte_permutes;
} moves[] = {
	{ { 32, 4, 4, 4, 4 }, 0, 0, 0 },
	{ { 8, 16, 2, 16, 2 }, 0, 0, 0 },
	{ { 32, 4, 4, 4, 4 }, 4, 6, 0 },
	{ { 64, 2, 2, 2, 2 }, 2, 2, 0 },
	{ { 32, 2, 2, 2, 2 }, 2, 1, 0 },
	{ { 32, 4, 3, 4, 3 }, 4, 8, 0 },	/* pixels of 3 */
	{ { 32, 4, 3, 4, 3 }, 3, 8, 0 },
	{ { 32, 4, 5, 4, 5 }, 4, 16, 0 },
	{ { 32, 2, 8, 4, 4 }, 4, 4, 0 },
	{ { 32, 1, 8, 4, 2 }, 2, 0, 0 },
	{ { 16, 8, 8, 8, 8 }, 8, 0, 32 },
	{ { 16, 2, 2, 2, 2 }, 2, 0, 2 },
	{ { 16, 8, 3, 8, 3 }, 8, 0, 12 },
	{ { 8, 4, 4, 4, 4 }, 4, 0, 8 },
	{ { 8, 16, 16, 16, 16 }, 16, 0, 128 },
	{ { 8, 16, 3, 16, 3 }, 16, 0, 28 },
	{ { 8, 4, 1, 1, 4 }, 0, 0, 0 },
	{ { 8, 1, 4, 4, 1 }, 0, 0, 3 },
	{ { 4, 8, 8, 8, 8 }, 8, 0, 0 },
	{ { 2, 16, 16, 16, 16 }, 16, 0, 0 },
};

static void test_moves(void **state)
{
	unsigned from[MOST], failures = 0;

	(void)state;
	for (size_t m = 0; m < COUNT(moves); m++) {
		const struct shape *shape = &moves[m].shape;
		unsigned count = shape->store_vector * shape->store_count, same, wrong;
		unsigned rows = moves[m].rows;

		for (unsigned s = 0; s < count; s++)
			from[s] = rows ? s % rows * (count / rows) + s / rows : s;
		wrong = run(shape, from, &same);
		if (!wrong && exchanges == moves[m].exchanges &&
		    byte_permutes == moves[m].byte_permutes &&
		    (rows || shape->load_count != shape->store_count ||
		     same == shape->store_count))
			continue;
		printf("%u bits, %u x %u to %u x %u, %u rows: %u wrong, %u exchanges, "
			"%u byte permutes, %u as loaded\n", shape->bits,
			shape->load_count, shape->load_vector, shape->store_count,
			shape->store_vector, rows, wrong, exchanges, byte_permutes, same);
		failures++;
	}
	assert_int_equal(failures, 0);
}

/* Vectors of whole bytes, up to 16 of them. */
static struct shape random_shape(uint64_t *seed)
{
	static const unsigned widths[] = { 2, 4, 8, 16, 32, 64 };
	struct shape shape = { .bits = widths[random_below(seed, COUNT(widths))] };
	unsigned whole = shape.bits < 8 ? 8 / shape.bits : 1;
	unsigned widest = 0, load, store, most, rest = 1 + random_below(seed, 6);

	while (shape.bits * whole << widest < 128)
		widest++;
	load = random_below(seed, widest + 1);
	store = random_below(seed, widest + 1);
	most = load > store ? load : store;
	shape.load_vector = whole << load;
	shape.store_vector = whole << store;
	shape.load_count = rest << (most - load);
	shape.store_count = rest << (most - store);
	return shape;
}

static void test_random(void **state)
{
	uint64_t seed = random_seed();
	unsigned from[MOST], same;

	(void)state;
	for (unsigned n = 0; n < 2000; n++) {
		struct shape shape = random_shape(&seed);
		unsigned count = shape.store_vector * shape.store_count;
		unsigned moved = random_below(&seed, 2) ? count :
			random_below(&seed, count + 1);

		assert_true(count <= MOST);
		for (unsigned s = 0; s < count; s++)
			from[s] = s;
		for (unsigned s = moved; s > 1; s--) {
			unsigned other = random_below(&seed, s), kept = from[s - 1];

			from[s - 1] = from[other];
			from[other] = kept;
		}
		if (run(&shape, from, &same))
			fail_msg("%u bits, %u x %u to %u x %u", shape.bits,
				shape.load_count, shape.load_vector, shape.store_count,
				shape.store_vector);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
