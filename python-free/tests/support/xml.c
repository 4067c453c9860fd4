/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/xml.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct reader {
	const char *start, *at;
	const struct xml_visitor *visitor;
	char open[XML_DEPTH][32];
	unsigned depth;
};

static void refuse(const struct reader *reader, const char *what)
{
	fail_msg("XML, byte %td: %s: %.60s", reader->at - reader->start, what,
		reader->at);
}

static bool at(const struct reader *reader, const char *text)
{
	return !strncmp(reader->at, text, strlen(text));
}

static void skip_space(struct reader *reader)
{
	while (isspace((unsigned char)*reader->at))
		reader->at++;
}

static void read_name(struct reader *reader, char name[32])
{
	size_t length = 0;

	while (isalnum((unsigned char)reader->at[length]) ||
			strchr(":-_!", reader->at[length] ? reader->at[length] : ' '))
		length++;
	if (!length || length > 31)
		refuse(reader, "a name");
	memcpy(name, reader->at, length);
	name[length] = 0;
	reader->at += length;
}

/* One character, or the one that an entity stands for. */
static char read_character(struct reader *reader)
{
	static const struct {
		const char *name;
		char character;
	} entities[] = {
		{ "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' },
	};

	if (*reader->at == '<' || !*reader->at)
		refuse(reader, "a character");
	if (*reader->at != '&')
		return *reader->at++;
	for (size_t i = 0; i < sizeof(entities) / sizeof(*entities); i++)
		if (at(reader, entities[i].name)) {
			reader->at += strlen(entities[i].name);
			return entities[i].character;
		}
	refuse(reader, "an entity");
	return 0;
}

static void read_attribute(struct reader *reader, struct xml_element *element)
{
	struct xml_attribute *attribute = &element->attributes[element->attribute_count];
	size_t length = 0;

	if (element->attribute_count == XML_ATTRIBUTES)
		refuse(reader, "too many attributes");
	read_name(reader, attribute->name);
	if (xml_attribute(element, attribute->name))
		refuse(reader, "an attribute again");
	if (!at(reader, "=\""))
		refuse(reader, "an attribute's value");
	for (reader->at += 2; *reader->at != '"'; length++) {
		if (length + 1 == sizeof(attribute->value))
			refuse(reader, "a shorter value");
		attribute->value[length] = read_character(reader);
	}
	attribute->value[length] = 0;
	reader->at++;
	element->attribute_count++;
}

/* "<rect x=..>" or "<rect x=../>" */
static void read_begin(struct reader *reader)
{
	static struct xml_element element;

	element.attribute_count = 0;
	reader->at++;
	read_name(reader, element.name);
	skip_space(reader);
	while (!at(reader, ">") && !at(reader, "/>")) {
		read_attribute(reader, &element);
		skip_space(reader);
	}
	if (reader->visitor->begin)
		reader->visitor->begin(reader->visitor->user, &element);
	if (*reader->at == '/') {
		reader->at += 2;
		return;
	}
	reader->at++;
	if (reader->depth == XML_DEPTH)
		refuse(reader, "less depth");
	strcpy(reader->open[reader->depth++], element.name);
}

static void read_end(struct reader *reader)
{
	char name[32];

	reader->at += 2;
	read_name(reader, name);
	if (!reader->depth || strcmp(reader->open[reader->depth - 1], name) != 0)
		refuse(reader, "the end of another element");
	if (*reader->at != '>')
		refuse(reader, "the end of a tag");
	reader->at++;
	reader->depth--;
}

/* Text up to the next tag; that of <style> and <script> as it is. */
static void read_text(struct reader *reader)
{
	const char *inside = reader->depth ? reader->open[reader->depth - 1] : "";
	bool is_raw = !strcmp(inside, "style") || !strcmp(inside, "script");
	const char *end = is_raw ? strstr(reader->at, "</") : strchr(reader->at, '<');
	char *text;
	size_t length = 0;

	if (!end)
		refuse(reader, "text that does not end");
	text = calloc((size_t)(end - reader->at) + 1, 1);
	assert_non_null(text);
	while (reader->at < end)
		text[length++] = is_raw ? *reader->at++ : read_character(reader);
	if (reader->visitor->text)
		reader->visitor->text(reader->visitor->user, inside, text);
	free(text);
}

void xml_read(const char *document, const struct xml_visitor *visitor)
{
	struct reader reader = { .start = document, .at = document, .visitor = visitor };

	if (at(&reader, "<!DOCTYPE html>"))
		reader.at += strlen("<!DOCTYPE html>");
	skip_space(&reader);
	do {
		if (at(&reader, "</"))
			read_end(&reader);
		else if (at(&reader, "<"))
			read_begin(&reader);
		else
			read_text(&reader);
	} while (reader.depth);
	skip_space(&reader);
	if (*reader.at)
		refuse(&reader, "the end of the document");
}

const char *xml_attribute(const struct xml_element *element, const char *name)
{
	for (unsigned i = 0; i < element->attribute_count; i++)
		if (!strcmp(element->attributes[i].name, name))
			return element->attributes[i].value;
	return NULL;
}
