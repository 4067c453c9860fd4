/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernels that dispatches share. */
#include "algebra/tiling/specialize.h"
#include "algebra/chip.h"

#include <string.h>

/* A chip is its own processor, whosever instructions it has; a product runs the code of those. */
const char *specialize_processor(const layout_tiling_target *target)
{
	const struct chip *chip;

	for (unsigned i = 0; !target->features && (chip = chip_at(i)); i++)
		if (strcmp(chip->target.name, target->name) == 0)
			return target->name;
	return target->instructions_of;
}

static struct variant *find(const layout_specialization *specialization,
	const layout_dispatch *dispatch, const unsigned *layouts)
{
	const char *processor = specialize_processor(dispatch->target);

	for (unsigned i = 0; i < specialization->variant_count; i++) {
		struct variant *variant = &specialization->variants[i];

		if (variant->shown.operand_count == dispatch->operand_count &&
		    strcmp(variant->kernel, dispatch->kernel) == 0 &&
		    strcmp(variant->processor, processor) == 0 &&
		    memcmp(variant->layouts, layouts,
				dispatch->operand_count * sizeof(*layouts)) == 0)
			return variant;
	}
	return NULL;
}

/* "matmul_CHIP", and "matmul_CHIP_1", .. */
static char *name(const layout_specialization *specialization,
	const struct variant *variant)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "%s_%s", variant->kernel, variant->processor);
	return specialize_name(specialization,
		layout_buffer_take(specialization->ctx, &out));
}

static bool copy_layouts(layout_context *ctx, struct variant *variant,
	const unsigned *layouts, unsigned count)
{
	variant->layouts = layout_alloc(ctx, count, sizeof(*layouts));
	if (variant->layouts && count)
		memcpy(variant->layouts, layouts, count * sizeof(*layouts));
	return variant->layouts;
}

static struct variant *add(layout_specialization *specialization,
	const layout_dispatch *dispatch, const unsigned *layouts)
{
	layout_context *ctx = specialization->ctx;
	struct variant *variant;

	if (!specialize_grow(ctx, (void **)&specialization->variants,
			specialization->variant_count, sizeof(*variant)))
		return NULL;
	variant = &specialization->variants[specialization->variant_count];
	*variant = (struct variant){ 0 };
	variant->kernel = layout_strdup(ctx, dispatch->kernel);
	variant->processor = layout_strdup(ctx, specialize_processor(dispatch->target));
	if (variant->kernel && variant->processor)
		variant->name = name(specialization, variant);
	copy_layouts(ctx, variant, layouts, dispatch->operand_count);
	specialization->variant_count++;
	variant->shown.name = variant->name;
	variant->shown.kernel = variant->kernel;
	variant->shown.processor = variant->processor;
	variant->shown.operand_count = dispatch->operand_count;
	variant->shown.layouts = variant->layouts;
	return variant->name && variant->layouts ? variant : NULL;
}

bool specialize_variant(layout_specialization *specialization,
	const layout_dispatch *dispatch, unsigned number, const unsigned *layouts)
{
	struct variant *variant = find(specialization, dispatch, layouts);

	if (!variant)
		variant = add(specialization, dispatch, layouts);
	if (!variant || !specialize_grow(specialization->ctx,
			(void **)&variant->dispatches, variant->shown.dispatch_count,
			sizeof(*variant->dispatches)))
		return false;
	variant->dispatches[variant->shown.dispatch_count++] = number;
	variant->shown.dispatches = variant->dispatches;
	specialization->variant_of[number] =
		(unsigned)(variant - specialization->variants);
	return true;
}
