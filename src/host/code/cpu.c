/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "host/code/cpu.h"

#include <string.h>

/* The levels of x86-64's ABI. */
static const struct cpu {
	const char *name;
	unsigned vector_bytes, vector_count;
	bool scales;			/* numbers by powers of two, in one instruction */
} cpus[] = {
	{ "x86-64", 16, 16, false },
	{ "x86-64-v2", 16, 16, false },
	{ "x86-64-v3", 32, 16, false },
	{ "x86-64-v4", 64, 32, true },
};

enum { COUNT = sizeof(cpus) / sizeof(cpus[0]) };

#ifdef __x86_64__

static const bool is_x86_64 = true;

static struct cpu find_own(void)
{
	bool wide = __builtin_cpu_supports("avx512bw");

	return (struct cpu){ NULL, wide ? 64 : __builtin_cpu_supports("avx2") ? 32 : 16,
		wide ? 32 : 16, __builtin_cpu_supports("avx512f") };
}

/* Each level has what those before it have; so do all CPUs that have its last additions. */
static unsigned levels_here(void)
{
	if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt"))
		return 1;
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") ||
	    !__builtin_cpu_supports("fma"))
		return 2;
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
		__builtin_cpu_supports("avx512cd") ? 4 : 3;
}

#else

static const bool is_x86_64 = false;

static struct cpu find_own(void)
{
	return (struct cpu){ NULL, 16, 32, false };
}

static unsigned levels_here(void)
{
	return 0;
}

#endif

/* COUNT: it is none. */
static unsigned number_of(const char *name)
{
	unsigned i = 0;

	while (i < COUNT && (!is_x86_64 || strcmp(cpus[i].name, name)))
		i++;
	return i;
}

static struct cpu find(const char *name)
{
	return name ? cpus[number_of(name)] : find_own();
}

unsigned cpu_vector_bytes(const char *cpu)
{
	return find(cpu).vector_bytes;
}

unsigned cpu_vector_count(const char *cpu)
{
	return find(cpu).vector_count;
}

bool cpu_scales(const char *cpu)
{
	return find(cpu).scales;
}

bool cpu_check(layout_context *ctx, const char *cpu)
{
	if (!cpu || number_of(cpu) < COUNT)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, is_x86_64 ? "no CPU '%s': there are "
		"x86-64, x86-64-v2, x86-64-v3 and x86-64-v4" : "no CPU '%s': there is only "
		"the one we run on", cpu);
	return false;
}

bool cpu_runs(layout_context *ctx, const char *cpu)
{
	if (!cpu || number_of(cpu) < levels_here())
		return true;
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "the kernel is for %s: this CPU cannot "
		"run it", cpu);
	return false;
}
