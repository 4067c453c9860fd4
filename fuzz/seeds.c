/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fuzz_seeds TARGET FOLDER FILE..: the seeds of the target, in the folder: the literals
 * of the tests, and of each FILE its whole text and its lines, of a .tsv all columns. */
#include "fuzz/fuzz.h"
#include "support/notations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct target *target;
static const char *folder;
static unsigned count;

/* One in so many lines of the vectors. */
#define ONE_LINE_IN 40

static void write_seed(const char *data, size_t size)
{
	char path[4096];
	FILE *file;

	if (!target_takes(target, data))
		return;
	snprintf(path, sizeof(path), "%s/%04u", folder, count++);
	file = fopen(path, "wb");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file)) {
		perror(path);
		exit(1);
	}
}

static void write_columns(FILE *file)
{
	char *line = NULL, *rest, *text;
	size_t capacity = 0;

	for (unsigned i = 0; getline(&line, &capacity, file) >= 0; i++)
		for (rest = line; i % ONE_LINE_IN == 0 &&
		    (text = strsep(&rest, "\t\n"));)
			if (strlen(text) > 2)
				write_seed(text, strlen(text));
	free(line);
}

static void write_file(FILE *file)
{
	char *text = NULL;
	size_t capacity = 0;
	ssize_t length = getdelim(&text, &capacity, '\0', file);

	if (length > 0)
		write_seed(text, (size_t)length);
	free(text);
}

static void write_npy(void)
{
	static const char *const headers[] = {
		"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }",
		"{'descr': '>i2', 'fortran_order': True, 'shape': (3,), }",
		"{'shape': (), 'descr': '|b1', 'fortran_order': False}",
	};

	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		char data[144] = "\x93NUMPY\1\0v";

		snprintf(data + 10, sizeof(data) - 10, "%-117s\n", headers[i]);
		write_seed(data, sizeof(data));
	}
}

int main(int argc, char **argv)
{
	target = argc > 2 ? target_find(argv[1]) : NULL;
	if (!target) {
		fprintf(stderr, "fuzz_seeds TARGET FOLDER FILE..\n");
		return 2;
	}
	folder = argv[2];
	for (unsigned i = 0; good_literal(i); i++)
		write_seed(good_literal(i), strlen(good_literal(i)));
	write_npy();
	for (int i = 3; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");

		if (!file) {
			perror(argv[i]);
			return 1;
		}
		(strstr(argv[i], ".tsv") ? write_columns : write_file)(file);
		fclose(file);
	}
	return count ? 0 : 1;
}
