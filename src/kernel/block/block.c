/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel/block/parts.h"

#include <stdlib.h>

/* Are both sides' digits there, with one weight each? */
static bool is_plain(const struct factors *factors)
{
	if (factors->rotation_count || 2 * factors->digit_count > BLOCK_LOOPS)
		return false;
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (factors->dims[d].ragged)
			return false;
	for (unsigned i = 0; i < factors->digit_count; i++)
		if (factors->digits[i].carried)
			return false;
	return true;
}

/* Does the source begin later in some dimension? */
static bool begins_later(const struct factors *factors)
{
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (!index_is(factors->dims[d].low, 0))
			return true;
	return false;
}

/* Are these loops that compilers see through: converted rows, short ones between padding, or
 * elements that follow each other on neither side? */
static bool is_simple(const struct factors *factors, const struct block_builder *b, bool converts)
{
	int load = plan_block_digit_worth(factors, FACTOR_LOAD, 1);
	int64_t radix = load < 0 ? 0 : factors->digits[load].digit.radix;

	return !factors->xor_count && load == plan_block_digit_worth(factors, FACTOR_STORE, 1) &&
		(load < 0 || begins_later(factors) || (converts &&
		 (!radix || radix >= b->vector_bytes / plan_block_widest(b))));
}

/* Where the source begins later in some dimension: can its elements be found by what steps are
 * worth there? */
static bool can_begin(const struct factors *factors, bool whole_bytes)
{
	for (unsigned d = 0; d < factors->dim_count; d++)
		if (!index_is(factors->dims[d].low, 0) && (!whole_bytes || factors->xor_count ||
		    (!factors->dims[d].single && !factor_pitch(factors, FACTOR_LOAD, d))))
			return false;
	return true;
}

/* Elements of whole bytes, bytes of "unit" elements, or elements that are "packed" in bytes. */
static bool find(struct plan_block **found, const struct tile_request *request,
	const struct factors *factors, int64_t unit, int64_t packed)
{
	struct block_builder b = { .factors = factors, .unit = unit, .packed = packed, .bytes = {
		(request->bits[FACTOR_LOAD] + 7) / 8, (request->bits[FACTOR_STORE] + 7) / 8 },
		.vector_bytes = request->target->vector_bytes, .possible = true, .ok = true };
	bool converts = !conversion_is_copy(&request->remap->conversion);

	if (!is_plain(factors) || !can_begin(factors, unit == 1 && packed == 1))
		return true;
	b.row = !converts && packed == 1 && plan_block_take_row(&b);
	if (!b.row && ((unit == 1 && is_simple(factors, &b, converts)) || !plan_block_take(&b)))
		return true;
	if (plan_block_build(&b, request->remap->ctx) && packed > 1)
		plan_block_require_bytes(&b);
	if (b.ok && b.possible && b.block->loop_count) {
		*found = b.block;
		return true;
	}
	plan_block_free(b.block);
	return b.ok;
}

/* Parts of bytes: bytes of them where that is possible. */
static bool find_parts(struct plan_block **found, const struct tile_request *request,
	const struct factors *factors)
{
	unsigned bits = request->bits[FACTOR_LOAD];
	struct index *made[FACTOR_SIDES * FACTOR_DIGITS] = { NULL }, *whole = NULL;
	struct factors bytes;
	bool ok = true;

	if (8 % bits || !conversion_is_copy(&request->remap->conversion))
		return true;
	if (plan_block_use_bytes(&bytes, factors, 8 / bits, made, &whole, &ok)) {
		for (unsigned i = 0; i < FACTOR_SIDES * bytes.digit_count; i++)
			ok = ok && bytes.digits[i / FACTOR_SIDES].weight[i % FACTOR_SIDES];
		ok = ok && find(found, request, &bytes, 8 / bits, 1);
	}
	for (unsigned i = 0; i < FACTOR_SIDES * factors->digit_count; i++)
		index_free(made[i]);
	if (*found)
		(*found)->whole = whole;
	else
		index_free(whole);
	return ok && (*found || find(found, request, factors, 1, 8 / bits));
}

bool plan_block_find(struct plan_block **found, const struct tile_request *request)
{
	struct factor_input input = { request->remap,
		{ request->source, request->destination }, request->low, false };
	struct factors factors;
	bool possible, ok;

	*found = NULL;
	ok = factors_build(&factors, &input, &possible);
	if (ok && possible)
		ok = request->bits[FACTOR_LOAD] % 8 || request->bits[FACTOR_STORE] % 8 ?
			find_parts(found, request, &factors) :
			find(found, request, &factors, 1, 1);
	factors_free(&factors);
	if (!ok && layout_context_error(request->remap->ctx) == LAYOUT_ERROR_NONE)
		layout_fail(request->remap->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
	return ok;
}

static void piece_free(struct block_piece *piece)
{
	index_free(piece->weight[FACTOR_LOAD]);
	index_free(piece->weight[FACTOR_STORE]);
}

void plan_block_free(struct plan_block *block)
{
	if (!block)
		return;
	for (unsigned d = 0; d < block->dim_count; d++) {
		index_free(block->dims[d].low);
		index_free(block->dims[d].high);
		index_free(block->dims[d].end);
		for (unsigned side = 0; side < FACTOR_SIDES; side++)
			index_free(block->dims[d].pitch[side]);
	}
	for (unsigned i = 0; i < block->piece_count; i++)
		piece_free(&block->pieces[i]);
	for (unsigned i = 0; i < block->loop_count; i++) {
		piece_free(&block->loops[i].piece);
		index_free(block->loops[i].count);
	}
	index_free(block->before);
	index_free(block->whole);
	free(block->dims);
	free(block);
}
