/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What LLVM does with waits, fences and copies to the LDS, which the waits of programs build on:
 * each row is compiled, and its code is what it is said to be.  A row that changes with LLVM is
 * one to think about. */
#include "support/children.h"
#include "lower/llvm.h"

#include <llvm-c/IRReader.h>
#include <llvm-c/TargetMachine.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define TRIPLE "amdgcn-amd-amdhsa"
#define OPEN "@l = internal addrspace(3) global [8192 x i8] poison, align 16\n" \
	"define amdgpu_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %y, i32 %n) {\n" \
	"  %t = call i32 @llvm.amdgcn.workitem.id.x()\n  %v = shl i32 %t, 2\n" \
	"  %p = getelementptr i8, ptr addrspace(3) @l, i32 %v\n" \
	"  %q = getelementptr i8, ptr addrspace(3) %p, i32 1024\n" \
	"  %o = getelementptr i32, ptr addrspace(1) %y, i32 %t\n" \
	"  %b = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(" \
	"ptr addrspace(1) %a, i16 0, i64 2147483648, i32 159744)\n"
#define CLOSE "  ret void\n}\n" \
	"!0 = !{!\"amdgpu-synchronize-as\", !\"local\"}\n!1 = distinct !{!1}\n" \
	"!2 = distinct !{!2, !1}\n!3 = distinct !{!3, !1}\n!4 = !{!2}\n!5 = !{!3}\n"

/* A copy of a lane's dword, to the second half of the LDS or to what %p is in. */
#define BUFFER(to, told) "  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %b, " \
	"ptr addrspace(3) " to ", i32 4, i32 %v, i32 0, i32 0, i32 0)" told "\n"
#define BEHIND "getelementptr (i8, ptr addrspace(3) @l, i32 4096)"
#define GLOBAL "  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %a, ptr addrspace(3) " \
	BEHIND ", i32 4, i32 0, i32 0), !alias.scope !4, !noalias !5\n"
#define FENCED(scope, told) "  fence syncscope(\"" scope "\") release" told "\n" \
	"  call void @llvm.amdgcn.s.barrier()\n" \
	"  fence syncscope(\"" scope "\") acquire" told "\n"
#define LOAD(x, p, told) "  %" x " = load i32, ptr addrspace(3) %" p ", align 4" told "\n"
/* The kernel's arguments are there. */
#define READY "  store i32 %t, ptr addrspace(1) %o\n" \
	"  call void @llvm.amdgcn.sched.barrier(i32 0)\n"
#define KEEP(x, p) "  %" x " = load volatile i32, ptr addrspace(3) %" p ", align 4" OTHER "\n" \
	"  call void @llvm.amdgcn.sched.barrier(i32 0)\n"
#define OTHER ", !alias.scope !5, !noalias !4"
#define SUM "  %s = add i32 %x, %z\n  store i32 %s, ptr addrspace(1) %o\n"

/* Two copies, of which one may be under way behind the wait; what fences make of that. */
#define ONE_LEFT(scope, told) BUFFER("@l", ", !alias.scope !5, !noalias !4") \
	BUFFER(BEHIND, ", !alias.scope !4, !noalias !5") \
	"  call void @llvm.amdgcn.s.waitcnt(i32 3953)\n" FENCED(scope, told) \
	LOAD("x", "p", OTHER) "  store i32 %x, ptr addrspace(1) %o\n"

/* Words that follow each other in the code, | between; with a ! those in front of the next one
 * that is not there. */
static const struct {
	const char *processors, *body, *words;
} facts[] = {
	/* a fence of the workgroup, of the LDS alone, waits for copies; one of the wave waits for
	 * nothing */
	{ "gfx90a gfx942 gfx950", ONE_LEFT("workgroup", ", !mmra !0"),
		"lds|lds|vmcnt(0)|s_barrier|ds_read" },
	{ "gfx90a gfx942 gfx950", ONE_LEFT("wavefront", ""),
		"lds|lds|vmcnt(1)|!vmcnt(0)|s_barrier|!vmcnt(0)|ds_read" },

	/* where nothing says which copies are which, all are waited for before a load */
	{ "gfx942 gfx950", BUFFER("@l", "") BUFFER(BEHIND, "")
		"  call void @llvm.amdgcn.s.waitcnt(i32 3953)\n" FENCED("wavefront", "")
		LOAD("x", "p", "") "  store i32 %x, ptr addrspace(1) %o\n",
		"vmcnt(1)|s_barrier|vmcnt(0)|ds_read" },

	/* loads from the LDS are not waited for at a barrier of fences of the wave: the copy
	 * behind it may come first, unless somebody says so */
	{ "gfx90a gfx942 gfx950", LOAD("x", "p", OTHER) FENCED("wavefront", "")
		BUFFER("@l", ", !alias.scope !4, !noalias !5")
		"  store i32 %x, ptr addrspace(1) %o\n", "ds_read|!lgkmcnt|s_barrier|lds" },
	{ "gfx90a gfx942 gfx950", LOAD("x", "p", OTHER)
		"  call void @llvm.amdgcn.s.waitcnt(i32 49279)\n" FENCED("wavefront", "")
		BUFFER("@l", ", !alias.scope !4, !noalias !5")
		"  store i32 %x, ptr addrspace(1) %o\n", "ds_read|lgkmcnt(0)|s_barrier|lds" },

	/* global_load_lds counts as an access to the LDS, by mistake: the first load is waited for
	 * where it may be under way still; that of a buffer is right */
	{ "gfx90a gfx942 gfx950", READY KEEP("x", "p") GLOBAL KEEP("z", "q")
		"  call void @llvm.amdgcn.sched.barrier(i32 0)\n  store i32 %x, ptr addrspace(1) "
		"%o\n  call void @llvm.amdgcn.sched.barrier(i32 0)\n" SUM,
		"ds_read|global_load|ds_read|lgkmcnt(2)|global_store" },
	{ "gfx90a gfx942 gfx950", READY KEEP("x", "p")
		BUFFER(BEHIND, ", !alias.scope !4, !noalias !5") KEEP("z", "q")
		"  call void @llvm.amdgcn.sched.barrier(i32 0)\n  store i32 %x, ptr addrspace(1) "
		"%o\n  call void @llvm.amdgcn.sched.barrier(i32 0)\n" SUM,
		"ds_read|buffer_load|ds_read|lgkmcnt(1)|global_store" },

	/* a barrier in each branch stays there */
	{ "gfx942 gfx1100 gfx1201", "  %c = icmp eq i32 %n, 0\n  br i1 %c, label %one, label %two\n"
		"one:\n  store i32 1, ptr addrspace(1) %o\n  call void @llvm.amdgcn.s.barrier()\n"
		"  store i32 2, ptr addrspace(1) %o\n  br label %end\n"
		"two:\n  store i32 3, ptr addrspace(1) %o\n  call void @llvm.amdgcn.s.barrier()\n"
		"  store i32 4, ptr addrspace(1) %o\n  br label %end\nend:\n",
		"barrier|LBB0_|barrier" },
};

/* The code, to be freed; NULL where LLVM says no. */
static char *compile(const char *processor, const char *body)
{
	LLVMContextRef llvm = LLVMContextCreate();
	LLVMModuleRef module = NULL;
	LLVMMemoryBufferRef text, code = NULL;
	LLVMTargetMachineRef machine;
	LLVMTargetRef target;
	char *message = NULL, *whole, *copy = NULL;

	assert_int_not_equal(asprintf(&whole, "%s%s%s", OPEN, body, CLOSE), -1);
	text = LLVMCreateMemoryBufferWithMemoryRangeCopy(whole, strlen(whole), "k");
	if (LLVMParseIRInContext(llvm, text, &module, &message))
		fail_msg("%s\n%s", message, whole);
	free(whole);
	lower_initialize_targets();
	assert_false(LLVMGetTargetFromTriple(TRIPLE, &target, &message));
	LLVMSetTarget(module, TRIPLE);
	machine = LLVMCreateTargetMachine(target, TRIPLE, processor, "",
		LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
	if (!LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message,
	    &code))
		copy = strndup(LLVMGetBufferStart(code), LLVMGetBufferSize(code));
	if (code)
		LLVMDisposeMemoryBuffer(code);
	LLVMDisposeTargetMachine(machine);
	LLVMDisposeModule(module);
	LLVMContextDispose(llvm);
	return copy;
}

/* Do these words come in this order? */
static bool has_words(const char *code, const char *words)
{
	char word[64], not[64] = "";
	bool holds = true;

	for (code = strstr(code, "\nk:"); holds && *words; words += *words == '|') {
		size_t length = strcspn(words, "|");
		bool absent = *words == '!';
		const char *next, *other;

		snprintf(absent ? not : word, sizeof(word), "%.*s", (int)(length - absent),
			words + absent);
		words += length;
		if (absent)
			continue;
		next = strstr(code, word);
		other = *not ? strstr(code, not) : NULL;
		holds = next && (!other || other > next);
		code = next ? next + strlen(word) : code;
		*not = 0;
	}
	return holds;
}

static void test_facts(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(facts); i++) {
		char processors[64], *rest = processors, *processor;

		snprintf(processors, sizeof(processors), "%s", facts[i].processors);
		while ((processor = strsep(&rest, " "))) {
			char *code = compile(processor, facts[i].body);

			assert_non_null(code);
			if (!has_words(code, facts[i].words))
				fail_msg("row %u on %s: no %s in%s", i, processor,
					facts[i].words, strstr(code, "\nk:"));
			free(code);
		}
	}
}

static void wait_on_gfx1250(void)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	fclose(stderr);
	free(compile("gfx1250", "  call void @llvm.amdgcn.s.waitcnt(i32 0)\n"));
}

/* There, nothing has one count for all. */
static void test_none(void **state)
{
	(void)state;
	assert_true(child_status(wait_on_gfx1250) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
