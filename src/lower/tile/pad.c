/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pad values in vectors that were loaded across an edge of the source. */
#include "lower/branch.h"
#include "lower/tile/path_parts.h"
#include "isl_bridge/index_sum.h"

#include <string.h>

/* The elements "at" of a vector with from <= at < to are inside; NULL: no such limit.  "from" is
 * at most "first", and "to" at least "least". */
struct kept {
	LLVMValueRef from, to;
	int64_t first, least;
};

static LLVMTypeRef int_type(const struct way *way, unsigned bits)
{
	return LLVMIntTypeInContext(LLVMGetBuilderContext(builder_of(way)), bits);
}

/* The dims in which the source ends and the destination does not. */
static uint64_t padded_dims(const struct way *way)
{
	const struct plan_tile *tile = plan_of(way)->tile;
	uint64_t dims = 0;

	for (unsigned d = 0; d < tile->dim_count; d++) {
		const struct tile_dim *dim = &tile->dims[d];

		if (dim->low->op != INDEX_INT || dim->low->value ||
		    !index_equal(dim->high, dim->end))
			dims |= UINT64_C(1) << d;
	}
	return dims & way->load.bounds.ragged;
}

bool way_line(const struct way *way, const struct way_side *side,
	const struct block_side *vectors, unsigned i, unsigned *dim, int64_t *step)
{
	uint64_t dims = form_dims(way->path->form, side->chain);
	struct address_digits digits = { { 0 }, { NULL } }, least = digits, most = digits;
	int64_t first;

	if (!dims || dims & (dims - 1))
		return false;
	*dim = (unsigned)__builtin_ctzll(dims);
	*step = 0;
	block_digits(&way->block, vectors->starts[i], &digits);
	first = way_place(way, &digits, *dim);
	for (unsigned at = 1; at < vectors->vector; at++) {
		block_digits(&way->block, block_element(&way->block, vectors,
			i * vectors->vector + at), &digits);
		if (at == 1)
			*step = way_place(way, &digits, *dim) - first;
		if (way_place(way, &digits, *dim) - first != *step * (int64_t)at)
			return false;
	}
	block_span(&way->block, vectors, i, &least, &most);
	return (*step == 1 || *step == -1) && way_place(way, &most, *dim) -
		way_place(way, &least, *dim) == (int64_t)vectors->vector - 1;
}

/* Along the line, which goes backwards with a step of -1. */
static struct kept kept_along(const struct way *way, unsigned dim, int64_t step,
	const struct address_digits *digits)
{
	LLVMValueRef first = bounds_distance(&way->load.bounds, dim, false, digits);
	LLVMValueRef last = bounds_distance(&way->load.bounds, dim, true, digits);
	LLVMBuilderRef builder = builder_of(way);

	if (step == 1)
		return (struct kept){ first, last, plan_of(way)->tile->dims[dim].low->max, 0 };
	return (struct kept){ LLVMBuildSub(builder, small(way, 1), last, "from"),
		first ? LLVMBuildSub(builder, small(way, 1), first, "to") : NULL,
		way->block.load.vector, 0 };
}

/* What is kept of the elements of vector i; digits are those of the first. */
static struct kept find_kept(const struct way *way, unsigned dim, int64_t step,
	uint64_t others, const struct address_digits *digits)
{
	struct bounds beside = bounds_in(&way->load, others & ~(UINT64_C(1) << dim));
	struct kept kept = { NULL, NULL, 0, 0 };
	LLVMValueRef inside = bounds_inside(&beside, digits);

	if (padded_dims(way) >> dim & 1)
		kept = kept_along(way, dim, step, digits);
	if (inside)
		kept.to = LLVMBuildSelect(builder_of(way), inside, kept.to ? kept.to :
			small(way, way->block.load.vector), small(way, 0), "to");
	return kept;
}

static LLVMValueRef compare(const struct way *way, LLVMIntPredicate predicate, unsigned at,
	LLVMValueRef limit)
{
	return LLVMBuildICmp(builder_of(way), predicate, limit, small(way, at), "kept");
}

/* Elements of words: one after the other. */
static LLVMValueRef pad_elements(const struct way *way, const struct kept *kept,
	LLVMValueRef value)
{
	LLVMBuilderRef builder = builder_of(way);
	unsigned count = way->block.load.vector;
	LLVMTypeRef type = lane_vector(way, way->path->form->store.bits, count);
	LLVMValueRef elements = LLVMBuildBitCast(builder, value, type, "elements");
	LLVMValueRef pad = LLVMConstInt(LLVMGetElementType(type), plan_of(way)->pad_bits, false);

	for (unsigned at = 0; at < count; at++) {
		LLVMValueRef element = LLVMBuildExtractElement(builder, elements,
			small(way, at), "element");

		if (kept->to && at >= kept->least)
			element = LLVMBuildSelect(builder, compare(way, LLVMIntSGT, at,
				kept->to), element, pad, "padded");
		if (kept->from && at < kept->first)
			element = LLVMBuildSelect(builder, compare(way, LLVMIntSLE, at,
				kept->from), element, pad, "padded");
		elements = LLVMBuildInsertElement(builder, elements, element,
			small(way, at), "elements");
	}
	return LLVMBuildBitCast(builder, elements, LLVMTypeOf(value), "padded");
}

/* The bits of word k that are before element "limit", which is the same for a wave where "alike"
 * says so: LLVM would have the vector unit clamp it all the same. */
static LLVMValueRef bits_before(const struct way *way, LLVMValueRef limit, bool alike, unsigned k)
{
	LLVMBuilderRef builder = builder_of(way);
	LLVMTypeRef i64 = int_type(way, 64);
	LLVMValueRef rest = LLVMBuildSub(builder, small(way, 32 + 32 * (int64_t)k),
		LLVMBuildMul(builder, limit, small(way, way->path->form->store.bits), "bits"),
		"rest");

	rest = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntSGT, rest,
		small(way, 0), "some"), rest, small(way, 0), "rest");
	if (alike)
		rest = way->path->iteration->kernel->hooks->pin(builder, rest);
	rest = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntSLT, rest,
		small(way, 32), "less"), rest, small(way, 32), "rest");
	rest = LLVMBuildLShr(builder, LLVMConstInt(i64, UINT32_MAX, false),
		LLVMBuildZExt(builder, rest, i64, "rest"), "before");
	return LLVMBuildTrunc(builder, rest, int_type(way, 32), "before");
}

/* The pad value as often as a word holds it. */
static LLVMValueRef pad_word(const struct way *way)
{
	unsigned bits = way->path->form->store.bits;
	uint32_t word = 0;

	for (unsigned at = 0; at < 32; at += bits)
		word |= (uint32_t)plan_of(way)->pad_bits << at;
	return LLVMConstInt(int_type(way, 32), word, false);
}

/* The bits of word k that are kept. */
static LLVMValueRef find_mask(const struct way *way, const struct kept *kept, bool alike, unsigned k)
{
	LLVMBuilderRef builder = builder_of(way);
	LLVMValueRef mask = small(way, -1);

	if (kept->to)
		mask = LLVMBuildAnd(builder, mask, bits_before(way, kept->to, alike, k), "kept");
	if (kept->from && k * 32 / way->path->form->store.bits < kept->first)
		mask = LLVMBuildAnd(builder, mask, LLVMBuildNot(builder,
			bits_before(way, kept->from, alike, k), "behind"), "kept");
	return mask;
}

static LLVMValueRef mask_word(const struct way *way, LLVMValueRef mask, LLVMValueRef word)
{
	LLVMBuilderRef builder = builder_of(way);

	word = LLVMBuildAnd(builder, word, mask, "kept");
	return LLVMBuildOr(builder, word, LLVMBuildAnd(builder, pad_word(way),
		LLVMBuildNot(builder, mask, "outside"), "pad"), "padded");
}

/* Word k of a vector, which may be less than a word. */
static LLVMValueRef pad_word_of(const struct way *way, LLVMValueRef mask, unsigned k,
	LLVMValueRef value)
{
	LLVMBuilderRef builder = builder_of(way);
	LLVMTypeRef type = LLVMTypeOf(value);

	if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
		return LLVMBuildTrunc(builder, mask_word(way, mask, LLVMBuildZExt(builder, value,
			int_type(way, 32), "word")), type, "padded");
	return LLVMBuildInsertElement(builder, value, mask_word(way, mask,
		LLVMBuildExtractElement(builder, value, small(way, k), "word")), small(way, k),
		"padded");
}

/* Parts of words, by masks. */
static void pad_words(const struct way *way, const struct kept *kept, bool alike,
	LLVMValueRef *values, unsigned count)
{
	unsigned bits = way->block.load.vector * way->path->form->store.bits;

	for (unsigned k = 0; k == 0 || 32 * k < bits; k++) {
		LLVMValueRef mask = find_mask(way, kept, alike, k);

		for (unsigned i = 0; i < count; i++)
			values[i] = pad_word_of(way, mask, k, values[i]);
	}
}

/* Does an edge cross all vectors of the line along "dim" alike, and are those that lie outside 0
 * already? */
static bool crosses_alike(const struct way *way, unsigned dim, uint64_t others)
{
	unsigned line;

	return loads_padding(way) && !(others & ~(UINT64_C(1) << dim)) &&
		way_crosses_alike(way, &way->load, &way->block.load, &line) && line == dim;
}

/* Where an edge crosses vectors that it crosses alike: the same value for a wave; 0 where it
 * crosses none. */
static LLVMValueRef crossing(const struct way *way, LLVMValueRef edge)
{
	return LLVMBuildURem(builder_of(way), edge, small(way, way->block.load.vector),
		"crossing");
}

/* Elements of words in vectors of which all lanes keep the same: those that have to be, one after
 * the other. */
static void pad_alike(struct way *way, const struct kept *kept, LLVMValueRef *values, unsigned count)
{
	LLVMBuilderRef builder = builder_of(way);
	LLVMTypeRef type = lane_vector(way, way->path->form->store.bits, way->block.load.vector);
	LLVMValueRef pad = LLVMConstInt(LLVMGetElementType(type), plan_of(way)->pad_bits, false);

	for (unsigned i = 0; i < way->block.load.vector; i++) {
		unsigned at = kept->to ? way->block.load.vector - 1 - i : i;
		struct branch branch;

		if (kept->to ? at < kept->least : at >= kept->first)
			break;
		branch = branch_open(way->path->iteration, kept->to ?
			compare(way, LLVMIntSLE, at, kept->to) :
			compare(way, LLVMIntSGT, at, kept->from), "outside");
		for (unsigned k = 0; k < count; k++) {
			way->alike[k] = values[k];
			values[k] = LLVMBuildBitCast(builder, LLVMBuildInsertElement(builder,
				LLVMBuildBitCast(builder, values[k], type, "elements"), pad,
				small(way, at), "elements"), LLVMTypeOf(values[k]), "padded");
		}
		branch_values(way->path->iteration, &branch, values, way->alike, count);
	}
}

/* The vectors from "first" on, "count" of them, on lines of which the same is kept: those that
 * the edges do not cross, here or in other lanes, stay as they are.  "ends" are that of the last
 * and that of the first elements. */
static void pad_lines(struct way *way, const struct kept *kept, const struct kept ends[2],
	bool alike, unsigned first, unsigned count)
{
	bool words = way->path->form->store.bits >= 32;
	LLVMValueRef *values = &way->values[first], *before = &way->parts[first];
	LLVMBuilderRef builder = builder_of(way);

	for (unsigned i = 0; i < 2; i++) {
		LLVMValueRef crosses;
		struct branch branch;

		if (!ends[i].from && !ends[i].to)
			continue;
		crosses = ends[i].to ? LLVMBuildICmp(builder, LLVMIntSLT, kept->to,
			small(way, way->block.load.vector), "ends") :
			LLVMBuildICmp(builder, LLVMIntSGT, kept->from, small(way, 0),
				"begins");
		branch = branch_open(way->path->iteration, crosses, "crosses");
		memcpy(before, values, count * sizeof(*before));
		if (!words)
			pad_words(way, &ends[i], alike, values, count);
		else if (alike)
			pad_alike(way, &ends[i], values, count);
		for (unsigned k = 0; words && !alike && k < count; k++)
			values[k] = pad_elements(way, &ends[i], values[k]);
		branch_values(way->path->iteration, &branch, values, before, count);
	}
}

/* The same; "alike", where edges cross all vectors alike: the bounds that say where. */
static void pad_ends(struct way *way, const struct kept *kept, const struct bounds *alike,
	unsigned dim, unsigned first, unsigned count)
{
	struct kept ends[] = { { NULL, kept->to, 0, 0 }, { kept->from, NULL, kept->first, 0 } };

	if (alike && kept->to)
		ends[0] = (struct kept){ NULL, crossing(way, alike->last[dim]), 0, 1 };
	if (alike && kept->from)
		ends[1].from = crossing(way, alike->first[dim]);
	pad_lines(way, kept, ends, alike, first, count);
}

/* Elements that are on no line, each where it is. */
static LLVMValueRef pad_apart(const struct way *way, unsigned i,
	struct address_digits *digits, LLVMValueRef value)
{
	const struct block_side *vectors = &way->block.load;
	struct bounds bounds = bounds_in(&way->load, padded_dims(way));
	LLVMBuilderRef builder = builder_of(way);
	LLVMTypeRef type = lane_vector(way, way->path->form->store.bits, vectors->vector);
	LLVMValueRef pad = LLVMConstInt(LLVMGetElementType(type), plan_of(way)->pad_bits,
		false), elements = LLVMBuildBitCast(builder, value, type, "elements");

	for (unsigned at = 0; at < vectors->vector; at++) {
		LLVMValueRef element;

		block_digits(&way->block, block_element(&way->block, vectors,
			i * vectors->vector + at), digits);
		element = LLVMBuildExtractElement(builder, elements, small(way, at), "element");
		element = LLVMBuildSelect(builder, bounds_inside(&bounds, digits), element,
			pad, "padded");
		elements = LLVMBuildInsertElement(builder, elements, element,
			small(way, at), "elements");
	}
	return LLVMBuildBitCast(builder, elements, LLVMTypeOf(value), "padded");
}

/* The dims that vectors are padded in: one that is outside as a whole was loaded as 0, which
 * may be what it is padded with. */
static uint64_t dims_to_pad(const struct way *way)
{
	uint64_t dims = padded_dims(way);

	return !loads_padding(way) ? dims :
		dims & form_dims(way->path->form, way->load.chain);
}

/* Do vectors i and k lie beside each other, so that the edges cross both alike? */
static bool is_beside(const struct way *way, unsigned i, unsigned k, uint64_t dims)
{
	const struct block_side *vectors = &way->block.load;
	struct address_digits a = { { 0 }, { NULL } }, b = a;
	int64_t steps[2];
	unsigned along[2];
	bool same;

	if (!way_line(way, &way->load, vectors, i, &along[0], &steps[0]) ||
	    !way_line(way, &way->load, vectors, k, &along[1], &steps[1]))
		return false;
	block_digits(&way->block, vectors->starts[i], &a);
	block_digits(&way->block, vectors->starts[k], &b);
	same = along[0] == along[1] && steps[0] == steps[1];
	for (; same && dims; dims &= dims - 1) {
		unsigned d = (unsigned)__builtin_ctzll(dims);

		same = way_place(way, &a, d) == way_place(way, &b, d);
	}
	return same;
}

/* The vectors from "first" on, "count" of them, which lie beside each other. */
static void pad_beside(struct way *way, unsigned first, unsigned count, uint64_t dims,
	struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	LLVMValueRef *values = &way->values[first], *before = &way->stored[first], holds;
	struct address_digits least = *digits, most = *digits;
	struct bounds bounds = bounds_in(&way->load, dims);
	struct branch branch;
	struct kept kept;
	int64_t step = 0;
	unsigned dim;

	block_span(&way->block, &way->block.load, first, &least, &most);
	holds = bounds_hold_wave(&bounds, &least, &most);
	if (!holds)
		return;
	memcpy(before, values, count * sizeof(*before));
	branch = branch_open(iteration, LLVMBuildNot(builder_of(way), holds, "crosses"),
		"crosses");
	if (way_line(way, &way->load, &way->block.load, first, &dim, &step)) {
		block_digits(&way->block, way->block.load.starts[first], digits);
		kept = find_kept(way, dim, step, dims, digits);
		pad_ends(way, &kept, crosses_alike(way, dim, dims) ? &bounds : NULL,
			dim, first, count);
	} else {
		values[0] = pad_apart(way, first, digits, values[0]);
	}
	branch_values(iteration, &branch, values, before, count);
}

void pad_vectors(struct way *way, struct address_digits *digits)
{
	uint64_t dims = dims_to_pad(way);
	unsigned count = way->block.load.count, end;

	for (unsigned i = 0; i < count; i = end) {
		end = i + 1;
		while (end < count && is_beside(way, i, end, dims))
			end++;
		pad_beside(way, i, end - i, dims, digits);
	}
}
