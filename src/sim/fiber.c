/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* On x86-64 a switch saves the registers that calls preserve and exchanges the stack
 * pointers; elsewhere the C library does it, with a system call a switch. */
#include "sim/fiber.h"
#include "sim/stack.h"

#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define FIBER_TSAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define FIBER_ASAN 1
#endif
#ifdef __SANITIZE_THREAD__
#define FIBER_TSAN 1
#endif

#ifdef FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#ifdef __x86_64__
typedef void *context;
#else
typedef ucontext_t context;
#endif

struct fiber {
	context inside, outside;
	void (*function)(void *);
	void *user;
	unsigned char *stack;
	bool begun, done;
#ifdef FIBER_ASAN
	void *fake_inside, *fake_outside;
	const void *outer_stack;
	size_t outer_bytes;
#endif
#ifdef FIBER_TSAN
	void *tsan_inside, *tsan_outside;
#endif
};

struct fibers {
	unsigned count;
	struct fiber fibers[];
};

/* The fiber that begins: its entry has no argument. */
static _Thread_local struct fiber *beginning;

static void about_to_enter(struct fiber *fiber)
{
	(void)fiber;
#ifdef FIBER_ASAN
	__sanitizer_start_switch_fiber(&fiber->fake_outside, fiber->stack, STACK_BYTES);
#endif
#ifdef FIBER_TSAN
	fiber->tsan_outside = __tsan_get_current_fiber();
	__tsan_switch_to_fiber(fiber->tsan_inside, 0);
#endif
}

static void has_entered(struct fiber *fiber, void *fake)
{
	(void)fiber;
	(void)fake;
#ifdef FIBER_ASAN
	__sanitizer_finish_switch_fiber(fake, &fiber->outer_stack, &fiber->outer_bytes);
#endif
}

static void about_to_leave(struct fiber *fiber)
{
	(void)fiber;
#ifdef FIBER_ASAN
	__sanitizer_start_switch_fiber(fiber->done ? NULL : &fiber->fake_inside,
		fiber->outer_stack, fiber->outer_bytes);
#endif
#ifdef FIBER_TSAN
	__tsan_switch_to_fiber(fiber->tsan_outside, 0);
#endif
}

static void has_left(struct fiber *fiber)
{
	(void)fiber;
#ifdef FIBER_ASAN
	__sanitizer_finish_switch_fiber(fiber->fake_outside, NULL, NULL);
#endif
}

#ifdef __x86_64__

#define UNNAMED __attribute__((unused))

/* Save the stack pointer at *save, go on at "load". */
__attribute__((naked, noinline, used))
static void switch_stacks(UNNAMED context *save, UNNAMED context load)
{
	__asm__ volatile(
		"pushq %rbp\n\tpushq %rbx\n\tpushq %r12\n\t"
		"pushq %r13\n\tpushq %r14\n\tpushq %r15\n\t"
		"movq %rsp, (%rdi)\n\tmovq %rsi, %rsp\n\t"
		"popq %r15\n\tpopq %r14\n\tpopq %r13\n\t"
		"popq %r12\n\tpopq %rbx\n\tpopq %rbp\n\tret");
}

static void switch_context(context *save, context *load)
{
	switch_stacks(save, *load);
}

/* As if "entry" were to be returned to: six registers, its address, and the place of
 * its own return address, which no one uses. */
static void prepare(struct fiber *fiber, void (*entry)(void))
{
	uintptr_t *top = (uintptr_t *)(fiber->stack + STACK_BYTES) - 2;

	top[0] = (uintptr_t)entry;
	top[1] = 0;
	for (unsigned i = 1; i <= 6; i++)
		top[-(int)i] = 0;
	fiber->inside = top - 6;
}

#else

static void switch_context(context *save, context *load)
{
	swapcontext(save, load);
}

static void prepare(struct fiber *fiber, void (*entry)(void))
{
	getcontext(&fiber->inside);
	fiber->inside.uc_stack.ss_sp = fiber->stack;
	fiber->inside.uc_stack.ss_size = STACK_BYTES;
	fiber->inside.uc_link = NULL;
	makecontext(&fiber->inside, entry, 0);
}

#endif

static void enter(void)
{
	struct fiber *fiber = beginning;

	has_entered(fiber, NULL);
	fiber->function(fiber->user);
	fiber->done = true;
	about_to_leave(fiber);
	switch_context(&fiber->inside, &fiber->outside);
	abort();
}

void fiber_resume(struct fiber *fiber)
{
	beginning = fiber;
	about_to_enter(fiber);
	switch_context(&fiber->outside, &fiber->inside);
	has_left(fiber);
}

void fiber_yield(struct fiber *fiber)
{
	about_to_leave(fiber);
	switch_context(&fiber->inside, &fiber->outside);
#ifdef FIBER_ASAN
	has_entered(fiber, fiber->fake_inside);
#endif
}

struct fiber *fiber_start(struct fibers *fibers, unsigned i, void (*function)(void *),
	void *user)
{
	struct fiber *fiber = &fibers->fibers[i];

	fiber->function = function;
	fiber->user = user;
	fiber->begun = true;
	fiber->done = false;
	prepare(fiber, enter);
	return fiber;
}

/* A stack that was given up midway stays marked where its variables lay. */
static void forget_stack(struct fiber *fiber)
{
	(void)fiber;
#ifdef FIBER_ASAN
	if (fiber->begun && !fiber->done)
		__asan_unpoison_memory_region(fiber->stack, STACK_BYTES);
#endif
#ifdef FIBER_TSAN
	__tsan_destroy_fiber(fiber->tsan_inside);
#endif
}

void fibers_free(struct fibers *fibers)
{
	if (!fibers)
		return;
	for (unsigned i = 0; i < fibers->count; i++) {
		forget_stack(&fibers->fibers[i]);
		stack_give(fibers->fibers[i].stack);
	}
	free(fibers);
}

struct fibers *fibers_new(layout_context *ctx, unsigned count)
{
	struct fibers *fibers = layout_alloc(ctx, 1,
		sizeof(*fibers) + count * sizeof(fibers->fibers[0]));
	struct fiber *fiber;

	if (!fibers)
		return NULL;
	for (; fibers->count < count; fibers->count++) {
		fiber = &fibers->fibers[fibers->count];
		fiber->stack = stack_take();
		if (!fiber->stack) {
			layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1,
				"no memory for %u stacks", count);
			fibers_free(fibers);
			return NULL;
		}
#ifdef FIBER_TSAN
		fiber->tsan_inside = __tsan_create_fiber(0);
#endif
	}
	return fibers;
}
