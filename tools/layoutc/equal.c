/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc equal */
#include "layoutc/equal.h"

#include <stdio.h>

/* An encoding that waits for sizes, a shape or a target meets nothing but its like. */
static bool is_waiting(const struct subject *subject)
{
	layout_value_kind kind = layout_value_get_kind(subject->value);

	return kind == LAYOUT_VALUE_ENCODING || kind == LAYOUT_VALUE_TRITON ||
		kind == LAYOUT_VALUE_OPERAND;
}

/* The operand that an error is about: of two that do not meet the second, unless the
 * first meets none. */
static int report_operand(layout_context *ctx, const struct subject *a,
	const struct subject *b)
{
	return report_text(ctx, is_waiting(a) ? &a->text : &b->text, "equal");
}

static int print_answer(layout_context *ctx, const struct subject subjects[],
	layout_answer answer, const layout_witness *witness)
{
	if (answer == LAYOUT_YES) {
		puts("equal");
		return STATUS_YES;
	}
	if (answer == LAYOUT_NO) {
		printf("different: %s\n", witness ? witness->text : "no witness");
		return STATUS_NO;
	}
	if (!error_is_unknown(ctx))
		return report_operand(ctx, &subjects[0], &subjects[1]);
	printf("unknown: %s\n", layout_context_message(ctx));
	return STATUS_UNKNOWN;
}

static int compare(layout_context *ctx, const struct subject subjects[])
{
	layout_witness *witness = NULL;
	layout_answer answer = layout_equal(subjects[0].value, subjects[1].value,
		&witness);
	int status = print_answer(ctx, subjects, answer, witness);

	layout_witness_free(witness);
	return status;
}

static layout_encoding *encoding_of(layout_context *ctx, layout_value *value)
{
	char *text = layout_value_str(value);
	layout_encoding *encoding = text ? layout_encoding_parse(ctx, text) : NULL;

	layout_string_free(text);
	return encoding;
}

/* The rank of the tensor, or the least that it can be. */
static unsigned rank_of(layout_encoding *encoding)
{
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	unsigned rank = 0;

	if (!layout_encoding_describe(encoding, &desc))
		return 0;
	if (desc.outer_dims_perm)
		return desc.outer_count;
	for (unsigned i = 0; i < desc.inner_count; i++)
		if (desc.inner_dims_pos[i] >= (int64_t)rank)
			rank = (unsigned)desc.inner_dims_pos[i] + 1;
	return rank;
}

/* Encodings of tensors [s0, s1, ..]. */
static void pack(layout_context *ctx, const struct subject subjects[],
	layout_storage *storages[2])
{
	char names[LAYOUT_STORAGE_SLOTS][16];
	const char *sizes[LAYOUT_STORAGE_SLOTS];
	layout_encoding *encodings[2];
	unsigned rank = 0;

	for (unsigned i = 0; i < 2; i++) {
		encodings[i] = encoding_of(ctx, subjects[i].value);
		if (rank_of(encodings[i]) > rank)
			rank = rank_of(encodings[i]);
	}
	for (unsigned d = 0; d < rank && d < LAYOUT_STORAGE_SLOTS; d++) {
		snprintf(names[d], sizeof(names[d]), "s%u", d);
		sizes[d] = names[d];
	}
	for (unsigned i = 0; i < 2; i++)
		storages[i] = layout_storage_packed(encodings[i], rank, sizes);
}

/* The storages of two operands; 0, or a complaint. */
static int find_storages(layout_context *ctx, const struct subject subjects[],
	layout_storage *storages[2])
{
	bool pair = layout_value_get_kind(subjects[0].value) == LAYOUT_VALUE_ENCODING &&
		layout_value_get_kind(subjects[1].value) == LAYOUT_VALUE_ENCODING;

	if (pair)
		pack(ctx, subjects, storages);
	for (unsigned i = 0; i < 2; i++) {
		if (!pair)
			storages[i] = layout_storage_copy(
				layout_value_storage(subjects[i].value));
		if (!storages[i])
			return report_text(ctx, &subjects[i].text, "equal");
	}
	return 0;
}

static int compare_memory(layout_context *ctx, const struct subject subjects[])
{
	layout_storage *storages[2] = { NULL, NULL };
	layout_witness *witness = NULL;
	layout_answer answer;
	int status = find_storages(ctx, subjects, storages);

	if (!status) {
		answer = layout_storage_same_memory(storages[0], storages[1], &witness);
		status = print_answer(ctx, subjects, answer, witness);
	}
	layout_witness_free(witness);
	for (unsigned i = 0; i < 2; i++)
		layout_storage_free(storages[i]);
	return status;
}

/* 0, or a complaint: the operands are not what the options need. */
static int check_operands(const struct arguments *arguments)
{
	bool up_to_k = argument_given(arguments, OPTION_UP_TO_K);

	if (up_to_k && argument_given(arguments, OPTION_MEMORY))
		return report(STATUS_USAGE, "equal",
			"--memory compares two storages, --up-to-k two products: one of "
			"them");
	if (up_to_k && arguments->operand_count != 4)
		return report(STATUS_USAGE, "equal",
			"--up-to-k compares LHS RHS with LHS RHS: four operands, found "
			"%u", arguments->operand_count);
	if (!up_to_k && arguments->operand_count != 2)
		return report(STATUS_USAGE, "equal",
			"it compares EXPR with EXPR: two operands, found %u; four are "
			"for --up-to-k", arguments->operand_count);
	return 0;
}

int run_equal(const struct arguments *arguments)
{
	struct subject subjects[MAX_OPERANDS] = { 0 };
	layout_context *ctx;
	int status = check_operands(arguments);

	if (status)
		return status;
	ctx = layout_context_new();
	if (!ctx)
		return report(STATUS_UNKNOWN, "equal", "no memory");
	for (unsigned i = 0; !status && i < arguments->operand_count; i++)
		status = subject_open(&subjects[i], ctx, arguments->operands[i], false,
			"equal");
	if (!status)
		status = (argument_given(arguments, OPTION_UP_TO_K) ? compare_up_to_k :
			argument_given(arguments, OPTION_MEMORY) ? compare_memory :
			compare)(ctx, subjects);
	for (unsigned i = 0; i < MAX_OPERANDS; i++)
		subject_release(&subjects[i]);
	layout_context_free(ctx);
	return status;
}
