/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "program/matmul.h"
#include "algebra/size/text.h"
#include "program/sight.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_TEXT = 64 };

static const char *const origin[PROGRAM_RANK] = { "0", "0", "0", "0", "0", "0", "0", "0", "0",
	"0", "0", "0", "0", "0", "0", "0" };

/* What any target's lanes have registers for. */
static const struct matmul_shape plain = { { 32, 32, 32 }, { 1, 1 }, 0, { false } };

/* A program under way. */
struct making {
	const struct matmul *of;
	const struct matmul_shape *shape;
	layout_program *program;
	layout_memory *memories[PROGRAM_OPERANDS], *locals[MATMUL_FACTORS];
	unsigned loops;			/* that are open */
};

void matmul_free(struct matmul *matmul)
{
	if (!matmul)
		return;
	for (unsigned i = 0; i < matmul->count; i++) {
		free(matmul->operands[i].name);
		free(matmul->operands[i].type);
		layout_storage_free(matmul->operands[i].storage);
		sight_free(matmul->operands[i].sight);
	}
	free(matmul->epilogue);
	free(matmul);
}

static const struct matmul_operand *result_of(const struct matmul *matmul)
{
	return &matmul->operands[matmul->count - 1];
}

static bool has_letter(const struct matmul_operand *operand, unsigned letter)
{
	for (unsigned d = 0; d < operand->rank; d++)
		if (operand->letters[d] == letter)
			return true;
	return false;
}

/* The letter of a size, which is a new one where no other operand has it. */
static bool find_letter(struct matmul *matmul, const char *size, unsigned *letter)
{
	for (*letter = 0; *letter < matmul->letter_count; ++*letter)
		if (!strcmp(matmul->letters[*letter].size, size))
			return true;
	if (matmul->letter_count == PROGRAM_RANK) {
		layout_fail(matmul->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a product has at most %d different sizes", PROGRAM_RANK);
		return false;
	}
	matmul->letters[matmul->letter_count++].size = size;
	return true;
}

static bool find_letters(struct matmul *matmul, struct matmul_operand *operand)
{
	operand->rank = operand->sight ? operand->sight->rank :
		layout_storage_rank(operand->storage);
	for (unsigned d = 0; d < operand->rank; d++) {
		const char *size = operand->sight ? operand->sight->names[d] :
			layout_storage_size(operand->storage, d);

		if (!find_letter(matmul, size, &operand->letters[d]))
			return false;
		for (unsigned i = 0; i < d; i++)
			if (operand->letters[i] == operand->letters[d]) {
				layout_fail(matmul->ctx, LAYOUT_ERROR_INVALID, -1,
					"dimensions %u and %u of `%s` are both %s: those of "
					"a product are told apart by the names of their "
					"sizes", i, d, operand->name, size);
				return false;
			}
	}
	return true;
}

/* By place: [m, k] times [k, n] is [m, n]. */
enum { PLACE_M, PLACE_K, PLACE_N, PLACES };

static const char *size_of(const struct matmul_operand *operand, unsigned d)
{
	return layout_storage_size(operand->storage, d);
}

static bool same_size(const struct matmul_operand *a, unsigned i, const struct matmul_operand *b,
	unsigned k)
{
	return !strcmp(size_of(a, i), size_of(b, k));
}

/* Are A, B and C matrices of which one has a size twice, and whose sizes agree by place? */
static bool goes_by_place(const struct matmul *matmul)
{
	const struct matmul_operand *a = matmul->operands, *c = result_of(matmul);
	const struct matmul_operand *all[] = { a, a + 1, c };
	bool twice = false;

	for (unsigned i = 0; i < 3; i++) {
		if (all[i]->sight || layout_storage_rank(all[i]->storage) != 2)
			return false;
		twice = twice || same_size(all[i], 0, all[i], 1);
	}
	return twice && same_size(a, 0, c, 0) && same_size(a, 1, a + 1, 0) &&
		same_size(a + 1, 1, c, 1);
}

/* What the expression takes besides is a matrix like C, or has one of its sizes. */
static bool place_other(struct matmul *matmul, struct matmul_operand *operand)
{
	const struct matmul_operand *c = result_of(matmul);

	operand->rank = layout_storage_rank(operand->storage);
	if (operand->rank == 2 && same_size(operand, 0, c, 0) && same_size(operand, 1, c, 1)) {
		operand->letters[0] = PLACE_M;
		operand->letters[1] = PLACE_N;
		return true;
	}
	if (!operand->rank)
		return true;
	operand->letters[0] = same_size(operand, 0, c, 0) ? PLACE_M : PLACE_N;
	if (operand->rank == 1 && same_size(operand, 0, c, operand->letters[0] == PLACE_N) &&
	    !same_size(c, 0, c, 1))
		return true;
	layout_fail(matmul->ctx, LAYOUT_ERROR_INVALID, -1, "sizes that are the same number do not "
		"tell which dimensions of `%s` those of `%s` are: they need names", c->name,
		operand->name);
	return false;
}

static bool find_places(struct matmul *matmul)
{
	struct matmul_operand *a = &matmul->operands[MATMUL_A], *b = &matmul->operands[MATMUL_B];
	struct matmul_operand *c = &matmul->operands[matmul->count - 1];

	a->rank = b->rank = c->rank = 2;
	a->letters[0] = c->letters[0] = PLACE_M;
	a->letters[1] = b->letters[0] = PLACE_K;
	b->letters[1] = c->letters[1] = PLACE_N;
	matmul->letter_count = PLACES;
	matmul->letters[PLACE_M].size = size_of(c, 0);
	matmul->letters[PLACE_K].size = size_of(a, 1);
	matmul->letters[PLACE_N].size = size_of(c, 1);
	for (unsigned i = MATMUL_FACTORS; i + 1 < matmul->count; i++)
		if (!place_other(matmul, &matmul->operands[i]))
			return false;
	return true;
}

static bool find_names(struct matmul *matmul)
{
	for (unsigned i = 0; i < matmul->count; i++)
		if (!find_letters(matmul, &matmul->operands[i]))
			return false;
	return true;
}

/* A letter is of two of A, B and C at least, or its size is 1; what the expression takes has
 * those of C. */
static bool check_letter(struct matmul *matmul, unsigned letter)
{
	const struct matmul_operand *a = matmul->operands, *c = result_of(matmul);
	bool in_a = has_letter(a, letter), in_b = has_letter(a + 1, letter);
	bool in_c = has_letter(c, letter);
	const char *size = matmul->letters[letter].size;

	matmul->letters[letter].summed = !in_c && in_a && in_b;
	matmul->letters[letter].one = !strcmp(size, "1");
	matmul->letters[letter].lone = !in_a && !in_b && !in_c;
	if (in_a + in_b + in_c >= 2 || matmul->letters[letter].one)
		return true;
	if (in_a + in_b + in_c)
		layout_fail(matmul->ctx, LAYOUT_ERROR_INVALID, -1, "only `%s` has a "
			"dimension of size %s: it is neither summed nor kept",
			in_a ? a->name : in_b ? a[1].name : c->name, size);
	else
		layout_fail(matmul->ctx, LAYOUT_ERROR_INVALID, -1,
			"`%s` has no dimension of size %s", c->name, size);
	return false;
}

/* Is that what something is called? */
static bool is_taken(const struct matmul *matmul, const char *name, unsigned letters)
{
	for (unsigned i = 0; i < letters; i++)
		if (!strcmp(matmul->letters[i].name, name))
			return true;
	for (unsigned i = 0; i < matmul->count; i++) {
		layout_storage *storage = matmul->operands[i].storage;
		const char *size;

		if (!strcmp(matmul->operands[i].name, name))
			return true;
		for (unsigned k = 0; (size = layout_storage_size_name(storage, k)); k++)
			if (!strcmp(size, name))
				return true;
	}
	return false;
}

/* "m" for a size M, or a letter and a number. */
static void name_letter(struct matmul *matmul, unsigned letter)
{
	struct matmul_letter *of = &matmul->letters[letter];
	size_t length = strlen(of->size);

	if (layout_is_plain_name(of->size, length) && length < MATMUL_NAME) {
		for (size_t i = 0; i <= length; i++)
			of->name[i] = (char)tolower((unsigned char)of->size[i]);
		if (!is_taken(matmul, of->name, letter))
			return;
	}
	for (unsigned n = letter;; n++) {
		snprintf(of->name, sizeof(of->name), "d%u", n);
		if (!is_taken(matmul, of->name, letter))
			return;
	}
}

/* The last letter that x and y have, and z has not. */
static int find_main(const struct matmul_operand *x, const struct matmul_operand *y,
	const struct matmul_operand *z)
{
	int last = -1;

	for (unsigned d = 0; d < x->rank; d++)
		if (has_letter(y, x->letters[d]) && !has_letter(z, x->letters[d]))
			last = (int)x->letters[d];
	return last;
}

bool matmul_match(struct matmul *matmul)
{
	const struct matmul_operand *a = &matmul->operands[MATMUL_A];
	const struct matmul_operand *b = &matmul->operands[MATMUL_B];
	const struct matmul_operand *c = result_of(matmul);

	if (!(goes_by_place(matmul) ? find_places : find_names)(matmul))
		return false;
	for (unsigned n = 0; n < matmul->letter_count; n++) {
		if (!check_letter(matmul, n))
			return false;
		name_letter(matmul, n);
	}
	matmul->main[0] = find_main(c, a, b);
	matmul->main[1] = find_main(c, b, a);
	matmul->main[2] = find_main(a, b, c);
	return true;
}

bool matmul_is_turned(const struct matmul *matmul, unsigned factor)
{
	const struct matmul_operand *operand = &matmul->operands[factor];

	return operand->rank && !matmul->letters[operand->letters[operand->rank - 1]].summed;
}

const char *matmul_sum_type(const struct matmul *matmul)
{
	const struct element_type *type = element_type_find(matmul->ctx,
		matmul->operands[MATMUL_A].type);

	return !type ? NULL : type->kind != 'f' ? "i32" : type->bits > 32 ? "f64" : "f32";
}

static int64_t tile_of(const struct making *m, unsigned letter)
{
	for (unsigned i = 0; i < 3; i++)
		if (m->of->main[i] == (int)letter)
			return m->shape->tile[i];
	return 1;
}

static bool add_arguments(struct making *m)
{
	for (unsigned i = 0; i < m->of->count; i++) {
		const struct matmul_operand *operand = &m->of->operands[i];

		m->memories[i] = layout_program_argument(m->program, operand->name,
			layout_storage_copy(operand->storage), operand->type,
			i == m->of->count - 1 ? LAYOUT_ACCESS_OUT : LAYOUT_ACCESS_IN);
		if (m->memories[i] && operand->sight)
			m->memories[i]->sight = sight_copy(m->of->ctx, operand->sight);
		if (!m->memories[i] || (operand->sight && !m->memories[i]->sight))
			return false;
	}
	return true;
}

static char *steps_of(const struct making *m, unsigned letter)
{
	return text_ceil(m->of->ctx, m->of->letters[letter].size, tile_of(m, letter));
}

/* A name for the waves that nothing else has. */
static void name_workers(const struct matmul *matmul, char name[MATMUL_NAME])
{
	snprintf(name, MATMUL_NAME, "w");
	for (unsigned n = 0; is_taken(matmul, name, matmul->letter_count); n++)
		snprintf(name, MATMUL_NAME, "w%u", n);
}

static bool add_head(struct making *m)
{
	const struct matmul_operand *c = result_of(m->of);
	const char *names[PROGRAM_RANK] = { "one" };
	char *counts[PROGRAM_RANK] = { NULL }, workers[MATMUL_NAME];
	unsigned rank = 0;
	bool ok = true;

	name_workers(m->of, workers);
	for (unsigned d = 0; ok && d < c->rank; d++) {
		names[d] = m->of->letters[c->letters[d]].name;
		ok = (counts[d] = steps_of(m, c->letters[d]));
		rank += ok;
	}
	if (ok && !rank)
		ok = (counts[rank++] = layout_strdup(m->of->ctx, "1"));
	ok = ok && layout_program_grid(m->program, names, (const char *const *)counts, rank) &&
		layout_program_workers(m->program, workers, m->shape->waves, 2);
	for (unsigned i = 0; i < rank; i++)
		free(counts[i]);
	return ok;
}

/* An operand's dimensions in the order that its tile has in the LDS. */
static void order_of(const struct making *m, unsigned factor, int64_t order[PROGRAM_RANK])
{
	const struct matmul_operand *operand = &m->of->operands[factor];
	unsigned count = 0;

	for (unsigned summed = 0; summed < 2; summed++)
		for (unsigned d = 0; d < operand->rank; d++)
			if (m->of->letters[operand->letters[d]].summed == summed)
				order[count++] = d;
	for (unsigned d = 0; d < operand->rank && !m->shape->turned[factor]; d++)
		order[d] = d;
}

/* The name of a factor with an "l" in front, or as many as nothing else has; to be freed. */
static char *name_local(const struct making *m, unsigned factor)
{
	const struct matmul *matmul = m->of;
	char *name = layout_strdup(matmul->ctx, matmul->operands[factor].name);

	do {
		struct layout_buffer out = { 0 };

		layout_buffer_printf(&out, "l%s", name ? name : "");
		free(name);
		name = layout_buffer_take(matmul->ctx, &out);
	} while (name && (is_taken(matmul, name, matmul->letter_count) ||
		program_find_memory(m->program, name)));
	return name;
}

static bool add_local(struct making *m, unsigned factor)
{
	const struct matmul_operand *operand = &m->of->operands[factor];
	int64_t box[PROGRAM_RANK], order[PROGRAM_RANK];
	char *name = name_local(m, factor);

	order_of(m, factor, order);
	for (unsigned d = 0; d < operand->rank; d++)
		box[d] = tile_of(m, operand->letters[order[d]]);
	m->locals[factor] = name ? layout_program_lds(m->program, name, box, operand->rank,
		operand->type, NULL) : NULL;
	free(name);
	return m->locals[factor];
}

/* Where the tile of an operand begins. */
static void find_place(const struct making *m, const struct matmul_operand *operand,
	char texts[][PLACE_TEXT], const char **at, int64_t *box)
{
	for (unsigned d = 0; d < operand->rank; d++) {
		const struct matmul_letter *letter = &m->of->letters[operand->letters[d]];

		box[d] = tile_of(m, operand->letters[d]);
		if (letter->one)
			snprintf(texts[d], PLACE_TEXT, "0");
		else if (box[d] == 1)
			snprintf(texts[d], PLACE_TEXT, "%s", letter->name);
		else
			snprintf(texts[d], PLACE_TEXT, "%" PRId64 "*%s", box[d],
				letter->name);
		at[d] = texts[d];
	}
}

static layout_tile *add_load(const struct making *m, unsigned i)
{
	const struct matmul_operand *operand = &m->of->operands[i];
	char texts[PROGRAM_RANK][PLACE_TEXT];
	const char *at[PROGRAM_RANK];
	int64_t box[PROGRAM_RANK];

	find_place(m, operand, texts, at, box);
	return layout_program_load(m->program, m->memories[i], at, box, NULL, NULL);
}

/* A factor's tile through the LDS. */
static bool add_put(const struct making *m, unsigned factor)
{
	layout_tile *tile = add_load(m, factor);
	int64_t order[PROGRAM_RANK];

	order_of(m, factor, order);
	if (tile && m->shape->turned[factor])
		tile = layout_program_view(m->program, tile, LAYOUT_VIEW_PERMUTE, order,
			m->of->operands[factor].rank);
	return tile && layout_program_put(m->program, tile, m->locals[factor], origin);
}

static layout_tile *add_get(const struct making *m, unsigned factor)
{
	const struct matmul_operand *operand = &m->of->operands[factor];
	int64_t box[PROGRAM_RANK], order[PROGRAM_RANK];

	order_of(m, factor, order);
	for (unsigned d = 0; d < operand->rank; d++)
		box[d] = tile_of(m, operand->letters[order[d]]);
	return layout_program_get(m->program, m->locals[factor], origin, box, NULL);
}

static void find_maps(const struct making *m, struct contract_maps *maps)
{
	const struct matmul_operand *operands[] = { &m->of->operands[MATMUL_A],
		&m->of->operands[MATMUL_B], result_of(m->of) };
	unsigned numbers[PROGRAM_RANK];

	maps->letter_count = 0;
	for (unsigned n = 0; n < m->of->letter_count; n++) {
		numbers[n] = maps->letter_count;
		if (!m->of->letters[n].lone)
			maps->letters[maps->letter_count++] = (char *)m->of->letters[n].name;
	}
	for (unsigned i = 0; i < 3; i++) {
		int64_t order[PROGRAM_RANK];

		for (unsigned d = 0; d < operands[i]->rank; d++)
			order[d] = d;
		if (i < MATMUL_FACTORS && m->shape->stages)
			order_of(m, i, order);
		maps->ranks[i] = operands[i]->rank;
		for (unsigned d = 0; d < operands[i]->rank; d++)
			maps->maps[i][d] = numbers[operands[i]->letters[order[d]]];
	}
}

static layout_tile *add_contract(const struct making *m, layout_tile *sum)
{
	layout_tile *operands[5] = { NULL, NULL, sum };
	struct contract_maps maps;
	bool ok = true;

	for (unsigned i = 0; ok && i < MATMUL_FACTORS && m->shape->stages; i++)
		ok = add_put(m, i);
	for (unsigned i = 0; ok && i < MATMUL_FACTORS; i++)
		ok = (operands[i] = m->shape->stages ? add_get(m, i) : add_load(m, i));
	find_maps(m, &maps);
	return ok ? contract_tile(m->program, operands, &maps, NULL) : NULL;
}

/* A loop for each summed letter: A's order has the last one inside. */
static layout_tile *open_loops(struct making *m, layout_tile *sum)
{
	const struct matmul_operand *a = &m->of->operands[MATMUL_A];

	for (unsigned d = 0; sum && d < a->rank; d++) {
		unsigned n = a->letters[d];
		bool last = (int)n == m->of->main[2];
		char *count;

		if (!m->of->letters[n].summed)
			continue;
		count = steps_of(m, n);
		sum = count && layout_program_for(m->program, m->of->letters[n].name, count,
			last && m->shape->stages ? m->shape->stages : 1) ?
			layout_program_carry(m->program, sum, NULL) : NULL;
		free(count);
		m->loops += sum != NULL;
	}
	return sum;
}

static layout_tile *add_sums(struct making *m)
{
	const struct matmul_operand *c = result_of(m->of);
	const char *type = matmul_sum_type(m->of);
	int64_t box[PROGRAM_RANK];
	layout_tile *sum;

	for (unsigned d = 0; d < c->rank; d++)
		box[d] = tile_of(m, c->letters[d]);
	for (unsigned i = 0; i < MATMUL_FACTORS && m->shape->stages; i++)
		if (!add_local(m, i))
			return NULL;
	sum = type ? layout_program_fill(m->program, box, c->rank, type, "0", NULL) : NULL;
	sum = sum ? open_loops(m, sum) : NULL;
	sum = sum ? add_contract(m, sum) : NULL;
	return build_close_loops(m->program, sum, m->loops);
}

/* Without dimensions of 1 that C does not have, in C's order. */
static layout_tile *order_operand(const struct making *m, unsigned i, layout_tile *tile)
{
	const struct matmul_operand *operand = &m->of->operands[i], *c = result_of(m->of);
	int64_t ones[PROGRAM_RANK], order[PROGRAM_RANK];
	unsigned at[PROGRAM_RANK], count = 0, one_count = 0;
	bool moved = false;

	for (unsigned d = 0; d < operand->rank; d++) {
		at[d] = d - one_count;
		if (m->of->letters[operand->letters[d]].lone)
			ones[one_count++] = d;
	}
	for (unsigned k = 0; k < c->rank; k++)
		for (unsigned d = 0; d < operand->rank; d++)
			if (operand->letters[d] == c->letters[k]) {
				moved = moved || at[d] != count;
				order[count++] = at[d];
			}
	if (tile && count && one_count)
		tile = layout_program_view(m->program, tile, LAYOUT_VIEW_PROJECT, ones,
			one_count);
	return tile && moved ? layout_program_view(m->program, tile, LAYOUT_VIEW_PERMUTE,
		order, count) : tile;
}

/* An operand of the expression in the box of C, with 1 behind its first dimension where it
 * has none of C's. */
static layout_tile *add_operand(const struct making *m, unsigned i)
{
	const struct matmul_operand *operand = &m->of->operands[i], *c = result_of(m->of);
	layout_tile *tile = order_operand(m, i, add_load(m, i));
	unsigned at = 0;

	for (unsigned k = 0; tile && k < c->rank; k++) {
		int64_t list[] = { (int64_t)at - 1, 0, 1 };

		if (!has_letter(operand, c->letters[k]) && at) {
			list[1] = layout_tile_extent(tile, at - 1);
			tile = layout_program_view(m->program, tile, LAYOUT_VIEW_EXPAND,
				list, 3);
		}
		at += at || has_letter(operand, c->letters[k]);
	}
	return tile;
}

/* While the expression is read, tiles are called like their memories. */
static bool rename_tile(layout_tile *tile, const char *name, char **kept)
{
	*kept = tile->name;
	tile->name = layout_strdup(tile->program->ctx, name);
	if (tile->name)
		return true;
	tile->name = *kept;
	*kept = NULL;
	return false;
}

static layout_tile *add_epilogue(const struct making *m, layout_tile *sum)
{
	layout_tile *tiles[PROGRAM_OPERANDS] = { NULL }, *result;
	char *kept[PROGRAM_OPERANDS] = { NULL };
	unsigned last = m->of->count - 1;
	bool ok = true;
	long base;

	tiles[last] = sum;
	for (unsigned i = MATMUL_FACTORS; ok && i < last; i++)
		ok = (tiles[i] = add_operand(m, i));
	for (unsigned i = MATMUL_FACTORS; ok && i <= last; i++)
		ok = rename_tile(tiles[i], m->of->operands[i].name, &kept[i]);
	base = layout_context_set_base(m->of->ctx, m->of->epilogue_at);
	result = ok ? layout_program_map(m->program, m->of->epilogue) : NULL;
	layout_context_set_base(m->of->ctx, base);
	for (unsigned i = 0; i <= last; i++)
		if (kept[i]) {
			free(tiles[i]->name);
			tiles[i]->name = kept[i];
		}
	return result;
}

/* In the type of C. */
static layout_tile *add_cast(const struct making *m, layout_tile *tile)
{
	const char *type = result_of(m->of)->type;
	struct layout_buffer out = { 0 };
	char *text;

	if (!strcmp(layout_tile_type(tile), type))
		return tile;
	layout_buffer_printf(&out, "%s(%s)", type, layout_tile_name(tile));
	text = layout_buffer_take(m->of->ctx, &out);
	tile = text ? layout_program_map(m->program, text) : NULL;
	free(text);
	return tile;
}

static bool add_store(const struct making *m, layout_tile *tile)
{
	char texts[PROGRAM_RANK][PLACE_TEXT];
	const char *at[PROGRAM_RANK];
	int64_t box[PROGRAM_RANK];

	find_place(m, result_of(m->of), texts, at, box);
	return layout_program_store(m->program, tile, m->memories[m->of->count - 1], at);
}

static bool add_body(struct making *m)
{
	layout_tile *tile = add_sums(m);

	if (tile && m->of->epilogue)
		tile = add_epilogue(m, tile);
	tile = tile ? add_cast(m, tile) : NULL;
	return tile && add_store(m, tile);
}

layout_program *matmul_program(const struct matmul *matmul, const struct matmul_shape *shape)
{
	struct making m = { .of = matmul, .shape = shape,
		.program = layout_program_new(matmul->ctx, "matmul") };

	if (m.program && add_arguments(&m) && add_head(&m) && add_body(&m))
		return m.program;
	layout_program_free(m.program);
	return NULL;
}

layout_program *matmul_new_program(struct matmul *matmul)
{
	layout_program *program = matmul_match(matmul) ? matmul_program(matmul, &plain) : NULL;

	if (program)
		program->matmul = matmul;
	else
		matmul_free(matmul);
	return program;
}
