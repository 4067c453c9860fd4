/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A storage seen through a function: as a storage of the function's index.
 *
 * Where the slots of f(i) are digits of x = i + low, the memory of the storage of f(i) is
 * that of a storage of x, with slots of its own: row_major[A, 128] behind
 * i -> (floor(i/128), i mod 128) is row_major[128*A]. */
#ifndef LAYOUT_ALGEBRA_STORAGE_DIGIT_VIEW_H
#define LAYOUT_ALGEBRA_STORAGE_DIGIT_VIEW_H

#include "algebra/storage/storage.h"
#include "isl_bridge/objects.h"

/*	function	logical of "index" -> logical of "storage", all of the box of
 *			"index", borrowed
 *	contract	what is known of the sizes, which "names" name, borrowed */
struct digit_view_request {
	layout_storage *storage, *index;
	isl_multi_aff *function;
	isl_set *contract;
	const char *const *names;
	unsigned name_count;
};

/* The view, of x; "shift", i -> x, or NULL where x = i and the view has the sizes of
 * "index"; and "merge", slot of the view -> slot of the storage. */
struct digit_view {
	layout_storage *storage;
	isl_multi_aff *shift, *merge;
};

/* False where the slots are no such digits, with an error only if memory ran out or isl
 * failed.  The caller takes what is in the view. */
bool digit_view_build(struct digit_view *view, const struct digit_view_request *request);

#endif
