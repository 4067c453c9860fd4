/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/allocations.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

bool allocations_fail(enum allocations whose, unsigned long nth, bool all)
{
	(void)whose;
	(void)nth;
	(void)all;
	return false;
}

void allocations_pause(void)
{
}

unsigned long allocations_restore(void)
{
	return 0;
}

#else

#include <link.h>

/* For the libraries, too. */
#define SHARED __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static struct {
	bool armed, all;
	enum allocations whose;
	unsigned long nth, seen;
} plan;

/* Where isl's code is. */
static uintptr_t isl_begin, isl_end;

static int find_isl(struct dl_phdr_info *info, size_t size, void *user)
{
	(void)size;
	(void)user;
	if (!strstr(info->dlpi_name, "libisl."))
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
			isl_begin = info->dlpi_addr + part->p_vaddr;
			isl_end = isl_begin + part->p_memsz;
		}
	}
	return 1;
}

bool allocations_fail(enum allocations whose, unsigned long nth, bool all)
{
	if (!isl_end)
		dl_iterate_phdr(find_isl, NULL);
	plan.whose = whose;
	plan.nth = nth;
	plan.all = all;
	plan.seen = 0;
	plan.armed = true;
	return true;
}

void allocations_pause(void)
{
	plan.armed = false;
}

unsigned long allocations_restore(void)
{
	plan.armed = false;
	return plan.seen;
}

static bool fails(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;
	enum allocations whose = at >= isl_begin && at < isl_end ? ALLOCATIONS_ISL :
		ALLOCATIONS_OURS;

	if (!plan.armed || whose != plan.whose)
		return false;
	plan.seen++;
	if (plan.seen != plan.nth && (!plan.all || !plan.nth || plan.seen < plan.nth))
		return false;
	errno = ENOMEM;
	return true;
}

SHARED void *malloc(size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

SHARED void *calloc(size_t count, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

SHARED void *realloc(void *block, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

/* libc's own would ask in its own name. */
SHARED char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

#endif
