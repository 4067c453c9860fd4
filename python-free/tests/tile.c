/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tiles of plans: every element that a lane's register holds, at every tile, against
 * storages with arithmetic of their own; and what tiles are found for which remaps. */
#include "kernel/plan.h"
#include "isl_bridge/relation.h"
#include <layout/layout.h>
#include "support/random.h"
#include "support/share.h"
#include "support/storages.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define REMAP (3 * MODEL_TEXT)
#define MOST_WORK 200000
#define MOST_OWNED 2000		/* points that isl lists */

/* A remap of models.  A size is a name, 'A' for dimension 0 and so on, or a number.  The
 * destination has low[d] before and high[d] after the source. */
struct subject {
	struct storage_model source, destination;
	bool literal[MODEL_RANK];
	int64_t n[MODEL_RANK], low[MODEL_RANK], high[MODEL_RANK];
	bool shifted;
	const char *type;
	unsigned bits, wave;
	const char *owner;	/* NULL: it is found */
};

static void model_text(const struct subject *subject, const struct storage_model *model,
	bool more, char text[MODEL_TEXT])
{
	char sizes[MODEL_RANK][24];
	const char *size[MODEL_RANK];

	for (unsigned d = 0; d < subject->source.rank; d++) {
		int64_t add = more ? subject->low[d] + subject->high[d] : 0;

		size[d] = sizes[d];
		if (subject->literal[d])
			snprintf(sizes[d], sizeof(sizes[d]), "%" PRId64,
				subject->n[d] + add);
		else
			snprintf(sizes[d], sizeof(sizes[d]), add ? "%c + %" PRId64 :
				"%c", 'A' + d, add);
	}
	storage_model_text(model, size, text);
}

static void shift_text(const struct subject *subject, char text[REMAP])
{
	size_t length = 0;

	text[0] = 0;
	if (!subject->shifted)
		return;
	for (unsigned side = 0; side < 2; side++) {
		length += (size_t)snprintf(text + length, REMAP - length,
			side ? ") -> (" : ", map = affine_map<(");
		for (unsigned d = 0; d < subject->source.rank; d++)
			length += (size_t)snprintf(text + length, REMAP - length,
				side ? "%si%u + %" PRId64 : "%si%u", d ? ", " : "", d,
				subject->low[d]);
	}
	snprintf(text + length, REMAP - length, ")>");
}

static void subject_text(const struct subject *subject, char text[REMAP])
{
	char source[MODEL_TEXT], destination[MODEL_TEXT], shift[REMAP];

	model_text(subject, &subject->source, false, source);
	model_text(subject, &subject->destination, true, destination);
	shift_text(subject, shift);
	if (snprintf(text, REMAP, "remap(%s -> %s, type = %s%s)", source, destination,
	    subject->type, shift) >= REMAP)
		fail_msg("a remap of more than %d characters", REMAP);
}

static struct plan *plan_of(layout_context *ctx, const struct subject *subject)
{
	struct plan_target target = { .wave_size = subject->wave, .lanes = 256,
		.full_lanes = 64, .max_bytes = 16, .lds_bytes = 65536, .name = "test" };
	char text[REMAP];
	layout_value *owner;
	layout_remap *remap;
	struct plan *plan;

	subject_text(subject, text);
	remap = layout_remap_parse(ctx, text);
	owner = subject->owner ? layout_value_parse(ctx, subject->owner) : NULL;
	target.owner = owner ? layout_value_relation(owner) : NULL;
	plan = remap && !subject->owner == !owner ? plan_new(remap, &target) : NULL;
	if (!plan && !subject->owner)
		print_error("%s: %s\n", text, layout_context_message(ctx));
	layout_remap_free(remap);
	layout_relation_free(target.owner);
	layout_value_free(owner);
	plan_explanation(ctx, plan);
	return plan;
}

/* ---- a tile, element by element */

/* What is known of a plan while its points are visited.  The variables are the sizes and
 * the tile's coordinates; logical[d] are the logical dimensions that dimension d of the
 * tile joins, outermost first, as the explanation tells. */
struct walk {
	const struct subject *subject;
	const struct plan *plan;
	int64_t vars[64];
	unsigned joined[MODEL_RANK], logical[MODEL_RANK][MODEL_RANK];
	int64_t base[2], weight[2][64];	/* of load and store, at the tile */
	int64_t m[MODEL_RANK];		/* sizes of the destination */
	int64_t low[MODEL_RANK], high[MODEL_RANK], end[MODEL_RANK];
	unsigned char *written;
	int64_t elements;
	int64_t owned;			/* points of the owner */
	unsigned failures;
};

static int64_t value_of(const struct walk *visit, const struct index *index)
{
	int64_t value = -1;

	assert_true(index_eval(index, visit->vars, &value));
	return value;
}

static void read_joined(struct walk *visit)
{
	const char *text = visit->plan->explanation;
	unsigned d = 0;

	while ((text = strstr(text, "dimension ")) && d < visit->plan->tile->dim_count) {
		const char *list = strstr(text, ": logical ");

		assert_non_null(list);
		list += strlen(": logical ");
		visit->joined[d] = 0;
		for (;;) {
			visit->logical[d][visit->joined[d]++] =
				(unsigned)strtoul(list, (char **)(uintptr_t)&list, 10);
			if (strncmp(list, " and ", 5) != 0)
				break;
			list += 5;
		}
		text = list;
		d++;
	}
	assert_int_equal(d, visit->plan->tile->dim_count);
}

static bool open_visit(struct walk *visit, const struct subject *subject,
	const struct plan *plan)
{
	*visit = (struct walk){ .subject = subject, .plan = plan };
	for (unsigned i = 0; i < plan->size_count; i++)
		visit->vars[i] = subject->n[plan->size_names[i][0] - 'A'];
	for (unsigned d = 0; d < MODEL_RANK; d++)
		visit->m[d] = subject->n[d] + subject->low[d] + subject->high[d];
	visit->elements = storage_model_elements(&subject->destination, visit->m);
	visit->written = calloc(1, (size_t)visit->elements + 1);
	for (unsigned d = 0; d < plan->tile->dim_count; d++) {
		visit->low[d] = value_of(visit, plan->tile->dims[d].low);
		visit->high[d] = value_of(visit, plan->tile->dims[d].high);
		visit->end[d] = value_of(visit, plan->tile->dims[d].end);
	}
	read_joined(visit);
	return visit->written;
}

static void complain(struct walk *visit, const char *what, const int64_t *t,
	int64_t lane, int64_t reg, int64_t found, int64_t expected)
{
	char text[REMAP];

	if (visit->failures++ > 0)
		return;
	subject_text(visit->subject, text);
	print_error("%s, wave %u, sizes", text, visit->subject->wave);
	for (unsigned d = 0; d < visit->subject->source.rank; d++)
		print_error(" %" PRId64, visit->subject->n[d]);
	print_error(": %s at lane %" PRId64 ", register %" PRId64 ", tile", what, lane, reg);
	for (unsigned d = 0; d < visit->plan->tile->dim_count; d++)
		print_error(" %" PRId64, visit->vars[visit->plan->size_count + d]);
	print_error(", t");
	for (unsigned d = 0; t && d < visit->plan->tile->dim_count; d++)
		print_error(" %" PRId64, t[d]);
	print_error(": %" PRId64 ", not %" PRId64 "\n", found, expected);
}

static int64_t digit_of(const struct tile_move *move, unsigned digit, int64_t radix,
	int64_t lane, int64_t reg)
{
	const struct tile_place *place = &move->places[digit];

	return (place->lane ? lane : reg) / place->place % radix;
}

static const struct tile_side *side_of(const struct walk *visit, unsigned s)
{
	const struct tile_move *move = &visit->plan->tile->moves[0];

	return s ? &move->store : &move->load;
}

/* The element that side s accesses. */
static int64_t address_of(const struct walk *visit, unsigned s, int64_t lane,
	int64_t reg)
{
	const struct plan_tile *tile = visit->plan->tile;
	const struct tile_side *side = side_of(visit, s);
	int64_t offset = visit->base[s];

	for (unsigned i = 0; i < side->term_count; i++) {
		int64_t digits = 0;

		for (unsigned k = 0; k < tile->digit_count; k++)
			if (side->terms[i].digits >> k & 1)
				digits ^= digit_of(&tile->moves[0], k,
					tile->digits[k].radix, lane, reg);
		offset += digits * visit->weight[s][i];
	}
	return offset;
}

/* t[d] of an element; false for one outside of the tile. */
static bool place_in_tile(const struct walk *visit, int64_t lane, int64_t reg,
	int64_t *t)
{
	const struct plan_tile *tile = visit->plan->tile;
	bool inside = true;

	memset(t, 0, tile->dim_count * sizeof(*t));
	for (unsigned k = 0; k < tile->digit_count; k++)
		t[tile->digits[k].dim] += tile->digits[k].step * digit_of(&tile->moves[0],
			k, tile->digits[k].radix, lane, reg);
	for (unsigned d = 0; d < tile->dim_count; d++)
		inside = inside && t[d] < tile->dims[d].extent;
	return inside;
}

static void logical_of(const struct walk *visit, const int64_t *i, int64_t *logical)
{
	memset(logical, 0, MODEL_RANK * sizeof(*logical));
	for (unsigned d = 0; d < visit->plan->tile->dim_count; d++) {
		int64_t rest = i[d];

		for (unsigned k = visit->joined[d]; k-- > 1;) {
			unsigned dim = visit->logical[d][k];

			logical[dim] = rest % visit->m[dim];
			rest /= visit->m[dim];
		}
		logical[visit->logical[d][0]] = rest;
	}
}

static bool within(const struct walk *visit, const int64_t *logical)
{
	for (unsigned d = 0; d < visit->subject->source.rank; d++)
		if (logical[d] < visit->subject->low[d] ||
		    logical[d] >= visit->subject->low[d] + visit->subject->n[d])
			return false;
	return true;
}

static bool is_spare(const struct tile_move *move, int64_t lane)
{
	for (unsigned i = 0; i < move->spare_count; i++)
		if (lane / move->spares[i].place % move->spares[i].radix)
			return true;
	return false;
}

/* One element of the tile at visit's coordinates. */
static void check_element(struct walk *visit, int64_t lane, int64_t reg)
{
	const struct plan_tile *tile = visit->plan->tile;
	int64_t t[MODEL_RANK], i[MODEL_RANK], logical[MODEL_RANK], at, expected;
	bool read = true, write = true;

	if (!place_in_tile(visit, lane, reg, t))
		complain(visit, "a digit", t, lane, reg, 0, 0);
	for (unsigned d = 0; d < tile->dim_count; d++) {
		const struct tile_dim *dim = &tile->dims[d];
		bool in;

		i[d] = t[d] + dim->extent * visit->vars[visit->plan->size_count + d];
		in = i[d] >= visit->low[d] && i[d] < visit->high[d];
		if (!in && !dim->some_unread)
			complain(visit, "unread", t, lane, reg, i[d], 0);
		read = read && in;
		in = i[d] < visit->end[d];
		if (!in && !dim->some_unwritten)
			complain(visit, "unwritten", t, lane, reg, i[d], 0);
		write = write && in;
	}
	logical_of(visit, i, logical);
	if (read && !within(visit, logical))
		complain(visit, "reads padding", t, lane, reg, 0, 0);
	write = write && !is_spare(&tile->moves[0], lane);
	if (write) {
		at = address_of(visit, 1, lane, reg);
		expected = storage_model_offset(&visit->subject->destination, visit->m,
			logical);
		if (at != expected)
			complain(visit, "store", t, lane, reg, at, expected);
		else if (visit->written[at]++)
			complain(visit, "stored twice", t, lane, reg, at, 0);
	}
	if (write && read) {
		at = address_of(visit, 0, lane, reg);
		for (unsigned d = 0; d < visit->subject->source.rank; d++)
			logical[d] -= visit->subject->low[d];
		expected = storage_model_offset(&visit->subject->source,
			visit->subject->n, logical);
		if (at != expected)
			complain(visit, "load", t, lane, reg, at, expected);
	}
}

static int64_t lanes_of(const struct plan *plan)
{
	return plan->visit.dims[plan->visit.dim_count - 1].extent->value;
}

static void check_tiles(struct walk *visit, unsigned d)
{
	const struct plan *plan = visit->plan;
	int64_t extent;

	if (d < plan->tile->dim_count) {
		extent = value_of(visit, plan->visit.dims[d].extent);
		for (int64_t at = 0; at < extent; at++) {
			visit->vars[plan->size_count + d] = at;
			check_tiles(visit, d + 1);
		}
		return;
	}
	for (unsigned s = 0; s < 2; s++) {
		const struct tile_side *side = side_of(visit, s);

		visit->base[s] = value_of(visit, side->base);
		for (unsigned i = 0; i < side->term_count; i++)
			visit->weight[s][i] = value_of(visit, side->terms[i].weight);
	}
	for (int64_t lane = 0; lane < lanes_of(plan); lane++)
		for (int64_t reg = 0; reg < plan->tile->moves[0].registers; reg++)
			check_element(visit, lane, reg);
}

/* Every cell of the destination was written; of a strided one, as many as there are
 * elements. */
static void check_written(struct walk *visit)
{
	const struct subject *subject = visit->subject;
	int64_t written = 0, expected = visit->elements;

	for (int64_t at = 0; at < visit->elements; at++)
		written += visit->written[at];
	if (subject->destination.kind == MODEL_STRIDED) {
		expected = 1;
		for (unsigned d = 0; d < subject->destination.rank; d++)
			expected *= visit->m[d];
	}
	if (written != expected)
		complain(visit, "cells written", NULL, 0, 0, written, expected);
}

/* Digits of registers alone that follow each other in memory, or in steps, hold whole vectors. */
static void check_vectors(struct walk *visit, const struct tile_side *side)
{
	const struct plan_tile *tile = visit->plan->tile;
	int64_t run = 1;

	for (unsigned i = 0; i < side->term_count; i++) {
		const struct tile_term *term = &side->terms[i];
		unsigned digit = (unsigned)__builtin_ctzll(term->digits);

		if (!(term->digits & (term->digits - 1)) &&
		    !tile->moves[0].places[digit].lane &&
		    term->weight->op == INDEX_INT && term->weight->value == run * side->step) {
			run *= tile->digits[digit].radix;
			i = (unsigned)-1;
		}
	}
	if (side->vector == 0 || side->vector & (side->vector - 1) || run % side->vector)
		complain(visit, "vector", NULL, 0, 0, side->vector, run);
}

/* Elements of all tiles, what reaches beyond the end included. */
static int64_t work_of(struct walk *visit)
{
	const struct plan *plan = visit->plan;
	int64_t work = plan->tile->moves[0].registers * lanes_of(plan);

	for (unsigned d = 0; d < plan->tile->dim_count; d++)
		work *= value_of(visit, plan->visit.dims[d].extent);
	return work;
}

/* A point of the owner's relation: what the digits say. */
static bool check_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned rank)
{
	struct walk *visit = user;
	const struct plan_tile *tile = visit->plan->tile;
	int64_t t[MODEL_RANK], i[MODEL_RANK], logical[MODEL_RANK];
	int64_t lane = in[in_rank - 2], reg = in[in_rank - 1];

	assert_int_equal(in_rank, tile->dim_count + 2);
	assert_int_equal(rank, visit->subject->source.rank);
	place_in_tile(visit, lane, reg, t);
	for (unsigned d = 0; d < tile->dim_count; d++) {
		i[d] = t[d] + tile->dims[d].extent * in[d];
		visit->vars[visit->plan->size_count + d] = in[d];
	}
	logical_of(visit, i, logical);
	for (unsigned d = 0; d < rank; d++)
		if (image[d] != logical[d])
			complain(visit, "owner", t, lane, reg, image[d], logical[d]);
	visit->owned++;
	return !visit->failures;
}

/* The owner as text says the same as the digits, of all cells of the destination.  That of
 * sizes which are joined is about their product, and has no end. */
static void check_owner(layout_context *ctx, struct walk *visit)
{
	const struct plan *plan = visit->plan;
	layout_relation *owner = layout_relation_read(ctx, plan->owner);
	layout_size sizes[64];
	int64_t expected = 1;

	for (unsigned i = 0; i < plan->size_count; i++)
		sizes[i] = (layout_size){ plan->size_names[i], visit->vars[i] };
	owner = layout_relation_fix(owner, sizes, plan->size_count);
	for (unsigned d = 0; d < plan->tile->dim_count; d++)
		expected *= visit->end[d];
	for (unsigned i = 0; i < plan->tile->moves[0].spare_count; i++)
		expected *= plan->tile->moves[0].spares[i].radix;
	if (!owner || !layout_relation_for_each(owner, check_pair, visit))
		complain(visit, "owner's points", NULL, 0, 0, 0, 0);
	else if (visit->owned != expected)
		complain(visit, "owned", NULL, 0, 0, visit->owned, expected);
	layout_relation_free(owner);
}

/* How many complaints there were; 1 where there is no plan.  "tiled" counts tiles. */
static unsigned check_subject(layout_context *ctx, const struct subject *subject,
	unsigned *tiled)
{
	struct plan *plan = plan_of(ctx, subject);
	struct walk visit;
	unsigned failures = 1;

	if (plan && !plan->tile)
		failures = 0;
	if (plan && plan->tile && open_visit(&visit, subject, plan)) {
		assert_non_null(plan->owner);
		assert_null(plan->visit.active);
		if (work_of(&visit) < MOST_WORK) {
			check_tiles(&visit, 0);
			check_written(&visit);
		}
		if (work_of(&visit) < MOST_OWNED && strstr(plan->owner, "logical["))
			check_owner(ctx, &visit);
		check_vectors(&visit, &plan->tile->moves[0].load);
		check_vectors(&visit, &plan->tile->moves[0].store);
		failures = visit.failures;
		free(visit.written);
		++*tiled;
	}
	plan_free(plan);
	layout_context_clear(ctx);
	return failures;
}

/* ---- what is found for which remap */

/* Two bits of one digit are xored. */
static const struct storage_model xor_packed = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 32, 0 }, .outer = { 0, 1 }, .digit_count = 3, .row = 4, .access = 2,
	.digits = { { 0, 1, 4 }, { 0, 4, 4 }, { 0, 16, 2 } } };

static const struct storage_model tile12x16 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 12, 16 }, .outer = { 0, 1 } };
static const struct storage_model tile8x16 = { .kind = MODEL_PACKED, .rank = 2,
	.tile = { 8, 16 }, .outer = { 0, 1 } };

/* Vectors in elements; segments of 64 bytes of a wave's accesses to a full tile. */
static const struct found_row {
	const struct storage_model *source, *destination;
	const char *type;
	unsigned bits, wave;
	int64_t lanes, registers;
	unsigned load, store;
	int64_t load_touched, store_touched, least;
	int64_t columns;	/* 0: a name */
} rows[] = {
	{ &row2, &lhs_f32, "f32", 32, 64, 128, 64, 4, 4, 1024, 256, 256 },
	{ &lhs_f32, &row2, "f32", 32, 64, 128, 64, 4, 4, 256, 1024, 256 },
	{ &acc_f32, &row2, "f32", 32, 64, 256, 64, 4, 4, 512, 256, 256 },
	{ &row2, &acc_f32, "f32", 32, 64, 128, 64, 4, 4, 256, 512, 256 },
	{ &row2, &column2, "f32", 32, 64, 64, 64, 4, 4, 256, 256, 256 },
	{ &row2, &column2, "f16", 16, 64, 64, 64, 8, 8, 128, 128, 128 },
	{ &row2, &column2, "i8", 8, 64, 64, 256, 16, 16, 256, 256, 256 },
	{ &row4, &nhwc, "f32", 32, 64, 64, 64, 4, 4, 256, 256, 256 },
	{ &row4, &nhwc, "f16", 16, 64, 64, 64, 8, 8, 128, 128, 128 },
	{ &row4, &nchw16c, "f32", 32, 64, 64, 64, 4, 4, 256, 256, 256 },
	{ &nchw16c, &row4, "f32", 32, 64, 64, 64, 4, 4, 256, 256, 256 },
	{ &row2, &lhs_f16, "f16", 16, 64, 128, 128, 8, 8, 1024, 256, 256 },
	{ &row4, &row4, "f32", 32, 64, 64, 32, 4, 4, 128, 128, 128 },
	{ &row2, &lhs_f32, "f32", 32, 32, 128, 64, 4, 4, 512, 128, 128 },
	{ &row2, &column2, "f32", 32, 32, 64, 64, 4, 4, 128, 128, 128 },
	{ &row2, &column2, "f16", 16, 32, 64, 64, 8, 8, 64, 64, 64 },
	{ &blocked_942, &blocked_950, "f16", 16, 64, 128, 128, 8, 8, 256, 256, 256 },
	{ &row2, &xor_rows, "f16", 16, 64, 64, 64, 8, 8, 128, 128, 128, 64 },
	{ &row2, &xor_rows, "f16", 16, 64, 64, 64, 8, 8, 128, 128, 128, 128 },
	{ &column2, &xor_rows, "f16", 16, 64, 128, 64, 8, 8, 128, 128, 128, 128 },
	{ &xor_packed, &column2, "f32", 32, 64, 64, 64, 2, 4, 512, 256, 256, 0 },
	{ &row2, &pad_both, "f32", 32, 64, 64, 32, 4, 4, 128, 128, 128 },
	{ &tile12x16, &tile8x16, "f32", 32, 64, 64, 32, 4, 4, 128, 128, 128 },
};

/* "NAME: N bytes a lane, N accesses, N segments of 64 bytes for N needed" */
static void read_side(const struct plan *plan, const char *name, int64_t numbers[4])
{
	const char *line = strstr(plan->explanation, name);

	assert_non_null(line);
	assert_int_equal(sscanf(line + strlen(name), "%" SCNd64 " bytes a lane, %" SCNd64
		" accesses, %" SCNd64 " segments of 64 bytes for %" SCNd64 " needed",
		&numbers[0], &numbers[1], &numbers[2], &numbers[3]), 4);
}

static bool is_found(const struct plan *plan, const struct found_row *row)
{
	const struct tile_move *move = &plan->tile->moves[0];
	int64_t load[4], store[4];

	read_side(plan, "\nload: ", load);
	read_side(plan, "\nstore: ", store);
	return lanes_of(plan) == row->lanes && move->registers == row->registers &&
		move->load.vector == row->load && move->store.vector == row->store &&
		load[0] == row->load * row->bits / 8 && load[2] == row->load_touched &&
		store[2] == row->store_touched && load[3] == row->least &&
		store[3] == row->least && load[1] * row->load == row->registers;
}

static void test_found(void **state)
{
	layout_context *ctx = layout_context_new();
	unsigned wrong = 0;

	(void)state;
	for (unsigned r = 0; r < COUNT(rows); r++) {
		struct subject subject = { *rows[r].source, *rows[r].destination,
			.type = rows[r].type, .bits = rows[r].bits,
			.wave = rows[r].wave, .n = { 0, rows[r].columns },
			.literal = { false, rows[r].columns } };
		struct plan *plan = plan_of(ctx, &subject);

		assert_non_null(plan);
		assert_non_null(plan->tile);
		if (!is_found(plan, &rows[r])) {
			print_error("row %u:\n%s", r, plan->explanation);
			wrong++;
		}
		plan_free(plan);
	}
	assert_true(layout_context_free(ctx));
	assert_int_equal(wrong, 0);
}

static const int64_t sizes[][MODEL_RANK] = {
	{ 3, 5, 2, 3 }, { 1, 1, 1, 1 }, { 130, 70, 3, 2 }, { 16, 64, 4, 8 }, { 12, 24, 3, 1 },
	{ 0, 9, 9, 9 }, { 129, 16, 2, 2 },
};

/* Both directions; sizes as names and as numbers. */
static void test_rows(void **state)
{
	layout_context *ctx = layout_context_new();
	unsigned failures = 0, tiled = 0;

	(void)state;
	for (unsigned r = 0; r < COUNT(rows); r++)
		for (unsigned k = 0; k < 4 * COUNT(sizes); k++) {
			struct subject subject = { *rows[r].source, *rows[r].destination,
				.type = rows[r].type, .bits = rows[r].bits,
				.wave = rows[r].wave };

			if (k & 1) {
				subject.source = *rows[r].destination;
				subject.destination = *rows[r].source;
			}
			for (unsigned d = 0; d < MODEL_RANK; d++) {
				subject.literal[d] = k & 2;
				subject.n[d] = sizes[k / 4][d];
			}
			if (rows[r].columns) {
				subject.literal[1] = true;
				subject.n[1] = rows[r].columns;
			}
			failures += check_subject(ctx, &subject, &tiled);
		}
	assert_true(layout_context_free(ctx));
	assert_int_equal(failures, 0);
	assert_true(tiled > COUNT(rows) * COUNT(sizes));
}

/* Part of a digit is worth what a digit of the rows is: rows of 3 in tiles of 6. */
static void test_part_like_row(void **state)
{
	static const struct storage_model tiles = { .kind = MODEL_PACKED, .rank = 2,
		.tile = { 16, 6 }, .outer = { 0, 1 } };
	layout_context *ctx = layout_context_new();
	struct subject subject = { row2, tiles, .literal = { true, true }, .n = { 88, 3 },
		.low = { 0, 3 }, .high = { 2, 2 }, .shifted = true, .type = "i8", .bits = 8,
		.wave = 32 };
	unsigned tiled = 0;

	(void)state;
	assert_int_equal(check_subject(ctx, &subject, &tiled), 0);
	assert_int_equal(tiled, 1);
	assert_true(layout_context_free(ctx));
}

/* ---- owners that are given */

#define TV(text) "{ hw[lane, reg] -> " text " : 0 <= lane < 64 and 0 <= reg < 16 }"

/* For a transpose of f32; lanes and registers, or what is wrong with it. */
static const struct given_row {
	const char *owner;
	int64_t lanes, registers;
	unsigned load, store;
	const char *message;
} given_rows[] = {
	{ TV("[4*floor(lane/8) + floor(reg/4), 4*(lane mod 8) + reg mod 4]"), 64, 16, 4, 4,
		NULL },
	{ TV("[lane, reg]"), 64, 16, 4, 1, NULL },
	{ TV("[reg, lane]"), 64, 16, 1, 4, NULL },
	{ TV("[lane mod 16, reg]"), 64, 16, 4, 1, NULL },
	{ "linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], "
		"[16, 0], [0, 4]], warp = [[32, 0]], block = []}>", 128, 4, 4, 1, NULL },
	{ "nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = [1, 1], "
		"thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [1, 0], "
		"thread_strides = [16, 1]>", 128, 8, 1, 4, NULL },
	{ "mma<MFMA_F32_16x16x4_F32, lhs>", 64, 1, 1, 1, NULL },
	{ "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 48 and 0 <= reg < 3 }", 48, 3, 1, 1,
		NULL },
	{ TV("[lane, lane]"), 0, 0, 0, 0, "lane 1, register 0 is not one step" },
	{ TV("[lane, 2*reg]"), 0, 0, 0, 0, "a step of 2 follows 1 elements" },
	{ TV("[lane + reg, reg]"), 0, 0, 0, 0, "lane 0, register 1 is not one step" },
	{ TV("[lane, reg mod 8]"), 0, 0, 0, 0, "register 8 holds what register 0 holds" },
	{ TV("[lane, (reg + lane) mod 16]"), 0, 0, 0, 0, "is not one step" },
	{ TV("[lane]"), 0, 0, 0, 0, "it is of rank 1, the tensor of rank 2" },
	{ "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 48 and 0 <= reg <= lane }", 0, 0, 0,
		0, "lane 0, register 1 holds no element" },
	{ "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 4096 and 0 <= reg < 2 }", 0, 0, 0, 0,
		"a workgroup has at most 1024 lanes" },
	{ "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 1024 and 0 <= reg < 1024 }", 0, 0, 0,
		0, "a lane holds too much" },
	{ "{ hw[lane, reg] -> [lane, i] : 0 <= lane < 64 and 0 <= reg < 4 and 0 <= i < 9999 }",
		0, 0, 0, 0, "holds two elements" },
	{ "{ hw[lane, reg] -> [lane, reg] : 1 = 0 }", 0, 0, 0, 0, "it has no points" },
	{ "{ hw[lane, reg] -> [lane, reg] : 0 <= lane < 64 and 0 <= reg }", 0, 0, 0, 0,
		"no box of numbers" },
};

static bool is_given(layout_context *ctx, const struct given_row *row)
{
	struct subject subject = { row2, column2, .n = { 130, 37 }, .type = "f32",
		.bits = 32, .wave = 64, .owner = row->owner };
	struct plan *plan = plan_of(ctx, &subject);
	const char *message = layout_context_message(ctx);
	unsigned tiled = 0;
	bool good;

	if (row->message) {
		good = !plan && message && strstr(message, row->message);
	} else {
		good = plan && plan->tile && lanes_of(plan) == row->lanes &&
			plan->tile->moves[0].registers == row->registers &&
			plan->tile->moves[0].load.vector == row->load &&
			plan->tile->moves[0].store.vector == row->store &&
			!check_subject(ctx, &subject, &tiled) && tiled;
	}
	if (!good)
		print_error("%s: %s\n%s\n", row->owner, message ? message : "no error",
			plan ? plan->explanation : "");
	plan_free(plan);
	layout_context_clear(ctx);
	return good;
}

static void test_given(void **state)
{
	layout_context *ctx = layout_context_new();
	unsigned wrong = 0;

	(void)state;
	for (unsigned r = 0; r < COUNT(given_rows); r++)
		wrong += !is_given(ctx, &given_rows[r]);
	assert_true(layout_context_free(ctx));
	assert_int_equal(wrong, 0);
}

/* ---- random ones */

#define SUBJECTS 300
#define MOST 20000	/* elements of a storage */

static void shuffle(uint64_t *random, unsigned count, unsigned *order)
{
	for (unsigned i = 0; i < count; i++)
		order[i] = i;
	for (unsigned i = count; i > 1; i--) {
		unsigned j = random_below(random, i), kept = order[i - 1];

		order[i - 1] = order[j];
		order[j] = kept;
	}
}

static void random_swizzle(uint64_t *random, struct storage_model *model)
{
	unsigned order[MODEL_DIGITS];

	for (unsigned d = 0; d < model->rank; d++) {
		int64_t radices[MODEL_DIGITS], rest = model->tile[d];
		unsigned count = 0;

		while (rest > 1) {
			int64_t radix = 2 + random_below(random, 3);

			if (rest % radix)
				radix = rest;
			radices[count++] = radix;
			rest /= radix;
		}
		if (model->tile[d] && !count)
			radices[count++] = 1;
		if (count)
			storage_model_split(model, d, count, radices);
	}
	shuffle(random, model->digit_count, order);
	storage_model_order(model, order);
}

static void random_packed(uint64_t *random, struct storage_model *model)
{
	static const int64_t tiles[] = { 0, 0, 2, 4, 8, 16, 3, 5, 7, 12, 6, 1, 24 };
	bool tiled = false;

	model->kind = MODEL_PACKED;
	shuffle(random, model->rank, model->outer);
	for (unsigned d = 0; d < model->rank; d++) {
		model->tile[d] = tiles[random_below(random,
			model->rank > 3 ? 4 : COUNT(tiles))];
		tiled = tiled || model->tile[d];
	}
	if (tiled && random_below(random, 3))
		random_swizzle(random, model);
}

static void random_strides(uint64_t *random, const int64_t *n,
	struct storage_model *model)
{
	int64_t stride = 1 + random_below(random, 3) / 2;
	unsigned order[MODEL_RANK];

	model->kind = MODEL_STRIDED;
	shuffle(random, model->rank, order);
	for (unsigned k = 0; k < model->rank; k++) {
		model->stride[order[k]] = stride;
		stride = stride * (n[order[k]] ? n[order[k]] : 1) +
			random_below(random, 2) * random_below(random, 5);
	}
}

static void random_model(uint64_t *random, const struct subject *subject,
	const int64_t *n, struct storage_model *model)
{
	unsigned kind = random_below(random, 10), rank = model->rank;
	unsigned tries = 0;
	bool literal = true;

	do {
		*model = (struct storage_model){ .rank = rank };
		for (unsigned d = 0; d < rank; d++)
			literal = literal && subject->literal[d];
		if (kind < 2 || tries++ > 20)
			model->kind = MODEL_ROW;
		else if (kind < 4)
			model->kind = MODEL_COLUMN;
		else if (kind < 6 && literal)
			random_strides(random, n, model);
		else
			random_packed(random, model);
	} while (tries <= 20 && kind > 1 && storage_model_elements(model, n) > MOST);
}

static struct subject random_subject(uint64_t *random)
{
	static const struct { const char *type; unsigned bits; } types[] = {
		{ "f32", 32 }, { "f16", 16 }, { "i8", 8 }, { "f64", 64 } };
	unsigned type = random_below(random, COUNT(types));
	unsigned rank = 1 + random_below(random, random_below(random, 4) ? 3 : 5);
	struct subject subject = { .type = types[type].type, .bits = types[type].bits,
		.wave = random_below(random, 2) ? 64 : 32 };
	unsigned all = random_below(random, 4);
	int64_t m[MODEL_RANK];

	for (unsigned d = 0; d < rank; d++) {
		static const unsigned most[] = { 3000, 120, 24, 9, 5 };

		subject.n[d] = 1 + random_below(random, most[rank - 1]);
		if (!random_below(random, 3))
			subject.n[d] = (subject.n[d] + 7) / 8 * 8;
		if (!random_below(random, 8))
			subject.n[d] = 1;
		subject.literal[d] = !all || !random_below(random, 4);
	}
	subject.source.rank = subject.destination.rank = rank;
	subject.shifted = !random_below(random, 6);
	for (unsigned d = 0; d < rank; d++) {
		subject.low[d] = subject.shifted * random_below(random, 3) *
			(int64_t)(1 + random_below(random, 4));
		subject.high[d] = subject.shifted * (int64_t)random_below(random, 3);
		m[d] = subject.n[d] + subject.low[d] + subject.high[d];
	}
	random_model(random, &subject, subject.n, &subject.source);
	random_model(random, &subject, m, &subject.destination);
	return subject;
}

static void test_random(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t random = random_seed();
	unsigned failures = 0, tiled = 0, count = share_count(SUBJECTS);

	(void)state;
	for (unsigned i = 0; i < count; i++) {
		struct subject subject = random_subject(&random);

		failures += check_subject(ctx, &subject, &tiled);
	}
	assert_true(layout_context_free(ctx));
	assert_int_equal(failures, 0);
	/* five of six, and of few by chance less */
	assert_true(tiled > count * (count < SUBJECTS ? 2 : 3) / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_part_like_row),
		cmocka_unit_test(test_given),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
