/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/sizes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool sizes_determine(const struct sizes *sizes, const struct index *index)
{
	if (index->op == INDEX_VAR)
		return sizes->known[index->var];
	for (unsigned i = 0; i < index->arg_count; i++)
		if (!sizes_determine(sizes, index->arg[i]))
			return false;
	return true;
}

bool sizes_eval(layout_context *ctx, const struct sizes *sizes, const struct index *index,
	const char *what, int64_t *value)
{
	if (index_eval(index, sizes->values, value))
		return true;
	layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1, "%s overflows 64 bits", what);
	return false;
}

static void mark_used(const struct index *index, bool *used)
{
	if (index->op == INDEX_VAR)
		used[index->var] = true;
	for (unsigned i = 0; i < index->arg_count; i++)
		mark_used(index->arg[i], used);
}

static void print_values(struct layout_buffer *out, const struct plan *plan,
	const int64_t *values, const bool *used)
{
	const char *separator = ": ";

	for (unsigned i = 0; i < plan->size_count; i++) {
		if (!used[i])
			continue;
		layout_buffer_printf(out, "%s%s = %" PRId64, separator,
			plan->size_names[i], values[i]);
		separator = ", ";
	}
}

/* "the kernel requires M >= 0: M = -1", or its text, if there is one. */
static void fail_requirement(layout_context *ctx, const struct plan *plan,
	const struct sizes *sizes, const struct index *requirement, const char *words)
{
	struct layout_buffer out = { 0 };
	bool *used = layout_alloc(ctx, plan->size_count, sizeof(*used));
	char *text;

	if (!used)
		return;
	mark_used(requirement, used);
	if (words)
		layout_buffer_printf(&out, "that %s", words);
	else
		index_print(&out, requirement, (const char *const *)plan->size_names);
	print_values(&out, plan, sizes->values, used);
	text = layout_buffer_take(ctx, &out);
	if (text)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the kernel requires %s",
			text);
	free(text);
	free(used);
}

/* Does "requirement" hold, if its sizes are known? */
static bool check_one(layout_context *ctx, const struct plan *plan,
	const struct sizes *sizes, const struct index *requirement, const char *words)
{
	int64_t holds;

	if (!sizes_determine(sizes, requirement))
		return true;
	if (!sizes_eval(ctx, sizes, requirement, "a requirement of the kernel", &holds))
		return false;
	if (!holds)
		fail_requirement(ctx, plan, sizes, requirement, words);
	return holds;
}

/* The same of each conjunct. */
static bool check(layout_context *ctx, const struct plan *plan, const struct sizes *sizes,
	const struct index *requirement)
{
	if (requirement->op == INDEX_AND)
		return check(ctx, plan, sizes, requirement->arg[0]) &&
			check(ctx, plan, sizes, requirement->arg[1]);
	return check_one(ctx, plan, sizes, requirement, NULL);
}

static bool check_strides(layout_context *ctx, const struct plan *plan,
	const struct sizes *sizes)
{
	for (unsigned i = 0; i < plan->operand_count; i++) {
		const struct plan_strides *strides = &plan->operands[i].strides;

		if (strides->apart && !check_one(ctx, plan, sizes, strides->apart,
		    strides->text))
			return false;
	}
	return true;
}

static void find(const char *name, const layout_size *list, unsigned count,
	int64_t *value, bool *known)
{
	for (unsigned i = 0; i < count; i++) {
		if (strcmp(list[i].name, name))
			continue;
		*value = list[i].value;
		*known = true;
	}
}

void sizes_free(struct sizes *sizes)
{
	free(sizes->values);
	free(sizes->known);
}

bool sizes_take(layout_context *ctx, const layout_kernel *kernel,
	const layout_size *list, unsigned count, struct sizes *sizes)
{
	const struct plan *plan = kernel->plan;

	if (!layout_given_sizes(ctx, list, count))
		return false;
	sizes->values = layout_alloc(ctx, plan->size_count, sizeof(*sizes->values));
	sizes->known = layout_alloc(ctx, plan->size_count, sizeof(*sizes->known));
	if (!sizes->values || !sizes->known)
		goto fail;
	for (unsigned i = 0; i < plan->size_count; i++)
		find(plan->size_names[i], list, count, &sizes->values[i],
			&sizes->known[i]);
	if (!plan->valid || (check(ctx, plan, sizes, plan->valid) &&
	    check_strides(ctx, plan, sizes)))
		return true;
fail:
	sizes_free(sizes);
	return false;
}

bool sizes_complete(layout_context *ctx, const layout_kernel *kernel,
	const struct sizes *sizes)
{
	for (unsigned i = 0; i < kernel->plan->size_count; i++) {
		if (sizes->known[i])
			continue;
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "no number for the size '%s'",
			kernel->plan->size_names[i]);
		return false;
	}
	return true;
}
