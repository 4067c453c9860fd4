/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of verbose encodings share: one while it is read. */
#ifndef LAYOUT_TEXT_OPERAND_H
#define LAYOUT_TEXT_OPERAND_H

#include "algebra/tiling/operand.h"
#include "text/notations.h"

#define ENCODING "#iree_encoding.encoding"
#define NAME_SIZE 80		/* of a type: more than any has */
#define MAPS (LAYOUT_OPERANDS * LAYOUT_LOOPS)

enum key {
	OPERAND_INDEX, OP_TYPE, ELEMENT_TYPES, ORIGINAL_TYPE, INDEXING_MAPS, SIZES,
	ROUND_DIMS,
	KEY_COUNT,
};

/* As they are written, "operand_index", .. */
extern const char *const text_operand_keys[KEY_COUNT];

struct reading {
	struct text_cursor *cursor;
	bool given[KEY_COUNT];
	layout_operand_desc desc;
	struct operand_places places;
	char types[LAYOUT_OPERANDS][NAME_SIZE], original_type[NAME_SIZE];
	const char *type_list[LAYOUT_OPERANDS];
	unsigned map_counts[LAYOUT_OPERANDS], map_count;
	layout_relation *maps[MAPS];
	int64_t sizes[LAYOUT_LOOPS];
	struct text_tensor tensor;
};

/* The list of the operands' maps. */
bool text_operand_maps(struct reading *reading);

/* A field, "op_type = matmul"; and those that are always there, else missing from the
 * encoding at "position". */
bool text_operand_field(struct reading *reading);
bool text_operand_demand(const struct reading *reading, long position);

#endif
