/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tags of formats, against the addresses that they stand for, and back. */
#include "support/skip.h"

#include <layout/run.h>
#include <layout/value.h>

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { RANK = 6 };

/* "order" are the dimensions' letters; "abstract" is the tag in a, b, c. */
static const struct row {
	const char *tag, *order, *abstract;
	int64_t size[RANK];
} rows[] = {
	{ "ab", "ab", "ab", { 3, 5 } },
	{ "ba", "ab", "ba", { 3, 5 } },
	{ "acdb", "abcd", "acdb", { 2, 3, 4, 5 } },
	{ "nchw", "nchw", "abcd", { 2, 3, 4, 5 } },
	{ "nhwc", "nchw", "acdb", { 2, 3, 4, 5 } },
	{ "NHWC", "nchw", "acdb", { 2, 3, 4, 5 } },
	{ "nChw16c", "nchw", "aBcd16b", { 2, 37, 2, 3 } },
	{ "NCHW16c", "nchw", "aBcd16b", { 2, 37, 2, 3 } },
	{ "AB16b64a", "ab", "AB16b64a", { 130, 40 } },
	{ "OIhw4i16o4i", "oihw", "ABcd4b16a4b", { 20, 33, 2, 3 } },
	{ "OIHW16i16o", "oihw", "ABcd16b16a", { 17, 16, 1, 2 } },
	{ "hwio", "oihw", "cdba", { 2, 3, 4, 5 } },
	{ "gOIw2i8o4i", "goiw", "aBCd2c8b4c", { 2, 9, 17, 3 } },
	{ "NCdhw2n4c", "ncdhw", "ABcde2a4b", { 3, 6, 2, 1, 2 } },
	{ "ntc", "tnc", "bac", { 2, 3, 4 } },
	{ "x", "x", "a", { 5 } },
	{ "nt", "tn", "ba", { 3, 4 } },
	{ "ldgo", "ldgo", "abcd", { 2, 3, 4, 5 } },
	{ "OhwI32o", "oihw", "Acdb32a", { 33, 3, 2, 5 } },
	{ "gOhwI32o", "goihw", "aBdec32b", { 2, 33, 3, 2, 2 } },
	{ "gOIdhw4i8o4i", "goidhw", "aBCdef4c8b4c", { 2, 9, 17, 1, 2, 3 } },
	{ "aB4b4b", "ab", "aB16b", { 2, 33 } },
	{ "AB1a", "ab", "ab", { 3, 2 } },
};

/* Of the blocks from "at" on, those of the letter multiplied. */
static int64_t rest_of(const char *at, char letter)
{
	int64_t rest = 1;

	while (*at) {
		char *end;
		long size = strtol(at, &end, 10);

		rest *= *end == letter ? size : 1;
		at = end + 1;
	}
	return rest;
}

/* Where an element is, read off the tag from left to right. */
static int64_t place(const struct row *row, const int64_t *index)
{
	const char *blocks = row->tag + strcspn(row->tag, "0123456789"), *at = blocks;
	int64_t sum = 0;

	for (const char *letter = row->tag; letter < blocks; letter++) {
		char small = (char)tolower((unsigned char)*letter);
		int64_t d = strchr(row->order, small) - row->order;
		int64_t tile = rest_of(blocks, small);

		sum = sum * ((row->size[d] + tile - 1) / tile) + index[d] / tile;
	}
	while (*at) {
		char *end;
		long size = strtol(at, &end, 10);
		int64_t d = strchr(row->order, *end) - row->order;

		at = end + 1;
		sum = sum * size + index[d] / rest_of(at, *end) % size;
	}
	return sum;
}

static layout_storage *storage_of(layout_context *ctx, const struct row *row)
{
	char text[RANK][8];
	const char *sizes[RANK];
	unsigned rank = (unsigned)strlen(row->order);

	for (unsigned i = 0; i < rank; i++) {
		snprintf(text[i], sizeof(text[i]), "%d", (int)row->size[i]);
		sizes[i] = text[i];
	}
	return layout_storage_tagged(ctx, row->tag, rank, sizes);
}

/* Copied there, element number i of the tensor is where the tag says. */
static void check_places(layout_context *ctx, const struct row *row, layout_storage *storage)
{
	static uint32_t from[8192], to[16384];
	unsigned rank = (unsigned)strlen(row->order), d = 0, count = 0;
	int64_t index[RANK] = { 0 };
	struct row plain = *row;
	char tag[RANK + 1] = "abcdef";
	layout_run run = LAYOUT_RUN_INIT;
	layout_remap *remap;

	tag[rank] = 0;
	plain.tag = tag;
	for (uint32_t i = 0; i < COUNT(from); i++)
		from[i] = i;
	remap = layout_remap_new(storage_of(ctx, &plain), layout_storage_copy(storage), "u32",
		NULL);
	run.source = from;
	run.source_bytes = sizeof(from);
	run.destination = to;
	run.destination_bytes = sizeof(to);
	if (!layout_remap_run(remap, &run))
		fail_msg("%s: %s", row->tag, layout_context_message(ctx));
	do {
		assert_int_equal(to[place(row, index)], count++);
		for (d = rank; d-- > 0;) {
			if (++index[d] < row->size[d])
				break;
			index[d] = 0;
		}
	} while (d < rank);
	layout_remap_free(remap);
}

static void test_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_context *ctx = layout_context_new();
		layout_storage *storage = storage_of(ctx, &rows[i]);
		char *tag;

		if (!storage)
			fail_msg("%s: %s", rows[i].tag, layout_context_message(ctx));
		check_places(ctx, &rows[i], storage);
		tag = layout_storage_tag(storage);
		assert_string_equal(tag, rows[i].abstract);
		layout_string_free(tag);
		layout_storage_free(storage);
		assert_true(layout_context_free(ctx));
	}
}

static const struct {
	const char *text, *result;
} texts[] = {
	{ "tagged(nChw16c, [N, C, H, W])", "tagged(nChw16c, [N, C, H, W])" },
	{ "nChw16c[N, C, H, W]", "tagged(nChw16c, [N, C, H, W])" },
	{ "OIhw4i16o4i [32, 20, 3, 3]", "tagged(OIhw4i16o4i, [32, 20, 3, 3])" },
	{ "swizzled(ab[M, 64], xor_shuffle<64, 8>)",
	  "swizzled(tagged(ab, [M, 64]), xor_shuffle<64, 8>)" },
	{ "tag(NHWC[N, C, H, W])", "tagged(acdb, [N, C, H, W])" },
	{ "remap(nchw[N, C, H, W] -> nChw16c[N, C, H, W], type = f32, pad = 0.0)",
	  "remap(tagged(nchw, [N, C, H, W]) -> tagged(nChw16c, [N, C, H, W]), type = f32, "
	  "pad = 0.0)" },
	{ "let ab = row_major[M, 8]\ntag(ab)", "tagged(ab, [M, 8])" },
	{ "tag(row_major[M, K])", "tagged(ab, [M, K])" },
	{ "tag(col_major[M, K, L])", "tagged(cba, [M, K, L])" },
	{ "tag(tagged(nhwc, [N, C, H, W]))", "tagged(acdb, [N, C, H, W])" },
	{ "tag(packed(encoding_info<{innerDimsPos = [1, 0], innerTileSizes = [16, 64], "
	  "outerDimsPerm = [0, 1]}>, [M, K]))", "tagged(AB16b64a, [M, K])" },
	{ "swizzled(tagged(ab, [M, 64]), xor_shuffle<64, 8>)",
	  "swizzled(tagged(ab, [M, 64]), xor_shuffle<64, 8>)" },
};

static void test_texts(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		layout_value *value = layout_value_parse(ctx, texts[i].text);
		char *now = layout_value_str(value);

		if (!now)
			fail_msg("%s: %s", texts[i].text, layout_context_message(ctx));
		assert_string_equal(now, texts[i].result);
		layout_string_free(now);
		layout_value_free(value);
	}
	assert_true(layout_context_free(ctx));
}

static const struct {
	const char *text;
	long position;
	const char *message;
} wrong[] = {
	{ "tagged(16c, [N])", 7, NULL },
	{ "tagged(xy, [N, C])", 7, "its letters are" },
	{ "tagged(aa, [N, C])", 7, "its letters are" },
	{ "tagged(nChw, [N, C, H, W])", 7, "capitals are" },
	{ "tagged(nchw16c, [N, C, H, W])", 7, "capitals are" },
	{ "tagged(nChw16, [N, C, H, W])", 7, "a block is" },
	{ "tagged(nChw0c, [N, C, H, W])", 7, "a block is" },
	{ "tagged(nChw16d, [N, C, H, W])", 7, "a block is" },
	{ "tagged(A2000000000a2000000000a2000000000a, [N])", 7, "too large" },
	{ "tagged(nchw, [N, C, H])", 7, "has 4 dimensions, the sizes are 3" },
	{ "tagged(nchw)", 11, NULL },
	{ "nchw16c[N, C, H, W]", 0, "capitals are" },
	{ "nChw16d[N, C, H, W]", 0, "a block is" },
	{ "nchw[N, C, H]", 0, "has 4 dimensions, the sizes are 3" },
	{ "nchw[N, C, H, W", 15, "expected `]`" },
	{ "nchww[N, C, H, W, W]", 0, "expected an expression" },
	{ "abcdefghijklm[1]", 0, "expected an expression" },
	{ "tag(strided[4, 8 : 16, 2])", 4, "a tag says no strides" },
	{ "tag(swizzled(row_major[M, 64], xor_shuffle<64, 8>))", 4, "a tag says no strides" },
	{ "tag(chain(row_major[3], pad([0], [1])))", 4, "a tag is of a storage" },
};

static void test_wrong(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		layout_value *value = layout_value_parse(ctx, wrong[i].text);

		if (value)
			fail_msg("%s is read", wrong[i].text);
		if (wrong[i].message && !strstr(layout_context_message(ctx), wrong[i].message))
			fail_msg("%s: %s", wrong[i].text, layout_context_message(ctx));
		if (layout_context_position(ctx) != wrong[i].position)
			fail_msg("%s: at %ld: %s", wrong[i].text, layout_context_position(ctx),
				layout_context_message(ctx));
		layout_context_clear(ctx);
	}
	assert_true(layout_context_free(ctx));
}

#define ONEDNN "/usr/include/oneapi/dnnl/dnnl_types.h"

/* The tag in a, b, c of a name of oneDNN's, for sizes that tell dimensions apart; NULL where
 * it is none. */
static char *plain_tag(layout_context *ctx, const char *name, size_t length)
{
	static const char *const sizes[] = { "70", "68", "67", "11", "10", "9", "8", "7", "6",
		"5", "4", "3" };
	char *text = strndup(name, length), *tag;
	layout_storage *storage = layout_storage_tagged(ctx, text,
		(unsigned)strcspn(text, "0123456789"), sizes);

	tag = storage ? layout_storage_tag(storage) : NULL;
	layout_storage_free(storage);
	free(text);
	return tag;
}

/* In 2.7 and later these two are said to be the tags of gOIhw2i8o16i2o and the like. */
static bool is_misnamed(const char *name)
{
	return !strncmp(name, "gIOhw2i8o16i2o", 14) || !strncmp(name, "gIOdhw2i8o16i2o", 15);
}

/* "dnnl_nchw = dnnl_abcd," and "dnnl_abcd,": each name is a tag, and the same as the other. */
static void test_names_of_onednn(void **state)
{
	layout_context *ctx;
	char line[256];
	unsigned count = 0;
	bool inside = false;
	FILE *file = fopen(ONEDNN, "r");

	(void)state;
	if (!file)
		skip_because("there is no " ONEDNN);
	ctx = layout_context_new();
	while (fgets(line, sizeof(line), file)) {
		char *name = strstr(line, "dnnl_"), *other, *tag, *wanted;

		inside = (inside || strstr(line, "dnnl_format_tag_any")) && line[0] != '}';
		if (!inside || !name || strspn(line, " ") != (size_t)(name - line) ||
		    strstr(line, "format_tag"))
			continue;
		name += 5;
		other = strstr(name, "= dnnl_");
		tag = plain_tag(ctx, name, strspn(name, "abcdefghijklmnopqrstuvwxyz"
			"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"));
		if (!tag)
			fail_msg("%s: %s", line, layout_context_message(ctx));
		if (other && !is_misnamed(name)) {
			wanted = plain_tag(ctx, other + 7, strcspn(other + 7, ",\n"));
			assert_string_equal(tag, wanted);
			layout_string_free(wanted);
		}
		layout_string_free(tag);
		count++;
	}
	assert_in_range(count, 500, 5000);
	fclose(file);
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_names_of_onednn),
	};

	return skip_status(cmocka_run_group_tests(tests, NULL, NULL));
}
