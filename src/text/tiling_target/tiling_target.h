/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of targets of data tiling share: a row while it is read. */
#ifndef LAYOUT_TEXT_TILING_TARGET_H
#define LAYOUT_TEXT_TILING_TARGET_H

#include "text/notations.h"

#include <limits.h>

/* Texts that a GPU's attribute has. */
#define TEXT_TARGET_WORDS 5

/* A row with its own list of instructions, whose names are those of the tables, and its own
 * features. */
struct own_target {
	layout_tiling_target row;
	unsigned count;
	const char *instructions[TEXT_LIST_LIMIT + 1];
	char features[1024];
	char words[TEXT_TARGET_WORDS][64];	/* of a GPU: its features, and lists of names */
	layout_tiled_mma tile;
};

/* The library's row of that name, which stands at "position". */
bool text_target_row(struct text_cursor *cursor, struct own_target *own, const char *name,
	long position);

/* What is between the quotes of the string at the cursor, as far as there is room. */
bool text_target_string(struct text_cursor *cursor, char *text, size_t size);

/* "#iree_gpu.target<arch = "..", ..>" */
#define TEXT_TARGET_GPU "#iree_gpu.target"
bool text_target_gpu(struct text_cursor *cursor, struct own_target *own);

/* "304" */
bool text_target_count(struct text_cursor *cursor, unsigned *count);

/* The name of an instruction of the target's, as the tables have it; NULL on an error. */
const char *text_target_instruction(struct text_cursor *cursor,
	const layout_tiling_target *row);

/* "#iree_gpu.data_tiled_mma_layout<..>": the tile of a target that has that instruction. */
bool text_target_tile(struct text_cursor *cursor, struct own_target *own);

/* A target as MLIR prints it, or the name of one, "#target", that is defined; and devices that
 * have several, or lists of them, of which number "wanted" is taken, LAYOUT_ONE_TARGET where
 * there must be no other.  "found" is how many there are. */
#define LAYOUT_ONE_TARGET UINT_MAX
bool text_at_target_mlir(const struct text_cursor *cursor);
bool text_target_mlir(struct text_cursor *cursor, struct own_target *own, unsigned wanted,
	unsigned *found);

#endif
