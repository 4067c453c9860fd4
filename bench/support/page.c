/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/page.h"
#include "timing.h"

#include <stdio.h>
#include <string.h>

#define SAMPLES 31
#define SAMPLE_MS 0.3		/* a sample repeats the work for that long */
#define SLOW_MS 50.0		/* work that takes longer is not repeated */

double page_measure(bool (*run)(void *user), void *user)
{
	double taken[SAMPLES], at = now_ms(), once;
	unsigned long repeat;

	if (!run(user))
		return -1;
	once = now_ms() - at;
	if (once > SLOW_MS)
		return 1e3 * once;
	repeat = 1 + (unsigned long)(SAMPLE_MS / (once > 1e-4 ? once : 1e-4));
	for (int i = 0; i < SAMPLES; i++) {
		at = now_ms();
		for (unsigned long n = 0; n < repeat; n++)
			run(user);
		taken[i] = (now_ms() - at) / (double)repeat;
	}
	return 1e3 * median(taken, SAMPLES);
}

void page_print_time(double us)
{
	if (us < 0)
		printf(" none |");
	else if (us < 1000)
		printf(" %.*f us |", us < 100 ? 2 : 0, us);
	else if (us < 1e6)
		printf(" %.1f ms |", us / 1e3);
	else
		printf(" %.1f s |", us / 1e6);
}

void page_print_machine(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
			line[strcspn(line, "\n")] = 0;
			printf("One core of %s, ", strchr(line, ':') + 2);
			break;
		}
	if (file)
		fclose(file);
}

double page_run_tests(const char *const *tests, unsigned count, const char *filter)
{
	double at = now_ms();

	for (unsigned i = 0; i < count; i++) {
		char command[512];

		snprintf(command, sizeof(command), "%s%s%s %s/tests/test_%s "
			">/dev/null 2>&1", filter ? "LAYOUT_TEST_FILTER='" : "",
			filter ? filter : "", filter ? "'" : "", BUILD_DIR, tests[i]);
		if (system(command) != 0)
			return -1;
	}
	return 1e3 * (now_ms() - at);
}
