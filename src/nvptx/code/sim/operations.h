/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the family's instructions do in the simulator. */
#ifndef LAYOUT_NVPTX_OPERATIONS_H
#define LAYOUT_NVPTX_OPERATIONS_H

#include "nvptx/code/nvptx.h"
#include "sim/group.h"
#include "sim/rewrite.h"

/* Operations of a lane. */
sim_lane_operation nvptx_select_bytes;

/* Operations of a wave. */
sim_wave_operation nvptx_shuffle_xor, nvptx_shuffle_index, nvptx_multiply_matrices;

/* Copies to shared memory that take time, their groups, and waiting for these. */
sim_wave_operation nvptx_copy_async, nvptx_commit_group, nvptx_wait_group;
sim_describe nvptx_describe_copy;

#endif
