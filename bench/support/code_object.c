/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/code_object.h"

#include "support/elf_reader.h"
#include "support/msgpack.h"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <stdio.h>
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

static void count_instruction(const char *name, struct code_counts *counts)
{
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

static bool count_code(struct bytes code, const char *processor,
	struct code_counts *counts)
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
		count_instruction(text + strspn(text, " \t"), counts);
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

bool code_object_count(const char *object, size_t length, const char *kernel,
	const char *processor, struct code_counts *counts)
{
	struct bytes file = { (const unsigned char *)object, length }, code;
	const Elf64_Sym *symbol;

	memset(counts, 0, sizeof(*counts));
	if (!elf_header(file))
		return false;
	code = elf_section(file, ".text");
	symbol = elf_symbol(file, kernel);
	if (!code.at || !symbol || symbol->st_size > code.size)
		return false;
	code.size = symbol->st_size;
	return count_code(code, processor, counts) && read_metadata(file, counts);
}
