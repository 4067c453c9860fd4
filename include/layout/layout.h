/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The algebra: everything that needs no code generator. */
#ifndef LAYOUT_LAYOUT_H
#define LAYOUT_LAYOUT_H

#include <layout/base.h>	/* ownership, answers, sizes */
#include <layout/context.h>	/* quota, errors, diagnostics */
#include <layout/relation.h>	/* relations, sets, questions, witnesses */
#include <layout/cute.h>	/* shape:stride */
#include <layout/view.h>	/* other coordinates for a relation */
#include <layout/swizzle.h>	/* xor_shuffle, rotate_rows */
#include <layout/linear.h>	/* linear<{...}> */
#include <layout/triton.h>	/* #ttg.blocked<{...}> and its family */
#include <layout/mma.h>		/* matrix instructions */
#include <layout/nested.h>	/* nested_layout<...> */
#include <layout/encoding.h>	/* encoding_info<{...}> */
#include <layout/storage.h>	/* logical -> cell, padding */
#include <layout/chain.h>	/* relayout operations, folded */
#include <layout/remap.h>	/* storage -> storage */
#include <layout/program.h>	/* statements on tiles in registers */
#include <layout/tiling.h>	/* an operand's encoding, resolved for a target */
#include <layout/propagate.h>	/* encodings pushed through their users */
#include <layout/specialize.h>	/* kernels and relayouts of a set of dispatches */
#include <layout/target.h>	/* what kernels can be made for */
#include <layout/lds.h>		/* banks and lane groups of a target's LDS */
#include <layout/owner.h>	/* tiles from one owner to another */
#include <layout/value.h>	/* expressions in any notation */
#include <layout/show.h>	/* pictures */
#include <layout/count.h>	/* points, cells and padding as formulas */

#endif
