/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The waits of the code that is emitted, in all its loops: what a load brings is waited for before
 * an instruction names it, a wave's accesses to the LDS are done when it comes to a barrier, and of
 * its copies to the LDS as many are on their way there as there are steps to come.
 *
 * The model of gfx9: loads, stores and copies of a wave are done in their order, and so are its
 * accesses to the LDS; scalar loads in any.  What comes to a place by several ways waits for the
 * one that is least far. */
#include "support/program_data.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

#define MATMUL(step, stages, by) "program p(A: in row_major[M, K] f16, B: in row_major[N, K] f16, " \
	"C: out row_major[M, N] f32) { grid (m, n) in (ceil(M/64), ceil(N/64)) workers w in 2 x 2 " \
	"lds la: [64, " step "] f16 lds lb: [64, " step "] f16 for k in ceil(K/" step ") stages " \
	stages " carry acc: [64, 64] f32 = fill 0 { copy A[64*m, " step "*k] -> la " by \
	" copy B[64*n, " step "*k] -> lb " by " t = contract acc, get la[0, 0] : [64, " step "], " \
	"get lb[0, 0] : [64, " step "] : (i, j, k) -> (i, k), (j, k), (i, j) yield t } " \
	"store acc -> C[64*m, 64*n] }"

enum { VECTORS = 256, ACCUMULATORS = 256, SCALARS = 128, COPIES = 64, FAR = 100 };
enum { FIRST_ACCUMULATOR = VECTORS, FIRST_SCALAR = VECTORS + ACCUMULATORS,
	REGISTERS = FIRST_SCALAR + SCALARS };
enum kind { OTHER, MEMORY, COPY, LOCAL, SCALAR, WAIT, BARRIER, JUMP, BRANCH, END };

/* "text" goes on to the end of the line; "target" is an instruction's number. */
struct instruction {
	const char *text;
	enum kind kind;
	bool loads, product;
	int memory_left, local_left;	/* of a wait; -1: any number */
	size_t target;
};

struct code {
	char *text;
	struct instruction *list;
	size_t count;
};

/* How many of its kind were issued behind what each register waits for: -1, nothing, and FAR for
 * what only a wait for all ends. */
struct state {
	signed char memory[REGISTERS], local[REGISTERS], copies[COPIES], written;
	bool reached, changed;
};

/* ---- reading the code */

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static size_t line_length(const char *line)
{
	return strcspn(line, ";\n");
}

/* Where the line has the word; NULL. */
static const char *find_word(const char *line, const char *word)
{
	return memmem(line, line_length(line), word, strlen(word));
}

/* What a wait says behind a name, or -1. */
static int count_left(const char *line, const char *name)
{
	const char *at = find_word(line, name);

	return at ? (int)strtol(at + strlen(name), NULL, 10) : -1;
}

static enum kind kind_of(const char *line)
{
	static const struct {
		const char *begin;
		enum kind kind;
	} kinds[] = {
		{ "global_", MEMORY }, { "buffer_", MEMORY }, { "scratch_", MEMORY },
		{ "flat_", MEMORY }, { "ds_", LOCAL }, { "s_load", SCALAR },
		{ "s_buffer_load", SCALAR }, { "s_waitcnt", WAIT }, { "s_barrier", BARRIER },
		{ "s_branch", JUMP }, { "s_cbranch", BRANCH }, { "s_endpgm", END },
	};

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (starts(line, kinds[i].begin))
			return kinds[i].kind == MEMORY && find_word(line, " lds") ? COPY :
				kinds[i].kind;
	return OTHER;
}

static struct instruction read_instruction(const char *line)
{
	struct instruction of = { .text = line, .kind = kind_of(line),
		.memory_left = count_left(line, "vmcnt("),
		.local_left = count_left(line, "lgkmcnt("),
		.product = starts(line, "v_mfma") };
	const char *name = line + strcspn(line, "_");

	of.loads = of.kind == SCALAR || (of.kind == LOCAL && !starts(name, "_write")) ||
		(of.kind == MEMORY && starts(name, "_load"));
	return of;
}

/* The instruction behind the label that a branch names. */
static size_t find_label(const struct code *code, const char *branch)
{
	const char *name = strstr(branch, ".LBB"), *at;
	char label[32];
	size_t i = 0;

	assert_non_null(name);
	snprintf(label, sizeof(label), "\n%.*s:", (int)strcspn(name, " \n"), name);
	at = strstr(code->text, label);
	assert_non_null(at);
	while (i < code->count && code->list[i].text < at)
		i++;
	return i;
}

/* The kernel's instructions are lines that begin with a tab and a letter. */
static struct code read_code(char *text)
{
	struct code code = { .text = text };
	size_t room = 0;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (*line != '\t' || !islower((unsigned char)line[1]))
			continue;
		if (code.count == room) {
			room = 2 * room + 1024;
			code.list = realloc(code.list, room * sizeof(*code.list));
			assert_non_null(code.list);
		}
		code.list[code.count++] = read_instruction(line + 1);
	}
	for (size_t i = 0; i < code.count; i++)
		if (code.list[i].kind == JUMP || code.list[i].kind == BRANCH)
			code.list[i].target = find_label(&code, code.list[i].text);
	return code;
}

/* "7" or "[4:7]", and what is behind it; NULL. */
static const char *read_numbers(const char *at, unsigned *low, unsigned *count)
{
	bool range = *at == '[';
	char *end;

	at += range;
	if (!isdigit((unsigned char)*at))
		return NULL;
	*low = (unsigned)strtoul(at, &end, 10);
	*count = 1;
	if (!range)
		return end;
	if (*end != ':' || !isdigit((unsigned char)end[1]))
		return NULL;
	*count = (unsigned)strtoul(end + 1, &end, 10) - *low + 1;
	return *end == ']' ? end + 1 : NULL;
}

/* The registers that an operand is, from "first" on, as many as are returned; "line" goes on
 * behind it. */
static unsigned next_operand(const char **line, unsigned *first)
{
	const char *at = *line, *end = at + line_length(at);

	for (; at < end; at++) {
		unsigned from = *at == 'v' ? 0 : *at == 'a' ? FIRST_ACCUMULATOR : FIRST_SCALAR;
		unsigned low, count;
		const char *behind;

		if (!strchr("vas", *at) || isalnum((unsigned char)at[-1]) || at[-1] == '_')
			continue;
		behind = read_numbers(at + 1, &low, &count);
		if (!behind || isalnum((unsigned char)*behind) || *behind == '_')
			continue;
		*line = behind;
		*first = from + low;
		return count;
	}
	return 0;
}

/* ---- what is on its way */

static void issue(signed char *ages, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (ages[i] >= 0 && ages[i] < FAR - 1)
			ages[i]++;
}

static void land(signed char *ages, unsigned count, int left)
{
	for (unsigned i = 0; i < count; i++)
		if (left >= 0 && (ages[i] == FAR ? !left : ages[i] >= left))
			ages[i] = -1;
}

static void wait(struct state *state, const struct instruction *of)
{
	land(state->memory, REGISTERS, of->memory_left);
	land(state->copies, COPIES, of->memory_left);
	land(state->local, REGISTERS, of->local_left);
	land(&state->written, 1, of->local_left);
}

/* Does it name what is on its way?  Loads of one kind come to a register in their order. */
static bool names_pending(const struct state *state, const struct instruction *of)
{
	const char *line = of->text + strcspn(of->text, " \n");
	unsigned first, count;
	bool loaded = of->loads;

	while ((count = next_operand(&line, &first))) {
		for (unsigned i = first; i < first + count && i < REGISTERS; i++)
			if ((state->memory[i] >= 0 && !(loaded && of->kind == MEMORY)) ||
			    (state->local[i] >= 0 && !(loaded && of->kind == LOCAL)))
				return true;
		loaded = false;
	}
	return false;
}

static unsigned count_copies(const struct state *state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < COPIES; i++)
		count += state->copies[i] >= 0;
	return count;
}

static bool local_pending(const struct state *state)
{
	for (unsigned i = 0; i < FIRST_SCALAR; i++)
		if (state->local[i] >= 0)
			return true;
	return state->written >= 0;
}

static void begin(struct state *state, const struct instruction *of)
{
	const char *line = of->text + strcspn(of->text, " \n");
	unsigned first, count;

	if (of->kind == MEMORY || of->kind == COPY) {
		issue(state->memory, REGISTERS);
		issue(state->copies, COPIES);
	}
	if (of->kind == LOCAL) {
		issue(state->local, REGISTERS);
		issue(&state->written, 1);
	}
	if (of->kind == COPY) {
		memmove(state->copies + 1, state->copies, COPIES - 1);
		state->copies[0] = 0;
	}
	if (of->kind == LOCAL && !of->loads)
		state->written = 0;
	if (!of->loads)
		return;
	count = next_operand(&line, &first);
	for (unsigned i = first; i < first + count && i < REGISTERS; i++)
		(of->kind == MEMORY ? state->memory : state->local)[i] =
			of->kind == SCALAR ? FAR : 0;
}

/* Go on by one instruction; false where it does not wait for what it takes. */
static bool step(struct state *state, const struct instruction *of, unsigned ahead)
{
	if (of->kind == WAIT) {
		wait(state, of);
		return true;
	}
	if (names_pending(state, of) || (of->kind == BARRIER &&
	    (local_pending(state) || count_copies(state) > ahead)))
		return false;
	begin(state, of);
	return true;
}

/* ---- all ways through the code */

static bool meet_ages(signed char *to, const signed char *from, unsigned count)
{
	bool changed = false;

	for (unsigned i = 0; i < count; i++) {
		bool less = from[i] >= 0 && (to[i] < 0 ? true : to[i] == FAR ? false :
			from[i] == FAR || from[i] < to[i]);

		changed = changed || less;
		to[i] = less ? from[i] : to[i];
	}
	return changed;
}

static void meet(struct state *to, const struct state *from)
{
	if (!to->reached) {
		*to = *from;
		to->changed = true;
		return;
	}
	to->changed = meet_ages(to->memory, from->memory, REGISTERS) || to->changed;
	to->changed = meet_ages(to->local, from->local, REGISTERS) || to->changed;
	to->changed = meet_ages(to->copies, from->copies, COPIES) || to->changed;
	to->changed = meet_ages(&to->written, &from->written, 1) || to->changed;
}

/* From a state on, up to the next: the states are at labels, what branches go to. */
static bool walk(const struct code *code, struct state *states, size_t first, size_t without,
	unsigned ahead, const struct instruction **wrong)
{
	struct state state = states[first];

	for (size_t i = first; i < code->count; i++) {
		const struct instruction *of = &code->list[i];

		if (i > first && states[i].reached) {
			meet(&states[i], &state);
			return true;
		}
		if (i != without && !step(&state, of, ahead)) {
			*wrong = of;
			return false;
		}
		if (of->kind == JUMP || of->kind == BRANCH)
			meet(&states[of->target], &state);
		if (of->kind == JUMP || of->kind == END)
			return true;
	}
	return true;
}

/* Nothing is missing on any way, but for the wait that is left out; else "wrong" is where. */
static bool holds(const struct code *code, size_t without, unsigned ahead,
	const struct instruction **wrong)
{
	struct state *states = calloc(code->count + 1, sizeof(*states));
	bool ok = true, changed = true;

	assert_non_null(states);
	memset(&states[0], -1, offsetof(struct state, reached));
	states[0].reached = states[0].changed = true;
	while (ok && changed) {
		changed = false;
		for (size_t i = 0; ok && i < code->count; i++)
			if (states[i].changed) {
				states[i].changed = false;
				changed = true;
				ok = walk(code, states, i, without, ahead, wrong);
			}
	}
	free(states);
	return ok;
}

/* The loop of most products, from its first instruction to its branch. */
static bool find_loop(const struct code *code, size_t *first, size_t *last)
{
	unsigned most = 0;

	for (size_t i = 0; i < code->count; i++) {
		unsigned products = 0;
		bool inner = true;

		if (code->list[i].kind != BRANCH || code->list[i].target > i)
			continue;
		for (size_t k = code->list[i].target; k < i; k++) {
			products += code->list[k].product;
			inner = inner && code->list[k].kind != BRANCH;
		}
		if (!inner || products <= most)
			continue;
		most = products;
		*first = code->list[i].target;
		*last = i;
	}
	return most;
}

/* ---- the programs */

/* "ahead" is how many copies to the LDS a wave may have on their way at a barrier; where all that a
 * loop loads is copied so, nothing else in it waits for them. */
static const struct row {
	const char *targets, *file, *text;
	unsigned ahead;
	bool copies;
} rows[] = {
	{ "gfx90a gfx942 gfx950", "matmul_lds", NULL, 0 },
	{ "gfx90a gfx942 gfx950", "gemm_data_tiled", NULL, 0 },
	{ "gfx90a gfx942", "attention", NULL, 0 },
	{ "gfx950", "attention", NULL, 0, true },
	{ "gfx90a gfx942 gfx950", "convolution", NULL, 0 },
	{ "gfx90a gfx942 gfx950", NULL, "matmul(A: row_major[M, K] f16, B: row_major[N, K] f16 "
		"-> C: row_major[M, N] f32)", 0 },
	{ "gfx90a gfx942 gfx950", NULL, MATMUL("32", "3", "by registers"), 0 },
	{ "gfx90a gfx942", NULL, MATMUL("32", "3", "by direct"), 8, true },
	{ "gfx950", NULL, MATMUL("32", "3", "by direct"), 2, true },
	{ "gfx950", NULL, MATMUL("32", "4", "by direct"), 4, true },
};

static char *emit(layout_context *ctx, const char *file, const char *text, const char *target)
{
	layout_kernel *kernel;
	layout_program *program;
	char path[256], read[4096], *code;
	size_t length;

	if (file) {
		FILE *from;

		snprintf(path, sizeof(path), SOURCE_DIR "/examples/programs/%s.txt", file);
		from = fopen(path, "r");
		assert_non_null(from);
		length = fread(read, 1, sizeof(read) - 1, from);
		read[length] = 0;
		fclose(from);
		text = read;
	}
	program = layout_program_parse(ctx, text);
	kernel = program ? layout_kernel_new_program(program, target, NULL) : NULL;
	code = kernel ? layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_ASM, NULL, 0, &length) : NULL;
	if (!code)
		fail_msg("%s for %s: %s", file ? file : text, target,
			layout_context_message(ctx));
	layout_kernel_free(kernel);
	layout_program_free(program);
	return code;
}

/* Without any one of the waits at the barriers of its main loop, something is missing, and without
 * some others: LLVM knows less than we do of what is under way where loops meet. */
static void check_needed(const struct code *code, const struct row *row, const char *name)
{
	const struct instruction *wrong;
	size_t first = 0, last = 0;
	unsigned needed = 0, barriers = 0;

	if (!find_loop(code, &first, &last))
		fail_msg("%s has no loop of products", name);
	for (size_t i = first; i < last; i++) {
		bool missing, barrier = code->list[i + 1].kind == BARRIER;

		if (code->list[i].kind != WAIT)
			continue;
		if (row->copies && !barrier && code->list[i].memory_left >= 0)
			fail_msg("%s: %.*s is at no barrier", name,
				(int)line_length(code->list[i].text), code->list[i].text);
		missing = !holds(code, i, row->ahead, &wrong);
		if (barrier && !missing)
			fail_msg("%s: a barrier does not need %.*s", name,
				(int)line_length(code->list[i].text), code->list[i].text);
		needed += missing;
		barriers += barrier;
	}
	assert_true(needed > barriers);
}

static void check_row(layout_context *ctx, const struct row *row, const char *target)
{
	struct code code = read_code(emit(ctx, row->file, row->text, target));
	const struct instruction *wrong;
	char name[64];

	snprintf(name, sizeof(name), "%s for %s", row->file ? row->file : "a product", target);
	if (!holds(&code, code.count, row->ahead, &wrong))
		fail_msg("%s: %.*s does not wait", name, (int)line_length(wrong->text),
			wrong->text);
	if (row->ahead && holds(&code, code.count, row->ahead - 1, &wrong))
		fail_msg("%s: fewer copies are on their way", name);
	check_needed(&code, row, name);
	free(code.list);
	layout_string_free(code.text);
}

static void test_rows(void **state)
{
	for (unsigned r = 0; r < COUNT(rows); r++) {
		const char *at = rows[r].targets;

		for (unsigned t = 0; *at; t++, at += strcspn(at, " "), at += *at == ' ') {
			char target[16];

			snprintf(target, sizeof(target), "%.*s", (int)strcspn(at, " "), at);
			if (share_has(r, t, 8))
				check_row(*state, &rows[r], target);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows, program_context_new,
			program_context_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
