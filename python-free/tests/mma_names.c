/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names of the matrix instructions against LLVM's, for every target: those that
 * its disassembler finds among all opcodes, and what else its assembler calls them.
 * Nothing here knows an instruction's name. */
#include "algebra/chip.h"
#include "algebra/mma/mma.h"
#include "lower/llvm.h"
#include "support/append.h"
#include "support/assembler.h"
#include <layout/layout.h>
#include <layout/codegen.h>

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define NAME_BYTES 64
#define MOST_NAMES 512

struct names {
	unsigned count;
	char name[MOST_NAMES][NAME_BYTES];
};

static bool has(const struct names *names, const char *name)
{
	for (unsigned i = 0; i < names->count; i++)
		if (!strcmp(names->name[i], name))
			return true;
	return false;
}

static void add(struct names *names, const char *name)
{
	if (has(names, name))
		return;
	assert_true(names->count < MOST_NAMES && strlen(name) < NAME_BYTES);
	strcpy(names->name[names->count++], name);
}

/* What multiplies matrices; what only loads the scales for it does not. */
static bool multiplies(const char *name)
{
	static const char *const kinds[] = { "v_mfma_", "v_smfmac_", "v_wmma_",
		"v_swmmac_" };

	for (unsigned i = 0; i < COUNT(kinds); i++)
		if (!strncmp(name, kinds[i], strlen(kinds[i])))
			return !strstr(name, "_ld_scale");
	return false;
}

/* VOP3P with an opcode; the registers are wide apart and even, and "variant" is one
 * of the ways that the remaining bits have to be: with two sources or three. */
static void encode(uint8_t code[8], bool gfx9, unsigned opcode, unsigned variant)
{
	static const uint8_t low[] = { 0x00, 0x08, 0x40 };
	static const uint32_t high[] = { 0x140 << 18, 0x140 << 18 | 0x18 << 24,
		0x100 << 18, 0 };
	uint32_t sources = 0x100 | 0x120 << 9 | high[variant % 4];

	code[0] = variant % 4 < 2 ? 0x60 : 0;
	code[1] = low[variant / 4];
	code[2] = (uint8_t)opcode;
	code[3] = gfx9 ? 0xd3 : 0xcc;
	for (unsigned i = 0; i < 4; i++)
		code[4 + i] = (uint8_t)(sources >> 8 * i);
}
#define VARIANTS 12
#define OPCODES 256

/* The mnemonic of what the code begins with, "" if nothing. */
static void decode(LLVMDisasmContextRef llvm, uint8_t *code, unsigned bytes,
	char name[NAME_BYTES])
{
	char text[512];

	name[0] = 0;
	if (LLVMDisasmInstruction(llvm, code, bytes, 0, text, sizeof(text)))
		sscanf(text, " %63s", name);
}

/* With scales: an instruction that loads them, and one that multiplies behind. */
static void collect_scaled(LLVMDisasmContextRef llvm, const uint8_t load[8], bool gfx9,
	struct names *names)
{
	char name[NAME_BYTES];
	uint8_t code[16];

	memcpy(code, load, 8);
	for (unsigned i = 0; i < OPCODES * VARIANTS; i++) {
		encode(code + 8, gfx9, i / VARIANTS, i % VARIANTS);
		decode(llvm, code, 16, name);
		if (multiplies(name))
			add(names, name);
	}
}

static void collect(const layout_target *row, struct names *names)
{
	bool gfx9 = !strncmp(row->processor, "gfx9", 4);
	LLVMDisasmContextRef llvm = LLVMCreateDisasmCPUFeatures("amdgcn-amd-amdhsa",
		row->processor, assembler_features(row), NULL, 0, NULL, NULL);
	char name[NAME_BYTES];
	uint8_t code[8];

	assert_non_null(llvm);
	for (unsigned i = 0; i < OPCODES * VARIANTS; i++) {
		encode(code, gfx9, i / VARIANTS, i % VARIANTS);
		decode(llvm, code, 8, name);
		if (strstr(name, "_ld_scale"))
			collect_scaled(llvm, code, gfx9, names);
		else if (multiplies(name))
			add(names, name);
	}
	LLVMDisasmDispose(llvm);
}

/* The table's name without the formats, which are modifiers for the assembler. */
static void strip(const char *ours, char name[NAME_BYTES])
{
	char *formats;

	snprintf(name, NAME_BYTES, "%s", ours);
	formats = strstr(name, "f8f6f4");
	if (formats)
		formats[strlen("f8f6f4")] = 0;
}

/* Other ways to write a name, as the assembler might take them: without the blocks,
 * without what separates the types, with "_1k" behind. */
static void spell(const char *name, struct names *out)
{
	char text[NAME_BYTES];
	char *type, *blocks;

	strcpy(text, name);
	blocks = strstr(text, "b_");
	if (blocks && blocks[-1] >= '0' && blocks[-1] <= '9') {
		char *from = blocks;

		while (*--from != '_')
			;
		memmove(from, blocks + 1, strlen(blocks));
		add(out, text);
	}
	type = strrchr(text, '_');
	if (!type)
		return;
	memmove(type, type + 1, strlen(type));
	add(out, text);
	strcat(text, "_1k");
	add(out, text);
}

static bool found(layout_context *ctx, const char *name, const char *target)
{
	layout_mma *mma = layout_mma_find(ctx, name, LAYOUT_MMA_LHS, target);
	bool ok = mma != NULL;

	layout_mma_free(mma);
	layout_context_clear(ctx);
	return ok;
}

/* Add what the assembler takes of those names. */
static void add_taken(const layout_target *row, const struct names *tried,
	struct names *names)
{
	struct assembler_line *lines = calloc(tried->count, sizeof(*lines));

	for (unsigned i = 0; i < tried->count; i++)
		snprintf(lines[i].text, ASSEMBLER_LINE, "%s", tried->name[i]);
	assembler_ask(row, lines, tried->count);
	for (unsigned i = 0; i < tried->count; i++)
		if (assembler_knows(&lines[i]))
			add(names, tried->name[i]);
	free(lines);
}

#define DIFFERENCE_BYTES 65536

/* LLVM's names that the table lacks, and the table's that LLVM lacks. */
static void compare(layout_context *ctx, const layout_target *row, char *difference)
{
	struct names *llvm = calloc(1, sizeof(*llvm)), *tried = calloc(1, sizeof(*tried));
	const char *ours;

	collect(row, llvm);
	assert_true(llvm->count > 0);
	for (unsigned i = 0; i < llvm->count; i++)
		spell(llvm->name[i], tried);
	add_taken(row, tried, llvm);
	for (unsigned i = 0; i < llvm->count; i++)
		if (!found(ctx, llvm->name[i], row->name))
			append_text(difference, DIFFERENCE_BYTES, "%s: LLVM's %s\n",
				row->name, llvm->name[i]);
	for (unsigned i = 0; (ours = layout_mma_name_at(ctx, row->name, i)); i++) {
		char name[NAME_BYTES];

		strip(ours, name);
		if (name[0] == 'v' && !has(llvm, name))
			append_text(difference, DIFFERENCE_BYTES, "%s: our %s\n",
				row->name, name);
	}
	free(llvm);
	free(tried);
}

static void all_names_of_all_targets(void **state)
{
	layout_context *ctx = layout_context_new();
	char *difference = calloc(1, DIFFERENCE_BYTES);
	const layout_target *row;

	(void)state;
	lower_initialize_targets();
	LLVMInitializeAMDGPUDisassembler();
	for (unsigned i = 0; (row = layout_target_at(i)); i++)
		if (!strncmp(row->name, "gfx", 3))
			compare(ctx, row, difference);
	fputs(difference, stderr);
	assert_string_equal(difference, "");
	free(difference);
	assert_true(layout_context_free(ctx));
}

/* Does a row of the chip's have this code? */
static bool is_code_of_a_row(const struct chip *chip, const struct mma_code *code)
{
	const struct mma_row *row;

	for (unsigned i = 0; (row = mma_row_at(chip->family, i)); i++)
		if (mma_code_of(chip, row) == code)
			return true;
	return false;
}

/* None of what kernels can have is nobody's. */
static void codes_are_of_rows(void **state)
{
	const layout_target *target;

	(void)state;
	for (unsigned t = 0; (target = layout_target_at(t)); t++) {
		const struct chip *chip = chip_of(target);
		const struct mma_codes *codes = chip->family->matrix_codes;

		for (unsigned i = 0; codes && i < codes->count; i++)
			if ((codes->codes[i].targets & chip->bit) &&
			    !is_code_of_a_row(chip, &codes->codes[i]))
				fail_msg("%s: no row has %s", target->name,
					codes->codes[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_names_of_all_targets),
		cmocka_unit_test(codes_are_of_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
