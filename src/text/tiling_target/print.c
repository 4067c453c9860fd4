/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Targets printed as IREE prints them: what the files beside this one read. */
#include "algebra/mma/mma.h"
#include "algebra/tiling/choice_instruction.h"
#include "algebra/tiling/cpu.h"
#include "algebra/tiling/targets.h"
#include "text/tiling_target/tiling_target.h"

#include <stdlib.h>
#include <string.h>

/* "name = ", with a comma before all but the first. */
static void begin_field(struct layout_buffer *out, const char *name, bool *first)
{
	layout_buffer_printf(out, "%s%s = ", *first ? "" : ", ", name);
	*first = false;
}

static void print_words(struct layout_buffer *out, const char *name, const char *words,
	bool *first)
{
	if (!words)
		return;
	begin_field(out, name, first);
	layout_buffer_printf(out, "%s", words);
}

static void print_count(struct layout_buffer *out, const char *name, unsigned count,
	bool *first)
{
	if (!count)
		return;
	begin_field(out, name, first);
	layout_buffer_printf(out, "%u", count);
}

/* Up to a 0; nothing where that is the first. */
static void print_counts(struct layout_buffer *out, const char *name, const unsigned *counts,
	unsigned most, bool *first)
{
	if (!*counts)
		return;
	begin_field(out, name, first);
	for (unsigned i = 0; i < most && counts[i]; i++)
		layout_buffer_printf(out, "%s%u", i ? ", " : "[", counts[i]);
	layout_buffer_printf(out, "]");
}

/* "<MFMA_F32_16x16x4_F32>"; of a scaled one an entry for each type that it takes. */
static void print_instruction(struct layout_buffer *out, const struct mma_row *row,
	const char **separator)
{
	const char *type;

	if (!mma_row_has(row, LAYOUT_MMA_LHS_SCALE)) {
		layout_buffer_printf(out, "%s<%s>", *separator, row->name);
		*separator = ", ";
		return;
	}
	for (unsigned i = 0; (type = tiling_scaled_type(i)); i++) {
		layout_buffer_printf(out, "%s<intrinsic = %s, lhs_elem_type = %s, "
			"rhs_elem_type = %s, acc_elem_type = %s>", *separator, row->name, type,
			type, row->types[2]);
		*separator = ", ";
	}
}

/* The instructions that have scales, or those that have none; false with an error where one
 * is no instruction of the target's. */
static bool print_mma(layout_context *ctx, struct layout_buffer *out,
	const layout_tiling_target *target, bool scaled, bool *first)
{
	const char *separator = "[", *const *name = target->instructions;

	for (; name && *name; name++) {
		const struct mma_row *row = tiling_find_instruction(ctx, target, *name);

		if (!row)
			return false;
		if (mma_row_has(row, LAYOUT_MMA_LHS_SCALE) != scaled)
			continue;
		if (*separator == '[')
			begin_field(out, scaled ? "scaled_mma" : "mma", first);
		print_instruction(out, row, &separator);
	}
	layout_buffer_printf(out, *separator == '[' ? "" : "]");
	return true;
}

/* In quotes; what does not print as MLIR has it, "\\1B". */
static void print_string(struct layout_buffer *out, const char *text)
{
	layout_buffer_printf(out, "\"");
	for (; *text; text++)
		layout_buffer_printf(out, *text >= ' ' && *text <= '~' ? "%c" : "\\%02X",
			(unsigned char)*text);
	layout_buffer_printf(out, "\"");
}

static bool print_gpu(layout_context *ctx, struct layout_buffer *out,
	const layout_tiling_target *target)
{
	bool first = true;

	layout_buffer_printf(out, "#iree_gpu.target<arch = \"%s\", features = ",
		target->instructions_of);
	print_string(out, target->processor_features ? target->processor_features : "");
	layout_buffer_printf(out, ", wgp = <");
	print_words(out, "compute", target->compute, &first);
	print_words(out, "storage", target->storage, &first);
	print_words(out, "subgroup", target->subgroup_operations, &first);
	print_words(out, "dot", target->dot_products, &first);
	if (!print_mma(ctx, out, target, false, &first) ||
	    !print_mma(ctx, out, target, true, &first))
		return false;
	print_counts(out, "subgroup_size_choices", target->subgroup_sizes, 2, &first);
	print_counts(out, "max_workgroup_sizes", target->max_workgroup_sizes, 3, &first);
	print_count(out, "max_thread_count_per_workgroup", target->max_workgroup_threads, &first);
	print_count(out, "max_workgroup_memory_bytes", target->lds_bytes, &first);
	print_counts(out, "max_workgroup_counts", target->max_workgroup_counts, 3, &first);
	print_count(out, "max_load_instruction_bits", target->max_load_bits, &first);
	print_count(out, "simds_per_wgp", target->simds, &first);
	print_count(out, "vgpr_space_bits", target->vgpr_bits, &first);
	layout_buffer_printf(out, ">");
	first = false;
	if (target->processors)
		layout_buffer_printf(out, ", chip = <wgp_count = %u>", target->processors);
	layout_buffer_printf(out, ">");
	return true;
}

static void print_cpu(struct layout_buffer *out, const layout_tiling_target *target)
{
	const char *architecture = target->instructions_of, *features = target->features;

	cpu_native(&architecture, &features);
	if (!strcmp(architecture, "vmvx")) {
		layout_buffer_printf(out, "#hal.executable.target<\"vmvx\", "
			"\"vmvx-bytecode-fb\">");
		return;
	}
	layout_buffer_printf(out, "#hal.executable.target<\"llvm-cpu\", \"embedded-elf-%s\", "
		"{cpu_features = ", architecture);
	print_string(out, features);
	layout_buffer_printf(out, ", target_triple = \"%s-unknown-unknown-eabi-elf\"}>",
		architecture);
}

char *layout_tiling_target_str(layout_context *ctx, const layout_tiling_target *target)
{
	struct layout_buffer out = { 0 };
	layout_tiling_target row;
	bool good = tiling_target_check(ctx, target, &row);

	if (good && row.features)
		print_cpu(&out, &row);
	else
		good = good && print_gpu(ctx, &out, &row);
	if (good)
		return layout_buffer_take(ctx, &out);
	free(out.text);
	return NULL;
}
