/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whole bytes for elements of less than one, and rows that follow each other for lanes: the points
 * of a visit become groups of elements that lie together, whatever slots they are in. */
#ifndef LAYOUT_ALGEBRA_VISIT_GROUP_H
#define LAYOUT_ALGEBRA_VISIT_GROUP_H

#include "algebra/visit/owner.h"

/* Do elements of so many bits need groups? */
bool group_is_needed(unsigned bits);

/* The group for elements of so many bits of a storage, except for its number, and the
 * dimensions that visit them in "owner", which gets no relations.  lanes = 0: a loop.  "rows" as in
 * struct visit_request.
 * LAYOUT_ERROR_UNSUPPORTED for strided storages, whose gaps share bytes with elements.
 * False with the error on the context. */
bool group_build(struct visit_group *group, struct visit_owner *owner, layout_storage *storage,
	const struct storage_index *index, unsigned bits, unsigned lanes,
	bool rows, const char *const *sizes, unsigned size_count);

/* "dims" are the variables of the owner's dimensions: the group's number, and whether
 * there is such a group, NULL if always. */
bool group_number(struct visit_group *group, const struct visit_owner *owner,
	struct index *const *dims, struct index **active);

/* Variables for the slots of an element, numbered from "first". */
bool group_slots(const struct visit_group *group, unsigned first, struct index **slot);

/* The owner with these dimensions as text. */
char *group_owner(layout_context *ctx, const struct visit_group *group,
	const struct visit_dim *dims, unsigned dim_count);

void group_free(struct visit_group *group);

#endif
