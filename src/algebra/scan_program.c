/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/scan_program.h"

#include "isl_bridge/arithmetic.h"

#include <isl/constraint.h>
#include <stdlib.h>

/* Rows, terms and pieces that a program begins with place for. */
#define FIRST 64

/* Floors of a function or a piece. */
#define MOST_FLOORS 256

/* Where the floors of a local space are among the values. */
struct floors {
	unsigned count;
	unsigned values[MOST_FLOORS];
};

void program_free(struct program *program)
{
	free(program->rows);
	free(program->terms);
	free(program->pieces);
	free(program->values);
	*program = (struct program){ 0 };
}

/* The list with place for one more item of "size" bytes behind "count"; NULL, and the
 * list as it was: no memory. */
static void *make_place(struct program *program, void *list, unsigned count, size_t size)
{
	void *grown;

	if (count && (count < FIRST || !int_is_power2(count)))
		return list;
	grown = realloc(list, size * (count ? 2 * (size_t)count : FIRST));
	if (!grown)
		layout_fail(program->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return grown;
}

/* The value as a number that sums can be made of; consumes it. */
static bool number(isl_val *value, int64_t *result)
{
	bool good = isl_val_is_int(value) == isl_bool_true &&
		isl_val_cmp_si(value, SCAN_LARGEST) <= 0 &&
		isl_val_cmp_si(value, -SCAN_LARGEST) >= 0;

	*result = good ? isl_val_get_num_si(value) : 0;
	isl_val_free(value);
	return good;
}

/* Append factor*value to the last row. */
static bool add_term(struct program *program, int64_t factor, unsigned value)
{
	struct program_term *terms;

	if (!factor)
		return true;
	terms = make_place(program, program->terms, program->term_count, sizeof(*terms));
	if (!terms)
		return false;
	program->terms = terms;
	terms[program->term_count++] = (struct program_term){ factor, value };
	program->rows[program->row_count - 1].count++;
	return true;
}

static bool add_row(struct program *program, enum row_kind kind)
{
	struct program_row *rows = make_place(program, program->rows, program->row_count,
		sizeof(*rows));

	if (!rows)
		return false;
	program->rows = rows;
	rows[program->row_count++] = (struct program_row){ .kind = kind, .by = 1,
		.first = program->term_count };
	return true;
}

/* Append the sum that is in "aff", of the inputs and the floors, as a row; "by" is what
 * it is a fraction by.  False where that is no sum of small integers. */
static bool add_sum(struct program *program, isl_aff *aff, const struct floors *floors,
	enum row_kind kind)
{
	isl_size inputs = isl_aff_dim(aff, isl_dim_in);
	isl_val *by = isl_aff_get_denominator_val(aff);
	struct program_row *row;
	int64_t factor;
	bool good = inputs >= 0 && add_row(program, kind);

	aff = isl_aff_scale_val(isl_aff_copy(aff), isl_val_copy(by));
	for (isl_size i = 0; good && i < inputs; i++)
		good = number(isl_aff_get_coefficient_val(aff, isl_dim_in, i), &factor) &&
			add_term(program, factor, (unsigned)i);
	for (unsigned i = 0; good && i < floors->count; i++)
		good = number(isl_aff_get_coefficient_val(aff, isl_dim_div, (int)i),
			&factor) && add_term(program, factor, floors->values[i]);
	row = good ? &program->rows[program->row_count - 1] : NULL;
	good = number(by, good ? &row->by : &factor) && good;
	good = good && number(isl_aff_get_constant_val(aff), &row->constant);
	isl_aff_free(aff);
	return good;
}

static bool same_row(const struct program *program, const struct program_row *a,
	const struct program_row *b)
{
	bool same = a->kind == b->kind && a->constant == b->constant && a->by == b->by &&
		a->count == b->count;

	for (unsigned i = 0; same && i < a->count; i++) {
		const struct program_term *left = &program->terms[a->first + i];
		const struct program_term *right = &program->terms[b->first + i];

		same = left->factor == right->factor && left->value == right->value;
	}
	return same;
}

/* The value of the floor that is the last row, which goes if there is one like it.  All
 * floors of a piece come before its conditions, so that those before have run. */
static unsigned share(struct program *program)
{
	struct program_row *row = program->rows, *last = row + program->row_count - 1;

	while (row != last && !same_row(program, row, last))
		row++;
	if (row == last)
		return last->value = program->value_count++;
	program->term_count = last->first;
	program->row_count--;
	return row->value;
}

/* Append the floors of the space, each after those that it needs; consumes the space. */
static bool add_floors(struct program *program, isl_local_space *space,
	struct floors *floors)
{
	isl_size count = isl_local_space_dim(space, isl_dim_div);
	bool good = count >= 0 && count <= MOST_FLOORS;

	floors->count = 0;
	for (isl_size i = 0; good && i < count; i++) {
		isl_aff *floor = isl_local_space_get_div(space, i);

		good = floor && add_sum(program, floor, floors, ROW_FLOOR);
		for (isl_size k = i; good && k < count; k++) {
			int64_t factor;

			good = number(isl_aff_get_coefficient_val(floor, isl_dim_div, k),
				&factor) && !factor;
		}
		if (good)
			floors->values[floors->count++] = share(program);
		isl_aff_free(floor);
	}
	isl_local_space_free(space);
	return good;
}

bool program_start(struct program *program, layout_context *ctx, isl_multi_aff *function)
{
	struct floors floors;
	bool good = true;

	*program = (struct program){ .ctx = ctx,
		.in_rank = (unsigned)isl_multi_aff_dim(function, isl_dim_in),
		.out_rank = (unsigned)isl_multi_aff_dim(function, isl_dim_out) };
	program->value_count = program->in_rank + program->out_rank;
	for (unsigned k = 0; good && k < program->out_rank; k++) {
		isl_aff *image = isl_multi_aff_get_at(function, (int)k);
		struct program_row *row;

		good = add_floors(program, isl_aff_get_domain_local_space(image),
				&floors) && add_sum(program, image, &floors, ROW_FLOOR);
		row = good ? &program->rows[program->row_count - 1] : NULL;
		good = good && row->by == 1;
		if (good)
			row->value = program->in_rank + k;
		isl_aff_free(image);
	}
	program->function_end = program->row_count;
	return good;
}

struct conditions {
	struct program *program;
	const struct floors *floors;
};

static isl_stat add_condition(isl_constraint *constraint, void *user)
{
	struct conditions *conditions = user;
	isl_aff *sum = isl_constraint_get_aff(constraint);
	bool good = sum && add_sum(conditions->program, sum, conditions->floors,
		isl_constraint_is_equality(constraint) ? ROW_ZERO : ROW_NOT_NEGATIVE);

	isl_aff_free(sum);
	isl_constraint_free(constraint);
	return good ? isl_stat_ok : isl_stat_error;
}

bool program_add_piece(struct program *program, isl_basic_set *piece)
{
	struct floors floors;
	struct conditions conditions = { program, &floors };
	struct program_piece *pieces = make_place(program, program->pieces,
		program->piece_count, sizeof(*pieces));
	unsigned first = program->row_count;

	if (!pieces)
		return false;
	program->pieces = pieces;
	if (!add_floors(program, isl_basic_set_get_local_space(piece), &floors) ||
	    isl_basic_set_foreach_constraint(piece, add_condition, &conditions) !=
			isl_stat_ok)
		return false;
	pieces[program->piece_count++] = (struct program_piece){ first,
		program->row_count };
	return true;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* The bounds of the sum of a row where those of the values are known; false where it, or
 * a part of it, can be too large. */
static bool bound(const struct program *program, const struct program_row *row,
	const int64_t *low, const int64_t *high, int64_t *least, int64_t *most)
{
	int64_t room = row->constant < 0 ? -row->constant : row->constant;

	*least = *most = row->constant;
	for (unsigned i = 0; i < row->count; i++) {
		const struct program_term *term = &program->terms[row->first + i];
		int64_t factor = term->factor < 0 ? -term->factor : term->factor;
		int64_t from = low[term->value], to = high[term->value];
		int64_t largest = -from > to ? -from : to;

		if (!int_add_product(&room, factor, largest) || room > SCAN_LARGEST)
			return false;
		*least += term->factor * (term->factor > 0 ? from : to);
		*most += term->factor * (term->factor > 0 ? to : from);
	}
	return true;
}

bool program_fits(struct program *program, const int64_t *least, const int64_t *most)
{
	layout_context *ctx = program->ctx;
	int64_t *low = layout_alloc(ctx, program->value_count, sizeof(*low));
	int64_t *high = layout_alloc(ctx, program->value_count, sizeof(*high));
	bool good;

	program->values = layout_alloc(ctx, program->value_count, sizeof(*low));
	good = low && high && program->values;
	for (unsigned i = 0; good && i < program->in_rank; i++) {
		low[i] = least[i];
		high[i] = most[i];
	}
	for (unsigned i = 0; good && i < program->row_count; i++) {
		const struct program_row *row = &program->rows[i];
		int64_t from, to;

		good = bound(program, row, low, high, &from, &to);
		if (good && row->kind == ROW_FLOOR) {
			low[row->value] = floor_divide(from, row->by);
			high[row->value] = floor_divide(to, row->by);
		}
	}
	free(low);
	free(high);
	return good;
}

/* False at a condition that does not hold. */
static bool run_rows(struct program *program, unsigned first, unsigned end)
{
	int64_t *values = program->values;

	for (unsigned i = first; i < end; i++) {
		const struct program_row *row = &program->rows[i];
		const struct program_term *term = &program->terms[row->first];
		int64_t sum = row->constant;

		for (unsigned k = 0; k < row->count; k++)
			sum += term[k].factor * values[term[k].value];
		if (row->kind == ROW_FLOOR)
			values[row->value] = row->by == 1 ? sum :
				floor_divide(sum, row->by);
		else if (row->kind == ROW_ZERO ? sum != 0 : sum < 0)
			return false;
	}
	return true;
}

bool program_run(struct program *program)
{
	run_rows(program, 0, program->function_end);
	for (unsigned i = 0; i < program->piece_count; i++)
		if (run_rows(program, program->pieces[i].first, program->pieces[i].end))
			return true;
	return false;
}
