/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc targets */
#include "layoutc/arguments.h"
#include "layoutc/json.h"

#include <layout/target.h>

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

static void print_json_row(const layout_target *target)
{
	int64_t widths[MAX_WIDTHS];
	unsigned count = 0;

	while (count < MAX_WIDTHS && target->lds_load_bytes[count]) {
		widths[count] = target->lds_load_bytes[count];
		count++;
	}
	fputs("{\"name\": ", stdout);
	json_str(stdout, target->name);
	fputs(", \"processor\": ", stdout);
	json_str(stdout, target->processor);
	printf(", \"wave_size\": %u, \"default_wave\": %s, \"lds_bytes\": %u, "
		"\"lds_banks\": %u, \"max_load_bytes\": %u, \"lds_load_bytes\": ",
		target->wave_size, target->default_wave ? "true" : "false",
		target->lds_bytes, target->lds_banks, target->max_load_bytes);
	json_ints(stdout, widths, count);
	putchar('}');
}

int run_targets(const struct arguments *arguments)
{
	bool json = argument_choice(arguments, OPTION_ROW_FORMAT, 0) == 1;
	const layout_target *target;

	if (json)
		putchar('[');
	else
		puts("name              processor    wave LDS bytes LDS banks load bytes"
			"  loads to LDS");
	for (unsigned i = 0; (target = layout_target_at(i)); i++) {
		if (!json) {
			print_row(target);
			continue;
		}
		fputs(i ? ",\n " : "", stdout);
		print_json_row(target);
	}
	fputs(json ? "]\n" : "", stdout);
	return 0;
}
