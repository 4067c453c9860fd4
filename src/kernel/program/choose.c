/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/program/choose.h"
#include "kernel/program/cost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Costs are cycles of a compute unit for so many products, in thousandths.  Larger tiles come
 * first, which ask less of the memory behind the caches, and those without LDS: others are
 * better by a part of BETTER. */
enum { PRODUCTS = 1024, THOUSAND = 1000, BETTER = 32 };

/* No step is longer, besides what makes its factors wider; nor is that. */
enum { MOST_INSTRUCTIONS = 768, MOST_WIDENED = 2048 };
enum { LEAST_TILE = 16, MOST_SHAPES = 128, BITS_DEEP = 1024 };

/* What was tried: "cost" where there is a plan, "least" where another one is better than it
 * could be, or why there is none. */
struct trial {
	struct matmul_shape shape;
	int64_t cost, least;
	struct program_cost counted;
	char *refused;
};

struct choosing {
	layout_context *ctx;
	const struct matmul *matmul;
	const struct plan_target *target;
	int64_t sizes[3];		/* of the main letters; 0: not a number; 1: there is none */
	unsigned bits;			/* of the factors, together */
	unsigned count, best;
	struct trial trials[MOST_SHAPES];
	struct plan *plan;
};

int64_t program_size_of(const struct matmul *matmul, int letter)
{
	const char *text = letter < 0 ? "1" : matmul->letters[letter].size;
	char *end;
	long long value = strtoll(text, &end, 10);

	return *end ? 0 : value > 0 ? value : 1;
}

/* The least power of two that holds all of a dimension, or "most". */
static int64_t tile_for(int64_t size, int64_t least, int64_t most)
{
	int64_t tile = least;

	while (tile < most && (!size || tile < size))
		tile *= 2;
	return tile;
}

/* Waves along a tile's sides, as even as they are. */
static void share_waves(struct matmul_shape *shape, int64_t waves)
{
	shape->waves[0] = shape->waves[1] = 1;
	while (shape->waves[0] * shape->waves[1] < waves) {
		int64_t x = shape->tile[0] / shape->waves[0];
		int64_t y = shape->tile[1] / shape->waves[1];

		if (x <= LEAST_TILE && y <= LEAST_TILE)
			break;
		shape->waves[x < y] *= 2;
	}
}

static bool same_shape(const struct matmul_shape *a, const struct matmul_shape *b)
{
	return !memcmp(a->tile, b->tile, sizeof(a->tile)) &&
		!memcmp(a->waves, b->waves, sizeof(a->waves)) && a->stages == b->stages &&
		!memcmp(a->turned, b->turned, sizeof(a->turned));
}

static void add_shape(struct choosing *c, const struct matmul_shape *shape)
{
	for (unsigned i = 0; i < c->count; i++)
		if (same_shape(&c->trials[i].shape, shape))
			return;
	if (c->count < MOST_SHAPES)
		c->trials[c->count++] = (struct trial){ .shape = *shape };
}

static int64_t lanes_of(const struct choosing *c, const struct matmul_shape *shape)
{
	return shape->waves[0] * shape->waves[1] * c->target->wave_size;
}

/* The least registers of a lane: the sums, what is loaded, and if that is not what instructions
 * take, that. */
static int64_t words_of(const struct choosing *c, const struct matmul_shape *shape)
{
	int64_t each = c->bits / MATMUL_FACTORS, loaded = (each + 31) / 32, deep = shape->tile[2];
	int64_t once = (shape->tile[0] + shape->tile[1]) * deep * loaded;
	int64_t all = (shape->tile[0] * shape->waves[1] + shape->tile[1] * shape->waves[0]) * deep;
	int64_t twice = once + all * each / 32;

	all = !shape->stages && all * loaded < twice ? all * loaded : twice;
	return (shape->tile[0] * shape->tile[1] + all) / lanes_of(c, shape);
}

/* Of the objects. */
static int64_t bytes_of(const struct choosing *c, const struct matmul_shape *shape)
{
	return shape->stages * (shape->tile[0] + shape->tile[1]) * shape->tile[2] * c->bits /
		MATMUL_FACTORS / 8;
}

/* A tile of so many bytes of each summed row, straight from memory and through the LDS: two stages
 * are as good as others that are no better by a part of BETTER. */
static void add_ways(struct choosing *c, struct matmul_shape shape, int64_t bits)
{
	static const unsigned stages[] = { 2, 3, 4, 1 };
	int64_t each = c->bits / MATMUL_FACTORS;
	bool turned[MATMUL_FACTORS] = { matmul_is_turned(c->matmul, MATMUL_A),
		matmul_is_turned(c->matmul, MATMUL_B) };

	shape.tile[2] = c->matmul->main[2] < 0 ? 1 :
		tile_for(c->sizes[2], bits / each < LEAST_TILE ? bits / each : LEAST_TILE,
		bits / each);
	add_shape(c, &shape);
	for (unsigned i = 0; i < sizeof(stages) / sizeof(*stages); i++) {
		struct matmul_shape other = shape;

		other.stages = stages[i];
		if (i && (words_of(c, &other) > c->target->chip->code.words ||
		    bytes_of(c, &other) > c->target->lds_most))
			continue;
		add_shape(c, &other);
		memcpy(other.turned, turned, sizeof(turned));
		add_shape(c, &other);
	}
}

static void add_tile(struct choosing *c, int64_t side, int64_t waves)
{
	struct matmul_shape shape = { { 0 } };

	for (unsigned i = 0; i < 2; i++)
		shape.tile[i] = c->matmul->main[i] < 0 ? 1 :
			tile_for(c->sizes[i], LEAST_TILE, side);
	share_waves(&shape, waves);
	add_ways(c, shape, BITS_DEEP);
	add_ways(c, shape, BITS_DEEP / 2);
	if (side == LEAST_TILE)
		add_ways(c, shape, BITS_DEEP / 8);
}

/* The largest come first: fewest bytes a product. */
static void add_shapes(struct choosing *c)
{
	if (c->target->wave_size == 32)
		add_tile(c, 128, 8);
	add_tile(c, 128, 4);
	add_tile(c, 64, 4);
	add_tile(c, 32, 1);
	add_tile(c, 16, 1);
}

/* Tiles of a dimension over the sizes, as it is rounded up: in thousandths. */
static int64_t waste(const struct choosing *c, const struct matmul_shape *shape)
{
	int64_t all = THOUSAND;

	for (unsigned i = 0; i < 3; i++) {
		int64_t size = c->sizes[i] ? c->sizes[i] : COST_SIZE, tile = shape->tile[i];

		all = all * ((size + tile - 1) / tile * tile) / size;
	}
	return all;
}

static int64_t products_of(const struct matmul_shape *shape)
{
	return shape->tile[0] * shape->tile[1] * shape->tile[2];
}

/* The cycles of all steps of a tile as cost. */
static int64_t cost_of(const struct choosing *c, const struct matmul_shape *shape,
	int64_t step, int64_t behind)
{
	int64_t size = c->sizes[2] ? c->sizes[2] : COST_SIZE;
	int64_t steps = (size + shape->tile[2] - 1) / shape->tile[2];
	int64_t products = products_of(shape) * steps;

	return (steps * step + behind) * PRODUCTS / (products / waste(c, shape) + 1);
}

/* No step is faster than memory gives the bytes of its factors once, or than the products
 * are of the best plan. */
static int64_t least_of(const struct choosing *c, const struct matmul_shape *shape)
{
	const struct trial *best = &c->trials[c->best];
	int64_t rows = shape->stages ? shape->tile[0] + shape->tile[1] :
		shape->waves[1] * shape->tile[0] + shape->waves[0] * shape->tile[1];
	struct program_cost cost = { .groups = program_cost_groups(c->target, bytes_of(c, shape),
		words_of(c, shape) * lanes_of(c, shape)),
		.barriers = !shape->stages || shape->waves[0] * shape->waves[1] == 1 ? 0 :
			shape->stages == 1 ? 2 : 1,
		.memory = rows * shape->tile[2] * c->bits / MATMUL_FACTORS / 8 / COST_BYTES,
		.matrix = best->counted.matrix * products_of(shape) /
			products_of(&best->shape) };

	return cost_of(c, shape, program_cost_step(&cost, shape->stages), 0);
}

static char *take_error(struct choosing *c)
{
	char *message = layout_strdup(c->ctx, layout_context_message(c->ctx));

	layout_context_clear(c->ctx);
	if (!message)
		layout_fail(c->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return message;
}

static bool has_registers(const struct choosing *c, const struct program_cost *counted)
{
	return counted->words <= c->target->chip->code.words;
}

static bool is_short(const struct program_cost *counted)
{
	return counted->widened <= MOST_WIDENED &&
		counted->instructions - counted->widened <= MOST_INSTRUCTIONS;
}

/* Are there too few registers, whatever the plan would be? */
static bool is_too_large(struct choosing *c, struct trial *trial)
{
	int64_t words = words_of(c, &trial->shape);
	struct layout_buffer out = { 0 };

	if (words <= c->target->chip->code.words)
		return false;
	layout_buffer_printf(&out, "at least %" PRId64 " registers a lane, of %u", words,
		c->target->chip->code.words);
	trial->refused = layout_buffer_take(c->ctx, &out);
	return true;
}

/* What is more than it may be, to be freed. */
static char *print_excess(struct choosing *c, const struct program_cost *counted)
{
	struct layout_buffer out = { 0 };

	if (!has_registers(c, counted))
		layout_buffer_printf(&out, "%" PRId64 " registers a lane, of %u",
			counted->words, c->target->chip->code.words);
	else
		layout_buffer_printf(&out, "%" PRId64 " instructions a step, of %d",
			counted->instructions, counted->widened > MOST_WIDENED ?
			MOST_WIDENED : MOST_INSTRUCTIONS);
	return layout_buffer_take(c->ctx, &out);
}

static bool is_better(const struct choosing *c, int64_t cost)
{
	int64_t best = c->trials[c->best].cost;

	return !c->plan || cost < best - best / BETTER;
}

/* Take the trial's plan if it is better; false with an error that leaves it open. */
static bool try(struct choosing *c, unsigned i)
{
	struct trial *trial = &c->trials[i];
	layout_program *made = matmul_program(c->matmul, &trial->shape);
	struct plan *plan = made ? program_plan_new(made, c->target) : NULL;
	bool ok = plan && program_cost_count(made, plan->program, c->target,
		&trial->counted);

	layout_program_free(made);
	if (!ok) {
		plan_free(plan);
		if (layout_error_is_open(layout_context_error(c->ctx)))
			return false;
		return (trial->refused = take_error(c));
	}
	if (!has_registers(c, &trial->counted) || !is_short(&trial->counted)) {
		plan_free(plan);
		return (trial->refused = print_excess(c, &trial->counted));
	}
	trial->cost = cost_of(c, &trial->shape, program_cost_step(&trial->counted,
		trial->shape.stages), trial->counted.behind);
	if (!is_better(c, trial->cost)) {
		plan_free(plan);
		return true;
	}
	plan_free(c->plan);
	c->plan = plan;
	c->best = i;
	return true;
}

static void print_shape(struct layout_buffer *out, const struct matmul_shape *shape)
{
	layout_buffer_printf(out, "tiles of %" PRId64 " x %" PRId64 " x %" PRId64 ", %" PRId64
		" x %" PRId64 " waves, ", shape->tile[0], shape->tile[1], shape->tile[2],
		shape->waves[0], shape->waves[1]);
	if (shape->stages)
		layout_buffer_printf(out, "through the LDS in %u stage%s%s", shape->stages,
			shape->stages == 1 ? "" : "s",
			shape->turned[0] || shape->turned[1] ? ", turned" : "");
	else
		layout_buffer_printf(out, "straight from memory");
}

static void print_cost(struct layout_buffer *out, const char *before, int64_t cost)
{
	layout_buffer_printf(out, "%s%" PRId64 ".%03" PRId64, before, cost / THOUSAND,
		cost % THOUSAND);
}

static void print_trial(struct layout_buffer *out, const struct trial *trial, bool best)
{
	const struct program_cost *counted = &trial->counted;

	layout_buffer_printf(out, best ? "" : "  not ");
	print_shape(out, &trial->shape);
	if (trial->refused) {
		layout_buffer_printf(out, ": %s\n", trial->refused);
		return;
	}
	print_cost(out, ": ", trial->cost);
	if (best)
		layout_buffer_printf(out, " cycles of a compute unit for %d products", PRODUCTS);
	layout_buffer_printf(out, "; a step has %" PRId64 " of matrix instructions, %" PRId64
		" of memory, %" PRId64 " of the LDS, %" PRId64 " of all instructions, %" PRId64
		" barrier%s, %" PRId64 " registers\n", counted->matrix, counted->memory,
		counted->lds, counted->issue, counted->barriers, counted->barriers == 1 ? "" : "s",
		counted->words);
}

/* Those that were not planned, by the best that any could be. */
static void print_others(struct layout_buffer *out, const struct choosing *c)
{
	int64_t least = INT64_MAX;
	unsigned count = 0;

	for (unsigned i = 0; i < c->count; i++) {
		const struct trial *trial = &c->trials[i];

		count += trial->least > 0;
		if (trial->least && trial->least < least)
			least = trial->least;
	}
	if (!count)
		return;
	layout_buffer_printf(out, "  not %u others", count);
	print_cost(out, ": at least ", least);
	layout_buffer_printf(out, "\n");
}

static char *print_choice(const struct choosing *c)
{
	struct layout_buffer out = { 0 };

	print_trial(&out, &c->trials[c->best], true);
	for (unsigned i = 0; i < c->count; i++)
		if (i != c->best && !c->trials[i].least)
			print_trial(&out, &c->trials[i], false);
	print_others(&out, c);
	return layout_buffer_take(c->ctx, &out);
}

static bool choose(struct choosing *c)
{
	for (unsigned i = 0; i < c->count; i++) {
		struct trial *trial = &c->trials[i];
		int64_t least = least_of(c, &trial->shape);

		if (c->plan && !is_better(c, least))
			trial->least = least;
		else if (is_too_large(c, trial) ? !trial->refused : !try(c, i))
			return false;
	}
	if (c->plan)
		return (c->plan->program->choice = print_choice(c));
	layout_fail(c->ctx, LAYOUT_ERROR_UNSUPPORTED, -1, "%s", c->trials[0].refused);
	return false;
}

static unsigned type_bits(const struct choosing *c, unsigned factor)
{
	const struct element_type *type = element_type_find(c->ctx,
		c->matmul->operands[factor].type);

	return !type ? 0 : type->bits < 8 ? 8 : type->bits;
}

struct plan *program_plan_choose(layout_program *product, const struct plan_target *target)
{
	struct choosing c = { .ctx = product->ctx, .matmul = product->matmul,
		.target = target };
	bool ok;

	for (unsigned i = 0; i < 3; i++)
		c.sizes[i] = program_size_of(c.matmul, c.matmul->main[i]);
	c.bits = type_bits(&c, MATMUL_A) + type_bits(&c, MATMUL_B);
	add_shapes(&c);
	ok = c.bits && choose(&c);
	for (unsigned i = 0; i < c.count; i++)
		free(c.trials[i].refused);
	if (ok)
		return c.plan;
	plan_free(c.plan);
	return NULL;
}
