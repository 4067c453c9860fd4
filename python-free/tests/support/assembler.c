/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/assembler.h"
#include "lower/llvm.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TRIPLE "amdgcn-amd-amdhsa"

struct answers {
	struct assembler_line *lines;
	unsigned count;
};

const char *assembler_features(const layout_target *row)
{
	if (row->default_wave)
		return "";
	return row->wave_size == 64 ? "+wavefrontsize64" : "+wavefrontsize32";
}

/* "<inline asm>:LINE:COLUMN: complaint" */
static void note(LLVMDiagnosticInfoRef diagnostic, void *user)
{
	struct answers *answers = user;
	char *text = LLVMGetDiagInfoDescription(diagnostic);
	const char *at = strchr(text, ':');
	unsigned line = 0, column;
	int length = 0;

	if (!at || sscanf(at, ":%u:%u:%n", &line, &column, &length) != 2 || !length ||
			!line || line > answers->count)
		fail_msg("no line in \"%s\"", text);
	at += length + strspn(at + length, " ");
	snprintf(answers->lines[line - 1].complaint, ASSEMBLER_LINE, "%s", at);
	LLVMDisposeMessage(text);
}

static LLVMTargetMachineRef open_machine(const layout_target *row)
{
	LLVMTargetRef target;
	char *message = NULL;

	lower_initialize_targets();
	assert_false(LLVMGetTargetFromTriple(TRIPLE, &target, &message));
	return LLVMCreateTargetMachine(target, TRIPLE, row->processor,
		assembler_features(row), LLVMCodeGenLevelNone, LLVMRelocPIC,
		LLVMCodeModelDefault);
}

static LLVMModuleRef write_module(LLVMContextRef llvm,
	const struct assembler_line *lines, unsigned count)
{
	LLVMModuleRef module = LLVMModuleCreateWithNameInContext("lines", llvm);
	size_t length = 0;
	char *text = malloc((size_t)count * (ASSEMBLER_LINE + 1));

	assert_non_null(text);
	for (unsigned i = 0; i < count; i++)
		length += (size_t)sprintf(text + length, "%s\n", lines[i].text);
	LLVMSetTarget(module, TRIPLE);
	LLVMSetModuleInlineAsm2(module, text, length);
	free(text);
	return module;
}

void assembler_ask(const layout_target *row, struct assembler_line *lines,
	unsigned count)
{
	struct answers answers = { lines, count };
	LLVMContextRef llvm = LLVMContextCreate();
	LLVMModuleRef module = write_module(llvm, lines, count);
	LLVMTargetMachineRef machine = open_machine(row);
	LLVMMemoryBufferRef object = NULL;
	char *message = NULL;

	for (unsigned i = 0; i < count; i++)
		lines[i].complaint[0] = 0;
	LLVMContextSetDiagnosticHandler(llvm, note, &answers);
	LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message,
		&object);
	LLVMDisposeMessage(message);
	if (object)
		LLVMDisposeMemoryBuffer(object);
	LLVMDisposeTargetMachine(machine);
	LLVMDisposeModule(module);
	LLVMContextDispose(llvm);
}

bool assembler_knows(const struct assembler_line *line)
{
	return !strncmp(line->complaint, "too few operands", strlen("too few operands"));
}
