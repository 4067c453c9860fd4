/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/machine_code.h"
#include "algebra/chip.h"
#include "lower/bits.h"

#include <stdlib.h>
#include <string.h>

/* Does the object define a symbol of that name with code behind it? */
static bool binary_defines(LLVMBinaryRef binary, const char *name)
{
	LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(binary);
	bool found = false;

	while (!found && !LLVMObjectFileIsSymbolIteratorAtEnd(binary, symbol)) {
		found = !strcmp(LLVMGetSymbolName(symbol), name) &&
			LLVMGetSymbolSize(symbol) > 0;
		LLVMMoveToNextSymbol(symbol);
	}
	LLVMDisposeSymbolIterator(symbol);
	return found;
}

static bool object_defines(LLVMBinaryRef binary, const layout_kernel *kernel)
{
	bool found = binary;

	for (unsigned i = 0; found && i < kernel->shape_count; i++)
		found = binary_defines(binary, kernel->shapes[i]->name);
	return found;
}

/* Does a line of the text, which ends in a 0 byte, begin like that? */
static bool has_line(LLVMMemoryBufferRef text, const char *begin)
{
	const char *line = LLVMGetBufferStart(text);
	size_t length = strlen(begin);

	while (line && strncmp(line, begin, length)) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return line;
}

static bool assembly_defines(layout_context *ctx, LLVMMemoryBufferRef text,
	const layout_kernel *kernel)
{
	const char *const *entry = kernel->hooks->entry;
	bool found = true;

	for (unsigned i = 0; found && i < kernel->shape_count; i++) {
		struct layout_buffer line = { 0 };
		char *begin;

		layout_buffer_printf(&line, "%s%s%s", entry[0] ? entry[0] : "",
			kernel->shapes[i]->name, entry[0] ? entry[1] : ":");
		begin = layout_buffer_take(ctx, &line);
		found = begin && has_line(text, begin);
		free(begin);
	}
	return found;
}

/* LLVM may drop a kernel without a word. */
static bool check_defined(layout_context *ctx, const layout_kernel *kernel, bool defined)
{
	if (!defined)
		layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1,
			"LLVM made no code of %s for %s", kernel->name,
			kernel->target->name);
	return defined;
}

static bool check_object(layout_context *ctx, const layout_kernel *kernel,
	LLVMMemoryBufferRef object)
{
	char *message = NULL;
	LLVMBinaryRef binary = LLVMCreateBinary(object, kernel->code->llvm, &message);
	bool ok = check_defined(ctx, kernel, object_defines(binary, kernel));

	if (binary)
		LLVMDisposeBinary(binary);
	LLVMDisposeMessage(message);
	return ok;
}

static bool check_code(layout_context *ctx, const layout_kernel *kernel,
	LLVMCodeGenFileType type, LLVMMemoryBufferRef code)
{
	return type == LLVMObjectFile ? check_object(ctx, kernel, code) :
		check_defined(ctx, kernel, assembly_defines(ctx, code, kernel));
}

static char *copy_bytes(layout_context *ctx, const char *bytes, size_t count)
{
	struct layout_buffer copy = { 0 };

	layout_buffer_append(&copy, bytes, count);
	return layout_buffer_take(ctx, &copy);
}

/* Code generation changes the module that it is given. */
static LLVMMemoryBufferRef generate(layout_context *ctx, const layout_kernel *kernel,
	LLVMCodeGenFileType type, bool spares)
{
	LLVMModuleRef module = LLVMCloneModule(kernel->code->module);
	LLVMMemoryBufferRef code = NULL;
	char *message = NULL;

	if (chip_of(kernel->target)->code.lanes)
		bits_to_words(module);
	if (spares)
		kernel->hooks->spare_registers(module);
	if (kernel->hooks->annotate && !kernel->hooks->annotate(ctx, kernel, module)) {
		LLVMDisposeModule(module);
		return NULL;
	}
	if (LLVMTargetMachineEmitToMemoryBuffer(kernel->code->machine, module, type,
		    &message, &code)) {
		layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "%s for %s: %s", kernel->name,
			kernel->target->name, message);
		LLVMDisposeMessage(message);
		code = NULL;
	}
	LLVMDisposeModule(module);
	return code;
}

static uint32_t missing(const layout_kernel *kernel, LLVMCodeGenFileType type,
	LLVMMemoryBufferRef code)
{
	return code && kernel->hooks->missing ? kernel->hooks->missing(kernel, type, code) : 0;
}

/* Where lanes miss registers, with fewer of them if that helps; and how many bytes they miss then. */
static LLVMMemoryBufferRef generate_sparing(layout_context *ctx, const layout_kernel *kernel,
	LLVMCodeGenFileType type, uint32_t *bytes)
{
	LLVMMemoryBufferRef code = generate(ctx, kernel, type, false), sparing;
	uint32_t spared;

	*bytes = missing(kernel, type, code);
	sparing = *bytes ? generate(ctx, kernel, type, true) : NULL;
	if (!sparing)
		return code;
	spared = missing(kernel, type, sparing);
	LLVMDisposeMemoryBuffer(spared < *bytes ? code : sparing);
	if (spared >= *bytes)
		return code;
	*bytes = spared;
	return sparing;
}

/* Assembly shows what is missing. */
static bool has_registers(layout_context *ctx, const layout_kernel *kernel,
	LLVMCodeGenFileType type, uint32_t bytes)
{
	if (!bytes || type != LLVMObjectFile)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "%s for %s: a lane needs %u bytes beyond "
		"its registers, there are 0: smaller boxes, or other numbers of waves",
		kernel->name, kernel->target->name, bytes);
	return false;
}

/* Some targets have no other machine code than text. */
static bool has_type(layout_context *ctx, const layout_kernel *kernel,
	LLVMCodeGenFileType type)
{
	if (type != LLVMObjectFile || LLVMTargetHasAsmBackend(
		    LLVMGetTargetMachineTarget(kernel->code->machine)))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"there are no objects for %s: its code is text", kernel->target->name);
	return false;
}

static char *make(layout_context *ctx, const layout_kernel *kernel, LLVMCodeGenFileType type,
	size_t *length)
{
	LLVMMemoryBufferRef code;
	char *text = NULL;
	uint32_t bytes;

	if (!has_type(ctx, kernel, type))
		return NULL;
	code = generate_sparing(ctx, kernel, type, &bytes);
	if (!code)
		return NULL;
	if (kernel_diagnosed_nothing(ctx, kernel) && check_code(ctx, kernel, type, code) &&
	    has_registers(ctx, kernel, type, bytes)) {
		*length = LLVMGetBufferSize(code);
		text = copy_bytes(ctx, LLVMGetBufferStart(code), *length);
	}
	LLVMDisposeMemoryBuffer(code);
	return text;
}

/* Who asks for a code object mostly asks for the object, too: it is made once. */
static char *find_object(layout_context *ctx, const layout_kernel *kernel, size_t *length)
{
	struct kernel_code *code = kernel->code;

	if (!code->object)
		code->object = make(ctx, kernel, LLVMObjectFile, &code->object_bytes);
	if (!code->object)
		return NULL;
	*length = code->object_bytes;
	return copy_bytes(ctx, code->object, code->object_bytes);
}

char *machine_code(layout_context *ctx, const layout_kernel *kernel,
	LLVMCodeGenFileType type, size_t *length)
{
	char *text;

	if (!kernel_lock(ctx, kernel))
		return NULL;
	text = type == LLVMObjectFile ? find_object(ctx, kernel, length) :
		make(ctx, kernel, type, length);
	kernel_unlock(kernel);
	return text;
}
