/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layout_manual man|bash|zsh|fish FILE: write one of them.  For the build only. */
#include "manual/manual.h"
#include "files/output.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	void (*write)(FILE *out);
} parts[] = {
	{ "man", write_man },
	{ "bash", write_bash },
	{ "zsh", write_zsh },
	{ "fish", write_fish },
};

static bool write_part(void (*write)(FILE *out), const char *path)
{
	struct complaint complaint = { .text = "no memory" };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool good = false;

	if (out) {
		write(out);
		if (!fclose(out))
			good = output_write(path, &(struct piece){ text, size }, 1,
				&complaint);
	}
	if (!good)
		fprintf(stderr, "layout_manual: %s: %s\n", path, complaint.text);
	free(text);
	return good;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof(parts) / sizeof(*parts); i++)
		if (!strcmp(argv[1], parts[i].name))
			return !write_part(parts[i].write, argv[2]);
	fputs("layout_manual man|bash|zsh|fish FILE\n", stderr);
	return 2;
}
