/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of the LDS. */
#include "targets/example.h"
#include "text/call.h"

#include <layout/lds.h>

#include <string.h>

enum { ADDRESS, TARGET, BITS, ACCESS };

/* The target's row; its name must be there though it is written like an option. */
static const layout_lds *find_lds(struct call *call)
{
	if (!call->arguments[TARGET].given) {
		layout_fail(call->ctx, LAYOUT_ERROR_PARSE, call->position,
			"conflicts: expected `target =`");
		return NULL;
	}
	call_blame(call, TARGET);
	return layout_lds_find(call->ctx, call->arguments[TARGET].name);
}

/* Loads unless "access = store" says otherwise. */
static bool read_access(struct call *call, bool *store)
{
	const char *name = call->arguments[ACCESS].name;

	*store = name && !strcmp(name, "store");
	if (!name || *store || !strcmp(name, "load"))
		return true;
	call_blame(call, ACCESS);
	layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
		"conflicts: an access is `load` or `store`, not `%.40s`", name);
	return false;
}

static bool read_bits(struct call *call, const layout_lds *lds, unsigned *bits)
{
	const struct argument *argument = &call->arguments[BITS];

	*bits = 128;
	if (!argument->given)
		return true;
	*bits = argument->integer > 0 && argument->integer <= 128 ?
		(unsigned)argument->integer : 0;
	if (layout_lds_candidates(lds, *bits, false))
		return true;
	call_blame(call, BITS);
	layout_fail(call->ctx, LAYOUT_ERROR_INVALID, -1,
		"conflicts: a lane accesses 8, 16, 32, 64, 96 or 128 bits, not %lld",
		(long long)argument->integer);
	return false;
}

/* A linear layout says which of its inputs is the lane; elsewhere it is the first. */
static unsigned find_lane(struct call *call)
{
	layout_linear *linear;

	if (call_kind(call, ADDRESS) != &kind_linear)
		return 0;
	linear = layout_value_linear(call->arguments[ADDRESS].value);
	for (unsigned i = 0; i < layout_linear_in_count(linear); i++)
		if (!strcmp(layout_linear_in_name(linear, i), "lane"))
			return i;
	return 0;
}

static bool run_conflicts(struct call *call)
{
	const layout_lds *lds = find_lds(call);
	layout_relation *address;
	int64_t extra = 0;
	unsigned bits;
	bool store, good;

	if (!lds || !read_access(call, &store) || !read_bits(call, lds, &bits))
		return false;
	call_blame(call, ADDRESS);
	address = layout_value_relation(call->arguments[ADDRESS].value);
	good = layout_lds_conflicts(address, find_lane(call), lds, bits, store, &extra);
	layout_relation_free(address);
	return good && give_integer(call, extra);
}

const struct function functions_lds[] = {
	{ "conflicts", run_conflicts, { ARG(RELATION), NAMED("target", TARGET),
		NAMED("bits", INT), NAMED("access", NAME) },
		.example = "conflicts({ [lane] -> [16lane] : 0 <= lane < 64 }, target = "
			CHIP_EXAMPLE ")" },
	{ .name = NULL },
};
