/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the family's instructions do in the simulator. */
#ifndef LAYOUT_AMDGPU_OPERATIONS_H
#define LAYOUT_AMDGPU_OPERATIONS_H

#include "amdgpu/code/amdgpu.h"
#include "sim/group.h"
#include "sim/rewrite.h"

/* Operations of a lane. */
sim_lane_operation amdgpu_count_below, amdgpu_select_bytes, amdgpu_multiply_24,
	amdgpu_add_products, amdgpu_wave_size, amdgpu_reciprocal, amdgpu_significand, amdgpu_exponent,
	amdgpu_fraction, amdgpu_part_of_turns;
sim_lane_operation amdgpu_make_buffer, amdgpu_load_buffer, amdgpu_store_buffer,
	amdgpu_async_to_lds;

/* Operations of a wave. */
sim_wave_operation amdgpu_read_first_lane, amdgpu_read_lane, amdgpu_ballot, amdgpu_pull,
	amdgpu_push, amdgpu_swizzle, amdgpu_dpp, amdgpu_permute_rows,
	amdgpu_exchange_groups, amdgpu_other_half;
sim_wave_operation amdgpu_wait_counts, amdgpu_load_to_lds, amdgpu_buffer_to_lds, amdgpu_load_transposed,
	amdgpu_multiply_matrices;

/* What they access. */
sim_describe amdgpu_describe_buffer, amdgpu_describe_access, amdgpu_describe_to_lds,
	amdgpu_describe_async, amdgpu_describe_transposed;

/* Load the site's bytes by the descriptor that is operand 0: from "offset", which its
 * bounds are for, plus "scalar"; zeros out of range. */
void amdgpu_fetch_buffer(struct sim_state *state, const struct sim_site *site,
	unsigned char *block, uint64_t offset, uint64_t scalar, void *to);

#endif
