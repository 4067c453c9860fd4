/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/text.h"
#include "lower/grid.h"
#include "lower/tile/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* "names" are those of the plan's variables; "depth" is that of the nesting. */
struct writer {
	struct layout_buffer out;
	const layout_kernel *kernel;
	const char **names;
	unsigned depth;
	char slots[LAYOUT_STORAGE_SLOTS][16];	/* names for those of an element */
};

static void write_indent(struct writer *writer)
{
	for (unsigned i = 0; i < writer->depth; i++)
		layout_buffer_append(&writer->out, "\t", 1);
}

static void write_index(struct writer *writer, const struct index *index)
{
	index_print(&writer->out, index, writer->names);
}

/* "int64_t NAME = VALUE;" */
static void write_value(struct writer *writer, const char *name, const char *value)
{
	write_indent(writer);
	layout_buffer_printf(&writer->out, "int64_t %s = %s;\n", name, value);
}

/* "for (int64_t NAME = FIRST; NAME < EXTENT; NAME += STEP) {"; no step is 1. */
static void write_loop(struct writer *writer, const char *name, const char *first,
	const struct index *extent, const struct index *step)
{
	struct layout_buffer *out = &writer->out;

	write_indent(writer);
	layout_buffer_printf(out, "for (int64_t %s = %s; %s < ", name, first, name);
	write_index(writer, extent);
	layout_buffer_printf(out, "; %s%s", name, step ? " += " : "++");
	if (step)
		write_index(writer, step);
	layout_buffer_printf(out, ") {\n");
	writer->depth++;
}

static void write_axis(struct writer *writer, const char *name, unsigned axis)
{
	static const char *const groups[] = { "get_group_id(0)", "get_group_id(1)",
		"get_group_id(2)" };
	const layout_kernel *kernel = writer->kernel;

	if (kernel->extent[axis]->max <= grid_cap(axis, kernel->lanes))
		write_value(writer, name, groups[axis]);
	else
		write_loop(writer, name, groups[axis], kernel->extent[axis],
			kernel->grid[axis]);
}

/* "int64_t NAME = rest % (EXTENT); rest /= EXTENT;" for the dimensions that share
 * axis z, innermost first. */
static void write_split(struct writer *writer)
{
	const struct plan *plan = writer->kernel->plan;
	struct layout_buffer *out = &writer->out;

	write_axis(writer, "z", 2);
	write_value(writer, "rest", "z");
	for (unsigned i = plan->visit.dim_count; i--;) {
		if (plan->visit.dims[i].level != VISIT_GRID_Z)
			continue;
		write_indent(writer);
		layout_buffer_printf(out, "int64_t %s = rest %% (", plan->visit.dims[i].name);
		write_index(writer, plan->visit.dims[i].extent);
		layout_buffer_printf(out, "); rest /= ");
		write_index(writer, plan->visit.dims[i].extent);
		layout_buffer_printf(out, ";\n");
	}
}

static bool shares_z(const struct plan *plan)
{
	unsigned count = 0;

	for (unsigned i = 0; i < plan->visit.dim_count; i++)
		count += plan->visit.dims[i].level == VISIT_GRID_Z;
	return count > 1;
}

/* "EXTENT * EXTENT": all tiles. */
static void write_tiles(struct writer *writer)
{
	const struct plan *plan = writer->kernel->plan;

	for (unsigned i = 0; i + 1 < plan->visit.dim_count; i++) {
		layout_buffer_printf(&writer->out, i ? " * (" : "(");
		write_index(writer, plan->visit.dims[i].extent);
		layout_buffer_printf(&writer->out, ")");
	}
}

/* "bool folded = ..; for (int64_t group = get_group_id(0); group < (folded ? TILES : EXTENT);
 * group += MOST) {" */
static void write_groups(struct writer *writer)
{
	const layout_kernel *kernel = writer->kernel;
	struct layout_buffer *out = &writer->out;

	write_indent(writer);
	layout_buffer_printf(out, "bool folded = ");
	write_index(writer, kernel->folds);
	layout_buffer_printf(out, ";\n");
	write_indent(writer);
	layout_buffer_printf(out, "for (int64_t group = get_group_id(0); group < (folded ? ");
	write_tiles(writer);
	layout_buffer_printf(out, " : ");
	write_index(writer, kernel->extent[0]);
	layout_buffer_printf(out, "); group += %" PRId64 ") {\n", grid_cap(0, kernel->lanes));
	writer->depth++;
	write_value(writer, "rest", "group");
}

/* "int64_t NAME = folded ? rest % (EXTENT) : rest; rest = folded ? rest / (EXTENT) :
 * get_group_id(1);" for the dimensions, innermost first; those that share an axis are split as in
 * write_split(). */
static void write_folded(struct writer *writer)
{
	const struct plan *plan = writer->kernel->plan;
	struct layout_buffer *out = &writer->out;
	unsigned count = plan->visit.dim_count - 1;

	write_groups(writer);
	for (unsigned i = count; i--;) {
		const struct visit_dim *dim = &plan->visit.dims[i];
		bool last = i && dim[-1].level != dim->level;

		write_indent(writer);
		layout_buffer_printf(out, "int64_t %s = %srest", dim->name, last ? "folded ? " : "");
		if (i) {
			layout_buffer_printf(out, " %% (");
			write_index(writer, dim->extent);
			layout_buffer_printf(out, ")%s; rest = %srest / (", last ? " : rest" : "",
				last ? "folded ? " : "");
			write_index(writer, dim->extent);
			layout_buffer_printf(out, ")");
		}
		if (last)
			layout_buffer_printf(out, " : get_group_id(%d)",
				grid_axis(dim[-1].level));
		layout_buffer_printf(out, ";\n");
	}
	write_value(writer, plan->visit.dims[count].name, "get_local_id(0)");
}

static void write_dims(struct writer *writer)
{
	const struct plan *plan = writer->kernel->plan;
	const struct index *folds = writer->kernel->folds;

	if ((folds->op != INDEX_INT || folds->value) && plan->tile->dim_count > 1) {
		write_folded(writer);
		return;
	}
	if (shares_z(plan))
		write_split(writer);
	for (unsigned i = 0; i < plan->visit.dim_count; i++) {
		const struct visit_dim *dim = &plan->visit.dims[i];

		switch (dim->level) {
		case VISIT_LOOP:
		case VISIT_TURN:
			write_loop(writer, dim->name, "0", dim->extent, NULL);
			break;
		case VISIT_GRID_Z:
			if (!shares_z(plan))
				write_axis(writer, dim->name, 2);
			break;
		case VISIT_GRID_Y:
		case VISIT_GRID_X:
			write_axis(writer, dim->name, (unsigned)grid_axis(dim->level));
			break;
		case VISIT_LANE:
			write_value(writer, dim->name, "get_local_id(0)");
			break;
		}
	}
}

/* "ARRAY[OFFSET]" */
static void write_access(struct writer *writer, const char *array,
	struct index *const *slot, const struct visit_access *access)
{
	struct index *offset = index_int(0);

	for (unsigned i = 0; i < access->rank; i++)
		offset = index_binary(INDEX_ADD, offset, index_binary(INDEX_MUL,
			index_copy(slot[i]), index_copy(access->pitch[i])));
	layout_buffer_printf(&writer->out, "%s[", array);
	if (offset)
		write_index(writer, offset);
	else
		writer->out.failed = true;
	layout_buffer_printf(&writer->out, "]");
	index_free(offset);
}

void text_open_conversion(struct layout_buffer *out, const struct plan *plan)
{
	const struct conversion *conversion = &plan->conversion;

	if (conversion->from != conversion->to)
		layout_buffer_printf(out, "%s%s%s(", conversion->to->name,
			conversion->rounding ? "_" : "", conversion->rounding ?
			conversion_rounding_name(conversion->rounding) : "");
	if (plan->scale)
		layout_buffer_printf(out, "%s * ", plan->scale);
}

void text_close_conversion(struct layout_buffer *out, const struct plan *plan)
{
	if (plan->conversion.from != plan->conversion.to)
		layout_buffer_printf(out, ")");
}

static void write_source(struct writer *writer)
{
	const struct plan *plan = writer->kernel->plan;

	text_open_conversion(&writer->out, plan);
	write_access(writer, "source", plan->visit.load.slot, &plan->visit.load);
	text_close_conversion(&writer->out, plan);
}

/* The elements of a group; the slots of each are the digits of its number. */
static void write_elements(struct writer *writer)
{
	const struct plan *plan = writer->kernel->plan;
	const struct visit_group *group = &plan->visit.group;
	struct layout_buffer *out = &writer->out;

	write_indent(writer);
	layout_buffer_printf(out, "for (int64_t element = %u * (", group->elements);
	write_index(writer, group->number);
	layout_buffer_printf(out, "), end = min(element + %u, ", group->elements);
	write_index(writer, plan->visit.store.elements);
	layout_buffer_printf(out, "); element < end; element++) {\n");
	writer->depth++;
	for (unsigned k = 0; k < group->rank; k++) {
		write_indent(writer);
		layout_buffer_printf(out, "int64_t %s = element / (",
			writer->names[plan->size_count + plan->visit.dim_count + k]);
		write_index(writer, plan->visit.store.pitch[k]);
		layout_buffer_printf(out, ")");
		if (k) {
			layout_buffer_printf(out, " %% (");
			write_index(writer, group->extent[k]);
			layout_buffer_printf(out, ")");
		}
		layout_buffer_printf(out, ";\n");
	}
}

static void write_copy(struct writer *writer)
{
	const struct plan *plan = writer->kernel->plan;
	struct layout_buffer *out = &writer->out;

	if (plan->visit.active) {
		write_indent(writer);
		layout_buffer_printf(out, "if (");
		write_index(writer, plan->visit.active);
		layout_buffer_printf(out, plan->visit.group.elements ? ") {\n" : ")\n\t");
		writer->depth += plan->visit.group.elements > 0;
	}
	if (plan->visit.group.elements)
		write_elements(writer);
	write_indent(writer);
	write_access(writer, "destination", plan->visit.store.slot, &plan->visit.store);
	layout_buffer_printf(out, " = ");
	if (plan->visit.inside) {
		layout_buffer_printf(out, "(");
		write_index(writer, plan->visit.inside);
		layout_buffer_printf(out, ") ? ");
	}
	write_source(writer);
	if (plan->visit.inside)
		layout_buffer_printf(out, " : 0x%" PRIx64, plan->pad_bits);
	layout_buffer_printf(out, ";\n");
}

/* "if (NUMBER < COUNT) {", and the digits of the number. */
static void write_part(struct writer *writer, const struct index *count,
	struct index *const *extent, unsigned rank)
{
	const struct plan *plan = writer->kernel->plan;
	const char **digits = writer->names + plan->size_count + plan->visit.dim_count;
	struct layout_buffer *out = &writer->out;

	write_indent(writer);
	layout_buffer_printf(out, "if (number < (");
	write_index(writer, count);
	layout_buffer_printf(out, ")) {\n");
	writer->depth++;
	write_value(writer, "rest", "number");
	for (unsigned k = rank; k-- > 1;) {
		write_indent(writer);
		layout_buffer_printf(out, "int64_t %s = rest %% (", digits[k]);
		write_index(writer, extent[k]);
		layout_buffer_printf(out, "); rest /= ");
		write_index(writer, extent[k]);
		layout_buffer_printf(out, ";\n");
	}
	if (rank)
		write_value(writer, digits[0], "rest");
}

static void write_end(struct writer *writer)
{
	writer->depth--;
	write_indent(writer);
	layout_buffer_printf(&writer->out, "}\n");
}

/* The elements of the source, then the boxes of padding. */
static void write_sweep(struct writer *writer)
{
	const struct plan *plan = writer->kernel->plan;
	const struct visit_sweep *sweep = &plan->visit.sweep;
	struct layout_buffer *out = &writer->out;

	write_indent(writer);
	layout_buffer_printf(out, "int64_t number = ");
	write_index(writer, sweep->number);
	layout_buffer_printf(out, ";\n");
	write_part(writer, sweep->count, sweep->extent, sweep->rank);
	write_indent(writer);
	if (plan->visit.inside) {
		layout_buffer_printf(out, "if (");
		write_index(writer, plan->visit.inside);
		layout_buffer_printf(out, ")\n\t");
		write_indent(writer);
	}
	write_access(writer, "destination", plan->visit.store.slot, &plan->visit.store);
	layout_buffer_printf(out, " = ");
	write_source(writer);
	layout_buffer_printf(out, ";\n");
	write_end(writer);
	for (unsigned i = 0; i < sweep->box_count; i++) {
		const struct visit_box *box = &sweep->boxes[i];

		write_part(writer, box->count, box->extent, sweep->box_rank);
		write_indent(writer);
		write_access(writer, "destination", box->slot, &plan->visit.store);
		layout_buffer_printf(out, " = 0x%" PRIx64 ";\n", plan->pad_bits);
		write_end(writer);
	}
}

static void write_head(struct writer *writer)
{
	const struct plan *plan = writer->kernel->plan;
	struct layout_buffer *out = &writer->out;

	layout_buffer_printf(out, "void %s(const %s *source, %s *destination",
		writer->kernel->name, plan->conversion.from->name,
		plan->conversion.to->name);
	for (unsigned i = 0; i < plan->size_count; i++)
		layout_buffer_printf(out, ", int64_t %s", plan->size_names[i]);
	layout_buffer_printf(out, ")\n{\n");
	writer->depth++;
}

static void write_ends(struct writer *writer, unsigned depth)
{
	while (writer->depth > depth)
		write_end(writer);
}

/* "conversion   f32 -> f16, toward_zero, scale 0.5" */
static void write_conversion(struct layout_buffer *out, const struct plan *plan)
{
	layout_buffer_printf(out, "conversion   ");
	conversion_print_types(out, &plan->conversion);
	layout_buffer_printf(out, ", %s",
		conversion_rounding_name(plan->conversion.rounding));
	if (plan->scale)
		layout_buffer_printf(out, ", scale %s", plan->scale);
	layout_buffer_printf(out, "\n");
}

char *text_relations(layout_context *ctx, const layout_kernel *kernel)
{
	const struct plan *plan = kernel->plan;
	struct layout_buffer out = { 0 };

	if (plan->whole) {
		layout_buffer_printf(&out, "whole        ");
		index_print(&out, plan->whole, (const char *const *)plan->size_names);
		layout_buffer_printf(&out, ", or the owner is another\n");
	}
	layout_buffer_printf(&out, "owner        %s\n", plan->owner);
	for (unsigned i = 1; i < kernel->shape_count; i++)
		layout_buffer_printf(&out, "owner        %s: %s\n", kernel->shapes[i]->name,
			kernel->shapes[i]->plan->owner);
	layout_buffer_printf(&out, "source       %s\n", plan->source);
	if (plan->map)
		layout_buffer_printf(&out, "map          %s\n", plan->map);
	layout_buffer_printf(&out, "destination  %s\n", plan->destination);
	layout_buffer_printf(&out, "padding      %s\n", plan->padding);
	if (!conversion_is_copy(&plan->conversion))
		write_conversion(&out, plan);
	return layout_buffer_take(ctx, &out);
}

static void name_variables(struct writer *writer, unsigned slots)
{
	const struct plan *plan = writer->kernel->plan;

	for (unsigned i = 0; i < plan->size_count; i++)
		writer->names[i] = plan->size_names[i];
	for (unsigned i = 0; i < plan->visit.dim_count; i++)
		writer->names[plan->size_count + i] = plan->visit.dims[i].name;
	for (unsigned i = 0; i < slots; i++) {
		snprintf(writer->slots[i], sizeof(writer->slots[i]), "slot%u", i);
		writer->names[plan->size_count + plan->visit.dim_count + i] = writer->slots[i];
	}
}

/* What a kernel does, its tile or its points. */
static bool write_body(layout_context *ctx, struct writer *writer, const layout_kernel *kernel)
{
	const struct plan *plan = kernel->plan;
	unsigned slots = plan->visit.group.rank + plan->visit.sweep.digits;
	unsigned depth = writer->depth;

	writer->kernel = kernel;
	writer->names = layout_alloc(ctx, plan->size_count + plan->visit.dim_count + slots,
		sizeof(*writer->names));
	if (!writer->names)
		return false;
	name_variables(writer, slots);
	write_dims(writer);
	if (!plan->tile)
		(plan->visit.sweep.digits ? write_sweep : write_copy)(writer);
	else if (!text_tile(ctx, &writer->out, kernel, writer->names, writer->depth))
		writer->out.failed = true;
	write_ends(writer, depth);
	free(writer->names);
	return true;
}

/*	if (rows are whole bytes) {
 *		the tile
 *	} else {
 *		the points
 *	} */
static bool write_whole(layout_context *ctx, struct writer *writer, const layout_kernel *kernel)
{
	layout_kernel points;
	struct plan plan;
	bool ok;

	write_indent(writer);
	layout_buffer_printf(&writer->out, "if (");
	index_print(&writer->out, kernel->plan->whole,
		(const char *const *)kernel->plan->size_names);
	layout_buffer_printf(&writer->out, ") {\n");
	writer->depth++;
	ok = write_body(ctx, writer, kernel);
	writer->depth--;
	write_indent(writer);
	layout_buffer_printf(&writer->out, "} else {\n");
	writer->depth++;
	ok = ok && kernel_points_begin(ctx, &points, &plan, kernel);
	if (ok) {
		ok = write_body(ctx, writer, &points);
		kernel_points_end(&points);
	}
	write_end(writer);
	return ok;
}

/* One shape's function. */
static bool write_function(layout_context *ctx, struct layout_buffer *out,
	const layout_kernel *kernel)
{
	struct writer writer = { .out = *out, .kernel = kernel };
	bool ok;

	write_head(&writer);
	ok = (kernel->plan->whole ? write_whole : write_body)(ctx, &writer, kernel);
	write_ends(&writer, 0);
	*out = writer.out;
	return ok;
}

/* The lock is for the reference counts of the plan's expressions. */
char *text_loops(layout_context *ctx, const layout_kernel *kernel)
{
	struct layout_buffer out = { 0 };

	pthread_mutex_lock(&kernel->code->lock);
	for (unsigned i = 0; i < kernel->shape_count; i++) {
		layout_buffer_printf(&out, i ? "\n" : "");
		if (!write_function(ctx, &out, kernel->shapes[i]))
			out.failed = true;
	}
	pthread_mutex_unlock(&kernel->code->lock);
	return layout_buffer_take(ctx, &out);
}
