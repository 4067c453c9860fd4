/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linear layouts, "linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]]}>": the bases
 * of each input, and "-> {dim0 = 4, dim1 = 2}" where the outputs are not those that
 * the bases suggest.  Or as Triton prints them for people to read:
 *
 *	- register=1 -> (0, 1)
 *	- lane=1 -> (1, 0)
 *	  lane=2 -> (2, 0)
 *	- warp is a size 1 dimension
 *	where out dims are: [dim0 (size 4), dim1 (size 2)] */
#include "show/kind.h"
#include "text/call.h"
#include "text/kind.h"

#include "algebra/linear/linear.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
	layout_size ins[LAYOUT_LINEAR_RANK], outs[LAYOUT_LINEAR_RANK];
	char *names[2 * LAYOUT_LINEAR_RANK];	/* to be freed */
	unsigned in_count, out_count, name_count;
	unsigned rank;				/* of the bases, once there is one */
	unsigned bits;
	int64_t *bases;				/* LAYOUT_LINEAR_BITS times rank */
	long positions[LAYOUT_LINEAR_BITS];
	int64_t alignment;			/* of shared memory; 0: not said */
};

/* Gluon's classes of linear layouts: what they call the bases of each input. */
static const struct class {
	const char *name;
	struct {
		const char *name, *bases;
	} ins[4];
	bool has_shape;
} classes[] = {
	{ "DistributedLinearLayout", { { "register", "reg_bases" }, { "lane", "lane_bases" },
		{ "warp", "warp_bases" }, { "block", "block_bases" } }, true },
	{ "SharedLinearLayout", { { "offset", "offset_bases" }, { "block", "block_bases" } },
		false },
};

static const struct class *class_at(const struct text_cursor *cursor)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (text_at_call(cursor, classes[i].name))
			return &classes[i];
	return NULL;
}

bool text_at_linear_encoding(const struct text_cursor *cursor)
{
	return text_at_triton_name(cursor, "linear") ||
		text_at_triton_name(cursor, "shared_linear") || class_at(cursor);
}

/* "- lane=1 -> ..", "- warp is .." */
static bool at_lines(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	if (!text_skip(&behind, "-") || behind.token.kind != TEXT_NAME)
		return false;
	text_advance(&behind);
	return text_at(&behind, "=") || text_at(&behind, "is");
}

static bool at_linear(const struct text_cursor *cursor)
{
	return text_at_linear_encoding(cursor) || text_at_triton_tensor(cursor) ||
		text_at_triton_move(cursor) || at_lines(cursor);
}

/* A name that is not among the "count" ones of "sizes", which it joins. */
static bool read_name(struct text_cursor *cursor, struct reading *reading,
	layout_size *sizes, unsigned *count)
{
	const char *text = cursor->text + cursor->token.begin;
	size_t length = cursor->token.length;
	char *name;

	if (cursor->token.kind != TEXT_NAME || memchr(text, '.', length) ||
	    memchr(text, '$', length) || text[0] == '#')
		return text_expected(cursor, "a name");
	for (unsigned i = 0; i < *count; i++)
		if (strlen(sizes[i].name) == length &&
		    !memcmp(sizes[i].name, text, length))
			return text_duplicate(cursor);
	if (!text_room(cursor, *count, LAYOUT_LINEAR_RANK))
		return false;
	name = layout_alloc(cursor->ctx, length + 1, 1);
	if (!name)
		return false;
	memcpy(name, text, length);
	reading->names[reading->name_count++] = name;
	sizes[(*count)++].name = name;
	text_advance(cursor);
	return true;
}

/* "[1, 0]", or between other brackets: as many coordinates as the first basis has. */
static bool read_basis(struct text_cursor *cursor, struct reading *reading, const char *begin,
	const char *end)
{
	long position = text_position(cursor);
	struct text_ints ints;

	if (!text_room(cursor, reading->bits, LAYOUT_LINEAR_BITS) ||
	    !text_integers_between(cursor, begin, end, 0, "a basis", &ints))
		return false;
	if (ints.count > LAYOUT_LINEAR_RANK)
		return text_room(cursor, ints.count, LAYOUT_LINEAR_RANK);
	if (!reading->bases) {
		reading->rank = ints.count;
		reading->bases = layout_alloc(cursor->ctx, LAYOUT_LINEAR_BITS,
			(ints.count + 1) * sizeof(int64_t));
		if (!reading->bases)
			return false;
	}
	if (ints.count != reading->rank) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
			"a basis of %u coordinates, where the first one has %u",
			ints.count, reading->rank);
		return false;
	}
	for (unsigned i = 0; i < ints.count; i++)
		reading->bases[(size_t)reading->bits * reading->rank + i] =
			ints.items[i];
	reading->positions[reading->bits++] = position;
	return true;
}

/* "[[1, 0], [2, 0]]", of the last input. */
static bool read_bases(struct text_cursor *cursor, struct reading *reading)
{
	unsigned width = 0;

	if (!text_take(cursor, "["))
		return false;
	if (!text_at(cursor, "]"))
		do {
			if (width++ == F2_WIDTH) {
				layout_fail(cursor->ctx, LAYOUT_ERROR_OVERFLOW,
					text_position(cursor),
					"more than %d bases of one input", F2_WIDTH);
				return false;
			}
			if (!read_basis(cursor, reading, "[", "]"))
				return false;
		} while (text_skip(cursor, ","));
	reading->ins[reading->in_count - 1].value = (int64_t)1 << width;
	return text_end_list(cursor, "]");
}

/* "lane = [[1, 0], [2, 0]]" */
static bool read_input(struct text_cursor *cursor, struct reading *reading)
{
	return read_name(cursor, reading, reading->ins, &reading->in_count) &&
		text_take(cursor, "=") && read_bases(cursor, reading);
}

/* The size of the last output. */
static bool read_size(struct text_cursor *cursor, struct reading *reading)
{
	long position = text_position(cursor);
	int64_t size;

	if (!text_integer(cursor, &size))
		return false;
	if (size < 1 || size & (size - 1)) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"a size must be a power of two, not %lld", (long long)size);
		return false;
	}
	reading->outs[reading->out_count - 1].value = size;
	return true;
}

/* "dim0 = 4" */
static bool read_output(struct text_cursor *cursor, struct reading *reading)
{
	return read_name(cursor, reading, reading->outs, &reading->out_count) &&
		text_take(cursor, "=") && read_size(cursor, reading);
}

/* "{ENTRY, ENTRY}" */
static bool read_entries(struct text_cursor *cursor, struct reading *reading,
	bool (*read)(struct text_cursor *cursor, struct reading *reading))
{
	struct text_items items = { "{", "}", UINT_MAX };

	while (text_item(cursor, &items))
		if (!read(cursor, reading))
			return false;
	return items.ended;
}

static int64_t least_size(int64_t value)
{
	int64_t size = 1;

	while (size <= value && size < (int64_t)1 << F2_WIDTH)
		size *= 2;
	return size;
}

/* dim0, dim1, .. of the least sizes that hold the bases. */
static bool infer_outputs(struct text_cursor *cursor, struct reading *reading)
{
	char name[16];

	for (unsigned i = 0; i < reading->rank; i++) {
		int64_t bits = 0;

		snprintf(name, sizeof(name), "dim%u", i);
		for (unsigned bit = 0; bit < reading->bits; bit++)
			bits |= reading->bases[(size_t)bit * reading->rank + i];
		reading->outs[i].value = least_size(bits);
		reading->outs[i].name = layout_strdup(cursor->ctx, name);
		if (!reading->outs[i].name)
			return false;
		reading->names[reading->name_count++] = (char *)reading->outs[i].name;
	}
	reading->out_count = reading->rank;
	return true;
}

/* The bases are in the outputs' box; errors are where the basis is. */
static bool check_bases(struct text_cursor *cursor, const struct reading *reading)
{
	const int64_t *basis = reading->bases;

	if (reading->bits && reading->rank != reading->out_count) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, reading->positions[0],
			"a basis of %u coordinates for %u outputs", reading->rank,
			reading->out_count);
		return false;
	}
	for (unsigned bit = 0; bit < reading->bits; bit++)
		for (unsigned i = 0; i < reading->rank; i++, basis++)
			if (*basis >> 62) {
				layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID,
					reading->positions[bit],
					"basis %lld needs more than 2^62 points, the "
					"most of an output", (long long)*basis);
				return false;
			} else if (*basis >= reading->outs[i].value) {
				layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID,
					reading->positions[bit],
					"basis %lld is outside %s, which has %lld points",
					(long long)*basis, reading->outs[i].name,
					(long long)reading->outs[i].value);
				return false;
			}
	return true;
}

/* "reg_bases=", which need not be there. */
static void skip_key(struct text_cursor *cursor, const char *key)
{
	struct text_cursor behind = *cursor;

	if (text_skip(&behind, key) && text_skip(&behind, "="))
		*cursor = behind;
}

/* "shape=[16, 8]": the sizes of dim0, dim1, .. that have been found. */
static bool read_shape(struct text_cursor *cursor, struct reading *reading)
{
	struct text_ints shape;
	long position;

	skip_key(cursor, "shape");
	position = text_position(cursor);
	if (!text_integers(cursor, 1, "a size", &shape))
		return false;
	for (unsigned i = 0; i < shape.count; i++)
		if (shape.items[i] & (shape.items[i] - 1)) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, shape.positions[i],
				"a size must be a power of two, not %lld",
				(long long)shape.items[i]);
			return false;
		}
	if (!reading->bits && !reading->rank && shape.count <= LAYOUT_LINEAR_RANK)
		reading->rank = shape.count;
	if (shape.count != reading->rank) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, position,
			"a shape of %u sizes, the bases have %u coordinates", shape.count,
			reading->rank);
		return false;
	}
	if (!infer_outputs(cursor, reading))
		return false;
	for (unsigned i = 0; i < shape.count; i++)
		reading->outs[i].value = shape.items[i];
	return true;
}

/* The next input, of one point until its bases are read. */
static void add_input(struct reading *reading, const struct class *class)
{
	layout_size *in = &reading->ins[reading->in_count];

	*in = (layout_size){ class->ins[reading->in_count++].name, 1 };
}

/* "lane_bases=[[1, 0]]" */
static bool read_argument(struct text_cursor *cursor, struct reading *reading,
	const struct class *class)
{
	skip_key(cursor, class->ins[reading->in_count].bases);
	add_input(reading, class);
	return read_bases(cursor, reading);
}

/* "(reg_bases=[[0, 1]], lane_bases=[..], warp_bases=[..], block_bases=[], shape=[16, 8])", in
 * that order. */
static bool read_distributed(struct text_cursor *cursor, struct reading *reading,
	const struct class *class)
{
	for (unsigned i = 0; i < 4; i++)
		if (!text_take(cursor, i ? "," : "(") ||
		    !read_argument(cursor, reading, class))
			return false;
	return text_take(cursor, ",") && read_shape(cursor, reading);
}

/* "(offset_bases=[[0, 1]], block_bases=[], alignment=16)", whose end need not be there. */
static bool read_shared(struct text_cursor *cursor, struct reading *reading,
	const struct class *class)
{
	bool more;

	if (!text_take(cursor, "(") || !read_argument(cursor, reading, class))
		return false;
	more = text_skip(cursor, ",");
	if (!more || text_at(cursor, "alignment")) {
		add_input(reading, class);
	} else {
		if (!read_argument(cursor, reading, class))
			return false;
		more = text_skip(cursor, ",");
	}
	skip_key(cursor, "alignment");
	return (!more || text_integer(cursor, &reading->alignment)) &&
		infer_outputs(cursor, reading);
}

/* ", alignment = 16" behind the inputs of shared memory, of which "block" need not be there. */
static bool read_alignment(struct text_cursor *cursor, struct reading *reading)
{
	long position;

	if (reading->in_count == 1 && !strcmp(reading->ins[0].name, "offset"))
		reading->ins[reading->in_count++] = (layout_size){ "block", 1 };
	if (!text_take(cursor, ",") || !text_take(cursor, "alignment") || !text_take(cursor, "="))
		return false;
	position = text_position(cursor);
	if (!text_integer(cursor, &reading->alignment))
		return false;
	if (reading->alignment > 0 && !(reading->alignment & (reading->alignment - 1)))
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
		"an alignment must be a power of two, not %lld", (long long)reading->alignment);
	return false;
}

/* The inputs, and the outputs where they are not those of the bases. */
static bool read_sides(struct text_cursor *cursor, struct reading *reading)
{
	bool shared = text_at_triton_name(cursor, "shared_linear");

	text_advance(cursor);
	if (!text_take(cursor, "<") || !read_entries(cursor, reading, read_input))
		return false;
	if (shared)
		return read_alignment(cursor, reading) && infer_outputs(cursor, reading);
	return text_skip(cursor, "->") ? read_entries(cursor, reading, read_output) :
		infer_outputs(cursor, reading);
}

/* The words one after the other. */
static bool take_words(struct text_cursor *cursor, const char *const *words)
{
	for (; *words; words++)
		if (!text_take(cursor, *words))
			return false;
	return true;
}

/* "lane=1 -> (1, 0)", "lane=2 -> (2, 0)", .. */
static bool read_images(struct text_cursor *cursor, struct reading *reading)
{
	layout_size *in = &reading->ins[reading->in_count - 1];

	do {
		long position;
		int64_t point;

		if (!text_take(cursor, "="))
			return false;
		position = text_position(cursor);
		if (!text_integer(cursor, &point))
			return false;
		if (point != in->value || in->value >> F2_WIDTH) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
				"the image of %lld is to follow, not of %lld", (long long)in->value,
				(long long)point);
			return false;
		}
		in->value *= 2;
		if (!text_take(cursor, "->") || !read_basis(cursor, reading, "(", ")"))
			return false;
	} while (text_skip(cursor, in->name));
	return true;
}

/* "- lane=1 -> ..", "- warp is a size 1 dimension" */
static bool read_line(struct text_cursor *cursor, struct reading *reading)
{
	static const char *const size[] = { "a", "size", NULL };
	int64_t one;

	if (!text_take(cursor, "-") ||
	    !read_name(cursor, reading, reading->ins, &reading->in_count))
		return false;
	reading->ins[reading->in_count - 1].value = 1;
	if (!text_skip(cursor, "is"))
		return read_images(cursor, reading);
	return take_words(cursor, size) && text_integer(cursor, &one) &&
		(one == 1 || text_expected(cursor, "the images of its points")) &&
		text_take(cursor, "dimension");
}

/* "where out dims are: [dim0 (size 4)]", behind the lines */
static bool read_lines(struct text_cursor *cursor, struct reading *reading)
{
	static const char *const where[] = { "where", "out", "dims", "are", ":", NULL };
	struct text_items items = { "[", "]", LAYOUT_LINEAR_RANK };

	while (text_at(cursor, "-"))
		if (!read_line(cursor, reading))
			return false;
	if (!take_words(cursor, where))
		return false;
	while (text_item(cursor, &items))
		if (!read_name(cursor, reading, reading->outs, &reading->out_count) ||
		    !text_take(cursor, "(") || !text_take(cursor, "size") ||
		    !read_size(cursor, reading) || !text_take(cursor, ")"))
			return false;
	return items.ended;
}

/* Up to what ends it. */
static bool read_any(struct text_cursor *cursor, struct reading *reading)
{
	const struct class *class = class_at(cursor);

	if (at_lines(cursor))
		return read_lines(cursor, reading) && check_bases(cursor, reading);
	if (class)
		text_advance(cursor);
	return (!class ? read_sides(cursor, reading) : class->has_shape ?
			read_distributed(cursor, reading, class) :
			read_shared(cursor, reading, class)) &&
		check_bases(cursor, reading) && text_take(cursor, class ? ")" : ">");
}

static layout_linear *read_layout(struct text_cursor *cursor, struct reading *reading)
{
	long begin = text_position(cursor), base;
	layout_linear *linear;

	if (!read_any(cursor, reading))
		return NULL;
	base = layout_context_set_base(cursor->ctx, begin);
	linear = layout_linear_new(cursor->ctx, reading->ins, reading->in_count,
		reading->outs, reading->out_count, reading->bases);
	layout_context_set_base(cursor->ctx, base);
	return linear;
}

layout_linear *text_linear_encoding(struct text_cursor *cursor, int64_t *alignment)
{
	struct reading reading = { 0 };
	layout_linear *linear = read_layout(cursor, &reading);

	*alignment = reading.alignment;
	for (unsigned i = 0; i < reading.name_count; i++)
		free(reading.names[i]);
	free(reading.bases);
	return linear;
}

layout_linear *text_linear(struct text_cursor *cursor)
{
	int64_t alignment;

	if (text_at_triton_tensor(cursor))
		return text_triton_tensor(cursor);
	if (text_at_triton_move(cursor))
		return text_triton_move(cursor);
	if (at_linear(cursor))
		return text_linear_encoding(cursor, &alignment);
	text_expected(cursor, "`linear`");
	return NULL;
}

/* "lane = [[1, 0], [2, 0]]"; every coordinate is collected in "seen". */
static void print_input(struct layout_buffer *out, layout_linear *linear, unsigned in,
	int64_t *seen)
{
	unsigned rank = layout_linear_out_count(linear);
	int64_t basis[LAYOUT_LINEAR_RANK];

	layout_buffer_printf(out, "%s%s = [", in ? ", " : "",
		layout_linear_in_name(linear, in));
	for (unsigned bit = 0; layout_linear_in_size(linear, in) >> bit > 1; bit++) {
		layout_linear_basis(linear, in, bit, basis);
		layout_buffer_printf(out, "%s", bit ? ", " : "");
		text_print_integers(out, basis, rank);
		for (unsigned i = 0; i < rank; i++)
			seen[i] |= basis[i];
	}
	layout_buffer_printf(out, "]");
}

/* Would reading infer the outputs? */
static bool are_inferred(layout_linear *linear, const int64_t *seen)
{
	unsigned rank = layout_linear_out_count(linear);
	bool same = true, bases = false;
	char name[16];

	for (unsigned i = 0; i < layout_linear_in_count(linear); i++)
		bases = bases || layout_linear_in_size(linear, i) > 1;
	for (unsigned i = 0; same && i < rank; i++) {
		snprintf(name, sizeof(name), "dim%u", i);
		same = !strcmp(layout_linear_out_name(linear, i), name) &&
			layout_linear_out_size(linear, i) == least_size(seen[i]);
	}
	return same && (bases || !rank);
}

char *layout_linear_str(layout_linear *linear)
{
	int64_t seen[LAYOUT_LINEAR_RANK] = { 0 };
	struct layout_buffer out = { 0 };

	if (!linear)
		return NULL;
	layout_buffer_printf(&out, "linear<{");
	for (unsigned i = 0; i < layout_linear_in_count(linear); i++)
		print_input(&out, linear, i, seen);
	layout_buffer_printf(&out, "}");
	if (!are_inferred(linear, seen)) {
		layout_buffer_printf(&out, " -> {");
		for (unsigned i = 0; i < layout_linear_out_count(linear); i++)
			layout_buffer_printf(&out, "%s%s = %lld", i ? ", " : "",
				layout_linear_out_name(linear, i),
				(long long)layout_linear_out_size(linear, i));
		layout_buffer_printf(&out, "}");
	}
	layout_buffer_printf(&out, ">");
	return layout_buffer_take(layout_linear_context(linear), &out);
}

RELATION_FUNCTIONS(linear)
EACH_OF_OBJECT(linear_for_each)
OF_OBJECT(void *, copy, layout_linear_copy)

/* The box of a side. */
static layout_set *box(layout_linear *linear, unsigned count,
	int64_t (*size)(const layout_linear *, unsigned))
{
	int64_t sizes[LAYOUT_LINEAR_RANK];

	for (unsigned i = 0; i < count; i++)
		sizes[i] = size(linear, i);
	return value_box(layout_linear_context(linear), sizes, count);
}

static layout_set *onto(layout_value *value)
{
	return box(value->object, layout_linear_out_count(value->object),
		layout_linear_out_size);
}

static layout_set *from(layout_value *value)
{
	return box(value->object, layout_linear_in_count(value->object),
		layout_linear_in_size);
}

static int64_t end(layout_value *value)
{
	return layout_linear_out_size(value->object, 0);
}

static layout_order order(layout_value *value)
{
	(void)value;
	return LAYOUT_ORDER_COLEX;
}

static layout_relation *by_threads(layout_value *value, int64_t *lanes)
{
	return linear_by_threads(value->object, lanes);
}

const struct value_kind kind_linear = {
	RELATION_FIELDS(linear), .noun = "a linear layout",
	.kernel = "convert_tile(FROM -> TO, type = f16)", .at = at_linear,
	.onto = onto, .from = from, .end = end, .order = order,
	.for_each = for_each,
	.convert[LAYOUT_NOTATION_LINEAR] = copy, .by_threads = by_threads,
	.results = LAYOUT_NOTATION_LINEAR, .overloads = overloads_linear,
	.show = &show_linear,
};
