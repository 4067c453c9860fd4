/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the intrinsics that kernels contain mean to the simulator. */
#include "nvptx/code/sim/operations.h"

#define OWN "llvm.nvvm."
#define LANE(name, operation) { OWN name, SIM_LANE, .lane = nvptx_##operation }
#define EXCHANGE(name, operation) { OWN name, SIM_EXCHANGE, .wave = nvptx_##operation }

static const struct sim_intrinsic intrinsics[] = {
	{ OWN "read.ptx.sreg.tid.x", SIM_WORKITEM_ID_X },
	{ OWN "read.ptx.sreg.tid.y", SIM_WORKITEM_ID_Y },
	{ OWN "read.ptx.sreg.tid.z", SIM_WORKITEM_ID_Z },
	{ OWN "read.ptx.sreg.ctaid.x", SIM_WORKGROUP_ID_X },
	{ OWN "read.ptx.sreg.ctaid.y", SIM_WORKGROUP_ID_Y },
	{ OWN "read.ptx.sreg.ctaid.z", SIM_WORKGROUP_ID_Z },

	{ "", SIM_TIED },
	LANE("prmt", select_bytes),

	{ OWN "barrier.cta.sync.aligned.all", SIM_BARRIER },
	{ OWN "bar.warp.sync", SIM_WAVE_BARRIER },
	EXCHANGE("shfl.sync.bfly.i32", shuffle_xor),
	EXCHANGE("shfl.sync.idx.i32", shuffle_index),
	{ 0 },
};

const struct sim_isa nvptx_isa = { OWN, intrinsics, 1 << 0 | 1 << 1 | 1 << 4, 3 };
