/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc equal --up-to-k */
#include "layoutc/equal.h"

#include <inttypes.h>
#include <layout/view.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LHS_A, RHS_A, LHS_B, RHS_B, RELATIONS };

/* The first image of a point; "rank" is 0 where there is none. */
struct image {
	unsigned rank;
	int64_t at[8];
};

static bool take_image(void *user, const int64_t *point, unsigned rank)
{
	struct image *image = user;

	image->rank = rank < 8 ? rank : 8;
	memcpy(image->at, point, image->rank * sizeof(*point));
	return false;
}

/* "{ [0, 4] }"; the caller frees. */
static char *point_text(const int64_t *point, unsigned rank)
{
	char *text = malloc(8 + 24 * (size_t)rank);
	int length = 0;

	if (!text)
		return NULL;
	length += sprintf(text, "{ [");
	for (unsigned i = 0; i < rank; i++)
		length += sprintf(text + length, "%s%" PRId64, i ? ", " : "", point[i]);
	sprintf(text + length, "] }");
	return text;
}

static struct image image_of(layout_relation *relation, const int64_t *point,
	unsigned rank)
{
	struct image image = { .rank = 0 };
	char *text = point_text(point, rank);
	layout_set *images = text ? layout_relation_range(layout_relation_restrict(
		layout_relation_copy(relation),
		layout_set_read(layout_relation_context(relation), text))) : NULL;

	layout_set_for_each(images, take_image, &image);
	layout_set_free(images);
	free(text);
	return image;
}

static void print_tuple(const int64_t *at, unsigned rank)
{
	putchar('(');
	for (unsigned i = 0; i < rank; i++)
		printf("%s%" PRId64, i ? ", " : "", at[i]);
	putchar(')');
}

/* A point of the witness, [operand, x..], and its images in A and B. */
struct moved {
	bool rhs;
	const int64_t *point;
	unsigned rank;
	struct image image[2];
};

static struct moved find_moved(layout_relation *const relations[RELATIONS],
	const layout_witness *witness, unsigned i)
{
	struct moved moved = { witness->points[i][0] != 0, witness->points[i] + 1,
		witness->ranks[i] - 1, { { .rank = 0 } } };

	for (unsigned side = 0; side < 2; side++)
		moved.image[side] = image_of(relations[2 * side + moved.rhs],
			moved.point, moved.rank);
	return moved;
}

static void print_place(const struct moved *moved)
{
	fputs(moved->rhs ? "rhs " : "lhs ", stdout);
	print_tuple(moved->point, moved->rank);
}

/* Where k stands in A, or in B. */
static int64_t k_of(const struct moved *moved, unsigned side)
{
	const struct image *image = &moved->image[side];

	return image->at[image->rank - 1 - moved->rhs];
}

/* "lhs (0, 4): (0, 1), (1, 1)", the images in A and in B. */
static void print_one(const struct moved *moved)
{
	print_place(moved);
	for (unsigned side = 0; side < 2; side++) {
		fputs(side ? ", " : ": ", stdout);
		if (moved->image[side].rank)
			print_tuple(moved->image[side].at, moved->image[side].rank);
		else
			fputs("nothing", stdout);
	}
}

/* "lhs (0, 4), rhs (0, 4): k = 1 becomes 5 and 3" */
static void print_two(const struct moved moved[2])
{
	print_place(&moved[0]);
	fputs(", ", stdout);
	print_place(&moved[1]);
	if (k_of(&moved[0], 0) == k_of(&moved[1], 0))
		printf(": k = %" PRId64 " becomes %" PRId64 " and %" PRId64,
			k_of(&moved[0], 0), k_of(&moved[0], 1), k_of(&moved[1], 1));
	else
		printf(": k = %" PRId64 " and k = %" PRId64 " both become %" PRId64,
			k_of(&moved[0], 0), k_of(&moved[1], 0), k_of(&moved[0], 1));
}

static int print_different(layout_relation *const relations[RELATIONS],
	const layout_witness *witness)
{
	struct moved moved[2];

	for (unsigned i = 0; i < witness->point_count; i++)
		moved[i] = find_moved(relations, witness, i);
	fputs("different: ", stdout);
	if (witness->point_count > 1)
		print_two(moved);
	else
		print_one(moved);
	putchar('\n');
	return STATUS_NO;
}

/* Consumes the permutation. */
static int print_equal(layout_context *ctx, layout_relation *permutation)
{
	static const char *const names[] = { "k" };
	char *text;

	permutation = layout_relation_simplify(layout_relation_name_in_coordinates(
		permutation, names, 1));
	text = layout_relation_str(permutation);
	layout_relation_free(permutation);
	if (!text)
		return report_error(ctx, "equal");
	printf("equal up to %s\n", text);
	layout_string_free(text);
	return STATUS_YES;
}

static int compare(layout_context *ctx, const struct subject subjects[],
	layout_relation *const relations[RELATIONS])
{
	layout_relation *permutation = NULL;
	layout_witness *witness = NULL;
	layout_answer answer = layout_mma_equal_up_to_k(relations[LHS_A],
		relations[RHS_A], relations[LHS_B], relations[RHS_B], &permutation,
		&witness);
	int status;

	if (answer == LAYOUT_YES)
		return print_equal(ctx, permutation);
	if (answer == LAYOUT_NO) {
		status = print_different(relations, witness);
		layout_witness_free(witness);
		return status;
	}
	if (!error_is_unknown(ctx))
		return report_text(ctx, &subjects[LHS_A].text, "equal");
	printf("unknown: %s\n", layout_context_message(ctx));
	return STATUS_UNKNOWN;
}

int compare_up_to_k(layout_context *ctx, const struct subject subjects[])
{
	layout_relation *relations[RELATIONS] = { NULL };
	int status = 0;

	for (unsigned i = 0; !status && i < RELATIONS; i++) {
		relations[i] = layout_value_relation(subjects[i].value);
		if (!relations[i])
			status = report_text(ctx, &subjects[i].text, "equal");
	}
	if (!status)
		status = compare(ctx, subjects, relations);
	for (unsigned i = 0; i < RELATIONS; i++)
		layout_relation_free(relations[i]);
	return status;
}
