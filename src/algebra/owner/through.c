/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The owner of what a tile is seen through: read off point by point. */
#include "algebra/owner/owner.h"

#include <stdlib.h>
#include <string.h>

/* The coordinates of an element by its number. */
static void split(const struct owner *owner, int64_t number, int64_t *coordinates)
{
	for (unsigned d = owner->rank; d-- > 0; number /= owner->box[d])
		coordinates[d] = number % owner->box[d];
}

struct owner *owner_through(layout_context *ctx, const struct owner *view,
	const uint32_t *elements, const int64_t *box, unsigned rank)
{
	struct owner *owner = layout_alloc(ctx, 1, sizeof(*owner));
	int64_t *images = layout_alloc(ctx, (size_t)owner_points(view) * rank + 1,
		sizeof(*images));
	int64_t hw[OWNER_PARTS] = { 0 }, at[OWNER_RANK];
	bool ok = owner && images && rank <= OWNER_RANK;

	if (ok) {
		owner->rank = rank;
		memcpy(owner->box, box, rank * sizeof(*box));
		memcpy(owner->extent, view->extent, sizeof(owner->extent));
		do {
			owner_point(view, hw, at);
			split(owner, elements[owner_element(view, at)],
				images + owner_number(view, hw) * rank);
		} while (owner_next(view, hw));
		ok = owner_read(owner, images, hw);
	}
	free(images);
	if (ok)
		return owner;
	owner_free(owner);
	return NULL;
}
