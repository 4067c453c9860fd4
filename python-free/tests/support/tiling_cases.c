/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/tiling_cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAP(from, to) "affine_map<(" from ") -> (" to ")>"
#define LOOPS3 "d0, d1, d2"
#define LOOPS4 "d0, d1, d2, d3"

const struct tiling_form tiling_plain = { "plain", "mnk", LAYOUT_MATMUL,
	{ MAP(LOOPS3, "d0, d2"), MAP(LOOPS3, "d2, d1"), MAP(LOOPS3, "d0, d1") },
	{ NULL } };

const struct tiling_form tiling_scaled = { "scaled", "mnko", LAYOUT_SCALED_MATMUL,
	{ MAP(LOOPS4, "d0, d2, d3"), MAP(LOOPS4, "d1, d2, d3"), MAP(LOOPS4, "d0, d2"),
	  MAP(LOOPS4, "d1, d2"), MAP(LOOPS4, "d0, d1") }, { NULL } };

const struct tiling_form tiling_forms[] = {
	{ "transposed", "mnk", LAYOUT_MATMUL,
	  { MAP(LOOPS3, "d2, d0"), MAP(LOOPS3, "d1, d2"), MAP(LOOPS3, "d1, d0") },
	  { NULL } },
	{ "batch", "bmnk", LAYOUT_MATMUL,
	  { MAP(LOOPS4, "d0, d1, d3"), MAP(LOOPS4, "d0, d3, d2"),
	    MAP(LOOPS4, "d0, d1, d2") }, { NULL } },
	{ "matrix times vector", "mk", LAYOUT_MATMUL,
	  { MAP("d0, d1", "d0, d1"), MAP("d0, d1", "d1"), MAP("d0, d1", "d0") },
	  { NULL } },
	{ "vector times matrix", "nk", LAYOUT_MATMUL,
	  { MAP("d0, d1", "d1"), MAP("d0, d1", "d1, d0"), MAP("d0, d1", "d0") },
	  { NULL } },
	{ "without the first", "mnk", LAYOUT_MATMUL,
	  { MAP(LOOPS3, "d0, d2"), MAP(LOOPS3, "d2, d1"), MAP(LOOPS3, "d0, d1") },
	  { MAP("d0, d1", "d1"), MAP("d0, d1", "d1"), MAP("d0, d1", "d1") } },
	{ "without the second", "mnk", LAYOUT_MATMUL,
	  { MAP(LOOPS3, "d0, d2"), MAP(LOOPS3, "d2, d1"), MAP(LOOPS3, "d0, d1") },
	  { MAP("d0, d1", "d0"), MAP("d0, d1", "d0"), MAP("d0, d1", "d0") } },
	{ "transposed after it", "bmnk", LAYOUT_MATMUL,
	  { MAP(LOOPS4, "d0, d1, d3"), MAP(LOOPS4, "d0, d3, d2"),
	    MAP(LOOPS4, "d0, d1, d2") },
	  { MAP(LOOPS3, "d2, d0, d1"), MAP(LOOPS3, "d1, d2, d0"),
	    MAP(LOOPS3, "d2, d1") } },
};
const unsigned tiling_form_count = sizeof(tiling_forms) / sizeof(*tiling_forms);

const int64_t tiling_sizes[][2] = {
	{ LAYOUT_DYNAMIC, LAYOUT_DYNAMIC }, { 1, 4096 }, { 255, 513 }, { 1024, 1024 },
};
const unsigned tiling_size_count = sizeof(tiling_sizes) / sizeof(*tiling_sizes);

/* Inputs of the scaled instructions, of the same type on both sides. */
static const char *const scaled_types[] = {
	"f8E5M2", "f8E5M2FNUZ", "f8E4M3FN", "f8E4M3FNUZ", "f4E2M1FN",
};

unsigned tiling_operands(const struct tiling_form *form)
{
	return form->op_type == LAYOUT_SCALED_MATMUL ? 5 : 3;
}

layout_operand *tiling_operand(layout_context *ctx, const struct tiling_case *wanted)
{
	const struct tiling_form *form = wanted->form;
	layout_operand_desc desc = LAYOUT_OPERAND_DESC_INIT;
	unsigned counts[LAYOUT_OPERANDS], count = 0;
	const char *maps[2 * LAYOUT_OPERANDS];
	int64_t sizes[LAYOUT_LOOPS];

	desc.op_type = form->op_type;
	desc.operand_index = wanted->operand;
	desc.type_count = desc.map_operands = tiling_operands(form);
	desc.element_types = wanted->types;
	for (unsigned i = 0; i < desc.map_operands; i++) {
		counts[i] = form->chains[i] ? 2 : 1;
		maps[count++] = form->maps[i];
		if (form->chains[i])
			maps[count++] = form->chains[i];
	}
	desc.map_counts = counts;
	desc.maps = maps;
	desc.size_count = (unsigned)strlen(form->loops);
	for (unsigned i = 0; i < desc.size_count; i++)
		sizes[i] = form->loops[i] == 'm' ? wanted->sizes[0] :
			form->loops[i] == 'n' ? wanted->sizes[1] :
			form->loops[i] == 'o' ? 32 : LAYOUT_DYNAMIC;
	desc.sizes = sizes;
	return layout_operand_new(ctx, &desc);
}

static void each_operand(layout_context *ctx, struct tiling_case *wanted,
	tiling_visit visit, void *user)
{
	unsigned operands = tiling_operands(wanted->form);

	for (wanted->operand = 0; wanted->operand < operands; wanted->operand++)
		visit(ctx, wanted, user);
}

static void each_scaled(layout_context *ctx, struct tiling_case *wanted,
	tiling_visit visit, void *user)
{
	for (size_t i = 0; i < sizeof(scaled_types) / sizeof(*scaled_types); i++) {
		wanted->types[0] = wanted->types[1] = scaled_types[i];
		wanted->types[2] = wanted->types[3] = "f8E8M0FNU";
		wanted->types[4] = "f32";
		each_operand(ctx, wanted, visit, user);
	}
}

/* The types of an instruction's operands. */
static void take_types(layout_context *ctx, const layout_tiling_target *target,
	unsigned i, const char **types)
{
	for (unsigned operand = 0; operand < 3; operand++) {
		layout_mma *mma = layout_mma_find(ctx, target->instructions[i], operand,
			target->instructions_of);

		types[operand] = layout_mma_type(mma);
		layout_mma_free(mma);
	}
}

/* An instruction before it has the same types. */
static bool is_known(layout_context *ctx, const layout_tiling_target *target, unsigned i)
{
	const char *types[3], *others[3];

	take_types(ctx, target, i, types);
	for (unsigned k = 0; k < i; k++) {
		take_types(ctx, target, k, others);
		if (!strcmp(types[0], others[0]) && !strcmp(types[1], others[1]) &&
		    !strcmp(types[2], others[2]))
			return true;
	}
	return false;
}

void tiling_each(layout_context *ctx, const layout_tiling_target *target,
	const struct tiling_form *form, const int64_t *sizes, tiling_visit visit,
	void *user)
{
	struct tiling_case wanted = { target, form, { NULL }, sizes, 0 };

	for (unsigned i = 0; !target->features && target->instructions[i]; i++) {
		bool scaled = strstr(target->instructions[i], "SCALE");

		if (scaled != (form->op_type == LAYOUT_SCALED_MATMUL))
			continue;
		if (scaled) {
			each_scaled(ctx, &wanted, visit, user);
			return;
		}
		take_types(ctx, target, i, wanted.types);
		if (!is_known(ctx, target, i))
			each_operand(ctx, &wanted, visit, user);
	}
}

static void print_size(char *text, size_t room, int64_t size)
{
	if (size == LAYOUT_DYNAMIC)
		snprintf(text, room, "?");
	else
		snprintf(text, room, "%" PRId64, size);
}

void tiling_describe(const struct tiling_case *wanted, char text[TILING_TEXT])
{
	char m[24], n[24];

	print_size(m, sizeof(m), wanted->sizes[0]);
	print_size(n, sizeof(n), wanted->sizes[1]);
	snprintf(text, TILING_TEXT, "%s, %s, %s x %s -> %s, %s x %s, operand %u",
		wanted->target->name, wanted->form->name, wanted->types[0],
		wanted->types[1], wanted->types[tiling_operands(wanted->form) - 1], m, n,
		wanted->operand);
}
