/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Exit statuses, and errors as "layoutc: error: WHERE: message". */
#ifndef LAYOUTC_REPORT_H
#define LAYOUTC_REPORT_H

#include "files/complaint.h"
#include "layoutc/text.h"

#include <layout/context.h>

enum status {
	STATUS_YES = 0,
	STATUS_NO = 1,
	STATUS_USAGE = 2,
	STATUS_UNKNOWN = 3,
	STATUS_IO = 4,
};

/* What the context's error means for the exit status. */
enum status status_of_error(layout_context *ctx);

/* Print an error and return the status; "where" may be NULL. */
int report(enum status status, const char *where, const char *format, ...)
	__attribute__((__format__(__printf__, 3, 4)));

/* The same for what is wrong with a file. */
int report_file(const char *path, const struct complaint *complaint);

/* The same for the context's error, about "where". */
int report_error(layout_context *ctx, const char *where);

/* The same for the context's error about a text: its place there, the line it
 * is in, and a caret.  Errors that no text can help go to report_error(). */
int report_text(layout_context *ctx, const struct text *text, const char *command);

/* The same for a message about a byte of the text; -1: about all of it. */
int report_place(enum status status, const struct text *text, long position,
	const char *message);

/* Report why the text's value is not what it asks for: "no", at its start. */
int report_reason(const struct text *text, const char *reason);

/* The column of the context's error in a text of one line, from 1. */
unsigned error_column(layout_context *ctx, const char *text);

/* Whether the context's error leaves a question open: print "unknown: REASON"
 * then, and go on. */
bool error_is_unknown(layout_context *ctx);

/* Has standard output taken everything?  "status", or STATUS_IO. */
int report_stdout(int status);

/* Names of files and words of the command line may hold anything: what would move the
 * cursor is printed as \x1b. */
void report_escaped(FILE *out, const char *text);

#endif
