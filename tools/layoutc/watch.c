/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Not all that isl does is counted by its quota. */
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
