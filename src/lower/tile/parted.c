/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/branch.h"
#include "lower/tile/permute.h"
#include "kernel/gather.h"
#include "lower/tile/path_parts.h"

#include <string.h>

/* Fewer times, lanes look at vectors one by one. */
#define FEW_LOOKS 2

/* More vectors are not stored together. */
enum { ALIKE_VECTORS = 32 };

int64_t way_place(const struct way *way, const struct address_digits *digits, unsigned d)
{
	const struct tile_form *form = way->path->form;
	int64_t sum = 0;

	for (unsigned i = 0; i < form->digit_count; i++)
		if (!form->digits[i].lane && form->digits[i].digit.dim == d)
			sum += digits->constant[i] * form->digits[i].digit.step;
	return sum;
}

/* How lanes look whether vectors are inside: "all" of each, or any of it.  In the dims "apart"
 * these lie apart, and lanes look at each of them, unless all of a wave are inside there, as
 * "holds" says; in the others, "beside", they look once.  Where no dim is apart, all are. */
struct look {
	const struct way_side *side;
	const struct block_side *vectors;
	bool all;
	uint64_t apart;
	LLVMValueRef beside, holds;
};

/* Do two vectors begin and end at the same place in a dim? */
static bool is_alike(const struct way *way, const struct block_side *vectors, unsigned i, unsigned k,
	unsigned d)
{
	struct address_digits least[2] = { { { 0 }, { NULL } } }, most[2] = { { { 0 }, { NULL } } };

	block_span(&way->block, vectors, i, &least[0], &most[0]);
	block_span(&way->block, vectors, k, &least[1], &most[1]);
	return way_place(way, &least[0], d) == way_place(way, &least[1], d) &&
		way_place(way, &most[0], d) == way_place(way, &most[1], d);
}

/* None where lanes look so few times at what they look at once that way, or a mask costs them
 * nothing. */
static uint64_t dims_apart(const struct way *way, const struct way_side *side,
	const struct block_side *vectors)
{
	unsigned looks = 0;
	uint64_t apart = 0;

	if (!way_has_buffers(way))
		return 0;
	for (uint64_t dims = side->bounds.ragged; dims; dims &= dims - 1) {
		unsigned d = (unsigned)__builtin_ctzll(dims), i = 1;

		while (i < vectors->count && is_alike(way, vectors, 0, i, d))
			i++;
		if (i >= vectors->count)
			continue;
		apart |= dims & -dims;
		looks += (vectors->count - 1) * (side->bounds.first[d] ? 2 : 1);
	}
	return looks < FEW_LOOKS ? 0 : apart;
}

/* Vector i in some dims. */
static LLVMValueRef look_in(const struct way *way, const struct look *look, unsigned i,
	uint64_t dims, const struct address_digits *digits)
{
	struct address_digits least = *digits, most = *digits;
	struct bounds bounds = bounds_in(look->side, dims);

	block_span(&way->block, look->vectors, i, &least, &most);
	return (look->all ? bounds_all_inside : bounds_some_inside)(&bounds, &least, &most);
}

static struct look look_open(const struct way *way, const struct way_side *side,
	const struct block_side *vectors, const struct address_digits *digits, bool all)
{
	struct look look = { side, vectors, all, dims_apart(way, side, vectors), NULL, NULL };
	struct address_digits least = *digits, most = *digits;
	struct bounds bounds = bounds_in(side, look.apart);

	if (!look.apart)
		return look;
	block_digits(&way->block, 0, &least);
	block_digits(&way->block, way->block.count - 1, &most);
	look.holds = bounds_hold_wave(&bounds, &least, &most);
	look.beside = look_in(way, &look, 0, ~look.apart, digits);
	return look;
}

static LLVMValueRef look_at(const struct way *way, const struct look *look, unsigned i,
	const struct address_digits *digits)
{
	LLVMValueRef inside = look_in(way, look, i, look->apart ? look->apart : UINT64_MAX,
		digits);

	return look->beside ? LLVMBuildAnd(builder_of(way), look->beside, inside, "inside") :
		inside;
}

/* Do all digits of the dim but those of the vectors count multiples of their elements? */
static bool is_multiple(const struct way *way, const struct way_side *side,
	const struct block_side *vectors, unsigned d)
{
	const struct tile_form *form = way->path->form;

	for (unsigned i = 0; i < form->digit_count; i++)
		if (form->digits[i].digit.dim == d && form->digits[i].digit.step % vectors->vector &&
		    (form->digits[i].lane || !(side->chain >> i & 1)))
			return false;
	return true;
}

bool way_crosses_alike(const struct way *way, const struct way_side *side,
	const struct block_side *vectors, unsigned *dim)
{
	for (unsigned i = 0; i < vectors->count; i++) {
		struct address_digits digits = { { 0 }, { NULL } };
		int64_t step;

		if (!way_line(way, side, vectors, i, dim, &step) || step != 1)
			return false;
		block_digits(&way->block, vectors->starts[i], &digits);
		if (way_place(way, &digits, *dim) % vectors->vector)
			return false;
	}
	return way_has_buffers(way) && is_multiple(way, side, vectors, *dim);
}

LLVMValueRef way_reach(const struct way *way, const struct way_side *side,
	const struct block_side *vectors, unsigned i, const struct address_digits *digits)
{
	struct address_digits least = *digits, most = *digits;

	block_span(&way->block, vectors, i, &least, &most);
	return bounds_some_inside(&side->bounds, &least, &most);
}

/* Which vectors does the edge cross?  "parts" have been those it does not; returned is
 * whether it crosses any. */
static LLVMValueRef find_parts(struct way *way, const struct way_side *side,
	const struct block_side *vectors, const struct address_digits *digits)
{
	LLVMBuilderRef builder = builder_of(way);
	LLVMValueRef any = NULL;

	for (unsigned i = 0; i < vectors->count; i++) {
		way->parts[i] = LLVMBuildXor(builder, way->parts[i],
			way_reach(way, side, vectors, i, digits), "part");
		any = any ? LLVMBuildOr(builder, any, way->parts[i], "parted") :
			way->parts[i];
	}
	return any;
}

/* Vector i's element "at": where it is inside and the edge crosses the vector. */
static LLVMValueRef mask_element(const struct way *way, const struct way_side *side,
	const struct block_side *vectors, unsigned i, unsigned at,
	struct address_digits *digits)
{
	block_digits(&way->block, block_element(&way->block, vectors,
		i * vectors->vector + at), digits);
	return LLVMBuildAnd(builder_of(way), bounds_inside(&side->bounds, digits),
		way->parts[i], "inside");
}

/* A vector of which nothing is loaded yet where the edge crosses it. */
static LLVMValueRef load_elements(struct way *way, unsigned i,
	struct address_digits *digits, LLVMValueRef value)
{
	const struct block_side *vectors = &way->block.load;
	const struct form_side *form = &way->path->form->load;
	LLVMBuilderRef builder = builder_of(way);
	LLVMTypeRef type = lane_vector(way, form->bits, vectors->vector);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder));
	LLVMValueRef elements = LLVMConstNull(type);

	for (unsigned at = 0; at < vectors->vector; at++) {
		LLVMValueRef inside = mask_element(way, &way->load, vectors, i, at,
			digits), element;

		element = access_load(&way->load.access, digits, form->bits / 8, inside, NULL);
		if (LLVMTypeOf(element) != LLVMGetElementType(type))
			element = LLVMBuildBitCast(builder, element,
				LLVMGetElementType(type), "element");
		elements = LLVMBuildInsertElement(builder, elements, element,
			LLVMConstInt(i32, at, false), "elements");
	}
	return LLVMBuildOr(builder, value, LLVMBuildBitCast(builder, elements,
		LLVMTypeOf(value), "vector"), "loaded");
}

/* The first elements of a vector, fewer than it has, go a half, a quarter and so on, by the
 * last bits of their number: those that are in "half", whether there are any, and the bytes behind
 * them. */
struct half {
	LLVMValueRef has, inside, behind;
};

static struct half half_of(const struct way *way, unsigned i, LLVMValueRef number,
	unsigned half, unsigned bits, LLVMValueRef behind)
{
	LLVMBuilderRef builder = builder_of(way);
	LLVMTypeRef type = LLVMTypeOf(number);
	LLVMValueRef count = LLVMBuildAnd(builder, number, LLVMConstInt(type, half, false),
		"half"), bytes;
	struct half of;

	of.has = LLVMBuildICmp(builder, LLVMIntNE, count, LLVMConstNull(type), "has");
	of.inside = LLVMBuildAnd(builder, of.has, way->parts[i], "inside");
	bytes = LLVMBuildMul(builder, count, LLVMConstInt(type, bits / 8, false), "bytes");
	of.behind = behind ? LLVMBuildAdd(builder, behind, bytes, "behind") : bytes;
	return of;
}

/* The first "number" of 2 * half elements, as one integer; 0 follows. */
static LLVMValueRef load_first(const struct way *way, unsigned i,
	const struct address_digits *digits, unsigned half, LLVMValueRef number,
	LLVMValueRef behind)
{
	unsigned bits = way->path->form->load.bits;
	LLVMBuilderRef builder = builder_of(way);
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);
	LLVMTypeRef part = LLVMIntTypeInContext(llvm, half * bits);
	LLVMTypeRef type = LLVMIntTypeInContext(llvm, 2 * half * bits);
	struct half of = half_of(way, i, number, half, bits, behind);
	LLVMValueRef low = LLVMBuildZExt(builder, LLVMBuildBitCast(builder, access_load(
		&way->load.access, digits, half * bits / 8, of.inside, behind), part, "half"),
		type, "low"), rest, both;

	if (half == 1)
		return low;
	rest = LLVMBuildZExt(builder, load_first(way, i, digits, half / 2, number, of.behind),
		type, "rest");
	both = LLVMBuildOr(builder, low, LLVMBuildShl(builder, rest, LLVMConstInt(type,
		half * bits, false), "high"), "both");
	return LLVMBuildSelect(builder, of.has, both, rest, "first");
}

/* A vector of which nothing is loaded yet where the edge crosses it. */
static LLVMValueRef load_part(struct way *way, unsigned i, struct address_digits *digits,
	LLVMValueRef value)
{
	const struct block_side *vectors = &way->block.load;
	LLVMBuilderRef builder = builder_of(way);
	LLVMValueRef first, number;
	int64_t step;
	unsigned dim;

	if (way->path->form->load.side->step != 1 ||
	    !way_line(way, &way->load, vectors, i, &dim, &step) || step != 1 ||
	    bounds_distance(&way->load.bounds, dim, false, digits))
		return load_elements(way, i, digits, value);
	block_digits(&way->block, vectors->starts[i], digits);
	number = way_crosses_alike(way, &way->load, vectors, &dim) ? way->load.bounds.last[dim] :
		bounds_distance(&way->load.bounds, dim, true, digits);
	first = load_first(way, i, digits, vectors->vector / 2, number, NULL);
	return LLVMBuildOr(builder, value, LLVMBuildBitCast(builder, first,
		LLVMTypeOf(value), "vector"), "loaded");
}

/* Complete the vectors that are not loaded yet, those of "parts", which then are what they
 * become. */
static void load_parts(struct way *way, struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	const struct block_side *vectors = &way->block.load;
	LLVMBuilderRef builder = builder_of(way);
	struct branch parted;
	LLVMValueRef any = way->parts[0];

	for (unsigned i = 1; i < vectors->count; i++)
		any = LLVMBuildOr(builder, any, way->parts[i], "parted");
	parted = branch_open(iteration, any, "parted");
	for (unsigned i = 0; i < vectors->count; i++)
		way->parts[i] = load_part(way, i, digits, way->values[i]);
	branch_values(iteration, &parted, way->parts, way->values, vectors->count);
	for (unsigned i = 0; i < vectors->count; i++)
		way->values[i] = way->parts[i];
}

/* Does the edge cross the vectors, in the dims in which it may?  NULL where these lie apart there:
 * lanes would look at each of them. */
static LLVMValueRef are_crossed(const struct way *way, const struct address_digits *digits)
{
	struct bounds bounds = bounds_in(&way->load, form_dims(way->path->form, way->load.chain));
	const struct block_side *vectors = &way->block.load;
	struct address_digits least = *digits, most = *digits;

	for (uint64_t dims = bounds.ragged; dims; dims &= dims - 1)
		for (unsigned i = 1; i < vectors->count; i++)
			if (!is_alike(way, vectors, 0, i, (unsigned)__builtin_ctzll(dims)))
				return NULL;
	block_span(&way->block, vectors, 0, &least, &most);
	return bounds.ragged ? LLVMBuildXor(builder_of(way), bounds_some_inside(&bounds, &least,
		&most), bounds_all_inside(&bounds, &least, &most), "crossed") : NULL;
}

/* Which vectors exist, in "parts".  What is inside does: lanes look only where the tile may reach
 * beyond the source's ends, which few do, and where the edge crosses vectors. */
static void find_existing(struct way *way, struct address_digits *digits, unsigned bytes)
{
	const struct iteration *iteration = way->path->iteration;
	const struct block_side *vectors = &way->block.load;
	LLVMBuilderRef builder = builder_of(way);
	LLVMValueRef *all = way->stored, crossed;
	struct branch ends, branch;

	for (unsigned i = 0; i < vectors->count; i++)
		way->parts[i] = all[i] = LLVMConstInt(LLVMInt1TypeInContext(
			LLVMGetBuilderContext(builder)), 1, false);
	ends = branch_open(iteration, LLVMBuildAnd(builder, LLVMBuildNot(builder,
		access_all_exist(&way->load.access, bytes), "ends"),
		bounds_part(&way->load.bounds, way->load.chain), "ends"), "ends");
	crossed = are_crossed(way, digits);
	if (crossed)
		branch = branch_open(iteration, crossed, "crossed");
	for (unsigned i = 0; i < vectors->count; i++) {
		block_digits(&way->block, vectors->starts[i], digits);
		way->parts[i] = access_exists(&way->load.access, digits, bytes);
	}
	if (crossed)
		branch_values(iteration, &branch, way->parts, all, vectors->count);
	branch_values(iteration, &ends, way->parts, all, vectors->count);
}

/* A vector is loaded where any of it is inside: what else it holds is not looked at, but it
 * has to exist. */
static void load_reached(struct way *way, struct address_digits *digits, unsigned bytes,
	const struct look *look)
{
	const struct block_side *vectors = &way->block.load;
	LLVMBuilderRef builder = builder_of(way);

	find_existing(way, digits, bytes);
	for (unsigned i = 0; i < vectors->count; i++) {
		LLVMValueRef reached = look_at(way, look, i, digits), whole;

		block_digits(&way->block, vectors->starts[i], digits);
		whole = LLVMBuildAnd(builder, reached, way->parts[i], "whole");
		way->parts[i] = LLVMBuildXor(builder, reached, whole, "part");
		way->values[i] = way_load(way, digits, whole);
	}
	load_parts(way, digits);
}

/* The same where all exist, and are inside in the dims in which they lie apart. */
static void load_alike(struct way *way, struct address_digits *digits, const struct look *look)
{
	const struct block_side *vectors = &way->block.load;

	for (unsigned i = 0; i < vectors->count; i++) {
		block_digits(&way->block, vectors->starts[i], digits);
		way->alike[i] = way_load(way, digits, look->beside);
	}
}

void parted_load(struct way *way, struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	const struct block_side *vectors = &way->block.load;
	unsigned bytes = form_bytes(&way->path->form->load,
		gather_span(vectors->vector, way->path->form->load.side->step));
	struct look look = look_open(way, &way->load, vectors, digits, false);
	struct branch branch;

	if (look.apart) {
		branch = branch_open(iteration, LLVMBuildAnd(builder_of(way), look.holds,
			access_all_exist(&way->load.access, bytes), "alike"), "alike");
		load_alike(way, digits, &look);
		branch_otherwise(iteration, &branch);
	}
	load_reached(way, digits, bytes, &look);
	if (look.apart)
		branch_values(iteration, &branch, way->values, way->alike, vectors->count);
	for (unsigned i = 0; i < vectors->count; i++)
		way->values[i] = way_convert(way, way->values[i]);
	pad_vectors(way, digits);
}

static void store_elements(struct way *way, unsigned i, struct address_digits *digits,
	LLVMValueRef value)
{
	const struct block_side *vectors = &way->block.store;
	const struct form_side *form = &way->path->form->store;
	LLVMBuilderRef builder = builder_of(way);
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(llvm);
	LLVMValueRef elements = LLVMBuildBitCast(builder, value, lane_vector(way,
		form->bits, vectors->vector), "elements");

	for (unsigned at = 0; at < vectors->vector; at++) {
		LLVMValueRef inside = mask_element(way, &way->store, vectors, i, at,
			digits), element = LLVMBuildExtractElement(builder, elements,
			LLVMConstInt(i32, at, false), "element");

		element = LLVMBuildBitCast(builder, element,
			permute_type(llvm, form->bits / 8), "element");
		access_store(&way->store.access, digits, form->bits / 8, element, inside,
			NULL);
	}
}

/* The first "number" elements of a vector, fewer than it has. */
static void store_first(struct way *way, unsigned i, const struct address_digits *digits,
	LLVMValueRef value, LLVMValueRef number)
{
	LLVMBuilderRef builder = builder_of(way);
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);
	unsigned count = way->block.store.vector, bits = way->path->form->store.bits;
	LLVMValueRef behind = NULL;

	value = LLVMBuildBitCast(builder, value, LLVMIntTypeInContext(llvm, count * bits),
		"rest");
	for (unsigned half = count / 2; half; half /= 2) {
		LLVMTypeRef part = LLVMIntTypeInContext(llvm, half * bits);
		struct half of = half_of(way, i, number, half, bits, behind);
		LLVMValueRef low = LLVMBuildTrunc(builder, value, part, "low"), high;

		high = LLVMBuildTrunc(builder, LLVMBuildLShr(builder, value, LLVMConstInt(
			LLVMTypeOf(value), half * bits, false), "rest"), part, "high");
		access_store(&way->store.access, digits, half * bits / 8, LLVMBuildBitCast(
			builder, low, permute_type(llvm, half * bits / 8), "half"),
			of.inside, behind);
		value = LLVMBuildSelect(builder, of.has, high, low, "rest");
		behind = of.behind;
	}
}

/* Half of the elements of "rest", from element "at" on. */
static LLVMValueRef half_from(const struct way *way, LLVMValueRef rest, unsigned half, unsigned at)
{
	unsigned bits = way->path->form->store.bits;
	LLVMBuilderRef builder = builder_of(way);
	LLVMContextRef llvm = LLVMGetBuilderContext(builder);

	rest = LLVMBuildBitCast(builder, rest, LLVMIntTypeInContext(llvm, 2 * half * bits),
		"rest");
	rest = LLVMBuildLShr(builder, rest, LLVMConstInt(LLVMTypeOf(rest), at * bits, false),
		"rest");
	return LLVMBuildBitCast(builder, LLVMBuildTrunc(builder, rest, LLVMIntTypeInContext(llvm,
		half * bits), "part"), permute_type(llvm, half * bits / 8), "half");
}

/* What is left of the vectors of "parts", which the edge crosses alike: "rest" are 2 * half elements
 * of each, "behind" bytes from its begin, of which the last bits of "number" say how many go. */
struct rest {
	LLVMValueRef number, behind;
	unsigned half;
	LLVMValueRef values[ALIKE_VECTORS];
};

static LLVMValueRef has_half(const struct way *way, const struct rest *rest)
{
	LLVMBuilderRef builder = builder_of(way);

	return LLVMBuildICmp(builder, LLVMIntNE, LLVMBuildAnd(builder, rest->number,
		small(way, rest->half), "half"), small(way, 0), "has");
}

/* The first half goes. */
static void store_half(struct way *way, const struct rest *rest, struct address_digits *digits)
{
	const struct block_side *vectors = &way->block.store;

	for (unsigned i = 0; i < vectors->count; i++) {
		block_digits(&way->block, vectors->starts[i], digits);
		access_store(&way->store.access, digits, rest->half *
			way->path->form->store.bits / 8, half_from(way, rest->values[i],
			rest->half, 0), way->parts[i], rest->behind);
	}
}

/* The second half is left, or the first one. */
static struct rest rest_of(const struct way *way, const struct rest *rest, bool second)
{
	LLVMValueRef bytes = small(way, rest->half * way->path->form->store.bits / 8);
	struct rest next = { rest->number, rest->behind, rest->half / 2, { NULL } };

	for (unsigned i = 0; i < way->block.store.count; i++)
		next.values[i] = half_from(way, rest->values[i], rest->half,
			second ? rest->half : 0);
	if (second)
		next.behind = LLVMBuildAdd(builder_of(way), rest->behind, bytes, "behind");
	return next;
}

/* One way for each number of elements that may be left. */
static void store_rest(struct way *way, const struct rest *rest, struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	struct branch branch = branch_open(iteration, has_half(way, rest), "has");
	struct rest next;

	store_half(way, rest, digits);
	if (rest->half > 1) {
		next = rest_of(way, rest, true);
		store_rest(way, &next, digits);
		branch_otherwise(iteration, &branch);
		next = rest_of(way, rest, false);
		store_rest(way, &next, digits);
	}
	branch_close(iteration, &branch);
}

/* Ways meet again until a few elements are left: they would be too many. */
static void store_alike(struct way *way, LLVMValueRef number, struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	unsigned count = way->block.store.count;
	struct rest rest = { number, small(way, 0), way->block.store.vector / 2, { NULL } };

	memcpy(rest.values, way->stored, count * sizeof(*rest.values));
	while (rest.half > 2) {
		struct rest first = rest_of(way, &rest, false), second;
		struct branch branch = branch_open(iteration, has_half(way, &rest), "has");

		store_half(way, &rest, digits);
		second = rest_of(way, &rest, true);
		branch_values(iteration, &branch, second.values, first.values, count);
		second.behind = LLVMBuildAdd(builder_of(way), rest.behind, LLVMBuildMul(
			builder_of(way), LLVMBuildAnd(builder_of(way), number, small(way,
			rest.half), "half"), small(way, way->path->form->store.bits / 8),
			"bytes"), "behind");
		rest = second;
	}
	store_rest(way, &rest, digits);
}

/* Vector i where the edge crosses it. */
static void store_part(struct way *way, unsigned i, struct address_digits *digits,
	LLVMValueRef value)
{
	const struct block_side *vectors = &way->block.store;
	int64_t step;
	unsigned dim;

	if (!way_line(way, &way->store, vectors, i, &dim, &step) || step != 1) {
		store_elements(way, i, digits, value);
		return;
	}
	block_digits(&way->block, vectors->starts[i], digits);
	store_first(way, i, digits, value, bounds_distance(&way->store.bounds, dim, true,
		digits));
}

static void store_whole(struct way *way, unsigned i, struct address_digits *digits,
	LLVMValueRef whole)
{
	const struct block_side *vectors = &way->block.store;

	block_digits(&way->block, vectors->starts[i], digits);
	access_store(&way->store.access, digits, form_bytes(&way->path->form->store,
		vectors->vector), way->stored[i], whole, NULL);
}

/* The vectors that are inside as a whole, and what an edge parts of others. */
static void store_parts(struct way *way, struct address_digits *digits, const struct look *look)
{
	const struct iteration *iteration = way->path->iteration;
	const struct block_side *vectors = &way->block.store;
	struct branch edge, parted;
	unsigned dim;
	bool alike = vectors->count <= ALIKE_VECTORS &&
		way_crosses_alike(way, &way->store, vectors, &dim);

	for (unsigned i = 0; i < vectors->count; i++) {
		way->parts[i] = look_at(way, look, i, digits);
		store_whole(way, i, digits, way->parts[i]);
	}
	edge = branch_open(iteration, bounds_part(&way->store.bounds, way->store.chain),
		"edge");
	parted = branch_open(iteration, find_parts(way, &way->store, vectors, digits),
		"parted");
	if (alike)
		store_alike(way, way->store.bounds.last[dim], digits);
	for (unsigned i = 0; !alike && i < vectors->count; i++)
		store_part(way, i, digits, way->stored[i]);
	branch_close(iteration, &parted);
	branch_close(iteration, &edge);
}

void parted_store(struct way *way, struct address_digits *digits)
{
	const struct iteration *iteration = way->path->iteration;
	const struct block_side *vectors = &way->block.store;
	struct look look = look_open(way, &way->store, vectors, digits, true);
	LLVMBuilderRef builder = builder_of(way);
	struct branch branch;

	if (look.apart) {
		branch = branch_open(iteration, LLVMBuildAnd(builder, look.holds, LLVMBuildNot(
			builder, bounds_part(&way->store.bounds, way->store.chain), "whole"),
			"alike"), "alike");
		for (unsigned i = 0; i < vectors->count; i++)
			store_whole(way, i, digits, look.beside);
		branch_otherwise(iteration, &branch);
	}
	store_parts(way, digits, &look);
	if (look.apart)
		branch_close(iteration, &branch);
}
