/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/folder.h"
#include "support/shell.h"

#include <stdio.h>

char *folder;

int folder_open(void **state)
{
	(void)state;
	folder = shell_folder_new();
	return 0;
}

int folder_close(void **state)
{
	(void)state;
	shell_folder_remove(folder);
	return 0;
}

const char *folder_path(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}
