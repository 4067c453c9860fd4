/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Registers that a lane would need and does not have: LLVM keeps their values in memory,
 * far from a lane, which no kernel of ours is to do. */
#include "amdgpu/code/amdgpu.h"

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

bool amdgpu_refuse_scratch(layout_context *ctx, const layout_kernel *kernel,
	LLVMBinaryRef binary)
{
	uint32_t most = 0;

	for (unsigned i = 0; i < kernel->shape_count; i++) {
		uint32_t bytes = scratch_of(binary, kernel->shapes[i]->name);

		most = bytes > most ? bytes : most;
	}
	if (most)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "%s for %s: a lane needs %u "
			"bytes beyond its registers, there are 0: smaller boxes, or more "
			"waves", kernel->name, kernel->target->name, most);
	return !most;
}
