/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* DLPack's tensors. */
#include <layout/layout_dl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The members' places are part of DLPack's ABI. */
static void test_members(void **state)
{
	(void)state;
	assert_int_equal(offsetof(layout_dl_tensor, device_type), 8);
	assert_int_equal(offsetof(layout_dl_tensor, ndim), 16);
	assert_int_equal(offsetof(layout_dl_tensor, code), 20);
	assert_int_equal(offsetof(layout_dl_tensor, lanes), 22);
	assert_int_equal(offsetof(layout_dl_tensor, shape), 24);
	assert_int_equal(offsetof(layout_dl_tensor, byte_offset), 40);
	assert_int_equal(sizeof(layout_dl_tensor), 48);
}

static layout_dl_tensor tensor_of(void *data, int32_t rank, int64_t *shape, int64_t *strides,
	uint8_t code, uint8_t bits)
{
	return (layout_dl_tensor){ data, 1, 0, rank, code, bits, 1, shape, strides, 0 };
}

static void test_types(void **state)
{
	static const struct {
		uint8_t code, bits;
		uint16_t lanes;
		const char *name;
	} rows[] = {
		{ 2, 32, 1, "f32" }, { 4, 16, 1, "bf16" }, { 0, 8, 1, "i8" }, { 1, 64, 1, "u64" },
		{ 6, 8, 1, "i1" }, { 10, 8, 1, "f8E4M3FN" }, { 12, 8, 1, "f8E5M2" },
		{ 5, 64, 1, NULL }, { 2, 32, 4, NULL }, { 3, 64, 1, NULL }, { 0, 4, 1, NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_dl_tensor tensor = tensor_of(NULL, 0, NULL, NULL, rows[i].code,
			rows[i].bits);

		tensor.lanes = rows[i].lanes;
		if (rows[i].name)
			assert_string_equal(layout_dl_type(&tensor), rows[i].name);
		else
			assert_null(layout_dl_type(&tensor));
	}
}

static void check_storage(layout_context *ctx, int64_t *strides, const char *text)
{
	int64_t shape[] = { 4, 8 };
	layout_dl_tensor tensor = tensor_of(NULL, 2, shape, strides, 2, 32);
	layout_storage *storage = layout_dl_storage(ctx, &tensor);
	char *now = layout_storage_str(storage);

	assert_string_equal(now, text);
	layout_string_free(now);
	layout_storage_free(storage);
}

static void test_storages(void **state)
{
	layout_context *ctx = layout_context_new();
	int64_t turned[] = { 1, 4 }, below[] = { -8, 1 }, shape[] = { 4, 8 };
	int64_t one[] = { 1, 8 };
	layout_dl_tensor tensor = tensor_of(NULL, 2, shape, below, 2, 32);
	layout_storage *storage;
	char *text;

	(void)state;
	check_storage(ctx, NULL, "row_major[4, 8]");
	check_storage(ctx, turned, "strided[4, 8 : 1, 4]");
	assert_null(layout_dl_storage(ctx, &tensor));
	assert_string_equal(layout_context_message(ctx),
		"dimension 0 of a tensor has a stride below 0");
	layout_context_clear(ctx);
	tensor.shape = one;
	storage = layout_dl_storage(ctx, &tensor);
	text = layout_storage_str(storage);
	assert_string_equal(text, "strided[1, 8 : 0, 1]");
	layout_string_free(text);
	layout_storage_free(storage);
	assert_true(layout_context_free(ctx));
}

/* A view of an array's first rows and every other column, packed in tiles of 2 x 2. */
static void test_packed(void **state)
{
	layout_context *ctx = layout_context_new();
	float from[32], to[12];
	const float wanted[12] = { 1, 3, 9, 11, 5, 0, 13, 0 };
	int64_t shape[] = { 2, 3 }, strides[] = { 8, 2 }, bytes[] = { sizeof(to) };
	layout_dl_tensor source = tensor_of(from, 2, shape, strides, 2, 32);
	layout_dl_tensor destination = tensor_of(to, 1, bytes, NULL, 1, 8);
	const char *const sizes[] = { "2", "3" };
	layout_remap *remap;

	(void)state;
	for (int i = 0; i < 32; i++)
		from[i] = (float)i;
	source.byte_offset = sizeof(float);
	remap = layout_remap_new(layout_dl_storage(ctx, &source), layout_storage_packed(
		layout_encoding_parse(ctx, "encoding_info<{innerDimsPos = [0, 1], "
			"innerTileSizes = [2, 2], outerDimsPerm = [0, 1]}>"), 2, sizes), "f32",
		NULL);
	memset(to, 0, sizeof(to));
	assert_true(layout_dl_run(remap, &destination, &source, NULL, 0));
	assert_memory_equal(to, wanted, 8 * sizeof(float));

	destination.device_type = 2;
	assert_false(layout_dl_run(remap, &destination, &source, NULL, 0));
	assert_string_equal(layout_context_message(ctx),
		"the destination is on a device of type 2, not in the CPU's memory");
	layout_context_clear(ctx);
	destination.device_type = 1;
	source.code = 0;
	assert_false(layout_dl_run(remap, &destination, &source, NULL, 0));
	assert_string_equal(layout_context_message(ctx),
		"the source has elements of type i32, the remap has f32");
	layout_context_clear(ctx);
	source.code = 2;
	bytes[0] = 31;
	assert_false(layout_dl_run(remap, &destination, &source, NULL, 0));
	assert_string_equal(layout_context_message(ctx),
		"the destination needs 32 bytes, its buffer has 31");
	layout_context_clear(ctx);
	source.byte_offset = UINT64_MAX - 3;
	assert_false(layout_dl_run(remap, &destination, &source, NULL, 0));
	assert_string_equal(layout_context_message(ctx), "a tensor overflows 64 bits");
	layout_remap_free(remap);
	assert_true(layout_context_free(ctx));
}

/* Types that a remap calls by another name, and tensors without an element. */
static void test_names(void **state)
{
	static const struct {
		const char *type;
		uint8_t code, bits;
		bool good;
	} rows[] = {
		{ "si8", 0, 8, true }, { "i8", 0, 8, true }, { "ui16", 1, 16, true },
		{ "index", 0, 64, true }, { "u8", 1, 8, true }, { "si32", 0, 64, false },
		{ "si32", 2, 32, false }, { "u16", 0, 16, false },
	};
	layout_context *ctx = layout_context_new();
	int64_t shape[] = { 5, 0 }, strides[] = { INT64_MAX, INT64_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		layout_dl_tensor tensor = tensor_of(NULL, 2, shape, strides, rows[i].code,
			rows[i].bits);
		char text[100];
		layout_remap *remap;

		snprintf(text, sizeof(text), "remap(row_major[5, N] -> col_major[5, N], type = %s)",
			rows[i].type);
		remap = layout_remap_parse(ctx, text);
		if (layout_dl_run(remap, &tensor, &tensor, &(layout_size){ "N", 0 }, 1) !=
		    rows[i].good)
			fail_msg("%s: %s", rows[i].type, layout_context_message(ctx));
		layout_context_clear(ctx);
		layout_remap_free(remap);
	}
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_storages),
		cmocka_unit_test(test_packed),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
