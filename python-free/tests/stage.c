/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Staged tiles: every element goes to one place in the LDS and from there to its own in
 * the destination, and every access of the LDS is counted. */
#include "algebra/chip.h"
#include "algebra/lds/lds.h"
#include "kernel/plan.h"
#include "support/random.h"
#include "support/share.h"
#include "support/storage_model.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MOST_ELEMENTS 131072
#define MOST_REGISTERS 512

struct subject {
	const struct storage_model *source, *destination;
	const char *type;
	unsigned bits;
	const char *target;
	int64_t n[MODEL_RANK];
};

/* A plan under test, the sizes and the coordinates of a tile as its variables, and which
 * logical dimension each of the tile's is. */
struct walk {
	const struct subject *subject;
	const struct plan *plan;
	const struct plan_tile *tile;
	int64_t vars[64], weights[4][TILE_DIGITS], carried[TILE_DIGITS];
	unsigned logical[MODEL_RANK];
	int64_t lanes;
};

/* Sizes are multiples of it, so that rows and columns fill bytes. */
static int64_t unit_of(const struct subject *subject)
{
	return subject->bits == 4 ? 2 : subject->bits == 2 ? 4 : 1;
}

static void subject_text(const struct subject *subject, char text[3 * MODEL_TEXT])
{
	static const char *const units[][MODEL_RANK] = { { "A", "B", "C", "D" },
		{ "2*A", "2*B", "2*C", "2*D" }, { "4*A", "4*B", "4*C", "4*D" } };
	const char *const *size = units[unit_of(subject) / 2];
	char source[MODEL_TEXT], destination[MODEL_TEXT];

	storage_model_text(subject->source, size, source);
	storage_model_text(subject->destination, size, destination);
	snprintf(text, 3 * MODEL_TEXT, "remap(%s -> %s, type = %s)", source, destination,
		subject->type);
}

/* NULL with the error on the context. */
static struct plan *plan_of(layout_context *ctx, const struct subject *subject,
	bool through_lds)
{
	const layout_lds *lds = layout_lds_find(ctx, subject->target);
	struct plan_target target = { .wave_size = layout_lds_wave_size(lds),
		.lanes = 256, .full_lanes = 64, .max_bytes = 16,
		.lds_bytes = layout_lds_bytes(lds),
		.name = subject->target, .chip = chip_find(ctx, subject->target),
		.through_lds = through_lds };
	char text[3 * MODEL_TEXT];
	layout_remap *remap;
	struct plan *plan;

	subject_text(subject, text);
	remap = layout_remap_parse(ctx, text);
	plan = plan_new(remap, &target);
	if (!plan && (!through_lds ||
	    layout_context_error(ctx) != LAYOUT_ERROR_UNSUPPORTED))
		fail_msg("%s: %s", text, layout_context_message(ctx));
	layout_remap_free(remap);
	plan_explanation(ctx, plan);
	return plan;
}

static int64_t value_of(const struct walk *visit, const struct index *index)
{
	int64_t value = -1;

	assert_true(index_eval(index, visit->vars, &value));
	return value;
}

static int64_t digit_of(const struct walk *visit, unsigned move, unsigned digit,
	int64_t lane, int64_t reg)
{
	const struct tile_place *place = &visit->tile->moves[move].places[digit];

	return (place->lane ? lane : reg) / place->place %
		visit->tile->digits[digit].radix;
}

/* 0 to 3, on the way of the tile. */
static unsigned side_of(const struct walk *visit, unsigned move,
	const struct tile_side *side)
{
	return 2 * move + (side == &visit->tile->moves[move].store);
}

/* "apart": weights that are not constant are so large that elements next to each other
 * are so for all sizes. */
static void weigh(struct walk *visit, bool apart)
{
	for (unsigned k = 0; k < 4; k++) {
		const struct tile_move *move = &visit->tile->moves[k / 2];
		const struct tile_side *side = k % 2 ? &move->store : &move->load;

		for (unsigned i = 0; i < side->term_count; i++) {
			const struct index *weight = side->terms[i].weight;

			visit->weights[k][i] = value_of(visit, weight);
			if (apart && weight->op != INDEX_INT)
				visit->weights[k][i] += (int64_t)(i + 1) << 32;
		}
		for (unsigned i = 0; i < side->carry_count; i++)
			visit->carried[i] = value_of(visit, side->carries[i].weight);
	}
}

/* What a slot of the source adds whose tiles begin inside that of the plan. */
static int64_t carry_of(const struct walk *visit, const struct tile_carry *carry,
	int64_t lane, int64_t reg)
{
	int64_t n = value_of(visit, carry->first);

	assert_true(n >= 0 && n < carry->bound);
	for (uint64_t set = carry->counts[0].digits; set; set &= set - 1) {
		unsigned i = (unsigned)__builtin_ctzll(set);

		assert_int_equal(visit->tile->digits[i].dim, carry->dim);
		n += digit_of(visit, 0, i, lane, reg) * visit->tile->digits[i].step;
	}
	assert_int_equal(carry->counts[1].digits, 0);
	n /= carry->step;
	return carry->radix ? n % carry->radix : n;
}

static int64_t offset_of(const struct walk *visit, unsigned move,
	const struct tile_side *side, int64_t lane, int64_t reg)
{
	int64_t offset = 0;

	for (unsigned i = 0; i < side->term_count; i++) {
		int64_t digits = 0;

		for (uint64_t set = side->terms[i].digits; set; set &= set - 1)
			digits ^= digit_of(visit, move, (unsigned)__builtin_ctzll(set),
				lane, reg);
		offset += digits * visit->weights[side_of(visit, move, side)][i];
	}
	for (unsigned i = 0; i < side->carry_count; i++)
		offset += carry_of(visit, &side->carries[i], lane, reg) *
			visit->carried[i];
	return offset;
}

/* The number of an element in its tile, and its place there. */
static int64_t element_of(const struct walk *visit, unsigned move, int64_t lane,
	int64_t reg, int64_t *t)
{
	const struct plan_tile *tile = visit->tile;
	int64_t number = 0;

	memset(t, 0, MODEL_RANK * sizeof(*t));
	for (unsigned k = 0; k < tile->digit_count; k++)
		if (tile->moves[move].places[k].place)
			t[tile->digits[k].dim] += tile->digits[k].step *
				digit_of(visit, move, k, lane, reg);
	for (unsigned d = 0; d < tile->dim_count; d++) {
		assert_true(t[d] < tile->dims[d].extent);
		number = number * tile->dims[d].extent + t[d];
	}
	return number;
}

/* The logical index of an element of the tile. */
static void logical_of(const struct walk *visit, const int64_t *t, int64_t *i)
{
	memset(i, 0, MODEL_RANK * sizeof(*i));
	for (unsigned d = 0; d < visit->tile->dim_count; d++)
		i[visit->logical[d]] = visit->tile->dims[d].extent *
			visit->vars[visit->plan->size_count + d] + t[d];
}

/* A global side: its addresses are those of the storage, for elements that are there. */
static void check_global(const struct walk *visit, unsigned move,
	const struct tile_side *side, const struct storage_model *model)
{
	int64_t base = value_of(visit, side->base), t[MODEL_RANK], i[MODEL_RANK];

	for (int64_t lane = 0; lane < visit->lanes; lane++)
		for (int64_t reg = 0; reg < visit->tile->moves[move].registers; reg++) {
			bool inside = true;

			element_of(visit, move, lane, reg, t);
			logical_of(visit, t, i);
			for (unsigned d = 0; d < model->rank; d++)
				inside = inside && i[d] < visit->subject->n[d];
			if (inside)
				assert_int_equal(base + offset_of(visit, move, side,
					lane, reg), storage_model_offset(model,
					visit->subject->n, i));
		}
}

/* The LDS: what the first move leaves at an offset is what the second finds there, and
 * each element is there once. */
static void check_elements(const struct walk *visit)
{
	static int64_t held[MOST_ELEMENTS], seen[MOST_ELEMENTS];
	const struct tile_move *moves = visit->tile->moves;
	int64_t t[MODEL_RANK], elements = visit->tile->lds_elements;

	assert_true(elements <= MOST_ELEMENTS);
	for (int64_t i = 0; i < elements; i++)
		held[i] = seen[i] = -1;
	for (int64_t lane = 0; lane < visit->lanes; lane++)
		for (int64_t reg = 0; reg < moves[0].registers; reg++) {
			int64_t at = offset_of(visit, 0, &moves[0].store, lane, reg);

			assert_true(at >= 0 && at < elements && held[at] < 0);
			held[at] = element_of(visit, 0, lane, reg, t);
		}
	for (int64_t lane = 0; lane < visit->lanes; lane++)
		for (int64_t reg = 0; reg < moves[1].registers; reg++) {
			int64_t at = offset_of(visit, 1, &moves[1].load, lane, reg);

			assert_true(at >= 0 && at < elements && seen[at] < 0);
			seen[at] = element_of(visit, 1, lane, reg, t);
		}
	assert_memory_equal(held, seen, (size_t)elements * sizeof(*held));
}

/* The register that holds an offset, of those of a lane, or -1. */
static int64_t register_at(const int64_t *offsets, int64_t registers, int64_t offset)
{
	for (int64_t reg = 0; reg < registers; reg++)
		if (offsets[reg] == offset)
			return reg;
	return -1;
}

/* Whole vectors of registers, the same ones in all lanes; "aligned": they begin with
 * multiples of their length.  Registers that begin a vector go to "first". */
static void check_vectors(const struct walk *visit, unsigned move,
	const struct tile_side *side, bool aligned, bool *first)
{
	int64_t registers = visit->tile->moves[move].registers, mate;
	int64_t offsets[MOST_REGISTERS];

	assert_true(registers <= MOST_REGISTERS);
	for (int64_t reg = 0; reg < registers; reg++)
		offsets[reg] = offset_of(visit, move, side, 0, reg);
	for (int64_t reg = 0; reg < registers; reg++) {
		int64_t run = 0;

		while (register_at(offsets, registers, offsets[reg] - run - 1) >= 0)
			run++;
		first[reg] = (aligned ? offsets[reg] : run) % side->vector == 0;
	}
	for (int64_t reg = 0; reg < registers; reg++)
		for (unsigned j = 1; first[reg] && j < side->vector; j++) {
			mate = register_at(offsets, registers, offsets[reg] + j);
			assert_true(mate >= 0);
			for (int64_t lane = 1; lane < visit->lanes; lane += 7)
				assert_int_equal(
					offset_of(visit, move, side, lane, mate),
					offset_of(visit, move, side, lane, reg) + j);
		}
}

/* The cycles that the explanation says conflicts add, 0 where accesses are free of them. */
static uint64_t extra_said(const struct walk *visit, unsigned move)
{
	const char *line = strstr(visit->plan->explanation, "\nlds: "), *of;
	unsigned long long extra;

	assert_non_null(line);
	of = strstr(line, move ? "; loads of " : "; stores of ");
	assert_non_null(of);
	if (sscanf(strchr(of, 'f') + 1, " %*d bytes with %llu extra cycles", &extra) == 1)
		return extra;
	assert_non_null(strstr(of, "bytes free of bank conflicts"));
	return 0;
}

/* Every access of the LDS, under every grouping. */
static void check_conflicts(const struct walk *visit, layout_context *ctx,
	unsigned move, const struct tile_side *side, const bool *first)
{
	const layout_lds *lds = layout_lds_find(ctx, visit->subject->target);
	layout_lds_access access = LAYOUT_LDS_ACCESS_INIT;
	uint64_t addresses[LDS_LANES] = { 0 }, extra = 0;
	layout_lds_cost worst;
	unsigned wave = layout_lds_wave_size(lds);

	access.bits = visit->subject->bits * side->vector;
	access.store = move == 0;
	access.addresses = addresses;
	for (int64_t reg = 0; reg < visit->tile->moves[move].registers; reg++)
		for (int64_t from = 0; first[reg] && from < visit->lanes; from += wave) {
			access.lanes = 0;
			for (int64_t lane = from; lane < from + wave &&
			     lane < visit->lanes; lane++) {
				addresses[lane - from] = (uint64_t)offset_of(visit, move,
					side, lane, reg) * visit->subject->bits / 8;
				access.lanes |= (uint64_t)1 << (lane - from);
			}
			assert_true(layout_lds_cycles(ctx, lds, &access, NULL, &worst));
			extra += worst.cycles - worst.least;
		}
	assert_int_equal(extra, extra_said(visit, move));
}

/* "dimension 0: .. logical 1": dimensions that are not joined. */
static void read_logical(struct walk *visit)
{
	const char *text = visit->plan->explanation;

	for (unsigned d = 0; d < visit->tile->dim_count; d++) {
		text = strstr(text, ": logical ");
		assert_non_null(text);
		text += strlen(": logical ");
		visit->logical[d] = (unsigned)strtoul(text, (char **)(uintptr_t)&text, 10);
		assert_true(strncmp(text, " and ", 5) != 0);
	}
}

/* Visit the tiles that the sizes of the subject have. */
static void check_tiles(struct walk *visit, unsigned d)
{
	int64_t count;

	if (d == visit->tile->dim_count) {
		check_global(visit, 0, &visit->tile->moves[0].load,
			visit->subject->source);
		check_global(visit, 1, &visit->tile->moves[1].store,
			visit->subject->destination);
		return;
	}
	count = value_of(visit, visit->plan->visit.dims[d].extent);
	for (int64_t i = 0; i < count && i < 3; i++) {
		visit->vars[visit->plan->size_count + d] = i;
		check_tiles(visit, d + 1);
	}
}

/* False where there is no plan with a staged tile. */
static bool check_plan(layout_context *ctx, const struct subject *subject,
	const struct plan *plan)
{
	struct walk visit = { .subject = subject, .plan = plan, .tile = plan->tile };
	const struct tile_move *moves;
	bool first[MOST_REGISTERS];

	if (!plan || !plan->tile || plan->tile->move_count != 2)
		return false;
	moves = plan->tile->moves;
	for (unsigned i = 0; i < plan->size_count; i++)
		visit.vars[i] = subject->n[plan->size_names[i][0] - 'A'] /
			unit_of(subject);
	visit.lanes = plan->visit.dims[plan->visit.dim_count - 1].extent->value;
	read_logical(&visit);
	weigh(&visit, true);
	assert_true(moves[0].registers * visit.lanes <= visit.tile->lds_elements);
	assert_int_equal(moves[0].registers, moves[1].registers);
	check_elements(&visit);
	check_vectors(&visit, 0, &moves[0].load, false, first);
	check_vectors(&visit, 1, &moves[1].store, false, first);
	check_vectors(&visit, 0, &moves[0].store, true, first);
	check_conflicts(&visit, ctx, 0, &moves[0].store, first);
	check_vectors(&visit, 1, &moves[1].load, true, first);
	check_conflicts(&visit, ctx, 1, &moves[1].load, first);
	weigh(&visit, false);
	check_tiles(&visit, 0);
	return true;
}

/* Rows: what is found, in bytes */

static const struct storage_model row = { .kind = MODEL_ROW, .rank = 2 };
static const struct storage_model column = { .kind = MODEL_COLUMN, .rank = 2 };
static const struct storage_model lhs_f32 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 128, 16 }, .outer = { 0, 1 }, .digit_count = 5,
	.digits = { { 0, 4, 8 }, { 1, 1, 4 }, { 0, 32, 4 }, { 0, 1, 4 }, { 1, 4, 4 } } };
static const struct storage_model lhs_f16 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 128, 32 }, .outer = { 0, 1 }, .digit_count = 6,
	.digits = { { 0, 4, 8 }, { 1, 4, 4 }, { 0, 32, 4 }, { 0, 1, 4 }, { 1, 16, 2 },
		{ 1, 1, 4 } } };
static const struct storage_model odd = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 12, 20 }, .outer = { 1, 0 } };
static const struct storage_model tile12 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 12, 12 }, .outer = { 0, 1 } };
static const struct storage_model tile8 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 8, 8 }, .outer = { 0, 1 } };
static const struct storage_model shuffled = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 16, 64 }, .outer = { 0, 1 }, .digit_count = 2,
	.digits = { { 0, 1, 16 }, { 1, 1, 64 } }, .row = 64, .access = 8 };
static const struct storage_model seven = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 7, 28 }, .outer = { 0, 1 } };

static const struct storage_model tile20 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 20, 6 }, .outer = { 0, 1 } };
static const struct storage_model tile16 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 16, 64 }, .outer = { 0, 1 } };
static const struct storage_model odd5 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 16, 5 }, .outer = { 0, 1 } };
static const struct storage_model tile10 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 12, 10 }, .outer = { 1, 0 } };
static const struct storage_model tile96 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 64, 96 }, .outer = { 0, 1 }, .digit_count = 4,
	.digits = { { 0, 4, 16 }, { 1, 4, 24 }, { 0, 1, 4 }, { 1, 1, 4 } } };
static const struct storage_model tile9 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 9, 28 }, .outer = { 0, 1 }, .digit_count = 4,
	.digits = { { 1, 4, 7 }, { 0, 3, 3 }, { 0, 1, 3 }, { 1, 1, 4 } } };

/* Bytes of a lane's accesses: load, to the LDS, from the LDS, store; and of the LDS; 0
 * where targets differ.  The last ones go through it because their digits do not meet, in
 * padded tiles, or because a lane would access parts of lines. */
static const struct found_row {
	const struct storage_model *source, *destination;
	const char *type;
	unsigned bits;
	unsigned load, to, from, store;
	int64_t lds;
	const char *whole;	/* which sides access whole segments of memory */
	bool conflicts;		/* some accesses of the LDS wait for each other on some target */
	bool unasked;		/* it is staged without being asked for */
} found_rows[] = {
	{ &row, &column, "f32", 32, 16, 16, 16, 16, 16384, "both" },
	{ &row, &column, "f16", 16, 16, 16, 16, 16, 16384, "both" },
	{ &row, &column, "i8", 8, 16, 16, 16, 16, 16384, "both" },
	{ &row, &column, "f64", 64, 16, 16, 16, 16, 16384, "both" },
	{ &column, &row, "f32", 32, 16, 16, 16, 16, 16384, "both" },
	{ &row, &lhs_f32, "f32", 32, 16, 16, 16, 16, 16384, "both" },
	{ &lhs_f32, &row, "f32", 32, 16, 16, 16, 16, 16384, "both" },
	{ &row, &lhs_f16, "f16", 16, 16, 16, 16, 16, 16384, "both" },
	{ &lhs_f16, &row, "f16", 16, 16, 16, 16, 16, 16384, "both" },
	{ &row, &odd, "f32", 32, 16, 16, 16, 16, 0, "both", true },
	{ &odd, &column, "f16", 16, 8, 0, 0, 8, 0, "both", true },
	{ &row, &seven, "f32", 32, 16, 16, 16, 16, 0, "both", true },
	{ &row, &shuffled, "f16", 16, 16, 16, 16, 16, 32768, "both" },
	{ &shuffled, &row, "f16", 16, 16, 16, 16, 16, 32768, "both" },
	{ &shuffled, &column, "f16", 16, 16, 16, 16, 16, 32768, "both" },
	{ &column, &shuffled, "f16", 16, 16, 16, 16, 16, 32768 },
	{ &tile20, &tile16, "f64", 64, 16, 16, 16, 16, 16384 },
	{ &tile16, &tile20, "f64", 64, 16, 16, 16, 16, 0, "store", true },
	{ &tile10, &tile96, "f32", 32, 8, 16, 16, 16, 24576 },
	{ &tile96, &tile10, "f32", 32, 8, 16, 16, 8, 0, NULL, true },
	{ &tile10, &tile96, "i8", 8, 2, 8, 16, 16, 24576, "store" },
	{ &tile9, &tile16, "f16", 16, 8, 16, 16, 16, 16384 },
	{ &tile9, &tile96, "f64", 64, 16, 16, 16, 16, 16384 },
	{ &row, &column, "i4", 4, 16, 16, 16, 16, 32768 },
	{ &row, &column, "i2", 2, 16, 16, 16, 16, 32768, "both" },
	{ &row, &tile16, "i4", 4, 16, 16, 16, 16, 16384, "both" },
	{ &tile10, &tile96, "i4", 4, 1, 0, 0, 16, 24576, "store" },
	{ &tile20, &tile16, "f32", 32, 8, 0, 0, 16, 0, NULL, false, true },
	{ &tile12, &tile8, "f32", 32, 16, 0, 0, 16, 0, NULL, true, true },
	{ &tile8, &tile12, "f16", 16, 16, 0, 0, 8, 0, "both", true, true },
	{ &row, &lhs_f32, "f32", 32, 16, 0, 0, 16, 0, "both", false, true },
	{ &lhs_f32, &row, "f32", 32, 16, 0, 0, 16, 0, "both", false, true },
};

/* "NAME: .. N segments of 64 bytes for N needed" */
static bool is_whole(const struct plan *plan, const char *name)
{
	const char *line = strstr(plan->explanation, name);
	int64_t touched, needed;

	return line && sscanf(line + strlen(name), " %*d bytes a lane, %*d accesses, %" SCNd64
		" segments of 64 bytes for %" SCNd64 " needed", &touched, &needed) == 2 &&
		touched == needed;
}

static void check_found(const struct found_row *found, const struct plan *plan)
{
	const struct tile_move *moves = plan->tile->moves;
	unsigned bits = found->bits;

	assert_int_equal(bits * moves[0].load.vector, 8 * found->load);
	assert_int_equal(bits * moves[1].store.vector, 8 * found->store);
	if (found->to) {
		assert_int_equal(bits * moves[0].store.vector, 8 * found->to);
		assert_int_equal(bits * moves[1].load.vector, 8 * found->from);
	}
	if (found->lds)
		assert_int_equal(bits * plan->tile->lds_elements, 8 * found->lds);
	if (found->whole)
		assert_true(is_whole(plan, "\nstore:"));
	if (found->whole && !strcmp(found->whole, "both"))
		assert_true(is_whole(plan, "\nload:"));
	assert_true(found->conflicts || !strstr(plan->explanation, "extra cycles"));
}

static void test_found(void **state)
{
	static const char *const targets[] = { "gfx90a", "gfx942", "gfx950", "gfx1100",
		"gfx1201:wave64", "gfx1250" };

	(void)state;
	for (unsigned i = 0; i < COUNT(targets); i++)
		for (unsigned k = 0; k < COUNT(found_rows); k++) {
			const struct found_row *found = &found_rows[k];
			struct subject subject = { found->source, found->destination,
				found->type, found->bits, targets[i],
				{ 132, 260 } };
			layout_context *ctx;
			struct plan *plan;

			if (!share_has(k, i, COUNT(targets)))
				continue;
			ctx = layout_context_new();
			plan = plan_of(ctx, &subject, !found->unasked);
			if (!check_plan(ctx, &subject, plan))
				fail_msg("row %u, %s: not staged: %s", k,
					subject.target, plan ? plan->explanation :
					layout_context_message(ctx));
			check_found(found, plan);
			plan_free(plan);
			assert_true(layout_context_free(ctx));
		}
}

/* Tiles of the same kinds, random ones */

static void random_model(uint64_t *random, struct storage_model *model)
{
	static const int64_t tiles[] = { 0, 2, 3, 4, 6, 8, 10, 16, 20, 24, 32, 64, 128 };

	*model = random_below(random, 2) ? row : column;
	if (!random_below(random, 4))
		return;
	model->kind = MODEL_PACKED;
	model->outer[0] = random_below(random, 2);
	model->outer[1] = 1 - model->outer[0];
	for (unsigned d = 0; d < 2; d++) {
		unsigned order[MODEL_DIGITS] = { 1, 0 }, begin = model->digit_count;

		model->tile[d] = tiles[random_below(random, COUNT(tiles))];
		if (model->tile[d] && model->tile[d] % 4 == 0) {
			storage_model_split(model, d, 2,
				(int64_t[]) { model->tile[d] / 4, 4 });
			assert_int_equal(model->digit_count, begin + 2);
		} else if (model->tile[d]) {
			storage_model_split(model, d, 1, &model->tile[d]);
		}
		for (unsigned k = 2; k < model->digit_count; k++)
			order[k] = k;
		if (model->digit_count > 1 && random_below(random, 2))
			storage_model_order(model, order);
	}
}

static bool check_random(uint64_t *random)
{
	static const struct {
		const char *name;
		unsigned bits;
	} types[] = { { "i8", 8 }, { "f16", 16 }, { "f32", 32 }, { "f64", 64 } };
	const layout_lds *lds = layout_lds_at(random_below(random, 11));
	unsigned type = random_below(random, COUNT(types));
	struct storage_model source = { 0 }, destination = { 0 };
	struct subject subject = { &source, &destination, types[type].name,
		types[type].bits, layout_lds_name(lds),
		{ 300 + random_below(random, 300), 300 + random_below(random, 300) } };
	layout_context *ctx = layout_context_new();
	struct plan *plan;
	bool staged;

	random_model(random, &source);
	random_model(random, &destination);
	plan = plan_of(ctx, &subject, true);
	staged = plan && !strstr(plan->explanation, "lie together on") &&
		check_plan(ctx, &subject, plan);
	plan_free(plan);
	assert_true(layout_context_free(ctx));
	return staged;
}

static void test_random(void **state)
{
	uint64_t random = random_seed();
	unsigned staged = 0;

	(void)state;
	for (unsigned i = 0; i < share_count(60); i++)
		staged += check_random(&random);
	print_message("%u of %u staged\n", staged, share_count(60));
	assert_true(share_is_few() || staged >= 40);
}

/* Who wants the LDS gets no other kernel. */
static void test_refused(void **state)
{
	static const struct refused_row {
		const struct storage_model *source, *destination;
		const char *type;
		int64_t n[MODEL_RANK];
		const char *why;
	} rows[] = {
		{ &row, &column, "f6E2M3FN", { 64, 64 }, "no power of two" },
		{ &row, &column, "i4", { 64, 64 }, "would be parted" },
		{ &tile16, &odd5, "i4", { 64, 64 }, "would be parted" },
		{ &shuffled, &tile12, "f16", { 96, 64 }, "a swizzle is not of digits that "
			"both sides have" },
	};

	(void)state;
	for (unsigned i = 0; i < COUNT(rows); i++) {
		struct subject subject = { rows[i].source, rows[i].destination,
			rows[i].type, 0, "gfx942", { rows[i].n[0], rows[i].n[1] } };
		layout_context *ctx = layout_context_new();

		assert_null(plan_of(ctx, &subject, true));
		assert_non_null(strstr(layout_context_message(ctx), rows[i].why));
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
