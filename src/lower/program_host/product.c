/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Contractions as products of vectors.
 *
 *	pack both factors
 *	for blocks of rows
 *		for blocks of columns
 *			sums of the block = the array's
 *			for the depth
 *				sums += each row's element * each vector of the columns
 *			the array's = sums */
#include "lower/program_host/parts.h"

enum { MOST_SUMS = PRODUCT_VECTORS * PRODUCT_MOST_ROWS };

/* A product, with its limits: how far rows, columns and the depth go. */
struct work {
	const layout_tile *tile;
	struct host_product *product;
	unsigned side;			/* that is packed */
	LLVMValueRef rows, columns, depth;
	LLVMValueRef outside[PROGRAM_RANK];	/* where other letters are */
};

/* A block's first row and column: as many panels, or blocks, and rows besides. */
struct block {
	LLVMValueRef row_panel, row, column_panel;
	unsigned rows, vectors;
};

static LLVMValueRef add(const struct host *host, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildNSWAdd(host->b, a, b, "");
}

static LLVMValueRef scale(const struct host *host, LLVMValueRef a, int64_t by)
{
	return LLVMBuildNSWMul(host->b, a, host_number(host, by), "");
}

static LLVMTypeRef element_type(const struct host *host, const struct work *work)
{
	return number_type(host->llvm, work->tile->type);
}

static LLVMValueRef element_at(const struct host *host, const struct work *work,
	LLVMValueRef base, LLVMValueRef at)
{
	return LLVMBuildInBoundsGEP2(host->b, element_type(host, work), base, &at, 1, "");
}

/* Of a factor, to where it is packed. */
static void pack_point(struct host *host, const LLVMValueRef *x, void *user)
{
	const struct work *work = user;
	const struct host_panels *panels = &work->product->panels[work->side];
	const layout_tile *factor = work->tile->operands[work->product->factor[work->side]];
	LLVMValueRef at = host_number(host, 0), value;

	for (unsigned d = 0; d < factor->rank; d++) {
		LLVMValueRef place = x[d];

		if (panels->width && d == panels->dim) {
			LLVMValueRef panel = d + 1 == factor->rank ? host->panel :
				LLVMBuildUDiv(host->b, place,
				host_number(host, panels->width), "");

			at = add(host, at, scale(host, panel, panels->apart - panels->width *
				panels->step[d]));
		}
		at = add(host, at, scale(host, place, panels->step[d]));
	}
	value = number_cast(host->b, work->tile->type, factor->type, false,
		host_value(host, factor, x));
	LLVMBuildStore(host->b, value, element_at(host, work,
		work->product->packed[work->side], at));
}

static void pack(struct host *host, struct work *work, unsigned side)
{
	const struct host_panels *panels = &work->product->panels[side];
	unsigned operand = work->product->factor[side];
	const layout_tile *factor = work->tile->operands[operand];
	struct host_limits limits = host_factor_limits(host, work->tile, operand);
	struct host_nest nest = { .rank = factor->rank, .box = factor->box,
		.limits = &limits, .point = pack_point, .user = work,
		.whole = host_is_value_whole(host, factor) };

	if (panels->width && panels->dim + 1 == factor->rank)
		nest.width = panels->width;
	if (!host->tiles[factor->number].is_array)
		nest.range = host_find_range(host, factor, factor->box[factor->rank - 1]);
	work->side = side;
	host_loops(host, &nest);
}

/* Where the elements of an operand are for the letters outside of blocks. */
static LLVMValueRef outside_of(const struct host *host, const struct work *work,
	unsigned operand, const int64_t *step)
{
	const struct host_product *product = work->product;
	const unsigned *map = program_letters_of(work->tile, operand);
	LLVMValueRef at = host_number(host, 0);

	for (unsigned d = 0; d < work->tile->operands[operand]->rank; d++)
		if (map[d] != product->row && map[d] != product->column &&
		    map[d] != product->depth)
			at = add(host, at, scale(host, work->outside[map[d]], step[d]));
	return at;
}

/* A side's first element of a block. */
static LLVMValueRef side_base(const struct host *host, const struct work *work,
	const struct block *block, unsigned side)
{
	const struct host_product *product = work->product;
	const struct host_panels *panels = &product->panels[side];
	LLVMValueRef at = outside_of(host, work, product->factor[side], panels->step);
	int64_t depth = work->tile->letters[product->depth];

	if (side == HOST_COLUMNS)
		at = add(host, at, scale(host, block->column_panel, panels->apart));
	else if (panels->width)
		at = add(host, at, add(host, scale(host, block->row_panel, panels->apart),
			block->row));
	else
		at = add(host, at, scale(host, add(host, scale(host, block->row_panel,
			product->rows), block->row), depth));
	return element_at(host, work, product->packed[side], at);
}

/* The steps of the result's dimensions, in its array. */
static void result_steps(const layout_tile *tile, int64_t *step)
{
	int64_t next = 1;

	for (unsigned d = tile->rank; d-- > 0; next *= tile->box[d])
		step[d] = next;
}

/* Addresses of the sums' vectors, row by row. */
static void find_sums(const struct host *host, const struct work *work,
	const struct block *block, LLVMValueRef *to)
{
	const struct host_product *product = work->product;
	const unsigned *map = program_letters_of(work->tile, 0);
	int64_t step[PROGRAM_RANK], row = 0;
	LLVMValueRef at;

	result_steps(work->tile, step);
	for (unsigned d = 0; d < work->tile->rank; d++)
		row = map[d] == product->row ? step[d] : row;
	at = outside_of(host, work, 0, step);
	at = add(host, at, scale(host, add(host, scale(host, block->row_panel, product->rows),
		block->row), row));
	at = add(host, at, scale(host, block->column_panel, PRODUCT_VECTORS * product->lanes));
	at = element_at(host, work, host_array(host, work->tile), at);
	for (unsigned i = 0; i < block->rows * block->vectors; i++)
		to[i] = element_at(host, work, at, host_number(host, i / block->vectors * row +
			i % block->vectors * product->lanes));
}

static LLVMTypeRef vector_type(const struct host *host, const struct work *work)
{
	return LLVMVectorType(element_type(host, work), (unsigned)work->product->lanes);
}

static unsigned vector_align(const struct work *work)
{
	return (unsigned)work->product->lanes * (work->tile->type->bits / 8);
}

static LLVMValueRef load_vector(const struct host *host, const struct work *work,
	LLVMValueRef from)
{
	LLVMValueRef vector = LLVMBuildLoad2(host->b, vector_type(host, work), from, "");

	LLVMSetAlignment(vector, vector_align(work));
	return vector;
}

/* An element in all lanes. */
static LLVMValueRef load_splat(const struct host *host, const struct work *work,
	LLVMValueRef from)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(host->llvm);
	LLVMTypeRef numbers = LLVMVectorType(i32, (unsigned)work->product->lanes);
	LLVMValueRef value = LLVMBuildLoad2(host->b, element_type(host, work), from, "");
	LLVMValueRef none = LLVMGetPoison(vector_type(host, work));

	value = LLVMBuildInsertElement(host->b, none, value, LLVMConstInt(i32, 0, false), "");
	return LLVMBuildShuffleVector(host->b, value, none, LLVMConstNull(numbers), "");
}

/* One step of the depth: "bases" are those of both sides there. */
static void add_products(const struct host *host, const struct work *work,
	const struct block *block, const LLVMValueRef *bases, LLVMValueRef *sums)
{
	const struct host_product *product = work->product;
	const struct element_type *type = work->tile->type;
	int64_t apart = product->panels[HOST_ROWS].width ? 1 :
		work->tile->letters[product->depth];
	LLVMValueRef columns[PRODUCT_VECTORS];

	for (unsigned v = 0; v < block->vectors; v++)
		columns[v] = load_vector(host, work, element_at(host, work,
			bases[HOST_COLUMNS], host_number(host, v * product->lanes)));
	for (unsigned r = 0; r < block->rows; r++) {
		LLVMValueRef args[3] = { load_splat(host, work, element_at(host, work,
			bases[HOST_ROWS], host_number(host, r * apart))) };

		for (unsigned v = 0; v < block->vectors; v++) {
			LLVMValueRef *sum = &sums[r * block->vectors + v];

			args[1] = columns[v];
			*sum = number_reduce(host->b, REDUCE_ADD, type, *sum,
				number_apply(host->b, MAP_MUL, type, args));
		}
	}
}

/* do .. while (++k < depth), which is more than 0, with the sums in registers. */
static void sum_depth(struct host *host, const struct work *work, const struct block *block,
	LLVMValueRef *sums)
{
	LLVMBasicBlockRef before = LLVMGetInsertBlock(host->b);
	LLVMBasicBlockRef body = iteration_block(host->iteration, "depth");
	LLVMBasicBlockRef after = iteration_block(host->iteration, "summed");
	LLVMValueRef phis[MOST_SUMS], bases[2], k, next, zero = host_number(host, 0);
	unsigned count = block->rows * block->vectors;

	for (unsigned side = 0; side < 2; side++)
		bases[side] = side_base(host, work, block, side);
	LLVMBuildBr(host->b, body);
	LLVMPositionBuilderAtEnd(host->b, body);
	k = LLVMBuildPhi(host->b, host->i64, "k");
	LLVMAddIncoming(k, &zero, &before, 1);
	for (unsigned i = 0; i < count; i++) {
		phis[i] = LLVMBuildPhi(host->b, vector_type(host, work), "sum");
		LLVMAddIncoming(phis[i], &sums[i], &before, 1);
		sums[i] = phis[i];
	}
	for (unsigned side = 0; side < 2; side++) {
		int64_t width = work->product->panels[side].width;

		bases[side] = element_at(host, work, bases[side],
			scale(host, k, width ? width : 1));
	}
	add_products(host, work, block, bases, sums);
	next = add(host, k, host_number(host, 1));
	LLVMAddIncoming(k, &next, &body, 1);
	for (unsigned i = 0; i < count; i++)
		LLVMAddIncoming(phis[i], &sums[i], &body, 1);
	LLVMBuildCondBr(host->b, LLVMBuildICmp(host->b, LLVMIntULT, next, work->depth,
		"more"), body, after);
	LLVMPositionBuilderAtEnd(host->b, after);
}

static void emit_block(struct host *host, const struct work *work, const struct block *block)
{
	LLVMValueRef to[MOST_SUMS], sums[MOST_SUMS];
	unsigned count = block->rows * block->vectors;

	find_sums(host, work, block, to);
	for (unsigned i = 0; i < count; i++)
		sums[i] = load_vector(host, work, to[i]);
	sum_depth(host, work, block, sums);
	for (unsigned i = 0; i < count; i++)
		LLVMSetAlignment(LLVMBuildStore(host->b, sums[i], to[i]),
			vector_align(work));
}

/* All columns of a block's rows. */
static void emit_columns(struct host *host, const struct work *work, struct block *block)
{
	LLVMValueRef vectors = LLVMBuildUDiv(host->b, work->columns,
		host_number(host, work->product->lanes), "vectors");
	LLVMValueRef panels = LLVMBuildUDiv(host->b, vectors,
		host_number(host, PRODUCT_VECTORS), "panels");
	struct host_loop loop = host_loop_open(host, panels, "panel");
	struct branch branch;

	block->vectors = PRODUCT_VECTORS;
	block->column_panel = loop.x;
	emit_block(host, work, block);
	host_loop_close(host, &loop);
	branch = branch_open(host->iteration, LLVMBuildICmp(host->b, LLVMIntNE, vectors,
		scale(host, panels, PRODUCT_VECTORS), "rest"), "rest");
	block->vectors = 1;
	block->column_panel = panels;
	emit_block(host, work, block);
	branch_close(host->iteration, &branch);
}

/* Blocks of rows, and for the rest one for each power of 2 that it has. */
static void emit_rows(struct host *host, const struct work *work)
{
	int64_t rows = work->product->rows;
	LLVMValueRef blocks = LLVMBuildUDiv(host->b, work->rows, host_number(host, rows),
		"blocks");
	LLVMValueRef rest = LLVMBuildNSWSub(host->b, work->rows, scale(host, blocks, rows),
		"rest");
	struct host_loop loop = host_loop_open(host, blocks, "block");
	struct block block = { .row_panel = loop.x, .row = host_number(host, 0),
		.rows = (unsigned)rows };

	emit_columns(host, work, &block);
	host_loop_close(host, &loop);
	block.row_panel = blocks;
	for (block.rows = PRODUCT_MOST_ROWS; block.rows; block.rows /= 2) {
		LLVMValueRef has = LLVMBuildAnd(host->b, rest, host_number(host, block.rows),
			"");
		struct branch branch;

		if (block.rows >= rows)
			continue;
		branch = branch_open(host->iteration, LLVMBuildICmp(host->b, LLVMIntNE, has,
			host_number(host, 0), "some"), "rows");
		block.row = LLVMBuildAnd(host->b, rest,
			host_number(host, -2 * (int64_t)block.rows), "row");
		emit_columns(host, work, &block);
		branch_close(host->iteration, &branch);
	}
}

/* Loops over the letters outside of blocks, from letter n on. */
static void emit_letters(struct host *host, struct work *work, unsigned n)
{
	const struct host_product *product = work->product;
	struct host_loop loop;

	while (n < work->tile->letter_count && (n == product->row || n == product->column ||
		n == product->depth))
		n++;
	if (n == work->tile->letter_count) {
		emit_rows(host, work);
		return;
	}
	loop = host_loop_open(host, host_number(host, work->tile->letters[n]), "outside");
	work->outside[n] = loop.x;
	emit_letters(host, work, n + 1);
	host_loop_close(host, &loop);
}

/* How far a letter goes, of the factor of a side. */
static LLVMValueRef letter_end(const struct host *host, const struct work *work,
	unsigned side, unsigned letter)
{
	unsigned operand = work->product->factor[side];
	struct host_limits limits = host_factor_limits(host, work->tile, operand);
	LLVMValueRef end = NULL;

	for (unsigned d = 0; d < work->tile->operands[operand]->rank; d++)
		if (program_letters_of(work->tile, operand)[d] == letter)
			end = limits.end[d];
	return end ? end : host_number(host, work->tile->letters[letter]);
}

void host_product(struct host *host, const layout_tile *tile)
{
	struct host_product *product = &host->tiles[tile->number].product;
	struct work work = { .tile = tile, .product = product };
	struct branch branch;

	work.rows = letter_end(host, &work, HOST_ROWS, product->row);
	work.columns = letter_end(host, &work, HOST_COLUMNS, product->column);
	work.depth = letter_end(host, &work, HOST_ROWS, product->depth);
	branch = branch_open(host->iteration, LLVMBuildICmp(host->b, LLVMIntSGT, work.depth,
		host_number(host, 0), "some"), "product");
	for (unsigned side = 0; side < 2; side++)
		pack(host, &work, side);
	emit_letters(host, &work, 0);
	branch_close(host->iteration, &branch);
}
