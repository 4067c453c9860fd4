/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of data tiling. */
#include "text/call.h"

#include <string.h>

enum { OPERAND, TARGET, RESOLVER };

/* The target must be there though it is written like an option. */
static bool target_given(struct call *call)
{
	if (!call->arguments[TARGET].given)
		layout_fail(call->ctx, LAYOUT_ERROR_PARSE, call->position,
			"%s: expected `target =`", call->function->name);
	return call->arguments[TARGET].given;
}

static bool read_resolver(struct call *call, layout_resolver *resolver)
{
	static const char *const names[] = {
		[LAYOUT_RESOLVER_DATA_TILING] = "data_tiling",
		[LAYOUT_RESOLVER_PAD] = "pad",
		[LAYOUT_RESOLVER_NONE] = "none",
	};
	const char *name = call->arguments[RESOLVER].name;

	*resolver = LAYOUT_RESOLVER_DATA_TILING;
	for (unsigned i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i])) {
			*resolver = (layout_resolver)i;
			return true;
		}
	if (!name)
		return true;
	call_blame(call, RESOLVER);
	layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
		"resolve: a resolver is `data_tiling`, `pad` or `none`, not `%.40s`",
		name);
	return false;
}

static bool run_resolve(struct call *call)
{
	layout_resolution *resolution;
	layout_resolver resolver;
	bool good;

	if (!target_given(call) || !read_resolver(call, &resolver))
		return false;
	resolution = layout_encoding_resolve(
		layout_value_operand(call->arguments[OPERAND].value),
		call->arguments[TARGET].tiling_target, resolver);
	good = value_give(call->result, &kind_encoding,
		layout_resolution_encoding(resolution));
	layout_resolution_free(resolution);
	return good;
}

/* Who holds what of a tile. */
static bool run_distribution(struct call *call)
{
	layout_resolution *resolution;
	bool good;

	if (!target_given(call))
		return false;
	resolution = layout_encoding_resolve(
		layout_value_operand(call->arguments[OPERAND].value),
		call->arguments[TARGET].tiling_target, LAYOUT_RESOLVER_DATA_TILING);
	good = give_relation(call, layout_resolution_distribution(resolution));
	layout_resolution_free(resolution);
	return good;
}

const struct function functions_tiling[] = {
	{ "resolve", run_resolve, { ARG(OPERAND), NAMED("target", TILING_TARGET),
		NAMED("resolver", NAME) } },
	{ "distribution", run_distribution, { ARG(OPERAND),
		NAMED("target", TILING_TARGET) } },
	{ .name = NULL },
};
