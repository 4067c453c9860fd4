/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/points.h"
#include "layoutc/json.h"
#include "layoutc/kind.h"

#include <inttypes.h>

struct printer {
	FILE *out;
	const char *head;
	enum points_form form;
	uint64_t count;
};

/* What stands before a point: the head before the first. */
static void print_before(struct printer *printer, const char *separator)
{
	fputs(printer->count++ ? separator : printer->head, printer->out);
}

/* f(0),f(1),.. */
static bool print_offset(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct printer *printer = user;

	(void)in, (void)in_rank, (void)image_rank;
	print_before(printer, ",");
	fprintf(printer->out, "%" PRId64, image[0]);
	return !ferror(printer->out);
}

static void print_point(FILE *out, const int64_t *point, unsigned rank)
{
	fputc('(', out);
	for (unsigned i = 0; i < rank; i++)
		fprintf(out, "%s%" PRId64, i ? ", " : "", point[i]);
	fputc(')', out);
}

/* (i, j) -> (a, b); just (i, j) for a set. */
static bool print_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct printer *printer = user;

	print_before(printer, printer->form == POINTS_LINES ? "\n" : "; ");
	print_point(printer->out, in, in_rank);
	if (image) {
		fputs(" -> ", printer->out);
		print_point(printer->out, image, image_rank);
	}
	return !ferror(printer->out);
}

/* [[i, j], [a, b]] */
static bool print_json_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct printer *printer = user;

	print_before(printer, ", ");
	if (image)
		fputc('[', printer->out);
	json_ints(printer->out, in, in_rank);
	if (image) {
		fputs(", ", printer->out);
		json_ints(printer->out, image, image_rank);
		fputc(']', printer->out);
	}
	return !ferror(printer->out);
}

bool points_print(FILE *out, const char *head, layout_value *value,
	const struct arguments *arguments, enum points_form form)
{
	bool is_cute = value_cute(value);
	struct printer printer = { out, head, form, 0 };
	layout_visit_pair visit = is_cute ? print_offset :
		form == POINTS_JSON ? print_json_pair : print_pair;
	bool good = layout_value_for_each(value, arguments->sizes, arguments->size_count,
		visit, &printer);

	if (good && !printer.count)
		fputs(head, out);
	if (good && form == POINTS_LINES && (printer.count || is_cute))
		fputc('\n', out);
	return good;
}
