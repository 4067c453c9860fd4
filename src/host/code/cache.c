/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What users see of the kernels that are kept. */
#include "host/code/disk.h"
#include "isl_bridge/context.h"

#include <layout/run.h>
#include <stdlib.h>

char *layout_cache_folder(layout_context *ctx)
{
	char *folder = disk_folder(), *copy;

	copy = folder && ctx ? layout_strdup(ctx, folder) : NULL;
	free(folder);
	return copy;
}

void layout_cache_measure(uint64_t *entries, uint64_t *bytes)
{
	uint64_t ignored[2];

	disk_measure(entries ? entries : &ignored[0], bytes ? bytes : &ignored[1]);
}

bool layout_cache_clear(void)
{
	return disk_clear();
}
