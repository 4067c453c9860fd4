/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sim/stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

/* As many as the largest workgroup has lanes. */
#define STACKS_KEPT 1024

/* The address of the next lies at the end, in a page that every fiber touches. */
static struct {
	pthread_mutex_t lock;
	unsigned char *first;
	unsigned count;
} kept = { .lock = PTHREAD_MUTEX_INITIALIZER };

static unsigned char **next_of(unsigned char *stack)
{
	return (unsigned char **)(stack + STACK_BYTES) - 1;
}

static unsigned char *take_kept(void)
{
	unsigned char *stack;

	pthread_mutex_lock(&kept.lock);
	stack = kept.first;
	if (stack) {
		kept.first = *next_of(stack);
		kept.count--;
	}
	pthread_mutex_unlock(&kept.lock);
	return stack;
}

static bool keep(unsigned char *stack)
{
	bool room;

	pthread_mutex_lock(&kept.lock);
	room = kept.count < STACKS_KEPT;
	if (room) {
		*next_of(stack) = kept.first;
		kept.first = stack;
		kept.count++;
	}
	pthread_mutex_unlock(&kept.lock);
	return room;
}

/* Untouched pages cost nothing. */
static unsigned char *map(size_t page)
{
	unsigned char *memory = mmap(NULL, page + STACK_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	if (!mprotect(memory, page, PROT_NONE))
		return memory + page;
	munmap(memory, page + STACK_BYTES);
	return NULL;
}

unsigned char *stack_take(void)
{
	unsigned char *stack = take_kept();

	return stack ? stack : map((size_t)sysconf(_SC_PAGESIZE));
}

void stack_give(unsigned char *stack)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (!keep(stack))
		munmap(stack - page, page + STACK_BYTES);
}
