/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*	if (the tile is whole) {
 *		int64_t from = .., to = ..;		the lane's place on both sides
 *		r[0], r[1] = source[from + 0 ..];	as wide as the accesses are
 *		destination[to + 0 ..] = r[0], r[2];
 *	} else for (each register) .. */
#include "lower/tile/text.h"

#include "lower/text.h"
#include "lower/tile/block.h"

#include <inttypes.h>

struct tile_writer {
	struct layout_buffer *out;
	const layout_kernel *kernel;
	const char *const *names;
	unsigned depth;
	unsigned terms;		/* of the sum that is being written */
	struct tile_form form;
	struct block block;
};

static void write_indent(struct tile_writer *writer)
{
	for (unsigned i = 0; i < writer->depth; i++)
		layout_buffer_append(writer->out, "\t", 1);
}

static void write_index(struct tile_writer *writer, const struct index *index)
{
	index_print(writer->out, index, writer->names);
}

static void write_plus(struct tile_writer *writer)
{
	if (writer->terms++)
		layout_buffer_printf(writer->out, " + ");
}

static const char *lane_name(const struct tile_writer *writer)
{
	const struct plan *plan = writer->kernel->plan;

	return writer->names[plan->size_count + plan->visit.dim_count - 1];
}

/* "N * dim": where the tile starts. */
static void write_start(struct tile_writer *writer, unsigned d)
{
	const struct plan *plan = writer->kernel->plan;

	layout_buffer_printf(writer->out, "%" PRId64 " * %s", plan->tile->dims[d].step,
		writer->names[plan->size_count + d]);
}

/* Where a lane's digit is, "(lane / 8 % 8)". */
static void write_lane_digit(struct tile_writer *writer, const struct digit *digit,
	const struct tile_place *place)
{
	layout_buffer_printf(writer->out, "%s / %" PRId64 " %% %" PRId64,
		lane_name(writer), place->place, digit->radix);
}

/* The xor of a term's lane digits, and of its register digits for register "number". */
static void write_digits(struct tile_writer *writer, const struct tile_move *move,
	const struct tile_term *term, int64_t number)
{
	const struct plan_tile *tile = writer->kernel->plan->tile;
	const char *separator = "";
	int64_t sum = 0;

	for (uint64_t set = term->digits; set; set &= set - 1) {
		unsigned i = (unsigned)__builtin_ctzll(set);
		const struct tile_place *place = &move->places[i];

		if (!place->lane) {
			sum ^= number / place->place % tile->digits[i].radix;
			continue;
		}
		layout_buffer_printf(writer->out, "%s", separator);
		write_lane_digit(writer, &tile->digits[i], place);
		separator = " ^ ";
	}
	if (sum || !*separator)
		layout_buffer_printf(writer->out, "%s%" PRId64, separator, sum);
}

enum { REGISTER_DIGITS = 1, LANE_DIGITS = 2 };

static unsigned digits_of(const struct tile_move *move, const struct tile_term *term)
{
	unsigned kinds = 0;

	for (uint64_t set = term->digits; set; set &= set - 1)
		kinds |= move->places[__builtin_ctzll(set)].lane ? LANE_DIGITS :
			REGISTER_DIGITS;
	return kinds;
}

/* The terms with lane digits only. */
static void write_lane_terms(struct tile_writer *writer, const struct tile_move *move,
	const struct tile_side *side)
{
	for (unsigned t = 0; t < side->term_count; t++) {
		if (digits_of(move, &side->terms[t]) != LANE_DIGITS)
			continue;
		write_plus(writer);
		layout_buffer_printf(writer->out, "(");
		write_digits(writer, move, &side->terms[t], 0);
		layout_buffer_printf(writer->out, ") * (");
		write_index(writer, side->terms[t].weight);
		layout_buffer_printf(writer->out, ")");
	}
}

/* What register "number" adds: the other terms. */
static void write_register_terms(struct tile_writer *writer,
	const struct tile_move *move, const struct tile_side *side, int64_t number)
{
	int64_t sum = 0;

	for (unsigned t = 0; t < side->term_count; t++) {
		const struct tile_term *term = &side->terms[t];
		unsigned kinds = digits_of(move, term);
		uint64_t set = term->digits;
		int64_t value = 0;

		if (kinds == LANE_DIGITS)
			continue;
		for (; kinds == REGISTER_DIGITS && set; set &= set - 1) {
			unsigned i = (unsigned)__builtin_ctzll(set);

			value ^= number / move->places[i].place %
				writer->kernel->plan->tile->digits[i].radix;
		}
		if (kinds == REGISTER_DIGITS &&
		    (!value || term->weight->op == INDEX_INT)) {
			sum += value ? value * term->weight->value : 0;
			continue;
		}
		layout_buffer_printf(writer->out, " + (");
		write_digits(writer, move, term, number);
		layout_buffer_printf(writer->out, ") * (");
		write_index(writer, term->weight);
		layout_buffer_printf(writer->out, ")");
	}
	layout_buffer_printf(writer->out, " + %" PRId64, sum);
}

/* What the carries of a side count in a dimension. */
static const char *inside_name(const struct tile_move *move, const struct tile_side *side)
{
	return side == &move->store ? "rotated" : "inside";
}

/* "int64_t inside0 = FIRST + lane / 4 % 8 * 2;": where the lane is from the source's tile
 * on, or in a digit that is rotated. */
static void write_inside(struct tile_writer *writer, const struct tile_move *move,
	const struct tile_side *side, const struct tile_carry *carry)
{
	const struct plan_tile *tile = writer->kernel->plan->tile;

	write_indent(writer);
	layout_buffer_printf(writer->out, "int64_t %s%u = ",
		inside_name(move, side), carry->dim);
	write_index(writer, carry->first);
	for (unsigned c = 0; c < CARRY_COUNTS; c++)
		for (uint64_t set = carry->counts[c].digits; set; set &= set - 1) {
			unsigned i = (unsigned)__builtin_ctzll(set);

			if (!move->places[i].lane)
				continue;
			layout_buffer_printf(writer->out, " + ");
			write_lane_digit(writer, &tile->digits[i], &move->places[i]);
			layout_buffer_printf(writer->out, " * %" PRId64,
				tile_count_step(&carry->counts[c], &tile->digits[i]));
		}
	layout_buffer_printf(writer->out, ";\n");
}

/* Once for each dimension. */
static void write_insides(struct tile_writer *writer, const struct tile_move *move,
	const struct tile_side *side)
{
	uint64_t done = 0;

	for (unsigned i = 0; i < side->carry_count; i++) {
		uint64_t dim = (uint64_t)1 << side->carries[i].dim;

		if (!(done & dim))
			write_inside(writer, move, side, &side->carries[i]);
		done |= dim;
	}
}

/* " + (inside0 + 6) / 12 % 5 * (WEIGHT)" for register "number". */
static void write_carry(struct tile_writer *writer, const struct tile_move *move,
	const struct tile_side *side, const struct tile_carry *carry, int64_t number)
{
	const struct plan_tile *tile = writer->kernel->plan->tile;
	int64_t sum = 0;

	for (unsigned c = 0; c < CARRY_COUNTS; c++)
		for (uint64_t set = carry->counts[c].digits; set; set &= set - 1) {
			unsigned i = (unsigned)__builtin_ctzll(set);
			const struct tile_place *place = &move->places[i];

			if (!place->lane)
				sum += number / place->place % tile->digits[i].radix *
					tile_count_step(&carry->counts[c], &tile->digits[i]);
		}
	layout_buffer_printf(writer->out, " + (%s%u + %" PRId64 ")",
		inside_name(move, side), carry->dim, sum);
	if (carry->step > 1)
		layout_buffer_printf(writer->out, " / %" PRId64, carry->step);
	if (carry->radix)
		layout_buffer_printf(writer->out, " %% %" PRId64, carry->radix);
	layout_buffer_printf(writer->out, " * (");
	write_index(writer, carry->weight);
	layout_buffer_printf(writer->out, ")");
}

/* "int64_t NAME = BASE + ..;" */
static void write_place(struct tile_writer *writer, const char *name,
	const struct tile_move *move, const struct tile_side *side)
{
	write_indent(writer);
	layout_buffer_printf(writer->out, "int64_t %s = ", name);
	write_index(writer, side->base);
	writer->terms = 1;
	write_lane_terms(writer, move, side);
	layout_buffer_printf(writer->out, ";\n");
}

/* "r[0], r[4], .." of a vector. */
static void write_registers(struct tile_writer *writer, const struct block_side *side,
	unsigned vector)
{
	for (unsigned at = 0; at < side->vector; at++)
		for (unsigned e = 0; e < writer->block.count; e++)
			if (side->slots[e] == vector * side->vector + at)
				layout_buffer_printf(writer->out, "%sr[%u]",
					at ? ", " : "", e);
}

/* "ARRAY[NAME + ..]", or with ":N" for N elements. */
static void write_memory(struct tile_writer *writer, const char *array, const char *name,
	const struct tile_move *move, const struct tile_side *side,
	const struct block_side *vectors, unsigned vector)
{
	layout_buffer_printf(writer->out, "%s[%s", array, name);
	write_register_terms(writer, move, side, vectors->starts[vector]);
	for (unsigned i = 0; i < side->carry_count; i++)
		write_carry(writer, move, side, &side->carries[i], vectors->starts[vector]);
	if (vectors->vector > 1)
		layout_buffer_printf(writer->out, " : %u", vectors->vector);
	layout_buffer_printf(writer->out, "]");
}

static void write_loads(struct tile_writer *writer, const struct tile_move *move,
	const char *array)
{
	const struct plan *plan = writer->kernel->plan;
	bool first = move == plan->tile->moves;

	for (unsigned i = 0; i < writer->block.load.count; i++) {
		write_indent(writer);
		write_registers(writer, &writer->block.load, i);
		layout_buffer_printf(writer->out, " = ");
		if (first)
			text_open_conversion(writer->out, plan);
		write_memory(writer, array, "from", move, &move->load,
			&writer->block.load, i);
		if (first)
			text_close_conversion(writer->out, plan);
		layout_buffer_printf(writer->out, ";\n");
	}
}

static void write_stores(struct tile_writer *writer, const struct tile_move *move,
	const char *array)
{
	for (unsigned i = 0; i < writer->block.store.count; i++) {
		write_indent(writer);
		write_memory(writer, array, "to", move, &move->store,
			&writer->block.store, i);
		layout_buffer_printf(writer->out, " = ");
		write_registers(writer, &writer->block.store, i);
		layout_buffer_printf(writer->out, ";\n");
	}
}

/* "LOW <= START && START + EXTENT <= HIGH" for the dims that may stick out. */
static void write_whole(struct tile_writer *writer)
{
	const struct plan_tile *tile = writer->kernel->plan->tile;

	writer->terms = 0;
	for (unsigned d = 0; d < tile->dim_count; d++) {
		const struct tile_dim *dim = &tile->dims[d];

		if (!dim->some_unread && !dim->some_unwritten)
			continue;
		layout_buffer_printf(writer->out, "%s", writer->terms++ ? " && " : "");
		if (dim->some_unread && dim->low->max > 0) {
			write_index(writer, dim->low);
			layout_buffer_printf(writer->out, " <= ");
			write_start(writer, d);
			layout_buffer_printf(writer->out, " && ");
		}
		write_start(writer, d);
		layout_buffer_printf(writer->out, " + %" PRId64 " <= ", dim->extent);
		write_index(writer, dim->some_unread ? dim->high : dim->end);
	}
}

/* "if (lane / 64 % 2 == 0) {" where other lanes have nothing to do. */
static void write_spares(struct tile_writer *writer, const struct tile_move *move)
{
	for (unsigned i = 0; i < move->spare_count; i++) {
		write_indent(writer);
		layout_buffer_printf(writer->out, "if (%s / %" PRId64 " %% %" PRId64
			" == 0)\n", lane_name(writer), move->spares[i].place,
			move->spares[i].radix);
	}
}

static void write_move(struct tile_writer *writer, unsigned m)
{
	const struct plan_tile *tile = writer->kernel->plan->tile;
	const struct tile_move *move = &tile->moves[m];

	write_spares(writer, move);
	write_indent(writer);
	layout_buffer_printf(writer->out, "{\n");
	writer->depth++;
	write_place(writer, "from", move, &move->load);
	write_insides(writer, move, &move->load);
	write_place(writer, "to", move, &move->store);
	write_insides(writer, move, &move->store);
	write_loads(writer, move, m ? "lds" : "source");
	write_stores(writer, move, m + 1 < tile->move_count ? "lds" : "destination");
	writer->depth--;
	write_indent(writer);
	layout_buffer_printf(writer->out, "}\n");
	if (m + 1 < tile->move_count) {
		write_indent(writer);
		layout_buffer_printf(writer->out, "barrier();\n");
	}
}

static bool move_text(layout_context *ctx, struct tile_writer *writer, unsigned m)
{
	const struct plan *plan = writer->kernel->plan;
	bool ok = form_build(ctx, &writer->form, plan->tile, &plan->tile->moves[m],
		m ? plan->visit.store.bits : plan->visit.load.bits, plan->visit.store.bits);

	if (ok) {
		ok = block_build(ctx, &writer->block, &writer->form,
			form_register_digits(&writer->form), writer->form.load.chain,
			writer->form.store.chain);
		if (ok)
			write_move(writer, m);
		block_free(&writer->block);
	}
	form_free(&writer->form);
	return ok;
}

/* What tiles that stick out do besides. */
static void write_ragged(struct tile_writer *writer)
{
	writer->depth--;
	write_indent(writer);
	layout_buffer_printf(writer->out, "} else {\n");
	writer->depth++;
	write_indent(writer);
	layout_buffer_printf(writer->out, "/* the same, where loads outside the source "
		"give 0x%" PRIx64 "\n", writer->kernel->plan->pad_bits);
	write_indent(writer);
	layout_buffer_printf(writer->out, " * and stores outside the destination do "
		"nothing */\n");
	writer->depth--;
	write_indent(writer);
	layout_buffer_printf(writer->out, "}\n");
}

static bool is_ragged(const struct plan_tile *tile)
{
	for (unsigned d = 0; d < tile->dim_count; d++)
		if (tile->dims[d].some_unread || tile->dims[d].some_unwritten)
			return true;
	return false;
}

bool text_tile(layout_context *ctx, struct layout_buffer *out,
	const layout_kernel *kernel, const char *const *names, unsigned depth)
{
	struct tile_writer writer = { .out = out, .kernel = kernel, .names = names,
		.depth = depth };
	const struct plan_tile *tile = kernel->plan->tile;
	bool ok = true;

	if (is_ragged(tile)) {
		write_indent(&writer);
		layout_buffer_printf(out, "if (");
		write_whole(&writer);
		layout_buffer_printf(out, ") {\n");
		writer.depth++;
	}
	for (unsigned m = 0; ok && m < tile->move_count; m++)
		ok = move_text(ctx, &writer, m);
	if (is_ragged(tile))
		write_ragged(&writer);
	return ok;
}
