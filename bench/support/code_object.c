/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/code_object.h"

#include "support/elf_reader.h"
#include "support/msgpack.h"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METADATA 32	/* the type of AMD's note */

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_hint(const char *name)
{
	static const char *const hints[] = { "s_wait", "s_nop", "s_delay_alu", "s_clause",
		"s_endpgm", "s_code_end", "s_sendmsg", "s_barrier" };

	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (starts(name, hints[i]))
			return true;
	return false;
}

static void count_instruction(const char *name, size_t at, void *user)
{
	struct code_counts *counts = user;

	(void)at;
	if (starts(name, "v_"))
		counts->vector_alu++;
	else if (starts(name, "s_load") || starts(name, "s_buffer_load"))
		counts->scalar_loads++;
	else if (is_hint(name))
		return;
	else if (starts(name, "s_"))
		counts->scalar_alu++;
	else if (starts(name, "ds_"))
		counts->lds++;
	else if (starts(name, "scratch_"))
		counts->scratch++;
	else
		counts->memory++;
}

/* Each instruction as text, without what it begins with, and where it is. */
typedef void visit_instruction(const char *text, size_t at, void *user);

static bool visit_code(struct bytes code, const char *processor, visit_instruction *visit,
	void *user)
{
	LLVMDisasmContextRef disassembler;
	size_t at = 0, taken;
	char text[256];

	LLVMInitializeAMDGPUTargetInfo();
	LLVMInitializeAMDGPUTargetMC();
	LLVMInitializeAMDGPUDisassembler();
	disassembler = LLVMCreateDisasmCPU("amdgcn-amd-amdhsa", processor, NULL, 0, NULL,
		NULL);
	if (!disassembler)
		return false;
	while (at < code.size) {
		taken = LLVMDisasmInstruction(disassembler, (uint8_t *)code.at + at,
			code.size - at, at, text, sizeof(text));
		if (!taken)
			break;
		visit(text + strspn(text, " \t"), at, user);
		at += taken;
	}
	LLVMDisasmDispose(disassembler);
	return at == code.size;
}

static bool read_metadata(struct bytes file, struct code_counts *counts)
{
	struct bytes note = elf_note(elf_section(file, ".note"), "AMDGPU", METADATA);
	struct msgpack kernel = { note.at, note.at + note.size };

	kernel = msgpack_at(msgpack_get(kernel, "amdhsa.kernels"), 0);
	counts->vector_registers = msgpack_int(msgpack_get(kernel, ".vgpr_count"));
	counts->scalar_registers = msgpack_int(msgpack_get(kernel, ".sgpr_count"));
	counts->scratch_bytes =
		msgpack_int(msgpack_get(kernel, ".private_segment_fixed_size"));
	counts->lds_bytes = msgpack_int(msgpack_get(kernel, ".group_segment_fixed_size"));
	counts->spills = msgpack_int(msgpack_get(kernel, ".vgpr_spill_count"));
	return counts->vector_registers >= 0;
}

static bool find_code(struct bytes file, const char *kernel, struct bytes *code)
{
	const Elf64_Sym *symbol = elf_symbol(file, kernel);

	*code = elf_section(file, ".text");
	if (!code->at || !symbol || symbol->st_size > code->size)
		return false;
	code->size = symbol->st_size;
	return true;
}

bool code_object_count(const char *object, size_t length, const char *kernel,
	const char *processor, struct code_counts *counts)
{
	struct bytes file = { (const unsigned char *)object, length }, code;

	memset(counts, 0, sizeof(*counts));
	if (!elf_header(file))
		return false;
	return find_code(file, kernel, &code) &&
		visit_code(code, processor, count_instruction, counts) &&
		read_metadata(file, counts);
}

/* Instructions in their order, and how far a branch goes, in bytes; 0: it is none. */
struct listed {
	size_t at;
	long branch;
	bool matrix, hint, barrier, full_wait;
};

struct listing {
	struct listed *list;
	size_t count, room;
	bool failed;
};

static void list_instruction(const char *text, size_t at, void *user)
{
	struct listing *listing = user;
	struct listed *grown;

	if (listing->count == listing->room) {
		listing->room = 2 * listing->room + 1024;
		grown = realloc(listing->list, listing->room * sizeof(*grown));
		listing->failed = listing->failed || !grown;
		if (!grown)
			return;
		listing->list = grown;
	}
	listing->list[listing->count++] = (struct listed){ .at = at,
		.branch = starts(text, "s_cbranch") || starts(text, "s_branch") ?
			4 * (long)(int16_t)atoi(text + strcspn(text, " ")) : 0,
		.matrix = starts(text, "v_mfma") || starts(text, "v_wmma"),
		.barrier = starts(text, "s_barrier"), .hint = is_hint(text),
		.full_wait = strstr(text, "vmcnt(0)") || starts(text, "s_wait_loadcnt 0x0") };
}

/* What is from one instruction to the end of another. */
static struct code_loop count_span(const struct listing *listing, size_t first, size_t last)
{
	struct code_loop loop = { 0 };

	for (size_t i = first; i <= last; i++) {
		const struct listed *of = &listing->list[i];

		loop.matrix += of->matrix;
		loop.others += !of->matrix && !of->hint;
		loop.barriers += of->barrier;
		loop.full_waits += of->full_wait;
	}
	return loop;
}

/* Where the loop begins that this instruction goes back to; its own number: nowhere. */
static size_t begin_of(const struct listing *listing, size_t i)
{
	long to = (long)listing->list[i].at + 4 + listing->list[i].branch;
	size_t first = 0;

	if (listing->list[i].branch >= 0)
		return i;
	while (first < i && (long)listing->list[first].at < to)
		first++;
	return first;
}

/* Loops come after those inside of them, which have the matrix instructions. */
static void find_loop(const struct listing *listing, struct code_loop *best)
{
	size_t last = 0;

	for (size_t i = 0; i < listing->count; i++) {
		size_t first = begin_of(listing, i);
		struct code_loop loop;

		if (first == i || first < last)
			continue;
		loop = count_span(listing, first, i);
		if (!loop.matrix)
			continue;
		last = i;
		if (loop.matrix > best->matrix || (loop.matrix == best->matrix &&
		    loop.others < best->others))
			*best = loop;
	}
}

bool code_object_loop(const char *object, size_t length, const char *kernel,
	const char *processor, struct code_loop *loop)
{
	struct bytes file = { (const unsigned char *)object, length }, code;
	struct listing listing = { 0 };
	bool ok = elf_header(file) && find_code(file, kernel, &code) &&
		visit_code(code, processor, list_instruction, &listing) && !listing.failed;

	*loop = (struct code_loop){ 0 };
	if (ok)
		find_loop(&listing, loop);
	free(listing.list);
	return ok;
}
