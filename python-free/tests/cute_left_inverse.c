/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Left inverses against all small layouts that could be one: what is refused has none. */
#include "support/cute_model.h"
#include "support/cute_text.h"
#include "support/random.h"
#include "support/share.h"
#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MOST_POINTS 20
#define MOST_OFFSET 48
#define MOST_STRIDE 40
#define MOST_MODES 4
#define RANDOM_LAYOUTS 2500

/* A layout with its offsets in order, and the modes of a candidate: the last has no end.
 * "exact" is for R(A(i)) = i, else A(R(A(i))) = A(i). */
struct trial {
	struct cute_text layout;
	unsigned points, modes;
	int64_t offset[MOST_POINTS], own[MOST_POINTS];
	int64_t shape[MOST_MODES], stride[MOST_MODES];
	bool exact;
};

static int64_t read_at(const struct trial *trial, unsigned modes, int64_t offset)
{
	int64_t coordinate = 0;

	for (unsigned i = 0; i < modes; i++) {
		int64_t shape = trial->shape[i];

		coordinate += (shape ? offset % shape : offset) * trial->stride[i];
		offset = shape ? offset / shape : 0;
	}
	return coordinate;
}

static bool leads_back(const struct trial *trial, unsigned modes, unsigned i)
{
	int64_t coordinate = read_at(trial, modes, trial->offset[i]);

	return trial->exact ? coordinate == trial->own[i] : coordinate >= 0 &&
		cute_text_at(&trial->layout, coordinate) == trial->offset[i];
}

/* Do the first modes do for all points that they tell, which are those below "end"? */
static bool fits(const struct trial *trial, unsigned modes, int64_t end)
{
	for (unsigned i = 0; i < trial->points; i++)
		if ((!end || trial->offset[i] < end) && !leads_back(trial, modes, i))
			return false;
	return true;
}

/* Modes from "mode" on, behind modes of product "place". */
static bool any_modes(struct trial *trial, unsigned mode, int64_t place)
{
	int64_t last = trial->offset[trial->points - 1] / place;

	if (mode == MOST_MODES)
		return false;
	for (int64_t shape = 0; shape <= last; shape += shape ? 1 : 2)
		for (int64_t s = -MOST_STRIDE; s <= MOST_STRIDE; s++) {
			trial->shape[mode] = shape;
			trial->stride[mode] = s;
			if (fits(trial, mode + 1, place * shape) &&
			    (!shape || any_modes(trial, mode + 1, place * shape)))
				return true;
		}
	return false;
}

static bool has_inverse(struct trial *trial, bool exact)
{
	trial->exact = exact;
	return any_modes(trial, 0, 1);
}

/* The offsets in order, each once, with a coordinate; false if they are too large. */
static bool begin(struct trial *trial, layout_cute *cute, bool *injective)
{
	trial->layout = cute_text_of(cute);
	trial->points = 0;
	*injective = true;
	for (int64_t i = 0; i < trial->layout.size; i++) {
		int64_t offset = cute_text_at(&trial->layout, i);
		unsigned at = trial->points;

		if (offset < 0 || offset > MOST_OFFSET)
			return false;
		while (at && trial->offset[at - 1] > offset)
			at--;
		if (at && trial->offset[at - 1] == offset) {
			*injective = false;
			continue;
		}
		for (unsigned k = trial->points++; k > at; k--) {
			trial->offset[k] = trial->offset[k - 1];
			trial->own[k] = trial->own[k - 1];
		}
		trial->offset[at] = offset;
		trial->own[at] = i;
	}
	return trial->points;
}

/* Is what was found an inverse, and of its own coordinates where it can be? */
static bool check_found(struct trial *trial, layout_cute *inverse, bool injective)
{
	struct cute_text r = cute_text_of(inverse);
	bool exact = true;

	for (unsigned i = 0; i < trial->points; i++) {
		int64_t coordinate = cute_text_at(&r, trial->offset[i]);

		exact = exact && coordinate == trial->own[i];
		if (coordinate < 0 || cute_text_at(&trial->layout, coordinate) !=
				trial->offset[i])
			return false;
	}
	return exact || !injective || !has_inverse(trial, true);
}

static void random_layouts(void **state)
{
	layout_context *ctx = layout_context_new();
	uint64_t seed = random_seed();
	unsigned turns = share_count(RANDOM_LAYOUTS), refused = 0, beyond = 0;

	(void)state;
	for (unsigned turn = 0; turn < turns; turn++) {
		struct cute_model model = cute_model_random(&seed, MOST_POINTS, false,
			NULL);
		layout_cute *cute = cute_model_build(ctx, &model), *inverse;
		struct trial trial;
		bool injective, right;

		if (!cute_model_size(&model) || !begin(&trial, cute, &injective)) {
			layout_cute_free(cute);
			continue;
		}
		inverse = layout_cute_left_inverse(layout_cute_copy(cute));
		right = inverse ? check_found(&trial, inverse, injective) :
			layout_context_error(ctx) == LAYOUT_ERROR_NO_ANSWER &&
			!has_inverse(&trial, false);
		if (!right) {
			char *text = layout_cute_str(cute), *found =
				layout_cute_str(inverse);

			fail_msg("%s: %s", text, found ? found :
				layout_context_message(ctx));
		}
		refused += !inverse;
		beyond += inverse && !injective;
		layout_context_clear(ctx);
		layout_cute_free(inverse);
		layout_cute_free(cute);
	}
	/* One of some 300 is refused. */
	assert_true((refused || turns < RANDOM_LAYOUTS) && beyond > turns / 40);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_layouts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
