/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A matrix as a grid of "lane:element". */
#ifndef LAYOUTC_MMA_GRID_H
#define LAYOUTC_MMA_GRID_H

#include <layout/mma.h>

/* Print who holds what of the operand: rows and columns of "lane:element", and of
 * "lane:first-last" where a lane holds elements in a row, "lane+lane:element" where
 * lanes hold the same.  A wide matrix is cut into several grids, one of several blocks
 * into one a block.  False without memory. */
bool mma_grid_print(layout_mma *mma);

#endif
