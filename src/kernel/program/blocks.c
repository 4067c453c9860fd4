/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/program/product_block.h"
#include "kernel/program/choose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Costs are cycles of a core for so many products, in thousandths. */
enum { PRODUCTS = 1024, THOUSAND = 1000 };

/* A core (assumed): it adds the products of a vector in a cycle, in which it loads two, and
 * stores one; what a level of cache has is copied in vectors, and from memory come so many
 * bytes a cycle.  What is turned goes element by element. */
enum { LOADED = 2, MEMORY_BYTES = 8 };

/* Of the first cache, a block's rows take a half, and of the second one, a tile three
 * quarters. */
enum { FIRST_PARTS = 2, SECOND_PARTS = 4, SECOND_TAKEN = 3 };

/* Blocks of rows, and panels of columns, that a tile may have; what it has of the sum. */
static const int64_t blocks[] = { 4, 8, 12, 16, 20, 24, 32 };
static const int64_t depths[] = { 512, 256, 128, 64, 32 };
enum { COUNT = sizeof(blocks) / sizeof(*blocks), DEPTHS = sizeof(depths) / sizeof(*depths) };

/* The cycles of a step of a tile. */
struct account {
	int64_t products, loads, packed, sums, bytes, rows_bytes;
};

struct choosing {
	const struct matmul *matmul;
	const struct plan_target *target;
	int64_t sizes[3];		/* of the main letters; 0: not a number */
	unsigned column;		/* which of the first two has the columns */
	int64_t rows, lanes, bytes;	/* of a block, a vector and a sum */
	int64_t factor_bytes[MATMUL_FACTORS];
	bool turned[MATMUL_FACTORS];	/* is a factor's depth not where it is packed? */
	struct matmul_shape best;
	struct account account;
	int64_t cost;
	unsigned refused, others;
};

static int64_t divide_up(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

/* A multiple of "each" that is no more than the size takes. */
static int64_t tile_for(int64_t size, int64_t each, int64_t count)
{
	int64_t most = size ? divide_up(size, each) : count;

	return each * (most < count ? most : count);
}

/* Bytes from memory, and each element loaded and stored. */
static int64_t pack(const struct choosing *c, unsigned factor, int64_t elements)
{
	int64_t vectors = c->turned[factor] ? elements : divide_up(elements, c->lanes);

	return elements * c->factor_bytes[factor] / MEMORY_BYTES + vectors;
}

static struct account count(const struct choosing *c, const struct matmul_shape *shape)
{
	unsigned row = !c->column;
	int64_t rows = shape->tile[row], columns = shape->tile[c->column];
	int64_t depth = shape->tile[2], vectors = divide_up(columns, c->lanes);
	struct account a = { .products = rows * vectors * depth };

	a.loads = divide_up(rows, c->rows) * depth * (vectors +
		c->rows * divide_up(vectors, PRODUCT_VECTORS)) / LOADED;
	a.packed = pack(c, row, rows * depth) + pack(c, c->column, columns * depth);
	a.sums = 2 * rows * vectors;
	a.rows_bytes = c->rows * depth * c->bytes;
	a.bytes = c->bytes * (rows * depth + columns * depth + rows * columns);
	return a;
}

static int64_t cost_of(const struct account *a, const struct matmul_shape *shape)
{
	int64_t issued = a->products > a->loads ? a->products : a->loads;

	return (issued + a->packed + a->sums) * PRODUCTS * THOUSAND /
		(shape->tile[0] * shape->tile[1] * shape->tile[2]);
}

static bool fits(const struct choosing *c, const struct account *a)
{
	return a->rows_bytes <= c->target->cache_bytes[0] / FIRST_PARTS &&
		a->bytes <= c->target->cache_bytes[1] / SECOND_PARTS * SECOND_TAKEN;
}

static void try(struct choosing *c, int64_t rows, int64_t panels, int64_t depth)
{
	struct matmul_shape shape = { .waves = { 1, 1 } };
	struct account a;
	int64_t cost;

	shape.tile[!c->column] = tile_for(c->sizes[!c->column], c->rows, rows);
	shape.tile[c->column] = tile_for(c->sizes[c->column], PRODUCT_VECTORS * c->lanes,
		panels);
	shape.tile[2] = tile_for(c->sizes[2], depths[DEPTHS - 1], depth / depths[DEPTHS - 1]);
	a = count(c, &shape);
	cost = cost_of(&a, &shape);
	if (!fits(c, &a)) {
		c->refused++;
		return;
	}
	c->others++;
	if (c->cost && cost >= c->cost)
		return;
	c->best = shape;
	c->account = a;
	c->cost = cost;
}

static void print_cost(struct layout_buffer *out, int64_t cost)
{
	layout_buffer_printf(out, "%" PRId64 ".%03" PRId64, cost / THOUSAND, cost % THOUSAND);
}

static char *print_choice(const struct choosing *c)
{
	const struct account *a = &c->account;
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "tiles of %" PRId64 " x %" PRId64 " x %" PRId64
		", blocks of %" PRId64 " x %" PRId64 " in registers: ", c->best.tile[0],
		c->best.tile[1], c->best.tile[2], c->rows, PRODUCT_VECTORS * c->lanes);
	print_cost(&out, c->cost);
	layout_buffer_printf(&out, " cycles of a core for %d products; a step has %" PRId64
		" of products, %" PRId64 " of their loads, %" PRId64 " of packing, %" PRId64
		" of sums; %" PRId64 " bytes of the first cache, of %" PRId64 ", %" PRId64
		" of the second, of %" PRId64 "\n", PRODUCTS, a->products, a->loads, a->packed,
		a->sums, a->rows_bytes, c->target->cache_bytes[0], a->bytes,
		c->target->cache_bytes[1]);
	layout_buffer_printf(&out, "  not %u others, nor %u that the caches do not hold\n",
		c->others - 1, c->refused);
	return layout_buffer_take(c->matmul->ctx, &out);
}

/* The main letter that ends a memory; 3: none does. */
static unsigned last_of(const struct matmul *matmul, const struct matmul_operand *operand)
{
	unsigned i = 0;

	while (i < 3 && (!operand->rank ||
	       (int)operand->letters[operand->rank - 1] != matmul->main[i]))
		i++;
	return i;
}

/* Is it a product whose columns are what C ends in, and rows and depth those of tiles? */
static bool take_product(struct choosing *c)
{
	const struct matmul *matmul = c->matmul;

	c->column = last_of(matmul, &matmul->operands[matmul->count - 1]);
	return c->column < 2 && matmul->main[!c->column] >= 0 && matmul->main[2] >= 0;
}

static bool take_types(struct choosing *c)
{
	const struct element_type *sum = element_type_find(c->matmul->ctx,
		matmul_sum_type(c->matmul));
	unsigned bits = sum ? sum->bits : 0;

	c->bytes = bits / 8;
	if (!c->bytes)
		return false;
	c->lanes = c->target->vector_bytes / c->bytes;
	c->rows = product_rows(c->target->vector_count);
	for (unsigned i = 0; i < MATMUL_FACTORS; i++) {
		const struct matmul_operand *factor = &c->matmul->operands[i];
		const struct element_type *type = element_type_find(c->matmul->ctx,
			factor->type);

		c->factor_bytes[i] = type ? divide_up(type->bits, 8) : 0;
		c->turned[i] = i == c->column && last_of(c->matmul, factor) != i;
	}
	return c->factor_bytes[0] && c->factor_bytes[1];
}

bool program_choose_blocks(const struct matmul *matmul, const struct plan_target *target,
	struct matmul_shape *shape, char **choice)
{
	struct choosing c = { .matmul = matmul, .target = target };

	*choice = NULL;
	if (target->vector_bytes < PRODUCT_LEAST_VECTOR || !take_product(&c))
		return true;
	if (!take_types(&c))
		return false;
	for (unsigned i = 0; i < 3; i++)
		c.sizes[i] = program_size_of(matmul, matmul->main[i]);
	for (unsigned i = COUNT; i-- > 0;)
		for (unsigned k = COUNT; k-- > 0;)
			for (unsigned d = 0; d < DEPTHS; d++)
				try(&c, blocks[i], blocks[k], depths[d]);
	*shape = c.best;
	if (!c.cost)
		return true;
	*choice = print_choice(&c);
	return *choice;
}
