/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc --version */
#include "layoutc/arguments.h"
#include "layoutc/report.h"

#include <layout/codegen.h>
#include <layout/layout.h>
#include <stdio.h>
#include <string.h>

int print_version(char **line)
{
	const char *isl = layout_isl_version(), *folder = layout_device_libs();

	(void)line;
	isl += strncmp(isl, "isl-", 4) ? 0 : 4;
	printf("layoutc %s\n", layout_version());
	printf("isl %.*s\n", (int)strcspn(isl, "\n"), isl);
	printf("LLVM %s\n", layout_llvm_version());
	printf("device libraries %s\n", *folder ? folder : "none");
	return STATUS_YES;
}
