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

/* What the steps are found in: a function from source to destination, or "back". */
struct finder {
	struct remap_steps *steps;
	layout_remap *remap;
	const struct storage_index *source, *destination;
	const struct ast_scope *scope;
	isl_set *sizes;
	isl_multi_aff *function;
	bool back;
	struct index **first;
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

/* The coefficient of the only coordinate that a function is of, which is "in"; 0 where it
 * is none. */
static int64_t step_of(const struct finder *f, isl_aff *aff, unsigned *in)
{
	isl_val *denominator = isl_aff_get_denominator_val(aff);
	isl_size rank = isl_aff_dim(aff, isl_dim_in);
	bool good = isl_aff_dim(aff, isl_dim_div) == 0 &&
		isl_val_is_one(denominator) == isl_bool_true;
	int64_t step = 0, value = 0;

	isl_val_free(denominator);
	for (isl_size i = 0; good && i < rank; i++) {
		good = bridge_int64(f->remap->ctx,
			isl_aff_get_coefficient_val(aff, isl_dim_in, i), &value) &&
			(!step || !value);
		if (!value)
			continue;
		step = value;
		*in = (unsigned)i;
	}
	return good && step >= -MOST_STEP && step <= MOST_STEP ? step : 0;
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

/* Elements "first" + step * (x - low) of dimension e of the source. */
static void place_steps(struct finder *f, unsigned d, unsigned e, int64_t step, isl_aff *aff)
{
	struct index *size = f->back ? f->destination->size[d] : f->source->size[e];
	bool backward = !f->back && step < 0;

	f->steps->dims[e] = d;
	f->steps->backward |= (uint64_t)(step < 0) << d;
	f->steps->index.size[d] = index_copy(size);
	f->steps->low[d] = f->back ? index_int(0) :
		origin_of(f, aff, backward ? &f->remap->source->sizes[e] : NULL);
	f->first[e] = f->back ? origin_of(f, aff, NULL) : !backward ? index_int(0) :
		index_binary(INDEX_SUB, index_copy(size), index_int(1));
}

/* The pitch of slot k, which is all of the source's dimension e. */
static void place_slot(struct finder *f, unsigned d, unsigned e, unsigned k, int64_t step)
{
	struct remap_steps *steps = f->steps;
	struct index *pitch = f->source->pitch[k];

	steps->index.extent[k] = index_copy(steps->index.size[d]);
	steps->index.pitch[k] = index_binary(INDEX_MUL, index_copy(pitch),
		index_int(step < 0 ? -step : step));
	steps->start = index_binary(INDEX_ADD, steps->start, index_binary(INDEX_MUL,
		index_copy(f->first[e]), index_copy(pitch)));
}

/* What the function gives as coordinate "out". */
static bool find_dim(struct finder *f, unsigned out)
{
	isl_aff *aff = isl_multi_aff_get_aff(f->function, (int)out);
	unsigned in = 0, k = f->source->slot_count, d, e;
	int64_t step = step_of(f, aff, &in);
	struct remap_steps *steps = f->steps;

	d = f->back ? in : out;
	e = f->back ? out : in;
	if (step && (f->back || step == 1 || step == -1) && !steps->index.size[d])
		k = whole_slot(f, e);
	if (k < f->source->slot_count) {
		place_steps(f, d, e, step, aff);
		place_slot(f, d, e, k, step);
	}
	isl_aff_free(aff);
	return k < f->source->slot_count && steps->low[d] && steps->index.size[d] &&
		steps->index.extent[k] && steps->index.pitch[k] && steps->start;
}

static bool begin(struct finder *f)
{
	const struct storage_index *of = f->source;
	layout_context *ctx = f->remap->ctx;
	struct remap_steps *steps = f->steps;
	struct storage_index *index = &steps->index;

	*index = (struct storage_index){ of->rank, of->slot_count,
		layout_alloc(ctx, of->rank, sizeof(struct index *)),
		layout_alloc(ctx, of->slot_count, sizeof(struct index *)),
		layout_alloc(ctx, of->slot_count, sizeof(struct index *)),
		index_copy(of->elements), index_copy(of->apart) };
	steps->low = layout_alloc(ctx, of->rank, sizeof(*steps->low));
	steps->start = index_int(0);
	steps->dims = layout_alloc(ctx, of->rank, sizeof(*steps->dims));
	f->first = layout_alloc(ctx, of->rank, sizeof(*f->first));
	return index->size && index->extent && index->pitch && steps->low &&
		steps->start && steps->dims && f->first;
}

static bool find(struct finder *f)
{
	bool found = begin(f);

	for (unsigned d = 0; found && d < f->source->rank; d++)
		found = find_dim(f, d);
	if (f->first)
		index_list_free(f->first, f->source->rank);
	return found;
}

bool remap_steps_find(struct remap_steps *steps, layout_remap *remap,
	const struct storage_index *source, const struct storage_index *destination,
	const struct ast_scope *scope, isl_set *sizes)
{
	struct finder f = { steps, remap, source, destination, scope, sizes };
	bool found;

	*steps = (struct remap_steps){ 0 };
	if (source->rank != destination->rank || source->rank > 64 ||
	    remap->source->twist_count || remap->source->units)
		return false;
	bridge_begin_attempt(remap->ctx, BUDGET_DIGITS);
	f.function = remap_map_load(remap, sizes);
	f.back = f.function;
	if (!f.back)
		f.function = remap_map_store(remap, sizes);
	found = f.function && find(&f);
	isl_multi_aff_free(f.function);
	if (bridge_end_attempt(remap->ctx) && found)
		return true;
	remap_steps_free(steps);
	return false;
}
