/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which target a program is: this is compiled for each, with its FUZZ_TARGET. */
#include "fuzz/fuzz.h"

const char fuzz_target[] = FUZZ_TARGET;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct target *target;

	if (!target)
		target = target_find(fuzz_target);
	target->try(data, size);
	return 0;
}
