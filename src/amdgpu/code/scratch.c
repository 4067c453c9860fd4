/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Registers that a lane would need and does not have: LLVM keeps their values in memory,
 * far from a lane, which no kernel of ours is to do. */
#include "amdgpu/code/amdgpu.h"

#include <stdlib.h>
#include <string.h>

/* In the descriptor of a kernel, NAME.kd. */
enum { DESCRIPTOR_BYTES = 64, DESCRIPTOR_SCRATCH = 4 };

/* What a symbol of an object that is not linked stands for. */
static const char *content_of(LLVMBinaryRef binary, LLVMSymbolIteratorRef symbol,
	uint64_t bytes)
{
	LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(binary);
	uint64_t at = LLVMGetSymbolAddress(symbol);
	const char *content = NULL;

	LLVMMoveToContainingSection(section, symbol);
	if (!LLVMObjectFileIsSectionIteratorAtEnd(binary, section) &&
	    LLVMGetSectionSize(section) >= bytes &&
	    at <= LLVMGetSectionSize(section) - bytes)
		content = LLVMGetSectionContents(section) + at;
	LLVMDisposeSectionIterator(section);
	return content;
}

/* Bytes a lane; little-endian, as the chips are. */
static uint32_t scratch_of(LLVMBinaryRef binary, const char *kernel)
{
	LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(binary);
	const unsigned char *content = NULL;
	size_t length = strlen(kernel);
	uint32_t bytes = 0;

	for (; !content && !LLVMObjectFileIsSymbolIteratorAtEnd(binary, symbol);
	     LLVMMoveToNextSymbol(symbol)) {
		const char *name = LLVMGetSymbolName(symbol);

		if (!strncmp(name, kernel, length) && !strcmp(name + length, ".kd"))
			content = (const unsigned char *)content_of(binary, symbol,
				DESCRIPTOR_BYTES);
	}
	LLVMDisposeSymbolIterator(symbol);
	for (unsigned i = 4; content && i-- > 0;)
		bytes = bytes << 8 | content[DESCRIPTOR_SCRATCH + i];
	return bytes;
}

static uint32_t scratch_of_object(const layout_kernel *kernel, LLVMMemoryBufferRef object)
{
	LLVMBinaryRef binary = LLVMCreateBinary(object, kernel->code->llvm, NULL);
	uint32_t most = 0;

	for (unsigned i = 0; binary && i < kernel->shape_count; i++) {
		uint32_t bytes = scratch_of(binary, kernel->shapes[i]->name);

		most = bytes > most ? bytes : most;
	}
	if (binary)
		LLVMDisposeBinary(binary);
	return most;
}

/* Of assembly, which ends in a 0 byte. */
static uint32_t scratch_of_text(const char *text)
{
	static const char key[] = ".amdhsa_private_segment_fixed_size ";
	uint32_t most = 0;

	while ((text = strstr(text, key))) {
		uint32_t bytes = (uint32_t)strtoul(text += strlen(key), NULL, 10);

		most = bytes > most ? bytes : most;
	}
	return most;
}

uint32_t amdgpu_missing(const layout_kernel *kernel, LLVMCodeGenFileType type,
	LLVMMemoryBufferRef code)
{
	return type == LLVMObjectFile ? scratch_of_object(kernel, code) :
		scratch_of_text(LLVMGetBufferStart(code));
}

/* LLVM's scheduler otherwise has many waves in mind, and what hides latencies. */
void amdgpu_spare_registers(LLVMModuleRef module)
{
	LLVMValueRef function = LLVMGetFirstFunction(module);

	for (; function; function = LLVMGetNextFunction(function))
		if (!LLVMIsDeclaration(function))
			LLVMAddTargetDependentFunctionAttr(function, "amdgpu-sched-strategy",
				"iterative-minreg");
}
