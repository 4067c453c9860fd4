/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/relayout_cases.h"
#include "support/storages.h"

#include <stdio.h>
#include <string.h>

enum { MATRIX, ROWS, IMAGE, SMALL };

static const struct {
	unsigned count;
	int64_t n[10][MODEL_RANK];
} shapes[] = {
	[MATRIX] = { 10, { { 256, 256 }, { 257, 129 }, { 255, 127 }, { 128, 64 }, { 1, 1 },
		{ 0, 100 }, { 100, 0 }, { 3, 130 }, { 63, 65 }, { 391, 333 } } },
	[ROWS] = { 8, { { 128, 64 }, { 127, 64 }, { 129, 64 }, { 64, 64 }, { 1, 64 },
		{ 0, 64 }, { 33, 64 }, { 391, 64 } } },
	[IMAGE] = { 8, { { 2, 64, 8, 8 }, { 1, 65, 9, 7 }, { 2, 63, 7, 9 }, { 1, 1, 1, 1 },
		{ 0, 16, 8, 8 }, { 1, 32, 16, 16 }, { 2, 3, 5, 5 }, { 2, 67, 19, 27 } } },
	[SMALL] = { 7, { { 48, 48 }, { 47, 49 }, { 49, 47 }, { 1, 1 }, { 0, 7 },
		{ 24, 24 }, { 257, 129 } } },
};

/* Of whole tiles, whatever they are. */
static const int64_t full[][MODEL_RANK] = {
	[MATRIX] = { 512, 512 }, [ROWS] = { 512, 64 }, [IMAGE] = { 2, 128, 16, 32 },
	[SMALL] = { 384, 384 },
};

static const struct {
	const struct storage_model *source, *destination;
	const char *type;
	unsigned shapes;
} cases[RELAYOUT_CASES] = {
	{ &row2, &lhs_f32, "f32", MATRIX },
	{ &row2, &lhs_f16, "f16", MATRIX },
	{ &acc_f32, &row2, "f32", MATRIX },
	{ &row2, &column2, "f32", MATRIX },
	{ &row2, &column2, "f16", MATRIX },
	{ &row2, &column2, "i8", MATRIX },
	{ &row4, &nhwc, "f32", IMAGE },
	{ &row4, &nhwc, "f16", IMAGE },
	{ &row4, &nchw16c, "f32", IMAGE },
	{ &row2, &xor_rows, "f16", ROWS },
	{ &blocked_942, &blocked_950, "f16", MATRIX },
	{ &row2, &pad_both, "f32", MATRIX },
	{ &tile12, &tile8, "f32", SMALL },
};

struct relayout relayout_case(unsigned i, unsigned flags, const char *target)
{
	struct relayout relayout = { .target = target, .pad = 0x3a3b3c3d3e3f4041,
		.through_lds = flags & RELAYOUT_THROUGH_LDS };
	bool inverse = flags & RELAYOUT_INVERSE;

	relayout.source = *(inverse ? cases[i].destination : cases[i].source);
	relayout.destination = *(inverse ? cases[i].source : cases[i].destination);
	relayout.element = relayout_element(cases[i].type);
	for (unsigned d = 0; d < relayout.source.rank; d++)
		snprintf(relayout.size[d], sizeof(relayout.size[d]), "%c", 'A' + d);
	if (cases[i].shapes == ROWS)
		strcpy(relayout.size[1], "64");
	return relayout;
}

const int64_t (*relayout_case_shapes(unsigned i, unsigned *count))[MODEL_RANK]
{
	*count = shapes[cases[i].shapes].count;
	return shapes[cases[i].shapes].n;
}

const int64_t *relayout_case_full(unsigned i)
{
	return full[cases[i].shapes];
}
