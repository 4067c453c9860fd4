/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What sizes may be at most for the full way: tests, as few as say it all. */
#ifndef LAYOUT_LOWER_TILE_LIMITS_H
#define LAYOUT_LOWER_TILE_LIMITS_H

#include "lower/expression.h"
#include "lower/tile/room.h"

enum { LIMITS = 48 };

struct limits {
	unsigned count;
	struct {
		const struct index *what;
		int64_t most;
	} tests[LIMITS];
};

/* Test that the expression, which is not negative, is at most "most".  False: there is
 * no room for the test. */
bool limits_add(struct limits *limits, const struct index *what, int64_t most);

/* Make the scope assume what the tests say. */
void limits_assume(const struct limits *limits, struct expression_scope *scope);

/* Add the tests to those of the rooms: of less, where several then are one; or of just that. */
void limits_test(const struct limits *limits, const struct expression_scope *scope,
	struct rooms *rooms);
void limits_test_exactly(const struct limits *limits, const struct expression_scope *scope,
	struct rooms *rooms);

#endif
