/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* LLVM's operator new, past the address sanitizer.  LLVM is not built with sanitizers and
 * nothing of ours reads its objects, so that nothing is found in them, and to watch them is
 * more than a third of the time of tests that make kernels.  What of LLVM's is not given back
 * is found in the command, which makes every kind of kernel and is watched.
 *
 * Which operators there are, and the names of them: Itanium C++ ABI, 5.1.  Arguments that say
 * what is known without them are not looked at. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void __libc_free(void *memory);

static void *new_plain(size_t size)
{
	void *memory = __libc_malloc(size);

	if (!memory)
		abort();
	return memory;
}

static void delete_plain(void *memory)
{
	__libc_free(memory);
}

/* Before the memory stands where it begins. */
static void *new_aligned(size_t size, size_t alignment)
{
	char *begin = new_plain(size + sizeof(begin) + alignment);
	char **memory = (char **)(((uintptr_t)begin + sizeof(begin) + alignment - 1) &
		-alignment);

	memory[-1] = begin;
	return memory;
}

static void delete_aligned(void *memory)
{
	if (memory)
		__libc_free(((char **)memory)[-1]);
}

#define OPERATOR(name, function) \
	extern __typeof__(function) name \
		__attribute__((alias(#function), visibility("default")))

OPERATOR(_Znwm, new_plain);
OPERATOR(_Znam, new_plain);
OPERATOR(_ZnwmRKSt9nothrow_t, new_plain);
OPERATOR(_ZnamRKSt9nothrow_t, new_plain);
OPERATOR(_ZnwmSt11align_val_t, new_aligned);
OPERATOR(_ZnamSt11align_val_t, new_aligned);
OPERATOR(_ZnwmSt11align_val_tRKSt9nothrow_t, new_aligned);
OPERATOR(_ZnamSt11align_val_tRKSt9nothrow_t, new_aligned);

OPERATOR(_ZdlPv, delete_plain);
OPERATOR(_ZdaPv, delete_plain);
OPERATOR(_ZdlPvm, delete_plain);
OPERATOR(_ZdaPvm, delete_plain);
OPERATOR(_ZdlPvRKSt9nothrow_t, delete_plain);
OPERATOR(_ZdaPvRKSt9nothrow_t, delete_plain);
OPERATOR(_ZdlPvSt11align_val_t, delete_aligned);
OPERATOR(_ZdaPvSt11align_val_t, delete_aligned);
OPERATOR(_ZdlPvmSt11align_val_t, delete_aligned);
OPERATOR(_ZdaPvmSt11align_val_t, delete_aligned);
OPERATOR(_ZdlPvSt11align_val_tRKSt9nothrow_t, delete_aligned);
OPERATOR(_ZdaPvSt11align_val_tRKSt9nothrow_t, delete_aligned);

/* Memory of LLVM's malloc() that only its objects know, which are not searched. */
const char *__lsan_default_suppressions(void) __attribute__((visibility("default")));
const char *__lsan_default_suppressions(void)
{
	return "leak:libLLVM";
}

const char *__lsan_default_options(void) __attribute__((visibility("default")));
const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}
