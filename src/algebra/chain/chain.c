/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chains: their steps, made and folded. */
#include "algebra/chain/chain.h"
#include "algebra/storage/storage.h"

#include <stdlib.h>

static void free_step(layout_chain *chain)
{
	if (!chain->before)
		layout_storage_free(chain->source);
	else
		size_list_free(chain->offsets, chain->before->rank);
	size_list_free(chain->sizes, chain->rank);
	free(chain->written);
	free(chain->dims);
	free(chain->groups);
	free(chain->strides);
	isl_space_free(chain->params);
	isl_multi_aff_free(chain->load);
	isl_multi_aff_free(chain->store);
	isl_set_free(chain->where);
	isl_set_free(chain->assumed);
	isl_set_free(chain->known);
	free(chain->condition);
	free(chain->pad_value);
	free(chain);
}

void layout_chain_free(layout_chain *chain)
{
	while (chain && !--chain->references) {
		layout_chain *before = chain->before;

		free_step(chain);
		chain = before;
	}
}

layout_chain *layout_chain_copy(layout_chain *chain)
{
	if (chain)
		chain->references++;
	return chain;
}

static layout_chain *new_step(layout_context *ctx, enum chain_kind kind, unsigned rank)
{
	layout_chain *chain = layout_alloc(ctx, 1, sizeof(*chain));

	if (!chain)
		return NULL;
	*chain = (struct layout_chain){ .ctx = ctx, .references = 1, .kind = kind,
		.rank = rank,
		.sizes = layout_alloc(ctx, rank, sizeof(struct size)) };
	if (chain->sizes)
		return chain;
	free(chain);
	return NULL;
}

/* What the step before knows. */
static bool inherit(layout_chain *chain)
{
	const layout_chain *before = chain->before;

	chain->source = before->source;
	chain->steps = before->steps + 1;
	chain->params = isl_space_copy(before->params);
	chain->assumed = isl_set_copy(before->assumed);
	chain->known = isl_set_copy(before->known);
	if (before->condition)
		chain->condition = layout_strdup(chain->ctx, before->condition);
	if (before->pad_value)
		chain->pad_value = layout_strdup(chain->ctx, before->pad_value);
	chain->pad_idle = before->pad_idle;
	return !before->condition == !chain->condition &&
		!before->pad_value == !chain->pad_value;
}

layout_chain *chain_begin(layout_chain *chain, enum chain_kind kind, unsigned rank)
{
	layout_chain *next = NULL;

	if (chain && rank > CHAIN_RANK)
		layout_fail(chain->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a step of %u dimensions is beyond %d", rank, CHAIN_RANK);
	else if (chain && chain->steps == CHAIN_STEPS)
		layout_fail(chain->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a chain of more than %d steps", CHAIN_STEPS);
	else if (chain)
		next = new_step(chain->ctx, kind, rank);
	if (!next) {
		layout_chain_free(chain);
		return NULL;
	}
	bridge_enter(chain->ctx);
	next->before = chain;
	if (inherit(next))
		return next;
	return chain_end(next, false);
}

layout_chain *chain_end(layout_chain *chain, bool good)
{
	if (!chain)
		return NULL;
	if (bridge_leave(chain->ctx, "fold a chain") && good && chain->load &&
	    chain->where && chain->assumed)
		return chain;
	layout_chain_free(chain);
	return NULL;
}

/* A name that the chain does not have yet, as any >= 0. */
static void add_name(layout_chain *chain, const char *name)
{
	unsigned end = (unsigned)isl_space_dim(chain->params, isl_dim_param);

	if (isl_space_find_dim_by_name(chain->params, isl_dim_param, name) >= 0)
		return;
	chain->params = isl_space_add_dims(chain->params, isl_dim_param, 1);
	chain->params = isl_space_set_dim_name(chain->params, isl_dim_param, end, name);
	chain->known = isl_set_align_params(chain->known, isl_space_copy(chain->params));
	chain->known = isl_set_lower_bound_si(chain->known, isl_dim_param, end, 0);
}

bool chain_take_size(layout_chain *chain, struct size *to, isl_aff *size)
{
	isl_size count = isl_aff_dim(size, isl_dim_param);

	for (isl_size i = 0; i < count; i++)
		add_name(chain, isl_aff_get_dim_name(size, isl_dim_param, (unsigned)i));
	return size_of_aff(chain->ctx,
		isl_aff_align_params(size, isl_space_copy(chain->params)), to);
}

bool chain_keep_size(layout_chain *chain, unsigned to, unsigned from)
{
	return size_copy(chain->ctx, &chain->sizes[to], &chain->before->sizes[from]);
}

isl_aff *chain_aff(layout_chain *chain, const struct size *size)
{
	return isl_aff_align_params(isl_aff_copy(size->aff),
		isl_space_copy(chain->params));
}

static isl_space *index_space(layout_chain *chain, unsigned rank)
{
	isl_space *space = isl_space_set_from_params(isl_space_copy(chain->params));

	return isl_space_set_tuple_name(isl_space_add_dims(space, isl_dim_set, rank),
		isl_dim_set, "logical");
}

isl_space *chain_space(layout_chain *chain)
{
	return index_space(chain, chain->rank);
}

isl_space *chain_before_space(layout_chain *chain)
{
	return index_space(chain, chain->before->rank);
}

bool chain_fold(layout_chain *chain, isl_multi_aff *load, isl_multi_aff *store,
	isl_set *inside)
{
	const layout_chain *before = chain->before;

	if (store && before->store)
		chain->store = isl_multi_aff_pullback_multi_aff(store,
			isl_multi_aff_copy(before->store));
	else
		isl_multi_aff_free(store);
	chain->where = isl_set_preimage_multi_aff(isl_set_copy(before->where),
		isl_multi_aff_copy(load));
	if (inside)
		chain->where = isl_set_intersect(chain->where, inside);
	chain->load = isl_multi_aff_pullback_multi_aff(
		isl_multi_aff_copy(before->load), load);
	return chain->load && chain->where;
}

isl_set *chain_box(layout_chain *chain)
{
	isl_space *space = chain_space(chain);
	isl_set *box = isl_set_universe(isl_space_copy(space));

	for (unsigned d = 0; d < chain->rank; d++) {
		box = isl_set_lower_bound_si(box, isl_dim_set, d, 0);
		box = isl_set_intersect(box, isl_aff_lt_set(aff_coordinate(space, d),
			size_on(&chain->sizes[d], space)));
	}
	isl_space_free(space);
	return box;
}

/* The shape of the source, and all of its names. */
static bool take_source(layout_chain *chain)
{
	layout_storage *source = chain->source;

	chain->params = isl_space_params_alloc(bridge_isl(chain->ctx), 0);
	chain->known = isl_set_universe(
		isl_space_set_from_params(isl_space_copy(chain->params)));
	for (unsigned i = 0; i < source->name_count; i++)
		add_name(chain, source->names[i]);
	for (unsigned d = 0; d < chain->rank; d++) {
		if (!chain_take_size(chain, &chain->sizes[d],
				isl_aff_copy(source->sizes[d].aff)))
			return false;
		if (chain->sizes[d].value < 0)
			chain->known = isl_set_intersect(chain->known, isl_aff_ge_set(
				chain_aff(chain, &chain->sizes[d]),
				chain_size_integer(chain, 0)));
	}
	return true;
}

layout_chain *layout_chain_new(layout_storage *source)
{
	unsigned rank = layout_storage_rank(source);
	layout_chain *chain = NULL;
	bool good;

	if (!source)
		return NULL;
	if (rank > CHAIN_RANK)
		layout_fail(source->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a tensor of %u dimensions is beyond %d", rank, CHAIN_RANK);
	else
		chain = new_step(source->ctx, CHAIN_SOURCE, rank);
	if (!chain) {
		layout_storage_free(source);
		return NULL;
	}
	chain->source = source;
	bridge_enter(chain->ctx);
	good = take_source(chain);
	if (good) {
		isl_space *space = chain_space(chain);

		chain->load = isl_multi_aff_identity_on_domain_space(
			isl_space_copy(space));
		chain->store = isl_multi_aff_copy(chain->load);
		chain->where = isl_set_universe(space);
		chain->assumed = isl_set_universe(isl_space_copy(chain->params));
	}
	return chain_end(chain, good);
}

layout_context *layout_chain_context(layout_chain *chain)
{
	return chain ? chain->ctx : NULL;
}

layout_storage *layout_chain_source(layout_chain *chain)
{
	return chain ? chain->source : NULL;
}

unsigned layout_chain_rank(layout_chain *chain)
{
	return chain ? chain->rank : 0;
}

const char *layout_chain_size(layout_chain *chain, unsigned dim)
{
	return chain && dim < chain->rank ? chain->sizes[dim].text : NULL;
}

const char *layout_chain_size_name(layout_chain *chain, unsigned i)
{
	if (!chain || i >= (unsigned)isl_space_dim(chain->params, isl_dim_param))
		return NULL;
	return isl_space_get_dim_name(chain->params, isl_dim_param, i);
}

const char *layout_chain_condition(layout_chain *chain)
{
	return chain ? chain->condition : NULL;
}

const char *layout_chain_pad_value(layout_chain *chain)
{
	return chain ? chain->pad_value : NULL;
}
