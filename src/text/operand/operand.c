/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Verbose encodings, "#iree_encoding.encoding<operand_index = 0 : index, ..>", with the
 * definitions of their maps before them, as MLIR prints both:
 *
 *	#map = affine_map<(d0, d1, d2) -> (d0, d2)>
 *	#encoding = #iree_encoding.encoding<.., user_indexing_maps = [#map, ..]>
 *
 * or as part of the type of the tensor, "tensor<?x?xf32, #iree_encoding.encoding<..>>",
 * which says what the elements are stored as. */
#include "text/operand/operand.h"
#include "targets/example.h"
#include "text/kind.h"

#include <stdlib.h>
#include <string.h>

/* "encoding" alone is a word of other notations. */
static bool at_short_name(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	text_advance(&behind);
	return text_at(cursor, "encoding") && text_at(&behind, "<");
}

/* Go to what follows "tensor<..,", also where a name stands for it; false: nothing does. */
static bool enter_tensor(struct text_cursor *cursor)
{
	struct text_tensor tensor;

	if (!text_at(cursor, "tensor") || !text_skip_tensor(cursor, &tensor) ||
	    !text_skip(cursor, ","))
		return false;
	text_look_through(cursor);
	return true;
}

/* The type of a tensor with such an encoding. */
static bool at_tensor(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	return enter_tensor(&behind) && (at_short_name(&behind) ||
		(text_at(&behind, ENCODING) && !text_at_resolved(&behind)));
}

/* That of one whose encoding has been resolved, which is a storage, too. */
static bool at_resolved_tensor(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	return enter_tensor(&behind) && kind_encoding.at(&behind);
}

/* The shape is there to be printed. */
static void take_shape(layout_operand *operand, const struct text_tensor *tensor)
{
	if (!operand || tensor->rank > LAYOUT_LOOPS)
		return;
	operand->shape_rank = tensor->rank;
	memcpy(operand->shape, tensor->sizes, tensor->rank * sizeof(*tensor->sizes));
}

static layout_operand *read_resolved(struct text_cursor *cursor)
{
	struct text_tensor tensor;
	layout_encoding *encoding;
	layout_operand *operand;
	long base;

	if (!text_tensor(cursor, &tensor) || !text_take(cursor, ","))
		return NULL;
	encoding = text_encoding_named(cursor);
	if (!encoding || !text_end_list(cursor, ">")) {
		layout_encoding_free(encoding);
		return NULL;
	}
	base = layout_context_set_base(cursor->ctx, tensor.element_position);
	operand = layout_operand_resolved(encoding, tensor.rank, tensor.element);
	layout_context_set_base(cursor->ctx, base);
	take_shape(operand, &tensor);
	return operand;
}

bool text_at_operand(const struct text_cursor *cursor)
{
	return text_at(cursor, ENCODING) || at_short_name(cursor) || at_tensor(cursor);
}

static bool read_body(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor, outside;
	bool defined = text_at_defined(cursor);
	long begin;

	if (defined && !text_enter_definition(cursor, &outside))
		return false;
	begin = text_position(cursor);
	if (!text_skip(cursor, "encoding") && !text_take(cursor, ENCODING))
		return false;
	if (!text_take(cursor, "<"))
		return false;
	do {
		if (!text_operand_field(reading))
			return false;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, ">") && text_operand_demand(reading, begin) &&
		(!defined || text_leave_definition(cursor, &outside));
}

/* The type of the tensor around the encoding. */
static bool read_tensor(struct reading *reading)
{
	struct text_cursor *cursor = reading->cursor;

	if (!text_tensor(cursor, &reading->tensor) || !text_take(cursor, ",") ||
			!read_body(reading) || !text_end_list(cursor, ">"))
		return false;
	reading->desc.stored_type = reading->tensor.element;
	reading->places.stored_type = reading->tensor.element_position;
	return true;
}

/* The tensor's dimensions are those that the maps end in. */
static bool rank_meets(const struct reading *reading, layout_operand *operand)
{
	unsigned rank = layout_operand_rank(operand);

	if (!operand || !reading->desc.stored_type || !reading->desc.map_operands ||
			rank == reading->tensor.rank)
		return true;
	layout_fail(reading->cursor->ctx, LAYOUT_ERROR_SPACE, reading->tensor.position,
		"a tensor of rank %u, the operand's maps end in %u dimensions",
		reading->tensor.rank, rank);
	return false;
}

static void reading_free(struct reading *reading)
{
	for (unsigned i = 0; i < reading->map_count; i++)
		layout_relation_free(reading->maps[i]);
	free(reading);
}

layout_operand *text_operand(struct text_cursor *cursor)
{
	struct reading *reading;
	layout_operand *operand = NULL;

	if (at_resolved_tensor(cursor))
		return read_resolved(cursor);
	reading = layout_alloc(cursor->ctx, 1, sizeof(*reading));
	if (!reading)
		return NULL;
	reading->cursor = cursor;
	reading->desc = (layout_operand_desc)LAYOUT_OPERAND_DESC_INIT;
	if (text_at(cursor, "tensor") ? read_tensor(reading) : read_body(reading)) {
		reading->desc.element_types = reading->type_list;
		reading->desc.map_counts = reading->map_counts;
		operand = operand_new_at(cursor->ctx, &reading->desc, reading->maps,
			&reading->places);
		take_shape(operand, &reading->tensor);
	}
	if (!rank_meets(reading, operand)) {
		layout_operand_free(operand);
		operand = NULL;
	}
	reading_free(reading);
	return operand;
}

/* The description may be an older caller's, which lacks the last fields. */
layout_operand *layout_operand_new(layout_context *ctx, const layout_operand_desc *desc)
{
	layout_operand_desc own = LAYOUT_OPERAND_DESC_INIT;
	layout_relation *maps[MAPS];
	layout_operand *operand = NULL;
	unsigned count = 0, read = 0;

	if (!layout_given(ctx, desc, "description of an operand"))
		return NULL;
	memcpy(&own, desc, desc->size < sizeof(own) ? desc->size : sizeof(own));
	if (!own.map_counts)
		own.map_operands = 0;
	if (!layout_given(ctx, !own.map_operands || own.maps, "list of maps") ||
			!operand_maps_fit(ctx, &own))
		return NULL;
	for (unsigned i = 0; i < own.map_operands; i++)
		count += own.map_counts[i];
	while (read < count &&
			(maps[read] = text_parse(ctx, own.maps[read], &kind_affine_map)))
		read++;
	if (read == count)
		operand = operand_new_at(ctx, &own, maps, NULL);
	while (read)
		layout_relation_free(maps[--read]);
	return operand;
}

OBJECT_FUNCTIONS(operand)

const struct value_kind kind_operand = {
	OBJECT_FIELDS(operand), .noun = "an operand's encoding", .at = text_at_operand,
	.lacks = "an operand's encoding has no tiles until resolve(OPERAND, "
		"target = " CHIP_EXAMPLE ") gives it those of a target",
};
