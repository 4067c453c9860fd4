/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "host/facts/chips.h"

static const struct chip chips[] = {
	{ .target = { .name = "host", .processor = "native", .wave_size = 1,
		.default_wave = true, .max_load_bytes = 16 },
	  .family = &host_family, .tiling = host_tiling },
};

const struct chip_family host_family = { "host", chips, 1, NULL, NULL, &host_cpu };
