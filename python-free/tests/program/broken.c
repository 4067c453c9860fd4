/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels of programs from which something is taken away that the lowering put there: the
 * simulator objects, or the result is another one. */
#include "program/broken.h"
#include "amdgpu/code/amdgpu.h"
#include "lower/llvm.h"
#include "support/program_data.h"

#include <layout/codegen.h>
#include <llvm-c/IRReader.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* The first line with "line" and "with" has "to" instead of "from", or is gone; what the
 * simulator says then, where NULL is nothing: the result is another one. */
struct broken {
	const char *program;
	int64_t size;
	const char *line, *with, *from, *to, *fault;
};

#define ACROSS "convert_tile({ [thread, r] -> [thread + 128*r] : 0 <= thread < 128 and " \
	"0 <= r < 2 } -> { [thread, r] -> [2*thread + r] : 0 <= thread < 128 and 0 <= r < 2 }, " \
	"type = f32)"
#define LANES "convert_tile({ [lane, r] -> [2*lane + r] : 0 <= lane < 64 and 0 <= r < 2 } -> " \
	"{ [lane, r] -> [2*(lane + 1 - 2*(lane mod 2)) + r] : 0 <= lane < 64 and 0 <= r < 2 }, " \
	"type = f32)"
#define SUM "program p(X: in row_major[256] i32, Y: out row_major[1] i32) { grid (g) in (1) " \
	"workers w in 4 x = load X[0] : [256] s = reduce add x over [0] keep store s -> Y[0] }"
#define TAIL "program p(X: in row_major[M] i32, Y: out row_major[M] i32) { grid (g) in " \
	"(ceil(M/64)) workers w in 1 x = load X[64*g] : [64] store x -> Y[64*g] }"
#define TWICE "program p(X: in row_major[16] i32, Y: out row_major[16] i32) { grid (g) in (1) " \
	"workers w in 1 x = load X[0] : [16] i: [16] i32 = index 0 store x -> Y[0] }"

static const struct broken rows[] = {
	/* barriers */
	{ ACROSS, 0, "@llvm.amdgcn.s.barrier()", "call", NULL, NULL, "never written" },
	{ SUM, 0, "@llvm.amdgcn.s.barrier()", "call", NULL, NULL, "never written" },

	/* what is put into the LDS, and exchanged */
	{ ACROSS, 0, "store i32", "addrspace(3)", NULL, NULL, "never written" },
	{ LANES, 0, "@llvm.amdgcn.update.dpp", "i32 177", "i32 177", "i32 228", NULL },
	{ SUM, 0, "@llvm.amdgcn.update.dpp", "i32 177", "i32 177", "i32 228", NULL },

	/* masks, of the whole tile and of elements, and guards */
	{ TAIL, 70, "label %whole, label %edge", "br i1", "%fits", "true",
		"it has 280 bytes" },
	{ TAIL, 70, "select i1", "i32 -2147483648", "i32 -2147483648", "i32 0", "race" },
	{ TWICE, 0, "br i1", "label %first", "%is_zero", "true", "race" },
};

static char *kernel_text(const struct program_data *data)
{
	layout_kernel *kernel = layout_kernel_new_program(data->program, "gfx942", NULL);
	size_t length;
	char *text = layout_kernel_emit(data->ctx, kernel, LAYOUT_EMIT_LLVM, NULL, 0, &length);

	layout_kernel_free(kernel);
	assert_non_null(text);
	return text;
}

/* The text with the row's line changed; NULL: there is none, and the row is no test. */
static char *change(const struct broken *row, const char *text)
{
	char *changed = malloc(strlen(text) + 64), *to = changed;
	bool done = false;

	while (*text) {
		size_t length = strcspn(text, "\n") + 1;
		char line[1024];
		const char *from;

		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		text += length;
		if (done || !strstr(line, row->line) || !strstr(line, row->with) ||
		    strstr(line, "declare")) {
			to = stpcpy(to, line);
			continue;
		}
		done = true;
		from = row->from ? strstr(line, row->from) : NULL;
		if (from)
			to += sprintf(to, "%.*s%s%s", (int)(from - line), line, row->to,
				from + strlen(row->from));
	}
	assert_true(done);
	return changed;
}

static struct sim *compile(layout_context *ctx, const char *text, const char *name)
{
	struct lower_diagnostic diagnostic = { 0 };
	LLVMContextRef context = lower_context_new(&diagnostic);
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text,
		strlen(text), "k");
	LLVMModuleRef module = NULL;
	char *message = NULL;
	struct sim *sim;

	if (LLVMParseIRInContext(context, buffer, &module, &message))
		fail_msg("%s", message);
	sim = sim_new(ctx, module, name, &amdgpu_isa);
	assert_non_null(sim);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	free(diagnostic.message);
	return sim;
}

/* Run a text; false with the fault on the context. */
static bool run(const struct program_data *data, const struct broken *row, const char *text)
{
	char *printed = layout_program_str(data->program), name[64];
	struct sim_buffer buffers[2];
	struct sim_launch of = { .grid = { row->size ? 2 : 1, 1, 1 },
		.workgroup_size = { 64, 1, 1 }, .buffer_count = 2, .buffers = buffers,
		.arg_count = row->size != 0, .args = &row->size,
		.target = layout_target_find(data->ctx, "gfx942") };
	const char *waves = strstr(printed, "workers w in ");
	struct sim *sim;
	bool ok;

	sscanf(printed, "program %63[a-z_]", name);
	of.workgroup_size[0] = 64u * (unsigned)atoi(waves + strlen("workers w in "));
	for (unsigned i = 0; i < 2; i++)
		buffers[i] = (struct sim_buffer){ data->buffers[i].name,
			data->buffers[i].base, data->buffers[i].bytes, i == 1, 16 };
	sim = compile(data->ctx, text, name);
	ok = sim_run(data->ctx, sim, &of, NULL);
	sim_free(sim);
	layout_string_free(printed);
	return ok;
}

static void fill(const struct program_data *data)
{
	for (size_t e = 0; e < data->buffers[0].bytes / 4; e++)
		program_data_set(data, 0, (int64_t)e, (double)(e * e % 1000));
}

static void check(layout_context *ctx, const struct broken *row)
{
	struct program_data right = program_data_new(ctx, row->program, &row->size);
	struct program_data wrong;
	char *text = kernel_text(&right), *changed = change(row, text);
	bool ok;

	fill(&right);
	wrong = program_data_copy(&right);
	wrong.program = right.program;
	if (!run(&right, row, text))
		fail_msg("%s: %s", row->program, layout_context_message(ctx));
	ok = run(&wrong, row, changed);
	if (ok != !row->fault || (!ok && !strstr(layout_context_message(ctx), row->fault)))
		fail_msg("%s without %s: %s", row->program, row->line, ok ? "no fault" :
			layout_context_message(ctx));
	if (ok)
		assert_memory_not_equal(right.buffers[1].base, wrong.buffers[1].base,
			right.buffers[1].bytes);
	layout_context_clear(ctx);
	wrong.program = NULL;
	layout_string_free(text);
	free(changed);
	program_data_free(&wrong);
	program_data_free(&right);
}

void test_broken(void **state)
{
	for (unsigned i = 0; i < COUNT(rows); i++)
		check(*state, &rows[i]);
}
