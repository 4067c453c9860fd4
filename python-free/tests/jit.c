/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code for this CPU: results, symbols of the caller, failures that stay quiet. */
#include "lower/jit.h"
#include "lower/llvm.h"

#include <llvm-c/IRReader.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

typedef int64_t (*function)(int64_t);

static int64_t triple(int64_t x)
{
	return 3 * x;
}

static const char program[] =
	"declare i64 @triple(i64)\n"
	"declare i64 @nowhere_to_be_found(i64)\n"
	"declare i64 @llabs(i64)\n"
	"define i64 @square(i64 %x) {\n"
	"  %y = mul i64 %x, %x\n"
	"  ret i64 %y\n"
	"}\n"
	"define i64 @triple_and_one(i64 %x) {\n"
	"  %y = call i64 @triple(i64 %x)\n"
	"  %z = add i64 %y, 1\n"
	"  ret i64 %z\n"
	"}\n"
	"define i64 @absolute(i64 %x) {\n"
	"  %y = call i64 @llabs(i64 %x)\n"
	"  ret i64 %y\n"
	"}\n";

static const char broken[] =
	"declare i64 @nowhere_to_be_found(i64)\n"
	"define i64 @lost(i64 %x) {\n"
	"  %y = call i64 @nowhere_to_be_found(i64 %x)\n"
	"  ret i64 %y\n"
	"}\n";

static const struct jit_symbol symbols[] = {
	{ "triple", (void (*)(void))triple },
	{ 0 },
};

static const struct jit_symbol doubled[] = {
	{ "triple", (void (*)(void))triple },
	{ "triple", (void (*)(void))triple },
	{ 0 },
};

/* A JIT of a text; the module and its LLVM context are gone when this returns. */
static struct jit *jit_of(layout_context *ctx, const char *text,
	const struct jit_symbol *table)
{
	struct lower_diagnostic diagnostic = { 0 };
	LLVMContextRef context = lower_context_new(&diagnostic);
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text,
		strlen(text), "program");
	LLVMModuleRef module = NULL;
	char *message = NULL;
	LLVMMemoryBufferRef object;
	struct jit *jit;

	if (LLVMParseIRInContext(context, buffer, &module, &message))
		fail_msg("%s", message);
	object = jit_compile(ctx, lower_host_machine(ctx, LLVMCodeGenLevelDefault), module,
		NULL, NULL);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	jit = jit_new(ctx, object, table);
	LLVMDisposeMemoryBuffer(object);
	assert_null(diagnostic.message);
	return jit;
}

static const struct {
	const char *name;
	int64_t argument, result;
} calls[] = {
	{ "square", -7, 49 },
	{ "triple_and_one", 5, 16 },
	{ "absolute", -9, 9 },
};

static void test_calls(void **state)
{
	layout_context *ctx = layout_context_new();
	struct jit *jit = jit_of(ctx, program, symbols);

	(void)state;
	assert_non_null(jit);
	for (unsigned i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		function f = (function)jit_lookup(ctx, jit, calls[i].name);

		assert_non_null(f);
		assert_int_equal(f(calls[i].argument), calls[i].result);
	}
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	jit_free(jit);
	jit_free(NULL);
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *text;
	const struct jit_symbol *symbols;
	const char *name;
	const char *message;		/* a part of it */
} failures[] = {
	{ program, symbols, "absent", "absent" },
	{ broken, NULL, "lost", "nowhere_to_be_found" },
	{ program, NULL, "triple_and_one", "triple" },
	{ program, doubled, NULL, "triple" },
};

struct outcome {
	bool made, found;
	layout_error error;
	char message[512];
};

/* Make failure "i" happen; what is written to standard error goes to "file". */
static void fail_quietly(unsigned i, FILE *file, struct outcome *outcome)
{
	layout_context *ctx = layout_context_new();
	int saved = dup(STDERR_FILENO);
	struct jit *jit;

	dup2(fileno(file), STDERR_FILENO);
	jit = jit_of(ctx, failures[i].text, failures[i].symbols);
	outcome->made = jit;
	outcome->found = jit && jit_lookup(ctx, jit, failures[i].name);
	outcome->error = layout_context_error(ctx);
	snprintf(outcome->message, sizeof(outcome->message), "%s",
		layout_context_message(ctx));
	jit_free(jit);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	assert_true(layout_context_free(ctx));
}

static void test_failures(void **state)
{
	FILE *file = tmpfile();

	(void)state;
	assert_non_null(file);
	for (unsigned i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
		struct outcome outcome;

		fail_quietly(i, file, &outcome);
		assert_int_equal(outcome.made, failures[i].name != NULL);
		assert_false(outcome.found);
		assert_int_equal(outcome.error, LAYOUT_ERROR_CODEGEN);
		if (!strstr(outcome.message, failures[i].message))
			fail_msg("row %u: %s", i, outcome.message);
		assert_null(strchr(outcome.message, '\n'));
	}
	fseek(file, 0, SEEK_END);
	assert_int_equal(ftell(file), 0);
	fclose(file);
}

/* A failed look-up leaves the rest usable. */
static void test_after_failure(void **state)
{
	layout_context *ctx = layout_context_new();
	struct jit *jit = jit_of(ctx, program, symbols);
	function f;

	(void)state;
	assert_null(jit_lookup(ctx, jit, "absent"));
	layout_context_clear(ctx);
	f = (function)jit_lookup(ctx, jit, "square");
	assert_non_null(f);
	assert_int_equal(f(3), 9);
	jit_free(jit);
	assert_true(layout_context_free(ctx));
}

static void *look_up(void *user)
{
	layout_context *ctx = layout_context_new();
	function f = (function)jit_lookup(ctx, user, "square");
	bool ok = f && f(11) == 121;

	return layout_context_free(ctx) && ok ? user : NULL;
}

static void test_threads(void **state)
{
	layout_context *ctx = layout_context_new();
	struct jit *jit = jit_of(ctx, program, symbols);
	pthread_t threads[4];
	void *result;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, look_up, jit), 0);
	for (unsigned i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		assert_ptr_equal(result, jit);
	}
	jit_free(jit);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_after_failure),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
