/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The library ends what isl takes too long for; but not printing, say, and what isl takes of
 * memory nobody counts. */
#include "layoutc/watch.h"

#include "files/pending.h"
#include "layoutc/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

/* Of the processor, between two looks at the memory. */
#define TICK_MICROSECONDS 20000

static void give_up(int signal_number)
{
	static const char message[] = "layoutc: error: unknown: time: there is no answer "
		"within the seconds that a command may take\n";

	(void)signal_number;
	pending_exit(message, sizeof(message) - 1, STATUS_UNKNOWN);
}

/* The second number of /proc/self/statm, pages that are in memory now; 0 where there is no
 * /proc.  What getrusage() has is the most that the program which started us had, too. */
static int64_t pages(void)
{
	int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char text[64] = "";
	const char *at = text;
	ssize_t length = file < 0 ? 0 : read(file, text, sizeof(text) - 1);
	int64_t number = 0;

	if (file >= 0)
		close(file);
	text[length > 0 ? length : 0] = 0;
	while (*at >= '0' && *at <= '9')
		at++;
	for (at += *at == ' '; *at >= '0' && *at <= '9'; at++)
		number = 10 * number + (*at - '0');
	return number;
}

/* In a signal's handler: nothing here allocates. */
static void look(int signal_number)
{
	static const char message[] = "layoutc: error: unknown: memory: there is no answer "
		"within the memory that a command may take\n";
	int before = errno;

	(void)signal_number;
	if (pages() >= WATCH_MEBIBYTES * (1048576l / sysconf(_SC_PAGESIZE)))
		pending_exit(message, sizeof(message) - 1, STATUS_UNKNOWN);
	errno = before;
}

static void set_timers(struct timeval limit, struct timeval tick)
{
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value = limit }, NULL);
	setitimer(ITIMER_VIRTUAL, &(struct itimerval){ tick, tick }, NULL);
}

void watch_begin(void)
{
	signal(SIGPROF, give_up);
	signal(SIGVTALRM, look);
	set_timers((struct timeval){ .tv_sec = WATCH_SECONDS },
		(struct timeval){ .tv_usec = TICK_MICROSECONDS });
}

void watch_end(void)
{
	set_timers((struct timeval){ 0 }, (struct timeval){ 0 });
}

/* Seconds that no question gets: a command prints, and frees what isl has. */
#define TO_END 0.5
#define LEAST_SHARE 0.01

/* Of two digits, since messages say it. */
void watch_share(layout_context *ctx)
{
	struct itimerval timer;
	double left = 0, share;
	char text[16];

	if (!getitimer(ITIMER_PROF, &timer))
		left = (double)timer.it_value.tv_sec + 1e-6 * (double)timer.it_value.tv_usec;
	left = left > 0 ? left : WATCH_SECONDS;
	share = 0.9 * left < left - TO_END ? 0.9 * left : left - TO_END;
	snprintf(text, sizeof(text), "%.1e", share > LEAST_SHARE ? share : LEAST_SHARE);
	layout_context_set_time(ctx, strtod(text, NULL));
}

layout_context *watch_context_new(void)
{
	layout_context *ctx = layout_context_new();

	watch_share(ctx);
	return ctx;
}
