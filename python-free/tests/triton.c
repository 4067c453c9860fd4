/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Triton's encodings: the published layouts, and arithmetic that knows no bases. */
#include "support/random.h"
#include "support/share.h"
#include "support/vector_texts.h"

#include "isl_bridge/relation.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MAX_RANK 4
#define MAX_BITS 40

/* The vectors: triton.tsv */

/* A layout as a row of the file writes it: inputs with the images of their bits. */
struct wanted {
	unsigned in_count, rank;
	char names[4][12];
	unsigned bits[4];
	int64_t bases[4][MAX_BITS][MAX_RANK];
	int64_t sizes[MAX_RANK];
};

static char *cut(char **rest, const char *delimiters)
{
	return strsep(rest, delimiters);
}

static void read_wanted(char *text, struct wanted *wanted)
{
	char *arrow = strstr(text, "->"), *in, *basis, *number;

	memset(wanted, 0, sizeof(*wanted));
	assert_non_null(arrow);
	*arrow = 0;
	while ((in = cut(&text, "|"))) {
		char *name = cut(&in, "=");
		unsigned i = wanted->in_count++;

		snprintf(wanted->names[i], sizeof(wanted->names[i]), "%s", name);
		while (in && *in && (basis = cut(&in, ";"))) {
			unsigned d = 0;

			while ((number = cut(&basis, ",")))
				wanted->bases[i][wanted->bits[i]][d++] = atoll(number);
			wanted->bits[i]++;
		}
	}
	text = arrow + 2;
	while ((in = cut(&text, ",")))
		wanted->sizes[wanted->rank++] = atoll(strchr(in, ':') + 1);
}

/* "shape=[128,64] enc=..": the shape, returning what follows. */
static const char *read_shape(const char *text, int64_t *shape, unsigned *rank)
{
	text += strlen("shape=[");
	*rank = 0;
	do {
		char *end;

		shape[(*rank)++] = strtoll(text, &end, 10);
		text = end + 1;
	} while (text[-1] == ',');
	return text + 1;
}

static layout_linear *convert(layout_context *ctx, const char *id, const char *text)
{
	char mlir[1000] = "";
	int64_t shape[MAX_RANK];
	unsigned rank;
	layout_triton *encoding;
	layout_linear *linear;

	triton_text(read_shape(text, shape, &rank), mlir, sizeof(mlir));
	encoding = layout_triton_parse(ctx, mlir);
	linear = layout_triton_linear(encoding, shape, rank);
	if (!linear)
		fail_msg("%s: %s: %s", id, mlir, layout_context_message(ctx));
	layout_triton_free(encoding);
	return linear;
}

/* Every point of the layout, against the XOR of the row's bases. */
static void compare(const char *id, layout_linear *linear, const struct wanted *wanted)
{
	int64_t point[4], image[MAX_RANK];
	unsigned bits = 0;

	if (layout_linear_in_count(linear) != wanted->in_count ||
	    layout_linear_out_count(linear) != wanted->rank)
		fail_msg("%s: inputs or outputs differ", id);
	for (unsigned i = 0; i < wanted->in_count; bits += wanted->bits[i++])
		if (strcmp(layout_linear_in_name(linear, i), wanted->names[i]) ||
		    layout_linear_in_size(linear, i) != (int64_t)1 << wanted->bits[i])
			fail_msg("%s: %s has %lld points", id, wanted->names[i],
				(long long)layout_linear_in_size(linear, i));
	for (unsigned d = 0; d < wanted->rank; d++)
		assert_int_equal(layout_linear_out_size(linear, d), wanted->sizes[d]);
	for (uint64_t at = 0; at >> bits == 0; at++) {
		int64_t expected[MAX_RANK] = { 0 };
		uint64_t rest = at;

		for (unsigned i = 0; i < wanted->in_count; rest >>= wanted->bits[i++]) {
			point[i] = (int64_t)(rest &
				(((uint64_t)1 << wanted->bits[i]) - 1));
			for (unsigned b = 0; b < wanted->bits[i]; b++)
				for (unsigned d = 0; d < wanted->rank; d++)
					if (point[i] >> b & 1)
						expected[d] ^= wanted->bases[i][b][d];
		}
		assert_true(layout_linear_eval(linear, point, image));
		for (unsigned d = 0; d < wanted->rank; d++)
			if (image[d] != expected[d])
				fail_msg("%s: point %llu: dim%u is %lld instead of %lld",
					id, (unsigned long long)at, d,
					(long long)image[d], (long long)expected[d]);
	}
}

static void check_conversion(layout_context *ctx, char **fields)
{
	layout_linear *linear = convert(ctx, fields[0], fields[5]);
	struct wanted wanted;

	read_wanted(fields[6], &wanted);
	compare(fields[0], linear, &wanted);
	layout_linear_free(linear);
}

static void check_same(layout_context *ctx, char **fields)
{
	char *second = strstr(fields[5], " || ");
	layout_linear *a, *b;

	assert_non_null(second);
	*second = 0;
	a = convert(ctx, fields[0], fields[5]);
	b = convert(ctx, fields[0], second + 4);
	if ((layout_linear_equal(a, b, NULL) == LAYOUT_YES) !=
	    !strncmp(fields[6], "true", 4))
		fail_msg("%s: %s || %s", fields[0], fields[5], second + 4);
	layout_linear_free(a);
	layout_linear_free(b);
}

static void published_rows(void **state)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/triton.tsv", "r");
	unsigned conversions = 0, same = 0;
	layout_context *ctx = layout_context_new();
	size_t capacity = 0;
	char *line = NULL;

	(void)state;
	assert_non_null(file);
	while (getline(&line, &capacity, file) > 0) {
		char *fields[8] = { NULL }, *rest = line;

		for (unsigned i = 0; i < 8 && rest; i++)
			fields[i] = cut(&rest, "\t\n");
		if (line[0] == '#' || !fields[6] || !fields[2])
			continue;
		if (strcmp(fields[2], "toLinearLayout") && strcmp(fields[2],
			"sameLayout"))
			continue;
		if (!strcmp(fields[2], "sameLayout")) {
			check_same(ctx, fields);
			same++;
		} else {
			check_conversion(ctx, fields);
			conversions++;
		}
	}
	free(line);
	fclose(file);
	print_message("%u conversions, %u equal pairs\n", conversions, same);
	assert_int_equal(conversions, 58);
	assert_int_equal(same, 6);
	assert_true(layout_context_free(ctx));
}

/* Arithmetic */

static int64_t power(uint64_t *state, unsigned bits)
{
	return (int64_t)1 << random_below(state, bits + 1);
}

static void random_order(uint64_t *state, unsigned rank, int64_t *order)
{
	for (unsigned i = 0; i < rank; i++) {
		unsigned k = random_below(state, i + 1);

		order[i] = order[k];
		order[k] = i;
	}
}

/* The digits of "index", fastest first in "order". */
static void digits(int64_t index, const int64_t *radix, const int64_t *order,
	unsigned rank,
	int64_t *digit)
{
	for (unsigned i = 0; i < rank; i++) {
		digit[order[i]] = index % radix[order[i]];
		index /= radix[order[i]];
	}
}

static void print_list(char *text, const char *name, const int64_t *list, unsigned count)
{
	sprintf(text + strlen(text), "%s = [", name);
	for (unsigned i = 0; i < count; i++)
		sprintf(text + strlen(text), "%s%lld", i ? ", " : "", (long long)list[i]);
	strcat(text, "]");
}

struct blocked {
	unsigned rank;
	int64_t registers[3], lanes[3], warps[3], order[3];
	int64_t blocks[3], splits[3], block_order[3], shape[3];
};

static void random_blocked(uint64_t *state, struct blocked *blocked, char *text)
{
	unsigned rank = 1 + random_below(state, 3);

	blocked->rank = rank;
	for (unsigned d = 0; d < rank; d++) {
		blocked->registers[d] = power(state, 2);
		blocked->lanes[d] = power(state, 2);
		blocked->warps[d] = power(state, 1);
		blocked->blocks[d] = power(state, 2);
		blocked->splits[d] = blocked->blocks[d] / power(state, 1);
		blocked->splits[d] += !blocked->splits[d];
		blocked->shape[d] = power(state, rank == 3 ? 4 : 6);
	}
	random_order(state, rank, blocked->order);
	random_order(state, rank, blocked->block_order);
	strcpy(text, "#ttg.blocked<{");
	print_list(text, "sizePerThread", blocked->registers, rank);
	print_list(strcat(text, ", "), "threadsPerWarp", blocked->lanes, rank);
	print_list(strcat(text, ", "), "warpsPerCTA", blocked->warps, rank);
	print_list(strcat(text, ", "), "order", blocked->order, rank);
	print_list(strcat(text, ", "), "CTAsPerCGA", blocked->blocks, rank);
	print_list(strcat(text, ", "), "CTASplitNum", blocked->splits, rank);
	print_list(strcat(text, ", "), "CTAOrder", blocked->block_order, rank);
	strcat(text, "}>");
}

/* A block's part of dimension d, and which part a block has: the parts beyond the
 * tensor are those before them again. */
static int64_t part_of(const struct blocked *blocked, unsigned d)
{
	int64_t splits = blocked->splits[d] < blocked->shape[d] ? blocked->splits[d] :
		blocked->shape[d];

	return blocked->shape[d] / splits;
}

/* Where (register, lane, warp, block) lies, by divisions only. */
static void blocked_image(const struct blocked *blocked, const int64_t *point,
	int64_t *image)
{
	int64_t r[3], l[3], w[3], b[3], turn[3], repeats[3], own = 1;

	for (unsigned d = 0; d < blocked->rank; d++) {
		repeats[d] = part_of(blocked, d) /
			(blocked->registers[d] * blocked->lanes[d] * blocked->warps[d]);
		repeats[d] += !repeats[d];
		own *= blocked->registers[d];
	}
	digits(point[0] % own, blocked->registers, blocked->order, blocked->rank, r);
	digits(point[0] / own, repeats, blocked->order, blocked->rank, turn);
	digits(point[1], blocked->lanes, blocked->order, blocked->rank, l);
	digits(point[2], blocked->warps, blocked->order, blocked->rank, w);
	digits(point[3], blocked->blocks, blocked->block_order, blocked->rank, b);
	for (unsigned d = 0; d < blocked->rank; d++) {
		int64_t part = part_of(blocked, d);

		image[d] = ((turn[d] * blocked->warps[d] + w[d]) * blocked->lanes[d] +
			l[d]) * blocked->registers[d] + r[d];
		image[d] = image[d] % part +
			b[d] % blocked->splits[d] % (blocked->shape[d] / part) * part;
	}
}

/* Call "image" for each point of a layout of (register, lane, warp, block), or of
 * (offset, block), and compare. */
static void every_point(const char *text, layout_linear *linear, unsigned rank,
	void (*image)(const void *user, const int64_t *point, int64_t *result),
	const void *user)
{
	unsigned ins = layout_linear_in_count(linear);
	int64_t total = 1;

	for (unsigned i = 0; i < ins; i++)
		total *= layout_linear_in_size(linear, i);
	for (int64_t at = 0; at < total; at++) {
		int64_t point[4], rest = at, is[MAX_RANK], wanted[MAX_RANK] = { 0 };

		for (unsigned i = 0; i < ins; i++) {
			point[i] = rest % layout_linear_in_size(linear, i);
			rest /= layout_linear_in_size(linear, i);
		}
		assert_true(layout_linear_eval(linear, point, is));
		image(user, point, wanted);
		for (unsigned d = 0; d < rank; d++)
			if (is[d] != wanted[d])
				fail_msg("%s: point %lld: dim%u is %lld instead of %lld",
					text, (long long)at, d, (long long)is[d],
					(long long)wanted[d]);
	}
}

static void image_of_blocked(const void *user, const int64_t *point, int64_t *image)
{
	blocked_image(user, point, image);
}

static void blocked_by_division(void **state)
{
	uint64_t seed = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(150); i++) {
		struct blocked blocked;
		layout_triton *encoding;
		layout_linear *linear;
		char text[500];

		random_blocked(&seed, &blocked, text);
		encoding = layout_triton_parse(ctx, text);
		linear = layout_triton_linear(encoding, blocked.shape, blocked.rank);
		if (!linear)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		every_point(text, linear, blocked.rank, image_of_blocked, &blocked);
		layout_linear_free(linear);
		layout_triton_free(encoding);
	}
	assert_true(layout_context_free(ctx));
}

/* An operand of a dot of two blocked tensors: K is whole in every thread. */
struct operand {
	struct blocked blocked;
	unsigned k;
};

static void image_of_operand(const void *user, const int64_t *point, int64_t *image)
{
	const struct operand *operand = user;
	struct blocked blocked = operand->blocked;
	int64_t k[3];

	blocked.registers[operand->k] = blocked.shape[operand->k];
	blocked_image(&blocked, point, image);
	digits(point[0], blocked.registers, blocked.order, blocked.rank, k);
	image[operand->k] = k[operand->k];
}

static void blocked_operands_by_division(void **state)
{
	uint64_t seed = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(60); i++) {
		struct operand operand;
		layout_triton *encoding;
		layout_linear *linear;
		char parent[500], text[600];
		unsigned index = random_below(&seed, 2);

		do
			random_blocked(&seed, &operand.blocked, parent);
		while (operand.blocked.rank < 2);
		operand.k = operand.blocked.rank - 1 - index;
		snprintf(text, sizeof(text), "#ttg.dot_op<{opIdx = %u, parent = %s}>",
			index, parent);
		encoding = layout_triton_parse(ctx, text);
		linear = layout_triton_linear(encoding, operand.blocked.shape,
			operand.blocked.rank);
		if (!linear)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		every_point(text, linear, operand.blocked.rank, image_of_operand,
			&operand);
		layout_linear_free(linear);
		layout_triton_free(encoding);
	}
	assert_true(layout_context_free(ctx));
}

/* A slice: the parent's bases without one coordinate, and registers only where they
 * still go somewhere. */
static void compare_slice(const char *text, layout_linear *slice, layout_linear *parent,
	unsigned dim, unsigned rank)
{
	for (unsigned in = 0; in < 4; in++) {
		unsigned next = 0;

		for (unsigned bit = 0; layout_linear_in_size(parent,
			in) >> (bit + 1); bit++) {
			int64_t from[MAX_RANK], to[MAX_RANK];
			bool zero = true;

			assert_true(layout_linear_basis(parent, in, bit, from));
			memmove(from + dim, from + dim + 1, (rank - dim) * sizeof(*from));
			for (unsigned d = 0; d < rank; d++)
				zero = zero && !from[d];
			if (zero && in == 0)
				continue;
			assert_true(layout_linear_basis(slice, in, next++, to));
			if (memcmp(from, to, rank * sizeof(*from)))
				fail_msg("%s: input %u, bit %u", text, in, bit);
		}
		if (layout_linear_in_size(slice, in) != (int64_t)1 << next)
			fail_msg("%s: input %u has too many bits", text, in);
	}
}

static void slices(void **state)
{
	uint64_t seed = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(200); i++) {
		struct blocked blocked;
		char parent_text[500], text[600];
		layout_triton *encoding, *parent;
		layout_linear *slice, *whole;
		int64_t shape[3];
		unsigned dim, rank;

		do
			random_blocked(&seed, &blocked, parent_text);
		while (blocked.rank < 2);
		dim = random_below(&seed, blocked.rank);
		rank = blocked.rank - 1;
		snprintf(text, sizeof(text), "slice<{dim = %u, parent = %s}>", dim,
			parent_text);
		blocked.shape[dim] = 1;
		for (unsigned d = 0; d < rank; d++)
			shape[d] = blocked.shape[d + (d >= dim)];
		encoding = layout_triton_parse(ctx, text);
		parent = layout_triton_parse(ctx, parent_text);
		assert_int_equal(layout_triton_rank(encoding), rank);
		slice = layout_triton_linear(encoding, shape, rank);
		whole = layout_triton_linear(parent, blocked.shape, rank + 1);
		if (!slice || !whole)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		compare_slice(text, slice, whole, dim, rank);
		layout_linear_free(slice);
		layout_linear_free(whole);
		layout_triton_free(parent);
		layout_triton_free(encoding);
	}
	assert_true(layout_context_free(ctx));
}

/* The layout of a pattern is an encoding that does what the pattern does, but for registers that
 * have nothing of their own. */
static void linear_patterns(void **state)
{
	uint64_t seed = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(150); i++) {
		struct blocked blocked;
		char text[500];
		int64_t own[3];
		layout_triton_desc desc = LAYOUT_TRITON_DESC_INIT;
		layout_triton *pattern, *encoding;
		layout_linear *wanted, *found;

		random_blocked(&seed, &blocked, text);
		sprintf(strstr(text, ", CTAsPerCGA"), "}>");
		for (unsigned d = 0; d < blocked.rank; d++)
			own[d] = blocked.registers[d] * blocked.lanes[d] * blocked.warps[d];
		pattern = layout_triton_parse(ctx, text);
		desc.kind = LAYOUT_TRITON_LINEAR;
		desc.linear = layout_triton_linear(pattern, own, blocked.rank);
		encoding = layout_triton_new(ctx, &desc);
		for (unsigned d = 0; d < blocked.rank; d++)
			if (blocked.registers[d] == 1 && blocked.shape[d] > own[d])
				blocked.shape[d] = own[d];
		wanted = layout_triton_linear(pattern, blocked.shape, blocked.rank);
		found = layout_triton_linear(encoding, blocked.shape, blocked.rank);
		if (!wanted || !found)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		compare_slice(text, found, wanted, blocked.rank, blocked.rank);
		layout_linear_free(desc.linear);
		layout_linear_free(wanted);
		layout_linear_free(found);
		layout_triton_free(encoding);
		layout_triton_free(pattern);
	}
	assert_true(layout_context_free(ctx));
}

/* Matrix instructions: mma.tsv */

/* The fields of a row; the table is the last one. */
enum { GFX = 2, NAME, WAVE, OPERAND, M, N, K, BLOCKS, BITS = 11, ROWS = 13, COLUMNS,
	TABLE = 19, FIELDS };

/* The encoding of a row's operand, or false where Triton has none with the same K. */
static bool encoding_of(char **fields, char *text, size_t size)
{
	bool wmma = strstr(fields[NAME], "wmma"), first = !strcmp(fields[GFX], "gfx1100");
	long m = atol(fields[M]), k = atol(fields[K]);
	char result[200];

	if (atoi(fields[BLOCKS]) != 1 || (wmma && atoi(fields[WAVE]) != 32) ||
	    (!wmma && m != 16 && m != 32) || strstr(fields[NAME], "iu") ||
	    (wmma && k != 16) || (wmma && strlen(fields[OPERAND]) == 1 &&
		    *fields[OPERAND] == 'D' && atoi(fields[BITS]) != 32))
		return false;
	if (wmma)
		snprintf(result, sizeof(result),
			"#ttg.amd_wmma<{version = %d, isTranspose = "
			"false, ctaLayout = {}}>", first ? 1 : 2);
	else
		snprintf(result, sizeof(result),
			"#ttg.amd_mfma<{version = 3, warpsPerCTA = "
			"[1, 1], instrShape = [%ld, %ld, %ld], isTransposed = false, "
			"elementBitWidth = %d}>", m, m, k,
			atoi(fields[BITS]) == 64 ? 64 : 32);
	if (!strcmp(fields[OPERAND], "D"))
		snprintf(text, size, "%s", result);
	else if (!strcmp(fields[OPERAND], "A") || !strcmp(fields[OPERAND], "B"))
		snprintf(text, size, "dot_op<{opIdx = %d, parent = %s, kWidth = %ld}>",
			*fields[OPERAND] == 'B', result, !wmma ? k * m / 64 :
			first ? 16 : 4);
	else
		return false;
	return true;
}

/* Each element is where the table says, and nothing else is anywhere. */
static void compare_table(char **fields, layout_linear *linear)
{
	int64_t columns = atol(fields[COLUMNS]), at = 0, places = 0;
	char *rest = fields[TABLE], *entry, *lane;

	while ((entry = cut(&rest, " \n"))) {
		char *lanes = cut(&entry, ":");
		int64_t slot = entry ? atol(entry) : 0;

		if (!*lanes)
			continue;
		while ((lane = cut(&lanes, "+"))) {
			int64_t point[4] = { slot, atol(lane), 0, 0 }, image[2];

			assert_true(layout_linear_eval(linear, point, image));
			if (image[0] != at / columns || image[1] != at % columns)
				fail_msg("%s %s %s: lane %s slot %lld", fields[GFX],
					fields[NAME], fields[OPERAND], lane,
					(long long)slot);
			places++;
		}
		at++;
	}
	assert_int_equal(at, atol(fields[ROWS]) * columns);
	assert_int_equal(places, layout_linear_in_size(linear, 0) *
		layout_linear_in_size(linear, 1));
}

static void matrix_instructions(void **state)
{
	FILE *file = fopen(TEST_DATA_DIR "/vectors/mma.tsv", "r");
	layout_context *ctx = layout_context_new();
	size_t capacity = 0;
	unsigned tables = 0;
	char *line = NULL;

	(void)state;
	assert_non_null(file);
	while (getline(&line, &capacity, file) > 0) {
		char *fields[FIELDS] = { NULL }, *rest = line, text[400];
		layout_triton *encoding;
		layout_linear *linear;
		int64_t shape[2];

		for (unsigned i = 0; i < FIELDS; i++)
			fields[i] = cut(&rest, "\t\n");
		if (line[0] == '#' || !fields[TABLE] ||
		    !encoding_of(fields, text, sizeof(text)))
			continue;
		shape[0] = atol(fields[ROWS]);
		shape[1] = atol(fields[COLUMNS]);
		encoding = layout_triton_parse(ctx, text);
		linear = layout_triton_linear(encoding, shape, 2);
		if (!linear)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		compare_table(fields, linear);
		layout_linear_free(linear);
		layout_triton_free(encoding);
		tables++;
	}
	free(line);
	fclose(file);
	print_message("%u operands\n", tables);
	assert_int_equal(tables, 62);
	assert_true(layout_context_free(ctx));
}

/* Which warp has which instruction's tile, as Triton's documentation draws it: in each
 * dimension so many tiles of one warp, then the next warp, then from the beginning. */
struct owners {
	unsigned rank;
	int64_t tile[3], tiles[3], warps[3], shape[3];
	int whole;		/* the dimension that every warp has all of, or -1 */
};

static void check_owner(const char *text, const struct owners *owners, int64_t warp,
	const int64_t *image)
{
	for (unsigned d = owners->rank; d-- > 0;) {
		int64_t w = warp % owners->warps[d];
		int64_t owner = image[d] / owners->tile[d] / owners->tiles[d] %
			owners->warps[d];
		int64_t distinct = owners->shape[d] / owners->tile[d] / owners->tiles[d];

		warp /= owners->warps[d];
		if ((int)d == owners->whole)
			continue;
		if (owner != w % (distinct ? distinct : 1))
			fail_msg("%s: warp %lld has %lld of dim%u", text, (long long)warp,
				(long long)image[d], d);
	}
}

static void every_owner(const char *text, layout_linear *linear,
	const struct owners *owners)
{
	for (int64_t w = 0; w < layout_linear_in_size(linear, 2); w++)
		for (int64_t l = 0; l < layout_linear_in_size(linear, 1); l++)
			for (int64_t r = 0; r < layout_linear_in_size(linear, 0); r++) {
				int64_t point[4] = { r, l, w, 0 }, image[3];

				assert_true(layout_linear_eval(linear, point, image));
				check_owner(text, owners, w, image);
			}
}

/* A random mfma or wmma encoding, or an operand of one; warpsPerCTA in the text. */
static void random_matrix(uint64_t *seed, struct owners *owners, char *text)
{
	bool mfma = random_below(seed, 2), transposed = random_below(seed, 2);
	unsigned operand = random_below(seed, 3), version = 1 + random_below(seed, 2);
	int64_t side = mfma && random_below(seed, 2) ? 32 : 16;
	unsigned width = mfma ? 1u << random_below(seed, 4) : 8u << random_below(seed, 2);
	char result[400] = "";

	owners->rank = 2 + random_below(seed, 2);
	for (unsigned d = 0; d < owners->rank; d++) {
		bool batch = owners->rank == 3 && !d;

		owners->tile[d] = batch ? 1 : side;
		owners->tiles[d] = batch ? 1 : power(seed, 1);
		owners->warps[d] = power(seed, 1);
		owners->shape[d] = power(seed, batch ? 2 : 7);
	}
	owners->whole = operand == 2 ? -1 : (int)owners->rank - 1 - (int)operand;
	sprintf(result, "#ttg.%s<{version = %u, isTransposed = %s, ", mfma ? "amd_mfma" :
		"amd_wmma", mfma ? 3 : version, transposed ? "true" : "false");
	print_list(result, "warpsPerCTA", owners->warps, owners->rank);
	print_list(strcat(result, ", "), "tilesPerWarp", owners->tiles, owners->rank);
	sprintf(result + strlen(result), ", instrShape = [%d, %d, 16]}>", (int)side,
		(int)side);
	if (operand == 2)
		strcpy(text, result);
	else
		sprintf(text, "dot_op<{opIdx = %u, parent = %s, kWidth = %u}>", operand,
			result, width);
}

static void warps_own_tiles(void **state)
{
	uint64_t seed = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(300); i++) {
		struct owners owners;
		layout_triton *encoding;
		layout_linear *linear;
		char text[500];

		random_matrix(&seed, &owners, text);
		encoding = layout_triton_parse(ctx, text);
		linear = layout_triton_linear(encoding, owners.shape, owners.rank);
		if (!linear)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		if (layout_linear_is_surjective(linear, NULL) != LAYOUT_YES)
			fail_msg("%s: not all of the tensor is anywhere", text);
		every_owner(text, linear, &owners);
		layout_linear_free(linear);
		layout_triton_free(encoding);
	}
	assert_true(layout_context_free(ctx));
}

/* Shared memory */

struct swizzled {
	unsigned rank;
	bool rotating;
	int64_t vec, per_phase, max_phase, order[3], shape[3];
};

static void image_of_swizzled(const void *user, const int64_t *point, int64_t *image)
{
	const struct swizzled *swizzled = user;
	int64_t row, column, phase;

	digits(point[0], swizzled->shape, swizzled->order, swizzled->rank, image);
	if (swizzled->rank == 1)
		return;
	row = image[swizzled->order[1]];
	column = image[swizzled->order[0]];
	phase = row / swizzled->per_phase % swizzled->max_phase;
	if (swizzled->rotating)
		phase ^= row / (swizzled->per_phase * swizzled->max_phase) %
			swizzled->max_phase;
	image[swizzled->order[0]] = column ^ (swizzled->vec * phase %
		swizzled->shape[swizzled->order[0]]);
}

static void swizzles_by_formula(void **state)
{
	uint64_t seed = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(400); i++) {
		struct swizzled swizzled = { .rank = 1 + random_below(&seed, 3),
			.rotating = random_below(&seed, 2), .vec = power(&seed, 4),
			.per_phase = power(&seed, 3), .max_phase = power(&seed, 4) };
		layout_triton *encoding;
		layout_linear *linear;
		char text[300];

		random_order(&seed, swizzled.rank, swizzled.order);
		for (unsigned d = 0; d < swizzled.rank; d++)
			swizzled.shape[d] = power(&seed, 6);
		sprintf(text, "#ttg.%s<{vec = %d, perPhase = %d, maxPhase = %d, ",
			swizzled.rotating ? "amd_rotating_shared" : "swizzled_shared",
			(int)swizzled.vec, (int)swizzled.per_phase,
				(int)swizzled.max_phase);
		print_list(text, "order", swizzled.order, swizzled.rank);
		strcat(text, "}>");
		encoding = layout_triton_parse(ctx, text);
		linear = layout_triton_linear(encoding, swizzled.shape, swizzled.rank);
		if (!linear)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		assert_int_equal(layout_linear_is_invertible(linear, NULL), LAYOUT_YES);
		every_point(text, linear, swizzled.rank, image_of_swizzled, &swizzled);
		layout_linear_free(linear);
		layout_triton_free(encoding);
	}
	assert_true(layout_context_free(ctx));
}

/* What one load after the other copies, each row by row. */
struct loaded {
	unsigned rank, column;
	bool fp4;
	int64_t bytes, bits, shape[3];
};

static int64_t take_digit(int64_t *number, int64_t radix)
{
	int64_t digit = *number % radix;

	*number /= radix;
	return digit;
}

static void image_of_loaded(const void *user, const int64_t *point, int64_t *image)
{
	const struct loaded *loaded = user;
	int64_t rest = point[0], load[3], row = 0, rows = 1, step[3] = { 1, 1, 1 };
	int64_t wide = 8 * loaded->bytes / loaded->bits;

	for (unsigned d = 0; d < loaded->rank; d++)
		load[d] = loaded->shape[d] < 256 ? loaded->shape[d] : 256;
	if (loaded->bytes)
		load[loaded->column] = loaded->fp4 ? wide / 2 : wide;
	image[loaded->column] = take_digit(&rest, loaded->bytes ? wide : load[loaded->column]);
	if (loaded->fp4)
		image[loaded->column] = image[loaded->column] / 16 * 8 + image[loaded->column] % 8;
	for (unsigned d = loaded->rank; d-- > 0;)
		if (d != loaded->column) {
			image[d] = take_digit(&rest, load[d]);
			row += rows * image[d];
			rows *= load[d];
		}
	if (loaded->bytes)
		image[loaded->column] ^= (loaded->fp4 ? 8 : 128 / loaded->bits) *
			(row % 8 * loaded->bytes / 128 % (loaded->bytes / 16));
	for (unsigned i = 0; i < loaded->rank; i++) {
		unsigned d = loaded->bytes ? i : loaded->rank - 1 - i;

		step[d] = take_digit(&rest, loaded->shape[d] / load[d]);
		image[d] += step[d] * load[d];
	}
}

static void loads_by_formula(void **state)
{
	uint64_t seed = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(300); i++) {
		struct loaded loaded = { .rank = 2 + random_below(&seed, 2),
			.bits = 8 << random_below(&seed, 3),
			.bytes = 16 << random_below(&seed, 4), .fp4 = !random_below(&seed, 4) };
		bool transposed = loaded.rank == 2 && random_below(&seed, 2);
		layout_triton *encoding;
		layout_linear *linear;
		char text[200];

		loaded.bytes = loaded.fp4 ? 128 : loaded.bytes > 16 ? loaded.bytes : 0;
		loaded.bits = loaded.fp4 ? 8 : loaded.bits;
		loaded.column = transposed && loaded.bytes ? 0 : loaded.rank - 1;
		for (unsigned d = 0; d < loaded.rank; d++)
			loaded.shape[d] = power(&seed, loaded.rank == 2 ? 9 : 4);
		if (loaded.bytes) {
			loaded.shape[loaded.column] = 8 * loaded.bytes / loaded.bits * power(&seed, 2);
			loaded.shape[loaded.rank == 2 ? !loaded.column : 0] *= 8;
		}
		sprintf(text, "#ttg.nvmma_shared<{swizzlingByteWidth = %d, transposed = %s, "
			"elementBitWidth = %d, fp4Padded = %s, rank = %u}>", (int)loaded.bytes,
			transposed ? "true" : "false", (int)loaded.bits, loaded.fp4 ? "true" : "false",
			loaded.rank);
		encoding = layout_triton_parse(ctx, text);
		linear = layout_triton_linear(encoding, loaded.shape, loaded.rank);
		if (!linear)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		assert_int_equal(layout_linear_is_surjective(linear, NULL), LAYOUT_YES);
		assert_int_equal(layout_linear_is_invertible(linear, NULL), loaded.fp4 ? LAYOUT_NO :
			LAYOUT_YES);
		every_point(text, linear, loaded.rank, image_of_loaded, &loaded);
		layout_linear_free(linear);
		layout_triton_free(encoding);
	}
	assert_true(layout_context_free(ctx));
}

/* Elements in the order of their offsets, which pads push apart. */
struct padded {
	unsigned rank, pads;
	int64_t interval[3], pad[3], order[3], shape[3];
	int64_t next;
	const char *text;
};

static bool check_padded(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct padded *padded = user;
	int64_t offset = padded->next, wanted[3];

	assert_int_equal(in_rank, 2);
	assert_int_equal(image_rank, padded->rank);
	for (unsigned i = 0; i < padded->pads; i++)
		offset += padded->next / padded->interval[i] * padded->pad[i];
	digits(padded->next, padded->shape, padded->order, padded->rank, wanted);
	if (in[0] != offset || in[1] || memcmp(image, wanted,
		image_rank * sizeof(*image)))
		fail_msg("%s: element %lld lies at %lld", padded->text,
			(long long)padded->next, (long long)in[0]);
	padded->next++;
	return true;
}

static void paddings_by_formula(void **state)
{
	uint64_t seed = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < share_count(60); i++) {
		struct padded padded = { .rank = 1 + random_below(&seed, 3),
			.pads = 1 + random_below(&seed, 3) };
		unsigned interval = random_below(&seed, 4);
		int64_t size = 1;
		layout_triton *encoding;
		layout_relation *relation;
		char text[300] = "#ttg.padded_shared<[";

		random_order(&seed, padded.rank, padded.order);
		for (unsigned d = 0; d < padded.rank; d++)
			size *= padded.shape[d] = power(&seed, 3);
		for (unsigned k = 0; k < padded.pads; k++) {
			padded.interval[k] = (int64_t)1 << interval;
			interval += 1 + random_below(&seed, 2);
			padded.pad[k] = power(&seed, 3);
			sprintf(text + strlen(text), "%s%d:+%d", k ? ", " : "",
				(int)padded.interval[k], (int)padded.pad[k]);
		}
		print_list(strcat(text, "] {"), "order", padded.order, padded.rank);
		if (random_below(&seed, 2))
			print_list(strcat(text, ", "), "shape", padded.shape,
				padded.rank);
		strcat(text, "}>");
		padded.text = text;
		encoding = layout_triton_parse(ctx, text);
		relation = layout_triton_relation(encoding, padded.shape, padded.rank);
		if (!relation)
			fail_msg("%s: %s", text, layout_context_message(ctx));
		assert_true(layout_relation_for_each(relation, check_padded, &padded));
		assert_int_equal(padded.next, size);
		assert_int_equal(layout_relation_is_function(relation, NULL), LAYOUT_YES);
		assert_int_equal(layout_relation_is_injective(relation, NULL),
			LAYOUT_YES);
		layout_relation_free(relation);
		assert_null(layout_triton_linear(encoding, padded.shape, padded.rank));
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_NO_ANSWER);
		layout_context_clear(ctx);
		layout_triton_free(encoding);
	}
	assert_true(layout_context_free(ctx));
}

/* Triton's picture of rearranged rows: an offset, and the element there or none. */
static void rearranged_rows(void **state)
{
	static const struct {
		int64_t offset, row, column;
	} rows[] = { { 0, 0, 0 }, { 3, 0, 3 }, { 4, 2, 0 }, { 15, 6, 3 }, { 16, -1, -1 },
		{ 17, 1, 0 }, { 21, 3, 0 }, { 32, 7, 3 }, { 33, -1, -1 } };
	const int64_t shape[] = { 8, 4 };
	layout_context *ctx = layout_context_new();
	layout_triton *encoding = layout_triton_parse(ctx, "#ttg.padded_shared<[16:+1] "
		"{offset = [[0, 1], [0, 2], [2, 0], [4, 0], [1, 0]], block = []}>");
	layout_relation *relation = layout_triton_relation(encoding, shape, 2);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char set[60], wanted[60] = "{ [0, 0] : false }";
		layout_set *is, *should;

		snprintf(set, sizeof(set), "{ [%d, 0] }", (int)rows[i].offset);
		if (rows[i].row >= 0)
			snprintf(wanted, sizeof(wanted), "{ [%d, %d] }", (int)rows[i].row,
				(int)rows[i].column);
		is = layout_relation_range(layout_relation_restrict(
			layout_relation_copy(relation), layout_set_read(ctx, set)));
		should = layout_set_read(ctx, wanted);
		if (layout_set_equal(is, should, NULL) != LAYOUT_YES)
			fail_msg("offset %d: not %s", (int)rows[i].offset, wanted);
		layout_set_free(is);
		layout_set_free(should);
	}
	layout_relation_free(relation);
	layout_triton_free(encoding);
	assert_true(layout_context_free(ctx));
}

/* Layouts that the vectors lack, by Triton's pictures and AMD's register layouts: narrow
 * MFMA, gfx1250's WMMA, warps in a swizzled arrangement, clusters. */

#define NARROW(m, n, transposed) "amd_mfma<{version = 3, warpsPerCTA = [1, 1], " \
	"instrShape = [" #m ", " #n ", 4], isTransposed = " #transposed "}>"
#define WMMA3(m, k, transposed) "amd_wmma<{version = 3, isTranspose = " #transposed \
	", ctaLayout = {}, instrShape = [" #m ", 16, " #k "]}>"
#define CROSSED "amd_wmma<{version = 3, ctaLayout = {register = [[2, 0]], warp = " \
	"[[2, 1], [1, 0]]}, instrShape = [16, 16, 32]}>"
#define DOT(index, parent, width) "dot_op<{opIdx = " #index ", parent = " parent \
	", kWidth = " #width "}>"
#define ROWS16 "[1, 0], [2, 0], [4, 0], [8, 0]"
#define COLUMNS16 "[0, 1], [0, 2], [0, 4], [0, 8]"

/* mma.sync, by Triton's LinearLayoutConversionsTest. */
#define MMA2(m, n) "nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [" #m \
	", " #n "], instrShape = [16, 8]}>"
#define MMA2_LANES "[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]"

/* The bases of registers, lanes and warps, without clusters. */
#define BASES(registers, lanes, warps) "linear<{register = [" registers "], lane = [" \
	lanes "], warp = [" warps "], block = []}>"

static const struct {
	const char *encoding;
	int64_t shape[2];
	const char *linear;
} drawn[] = {
	{ NARROW(64, 4, true), { 64, 4 },
		BASES("[0, 1], [0, 2]", ROWS16 ", [16, 0], [32, 0]", "") },
	{ NARROW(4, 64, false), { 4, 64 },
		BASES("[1, 0], [2, 0]", COLUMNS16 ", [0, 16], [0, 32]", "") },
	{ NARROW(4, 64, true), { 4, 64 }, BASES("[0, 1], [0, 2]",
		"[1, 0], [2, 0], [0, 4], [0, 8], [0, 16], [0, 32]", "") },
	{ DOT(0, NARROW(64, 4, true), 4), { 64, 64 },
		BASES(COLUMNS16 ", [0, 16], [0, 32]", ROWS16 ", [16, 0], [32, 0]", "") },
	{ DOT(0, NARROW(64, 4, true), 4), { 64, 4 },
		BASES("[0, 1], [0, 2], [0, 0], [0, 0], [0, 0], [0, 0]",
		ROWS16 ", [16, 0], [32, 0]", "") },
	{ DOT(1, NARROW(64, 4, true), 4), { 64, 4 }, BASES("[1, 0], [2, 0]",
		"[0, 1], [0, 2], [4, 0], [8, 0], [16, 0], [32, 0]", "") },
	{ DOT(1, NARROW(4, 64, false), 4), { 64, 64 }, BASES(ROWS16 ", [16, 0], [32, 0]",
		COLUMNS16 ", [0, 16], [0, 32]", "") },
	{ WMMA3(16, 32, false), { 16, 16 },
		BASES("[1, 0], [2, 0], [4, 0]", COLUMNS16 ", [8, 0]", "") },
	{ WMMA3(16, 32, true), { 16, 16 },
		BASES("[0, 1], [0, 2], [0, 4]", ROWS16 ", [0, 8]", "") },
	{ WMMA3(32, 64, false), { 32, 16 },
		BASES("[1, 0], [2, 0], [4, 0], [16, 0]", COLUMNS16 ", [8, 0]", "") },
	{ WMMA3(32, 64, true), { 16, 32 },
		BASES("[0, 1], [0, 2], [0, 4], [0, 16]", ROWS16 ", [0, 8]", "") },
	{ DOT(0, WMMA3(32, 128, false), 16), { 32, 128 },
		BASES(COLUMNS16 ", [0, 32], [0, 64], [16, 0]", ROWS16 ", [0, 16]", "") },
	{ DOT(0, "amd_wmma<{version = 3, ctaLayout = {warp = [[1, 0]]}, "
		"instrShape = [32, 16, 128]}>", 16), { 64, 128 },
		BASES(COLUMNS16 ", [0, 32], [0, 64], [16, 0]", ROWS16 ", [0, 16]",
			"[32, 0]") },
	{ "amd_wmma<{version = 3, ctaLayout = {warp = [[1, 0]]}, "
		"instrShape = [32, 16, 128]}>", { 64, 16 },
		BASES("[1, 0], [2, 0], [4, 0], [16, 0]", COLUMNS16 ", [8, 0]", "[32, 0]") },
	{ DOT(1, WMMA3(32, 128, false), 16), { 128, 16 },
		BASES(ROWS16 ", [32, 0], [64, 0]", COLUMNS16 ", [16, 0]", "") },
	{ DOT(1, WMMA3(32, 128, true), 16), { 128, 32 },
		BASES(ROWS16 ", [32, 0], [64, 0], [0, 16]", COLUMNS16 ", [16, 0]", "") },
	{ DOT(0, WMMA3(16, 4, false), 2), { 16, 4 },
		BASES("[0, 1]", ROWS16 ", [0, 2]", "") },
	{ CROSSED, { 64, 32 }, BASES("[1, 0], [2, 0], [4, 0], [32, 0]",
		COLUMNS16 ", [8, 0]", "[32, 16], [16, 0]") },
	{ DOT(0, CROSSED, 16), { 64, 32 }, BASES(COLUMNS16 ", [32, 0]",
		ROWS16 ", [0, 16]", "[32, 0], [16, 0]") },
	{ DOT(1, CROSSED, 16), { 32, 32 }, BASES(ROWS16, COLUMNS16 ", [16, 0]",
		"[0, 16], [0, 0]") },
	{ MMA2(1, 1), { 16, 16 }, BASES("[0, 1], [8, 0], [0, 8]", MMA2_LANES, "") },
	{ MMA2(1, 1), { 32, 32 }, BASES("[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]",
		MMA2_LANES, "") },
	{ DOT(0, MMA2(1, 1), 8), { 16, 64 }, BASES("[0, 1], [0, 2], [0, 4], [8, 0], [0, 32]",
		"[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]", "") },
	{ DOT(1, MMA2(1, 1), 8), { 64, 8 }, BASES("[1, 0], [2, 0], [4, 0], [32, 0]",
		"[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]", "") },
	{ DOT(0, MMA2(4, 1), 2), { 64, 16 }, BASES("[0, 1], [8, 0], [0, 8]", MMA2_LANES,
		"[16, 0], [32, 0]") },
	{ DOT(1, MMA2(4, 1), 2), { 16, 64 }, BASES("[1, 0], [8, 0], [0, 8], [0, 16], [0, 32]",
		"[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]", "[0, 0], [0, 0]") },
	{ "swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0], "
		"CGALayout = [[0, 1]]}>", { 4, 16 },
		"linear<{offset = [[0, 1], [0, 2], [0, 4], [1, 2], [2, 4]], "
		"block = [[0, 8]]}>" },
	{ "amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 2, order = [0, 1], "
		"CGALayout = [[0, 0], [1, 0]]}>", { 8, 4 },
		"linear<{offset = [[1, 0], [2, 0], [1, 1], [1, 2]], "
		"block = [[0, 0], [4, 0]]}>" },
	{ "amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [16, 16], "
		"isTransposed = true, CGALayout = [[0, 1], [1, 0]]}>", { 32, 32 },
		"linear<{register = [[0, 1], [0, 2]], lane = [" ROWS16 ", [0, 4], "
		"[0, 8]], warp = [], block = [[0, 16], [16, 0]]}>" },
};

static void drawn_layouts(void **state)
{
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(drawn) / sizeof(*drawn); i++) {
		layout_triton *encoding = layout_triton_parse(ctx, drawn[i].encoding);
		layout_linear *is = layout_triton_linear(encoding, drawn[i].shape, 2);
		layout_linear *should = layout_linear_parse(ctx, drawn[i].linear);

		if (layout_linear_equal(is, should, NULL) != LAYOUT_YES) {
			char *text = layout_linear_str(is);

			fail_msg("%s is %s, not %s", drawn[i].encoding, text ? text :
				layout_context_message(ctx), drawn[i].linear);
		}
		layout_linear_free(is);
		layout_linear_free(should);
		layout_triton_free(encoding);
	}
	assert_true(layout_context_free(ctx));
}

/* Each block pads its own part. */
static void padded_clusters(void **state)
{
	static const struct {
		const char *encoding;
		int64_t size;
		const char *relation;
	} rows[] = {
		{ "padded_shared<[4:+2] {order = [0], CGALayout = [[1]]}>", 16,
			"{ [p, b] -> [p - 2*floor(p/6) + 8b] : p mod 6 < 4 and "
			"0 <= p < 10 and 0 <= b < 2 }" },
		{ "padded_shared<[4:+2] {offset = [[1], [2], [4]], block = [[8], [0]]}>",
			16,
			"{ [p, b] -> [p - 2*floor(p/6) + 8*(b mod 2)] : p mod 6 < 4 and "
			"0 <= p < 10 and 0 <= b < 4 }" },
		{ "padded_shared<[4:+2] {order = [0]}>", 1, "{ [0, 0] -> [0] }" },
	};
	layout_context *ctx = layout_context_new();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		layout_triton *encoding = layout_triton_parse(ctx, rows[i].encoding);
		layout_relation *is = layout_triton_relation(encoding, &rows[i].size, 1);
		layout_relation *should = layout_relation_read(ctx, rows[i].relation);

		if (layout_relation_equal(is, should, NULL) != LAYOUT_YES)
			fail_msg("%s: %s", rows[i].encoding, layout_context_message(ctx));
		layout_relation_free(is);
		layout_relation_free(should);
		layout_triton_free(encoding);
	}
	assert_true(layout_context_free(ctx));
}

/* However few operations isl may spend: the relation, or that they ran out. */
static void tiny_quotas(void **state)
{
	const int64_t shape[] = { 16, 16 };

	(void)state;
	for (unsigned long quota = 1; quota < 3000; quota += 1 + quota / 8) {
		layout_context *ctx = layout_context_new();
		layout_triton *encoding = layout_triton_parse(ctx,
			"padded_shared<[32:+4, 128:+8] {order = [1, 0]}>");
		layout_relation *relation;

		layout_context_set_quota(ctx, quota);
		relation = layout_triton_relation(encoding, shape, 2);
		if (!relation)
			assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_QUOTA);
		layout_relation_free(relation);
		layout_triton_free(encoding);
		assert_true(layout_context_free(ctx));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_rows),
		cmocka_unit_test(blocked_by_division),
		cmocka_unit_test(blocked_operands_by_division),
		cmocka_unit_test(slices),
		cmocka_unit_test(linear_patterns),
		cmocka_unit_test(matrix_instructions),
		cmocka_unit_test(warps_own_tiles),
		cmocka_unit_test(swizzles_by_formula),
		cmocka_unit_test(loads_by_formula),
		cmocka_unit_test(paddings_by_formula),
		cmocka_unit_test(rearranged_rows),
		cmocka_unit_test(drawn_layouts),
		cmocka_unit_test(padded_clusters),
		cmocka_unit_test(tiny_quotas),
	};

	cmocka_set_test_filter(getenv("LAYOUT_TEST_FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
