/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "isl_bridge/limits.h"
#include "isl_bridge/read_written.h"

#include <ctype.h>
#include <isl/stream.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* isl's functions crash without a stream: there is none where there is no memory. */
static void close_stream(isl_stream *stream)
{
	if (!stream)
		return;
	isl_stream_flush_tokens(stream);
	isl_stream_free(stream);
}

/* isl keeps the place of a syntax error to itself.  Read the text again from an
 * unbuffered stream and see how far isl got: to the end of the token it disliked,
 * or one character behind it. */
static long error_position(isl_ctx *isl, const char *text)
{
	size_t length = strlen(text), at = 0;
	FILE *file = length ? fmemopen((void *)(uintptr_t)text, length, "r") : NULL;
	isl_stream *stream;
	struct isl_obj read;

	if (!file)
		return 0;
	setvbuf(file, NULL, _IONBF, 0);
	stream = isl_stream_new_file(isl, file);
	read = stream ? isl_stream_read_obj(stream) : (struct isl_obj){ 0 };
	if (read.v)
		read.type->free(read.v);
	at = (size_t)ftell(file);
	close_stream(stream);
	fclose(file);
	at = at < length ? at : length;
	at -= at > 0;
	while (at > 0 && isspace((unsigned char)text[at]))
		at--;
	while (at > 0 && isalnum((unsigned char)text[at]) &&
	    isalnum((unsigned char)text[at - 1]))
		at--;
	return (long)at;
}

/* Close a bridge_enter() after reading failed.  isl does not say where it was for want of
 * memory: then the text can be read now. */
static void fail_to_read(layout_context *ctx, const char *what, const char *text,
	bool (*can_read)(isl_ctx *isl, const char *text))
{
	long position;

	if (bridge_leave_reading(ctx))
		return;
	bridge_enter(ctx);
	bridge_relax_quota(ctx, strlen(text));
	if (can_read(bridge_isl(ctx), text))
		layout_is_made(ctx, NULL);
	position = error_position(bridge_isl(ctx), text);
	bridge_leave_reading(ctx);
	layout_fail(ctx, LAYOUT_ERROR_PARSE, position, "this is not %s in isl's notation%s%s", what,
		text[strspn(text, " \t\r\n")] == '{' ? "; names of sizes stand before it, as in "
		"[M] -> { .. }" : "", strstr(text, "==") ? "; equality is `=`" : "");
}

/* What the parts of a text between brackets may come to, once disjunctions are multiplied
 * out: the pieces, and the divisions in one of them.  "earlier" is of the parts in front
 * of the last "or", "now" of what has been joined by "and" since. */
struct joined {
	unsigned pieces, divisions;
};

struct level {
	char open;		/* the bracket */
	unsigned entries;
	struct joined earlier, now;
};

/* What has been counted up to a place in a text; "before" is the character before it,
 * "last" the one before it that is neither white space nor a backslash. */
struct tally {
	unsigned depth, exists, factors, digits;
	unsigned written;	/* pieces, as they stand there */
	unsigned list;		/* the longest of the lists that are open */
	struct joined most;
	struct level levels[LIMIT_ISL_DEPTH + 1];	/* [0]: outside of all brackets */
	bool power;		/* the digits are an exponent's */
	char before, last;
};

#define COUNTS_MOST 60000u	/* beyond all limits, and its square is a number */

static unsigned at_most(unsigned count)
{
	return count < COUNTS_MOST ? count : COUNTS_MOST;
}

static struct joined either(struct joined a, struct joined b)
{
	return (struct joined){ at_most(a.pieces + b.pieces),
		a.divisions > b.divisions ? a.divisions : b.divisions };
}

static struct joined both(struct joined a, struct joined b)
{
	return (struct joined){ at_most(a.pieces * b.pieces),
		at_most(a.divisions + b.divisions) };
}

static bool is_inside_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Is this the word, in any case, from its begin to its end? */
static bool is_word(const struct tally *tally, const char *at, const char *word)
{
	size_t length = strlen(word);

	return !is_inside_word(tally->before) && strncasecmp(at, word, length) == 0 &&
		!is_inside_word(at[length]);
}

/* "1234", "2^10"; isl goes on reading a number behind a backslash and a line's end. */
static void count_digits(struct tally *tally, char c)
{
	if (isdigit((unsigned char)c)) {
		if (!tally->digits++)
			tally->power = tally->last == '^';
	} else if (c != '\\' && c != '\n') {
		tally->digits = 0;
	}
}

/* "2*-3*4"; the minus of "2*3 - 4" ends a product. */
static void count_factors(struct tally *tally, char c)
{
	if (c == '*')
		tally->factors++;
	else if (strchr("+,;:()[]{}=<>", c) || (c == '-' && tally->last != '*'))
		tally->factors = 0;
}

static void note_most(struct tally *tally)
{
	const struct level *level = &tally->levels[tally->depth];
	struct joined here = either(level->earlier, level->now);

	if (here.pieces > tally->most.pieces)
		tally->most.pieces = here.pieces;
	if (here.divisions > tally->most.divisions)
		tally->most.divisions = here.divisions;
}

static void open_bracket(struct tally *tally, char bracket)
{
	if (++tally->depth <= LIMIT_ISL_DEPTH)
		tally->levels[tally->depth] = (struct level){ bracket, 1, .now = { 1, 0 } };
}

static void close_bracket(struct tally *tally)
{
	struct level *level = &tally->levels[tally->depth];

	if (!tally->depth)
		return;
	tally->depth--;
	level[-1].now = both(level[-1].now, either(level->earlier, level->now));
}

/* "or", and ";" between the pieces of a relation. */
static void count_piece(struct tally *tally, struct level *level)
{
	tally->written++;
	level->earlier = either(level->earlier, level->now);
	level->now = (struct joined){ 1, 0 };
}

/* Commas in braces are those of comparisons. */
static void count_entry(struct tally *tally)
{
	struct level *level = &tally->levels[tally->depth];

	if (!tally->depth || level->open == '{')
		return;
	if (++level->entries > tally->list)
		tally->list = level->entries;
}

static bool is_or(const struct tally *tally, const char *at)
{
	return *at == ';' || (*at == '|' && tally->before != '|') ||
		(*at == '\\' && at[1] == '/') || is_word(tally, at, "or") ||
		is_word(tally, at, "implies");
}

static bool is_division(const struct tally *tally, const char *at)
{
	return *at == '%' || (*at == '/' && at[1] != '\\' && !strchr("/\\", tally->before)) ||
		is_word(tally, at, "mod") || is_word(tally, at, "floord") ||
		is_word(tally, at, "ceild");
}

static void count(struct tally *tally, const char *at)
{
	struct level *level = &tally->levels[tally->depth];

	if (strchr("([{", *at))
		open_bracket(tally, *at);
	else if (*at == ',')
		count_entry(tally);
	else if (strchr(")]}", *at))
		close_bracket(tally);
	else if (is_word(tally, at, "exists"))
		tally->exists++;
	else if (is_division(tally, at))
		level->now = both(level->now, (struct joined){ 1, 1 });
	else if (is_or(tally, at))
		count_piece(tally, level);
	count_digits(tally, *at);
	count_factors(tally, *at);
	tally->before = *at;
	if (!isspace((unsigned char)*at) && *at != '\\')
		tally->last = *at;
	if (tally->depth <= LIMIT_ISL_DEPTH)
		note_most(tally);
}

/* What is too much for isl's reader. */
static const char *excess(const struct tally *tally)
{
	return tally->depth > LIMIT_ISL_DEPTH ? "brackets within brackets" :
		tally->list > LIMIT_ISL_LIST ? "entries in one list" :
		tally->most.pieces > LIMIT_ISL_PIECES ? "pieces" :
		tally->exists > LIMIT_ISL_EXISTS ? "quantifiers" :
		tally->factors > LIMIT_ISL_FACTORS ? "factors in one product" :
		tally->digits > LIMIT_ISL_DIGITS ? "digits in one number" :
		tally->power && tally->digits > LIMIT_ISL_EXPONENT ?
			"digits in one exponent" :
		tally->most.divisions > LIMIT_ISL_DIVISIONS ? "divisions in one piece" : NULL;
}

/* Well formed, and too much for what isl makes of it. */
static bool is_unsupported(const struct tally *tally)
{
	return tally->most.divisions > LIMIT_ISL_DIVISIONS ||
		(tally->most.pieces > LIMIT_ISL_PIECES && tally->written < LIMIT_ISL_PIECES);
}

/* isl takes a negative exponent for its magnitude, and GMP ends the process over a large
 * one. */
static bool is_harmless(layout_context *ctx, const char *text)
{
	struct tally tally = { .levels[0].now = { 1, 0 } };

	if (!layout_given(ctx, text, "text to read"))
		return false;
	for (size_t at = 0; text[at]; at++) {
		const char *what;

		if (text[at] == '-' && tally.last == '^') {
			layout_fail(ctx, LAYOUT_ERROR_PARSE, (long)at,
				"an exponent cannot be negative");
			return false;
		}
		if (text[at] == '#')
			at += strcspn(text + at, "\n") - 1;
		else
			count(&tally, text + at);
		what = at >= TEXT_LENGTH_LIMIT ? "bytes" : excess(&tally);
		if (!what)
			continue;
		layout_fail(ctx, is_unsupported(&tally) ? LAYOUT_ERROR_UNSUPPORTED :
			LAYOUT_ERROR_PARSE, (long)at, "the text has too many %s", what);
		return false;
	}
	return true;
}

/* isl's own isl_map_read_from_str() loses tokens that it had to put back when the
 * text is wrong; these do not.  What follows the object is an error. */
static isl_map *read_map(isl_ctx *isl, const char *text)
{
	isl_stream *stream = isl_stream_new_str(isl, text);
	isl_map *map = stream ? isl_stream_read_map(stream) : NULL;

	if (map && !isl_stream_is_empty(stream))
		map = isl_map_free(map);
	close_stream(stream);
	return map;
}

static isl_set *read_set(isl_ctx *isl, const char *text)
{
	isl_stream *stream = isl_stream_new_str(isl, text);
	isl_set *set = stream ? isl_stream_read_set(stream) : NULL;

	if (set && !isl_stream_is_empty(stream))
		set = isl_set_free(set);
	close_stream(stream);
	return set;
}

/* What follows it is no error. */
static isl_multi_aff *read_function(isl_ctx *isl, const char *text)
{
	isl_stream *stream = isl_stream_new_str(isl, text);
	isl_multi_aff *function = stream ? isl_stream_read_multi_aff(stream) : NULL;

	close_stream(stream);
	return function;
}

static bool can_read_map(isl_ctx *isl, const char *text)
{
	isl_map *map = read_map(isl, text);

	isl_map_free(map);
	return map;
}

static bool can_read_set(isl_ctx *isl, const char *text)
{
	isl_set *set = read_set(isl, text);

	isl_set_free(set);
	return set;
}

static bool can_read_function(isl_ctx *isl, const char *text)
{
	isl_multi_aff *function = read_function(isl, text);

	isl_multi_aff_free(function);
	return function;
}

/* Large texts, and what isl fails at, are left to isl's reader. */
bool read_as_function(layout_context *ctx, const char *text, layout_relation **relation)
{
	struct written *written = NULL;
	isl_multi_aff *function = NULL;
	isl_map *map = NULL;

	*relation = NULL;
	if (strnlen(text, TEXT_LENGTH_LIMIT + 1) <= TEXT_LENGTH_LIMIT)
		written = calloc(1, sizeof(*written));
	if (!written || !written_read(written, text)) {
		free(written);
		return false;
	}
	bridge_enter(ctx);
	bridge_relax_quota(ctx, strlen(text));
	map = written_build(written, bridge_isl(ctx), &function);
	free(written);
	if (!map || bridge_failed(ctx)) {
		isl_map_free(map);
		isl_multi_aff_free(function);
		return bridge_leave_reading(ctx);
	}
	bridge_resume_quota(ctx);
	*relation = bridge_give_relation(ctx, "read a relation", map, function, NULL);
	return true;
}

layout_relation *read_with_isl(layout_context *ctx, const char *text)
{
	isl_map *map;

	if (!is_harmless(ctx, text))
		return NULL;
	bridge_enter(ctx);
	bridge_relax_quota(ctx, strlen(text));
	map = read_map(bridge_isl(ctx), text);
	if (!map || bridge_failed(ctx)) {
		isl_map_free(map);
		fail_to_read(ctx, "a relation", text, can_read_map);
		return NULL;
	}
	bridge_resume_quota(ctx);
	return bridge_give_relation(ctx, "read a relation", map, NULL, NULL);
}

layout_relation *layout_relation_read(layout_context *ctx, const char *text)
{
	layout_relation *relation;

	if (ctx && text && read_as_function(ctx, text, &relation))
		return relation;
	return read_with_isl(ctx, text);
}

/* A function keeps the floors it was written with. */
layout_relation *layout_relation_read_function(layout_context *ctx, const char *text)
{
	isl_multi_aff *function;

	if (!is_harmless(ctx, text))
		return NULL;
	bridge_enter(ctx);
	bridge_relax_quota(ctx, strlen(text));
	function = read_function(bridge_isl(ctx), text);
	if (!function || bridge_failed(ctx)) {
		isl_multi_aff_free(function);
		fail_to_read(ctx, "a function", text, can_read_function);
		return NULL;
	}
	bridge_resume_quota(ctx);
	return bridge_give_relation(ctx, "read a function",
		isl_map_from_multi_aff(isl_multi_aff_copy(function)), function, NULL);
}

layout_set *layout_set_read(layout_context *ctx, const char *text)
{
	isl_set *set;

	if (!is_harmless(ctx, text))
		return NULL;
	bridge_enter(ctx);
	bridge_relax_quota(ctx, strlen(text));
	set = read_set(bridge_isl(ctx), text);
	if (set && isl_set_is_params(set) == isl_bool_true)
		set = isl_set_from_params(set);
	if (!set || bridge_failed(ctx)) {
		isl_set_free(set);
		fail_to_read(ctx, "a set", text, can_read_set);
		return NULL;
	}
	bridge_resume_quota(ctx);
	return bridge_give_set(ctx, "read a set", set);
}
