/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The library ends what isl takes too long for; but not printing, say. */
#include "layoutc/watch.h"

#include "files/pending.h"
#include "layoutc/report.h"

#include <signal.h>
#include <sys/time.h>

static void give_up(int signal_number)
{
	static const char message[] = "layoutc: error: unknown: time: there is no answer "
		"within the seconds that a command may take\n";

	(void)signal_number;
	pending_exit(message, sizeof(message) - 1, STATUS_UNKNOWN);
}

void watch_begin(void)
{
	const struct itimerval limit = { .it_value = { .tv_sec = WATCH_SECONDS } };

	signal(SIGPROF, give_up);
	setitimer(ITIMER_PROF, &limit, NULL);
}

layout_context *watch_context_new(void)
{
	layout_context *ctx = layout_context_new();

	layout_context_set_time(ctx, 0.9 * WATCH_SECONDS);
	return ctx;
}
