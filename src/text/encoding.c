/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Data-tiling encodings, "encoding_info<{innerDimsPos = [0, 1], ..}>", also as
 * IREE writes them inside a resolver and inside a list of layouts, which may be a field of
 * the operand's encoding that has been resolved.  And what stands for them in IREE's tests,
 * "#iree_encoding.specialized<123>". */
#include "text/kind.h"

#include "algebra/storage/encoding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LAYOUT "#iree_encoding.layout"
#define VERBOSE "#iree_encoding.encoding"
#define TESTING "#iree_encoding.testing"
#define STAND_IN "#iree_encoding.specialized"	/* and "_encoding", formerly */

/* The resolvers that IREE writes around what they answered, and their former names. */
static const char *const resolvers[] = {
	"#iree_gpu.gpu_encoding_resolver", "#iree_cpu.cpu_encoding_resolver",
	"#iree_cpu.vmvx_encoding_resolver", "#iree_gpu.gpu_encoding_layout",
	"#iree_cpu.cpu_encoding_layout", "#iree_cpu.vmvx_encoding_layout",
};

enum key {
	INNER_DIMS_POS, INNER_TILE_SIZES, OUTER_DIMS_PERM, UNIT_GROUPS, SWIZZLE,
	EXPAND_SHAPE, PERMUTATION,
	KEY_COUNT,
};

static const char *const key_names[KEY_COUNT] = {
	[INNER_DIMS_POS] = "innerDimsPos",
	[INNER_TILE_SIZES] = "innerTileSizes",
	[OUTER_DIMS_PERM] = "outerDimsPerm",
	[UNIT_GROUPS] = "unitGroups",
	[SWIZZLE] = "swizzle",
	[EXPAND_SHAPE] = "expandShape",
	[PERMUTATION] = "permutation",
};

static const char *const kind_names[] = {
	[LAYOUT_DIM_INTERNAL] = "\"Internal\"",
	[LAYOUT_DIM_CROSS_THREAD] = "\"CrossThread\"",
	[LAYOUT_DIM_CROSS_INTRINSIC] = "\"CrossIntrinsic\"",
};

struct reading {
	bool given[KEY_COUNT];
	long position[KEY_COUNT];	/* of the value */
	struct text_ints lists[KEY_COUNT];
	unsigned group_count;
	unsigned group_sizes[TEXT_LIST_LIMIT];
	long group_positions[TEXT_LIST_LIMIT];
	unsigned dim_count;
	layout_encoding_dim dims[TEXT_LIST_LIMIT];
	layout_encoding *stand_in;
};

static bool at_resolver(const struct text_cursor *cursor)
{
	for (size_t i = 0; i < sizeof(resolvers) / sizeof(*resolvers); i++)
		if (text_at(cursor, resolvers[i]))
			return true;
	return false;
}

static bool at_stand_in(const struct text_cursor *cursor)
{
	return text_at(cursor, STAND_IN) || text_at(cursor, STAND_IN "_encoding");
}

static void print_tensor(struct layout_buffer *out, const struct text_tensor *tensor)
{
	layout_buffer_printf(out, ", tensor<");
	for (unsigned d = 0; d < tensor->rank; d++)
		if (tensor->sizes[d] < 0)
			layout_buffer_printf(out, "?x");
		else
			layout_buffer_printf(out, "%" PRId64 "x", tensor->sizes[d]);
	layout_buffer_printf(out, "%s>", tensor->element);
}

/* "#iree_encoding.specialized<123, tensor<?x?xf32>>", which is kept as it is. */
static bool read_stand_in(struct text_cursor *cursor, struct reading *reading)
{
	struct layout_buffer out = { 0 };
	struct text_tensor tensor;
	bool good = true, typed;
	int64_t seed;
	long position;
	char *text;

	text_advance(cursor);
	if (!text_take(cursor, "<"))
		return false;
	position = text_position(cursor);
	if (!text_integer(cursor, &seed))
		return false;
	if (seed < INT32_MIN || seed > INT32_MAX) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"%" PRId64 " does not fit i32", seed);
		return false;
	}
	layout_buffer_printf(&out, STAND_IN "<%" PRId64, seed);
	typed = text_skip(cursor, ",");
	if (typed && !text_at(cursor, "tensor"))
		good = text_expected(cursor, "the type of a tensor");
	else if (typed)
		good = text_tensor(cursor, &tensor) && text_take(cursor, ">");
	if (good && typed)
		print_tensor(&out, &tensor);
	layout_buffer_printf(&out, ">");
	text = layout_buffer_take(cursor->ctx, &out);
	good = good && text && (typed ? text_take(cursor, ">") : text_end_list(cursor, ">"));
	if (good)
		reading->stand_in = encoding_new_stand_in(cursor->ctx, text);
	free(text);
	return good && reading->stand_in;
}

/* No encoding: false. */
static bool refuse(struct text_cursor *cursor)
{
	const char *here = text_said_here(cursor);

	if (!here)
		return text_expected(cursor, "`encoding_info`");
	layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, text_position(cursor),
		"no encoding that packs: %s", here);
	return false;
}

bool text_at_resolved(const struct text_cursor *cursor)
{
	struct text_cursor at = *cursor;

	if ((!text_skip(&at, VERBOSE) && !text_skip(&at, TESTING)) || !text_skip(&at, "<"))
		return false;
	do {
		if (text_at(&at, "layouts"))
			return true;
		text_skip_value(&at);
	} while (text_skip(&at, ","));
	return false;
}

static bool at_encoding(const struct text_cursor *cursor)
{
	return text_at(cursor, "encoding_info") || at_resolver(cursor) ||
		text_at(cursor, LAYOUT) || text_at_resolved(cursor) || at_stand_in(cursor);
}

/* Go past "key =" where the key is one of first..last. */
static bool read_key(struct text_cursor *cursor, struct reading *reading,
	enum key first, enum key last, enum key *key)
{
	for (*key = first; *key <= last; ++*key)
		if (text_at(cursor, key_names[*key]))
			break;
	if (*key > last)
		return text_expected(cursor, first == EXPAND_SHAPE ?
			"`expandShape` or `permutation`" : "a field of encoding_info");
	if (reading->given[*key])
		return text_duplicate(cursor);
	reading->given[*key] = true;
	text_advance(cursor);
	if (!text_take(cursor, "="))
		return false;
	reading->position[*key] = text_position(cursor);
	return true;
}

/* Demand the keys first..last, missing ones being reported at the cursor. */
static bool demand(struct text_cursor *cursor, const struct reading *reading,
	enum key first, enum key last)
{
	char what[32] = "`";

	for (enum key key = first; key <= last; key++) {
		if (reading->given[key])
			continue;
		strcat(strcat(what, key_names[key]), "`");
		return text_expected(cursor, what);
	}
	return true;
}

/* ": i16" behind an integer, which must fit it. */
static bool read_type(struct text_cursor *cursor, long position, int64_t value)
{
	static const struct {
		const char *name;
		int64_t most;
	} types[] = {
		{ "i8", INT8_MAX }, { "i16", INT16_MAX }, { "i32", INT32_MAX },
		{ "i64", INT64_MAX }, { "index", INT64_MAX },
	};

	if (!text_skip(cursor, ":"))
		return true;
	for (unsigned i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (!text_skip(cursor, types[i].name))
			continue;
		if (value <= types[i].most)
			return true;
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"%lld does not fit %s", (long long)value, types[i].name);
		return false;
	}
	return text_expected(cursor, "an integer type");
}

static bool read_number(struct text_cursor *cursor, const char *what, int64_t *value)
{
	long position = text_position(cursor);

	if (!text_integer(cursor, value))
		return false;
	if (*value < 1) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
			"%s must be at least 1, not %lld", what, (long long)*value);
		return false;
	}
	return read_type(cursor, position, *value);
}

static bool read_kind(struct text_cursor *cursor, layout_dim_kind *kind)
{
	const struct text_token *token = &cursor->token;
	unsigned count = sizeof(kind_names) / sizeof(*kind_names);

	for (unsigned i = 0; i < count && token->kind == TEXT_STRING; i++) {
		if (strlen(kind_names[i]) != token->length ||
				strncmp(cursor->text + token->begin, kind_names[i],
					token->length) != 0)
			continue;
		*kind = (layout_dim_kind)i;
		text_advance(cursor);
		return true;
	}
	return text_expected(cursor,
		"\"Internal\", \"CrossThread\" or \"CrossIntrinsic\"");
}

/* The distribution factor: an integer, or "One". */
static bool read_factor(struct text_cursor *cursor, layout_encoding_dim *dim)
{
	const struct text_token *token = &cursor->token;
	long position = text_position(cursor);

	if (token->kind == TEXT_STRING && token->length == 5 &&
			memcmp(cursor->text + token->begin, "\"One\"", 5) == 0) {
		text_advance(cursor);
		return true;
	}
	if (!read_number(cursor, "a distribution factor", &dim->factor))
		return false;
	if (dim->factor == 1 || dim->kind == LAYOUT_DIM_CROSS_THREAD)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, position,
		"only a \"CrossThread\" part has a distribution factor");
	return false;
}

/* ["CrossThread", 4 : i16] */
static bool read_dim(struct text_cursor *cursor, layout_encoding_dim *dim)
{
	dim->factor = 1;
	if (!text_take(cursor, "[") || !read_kind(cursor, &dim->kind) ||
			!text_take(cursor, ",") ||
			!read_number(cursor, "the size of a part", &dim->size))
		return false;
	if (text_skip(cursor, ",") && !read_factor(cursor, dim))
		return false;
	return text_take(cursor, "]");
}

static bool read_group(struct text_cursor *cursor, struct reading *reading)
{
	unsigned *size = &reading->group_sizes[reading->group_count];

	if (!text_room(cursor, reading->group_count, TEXT_LIST_LIMIT))
		return false;
	reading->group_positions[reading->group_count++] = text_position(cursor);
	*size = 0;
	if (!text_take(cursor, "["))
		return false;
	if (text_skip(cursor, "]"))
		return true;
	do {
		if (!text_room(cursor, reading->dim_count, TEXT_LIST_LIMIT) ||
				!read_dim(cursor, &reading->dims[reading->dim_count]))
			return false;
		reading->dim_count++;
		++*size;
	} while (text_skip(cursor, ","));
	return text_take(cursor, "]");
}

static bool read_groups(struct text_cursor *cursor, struct reading *reading)
{
	if (!text_take(cursor, "["))
		return false;
	if (text_skip(cursor, "]"))
		return true;
	do {
		if (!read_group(cursor, reading))
			return false;
	} while (text_skip(cursor, ","));
	return text_take(cursor, "]");
}

static bool read_swizzle(struct text_cursor *cursor, struct reading *reading)
{
	enum key key;

	if (!text_take(cursor, "{"))
		return false;
	do {
		if (!read_key(cursor, reading, EXPAND_SHAPE, PERMUTATION, &key))
			return false;
		if (key == EXPAND_SHAPE ? !read_groups(cursor, reading) :
				!text_integers(cursor, 0, "an entry of a permutation",
					&reading->lists[key]))
			return false;
	} while (text_skip(cursor, ","));
	return demand(cursor, reading, EXPAND_SHAPE, PERMUTATION) &&
		text_take(cursor, "}");
}

/* { innerDimsPos = .., .. } */
static bool read_body(struct text_cursor *cursor, struct reading *reading)
{
	enum key key;

	if (!text_take(cursor, "{"))
		return false;
	do {
		if (text_at(cursor, "scalableTiles")) {
			layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED,
				text_position(cursor),
				"scalable tiles are not supported");
			return false;
		}
		if (!read_key(cursor, reading, INNER_DIMS_POS, SWIZZLE, &key))
			return false;
		if (key == SWIZZLE ? !read_swizzle(cursor, reading) :
				!text_integers(cursor, key == INNER_TILE_SIZES,
					key == INNER_TILE_SIZES ? "a tile" :
						"a dimension",
					&reading->lists[key]))
			return false;
	} while (text_skip(cursor, ","));
	return demand(cursor, reading, INNER_DIMS_POS, INNER_TILE_SIZES) &&
		text_take(cursor, "}");
}

static bool read_resolver(struct text_cursor *cursor, struct reading *reading)
{
	text_advance(cursor);
	return text_take(cursor, "<") && text_take(cursor, "configuration") &&
		text_take(cursor, "=") && text_take(cursor, "{") &&
		text_take(cursor, "encoding_info") && text_take(cursor, "=") &&
		read_body(cursor, reading) && text_take(cursor, "}") &&
		text_take(cursor, ">");
}

/* Go to the list in "#iree_encoding.encoding<.., layouts = [..], ..>", or in what stands for
 * it in IREE's tests. */
static bool enter_resolved(struct text_cursor *cursor)
{
	text_advance(cursor);
	text_advance(cursor);
	while (!text_skip(cursor, "layouts")) {
		text_skip_value(cursor);
		text_advance(cursor);
	}
	return text_take(cursor, "=") && text_take(cursor, "[");
}

static bool leave_resolved(struct text_cursor *cursor)
{
	if (!text_take(cursor, "]"))
		return false;
	while (text_skip(cursor, ","))
		text_skip_value(cursor);
	return text_end_list(cursor, ">");
}

static bool read_spelling(struct text_cursor *cursor, struct reading *reading)
{
	bool resolved = text_at_resolved(cursor);
	bool listed = !resolved && text_skip(cursor, LAYOUT), good, defined;
	struct text_cursor outside;

	if (resolved && !enter_resolved(cursor))
		return false;
	if (listed && (!text_take(cursor, "<") || !text_take(cursor, "[")))
		return false;
	defined = text_at_defined(cursor);
	if (defined && !text_enter_definition(cursor, &outside))
		return false;
	if (text_skip(cursor, "encoding_info"))
		good = text_take(cursor, "<") && read_body(cursor, reading) &&
			text_take(cursor, ">");
	else if (at_resolver(cursor))
		good = read_resolver(cursor, reading);
	else
		good = at_stand_in(cursor) ? read_stand_in(cursor, reading) :
			refuse(cursor);
	good = good && (!defined || text_leave_definition(cursor, &outside));
	if (resolved)
		return good && leave_resolved(cursor);
	return good && (!listed || (text_take(cursor, "]") && text_take(cursor, ">")));
}

/* Inner tiles with those of no dimension. */
struct tiles {
	unsigned count;
	int64_t dims[TEXT_LIST_LIMIT], sizes[TEXT_LIST_LIMIT];
	long places[TEXT_LIST_LIMIT];
};

static int64_t group_product(const struct reading *reading, unsigned group)
{
	unsigned dim = 0;
	int64_t product = 1;

	for (unsigned i = 0; i < group; i++)
		dim += reading->group_sizes[i];
	for (unsigned i = 0; i < reading->group_sizes[group]; i++)
		if (__builtin_mul_overflow(product, reading->dims[dim + i].size, &product))
			return -1;
	return product;
}

/* The groups that tiles are of, in order, the first ones of their sizes or the last.
 * False where there are none. */
static bool match_groups(const struct reading *reading, bool last,
	unsigned groups[TEXT_LIST_LIMIT])
{
	const struct text_ints *tiles = &reading->lists[INNER_TILE_SIZES];
	unsigned found = 0;

	for (unsigned i = 0; i < reading->group_count && found < tiles->count; i++) {
		unsigned group = last ? reading->group_count - 1 - i : i;
		unsigned tile = last ? tiles->count - 1 - found : found;

		if (group_product(reading, group) != tiles->items[tile])
			continue;
		groups[tile] = group;
		found++;
	}
	return found == tiles->count;
}

static bool has_empty_group(const struct reading *reading)
{
	for (unsigned i = 0; i < reading->group_count; i++)
		if (!reading->group_sizes[i])
			return true;
	return false;
}

/* Where nothing says which groups are of no dimension, sizes must leave no choice. */
static bool find_groups(struct text_cursor *cursor, const struct reading *reading,
	unsigned groups[TEXT_LIST_LIMIT])
{
	unsigned count = reading->lists[INNER_TILE_SIZES].count, other[TEXT_LIST_LIMIT];

	if (has_empty_group(reading) || !match_groups(reading, false, groups) ||
	    !match_groups(reading, true, other)) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE,
			reading->position[EXPAND_SHAPE],
			"`expandShape` has %u entries, %u wanted: one for each dimension of "
			"innerDimsPos", reading->group_count, count);
		return false;
	}
	if (memcmp(groups, other, count * sizeof(*groups)) == 0)
		return true;
	layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE, reading->position[EXPAND_SHAPE],
		"`expandShape` has %u groups for %u tiles, and their sizes do not tell "
		"which are of no dimension: `unitGroups = [..]` would",
		reading->group_count, count);
	return false;
}

/* Those that "unitGroups" leaves. */
static bool leave_groups(struct text_cursor *cursor, const struct reading *reading,
	unsigned groups[TEXT_LIST_LIMIT])
{
	const struct text_ints *units = &reading->lists[UNIT_GROUPS];
	unsigned count = 0;

	for (unsigned i = 0; i < units->count; i++) {
		bool good = units->items[i] < reading->group_count &&
			(!i || units->items[i] > units->items[i - 1]);

		if (good)
			continue;
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, units->positions[i],
			"unitGroups: %lld is no group of expandShape, or not behind the one "
			"before", (long long)units->items[i]);
		return false;
	}
	for (unsigned g = 0, unit = 0; g < reading->group_count; g++)
		if (unit < units->count && units->items[unit] == g)
			unit++;
		else
			groups[count++] = g;
	return true;
}

/* The inner tiles, one a group where there is a swizzle. */
static bool take_tiles(struct text_cursor *cursor, const struct reading *reading,
	struct tiles *tiles)
{
	const struct text_ints *dims = &reading->lists[INNER_DIMS_POS];
	unsigned groups[TEXT_LIST_LIMIT], next = 0;

	tiles->count = reading->given[SWIZZLE] ? reading->group_count : dims->count;
	if (tiles->count != dims->count && !(reading->given[UNIT_GROUPS] ?
	    leave_groups(cursor, reading, groups) : find_groups(cursor, reading, groups)))
		return false;
	for (unsigned i = 0; i < tiles->count; i++) {
		bool unit = tiles->count != dims->count &&
			(next == dims->count || groups[next] != i);

		tiles->dims[i] = unit ? LAYOUT_NO_DIM : dims->items[next];
		tiles->sizes[i] = unit ? group_product(reading, i) :
			reading->lists[INNER_TILE_SIZES].items[next];
		tiles->places[i] = unit ? -1 : dims->positions[next];
		next += !unit;
	}
	return true;
}

/* What the description cannot even say: lists whose lengths do not meet. */
static bool lengths_meet(struct text_cursor *cursor, const struct reading *reading)
{
	unsigned inner = reading->lists[INNER_DIMS_POS].count;
	unsigned units = reading->lists[UNIT_GROUPS].count;
	bool found = !reading->given[UNIT_GROUPS] && reading->group_count > inner;
	const struct {
		bool asked;
		enum key key;
		unsigned count, wanted;
		const char *each;
	} checks[] = {
		{ true, INNER_TILE_SIZES, reading->lists[INNER_TILE_SIZES].count, inner,
			"dimension of innerDimsPos" },
		{ reading->given[SWIZZLE] && !found, EXPAND_SHAPE, reading->group_count,
			inner + units, units ? "dimension of innerDimsPos and of "
			"unitGroups" : "dimension of innerDimsPos" },
		{ !reading->given[SWIZZLE], UNIT_GROUPS, units, 0,
			"group of expandShape, which is not there" },
		{ reading->given[SWIZZLE], PERMUTATION,
			reading->lists[PERMUTATION].count, reading->dim_count,
			"part of expandShape" },
	};

	for (unsigned i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		if (!checks[i].asked || checks[i].count == checks[i].wanted)
			continue;
		layout_fail(cursor->ctx, LAYOUT_ERROR_SPACE,
			reading->position[checks[i].key],
			"`%s` has %u entries, %u wanted: one for each %s",
			key_names[checks[i].key], checks[i].count, checks[i].wanted,
			checks[i].each);
		return false;
	}
	return true;
}

/* What was read, none of it a stand-in. */
static layout_encoding *make(struct text_cursor *cursor, struct reading *read)
{
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	struct tiles tiles;
	const struct encoding_places places = {
		.inner_dims_pos = tiles.places,
		.outer_dims_perm = read->lists[OUTER_DIMS_PERM].positions,
		.groups = read->group_positions,
		.permutation = read->lists[PERMUTATION].positions,
	};

	if (!lengths_meet(cursor, read) || !take_tiles(cursor, read, &tiles))
		return NULL;
	desc.inner_count = tiles.count;
	desc.inner_dims_pos = tiles.dims;
	desc.inner_tiles = tiles.sizes;
	if (read->given[OUTER_DIMS_PERM]) {
		desc.outer_count = read->lists[OUTER_DIMS_PERM].count;
		desc.outer_dims_perm = read->lists[OUTER_DIMS_PERM].items;
	}
	if (read->given[SWIZZLE]) {
		desc.group_sizes = read->group_sizes;
		desc.dim_count = read->dim_count;
		desc.dims = read->dims;
		desc.permutation = read->lists[PERMUTATION].items;
	}
	return encoding_new_at(cursor->ctx, &desc, &places);
}

layout_encoding *text_encoding(struct text_cursor *cursor)
{
	struct reading reading = { 0 };

	if (!read_spelling(cursor, &reading)) {
		layout_encoding_free(reading.stand_in);
		return NULL;
	}
	return reading.stand_in ? reading.stand_in : make(cursor, &reading);
}

/* The types are IREE's, wider where the number needs it. */
static void print_dim(struct layout_buffer *out, const layout_encoding_dim *dim)
{
	layout_buffer_printf(out, "[%s, %lld : %s", kind_names[dim->kind],
		(long long)dim->size, dim->size > INT16_MAX ? "i64" : "i16");
	if (dim->factor > 1)
		layout_buffer_printf(out, ", %lld : %s", (long long)dim->factor,
			dim->factor > INT8_MAX ? "i64" : "i8");
	layout_buffer_printf(out, "]");
}

static void print_swizzle(struct layout_buffer *out, const layout_encoding *encoding)
{
	const layout_encoding_dim *dim = encoding->dims;

	layout_buffer_printf(out, ", swizzle = {expandShape = [");
	for (unsigned i = 0; i < encoding->inner_count; i++) {
		layout_buffer_printf(out, "%s[", i ? ", " : "");
		for (unsigned k = 0; k < encoding->group_sizes[i]; k++) {
			layout_buffer_printf(out, "%s", k ? ", " : "");
			print_dim(out, dim++);
		}
		layout_buffer_printf(out, "]");
	}
	layout_buffer_printf(out, "], permutation = ");
	text_print_integers(out, encoding->permutation, encoding->dim_count);
	layout_buffer_printf(out, "}");
}

/* The entries of a list that are of the tensor's dimensions. */
static void print_tiled(struct layout_buffer *out, const layout_encoding *encoding,
	const int64_t *list)
{
	const char *separator = "";

	layout_buffer_printf(out, "[");
	for (unsigned i = 0; i < encoding->inner_count; i++) {
		if (encoding->inner_dims_pos[i] == LAYOUT_NO_DIM)
			continue;
		layout_buffer_printf(out, "%s%lld", separator, (long long)list[i]);
		separator = ", ";
	}
	layout_buffer_printf(out, "]");
}

static void print_units(struct layout_buffer *out, const layout_encoding *encoding)
{
	const char *separator = ", unitGroups = [";

	for (unsigned i = 0; i < encoding->inner_count; i++) {
		if (encoding->inner_dims_pos[i] != LAYOUT_NO_DIM)
			continue;
		layout_buffer_printf(out, "%s%u", separator, i);
		separator = ", ";
	}
	layout_buffer_printf(out, "]");
}

char *layout_encoding_str(layout_encoding *encoding)
{
	struct layout_buffer out = { 0 };

	if (!encoding)
		return NULL;
	if (encoding->stand_in)
		return layout_strdup(encoding->ctx, encoding->stand_in);
	layout_buffer_printf(&out, "encoding_info<{innerDimsPos = ");
	print_tiled(&out, encoding, encoding->inner_dims_pos);
	layout_buffer_printf(&out, ", innerTileSizes = ");
	print_tiled(&out, encoding, encoding->inner_tiles);
	if (encoding->outer_dims_perm) {
		layout_buffer_printf(&out, ", outerDimsPerm = ");
		text_print_integers(&out, encoding->outer_dims_perm,
			encoding->outer_count);
	}
	if (encoding_units(encoding))
		print_units(&out, encoding);
	if (encoding->group_sizes)
		print_swizzle(&out, encoding);
	layout_buffer_printf(&out, "}>");
	return layout_buffer_take(encoding->ctx, &out);
}

OBJECT_FUNCTIONS(encoding)

const struct value_kind kind_encoding = {
	OBJECT_FIELDS(encoding), .noun = "an encoding", .at = at_encoding,
	.lacks = "an encoding has no cells until packed(ENCODING, [sizes]) gives it "
		"sizes",
};
