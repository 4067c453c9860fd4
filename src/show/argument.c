/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/argument.h"

#include <string.h>

const char *show_argument_end(const char *text)
{
	unsigned depth = 0;

	for (; *text; text++) {
		if (strchr("([{", *text))
			depth++;
		else if (!depth && strchr(",)", *text))
			break;
		else if (strchr(")]}", *text))
			depth--;
	}
	return text;
}
