/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles from one owner to another, by the plan of the conversion. */
#ifndef LAYOUT_LOWER_EXCHANGE_H
#define LAYOUT_LOWER_EXCHANGE_H

#include "algebra/owner/conversion.h"
#include "lower/program_lanes/owner.h"
#include "lower/scopes.h"

/* All lanes of the workgroup are there.
 *
 * LAYOUT_CONVERT_LDS: "memory" is a pointer into the LDS, aligned to 16, to the bytes that
 * the plan wants; "reused" where something else was there that may still be read: what
 * was got from there is waited for first; "scopes" are those of the accesses. */
struct exchange {
	layout_context *ctx;
	LLVMBuilderRef builder;
	struct owner_hardware hardware;
	const layout_conversion_plan *plan;
	LLVMValueRef memory;
	struct scopes scopes;
	bool reused;
};

/* The values of TO's registers from those of FROM's, scalars of one type of the plan's
 * bits.  May leave the builder in another block.  False with the error on the context. */
bool exchange_values(const struct exchange *exchange, const LLVMValueRef *from,
	LLVMValueRef *to);

#endif
