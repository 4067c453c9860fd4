/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Assertions about layouts, for tests with cmocka: a header; link liblayout and cmocka.
 *
 *	assert_layout_injective(layout)		no two inputs in one place
 *	assert_layout_bijective(layout)		a function and injective, and onto the box
 *						that its notation declares, if it does
 *	assert_layouts_equal(a, b)
 *	assert_layout_covers(layout, set)	every point of the set is an image
 *
 * A layout is a layout_relation *, a layout_value * or the text of an expression in any
 * notation, "(4,8):(8,1)"; a set is a layout_set * or text, "{ [i] : 0 <= i < 32 }".
 * Sizes may be names: then the assertion is a proof for all their values.
 *
 * A failure is the test's: it prints the layout in its own notation and the witness,
 *
 *	strided[M, K : 4, 1] is not injective: M = 2, K = 5: (0, 4), (1, 0)
 *	(4,8):(8,1) is not (4,8):(1,4): at (1,0): 8, there 1
 *
 * or why there is no answer.  Nothing is left allocated, and the context of a layout is
 * as it was but for its error. */
#ifndef LAYOUT_CMOCKA_H
#define LAYOUT_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
}
#endif

#include <layout/value.h>

#define assert_layout_injective(layout) \
	LAYOUT_CMOCKA_ASSERT(layout_cmocka_injective(LAYOUT_CMOCKA(layout)))

#define assert_layout_bijective(layout) \
	LAYOUT_CMOCKA_ASSERT(layout_cmocka_bijective(LAYOUT_CMOCKA(layout)))

#define assert_layouts_equal(a, b) \
	LAYOUT_CMOCKA_ASSERT(layout_cmocka_equal(LAYOUT_CMOCKA(a), LAYOUT_CMOCKA(b)))

#define assert_layout_covers(layout, set) \
	LAYOUT_CMOCKA_ASSERT(layout_cmocka_covers(LAYOUT_CMOCKA(layout), \
		LAYOUT_CMOCKA_SET(set)))

/* What follows is how it is done, and may change. */

#define LAYOUT_CMOCKA_ASSERT(call) do { \
	const char *layout_cmocka_why_ = (call); \
	if (layout_cmocka_why_) \
		fail_msg("%s", layout_cmocka_why_); \
} while (0)

struct layout_cmocka_argument {
	layout_relation *relation;	/* one of these is set */
	layout_value *value;
	layout_set *set;
	const char *text;
};

static inline struct layout_cmocka_argument layout_cmocka_relation(
	layout_relation *relation)
{
	struct layout_cmocka_argument argument = { relation, NULL, NULL, NULL };

	return argument;
}

static inline struct layout_cmocka_argument layout_cmocka_value(layout_value *value)
{
	struct layout_cmocka_argument argument = { NULL, value, NULL, NULL };

	return argument;
}

static inline struct layout_cmocka_argument layout_cmocka_set(layout_set *set)
{
	struct layout_cmocka_argument argument = { NULL, NULL, set, NULL };

	return argument;
}

static inline struct layout_cmocka_argument layout_cmocka_text(const char *text)
{
	struct layout_cmocka_argument argument = { NULL, NULL, NULL, text };

	return argument;
}

#ifdef __cplusplus
static inline struct layout_cmocka_argument layout_cmocka_of(layout_relation *relation)
{
	return layout_cmocka_relation(relation);
}

static inline struct layout_cmocka_argument layout_cmocka_of(layout_value *value)
{
	return layout_cmocka_value(value);
}

static inline struct layout_cmocka_argument layout_cmocka_of(layout_set *set)
{
	return layout_cmocka_set(set);
}

static inline struct layout_cmocka_argument layout_cmocka_of(const char *text)
{
	return layout_cmocka_text(text);
}

#define LAYOUT_CMOCKA(layout) layout_cmocka_of(layout)
#define LAYOUT_CMOCKA_SET(set) layout_cmocka_of(set)
#else
#define LAYOUT_CMOCKA(layout) _Generic((layout), \
	layout_relation *: layout_cmocka_relation, \
	layout_value *: layout_cmocka_value, \
	char *: layout_cmocka_text, \
	const char *: layout_cmocka_text)(layout)

#define LAYOUT_CMOCKA_SET(set) _Generic((set), \
	layout_set *: layout_cmocka_set, \
	char *: layout_cmocka_text, \
	const char *: layout_cmocka_text)(set)
#endif

/* An argument as a relation of its own, how it is written, and the box it declares. */
struct layout_cmocka_subject {
	layout_relation *relation;
	layout_value *value;		/* that it is of, or NULL */
	bool is_read;			/* the value is of its own, too */
	layout_set *onto;
	char *name;
};

/* Why an assertion fails; there is one at a time. */
static inline char *layout_cmocka_why(const char *format, ...)
{
	static char why[4096];
	va_list list;

	va_start(list, format);
	vsnprintf(why, sizeof(why), format, list);
	va_end(list);
	return why;
}

/* The context of the arguments; a new one, in "own", where they are only text. */
static inline layout_context *layout_cmocka_context(struct layout_cmocka_argument a,
	struct layout_cmocka_argument b, layout_context **own)
{
	layout_relation *relation = a.relation ? a.relation : b.relation;
	layout_value *value = a.value ? a.value : b.value;

	*own = NULL;
	if (relation)
		return layout_relation_context(relation);
	if (value)
		return layout_value_context(value);
	if (b.set)
		return layout_set_context(b.set);
	*own = layout_context_new();
	return *own;
}

static inline void layout_cmocka_open(struct layout_cmocka_subject *subject,
	layout_context *ctx, struct layout_cmocka_argument from)
{
	subject->relation = NULL;
	subject->is_read = from.text != NULL;
	subject->value = from.text ? layout_value_parse(ctx, from.text) : from.value;
	subject->onto = NULL;
	subject->name = NULL;
	if (from.relation) {
		subject->relation = layout_relation_copy(from.relation);
		subject->name = layout_relation_str(from.relation);
	} else if (subject->value) {
		subject->relation = layout_value_relation(subject->value);
		subject->onto = layout_value_onto(subject->value);
		subject->name = layout_value_str(subject->value);
	}
}

static inline void layout_cmocka_close(struct layout_cmocka_subject *subject)
{
	layout_relation_free(subject->relation);
	if (subject->is_read)
		layout_value_free(subject->value);
	layout_set_free(subject->onto);
	layout_string_free(subject->name);
}

/* Of a text that was not read: where, why, the line and a caret below it. */
static inline const char *layout_cmocka_misread(layout_context *ctx, const char *text)
{
	long at = layout_context_position(ctx);
	const char *place = text + (at > 0 ? at : 0), *line = place;
	int length = (int)strcspn(place, "\n"), before;

	while (line > text && line[-1] != '\n')
		line--;
	before = (int)(place - line);
	return layout_cmocka_why("there is no answer: column %d: %s\n    %.*s\n    %*s^",
		before + 1, layout_context_message(ctx), before + length, line, before,
		"");
}

/* The text of the two that was not read, or NULL. */
static inline const char *layout_cmocka_unread(const struct layout_cmocka_subject *subject,
	struct layout_cmocka_argument from)
{
	return from.text && !subject->value ? from.text : NULL;
}

/* "WHAT VERB: WITNESS", or why nobody knows, of the text "unread" perhaps; NULL for yes.
 * Consumes the witness. */
static inline const char *layout_cmocka_say(layout_context *ctx, const char *name,
	const char *no, const char *unread, layout_answer answer, layout_witness *witness)
{
	const char *why = NULL;

	if (answer == LAYOUT_NO)
		why = layout_cmocka_why("%s %s%s%s", name ? name : "it", no,
			witness ? ": " : "", witness ? witness->text : "");
	else if (answer == LAYOUT_UNKNOWN && ctx && unread)
		why = layout_cmocka_misread(ctx, unread);
	else if (answer == LAYOUT_UNKNOWN)
		why = layout_cmocka_why("%s%sthere is no answer: %s", name ? name : "",
			name ? ": " : "", ctx ? layout_context_message(ctx) :
			"there is no memory");
	layout_witness_free(witness);
	return why;
}

static inline const char *layout_cmocka_injective(struct layout_cmocka_argument layout)
{
	layout_context *own, *ctx = layout_cmocka_context(layout, layout, &own);
	struct layout_cmocka_subject subject;
	layout_witness *witness = NULL;
	layout_answer answer;
	const char *why;

	layout_cmocka_open(&subject, ctx, layout);
	answer = layout_relation_is_injective(subject.relation, &witness);
	why = layout_cmocka_say(ctx, subject.name, "is not injective",
		layout_cmocka_unread(&subject, layout), answer, witness);
	layout_cmocka_close(&subject);
	layout_context_free(own);
	return why;
}

/* Onto its own images, a relation is bijective if it is a function and injective. */
static inline const char *layout_cmocka_bijective(struct layout_cmocka_argument layout)
{
	layout_context *own, *ctx = layout_cmocka_context(layout, layout, &own);
	struct layout_cmocka_subject subject;
	layout_witness *witness = NULL;
	layout_set *onto;
	layout_answer answer;
	const char *why;

	layout_cmocka_open(&subject, ctx, layout);
	onto = subject.onto ? layout_set_copy(subject.onto) :
		layout_relation_range(layout_relation_copy(subject.relation));
	answer = layout_relation_is_bijective(subject.relation, onto, &witness);
	why = layout_cmocka_say(ctx, subject.name, "is not bijective",
		layout_cmocka_unread(&subject, layout), answer, witness);
	layout_set_free(onto);
	layout_cmocka_close(&subject);
	layout_context_free(own);
	return why;
}

static inline const char *layout_cmocka_equal(struct layout_cmocka_argument a,
	struct layout_cmocka_argument b)
{
	layout_context *own, *ctx = layout_cmocka_context(a, b, &own);
	struct layout_cmocka_subject left, right;
	layout_witness *witness = NULL;
	layout_answer answer;
	char no[2048];
	const char *why, *unread;

	layout_cmocka_open(&left, ctx, a);
	layout_cmocka_open(&right, ctx, b);
	answer = left.value && right.value ?
		layout_equal(left.value, right.value, &witness) :
		layout_relation_equal(left.relation, right.relation, &witness);
	snprintf(no, sizeof(no), "is not %s", right.name ? right.name : "the other");
	unread = layout_cmocka_unread(&left, a);
	why = layout_cmocka_say(ctx, left.name, no,
		unread ? unread : layout_cmocka_unread(&right, b), answer, witness);
	layout_cmocka_close(&left);
	layout_cmocka_close(&right);
	layout_context_free(own);
	return why;
}

static inline const char *layout_cmocka_covers(struct layout_cmocka_argument layout,
	struct layout_cmocka_argument set)
{
	layout_context *own, *ctx = layout_cmocka_context(layout, set, &own);
	struct layout_cmocka_subject subject;
	layout_witness *witness = NULL;
	layout_set *onto = set.set ? layout_set_copy(set.set) :
		layout_set_read(ctx, set.text);
	char *name = layout_set_str(onto), no[2048];
	layout_answer answer;
	const char *why, *unread;

	layout_cmocka_open(&subject, ctx, layout);
	answer = layout_relation_is_surjective(subject.relation, onto, &witness);
	snprintf(no, sizeof(no), "does not cover %s", name ? name : "the set");
	unread = onto ? layout_cmocka_unread(&subject, layout) : set.text;
	why = layout_cmocka_say(ctx, subject.name, no, unread, answer, witness);
	layout_set_free(onto);
	layout_string_free(name);
	layout_cmocka_close(&subject);
	layout_context_free(own);
	return why;
}

#endif
