/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values: what an expression denotes, as a relation, as a set, as text. */
#include "text/value.h"

#include "isl_bridge/relation.h"

#include <stdlib.h>

static const struct {
	const char *name, *noun;
} kinds[] = {
	[LAYOUT_VALUE_RELATION] = { "relation", "a relation" },
	[LAYOUT_VALUE_SET] = { "set", "a set" },
	[LAYOUT_VALUE_AFFINE_MAP] = { "affine_map", "an affine map" },
	[LAYOUT_VALUE_CUTE] = { "cute", "a CuTe layout" },
	[LAYOUT_VALUE_NESTED] = { "nested", "a nested layout" },
	[LAYOUT_VALUE_ENCODING] = { "encoding", "an encoding" },
	[LAYOUT_VALUE_STORAGE] = { "storage", "a storage" },
	[LAYOUT_VALUE_REMAP] = { "remap", "a remap" },
	[LAYOUT_VALUE_LINEAR] = { "linear", "a linear layout" },
	[LAYOUT_VALUE_MMA] = { "mma", "a matrix operand" },
	[LAYOUT_VALUE_SWIZZLE] = { "swizzle", "a swizzle" },
	[LAYOUT_VALUE_TRITON] = { "triton", "a Triton encoding" },
	[LAYOUT_VALUE_INTEGER] = { "integer", "a number" },
	[LAYOUT_VALUE_OPERAND] = { "operand", "an operand's encoding" },
	[LAYOUT_VALUE_CHAIN] = { "chain", "a chain" },
};

const char *text_value_noun(layout_value_kind kind)
{
	return kinds[kind].noun;
}

const char *layout_value_kind_str(layout_value_kind kind)
{
	return (unsigned)kind < sizeof(kinds) / sizeof(*kinds) ?
		kinds[kind].name : "unknown";
}

layout_context *layout_value_context(layout_value *value)
{
	return value ? value->ctx : NULL;
}

layout_value_kind layout_value_get_kind(layout_value *value)
{
	return value ? value->kind : LAYOUT_VALUE_RELATION;
}

void layout_value_free(layout_value *value)
{
	if (!value)
		return;
	layout_relation_free(value->relation);
	layout_set_free(value->onto);
	layout_set_free(value->set);
	layout_cute_free(value->cute);
	layout_nested_free(value->nested);
	layout_linear_free(value->linear);
	layout_mma_free(value->mma);
	layout_swizzle_free(value->swizzle);
	layout_triton_free(value->triton);
	layout_encoding_free(value->encoding);
	layout_operand_free(value->operand);
	layout_storage_free(value->storage);
	layout_chain_free(value->chain);
	layout_remap_free(value->remap);
	cute_map_free(&value->map);
	free(value->count);
	free(value->reason);
	for (unsigned i = 0; i < value->step_count; i++)
		layout_value_free(value->steps[i]);
	free(value->steps);
	free(value);
}

/* Always NULL. */
static void *refuse(layout_value *value, const char *wanted)
{
	if (value->kind == LAYOUT_VALUE_ENCODING)
		layout_fail(value->ctx, LAYOUT_ERROR_SPACE, -1,
			"an encoding has no cells until packed(ENCODING, [sizes]) "
			"gives it sizes");
	else if (value->kind == LAYOUT_VALUE_OPERAND)
		layout_fail(value->ctx, LAYOUT_ERROR_SPACE, -1,
			"an operand's encoding has no tiles until resolve(OPERAND, "
			"target = gfx942) gives it those of a target");
	else if (value->kind == LAYOUT_VALUE_TRITON)
		layout_fail(value->ctx, LAYOUT_ERROR_SPACE, -1,
			"an encoding has no elements until distribute(ENCODING, [sizes]) "
			"gives it a shape");
	else
		layout_fail(value->ctx, LAYOUT_ERROR_SPACE, -1, "expected %s, found %s",
			wanted, text_value_noun(value->kind));
	return NULL;
}

/* Does a failure leave it open whether there is a relation? */
static bool is_unknown(layout_error kind)
{
	return kind == LAYOUT_ERROR_QUOTA || kind == LAYOUT_ERROR_MEMORY ||
		kind == LAYOUT_ERROR_ISL;
}

/* Make the relation of a map; where there is none either, the reason why it is no layout
 * is the error. */
static layout_relation *find_relation(layout_value *value)
{
	struct layout_caught failed = { 0 }, *previous;

	if (value->relation || !value->map.outer)
		return value->relation;
	previous = layout_context_catch(value->ctx, &failed);
	value->relation = cute_map_relation(&value->map);
	layout_context_catch(value->ctx, previous);
	if (!value->relation && is_unknown(failed.kind))
		layout_fail(value->ctx, failed.kind, -1, "%s",
			failed.message ? failed.message : "out of memory");
	else if (!value->relation)
		layout_fail(value->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "%s", value->reason);
	free(failed.message);
	return value->relation;
}

layout_relation *layout_value_relation(layout_value *value)
{
	if (!value)
		return NULL;
	switch (value->kind) {
	case LAYOUT_VALUE_RELATION:
	case LAYOUT_VALUE_AFFINE_MAP:
		return layout_relation_copy(find_relation(value));
	case LAYOUT_VALUE_CUTE:
		return layout_cute_relation(value->cute);
	case LAYOUT_VALUE_NESTED:
		return layout_nested_relation(value->nested);
	case LAYOUT_VALUE_LINEAR:
		return layout_linear_relation(value->linear);
	case LAYOUT_VALUE_MMA:
		return layout_mma_relation(value->mma);
	case LAYOUT_VALUE_SWIZZLE:
		return layout_swizzle_relation(value->swizzle);
	case LAYOUT_VALUE_STORAGE:
		return layout_storage_relation(value->storage);
	case LAYOUT_VALUE_CHAIN:
		return layout_chain_relation(value->chain);
	case LAYOUT_VALUE_REMAP:
		return layout_remap_relation(value->remap);
	default:
		return refuse(value, "a relation");
	}
}

layout_set *layout_value_set(layout_value *value)
{
	if (!value)
		return NULL;
	return value->set ? layout_set_copy(value->set) : refuse(value, "a set");
}

layout_cute *layout_value_cute(layout_value *value)
{
	if (!value)
		return NULL;
	return value->cute ? value->cute : refuse(value, "a CuTe layout");
}

layout_nested *layout_value_nested(layout_value *value)
{
	if (!value)
		return NULL;
	return value->nested ? value->nested : refuse(value, "a nested layout");
}

layout_linear *layout_value_linear(layout_value *value)
{
	if (!value)
		return NULL;
	return value->linear ? value->linear : refuse(value, "a linear layout");
}

layout_mma *layout_value_mma(layout_value *value)
{
	if (!value)
		return NULL;
	return value->mma ? value->mma : refuse(value, "a matrix operand");
}

layout_swizzle *layout_value_swizzle(layout_value *value)
{
	if (!value)
		return NULL;
	return value->swizzle ? value->swizzle : refuse(value, "a swizzle");
}

layout_triton *layout_value_triton(layout_value *value)
{
	if (!value)
		return NULL;
	return value->triton ? value->triton : refuse(value, "a Triton encoding");
}

layout_operand *layout_value_operand(layout_value *value)
{
	if (!value)
		return NULL;
	return value->operand ? value->operand : refuse(value, "an operand's encoding");
}

layout_storage *layout_value_storage(layout_value *value)
{
	if (!value)
		return NULL;
	return value->storage ? value->storage : refuse(value, "a storage");
}

layout_chain *layout_value_chain(layout_value *value)
{
	if (!value)
		return NULL;
	return value->chain ? value->chain : refuse(value, "a chain");
}

layout_remap *layout_value_remap(layout_value *value)
{
	if (!value)
		return NULL;
	return value->remap ? value->remap : refuse(value, "a remap");
}

bool layout_value_integer(layout_value *value, int64_t *number)
{
	if (!value || !layout_given(value->ctx, number, "place for the number"))
		return false;
	if (value->kind != LAYOUT_VALUE_INTEGER)
		return refuse(value, "a number");
	*number = value->integer;
	return true;
}

const char *layout_value_reason(layout_value *value)
{
	return value ? value->reason : NULL;
}

static char *integer_str(layout_value *value)
{
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "%lld", (long long)value->integer);
	return layout_buffer_take(value->ctx, &out);
}

static char *relation_str(layout_value *value)
{
	char *text = text_shown(value);

	return text ? text : layout_relation_str(find_relation(value));
}

char *layout_value_str(layout_value *value)
{
	if (!value)
		return NULL;
	switch (value->kind) {
	case LAYOUT_VALUE_SET:
		return layout_set_str(value->set);
	case LAYOUT_VALUE_AFFINE_MAP:
		return layout_relation_affine_map_str(value->relation);
	case LAYOUT_VALUE_CUTE:
		return layout_cute_str(value->cute);
	case LAYOUT_VALUE_NESTED:
		return layout_nested_str(value->nested);
	case LAYOUT_VALUE_LINEAR:
		return layout_linear_str(value->linear);
	case LAYOUT_VALUE_MMA:
		return layout_mma_str(value->mma);
	case LAYOUT_VALUE_SWIZZLE:
		return layout_swizzle_str(value->swizzle);
	case LAYOUT_VALUE_TRITON:
		return layout_triton_str(value->triton);
	case LAYOUT_VALUE_INTEGER:
		return integer_str(value);
	case LAYOUT_VALUE_ENCODING:
		return layout_encoding_str(value->encoding);
	case LAYOUT_VALUE_OPERAND:
		return layout_operand_str(value->operand);
	case LAYOUT_VALUE_STORAGE:
		return layout_storage_str(value->storage);
	case LAYOUT_VALUE_CHAIN:
		return layout_chain_str(value->chain);
	case LAYOUT_VALUE_REMAP:
		return layout_remap_str(value->remap);
	default:
		return relation_str(value);
	}
}

const char *layout_value_size_name(layout_value *value, unsigned i)
{
	if (!value)
		return NULL;
	if (value->storage)
		return layout_storage_size_name(value->storage, i);
	if (value->chain)
		return layout_chain_size_name(value->chain, i);
	if (value->remap)
		return layout_remap_size_name(value->remap, i);
	if (value->set)
		return i < layout_set_param_count(value->set) ?
			layout_set_param_name(value->set, i) : NULL;
	if (value->relation)
		return i < layout_relation_param_count(value->relation) ?
			layout_relation_param_name(value->relation, i) : NULL;
	return NULL;
}

const char *layout_value_count(layout_value *value)
{
	return value ? value->count : NULL;
}

layout_value *layout_value_parse(layout_context *ctx, const char *text)
{
	struct text_cursor cursor;
	layout_value *value;

	if (!text_open(&cursor, ctx, text))
		return NULL;
	value = text_expression(&cursor);
	if (value && text_close(&cursor))
		return value;
	layout_value_free(value);
	return NULL;
}
