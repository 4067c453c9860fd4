/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/append.h"
#include "support/random.h"
#include "support/storage_model.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool model_next_index(unsigned rank, const int64_t *n, int64_t *i)
{
	for (unsigned d = rank; d--;) {
		if (++i[d] < n[d])
			return true;
		i[d] = 0;
	}
	return false;
}

static const char *comma(unsigned i)
{
	return i ? ", " : "";
}

static void append_sizes(char text[MODEL_TEXT], unsigned rank, const char *const *size)
{
	for (unsigned d = 0; d < rank; d++)
		append_text(text, MODEL_TEXT, "%s%s", comma(d), size[d]);
}

/* Where the digit of a tile that was named as number "n" of dimension "dim" is in memory
 * order: digits of a dimension are named from the largest step to the smallest. */
static unsigned named_digit(const struct storage_model *model, unsigned dim, unsigned n)
{
	for (unsigned k = 0; k < model->digit_count; k++) {
		unsigned larger = 0;

		if (model->digits[k].dim != dim)
			continue;
		for (unsigned j = 0; j < model->digit_count; j++)
			larger += model->digits[j].dim == dim &&
				model->digits[j].step > model->digits[k].step;
		if (larger == n)
			return k;
	}
	return model->digit_count;
}

static void append_tiles(char text[MODEL_TEXT], const struct storage_model *model)
{
	unsigned count = 0;

	append_text(text, MODEL_TEXT, "innerDimsPos = [");
	for (unsigned d = 0; d < model->rank; d++)
		if (model->tile[d])
			append_text(text, MODEL_TEXT, "%s%u", comma(count++), d);
	append_text(text, MODEL_TEXT, "], innerTileSizes = [");
	count = 0;
	for (unsigned d = 0; d < model->rank; d++)
		if (model->tile[d])
			append_text(text, MODEL_TEXT,
				"%s%" PRId64, comma(count++), model->tile[d]);
	append_text(text, MODEL_TEXT, "], outerDimsPerm = [");
	for (unsigned d = 0; d < model->rank; d++)
		append_text(text, MODEL_TEXT, "%s%u", comma(d), model->outer[d]);
	append_text(text, MODEL_TEXT, "], unitGroups = [");
	for (unsigned u = 0; u < model->units; u++)
		append_text(text, MODEL_TEXT, "%s%u", comma(u), count + u);
	append_text(text, MODEL_TEXT, "]");
}

/* The swizzle: every digit by name, dimension after dimension, then their order. */
static void append_swizzle(char text[MODEL_TEXT], const struct storage_model *model)
{
	unsigned name[MODEL_DIGITS], named = 0, dims = 0;

	append_text(text, MODEL_TEXT, ", swizzle = {expandShape = [");
	for (unsigned d = 0; d < model->rank + model->units; d++) {
		unsigned k;

		if (!model->tile[d])
			continue;
		append_text(text, MODEL_TEXT, "%s[", comma(dims++));
		for (unsigned n = 0; (k = named_digit(model, d, n)) < model->digit_count;
			n++) {
			append_text(text, MODEL_TEXT,
				"%s[\"CrossThread\", %" PRId64 "]", comma(n),
				model->digits[k].radix);
			name[k] = named++;
		}
		append_text(text, MODEL_TEXT, "]");
	}
	append_text(text, MODEL_TEXT, "], permutation = [");
	for (unsigned k = 0; k < model->digit_count; k++)
		append_text(text, MODEL_TEXT, "%s%u", comma(k), name[k]);
	append_text(text, MODEL_TEXT, "]}");
}

static void append_packed(char text[MODEL_TEXT], const struct storage_model *model,
	const char *const *size)
{
	append_text(text, MODEL_TEXT, "packed(encoding_info<{");
	append_tiles(text, model);
	if (model->digit_count)
		append_swizzle(text, model);
	append_text(text, MODEL_TEXT, "}>, [");
	append_sizes(text, model->rank, size);
	append_text(text, MODEL_TEXT, "])");
}

static void append_strided(char text[MODEL_TEXT], const struct storage_model *model,
	const char *const *size)
{
	append_text(text, MODEL_TEXT, "strided[");
	append_sizes(text, model->rank, size);
	append_text(text, MODEL_TEXT, " : ");
	for (unsigned d = 0; d < model->rank; d++)
		append_text(text, MODEL_TEXT, "%s%" PRId64, comma(d), model->stride[d]);
	append_text(text, MODEL_TEXT, "]");
}

void storage_model_text(const struct storage_model *model, const char *const *size,
	char text[MODEL_TEXT])
{
	text[0] = 0;
	if (model->row)
		append_text(text, MODEL_TEXT, "swizzled(");
	switch (model->kind) {
	case MODEL_ROW:
	case MODEL_COLUMN:
		append_text(text, MODEL_TEXT,
			model->kind == MODEL_ROW ? "row_major[" : "col_major[");
		append_sizes(text, model->rank, size);
		append_text(text, MODEL_TEXT, "]");
		break;
	case MODEL_STRIDED:
		append_strided(text, model, size);
		break;
	case MODEL_PACKED:
		append_packed(text, model, size);
		break;
	}
	if (model->row)
		append_text(text, MODEL_TEXT,
			", %s<%" PRId64 ", %" PRId64 ">%s)",
			model->rotates ? "rotate_rows" : "xor_shuffle", model->row,
			model->access, model->of_index ? ", of = index" : "");
}

static int64_t tile_of(const struct storage_model *model, unsigned d)
{
	return model->tile[d] ? model->tile[d] : 1;
}

static int64_t outer_size(const struct storage_model *model, const int64_t *n, unsigned d)
{
	return (n[d] + tile_of(model, d) - 1) / tile_of(model, d);
}

static int64_t packed_offset(const struct storage_model *model, const int64_t *n,
	const int64_t *i)
{
	int64_t offset = 0;

	for (unsigned d = 0; d < model->rank; d++) {
		unsigned from = model->outer[d];

		offset = offset * outer_size(model, n, from) +
			i[from] / tile_of(model, from);
	}
	for (unsigned k = 0; k < model->digit_count; k++) {
		const struct model_digit *digit = &model->digits[k];

		offset *= digit->radix;
		if (digit->dim < model->rank)
			offset += i[digit->dim] / digit->step % digit->radix;
	}
	for (unsigned d = 0; d < model->rank && !model->digit_count; d++)
		offset = offset * tile_of(model, d) + i[d] % tile_of(model, d);
	return offset;
}

/* Without the permutation. */
static int64_t plain_offset(const struct storage_model *model, const int64_t *n,
	const int64_t *i)
{
	int64_t offset = 0;

	switch (model->kind) {
	case MODEL_ROW:
		for (unsigned d = 0; d < model->rank; d++)
			offset = offset * n[d] + i[d];
		return offset;
	case MODEL_COLUMN:
		for (unsigned d = model->rank; d--;)
			offset = offset * n[d] + i[d];
		return offset;
	case MODEL_STRIDED:
		for (unsigned d = 0; d < model->rank; d++)
			offset += i[d] * model->stride[d];
		return offset;
	case MODEL_PACKED:
		return packed_offset(model, n, i);
	}
	return -1;
}

/* A number, permuted. */
static int64_t swizzled(const struct storage_model *model, int64_t number)
{
	int64_t columns = model->row / model->access;
	int64_t chunk = number % model->row / model->access;
	int64_t row = number / model->row % columns;

	chunk = model->rotates ? (chunk + row) % columns : chunk ^ row;
	return number - number % model->row + chunk * model->access +
		number % model->access;
}

/* Where the index with the permuted number lies. */
static int64_t offset_of_swizzled(const struct storage_model *model, const int64_t *n,
	const int64_t *i)
{
	int64_t number = 0, index[MODEL_RANK];

	for (unsigned d = 0; d < model->rank; d++)
		number = number * n[d] + i[d];
	number = swizzled(model, number);
	for (unsigned d = model->rank; d--;) {
		index[d] = d ? number % n[d] : number;
		number /= n[d];
	}
	return plain_offset(model, n, index);
}

int64_t storage_model_offset(const struct storage_model *model, const int64_t *n,
	const int64_t *i)
{
	if (!model->row)
		return plain_offset(model, n, i);
	return model->of_index ? offset_of_swizzled(model, n, i) :
		swizzled(model, plain_offset(model, n, i));
}

int64_t storage_model_elements(const struct storage_model *model, const int64_t *n)
{
	int64_t elements = 1, last = 0;

	for (unsigned d = 0; d < model->rank; d++) {
		elements *= model->kind == MODEL_PACKED ?
			outer_size(model, n, d) * tile_of(model, d) : n[d];
		last += (n[d] - 1) * model->stride[d];
	}
	if (model->kind == MODEL_STRIDED)
		return elements ? last + 1 : 0;
	for (unsigned u = 0; u < model->units; u++)
		elements *= tile_of(model, model->rank + u);
	return elements;
}

bool storage_model_pads(const struct storage_model *model)
{
	return model->kind == MODEL_PACKED;
}

void storage_model_split(struct storage_model *model, unsigned dim, unsigned count,
	const int64_t *radices)
{
	int64_t step = 1;

	for (unsigned k = count; k--;) {
		if (model->digit_count + count > MODEL_DIGITS)
			abort();
		model->digits[model->digit_count + k] =
			(struct model_digit){ dim, step, radices[k] };
		step *= radices[k];
	}
	model->digit_count += count;
	model->tile[dim] = step;
}

void storage_model_order(struct storage_model *model, const unsigned *order)
{
	struct model_digit digits[MODEL_DIGITS];

	memcpy(digits, model->digits, sizeof(digits));
	for (unsigned k = 0; k < model->digit_count; k++)
		model->digits[k] = digits[order[k]];
}

void storage_model_tile(struct storage_model *model, uint64_t *state,
	const struct storage_split *splits, unsigned count)
{
	unsigned order[MODEL_DIGITS];

	for (unsigned d = 0; d < model->rank; d++) {
		const struct storage_split *split = &splits[random_below(state, count)];

		if (random_below(state, 3))
			storage_model_split(model, d, split->count, split->radices);
	}
	for (unsigned k = 0; k < model->digit_count; k++)
		order[k] = k;
	if (model->digit_count > 1 && random_below(state, 2)) {
		unsigned k = 1 + random_below(state, model->digit_count - 1);

		order[k] = 0;
		order[0] = k;
	}
	storage_model_order(model, order);
}

bool storage_model_agree(const struct storage_model *a, const struct storage_model *b,
	const int64_t *n)
{
	int64_t i[MODEL_RANK] = { 0 };

	if (storage_model_elements(a, n) != storage_model_elements(b, n))
		return false;
	for (i[0] = 0; i[0] < n[0]; i[0]++)
		for (i[1] = 0; i[1] < n[1]; i[1]++)
			if (storage_model_offset(a, n, i) !=
			    storage_model_offset(b, n, i))
				return false;
	return true;
}
