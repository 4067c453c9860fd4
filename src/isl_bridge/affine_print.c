/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/affine.h"

#include <inttypes.h>

/* A sum that stands without parentheses before "mod" or "/": one bare atom. */
static bool is_bare(const struct affine_sum *sum)
{
	return sum->count == 1 && !sum->constant && sum->terms[0].coefficient == 1;
}

static void print_operand(struct layout_buffer *out, const struct affine *affine,
	const struct affine_sum *sum, const char *const *names,
	enum affine_dialect dialect)
{
	bool atom = is_bare(sum) && (sum->terms[0].atom < affine->variable_count ||
		(dialect != AFFINE_MLIR &&
		affine->atoms[sum->terms[0].atom - affine->variable_count].kind ==
		AFFINE_FLOOR));

	layout_buffer_printf(out, atom ? "" : "(");
	affine_print(out, affine, sum, names, dialect);
	layout_buffer_printf(out, atom ? "" : ")");
}

/* "floor(i/4)", "ceil(M/128)", "i mod 4"; "i floordiv 4", .. */
static void print_atom(struct layout_buffer *out, const struct affine *affine,
	const struct affine_atom *atom, const char *const *names,
	enum affine_dialect dialect)
{
	struct affine_sum of = atom->of;
	bool up = atom->kind == AFFINE_FLOOR && of.constant == atom->by - 1 &&
		atom->by > 1;
	bool call = dialect != AFFINE_MLIR && atom->kind == AFFINE_FLOOR;

	if (up)
		of.constant = 0;
	if (call)
		layout_buffer_printf(out, up ? "ceil(" : "floor(");
	print_operand(out, affine, &of, names, dialect);
	if (call)
		layout_buffer_printf(out, "/%" PRId64 ")", atom->by);
	else
		layout_buffer_printf(out, " %s %" PRId64, atom->kind == AFFINE_MOD ?
			"mod" : up ? "ceildiv" : "floordiv", atom->by);
}

/* One term without its sign.  An operator binds its left operand after a minus or a
 * factor has, so behind those it needs parentheses. */
static void print_term(struct layout_buffer *out, const struct affine *affine,
	int64_t coefficient, unsigned number, const char *const *names,
	enum affine_dialect dialect)
{
	int64_t factor = coefficient < 0 ? -coefficient : coefficient;
	const struct affine_atom *atom = number < affine->variable_count ? NULL :
		&affine->atoms[number - affine->variable_count];
	bool wrap = atom && coefficient != 1 &&
		(dialect == AFFINE_MLIR || atom->kind == AFFINE_MOD);
	bool times = atom || dialect == AFFINE_SIZE;

	if (factor != 1 && dialect != AFFINE_MLIR)
		layout_buffer_printf(out, times ? "%" PRId64 "*" : "%" PRId64, factor);
	layout_buffer_printf(out, wrap ? "(" : "");
	if (atom)
		print_atom(out, affine, atom, names, dialect);
	else
		layout_buffer_printf(out, "%s", names[number]);
	layout_buffer_printf(out, wrap ? ")" : "");
	if (factor != 1 && dialect == AFFINE_MLIR)
		layout_buffer_printf(out, " * %" PRId64, factor);
}

/* Positive terms first, so that a sum begins with a minus only if it must. */
void affine_print(struct layout_buffer *out, const struct affine *affine,
	const struct affine_sum *sum, const char *const *names,
	enum affine_dialect dialect)
{
	bool first = true;

	for (unsigned negative = 0; negative < 2; negative++) {
		for (unsigned i = 0; i < sum->count; i++) {
			int64_t factor = sum->terms[i].coefficient;

			if ((factor < 0) != negative)
				continue;
			layout_buffer_printf(out, negative ? first ? "-" : " - " :
				first ? "" : " + ");
			print_term(out, affine, factor, sum->terms[i].atom, names,
				dialect);
			first = false;
		}
		if (sum->constant > 0 && !negative) {
			layout_buffer_printf(out, first ? "%" PRId64 : " + %" PRId64,
				sum->constant);
			first = false;
		}
	}
	if (sum->constant < 0)
		layout_buffer_printf(out, first ? "%" PRId64 : " - %" PRId64,
			first ? sum->constant : -sum->constant);
	else if (first)
		layout_buffer_printf(out, "0");
}
