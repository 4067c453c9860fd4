/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/storage/remap_steps.h"
#include "algebra/size/affine.h"
#include "algebra/storage/maps.h"
#include "algebra/storage/remap_map.h"
#include "isl_bridge/aff.h"
#include "isl_bridge/index_sum.h"

#include <stdlib.h>

/* Steps are small: pitches times these stay far from 64 bits. */
#define MOST_STEP 65536

/* What the steps are found in: a function from source to destination, or "back"; by dimension of
 * the source, the only slot of it and what the function gives where all it is given is 0. */
struct finder {
	struct remap_steps *steps;
	layout_remap *remap;
	const struct storage_index *source, *destination;
	const struct ast_scope *scope;
	isl_set *sizes;
	isl_multi_aff *function;
	bool back;
	unsigned *slots;
	struct index **first;
	int64_t *step;		/* of each dimension of the source, in each of the destination */
};

void remap_steps_free(struct remap_steps *steps)
{
	if (steps->low)
		index_list_free(steps->low, steps->index.rank);
	index_free(steps->start);
	free(steps->dims);
	storage_index_free(&steps->index);
	*steps = (struct remap_steps){ 0 };
}

static int64_t *step_at(const struct finder *f, unsigned e, unsigned d)
{
	return &f->step[e * f->destination->rank + d];
}

/* The coefficients of a function without floors; false where it is none. */
static bool take_steps(const struct finder *f, isl_aff *aff, unsigned out)
{
	isl_val *denominator = isl_aff_get_denominator_val(aff);
	isl_size rank = isl_aff_dim(aff, isl_dim_in);
	bool good = isl_aff_dim(aff, isl_dim_div) == 0 &&
		isl_val_is_one(denominator) == isl_bool_true;

	isl_val_free(denominator);
	for (isl_size i = 0; good && i < rank; i++) {
		int64_t *step = f->back ? step_at(f, out, (unsigned)i) :
			step_at(f, (unsigned)i, out);

		good = bridge_int64(f->remap->ctx,
			isl_aff_get_coefficient_val(aff, isl_dim_in, i), step) &&
			*step >= -MOST_STEP && *step <= MOST_STEP;
	}
	return good;
}

/* The function's value at 0, less "size" - 1 unless that is NULL. */
static struct index *origin_of(const struct finder *f, isl_aff *aff, const struct size *size)
{
	isl_aff *origin = aff_of_parameters(aff,
		isl_space_params(isl_multi_aff_get_space(f->function)));

	if (!size)
		return ast_index_from_aff(f->scope, f->sizes, origin);
	return ast_index_from_pieces(f->scope, f->sizes, isl_pw_aff_sub(
		isl_pw_aff_from_aff(isl_aff_add_constant_si(origin, 1)),
		isl_pw_aff_from_aff(size_of_names(size))));
}

/* The only slot of a dimension of the source, or the count. */
static unsigned whole_slot(const struct finder *f, unsigned d)
{
	const layout_storage *source = f->remap->source;
	unsigned found = source->slot_count;

	for (unsigned k = 0; k < source->slot_count; k++) {
		struct digit part = storage_part(source, k);

		if (part.dim != d)
			continue;
		if (found < source->slot_count || part.step != 1 || part.radix)
			return source->slot_count;
		found = k;
	}
	return found;
}

/* Coordinate e of the source is that at 0 and steps of any of the destination's. */
static bool find_back(struct finder *f, unsigned e, isl_aff *aff)
{
	f->first[e] = origin_of(f, aff, NULL);
	return take_steps(f, aff, e) && f->first[e];
}

/* The source's dimension that one of the destination steps through, another one each. */
static bool find_only(const struct finder *f, unsigned d, unsigned *e)
{
	unsigned found = 0;

	for (unsigned k = 0; k < f->source->rank; k++)
		if (*step_at(f, k, d)) {
			*e = k;
			found++;
		}
	return found == 1 && !f->first[*e];
}

/* Coordinate d of the destination is one of the source, from an end of it on. */
static bool find_forth(struct finder *f, unsigned d, isl_aff *aff)
{
	const struct size *sizes = f->remap->source->sizes;
	unsigned e = 0;
	bool backward;

	if (!take_steps(f, aff, d) || !find_only(f, d, &e) || llabs(*step_at(f, e, d)) != 1)
		return false;
	backward = *step_at(f, e, d) < 0;
	f->steps->index.size[d] = index_copy(f->source->size[e]);
	f->steps->low[d] = origin_of(f, aff, backward ? &sizes[e] : NULL);
	f->first[e] = !backward ? index_int(0) : index_binary(INDEX_SUB,
		index_copy(f->source->size[e]), index_int(1));
	return f->steps->low[d] && f->first[e];
}

static bool find_steps(struct finder *f)
{
	unsigned rank = f->back ? f->source->rank : f->destination->rank;
	bool found = true;

	for (unsigned out = 0; found && out < rank; out++) {
		isl_aff *aff = isl_multi_aff_get_aff(f->function, (int)out);

		found = (f->back ? find_back : find_forth)(f, out, aff);
		isl_aff_free(aff);
	}
	for (unsigned d = 0; found && f->back && d < f->destination->rank; d++) {
		f->steps->index.size[d] = index_copy(f->destination->size[d]);
		f->steps->low[d] = index_int(0);
		found = f->steps->low[d];
	}
	for (unsigned e = 0; found && e < f->source->rank; e++) {
		f->slots[e] = whole_slot(f, e);
		found = f->slots[e] < f->source->slot_count && f->first[e];
	}
	return found;
}

/* What a step of a dimension of the destination is worth in the source, without its sign; NULL
 * where it would go both ways. */
static struct index *pitch_of(const struct finder *f, unsigned d, bool *backward)
{
	struct index *pitch = index_int(0);
	bool forward = false;

	*backward = false;
	for (unsigned e = 0; e < f->source->rank; e++) {
		int64_t step = *step_at(f, e, d);

		forward = forward || step > 0;
		*backward = *backward || step < 0;
		if (step)
			pitch = index_binary(INDEX_ADD, pitch, index_binary(INDEX_MUL,
				index_copy(f->source->pitch[f->slots[e]]),
				index_int(step < 0 ? -step : step)));
	}
	if (!forward || !*backward)
		return pitch;
	index_free(pitch);
	return NULL;
}

/* The next slot is all of dimension d. */
static bool place_dim(struct finder *f, unsigned d, unsigned *count)
{
	struct storage_index *index = &f->steps->index;
	unsigned k = 0;
	bool backward;

	while (k < *count && f->steps->dims[k] != d)
		k++;
	if (k < *count)
		return true;
	f->steps->dims[k] = d;
	index->extent[k] = index_copy(index->size[d]);
	index->pitch[k] = pitch_of(f, d, &backward);
	f->steps->backward |= (uint64_t)backward << d;
	*count += 1;
	return index->extent[k] && index->pitch[k];
}

/* Dimensions in the order of the source's memory; behind them those that repeat what it has. */
static bool place_dims(struct finder *f)
{
	struct remap_steps *steps = f->steps;
	unsigned count = 0;
	bool good = true;

	for (unsigned k = 0; good && k < f->source->slot_count; k++) {
		unsigned e = storage_part(f->remap->source, k).dim;

		steps->start = index_binary(INDEX_ADD, steps->start, index_binary(INDEX_MUL,
			index_copy(f->first[e]), index_copy(f->source->pitch[k])));
		for (unsigned d = 0; good && d < f->destination->rank; d++)
			good = !*step_at(f, e, d) || place_dim(f, d, &count);
	}
	for (unsigned d = 0; good && d < f->destination->rank; d++)
		good = place_dim(f, d, &count);
	return good && steps->start;
}

static bool begin(struct finder *f)
{
	layout_context *ctx = f->remap->ctx;
	struct remap_steps *steps = f->steps;
	unsigned from = f->source->rank, to = f->destination->rank;

	steps->index = (struct storage_index){ to, to,
		layout_alloc(ctx, to, sizeof(struct index *)),
		layout_alloc(ctx, to, sizeof(struct index *)),
		layout_alloc(ctx, to, sizeof(struct index *)),
		index_copy(f->source->elements), index_copy(f->source->apart) };
	steps->low = layout_alloc(ctx, to, sizeof(*steps->low));
	steps->start = index_int(0);
	steps->dims = layout_alloc(ctx, to, sizeof(*steps->dims));
	f->first = layout_alloc(ctx, from, sizeof(*f->first));
	f->slots = layout_alloc(ctx, from, sizeof(*f->slots));
	f->step = layout_alloc(ctx, (size_t)from * to, sizeof(*f->step));
	return steps->index.size && steps->index.extent && steps->index.pitch && steps->low &&
		steps->start && steps->dims && f->first && f->slots && f->step;
}

static bool find(struct finder *f)
{
	bool found = begin(f) && find_steps(f) && place_dims(f);

	if (f->first)
		index_list_free(f->first, f->source->rank);
	free(f->slots);
	free(f->step);
	return found;
}

/* By one of the ways to a function, in as many operations as it may take. */
static bool try_way(struct finder *f, isl_multi_aff *(*way)(layout_remap *, isl_set *), bool back,
	enum budget budget)
{
	bool found;

	bridge_begin_attempt(f->remap->ctx, budget);
	f->back = back;
	f->function = way(f->remap, f->sizes);
	found = f->function && find(f);
	isl_multi_aff_free(f->function);
	if (bridge_end_attempt(f->remap->ctx) && found)
		return true;
	remap_steps_free(f->steps);
	return false;
}

bool remap_steps_find(struct remap_steps *steps, layout_remap *remap,
	const struct storage_index *source, const struct storage_index *destination,
	const struct ast_scope *scope, isl_set *sizes)
{
	struct finder f = { steps, remap, source, destination, scope, sizes };

	*steps = (struct remap_steps){ 0 };
	if (source->rank > 64 || destination->rank > 64 || remap->source->twist_count ||
	    remap->source->units || remap->destination->units)
		return false;
	return try_way(&f, remap_map_load, true, BUDGET_DIGITS) ||
		(source->rank == destination->rank &&
		 try_way(&f, remap_map_store, false, BUDGET_DIGITS)) ||
		try_way(&f, remap_map_back, true, BUDGET_REVERSE);
}
