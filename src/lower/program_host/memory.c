/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements of memory: where they are, whether they are there, and their bits. */
#include "isl_bridge/index_sum.h"
#include "lower/program_host/parts.h"

#include <string.h>

/* An access of one element. */
struct element {
	unsigned number;
	const layout_memory *memory;
	const struct storage_access *access;
	LLVMValueRef x[PROGRAM_RANK];
	LLVMValueRef inside;		/* NULL: it is */
};

unsigned host_argument(const struct host *host, const layout_memory *memory)
{
	unsigned number = 0;

	if (host->alias && memory == &host->alias->memory)
		return host->alias->argument;
	while (host->program->memories[number] != memory)
		number++;
	return number;
}

const struct storage_access *host_access(const struct host *host,
	const layout_memory *memory)
{
	if (host->alias && memory == &host->alias->memory)
		return &host->alias->access;
	return &host->plan->memories[host_argument(host, memory)];
}

static LLVMValueRef size_of(const struct host *host, const struct storage_access *access,
	unsigned d)
{
	return expression_lower(&host->scope, access->size[d]);
}

/* Is a coordinate that of the innermost loop, in its range or out of it? */
static bool is_in_range(const struct host *host, const struct storage_access *access,
	const struct program_place *place, unsigned d, LLVMValueRef x)
{
	return host->range.at && x == host->step &&
		index_equal(place->at[d].index, host->range.at) &&
		index_equal(access->size[d], host->range.size);
}

/* Is it that of a loop which ends where the memory does? */
static bool is_before_end(const struct host *host, const struct storage_access *access,
	const struct program_place *place, unsigned d, LLVMValueRef x)
{
	const struct host_range range = { place->at[d].index, access->size[d] };
	bool before = false;

	for (unsigned i = 0; i < PROGRAM_RANK && range.at->min >= 0; i++)
		before = before || (host->ends[i].x == x &&
			host_is_same(&host->ends[i].range, &range));
	return before;
}

/* The memory's coordinates of a point that is seen through a map, and whether they are in
 * it. */
static void find_seen(struct host *host, struct element *element, const LLVMValueRef *x)
{
	const struct program_sight *sight = element->memory->sight;

	for (unsigned k = 0; k < sight->memory_rank; k++) {
		LLVMValueRef inside;

		element->x[k] = host_number(host, sight->offset[k]);
		for (unsigned j = 0; j < sight->rank; j++)
			if (sight->weights[k][j])
				element->x[k] = LLVMBuildNSWAdd(host->b, element->x[k],
					LLVMBuildNSWMul(host->b, x[j], host_number(host,
					sight->weights[k][j]), ""), "");
		inside = LLVMBuildICmp(host->b, LLVMIntULT, element->x[k],
			size_of(host, element->access, k), "");
		element->inside = element->inside ?
			LLVMBuildAnd(host->b, element->inside, inside, "") : inside;
	}
}

/* Coordinates in memory of place + x, and whether they must be asked for: always where
 * they are gathered, else where they are "bounded" by nothing. */
static struct element element_at(struct host *host, const layout_memory *memory,
	const struct program_place *place, const LLVMValueRef *x, bool bounded)
{
	struct element element = { host_argument(host, memory), memory,
		host_access(host, memory), .inside = NULL };

	for (unsigned d = 0; d < place->rank; d++) {
		const layout_tile *gather = place->gather[d];
		LLVMValueRef at[PROGRAM_RANK], inside;

		if (gather) {
			host_broadcast(host, gather, place->rank, x, at);
			element.x[d] = LLVMBuildSExt(host->b, host_value(host, gather, at),
				host->i64, "");
		} else {
			element.x[d] = LLVMBuildNSWAdd(host->b,
				expression_lower(&host->scope, place->at[d].index), x[d], "");
		}
		if (memory->sight)
			continue;
		if (!gather && (bounded || !host->masked ||
		    is_in_range(host, element.access, place, d, x[d]) ||
		    is_before_end(host, element.access, place, d, x[d])))
			continue;
		inside = LLVMBuildICmp(host->b, LLVMIntULT, element.x[d],
			size_of(host, element.access, d), "");
		element.inside = element.inside ?
			LLVMBuildAnd(host->b, element.inside, inside, "") : inside;
	}
	if (memory->sight) {
		LLVMValueRef seen[PROGRAM_RANK];

		memcpy(seen, element.x, sizeof(seen));
		find_seen(host, &element, seen);
	}
	return element;
}

/* A digit of a coordinate that is in the memory. */
static LLVMValueRef digit_of(const struct host *host, const struct digit *digit,
	LLVMValueRef x)
{
	if (digit->step > 1)
		x = LLVMBuildUDiv(host->b, x, host_number(host, digit->step), "");
	return digit->radix ? LLVMBuildURem(host->b, x, host_number(host, digit->radix),
		"") : x;
}

/* Its number in memory. */
static LLVMValueRef element_number(const struct host *host, const struct element *element)
{
	const struct storage_access *access = element->access;
	LLVMValueRef number = host_number(host, 0);

	for (unsigned d = 0; d < access->rank; d++)
		host->scope.vars[host->program->variable_count + d] = element->x[d];
	for (unsigned k = 0; k < access->slot_count; k++) {
		LLVMValueRef slot = host_number(host, 0), term;

		if (access->twisted)
			slot = expression_lower(&host->scope, access->slot[k]);
		else if (access->digits[k].dim < access->rank)
			slot = digit_of(host, &access->digits[k],
				element->x[access->digits[k].dim]);
		term = LLVMBuildNSWMul(host->b, slot,
			expression_lower(&host->scope, access->pitch[k]), "");
		number = LLVMBuildNSWAdd(host->b, number, term, "");
	}
	return number;
}

static LLVMValueRef address(const struct host *host, const struct element *element,
	LLVMTypeRef type, LLVMValueRef number)
{
	return LLVMBuildInBoundsGEP2(host->b, type,
		LLVMGetParam(host->iteration->function, element->number), &number, 1, "");
}

/* Where an element of less than a byte lies: its first byte, its last one, which may be
 * the same, and as many bits into the first as "shift" says, an i16. */
struct bits_place {
	LLVMValueRef first, last, shift;
};

static struct bits_place find_bits(const struct host *host, const struct element *element)
{
	LLVMBuilderRef b = host->b;
	unsigned bits = element->memory->type->bits;
	LLVMTypeRef byte = LLVMInt8TypeInContext(host->llvm);
	LLVMValueRef bit = LLVMBuildMul(b, element_number(host, element),
		host_number(host, bits), "");
	LLVMValueRef end = LLVMBuildAdd(b, bit, host_number(host, bits - 1), "");
	LLVMValueRef three = host_number(host, 3);

	return (struct bits_place){
		address(host, element, byte, LLVMBuildLShr(b, bit, three, "")),
		address(host, element, byte, LLVMBuildLShr(b, end, three, "")),
		LLVMBuildTrunc(b, LLVMBuildAnd(b, bit, host_number(host, 7), ""),
			LLVMInt16TypeInContext(host->llvm), "") };
}

/* A byte as an i16, and one with a mask replaced. */
static LLVMValueRef load_byte(const struct host *host, LLVMValueRef from)
{
	return LLVMBuildZExt(host->b, LLVMBuildLoad2(host->b,
		LLVMInt8TypeInContext(host->llvm), from, ""),
		LLVMInt16TypeInContext(host->llvm), "");
}

static void mix_byte(const struct host *host, LLVMValueRef at, LLVMValueRef mask,
	LLVMValueRef value)
{
	LLVMBuilderRef b = host->b;
	LLVMTypeRef byte = LLVMInt8TypeInContext(host->llvm);
	LLVMValueRef old = LLVMBuildLoad2(b, byte, at, "");
	LLVMValueRef kept = LLVMBuildAnd(b, old,
		LLVMBuildNot(b, LLVMBuildTrunc(b, mask, byte, ""), ""), "");

	LLVMBuildStore(b, LLVMBuildOr(b, kept, LLVMBuildTrunc(b, value, byte, ""), ""), at);
}

static LLVMValueRef load_bits(const struct host *host, const struct element *element)
{
	LLVMBuilderRef b = host->b;
	struct bits_place place = find_bits(host, element);
	LLVMValueRef low = load_byte(host, place.first), high = load_byte(host, place.last);
	LLVMValueRef both = LLVMBuildOr(b, low, LLVMBuildShl(b, high,
		LLVMConstInt(LLVMTypeOf(high), 8, false), ""), "");

	return LLVMBuildTrunc(b, LLVMBuildLShr(b, both, place.shift, ""),
		LLVMIntTypeInContext(host->llvm, element->memory->type->bits), "");
}

static void store_bits(const struct host *host, const struct element *element,
	LLVMValueRef value)
{
	LLVMBuilderRef b = host->b;
	LLVMTypeRef i16 = LLVMInt16TypeInContext(host->llvm);
	LLVMValueRef eight = LLVMConstInt(i16, 8, false), mask;
	struct bits_place place = find_bits(host, element);

	mask = LLVMConstInt(i16, (1u << element->memory->type->bits) - 1, false);
	mask = LLVMBuildShl(b, mask, place.shift, "");
	value = LLVMBuildShl(b, LLVMBuildZExt(b, value, i16, ""), place.shift, "");
	mix_byte(host, place.first, mask, value);
	if (8 % element->memory->type->bits)
		mix_byte(host, place.last, LLVMBuildLShr(b, mask, eight, ""),
			LLVMBuildLShr(b, value, eight, ""));
}

static LLVMValueRef load_element(const struct host *host, const struct element *element)
{
	const struct element_type *type = element->memory->type;
	LLVMTypeRef held = type->kind == 'b' ? LLVMInt8TypeInContext(host->llvm) :
		number_type(host->llvm, type);
	LLVMValueRef value;

	if (type->bits < 8)
		return number_of_bits(host->b, type, load_bits(host, element));
	value = LLVMBuildLoad2(host->b, held,
		address(host, element, held, element_number(host, element)), "");
	LLVMSetAlignment(value, type->bits / 8);
	return type->kind == 'b' ? number_of_bits(host->b, type, value) : value;
}

static void store_element(const struct host *host, const struct element *element,
	LLVMValueRef value)
{
	const struct element_type *type = element->memory->type;

	if (type->bits < 8) {
		store_bits(host, element, number_to_bits(host->b, type, value));
		return;
	}
	if (type->kind == 'b')
		value = number_to_bits(host->b, type, value);
	LLVMSetAlignment(LLVMBuildStore(host->b, value, address(host, element,
		LLVMTypeOf(value), element_number(host, element))), type->bits / 8);
}

/* Is no element of the step in the memory? */
static bool is_outside(const struct host *host, const layout_tile *tile,
	const LLVMValueRef *x)
{
	const struct storage_access *access = host_access(host, tile->memory);
	bool outside = false;

	for (unsigned d = 0; host->outside && !tile->memory->sight && d < tile->rank; d++)
		outside = outside || (!tile->place.gather[d] &&
			is_in_range(host, access, &tile->place, d, x[d]));
	return outside;
}

LLVMValueRef host_load(struct host *host, const layout_tile *tile,
	const LLVMValueRef *x)
{
	LLVMValueRef pad = number_constant(host->llvm, tile->type, tile->bits);
	struct branch branch;
	struct element element;

	if (is_outside(host, tile, x))
		return pad;
	element = element_at(host, tile->memory, &tile->place, x, false);
	if (!element.inside)
		return load_element(host, &element);
	branch = branch_open(host->iteration, element.inside, "inside");
	return branch_value(host->iteration, &branch, load_element(host, &element), pad);
}

void host_store(struct host *host, const struct program_statement *statement,
	const LLVMValueRef *x, LLVMValueRef value)
{
	struct element element = element_at(host, statement->memory, &statement->place, x,
		true);
	struct branch branch;

	if (!element.inside) {
		store_element(host, &element, value);
		return;
	}
	branch = branch_open(host->iteration, element.inside, "inside");
	store_element(host, &element, value);
	branch_close(host->iteration, &branch);
}

LLVMValueRef host_store_address(struct host *host, const struct program_statement *statement,
	const LLVMValueRef *x)
{
	struct element element = element_at(host, statement->memory, &statement->place, x,
		true);

	return address(host, &element, number_type(host->llvm, element.memory->type),
		element_number(host, &element));
}

LLVMValueRef host_is_place_whole(const struct host *host, const layout_tile *box,
	const layout_memory *memory, const struct program_place *place)
{
	const struct storage_access *access = host_access(host, memory);
	LLVMValueRef whole = LLVMConstInt(LLVMInt1TypeInContext(host->llvm), 1, false);

	if (memory->sight)
		return LLVMConstNull(LLVMInt1TypeInContext(host->llvm));
	for (unsigned d = 0; d < place->rank; d++) {
		LLVMValueRef at, end;

		if (place->gather[d])
			continue;
		at = expression_lower(&host->scope, place->at[d].index);
		end = LLVMBuildNSWAdd(host->b, at, host_number(host, box->box[d]), "");
		whole = LLVMBuildAnd(host->b, whole, LLVMBuildICmp(host->b, LLVMIntSLE, end,
			size_of(host, access, d), ""), "");
		if (place->at[d].index->min < 0)
			whole = LLVMBuildAnd(host->b, whole, LLVMBuildICmp(host->b,
				LLVMIntSGE, at, host_number(host, 0), ""), "");
	}
	return whole;
}

static LLVMValueRef select_if(const struct host *host, LLVMIntPredicate predicate,
	LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildSelect(host->b, LLVMBuildICmp(host->b, predicate, a, b, ""), a, b,
		"");
}

struct host_range host_place_range(const struct host *host, const layout_memory *memory,
	const struct program_place *place, unsigned d)
{
	const struct storage_access *access = host_access(host, memory);

	return place->gather[d] || memory->sight ? (struct host_range){ NULL, NULL } :
		(struct host_range){ place->at[d].index, access->size[d] };
}

void host_range_bounds(const struct host *host, const struct host_range *range,
	int64_t extent, LLVMValueRef *first, LLVMValueRef *end)
{
	LLVMValueRef zero = host_number(host, 0), all = host_number(host, extent);
	LLVMValueRef at = expression_lower(&host->scope, range->at);
	LLVMValueRef before = LLVMBuildNSWSub(host->b, zero, at, "");
	LLVMValueRef size = expression_lower(&host->scope, range->size);

	*first = select_if(host, LLVMIntSLT, select_if(host, LLVMIntSGT, before, zero), all);
	*end = select_if(host, LLVMIntSLT, LLVMBuildNSWSub(host->b, size, at, ""), all);
	*end = select_if(host, LLVMIntSGT, *end, *first);
}

struct host_bounds host_place_bounds(const struct host *host, const layout_tile *box,
	const layout_memory *memory, const struct program_place *place)
{
	struct host_bounds bounds;

	for (unsigned d = 0; d < place->rank; d++) {
		struct host_range range = host_place_range(host, memory, place, d);

		bounds.first[d] = host_number(host, 0);
		bounds.end[d] = host_number(host, box->box[d]);
		if (range.at)
			host_range_bounds(host, &range, box->box[d], &bounds.first[d],
				&bounds.end[d]);
	}
	return bounds;
}
