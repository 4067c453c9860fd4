/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The time of a public call, and the memory of isl's numbers.
 *
 * isl calls nobody while it works, but its numbers are GMP's, and GMP takes their memory
 * from where it is told to: from here.  That is often enough to look at the clock, and
 * where there is no memory, a reserve keeps GMP from ending the process until isl,
 * which is told to abort, has given up.  An isl without GMP is not watched. */
#ifndef LAYOUT_BRIDGE_WATCH_H
#define LAYOUT_BRIDGE_WATCH_H

#include <isl/ctx.h>
#include <stdbool.h>

/* Why isl was told to abort. */
enum stop { STOP_NOT, STOP_TIME, STOP_MEMORY };

/* Of a context.  A call begins where "depth" leaves 0; "outer" is the call of another
 * context on the same thread that it is within. */
struct watch {
	isl_ctx *isl;
	double seconds;		/* that a call may take; 0: no limit */
	double end;		/* of the call, by the clock */
	double until, granted;	/* the same of what is being done, and the seconds for it */
	unsigned depth;
	enum stop stopped;
	double took;		/* the seconds that did not suffice */
	bool paused;
	struct watch *outer;
};

/* GMP takes its memory from here from now on: before a thread has isl do anything.  Functions that
 * the process had set before are called as ever. */
void watch_install(void);

/* A call, or a part of one. */
void watch_begin_call(struct watch *watch);
void watch_end_call(struct watch *watch);

/* What is no object of isl's had no memory: the call of this thread, if any, ends as if isl had
 * had none. */
void watch_lack(void);

/* From now to watch_resume() no more than so many seconds. */
void watch_grant(struct watch *watch, double seconds);

/* Between these isl is not told to abort, and forgets that it was. */
void watch_pause(struct watch *watch);
void watch_resume(struct watch *watch);

/* The caller's own function is called between these: what it asks of the context is a call
 * of its own.  The time begins anew behind it. */
unsigned watch_leave_call(struct watch *watch);
void watch_return_to_call(struct watch *watch, unsigned depth);

#endif
