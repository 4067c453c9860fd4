/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A reader of XML that is strict about what it reads: tags that close, attributes in
 * quotes and none twice, entities that exist. */
#ifndef TESTS_SUPPORT_XML_H
#define TESTS_SUPPORT_XML_H

#include <stdbool.h>
#include <stddef.h>

#define XML_DEPTH 32
#define XML_ATTRIBUTES 16

struct xml_attribute {
	char name[32];
	char value[512];
};

/* An element that begins; its attributes as they are written. */
struct xml_element {
	char name[32];
	unsigned attribute_count;
	struct xml_attribute attributes[XML_ATTRIBUTES];
};

/* What is called for each element that begins, and for the text up to the next tag, its
 * entities replaced, with the element that it is in. */
struct xml_visitor {
	void (*begin)(void *user, const struct xml_element *element);
	void (*text)(void *user, const char *element, const char *text);
	void *user;
};

/* Read a document: an optional "<!DOCTYPE ..>" and one element.  The content of <style>
 * and <script> is text as it is.  Fails the test where it is not well-formed. */
void xml_read(const char *document, const struct xml_visitor *visitor);

/* The attribute's value; NULL: there is none. */
const char *xml_attribute(const struct xml_element *element, const char *name);

#endif
