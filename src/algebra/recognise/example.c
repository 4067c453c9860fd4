/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/recognise/example.h"

#include <inttypes.h>
#include <stdlib.h>

void recognise_print(struct layout_buffer *out, const int64_t *numbers, unsigned count,
	bool tuple)
{
	tuple = tuple || count != 1;
	layout_buffer_printf(out, tuple ? "(" : "");
	for (unsigned i = 0; i < count; i++)
		layout_buffer_printf(out, "%s%" PRId64, i ? ", " : "", numbers[i]);
	layout_buffer_printf(out, tuple ? ")" : "");
}

/* Set the input bit in both points. */
static void set_bit(const struct f2 *f2, unsigned bit, int64_t *part, int64_t *point)
{
	for (unsigned d = 0; d < f2->in_rank; d++) {
		unsigned begin = f2_in_begin(f2, d);

		if (bit < begin || bit - begin >= f2->in_widths[d])
			continue;
		part[d] |= INT64_C(1) << (bit - begin);
		point[d] |= part[d];
	}
}

bool recognise_example_of(struct recognise_example *example, const struct f2 *f2,
	const unsigned bits[2])
{
	unsigned in = example->in_rank, out = example->out_rank;
	int64_t *list = layout_alloc(example->ctx, 3 * (size_t)in + 2 * (size_t)out,
		sizeof(*list));

	if (!list)
		return false;
	example->point = list;
	example->image = list + 3 * (size_t)in;
	example->other = example->image + out;
	for (unsigned i = 0; bits && i < 2; i++) {
		example->parts[i] = list + (1 + (size_t)i) * in;
		if (f2)
			set_bit(f2, bits[i], example->parts[i], example->point);
	}
	return true;
}

void recognise_example_fail(struct recognise_example *example)
{
	struct layout_buffer out = { 0 };
	char *text;

	if (!example->point)
		return;
	layout_buffer_printf(&out, "at ");
	recognise_print(&out, example->point, example->in_rank, true);
	layout_buffer_printf(&out, " the value is ");
	recognise_print(&out, example->image, example->out_rank, false);
	layout_buffer_printf(&out, ", where ");
	if (example->parts[0]) {
		recognise_print(&out, example->parts[0], example->in_rank, true);
		layout_buffer_printf(&out, " and ");
		recognise_print(&out, example->parts[1], example->in_rank, true);
		layout_buffer_printf(&out, " give ");
	} else {
		layout_buffer_printf(&out, "its digits give ");
	}
	recognise_print(&out, example->other, example->out_rank, false);
	text = layout_buffer_take(example->ctx, &out);
	if (text)
		layout_fail(example->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "%s", text);
	free(text);
	free(example->point);
	example->point = NULL;
}
