/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc targets */
#include "layoutc/arguments.h"
#include "layoutc/json.h"
#include "layoutc/report.h"
#include "layoutc/watch.h"

#include <layout/target.h>
#include <layout/tiling.h>

#include <string.h>

#define MAX_WIDTHS 4	/* without the 0 behind them */

/* "4", "4,12,16", "-". */
static void print_widths(FILE *out, const layout_target *target)
{
	if (!target->lds_load_bytes[0])
		fputc('-', out);
	for (unsigned i = 0; i < MAX_WIDTHS && target->lds_load_bytes[i]; i++)
		fprintf(out, "%s%u", i ? "," : "", target->lds_load_bytes[i]);
}

static void print_row(const layout_target *target)
{
	printf("%-18s%-12s%5u%10u%10u%11u  ", target->name, target->processor,
		target->wave_size, target->lds_bytes, target->lds_banks,
		target->max_load_bytes);
	print_widths(stdout, target);
	putchar('\n');
}

static void print_header(void)
{
	puts("name              processor    wave LDS bytes LDS banks load bytes"
		"  loads to LDS");
}

/* The members of a target's object but for its braces. */
static void print_json_row(const layout_target *target)
{
	int64_t widths[MAX_WIDTHS];
	unsigned count = 0;

	while (count < MAX_WIDTHS && target->lds_load_bytes[count]) {
		widths[count] = target->lds_load_bytes[count];
		count++;
	}
	fputs("\"name\": ", stdout);
	json_str(stdout, target->name);
	fputs(", \"processor\": ", stdout);
	json_str(stdout, target->processor);
	printf(", \"wave_size\": %u, \"default_wave\": %s, \"lds_bytes\": %u, "
		"\"lds_banks\": %u, \"max_load_bytes\": %u, \"lds_load_bytes\": ",
		target->wave_size, target->default_wave ? "true" : "false",
		target->lds_bytes, target->lds_banks, target->max_load_bytes);
	json_ints(stdout, widths, count);
}

static void print_all(bool json)
{
	const layout_target *target;

	if (json)
		putchar('[');
	else
		print_header();
	for (unsigned i = 0; (target = layout_target_at(i)); i++) {
		if (!json) {
			print_row(target);
			continue;
		}
		fputs(i ? ",\n {" : "{", stdout);
		print_json_row(target);
		putchar('}');
	}
	fputs(json ? "]\n" : "", stdout);
}

/* What there is of a target: its row of the table, and what data tiling goes by. */
struct described {
	const layout_target *row;	/* NULL: no kernels are made for it */
	layout_tiling_target *tiling;	/* NULL: it has none */
	char *mlir;			/* of "tiling" */
};

static void print_described(const struct described *described)
{
	if (described->row) {
		print_header();
		print_row(described->row);
	}
	if (described->mlir)
		puts(described->mlir);
}

/* "fp32|fp16" as a list. */
static void json_words(const char *name, const char *words)
{
	const char *separator = "";

	if (!words)
		return;
	printf(", \"%s\": [", name);
	for (; *words; words += strspn(words, "|")) {
		size_t length = strcspn(words, "|");

		printf("%s\"%.*s\"", separator, (int)length, words);
		separator = ", ";
		words += length;
	}
	putchar(']');
}

/* Those of IREE's attribute that have no other place: its limits and its lists. */
static void print_json_tiling(const layout_tiling_target *target)
{
	const unsigned *sizes = target->max_workgroup_sizes;
	const unsigned *counts = target->max_workgroup_counts;

	if (*sizes)
		printf(", \"max_workgroup_sizes\": [%u, %u, %u]", sizes[0], sizes[1], sizes[2]);
	if (target->max_workgroup_threads)
		printf(", \"max_workgroup_threads\": %u", target->max_workgroup_threads);
	if (*counts)
		printf(", \"max_workgroup_counts\": [%u, %u, %u]", counts[0], counts[1],
			counts[2]);
	json_words("compute", target->compute);
	json_words("storage", target->storage);
	json_words("subgroup_operations", target->subgroup_operations);
	json_words("dot_products", target->dot_products);
}

static void print_json_described(const struct described *described)
{
	putchar('{');
	if (described->row) {
		print_json_row(described->row);
	} else {
		fputs("\"name\": ", stdout);
		json_str(stdout, described->tiling->name);
	}
	if (described->mlir) {
		print_json_tiling(described->tiling);
		fputs(", \"mlir\": ", stdout);
		json_str(stdout, described->mlir);
	}
	putchar('}');
}

static void print_one(const struct described *described, bool json, bool first)
{
	fputs(!json ? "" : first ? "[" : ",\n ", stdout);
	if (json)
		print_json_described(described);
	else
		print_described(described);
}

/* A target that kernels are made for; NULL, and no error, where that is no name of one. */
static const layout_target *find_row(layout_context *ctx, const char *name)
{
	const layout_target *row = layout_target_find(ctx, name);

	layout_context_clear(ctx);
	return row;
}

/* One of a text that may have several, number i; false past the last, and on an error.  A
 * name alone may be that of a target without data tiling. */
static bool describe(layout_context *ctx, const struct text *text, unsigned i,
	struct described *described)
{
	*described = (struct described){ NULL };
	described->tiling = layout_tiling_target_parse_at(ctx, text->content, i);
	if (!described->tiling) {
		if (layout_context_error(ctx) == LAYOUT_ERROR_UNSUPPORTED && !i)
			described->row = layout_target_find(ctx, text->content);
		return described->row;
	}
	described->row = find_row(ctx, described->tiling->instructions_of);
	described->mlir = layout_tiling_target_str(ctx, described->tiling);
	if (!described->mlir)
		layout_tiling_target_free(described->tiling);
	return described->mlir;
}

static int describe_all(layout_context *ctx, const struct text *text, bool json)
{
	struct described described;
	bool last = false;
	unsigned i;

	for (i = 0; !last && describe(ctx, text, i, &described); i++) {
		print_one(&described, json, !i);
		last = !described.tiling;
		layout_string_free(described.mlir);
		layout_tiling_target_free(described.tiling);
	}
	if (json && i)
		puts("]");
	return layout_context_error(ctx) == LAYOUT_ERROR_NONE || last ? STATUS_YES :
		report_text(ctx, text, "targets");
}

int run_targets(const struct arguments *arguments)
{
	bool json = argument_choice(arguments, OPTION_ROW_FORMAT, 0) == 1;
	struct complaint complaint;
	layout_context *ctx;
	struct text text;
	int status;

	if (!arguments->operand_count) {
		print_all(json);
		return STATUS_YES;
	}
	ctx = watch_context_new();
	if (!ctx)
		return report(STATUS_UNKNOWN, "targets", "no memory");
	if (text_from(&text, arguments->operands[0], true, &complaint))
		status = describe_all(ctx, &text, json);
	else
		status = report_file(arguments->operands[0], &complaint);
	text_release(&text);
	layout_context_free(ctx);
	return status;
}
