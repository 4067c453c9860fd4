/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "amdgpu/amdgpu.h"

const struct sim_intrinsic amdgpu_intrinsics[] = {
	{ "llvm.amdgcn.workitem.id.x", SIM_WORKITEM_ID_X },
	{ "llvm.amdgcn.workitem.id.y", SIM_WORKITEM_ID_Y },
	{ "llvm.amdgcn.workitem.id.z", SIM_WORKITEM_ID_Z },
	{ "llvm.amdgcn.workgroup.id.x", SIM_WORKGROUP_ID_X },
	{ "llvm.amdgcn.workgroup.id.y", SIM_WORKGROUP_ID_Y },
	{ "llvm.amdgcn.workgroup.id.z", SIM_WORKGROUP_ID_Z },
	{ 0 },
};
