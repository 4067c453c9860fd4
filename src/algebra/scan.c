/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/scan.h"
#include "algebra/function.h"
#include "algebra/scan_program.h"

#include <isl/lp.h>
#include <stdlib.h>
#include <string.h>

/* A box of no more points is looked through whatever it holds; in a larger one, of as
 * many points as are tried, this many are in the domain. */
#define SMALL_BOX ((uint64_t)1 << 18)
#define TRIED 1024
#define HELD (TRIED / 16)

/* Past so many points that are none, a tenth of a second, the next is isl's to find. */
#define MOST_SKIPPED ((uint64_t)1 << 22)

/* The box from "least" to "most" holds the domain. */
struct scan {
	struct program program;
	bool is_empty, is_begun, gave_up;
	int64_t *least, *most;
};

void scan_free(struct scan *scan)
{
	if (!scan)
		return;
	program_free(&scan->program);
	free(scan->least);
	free(scan->most);
	free(scan);
}

const int64_t *scan_input(const struct scan *scan)
{
	return scan->program.values;
}

const int64_t *scan_image(const struct scan *scan)
{
	return scan->program.values + scan->program.in_rank;
}

/* The integer at or above a bound, or below it; false where there is none.  Consumes the
 * bound. */
static bool whole(isl_val *bound, bool up, int64_t *result)
{
	bool good = bound && isl_val_is_rat(bound) == isl_bool_true;

	bound = up ? isl_val_ceil(bound) : isl_val_floor(bound);
	good = good && isl_val_cmp_si(bound, SCAN_LARGEST) <= 0 &&
		isl_val_cmp_si(bound, -SCAN_LARGEST) >= 0;
	if (good)
		*result = isl_val_get_num_si(bound);
	isl_val_free(bound);
	return good;
}

/* Widen the box by coordinate "i" of the inputs in a piece of the pairs. */
static bool hold(struct scan *scan, isl_basic_set *piece, unsigned i)
{
	isl_aff *input = isl_aff_var_on_domain(isl_local_space_from_space(
		isl_basic_set_get_space(piece)), isl_dim_set, i);
	int64_t least, most;
	bool good = whole(isl_basic_set_min_lp_val(piece, input), true, &least) &&
		whole(isl_basic_set_max_lp_val(piece, input), false, &most);

	isl_aff_free(input);
	if (good && least < scan->least[i])
		scan->least[i] = least;
	if (good && most > scan->most[i])
		scan->most[i] = most;
	return good;
}

static isl_stat take_piece(isl_basic_set *piece, void *user)
{
	struct scan *scan = user;
	bool good = true;

	if (isl_basic_set_plain_is_empty(piece) != isl_bool_true) {
		good = program_add_piece(&scan->program, piece);
		for (unsigned i = 0; good && i < scan->program.in_rank; i++)
			good = hold(scan, piece, i);
	}
	isl_basic_set_free(piece);
	return good ? isl_stat_ok : isl_stat_error;
}

/* The points of the box; UINT64_MAX for more than that. */
static uint64_t box_size(const struct scan *scan)
{
	uint64_t size = 1;

	for (unsigned i = 0; i < scan->program.in_rank; i++)
		if (scan->most[i] < scan->least[i])
			return 0;
	for (unsigned i = 0; i < scan->program.in_rank; i++)
		if (__builtin_mul_overflow(size, (uint64_t)(scan->most[i] -
				scan->least[i]) + 1, &size))
			return UINT64_MAX;
	return size;
}

/* Does a box of "size" points hold enough of the domain?  Leaves the inputs anywhere. */
static bool is_dense(struct scan *scan, uint64_t size)
{
	struct program *program = &scan->program;
	unsigned held = 0;

	if (size <= SMALL_BOX)
		return true;
	for (uint64_t n = 0; n < TRIED; n++) {
		uint64_t at = size / TRIED * n + n;

		for (unsigned i = program->in_rank; i-- > 0;) {
			uint64_t extent = (uint64_t)(scan->most[i] - scan->least[i]) + 1;

			program->values[i] = scan->least[i] + (int64_t)(at % extent);
			at /= extent;
		}
		held += program_run(program);
	}
	return held >= HELD;
}

/* Boxes begin empty. */
static bool start(struct scan *scan, layout_relation *relation)
{
	unsigned in = layout_relation_in_rank(relation);
	layout_context *ctx = relation->ctx;
	isl_set *pairs;
	bool good;

	scan->least = layout_alloc(ctx, in, sizeof(*scan->least));
	scan->most = layout_alloc(ctx, in, sizeof(*scan->most));
	if (!scan->least || !scan->most)
		return false;
	for (unsigned i = 0; i < in; i++) {
		scan->least[i] = INT64_MAX;
		scan->most[i] = INT64_MIN;
	}
	pairs = isl_set_flatten(isl_map_wrap(isl_map_copy(relation->map)));
	good = program_start(&scan->program, ctx, relation->forward) &&
		isl_set_foreach_basic_set(pairs, take_piece, scan) == isl_stat_ok;
	isl_set_free(pairs);
	scan->is_empty = good && !box_size(scan);
	return good && (scan->is_empty ||
		(program_fits(&scan->program, scan->least, scan->most) &&
		 is_dense(scan, box_size(scan))));
}

bool scan_is_candidate(layout_relation *relation)
{
	return layout_relation_param_count(relation) == 0 && find_function(relation) &&
		isl_multi_aff_dim(relation->forward, isl_dim_param) == 0 &&
		isl_map_domain_is_wrapping(relation->map) == isl_bool_false;
}

struct scan *scan_start(layout_relation *relation)
{
	layout_context *ctx = relation->ctx;
	struct scan *scan = NULL;
	bool good = false;

	bridge_enter(ctx);
	if (scan_is_candidate(relation)) {
		bridge_begin_attempt(ctx, BUDGET_SCAN);
		scan = layout_alloc(ctx, 1, sizeof(*scan));
		good = scan && start(scan, relation);
		good = bridge_end_attempt(ctx) && good;
	}
	bridge_leave(ctx, "list points");
	if (good)
		return scan;
	scan_free(scan);
	return NULL;
}

/* The next input of the box; false past the last. */
static bool step(struct scan *scan)
{
	int64_t *input = scan->program.values;

	if (scan->is_empty)
		return false;
	if (!scan->is_begun) {
		memcpy(input, scan->least, scan->program.in_rank * sizeof(*input));
		return scan->is_begun = true;
	}
	for (unsigned i = scan->program.in_rank; i-- > 0;) {
		if (++input[i] <= scan->most[i])
			return true;
		input[i] = scan->least[i];
	}
	return false;
}

bool scan_next(struct scan *scan)
{
	uint64_t skipped = 0;

	while (!scan->gave_up && step(scan)) {
		if (program_run(&scan->program))
			return true;
		scan->gave_up = ++skipped == MOST_SKIPPED;
	}
	return false;
}

bool scan_gave_up(const struct scan *scan)
{
	return scan->gave_up;
}
