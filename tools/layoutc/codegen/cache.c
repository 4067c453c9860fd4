/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc cache */
#include "layoutc/arguments.h"
#include "layoutc/report.h"

#include <layout/layout.h>
#include <layout/run.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int show(layout_context *ctx)
{
	char *folder = layout_cache_folder(ctx);
	uint64_t entries, bytes;

	layout_cache_measure(&entries, &bytes);
	fputs("folder ", stdout);
	report_escaped(stdout, folder ? folder : "none");
	printf("\nentries %" PRIu64 "\nbytes %" PRIu64 "\n", entries, bytes);
	layout_string_free(folder);
	return STATUS_YES;
}

int run_cache(const struct arguments *arguments)
{
	layout_context *ctx;
	int status;

	if (arguments->operand_count && strcmp(arguments->operands[0], "clear"))
		return report(STATUS_USAGE, "cache", "'%s': it is shown, or its operand is "
			"clear", arguments->operands[0]);
	if (arguments->operand_count && !layout_cache_clear())
		return report(STATUS_IO, "cache", "not all of it could be removed");
	ctx = layout_context_new();
	if (!ctx)
		return report(STATUS_UNKNOWN, "cache", "no memory");
	status = show(ctx);
	layout_context_free(ctx);
	return status;
}
