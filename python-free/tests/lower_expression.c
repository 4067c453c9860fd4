/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Index expressions as machine code: random trees, evaluated by index_eval() and by
 * the functions that lowering, optimisation and the JIT make of them. */
#include "lower/expression.h"
#include "lower/jit.h"
#include "lower/llvm.h"
#include "lower/optimize.h"
#include "support/notations.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define TREES 300
#define SAMPLES 40
#define DEPTH 5

/* The variables: bounds that fit 32 bits, that just do not, and none. */
static const struct {
	int64_t min, max;	/* of the expression's variable */
	int64_t from, to;	/* of the values it is given */
} vars[] = {
	{ 0, INT32_MAX, 0, INT32_MAX },
	{ INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX },
	{ -7, 9, -7, 9 },
	{ 0, 255, 0, 255 },
	{ 0, (int64_t)INT32_MAX + 1, 0, (int64_t)INT32_MAX + 1 },
	{ -((int64_t)1 << 40), (int64_t)1 << 40, -((int64_t)1 << 40), (int64_t)1 << 40 },
	{ INT64_MIN, INT64_MAX, -((int64_t)1 << 50), (int64_t)1 << 50 },
};
#define VAR_COUNT (sizeof(vars) / sizeof(vars[0]))

static const int64_t divisors[] = { 1, 2, 3, 4, 7, 16, 100, 128, 1 << 20,
	(int64_t)INT32_MAX + 1, (int64_t)5 << 32 };
#define DIVISOR_COUNT (sizeof(divisors) / sizeof(divisors[0]))

static struct index *random_leaf(uint64_t *state)
{
	unsigned var = random_below(state, VAR_COUNT + 2);

	if (var < VAR_COUNT)
		return index_var(var, vars[var].min, vars[var].max);
	return index_int((int64_t)random_below(state, 41) - 20);
}

static struct index *random_divisor(uint64_t *state)
{
	return index_int(divisors[random_below(state, DIVISOR_COUNT)]);
}

/* A division whose operator's condition on the dividend holds. */
static struct index *random_division(uint64_t *state, struct index *a)
{
	struct index *divisor = random_divisor(state);

	switch (random_below(state, 5)) {
	case 0:
		return index_binary(INDEX_FDIV, a, divisor);
	case 1:
		return index_binary(INDEX_PDIV, index_binary(INDEX_MAX, a, index_int(0)),
			divisor);
	case 2:
		return index_binary(INDEX_PMOD, index_binary(INDEX_MAX, a, index_int(0)),
			divisor);
	case 3:
		return index_binary(INDEX_DIV, index_binary(INDEX_MUL, a,
			index_copy(divisor)), divisor);
	default:
		return index_binary(INDEX_EQ, index_binary(INDEX_ZMOD, a, divisor),
			index_int(0));
	}
}

static struct index *random_tree(uint64_t *state, unsigned depth)
{
	static const enum index_op binary[] = { INDEX_ADD, INDEX_SUB, INDEX_MUL,
		INDEX_MIN, INDEX_MAX, INDEX_EQ, INDEX_LE, INDEX_LT, INDEX_GE, INDEX_GT,
		INDEX_AND, INDEX_OR, INDEX_XOR };
	enum { BINARY_COUNT = sizeof(binary) / sizeof(binary[0]) };
	unsigned choice = depth ? random_below(state, BINARY_COUNT + 7) : 0;
	struct index *a, *b, *c;

	if (!depth)
		return random_leaf(state);
	a = random_tree(state, depth - 1);
	if (choice >= BINARY_COUNT + 2)
		return random_division(state, a);
	if (choice == BINARY_COUNT)
		return index_unary(INDEX_NEG, a);
	b = random_tree(state, depth - 1);
	if (choice < BINARY_COUNT && binary[choice] == INDEX_XOR) {
		a = index_binary(INDEX_MAX, a, index_int(0));
		b = index_binary(INDEX_MAX, b, index_int(0));
	}
	if (choice < BINARY_COUNT)
		return index_binary(binary[choice], a, b);
	c = random_tree(state, depth - 1);
	return index_select(a, b, c);
}

/* i64 NAME(const i64 *vars), each variable in the width that its bounds allow. */
static void add_function(LLVMModuleRef module, const char *name, const struct index *tree)
{
	LLVMContextRef llvm = LLVMGetModuleContext(module);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(llvm);
	LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm, 0);
	LLVMValueRef function = LLVMAddFunction(module, name,
		LLVMFunctionType(i64, &pointer, 1, false));
	LLVMValueRef values[VAR_COUNT];
	struct expression_scope scope = { LLVMCreateBuilderInContext(llvm), values };

	LLVMPositionBuilderAtEnd(scope.builder,
		LLVMAppendBasicBlockInContext(llvm, function, "entry"));
	for (unsigned i = 0; i < VAR_COUNT; i++) {
		LLVMValueRef place = LLVMConstInt(i64, i, false);
		LLVMValueRef address = LLVMBuildInBoundsGEP2(scope.builder, i64,
			LLVMGetParam(function, 0), &place, 1, "");

		values[i] = LLVMBuildLoad2(scope.builder, i64, address, "");
		if (i % 2 && vars[i].min >= INT32_MIN && vars[i].max <= INT32_MAX)
			values[i] = LLVMBuildTrunc(scope.builder, values[i],
				LLVMInt32TypeInContext(llvm), "");
	}
	LLVMBuildRet(scope.builder, expression_lower(&scope, tree));
	LLVMDisposeBuilder(scope.builder);
}

/* The trees as the functions f0, f1, .. */
static struct jit *compile(layout_context *ctx, struct index **trees, unsigned count,
	bool optimized)
{
	LLVMTargetMachineRef machine = lower_host_machine(ctx,
		LLVMCodeGenLevelDefault);
	LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
	struct lower_diagnostic diagnostic = { 0 };
	LLVMContextRef llvm = lower_context_new(&diagnostic);
	LLVMModuleRef module = LLVMModuleCreateWithNameInContext("trees", llvm);
	char *triple = LLVMGetTargetMachineTriple(machine), name[16];
	LLVMMemoryBufferRef object;
	struct jit *jit;

	LLVMSetModuleDataLayout(module, data);
	LLVMSetTarget(module, triple);
	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		add_function(module, name, trees[i]);
	}
	if (optimized && !optimize(ctx, module, machine))
		fail_msg("%s", layout_context_message(ctx));
	object = jit_compile(ctx, machine, module, NULL, NULL);
	jit = jit_new(ctx, object, NULL);
	LLVMDisposeMemoryBuffer(object);
	LLVMDisposeMessage(triple);
	LLVMDisposeModule(module);
	LLVMContextDispose(llvm);
	LLVMDisposeTargetData(data);
	assert_null(diagnostic.message);
	return jit;
}

/* A value between the bounds; often one of them. */
static int64_t random_value(uint64_t *state, unsigned var)
{
	int64_t from = vars[var].from, to = vars[var].to;
	uint64_t range = (uint64_t)to - (uint64_t)from + 1;
	uint64_t random = (uint64_t)random_below(state, UINT32_MAX) << 32 |
		random_below(state, UINT32_MAX);

	switch (random_below(state, 6)) {
	case 0:
		return from;
	case 1:
		return to;
	case 2:
		return from + (int64_t)(random % (range < 100 ? range : 100));
	default:
		return (int64_t)((uint64_t)from + random % range);
	}
}

static void fail_with(const struct index *tree, const int64_t *values, int64_t expected,
	int64_t got)
{
	static const char *const names[VAR_COUNT] = { "a", "b", "c", "d", "e", "f", "g" };
	struct layout_buffer out = { 0 };

	index_print(&out, tree, names);
	for (unsigned i = 0; i < VAR_COUNT; i++)
		layout_buffer_printf(&out, ", %s = %" PRId64, names[i], values[i]);
	layout_buffer_printf(&out, ": expected %" PRId64 ", got %" PRId64, expected, got);
	fail_msg("%s", out.text);
}

/* Compare on random values; those on which the tree overflows mean nothing.  Returns
 * how many were compared. */
static unsigned compare(struct jit *jit, layout_context *ctx, unsigned number,
	const struct index *tree, uint64_t *state)
{
	int64_t values[VAR_COUNT], expected, got;
	int64_t (*function)(const int64_t *);
	unsigned compared = 0;
	char name[16];

	snprintf(name, sizeof(name), "f%u", number);
	function = (int64_t (*)(const int64_t *))(uintptr_t)jit_lookup(ctx, jit, name);
	assert_non_null(function);
	for (unsigned sample = 0; sample < SAMPLES; sample++) {
		for (unsigned i = 0; i < VAR_COUNT; i++)
			values[i] = random_value(state, i);
		if (!index_eval(tree, values, &expected))
			continue;
		got = function(values);
		if (got != expected)
			fail_with(tree, values, expected, got);
		compared++;
	}
	return compared;
}

static void compare_trees(bool optimized)
{
	layout_context *ctx = layout_context_new();
	uint64_t state = random_seed();
	struct index *trees[TREES];
	unsigned compared = 0;
	struct jit *jit;

	for (unsigned i = 0; i < TREES; i++) {
		trees[i] = random_tree(&state, 1 + i % DEPTH);
		assert_non_null(trees[i]);
	}
	jit = compile(ctx, trees, TREES, optimized);
	assert_non_null(jit);
	for (unsigned i = 0; i < TREES; i++) {
		compared += compare(jit, ctx, i, trees[i], &state);
		index_free(trees[i]);
	}
	assert_true(compared > TREES * SAMPLES / 2);
	jit_free(jit);
	assert_true(layout_context_free(ctx));
}

static void test_as_built(void **state)
{
	(void)state;
	compare_trees(false);
}

static void test_optimized(void **state)
{
	(void)state;
	compare_trees(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_built),
		cmocka_unit_test(test_optimized),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
