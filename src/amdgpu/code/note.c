/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The launch JSON inside the object: an ELF note in a section of its own, which is
 * allocated, so that neither linking nor stripping drops it. */
#include "amdgpu/code/amdgpu.h"
#include "lower/launch.h"

#include <stdlib.h>
#include <string.h>

#define SECTION ".note.liblayout"
#define NOTE_NAME "liblayout"
#define NOTE_TYPE 1

static void append_word(struct layout_buffer *out, size_t value)
{
	char bytes[4];

	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (char)(value >> 8 * i);
	layout_buffer_append(out, bytes, sizeof(bytes));
}

/* Bytes, then zeros up to a multiple of 4. */
static void append_padded(struct layout_buffer *out, const char *bytes, size_t length)
{
	layout_buffer_append(out, bytes, length);
	layout_buffer_append(out, "\0\0\0", -length & 3);
}

/* Sizes of name (with its 0 byte) and content, type, name, content. */
static char *note_bytes(layout_context *ctx, const char *text, size_t *length)
{
	struct layout_buffer out = { 0 };

	append_word(&out, sizeof(NOTE_NAME));
	append_word(&out, strlen(text));
	append_word(&out, NOTE_TYPE);
	append_padded(&out, NOTE_NAME, sizeof(NOTE_NAME));
	append_padded(&out, text, strlen(text));
	*length = out.length;
	return layout_buffer_take(ctx, &out);
}

/* A constant in the note's section, which optimisation must keep. */
static void add_section(LLVMModuleRef module, const char *bytes, size_t length)
{
	LLVMContextRef llvm = LLVMGetModuleContext(module);
	LLVMValueRef content = LLVMConstStringInContext2(llvm, bytes, length, true);
	LLVMValueRef note = LLVMAddGlobal(module, LLVMTypeOf(content), SECTION), used;
	LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm, 0);

	LLVMSetInitializer(note, content);
	LLVMSetGlobalConstant(note, true);
	LLVMSetLinkage(note, LLVMPrivateLinkage);
	LLVMSetSection(note, SECTION);
	LLVMSetAlignment(note, 4);
	used = LLVMAddGlobal(module, LLVMArrayType2(pointer, 1), "llvm.compiler.used");
	LLVMSetLinkage(used, LLVMAppendingLinkage);
	LLVMSetSection(used, "llvm.metadata");
	LLVMSetInitializer(used, LLVMConstArray2(pointer, &note, 1));
}

bool amdgpu_add_note(layout_context *ctx, const layout_kernel *kernel,
	LLVMModuleRef module)
{
	struct sizes none;
	char *text, *bytes = NULL;
	size_t length;

	if (!sizes_take(ctx, kernel, NULL, 0, &none))
		return false;
	text = launch_json(ctx, kernel, &none);
	sizes_free(&none);
	if (text)
		bytes = note_bytes(ctx, text, &length);
	if (bytes)
		add_section(module, bytes, length);
	free(text);
	free(bytes);
	return bytes;
}
