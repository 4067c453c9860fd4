/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The relayouts before the dispatches, each once. */
#include "algebra/tiling/specialize.h"

#include "algebra/tiling/operand.h"

#include <stdlib.h>
#include <string.h>

bool specialize_is_identity(layout_context *ctx, layout_remap *remap)
{
	struct layout_caught ignored = { 0 }, *previous;
	bool identity;

	previous = layout_context_catch(ctx, &ignored);
	identity = layout_remap_is_identity(remap) == LAYOUT_YES;
	layout_context_catch(ctx, previous);
	free(ignored.message);
	return identity;
}

static const char *element_type(const layout_dispatch_operand *operand)
{
	return operand->type ? operand->type :
		operand->encoding->types[operand->encoding->index];
}

static layout_remap *make_remap(const layout_specialization *specialization,
	const layout_dispatch_operand *operand, unsigned from, unsigned to)
{
	unsigned rank = layout_operand_rank(operand->encoding);

	return layout_remap_new(
		specialize_storage(specialization, from, rank, operand->sizes),
		specialize_storage(specialization, to, rank, operand->sizes),
		element_type(operand), NULL);
}

static struct relayout *find(const layout_specialization *specialization,
	const char *processor, const char *key)
{
	for (unsigned i = 0; i < specialization->relayout_count; i++) {
		struct relayout *relayout = &specialization->relayouts[i];

		if (strcmp(relayout->processor, processor) == 0 &&
				strcmp(relayout->key, key) == 0)
			return relayout;
	}
	return NULL;
}

static void print_layout(struct layout_buffer *out, unsigned number)
{
	if (number == LAYOUT_PLAIN)
		layout_buffer_printf(out, "plain");
	else
		layout_buffer_printf(out, "%u", number);
}

/* "relayout_f32_plain_to_0_CHIP", and with "_1", .. where only sizes differ. */
static char *name(const layout_specialization *specialization, const char *type,
	const layout_relayout *shown)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "relayout_%s_", type);
	print_layout(&out, shown->from);
	layout_buffer_printf(&out, "_to_");
	print_layout(&out, shown->to);
	layout_buffer_printf(&out, "_%s", shown->processor);
	return specialize_name(specialization,
		layout_buffer_take(specialization->ctx, &out));
}

/* What tells relayouts of one processor apart, "f32 plain 0 M,K". */
static char *print_key(layout_context *ctx, const layout_dispatch_operand *operand,
	unsigned from, unsigned to)
{
	unsigned rank = operand->sizes ? layout_operand_rank(operand->encoding) : 0;
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "%s ", element_type(operand));
	print_layout(&out, from);
	layout_buffer_printf(&out, " ");
	print_layout(&out, to);
	for (unsigned d = 0; d < rank; d++)
		layout_buffer_printf(&out, "%c%s", d ? ',' : ' ', operand->sizes[d]);
	return layout_buffer_take(ctx, &out);
}

/* Takes over the key and the remap of "wanted", also on failure. */
static struct relayout *add(layout_specialization *specialization,
	const layout_dispatch_operand *operand, const struct relayout *wanted)
{
	struct relayout *relayout;

	if (!specialize_grow(specialization->ctx, (void **)&specialization->relayouts,
			specialization->relayout_count, sizeof(*relayout))) {
		free(wanted->key);
		layout_remap_free(wanted->shown.remap);
		return NULL;
	}
	relayout = &specialization->relayouts[specialization->relayout_count];
	*relayout = *wanted;
	relayout->processor = layout_strdup(specialization->ctx, wanted->shown.processor);
	relayout->shown.processor = relayout->processor;
	relayout->name = relayout->processor ?
		name(specialization, element_type(operand), &relayout->shown) : NULL;
	relayout->shown.name = relayout->name;
	specialization->relayout_count++;
	return relayout->name ? relayout : NULL;
}

static bool add_use(layout_context *ctx, struct relayout *relayout, layout_use use)
{
	if (!specialize_grow(ctx, (void **)&relayout->uses, relayout->shown.use_count,
			sizeof(use)))
		return false;
	relayout->uses[relayout->shown.use_count++] = use;
	relayout->shown.uses = relayout->uses;
	return true;
}

/* Add a relayout, unless it would do nothing: layouts that are two may still be one for
 * the sizes of this tensor.  Takes over the key of "wanted". */
static bool make(layout_specialization *specialization,
	const layout_dispatch_operand *operand, struct relayout wanted, layout_use use)
{
	struct relayout *relayout = NULL;
	bool nothing;

	wanted.shown.remap = make_remap(specialization, operand, wanted.shown.from,
		wanted.shown.to);
	nothing = specialize_is_identity(specialization->ctx, wanted.shown.remap);
	if (wanted.shown.remap && !nothing) {
		relayout = add(specialization, operand, &wanted);
		return relayout && add_use(specialization->ctx, relayout, use);
	}
	layout_remap_free(wanted.shown.remap);
	free(wanted.key);
	return nothing;
}

bool specialize_relayout(layout_specialization *specialization,
	const layout_dispatch *dispatch, layout_use use, unsigned from, unsigned to)
{
	const layout_dispatch_operand *operand = &dispatch->operands[use.operand];
	struct relayout wanted = { .shown = { .from = from, .to = to } }, *relayout;

	if (from == to)
		return true;
	wanted.shown.processor = specialize_processor(dispatch->target);
	wanted.key = print_key(specialization->ctx, operand, from, to);
	if (!wanted.key)
		return false;
	relayout = find(specialization, wanted.shown.processor, wanted.key);
	if (!relayout)
		return make(specialization, operand, wanted, use);
	free(wanted.key);
	return add_use(specialization->ctx, relayout, use);
}
