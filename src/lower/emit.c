/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/program/plan.h"
#include "kernel/program/text.h"
#include "lower/launch.h"
#include "lower/machine_code.h"
#include "lower/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *emit_llvm(layout_context *ctx, const layout_kernel *kernel)
{
	char *printed, *text;

	if (!kernel_lock(ctx, kernel))
		return NULL;
	printed = LLVMPrintModuleToString(kernel->code->module);
	kernel_unlock(kernel);
	text = layout_strdup(ctx, printed);
	LLVMDisposeMessage(printed);
	return text;
}

static char *emit_loadable(layout_context *ctx, const layout_kernel *kernel,
	size_t *length)
{
	char *object, *text;
	void *opened;
	size_t size;

	if (!kernel->hooks->link_open) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"there are no code objects for %s", kernel->target->name);
		return NULL;
	}
	opened = kernel->hooks->link_open(ctx, kernel);
	if (!opened)
		return NULL;
	object = machine_code(ctx, kernel, LLVMObjectFile, &size);
	text = kernel->hooks->link_close(ctx, opened, object, size, length);
	free(object);
	return text;
}

/* "shape remap_shape1: tiles of 512 along y and 8 along x, 0.94 predicted; .."; the launch takes
 * the least. */
static void explain_shape(struct layout_buffer *out, const layout_kernel *shape)
{
	const struct plan *plan = shape->plan;
	double predicted = plan_predicted(plan);
	const char *separator = "tiles of";

	layout_buffer_printf(out, "shape %s: ", shape->name);
	if (!plan->tile)
		layout_buffer_printf(out, "lanes fill words, element by element");
	for (unsigned d = 0; plan->tile && d < plan->tile->dim_count; d++) {
		if (plan->tile->dims[d].extent == 1)
			continue;
		layout_buffer_printf(out, "%s %" PRId64 " along %s", separator,
			plan->tile->dims[d].extent, plan->visit.dims[d].name);
		separator = " and";
	}
	if (predicted > 0)
		layout_buffer_printf(out, ", %.2f predicted", predicted);
	layout_buffer_printf(out, "; taken where this is least: ");
	index_print(out, plan->cost, (const char *const *)plan->size_names);
	layout_buffer_printf(out, "\n");
}

static char *emit_explanation(layout_context *ctx, const layout_kernel *kernel)
{
	struct layout_buffer out = { 0 };
	const char *text;

	pthread_mutex_lock(&kernel->code->lock);
	text = plan_explanation(ctx, kernel->plan);
	pthread_mutex_unlock(&kernel->code->lock);
	if (!text)
		return NULL;
	if (kernel->plan->identity)
		layout_buffer_printf(&out, "identity: the destination's memory is the "
			"source's, and the kernel a plain copy, which need not run\n");
	layout_buffer_printf(&out, "%s", text);
	for (unsigned i = 0; kernel->shape_count > 1 && i < kernel->shape_count; i++)
		explain_shape(&out, kernel->shapes[i]);
	return layout_buffer_take(ctx, &out);
}

static char *emit_json(layout_context *ctx, const layout_kernel *kernel,
	const layout_size *list, unsigned count)
{
	struct sizes sizes;
	char *text;

	if (!sizes_take(ctx, kernel, list, count, &sizes))
		return NULL;
	text = launch_json(ctx, kernel, &sizes);
	sizes_free(&sizes);
	return text;
}

static char *refuse_loops(layout_context *ctx)
{
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "a program has no loops of index "
		"expressions to print; --emit llvm has its code");
	return NULL;
}

static char *emit_program(layout_context *ctx, const layout_kernel *kernel)
{
	if (kernel->plan->program)
		return layout_strdup(ctx, kernel->plan->program->text);
	layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "the kernel of a remap is not "
		"made of statements: layout_program_new_remap() makes the program");
	return NULL;
}

/* The results that are text: their length is where they end. */
static char *emit_text(layout_context *ctx, const layout_kernel *kernel,
	layout_emit what, const layout_size *sizes, unsigned count)
{
	switch (what) {
	case LAYOUT_EMIT_ISL:
		if (kernel->plan->program)
			return program_plan_relations(ctx, kernel->plan->program);
		return text_relations(ctx, kernel);
	case LAYOUT_EMIT_AST:
		if (kernel->plan->program)
			return refuse_loops(ctx);
		return text_loops(ctx, kernel);
	case LAYOUT_EMIT_LLVM:
		return emit_llvm(ctx, kernel);
	case LAYOUT_EMIT_EXPLAIN:
		if (kernel->plan->program)
			return program_plan_explanation(ctx, kernel->plan->program,
				kernel->target->max_load_bytes,
				&chip_of(kernel->target)->lds);
		return emit_explanation(ctx, kernel);
	case LAYOUT_EMIT_PROGRAM:
		return emit_program(ctx, kernel);
	case LAYOUT_EMIT_JSON:
		return emit_json(ctx, kernel, sizes, count);
	default:
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"nothing to emit is numbered %d", (int)what);
		return NULL;
	}
}

char *layout_kernel_emit(layout_context *ctx, const layout_kernel *kernel,
	layout_emit what, const layout_size *sizes, unsigned count, size_t *length)
{
	char *text;

	if (!kernel || !layout_given(ctx, length, "place for the length"))
		return NULL;
	if (what == LAYOUT_EMIT_ASM)
		return machine_code(ctx, kernel, LLVMAssemblyFile, length);
	if (what == LAYOUT_EMIT_OBJ)
		return machine_code(ctx, kernel, LLVMObjectFile, length);
	if (what == LAYOUT_EMIT_HSACO)
		return emit_loadable(ctx, kernel, length);
	text = emit_text(ctx, kernel, what, sizes, count);
	*length = text ? strlen(text) : 0;
	return text;
}
