/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t random_seed(void)
{
	const char *given = getenv("LAYOUT_TEST_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);

	printf("seed %llu\n", (unsigned long long)seed);
	return seed;
}

/* A linear congruential generator: the upper bits are good enough. */
static uint64_t upper_bits(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

unsigned random_below(uint64_t *state, unsigned bound)
{
	return (unsigned)(upper_bits(state) % bound);
}

int64_t random_wide(uint64_t *state, int64_t bound)
{
	uint64_t high = upper_bits(state) << 31;

	return (int64_t)((high | upper_bits(state)) % (uint64_t)bound);
}

void random_fill(unsigned char *bytes, size_t count)
{
	uint64_t state = count;

	for (size_t i = 0; i < count; i += 3) {
		uint64_t bits = upper_bits(&state) >> 7;

		memcpy(bytes + i, &bits, count - i < 3 ? count - i : 3);
	}
}
