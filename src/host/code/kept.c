/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "host/code/kept.h"
#include "algebra/storage/remap.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KEPT = 16 };

/* The last one that was asked for is the first. */
struct kept {
	unsigned count;
	struct entry {
		char *does;
		struct host_kernel *kernel;
	} entries[MOST_KEPT];
};

/* "CPU: REMAP" */
static char *describe(layout_remap *remap, const char *cpu)
{
	struct layout_buffer out = { 0 };
	char *does = kernel_does(remap);

	if (!does)
		return NULL;
	layout_buffer_printf(&out, "%s: %s", cpu ? cpu : "own", does);
	free(does);
	return layout_buffer_take(remap->ctx, &out);
}

void host_kernel_drop(struct host_kernel *kernel)
{
	if (!kernel || atomic_fetch_sub(&kernel->users, 1) > 1)
		return;
	layout_kernel_free(kernel->kernel);
	free(kernel);
}

static struct host_kernel *kernel_new(layout_remap *remap, const char *cpu)
{
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	struct host_kernel *kernel = layout_alloc(remap->ctx, 1, sizeof(*kernel));

	if (!kernel)
		return NULL;
	atomic_init(&kernel->users, 1);
	options.cpu = cpu;
	kernel->kernel = kernel_new_remap(remap, "host", &options, true);
	if (kernel->kernel)
		kernel->program = host_program_of(remap->ctx, kernel->kernel);
	if (kernel->program)
		return kernel;
	host_kernel_drop(kernel);
	return NULL;
}

static void free_entry(struct entry *entry)
{
	free(entry->does);
	host_kernel_drop(entry->kernel);
}

static void kept_free(void *data)
{
	struct kept *kept = data;

	for (unsigned i = 0; i < kept->count; i++)
		free_entry(&kept->entries[i]);
	free(kept);
}

static struct kept *kept_of(layout_context *ctx)
{
	struct layout_attachment *place = layout_attached(ctx, LAYOUT_ATTACHED_KERNELS);

	if (!place->data)
		*place = (struct layout_attachment){ layout_alloc(ctx, 1,
			sizeof(struct kept)), kept_free };
	return place->data;
}

/* Entry "at" becomes the first; those before it move on. */
static void move_to_front(struct kept *kept, unsigned at)
{
	struct entry entry = kept->entries[at];

	memmove(&kept->entries[1], &kept->entries[0], at * sizeof(entry));
	kept->entries[0] = entry;
}

static bool find(struct kept *kept, const char *does)
{
	for (unsigned i = 0; i < kept->count; i++)
		if (!strcmp(kept->entries[i].does, does)) {
			move_to_front(kept, i);
			return true;
		}
	return false;
}

/* Consumes the text. */
static void add(struct kept *kept, char *does, struct host_kernel *kernel)
{
	if (kept->count == MOST_KEPT)
		free_entry(&kept->entries[--kept->count]);
	kept->entries[kept->count] = (struct entry){ does, kernel };
	move_to_front(kept, kept->count++);
}

struct host_kernel *host_kernel_of(layout_remap *remap, const char *cpu)
{
	struct kept *kept = kept_of(remap->ctx);
	char *does = kept ? describe(remap, cpu) : NULL;
	struct host_kernel *kernel;

	if (!does)
		return NULL;
	if (find(kept, does)) {
		free(does);
	} else {
		kernel = kernel_new(remap, cpu);
		if (!kernel) {
			free(does);
			return NULL;
		}
		add(kept, does, kernel);
	}
	kernel = kept->entries[0].kernel;
	atomic_fetch_add(&kernel->users, 1);
	return kernel;
}
