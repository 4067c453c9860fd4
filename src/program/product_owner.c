/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The blocks of a product: which subgroup and registers have them. */
#include "program/product.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* No lane has as many registers; and what products may have of 256, besides addresses and
 * conditions. */
enum { MOST_GROUPS = 256, MOST_REGISTERS = 1024, MOST_WORDS = 176 };

static const layout_tile *operand_of(const struct product *product, unsigned which)
{
	return product->contract->operands[which == PRODUCT_SUM ? 0 :
		which < PRODUCT_SUM ? which + 1 : which];
}

/* The factor whose scales an operand is, or itself. */
static unsigned factor_of(unsigned operand)
{
	return operand == PRODUCT_X_SCALES ? PRODUCT_X :
		operand == PRODUCT_Y_SCALES ? PRODUCT_Y : operand;
}

static int sum_dim(const layout_tile *contract, unsigned letter)
{
	for (unsigned d = 0; d < contract->rank; d++)
		if (contract->maps[PRODUCT_SUM][d] == letter)
			return (int)d;
	return -1;
}

static bool has_letter(const struct product *product, unsigned which, unsigned letter)
{
	for (unsigned d = 0; d < operand_of(product, which)->rank; d++)
		if (product->contract->maps[which][d] == letter)
			return true;
	return false;
}

static int64_t *base_of(const struct product *product, unsigned s, unsigned g)
{
	return product->base + ((size_t)s * product->groups + g) * product->contract->rank;
}

/* Do two groups of a subgroup take the same block of x or y? */
static bool same_block(const struct product *product, unsigned which, unsigned s,
	unsigned g, unsigned other)
{
	const layout_tile *contract = product->contract;

	for (unsigned d = 0; d < contract->rank; d++)
		if (has_letter(product, which, contract->maps[PRODUCT_SUM][d]) &&
		    base_of(product, s, g)[d] != base_of(product, s, other)[d])
			return false;
	return true;
}

/* Number the blocks of x or y in the order of subgroup 0; those of the others are the
 * same groups'. */
static bool find_blocks(struct product *product, unsigned which)
{
	unsigned *block = layout_alloc(product->ctx, product->groups, sizeof(*block));
	unsigned *first = layout_alloc(product->ctx, product->groups, sizeof(*first));
	unsigned count = 0;
	bool same = block && first;

	product->block[which] = block;
	product->first[which] = first;
	for (unsigned g = 0; same && g < product->groups; g++) {
		block[g] = 0;
		while (block[g] < count && !same_block(product, which, 0, g, first[block[g]]))
			block[g]++;
		if (block[g] == count)
			first[count++] = g;
		for (unsigned s = 1; same && s < product->subgroups; s++)
			same = same_block(product, which, s, g, first[block[g]]);
	}
	product->blocks[which] = count;
	return same;
}

static bool open_groups(struct product *product, unsigned subgroups, unsigned groups)
{
	for (unsigned i = 0; i < 2; i++) {
		free(product->block[i]);
		free(product->first[i]);
		product->block[i] = product->first[i] = NULL;
	}
	free(product->base);
	product->subgroups = subgroups;
	product->groups = groups;
	product->base = layout_alloc(product->ctx, (size_t)subgroups * groups *
		product->contract->rank + 1, sizeof(*product->base));
	return product->base;
}

/* What of a block is where in the sum, in dimension d. */
static int64_t sum_image(const struct product *product, unsigned d, unsigned lane,
	unsigned e)
{
	const uint16_t *image = product->images[PRODUCT_SUM] +
		2 * (lane * product->elements[PRODUCT_SUM] + e);
	unsigned letter = product->contract->maps[PRODUCT_SUM][d];

	return letter == product->letters[PRODUCT_X] ? image[0] :
		letter == product->letters[PRODUCT_Y] ? image[1] : 0;
}

/* Does the owner have these elements in all lanes of the group? */
static bool is_group(const struct product *product, const struct owner *sum, unsigned s,
	unsigned g)
{
	unsigned elements = product->elements[PRODUCT_SUM];
	const int64_t *base = base_of(product, s, g);

	for (unsigned lane = 0; lane < product->lanes; lane++)
		for (unsigned e = 0; e < elements; e++) {
			int64_t at[OWNER_RANK], hw[OWNER_PARTS] = { s, lane,
				(int64_t)g * elements + e };

			owner_point(sum, hw, at);
			for (unsigned d = 0; d < sum->rank; d++)
				if (at[d] != base[d] + sum_image(product, d, lane, e))
					return false;
		}
	return true;
}

/* Does it begin with a unit of the letters that the instruction sees? */
static bool is_aligned(const struct product *product, const int64_t *base)
{
	for (unsigned i = 0; i < 2; i++)
		if (base[sum_dim(product->contract, product->letters[i])] %
		    product->units[i])
			return false;
	return true;
}

bool product_read(struct product *product, const struct owner *sum)
{
	unsigned elements = product->elements[PRODUCT_SUM];
	bool is = sum->extent[OWNER_LANE] == product->lanes &&
		sum->extent[OWNER_REGISTER] % elements == 0 &&
		open_groups(product, (unsigned)sum->extent[OWNER_SUBGROUP],
			(unsigned)sum->extent[OWNER_REGISTER] / elements);

	for (unsigned s = 0; is && s < product->subgroups; s++)
		for (unsigned g = 0; is && g < product->groups; g++) {
			const int64_t hw[OWNER_PARTS] = { s, 0, (int64_t)g * elements };

			owner_point(sum, hw, base_of(product, s, g));
			is = is_aligned(product, base_of(product, s, g)) &&
				is_group(product, sum, s, g);
		}
	return is && find_blocks(product, PRODUCT_X) && find_blocks(product, PRODUCT_Y);
}

/* How the sum's dimensions are shared out: subgroups, and groups of each. */
struct shares {
	int64_t units[OWNER_RANK], subgroups[OWNER_RANK], groups[OWNER_RANK];
};

/* What subgroups load for their part of the products, where "waves" share x's blocks and
 * the rest y's; as often as they compute the same. */
static int64_t loads_of(const struct shares *shares, const int dims[2], int64_t waves,
	int64_t all)
{
	int64_t x = shares->groups[dims[0]], y = shares->groups[dims[1]];
	int64_t by_x = int_gcd(x, waves), by_y = int_gcd(y, all / waves);

	return (x / by_x * shares->units[dims[0]] + y / by_y * shares->units[dims[1]]) *
		(all / by_x / by_y);
}

/* A box of waves is x's and y's, a row of them as squares as can be. */
static void share_waves(const int64_t box[3], unsigned rank, const struct shares *shares,
	const int dims[2], int64_t waves[2])
{
	int64_t all = box[rank - 1];

	if (rank > 1) {
		waves[0] = box[rank - 2];
		waves[1] = all;
		return;
	}
	waves[0] = all;
	for (int64_t x = all; x-- > 1;)
		if (all % x == 0 && loads_of(shares, dims, x, all) <
		    loads_of(shares, dims, waves[0], all))
			waves[0] = x;
	waves[1] = all / waves[0];
}

/* The number of subgroup s in a dimension: the first of three ranks of waves share no
 * dimension that the instruction sees, but the first other one. */
static void find_shares(const struct product *product, struct shares *shares,
	int64_t waves[3], int dims[3])
{
	const layout_tile *contract = product->contract;
	unsigned rank = contract->program->workers_rank;
	int64_t box[3];

	dims[1] = sum_dim(contract, product->letters[PRODUCT_X]);
	dims[2] = sum_dim(contract, product->letters[PRODUCT_Y]);
	dims[0] = -1;
	for (unsigned d = 0; d < contract->rank; d++) {
		bool seen = (int)d == dims[1] || (int)d == dims[2];

		shares->units[d] = (int)d == dims[1] ? product->units[PRODUCT_X] :
			seen ? product->units[PRODUCT_Y] : 1;
		shares->subgroups[d] = 1;
		shares->groups[d] = contract->box[d] / shares->units[d];
		if (!seen && dims[0] < 0 && contract->box[d] > 1)
			dims[0] = (int)d;
	}
	program_workers_box(contract->program, contract->workers, box);
	waves[0] = rank > 2 ? box[0] : 1;
	share_waves(box, rank, shares, dims + 1, waves + 1);
	for (unsigned i = 0; i < 3; i++) {
		int64_t by = dims[i] < 0 ? 1 :
			int_gcd(shares->groups[dims[i]], waves[i]);

		if (dims[i] < 0)
			continue;
		shares->subgroups[dims[i]] = by;
		shares->groups[dims[i]] /= by;
	}
}

/* Where group g of subgroup s begins: the last dimension's groups follow each other. */
static void place_group(const struct product *product, const struct shares *shares,
	const int64_t own[OWNER_RANK], unsigned g, int64_t *base)
{
	for (unsigned d = product->contract->rank; d-- > 0; g /= shares->groups[d])
		base[d] = (own[d] * shares->groups[d] + g % shares->groups[d]) *
			shares->units[d];
}

static void refuse_registers(const struct product *product, const layout_tile *tile,
	int64_t registers)
{
	layout_fail(product->ctx, LAYOUT_ERROR_UNSUPPORTED, tile->position,
		"`%s` needs %" PRId64 " registers a lane: a smaller box, or more waves",
		tile->name, registers);
}

bool product_spread(struct product *product)
{
	const layout_tile *contract = product->contract;
	unsigned subgroups = (unsigned)program_tile_waves(contract);
	struct shares shares;
	int64_t waves[3], groups = 1;
	int dims[3];

	find_shares(product, &shares, waves, dims);
	for (unsigned d = 0; d < contract->rank; d++)
		groups *= shares.groups[d];
	if (groups > MOST_GROUPS)
		refuse_registers(product, contract, groups * product->elements[PRODUCT_SUM]);
	if (groups > MOST_GROUPS || !open_groups(product, subgroups, (unsigned)groups))
		return false;
	for (unsigned s = 0; s < subgroups; s++) {
		int64_t own[OWNER_RANK] = { 0 }, rest = s;

		for (unsigned i = 3; i-- > 0; rest /= waves[i])
			if (dims[i] >= 0)
				own[dims[i]] = rest % waves[i] % shares.subgroups[dims[i]];
		for (unsigned g = 0; g < product->groups; g++)
			place_group(product, &shares, own, g, base_of(product, s, g));
	}
	return find_blocks(product, PRODUCT_X) && find_blocks(product, PRODUCT_Y);
}

static unsigned sum_words(const struct product *product)
{
	return product->groups * product->elements[PRODUCT_SUM] *
		product->contract->type->bits / 32;
}

static unsigned factor_words(const struct product *product, unsigned which)
{
	return product->blocks[which] * product->steps * product->elements[which] *
		operand_of(product, which)->type->bits / 32;
}

unsigned product_words(const struct product *product)
{
	return sum_words(product) + factor_words(product, PRODUCT_X) +
		factor_words(product, PRODUCT_Y);
}

/* The next larger divisor of a number. */
static unsigned next_divisor(unsigned number, unsigned divisor)
{
	do
		divisor++;
	while (number % divisor);
	return divisor;
}

bool product_parts(const struct product *product, unsigned *parts, unsigned *shares)
{
	unsigned sums = sum_words(product), x = factor_words(product, PRODUCT_X);
	unsigned y = factor_words(product, PRODUCT_Y);

	*parts = *shares = 1;
	while (sums + (x + y) / *parts > MOST_WORDS && *parts < product->steps)
		*parts = next_divisor(product->steps, *parts);
	while (sums + (x + y / *shares) / *parts > MOST_WORDS &&
	       *shares < product->blocks[PRODUCT_Y])
		*shares = next_divisor(product->blocks[PRODUCT_Y], *shares);
	return *parts * *shares > 1;
}

/* The bits of the summed letter that tell a lane's elements apart. */
static unsigned element_bits(const struct product *product)
{
	const uint16_t *image = product->images[PRODUCT_X];
	unsigned bits = 0;

	for (unsigned e = 0; e < product->elements[PRODUCT_X]; e++)
		bits |= image[2 * e + 1] ^ image[1];
	return bits;
}

void product_order_steps(struct product *product)
{
	product->run = 0;
}

void product_gather_steps(struct product *product, unsigned bits)
{
	const layout_tile *contract = product->contract;
	unsigned type = contract->operands[1]->type->bits;
	unsigned steps = (unsigned)contract->letters[product->letters[2]] /
		product->units[2];

	product->run = 1;
	while (steps % (2 * product->run) == 0 &&
	       2 * product->run * product->elements[PRODUCT_X] * type <= bits)
		product->run *= 2;
}

/* Number n's bits in "mask", together. */
static unsigned extract(unsigned n, unsigned mask)
{
	unsigned value = 0;

	for (unsigned at = 0; mask; mask &= mask - 1)
		value |= (n >> __builtin_ctz(mask) & 1) << at++;
	return value;
}

/* Where number n of step t of the summed letter is: the same for x and y. */
static int64_t summed_at(const struct product *product, unsigned t, unsigned n)
{
	unsigned unit = product->units[2], run = product->run, mask, inside;

	if (!run)
		return (int64_t)t * unit + n;
	mask = element_bits(product);
	inside = 1u << __builtin_popcount(mask);
	return (int64_t)t / run * unit * run +
		extract(n, (unit - 1) & ~mask) * inside * run + t % run * inside +
		extract(n, mask);
}

/* Of step t, the numbers of all summed letters; that which the instruction sees is
 * fastest. */
static int64_t step_at(const struct product *product, unsigned letter, unsigned t)
{
	const layout_tile *contract = product->contract;
	unsigned own = (unsigned)contract->letters[product->letters[2]] /
		product->units[2];

	if (letter == product->letters[2])
		return t % own;
	t /= own;
	for (unsigned n = contract->letter_count; n-- > 0;) {
		if (n == product->letters[2] || sum_dim(contract, n) >= 0)
			continue;
		if (n == letter)
			return t % contract->letters[n];
		t /= (unsigned)contract->letters[n];
	}
	return 0;
}

/* The element of x, y or their scales that register r of a lane holds. */
static void operand_image(const struct product *product, unsigned operand, unsigned s,
	unsigned lane, unsigned r, int64_t *at)
{
	const layout_tile *contract = product->contract;
	unsigned elements = product->elements[operand], t = r / elements % product->steps;
	unsigned which = factor_of(operand), block = which == operand ? 1 : PROGRAM_SCALED;
	const int64_t *base = base_of(product, s,
		product->first[which][r / elements / product->steps]);
	const uint16_t *image = product->images[operand] +
		2 * (lane * elements + r % elements);

	for (unsigned d = 0; d < operand_of(product, operand)->rank; d++) {
		unsigned letter = contract->maps[which][d];
		int dim = sum_dim(contract, letter);

		if (dim >= 0)
			at[d] = base[dim] + (letter == product->letters[which] ? image[0] : 0);
		else if (letter == product->letters[2])
			at[d] = summed_at(product, (unsigned)step_at(product, letter, t),
				image[1] * block) / block;
		else
			at[d] = step_at(product, letter, t);
	}
}

static void sum_point(const struct product *product, unsigned s, unsigned lane, unsigned r,
	int64_t *at)
{
	unsigned elements = product->elements[PRODUCT_SUM];
	const int64_t *base = base_of(product, s, r / elements);

	for (unsigned d = 0; d < product->contract->rank; d++)
		at[d] = base[d] + sum_image(product, d, lane, r % elements);
}

static bool read_owner(const struct product *product, unsigned which, struct owner *owner,
	int64_t *images)
{
	int64_t hw[OWNER_PARTS] = { 0 };

	do {
		int64_t *at = images + owner_number(owner, hw) * owner->rank;

		if (which == PRODUCT_SUM)
			sum_point(product, (unsigned)hw[0], (unsigned)hw[1],
				(unsigned)hw[2], at);
		else
			operand_image(product, which, (unsigned)hw[0], (unsigned)hw[1],
				(unsigned)hw[2], at);
	} while (owner_next(owner, hw));
	return owner_read(owner, images, hw);
}

struct owner *product_owner(const struct product *product, unsigned which)
{
	const layout_tile *tile = operand_of(product, which);
	unsigned registers = product->elements[which] * (which == PRODUCT_SUM ?
		product->groups : product->blocks[factor_of(which)] * product->steps);
	struct owner *owner;
	int64_t *images;
	bool ok;

	if (registers > MOST_REGISTERS) {
		refuse_registers(product, tile, registers);
		return NULL;
	}
	owner = layout_alloc(product->ctx, 1, sizeof(*owner));
	images = layout_alloc(product->ctx, (size_t)product->subgroups * product->lanes *
		registers * tile->rank, sizeof(*images));
	ok = owner && images;
	if (ok) {
		owner->rank = tile->rank;
		memcpy(owner->box, tile->box, sizeof(*tile->box) * tile->rank);
		owner->extent[OWNER_SUBGROUP] = product->subgroups;
		owner->extent[OWNER_LANE] = product->lanes;
		owner->extent[OWNER_REGISTER] = registers;
		ok = read_owner(product, which, owner, images);
		if (!ok)
			layout_fail(product->ctx, LAYOUT_ERROR_UNSUPPORTED,
				product->contract->position, "no digits say which registers "
				"of `%s` %s takes", tile->name, product->row->name);
	}
	free(images);
	if (ok)
		return owner;
	owner_free(owner);
	return NULL;
}
