/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/remap.h"
#include "kernel/program/plan.h"
#include "lower/function.h"
#include "lower/grid.h"
#include "lower/optimize.h"
#include "program/product.h"

#include <stdlib.h>
#include <string.h>

bool kernel_diagnosed_nothing(layout_context *ctx, const layout_kernel *kernel)
{
	char *message = kernel->code->diagnostic.message;

	if (!message)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_CODEGEN, -1, "%s for %s: %s", kernel->name,
		kernel->target->name, message);
	free(message);
	kernel->code->diagnostic.message = NULL;
	return false;
}

static void code_reset(struct kernel_code *code)
{
	if (code->module)
		LLVMDisposeModule(code->module);
	if (code->machine)
		LLVMDisposeTargetMachine(code->machine);
	if (code->llvm)
		LLVMContextDispose(code->llvm);
	free(code->diagnostic.message);
	code->module = NULL;
	code->machine = NULL;
	code->llvm = NULL;
	code->diagnostic.message = NULL;
}

/* What LLVM does for the speed of code, before and while it selects instructions. */
struct effort {
	bool (*optimize)(layout_context *ctx, LLVMModuleRef module,
		LLVMTargetMachineRef machine);
	LLVMCodeGenOptLevel level;
};

/* Is something multiplied by matrix instructions? */
static bool multiplies(const layout_program *program)
{
	bool multiplies = false;

	for (unsigned i = 0; i < program->tile_count; i++)
		multiplies = multiplies || (program->tiles[i]->op == TILE_CONTRACT &&
			program->tiles[i]->by && !product_is_declined(program->tiles[i]));
	return multiplies;
}

/* A tile's code has little left to find, and several shapes; a block's is one of vectors that are
 * all there from the beginning.  Products need the registers that more effort takes: it moves
 * instructions to where what they make waits for longer. */
static struct effort effort_of(const layout_kernel *kernel)
{
	const struct plan *plan = kernel->plan;

	if (plan->tile)
		return (struct effort){ plan->whole ? optimize_program : optimize_tile,
			LLVMCodeGenLevelLess };
	if (plan->block)
		return (struct effort){ optimize_block, LLVMCodeGenLevelLess };
	if (!chip_of(kernel->target)->code.lanes)
		return (struct effort){ optimize, LLVMCodeGenLevelDefault };
	if (!plan->program)
		return (struct effort){ optimize_workgroup, LLVMCodeGenLevelAggressive };
	return (struct effort){ optimize_program, multiplies(plan->program->program) ?
		LLVMCodeGenLevelLess : LLVMCodeGenLevelAggressive };
}

LLVMCodeGenOptLevel kernel_level(const layout_kernel *kernel)
{
	return effort_of(kernel).level;
}

static bool compile(layout_context *ctx, const layout_kernel *kernel)
{
	struct effort effort = effort_of(kernel);
	struct kernel_code *code = kernel->code;
	bool ok;

	code->machine = kernel->cpu ?
		kernel->hooks->cpu_machine(ctx, kernel->cpu, effort.level) :
		kernel->hooks->machine(ctx, kernel->target, kernel->plan, effort.level);
	if (!code->machine)
		return false;
	code->llvm = lower_context_new(&code->diagnostic);
	code->module = function_build(ctx, kernel->shapes[0], code->llvm, code->machine);
	if (!code->module)
		return false;
	ok = effort.optimize(ctx, code->module, code->machine);
	return kernel_diagnosed_nothing(ctx, kernel) && ok;
}

bool kernel_lock(layout_context *ctx, const layout_kernel *kernel)
{
	struct kernel_code *code = kernel->code;

	pthread_mutex_lock(&code->lock);
	if (code->module || compile(ctx, kernel))
		return true;
	code_reset(code);
	pthread_mutex_unlock(&code->lock);
	return false;
}

void kernel_unlock(const layout_kernel *kernel)
{
	pthread_mutex_unlock(&kernel->code->lock);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_identifier(const char *name)
{
	if (!is_letter(*name))
		return false;
	while (is_letter(*name) || (*name >= '0' && *name <= '9'))
		name++;
	return !*name;
}

/* "bits" is of the widest element. */
static bool check_options(layout_context *ctx, const layout_kernel *kernel, unsigned bits)
{
	unsigned align = kernel->base_align;
	unsigned bytes = (bits + 7) / 8;

	if (!is_identifier(kernel->name)) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"'%s' cannot name a kernel: it is no identifier", kernel->name);
		return false;
	}
	if (align & (align - 1) || align < bytes) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "a base alignment of %u: it "
			"must be a power of two, no less than the element's %u bytes",
			align, bytes);
		return false;
	}
	if (kernel->code_object != 5 && kernel->code_object != 6) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"code object version %u: it must be 5 or 6", kernel->code_object);
		return false;
	}
	return true;
}

static bool check_cpu(layout_context *ctx, const layout_kernel *kernel)
{
	if (kernel->hooks->check_cpu)
		return kernel->hooks->check_cpu(ctx, kernel->cpu);
	if (kernel->cpu)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "a CPU is for the target host, not "
			"for %s", kernel->target->name);
	return !kernel->cpu;
}

/* Options as given, with defaults for what is missing. */
static bool take_options(layout_context *ctx, layout_kernel *kernel,
	const layout_kernel_options *given, const char *name)
{
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;

	if (given)
		memcpy(&options, given, given->size < sizeof(options) ?
			given->size : sizeof(options));
	kernel->base_align = options.base_align ? options.base_align : 16;
	kernel->code_object = options.code_object ? options.code_object : 5;
	kernel->through_lds = options.through_lds;
	kernel->name = layout_strdup(ctx, options.name ? options.name : name);
	kernel->cpu = options.cpu ? layout_strdup(ctx, options.cpu) : NULL;
	kernel->linker = options.linker ? layout_strdup(ctx, options.linker) : NULL;
	return kernel->name && (kernel->cpu || !options.cpu) &&
		(kernel->linker || !options.linker);
}

static bool measure_grid(layout_context *ctx, layout_kernel *kernel)
{
	bool ok = true;

	kernel->folds = grid_folds(kernel->plan, kernel->lanes);
	for (unsigned axis = 0; axis < 3; axis++) {
		kernel->extent[axis] = grid_extent(kernel->plan, axis);
		kernel->grid[axis] = grid_size(kernel->plan, axis, kernel->lanes);
		ok = ok && kernel->extent[axis] && kernel->grid[axis];
	}
	if (ok && kernel->folds)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return false;
}

static struct kernel_code *code_new(layout_context *ctx)
{
	struct kernel_code *code = layout_alloc(ctx, 1, sizeof(*code));

	if (code)
		pthread_mutex_init(&code->lock, NULL);
	return code;
}

static void code_free(struct kernel_code *code)
{
	if (!code)
		return;
	for (unsigned i = 0; i < SHAPES_MOST; i++)
		if (code->programs[i])
			code->program_free(code->programs[i]);
	code_reset(code);
	free(code->object);
	pthread_mutex_destroy(&code->lock);
	free(code);
}

static void free_grid(const layout_kernel *kernel)
{
	for (unsigned axis = 0; axis < 3; axis++) {
		index_free(kernel->extent[axis]);
		index_free(kernel->grid[axis]);
	}
	index_free(kernel->folds);
}

static void forget_grid(layout_kernel *kernel)
{
	for (unsigned axis = 0; axis < 3; axis++)
		kernel->extent[axis] = kernel->grid[axis] = NULL;
	kernel->folds = NULL;
}

bool kernel_points_begin(layout_context *ctx, layout_kernel *points, struct plan *plan,
	const layout_kernel *kernel)
{
	*plan = grid_points(kernel->plan);
	*points = *kernel;
	points->plan = plan;
	forget_grid(points);
	if (measure_grid(ctx, points))
		return true;
	kernel_points_end(points);
	return false;
}

void kernel_points_end(const layout_kernel *points)
{
	free_grid(points);
}

/* What a shape does not borrow. */
static void free_own(layout_kernel *kernel)
{
	free_grid(kernel);
	free(kernel->name);
	free(kernel);
}

void layout_kernel_free(layout_kernel *kernel)
{
	if (!kernel)
		return;
	for (unsigned i = 1; i < kernel->shape_count; i++)
		free_own(kernel->shapes[i]);
	code_free(kernel->code);
	plan_free(kernel->plan);
	free(kernel->linker);
	free(kernel->cpu);
	free(kernel->does);
	free_own(kernel);
}

static struct plan_target plan_target(const layout_kernel *kernel, layout_relation *owner)
{
	struct plan_target target = plan_target_of(chip_of(kernel->target));

	if (kernel->hooks->vector_bytes) {
		target.vector_bytes = kernel->hooks->vector_bytes(kernel->cpu);
		target.vector_count = kernel->hooks->vector_count(kernel->cpu);
		for (unsigned i = 0; i < 2; i++)
			target.cache_bytes[i] = kernel->hooks->cache_bytes(i + 1);
	}
	target.owner = owner;
	target.through_lds = kernel->through_lds;
	return target;
}

/* Options of an earlier version have none. */
static layout_relation *given_owner(const layout_kernel_options *options)
{
	layout_kernel_options given = LAYOUT_KERNEL_OPTIONS_INIT;

	if (options)
		memcpy(&given, options, options->size < sizeof(given) ?
			options->size : sizeof(given));
	return given.owner;
}

/* A kernel for a target with what the options say; NULL on an error. */
static layout_kernel *begin(layout_context *ctx, const char *target,
	const layout_kernel_options *options, const char *name, unsigned bits)
{
	layout_kernel *kernel = layout_alloc(ctx, 1, sizeof(*kernel));

	if (!kernel)
		return NULL;
	kernel->target = layout_target_find(ctx, target);
	kernel->code = code_new(ctx);
	if (kernel->target)
		kernel->hooks = target_hooks_of(kernel->target);
	if (kernel->code && kernel->target && take_options(ctx, kernel, options, name) &&
	    check_options(ctx, kernel, bits) && check_cpu(ctx, kernel))
		return kernel;
	layout_kernel_free(kernel);
	return NULL;
}

static bool measure(layout_context *ctx, layout_kernel *kernel)
{
	kernel->lanes = plan_lanes(kernel->plan);
	return measure_grid(ctx, kernel);
}

/* "NAME_shape1" */
static char *shape_name(layout_context *ctx, const layout_kernel *first, unsigned number)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "%s_shape%u", first->name, number);
	return layout_buffer_take(ctx, &out);
}

static bool add_shape(layout_context *ctx, layout_kernel *first, struct plan *plan)
{
	layout_kernel *shape = layout_alloc(ctx, 1, sizeof(*shape));

	if (!shape)
		return false;
	*shape = *first;
	shape->shape = first->shape_count;
	shape->plan = plan;
	shape->name = shape_name(ctx, first, shape->shape);
	forget_grid(shape);
	first->shapes[first->shape_count++] = shape;
	return shape->name && measure(ctx, shape);
}

static bool add_shapes(layout_context *ctx, layout_kernel *kernel)
{
	kernel->shapes[kernel->shape_count++] = kernel;
	for (unsigned i = 0; i < kernel->plan->shape_count; i++)
		if (!add_shape(ctx, kernel, kernel->plan->shapes[i]))
			return false;
	return true;
}

static layout_kernel *finish(layout_context *ctx, layout_kernel *kernel)
{
	if (kernel->plan && measure(ctx, kernel) && add_shapes(ctx, kernel))
		return kernel;
	layout_kernel_free(kernel);
	return NULL;
}

layout_kernel *layout_kernel_new(layout_remap *remap, const char *target,
	const layout_kernel_options *options)
{
	return kernel_new_remap(remap, target, options, false);
}

char *kernel_does(layout_remap *remap)
{
	struct layout_buffer out = { 0 };
	char *text = layout_remap_str(remap);

	if (!text)
		return NULL;
	layout_buffer_printf(&out, "%s", text);
	for (unsigned i = 0; i < remap->assumption_count; i++)
		layout_buffer_printf(&out, "\n%s", remap->assumptions[i].text);
	layout_string_free(text);
	return layout_buffer_take(remap->ctx, &out);
}

/* GPUs' code is not kept. */
static bool is_serial(const layout_kernel *kernel)
{
	return !chip_of(kernel->target)->code.lanes;
}

layout_kernel *kernel_new_remap(layout_remap *remap, const char *target,
	const layout_kernel_options *options, bool unaligned)
{
	struct plan_target row;
	layout_kernel *kernel;
	unsigned from, to;

	if (!remap)
		return NULL;
	from = layout_remap_element_bits(remap);
	to = layout_remap_destination_bits(remap);
	kernel = begin(layout_remap_context(remap), target, options, "remap",
		from > to ? from : to);
	if (!kernel)
		return NULL;
	if (unaligned)
		kernel->base_align = 1;
	row = plan_target(kernel, given_owner(options));
	kernel->plan = plan_new(remap, &row);
	if (kernel->plan && is_serial(kernel) && !row.owner) {
		kernel->does = kernel_does(remap);
		if (!kernel->does) {
			layout_kernel_free(kernel);
			return NULL;
		}
	}
	return finish(layout_remap_context(remap), kernel);
}

layout_kernel *layout_kernel_new_program(layout_program *program, const char *target,
	const layout_kernel_options *options)
{
	struct plan_target row;
	layout_kernel *kernel;
	unsigned bits = 8;

	if (!program)
		return NULL;
	for (unsigned i = 0; i < program->memory_count; i++)
		if (program->memories[i]->type->bits > bits)
			bits = program->memories[i]->type->bits;
	kernel = begin(program->ctx, target, options, program->name, bits);
	if (!kernel)
		return NULL;
	row = plan_target(kernel, NULL);
	kernel->plan = program_plan_new(program, &row);
	if (kernel->plan && is_serial(kernel)) {
		kernel->does = kernel->plan->program->choice ?
			layout_strdup(program->ctx, kernel->plan->program->text) :
			layout_program_str(program);
		if (!kernel->does) {
			layout_kernel_free(kernel);
			return NULL;
		}
	}
	return finish(program->ctx, kernel);
}
