/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* .npy files: headers good and bad, byte orders, index orders, writing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "files/npy.h"
#include "files/npy_header.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TYPE "'descr': '<f4'"
#define C_ORDER "'fortran_order': False"

/* A file's bytes: magic, version, length of the header, header, elements. */
static char *make_file(int version, const char *header, size_t bytes, size_t *size)
{
	size_t length = strlen(header), fixed = version == 1 ? 10 : 12;
	char *file = calloc(1, fixed + length + bytes + 1);

	assert_non_null(file);
	memcpy(file, "\x93NUMPY", 6);
	file[6] = version;
	for (size_t i = 8; i < fixed; i++)
		file[i] = length >> 8 * (i - 8);
	memcpy(file + fixed, header, length);
	for (size_t i = 0; i < bytes; i++)
		file[fixed + length + i] = i + 1;
	*size = fixed + length + bytes;
	return file;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* A header, the bytes after it, and what comes out: a type, an order, and a shape
 * (ending with -1). */
static const struct good_row {
	const char *header;
	size_t bytes;
	char kind;
	unsigned element_bytes;
	bool fortran;
	int64_t shape[5];
} good_rows[] = {
	{ "{" TYPE ", " C_ORDER ", 'shape': (2, 3), }\n", 24,
		'f', 4, false, { 2, 3, -1 } },
	{ "{'shape': (3,), 'fortran_order': True, 'descr': '|i1'}", 3,
		'i', 1, true, { 3, -1 } },
	{ "  { \"descr\" :\t'>u2' ,'fortran_order':False,'shape':( 1 , 2,3, ) }  \n", 12,
		'u', 2, false, { 1, 2, 3, -1 } },
	{ "{'descr': '<f8', " C_ORDER ", 'shape': ()}", 8,
		'f', 8, false, { -1 } },
	{ "{'descr': '|b1', " C_ORDER ", 'shape': (0, 5)}", 0,
		'b', 1, false, { 0, 5, -1 } },
	{ "{'descr': '<V2', " C_ORDER ", 'shape': (2L,)}", 4,
		'V', 2, false, { 2, -1 } },
	{ "{'descr': '<f1', " C_ORDER ", 'shape': (2,)}", 2,
		'f', 1, false, { 2, -1 } },
	{ "{'descr': '|V8', " C_ORDER ", 'shape': (1,)}", 8,
		'V', 8, false, { 1, -1 } },
	{ "{'descr': '=i8', " C_ORDER ", 'shape': (1, 1)}", 8,
		'i', 8, false, { 1, 1, -1 } },
	{ "{" TYPE ", " C_ORDER ", 'shape': (0, 9223372036854775807, 8)}", 0,
		'f', 4, false, { 0, INT64_MAX, 8, -1 } },
};

/* A header, the bytes after it, and the complaint. */
static const struct bad_row {
	const char *header;
	size_t bytes;
	const char *complaint;
	enum wrong wrong;
} bad_rows[] = {
	{ "", 0, "expected '{'", WRONG_CONTENT },
	{ "{}", 0, "expected descr, fortran_order and shape", WRONG_CONTENT },
	{ "{" TYPE ", 'shape': (2,)}", 8, "expected descr, fortran_order", WRONG_CONTENT },
	{ "{" TYPE ", " TYPE ", 'shape': (2,)}", 8, "once each", WRONG_CONTENT },
	{ "{'dtype': '<f4'}", 0, "once each", WRONG_CONTENT },
	{ "{" TYPE " " C_ORDER ", 'shape': (2,)}", 8, "expected ','", WRONG_CONTENT },
	{ "{" TYPE ", " C_ORDER ", 'shape': (2,)} x", 8, "nothing after", WRONG_CONTENT },
	{ "{" TYPE ", " C_ORDER ", 'shape': (2,)", 8, "expected ','", WRONG_CONTENT },
	{ "{" TYPE ", " C_ORDER ", 'shape': (2)}", 8, "after the only size", WRONG_CONTENT },
	{ "{" TYPE ", " C_ORDER ", 'shape': (2 3)}", 24, "expected ',' or ')'", WRONG_CONTENT },
	{ "{" TYPE ", " C_ORDER ", 'shape': (-2,)}", 8, "expected a size", WRONG_CONTENT },
	{ "{" TYPE ", " C_ORDER ", 'shape': (,)}", 4, "expected a size", WRONG_CONTENT },
	{ "{" TYPE ", " C_ORDER ", 'shape': [2]}", 8, "expected '('", WRONG_CONTENT },
	{ "{" TYPE ", " C_ORDER ", 'shape': (9223372036854775808,)}", 8,
		"size below 2^63", WRONG_CONTENT },
	{ "{" TYPE ", " C_ORDER ", 'shape': (4294967296, 4294967296)}", 8,
		"too many elements", WRONG_CONTENT },
	{ "{" TYPE ", 'fortran_order': 0, 'shape': (2,)}", 8, "True or False", WRONG_CONTENT },
	{ "{'descr': <f4, " C_ORDER ", 'shape': (2,)}", 8, "expected a string", WRONG_CONTENT },
	{ "{'descr': '<f4", 0, "a short string", WRONG_CONTENT },
	{ "{'descr': [('a', '<f4')], " C_ORDER ", 'shape': (2,)}", 8, "not a record",
		WRONG_CONTENT },
	{ "{'descr': '<c8', " C_ORDER ", 'shape': (2,)}", 16, "'<c8' cannot", WRONG_CONTENT },
	{ "{'descr': '<f3', " C_ORDER ", 'shape': (2,)}", 6, "'<f3' cannot", WRONG_CONTENT },
	{ "{'descr': '<U4', " C_ORDER ", 'shape': (2,)}", 32, "'<U4' cannot", WRONG_CONTENT },
	{ "{'descr': '|f4', " C_ORDER ", 'shape': (2,)}", 8, "'|f4' cannot", WRONG_CONTENT },
	{ "{'descr': 'f4', " C_ORDER ", 'shape': (2,)}", 8, "'f4' cannot", WRONG_CONTENT },
	{ "{'descr': '', " C_ORDER ", 'shape': (2,)}", 8, "'' cannot", WRONG_CONTENT },
	{ "{" TYPE ", " C_ORDER ", 'shape': (2, 3)}", 23, "cut short: 23 bytes", WRONG_IO },
	{ "{" TYPE ", " C_ORDER ", 'shape': (2, 3)}", 25, "too long: 25 bytes",
		WRONG_CONTENT },
};

static void check_good(const char *path, const struct good_row *row)
{
	struct complaint complaint = { 0 };
	struct npy array;
	unsigned rank = 0;

	if (!npy_read(&array, path, &complaint))
		fail_msg("%s: %s", row->header, complaint.text);
	while (row->shape[rank] >= 0)
		rank++;
	assert_int_equal(array.kind, row->kind);
	assert_int_equal(array.element_bytes, row->element_bytes);
	assert_int_equal(array.fortran, row->fortran);
	assert_int_equal(array.rank, rank);
	assert_memory_equal(array.shape, row->shape, rank * sizeof(*row->shape));
	assert_int_equal(array.bytes, row->bytes);
	assert_int_equal((uintptr_t)array.data % NPY_ALIGN, 0);
	npy_release(&array);
}

static void check_bad(const char *path, const struct bad_row *row)
{
	struct complaint complaint = { 0 };
	struct npy array;

	if (npy_read(&array, path, &complaint))
		fail_msg("%s: accepted", row->header);
	npy_release(&array);
	if (!strstr(complaint.text, row->complaint))
		fail_msg("%s: says: %s", row->header, complaint.text);
	assert_int_equal(complaint.kind, row->wrong);
}

/* The file of that version, header and number of bytes. */
static void put_file(const char *path, int version, const char *header, size_t bytes)
{
	size_t size;
	char *file = make_file(version, header, bytes, &size);

	write_bytes(path, file, size);
	free(file);
}

static void test_headers(void **state)
{
	char *folder = shell_folder_new(), path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/a.npy", folder);
	for (int version = 1; version <= 3; version++) {
		for (size_t i = 0; i < sizeof(good_rows) / sizeof(*good_rows); i++) {
			put_file(path, version, good_rows[i].header, good_rows[i].bytes);
			check_good(path, &good_rows[i]);
		}
		for (size_t i = 0; i < sizeof(bad_rows) / sizeof(*bad_rows); i++) {
			put_file(path, version, bad_rows[i].header, bad_rows[i].bytes);
			check_bad(path, &bad_rows[i]);
		}
	}
	shell_folder_remove(folder);
}

/* A good file, cut after each of its bytes, and with each byte of its start
 * changed. */
static void test_cut_and_changed(void **state)
{
	char *folder = shell_folder_new(), path[4096];
	size_t size;
	char *file = make_file(1, "{" TYPE ", " C_ORDER ", 'shape': (2, 3), }\n", 24, &size);
	struct complaint complaint;
	struct npy array;

	(void)state;
	snprintf(path, sizeof(path), "%s/a.npy", folder);
	for (size_t cut = 0; cut < size; cut++) {
		write_bytes(path, file, cut);
		assert_false(npy_read(&array, path, &complaint));
		npy_release(&array);
	}
	for (size_t at = 0; at < 8; at++) {
		file[at] ^= 0x40;
		write_bytes(path, file, size);
		assert_false(npy_read(&array, path, &complaint));
		assert_int_equal(complaint.kind, WRONG_CONTENT);
		npy_release(&array);
		file[at] ^= 0x40;
	}
	free(file);
	file = make_file(1, "{'descr': '<f4.', " C_ORDER ", 'shape': (2, 3), }\n", 24, &size);
	*strchr(strchr(file + 10, '4'), '.') = 0;
	write_bytes(path, file, size);
	assert_false(npy_read(&array, path, &complaint));
	npy_release(&array);
	free(file);
	shell_folder_remove(folder);
}

static const struct {
	const char *type;
	uint64_t first;		/* the element whose bytes in the file are 1, 2, .. */
} order_rows[] = {
	{ "|u1", 0x01 },
	{ "<u2", 0x0201 }, { ">u2", 0x0102 }, { ">f2", 0x0102 },
	{ "<i4", 0x04030201 }, { ">i4", 0x01020304 },
	{ "<f8", 0x0807060504030201 }, { ">f8", 0x0102030405060708 },
	{ "|V4", 0x04030201 },
};

static void test_byte_order(void **state)
{
	char *folder = shell_folder_new(), path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/a.npy", folder);
	for (size_t i = 0; i < sizeof(order_rows) / sizeof(*order_rows); i++) {
		struct complaint complaint;
		struct npy array;
		char header[120];
		uint64_t first = 0;

		snprintf(header, sizeof(header), "{'descr': '%s', " C_ORDER
			", 'shape': (3,)}", order_rows[i].type);
		put_file(path, 1, header, 3 * (order_rows[i].type[2] - '0'));
		assert_true(npy_read(&array, path, &complaint));
		memcpy(&first, array.data, array.element_bytes);
		assert_int_equal(first, order_rows[i].first);
		npy_release(&array);
	}
	shell_folder_remove(folder);
}

/* Element (i, j, k) of a 2 x 3 x 4 array is 100i + 10j + k whichever its order. */
static void test_reorder(void **state)
{
	struct npy array = { .kind = 'i', .element_bytes = 2, .rank = 3,
		.shape = { 2, 3, 4 } };
	struct complaint complaint;
	int16_t *data;

	(void)state;
	assert_true(npy_allocate(&array, &complaint));
	data = array.data;
	for (int i = 0; i < 24; i++)
		data[i] = 100 * (i / 12) + 10 * (i / 4 % 3) + i % 4;
	assert_true(npy_reorder(&array, &complaint));
	assert_true(array.fortran);
	data = array.data;
	for (int i = 0; i < 24; i++)
		assert_int_equal(data[i], 100 * (i % 2) + 10 * (i / 2 % 3) + i / 6);
	assert_true(npy_reorder(&array, &complaint));
	assert_false(array.fortran);
	data = array.data;
	for (int i = 0; i < 24; i++)
		assert_int_equal(data[i], 100 * (i / 12) + 10 * (i / 4 % 3) + i % 4);
	npy_release(&array);
}

static const struct {
	char kind;
	unsigned element_bytes;
	bool fortran;
	unsigned rank;
	int64_t size;		/* of every dimension */
} write_rows[] = {
	{ 'f', 4, false, 2, 5 },
	{ 'f', 4, true, 3, 3 },
	{ 'i', 1, false, 1, 7 },
	{ 'V', 2, false, 2, 1 },
	{ 'u', 8, false, 0, 0 },
	{ 'b', 1, false, 3, 0 },
	{ 'f', 2, false, 64, 1 },
};

static void test_write(void **state)
{
	char *folder = shell_folder_new(), path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/a.npy", folder);
	for (size_t i = 0; i < sizeof(write_rows) / sizeof(*write_rows); i++) {
		struct npy array = { .kind = write_rows[i].kind,
			.element_bytes = write_rows[i].element_bytes,
			.fortran = write_rows[i].fortran, .rank = write_rows[i].rank };
		struct complaint complaint;
		struct npy back;

		for (unsigned d = 0; d < array.rank; d++)
			array.shape[d] = write_rows[i].size;
		assert_true(npy_allocate(&array, &complaint));
		memset(array.data, 0x5a, array.bytes);
		assert_true(npy_write(&array, path, &complaint));
		assert_true(npy_read(&back, path, &complaint));
		assert_int_equal(back.kind, array.kind);
		assert_int_equal(back.element_bytes, array.element_bytes);
		assert_int_equal(back.fortran, array.fortran);
		assert_int_equal(back.rank, array.rank);
		assert_memory_equal(back.shape, array.shape, sizeof(array.shape));
		assert_int_equal(back.bytes, array.bytes);
		assert_memory_equal(back.data, array.data, array.bytes);
		npy_release(&back);
		npy_release(&array);
	}
	shell_folder_remove(folder);
}

/* A header that numpy itself writes, byte for byte. */
static void test_header_text(void **state)
{
	struct npy array = { .kind = 'f', .element_bytes = 4, .rank = 1, .shape = { 3 } };
	static const char start[] = "\x93NUMPY\x01\x00\x76\x00"
		"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
	size_t length;
	char *header = npy_header_write(&array, &length);

	(void)state;
	assert_int_equal(length, 128);
	assert_memory_equal(header, start, sizeof(start) - 1);
	assert_int_equal(header[127], '\n');
	free(header);
}

static void test_unreadable(void **state)
{
	struct complaint complaint;
	struct npy array;

	(void)state;
	assert_false(npy_read(&array, "/no/such/file.npy", &complaint));
	assert_int_equal(complaint.kind, WRONG_IO);
	npy_release(&array);
	assert_false(npy_read(&array, "/", &complaint));
	assert_int_equal(complaint.kind, WRONG_IO);
	npy_release(&array);
}

/* What stood there before a failed write still stands there. */
static void test_unwritable(void **state)
{
	struct npy array = { .kind = 'f', .element_bytes = 4, .rank = 1, .shape = { 3 } };
	char *folder = shell_folder_new(), path[4096];
	struct complaint complaint;

	(void)state;
	assert_true(npy_allocate(&array, &complaint));
	snprintf(path, sizeof(path), "%s/missing/a.npy", folder);
	assert_false(npy_write(&array, path, &complaint));
	assert_int_equal(complaint.kind, WRONG_IO);
	assert_false(npy_write(&array, folder, &complaint));
	assert_int_equal(complaint.kind, WRONG_IO);
	assert_false(npy_write(&array, "/dev/full", &complaint));
	assert_int_equal(complaint.kind, WRONG_IO);
	assert_int_equal(rmdir(folder), 0);
	free(folder);
	npy_release(&array);
}

/* A thousand terabytes. */
static void test_too_large(void **state)
{
	struct npy array = { .kind = 'u', .element_bytes = 8, .rank = 2,
		.shape = { 1 << 25, 1 << 25 } };
	struct complaint complaint;

	(void)state;
	assert_false(npy_allocate(&array, &complaint));
	assert_int_equal(complaint.kind, WRONG_MEMORY);
	npy_release(&array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_cut_and_changed),
		cmocka_unit_test(test_byte_order),
		cmocka_unit_test(test_reorder),
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_header_text),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_unwritable),
		cmocka_unit_test(test_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
