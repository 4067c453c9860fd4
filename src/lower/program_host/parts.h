/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of a program's lowering to loops. */
#ifndef LAYOUT_LOWER_PROGRAM_HOST_PARTS_H
#define LAYOUT_LOWER_PROGRAM_HOST_PARTS_H

#include "kernel/program/product_block.h"
#include "kernel/program/plan.h"
#include "lower/branch.h"
#include "lower/number.h"

/* The steps of a loop for which "at" + step is a coordinate below "size"; NULL: unknown. */
struct host_range {
	const struct index *at, *size;
};

/* Where an array of "size" elements has the one at x of a tile: behind the sum of
 * x[d] * step[d].  Dimension "dim" goes in panels of "width", which are "apart", unless that
 * is 0. */
struct host_panels {
	int64_t step[PROGRAM_RANK], width, apart, size;
	unsigned dim;
};

/* A contraction as products of vectors.  Its letters are
 *
 *	row	of the result and the first factor, whose element is multiplied by vectors
 *	column	the result's last one, of the second factor, too, whose vectors these are
 *	depth	summed
 *
 * and "factor" the operands.  A block has so many rows, and vectors of so many lanes; factors
 * are packed for it, in the type of the sum. */
enum { HOST_ROWS, HOST_COLUMNS };
struct host_product {
	bool is;
	unsigned row, column, depth, factor[2];
	int64_t rows, lanes;
	struct host_panels panels[2];
	LLVMValueRef packed[2];
};

/* What is known of a tile:
 *
 *	depth		of the loops around its statement
 *	evaluations	how often its elements are asked for, 2 meaning more than once
 *	deepest		where that is
 *	is_array	an array has its elements
 *	is_turned	another tile is its array, turned
 *	same		the tile whose array it shares; NULL: its own
 *	is_with		a reduction is made in the loops of its operand
 *	is_asked	others ask for elements of it
 *	asked		where, in each dimension: in this range if they all do
 *	array, best	of its elements, and of argmin and argmax of the best ones
 *	turned		of its elements in the order of memory */
struct host_tile {
	unsigned depth, evaluations, deepest;
	bool is_array, is_turned, is_with, is_asked;
	struct host_range asked[PROGRAM_RANK];
	struct host_product product;
	const layout_tile *same;
	LLVMValueRef array, best, turned;
};

/* A piece of a row that is stored past the caches: "first" is where it begins in the loop,
 * "to" in memory, and its "bytes" come to the buffer while it is open.  "aligned": where
 * whole vectors lie. */
struct host_stream {
	bool open;
	LLVMValueRef buffer, first, to, bytes, aligned;
};

/* An argument as one whose dimensions are in another order. */
struct host_alias {
	layout_memory memory;
	unsigned argument;
	struct storage_access access;
};

/* A loop that ends where a range does, and its coordinate. */
struct host_end {
	struct host_range range;
	LLVMValueRef x;
};

/* "scope" has the program's variables, and behind them room for coordinates.  "masked":
 * accesses may lie outside of their memory, and ask before they load or store.  They need
 * not ask for the innermost loop's "step" where that is in, or out of, its range, and for
 * those of a loop that ends where a range does, by dimension.  "panel" is the number of the
 * innermost loop's. */
struct host {
	layout_context *ctx;
	struct iteration *iteration;
	const struct program_plan *plan;
	const layout_program *program;
	LLVMBuilderRef b;
	LLVMContextRef llvm;
	LLVMTypeRef i64;
	struct expression_scope scope;
	struct host_tile *tiles;
	const struct host_alias *alias;	/* NULL: none is in use */
	LLVMValueRef *locals;		/* arrays of the objects in the LDS */
	int64_t bytes;			/* of all arrays, */
	LLVMValueRef given, heap;	/* and what is not on the stack, from "heap" on; */
	int64_t heap_bytes;		/* NULL: all is */
	bool masked, outside;
	struct host_range range;
	LLVMValueRef step, panel;
	struct host_end ends[PROGRAM_RANK];
	struct host_stream stream;
};

/* Find which contractions are products of vectors, and how their factors are packed. */
void host_find_products(struct host *host);

/* Is a tile another's array in vectors that are turned?  And do that. */
bool host_is_turned(const struct host *host, const layout_tile *tile);
void host_turn(struct host *host, const layout_tile *tile);

/* Is a tile loaded, or stored, along another dimension than its last?  And do that by way of its
 * array "turned", as another tile. */
bool host_is_load_turned(const struct host *host, const layout_tile *tile);
bool host_is_store_turned(const struct host *host, const struct program_statement *s);
void host_load_turned(struct host *host, const layout_tile *tile);
void host_store_turned(struct host *host, const struct program_statement *s);

/* Loops over the elements of a tile as its statement says, to an array, and over those of a store. */
void host_compute_array(struct host *host, const layout_tile *tile, LLVMValueRef array);
void host_store_array(struct host *host, const struct program_statement *s);

/* Find which tiles are arrays, and which of them share one. */
void host_choose_arrays(struct host *host);

/* Is a statement a map that has an array, and the next one a reduction of it?  They are
 * made in the same loops. */
bool host_is_reduced_next(const struct host *host, const struct program_body *body,
	unsigned i);

/* Find "is_with" and where tiles are "asked" for, once it is known which are arrays. */
void host_find_asked(const struct host *host);

/* Is it the same range, of some?  And one that is the same in all steps of all loops? */
bool host_is_same(const struct host_range *a, const struct host_range *b);
bool host_is_fixed(const struct host *host, const struct host_range *range);

/* Behind the range of the innermost loop: may others ask for elements of a tile there, and
 * is what its statement says the same all along it? */
bool host_is_asked_behind(const struct host *host, const layout_tile *tile);
bool host_is_uniform_behind(const struct host *host, const layout_tile *tile);

/* How far loops over a tile's box need to go, for those who ask: to "end", which is that of
 * the dimension's "range", or to that of the box where it is NULL.  "full": they go all the
 * way, an i1. */
struct host_limits {
	struct host_range range[PROGRAM_RANK];
	LLVMValueRef end[PROGRAM_RANK], full;
};

/* Those of a tile; those of a factor of a product, and of its depth. */
struct host_limits host_find_limits(const struct host *host, const layout_tile *tile);
struct host_limits host_factor_limits(const struct host *host, const layout_tile *tile,
	unsigned factor);

/* Does the value of a carry's yield depend on no other element of the carries of "loop"
 * than the one it replaces? */
bool host_is_in_place(const struct host *host, const struct program_statement *loop,
	const layout_tile *carry);

/* An i64. */
LLVMValueRef host_number(const struct host *host, int64_t value);

/* Add the products of a contraction to its array; and where it is one of vectors. */
void host_contract(struct host *host, const layout_tile *tile);
void host_product(struct host *host, const layout_tile *tile);

/* for (x = 0; x < end; x++): the builder is left in the body. */
struct host_loop {
	LLVMBasicBlockRef header, after;
	LLVMValueRef x;
};

struct host_loop host_loop_open(const struct host *host, LLVMValueRef end,
	const char *name);
void host_loop_close(const struct host *host, const struct host_loop *loop);

/* An array of a tile's box, as memory and element by element. */
LLVMTypeRef host_array_type(const struct host *host, const struct element_type *type);
unsigned host_array_bytes(const struct element_type *type);
LLVMValueRef host_array(const struct host *host, const layout_tile *tile);
LLVMValueRef host_array_element(const struct host *host, LLVMValueRef array,
	const layout_tile *box, const struct element_type *type, const LLVMValueRef *x);
LLVMValueRef host_array_load(const struct host *host, LLVMValueRef array,
	const layout_tile *box, const struct element_type *type, const LLVMValueRef *x);
void host_array_store(const struct host *host, LLVMValueRef array, const layout_tile *box,
	const struct element_type *type, const LLVMValueRef *x, LLVMValueRef value);

/* The element of a tile at coordinates x, each an i64: as its statement says, or from its
 * array where there is one. */
LLVMValueRef host_compute(struct host *host, const layout_tile *tile,
	const LLVMValueRef *x);
LLVMValueRef host_value(struct host *host, const layout_tile *tile,
	const LLVMValueRef *x);

/* Where the points of loops are, in each dimension: first <= x < end, i64. */
struct host_bounds {
	LLVMValueRef first[PROGRAM_RANK], end[PROGRAM_RANK];
};

/* "x" in the box of a tile that is aligned at the last dimension and may repeat. */
void host_broadcast(const struct host *host, const layout_tile *tile, unsigned rank,
	const LLVMValueRef *x, LLVMValueRef *to);

/* Element x of what a load loads. */
LLVMValueRef host_load(struct host *host, const layout_tile *tile, const LLVMValueRef *x);

/* The array of an object, and its box as that of a tile; and where x of a tile is there. */
LLVMValueRef host_local(const struct host *host, const layout_memory *local);
layout_tile host_local_box(const layout_memory *local);
void host_local_point(const struct host *host, const struct program_place *place,
	const LLVMValueRef *x, LLVMValueRef *at);

/* Store an element at place + x, which is in the memory where that is not gathered; and the
 * bounds of such places. */
struct host_bounds host_place_bounds(const struct host *host, const layout_tile *box,
	const layout_memory *memory, const struct program_place *place);
void host_store(struct host *host, const struct program_statement *statement,
	const LLVMValueRef *x, LLVMValueRef value);

/* Where such an element lies; and an argument's number and index expressions. */
LLVMValueRef host_store_address(struct host *host, const struct program_statement *statement,
	const LLVMValueRef *x);
unsigned host_argument(const struct host *host, const layout_memory *memory);
const struct storage_access *host_access(const struct host *host,
	const layout_memory *memory);

/* Bytes of the buffer for pieces of rows, a multiple of all vectors: more at once wait for
 * memory. */
#define HOST_STREAM_BYTES 512

/* Has the body stores whose rows may go past the caches?  And do those of a store, an i1;
 * NULL: never. */
bool host_may_stream(const struct host *host, const struct program_body *body);
LLVMValueRef host_streams(const struct host *host, const struct program_statement *store);

/* The piece of a row from x on: where it stops, at "end" at most.  Until it is closed its
 * points go to the buffer. */
LLVMValueRef host_stream_open(struct host *host, const struct program_statement *store,
	const LLVMValueRef *x, LLVMValueRef end);
void host_stream_point(const struct host *host, LLVMValueRef x, LLVMValueRef value);
void host_stream_close(struct host *host);

/* The range of the innermost loop over a box in which a tile's loads are in their memory:
 * that of some load.  And of a place. */
struct host_range host_find_range(const struct host *host, const layout_tile *tile,
	int64_t extent);
struct host_range host_place_range(const struct host *host, const layout_memory *memory,
	const struct program_place *place, unsigned d);

/* Where a range begins and ends in a loop of as many steps: first <= end, i64. */
void host_range_bounds(const struct host *host, const struct host_range *range,
	int64_t extent, LLVMValueRef *first, LLVMValueRef *end);

/* Is all in its memory that these load, and the whole box at a place?  An i1. */
LLVMValueRef host_is_whole(const struct host *host, const layout_tile *tile);
LLVMValueRef host_is_value_whole(const struct host *host, const layout_tile *tile);
LLVMValueRef host_is_place_whole(const struct host *host, const layout_tile *box,
	const layout_memory *memory, const struct program_place *place);

/* The code of one point of a box; "user" is passed on. */
typedef void (*host_point)(struct host *host, const LLVMValueRef *x, void *user);

/* Whether the innermost steps behind the range do anything, by the first one's x: an i1;
 * NULL: they may. */
typedef LLVMValueRef (*host_needed)(struct host *host, const LLVMValueRef *x, void *user);

/* Loops over a box, the last dimension innermost.  Where "whole" does not hold, they are
 * masked and, unless that is NULL, within "bounds"; else the innermost one is three, by
 * where "range" begins and ends, and the third one is left out where "needed", unless it
 * is NULL, says so.  Where "streams", unless it is NULL, the innermost one goes through
 * the row of "store" piece by piece.  Masked loops go as far as "limits" say, and the
 * innermost one is two where it goes in panels of "width", unless that is 0.  "user" is
 * passed on. */
struct host_nest {
	unsigned rank;
	const int64_t *box;
	LLVMValueRef whole;
	const struct host_limits *limits;
	int64_t width;
	const struct host_bounds *bounds;
	struct host_range range;
	host_point point;
	host_needed needed;
	LLVMValueRef streams;
	const struct program_statement *store;
	void *user;
};

void host_loops(struct host *host, const struct host_nest *nest);

#endif
