/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is wrong with a file, in words for the user. */
#ifndef TOOLS_FILES_COMPLAINT_H
#define TOOLS_FILES_COMPLAINT_H

#include <stdbool.h>

enum wrong {
	WRONG_CONTENT,		/* it holds the wrong thing */
	WRONG_IO,		/* it could not be read or written */
	WRONG_MEMORY,
};

struct complaint {
	enum wrong kind;
	char text[400];
};

/* Fill in a complaint; always false, for "return complain(..)". */
bool complain(struct complaint *complaint, enum wrong kind, const char *format, ...)
	__attribute__((__format__(__printf__, 3, 4)));

#endif
