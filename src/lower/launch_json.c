/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/program/plan.h"
#include "lower/launch.h"
#include "lower/tile/tile.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void print_string(struct layout_buffer *out, const char *text)
{
	layout_buffer_printf(out, "\"");
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			layout_buffer_printf(out, "\\%c", c);
		else if (c < 0x20)
			layout_buffer_printf(out, "\\u%04x", c);
		else
			layout_buffer_append(out, text, 1);
	}
	layout_buffer_printf(out, "\"");
}

static void print_field(struct layout_buffer *out, const char *name)
{
	layout_buffer_printf(out, "%s\n  \"%s\": ", out->length > 1 ? "," : "", name);
}

static void print_number_field(struct layout_buffer *out, const char *name,
	unsigned number)
{
	print_field(out, name);
	layout_buffer_printf(out, "%u", number);
}

static void print_string_field(struct layout_buffer *out, const char *name,
	const char *text)
{
	print_field(out, name);
	print_string(out, text);
}

static bool grid_is_determined(const layout_kernel *kernel, const struct sizes *sizes)
{
	for (unsigned axis = 0; axis < 3; axis++)
		if (!sizes_determine(sizes, kernel->grid[axis]))
			return false;
	return true;
}

static bool print_grid(layout_context *ctx, struct layout_buffer *out,
	const layout_kernel *kernel, const struct sizes *sizes)
{
	int64_t grid[3];

	print_field(out, "grid");
	if (!grid_is_determined(kernel, sizes)) {
		layout_buffer_printf(out, "null");
		return true;
	}
	if (!launch_grid(ctx, kernel, sizes, grid))
		return false;
	layout_buffer_printf(out, "[%" PRId64 ", %" PRId64 ", %" PRId64 "]",
		grid[0], grid[1], grid[2]);
	return true;
}

/* What to allocate; null unless the sizes determine it. */
static bool print_bytes(layout_context *ctx, struct layout_buffer *out,
	const struct plan *plan, const struct sizes *sizes)
{
	int64_t bytes;

	print_field(out, "bytes");
	for (unsigned i = 0; i < plan->operand_count; i++)
		if (!sizes_determine(sizes, plan->operands[i].elements)) {
			layout_buffer_printf(out, "null");
			return true;
		}
	for (unsigned i = 0; i < plan->operand_count; i++) {
		if (!launch_bytes(ctx, sizes, &plan->operands[i], &bytes))
			return false;
		layout_buffer_printf(out, "%s\"%s\": %" PRId64, i ? ", " : "{",
			plan->operands[i].name, bytes);
	}
	layout_buffer_printf(out, "}");
	return true;
}

/* Expressions contain no character that needs an escape. */
static void print_formulas(struct layout_buffer *out, const layout_kernel *kernel)
{
	for (unsigned axis = 0; axis < 3; axis++) {
		layout_buffer_printf(out, "%s\"", axis ? ", " : "[");
		index_print(out, kernel->grid[axis],
			(const char *const *)kernel->plan->size_names);
		layout_buffer_printf(out, "\"");
	}
	layout_buffer_printf(out, "]");
}

static void print_requires(struct layout_buffer *out, const layout_kernel *kernel)
{
	const struct plan *plan = kernel->plan;
	const char *who = plan->program ? "buffers" : "source and destination";

	print_field(out, "requires");
	layout_buffer_printf(out, "[");
	for (unsigned i = 0; i < plan->requirement_count; i++) {
		print_string(out, plan->requirements[i]);
		layout_buffer_printf(out, ", ");
	}
	layout_buffer_printf(out, "\"%s are aligned to %u bytes\", "
		"\"%s are below 2^63 bytes\", \"%s do not overlap\"]", who,
		kernel->base_align, who, who);
}

static void print_arg(struct layout_buffer *out, const char *name, const char *kind,
	const char *role)
{
	layout_buffer_printf(out, "\n    {\"name\": ");
	print_string(out, name);
	layout_buffer_printf(out, ", \"kind\": \"%s\", \"role\": \"%s\"}", kind, role);
}

static void print_args(struct layout_buffer *out, const struct plan *plan)
{
	print_field(out, "args");
	layout_buffer_printf(out, "[");
	for (unsigned i = 0; i < plan->operand_count; i++) {
		layout_buffer_printf(out, i ? "," : "");
		print_arg(out, plan->operands[i].name, "pointer", plan->operands[i].role);
	}
	for (unsigned i = 0; i < plan->size_count; i++) {
		layout_buffer_printf(out, ",");
		print_arg(out, plan->size_names[i], "i64", "size");
	}
	layout_buffer_printf(out, "\n  ]");
}

/* Elements that a lane accesses at a time, where a tile is whole, or one by one. */
static unsigned load_vector(const struct plan *plan)
{
	return plan->tile ? plan->tile->moves[0].load.vector : 1;
}

static unsigned store_vector(const struct plan *plan)
{
	const struct plan_tile *tile = plan->tile;

	if (tile)
		return tile->moves[tile->move_count - 1].store.vector;
	return plan->visit.group.elements ? plan->visit.group.elements : 1;
}

static unsigned local_bytes(const struct plan *plan)
{
	return (unsigned)(plan->program ? plan->program->object_bytes +
		plan->program->local_bytes : tile_local_bytes(plan));
}

static void print_vector_bytes(struct layout_buffer *out, const struct plan *plan)
{
	layout_buffer_printf(out, "{\"load\": %u, \"store\": %u}",
		(load_vector(plan) * plan->visit.load.bits + 7) / 8,
		(store_vector(plan) * plan->visit.store.bits + 7) / 8);
}

/* One of several shapes, on a line. */
static void print_shape(struct layout_buffer *out, const layout_kernel *shape)
{
	const struct plan *plan = shape->plan;

	layout_buffer_printf(out, "\n    {\"kernel\": \"%s\", \"workgroup_size\": [%u, 1, 1], "
		"\"grid_formula\": ", shape->name, shape->lanes);
	print_formulas(out, shape);
	layout_buffer_printf(out, ", \"cost_formula\": \"");
	index_print(out, plan->cost, (const char *const *)plan->size_names);
	layout_buffer_printf(out, "\", \"lds_bytes\": %u, \"vector_bytes\": ",
		local_bytes(plan));
	print_vector_bytes(out, plan);
	layout_buffer_printf(out, "}");
}

static void print_shapes(struct layout_buffer *out, const layout_kernel *kernel)
{
	print_field(out, "shapes");
	for (unsigned i = 0; i < kernel->shape_count; i++) {
		layout_buffer_printf(out, i ? "," : "[");
		print_shape(out, kernel->shapes[i]);
	}
	layout_buffer_printf(out, "\n  ]");
}

/* Of the rate of a copy, for sizes that determine it. */
static void print_predicted(struct layout_buffer *out, const struct plan *plan,
	const struct sizes *sizes)
{
	long hundredths;

	if (plan->identity || !plan->copied || !sizes_determine(sizes, plan->copied) ||
	    !sizes_determine(sizes, plan->cost))
		return;
	hundredths = lround(100 * plan_predicted_at(plan, sizes->values));
	if (!hundredths)
		return;
	print_field(out, "predicted");
	layout_buffer_printf(out, "%ld.%02ld", hundredths / 100, hundredths % 100);
}

/* Fields of the shape that "sizes" take, then of all shapes if there are several. */
char *launch_json(layout_context *ctx, const layout_kernel *kernel,
	const struct sizes *sizes)
{
	const layout_kernel *shape = launch_shape(kernel, sizes);
	const struct plan *plan = shape->plan;
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "{");
	print_string_field(&out, "kernel", shape->name);
	print_string_field(&out, "target", kernel->target->name);
	print_number_field(&out, "wave_size", kernel->target->wave_size);
	print_field(&out, "workgroup_size");
	layout_buffer_printf(&out, "[%u, 1, 1]", shape->lanes);
	if (!print_grid(ctx, &out, shape, sizes)) {
		free(out.text);
		return NULL;
	}
	print_field(&out, "grid_formula");
	print_formulas(&out, shape);
	if (!print_bytes(ctx, &out, plan, sizes)) {
		free(out.text);
		return NULL;
	}
	print_number_field(&out, "lds_bytes", local_bytes(plan));
	if (local_bytes(plan) > kernel->target->lds_bytes)
		print_number_field(&out, "dynamic_lds_bytes", local_bytes(plan));
	print_number_field(&out, "base_align", kernel->base_align);
	print_requires(&out, kernel);
	print_args(&out, plan);
	if (!plan->program) {
		print_field(&out, "vector_bytes");
		print_vector_bytes(&out, plan);
	}
	print_predicted(&out, plan, sizes);
	print_field(&out, "types");
	for (unsigned i = 0; i < plan->operand_count; i++)
		layout_buffer_printf(&out, "%s\"%s\": \"%s\"", i ? ", " : "{",
			plan->operands[i].name, plan->operands[i].type);
	layout_buffer_printf(&out, "}");
	if (!plan->program)
		print_string_field(&out, "padding", plan->padding);
	if (plan->identity) {
		print_field(&out, "identity");
		layout_buffer_printf(&out, "true");
	}
	if (kernel->shape_count > 1)
		print_shapes(&out, kernel);
	layout_buffer_printf(&out, "\n}\n");
	return layout_buffer_take(ctx, &out);
}
