/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The families of targets: what is known of their chips. */
#include "amdgpu/facts/chips.h"
#include "host/facts/chips.h"
#include "nvptx/facts/chips.h"

const struct chip_family *const chip_families[] = { &host_family, &amdgpu_family,
	&nvptx_family, NULL };
