/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cells of pictures, read back from SVG and HTML: every one says of its element what
 * the layout's points say, and its color and its place in the image fit that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/xml.h"

#include <inttypes.h>
#include <layout/layout.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NESTED "nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 2], " \
	"outer_tile = [2, 1], thread_tile = [4, 4], element_tile = [1, 2], " \
	"subgroup_strides = [1, 0], thread_strides = [4, 1], subgroup_size = 16>"
#define ENCODING "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [8, 4], " \
	"outerDimsPerm = [1, 0], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], " \
	"[\"CrossIntrinsic\", 2 : i16]], [[\"CrossThread\", 4 : i16]]], " \
	"permutation = [1, 2, 0]}}>"
#define BLOCKED "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], " \
	"warpsPerCTA = [2, 1], order = [1, 0]}>"
#define LARGE "encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [64, 16], " \
	"outerDimsPerm = [0, 1], swizzle = {expandShape = [[[\"CrossThread\", 4 : i16], " \
	"[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]], " \
	"[[\"CrossIntrinsic\", 4 : i16], [\"CrossThread\", 4 : i16]]], " \
	"permutation = [1, 4, 0, 2, 3]}}>"

enum { LANE = 1, REGISTER = 2, MEMORY = 4 };

/* A layout; whether its grid is that of its images; what it has besides values; lanes of
 * a wave; elements; and for CuTe layouts the sizes of the modes. */
#define MODES 4
struct row {
	const char *text;
	bool images;
	int has;
	int64_t lanes;
	size_t elements;
	int64_t modes[MODES];
	bool last_fastest;
};

static const struct row rows[] = {
	{ "(4,8):(8,1)", false, MEMORY, 0, 32, { 4, 8 } },
	{ "((2,2),(2,4)):((1,4),(2,8))", false, MEMORY, 0, 32, { 4, 8 } },
	{ "((2,2,2),3):((1,4,30),2)", false, MEMORY, 0, 24, { 8, 3 } },
	{ "((2,4),4,(2,2)):((1,2),8,(32,64))", false, MEMORY, 0, 128, { 8, 4, 4 } },
	{ "(40):(3)", false, MEMORY, 0, 40, { 40 } },
	{ "4:-1", false, MEMORY, 0, 4, { 4 } },
	{ "2:9223372036854775806", false, MEMORY, 0, 2, { 2 } },
	{ "{ [i] -> [4611686018427387904 - 9223372036854775807i] : 0 <= i < 2 }", false,
		MEMORY, 0, 2 },
	{ "(4,2):(0,1)", false, MEMORY, 0, 8, { 4, 2 } },
	{ "Sw<2,0,2> o 0 o (4,4):(4,1)", false, MEMORY, 0, 16, { 4, 4 } },
	{ "Sw<1,2,3>", false, MEMORY, 0, 64, { 64 } },
	{ "pack_map<((2,2),3):((1,6),2)>", false, MEMORY, 0, 12, { 4, 3 }, true },
	{ "pack_map<(2,3,2):(6,2,1)>", false, MEMORY, 0, 12, { 2, 3, 2 }, true },
	{ NESTED, true, LANE | REGISTER, 16, 256 },
	{ "linear<{register = [[0, 1]], lane = [[1, 0], [2, 0], [0, 2]], "
		"warp = [[4, 0]]}>", true, LANE | REGISTER, 8, 32 },
	{ "linear<{offset = [[0, 1], [1, 1], [0, 2]]} -> {dim0 = 2, dim1 = 4}>", true,
		MEMORY, 0, 8 },
	{ "distribute(" BLOCKED ", [16, 32])", true, LANE | REGISTER, 64, 512 },
	{ "distribute(" BLOCKED ", [4, 32])", true, LANE | REGISTER, 64, 128 },
	{ "mma<MFMA_F32_16x16x16_F16, acc>", true, LANE | REGISTER, 64, 256 },
	{ "mma<v_wmma_f32_16x16x16_f16, lhs, gfx1100>", true, LANE | REGISTER, 32, 256 },
	{ "mma<v_mfma_f32_4x4x1_16b_f32, acc>", true, LANE | REGISTER, 64, 256 },
	{ "tv(((2,4),2):((8,1),4), [4, 4])", true, LANE | REGISTER, 8, 16 },
	{ "tv(((2,2),2):((8,1),4), [4, 6])", true, LANE | REGISTER, 4, 24 },
	{ "row_major[2, 3, 4, 5]", false, MEMORY, 0, 120 },
	{ "row_major[2, 1, 2, 3, 2]", false, MEMORY, 0, 24 },
	{ "{ [] -> [3] }", false, MEMORY, 0, 1 },
	{ "row_major[1]", false, MEMORY, 0, 1 },
	{ "(2,3,4,5):(60,20,5,1)", false, MEMORY, 0, 120, { 2, 3, 4, 5 } },
	{ "((2,2),3,2,2):((1,24),8,2,4)", false, MEMORY, 0, 48, { 4, 3, 2, 2 } },
	{ "packed(encoding_info<{innerDimsPos = [1, 3], innerTileSizes = [4, 2]}>, "
		"[2, 5, 3, 3])", false, MEMORY, 0, 192 },
	{ "xor_shuffle<64, 8>", false, MEMORY, 0, 512 },
	{ "rotate_rows<24, 8>", false, MEMORY, 0, 72 },
	{ "row_major[5, 7]", false, MEMORY, 0, 35 },
	{ "col_major[3, 5, 2]", false, MEMORY, 0, 30 },
	{ "strided[3, 5 : 8, 1]", false, MEMORY, 0, 15 },
	{ "packed(" ENCODING ", [10, 7])", false, MEMORY, 0, 128 },
	{ "swizzled(row_major[8, 64], xor_shuffle<64, 8>)", false, MEMORY, 0, 512 },
	{ "swizzled(swizzled(row_major[8, 64], xor_shuffle<64, 8>), Sw<2,1,3>)", false,
		MEMORY, 0, 512 },
	{ "swizzled(packed(encoding_info<{innerDimsPos = [0, 1], "
		"innerTileSizes = [8, 8]}>, [10, 14]), Sw<2,1,3>)", false, MEMORY, 0, 256 },
	{ "swizzled(strided[4, 8 : 8, 1], Sw<2,0,3>)", false, MEMORY, 0, 32 },
	{ "{ [i, j] -> [8i + j] : 0 <= i < 3 and 0 <= j < 5 and i + j < 6 }", false,
		MEMORY, 0, 15 },
	{ "{ [i, j] -> [j, i] : 0 <= i < 3 and 0 <= j < 4 }", false, MEMORY, 0, 12 },
	{ "{ hw[wg, sg, lane, reg] -> logical[8*wg + 4*sg + reg, lane] : 0 <= wg < 2 and "
		"0 <= sg < 2 and 0 <= lane < 8 and 0 <= reg < 4 }", true, LANE | REGISTER,
		8, 128 },
	{ "{ lane[t] -> tile[t mod 4, floor(t/4)] : 0 <= t < 16 }", true, LANE, 16, 16 },
	{ "restrict(affine_map<(d0, d1) -> (d0 + 4 * d1)>, "
		"{ [i, j] : 0 <= i < 4 and 0 <= j < 4 })", false, MEMORY, 0, 16 },
	{ "as((4,8):(8,1), out = [lane = 4, register = 8])", false, LANE | REGISTER, 4,
		32 },
	{ "inverse((4,8):(8,1))", false, MEMORY, 0, 32 },
	{ "remap(row_major[3, 4] -> col_major[3, 4], type = f32)", false, MEMORY, 0, 12 },
};

static layout_context *ctx;

static int open_context(void **state)
{
	(void)state;
	ctx = layout_context_new();
	return !ctx;
}

static int close_context(void **state)
{
	(void)state;
	return !layout_context_free(ctx);
}

static layout_value *parse(const char *text)
{
	layout_value *value = layout_value_parse(ctx, text);

	if (!value)
		fail_msg("%s: %s", text, layout_context_message(ctx));
	return value;
}

static char *draw(layout_value *value, layout_show_format format, layout_show_color color)
{
	layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
	char *picture;

	options.format = format;
	options.color = color;
	options.element_bits = 16;
	picture = layout_show(value, &options);
	if (!picture)
		fail_msg("%s", layout_context_message(ctx));
	return picture;
}

/* The layout's points: an element's coordinates and then those of a place. */
#define RANK 24
struct pair {
	int64_t numbers[RANK];
	unsigned element_rank, place_rank;
	bool seen;
};

/* What is read of a picture so far. */
struct picture {
	const struct row *row;
	layout_show_color color;
	struct pair *pairs;
	size_t pair_count, cell_count, seen_count;
	char class[32];
	double x, y, width, height;
	double last_x, last_y;
	int classes[4096];	/* of what is colored: class + 1 */
	size_t conflicts, corners;	/* cells that say so, and that are marked */
	bool in_cell;
};

static bool add_pair(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct picture *picture = user;
	const struct row *row = picture->row;
	struct pair *pair;
	int64_t rest = *in, modes[MODES];
	unsigned rank = 0;

	picture->pairs = realloc(picture->pairs,
		(picture->pair_count + 1) * sizeof(*pair));
	assert_non_null(picture->pairs);
	pair = &picture->pairs[picture->pair_count++];
	*pair = (struct pair){ .place_rank = row->images ? in_rank : image_rank };
	while (rank < MODES && row->modes[rank])
		rank++;
	for (unsigned i = 0; i < rank; i++) {
		unsigned m = row->last_fastest ? rank - 1 - i : i;

		modes[m] = rest % row->modes[m];
		rest /= row->modes[m];
	}
	pair->element_rank = rank ? rank : row->images ? image_rank : in_rank;
	memcpy(pair->numbers, rank ? modes : row->images ? image : in,
		pair->element_rank * sizeof(*in));
	memcpy(pair->numbers + pair->element_rank, row->images ? in : image,
		pair->place_rank * sizeof(*in));
	return true;
}

/* The numbers between "(" and ")", whatever is called what; behind the ")". */
static const char *read_tuple(const char *text, int64_t *numbers, unsigned *count)
{
	assert_int_equal(*text, '(');
	text += text[1] == ')';
	for (*count = 0; *text != ')'; (*count)++) {
		bool in_name = false;

		assert_true(*count < RANK);
		while (*text && (in_name || !strchr("-0123456789", *text))) {
			in_name = *text == '_' || (*text >= 'a' && *text <= 'z') ||
				(in_name && *text >= '0' && *text <= '9');
			text++;
		}
		numbers[*count] = strtoll(text, (char **)&text, 10);
	}
	return text + 1;
}

static struct pair *find_pair(struct picture *picture, const int64_t *element,
	const int64_t *place)
{
	for (size_t i = 0; i < picture->pair_count; i++) {
		struct pair *pair = &picture->pairs[i];

		if (!memcmp(pair->numbers, element,
				pair->element_rank * sizeof(*element)) &&
		    !memcmp(pair->numbers + pair->element_rank, place,
				pair->place_rank * sizeof(*place)))
			return pair;
	}
	return NULL;
}

/* Each lane, register, bank or value has one color, and the next has not an earlier one.
 * Many values can share one. */
static void check_color(struct picture *picture, int64_t colored)
{
	int class = atoi(picture->class + strlen("cell k")) + 1;

	assert_int_equal(strncmp(picture->class, "cell k", 6), 0);
	if (colored < 0 || colored >= 4096)
		return;
	if (!picture->classes[colored])
		picture->classes[colored] = class;
	assert_int_equal(picture->classes[colored], class);
	for (int64_t i = 0; i < colored; i++)
		if (picture->classes[i])
			assert_true(picture->classes[i] <= class);
}

/* What the label "T12:r3", or the bank behind the place, says is colored. */
static int64_t colored_of(const struct picture *picture, const char *label,
	const char *bank, int64_t offset)
{
	const char *reg = memchr(label, 'r', strcspn(label, " ;"));

	switch (picture->color) {
	case LAYOUT_SHOW_BY_LANE:
		return atoll(label + 1) % picture->row->lanes;
	case LAYOUT_SHOW_BY_WARP:
		return atoll(label + 1) / picture->row->lanes;
	case LAYOUT_SHOW_BY_REGISTER:
		return reg ? atoll(reg + 1) : 0;
	case LAYOUT_SHOW_BY_BANK:
		assert_int_equal(strncmp(bank, ", bank ", 7), 0);
		if (offset != INT64_MIN)
			assert_int_equal(atoll(bank + 7), ((offset >> 1) % 32 + 32) % 32);
		return atoll(bank + 7);
	default:
		return offset;	/* of a place that is no number: far below 0 */
	}
}

/* "(3, 4): T12:r3 (lane 12, register 3); .."; places beyond the eighth are not said. */
static void check_title(struct picture *picture, const char *title)
{
	int64_t element[RANK], place[RANK];
	unsigned rank, place_rank;
	const char *at = read_tuple(title, element, &rank);

	assert_int_equal(strncmp(at, ": ", 2), 0);
	at += 2;
	if (!strcmp(at, "no place")) {
		assert_string_equal(picture->class, "cell none");
		return;
	}
	if (!strcmp(at, "padding")) {
		for (size_t i = 0; i < picture->pair_count; i++)
			assert_int_not_equal(memcmp(picture->pairs[i].numbers, element,
				rank * sizeof(*element)), 0);
		assert_string_equal(picture->class, "cell pad");
		return;
	}
	for (unsigned i = 0; *at; i++) {
		const char *label = at, *tuple = strchr(at, '(');
		const char *end = at + strcspn(at, ";");
		int64_t offset = INT64_MIN;
		struct pair *pair;

		if (!strncmp(at, "and ", 4)) {
			assert_int_equal(i, 8);
			return;
		}
		if (!strcmp(at, "in conflict")) {
			picture->conflicts++;
			return;
		}
		if (strchr("-0123456789", *label))
			offset = strtoll(label, (char **)&at, 10);
		if (tuple && tuple < end) {
			at = read_tuple(tuple, place, &place_rank);
		} else {
			place[0] = offset;
			place_rank = 1;
		}
		pair = find_pair(picture, element, place);
		if (!pair || pair->place_rank != place_rank || pair->element_rank != rank)
			fail_msg("%s is not in the layout", title);
		assert_false(pair->seen);
		pair->seen = true;
		picture->seen_count++;
		if (!i)
			check_color(picture, colored_of(picture, label, at, offset));
		at = *end ? end + 2 : end;
	}
}

/* Cells come row after row, and none lies on another. */
static void check_position(struct picture *picture)
{
	bool same_row = picture->cell_count && picture->y == picture->last_y &&
		picture->x > picture->last_x;

	assert_true(picture->width >= 1 && picture->height >= 1);
	if (same_row)
		assert_true(picture->x >= picture->last_x + picture->width);
	else if (picture->cell_count)
		assert_true(picture->y >= picture->last_y + picture->height ||
			picture->x > picture->last_x);
	picture->last_x = picture->x;
	picture->last_y = picture->y;
}

static void begin(void *user, const struct xml_element *element)
{
	struct picture *picture = user;
	const char *class = xml_attribute(element, "class");
	char id[32];

	picture->corners += !strcmp(element->name, "path") && class &&
		!strncmp(class, "conflict", 8);
	if (strcmp(element->name, "title"))
		picture->in_cell = !strcmp(element->name, "rect") && class &&
			!strncmp(class, "cell", 4);
	if (!picture->in_cell || strcmp(element->name, "rect"))
		return;
	snprintf(picture->class, sizeof(picture->class), "%s", class);
	picture->x = atof(xml_attribute(element, "x"));
	picture->y = atof(xml_attribute(element, "y"));
	picture->width = atof(xml_attribute(element, "width"));
	picture->height = atof(xml_attribute(element, "height"));
	snprintf(id, sizeof(id), "c%zu", picture->cell_count);
	if (xml_attribute(element, "id"))
		assert_string_equal(xml_attribute(element, "id"), id);
	check_position(picture);
	picture->cell_count++;
}

static void text(void *user, const char *element, const char *content)
{
	struct picture *picture = user;

	if (picture->in_cell && !strcmp(element, "title"))
		check_title(picture, content);
}

/* Every point of the layout is in the picture, once, unless too many share an element. */
static void check_row(const struct row *row, layout_show_format format,
	layout_show_color color)
{
	layout_value *value = parse(row->text);
	struct picture *picture = calloc(1, sizeof(*picture));
	struct xml_visitor visitor = { begin, text, picture };
	char *drawn;

	assert_non_null(picture);
	picture->row = row;
	picture->color = color == LAYOUT_SHOW_BY_DEFAULT && row->has & LANE ?
		LAYOUT_SHOW_BY_LANE : color;
	assert_true(layout_value_for_each(value, NULL, 0, add_pair, picture));
	drawn = draw(value, format, color);
	xml_read(drawn, &visitor);
	assert_int_equal(picture->cell_count, row->elements);
	assert_int_equal(picture->conflicts, picture->corners);
	for (size_t i = 0; picture->pair_count <= 8 * row->elements &&
			i < picture->pair_count; i++)
		if (!picture->pairs[i].seen)
			fail_msg("%s: pair %zu is not in the picture", row->text, i);
	layout_string_free(drawn);
	layout_value_free(value);
	free(picture->pairs);
	free(picture);
}

static void test_svg(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&rows[i], LAYOUT_SHOW_SVG, LAYOUT_SHOW_BY_DEFAULT);
}

static void test_html(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&rows[i], LAYOUT_SHOW_HTML, LAYOUT_SHOW_BY_DEFAULT);
}

/* Every layout by everything it has; and what it lacks is an error. */
static void test_colors(void **state)
{
	static const struct {
		layout_show_color color;
		int needs;
	} colors[] = {
		{ LAYOUT_SHOW_BY_LANE, LANE }, { LAYOUT_SHOW_BY_REGISTER, REGISTER },
		{ LAYOUT_SHOW_BY_BANK, MEMORY }, { LAYOUT_SHOW_BY_VALUE, 0 },
		{ LAYOUT_SHOW_BY_WARP, LANE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (size_t c = 0; c < sizeof(colors) / sizeof(*colors); c++) {
			layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
			layout_value *value;

			if ((rows[i].has & colors[c].needs) == colors[c].needs) {
				check_row(&rows[i], LAYOUT_SHOW_SVG, colors[c].color);
				continue;
			}
			value = parse(rows[i].text);
			options.color = colors[c].color;
			assert_null(layout_show(value, &options));
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_INVALID);
			assert_int_equal(strncmp(layout_context_message(ctx),
				"cannot color by ", 16), 0);
			layout_context_clear(ctx);
			layout_value_free(value);
		}
}

/* What the two pictures of a remap say so far: the cell of each label, by side. */
struct moved {
	int side;			/* -1: before the first */
	size_t count[2];
	struct held {
		char label[32];
		int64_t cell[RANK];
		unsigned rank;
	} held[2][4096];
	bool in_cell;
	size_t padding;
};

static void begin_moved(void *user, const struct xml_element *element)
{
	struct moved *moved = user;
	const char *class = xml_attribute(element, "class");

	moved->side += !strcmp(element->name, "g") && xml_attribute(element, "transform");
	if (strcmp(element->name, "title"))
		moved->in_cell = !strcmp(element->name, "rect") && class &&
			!strncmp(class, "cell", 4);
}

static void text_moved(void *user, const char *element, const char *content)
{
	struct moved *moved = user;
	struct held *held;
	const char *at;

	if (!moved->in_cell || strcmp(element, "title"))
		return;
	held = &moved->held[moved->side][moved->count[moved->side]];
	at = read_tuple(content, held->cell, &held->rank) + 2;
	if (!strcmp(at, "padding") || !strcmp(at, "no place")) {
		moved->padding++;
		return;
	}
	snprintf(held->label, sizeof(held->label), "%.*s", (int)strcspn(at, " "), at);
	moved->count[moved->side]++;
}

static const struct held *find_held(const struct moved *moved, int side,
	const int64_t *cell, unsigned rank)
{
	for (size_t i = 0; i < moved->count[side]; i++)
		if (moved->held[side][i].rank == rank &&
		    !memcmp(moved->held[side][i].cell, cell, rank * sizeof(*cell)))
			return &moved->held[side][i];
	return NULL;
}

struct moved_check {
	const struct moved *moved;
	size_t pairs, apart;
};

/* Both cells have a lane's register; those that are not the same are counted. */
static bool check_moved(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct moved_check *check = user;
	const struct held *before = find_held(check->moved, 0, in, in_rank);
	const struct held *after = find_held(check->moved, 1, image, image_rank);

	assert_non_null(before);
	assert_non_null(after);
	check->apart += strcmp(before->label, after->label) != 0;
	check->pairs++;
	return true;
}

/* Before and after remaps: one goes through the LDS, and there each register of a lane is
 * loaded once and stored once. */
static void test_moves(void **state)
{
	static const struct {
		const char *text, *target;
		bool through;
		size_t padding;
	} remaps[] = {
		{ "remap(row_major[2, 4] -> col_major[2, 4], type = f32)", "gfx942", false, 0 },
		{ "remap(row_major[32, 32] -> col_major[32, 32], type = f32)", "gfx942", false, 0 },
		{ "remap(row_major[32, 32] -> col_major[32, 32], type = f32)", "gfx1100", true, 0 },
		{ "remap(row_major[8, 8] -> col_major[8, 8], type = f32)", "gfx942", true, 0 },
		{ "remap(row_major[5, 7] -> packed(encoding_info<{innerDimsPos = [0, 1], "
			"innerTileSizes = [4, 2]}>, [5, 7]), type = f16)", "gfx942", false, 29 },
		{ "remap(row_major[16, 16] -> packed(encoding_info<{innerDimsPos = [0, 1], "
			"innerTileSizes = [8, 4]}>, [16, 16]), type = f16)", "gfx950", false, 0 },
		{ "remap(row_major[8, 64] -> swizzled(row_major[8, 64], Sw<3, 3, 3>), "
			"type = f16)", "gfx942", false, 0 },
		{ "remap(chain(row_major[3, 4], transpose([1, 0])) -> row_major[4, 3], "
			"type = f32)", "gfx942", false, 0 },
		{ "remap(chain(row_major[8, 8], transpose([1, 0])) -> row_major[8, 8], "
			"type = f16)", "gfx942", false, 0 },
		{ "remap(chain(row_major[2, 4, 4, 8], transpose([0, 2, 3, 1])) -> "
			"row_major[2, 4, 8, 4], type = f32)", "gfx942", true, 0 },
		{ "remap(row_major[8] -> row_major[12], type = f32, map = { [i] -> [i + 2] })",
			"gfx1200", false, 4 },
		{ "remap(row_major[4, 5] -> row_major[6, 5], type = f32, map = "
			"{ [i, j] -> [5 - i, j] })", "sm_80", false, 10 },
		{ "remap(row_major[] -> row_major[], type = f32)", "gfx942", false, 0 },
	};
	struct moved *moved = malloc(sizeof(*moved));

	(void)state;
	assert_non_null(moved);
	for (size_t i = 0; i < sizeof(remaps) / sizeof(*remaps); i++) {
		struct xml_visitor visitor = { begin_moved, text_moved, moved };
		struct moved_check check = { moved, 0, 0 };
		layout_show_options options = LAYOUT_SHOW_OPTIONS_INIT;
		layout_value *value = parse(remaps[i].text);
		char *drawn;

		options.format = LAYOUT_SHOW_SVG;
		options.color = LAYOUT_SHOW_BY_LANE;
		options.lds = layout_lds_find(ctx, remaps[i].target);
		drawn = layout_show(value, &options);
		if (!drawn)
			fail_msg("%s: %s", remaps[i].text, layout_context_message(ctx));
		*moved = (struct moved){ .side = -1 };
		xml_read(drawn, &visitor);
		if (!strstr(drawn, ">after, through the LDS: ") != !remaps[i].through)
			fail_msg("%s goes %sthrough the LDS", remaps[i].text,
				remaps[i].through ? "not " : "");
		assert_true(layout_value_for_each(value, NULL, 0, check_moved, &check));
		assert_int_equal(check.apart > 0, remaps[i].through);
		for (int side = 0; side < 2; side++) {
			assert_int_equal(moved->count[side], check.pairs);
			for (size_t a = 0; a < check.pairs && check.pairs <= 256; a++)
				for (size_t b = 0; b < a; b++)
					assert_string_not_equal(moved->held[side][a].label,
						moved->held[side][b].label);
		}
		assert_int_equal(moved->padding, remaps[i].padding);
		layout_string_free(drawn);
		layout_value_free(value);
	}
	free(moved);
}

/* 128 x 128 within a second, and the same again. */
static void test_large(void **state)
{
	static const char *const texts[] = {
		"packed(" LARGE ", [128, 128])", "distribute(" BLOCKED ", [128, 128])",
		"swizzled(row_major[128, 128], xor_shuffle<128, 8>)",
		"{ [i, j] -> [j, i] : 0 <= i < 128 and 0 <= j < 128 }",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (int format = 0; format <= LAYOUT_SHOW_HTML; format++) {
			layout_value *value = parse(texts[i]);
			clock_t start = clock();
			char *first = draw(value, format, LAYOUT_SHOW_BY_DEFAULT), *again;
			double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;

			if (seconds > 1)
				fail_msg("%s takes %g s", texts[i], seconds);
			again = draw(value, format, LAYOUT_SHOW_BY_DEFAULT);
			assert_string_equal(first, again);
			layout_string_free(first);
			layout_string_free(again);
			layout_value_free(value);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_svg),
		cmocka_unit_test(test_html),
		cmocka_unit_test(test_colors),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
