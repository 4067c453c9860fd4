/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The families of targets: how their kernels are lowered. */
#include "amdgpu/code/amdgpu.h"
#include "host/code/host.h"
#include "nvptx/code/nvptx.h"

const struct target_hooks *const target_families[] = { &host_target, &amdgpu_target,
	&nvptx_target, NULL };
