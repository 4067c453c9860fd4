/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "reference/header.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far the reading of a header has come. */
struct reader {
	struct header *header;
	FILE *file;
	char *line;
	size_t capacity;
	bool guarded;		/* #ifndef and #define of the guard are behind */
	bool grouped;		/* the last item goes on */
	bool failed;		/* no memory */
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* The next line without its end; false after the last. */
static bool next_line(struct reader *reader)
{
	if (reader->failed || getline(&reader->line, &reader->capacity, reader->file) < 0)
		return false;
	reader->line[strcspn(reader->line, "\n")] = 0;
	return true;
}

static void append(struct reader *reader, char **text, const char *line)
{
	size_t before = strlen(*text), size = strlen(line);
	char *longer = realloc(*text, before + size + 2);

	if (!longer) {
		reader->failed = true;
		return;
	}
	memcpy(longer + before, line, size);
	strcpy(longer + before + size, "\n");
	*text = longer;
}

/* The item to add to: the last one, or a new one behind it. */
static struct item *current_item(struct reader *reader)
{
	struct header *header = reader->header;
	struct item *items, item = { 0 };

	if (reader->grouped)
		return &header->items[header->item_count - 1];
	items = realloc(header->items, (header->item_count + 1) * sizeof(*items));
	if (items)
		header->items = items;
	item.comment = strdup("");
	item.code = strdup("");
	if (!items || !item.comment || !item.code) {
		reader->failed = true;
		free(item.comment);
		free(item.code);
		return NULL;
	}
	items[header->item_count] = item;
	reader->grouped = true;
	return &items[header->item_count++];
}

/* A comment from the line at hand on; false where what follows is not for users. */
static bool read_comment(struct reader *reader)
{
	struct item *item;
	bool ended = false;

	reader->grouped = false;
	item = current_item(reader);
	if (!item || begins(reader->line, "/* What follows is how it is done"))
		return false;
	do {
		char *line = reader->line, *end = strstr(line, "*/");

		ended = end;
		end = end ? end : line + strlen(line);
		while (end > line && isspace((unsigned char)end[-1]))
			end--;
		*end = 0;
		for (int i = 0; i < 2 && line[i]; i++)
			line[i] = ' ';
		append(reader, &item->comment, line);
	} while (!ended && next_line(reader));
	return true;
}

/* #include <layout/NAME>, with a comment behind it. */
static void read_include(struct reader *reader)
{
	struct header *header = reader->header;
	char *name = strstr(reader->line, "<layout/"), *comment, *end;
	struct include *includes;

	if (!name)
		return;
	name += strlen("<layout/");
	end = strchr(name, '>');
	comment = strstr(name, "/* ");
	if (!end || !comment)
		return;
	*end = 0;
	comment += strlen("/* ");
	end = strstr(comment, " */");
	if (end)
		*end = 0;
	includes = realloc(header->includes,
		(header->include_count + 1) * sizeof(*includes));
	if (!includes) {
		reader->failed = true;
		return;
	}
	header->includes = includes;
	includes += header->include_count++;
	*includes = (struct include){ strdup(name), strdup(comment) };
	reader->failed = !includes->name || !includes->comment;
}

static bool goes_on(const char *line)
{
	size_t length = strlen(line);

	return length && line[length - 1] == '\\';
}

/* A macro for users: one with arguments without what it is replaced by. */
static void read_macro(struct reader *reader)
{
	struct item *item = current_item(reader);
	const char *name = reader->line + strlen("#define ");
	bool more = goes_on(reader->line), called = name[strcspn(name, " (")] == '(';

	if (!item)
		return;
	if (called && more)
		strcpy(strrchr(reader->line, '\\') - 1, "");
	append(reader, &item->code, reader->line);
	while (more && next_line(reader)) {
		if (!called)
			append(reader, &item->code, reader->line);
		more = goes_on(reader->line);
	}
}

/* A directive; false at the guard's #endif.  What depends on the compiler is left out. */
static bool read_directive(struct reader *reader)
{
	if (begins(reader->line, "#endif"))
		return false;
	if (begins(reader->line, "#ifndef") && !reader->guarded) {
		next_line(reader);
		reader->guarded = true;
	} else if (begins(reader->line, "#if")) {
		while (next_line(reader) && !begins(reader->line, "#endif"))
			;
	} else if (begins(reader->line, "#include")) {
		read_include(reader);
	} else if (begins(reader->line, "#define")) {
		read_macro(reader);
	}
	return true;
}

/* The depth of braces behind the line, not counting those in its comments. */
static int depth_behind(const char *line, int depth, bool *in_comment)
{
	for (; *line; line++) {
		if (begins(line, *in_comment ? "*/" : "/*")) {
			*in_comment = !*in_comment;
			line++;
		} else if (!*in_comment) {
			depth += (*line == '{') - (*line == '}');
		}
	}
	return depth;
}

/* A declaration, up to the line that ends with its semicolon. */
static void read_declaration(struct reader *reader)
{
	struct item *item = current_item(reader);
	bool in_comment = false;
	int depth = 0;

	if (!item)
		return;
	do {
		const char *line = reader->line;

		depth = depth_behind(line, depth, &in_comment);
		append(reader, &item->code, line);
		if (!depth && !in_comment && strchr(line, ';'))
			return;
	} while (next_line(reader));
}

static void read_lines(struct reader *reader)
{
	bool more = next_line(reader);	/* the license */

	while (more && next_line(reader)) {
		if (!*reader->line)
			reader->grouped = false;
		else if (begins(reader->line, "/*"))
			more = read_comment(reader);
		else if (*reader->line == '#')
			more = read_directive(reader);
		else
			read_declaration(reader);
	}
}

bool header_read(struct header *header, const char *path, struct complaint *complaint)
{
	struct reader reader = { .header = header };
	const char *slash = strrchr(path, '/');

	*header = (struct header){ .name = strdup(slash ? slash + 1 : path) };
	reader.file = fopen(path, "r");
	if (!reader.file)
		return complain(complaint, WRONG_IO, "%s: %s", path, strerror(errno));
	read_lines(&reader);
	if (ferror(reader.file))
		reader.failed = true;
	fclose(reader.file);
	free(reader.line);
	if (!header->name || reader.failed)
		return complain(complaint, WRONG_MEMORY, "%s: cannot be read", path);
	return true;
}

void header_release(struct header *header)
{
	for (unsigned i = 0; i < header->item_count; i++) {
		free(header->items[i].comment);
		free(header->items[i].code);
	}
	for (unsigned i = 0; i < header->include_count; i++) {
		free(header->includes[i].name);
		free(header->includes[i].comment);
	}
	free(header->items);
	free(header->includes);
	free(header->name);
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Does a declaration begin with this line?  Its other lines are indented, or close it. */
static bool opens(const char *line)
{
	return is_name(*line) || *line == '#';
}

/* The last name before "end". */
static const char *name_before(const char *start, const char *end, int *length)
{
	while (end > start && !is_name(end[-1]))
		end--;
	*length = 0;
	while (end > start && is_name(end[-1])) {
		end--;
		++*length;
	}
	return end;
}

static const char *find(const char *start, const char *end, const char *what)
{
	const char *found = memmem(start, end - start, what, strlen(what));

	return found ? found : end;
}

/* "#define NAME", "LAYOUT_API .. NAME(", "typedef .. (*NAME)(", "} NAME;". */
static void find_name(struct declaration *declaration)
{
	const char *start = declaration->start, *end = start + declaration->length;
	const char *name_end = end;

	if (begins(start, "#define ")) {
		name_end = start + strlen("#define ");
		name_end += strspn(name_end, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			"abcdefghijklmnopqrstuvwxyz0123456789_");
		declaration->is_function = islower((unsigned char)start[8]) &&
			*name_end == '(';
	} else if (begins(start, "LAYOUT_API ")) {
		name_end = find(start, end, "(");
		declaration->is_function = true;
	} else if (find(start, end, "(*") < find(start, end, "{")) {
		name_end = find(start, end, ")");
	}
	declaration->name = name_before(start, name_end, &declaration->name_length);
}

const char *declaration_next(struct declaration *declaration, const char *code)
{
	const char *end = code;

	if (!*code)
		return NULL;
	do {
		end += strcspn(end, "\n");
		end += *end == '\n';
	} while (*end && !opens(end));
	*declaration = (struct declaration){ .start = code, .length = end - code };
	find_name(declaration);
	return end;
}
