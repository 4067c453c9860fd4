/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/tile/parts.h"
#include "algebra/visit/owner.h"

/* How many tiles follow each other in a dimension.  The last one has all that it shares. */
static struct index *tile_count(const struct tile_builder *b, unsigned dim)
{
	struct index *end = index_copy(b->factors->dims[dim].end), *least;

	if (b->shared && dim == b->shared_dim) {
		least = index_binary(INDEX_MIN, index_copy(end), index_int(1));
		end = index_binary(INDEX_MAX, index_binary(INDEX_SUB, end,
			index_int(b->shared)), least);
	}
	return index_ceil_div(end, tile_step(b, dim));
}

/* What the grid walks along in a dimension: a piece that is left to it, or what lies beyond
 * a tile that is kept short.  False for what never ends. */
static bool find_walk(const struct choice *choice, unsigned dim, struct choice_piece *walk)
{
	const struct factors *factors = choice->factors;
	bool found = false;

	for (unsigned i = 0; i < choice->count; i++)
		if (choice->pieces[i].where == CHOICE_GRID &&
		    factors->digits[choice->pieces[i].digit].digit.dim == dim) {
			*walk = choice->pieces[i];
			return true;
		}
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (factors->digits[i].digit.dim == dim && !factors->digits[i].most) {
			*walk = (struct choice_piece){ .digit = i,
				.step = choice_extent(choice, dim) };
			found = true;
		}
	return found;
}

/* Should grid axis x rather be "a" than "b"?  Where tiles follow each other in the
 * destination. */
static bool walks_nearer(const struct choice *choice, unsigned a, unsigned b)
{
	struct choice_piece x, y;
	bool x_walks = find_walk(choice, a, &x);

	if (!x_walks || !find_walk(choice, b, &y))
		return x_walks;
	return choice_is_nearer(choice, &x, &y, FACTOR_STORE);
}

/* The dimensions in the order of the plan: the nearest is x, the last. */
static void order_dims(struct tile_builder *b)
{
	unsigned count = b->factors->dim_count;

	for (unsigned d = 0; d < count; d++) {
		unsigned at = d;

		for (; at && walks_nearer(b->choice, b->dims[at - 1], d); at--)
			b->dims[at] = b->dims[at - 1];
		b->dims[at] = d;
	}
}

static bool name_dims(struct tile_builder *b)
{
	static const char *const names[] = { "x", "y", "z" };
	static const enum visit_level levels[] = { VISIT_GRID_X, VISIT_GRID_Y, VISIT_GRID_Z };
	const char *const *sizes = (const char *const *)b->plan->size_names;
	unsigned count = b->factors->dim_count, size_count = b->plan->size_count;
	bool ok = true;

	b->plan->visit.dims = layout_alloc(b->ctx, count + 1, sizeof(*b->plan->visit.dims));
	if (!b->plan->visit.dims)
		return false;
	for (unsigned d = 0; d < count; d++) {
		unsigned axis = count - d > 2 ? 2 : count - d - 1;

		b->plan->visit.dims[d] = (struct visit_dim){ visit_owner_name(b->ctx, names[axis],
			axis == 2 ? (int)d : -1, sizes, size_count), levels[axis],
			tile_count(b, b->dims[d]) };
	}
	b->plan->visit.dims[count] = (struct visit_dim){ visit_owner_name(b->ctx, "lane", -1, sizes,
		size_count), VISIT_LANE, index_int(b->choice->lanes) };
	b->plan->visit.dim_count = count + 1;
	for (unsigned d = 0; d <= count; d++)
		ok = ok && b->plan->visit.dims[d].name && b->plan->visit.dims[d].extent;
	return ok;
}

bool tile_begins_earlier(const struct tile_builder *b, unsigned dim)
{
	return !b->request->target->owner &&
		b->factors->dims[dim].end->max >= choice_extent(b->choice, dim) &&
		choice_begins_anywhere(b->factors, &b->choice->rules, dim);
}

/* What a step is worth in a dimension whose last tile begins earlier. */
static struct index *pitch_of(const struct tile_builder *b, enum factor_side side, unsigned dim)
{
	struct index *pitch = index_copy(factor_pitch(b->factors, side, dim));

	return tile_is_backward(b, side, dim) ? index_binary(INDEX_SUB, index_int(0), pitch) :
		pitch;
}

/* Do tiles end where a dimension does, whatever the sizes?  Those that share some with the next one
 * do not: the last one has less. */
static bool ends_whole(const struct tile_builder *b, unsigned d, const struct index *end)
{
	return tile_step(b, b->dims[d]) == tile_extent(b, d) && tile_divides(tile_extent(b, d), end);
}

static bool describe_dims(struct tile_builder *b)
{
	struct plan_tile *tile = b->plan->tile;

	tile->dims = layout_alloc(b->ctx, b->factors->dim_count, sizeof(*tile->dims));
	if (!tile->dims)
		return false;
	tile->dim_count = b->factors->dim_count;
	for (unsigned d = 0; d < tile->dim_count; d++) {
		const struct factor_dim *dim = &b->factors->dims[b->dims[d]];
		int64_t extent = tile_extent(b, d);

		tile->dims[d] = (struct tile_dim){ extent, tile_step(b, b->dims[d]),
			index_copy(dim->low), index_copy(dim->high), index_copy(dim->end),
			!index_is(dim->low, 0) || !ends_whole(b, d, dim->high) ||
				!index_equal(dim->high, dim->end),
			!ends_whole(b, d, dim->end),
			int_gcd(factor_divisor(dim->low), factor_divisor(dim->high)),
			factor_divisor(dim->end), { NULL } };
		if (!tile->dims[d].some_unwritten || !tile_begins_earlier(b, b->dims[d]))
			continue;
		for (unsigned side = 0; side < FACTOR_SIDES; side++)
			tile->dims[d].pitch[side] = pitch_of(b, (enum factor_side)side,
				b->dims[d]);
	}
	return true;
}

bool tile_build_dims(struct tile_builder *b)
{
	order_dims(b);
	return name_dims(b) && describe_dims(b);
}
