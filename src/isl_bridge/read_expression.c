/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* isl's grammar of affine expressions, as far as isl 0.25 and later agree on it:
 *
 *	4i mod 32	4*(i mod 32): a number before a name or "*" multiplies all
 *			that follows up to the next "+" or "-"
 *	-i mod 32	-(i mod 32)
 *	4 mod 32	left to isl: nothing for one version, 4 for another
 *	2*-i		likewise, and what follows "4i mod 32" or "i/4"
 */
#include "isl_bridge/read_written.h"

#define DEEPEST_WRITTEN 32u

static bool enter(struct written *written)
{
	if (++written->depth > DEEPEST_WRITTEN)
		written_refuse(written);
	return !written->refused;
}

static int64_t take_number(struct written *written)
{
	int64_t number = written->token.number;

	written_need(written, TOKEN_NUMBER);
	return number;
}

static void read_variable(struct written *written, struct written_sum *sum)
{
	const struct written_name *name = written_find(written);

	if (!name || name->column == WRITTEN_NO_COLUMN) {
		written_refuse(written);
		return;
	}
	written_column(sum, name->column);
	written_need(written, TOKEN_NAME);
}

/* "(sum)" */
static void read_bracketed(struct written *written, struct written_sum *sum)
{
	written_need(written, '(');
	written_read_sum(written, sum);
	written_need(written, ')');
}

/* ceil(n/d) is floor((n + d - 1)/d). */
static void read_rounded(struct written *written, struct written_sum *sum)
{
	bool up = written_at(written, TOKEN_CEIL);

	written_need(written, up ? TOKEN_CEIL : TOKEN_FLOOR);
	read_bracketed(written, sum);
	if (up && __builtin_add_overflow(sum->constant, sum->by - 1, &sum->constant))
		written_refuse(written);
	written_floor(written, sum);
}

/* sum - by*floor(sum/by) */
static void take_remainder(struct written *written, struct written_sum *sum, int64_t by)
{
	struct written_sum whole = *sum;

	written_divide(written, &whole, by);
	written_floor(written, &whole);
	written_add(written, sum, -by, &whole);
}

/* "mod 4", or "*3*-2", "/4", "*3/4" behind a factor; isl 0.25 takes "-2" for one
 * token, though not "- 2" and "-0". */
static void read_suffix(struct written *written, struct written_sum *sum)
{
	if (written_take(written, TOKEN_MOD)) {
		take_remainder(written, sum, take_number(written));
		return;
	}
	while (written_take(written, '*')) {
		const char *minus = written_at(written, '-') ? written->token.text : NULL;

		written_take(written, '-');
		if (minus && (written->token.text != minus + 1 || !written->token.number))
			written_refuse(written);
		written_scale(written, sum, take_number(written) * (minus ? -1 : 1));
	}
	if (written_take(written, '/'))
		written_divide(written, sum, take_number(written));
}

/* "i", "(i + 1)*3/4", "2*i mod 8", "floor(i/4) mod 2" */
static void read_factor(struct written *written, struct written_sum *sum)
{
	int64_t number;

	*sum = (struct written_sum){ .by = 1 };
	if (!enter(written))
		return;
	if (written_at(written, TOKEN_NUMBER)) {
		number = take_number(written);
		written_number(sum, 1);
		if (written_take(written, '*'))
			read_factor(written, sum);
		written_scale(written, sum, number);
	} else if (written_at(written, TOKEN_NAME)) {
		read_variable(written, sum);
	} else if (written_at(written, '(')) {
		read_bracketed(written, sum);
	} else {
		read_rounded(written, sum);
	}
	read_suffix(written, sum);
	written->depth--;
}

/* What stands between "+" and "-": "4", "4i mod 32", or a factor. */
static void read_term(struct written *written, struct written_sum *sum)
{
	int64_t number;

	if (!written_at(written, TOKEN_NUMBER)) {
		read_factor(written, sum);
		return;
	}
	number = take_number(written);
	written_number(sum, 1);
	if (written_take(written, '*') || written_at(written, TOKEN_NAME))
		read_factor(written, sum);
	written_scale(written, sum, number);
}

void written_read_sum(struct written *written, struct written_sum *sum)
{
	int64_t sign = 1;

	*sum = (struct written_sum){ .by = 1 };
	do {
		struct written_sum term;

		while (written_take(written, '-'))
			sign = -sign;
		read_term(written, &term);
		if (written->refused)
			return;
		written_add(written, sum, sign, &term);
		sign = written_at(written, '-') ? -1 : 1;
	} while (written_take(written, '-') || written_take(written, '+'));
}
