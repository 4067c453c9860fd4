/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reader of functions against isl's own, which it must agree with on every text
 * that it takes; and against the functions over F2 whose texts isl cannot read. */
#include "algebra/forms.h"
#include "isl_bridge/read_written.h"
#include "support/random.h"
#include "support/share.h"

#include <isl/point.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TEXTS 4000
#define POINTS 200

static uint64_t state;

static unsigned below(unsigned bound)
{
	return random_below(&state, bound);
}

/* Dimensions of one kind are called the same, and as many. */
static bool same_names(isl_map *a, isl_map *b, enum isl_dim_type type)
{
	isl_size count = isl_map_dim(a, type);

	if (count != isl_map_dim(b, type))
		return false;
	for (isl_size i = 0; i < count; i++) {
		const char *name = isl_map_get_dim_name(a, type, (unsigned)i);
		const char *other = isl_map_get_dim_name(b, type, (unsigned)i);

		if (!name != !other || (name && strcmp(name, other) != 0))
			return false;
	}
	return true;
}

/* The map is the function on its own domain. */
static bool is_its_function(layout_relation *relation)
{
	isl_map *map = isl_map_from_multi_aff(isl_multi_aff_copy(relation->forward));
	isl_bool equal;

	map = isl_map_intersect_domain(map, isl_map_domain(isl_map_copy(relation->map)));
	equal = isl_map_is_equal(map, relation->map);
	isl_map_free(map);
	return equal == isl_bool_true;
}

static bool same(layout_relation *ours, layout_relation *isls)
{
	return isl_map_is_equal(ours->map, isls->map) == isl_bool_true &&
		same_names(ours->map, isls->map, isl_dim_param) &&
		same_names(ours->map, isls->map, isl_dim_in) &&
		same_names(ours->map, isls->map, isl_dim_out) &&
		isl_map_has_equal_space(ours->map, isls->map) == isl_bool_true &&
		is_its_function(ours);
}

/* True if the text is taken, and then as isl reads it. */
static bool is_taken(layout_context *ctx, const char *text)
{
	layout_relation *ours, *isls;
	bool taken = read_as_function(ctx, text, &ours);

	if (taken) {
		isls = read_with_isl(ctx, text);
		if (!ours || !isls || !same(ours, isls)) {
			printf("%s\nours %s\nisl's %s\n", text,
				ours ? layout_relation_isl_str(ours) : "-",
				isls ? layout_relation_isl_str(isls) : "-");
			fail();
		}
		layout_relation_free(ours);
		layout_relation_free(isls);
	}
	assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NONE);
	return taken;
}

struct row {
	const char *text;
	bool taken;
};

static void rows(void **unused)
{
	static const struct row rows[] = {
		{ "{ [i] -> [i] }", true },
		{ "{[i]->[i]}", true },
		{ "{ [] -> [] }", true },
		{ "{ [] -> A[5, -3] }", true },
		{ "[] -> { [] -> [] }", true },
		{ "\n{ A[i]\t-> B[\vi\f]\r\n}\n", true },
		{ "[M, K] -> { a[i, j] -> b[K - i + M, 2j] : 0 <= i < M and j = K }",
			true },
		{ "{ [lane, element = 0] -> [lane + element] : 0 <= lane <= 31 }", true },
		{ "{ [i, 3] -> [i] }", true },
		{ "{ [i, i] -> [i] }", true },
		{ "{ [i, i + 1, j = 2i] -> [j] }", true },
		{ "{ [i = 2i - 3] -> [i] }", true },
		{ "{ [i = 1/2] -> [i] }", false },
		{ "[M] -> { [M] -> [M] }", true },
		{ "{ [i] -> [j = i, k = 3] }", true },
		{ "{ [i] -> [4i mod 32] }", true },
		{ "{ [i] -> [(4i) mod 32] }", true },
		{ "{ [i] -> [4*i mod 32] }", true },
		{ "{ [i] -> [4 i % 32] }", true },
		{ "{ [i] -> [-i mod 32] }", true },
		{ "{ [i] -> [-4 mod 32 + i] }", false },
		{ "{ [i] -> [- 4 mod 32 + i] }", false },
		{ "{ [i] -> [i - 4 mod 32] }", false },
		{ "{ [i] -> [i - -4 mod 32] }", false },
		{ "{ [i] -> [i - --4 mod 32] }", false },
		{ "{ [i] -> [-(4) mod 32] }", true },
		{ "{ [i] -> [2*i mod 4 mod 3] }", false },
		{ "{ [i] -> [2*3*-i] }", false },
		{ "{ [i] -> [-2*-3*i mod 5*7] }", false },
		{ "{ [i] -> [(i + 1)*3*-2] }", true },
		{ "{ [i] -> [2*3*i*4*-5] }", true },
		{ "{ [i] -> [2*3*i mod 4*5] }", true },
		{ "{ [i] -> [(i)*-2 -3 -i] }", true },
		{ "{ [i] -> [(i)*- 2] }", false },
		{ "{ [i] -> [(i)*-0] }", false },
		{ "{ [i] -> [2*3*i mod 4 mod 5] }", true },
		{ "{ [i] -> [2*3 i] }", false },
		{ "{ [i] -> [2*4 mod 3] }", true },
		{ "{ [i] -> [i - -4 - --i] }", true },
		{ "{ [i] -> [floor(i/3*2)] }", false },
		{ "{ [i] -> [floor(i/-3)] }", false },
		{ "{ [i] -> [floor(i*2/3)] }", true },
		{ "{ [i] -> [floor(2i/3 + i/5 - (1)/7)] }", true },
		{ "{ [i] -> [ceil(2i/3 - i/4)] }", true },
		{ "{ [i] -> [floor(i) + ceil(i + 1)] }", true },
		{ "{ [i] -> [FLOOR(i/2) + Ceil(i/3) + i MoD 7] : i > 0 AND i < 9 }",
			true },
		{ "{ [i] -> [(floor(i/2) mod 3)*4] }", true },
		{ "{ [i] -> [((i/2) mod 3)*2] }", false },
		{ "{ [i] -> [floor((i/2) mod 3)] }", true },
		{ "{ [i] -> [(i/2)*2] }", false },
		{ "{ [i] -> [i/2] }", false },
		{ "{ [i] -> [i] : i/2 < 3 and (1)/3 <= i/4 }", false },
		{ "{ [i, j] -> [i] : 0 <= i, j < 4 }", true },
		{ "{ [i, j] -> [i] : 0, i <= 2i, j < 4, 5 <= 3i }", true },
		{ "{ [i] -> [i] : i = 2*floor(i/2) = i }", true },
		{ "{ [i] -> [i] : (i) mod 4 = 0 }", true },
		{ "{ [i] -> [i] : ((i) + 1) mod 4 = 0 and (i) > 3 }", true },
		{ "{ [i] -> [i] : 9223372036854775807 >= i }", true },
		{ "{ [i] -> [9223372036854775807i - 9223372036854775807] }", true },
		{ "{ [i] -> [9223372036854775808i] }", false },
		{ "{ [i] -> [3*9223372036854775807*i] }", false },
		{ "{ [i] -> [9223372036854775807i + i] }", false },
		{ "{ [i] -> [floor(i/4294967296/4294967296)] }", false },
		{ "{ [i] -> [floor(i/4294967296 + i/4294967295)] }", false },
		{ "{ [i] -> [i] : i > -9223372036854775807 - 1 }", false },
		{ "{ [i] -> [i] : }", false },
		{ "{ [i] -> [i] : true }", false },
		{ "{ [i] -> [i] : (i > 0 and i < 3) }", false },
		{ "{ [i] -> [i] : i < 3 or i > 5 }", false },
		{ "{ [i] -> [i] : not i < 3 }", false },
		{ "{ [i] -> [i] : i != 3 }", false },
		{ "{ [i] -> [i] : exists e : i = 2e }", false },
		{ "{ [i] -> [i] : i < 3; [i] -> [2i] : i > 7 }", false },
		{ "{ [i] -> [i]; }", false },
		{ "{ [i] -> [o] : o = i }", false },
		{ "{ [i] -> [o = i, o + 1] }", false },
		{ "{ [i] -> [o = i] : o < 4 }", false },
		{ "{ [i] -> [[i] -> [i]] }", false },
		{ "{ [[i] -> [j]] -> [i] }", false },
		{ "{ [i] -> [min(i, 3)] }", false },
		{ "{ [i] -> [[i/2]] }", false },
		{ "{ [i] -> [floord(i, 2)] }", false },
		{ "{ [i] -> [i // 2] }", false },
		{ "{ [i] -> [2^3*i] }", false },
		{ "{ [i'] -> [i'] }", false },
		{ "{ [i] -> [i] } # a comment", false },
		{ "{ [*] -> [3] }", false },
		{ "{ [i][j] -> [i] }", false },
		{ "{ mod[i] -> and[i] }", false },
		{ "{ rat: [i] -> [i] }", false },
		{ "{ Sym = [M] [i] -> [i] }", false },
		{ "[M = 3] -> { [i] -> [i] }", false },
		{ "{ [i] -> [i : i > 3] }", false },
		{ "{ [i] -> [i > 3 ? 1 : 2] }", false },
		{ "{ [i] -> i }", false },
		{ "{ [i] }", false },
		{ "{ [i] -> [i] } }", false },
		{ "{ [i] -> [i mod 0] }", false },
		{ "{ [i] -> [i mod -4] }", false },
		{ "{ [i] -> [floor(i/0)] }", false },
		{ "{ [i] -> [4(i)] }", false },
		{ "{ [i] -> [4floor(i/2)] }", false },
		{ "{ [i] -> [+i] }", false },
		{ "{ [i] -> [i,] }", false },
		{ "{ [i] -> [i mod 4 mod 2] }", false },
		{ "{ [i] -> [j] }", false },
		{ "", false },
	};
	layout_context *ctx = layout_context_new();

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool taken = is_taken(ctx, rows[i].text);

		if (taken != rows[i].taken)
			printf("%s\n", rows[i].text);
		assert_int_equal(taken, rows[i].taken);
	}
	assert_true(layout_context_free(ctx));
}

/* A text in the making.  Words come from "names", of which some have no meaning. */
struct writer {
	char text[4096];
	size_t length;
	unsigned floors, rank;
	const char *names[5];
};

static void put(struct writer *writer, const char *text)
{
	static const char *const spaces[] = { "", "", "", " ", "\n\t" };

	writer->length += (size_t)snprintf(writer->text + writer->length,
		sizeof(writer->text) - writer->length, "%s%s", text, spaces[below(5)]);
}

static void put_number(struct writer *writer)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", below(12) ? below(7) + (below(4) > 0) : 33);
	put(writer, text);
}

/* Rarely 0, which is no divisor. */
static void put_divisor(struct writer *writer)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", below(50) ? 1 + below(9) : 0);
	put(writer, text);
}

static void put_sum(struct writer *writer, unsigned depth);

static void put_division(struct writer *writer, unsigned depth)
{
	static const char *const words[] = { "floor(", "ceil(", "FLOOR(", "Ceil (" };

	put(writer, words[below(4)]);
	put_sum(writer, depth);
	if (below(5)) {
		put(writer, "/");
		put_divisor(writer);
	}
	put(writer, ")");
}

static void put_term(struct writer *writer, unsigned depth)
{
	unsigned kind = below(depth ? 10 : 5);
	bool few = writer->floors < 4;

	if (kind < 4) {
		if (below(3) == 0)
			put_number(writer);
		put(writer, below(30) ? writer->names[below(writer->rank)] :
			writer->names[below(5)]);
	} else if (kind < 5) {
		put_number(writer);
	} else if (kind < 7 && few) {
		writer->floors++;
		put_division(writer, depth - 1);
	} else if (kind < 8) {
		put_number(writer);
		put(writer, "*");
		if (below(20) == 0)
			put(writer, "-");
		put_term(writer, depth - 1);
	} else {
		put(writer, "(");
		put_sum(writer, depth - 1);
		put(writer, ")");
	}
	if (kind == 4 && below(20))
		return;
	if (below(4) == 0 && few) {
		writer->floors++;
		put(writer, below(2) ? " mod " : "%");
		put_divisor(writer);
	} else if (below(9) == 0) {
		put(writer, below(2) ? "*" : "*-");
		put_number(writer);
	}
}

static void put_sum(struct writer *writer, unsigned depth)
{
	unsigned terms = 1 + below(3);

	for (unsigned i = 0; i < terms; i++) {
		if (i)
			put(writer, below(2) ? "+" : "-");
		if (below(4) == 0)
			put(writer, "-");
		if (below(20) == 0)
			put(writer, "- ");
		put_term(writer, depth);
	}
}

static void put_conditions(struct writer *writer)
{
	static const char *const signs[] = { "<", "<=", "=", ">=", ">", "<=" };
	unsigned count = below(3);

	for (unsigned i = 0; i < count; i++) {
		unsigned chain = 2 + below(2);

		put(writer, i ? " and " : ":");
		for (unsigned k = 0; k < chain; k++) {
			if (k)
				put(writer, signs[below(6)]);
			if (below(8) == 0) {
				put_sum(writer, 0);
				put(writer, ",");
			}
			put_sum(writer, below(2));
		}
	}
}

/* "name[..", of which each entry may be one that others write otherwise. */
static void put_tuple(struct writer *writer, unsigned count, bool inputs)
{
	static const char *const tuples[] = { "", "", "A", "lds", "i", "M" };

	put(writer, tuples[below(6)]);
	put(writer, "[");
	for (unsigned i = 0; i < count; i++) {
		if (i)
			put(writer, ",");
		if (inputs && below(12))
			put(writer, writer->names[i]);
		if (!inputs && below(12) == 0)
			put(writer, "out =");
		else if (inputs && below(12) == 0)
			put(writer, "=");
		else if (inputs)
			continue;
		put_sum(writer, 2);
	}
	put(writer, "]");
}

/* Put something that makes the text another, most often a wrong one. */
static void spoil(struct writer *writer)
{
	static const char *const junk[] = { "(", ")", "-", "*", "//", "^2", "mod 3", "!",
		"or", "'", ";", "#", ",", "[", "9999999999999999999", "/2", "Sym", "<<" };
	const char *at = junk[below(18)];
	size_t place = below((unsigned)writer->length + 1), length = strlen(at);

	memmove(writer->text + place + length, writer->text + place,
		writer->length - place + 1);
	memcpy(writer->text + place, at, length);
}

static void write_text(struct writer *writer)
{
	static const char *const sets[][5] = {
		{ "i", "j", "k", "M", "nowhere" },
		{ "i", "M", "M", "M", "i" },
		{ "lane", "element", "_x1", "N", "Mod" },
		{ "a", "b", "a", "i", "Sym" },
	};

	*writer = (struct writer){ 0 };
	memcpy(writer->names, sets[below(8) ? 0 : 1 + below(3)], sizeof(writer->names));
	if (below(3) == 0) {
		put(writer, "[");
		put(writer, writer->names[3]);
		put(writer, "]->");
	}
	put(writer, "{");
	writer->rank = 1 + below(3);
	put_tuple(writer, writer->rank, true);
	put(writer, "->");
	put_tuple(writer, below(3), false);
	put_conditions(writer);
	put(writer, "}");
	if (below(10) == 0)
		spoil(writer);
}

/* More than a fifth is taken: else this shows nothing. */
static void reads_like_isl(void **unused)
{
	layout_context *ctx = layout_context_new();
	struct writer writer;
	unsigned taken = 0, texts = share_count(TEXTS);

	(void)unused;
	for (unsigned i = 0; i < texts; i++) {
		write_text(&writer);
		taken += is_taken(ctx, writer.text);
	}
	printf("%u of %u texts taken\n", taken, texts);
	assert_true(taken > texts / 5);
	assert_true(layout_context_free(ctx));
}

/* A dense function between "in_rank" and "out_rank" coordinates. */
static struct f2 *dense(layout_context *ctx, unsigned rank, unsigned width)
{
	unsigned widths[8];
	struct f2 *f2;

	for (unsigned i = 0; i < rank; i++)
		widths[i] = width;
	f2 = f2_new(ctx, rank, widths, rank, widths);
	for (unsigned bit = 0; f2 && bit < f2->in_bits; bit++)
		for (unsigned out = 0; out < rank; out++)
			f2_toggle(f2, bit, out, (uint64_t)random_wide(&state,
				(int64_t)1 << width));
	return f2;
}

static int64_t image_of(isl_multi_aff *function, unsigned out, const int64_t *in,
	unsigned rank)
{
	isl_space *space = isl_space_domain(isl_multi_aff_get_space(function));
	isl_ctx *isl = isl_space_get_ctx(space);
	isl_point *point = isl_point_zero(space);
	isl_aff *aff = isl_multi_aff_get_aff(function, (int)out);
	isl_val *value;
	int64_t image;

	for (unsigned i = 0; i < rank; i++)
		point = isl_point_set_coordinate_val(point, isl_dim_set, (int)i,
			isl_val_int_from_si(isl, in[i]));
	value = isl_aff_eval(aff, point);
	image = isl_val_get_num_si(value);
	isl_val_free(value);
	return image;
}

/* The function is the F2 function at random points, and its domain the box. */
static void check_dense(layout_relation *read, const struct f2 *f2, isl_set *box)
{
	int64_t in[8], out[8];
	isl_set *domain = isl_map_domain(isl_map_copy(read->map));

	assert_int_equal(isl_set_is_equal(domain, box), isl_bool_true);
	isl_set_free(domain);
	isl_set_free(box);
	for (unsigned k = 0; k < POINTS; k++) {
		for (unsigned i = 0; i < f2->in_rank; i++)
			in[i] = random_wide(&state, (int64_t)1 << f2->in_widths[i]);
		f2_apply(f2, in, out);
		for (unsigned i = 0; i < f2->out_rank; i++)
			assert_int_equal(image_of(read->forward, i, in, f2->in_rank),
				out[i]);
	}
}

/* The texts of dense functions, which isl's reader takes seconds for or is not given,
 * read back. */
static void reads_dense_functions(void **unused)
{
	static const struct { unsigned rank, width; } rows[] = { { 1, 4 }, { 2, 3 },
		{ 1, 10 }, { 1, 12 }, { 2, 6 }, { 1, 16 }, { 4, 4 }, { 1, 20 }, { 2, 10 },
		{ 5, 4 }, { 1, 30 }, { 2, 20 }, { 8, 5 }, { 1, 60 }, { 4, 15 } };
	layout_context *ctx = layout_context_new();

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct f2 *f2 = dense(ctx, rows[i].rank, rows[i].width);
		layout_relation *relation, *read;
		char *text;

		relation = form_f2_relation(ctx, f2_share(f2));
		text = layout_relation_str(relation);
		read = layout_relation_read(ctx, text);
		if (!read)
			printf("%s\n%s\n", text, layout_context_message(ctx));
		assert_non_null(read);
		assert_non_null(read->forward);
		check_dense(read, f2, bridge_form_box(ctx, relation->form));
		layout_relation_free(relation);
		layout_relation_free(read);
		layout_string_free(text);
		f2_free(f2);
	}
	assert_true(layout_context_free(ctx));
}

/* "begin", "repeated" "count" times, "end". */
struct repetition {
	const char *begin, *repeated, *end;
	unsigned count;
};

static char *repeat(const struct repetition *row)
{
	struct layout_buffer text = { 0 };

	layout_buffer_printf(&text, "%s", row->begin);
	for (unsigned k = 0; k < row->count; k++)
		layout_buffer_printf(&text, "%s", row->repeated);
	layout_buffer_printf(&text, "%s", row->end);
	return text.text;
}

/* What a text may be too large in; none of these is taken, and none is too much for
 * the stack. */
static void large_texts(void **unused)
{
	static const struct repetition rows[] = {
		{ "{ [i] -> [", "(", "i] }", 300 },
		{ "{ [i] -> [", "floor(", "i] }", 300 },
		{ "{ [i] -> [i", "+ i)", "] }", 300 },
		{ "{ [i] -> [", "i, ", "i] }", 64 },
		{ "{ [i] -> [i] : 0 <= i", " and 0 <= i", " }", 128 },
		{ "{ [i] -> [i] : 0 <= i", ", i", " }", 8 },
		{ "{ [i", ", 3", "] -> [i] }", 64 },
		{ "{ [i] -> [", "1*", "i] }", 40 },
	};
	layout_context *ctx = layout_context_new();

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = repeat(&rows[i]);

		assert_false(is_taken(ctx, text));
		free(text);
	}
	assert_true(layout_context_free(ctx));
}

/* Where isl's reader would overrun its stack, or calculate
 * for minutes. */
static void is_kept_from_isl(void **unused)
{
	static const struct repetition rows[] = {
		{ "{ [i] -> [", "1*", "i] }", 100000 },
		{ "{ [i] -> [2^1 + i", "*-1", "] }", 100000 },
		{ "{ [i] -> [i", "*1 # +\n", "] }", 30000 },
		{ "{ [i] -> [", "(#)\n", "i] }", 100000 },
		{ "{ [i] -> [", "9", "] }", 1000000 },
		{ "{ [i] -> [9^", "9", "] }", 9 },
		{ "{ [i] -> [9", "^ #\n 9999", "] }", 1 },
		{ "{ [i] -> [9^", "9\\\n", "] }", 9 },
	};
	layout_context *ctx = layout_context_new();

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = repeat(&rows[i]);

		assert_null(layout_relation_read(ctx, text));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_PARSE);
		assert_non_null(strstr(layout_context_message(ctx), "too many"));
		layout_context_clear(ctx);
		free(text);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows),
		cmocka_unit_test(reads_like_isl),
		cmocka_unit_test(reads_dense_functions),
		cmocka_unit_test(large_texts),
		cmocka_unit_test(is_kept_from_isl),
	};

	state = random_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
