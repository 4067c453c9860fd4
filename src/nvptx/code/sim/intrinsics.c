/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the intrinsics that kernels contain mean to the simulator. */
#include "nvptx/code/sim/operations.h"

#define OWN "llvm.nvvm."
#define LANE(name, operation) { OWN name, SIM_LANE, .lane = nvptx_##operation }
#define EXCHANGE(name, operation) { OWN name, SIM_EXCHANGE, .wave = nvptx_##operation }

/* With the row of the table that has its registers. */
#define MMA(size, name, types) { OWN "mma." size ".row.col." name, SIM_WAVE, \
	"mma.sync.aligned." size ".row.col." types, .wave = nvptx_multiply_matrices }
#define MMA_F8(name) MMA("m16n8k32", "f32." name ".f32", "f32." name ".f32")

#define COPY(name, bytes) { OWN "cp.async." name, SIM_WAVE, NULL, bytes, \
	.wave = nvptx_copy_async, .describe = nvptx_describe_copy, .copies = true }

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
	COPY("ca.shared.global.4.s", 4),
	COPY("ca.shared.global.8.s", 8),
	COPY("cg.shared.global.16.s", 16),
	{ OWN "cp.async.commit.group", SIM_WAVE, .wave = nvptx_commit_group },
	{ OWN "cp.async.wait.group", SIM_WAVE, .wave = nvptx_wait_group },

	EXCHANGE("shfl.sync.bfly.i32", shuffle_xor),
	EXCHANGE("shfl.sync.idx.i32", shuffle_index),

	MMA("m16n8k8", "f32.f32", "f32.f16.f16.f32"),
	MMA("m16n8k16", "f32.f32", "f32.f16.f16.f32"),
	MMA("m16n8k8", "f16.f16", "f16.f16.f16.f16"),
	MMA("m16n8k16", "f16.f16", "f16.f16.f16.f16"),
	MMA("m16n8k8", "bf16", "f32.bf16.bf16.f32"),
	MMA("m16n8k16", "bf16", "f32.bf16.bf16.f32"),
	MMA("m8n8k16", "s8", "s32.s8.s8.s32"), MMA("m8n8k16", "u8", "s32.u8.u8.s32"),
	MMA("m16n8k16", "s8", "s32.s8.s8.s32"), MMA("m16n8k16", "u8", "s32.u8.u8.s32"),
	MMA("m16n8k32", "s8", "s32.s8.s8.s32"), MMA("m16n8k32", "u8", "s32.u8.u8.s32"),
	MMA_F8("e4m3.e4m3"), MMA_F8("e4m3.e5m2"), MMA_F8("e5m2.e4m3"), MMA_F8("e5m2.e5m2"),
	MMA("m8n8k4", "f64", "f64.f64.f64.f64"), MMA("m16n8k4", "f64", "f64.f64.f64.f64"),
	MMA("m16n8k8", "f64", "f64.f64.f64.f64"), MMA("m16n8k16", "f64", "f64.f64.f64.f64"),
	{ 0 },
};

const struct sim_isa nvptx_isa = { OWN, intrinsics, 1 << 0 | 1 << 1 | 1 << 4, 3,
	.barriers_wait = true };
