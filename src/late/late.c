/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* LLVM's functions for the shared library, which does not ask the loader for LLVM: that takes
 * longer than to run a kernel that was kept.  Each is a jump to an address, and late_load()
 * fills them in.  LATE_FUNCTIONS has the name of all that the library calls, with numbers. */
#include "lower/llvm.h"
#include "late_functions.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#define NAME(number, name) #name,
static const char *const names[] = { LATE_FUNCTIONS(NAME) };

enum { COUNT = sizeof(names) / sizeof(names[0]) };

/* Called by nobody who has not seen late_load() succeed. */
static void missing(void)
{
	abort();
}

#define MISSING(number, name) missing,
void (*late_addresses[])(void) = { LATE_FUNCTIONS(MISSING) };

#define JUMP(number, name) \
	__asm__(".pushsection .text\n\t.p2align 4\n\t.globl " #name "\n\t.hidden " #name \
		"\n\t.type " #name ", @function\n" #name ":\n\tendbr64\n\tjmp *late_addresses+8*" \
		#number "(%rip)\n\t.size " #name ", .-" #name "\n\t.popsection");
LATE_FUNCTIONS(JUMP)

static bool loaded;

static void load_once(void)
{
	void *library = dlopen(LAYOUT_LLVM_LIBRARY, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		library = dlopen(LAYOUT_LLVM_NAME, RTLD_LAZY | RTLD_LOCAL);
	for (unsigned i = 0; library && i < COUNT; i++) {
		void *address = dlsym(library, names[i]);

		if (!address)
			return;
		late_addresses[i] = (void (*)(void))(uintptr_t)address;
	}
	loaded = library;
}

bool late_load(void);

bool late_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_once);
	return loaded;
}
