/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chains: "chain(row_major[M, K], pad([0, 0], [P, 0]), transpose([1, 0]), ..)".
 *
 *	copy()				left out when it is printed
 *	transpose([PERM])
 *	expand_shape([[0, 1], [2]], [?, 128, K])
 *	collapse_shape([[0, 1], [2]])
 *	extract_slice([OFFSETS], [SIZES], [STRIDES] [, drop = [DIMS]])
 *	pad([LOW], [HIGH] [, VALUE])
 *	pack([DIMS], [TILES] [, outer_dims_perm = [PERM]] [, pad = VALUE])
 *	unpack([DIMS], [SIZES] [, outer_dims_perm = [PERM]])
 *	broadcast([DIMS], [SIZES]) */
#include "show/kind.h"
#include "text/chain/operation.h"
#include "text/kind.h"

#include <stdlib.h>

bool text_at_chain(const struct text_cursor *cursor)
{
	return text_at(cursor, "chain") || text_at_ir(cursor);
}

/* One operation behind "chain", which it consumes.  Errors of the whole of it lie at its
 * name. */
static layout_chain *read_operation(struct text_cursor *cursor, layout_chain *chain)
{
	const struct operation *operation = text_find_operation(cursor);
	long position = text_position(cursor), base;
	struct given *given = layout_alloc(cursor->ctx, 1, sizeof(*given));
	bool good;

	if (given && operation) {
		given->rules = operation->rules;
		text_advance(cursor);
	}
	good = given && operation && text_take(cursor, "(") &&
		operation->read(cursor, given) && text_end_list(cursor, ")") &&
		text_check_lengths(cursor, position, given, chain, operation);
	if (good) {
		base = layout_context_set_base(cursor->ctx, position);
		chain = operation->add(chain, given);
		layout_context_set_base(cursor->ctx, base);
	} else {
		layout_chain_free(chain);
		chain = NULL;
	}
	if (given)
		given_free(given);
	return chain;
}

layout_chain *text_chain(struct text_cursor *cursor)
{
	layout_storage *source;
	layout_chain *chain = NULL;
	long position, base;

	if (text_at_ir(cursor))
		return text_ir(cursor);
	if (!text_take(cursor, "chain") || !text_take(cursor, "("))
		return NULL;
	position = text_position(cursor);
	source = text_storage(cursor);
	base = layout_context_set_base(cursor->ctx, position);
	chain = layout_chain_new(source);
	layout_context_set_base(cursor->ctx, base);
	while (chain && text_skip(cursor, ","))
		chain = read_operation(cursor, chain);
	if (!chain || text_end_list(cursor, ")"))
		return chain;
	layout_chain_free(chain);
	return NULL;
}

/* The operations up to this step, first to last. */
static void print_operations(struct layout_buffer *out, const layout_chain *chain)
{
	if (!chain->before)
		return;
	print_operations(out, chain->before);
	if (chain->written)
		layout_buffer_printf(out, ", %s", chain->written);
}

char *layout_chain_str(layout_chain *chain)
{
	struct layout_buffer out = { 0 };
	char *source;

	if (!chain)
		return NULL;
	source = layout_storage_str(chain->source);
	if (!source)
		return NULL;
	layout_buffer_printf(&out, "chain(%s", source);
	print_operations(&out, chain);
	layout_buffer_printf(&out, ")");
	free(source);
	return layout_buffer_take(chain->ctx, &out);
}

RELATION_FUNCTIONS(chain)
OF_OBJECT(layout_set *, onto, layout_chain_result)

static layout_set *from(layout_value *value)
{
	return layout_relation_domain(layout_storage_relation(
		layout_chain_source(value->object)));
}

static const char *size_name(layout_value *value, unsigned i)
{
	return layout_chain_size_name(value->object, i);
}

static layout_set *padding(layout_value *value, char **count)
{
	(void)count;
	return layout_chain_padding(value->object);
}

const struct value_kind kind_chain = {
	RELATION_FIELDS(chain), .noun = "a chain",
	.kernel = "remap(CHAIN -> row_major[..], type = f32)", .at = text_at_chain,
	.onto = onto, .from = from, .size_name = size_name,
	.padding = padding, .show = &show_chain,
};
