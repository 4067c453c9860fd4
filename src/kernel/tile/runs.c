/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows that follow each other in the memory of one side alone, and begin anywhere in its lines: a
 * tile of several rows that goes through the LDS fills these, where one of a part of each row
 * leaves two lines a row in part. */
#include "kernel/tile/parts.h"

#include <math.h>

/* Bytes of a tile's rows: at most, and at least. */
enum { MOST_RUN = 32768, LEAST_RUN = 512 };

/* How much slower than a copy a tile is for which one of rows is looked for, and that than this; and
 * where only a launch tells how many rows there are, of which few fill no tile. */
#define SLOW 1.1
#define SLOW_FOR_ANY 1.5

/* The dimension that one side joins; NULL: there is none. */
static const struct factor_dim *find_run(const struct factors *factors)
{
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (factors->dims[d].run)
			return &factors->dims[d];
	return NULL;
}

/* What the tile by factors that join rows takes, if there are such; longer where it has to be much
 * faster. */
static bool time_runs(struct tile_builder *b, const struct factor_input *input, double *time)
{
	struct tile_account *account = layout_alloc(b->ctx, 1, sizeof(*account));
	bool possible, ok = account && factors_build(&account->factors, input, &possible);
	const struct factor_dim *run = ok && possible ? find_run(&account->factors) : NULL;
	struct shape_rules rules;
	const char *why;

	*time = INFINITY;
	if (run) {
		rules = tile_rules(&account->factors, b->request);
		if (shape_choose(&account->shape, &rules, &why))
			*time = tile_time(b, &account->shape, &rules) *
				(run->end->op == INDEX_INT ? 1 : SLOW_FOR_ANY / SLOW);
	}
	tile_account_free(account);
	return ok;
}

/* The tile by these factors instead. */
static bool take_runs(struct tile_builder *b, const struct factor_input *input,
	struct shape_rules *rules)
{
	struct tile_account *account = b->account;
	const char *why;
	bool possible;

	shape_free(&account->shape);
	account->shape = (struct tile_shape){ 0 };
	factors_free(&account->factors);
	*rules = tile_rules(&account->factors, b->request);
	return factors_build(&account->factors, input, &possible) &&
		shape_choose(&account->shape, rules, &why) && tile_take_known(b, rules);
}

bool tile_try_runs(struct tile_builder *b, struct shape_rules *rules)
{
	const unsigned *bits = b->request->bits;
	struct factor_input input = tile_input(b->request), best = input;
	double least = tile_time(b, &b->account->shape, rules) / SLOW, runs;

	if (least < 1 || least == INFINITY)
		return true;
	for (unsigned side = 0; side < FACTOR_SIDES; side++)
		for (int64_t bytes = MOST_RUN; bytes >= LEAST_RUN; bytes /= 4) {
			input.run_side = (enum factor_side)side;
			input.most_run = 8 * bytes / (bits[0] > bits[1] ? bits[0] : bits[1]);
			if (!time_runs(b, &input, &runs))
				return false;
			if (runs >= least)
				continue;
			least = runs;
			best = input;
		}
	return !best.most_run || take_runs(b, &best, rules);
}
