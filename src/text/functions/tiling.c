/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of data tiling. */
#include "targets/example.h"
#include "text/call.h"

#include <string.h>

enum { OPERAND, TARGET, OPTION, SECOND_OPTION };

/* The target must be there though it is written like an option. */
static bool target_given(struct call *call)
{
	if (!call->arguments[TARGET].given)
		layout_fail(call->ctx, LAYOUT_ERROR_PARSE, call->position,
			"%s: expected `target =`", call->function->name);
	return call->arguments[TARGET].given;
}

/* The number of an argument's name among "names", up to NULL, 0 where it is not given;
 * "what" they are is said of others. */
static bool read_choice(struct call *call, unsigned argument, const char *const *names,
	const char *what, unsigned *number)
{
	const char *name = call->arguments[argument].name;

	*number = 0;
	for (unsigned i = 0; name && names[i]; i++)
		if (!strcmp(name, names[i])) {
			*number = i;
			return true;
		}
	if (!name)
		return true;
	call_blame(call, argument);
	layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1, "%s: %s, not `%.40s`",
		call->function->name, what, name);
	return false;
}

/* The resolution that is asked for; the last arguments need not be there. */
static layout_resolution *resolve(struct call *call, unsigned resolver, unsigned missing)
{
	layout_resolve_options options = LAYOUT_RESOLVE_OPTIONS_INIT;

	options.resolver = (layout_resolver)resolver;
	options.missing = (layout_missing)missing;
	return layout_encoding_resolve_as(
		layout_value_operand(call->arguments[OPERAND].value),
		call->arguments[TARGET].tiling_target, &options);
}

static bool read_missing(struct call *call, unsigned argument, unsigned *missing)
{
	static const char *const names[] = { [LAYOUT_MISSING_KEEP] = "keep",
		[LAYOUT_MISSING_DROP] = "drop", NULL };

	return read_choice(call, argument, names, "a missing loop is one to `keep` or "
		"to `drop`", missing);
}

static bool run_resolve(struct call *call)
{
	static const char *const resolvers[] = {
		[LAYOUT_RESOLVER_DATA_TILING] = "data_tiling",
		[LAYOUT_RESOLVER_PAD] = "pad",
		[LAYOUT_RESOLVER_NONE] = "none",
		NULL,
	};
	layout_resolution *resolution;
	unsigned resolver, missing;
	bool good;

	if (!target_given(call) || !read_choice(call, OPTION, resolvers,
	    "a resolver is `data_tiling`, `pad` or `none`", &resolver) ||
	    !read_missing(call, SECOND_OPTION, &missing))
		return false;
	resolution = resolve(call, resolver, missing);
	good = value_give(call->result, &kind_encoding,
		layout_resolution_encoding(resolution));
	layout_resolution_free(resolution);
	return good;
}

/* Who holds what of a tile. */
static bool run_distribution(struct call *call)
{
	layout_resolution *resolution;
	unsigned missing;
	bool good;

	if (!target_given(call) || !read_missing(call, OPTION, &missing))
		return false;
	resolution = resolve(call, LAYOUT_RESOLVER_DATA_TILING, missing);
	good = give_relation(call, layout_resolution_distribution(resolution));
	layout_resolution_free(resolution);
	return good;
}

/* What the examples are of. */
#define A_OPERAND "#iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, " \
	"element_types = [f16, f16, f32], user_indexing_maps = [affine_map<(d0," \
	" d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, " \
	"affine_map<(d0, d1, d2) -> (d0, d1)>], iteration_sizes = [?, ?, ?]>"

const struct function functions_tiling[] = {
	{ "resolve", run_resolve, { ARG(OPERAND), NAMED("target", TILING_TARGET),
		NAMED("resolver", NAME), NAMED("missing", NAME) },
		.example = "resolve(" A_OPERAND ", target = " CHIP_EXAMPLE ")" },
	{ "distribution", run_distribution, { ARG(OPERAND),
		NAMED("target", TILING_TARGET), NAMED("missing", NAME) },
		.example = "distribution(" A_OPERAND ", target = " CHIP_EXAMPLE ")" },
	{ .name = NULL },
};
