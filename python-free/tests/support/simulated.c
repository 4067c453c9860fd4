/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/simulated.h"
#include "lower/llvm.h"

#include <llvm-c/IRReader.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char amdgpu_prelude[] =
	"target datalayout = \"e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-"
	"p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-"
	"i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-"
	"v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9\"\n"
	"target triple = \"amdgcn-amd-amdhsa\"\n";

static const char nvptx_prelude[] =
	"target triple = \"nvptx64-nvidia-cuda\"\n";

/* The kernels of a family: what is before one, how it is called, the lane's number. */
static const struct family {
	const char *begin;		/* of its targets' names */
	const char *prelude, *convention, *lane;
	const struct sim_isa *isa;
} families[] = {
	{ "sm_", nvptx_prelude, "ptx_kernel", "llvm.nvvm.read.ptx.sreg.tid.x", &nvptx_isa },
	{ "", amdgpu_prelude, "amdgpu_kernel", "llvm.amdgcn.workitem.id.x", &amdgpu_isa },
};

static const struct family *family_of(const struct simulated *run)
{
	const char *target = run->target ? run->target : "";
	unsigned f = 0;

	while (strncmp(target, families[f].begin, strlen(families[f].begin)) != 0)
		f++;
	return &families[f];
}

static const char opening[] =
	"define %s void @k(ptr addrspace(1) %%s, ptr addrspace(1) %%d, i64 %%n) {\n"
	"  %%t = call i32 @%s()\n";

static const char body[] =
	"  %t64 = zext i32 %t to i64\n"
	"  %n32 = trunc i64 %n to i32\n"
	"  %p = getelementptr i32, ptr addrspace(1) %s, i64 %t64\n"
	"  %q = getelementptr i32, ptr addrspace(1) %d, i64 %t64\n"
	"  %v = load i32, ptr addrspace(1) %p, align 4\n";

static struct sim *compile(layout_context *ctx, const struct simulated *run)
{
	struct lower_diagnostic diagnostic = { 0 };
	LLVMContextRef context = lower_context_new(&diagnostic);
	const struct family *family = family_of(run);
	struct layout_buffer text = { 0 };
	LLVMModuleRef module = NULL;
	LLVMMemoryBufferRef buffer;
	char *message = NULL, *whole;
	struct sim *sim;

	layout_buffer_printf(&text, "%s%s", family->prelude,
		run->globals ? run->globals : "");
	layout_buffer_printf(&text, opening, family->convention, family->lane);
	layout_buffer_printf(&text, "%s%s  ret void\n}\n", body, run->body);
	whole = layout_buffer_take(ctx, &text);
	buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(whole, strlen(whole), "k");
	free(whole);
	if (LLVMParseIRInContext(context, buffer, &module, &message))
		fail_msg("%s", message);
	sim = sim_new(ctx, module, "k", family->isa);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	free(diagnostic.message);
	return sim;
}

static bool launch(layout_context *ctx, const struct sim *sim,
	const struct simulated *run, uint32_t *numbers, layout_sim_stats *stats)
{
	size_t bytes = (size_t)run->lanes * 4;
	const struct sim_buffer buffers[] = {
		{ "source", run->source ? (void *)(uintptr_t)run->source : numbers,
			run->source_bytes ? run->source_bytes : bytes, false, 16 },
		{ "destination", run->destination,
			run->destination_bytes ? run->destination_bytes : bytes, true,
			16 },
	};
	const struct sim_launch of = {
		.grid = { run->groups ? run->groups : 1, 1, 1 },
		.workgroup_size = { run->lanes, 1, 1 }, .buffer_count = 2,
		.buffers = buffers, .arg_count = 1, .args = &run->n,
		.target = run->target ? layout_target_find(ctx, run->target) : NULL };

	return sim_run(ctx, sim, &of, stats);
}

bool simulated_run(layout_context *ctx, const struct simulated *run,
	layout_sim_stats *stats)
{
	struct sim *sim = compile(ctx, run);
	uint32_t *numbers = malloc((size_t)run->lanes * 4);
	bool ok;

	for (unsigned i = 0; i < run->lanes; i++)
		numbers[i] = i;
	ok = sim && launch(ctx, sim, run, numbers, stats);
	free(numbers);
	sim_free(sim);
	return ok;
}
