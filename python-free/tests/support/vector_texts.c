/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/vector_texts.h"
#include "support/append.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void choice_operand_text(const char *types, const char *sizes, unsigned operand, char *text,
	size_t size)
{
	int m_length = (int)strcspn(sizes, "x");

	append_text(text, size, "#iree_encoding.encoding<operand_index = %u, "
		"op_type = matmul, element_types = [%s], user_indexing_maps = "
		"[affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, "
		"affine_map<(m, n, k) -> (m, n)>], iteration_sizes = [%.*s, %s, ?]>",
		operand, types, m_length, sizes, sizes + m_length + 1);
}

/* "0,1" in brackets */
static void append_list(char *text, size_t size, const char *list)
{
	append_text(text, size, "[%s]", strcmp(list, "-") ? list : "");
}

/* "T4/T2,T8": groups of an expand_shape. */
static void append_parts(char *text, size_t size, char *groups)
{
	char *group, *part;

	append_text(text, size, "[");
	for (unsigned g = 0; (group = strsep(&groups, "/")); g++) {
		append_text(text, size, "%s[", g ? ", " : "");
		for (unsigned k = 0; (part = strsep(&group, ",")); k++)
			append_text(text, size, "%s[\"Internal\", %d : i16]",
				k ? ", " : "", atoi(part + 1));
		append_text(text, size, "]");
	}
	append_text(text, size, "]");
}

void packed_text(const char *dims, const char *tiles, const char *outer, char *parts,
	const char *permutation, char *text, size_t size)
{
	unsigned rank = 1;

	append_text(text, size, "packed(encoding_info<{innerDimsPos = ");
	append_list(text, size, dims);
	append_text(text, size, ", innerTileSizes = ");
	append_list(text, size, tiles);
	append_text(text, size, ", outerDimsPerm = ");
	append_list(text, size, outer);
	if (parts) {
		append_text(text, size, ", swizzle = {expandShape = ");
		append_parts(text, size, parts);
		append_text(text, size, ", permutation = ");
		append_list(text, size, permutation);
		append_text(text, size, "}");
	}
	append_text(text, size, "}>, [");
	for (const char *at = outer; *at; at++)
		rank += *at == ',';
	for (unsigned d = 0; d < rank; d++)
		append_text(text, size, "%sS%u", d ? ", " : "", d);
	append_text(text, size, "])");
}

/* "4x128" as "4, 128". */
static const char *box_text(const char *shape, char text[64])
{
	char *to = text;

	for (; *shape; shape++)
		to = *shape == 'x' ? stpcpy(to, ", ") : (*to++ = *shape, to);
	*to = 0;
	return text;
}

void direct_copy_text(char *const *columns, char *text, size_t size)
{
	char source[64], box[64], zeros[32] = "0", place[128];
	bool gathers = atoi(columns[9]) > 0;

	box_text(columns[3], source);
	box_text(columns[7], box);
	for (const char *c = columns[7]; *c; c++)
		if (*c == 'x')
			strcat(zeros, ", 0");
	snprintf(place, sizeof(place), *columns[11] == '-' ? "row_major[%s]" :
		"swizzled(row_major[%s], %s)", box, columns[11]);
	if (gathers)
		zeros[0] = 'i';
	append_text(text, size, "program p(A: in row_major[%s] %s, Y: out row_major[%s] "
		"%s) { grid (g) in (1) workers w in 1 lds l: [%s] %s @ %s %s copy A[%s] -> l "
		"y = get l[%s] : [%s] store y -> Y[%s] }", source, columns[4], box, columns[4],
		box, columns[4], place, gathers ? "i: [2, 16] i32 = fill 0" : "", zeros,
		gathers ? "0, 0" : zeros, box, gathers ? "0, 0" : zeros);
}

/* The file's word among the pairs as MLIR's; itself where it is none of them. */
static const char *word_of(const char *const (*words)[2], size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(words[i][0], name))
			return words[i][1];
	return name;
}

#define WORD_OF(words, name) word_of(words, sizeof(words) / sizeof(*(words)), name)

const char *triton_text(const char *from, char *text, size_t size)
{
	static const char *const kinds[][2] = { { "mfma", "amd_mfma" },
		{ "wmma", "amd_wmma" }, { "dot", "dot_op" }, { "nvmma", "nvidia_mma" } };
	static const char *const keys[][2] = { { "ctasPerCGA", "CTAsPerCGA" },
		{ "ctaSplit", "CTASplitNum" }, { "ctaOrder", "CTAOrder" },
		{ "swizzleBytes", "swizzlingByteWidth" } };
	bool first = true, matrix = !strncmp(from, "enc=nvmma ", 10);
	bool shared = !strncmp(from, "enc=nvmma_shared", 16);
	char name[40];
	int read = 0;

	sscanf(from, "enc=%39[a-z_]%n", name, &read);
	from += read;
	append_text(text, size, "#ttg.%s<{", WORD_OF(kinds, name));
	while (*from == ' ') {
		read = 0;
		sscanf(from, " %39[A-Za-z]=%n", name, &read);
		from += read;
		if (shared && !strcmp(name, "order")) {		/* as it is "transposed" */
			from += strcspn(from, " )");
			continue;
		}
		if (matrix && !strcmp(name, "version"))		/* "3.0" */
			strcpy(name, "versionMajor");
		append_text(text, size, "%s%s = ", first ? "" : ", ", WORD_OF(keys, name));
		first = false;
		if (*from == '(') {
			from = triton_text(from + 1, text, size);
		} else if (!strcmp(name, "isTransposed") || !strcmp(name, "transposed")) {
			append_text(text, size, *from++ == '1' ? "true" : "false");
		} else {
			append_text(text, size, "%.*s", (int)strcspn(from, *name == 'v' ?
				". )" : " )"), from);
			from += strcspn(from, " )");
		}
	}
	append_text(text, size, "}>");
	return *from == ')' ? from + 1 : from;
}
