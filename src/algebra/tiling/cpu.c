/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles of products on CPUs, as IREE's resolvers of CPUs and of VMVX choose them: the first
 * row of the table that the types and the features have, with fewer rows where the product
 * has few.  One with few columns is computed as the transposed product. */
#include "algebra/tiling/cpu.h"

#include "algebra/chip.h"
#include "algebra/storage/element.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct cpu_facts *find_facts(void)
{
	for (unsigned i = 0; chip_families[i]; i++)
		if (chip_families[i]->cpu)
			return chip_families[i]->cpu;
	return NULL;
}

void cpu_native(const char **architecture, const char **features)
{
	const struct cpu_facts *facts = find_facts();

	if (facts && !strcmp(*architecture, "native"))
		facts->native(architecture, features);
}

/* Does the list, "+avx,-fma", turn that feature on? */
static bool has_feature(const char *features, const char *name)
{
	bool on = !*name;

	while (*features) {
		size_t length = strcspn(features, ",");

		if (length == strlen(name) + 1 && !strncmp(features + 1, name, length - 1))
			on = *features == '+';
		features += length;
		features += *features == ',';
	}
	return on;
}

/* Is "type" one of "f32|f16", or floating point where that is wanted? */
static bool type_is(layout_context *ctx, const char *type, const char *wanted)
{
	size_t length = strlen(type);

	if (!*wanted)
		return true;
	if (!strcmp(wanted, "float"))
		return element_type_find(ctx, type)->kind == 'f';
	for (; *wanted; wanted += *wanted == '|') {
		size_t end = strcspn(wanted, "|");

		if (end == length && !strncmp(wanted, type, length))
			return true;
		wanted += end;
	}
	return false;
}

static bool row_fits(const struct cpu_tile *row, const layout_operand *operand,
	const char *architecture, const char *features)
{
	layout_context *ctx = operand->ctx;

	return !strcmp(row->architecture, architecture) &&
		has_feature(features, row->feature) &&
		type_is(ctx, operand->types[0], row->lhs) &&
		type_is(ctx, operand->types[1], row->rhs) &&
		type_is(ctx, operand->types[2], row->acc);
}

/* Columns of a tile that has as many as an eighth of a vector has bits: "+zvl256b" says how
 * many these are at least, 128 unless said. */
static unsigned vector_columns(const char *features)
{
	char name[24];

	for (unsigned bits = 65536; bits > 128; bits /= 2) {
		snprintf(name, sizeof(name), "zvl%ub", bits);
		if (has_feature(features, name))
			return bits / 8;
	}
	return 128 / 8;
}

/* The least power of 2 that is no less. */
static int64_t round_up(int64_t size)
{
	int64_t power = 1;

	while (power < size && power <= INT64_MAX / 2)
		power *= 2;
	return power;
}

/* The size of the narrow dimension, M or, "turned", N; LAYOUT_DYNAMIC where none is known to
 * be. */
static int64_t find_narrow(const layout_operand *operand,
	const struct tiling_contraction *contraction, bool *turned)
{
	int64_t m = contraction->sizes[LAYOUT_LOOP_M], n = contraction->sizes[LAYOUT_LOOP_N];

	*turned = false;
	if (!operand->size_count)
		return LAYOUT_DYNAMIC;
	*turned = n != LAYOUT_DYNAMIC && (m == LAYOUT_DYNAMIC || n < m);
	return *turned ? n : m;
}

/* The rows of the tile, or a power of 2 below: the most that do not pad a narrow dimension
 * beyond the power of 2 above it. */
static int64_t find_rows(int64_t most, int64_t narrow)
{
	int64_t rows = most;

	if (narrow == LAYOUT_DYNAMIC || rows <= round_up(narrow))
		return rows;
	for (rows = 1; rows * 2 < most && rows * 2 <= round_up(narrow);)
		rows *= 2;
	return rows;
}

static void explain(struct layout_buffer *why, const struct cpu_tile *row,
	const struct cpu_choice *choice, int64_t narrow)
{
	layout_buffer_printf(why, "tiles of %s%s%s: %u rows at most\n", row->architecture,
		*row->feature ? " with " : "", row->feature, row->m);
	if (narrow != LAYOUT_DYNAMIC)
		layout_buffer_printf(why, "the narrow dimension is %s, of %" PRId64 "%s\n",
			choice->turned ? "N" : "M", narrow,
			choice->turned ? ": the product is turned" : "");
	layout_buffer_printf(why, "tile: M %" PRId64 ", N %" PRId64 ", K %" PRId64 "\n",
		choice->tile[LAYOUT_LOOP_M], choice->tile[LAYOUT_LOOP_N], choice->tile[LAYOUT_LOOP_K]);
}

static void choose(const struct cpu_tile *row, const layout_operand *operand,
	const struct tiling_contraction *contraction, const char *features,
	struct layout_buffer *why, struct cpu_choice *choice)
{
	int64_t narrow = find_narrow(operand, contraction, &choice->turned);
	int64_t rows = find_rows(row->m, narrow);
	int64_t columns = row->n ? row->n : vector_columns(features);

	choice->tile[LAYOUT_LOOP_M] = choice->turned ? columns : rows;
	choice->tile[LAYOUT_LOOP_N] = choice->turned ? rows : columns;
	choice->tile[LAYOUT_LOOP_K] = row->k;
	explain(why, row, choice, narrow);
}

const char *cpu_choose(const layout_operand *operand, const struct tiling_contraction *contraction,
	const layout_tiling_target *target, struct layout_buffer *why,
	struct cpu_choice *choice)
{
	const char *architecture = target->instructions_of, *features = target->features;
	const struct cpu_facts *facts = find_facts();

	if (!facts)
		return "there are no tiles of CPUs";
	cpu_native(&architecture, &features);
	layout_buffer_printf(why, "%s, features: %s\n", architecture,
		*features ? features : "none");
	if (has_feature(features, "sve") || has_feature(features, "sve2"))
		return "SVE's scalable tiles are not supported; without sve there are NEON's";
	for (const struct cpu_tile *row = facts->tiles; row->architecture; row++)
		if (row_fits(row, operand, architecture, features)) {
			choose(row, operand, contraction, features, why, choice);
			return NULL;
		}
	return "this CPU has no tiles of these types";
}
