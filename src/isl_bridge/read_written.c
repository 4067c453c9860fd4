/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tuples and conditions. */
#include "isl_bridge/read_written.h"

#include <string.h>

/* What isl's functions cost grows with the floors in them, and more so in conditions. */
#define MOST_USES 2500u
#define MOST_USES_OF_CONDITIONS 40u

void written_refuse(struct written *written)
{
	written->refused = true;
	written->token.kind = TOKEN_OTHER;
}

bool written_at(const struct written *written, int kind)
{
	return written->token.kind == kind;
}

bool written_take(struct written *written, int kind)
{
	if (!written_at(written, kind))
		return false;
	written->token = token_at(written->token.text + written->token.length);
	return true;
}

void written_need(struct written *written, int kind)
{
	if (!written_take(written, kind))
		written_refuse(written);
}

const struct written_name *written_find(const struct written *written)
{
	for (unsigned i = 0; i < written->name_count; i++) {
		const struct written_name *name = &written->names[i];

		if (name->length == written->token.length &&
		    memcmp(name->text, written->token.text, name->length) == 0)
			return name;
	}
	return NULL;
}

static bool at_new_name(const struct written *written)
{
	return written_at(written, TOKEN_NAME) && !written_find(written);
}

/* Take the name that comes next. */
static struct written_name take_name(struct written *written, unsigned column)
{
	struct written_name name = { written->token.text, written->token.length, column };

	written_need(written, TOKEN_NAME);
	return name;
}

static unsigned add_variable(struct written *written)
{
	if (written->variable_count == WRITTEN_VARIABLES) {
		written_refuse(written);
		return 0;
	}
	return written->variable_count++;
}

/* "left" - "right" and its comparison with 0; of integers, as isl takes 1/3 < i/2 to be
 * 1/3 + 1 <= i/2. */
static void add_condition(struct written *written, const struct written_sum *left,
	int comparison, const struct written_sum *right)
{
	bool less = comparison == '<' || comparison == TOKEN_LESS_EQUAL;
	struct written_condition *condition;

	if (written->condition_count == WRITTEN_CONDITIONS ||
	    left->by != 1 || right->by != 1)
		written_refuse(written);
	if (written->refused)
		return;
	condition = &written->conditions[written->condition_count++];
	condition->equal = comparison == '=';
	condition->sum = less ? *right : *left;
	written_add(written, &condition->sum, -1, less ? left : right);
	if ((comparison == '<' || comparison == '>') && __builtin_sub_overflow(
		condition->sum.constant, 1, &condition->sum.constant))
		written_refuse(written);
}

/* "M" */
static void read_param(struct written *written)
{
	unsigned column = add_variable(written);

	if (!at_new_name(written)) {
		written_refuse(written);
		return;
	}
	written->names[written->name_count++] = take_name(written, column);
}

/* "i", "i = 5", "5" */
static void read_input(struct written *written)
{
	unsigned column = add_variable(written);
	struct written_sum input, sum;

	if (!written->refused && at_new_name(written)) {
		written->names[written->name_count++] = take_name(written, column);
		if (!written_take(written, '='))
			return;
	}
	written_column(&input, column);
	written_read_sum(written, &sum);
	add_condition(written, &sum, '=', &input);
}

/* "8i + 1", "x = 8i + 1" */
static void read_image(struct written *written)
{
	unsigned i = written->image_count;

	if (i == WRITTEN_IMAGES) {
		written_refuse(written);
		return;
	}
	written->image_count++;
	if (at_new_name(written)) {
		written->image_names[i] = take_name(written, WRITTEN_NO_COLUMN);
		written->names[written->name_count++] = written->image_names[i];
		written_need(written, '=');
	}
	written_read_sum(written, &written->images[i]);
	if (written->images[i].by != 1)
		written_refuse(written);
}

static void read_entries(struct written *written, void (*read)(struct written *))
{
	written_need(written, '[');
	if (!written_at(written, ']'))
		do
			read(written);
		while (written_take(written, ','));
	written_need(written, ']');
}

static void read_tuple(struct written *written, struct written_name *tuple,
	void (*read)(struct written *))
{
	if (written_at(written, TOKEN_NAME))
		*tuple = take_name(written, WRITTEN_NO_COLUMN);
	read_entries(written, read);
}

/* "i, j" */
static void read_list(struct written *written, struct written_list *list)
{
	list->count = 0;
	do {
		if (list->count == WRITTEN_LIST) {
			written_refuse(written);
			return;
		}
		written_read_sum(written, &list->sums[list->count++]);
	} while (written_take(written, ','));
}

/* "0 <= i, j < 4" */
static void read_comparisons(struct written *written)
{
	struct written_list *left = &written->lists[0], *right = &written->lists[1];

	read_list(written, left);
	do {
		int comparison = written->token.kind;
		struct written_list *next = left;

		if (!token_is_comparison(comparison)) {
			written_refuse(written);
			return;
		}
		written_need(written, comparison);
		read_list(written, right);
		for (unsigned i = 0; i < left->count; i++)
			for (unsigned k = 0; k < right->count; k++)
				add_condition(written, &left->sums[i], comparison,
					&right->sums[k]);
		left = right;
		right = next;
	} while (token_is_comparison(written->token.kind));
}

static unsigned uses(const struct written *written, const struct written_sum *sum)
{
	unsigned count = 0;

	for (unsigned i = 0; i < written->floor_count; i++)
		count += sum->coefficients[WRITTEN_VARIABLES + i] != 0;
	return count;
}

static bool is_affordable(const struct written *written)
{
	unsigned all = 0, conditions = 0;

	for (unsigned i = 0; i < written->floor_count; i++)
		all += uses(written, &written->floors[i]);
	for (unsigned i = 0; i < written->image_count; i++)
		all += uses(written, &written->images[i]);
	for (unsigned i = 0; i < written->condition_count; i++)
		conditions += uses(written, &written->conditions[i].sum);
	return all <= MOST_USES && conditions <= MOST_USES_OF_CONDITIONS;
}

bool written_read(struct written *written, const char *text)
{
	written->token = token_at(text);
	if (written_at(written, '[')) {
		read_entries(written, read_param);
		written_need(written, TOKEN_ARROW);
	}
	written->param_count = written->variable_count;
	written_need(written, '{');
	read_tuple(written, &written->tuples[0], read_input);
	written_need(written, TOKEN_ARROW);
	read_tuple(written, &written->tuples[1], read_image);
	if (written_take(written, ':'))
		do
			read_comparisons(written);
		while (written_take(written, TOKEN_AND));
	written_need(written, '}');
	written_need(written, TOKEN_END);
	return !written->refused && is_affordable(written);
}
