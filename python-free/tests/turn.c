/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements in vectors of every width, turned: of constants LLVM knows the result at once. */
#include "lower/block/turn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static LLVMContextRef llvm;
static LLVMBuilderRef builder;

static LLVMValueRef numbers(unsigned first, unsigned count)
{
	LLVMTypeRef type = LLVMInt32TypeInContext(llvm);
	LLVMValueRef list[64];

	for (unsigned i = 0; i < count; i++)
		list[i] = LLVMConstInt(type, first + i, false);
	return LLVMConstVector(list, count);
}

/* "from" is set. */
static void check(struct turn *turn)
{
	LLVMValueRef values[TURN_ELEMENTS];

	turn->builder = builder;
	for (unsigned i = 0; i < turn->elements; i += turn->given)
		values[i / turn->given] = numbers(i, turn->given);
	turn_lower(turn, values);
	for (unsigned q = 0; q < turn->elements; q++) {
		LLVMValueRef value = values[q / turn->wanted], element;

		assert_int_equal(LLVMGetVectorSize(LLVMTypeOf(value)), turn->wanted);
		element = LLVMGetAggregateElement(value, q % turn->wanted);
		assert_int_equal(LLVMConstIntGetZExtValue(element), turn->from[q]);
	}
}

/* A matrix of so many rows and columns, from row to row, by columns. */
static void turn_matrix(struct turn *turn, unsigned rows, unsigned columns)
{
	turn->elements = rows * columns;
	for (unsigned q = 0; q < turn->elements; q++)
		turn->from[q] = q % rows * columns + q / rows;
}

static void test_matrices(void **state)
{
	static struct turn turn;

	(void)state;
	for (turn.bytes = 1; turn.bytes <= 8; turn.bytes *= 2)
		for (unsigned rows = 2; rows <= 64; rows *= 2)
			for (unsigned columns = 2; rows * columns <= TURN_ELEMENTS && columns <= 64;
			     columns *= 2) {
				turn_matrix(&turn, rows, columns);
				turn.given = columns;
				turn.wanted = rows;
				check(&turn);
			}
}

/* Rows whose number is no power of two, vectors that go across their ends. */
static void test_mixed(void **state)
{
	static struct turn turn;

	(void)state;
	turn.bytes = 1;
	for (unsigned rows = 3; rows <= 7; rows += 2) {
		turn_matrix(&turn, 16, rows);
		turn.given = turn.wanted = 16;
		check(&turn);
		turn.wanted = 8;
		check(&turn);
		turn_matrix(&turn, rows, 16);
		turn.wanted = 16;
		check(&turn);
	}
}

/* In passes, group by group, the same elements come to the same vectors. */
static void check_passes(struct turn *turn)
{
	static struct turn_pass pass[TURN_PASSES];
	unsigned to[TURN_BITS], count = turn->elements / turn->given;
	LLVMValueRef values[TURN_ELEMENTS];

	turn->builder = builder;
	assert_true(turn_in_passes(turn, pass, to));
	for (unsigned i = 0; i < count; i++)
		values[i] = numbers(i * turn->given, turn->given);
	for (unsigned k = 0; k < TURN_PASSES; k++)
		for (unsigned group = 0; group < count; group++) {
			LLVMValueRef some[TURN_ELEMENTS];

			if (group & pass[k].bits)
				continue;
			for (unsigned i = 0; i <= pass[k].bits; i++)
				some[i] = i & ~pass[k].bits ? NULL : values[i | group];
			turn_pass_lower(turn, &pass[k], some);
			for (unsigned i = 0; i <= pass[k].bits; i++)
				if (some[i])
					values[i | group] = some[i];
		}
	for (unsigned i = 0; i < count; i++) {
		unsigned v = 0;

		for (unsigned bit = 0; 1u << bit < count; bit++)
			v |= (i >> bit & 1) << to[bit];
		for (unsigned l = 0; l < turn->wanted; l++)
			assert_int_equal(LLVMConstIntGetZExtValue(LLVMGetAggregateElement(
				values[i], l)), turn->from[v * turn->wanted + l]);
	}
}

static void test_passes(void **state)
{
	static struct turn turn;
	static struct turn_pass pass[TURN_PASSES];
	unsigned to[TURN_BITS];

	(void)state;
	turn.bytes = 1;
	turn_matrix(&turn, 64, 64);
	turn.given = turn.wanted = 64;
	check_passes(&turn);
	turn_matrix(&turn, 16, 16);
	turn.given = turn.wanted = 16;
	assert_false(turn_in_passes(&turn, pass, to));
}

/* Any order of the bits. */
static void test_bits(void **state)
{
	static struct turn turn;
	unsigned order[8], random = 7;

	(void)state;
	turn.elements = 256;
	for (unsigned n = 0; n < 300; n++) {
		for (unsigned i = 0; i < 8; i++) {
			unsigned at;

			random = random * 1103515245 + 12345;
			at = (random >> 16) % (i + 1);
			order[i] = order[at];
			order[at] = i;
		}
		for (unsigned q = 0; q < turn.elements; q++) {
			turn.from[q] = 0;
			for (unsigned i = 0; i < 8; i++)
				turn.from[q] |= (q >> i & 1) << order[i];
		}
		turn.bytes = 1u << n % 4;
		turn.given = 1u << (1 + n % 5);
		turn.wanted = 1u << (1 + n / 5 % 6);
		check(&turn);
	}
}

static int begin(void **state)
{
	(void)state;
	llvm = LLVMContextCreate();
	builder = LLVMCreateBuilderInContext(llvm);
	return 0;
}

static int end(void **state)
{
	(void)state;
	LLVMDisposeBuilder(builder);
	LLVMContextDispose(llvm);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matrices),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_bits),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
