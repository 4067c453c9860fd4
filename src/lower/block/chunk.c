/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A destination that no cache holds is stored past them, in whole lines, wherever its rows
 * begin:
 *
 *	if (no cache holds the destination, the chunk is whole, and its blocks are no whole lines
 *	    or their rows are whole pages apart)
 *		its blocks, to a stage in the nearest cache
 *		for every row of it
 *			whole lines, past the caches; the rest as it is
 *			some of the next chunk is fetched
 *	else
 *		its blocks, to the destination
 *
 * Lines that two chunks have parts of are read, and written twice.  Where rows go on behind a
 * chunk it has some more of their elements in the stage, and stores the lines that they end
 * with whole: the next chunk begins behind these. */
#include "lower/block/parts.h"
#include "isl_bridge/arithmetic.h"
#include "lower/branch.h"
#include "lower/stream.h"

enum { LEAST_CHUNK = 2 * STREAM_LINE, MOST_STAGE = 5 << 16, PAGE = 4096 };	/* bytes */
enum { TOGETHER = 4 };		/* rows */

static int64_t bytes_of(const struct block_lowering *l, int64_t elements)
{
	return elements * block_bytes(l, FACTOR_STORE) / l->block->packed;
}

static int64_t chunk_bytes(const struct block_lowering *l)
{
	return bytes_of(l, l->block->chunk);
}

/* The chunk's loop, where it can go on. */
static const struct block_loop *loop_of(const struct block_lowering *l)
{
	return &l->block->loops[l->block->chunk_loop];
}

/* Turns of that loop that have a line more, or 0. */
static int64_t more_turns(const struct block_lowering *l)
{
	int64_t turn;

	if (!l->block->goes_on)
		return 0;
	turn = chunk_bytes(l) / loop_of(l)->piece.digit.radix;
	return (STREAM_LINE + turn - 1) / turn;
}

/* Elements of a row in the stage. */
static int64_t row_elements(const struct block_lowering *l)
{
	int64_t more = more_turns(l);

	return l->block->chunk + (more ? more * (l->block->chunk / loop_of(l)->piece.digit.radix) : 0);
}

/* Is this a step within a row? */
static bool is_along(const struct block_lowering *l, const struct block_piece *piece)
{
	const struct index *weight = piece->weight[FACTOR_STORE];

	return weight->op == INDEX_INT && weight->value > 0 &&
		weight->value < l->block->chunk;
}

static int64_t row_count(const struct block_lowering *l)
{
	int64_t rows = 1;

	for (unsigned i = 0; i < l->block->piece_count; i++)
		if (!is_along(l, &l->block->pieces[i]))
			rows *= l->block->pieces[i].digit.radix;
	for (unsigned i = l->block->line_loop; i < l->block->loop_count; i++)
		rows *= l->block->loops[i].piece.digit.radix;
	return rows;
}

/* "count" elements of a row without a loop are so many with it. */
static int64_t with_loop(const struct block_loop *loop, int64_t count)
{
	int64_t step = loop->piece.digit.step, radix = loop->piece.digit.radix;

	return loop->overlap ? count / (step + loop->overlap) * (step * radix + loop->overlap) :
		count * radix;
}

/* Are the steps along a row those of its elements? */
static bool is_dense(const struct block_lowering *l)
{
	int64_t count = 1;

	for (unsigned i = 0; i < l->block->piece_count; i++)
		if (is_along(l, &l->block->pieces[i]))
			count *= l->block->pieces[i].digit.radix;
	for (unsigned i = l->block->chunk_loop; i < l->block->line_loop; i++)
		count = with_loop(&l->block->loops[i], count);
	return count == l->block->chunk;
}

/* The vectors of a chunk of the source are counted along lines, then along the pieces of a
 * block, then along the chunk's loops. */
struct vectors {
	unsigned count;
	int64_t radix[BLOCK_PIECES + BLOCK_LOOPS], all;
	LLVMValueRef step[BLOCK_PIECES + BLOCK_LOOPS];
};

static void add_step(struct vectors *vectors, int64_t radix, LLVMValueRef step)
{
	vectors->radix[vectors->count] = radix;
	vectors->step[vectors->count++] = step;
	vectors->all *= radix;
}

/* False where a vector begins in one piece and ends in another. */
static bool find_vectors(const struct block_lowering *l, struct vectors *vectors)
{
	const struct plan_block *block = l->block;
	int64_t within = block->vector[FACTOR_LOAD];

	*vectors = (struct vectors){ .all = 1 };
	for (unsigned i = block->loop_count; i-- > block->line_loop;)
		add_step(vectors, block->loops[i].piece.digit.radix, l->loop_step[i][FACTOR_LOAD]);
	for (unsigned i = 0; i < block->piece_count; i++) {
		unsigned at = block->order[FACTOR_LOAD][i];
		int64_t radix = block->pieces[at].digit.radix, part = int_gcd(within, radix);

		within /= part;
		if (radix == part)
			continue;
		if (within > 1)
			return false;
		add_step(vectors, radix / part, LLVMBuildNSWMul(l->b, l->step[at][FACTOR_LOAD],
			block_number(l, part), "step"));
	}
	for (unsigned i = block->line_loop; i-- > block->chunk_loop;)
		add_step(vectors, block->loops[i].piece.digit.radix, l->loop_step[i][FACTOR_LOAD]);
	return true;
}

/* The fewest vectors, but so many, whose numbers add up with a multiple of theirs digit by
 * digit. */
static int64_t share_of(const struct vectors *vectors, int64_t least)
{
	int64_t share = 1;

	for (unsigned i = 0; i < vectors->count; i++) {
		int64_t radix = vectors->radix[i];

		for (int64_t part = 1; part <= radix; part++)
			if (radix % part == 0 && share * part >= least)
				return share * part;
		share *= radix;
	}
	return share;
}

static LLVMValueRef vector_offset(const struct block_lowering *l, const struct vectors *vectors,
	LLVMValueRef first, LLVMValueRef n)
{
	for (unsigned i = 0; i < vectors->count; i++) {
		LLVMValueRef radix = block_number(l, vectors->radix[i]);

		first = block_add(l, first, LLVMBuildURem(l->b, n, radix, "digit"),
			vectors->step[i]);
		n = LLVMBuildUDiv(l->b, n, radix, "rest");
	}
	return first;
}

void block_chunk_enter(struct block_lowering *l)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	int64_t bytes;

	if (l->block->row || chunk_bytes(l) < LEAST_CHUNK || !is_dense(l))
		return;
	bytes = row_count(l) * bytes_of(l, row_elements(l));
	if (bytes <= MOST_STAGE)
		l->stage = block_memory(l, LLVMArrayType2(byte, (uint64_t)bytes), "stage");
}

/* Where the chunk begins on a side. */
static LLVMValueRef chunk_offset(const struct block_lowering *l, enum factor_side side)
{
	LLVMValueRef offset = l->offset[side];

	for (unsigned d = 0; d < l->block->dim_count; d++)
		if (l->dims[d].pitch[0])
			offset = block_add(l, offset, block_settled(l, d, l->block->dims[d].reach),
				l->dims[d].pitch[side]);
	return offset;
}

/* Are all elements of the chunk in the source, and those of so many turns more? */
static LLVMValueRef is_whole(const struct block_lowering *l, int64_t more)
{
	LLVMValueRef all = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b)),
		1, false);

	for (unsigned d = 0; d < l->block->dim_count; d++) {
		int64_t beyond = more && loop_of(l)->piece.digit.dim == d ?
			more * loop_of(l)->piece.digit.step : 0;
		LLVMValueRef last = LLVMBuildNSWAdd(l->b, block_settled(l, d, l->block->dims[d].reach),
			block_number(l, l->block->dims[d].span + beyond - 1), "last");

		all = LLVMBuildAnd(l->b, all, LLVMBuildICmp(l->b, LLVMIntSLT, last,
			l->dims[d].high, ""), "whole");
		all = LLVMBuildAnd(l->b, all, block_has_begun(l, d, l->dims[d].start), "");
	}
	return all;
}

/* Do its blocks begin as the first one does in a line? */
static bool begin_alike(const struct block_lowering *l)
{
	for (unsigned i = l->block->chunk_loop; i < l->block->line_loop; i++)
		if (l->block->loops[i].overlap)
			return false;
	return true;
}

/* Are its rows whole pages apart, and is a line of each stored before the next line of one?  Memory
 * takes lines that are so far apart one after the other. */
static LLVMValueRef is_crowded(const struct block_lowering *l)
{
	LLVMValueRef any = LLVMConstNull(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b)));

	if (l->block->line_loop == l->block->loop_count)
		return any;
	for (unsigned i = 0; i < l->block->piece_count; i++)
		if (!is_along(l, &l->block->pieces[i]))
			any = LLVMBuildOr(l->b, any, LLVMBuildICmp(l->b, LLVMIntEQ,
				LLVMBuildAnd(l->b, l->step[i][FACTOR_STORE], block_number(l,
				l->block->packed * PAGE - 1), ""), block_number(l, 0), ""),
				"crowded");
	return any;
}

/* Are its blocks stored in whole lines as they are? */
static LLVMValueRef is_direct(const struct block_lowering *l)
{
	LLVMValueRef at;

	if (l->block->vector[FACTOR_STORE] * block_bytes(l, FACTOR_STORE) !=
	    l->block->packed * STREAM_LINE || !begin_alike(l))
		return LLVMConstNull(LLVMInt1TypeInContext(LLVMGetBuilderContext(l->b)));
	at = LLVMBuildPtrToInt(l->b, block_address(l, FACTOR_STORE, l->chunk), l->i64, "");
	return LLVMBuildAnd(l->b, LLVMBuildAnd(l->b, l->streams, LLVMBuildNot(l->b,
		is_crowded(l), ""), ""), LLVMBuildICmp(l->b, LLVMIntEQ, LLVMBuildAnd(l->b, at,
		block_number(l, STREAM_LINE - 1), ""), block_number(l, 0), ""), "direct");
}

/* Where row n of the stage goes. */
static LLVMValueRef row_offset(const struct block_lowering *l, LLVMValueRef n)
{
	LLVMValueRef offset = l->chunk;

	for (unsigned i = 0; i < l->block->piece_count; i++) {
		LLVMValueRef radix = block_number(l, l->block->pieces[i].digit.radix);

		if (is_along(l, &l->block->pieces[i]))
			continue;
		offset = block_add(l, offset, LLVMBuildURem(l->b, n, radix, "digit"),
			l->step[i][FACTOR_STORE]);
		n = LLVMBuildUDiv(l->b, n, radix, "rest");
	}
	for (unsigned i = l->block->line_loop; i < l->block->loop_count; i++)
		offset = block_add(l, offset, n, l->loop_step[i][FACTOR_STORE]);
	return offset;
}

/* Has another chunk the lines that rows begin in, and this one those that they end in? */
static void find_lines(struct block_lowering *l)
{
	const struct dim *dim;
	LLVMValueRef first;

	l->behind = l->goes_on = LLVMConstNull(LLVMTypeOf(l->staged));
	if (!more_turns(l))
		return;
	dim = &l->dims[loop_of(l)->piece.digit.dim];
	first = LLVMBuildNSWAdd(l->b, dim->low, block_number(l, loop_of(l)->piece.digit.step *
		loop_of(l)->piece.digit.radix), "first");
	l->behind = LLVMBuildAnd(l->b, l->staged, LLVMBuildICmp(l->b, LLVMIntSGE, dim->start,
		first, ""), "behind");
	l->goes_on = LLVMBuildAnd(l->b, l->staged, is_whole(l, more_turns(l)), "goes.on");
	l->loop_count[l->block->chunk_loop] = LLVMBuildSelect(l->b, l->goes_on,
		block_number(l, loop_of(l)->piece.digit.radix + more_turns(l)),
		block_number(l, loop_of(l)->piece.digit.radix), "turns");
}

/* Where the next chunk begins in the source, if it is worth fetching while rows of this one are
 * stored. */
static void find_next(struct block_lowering *l)
{
	l->next = NULL;
	if (!l->block->chunk_loop || row_count(l) < TOGETHER)
		return;
	l->next = LLVMBuildNSWAdd(l->b, LLVMBuildNSWAdd(l->b, chunk_offset(l, FACTOR_LOAD),
		block_chunk_ahead(l), ""), block_number(l, l->block->vector[FACTOR_LOAD] *
		block_bytes(l, FACTOR_LOAD) - l->block->packed), "next");
}

/* The lines that rows begin and end in are stored in part, and are read before: in time. */
static void fetch_ends(const struct block_lowering *l)
{
	struct branch staged = branch_open(&l->part, LLVMBuildAnd(l->b, l->staged,
		LLVMBuildNot(l->b, LLVMBuildAnd(l->b, l->behind, l->goes_on, ""), ""), ""), "ends");
	struct block_turns rows = block_loop_open(l, block_number(l, 0),
		block_number(l, row_count(l)));
	LLVMValueRef row = row_offset(l, rows.counter), last = block_number(l,
		l->block->chunk * block_bytes(l, FACTOR_STORE) - l->block->packed);

	stream_prefetch(l->b, block_address(l, FACTOR_STORE, row), true);
	stream_prefetch(l->b, block_address(l, FACTOR_STORE, LLVMBuildNSWAdd(l->b, row, last,
		"end")), true);
	block_loop_close(l, &rows);
	branch_close(&l->part, &staged);
}

/* The last lines of a row begin earlier where that makes the chunk whole. */
static void settle_lines(struct block_lowering *l)
{
	for (unsigned i = l->block->line_loop; i < l->block->loop_count; i++) {
		const struct digit *digit = &l->block->loops[i].piece.digit;

		l->dims[digit->dim].start = block_settled(l, digit->dim,
			l->block->dims[digit->dim].reach + digit->step * (digit->radix - 1));
	}
}

void block_chunk_open(struct block_lowering *l)
{
	int64_t bytes = block_bytes(l, FACTOR_STORE), row = row_elements(l) * bytes;

	settle_lines(l);
	l->store_base = l->base[FACTOR_STORE];
	for (unsigned i = 0; i < l->block->piece_count; i++)
		l->store_step[i] = l->step[i][FACTOR_STORE];
	if (!l->stage)
		return;
	l->chunk = chunk_offset(l, FACTOR_STORE);
	l->staged = LLVMBuildAnd(l->b, LLVMBuildAnd(l->b, l->large, is_whole(l, 0), ""),
		LLVMBuildNot(l->b, is_direct(l), ""), "staged");
	l->store_base = LLVMBuildSelect(l->b, l->staged, l->stage, l->store_base, "base");
	for (unsigned i = 0; i < l->block->piece_count; i++) {
		const struct block_piece *piece = &l->block->pieces[i];
		bool along = is_along(l, piece);
		int64_t step = along ? piece->weight[FACTOR_STORE]->value * bytes : row;

		l->store_step[i] = LLVMBuildSelect(l->b, l->staged, block_number(l, step),
			l->store_step[i], "step");
		row *= along ? 1 : piece->digit.radix;
	}
	find_lines(l);
	find_next(l);
	fetch_ends(l);
}

LLVMValueRef block_chunk_offset(const struct block_lowering *l)
{
	LLVMValueRef sum = block_number(l, 0);

	if (!l->stage)
		return l->offset[FACTOR_STORE];
	for (unsigned i = l->block->chunk_loop; i < l->block->line_loop; i++)
		sum = block_add(l, sum, l->counter[i], l->loop_step[i][FACTOR_STORE]);
	for (unsigned i = l->block->line_loop; i < l->block->loop_count; i++)
		sum = block_add(l, sum, l->counter[i], block_number(l, row_count(l) /
			l->block->loops[i].piece.digit.radix * row_elements(l) *
			block_bytes(l, FACTOR_STORE)));
	return LLVMBuildSelect(l->b, l->staged, sum, l->offset[FACTOR_STORE], "offset");
}

/* From "at" up to the next line, in bytes; 0 where it begins one. */
static LLVMValueRef up_to_line(const struct block_lowering *l, LLVMValueRef at)
{
	return LLVMBuildAnd(l->b, LLVMBuildNeg(l->b, LLVMBuildPtrToInt(l->b, at, l->i64, ""), ""),
		block_number(l, STREAM_LINE - 1), "up");
}

/* Row n of the stage and where it goes, from the chunk's first line on where another chunk has
 * what is before that. */
static struct stream_line row_at(const struct block_lowering *l, LLVMValueRef n)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	LLVMValueRef to = block_address(l, FACTOR_STORE, row_offset(l, n)), from, first;

	first = LLVMBuildSelect(l->b, l->behind, up_to_line(l, to), block_number(l, 0), "first");
	from = LLVMBuildNSWMul(l->b, n, block_number(l, bytes_of(l, row_elements(l))), "at");
	from = LLVMBuildNSWAdd(l->b, from, first, "from");
	return (struct stream_line){ LLVMBuildInBoundsGEP2(l->b, byte, to, &first, 1, "to"),
		LLVMBuildInBoundsGEP2(l->b, byte, l->stage, &from, 1, "row"), first };
}

/* Row n, or what of it is in the chunk's lines. */
static void store_row(const struct block_lowering *l, LLVMValueRef n)
{
	struct stream_line row = row_at(l, n);
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetBuilderContext(l->b));
	LLVMValueRef rest = LLVMBuildNSWSub(l->b, block_number(l, chunk_bytes(l)), row.skipped,
		"rest");

	rest = LLVMBuildNSWAdd(l->b, rest, LLVMBuildSelect(l->b, l->goes_on, up_to_line(l,
		LLVMBuildInBoundsGEP2(l->b, byte, row.to, &rest, 1, "")), block_number(l, 0),
		""), "bytes");
	stream_row(&l->part, row.to, row.from, rest);
}

/* Of the next chunk's vectors, from "first" on, those whose turn it is at step n of so many:
 * stores past the caches leave the memory time to read. */
static void fetch_next(const struct block_lowering *l, LLVMValueRef n, int64_t steps)
{
	struct vectors vectors;
	LLVMValueRef at, first;
	struct branch some;
	int64_t share;

	if (!l->next || !find_vectors(l, &vectors))
		return;
	share = share_of(&vectors, (vectors.all + steps - 1) / steps);
	at = LLVMBuildNSWMul(l->b, n, block_number(l, share), "at");
	some = branch_open(&l->part, LLVMBuildICmp(l->b, LLVMIntSLT, at,
		block_number(l, vectors.all), ""), "fetch");
	first = block_pin(l, vector_offset(l, &vectors, l->next, at));
	for (int64_t i = 0; i < share; i++)
		stream_prefetch(l->b, block_address(l, FACTOR_LOAD, vector_offset(l, &vectors,
			first, block_number(l, i))), false);
	branch_close(&l->part, &some);
}

/* Rows whose lines are stored in turns: memory takes those of a few rows together faster than
 * those of one or of many. */
static int64_t group_rows(const struct block_lowering *l)
{
	return int_gcd(row_count(l), TOGETHER);
}

/* Line n of each row of a group. */
static void store_lines(const struct block_lowering *l, const struct stream_line *rows,
	LLVMValueRef n)
{
	for (int64_t i = 0; i < group_rows(l); i++)
		stream_line(&l->part, &rows[i], n);
}

/* The rows of a group, of which the chunk has as many lines as elements make up. */
static void store_group(const struct block_lowering *l, LLVMValueRef group)
{
	LLVMValueRef count = block_number(l, chunk_bytes(l) / STREAM_LINE), n;
	LLVMValueRef first = block_pin(l, LLVMBuildNSWMul(l->b, group,
		block_number(l, group_rows(l)), ""));
	struct stream_line rows[TOGETHER];
	struct block_turns lines;

	for (int64_t i = 0; i < group_rows(l); i++)
		rows[i] = row_at(l, LLVMBuildNSWAdd(l->b, first, block_number(l, i), "row"));
	lines = block_loop_open(l, block_number(l, 0), count);
	n = block_add(l, lines.counter, group, count);
	fetch_next(l, n, row_count(l) / group_rows(l) * chunk_bytes(l) / STREAM_LINE);
	store_lines(l, rows, block_pin(l, lines.counter));
	block_loop_close(l, &lines);
}

/* Rows of whatever begins and ends them. */
static void store_any(const struct block_lowering *l)
{
	struct block_turns rows = block_loop_open(l, block_number(l, 0), block_number(l,
		row_count(l)));

	fetch_next(l, rows.counter, row_count(l));
	store_row(l, rows.counter);
	block_loop_close(l, &rows);
}

/* Where a chunk has whole lines, rows that begin and end with lines of its own are stored in
 * groups. */
static void store_rows(const struct block_lowering *l)
{
	struct block_turns choice, rows;

	if (!more_turns(l) || chunk_bytes(l) % STREAM_LINE) {
		store_any(l);
		return;
	}
	choice = block_choose(l, LLVMBuildAnd(l->b, l->behind, l->goes_on, "lines"));
	rows = block_loop_open(l, block_number(l, 0), block_number(l,
		row_count(l) / group_rows(l)));
	store_group(l, rows.counter);
	block_loop_close(l, &rows);
	block_otherwise(l, &choice);
	store_any(l);
	block_choice_close(l, &choice);
}

void block_chunk_close(struct block_lowering *l)
{
	struct branch staged;

	if (!l->stage)
		return;
	staged = branch_open(&l->part, l->staged, "rows");
	store_rows(l);
	branch_close(&l->part, &staged);
}
