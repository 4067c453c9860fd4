/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Triton's encodings as Gluon's classes, in Python:
 *
 *	gl.BlockedLayout([1, 8], [4, 8], [4, 1], order=[1, 0])
 *	gl.SliceLayout(dim=1, parent=gl.BlockedLayout(..))
 *
 * Each argument is a field of the encoding.  Only those whose place all versions of Gluon
 * agree on may be without a name. */
#include "text/triton/triton.h"
#include "text/notations.h"

#include <stdio.h>
#include <string.h>

#define PARAMETERS 12

/* What has no field of its own. */
enum { VERSION_PAIR = TRITON_FIELDS, PAIRS, UNUSED_SHAPE, WARP_BASES,
	REGISTER_BASES };

struct parameter {
	const char *name;
	unsigned field;
};

#define CLUSTER_PARAMETERS \
	{ "ctas_per_cga", TRITON_CTAS_PER_CGA }, { "cta_split_num", TRITON_CTA_SPLIT_NUM }, \
	{ "cta_order", TRITON_CTA_ORDER }, { "cga_layout", TRITON_CGA_LAYOUT }

/* "placed" of the parameters, the first ones, need no name; "demanded" must be there. */
static const struct class {
	const char *name;
	layout_triton_kind kind;
	unsigned placed, demanded;
	struct parameter parameters[PARAMETERS];
} classes[] = {
	{ "BlockedLayout", LAYOUT_TRITON_BLOCKED, 4, 4, {
		{ "size_per_thread", TRITON_SIZE_PER_THREAD },
		{ "threads_per_warp", TRITON_THREADS_PER_WARP },
		{ "warps_per_cta", TRITON_WARPS_PER_CTA }, { "order", TRITON_ORDER },
		CLUSTER_PARAMETERS } },
	{ "SliceLayout", LAYOUT_TRITON_SLICE, 2, 2, {
		{ "dim", TRITON_DIM }, { "parent", TRITON_PARENT } } },
	{ "DotOperandLayout", LAYOUT_TRITON_DOT_OP, 3, 3, {
		{ "operand_index", TRITON_OP_IDX }, { "parent", TRITON_PARENT },
		{ "k_width", TRITON_K_WIDTH } } },
	{ "NVMMADistributedLayout", LAYOUT_TRITON_NVIDIA_MMA, 2, 3, {
		{ "version", VERSION_PAIR }, { "warps_per_cta", TRITON_WARPS_PER_CTA },
		{ "instr_shape", TRITON_INSTR_SHAPE }, CLUSTER_PARAMETERS } },
	{ "AMDMFMALayout", LAYOUT_TRITON_AMD_MFMA, 1, 4, {
		{ "version", TRITON_VERSION }, { "instr_shape", TRITON_INSTR_SHAPE },
		{ "transposed", TRITON_IS_TRANSPOSED },
		{ "warps_per_cta", TRITON_WARPS_PER_CTA },
		{ "element_bitwidth", TRITON_ELEMENT_BIT_WIDTH },
		{ "tiles_per_warp", TRITON_TILES_PER_WARP }, CLUSTER_PARAMETERS } },
	{ "AMDWMMALayout", LAYOUT_TRITON_AMD_WMMA, 2, 2, {
		{ "version", TRITON_VERSION }, { "transposed", TRITON_IS_TRANSPOSED },
		{ "warp_bases", WARP_BASES }, { "reg_bases", REGISTER_BASES },
		{ "instr_shape", TRITON_INSTR_SHAPE },
		{ "warps_per_cta", TRITON_WARPS_PER_CTA }, { "rank", TRITON_RANK_FIELD },
		CLUSTER_PARAMETERS } },
	{ "SwizzledSharedLayout", LAYOUT_TRITON_SWIZZLED_SHARED, 4, 4, {
		{ "vec", TRITON_VEC }, { "per_phase", TRITON_PER_PHASE },
		{ "max_phase", TRITON_MAX_PHASE }, { "order", TRITON_ORDER },
		CLUSTER_PARAMETERS } },
	{ "NVMMASharedLayout", LAYOUT_TRITON_NVMMA_SHARED, 3, 2, {
		{ "swizzle_byte_width", TRITON_SWIZZLING },
		{ "element_bitwidth", TRITON_ELEMENT_BIT_WIDTH }, { "rank", TRITON_RANK_FIELD },
		{ "transposed", TRITON_TRANSPOSED }, { "fp4_padded", TRITON_FP4_PADDED },
		CLUSTER_PARAMETERS } },
	{ "PaddedSharedLayout", LAYOUT_TRITON_PADDED_SHARED, 2, 2, {
		{ "interval_padding_pairs", PAIRS }, { "offset_bases", TRITON_OFFSET },
		{ "cga_layout", TRITON_BLOCK }, { "block_bases", TRITON_BLOCK },
		{ "shape", UNUSED_SHAPE } } },
	{ "PaddedSharedLayout.with_identity_for", LAYOUT_TRITON_PADDED_SHARED, 3, 3, {
		{ "interval_padding_pairs", PAIRS }, { "shape", TRITON_SHAPE },
		{ "order", TRITON_ORDER } } },
};

bool text_at_call(const struct text_cursor *cursor, const char *name)
{
	size_t length = strlen(name), given = cursor->token.length;
	const char *begin = cursor->text + cursor->token.begin;
	struct text_cursor behind = *cursor;

	if (cursor->token.kind != TEXT_NAME || given < length ||
	    memcmp(begin + given - length, name, length) ||
	    (given > length && begin[given - length - 1] != '.'))
		return false;
	text_advance(&behind);
	return text_at(&behind, "(");
}

static const struct class *class_at(const struct text_cursor *cursor)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (text_at_call(cursor, classes[i].name))
			return &classes[i];
	return NULL;
}

bool text_at_gluon(const struct text_cursor *cursor)
{
	return class_at(cursor);
}

/* The parameter that the next argument is for, past its name; NULL with an error. */
static const struct parameter *read_parameter(struct text_cursor *cursor,
	const struct class *class, unsigned number)
{
	struct text_cursor behind = *cursor;
	char what[80];

	text_advance(&behind);
	if (cursor->token.kind == TEXT_NAME && text_at(&behind, "=")) {
		for (unsigned i = 0; i < PARAMETERS && class->parameters[i].name; i++) {
			if (!text_at(cursor, class->parameters[i].name))
				continue;
			*cursor = behind;
			text_advance(cursor);
			return &class->parameters[i];
		}
		snprintf(what, sizeof(what), "a parameter of %s", class->name);
	} else {
		if (number < class->placed)
			return &class->parameters[number];
		snprintf(what, sizeof(what), "the name of a parameter and `=`");
	}
	text_expected(cursor, what);
	return NULL;
}

/* "[2, 0]" */
static bool read_version(struct text_cursor *cursor, struct triton_reading *reading)
{
	struct text_ints version;

	if (!text_integers(cursor, 0, "a version", &version))
		return false;
	if (version.count != 2) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, version.count ?
			version.positions[0] : text_position(cursor),
			"version: %u numbers, 2 wanted", version.count);
		return false;
	}
	reading->given |= BIT(TRITON_VERSION_MAJOR) | BIT(TRITON_VERSION_MINOR);
	reading->numbers[TRITON_VERSION_MAJOR] = version.items[0];
	reading->numbers[TRITON_VERSION_MINOR] = version.items[1];
	return true;
}

/* "[[128, 4]]" */
static bool read_pairs(struct text_cursor *cursor, struct triton_reading *reading)
{
	struct text_items items = { "[", "]", LAYOUT_TRITON_RANK };
	struct text_ints pair;
	unsigned count = 0;

	reading->places[TRITON_PADDING] = text_position(cursor);
	while (text_item(cursor, &items)) {
		if (!text_integers(cursor, 0, "an interval or its padding", &pair))
			return false;
		if (pair.count != 2)
			return text_expected(cursor, "pairs of an interval and its padding");
		reading->intervals.items[count] = pair.items[0];
		reading->pads.items[count++] = pair.items[1];
	}
	reading->intervals.count = reading->pads.count = count;
	return items.ended;
}

static bool read_bool(struct text_cursor *cursor, int64_t *value)
{
	*value = text_at(cursor, "True");
	return text_skip(cursor, "True") || text_skip(cursor, "False") ||
		text_expected(cursor, "`True` or `False`");
}

static bool read_shape(struct text_cursor *cursor)
{
	struct text_ints shape;

	return text_integers(cursor, 1, "a size", &shape);
}

static bool read_field(struct text_cursor *cursor, struct triton_reading *reading,
	enum triton_field field)
{
	reading->given |= BIT(field);
	reading->places[field] = text_position(cursor);
	switch (field) {
	case TRITON_IS_TRANSPOSED:
	case TRITON_TRANSPOSED:
		return read_bool(cursor, &reading->numbers[TRITON_IS_TRANSPOSED]);
	case TRITON_FP4_PADDED:
		return read_bool(cursor, &reading->numbers[field]);
	default:
		return text_triton_value(cursor, reading, field);
	}
}

static bool read_argument(struct text_cursor *cursor, struct triton_reading *reading,
	unsigned field)
{
	switch (field) {
	case VERSION_PAIR:
		return read_version(cursor, reading);
	case PAIRS:
		return read_pairs(cursor, reading);
	case UNUSED_SHAPE:
		return read_shape(cursor);
	case WARP_BASES:
		reading->given |= BIT(TRITON_CTA_LAYOUT);
		return text_triton_bases(cursor, &reading->warps);
	case REGISTER_BASES:
		return text_triton_bases(cursor, &reading->registers);
	default:
		return read_field(cursor, reading, (enum triton_field)field);
	}
}

/* What Gluon takes for the older fields of a cluster that are not given. */
static void complete_clusters(struct triton_reading *reading, unsigned rank)
{
	uint64_t missing = reading->given & OLD_CLUSTERS ?
		OLD_CLUSTERS & ~reading->given : 0;

	for (unsigned field = 0; missing >> field; field++) {
		struct triton_list *list = &reading->lists[field];

		if (!(missing >> field & 1))
			continue;
		list->count = rank;
		for (unsigned d = 0; d < rank; d++)
			list->items[d] = field == TRITON_CTA_ORDER ? rank - 1 - d : 1;
	}
	reading->given |= missing;
}

static bool read_arguments(struct text_cursor *cursor, const struct class *class,
	struct triton_reading *reading, unsigned *given)
{
	unsigned number = 0;

	if (!text_take(cursor, "("))
		return false;
	do {
		struct text_cursor begin = *cursor;
		const struct parameter *parameter;
		unsigned bit;

		if (number && text_at(cursor, ")"))
			break;
		parameter = read_parameter(cursor, class, number++);
		if (!parameter)
			return false;
		bit = 1u << (parameter - class->parameters);
		if (*given & bit || (parameter->field < TRITON_FIELDS &&
		    reading->given >> parameter->field & 1))
			return text_duplicate(&begin);
		if (text_skip(cursor, "None"))
			continue;
		*given |= bit;
		if (!read_argument(cursor, reading, parameter->field))
			return false;
	} while (text_skip(cursor, ","));
	return true;
}

bool text_gluon(struct text_cursor *cursor, struct triton_reading *reading)
{
	const struct class *class = class_at(cursor);
	unsigned given = 0;
	char what[64];

	reading->kind = class->kind;
	text_advance(cursor);
	if (!read_arguments(cursor, class, reading, &given))
		return false;
	for (unsigned i = 0; i < class->demanded && text_at(cursor, ")"); i++) {
		if (given >> i & 1)
			continue;
		snprintf(what, sizeof(what), "`%s`", class->parameters[i].name);
		return text_expected(cursor, what);
	}
	complete_clusters(reading, (reading->given & BIT(TRITON_WARPS_PER_CTA)) ?
		reading->lists[TRITON_WARPS_PER_CTA].count :
		(reading->given & BIT(TRITON_ORDER)) ? reading->lists[TRITON_ORDER].count : 2);
	return text_end_list(cursor, ")");
}
