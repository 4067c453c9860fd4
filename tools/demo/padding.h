/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Is the padding of a packed matrix where it should be? */
#ifndef DEMO_PADDING_H
#define DEMO_PADDING_H

#include "files/npy.h"

#include <layout/storage.h>

/* Walk the padding cells of the storage for these sizes.  True if every one of
 * them is 0 in the f32 array "packed", and together with the "elements" of the
 * matrix they are all the cells there are.  "count" receives how many.  False
 * without an error on the context means that a cell is wrong. */
bool padding_check(layout_storage *storage, const layout_size *sizes, unsigned size_count,
	const struct npy *packed, int64_t elements, int64_t *count);

#endif
