/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The library ends what isl takes too long for; but not printing, say, and what isl takes of
 * memory nobody counts. */
#include "layoutc/watch.h"

#include "files/pending.h"
#include "layoutc/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Of the processor, between two looks at the memory. */
#define TICK_NANOSECONDS 20000000

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

/* On the clock that the library looks at; the timers of setitimer() count ticks, of which
 * a busy machine gives a process more than it runs. */
enum { LIMIT, TICK, TIMERS };

static struct watch_timer {
	void (*handler)(int signal_number);
	int signal_number;
	bool made;
	timer_t timer;
} timers[TIMERS] = {
	[LIMIT] = { .handler = give_up, .signal_number = SIGPROF },
	[TICK] = { .handler = look, .signal_number = SIGVTALRM },
};

static void set_timer(struct watch_timer *timer, struct timespec first, struct timespec every)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = timer->signal_number,
	};

	signal(timer->signal_number, timer->handler);
	if (!timer->made)
		timer->made = !timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer->timer);
	if (timer->made)
		timer_settime(timer->timer, 0, &(struct itimerspec){ every, first }, NULL);
}

void watch_begin(void)
{
	const struct timespec tick = { .tv_nsec = TICK_NANOSECONDS };

	set_timer(&timers[LIMIT], (struct timespec){ .tv_sec = WATCH_SECONDS },
		(struct timespec){ 0 });
	set_timer(&timers[TICK], tick, tick);
}

/* Seconds that no question gets: a command prints, and frees what isl has. */
#define TO_END 0.5
#define LEAST_SHARE 0.01

/* Of two digits, since messages say it. */
void watch_share(layout_context *ctx)
{
	struct itimerspec until;
	double left = 0, share;
	char text[16];

	if (timers[LIMIT].made && !timer_gettime(timers[LIMIT].timer, &until))
		left = (double)until.it_value.tv_sec + 1e-9 * (double)until.it_value.tv_nsec;
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
