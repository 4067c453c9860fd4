/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations of one lane. */
#include "nvptx/code/sim/operations.h"

/* Four bytes of eight by selectors of 4 bits, of which the highest asks for the byte's sign
 * in its place. */
void nvptx_select_bytes(struct sim_state *state, const struct sim_site *site,
	unsigned char *block)
{
	uint64_t bytes = (uint64_t)sim_u32(site, block, 1) << 32 | sim_u32(site, block, 0);
	uint32_t selectors = sim_u32(site, block, 2), value = 0;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		uint32_t selector = selectors >> 4 * i & 15;
		uint32_t byte = bytes >> 8 * (selector & 7) & 0xff;

		if (selector & 8)
			byte = byte >> 7 ? 0xff : 0;
		value |= byte << 8 * i;
	}
	sim_result(site, block, &value);
}
