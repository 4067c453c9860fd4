/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An operation as MLIR prints it, by the maps of its operands:
 *
 *	%11 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = [..]}
 *		ins(%10, %1 : ..) outs(%4 : ..) {..} -> ..
 *
 * or these maps alone, "[#map3, #map4, #map3]".  The result's name, the other attributes and
 * all that follows the operands' names say nothing of how tensors are indexed. */
#include "text/notations.h"

#include "algebra/tiling/propagate.h"

struct operation {
	unsigned count, inputs, outputs;
	bool has_lists;			/* ins(..) and outs(..) were there */
	layout_relation *maps[TEXT_LIST_LIMIT];
};

static void operation_free(struct operation *operation)
{
	while (operation->count)
		layout_relation_free(operation->maps[--operation->count]);
}

static bool read_maps(struct text_cursor *cursor, layout_relation **maps, unsigned *count)
{
	struct text_items items = { "[", "]", TEXT_LIST_LIMIT };

	while (text_item(cursor, &items)) {
		maps[*count] = text_affine_map_named(cursor);
		if (!maps[*count])
			return false;
		++*count;
	}
	return items.ended;
}

bool text_indexing_maps(struct text_cursor *cursor, layout_relation **maps, unsigned *count)
{
	bool given = false;

	if (!text_take(cursor, "{"))
		return false;
	do {
		if (!text_skip(cursor, "indexing_maps")) {
			text_skip_value(cursor);
			continue;
		}
		if (given)
			return text_duplicate(cursor);
		given = true;
		if (!text_take(cursor, "=") || !read_maps(cursor, maps, count))
			return false;
	} while (text_skip(cursor, ","));
	return given ? text_end_list(cursor, "}") : text_expected(cursor, "`indexing_maps`");
}

/* "%12", "%in_1" */
static bool skip_name(struct text_cursor *cursor)
{
	if (!text_take(cursor, "%"))
		return false;
	if (cursor->token.kind != TEXT_INT && cursor->token.kind != TEXT_NAME)
		return text_expected(cursor, "the name of a value");
	text_advance(cursor);
	if (text_skip(cursor, "#"))
		text_advance(cursor);
	return true;
}

/* "ins(%10, %1 : tensor<..>, ..)": how many names there are. */
static bool read_names(struct text_cursor *cursor, const char *word, unsigned *count)
{
	struct text_cursor end;

	if (!text_skip(cursor, word))
		return true;
	end = *cursor;
	text_skip_brackets(&end);
	if (!text_take(cursor, "("))
		return false;
	do {
		if (!skip_name(cursor))
			return false;
		++*count;
	} while (text_skip(cursor, ","));
	if (!text_at(cursor, ":"))
		return text_end_list(cursor, ")");
	*cursor = end;
	return true;
}

static bool read_lists(struct text_cursor *cursor, struct operation *operation)
{
	long position = text_position(cursor);

	operation->has_lists = text_at(cursor, "ins") || text_at(cursor, "outs");
	if (!read_names(cursor, "ins", &operation->inputs) ||
	    !read_names(cursor, "outs", &operation->outputs))
		return false;
	if (!operation->has_lists ||
	    operation->inputs + operation->outputs == operation->count)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
		"%u maps, but %u inputs and %u outputs", operation->count, operation->inputs,
		operation->outputs);
	return false;
}

static bool read_operation(struct text_cursor *cursor, struct operation *operation)
{
	if (text_at(cursor, "["))
		return read_maps(cursor, operation->maps, &operation->count) &&
			text_close(cursor);
	if (text_at(cursor, "%") && (!skip_name(cursor) || !text_take(cursor, "=")))
		return false;
	if (!text_skip(cursor, "linalg.generic"))
		return text_expected(cursor, "`linalg.generic` or a list of maps");
	if (!text_indexing_maps(cursor, operation->maps, &operation->count) ||
	    !read_lists(cursor, operation))
		return false;
	return text_at(cursor, "{") || text_at(cursor, "attrs") || text_at(cursor, "->") ||
		text_close(cursor);
}

static layout_propagation *propagate(layout_encoding *encoding,
	const struct operation *operation, unsigned encoded)
{
	layout_user_desc desc = LAYOUT_USER_DESC_INIT;
	bool outputs[TEXT_LIST_LIMIT];

	if (encoded >= operation->count) {
		layout_fail(encoding->ctx, LAYOUT_ERROR_INVALID, -1,
			"operand %u has the encoding, but there are only %u", encoded,
			operation->count);
		return NULL;
	}
	for (unsigned i = 0; i < operation->count; i++)
		outputs[i] = i >= operation->inputs;
	desc.operand_count = operation->count;
	desc.encoded = encoded;
	desc.outputs = operation->has_lists ? outputs : NULL;
	return propagate_maps(encoding, &desc, operation->maps);
}

layout_propagation *layout_encoding_propagate_text(layout_encoding *encoding,
	const char *text, unsigned encoded)
{
	struct operation operation = { 0 };
	layout_propagation *propagation = NULL;
	struct text_cursor cursor;

	if (!encoding || !text_open(&cursor, encoding->ctx, text))
		return NULL;
	if (text_open_definitions(&cursor) && read_operation(&cursor, &operation))
		propagation = propagate(encoding, &operation, encoded);
	operation_free(&operation);
	return propagation;
}
