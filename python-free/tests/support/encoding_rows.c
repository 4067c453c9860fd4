/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/append.h"
#include "support/encoding_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define VECTORS TEST_DATA_DIR "/vectors/encodings.tsv"

static void split(char *line, struct encoding_row *row)
{
	unsigned count = 0;
	char *field;

	line[strcspn(line, "\n")] = '\0';
	while ((field = strsep(&line, "\t"))) {
		assert_true(count < ROW_COLUMNS);
		row->fields[count++] = field;
	}
	assert_int_equal(count, ROW_COLUMNS);
}

unsigned each_encoding_row(encoding_row_visit visit, void *user)
{
	FILE *file = fopen(VECTORS, "r");
	char *line = NULL;
	size_t size = 0;
	unsigned count = 0;

	assert_non_null(file);
	while (getline(&line, &size, file) > 0) {
		struct encoding_row row;

		if (line[0] == '#')
			continue;
		split(line, &row);
		visit(&row, user);
		count++;
	}
	free(line);
	fclose(file);
	return count;
}

/* "MAP|MAP;MAP|MAP" as "[affine_map<MAP>, [affine_map<MAP>, ..], ..]". */
static void add_maps(char text[ENCODING_TEXT], const char *maps)
{
	char *copy = strdup(maps), *rest = copy, *operand;

	assert_non_null(copy);
	append_text(text, ENCODING_TEXT, ", user_indexing_maps = [");
	for (unsigned i = 0; (operand = strsep(&rest, "|")); i++) {
		bool listed = strchr(operand, ';');
		char *map;

		append_text(text, ENCODING_TEXT,
			"%s%s", i ? ", " : "", listed ? "[" : "");
		for (unsigned k = 0; (map = strsep(&operand, ";")); k++)
			append_text(text, ENCODING_TEXT,
				"%saffine_map<%s>", k ? ", " : "", map);
		append_text(text, ENCODING_TEXT, "%s", listed ? "]" : "");
	}
	append_text(text, ENCODING_TEXT, "]");
	free(copy);
}

void encoding_row_text(const struct encoding_row *row, char text[ENCODING_TEXT])
{
	const char *const *fields = row->fields;

	text[0] = '\0';
	append_text(text, ENCODING_TEXT,
		"#iree_encoding.encoding<operand_index = %s : index, op_type = %s, "
		"element_types = [%s]", fields[ROW_OPERAND], fields[ROW_OP_TYPE],
		fields[ROW_ELEMENT_TYPES]);
	if (strcmp(fields[ROW_ORIGINAL_TYPE], "-") != 0)
		append_text(text, ENCODING_TEXT,
			", original_element_type = %s", fields[ROW_ORIGINAL_TYPE]);
	if (strcmp(fields[ROW_MAPS], "-") != 0)
		add_maps(text, fields[ROW_MAPS]);
	if (strcmp(fields[ROW_SIZES], "-") != 0)
		append_text(text, ENCODING_TEXT,
			", iteration_sizes = [%s]", fields[ROW_SIZES]);
	append_text(text, ENCODING_TEXT, ">");
}

unsigned encoding_row_shape(const char *text, long shape[16])
{
	unsigned count = 0;

	while (*text && *text != '-') {
		char *end;

		assert_true(count < 16);
		shape[count] = *text == '?' ? -1 : strtol(text, &end, 10);
		text = *text == '?' ? text + 1 : end;
		text += *text == 'x';
		count++;
	}
	return count;
}
