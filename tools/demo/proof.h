/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What holds for a storage whatever its sizes are. */
#ifndef DEMO_PROOF_H
#define DEMO_PROOF_H

#include <layout/storage.h>

/* Do no two elements share a cell? */
layout_answer proof_injective(layout_storage *storage);

/* Is every cell that is no padding the place of exactly one element? */
layout_answer proof_bijective(layout_storage *storage);

#endif
