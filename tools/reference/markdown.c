/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "reference/markdown.h"

#include <ctype.h>
#include <string.h>

/* Where a link to the heading "relation.h" goes: its letters without the dot. */
static void put_slug(FILE *out, const char *name)
{
	for (; *name; name++)
		if (isalnum((unsigned char)*name) || *name == '_' || *name == '-')
			fputc(*name, out);
}

/* The functions of a header, each a link, on a line of its own. */
static void write_functions(FILE *out, const struct header *header)
{
	const char *before = ":\n  ";

	for (unsigned i = 0; i < header->item_count; i++) {
		const char *code = header->items[i].code;
		struct declaration declaration;

		while ((code = declaration_next(&declaration, code))) {
			if (!declaration.is_function)
				continue;
			fprintf(out, "%s[%.*s](#%.*s)", before, declaration.name_length,
				declaration.name, declaration.name_length,
				declaration.name);
			before = ",\n  ";
		}
	}
	fputc('\n', out);
}

static void write_index(FILE *out, const struct reference *reference)
{
	fputs("\n## Functions\n\n", out);
	for (unsigned i = 0; i < reference->count; i++) {
		const struct header *header = &reference->headers[i];

		fprintf(out, "- [%s](#", header->name);
		put_slug(out, header->name);
		fputc(')', out);
		write_functions(out, header);
	}
}

/* The headers that this one includes for its users. */
static void write_includes(FILE *out, const struct reference *reference,
	const struct header *header)
{
	fputs(header->include_count ? "\n" : "", out);
	for (unsigned i = 0; i < header->include_count; i++) {
		const struct include *include = &header->includes[i];

		fprintf(out, "- [%s](#", include->name);
		put_slug(out, include->name);
		fputs("): ", out);
		markdown_prose(out, reference, include->comment, "");
	}
}

/* What can be linked to, then the code without the word that each prototype has. */
static void write_code(FILE *out, const char *code)
{
	static const char api[] = "LAYOUT_API ";
	struct declaration declaration;

	fputc('\n', out);
	for (const char *rest = code; (rest = declaration_next(&declaration, rest)); )
		fprintf(out, "<a id=\"%.*s\"></a>\n", declaration.name_length,
			declaration.name);
	fputs("\n```c\n", out);
	while ((code = declaration_next(&declaration, code))) {
		size_t skip = strncmp(declaration.start, api, strlen(api)) ? 0 :
			strlen(api);

		fwrite(declaration.start + skip, 1, declaration.length - skip, out);
	}
	fputs("```\n", out);
}

/* Is this comment, which nothing follows, the title of a section? */
static bool is_title(const char *comment)
{
	const char *end = strchr(comment, '\n');

	return end && !end[1] && end > comment && end[-1] != '.';
}

static void write_header(FILE *out, const struct reference *reference,
	const struct header *header)
{
	fprintf(out, "\n## %s\n", header->name);
	for (unsigned i = 0; i < header->item_count; i++) {
		const struct item *item = &header->items[i];

		if (*item->code)
			write_code(out, item->code);
		if (i && !*item->code && is_title(item->comment))
			fprintf(out, "\n###%s", item->comment + 2);
		else
			markdown_comment(out, reference, item->comment, item->code);
		if (!i)
			write_includes(out, reference, header);
	}
}

void markdown_write(FILE *out, const struct reference *reference)
{
	fputs("# C API reference\n\n"
		"<!-- Made from the headers: change those and run \"ninja reference\". "
		"-->\n\n"
		"What the headers in `include/layout/` say, one chapter a header;\n"
		"[c-api.md](c-api.md) has the rules that hold for all functions.\n", out);
	write_index(out, reference);
	for (unsigned i = 0; i < reference->count; i++)
		write_header(out, reference, &reference->headers[i]);
}
