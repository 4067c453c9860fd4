/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layout_reference FILE HEADER..: write the reference of the headers, and of those that
 * they include with a comment behind.  For the build only. */
#include "reference/markdown.h"
#include "files/output.h"

#include <stdlib.h>
#include <string.h>

static bool has_header(const struct reference *reference, const char *name)
{
	for (unsigned i = 0; i < reference->count; i++)
		if (!strcmp(reference->headers[i].name, name))
			return true;
	return false;
}

/* Read a header, unless it was read before. */
static bool add_header(struct reference *reference, const char *path,
	struct complaint *complaint)
{
	const char *slash = strrchr(path, '/');
	struct header *headers;

	if (has_header(reference, slash ? slash + 1 : path))
		return true;
	headers = realloc(reference->headers, (reference->count + 1) * sizeof(*headers));
	if (!headers)
		return complain(complaint, WRONG_MEMORY, "no memory");
	reference->headers = headers;
	return header_read(&headers[reference->count++], path, complaint);
}

/* The same with those that it includes, which are beside it. */
static bool add_headers(struct reference *reference, const char *path,
	struct complaint *complaint)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash + 1 - path) : 0;
	unsigned place = reference->count;
	bool good = add_header(reference, path, complaint);

	for (unsigned i = 0; good && place < reference->count &&
			i < reference->headers[place].include_count; i++) {
		char *other = NULL;

		if (asprintf(&other, "%.*s%s", folder, path,
				reference->headers[place].includes[i].name) < 0)
			return complain(complaint, WRONG_MEMORY, "no memory");
		good = add_header(reference, other, complaint);
		free(other);
	}
	return good;
}

static bool write_reference(const struct reference *reference, const char *path,
	struct complaint *complaint)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool good = false;

	if (out)
		markdown_write(out, reference);
	if (out && !fclose(out))
		good = output_write(path, &(struct piece){ text, size }, 1, complaint);
	else
		complain(complaint, WRONG_MEMORY, "no memory");
	free(text);
	return good;
}

int main(int argc, char **argv)
{
	struct reference reference = { 0 };
	struct complaint complaint;
	bool good = true;

	if (argc < 3) {
		fputs("layout_reference FILE HEADER..\n", stderr);
		return 2;
	}
	for (int i = 2; good && i < argc; i++)
		good = add_headers(&reference, argv[i], &complaint);
	if (good)
		good = write_reference(&reference, argv[1], &complaint);
	if (!good)
		fprintf(stderr, "layout_reference: %s\n", complaint.text);
	for (unsigned i = 0; i < reference.count; i++)
		header_release(&reference.headers[i]);
	free(reference.headers);
	return !good;
}
