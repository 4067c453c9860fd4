/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elements of tiles at coordinates. */
#include "lower/program_host/parts.h"

#include <stdio.h>
#include <string.h>

LLVMValueRef host_number(const struct host *host, int64_t value)
{
	return LLVMConstInt(host->i64, (unsigned long long)value, true);
}

/* Of numbers that are not negative, without wrap. */
static LLVMValueRef add(const struct host *host, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef sum = LLVMBuildNSWAdd(host->b, a, b, "");

	if (LLVMIsABinaryOperator(sum))
		LLVMSetNUW(sum, true);
	return sum;
}

static LLVMValueRef scale(const struct host *host, LLVMValueRef a, int64_t by)
{
	LLVMValueRef product;

	if (by == 1)
		return a;
	product = LLVMBuildNSWMul(host->b, a, host_number(host, by), "");
	if (LLVMIsABinaryOperator(product))
		LLVMSetNUW(product, true);
	return product;
}

/* The row-major number of coordinates in a box. */
static LLVMValueRef number_in(const struct host *host, unsigned rank, const int64_t *box,
	const LLVMValueRef *x)
{
	LLVMValueRef number = host_number(host, 0);
	int64_t pitch = 1;

	for (unsigned d = rank; d-- > 0; pitch *= box[d])
		if (box[d] > 1)
			number = add(host, scale(host, x[d], pitch), number);
	return number;
}

/* What an array has instead of bits that are no bytes. */
LLVMTypeRef host_array_type(const struct host *host, const struct element_type *type)
{
	return type->bits < 8 || type->kind == 'b' ? LLVMInt8TypeInContext(host->llvm) :
		number_type(host->llvm, type);
}

unsigned host_array_bytes(const struct element_type *type)
{
	return type->bits < 8 ? 1 : type->bits / 8;
}

LLVMValueRef host_array(const struct host *host, const layout_tile *tile)
{
	while (host->tiles[tile->number].same)
		tile = host->tiles[tile->number].same;
	return host->tiles[tile->number].array;
}

LLVMValueRef host_array_element(const struct host *host, LLVMValueRef array,
	const layout_tile *box, const struct element_type *type, const LLVMValueRef *x)
{
	LLVMValueRef number = number_in(host, box->rank, box->box, x);

	return LLVMBuildInBoundsGEP2(host->b, host_array_type(host, type), array, &number, 1,
		"");
}

LLVMValueRef host_array_load(const struct host *host, LLVMValueRef array,
	const layout_tile *box, const struct element_type *type, const LLVMValueRef *x)
{
	LLVMTypeRef number = number_type(host->llvm, type);
	LLVMTypeRef held = host_array_type(host, type);
	LLVMValueRef value = LLVMBuildLoad2(host->b, held,
		host_array_element(host, array, box, type, x), "");

	return held == number ? value : LLVMBuildTrunc(host->b, value, number, "");
}

void host_array_store(const struct host *host, LLVMValueRef array, const layout_tile *box,
	const struct element_type *type, const LLVMValueRef *x, LLVMValueRef value)
{
	LLVMTypeRef held = host_array_type(host, type);

	if (held != LLVMTypeOf(value))
		value = LLVMBuildZExt(host->b, value, held, "");
	LLVMBuildStore(host->b, value, host_array_element(host, array, box, type, x));
}

void host_broadcast(const struct host *host, const layout_tile *tile, unsigned rank,
	const LLVMValueRef *x, LLVMValueRef *to)
{
	for (unsigned d = 0; d < tile->rank; d++)
		to[d] = tile->box[d] == 1 ? host_number(host, 0) :
			x[rank - tile->rank + d];
}

/* Is the node the same along the innermost dimension of the tile? */
static bool repeats(const layout_tile *tile, const struct map_node *node)
{
	const layout_tile *operand;
	bool same = tile->rank && tile->box[tile->rank - 1] > 1;

	if (node->op == MAP_OPERAND) {
		operand = tile->operands[node->number];
		same = same && (!operand->rank || operand->box[operand->rank - 1] == 1);
	}
	for (unsigned i = 0; i < node->arg_count; i++)
		same = same && repeats(tile, node->arg[i]);
	return same;
}

static bool is_single(const struct element_type *type)
{
	return type->kind == 'f' && type->bits == 32;
}

static LLVMValueRef map_value(struct host *host, const layout_tile *tile,
	const struct map_node *node, const LLVMValueRef *operands)
{
	LLVMValueRef args[3] = { NULL };

	for (unsigned i = 0; i < node->arg_count; i++)
		args[i] = map_value(host, tile, node->arg[i], operands);
	if (node->op == MAP_DIV && is_single(node->type) && repeats(tile, node->arg[1]))
		return number_divide(host->b, args[0], args[1]);
	switch (node->op) {
	case MAP_OPERAND:
		return operands[node->number];
	case MAP_NUMBER:
		return number_constant(host->llvm, node->type, node->bits);
	case MAP_INDEX:
		return LLVMBuildIntCast2(host->b, host->scope.vars[node->number],
			number_type(host->llvm, node->type), true, "");
	case MAP_CAST:
		return number_cast(host->b, node->type, node->arg[0]->type, false, args[0]);
	default:
		return number_apply(host->b, node->op,
			node->arg[node->arg_count - 1]->type, args);
	}
}

static LLVMValueRef expression_value(struct host *host, const layout_tile *tile,
	const LLVMValueRef *x)
{
	LLVMValueRef operands[PROGRAM_OPERANDS], at[PROGRAM_RANK];

	for (unsigned i = 0; i < tile->operand_count; i++) {
		host_broadcast(host, tile->operands[i], tile->rank, x, at);
		operands[i] = host_value(host, tile->operands[i], at);
	}
	return map_value(host, tile, tile->expression, operands);
}

/* Coordinates of dimensions "from" .. "from" + rank of a box, by their number in it. */
static void split(const struct host *host, unsigned rank, const int64_t *box,
	LLVMValueRef number, LLVMValueRef *x)
{
	for (unsigned d = rank; d-- > 0;) {
		x[d] = d ? LLVMBuildURem(host->b, number, host_number(host, box[d]), "") :
			number;
		number = LLVMBuildUDiv(host->b, number, host_number(host, box[d]), "");
	}
}

/* A constant array of the numbers of the elements that a view has. */
static LLVMValueRef seen_elements(const struct host *host, const layout_tile *tile)
{
	LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(
		LLVMGetInsertBlock(host->b)));
	LLVMTypeRef i32 = LLVMInt32TypeInContext(host->llvm);
	size_t count = (size_t)program_elements(tile);
	LLVMValueRef array, data = LLVMConstDataArray(i32, (const char *)tile->elements,
		count * sizeof(*tile->elements));
	char name[32];

	snprintf(name, sizeof(name), "seen.%u", tile->number);
	array = LLVMGetNamedGlobal(module, name);
	if (array)
		return array;
	array = LLVMAddGlobal(module, LLVMTypeOf(data), name);
	LLVMSetInitializer(array, data);
	LLVMSetGlobalConstant(array, true);
	LLVMSetLinkage(array, LLVMPrivateLinkage);
	return array;
}

static void see(const struct host *host, const layout_tile *tile, const LLVMValueRef *x,
	LLVMValueRef *at)
{
	const layout_tile *from = tile->operands[0];
	LLVMTypeRef i32 = LLVMInt32TypeInContext(host->llvm);
	LLVMValueRef number = number_in(host, tile->rank, tile->box, x);

	number = LLVMBuildInBoundsGEP2(host->b, i32, seen_elements(host, tile), &number, 1,
		"");
	number = LLVMBuildZExt(host->b, LLVMBuildLoad2(host->b, i32, number, ""), host->i64,
		"");
	split(host, from->rank, from->box, number, at);
}

static LLVMValueRef view_value(struct host *host, const layout_tile *tile,
	const LLVMValueRef *x)
{
	const layout_tile *from = tile->operands[0];
	unsigned parts = tile->rank - from->rank + 1, first = tile->dims[0], next = 0;
	LLVMValueRef at[PROGRAM_RANK];

	switch (tile->view) {
	case VIEW_PERMUTE:
		for (unsigned d = 0; d < tile->rank; d++)
			at[tile->dims[d]] = x[d];
		break;
	case VIEW_PROJECT:
		for (unsigned d = 0; d < from->rank; d++)
			at[d] = program_lists_dim(tile, d) ? host_number(host, 0) : x[next++];
		break;
	case VIEW_EXPAND:
		for (unsigned d = 0; d < from->rank; d++)
			at[d] = d == first ?
				number_in(host, parts, &tile->box[d], &x[d]) :
				x[d < first ? d : d + parts - 1];
		break;
	case VIEW_COLLAPSE:
		memcpy(at, x, first * sizeof(*at));
		split(host, tile->dim_count, &from->box[first], x[first], &at[first]);
		for (unsigned d = first + tile->dim_count; d < from->rank; d++)
			at[d] = x[d - tile->dim_count + 1];
		break;
	case VIEW_BROADCAST:
		host_broadcast(host, from, tile->rank, x, at);
		break;
	case VIEW_THROUGH:
	case VIEW_AGAINST:
		see(host, tile, x, at);
		break;
	}
	return host_value(host, from, at);
}

static LLVMValueRef get_value(const struct host *host, const layout_tile *tile,
	const LLVMValueRef *x)
{
	const layout_tile box = host_local_box(tile->memory);
	LLVMValueRef at[PROGRAM_RANK];

	host_local_point(host, &tile->place, x, at);
	return host_array_load(host, host_local(host, tile->memory), &box, tile->type, at);
}

LLVMValueRef host_compute(struct host *host, const layout_tile *tile,
	const LLVMValueRef *x)
{
	switch (tile->op) {
	case TILE_FILL:
		return number_constant(host->llvm, tile->type, tile->bits);
	case TILE_INDEX:
		return LLVMBuildTrunc(host->b, x[tile->dims[0]],
			number_type(host->llvm, tile->type), "");
	case TILE_LOAD:
		return host_load(host, tile, x);
	case TILE_GET:
		return get_value(host, tile, x);
	case TILE_MAP:
		return expression_value(host, tile, x);
	case TILE_VIEW:
		return view_value(host, tile, x);
	default:
		return host_value(host, tile->operands[0], x);
	}
}

LLVMValueRef host_value(struct host *host, const layout_tile *tile, const LLVMValueRef *x)
{
	return host->tiles[tile->number].is_array ?
		host_array_load(host, host_array(host, tile), tile, tile->type, x) :
		host_compute(host, tile, x);
}

struct host_range host_find_range(const struct host *host, const layout_tile *tile,
	int64_t extent)
{
	struct host_range range = { NULL, NULL };

	if (tile->op == TILE_LOAD && tile->rank && tile->box[tile->rank - 1] == extent)
		return host_place_range(host, tile->memory, &tile->place, tile->rank - 1);
	for (unsigned i = 0; !range.at && i < tile->operand_count; i++)
		if (!host->tiles[tile->operands[i]->number].is_array)
			range = host_find_range(host, tile->operands[i], extent);
	return range;
}

LLVMValueRef host_is_whole(const struct host *host, const layout_tile *tile)
{
	LLVMValueRef whole = LLVMConstInt(LLVMInt1TypeInContext(host->llvm), 1, false);

	if (tile->op == TILE_LOAD)
		whole = host_is_place_whole(host, tile, tile->memory, &tile->place);
	for (unsigned d = 0; d < tile->place.rank; d++)
		if (tile->place.gather[d])
			whole = LLVMBuildAnd(host->b, whole,
				host_is_value_whole(host, tile->place.gather[d]), "");
	for (unsigned i = 0; i < tile->operand_count; i++)
		whole = LLVMBuildAnd(host->b, whole,
			host_is_value_whole(host, tile->operands[i]), "");
	return whole;
}

LLVMValueRef host_is_value_whole(const struct host *host, const layout_tile *tile)
{
	return host->tiles[tile->number].is_array ?
		LLVMConstInt(LLVMInt1TypeInContext(host->llvm), 1, false) :
		host_is_whole(host, tile);
}
