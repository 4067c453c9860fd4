/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/epochs.h"

#include <stdlib.h>
#include <string.h>

/* Statements in a row, each of some set, and their epochs. */
struct row {
	const struct program_statement *of;
	unsigned count, *epochs;
};

static bool is_get(const struct program_statement *of)
{
	return of->kind == STATEMENT_TILE && of->tile->op == TILE_GET;
}

static const layout_memory *memory_of(const struct program_statement *of)
{
	return of->kind != STATEMENT_TILE ? of->memory :
		of->tile->op == TILE_LOAD || is_get(of) ? of->tile->memory : NULL;
}

/* Do both access something of one object? */
static bool overlap(const struct program_statement *a, const struct program_statement *b)
{
	const struct program_place *x = is_get(a) ? &a->tile->place : &a->place;
	const struct program_place *y = is_get(b) ? &b->tile->place : &b->place;

	for (unsigned d = 0; d < x->rank; d++) {
		int64_t at = x->at[d].index->value, other = y->at[d].index->value;

		if (at + a->tile->box[d] <= other || other + b->tile->box[d] <= at)
			return false;
	}
	return true;
}

/* Epochs from a statement to one behind it, at least; -1: none follows from the other.  What a
 * memory is that is read and written, it is in their order. */
static int distance(const struct program_statement *a, const struct program_statement *b)
{
	const layout_memory *memory = memory_of(a);
	bool writes = a->kind != STATEMENT_TILE || b->kind != STATEMENT_TILE;
	bool same = memory && memory == memory_of(b) && writes;

	if (same && memory->local)
		return overlap(a, b) ? 1 : -1;
	return program_statement_set(a) == program_statement_set(b) ||
		(same && memory->access == LAYOUT_ACCESS_INOUT) ? 0 : -1;
}

/* A load that is copied goes with its put. */
static bool is_copied(const struct row *row, unsigned i)
{
	return i + 1 < row->count && row->of[i + 1].copy && row->of[i + 1].tile == row->of[i].tile;
}

static void find_epochs(const struct row *row)
{
	for (unsigned i = 0; i < row->count; i++) {
		row->epochs[i] = row->of[i].shift;
		for (unsigned k = 0; k < i; k++) {
			int least = distance(&row->of[k], &row->of[i]);

			if (least >= 0 && row->epochs[k] + (unsigned)least > row->epochs[i])
				row->epochs[i] = row->epochs[k] + (unsigned)least;
		}
		if (i && is_copied(row, i - 1))
			row->epochs[i - 1] = row->epochs[i];
	}
}

/* Sorted by epochs; what has the same one stays in its order. */
static bool order_row(layout_context *ctx, struct program_statement *first, unsigned count)
{
	struct program_statement *sorted = layout_alloc(ctx, count, sizeof(*sorted));
	struct row row = { first, count, layout_alloc(ctx, count, sizeof(*row.epochs)) };
	bool ok = sorted && row.epochs;
	unsigned done = 0;

	if (ok)
		find_epochs(&row);
	for (unsigned epoch = 0; ok && done < count; epoch++)
		for (unsigned i = 0; i < count; i++)
			if (row.epochs[i] == epoch)
				sorted[done++] = first[i];
	if (ok)
		memcpy(first, sorted, count * sizeof(*first));
	free(row.epochs);
	free(sorted);
	return ok;
}

static bool order_body(layout_context *ctx, struct program_body *body)
{
	bool ok = true;

	for (unsigned i = 0, count; ok && i < body->count; i += count ? count : 1) {
		struct program_statement *first = &body->statements[i];

		for (count = 0; i + count < body->count &&
		     program_statement_set(&first[count]);)
			count++;
		ok = count ? order_row(ctx, first, count) : order_body(ctx, &first->body);
	}
	return ok;
}

bool program_order_epochs(layout_context *ctx, layout_program *program)
{
	return !program->set_count || order_body(ctx, &program->body);
}
