/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc count */
#include "layoutc/json.h"
#include "layoutc/kind.h"
#include "layoutc/property.h"
#include "layoutc/report.h"
#include "layoutc/watch.h"

#include <layout/count.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTED (LAYOUT_COUNT_PADDING + 1)

/* In the order of layout_counted. */
static const char *const names[COUNTED] = { "points", "cells", "padding" };

/* What is counted: "relation" is NULL for a set, "onto" where no box is declared. */
struct counted {
	layout_value *value;
	layout_set *set;
	layout_relation *relation;
	layout_set *onto;
	const struct arguments *arguments;
	bool fixed;		/* with -D: the value's own formulas are too general */
	bool open;		/* a size has no value */
};

/* Has a size no value? */
static bool is_open(layout_value *value, const struct arguments *arguments)
{
	const char *name;

	for (unsigned i = 0; (name = layout_value_size_name(value, i)); i++)
		if (!find_size(arguments->sizes, arguments->size_count, name))
			return true;
	return false;
}

static bool counted_from(struct counted *counted, layout_context *ctx,
	layout_value *value, const struct arguments *arguments)
{
	*counted = (struct counted){ .value = value, .arguments = arguments,
		.fixed = arguments->size_count > 0, .open = is_open(value, arguments) };
	if (kind_of(value)->is_set) {
		counted->set = value_set(value, arguments);
		return counted->set;
	}
	counted->relation = value_relation(value, arguments);
	counted->onto = layout_set_fix(layout_value_onto(value), arguments->sizes,
		arguments->size_count);
	return counted->relation && layout_context_error(ctx) == LAYOUT_ERROR_NONE;
}

static void counted_release(struct counted *counted)
{
	layout_set_free(counted->set);
	layout_relation_free(counted->relation);
	layout_set_free(counted->onto);
}

static bool makes_sense(const struct counted *counted, layout_counted what)
{
	return what == LAYOUT_COUNT_POINTS || (counted->relation &&
		(what == LAYOUT_COUNT_CELLS || counted->onto));
}

/* What --of asks for and cannot have. */
static int refuse(const struct counted *counted, layout_counted what)
{
	if (counted->set)
		return report(STATUS_USAGE, "--of", "%s of what? a set has points",
			names[what]);
	return report(STATUS_USAGE, "--of", "padding of what? this notation declares no "
		"box of cells");
}

static bool is_injective(const struct counted *counted)
{
	layout_answer answer = layout_relation_is_injective(counted->relation, NULL);

	layout_context_clear(layout_relation_context(counted->relation));
	return answer == LAYOUT_YES;
}

/* The elements of a storage, whatever its strides are. */
static char *count_elements(const struct counted *counted, layout_storage *storage)
{
	unsigned rank = layout_storage_rank(storage);
	const char **sizes = calloc(rank + 1, sizeof(*sizes));
	layout_storage *plain = NULL;
	layout_set *set;
	char *text;

	for (unsigned d = 0; sizes && d < rank; d++)
		sizes[d] = layout_storage_size(storage, d);
	if (sizes)
		plain = layout_storage_row_major(layout_storage_context(storage), rank,
			sizes);
	set = layout_set_fix(layout_relation_domain(layout_storage_relation(plain)),
		counted->arguments->sizes, counted->arguments->size_count);
	text = layout_set_count(set);
	layout_set_free(set);
	layout_storage_free(plain);
	free(sizes);
	return text;
}

/* A storage knows its padding, in which the gaps between strides are none, and while a
 * size is open its elements, since the conditions on named strides hold, and where each
 * has a cell of its own, their cells. */
static char *count_storage(const struct counted *counted, layout_storage *storage,
	layout_counted what)
{
	bool packed = layout_storage_get_kind(storage) == LAYOUT_STORAGE_PACKED;

	if (what == LAYOUT_COUNT_PADDING && (!counted->fixed || !packed))
		return layout_storage_padding_count(storage);
	if ((!counted->fixed || counted->open) && (what == LAYOUT_COUNT_POINTS ||
			(what == LAYOUT_COUNT_CELLS && is_injective(counted))))
		return counted->fixed ? count_elements(counted, storage) :
			layout_storage_element_count(storage);
	return layout_relation_count(counted->relation, what, counted->onto);
}

static char *count(const struct counted *counted, layout_counted what)
{
	const char *known = counted->fixed ? NULL : layout_value_count(counted->value);
	layout_storage *storage = value_storage(counted->value);

	watch_share(layout_value_context(counted->value));
	if (known)
		return strdup(known);
	if (counted->set)
		return layout_set_count(counted->set);
	if (storage)
		return count_storage(counted, storage, what);
	return layout_relation_count(counted->relation, what, counted->onto);
}

/* "points": "M*K", or that it is unknown. */
static void print_member(FILE *out, const char *name, const char *text, const char *message)
{
	json_str(out, name);
	fputs(": ", out);
	if (text)
		json_str(out, text);
	else
		json_answer(out, "unknown", NULL, message);
}

/* Print one line or member; false: the caller reports the error. */
static bool print_count(layout_context *ctx, const struct counted *counted,
	layout_counted what, FILE *json, int *status)
{
	char *text = count(counted, what);

	if (!text && layout_context_error(ctx) != LAYOUT_ERROR_NO_ANSWER &&
	    !error_is_unknown(ctx))
		return false;
	if (json)
		print_member(json, names[what], text, layout_context_message(ctx));
	else if (text)
		printf("%s: %s\n", names[what], text);
	else
		printf("%s: unknown: %s\n", names[what], layout_context_message(ctx));
	if (!text)
		*status = STATUS_UNKNOWN;
	layout_string_free(text);
	layout_context_clear(ctx);
	return true;
}

/* What --of names, each once, or what makes sense. */
static unsigned wanted(const struct arguments *arguments, const struct counted *counted,
	int list[COUNTED])
{
	unsigned count = argument_choices(arguments, OPTION_COUNTED, list);

	if (count)
		return count;
	for (int what = 0; what < COUNTED; what++)
		if (makes_sense(counted, (layout_counted)what))
			list[count++] = what;
	return count;
}

static int print_counts(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments, const struct counted *counted)
{
	int list[COUNTED];
	unsigned count = wanted(arguments, counted, list);
	struct json_object json = { 0 };
	int status = STATUS_YES;
	bool good = true;

	for (unsigned i = 0; i < count; i++)
		if (!makes_sense(counted, list[i]))
			return refuse(counted, list[i]);
	if (argument_choice(arguments, OPTION_ANSWER_FORMAT, 0) && !json_open(&json))
		return report(STATUS_UNKNOWN, "count", "no memory");
	for (unsigned i = 0; good && i < count; i++) {
		json_next(&json);
		good = print_count(ctx, counted, list[i], json.out, &status);
	}
	json_close(&json, good);
	return good ? status : report_text(ctx, &subject->text, "count");
}

static int count_subject(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	struct counted counted;
	int status = counted_from(&counted, ctx, subject->value, arguments) ?
		print_counts(ctx, subject, arguments, &counted) :
		report_text(ctx, &subject->text, "count");

	counted_release(&counted);
	return status;
}

int run_count(const struct arguments *arguments)
{
	return with_subject(arguments, false, count_subject);
}
