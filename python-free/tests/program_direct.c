/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies that go to the LDS directly: who loads which piece, what waves wait for, results in
 * the simulator, which objects without any part of that, and the loop as it is emitted. */
#include "support/program_check.h"
#include "support/random.h"
#include "support/vector_texts.h"

#include <layout/codegen.h>
#include "kernel/program/plan.h"
#include "lower/kernel.h"
#include "program/direct.h"
#include "support/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* ---- who loads what: the conformance rows */

enum { SEQUENCE = 13 };

static layout_kernel *kernel_of_row(layout_context *ctx, char *const *columns)
{
	char text[1024] = "";
	layout_program *program;
	layout_kernel *kernel;

	direct_copy_text(columns, text, sizeof(text));
	program = layout_program_parse(ctx, text);
	if (!program)
		fail_msg("%s: %s", columns[0], layout_context_message(ctx));
	kernel = layout_kernel_new_program(program, "gfx950", NULL);
	if (!kernel)
		fail_msg("%s: %s", columns[0], layout_context_message(ctx));
	layout_program_free(program);
	return kernel;
}

static struct direct_copy copy_of(const layout_kernel *kernel)
{
	const struct program_plan *plan = kernel->plan->program;
	const layout_tile *load = NULL;

	for (unsigned i = 0; i < plan->tile_count; i++)
		if (plan->program->tiles[i]->op == TILE_LOAD)
			load = plan->program->tiles[i];
	assert_non_null(load);
	return (struct direct_copy){ plan->program->locals[0], load->memory, &load->place,
		&plan->memories[0], plan->locals[0].offsets, 0, 64, 1 };
}

/* Each instruction of a wave writes one segment, each lane its part of it. */
static void check_owner(const struct direct_copy *copy, const struct owner *owner)
{
	int64_t hw[OWNER_PARTS] = { 0 }, at[OWNER_RANK];
	unsigned bytes = local_bytes_of(copy->local->type), vector = copy->piece / bytes;
	int64_t count = 0;

	do {
		int64_t first[] = { hw[0], 0, hw[2] - hw[2] % vector };
		int64_t begin, offset;

		owner_point(owner, first, at);
		begin = copy->offsets[owner_element(owner, at)];
		owner_point(owner, hw, at);
		offset = copy->offsets[owner_element(owner, at)];
		assert_int_equal(offset, begin + hw[1] * vector + hw[2] % vector);
		count++;
	} while (owner_next(owner, hw));
	assert_int_equal(count, owner_elements(owner));
}

static void check_row(layout_context *ctx, char *const *columns)
{
	layout_kernel *kernel = kernel_of_row(ctx, columns);
	struct direct_copy copy = copy_of(kernel);
	struct owner *owner = NULL;
	char *why = NULL, sequence[128] = "", *widths = strdup(columns[2]);
	size_t length;

	copy.wave_size = (unsigned)atoi(columns[1]);
	for (char *width; !owner && (width = strrchr(widths, ',') ? strrchr(widths, ',') + 1 :
	     *widths ? widths : NULL);) {
		free(why);
		copy.piece = (unsigned)atoi(width) / 8;
		owner = direct_owner(ctx, &copy, &why);
		*(width == widths ? width : width - 1) = 0;
	}
	free(widths);
	free(why);
	if (owner)
		check_owner(&copy, owner);
	if (atoi(columns[9]))
		assert_null(owner);
	else if (!owner)
		fail_msg("%s: no owner", columns[0]);
	for (int64_t r = 0; owner && r < owner->extent[OWNER_REGISTER] * (int64_t)
	     local_bytes_of(copy.local->type); r += copy.piece)
		sprintf(sequence + strlen(sequence), "%s%u", r ? "," : "", copy.piece /
			local_bytes_of(copy.local->type));
	length = strcspn(columns[SEQUENCE], "\t\n");
	if (*columns[SEQUENCE] != '-' && strncmp(sequence, columns[SEQUENCE], length))
		fail_msg("%s: %s, not %s", columns[0], sequence, columns[SEQUENCE]);
	owner_free(owner);
	layout_kernel_free(kernel);
}

static void test_rows(void **state)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/dma.tsv", "r");
	char *line = NULL, *columns[DMA_COLUMNS];
	unsigned rows = 0;
	size_t capacity = 0;

	assert_non_null(file);
	while (getline(&line, &capacity, file) > 0) {
		char *rest = line;

		if (*line == '#')
			continue;
		for (unsigned i = 0; i < DMA_COLUMNS; i++)
			assert_non_null(columns[i] = strsep(&rest, "\t\n"));
		check_row(*state, columns);
		rows++;
	}
	assert_int_equal(rows, 9);
	free(line);
	fclose(file);
}

/* ---- what waves wait for */

#define MATMUL_OF(tile, stages) "program p(X: in row_major[M, K] f16, Z: in row_major[M, K] f16, " \
	"Y: out row_major[M, M] f32) { grid (m, n) in (ceil(M/" tile "), ceil(M/" tile ")) " \
	"workers w in 2 x 2 lds lx: [" tile ", 32] f16 lds lz: [" tile ", 32] f16 for k in " \
	"ceil(K/32) stages " stages " carry c: [" tile ", " tile "] f32 = fill 0 { " \
	"copy X[" tile "*m, 32*k] -> lx by direct copy Z[" tile "*n, 32*k] -> lz by direct " \
	"t = contract c, get lx[0, 0] : [" tile ", 32], get lz[0, 0] : [" tile ", 32] : " \
	"(i, j, k) -> (i, k), (j, k), (i, j) yield t } store c -> Y[" tile "*m, " tile "*n] }"
#define MATMUL(stages) MATMUL_OF("64", stages)
#define HEAD(waves) "program p(X: in row_major[256, K] f32, Y: out row_major[256] f32) { " \
	"grid (g) in (1) workers w in " waves " lds l: [256, 4] f32 "
#define OTHERS "[256, 4] @ { [subgroup, lane, r] -> [64*(3 - subgroup) + lane, r] : " \
	"0 <= subgroup < 4 and 0 <= lane < 64 and 0 <= r < 4 }"
#define OWN "[256, 4] @ { [lane, r] -> [4*(63 - lane) + floor(r/4), r mod 4] : " \
	"0 <= lane < 64 and 0 <= r < 16 }"
#define SUM "z = reduce add s over [1] store z -> Y[0] }"

/* Programs, and where waves wait: statements are letters, c(opy), p(ut), g(et), s(tore), . for
 * others, and bodies in brackets; | is a barrier before one, ' a fence of each wave, with the
 * instructions of copies that may be under way, and a where accesses are done. */
static const struct row {
	const char *target, *program, *waits;
} rows[] = {
	{ "gfx950", MATMUL("2"), ".(|0accgg.)s" },
	{ "gfx950", MATMUL("3"), ".(|2accgg.)s" },
	{ "gfx942", MATMUL("3"), ".(|8accgg.)s" },
	{ "gfx90a", MATMUL("4"), ".(|16accgg.)s" },
	{ "gfx950", MATMUL("1"), ".(|acc|0gg.)s" },
	{ "sm_90", MATMUL("2"), ".(|0accgg.).s" },
	{ "sm_90", MATMUL("3"), ".(|4accgg.).s" },
	{ "sm_90", HEAD("8") "for k in ceil(K/4) stages 2 carry r: [256, 4] f32 = fill 0 { "
		"copy X[0, 4*k] -> l by direct a = get l[0, 0] : [256, 4] t = map r + a yield t } "
		"s = map r " SUM, NULL },

	/* two of four waves have something to copy */
	{ "gfx950", MATMUL_OF("32", "3"), ".(|2accgg.)s" },

	/* of other waves and of the own one; one of two copies is read first */
	{ "gfx950", HEAD("4") "copy X[0, 0] -> l by direct s = get l[0, 0] : " OTHERS SUM,
		"c|0g.s" },
	{ "gfx950", HEAD("1") "copy X[0, 0] -> l by direct s = get l[0, 0] : " OWN SUM,
		"c'0g..s" },
	{ "gfx950", HEAD("4") "lds n: [256, 4] f32 copy X[0, 0] -> l by direct copy X[0, 4] -> n "
		"by direct a = get l[0, 0] : " OTHERS " b = get n[0, 0] : " OTHERS
		"s = map a + b " SUM, "cc|0gg..s" },

	/* where nothing is copied ahead, as others put there, too; and from a loop to the next */
	{ "gfx950", HEAD("4") "for k in ceil(K/4) stages 2 carry r: [256, 4] f32 = fill 0 { "
		"copy X[0, 4*k] -> l by direct a = get l[0, 0] : " OTHERS " put a -> l[0, 0] "
		"b = get l[0, 0] : " OTHERS " t = map r + a + b yield t } "
		"s = map r " SUM, NULL },
	{ "gfx950", HEAD("4") "for j in 3 carry q: [256, 4] f32 = fill 0 { for k in ceil(K/4) "
		"stages 3 carry r: [256, 4] f32 = q { copy X[0, 4*k] -> l by direct "
		"a = get l[0, 0] : " OTHERS " t = map r + a yield t } yield r } s = map q " SUM,
		NULL },
	{ "gfx950", HEAD("4") "for k in ceil(K/4) stages 3 carry r: [256, 4] f32 = fill 0 { "
		"copy X[0, 4*k] -> l by direct when k < 1 { a = get l[0, 0] : " OTHERS " v = "
		"reduce add a over [1] keep put a -> l[0, 0] } b = get l[0, 0] : " OTHERS
		" t = map r + b yield t } s = map r " SUM, NULL },

	/* what nothing gets has landed at the end */
	{ "gfx950", HEAD("4") "copy X[0, 0] -> l by direct s: [256, 4] f32 = fill 1 " SUM, "c..s" },
	{ "sm_90", HEAD("4") "s: [256, 4] f32 = fill 1 when K > 100 { copy X[0, 4] -> l by direct } "
		SUM, NULL },
	{ "gfx942", HEAD("4") "copy X[0, 0] -> l by direct for k in ceil(K/4) carry s: [256, 4] f32 "
		"= fill 0 { a = get l[0, 0] : " OTHERS " t = map s + a "
		"copy X[0, 4*k + 4] -> l by direct yield t } " SUM, NULL },

	/* between a copy and a get, waves meet in a reduction: elsewhere than on gfx9, copies of theirs
	 * may be under way then */
	{ "gfx950", HEAD("4") "copy X[0, 0] -> l by direct x: [256, 4] f32 @ { [subgroup, lane, r] "
		"-> [64*subgroup + lane, r] : 0 <= subgroup < 4 and 0 <= lane < 64 and 0 <= r < 4 } "
		"= fill 1 v = reduce add x over [0] keep y = get l[0, 0] : " OTHERS
		"s = map y + v " SUM, "c..g..s" },
	{ "sm_90", HEAD("4") "copy X[0, 0] -> l by direct x: [256, 4] f32 @ { [subgroup, lane, r] "
		"-> [64*subgroup + lane + 32*(r mod 2), floor(r/2)] : 0 <= subgroup < 4 and "
		"0 <= lane < 32 and 0 <= r < 8 } = fill 1 v = reduce add x over [0] keep "
		"y = get l[0, 0] : [256, 4] s = map y + v " SUM, NULL },

	/* and nothing else is put where it goes before that */
	{ "sm_90", HEAD("8") "copy X[0, 0] -> l by direct x: [256, 4] f32 @ { [subgroup, lane, r] "
		"-> [32*(7 - subgroup) + lane, r] : 0 <= subgroup < 8 and 0 <= lane < 32 and "
		"0 <= r < 4 } = fill 1 s = "
		"convert x @ { [subgroup, lane, r] -> [32*subgroup + lane, r] : 0 <= subgroup < 8 "
		"and 0 <= lane < 32 and 0 <= r < 4 } " SUM, "c...s" },

	/* copies that are not ahead, beside such that are: none before the first step */
	{ "gfx950", "program p(A: in row_major[M, K] f32, B: in row_major[M, K] f32, Y: out row_major[M, 32] "
		"f32, Z: out row_major[M, 32] f32) { grid (m) in (ceil(M/16)) workers w in 2 lds la: [16, "
		"32] f32 lds lb: [16, 32] f32 f: [16, 32] f32 = fill 0 put f -> lb[0, 0] for k in "
		"ceil(K/32) stages 3 carry s: [16, 32] f32 = fill 0 { copy A[16*m, 32*k] -> la by direct "
		"x = get la[0, 0] : [16, 32] copy B[16*m, 32*k] -> lb by direct y = get lb[0, 0] : [16, "
		"32] t = map s + x + y yield t } z = get lb[0, 0] : [16, 32] store s -> Y[16*m, 0] store "
		"z -> Z[16*m, 0] }", ".p.('1acgc'0g.)gss" },
};

static void print_landing(const struct program_landing *landing, char **to)
{
	if (landing->wait == WAIT_NONE)
		return;
	*to = stpcpy(*to, landing->wait == WAIT_WORKGROUP ? "|" : "'");
	if (landing->copies >= 0)
		*to += sprintf(*to, "%d", landing->copies);
	*to = stpcpy(*to, landing->accesses ? "a" : "");
}

static void print_waits(const struct program_body *body, char **to)
{
	for (unsigned i = 0; i < body->count; i++) {
		const struct program_statement *of = &body->statements[i];

		print_landing(&of->direct, to);
		if (of->body.count) {
			*to = stpcpy(*to, "(");
			print_waits(&of->body, to);
			*to = stpcpy(*to, ")");
		} else if (of->kind == STATEMENT_PUT) {
			*to = stpcpy(*to, of->tile->piece ? "c" : "p");
		} else if (of->kind == STATEMENT_STORE) {
			*to = stpcpy(*to, "s");
		} else if (!of->tile->piece) {
			*to = stpcpy(*to, of->tile->op == TILE_GET ? "g" : ".");
		}
	}
}

static layout_kernel *kernel_new(layout_context *ctx, const struct row *row)
{
	layout_program *program = layout_program_parse(ctx, row->program);
	layout_kernel *kernel;

	if (!program || layout_program_verify(program, NULL, NULL) != LAYOUT_YES)
		fail_msg("%s: %s", row->program, layout_context_message(ctx));
	kernel = layout_kernel_new_program(program, row->target, NULL);
	if (!kernel)
		fail_msg("%s: %s", row->program, layout_context_message(ctx));
	layout_program_free(program);
	return kernel;
}

static void test_waits(void **state)
{
	for (unsigned i = 0; i < COUNT(rows); i++) {
		layout_kernel *kernel = kernel_new(*state, &rows[i]);
		char printed[256] = "", *to = printed;

		print_waits(&kernel->plan->program->program->body, &to);
		if (rows[i].waits && strcmp(printed, rows[i].waits))
			fail_msg("row %u: %s, not %s", i, printed, rows[i].waits);
		layout_kernel_free(kernel);
	}
}

/* ---- results, and without any part of a wait */

/* Of what takes 4 of K a step, there are fewer. */
enum { STEPS_LESS = 8 };

static struct program_data data_new(layout_context *ctx, const struct row *row, int64_t m,
	int64_t k)
{
	bool two = strstr(row->program, "[M, K]") || strstr(row->program, "[T, 64]");
	const int64_t sizes[] = { two ? m : k / STEPS_LESS, k };
	struct program_data data = program_data_new(ctx, row->program, sizes);
	uint64_t seed = 1;

	for (unsigned i = 0; i < data.count; i++)
		for (int64_t e = 0; e < (int64_t)(data.buffers[i].bytes * 8 /
		     data.type[i]->bits); e++)
			program_data_set(&data, i, e, (double)random_below(&seed, 8) - 4);
	return data;
}

static void test_results(void **state)
{
	/* all of it direct; edges that are; and such that no copy can be */
	static const int64_t sizes[][2] = { { 64, 224 }, { 40, 72 }, { 33, 71 }, { 32, 0 } };

	for (unsigned i = 0; i < COUNT(rows); i++) {
		struct program_data data[COUNT(sizes)];
		unsigned count = 0;

		for (unsigned s = 0; s < COUNT(sizes); s++)
			if (share_has(i, s, COUNT(sizes)))
				data[count++] = data_new(*state, &rows[i], sizes[s][0],
					sizes[s][1]);
		program_check_all(data, count, &rows[i].target, 1, 0);
		while (count)
			program_data_free(&data[--count]);
	}
}

/* Waits one by one, in the order of the text; NULL behind the last. */
static struct program_landing *find_landing(struct program_body *body, unsigned *n)
{
	struct program_landing *found = NULL;

	for (unsigned i = 0; !found && i < body->count; i++) {
		if (body->statements[i].direct.wait != WAIT_NONE && !(*n)--)
			return &body->statements[i].direct;
		found = find_landing(&body->statements[i].body, n);
	}
	return found;
}

enum part { PART_BARRIER, PART_COPIES, PART_ONE_COPY, PART_ACCESSES, PARTS };

/* Is something copied ahead of a loop's steps?  Elsewhere all copies are waited for. */
static bool is_ahead(const struct program_body *body)
{
	bool ahead = false;

	for (unsigned i = 0; i < body->count; i++)
		ahead = ahead || body->statements[i].ahead || is_ahead(&body->statements[i].body);
	return ahead;
}

/* False where it has no such part. */
static bool leave_out(struct program_landing *landing, enum part part, bool ahead)
{
	struct program_landing before = *landing;

	switch (part) {
	case PART_BARRIER:
		landing->wait = WAIT_NONE;
		return true;
	case PART_COPIES:
		landing->copies = -1;
		return before.copies >= 0;
	case PART_ONE_COPY:
		landing->copies += before.copies >= 0;
		return before.copies >= 0 && ahead;
	default:
		landing->accesses = false;
		return before.accesses;
	}
}

/* The kernel without that part of wait n, in a loop of whole tiles, of which there are enough;
 * false where there is no such wait. */
static bool run_without(const struct row *row, unsigned n, enum part part)
{
	layout_context *ctx = layout_context_new();
	struct program_data data = data_new(ctx, row, 64, 224);
	layout_kernel *kernel = kernel_new(ctx, row);
	struct program_landing *landing = find_landing(
		&kernel->plan->program->program->body, &n);
	layout_run how = LAYOUT_RUN_INIT;
	const char *said;

	if (landing && leave_out(landing, part,
	    is_ahead(&kernel->plan->program->program->body))) {
		how.buffers = data.buffers;
		how.buffer_count = data.count;
		how.sizes = data.sizes;
		how.size_count = data.size_count;
		if (layout_kernel_run(ctx, kernel, &how))
			fail_msg("without part %d of a wait, nothing is wrong: %s", part,
				row->program);
		said = layout_context_message(ctx);
		if (!strstr(said, "race") && !strstr(said, "under way") &&
		    !strstr(said, "never written"))
			fail_msg("%s", said);
	}
	layout_kernel_free(kernel);
	program_data_free(&data);
	assert_true(layout_context_free(ctx));
	return landing;
}

/* All chips of a family wait alike; barriers of sm_90 are behind all accesses. */
static void test_without(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++)
		for (enum part part = 0; part < PARTS; part++) {
			bool barriers = !strcmp(rows[i].target, "sm_90");
			bool runs = rows[i].waits && (!strcmp(rows[i].target, "gfx950") ||
				(barriers && part != PART_ACCESSES));

			for (unsigned n = 0; runs && share_has(i, part, PARTS) &&
			     run_without(&rows[i], n, part); n++)
				;
		}
}

/* A head of attention, whose keys and values are copied a step ahead. */
static void test_attention(void **state)
{
	char text[4096];
	FILE *file = fopen(SOURCE_DIR "/examples/programs/attention.txt", "r");
	const struct row row = { "gfx950", text, NULL };

	(void)state;
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = 0;
	fclose(file);
	for (enum part part = 0; part < PARTS; part++) {
		unsigned n = 0;

		if (!share_has(0, part, PARTS))
			continue;
		while (run_without(&row, n, part))
			n++;
		assert_int_equal(n, 1);
	}
}

/* ---- what is refused */

#define COPY(box, place, at, to) "program p(A: in row_major[M, 32] f16, B: in row_major[M, 32] " \
	"i4, Y: out row_major[M, 32] f16) { grid (m) in (ceil(M/16)) workers w in 1 lds l: " box \
	" f16 " place " copy A[" at "] -> l by direct x = get l[0, 0] : " box " y = map x + 1 " \
	"store y -> Y[16*m, 0] }", to

#define GATHER(copies, why) "program p(A: in row_major[M, 32] f16, I: in row_major[M, 1] i32, " \
	"Y: out row_major[M, 32] f16) { grid (m) in (ceil(M/16)) workers w in 1 lds l: [16, 32] f16 " \
	"i = load I[16*m, 0] : [16, 1] j: [32] i32 = index 0 " copies " x = get l[0, 0] : [16, 32] " \
	"store x -> Y[16*m, 0] }", why

static const struct {
	const char *target, *program, *why;
} refused[] = {
	{ "gfx942", COPY("[16, 32]", "@ strided[16, 32 : 36, 1]", "16*m, 0",
		"lane 16 writes byte 64 of `l`, and the element that is its, (1, 0), wants byte 72") },
	{ "gfx942", COPY("[16, 32]", "@ col_major[16, 32]", "16*m, 0",
		"lane 0 writes bytes 0 and 2 of `l` at once, and (0, 0) and (1, 0), which want "
		"these, are no such piece of `A`") },
	{ "gfx942", COPY("[16, 32]", "@ swizzled(row_major[16, 32], xor_shuffle<32, 1>)",
		"16*m, 0", "lane 16 writes bytes 64 and 66 of `l` at once, and (1, 1) and (1, 0), which "
		"want these, are no such piece") },
	{ "gfx950", COPY("[16, 32]", "", "16*m, 3", "lane 0 writes bytes 0 to 3 of `l` "
		"at once, and the copy begins in `A` at no multiple of their 2 elements") },
	{ "gfx950", COPY("[5, 5]", "", "16*m, 0", "lane 12 writes byte 50 of `l`, and no "
		"element wants it") },
	{ "gfx942", COPY("[256, 32]", "", "16*m, 0",
		"64 accesses of a wave are more than the 16") },
	{ "gfx942", COPY("[16, 32]", "@ swizzled(row_major[16, 32], rotate_rows<32, 4>)",
		"16*m, 0", "follows from no digits and no XORs: lane 8 writes byte 288 of `l`, which "
		"(4, 0) wants, and digits have it load (4, 32)") },
	{ "gfx942", GATHER("copy A[i, 0] -> l by direct copy A[i, 0] -> l by direct",
		"lane 1 writes byte 4 of `l` and has not the index of what wants it: `i` is used "
		"elsewhere") },
	{ "gfx950", GATHER("copy A[16*m, j] -> l by direct",
		"lane 0 writes bytes 0 and 2 of `l` at once, and (0, 0) and (0, 1)") },
	{ "gfx1100", COPY("[16, 32]", "", "16*m, 0", "gfx1100 has no loads") },
	{ "gfx1250", COPY("[16, 32]", "", "16*m, 0", "gfx1250 has no loads") },
	{ "sm_75", COPY("[16, 32]", "", "16*m, 0", "sm_75 has no loads") },
};

static void test_refused(void **state)
{
	for (unsigned i = 0; i < COUNT(refused); i++) {
		layout_program *program = layout_program_parse(*state, refused[i].program);

		if (!program)
			fail_msg("row %u: %s", i, layout_context_message(*state));
		assert_null(layout_kernel_new_program(program, refused[i].target, NULL));
		assert_int_equal(layout_context_error(*state), LAYOUT_ERROR_UNSUPPORTED);
		if (!strstr(layout_context_message(*state), refused[i].why))
			fail_msg("row %u: %s", i, layout_context_message(*state));
		layout_context_clear(*state);
		layout_program_free(program);
	}
}

/* ---- places: what is read back is what was loaded, by XOR, rotation, padding */

static void test_places(void **state)
{
	static const struct {
		const char *target, *box, *place;
		unsigned piece;
	} places[] = {
		{ "gfx942", "[16, 64]", "swizzled(row_major[16, 64], xor_shuffle<64, 4>)", 4 },
		{ "gfx950", "[16, 64]", "swizzled(row_major[16, 64], xor_shuffle<64, 8>)", 16 },
		{ "gfx950", "[16, 64]", "swizzled(row_major[16, 64], xor_shuffle<64, 2>)", 4 },
		{ "gfx942", "[8, 128]", "strided[8, 128 : 136, 1]", 4 },
		{ "gfx950", "[2, 512]", "strided[2, 512 : 520, 1]", 16 },
		{ "gfx950", "[8, 128]", "strided[8, 128 : 136, 1]", 4 },
		{ "gfx950", "[4, 256]", "strided[4, 256 : 1, 4]", 0 },
		{ "gfx950", "[64, 6]", "row_major[64, 6]", 12 },
		{ "sm_90", "[16, 64]", "swizzled(row_major[16, 64], xor_shuffle<64, 8>)", 16 },
		{ "sm_90", "[16, 64]", "swizzled(row_major[16, 64], xor_shuffle<64, 4>)", 8 },
		{ "sm_90", "[32, 2]", "row_major[32, 2]", 4 },
	};

	for (unsigned i = 0; i < COUNT(places); i++) {
		const int64_t sizes[] = { 13, 64 };
		struct program_data data;
		struct row row = { places[i].target, NULL, NULL };
		layout_kernel *kernel;
		char text[1024];

		snprintf(text, sizeof(text), "program p(A: in row_major[M, K] f16, Y: out "
			"row_major[M, K] f16) { grid (m, k) in (ceil(M/%d), ceil(K/%d)) workers "
			"w in 1 lds l: %s f16 @ %s copy A[%d*m, %d*k] -> l by %s x = get l[0, 0] "
			": %s y = map x * 2 store y -> Y[%d*m, %d*k] }", atoi(places[i].box + 1),
			atoi(strchr(places[i].box, ',') + 1), places[i].box, places[i].place,
			atoi(places[i].box + 1), atoi(strchr(places[i].box, ',') + 1),
			places[i].piece ? "direct" : "registers", places[i].box,
			atoi(places[i].box + 1), atoi(strchr(places[i].box, ',') + 1));
		row.program = text;
		kernel = kernel_new(*state, &row);
		assert_int_equal(kernel->plan->program->program->tiles[0]->piece,
			places[i].piece);
		layout_kernel_free(kernel);
		data = program_data_new(*state, text, sizes);
		for (int64_t e = 0; e < 13 * 64; e++)
			program_data_set(&data, 0, e, (double)(e % 509));
		program_check_all(&data, 1, &row.target, 1, 0);
		program_data_free(&data);
	}
}

/* ---- sources: packed, swizzled, seen through maps, gathered; some not from a multiple on */

#define PACKED(tiles) "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = " tiles \
	", outerDimsPerm = [0, 1]}>, [M, K])"
#define UNROLLED "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [16, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 16 : i16]], " \
	"[[\"CrossIntrinsic\", 2 : i16], [\"CrossThread\", 4 : i16], " \
	"[\"Internal\", 2 : i16]]], permutation = [2, 0, 1, 3]}}>, [M, K])"
#define SOURCE(source, type, waves, place, copy) "program p(A: in " source " " type ", " \
	"I: in row_major[64] i32, Y: out row_major[M, K] " type ") { grid (m, k) in " \
	"(ceil(M/16), ceil(K/32)) workers w in " waves " lds l: [16, 32] " type " " place " " copy \
	" -> l by direct x = get l[0, 0] : [16, 32] y = map x * 2 store y -> Y[16*m, 32*k] }"
#define IN_LOOP(source, type, index, copy) "program p(A: in " source " " type ", I: in " \
	"row_major[64] i32, Y: out row_major[M, 32] " type ") { grid (m) in (ceil(M/16)) workers w in 2 " \
	"lds l: [16, 32] " type " " index " for k in ceil(K/32) stages 3 carry s: [16, 32] " type \
	" = fill 0 { " copy " -> l by direct x = get l[0, 0] : [16, 32] t = map s + x yield t } " \
	"store s -> Y[16*m, 0] }"
#define WIDE_SWIZZLE "@ swizzled(row_major[16, 32], xor_shuffle<32, 8>)"

#define CUBE "program p(A: in row_major[M, 5, K] f32, I: in row_major[64] i32, Y: out " \
	"row_major[M, 5, K] f32) { grid (m, j, k) in (ceil(M/2), 2, ceil(K/32)) workers w in 1 " \
	"lds l: [2, 4, 32] f32 copy A[2*m + 1, 4*j + 2, 32*k + 4] -> l by direct " \
	"x = get l[0, 0, 0] : [2, 4, 32] y = map x * 2 store y -> Y[2*m, 4*j, 32*k] }"

static const struct source {
	const char *target, *program;
	unsigned piece;
} sources[] = {
	/* zeros behind the end in each of three dimensions */
	{ "gfx942", CUBE, 4 },
	{ "gfx950", CUBE, 16 },
	{ "sm_90", CUBE, 16 },

	{ "gfx950", SOURCE(PACKED("[16, 8]"), "f16", "1", "", "copy A[16*m, 32*k]"), 16 },
	{ "gfx942", SOURCE(PACKED("[16, 8]"), "f16", "2", "", "copy A[16*m, 32*k]"), 4 },
	{ "sm_90", SOURCE(PACKED("[4, 8]"), "f16", "2", WIDE_SWIZZLE, "copy A[16*m, 32*k]"), 16 },
	{ "gfx950", SOURCE(PACKED("[4, 2]"), "f16", "2", "", "copy A[16*m, 32*k]"), 4 },
	{ "gfx950", SOURCE(PACKED("[5, 8]"), "f16", "1", WIDE_SWIZZLE, "copy A[16*m, 32*k]"), 16 },
	{ "gfx950", SOURCE(PACKED("[5, 7]"), "f32", "2", "", "copy A[16*m + 3, 32*k + 1]"), 4 },
	{ "gfx942", SOURCE(PACKED("[8, 1]"), "f32", "4", "", "copy A[16*m, 32*k]"), 4 },
	{ "gfx950", SOURCE(UNROLLED, "f16", "1", "", "copy A[16*m, 32*k]"), 4 },
	{ "gfx950", SOURCE("swizzled(row_major[M, 64], xor_shuffle<64, 8>)", "f16", "1",
		WIDE_SWIZZLE, "copy A[16*m, 32*k]"), 16 },
	{ "gfx942", SOURCE("swizzled(row_major[M, 64], xor_shuffle<64, 4>)", "f32", "2", "",
		"copy A[16*m + 5, 32*k]"), 4 },
	{ "gfx942", SOURCE("swizzled(row_major[M, 64], rotate_rows<64, 8>)", "f16", "2", "",
		"copy A[16*m, 32*k]"), 4 },
	{ "gfx950", SOURCE("col_major[M, K]", "f32", "2", "", "copy A[16*m, 32*k]"), 4 },
	{ "gfx950", SOURCE("through(row_major[M, K], affine_map<(i, j) -> (i - 2, 2*j)>)", "f32",
		"2", "", "copy A[16*m, 32*k]"), 4 },
	{ "gfx950", SOURCE("through(row_major[M, K], affine_map<(i, j) -> (2*i + 1, j + 8)>)",
		"f16", "1", WIDE_SWIZZLE, "copy A[16*m, 32*k]"), 16 },
	{ "gfx950", SOURCE("through(row_major[M, K], affine_map<(i, j) -> (i, 15 - j)>)", "f32",
		"1", "", "copy A[16*m, 32*k]"), 4 },
	{ "sm_90", SOURCE("through(row_major[K, M], affine_map<(i, j) -> (j, i)>)", "f32", "2", "",
		"copy A[16*m, 32*k]"), 4 },
	/* a storage of more dimensions than are seen, and of fewer */
	{ "gfx950", SOURCE("through(row_major[M, 2, K], affine_map<(i, j) -> (i, 1, j)>)", "f16",
		"1", "", "copy A[16*m, 32*k]"), 16 },
	{ "gfx942", SOURCE("through(row_major[M], affine_map<(i, j) -> (i + 2*j - 3)>)", "f32",
		"2", "", "copy A[16*m, 32*k]"), 4 },

	/* rows of a gather, elements, and what is gathered in a loop or before it */
	{ "gfx950", SOURCE("row_major[M, K]", "f16", "1", WIDE_SWIZZLE,
		"i = load I[16*m] : [16] j = view i expand 0 into (16, 1) copy A[j, 32*k]"), 16 },
	{ "gfx950", SOURCE("row_major[M, K]", "f16", "1", WIDE_SWIZZLE,
		"i: [16, 1] i32 = index 0 copy A[i, 32*k]"), 16 },
	{ "gfx942", SOURCE("row_major[M, K]", "f32", "2", "",
		"i = load I[16*k] : [32] copy A[16*m, i]"), 4 },
	{ "gfx942", SOURCE("row_major[M, K]", "f32", "2", "",
		"i = load I[16*m] : [16] j = view i expand 0 into (16, 1) copy A[j, 32*k]"), 4 },
	{ "gfx950", SOURCE(PACKED("[4, 8]"), "f16", "1", "",
		"i: [16, 1] i32 = fill 3 copy A[i, 32*k]"), 16 },
	{ "sm_90", SOURCE("row_major[M, K]", "f32", "4", "",
		"i = load I[16*k] : [32] j: [16, 1] i32 = index 0 copy A[j, i]"), 4 },
	{ "gfx950", IN_LOOP("row_major[M, K]", "f32", "", "i = load I[32*k] : [32] "
		"copy A[16*m, i]"), 4 },
	{ "gfx950", IN_LOOP("row_major[M, K]", "f16", "i: [16, 1] i32 = index 0",
		"copy A[i, 32*k]"), 4 },
	{ "gfx950", "program p(A: in row_major[M, K] f16, I: in row_major[64] i32, Y: out "
		"row_major[M, 32] f16) { grid (m) in (ceil(M/16)) workers w in 1 lds l: [16, 32] f16 "
		"@ row_major[16, 32] owner o = { [lane] -> [floor(lane/4), 0] : 0 <= lane < 64 } "
		"c: [16, 1] i32 @ o = index 0 for k in ceil(K/32) stages 3 carry s: [16, 32] f16 = "
		"fill 0, i: [16, 1] i32 @ o = c { copy A[i, 32*k] -> l by direct x = get l[0, 0] : "
		"[16, 32] t = map s + x j = map i + 1 yield t, j } store s -> Y[16*m, 0] }", 16 },
	{ "gfx942", IN_LOOP(PACKED("[16, 8]"), "f16", "", "copy A[16*m, 32*k]"), 4 },
	{ "gfx950", IN_LOOP(PACKED("[16, 16]"), "f16", "", "copy A[16*m, 32*k + 4]"), 4 },
};

static struct program_data source_data(layout_context *ctx, const char *program, int64_t m,
	int64_t k)
{
	const int64_t sizes[] = { m, k };
	struct program_data data = program_data_new(ctx, program, sizes);

	for (unsigned i = 0; i < 2; i++)
		for (int64_t e = 0; e < (int64_t)(data.buffers[i].bytes * 8 /
		     data.type[i]->bits); e++)
			program_data_set(&data, i, e, i ? (double)(e * 29 % 67 - 2) :
				(double)(e * 7 % 509));
	return data;
}

static void test_sources(void **state)
{
	static const int64_t sizes[][2] = { { 48, 64 }, { 37, 40 }, { 21, 33 } };

	for (unsigned i = 0; i < COUNT(sources); i++) {
		const struct row row = { sources[i].target, sources[i].program, NULL };
		layout_kernel *kernel = kernel_new(*state, &row);
		struct direct_copy copy = copy_of(kernel);
		struct program_data data[COUNT(sizes)];
		unsigned count = 0, piece = 0;

		for (unsigned t = 0; t < kernel->plan->program->tile_count; t++)
			if (kernel->plan->program->program->tiles[t]->memory == copy.from)
				piece = kernel->plan->program->program->tiles[t]->piece;
		if (piece != sources[i].piece)
			fail_msg("row %u: %u bytes, not %u", i, piece, sources[i].piece);
		layout_kernel_free(kernel);
		for (unsigned s = 0; s < COUNT(sizes); s++)
			if (share_has(i, s, COUNT(sizes)))
				data[count++] = source_data(*state, row.program, sizes[s][0],
					sizes[s][1]);
		program_check_all(data, count, &row.target, 1, 0);
		while (count)
			program_data_free(&data[--count]);
	}
}

/* ---- the loop as it is emitted */

static unsigned count_words(const char *from, const char *to, const char *word)
{
	unsigned count = 0;

	for (; (from = strstr(from, word)) && from < to; from += strlen(word))
		count++;
	return count;
}

/* Turns of three steps: one barrier each, and the next step's copies are under way there. */
static void test_loop(void **state)
{
	static const struct row row = { "gfx950", MATMUL("3"), NULL };
	layout_kernel *kernel = kernel_new(*state, &row);
	size_t length;
	char *text = layout_kernel_emit(*state, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length);
	const char *best = NULL, *end = NULL;

	assert_non_null(text);
	for (const char *line = text; (line = strstr(line, "\n.LBB")); line++) {
		char label[32];
		const char *branch;

		snprintf(label, sizeof(label), " %.*s\n", (int)strcspn(line + 1, ":"), line + 1);
		branch = strstr(line, label);
		if (branch && count_words(line, branch, "\n.LBB") == 1 &&
		    count_words(line, branch, "v_mfma") == 3 * 4) {
			best = line;
			end = branch;
		}
	}
	assert_non_null(best);
	assert_int_equal(count_words(best, end, "s_barrier"), 3);
	assert_int_equal(count_words(best, end, "vmcnt"), 3);
	assert_int_equal(count_words(best, end, "s_waitcnt vmcnt(2) lgkmcnt(0)"), 3);
	assert_int_equal(count_words(best, end, "buffer_load_dwordx4"), 3 * 2);
	assert_int_equal(count_words(best, end, " lds"), 3 * 2);
	assert_int_equal(count_words(best, end, "ds_read_b128"), 3 * 4);
	assert_int_equal(count_words(best, end, "ds_write"), 0);
	assert_int_equal(count_words(best, end, "\tv_"), 3 * 4);
	assert_null(strstr(text, "global_load_lds"));
	assert_null(strstr(text, "scratch_"));
	layout_string_free(text);
	layout_kernel_free(kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_waits,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_results,
			program_context_new, program_context_free),
		cmocka_unit_test(test_without),
		cmocka_unit_test(test_attention),
		cmocka_unit_test_setup_teardown(test_refused,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_places,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_sources,
			program_context_new, program_context_free),
		cmocka_unit_test_setup_teardown(test_loop,
			program_context_new, program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
