/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dispatches whose encodings are resolved: which kernels and relayouts they need. */
#include "algebra/tiling/specialize.h"

#include "algebra/storage/element.h"

#include <stdlib.h>
#include <string.h>

bool specialize_grow(layout_context *ctx, void **list, unsigned count, size_t size)
{
	size_t room = count ? 2 * (size_t)count : 4;
	void *grown;

	if (count && (count < 4 || (count & (count - 1))))
		return true;
	grown = layout_alloc(ctx, room, size);
	if (!grown)
		return false;
	if (count)
		memcpy(grown, *list, count * size);
	free(*list);
	*list = grown;
	return true;
}

static bool is_taken(const layout_specialization *specialization, const char *name)
{
	for (unsigned i = 0; i < specialization->variant_count; i++)
		if (strcmp(specialization->variants[i].name, name) == 0)
			return true;
	for (unsigned i = 0; i < specialization->relayout_count; i++)
		if (strcmp(specialization->relayouts[i].name, name) == 0)
			return true;
	return false;
}

char *specialize_name(const layout_specialization *specialization, char *base)
{
	char *name = base;

	for (unsigned again = 1; name && is_taken(specialization, name); again++) {
		struct layout_buffer out = { 0 };

		layout_buffer_printf(&out, "%s_%u", base, again);
		if (name != base)
			free(name);
		name = layout_buffer_take(specialization->ctx, &out);
	}
	if (name != base)
		free(base);
	return name;
}

/* What the structs cannot leave out. */
static bool operand_given(layout_context *ctx, const layout_dispatch_operand *operand)
{
	if (!operand->encoding || operand->held != LAYOUT_HELD_FOR_TARGET)
		return !operand->type || element_type_find(ctx, operand->type);
	return layout_given(ctx, operand->holder, "target that holds the operand") &&
		(!operand->type || element_type_find(ctx, operand->type));
}

static bool dispatch_given(layout_context *ctx, const layout_dispatch *dispatch)
{
	return layout_given(ctx, dispatch->kernel, "name of a kernel") &&
		layout_given(ctx, dispatch->target, "target of a dispatch") &&
		layout_given(ctx, !dispatch->operand_count || dispatch->operands,
			"list of operands");
}

/* One operand: the layout that is wanted, and a relayout where it lies differently. */
static bool take_operand(layout_specialization *specialization,
	const layout_dispatch *dispatch, layout_use use, unsigned *wanted)
{
	const layout_dispatch_operand *operand = &dispatch->operands[use.operand];
	unsigned held;

	if (!operand_given(specialization->ctx, operand) || !specialize_layout(
			specialization, operand->encoding, dispatch->target, wanted))
		return false;
	held = operand->held == LAYOUT_HELD_ROW_MAJOR ? LAYOUT_PLAIN : *wanted;
	if (operand->held == LAYOUT_HELD_FOR_TARGET && !specialize_layout(specialization,
			operand->encoding, operand->holder, &held))
		return false;
	return specialize_relayout(specialization, dispatch, use, held, *wanted);
}

/* The same, where an error says which operand of which dispatch it is about. */
static bool take_operand_or_say(layout_specialization *specialization,
	const layout_dispatch *dispatch, layout_use use, unsigned *wanted)
{
	layout_context *ctx = specialization->ctx;
	struct layout_caught failed = { 0 }, *previous;
	bool good;

	previous = layout_context_catch(ctx, &failed);
	good = take_operand(specialization, dispatch, use, wanted);
	layout_context_catch(ctx, previous);
	if (!good)
		layout_fail(ctx, failed.kind, -1, "dispatch %u, operand %u: %s",
			use.dispatch, use.operand,
			failed.message ? failed.message : "out of memory");
	free(failed.message);
	return good;
}

static bool take_dispatch(layout_specialization *specialization,
	const layout_dispatch *dispatch, unsigned number)
{
	bool good = dispatch_given(specialization->ctx, dispatch);
	unsigned *layouts = good ? layout_alloc(specialization->ctx,
		dispatch->operand_count, sizeof(*layouts)) : NULL;

	good = layouts;
	for (unsigned i = 0; good && i < dispatch->operand_count; i++)
		good = take_operand_or_say(specialization, dispatch,
			(layout_use){ number, i }, &layouts[i]);
	good = good && specialize_variant(specialization, dispatch, number, layouts);
	free(layouts);
	return good;
}

layout_specialization *layout_specialize(layout_context *ctx,
	const layout_dispatch *dispatches, unsigned count, layout_resolver resolver)
{
	layout_specialization *specialization;
	bool good;

	if (!layout_given(ctx, !count || dispatches, "list of dispatches"))
		return NULL;
	specialization = layout_alloc(ctx, 1, sizeof(*specialization));
	if (!specialization)
		return NULL;
	specialization->ctx = ctx;
	specialization->resolver = resolver;
	specialization->dispatch_count = count;
	specialization->variant_of = layout_alloc(ctx, count,
		sizeof(*specialization->variant_of));
	good = specialization->variant_of;
	for (unsigned i = 0; good && i < count; i++)
		good = take_dispatch(specialization, &dispatches[i], i);
	if (good)
		return specialization;
	layout_specialization_free(specialization);
	return NULL;
}

static void variant_clear(struct variant *variant)
{
	free(variant->name);
	free(variant->kernel);
	free(variant->processor);
	free(variant->layouts);
	free(variant->dispatches);
}

static void relayout_clear(struct relayout *relayout)
{
	layout_remap_free(relayout->shown.remap);
	free(relayout->name);
	free(relayout->key);
	free(relayout->processor);
	free(relayout->uses);
}

void layout_specialization_free(layout_specialization *specialization)
{
	if (!specialization)
		return;
	for (unsigned i = 0; i < specialization->layout_count; i++) {
		layout_encoding_free(specialization->layouts[i].encoding);
		free(specialization->layouts[i].text);
	}
	for (unsigned i = 0; i < specialization->variant_count; i++)
		variant_clear(&specialization->variants[i]);
	for (unsigned i = 0; i < specialization->relayout_count; i++)
		relayout_clear(&specialization->relayouts[i]);
	free(specialization->layouts);
	free(specialization->variants);
	free(specialization->relayouts);
	free(specialization->variant_of);
	free(specialization);
}

layout_encoding *layout_specialization_layout(layout_specialization *specialization,
	unsigned i)
{
	return specialization && i < specialization->layout_count ?
		specialization->layouts[i].encoding : NULL;
}

const layout_variant *layout_specialization_variant(
	layout_specialization *specialization, unsigned i)
{
	return specialization && i < specialization->variant_count ?
		&specialization->variants[i].shown : NULL;
}

const layout_relayout *layout_specialization_relayout(
	layout_specialization *specialization, unsigned i)
{
	return specialization && i < specialization->relayout_count ?
		&specialization->relayouts[i].shown : NULL;
}

const layout_variant *layout_specialization_variant_of(
	layout_specialization *specialization, unsigned dispatch)
{
	return specialization && dispatch < specialization->dispatch_count ?
		layout_specialization_variant(specialization,
			specialization->variant_of[dispatch]) : NULL;
}
