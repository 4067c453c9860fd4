/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the intrinsics that kernels contain mean to the simulator. */
#include "amdgpu/code/sim/operations.h"

#define OWN "llvm.amdgcn."
#define LANE(name, operation, number) \
	{ OWN name, SIM_LANE, NULL, number, .lane = amdgpu_##operation }
#define EXCHANGE(name, operation, number) \
	{ OWN name, SIM_EXCHANGE, NULL, number, .wave = amdgpu_##operation }
#define ACCESS(name, operation, what, number) \
	{ OWN name, SIM_LANE, NULL, number, .lane = amdgpu_##operation, \
	  .describe = amdgpu_describe_##what }
#define TO_LDS(name, operation) \
	{ OWN name, SIM_WAVE, .wave = amdgpu_##operation, \
	  .describe = amdgpu_describe_to_lds, .copies = true }
#define MATRIX(name) { OWN name, SIM_WAVE, .wave = amdgpu_multiply_matrices }

/* Another name of the same instruction, which the text says. */
#define TIED_MATRIX(name) \
	{ OWN name ".tied", SIM_WAVE, name, .wave = amdgpu_multiply_matrices }

static const struct sim_intrinsic intrinsics[] = {
	{ OWN "workitem.id.x", SIM_WORKITEM_ID_X },
	{ OWN "workitem.id.y", SIM_WORKITEM_ID_Y },
	{ OWN "workitem.id.z", SIM_WORKITEM_ID_Z },
	{ OWN "workgroup.id.x", SIM_WORKGROUP_ID_X },
	{ OWN "workgroup.id.y", SIM_WORKGROUP_ID_Y },
	{ OWN "workgroup.id.z", SIM_WORKGROUP_ID_Z },

	{ "", SIM_TIED },
	{ "v_swap_b32 $0, $1", SIM_SWAP },
	{ OWN "sched.barrier", SIM_NOTHING },
	{ OWN "sched.group.barrier", SIM_NOTHING },
	{ OWN "iglp.opt", SIM_NOTHING },
	{ OWN "s.setprio", SIM_NOTHING },
	{ OWN "s.waitcnt", SIM_WAVE, .wave = amdgpu_wait_counts },

	LANE("wavefrontsize", wave_size, 0),
	LANE("mbcnt.lo", count_below, 0),
	LANE("mbcnt.hi", count_below, 1),
	LANE("perm", select_bytes, 0),
	LANE("rcp", reciprocal, 0),
	LANE("frexp.mant", significand, 0),
	LANE("frexp.exp", exponent, 0),
	LANE("fract", fraction, 0),
	LANE("trig.preop", part_of_turns, 0),
	LANE("mul.u24", multiply_24, 0),
	LANE("mul.i24", multiply_24, 1),
	LANE("fdot2", add_products, 0),
	ACCESS("make.buffer.rsrc", make_buffer, buffer, 0),
	ACCESS("raw.ptr.buffer.load", load_buffer, access, 0),
	ACCESS("raw.ptr.buffer.store", store_buffer, access, 0),

	{ OWN "s.barrier", SIM_BARRIER },
	{ OWN "s.barrier.signal", SIM_SIGNAL },
	{ OWN "s.barrier.wait", SIM_BARRIER_WAIT },
	{ OWN "wave.barrier", SIM_WAVE_BARRIER },
	EXCHANGE("readfirstlane", read_first_lane, 0),
	EXCHANGE("readlane", read_lane, 0),
	EXCHANGE("ballot", ballot, 0),
	EXCHANGE("ds.bpermute", pull, 0),
	EXCHANGE("ds.permute", push, 0),
	EXCHANGE("ds.swizzle", swizzle, 0),
	EXCHANGE("update.dpp", dpp, 1),
	EXCHANGE("mov.dpp", dpp, 0),
	EXCHANGE("permlane16", permute_rows, 0),
	EXCHANGE("permlanex16", permute_rows, 1),
	EXCHANGE("permlane16.swap", exchange_groups, 16),
	EXCHANGE("permlane32.swap", exchange_groups, 32),
	EXCHANGE("permlane64", other_half, 0),

	TO_LDS("global.load.lds", load_to_lds),
	TO_LDS("load.to.lds", load_to_lds),
	TO_LDS("raw.ptr.buffer.load.lds", buffer_to_lds),
	ACCESS("global.load.async.to.lds.b8", async_to_lds, async, 1),
	ACCESS("global.load.async.to.lds.b32", async_to_lds, async, 4),
	ACCESS("global.load.async.to.lds.b64", async_to_lds, async, 8),
	ACCESS("global.load.async.to.lds.b128", async_to_lds, async, 16),
	{ OWN "s.wait.asynccnt", SIM_NOTHING },
	{ OWN "ds.read.tr16.b64", SIM_WAVE, .wave = amdgpu_load_transposed,
	  .describe = amdgpu_describe_transposed },

	MATRIX("mfma.f32.32x32x1f32"), MATRIX("mfma.f32.16x16x1f32"),
	MATRIX("mfma.f32.4x4x1f32"), MATRIX("mfma.f32.32x32x2f32"),
	MATRIX("mfma.f32.16x16x4f32"), MATRIX("mfma.f32.32x32x4f16"),
	MATRIX("mfma.f32.16x16x4f16"), MATRIX("mfma.f32.4x4x4f16"),
	MATRIX("mfma.f32.32x32x8f16"), MATRIX("mfma.f32.16x16x16f16"),
	MATRIX("mfma.i32.32x32x4i8"), MATRIX("mfma.i32.16x16x4i8"),
	MATRIX("mfma.i32.4x4x4i8"), MATRIX("mfma.i32.32x32x8i8"),
	MATRIX("mfma.i32.16x16x16i8"), MATRIX("mfma.f32.32x32x2bf16"),
	MATRIX("mfma.f32.16x16x2bf16"), MATRIX("mfma.f32.4x4x2bf16"),
	MATRIX("mfma.f32.32x32x4bf16"), MATRIX("mfma.f32.16x16x8bf16"),
	MATRIX("mfma.f32.32x32x4bf16.1k"), MATRIX("mfma.f32.16x16x4bf16.1k"),
	MATRIX("mfma.f32.4x4x4bf16.1k"), MATRIX("mfma.f32.32x32x8bf16.1k"),
	MATRIX("mfma.f32.16x16x16bf16.1k"), MATRIX("mfma.f64.16x16x4f64"),
	MATRIX("mfma.f64.4x4x4f64"), MATRIX("mfma.i32.16x16x32.i8"),
	MATRIX("mfma.i32.32x32x16.i8"), MATRIX("mfma.f32.16x16x32.bf8.bf8"),
	MATRIX("mfma.f32.16x16x32.bf8.fp8"), MATRIX("mfma.f32.16x16x32.fp8.bf8"),
	MATRIX("mfma.f32.16x16x32.fp8.fp8"), MATRIX("mfma.f32.32x32x16.bf8.bf8"),
	MATRIX("mfma.f32.32x32x16.bf8.fp8"), MATRIX("mfma.f32.32x32x16.fp8.bf8"),
	MATRIX("mfma.f32.32x32x16.fp8.fp8"), MATRIX("mfma.f32.16x16x32.f16"),
	MATRIX("mfma.f32.32x32x16.f16"), MATRIX("mfma.i32.16x16x64.i8"),
	MATRIX("mfma.i32.32x32x32.i8"), MATRIX("mfma.f32.16x16x32.bf16"),
	MATRIX("mfma.f32.32x32x16.bf16"), MATRIX("mfma.scale.f32.16x16x128.f8f6f4"),
	MATRIX("mfma.scale.f32.32x32x64.f8f6f4"), MATRIX("wmma.f32.16x16x16.f16"),
	MATRIX("wmma.f32.16x16x16.bf16"), MATRIX("wmma.f16.16x16x16.f16"),
	TIED_MATRIX("wmma.f16.16x16x16.f16"),
	MATRIX("wmma.bf16.16x16x16.bf16"),
	TIED_MATRIX("wmma.bf16.16x16x16.bf16"),
	MATRIX("wmma.i32.16x16x16.iu8"), MATRIX("wmma.i32.16x16x16.iu4"),
	MATRIX("wmma.i32.16x16x32.iu4"), MATRIX("wmma.f32.16x16x16.fp8.fp8"),
	MATRIX("wmma.f32.16x16x16.fp8.bf8"), MATRIX("wmma.f32.16x16x16.bf8.fp8"),
	MATRIX("wmma.f32.16x16x16.bf8.bf8"), MATRIX("wmma.f32.16x16x4.f32"),
	MATRIX("wmma.f32.16x16x32.f16"), MATRIX("wmma.f32.16x16x32.bf16"),
	MATRIX("wmma.f16.16x16x32.f16"), MATRIX("wmma.bf16.16x16x32.bf16"),
	MATRIX("wmma.i32.16x16x64.iu8"), MATRIX("wmma.f32.16x16x64.fp8.fp8"),
	MATRIX("wmma.f32.16x16x64.fp8.bf8"), MATRIX("wmma.f32.16x16x64.bf8.fp8"),
	MATRIX("wmma.f32.16x16x64.bf8.bf8"), MATRIX("wmma.f32.16x16x128.fp8.fp8"),
	MATRIX("wmma.f32.16x16x128.fp8.bf8"), MATRIX("wmma.f32.16x16x128.bf8.fp8"),
	MATRIX("wmma.f32.16x16x128.bf8.bf8"), MATRIX("wmma.f16.16x16x64.fp8.fp8"),
	MATRIX("wmma.f16.16x16x64.fp8.bf8"), MATRIX("wmma.f16.16x16x64.bf8.fp8"),
	MATRIX("wmma.f16.16x16x64.bf8.bf8"), MATRIX("wmma.f16.16x16x128.fp8.fp8"),
	MATRIX("wmma.f16.16x16x128.fp8.bf8"), MATRIX("wmma.f16.16x16x128.bf8.fp8"),
	MATRIX("wmma.f16.16x16x128.bf8.bf8"),
	{ 0 },
};

const struct sim_isa amdgpu_isa = { OWN, intrinsics, 1 << 0 | 1 << 1 | 1 << 4, 3 };
