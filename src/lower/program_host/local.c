/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects in the LDS, which are arrays here. */
#include "lower/program_host/parts.h"

#include <string.h>

LLVMValueRef host_local(const struct host *host, const layout_memory *local)
{
	unsigned number = 0;

	while (host->program->locals[number] != local)
		number++;
	return host->locals[number];
}

layout_tile host_local_box(const layout_memory *local)
{
	layout_tile box = { .rank = local->rank, .type = local->type };

	memcpy(box.box, local->box, sizeof(box.box));
	return box;
}

void host_local_point(const struct host *host, const struct program_place *place,
	const LLVMValueRef *x, LLVMValueRef *at)
{
	for (unsigned d = 0; d < place->rank; d++)
		at[d] = LLVMBuildAdd(host->b, x[d], host_number(host,
			place->at[d].index->value), "");
}
