/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "host/code/stored.h"
#include "host/code/disk.h"
#include "host/code/image.h"
#include "host/code/processor.h"
#include "kernel/block/block.h"
#include "lower/shared.h"
#include <layout/layout.h>

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A library is the same one while its file is. */
static bool add_file(struct layout_buffer *out, const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return false;
	layout_buffer_printf(out, "%s %lld %lld.%09ld\n", path, (long long)status.st_size,
		(long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
	return true;
}

/* The library, or the program, that an address is in. */
static bool add_holder(struct layout_buffer *out, uintptr_t address)
{
	struct link_map *map = NULL;
	Dl_info info;
	char *path;
	bool ok;

	if (!dladdr1((void *)address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
		return false;
	path = realpath(*map->l_name ? map->l_name : "/proc/self/exe", NULL);
	ok = path && add_file(out, path);
	free(path);
	return ok;
}

/* Who plans, who lowers, and LLVM. */
static bool add_makers(struct layout_buffer *out)
{
	return add_holder(out, (uintptr_t)layout_version) &&
		add_holder(out, (uintptr_t)layout_llvm_version) &&
		add_file(out, LAYOUT_LLVM_LIBRARY);
}

static void add_index(struct layout_buffer *out, const struct plan *plan, const char *what,
	const struct index *index)
{
	if (!index)
		return;
	layout_buffer_printf(out, "%s ", what);
	index_print(out, index, (const char *const *)plan->size_names);
	layout_buffer_printf(out, "\n");
}

/* What is known of the code without looking at it: its arguments, what they must be, and how
 * often its outermost loop turns. */
static void add_plan(struct layout_buffer *out, const struct plan *plan)
{
	for (unsigned i = 0; i < plan->operand_count; i++) {
		const struct plan_operand *operand = &plan->operands[i];

		layout_buffer_printf(out, "%s %s %u %d%d\n", operand->name, operand->type,
			operand->bits, operand->read, operand->written);
		add_index(out, plan, "elements", operand->elements);
		add_index(out, plan, "apart", operand->strides.apart);
	}
	for (unsigned i = 0; i < plan->size_count; i++)
		layout_buffer_printf(out, "size %s\n", plan->size_names[i]);
	add_index(out, plan, "valid", plan->valid);
	if (plan->block)
		add_index(out, plan, "turns", plan->block->loops[0].count);
}

/* To be freed; NULL where the kernel's code is not kept. */
static char *key_of(const layout_kernel *kernel)
{
	struct layout_buffer out = { 0 };

	if (!kernel->does || !add_makers(&out) || !processor_describe(&out)) {
		free(out.text);
		return NULL;
	}
	layout_buffer_printf(&out, "cpu %s align %u\n%s\n", kernel->cpu ? kernel->cpu :
		"own", kernel->base_align, kernel->does);
	add_plan(&out, kernel->plan);
	if (!out.failed)
		return out.text;
	free(out.text);
	return NULL;
}

bool stored_load(const layout_kernel *kernel, struct host_program *program)
{
	unsigned count = shared_is(kernel) ? 2 : 1;
	char *key = key_of(kernel);
	struct image image = { NULL, 0 };
	void *entries[2] = { NULL, NULL };

	if (key)
		image.bytes = disk_read(key, &image.length);
	program->code = image_load(&image, entries, count);
	program->run = (host_entry *)(uintptr_t)entries[0];
	program->part = (host_part *)(uintptr_t)entries[1];
	free(image.bytes);
	free(key);
	return program->code.base;
}

void stored_keep(const layout_kernel *kernel, const void *object, size_t length)
{
	const char *const entries[] = { HOST_ENTRY, shared_is(kernel) ? HOST_PART : NULL,
		NULL };
	struct image image = { NULL, 0 };
	char *key = object ? key_of(kernel) : NULL;

	if (key)
		image = image_new(object, length, entries);
	if (image.bytes)
		disk_write(key, image.bytes, image.length);
	free(image.bytes);
	free(key);
}
