/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "host/code/processor.h"

#ifdef __x86_64__

#include <cpuid.h>
#include <unistd.h>

/* One leaf; of the first, the number of the very processor we are on is left out. */
static void add_leaf(struct layout_buffer *out, unsigned leaf, unsigned part)
{
	unsigned a = 0, b = 0, c = 0, d = 0;

	if (!__get_cpuid_count(leaf, part, &a, &b, &c, &d))
		return;
	layout_buffer_printf(out, " %x:%x=%x,%x,%x,%x", leaf, part, a, leaf == 1 ? 0 : b, c, d);
}

/* Which registers the system saves. */
static void add_saved(struct layout_buffer *out)
{
	unsigned a, b, c, d;
	const unsigned saves = 1u << 27;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & saves))
		return;
	__asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
	layout_buffer_printf(out, " saves=%x,%x", a, d);
}

bool processor_describe(struct layout_buffer *out)
{
	static const int caches[] = { _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
		_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL1_DCACHE_LINESIZE, _SC_PAGESIZE };

	layout_buffer_printf(out, "processor");
	add_leaf(out, 0, 0);
	add_leaf(out, 1, 0);
	add_leaf(out, 7, 0);
	add_leaf(out, 7, 1);
	add_leaf(out, 0x80000001, 0);
	add_saved(out);
	for (unsigned i = 0; i < sizeof(caches) / sizeof(caches[0]); i++)
		layout_buffer_printf(out, " %ld", sysconf(caches[i]));
	layout_buffer_printf(out, "\n");
	return true;
}

#else

bool processor_describe(struct layout_buffer *out)
{
	(void)out;
	return false;
}

#endif
