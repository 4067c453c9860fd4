/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tiles that are others with their last dimension elsewhere: asked for where they are used, each
 * vector of theirs would be elements of rows that are apart.  Squares of the other's array are
 * loaded in vectors, turned in registers and stored in vectors. */
#include "lower/block/turn.h"
#include "lower/program_host/parts.h"

#include <stddef.h>

/* A square that is worth it has as many rows. */
enum { LEAST_SIDE = 4 };

struct square {
	const layout_tile *tile, *from;
	unsigned last, other;		/* of the tile's dimensions, and which is the other's last */
	unsigned bytes, side;
};

static unsigned array_bytes(const layout_tile *tile)
{
	return tile->type->bits < 8 ? 1 : tile->type->bits / 8;
}

/* Where the last dimension is another's. */
static bool moves_last(const layout_tile *tile)
{
	return tile->op == TILE_VIEW && tile->view == VIEW_PERMUTE &&
		tile->dims[tile->rank - 1] != tile->rank - 1;
}

static struct square square_of(const struct host *host, const layout_tile *tile)
{
	const layout_kernel *kernel = host->iteration->kernel;
	struct square square = { tile, tile->operands[0], tile->rank - 1, 0, array_bytes(tile), 0 };

	while (tile->dims[square.other] != tile->rank - 1)
		square.other++;
	square.side = kernel->hooks->vector_bytes(kernel->cpu) / square.bytes;
	while (square.side && (tile->box[square.last] % square.side ||
	       tile->box[square.other] % square.side))
		square.side /= 2;
	return square;
}

bool host_is_turned(const struct host *host, const layout_tile *tile)
{
	enum tile_op from = moves_last(tile) ? tile->operands[0]->op : TILE_FILL;

	return from != TILE_FILL && from != TILE_INDEX && square_of(host, tile).side >= LEAST_SIDE;
}

/* Row "i" of a square that begins at x of a tile, in which rows go along "dim". */
static LLVMValueRef row(const struct host *host, const layout_tile *tile, const LLVMValueRef *x,
	unsigned dim, unsigned i)
{
	LLVMValueRef at[PROGRAM_RANK];

	for (unsigned d = 0; d < tile->rank; d++)
		at[d] = d == dim ? LLVMBuildNSWAdd(host->b, x[d], host_number(host, i), "") : x[d];
	return host_array_element(host, host_array(host, tile), tile, tile->type, at);
}

static void turn_point(struct host *host, const LLVMValueRef *number, void *user)
{
	const struct square *square = user;
	const layout_tile *tile = square->tile, *from = square->from;
	LLVMTypeRef type = LLVMVectorType(LLVMIntTypeInContext(host->llvm, 8 * square->bytes),
		square->side);
	LLVMValueRef x[PROGRAM_RANK], y[PROGRAM_RANK], values[TURN_ELEMENTS];
	struct turn turn = { host->b, square->side * square->side, square->bytes, square->side,
		square->side, { 0 }, NULL, NULL, NULL };

	for (unsigned d = 0; d < tile->rank; d++) {
		x[d] = d == square->last || d == square->other ? LLVMBuildNSWMul(host->b, number[d],
			host_number(host, square->side), "") : number[d];
		y[tile->dims[d]] = x[d];
	}
	for (unsigned i = 0; i < turn.elements; i++)
		turn.from[i] = i % square->side * square->side + i / square->side;
	for (unsigned i = 0; i < square->side; i++) {
		values[i] = LLVMBuildLoad2(host->b, type, row(host, from, y,
			tile->dims[square->last], i), "");
		LLVMSetAlignment(values[i], square->bytes);
	}
	turn_lower(&turn, values);
	for (unsigned i = 0; i < square->side; i++)
		LLVMSetAlignment(LLVMBuildStore(host->b, values[i], row(host, tile, x,
			square->other, i)), square->bytes);
}

void host_turn(struct host *host, const layout_tile *tile)
{
	struct square square = square_of(host, tile);
	int64_t box[PROGRAM_RANK];
	struct host_nest nest = { .rank = tile->rank, .box = box, .point = turn_point,
		.whole = LLVMConstInt(LLVMInt1TypeInContext(host->llvm), 1, false),
		.user = &square };

	for (unsigned d = 0; d < tile->rank; d++)
		box[d] = tile->box[d] / (d == square.last || d == square.other ? square.side : 1);
	host_loops(host, &nest);
}
