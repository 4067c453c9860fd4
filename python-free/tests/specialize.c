/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dispatches on several devices: which kernels they share, which relayouts they need,
 * and that each relayout leaves the tensor where the next kernel looks for it.
 * NVIDIA's chips, whose operands have no encodings to resolve, are none of them. */
#include "support/append.h"
#include "isl_bridge/relation.h"

#include <layout/codegen.h>
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define DISPATCHES 8
#define OPERANDS 4
#define TEXT 2048

#define ENCODING(i, types, lhs) "#iree_encoding.encoding<operand_index = " i \
	", op_type = matmul, element_types = [" types "], user_indexing_maps = [" lhs \
	", affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]>"
#define LHS_MAP "affine_map<(m, n, k) -> (m, k)>"
#define HALF "f16, f16, f32"

/* The encodings that the rows name by their numbers: lhs, rhs, acc; an lhs that has
 * only K; types that no instruction takes; f32; nothing known. */
static const char *const encodings[] = {
	ENCODING("0", HALF, LHS_MAP), ENCODING("1", HALF, LHS_MAP),
	ENCODING("2", HALF, LHS_MAP),
	ENCODING("0", HALF, "[" LHS_MAP ", affine_map<(m, k) -> (k)>]"),
	ENCODING("0", "i64, i64, i64", LHS_MAP), ENCODING("0", "f32, f32, f32", LHS_MAP),
	"encoding<operand_index = 0, op_type = matmul, element_types = [f32, f32, f32]>",
};
#define ENCODINGS (sizeof(encodings) / sizeof(*encodings))

/*	operands	"0 1r 2@gfx942 -": the numbers of encodings; "r" is held row-major,
 *			"@" for another target; "-" has none
 *	expected	layouts; variants with the layouts of their operands and their
 *			dispatches; relayouts with their uses */
static const struct row {
	struct {
		const char *kernel, *target, *operands;
	} dispatches[DISPATCHES];
	const char *sizes[2];		/* of the tensors; NULL: of run time */
	const char *expected;
} rows[] = {
	/* the walk-through's: one relayout kernel on two devices */
	{ { { "set_encoding", "gfx942", "- 0" }, { "set_encoding", "gfx950", "- 0" } },
	  { NULL },
	  "2 layouts; set_encoding_gfx942(- 0)[0] set_encoding_gfx950(- 1)[1];" },
	/* one device twice, and a chip with the same processor */
	{ { { "mm", "gfx942", "0 1 2" }, { "mm", "mi300x", "0 1 2" },
	    { "mm", "gfx942", "0 1 2" }, { "other", "gfx942", "0" } }, { NULL },
	  "3 layouts; mm_gfx942(0 1 2)[0 1 2] other_gfx942(0)[3];" },
	/* where the operands come from */
	{ { { "mm", "gfx942", "0r 1r 2" }, { "mm", "gfx950", "0@gfx942 1@gfx942 2" },
	    { "mm", "gfx942", "0@gfx942 1r 2" }, { "mm", "gfx1100", "0r 1@gfx950 2" } },
	  { NULL },
	  "8 layouts; mm_gfx942(0 1 2)[0 2] mm_gfx950(3 4 2)[1] mm_gfx1100(5 6 7)[3]; "
	  "relayout_f16_plain_to_0_gfx942[0.0] relayout_f16_plain_to_1_gfx942[0.1 2.1] "
	  "relayout_f16_0_to_3_gfx950[1.0] relayout_f16_1_to_4_gfx950[1.1] "
	  "relayout_f16_plain_to_5_gfx1100[3.0] relayout_f16_4_to_6_gfx1100[3.1]" },
	/* layouts that are the same, though one target splits K in other parts */
	{ { { "v", "gfx1100", "3" }, { "v", "gfx1200", "3@gfx1100" },
	    { "v", "rx9060xt", "3@gfx1100" } }, { NULL },
	  "1 layouts; v_gfx1100(0)[0] v_gfx1200(0)[1 2];" },
	/* one processor, two layouts */
	{ { { "v", "gfx950", "0" }, { "v", "gfx950{vgpr_bits = 4096}", "0@gfx950" } },
	  { NULL }, "2 layouts; v_gfx950(0)[0] v_gfx950_1(1)[1]; "
	  "relayout_f16_0_to_1_gfx950[1.0]" },
	/* a name that a variant has already */
	{ { { "v", "gfx950", "0" }, { "v", "gfx950{vgpr_bits = 4096}", "0" },
	    { "relayout_f16_plain_to_0", "gfx950", "0r" } }, { NULL },
	  "2 layouts; v_gfx950(0)[0] v_gfx950_1(1)[1] relayout_f16_plain_to_0_gfx950_1(0)"
	  "[2]; relayout_f16_plain_to_0_gfx950[2.0]" },
	/* encodings that are row-major after all */
	{ { { "v", "gfx942", "4r 6r" }, { "v", "gfx1100", "5r 6" },
	    { "v", "gfx1100", "- -" }, { "v", "gfx1100", "-" } }, { NULL },
	  "0 layouts; v_gfx942(- -)[0] v_gfx1100(- -)[1 2] v_gfx1100_1(-)[3];" },
	{ { { "v", "gfx1100", "5@gfx942" } }, { NULL },
	  "1 layouts; v_gfx1100(-)[0]; relayout_f32_0_to_plain_gfx1100[0.0]" },
	/* nothing to do for the sizes of this tensor; something for those of that */
	{ { { "v", "gfx1100", "3r" } }, { "64" }, "1 layouts; v_gfx1100(0)[0];" },
	{ { { "v", "gfx1100", "3r" } }, { "72" }, "1 layouts; v_gfx1100(0)[0]; "
	  "relayout_f16_plain_to_0_gfx1100[0.0]" },
	{ { { NULL } }, { NULL }, "0 layouts;" },
};
#define ROWS (sizeof(rows) / sizeof(*rows))

/* What a row's structs point to. */
struct program {
	layout_context *ctx;
	unsigned count;
	layout_operand *encodings[ENCODINGS];
	layout_tiling_target *targets[DISPATCHES];
	layout_dispatch dispatches[DISPATCHES];
	layout_dispatch_operand operands[DISPATCHES][OPERANDS];
	int numbers[DISPATCHES][OPERANDS];	/* of encodings; -1: none */
};

/* "0@gfx942" */
static void read_operand(struct program *program, const struct row *row, unsigned i,
	unsigned k, const char *text)
{
	layout_dispatch_operand *operand = &program->operands[i][k];

	program->numbers[i][k] = *text == '-' ? -1 : *text - '0';
	if (*text == '-')
		return;
	operand->encoding = program->encodings[*text - '0'];
	operand->sizes = row->sizes[0] ? row->sizes : NULL;
	if (text[1] == 'r')
		operand->held = LAYOUT_HELD_ROW_MAJOR;
	if (text[1] != '@')
		return;
	operand->held = LAYOUT_HELD_FOR_TARGET;
	operand->holder = layout_tiling_target_find(program->ctx, text + 2);
	assert_non_null(operand->holder);
}

static void read_dispatch(struct program *program, const struct row *row, unsigned i)
{
	layout_dispatch *dispatch = &program->dispatches[i];
	char *copy = strdup(row->dispatches[i].operands), *rest = copy, *text;

	program->targets[i] = layout_tiling_target_parse(program->ctx,
		row->dispatches[i].target);
	if (!program->targets[i])
		fail_msg("%s", layout_context_message(program->ctx));
	dispatch->kernel = row->dispatches[i].kernel;
	dispatch->target = program->targets[i];
	dispatch->operands = program->operands[i];
	while ((text = strsep(&rest, " ")))
		read_operand(program, row, i, dispatch->operand_count++, text);
	free(copy);
	program->count++;
}

static struct program *program_new(const struct row *row)
{
	struct program *program = calloc(1, sizeof(*program));

	assert_non_null(program);
	program->ctx = layout_context_new();
	for (size_t i = 0; i < ENCODINGS; i++) {
		program->encodings[i] = layout_operand_parse(program->ctx, encodings[i]);
		assert_non_null(program->encodings[i]);
	}
	for (unsigned i = 0; i < DISPATCHES && row->dispatches[i].operands; i++)
		read_dispatch(program, row, i);
	return program;
}

static void program_free(struct program *program)
{
	for (unsigned i = 0; i < program->count; i++)
		layout_tiling_target_free(program->targets[i]);
	for (size_t i = 0; i < ENCODINGS; i++)
		layout_operand_free(program->encodings[i]);
	assert_true(layout_context_free(program->ctx));
	free(program);
}

static layout_specialization *specialize(const struct program *program)
{
	layout_specialization *result = layout_specialize(program->ctx,
		program->dispatches, program->count, LAYOUT_RESOLVER_DATA_TILING);

	if (!result)
		fail_msg("%s", layout_context_message(program->ctx));
	return result;
}

static void describe_variant(char text[TEXT], const layout_variant *variant)
{
	append_text(text, TEXT, " %s(", variant->name);
	for (unsigned k = 0; k < variant->operand_count; k++) {
		append_text(text, TEXT, k ? " " : "");
		if (variant->layouts[k] == LAYOUT_PLAIN)
			append_text(text, TEXT, "-");
		else
			append_text(text, TEXT, "%u", variant->layouts[k]);
	}
	append_text(text, TEXT, ")[");
	for (unsigned k = 0; k < variant->dispatch_count; k++)
		append_text(text, TEXT, "%s%u", k ? " " : "", variant->dispatches[k]);
	append_text(text, TEXT, "]");
}

static void describe(char text[TEXT], layout_specialization *result)
{
	const layout_variant *variant;
	const layout_relayout *relayout;
	unsigned layouts = 0;

	text[0] = '\0';
	while (layout_specialization_layout(result, layouts))
		layouts++;
	append_text(text, TEXT, "%u layouts;", layouts);
	for (unsigned i = 0; (variant = layout_specialization_variant(result, i)); i++)
		describe_variant(text, variant);
	append_text(text, TEXT,
		variant || layout_specialization_variant(result, 0) ? ";" : "");
	for (unsigned i = 0; (relayout = layout_specialization_relayout(result, i)); i++) {
		append_text(text, TEXT, " %s[", relayout->name);
		for (unsigned k = 0; k < relayout->use_count; k++)
			append_text(text, TEXT,
				"%s%u.%u", k ? " " : "", relayout->uses[k].dispatch,
				relayout->uses[k].operand);
		append_text(text, TEXT, "]");
	}
}

static void summaries(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS; i++) {
		struct program *program;
		layout_specialization *result;
		char text[TEXT];

		program = program_new(&rows[i]);
		result = specialize(program);
		describe(text, result);
		if (strcmp(text, rows[i].expected) != 0)
			fail_msg("row %zu: %s", i, text);
		for (unsigned d = 0; d < program->count; d++)
			assert_string_equal(layout_specialization_variant_of(result, d)
				->kernel, program->dispatches[d].kernel);
		assert_null(layout_specialization_variant_of(result, program->count));
		layout_specialization_free(result);
		program_free(program);
	}
}

/* Where each element of a tensor lies, by its number in row-major order. */
struct places {
	int64_t count, elements, *offsets;
};

struct visit {
	struct places *places;
	int64_t shape[LAYOUT_STORAGE_SLOTS];
};

static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *cell,
	unsigned rank)
{
	struct visit *filling = user;
	int64_t offset = 0;

	(void)in;
	(void)in_rank;
	for (unsigned d = 0; d < rank; d++)
		offset = offset * filling->shape[d] + cell[d];
	filling->places->offsets[filling->places->count++] = offset;
	return true;
}

#define ELEMENTS (255 * 70)

/* Consumes the storage, of at most ELEMENTS elements. */
static struct places places_of(layout_storage *storage)
{
	struct places places = { 0 };
	struct visit filling = { .places = &places };
	layout_relation *relation = layout_storage_relation(storage);

	assert_non_null(relation);
	places.offsets = calloc(ELEMENTS, sizeof(*places.offsets));
	assert_non_null(places.offsets);
	places.elements = layout_storage_elements(storage, NULL, 0);
	assert_true(layout_storage_memory_shape(storage, NULL, 0, filling.shape) > 0);
	assert_true(layout_relation_for_each(relation, visit, &filling));
	layout_relation_free(relation);
	layout_storage_free(storage);
	return places;
}

static const char *const odd_sizes[] = { "130", "40" };

/* The operand as its target wants it, resolved alone. */
static struct places wanted(const struct program *program, unsigned dispatch,
	unsigned operand)
{
	layout_operand *encoding = program->operands[dispatch][operand].encoding;
	layout_resolution *resolution = layout_encoding_resolve(encoding,
		program->dispatches[dispatch].target, LAYOUT_RESOLVER_DATA_TILING);
	layout_encoding *resolved = layout_resolution_encoding(resolution);

	layout_resolution_free(resolution);
	return places_of(layout_storage_packed(resolved, layout_operand_rank(encoding),
		odd_sizes));
}

static bool equal(const struct places *a, const struct places *b)
{
	return a->count == b->count && a->elements == b->elements &&
		memcmp(a->offsets, b->offsets, (size_t)a->count * sizeof(*a->offsets)) == 0;
}

/* Two operands have one layout if, and only if, their elements lie alike. */
static void compare(const struct program *program, layout_specialization *result,
	const unsigned a[2], const unsigned b[2])
{
	unsigned first = layout_specialization_variant_of(result, a[0])->layouts[a[1]];
	unsigned second = layout_specialization_variant_of(result, b[0])->layouts[b[1]];
	layout_operand *left = program->operands[a[0]][a[1]].encoding;
	layout_operand *right = program->operands[b[0]][b[1]].encoding;
	struct places here, there;

	if (!left || !right || !layout_operand_rank(left) ||
			layout_operand_rank(left) != layout_operand_rank(right))
		return;
	here = wanted(program, a[0], a[1]);
	there = wanted(program, b[0], b[1]);
	assert_int_equal(equal(&here, &there), first == second);
	free(here.offsets);
	free(there.offsets);
}

static void layouts(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS; i++) {
		struct program *program;
		layout_specialization *result;
		unsigned a[2], b[2];

		program = program_new(&rows[i]);
		result = specialize(program);
		for (a[0] = 0; a[0] < program->count; a[0]++)
		for (a[1] = 0; a[1] < program->dispatches[a[0]].operand_count; a[1]++)
		for (b[0] = 0; b[0] < a[0]; b[0]++)
		for (b[1] = 0; b[1] < program->dispatches[b[0]].operand_count; b[1]++)
			compare(program, result, a, b);
		layout_specialization_free(result);
		program_free(program);
	}
}

/* Run one relayout of 16-bit elements on this CPU: from where the first storage has
 * them to where the second one does, and zero elsewhere. */
static void run_relayout(layout_context *ctx, const layout_relayout *relayout)
{
	layout_size sizes[] = { { "D0", 255 }, { "D1", 70 } };
	layout_kernel *kernel = layout_kernel_new(relayout->remap, "host", NULL);
	char *text = layout_remap_str(relayout->remap), fixed[TEXT];
	layout_run run = LAYOUT_RUN_INIT;
	struct places from, to;
	uint16_t *source, *destination, *expected;
	layout_remap *remap;

	/* the same with numbers, for the places */
	snprintf(fixed, sizeof(fixed), "%s", text);
	for (char *at; (at = strstr(fixed, "D0, D1"));)
		memcpy(at, "255,70", 6);
	remap = layout_remap_parse(ctx, fixed);
	assert_non_null(remap);
	from = places_of(layout_storage_copy(layout_remap_source(remap)));
	to = places_of(layout_storage_copy(layout_remap_destination(remap)));
	assert_int_equal(from.count, 255 * 70);
	source = calloc((size_t)from.elements, sizeof(*source));
	destination = malloc((size_t)to.elements * sizeof(*destination));
	expected = calloc((size_t)to.elements, sizeof(*expected));
	assert_true(kernel && source && destination && expected);
	for (int64_t e = 0; e < from.count; e++)
		source[from.offsets[e]] = expected[to.offsets[e]] = (uint16_t)(e * 7 + 1);
	run.source = source;
	run.source_bytes = (size_t)from.elements * sizeof(*source);
	run.destination = destination;
	run.destination_bytes = (size_t)to.elements * sizeof(*destination);
	run.sizes = sizes;
	run.size_count = 2;
	assert_true(layout_kernel_run(ctx, kernel, &run));
	assert_memory_equal(destination, expected, run.destination_bytes);
	free(source);
	free(destination);
	free(expected);
	free(from.offsets);
	free(to.offsets);
	free(text);
	layout_remap_free(remap);
	layout_kernel_free(kernel);
}

static void relayouts(void **state)
{
	struct program *program = program_new(&rows[2]);
	layout_specialization *result = specialize(program);
	const layout_relayout *relayout;
	unsigned i;

	(void)state;
	for (i = 0; (relayout = layout_specialization_relayout(result, i)); i++)
		run_relayout(program->ctx, relayout);
	assert_int_equal(i, 6);
	layout_specialization_free(result);
	program_free(program);
}

/* The order of the dispatches decides numbers, and nothing else; asking again, nothing. */
static void repeated(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS; i++) {
		struct program *program;
		layout_specialization *result;
		char first[TEXT], second[TEXT];

		program = program_new(&rows[i]);
		result = specialize(program);
		describe(first, result);
		layout_specialization_free(result);
		result = specialize(program);
		describe(second, result);
		layout_specialization_free(result);
		assert_string_equal(first, second);
		program_free(program);
	}
}

static void expect_error(struct program *program, layout_error kind, const char *message)
{
	assert_null(layout_specialize(program->ctx, program->dispatches, program->count,
		LAYOUT_RESOLVER_DATA_TILING));
	assert_int_equal(layout_context_error(program->ctx), kind);
	assert_string_equal(layout_context_message(program->ctx), message);
	layout_context_clear(program->ctx);
}

static void refused(void **state)
{
	struct program *program = program_new(&rows[2]);
	layout_dispatch *dispatch = &program->dispatches[1];
	layout_dispatch_operand *operand = &program->operands[1][1], held = *operand;
	layout_tiling_target bad = *program->targets[1];
	static const char *const none[] = { "MFMA_F32_1x1x1_F99", NULL };
	static const char *const wrong[] = { "4", "M M" }, *const missing[] = { "4", NULL };

	(void)state;
	assert_null(layout_specialize(program->ctx, NULL, 1, LAYOUT_RESOLVER_DATA_TILING));
	layout_context_clear(program->ctx);
	operand->holder = NULL;
	expect_error(program, LAYOUT_ERROR_INVALID, "dispatch 1, operand 1: there is no "
		"target that holds the operand");
	*operand = held;
	operand->type = "f17";
	expect_error(program, LAYOUT_ERROR_INVALID,
		"dispatch 1, operand 1: there is no element type f17: f32, f16, bf16, f8E4M3FN, "
		"i32, u8, i4, i1 and others are as MLIR names them");
	*operand = held;
	operand->sizes = wrong;
	assert_null(layout_specialize(program->ctx, program->dispatches, program->count,
		LAYOUT_RESOLVER_DATA_TILING));
	assert_non_null(strstr(layout_context_message(program->ctx), "operand 1: "));
	layout_context_clear(program->ctx);
	operand->sizes = missing;
	assert_null(layout_specialize(program->ctx, program->dispatches, program->count,
		LAYOUT_RESOLVER_DATA_TILING));
	layout_context_clear(program->ctx);
	*operand = held;
	dispatch->kernel = NULL;
	expect_error(program, LAYOUT_ERROR_INVALID, "there is no name of a kernel");
	dispatch->kernel = "mm";
	dispatch->target = NULL;
	expect_error(program, LAYOUT_ERROR_INVALID, "there is no target of a dispatch");
	bad.instructions = none;
	dispatch->target = &bad;
	assert_null(layout_specialize(program->ctx, program->dispatches, program->count,
		LAYOUT_RESOLVER_DATA_TILING));
	assert_memory_equal(layout_context_message(program->ctx),
		"dispatch 1, operand 0: ", 23);
	layout_context_clear(program->ctx);
	dispatch->target = program->targets[1];
	dispatch->operands = NULL;
	expect_error(program, LAYOUT_ERROR_INVALID, "there is no list of operands");
	layout_specialization_free(NULL);
	assert_null(layout_specialization_layout(NULL, 0));
	assert_null(layout_specialization_variant(NULL, 0));
	assert_null(layout_specialization_relayout(NULL, 0));
	assert_null(layout_specialization_variant_of(NULL, 0));
	program_free(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summaries),
		cmocka_unit_test(layouts),
		cmocka_unit_test(relayouts),
		cmocka_unit_test(repeated),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
