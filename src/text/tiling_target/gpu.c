/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The target of a GPU as IREE prints it,
 *
 *	#iree_gpu.target<arch = "..", features = "..", wgp = <compute = fp32|fp16, ..,
 *		mma = [<..>], scaled_mma = [<intrinsic = .., ..>], ..>, chip = <..>>
 *
 * What is not known of it here is left aside. */
#include "text/tiling_target/tiling_target.h"

#include <string.h>

#define SUBGROUP_SIZES (sizeof((layout_tiling_target){ 0 }.subgroup_sizes) / sizeof(unsigned))

bool text_target_string(struct text_cursor *cursor, char *text, size_t size)
{
	const struct text_token *token = &cursor->token;

	if (token->kind != TEXT_STRING)
		return text_expected(cursor, "a string");
	if (token->length - 2 >= size)
		return text_expected(cursor, "a shorter string");
	memcpy(text, cursor->text + token->begin + 1, token->length - 2);
	text[token->length - 2] = 0;
	text_advance(cursor);
	return true;
}

bool text_target_row(struct text_cursor *cursor, struct own_target *own, const char *name,
	long position)
{
	long base = layout_context_set_base(cursor->ctx, position);
	const layout_tiling_target *row = layout_tiling_target_find(cursor->ctx, name);

	layout_context_set_base(cursor->ctx, base);
	if (row)
		own->row = *row;
	return row;
}

/* The instructions are those that are said, in both lists together. */
static void begin_instructions(struct own_target *own)
{
	if (own->row.instructions != own->instructions)
		own->count = 0;
	own->row.instructions = own->instructions;
	own->instructions[own->count] = NULL;
}

/* An instruction; the same again, with other types, is the same. */
static bool read_instruction(struct text_cursor *cursor, struct own_target *own)
{
	const char *name;

	if (!text_room(cursor, own->count, TEXT_LIST_LIMIT))
		return false;
	name = text_target_instruction(cursor, &own->row);
	if (!name)
		return false;
	if (!own->count || strcmp(own->instructions[own->count - 1], name))
		own->instructions[own->count++] = name;
	own->instructions[own->count] = NULL;
	return true;
}

/* "[<MFMA_F32_16x16x4_F32>, ..]" */
static bool read_mma(struct text_cursor *cursor, struct own_target *own)
{
	struct text_items items = { "[", "]", TEXT_LIST_LIMIT };

	begin_instructions(own);
	while (text_item(cursor, &items))
		if (!text_take(cursor, "<") || !read_instruction(cursor, own) ||
		    !text_take(cursor, ">"))
			return false;
	return items.ended;
}

/* "[<intrinsic = MFMA_SCALE_F32_16x16x128_B32, lhs_elem_type = f4E2M1FN, ..>, ..]"; which types
 * an instruction takes is its own affair. */
static bool read_scaled_mma(struct text_cursor *cursor, struct own_target *own)
{
	struct text_items items = { "[", "]", TEXT_LIST_LIMIT };

	begin_instructions(own);
	while (text_item(cursor, &items)) {
		if (!text_take(cursor, "<") || !text_take(cursor, "intrinsic") ||
		    !text_take(cursor, "=") || !read_instruction(cursor, own))
			return false;
		while (text_skip(cursor, ","))
			text_skip_value(cursor);
		if (!text_take(cursor, ">"))
			return false;
	}
	return items.ended;
}

/* "fp32|fp16" */
static bool read_words(struct text_cursor *cursor, char *words, size_t size)
{
	size_t length = 0;

	do {
		const struct text_token *name = &cursor->token;

		if (name->kind != TEXT_NAME)
			return text_expected(cursor, "a name");
		if (length + name->length + 2 > size)
			return text_expected(cursor, "fewer names");
		if (length)
			words[length++] = '|';
		memcpy(words + length, cursor->text + name->begin, name->length);
		length += name->length;
		text_advance(cursor);
	} while (text_skip(cursor, "|"));
	words[length] = 0;
	return true;
}

/* "[1024, 1024, 1024]", of at most that many. */
static bool read_counts(struct text_cursor *cursor, unsigned *counts, unsigned most)
{
	struct text_items items = { "[", "]", most };
	unsigned count = 0;

	memset(counts, 0, most * sizeof(*counts));
	while (text_item(cursor, &items))
		if (!text_target_count(cursor, &counts[count++]))
			return false;
	return items.ended;
}

/* "[32, 64]": that of the instructions' layouts is among them. */
static bool read_subgroup_sizes(struct text_cursor *cursor, layout_tiling_target *row)
{
	long position = text_position(cursor);

	if (!read_counts(cursor, row->subgroup_sizes, SUBGROUP_SIZES))
		return false;
	for (unsigned i = 0; i < SUBGROUP_SIZES; i++)
		if (row->subgroup_sizes[i] == row->wave_size)
			return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, position,
		"operands of %s lie in waves of %u lanes", row->name, row->wave_size);
	return false;
}

/* A fact of the target; none with "found" false. */
static bool read_fact(struct text_cursor *cursor, struct own_target *own, bool *found)
{
	layout_tiling_target *row = &own->row;
	const struct {
		const char *name;
		unsigned *counts, most;		/* most: 0: a number and no list */
	} counts[] = {
		{ "max_load_instruction_bits", &row->max_load_bits, 0 },
		{ "simds_per_wgp", &row->simds, 0 },
		{ "vgpr_space_bits", &row->vgpr_bits, 0 },
		{ "max_workgroup_memory_bytes", &row->lds_bytes, 0 },
		{ "max_thread_count_per_workgroup", &row->max_workgroup_threads, 0 },
		{ "wgp_count", &row->processors, 0 },
		{ "max_workgroup_sizes", row->max_workgroup_sizes, 3 },
		{ "max_workgroup_counts", row->max_workgroup_counts, 3 },
	};
	const struct {
		const char *name, **words;
	} words[TEXT_TARGET_WORDS - 1] = {
		{ "compute", &row->compute }, { "storage", &row->storage },
		{ "subgroup", &row->subgroup_operations }, { "dot", &row->dot_products },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		if (text_skip(cursor, counts[i].name))
			return text_take(cursor, "=") && (counts[i].most ?
				read_counts(cursor, counts[i].counts, counts[i].most) :
				text_target_count(cursor, counts[i].counts));
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (text_skip(cursor, words[i].name)) {
			*words[i].words = own->words[i];
			return text_take(cursor, "=") &&
				read_words(cursor, own->words[i], sizeof(*own->words));
		}
	*found = false;
	return true;
}

/* A field of the target, or of "wgp = <..>" and "chip = <..>" in it. */
static bool read_field(struct text_cursor *cursor, struct own_target *own)
{
	char *features = own->words[TEXT_TARGET_WORDS - 1];
	bool found = true;

	if (text_skip(cursor, "wgp") || text_skip(cursor, "chip")) {
		if (!text_take(cursor, "=") || !text_take(cursor, "<"))
			return false;
		do {
			if (!read_field(cursor, own))
				return false;
		} while (text_skip(cursor, ","));
		return text_end_list(cursor, ">");
	}
	if (text_skip(cursor, "features")) {
		own->row.processor_features = features;
		return text_take(cursor, "=") &&
			text_target_string(cursor, features, sizeof(*own->words));
	}
	if (text_skip(cursor, "mma"))
		return text_take(cursor, "=") && read_mma(cursor, own);
	if (text_skip(cursor, "scaled_mma"))
		return text_take(cursor, "=") && read_scaled_mma(cursor, own);
	if (text_skip(cursor, "subgroup_size_choices"))
		return text_take(cursor, "=") && read_subgroup_sizes(cursor, &own->row);
	if (!read_fact(cursor, own, &found))
		return false;
	if (!found)
		text_skip_value(cursor);
	return true;
}

bool text_target_gpu(struct text_cursor *cursor, struct own_target *own)
{
	char name[64];
	long position;

	text_advance(cursor);
	if (!text_take(cursor, "<") || !text_take(cursor, "arch") ||
	    !text_take(cursor, "="))
		return false;
	position = text_position(cursor);
	if (!text_target_string(cursor, name, sizeof(name)) ||
	    !text_target_row(cursor, own, name, position))
		return false;
	while (text_skip(cursor, ","))
		if (!read_field(cursor, own))
			return false;
	return text_end_list(cursor, ">");
}
