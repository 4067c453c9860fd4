/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs: short lists of statements on tiles, whose elements are spread over the
 * registers of a workgroup.
 *
 *	program row_sum(A: in row_major[M, K] f32, S: out row_major[M] f32) {
 *	  grid (m) in (ceil(M/4)) workers w in 1
 *	  for k in ceil(K/256) carry s: [4, 256] f32 = fill 0 {
 *	    a = load A[4*m, 256*k] : [4, 256]
 *	    t = map s + a
 *	    yield t
 *	  }
 *	  r = reduce add s over [1]
 *	  store r -> S[4*m]
 *	}
 *
 * The meaning is said by boxes, element types and positions alone.  An owner, a relation
 * hardware -> coordinates of the box, says which lane's register holds which element; one
 * that is not written is found.  Masks, widths of accesses and conversions between owners
 * follow from these and are never written.
 *
 * Elements outside of a memory are loaded as the load's "pad", 0 unless said, and are not
 * stored; cells that are padding of a memory are neither read nor written.  Positions and
 * counts are text, quasi-affine expressions of the sizes, the grid's coordinates and the
 * counters of the loops around them; in place of one coordinate there may be the name of
 * a tile of i32, and the access is a gather.
 *
 * Objects of a program live as long as it does.  Whatever is built belongs to the innermost
 * loop or condition that is open.  A function that fails leaves the program as it was, but
 * in the head: then it can only be freed. */
#ifndef LAYOUT_PROGRAM_H
#define LAYOUT_PROGRAM_H

#include <layout/relation.h>
#include <layout/remap.h>
#include <layout/storage.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_program layout_program;
typedef struct layout_tile layout_tile;		/* a value; the program's own */
typedef struct layout_memory layout_memory;	/* an argument; the program's own */

typedef enum {
	LAYOUT_ACCESS_IN,
	LAYOUT_ACCESS_OUT,	/* every element is written, by one store */
	LAYOUT_ACCESS_INOUT,
} layout_access;

/* How a copy gets to the LDS: directly where a target's loads can and that takes no more
 * instructions, directly or not at all, or through the registers. */
typedef enum {
	LAYOUT_COPY_BEST,
	LAYOUT_COPY_DIRECT,
	LAYOUT_COPY_REGISTERS,
} layout_copy_way;

/* An empty program; read one, all of "text"; print it, so that it reads back: positions and
 * counts as they were given, which in a text are in their normal form. */
LAYOUT_API LAYOUT_GIVE layout_program *layout_program_new(
	LAYOUT_KEEP layout_context *ctx, const char *name);
LAYOUT_API LAYOUT_GIVE layout_program *layout_program_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);
LAYOUT_API LAYOUT_GIVE char *layout_program_str(LAYOUT_KEEP layout_program *program);
LAYOUT_API void layout_program_free(LAYOUT_TAKE layout_program *program);
LAYOUT_API LAYOUT_KEEP layout_context *layout_program_context(
	LAYOUT_KEEP layout_program *program);

/* A conversion of one tile of elements of a type, from one owner to another, both hardware ->
 * tile; see layout_owner_convert().  "x" has FROM's registers, an array [thread][register],
 * and "y" gets TO's: threads number the lanes, of all subgroups in their order.
 *
 *	a = load x[0, 0] : [threads, registers]
 *	b = view a against FROM : box
 *	c = convert b @ TO
 *	d = view c through TO : [threads, registers]
 *	store d -> y[0, 0]
 *
 * Where FROM has an element several times, it is the first that is converted.  The
 * workgroup has as many waves as the owners have subgroups, or, where they number threads,
 * one for every 64.  LAYOUT_ERROR_INVALID where TO wants what FROM does not hold. */
LAYOUT_API LAYOUT_GIVE layout_program *layout_program_new_convert_tile(
	LAYOUT_KEEP layout_context *ctx, LAYOUT_TAKE layout_relation *from,
	LAYOUT_TAKE layout_relation *to, const char *type);

/* What a remap does, "x" its source and "y" its destination: a tile of some thousand elements for
 * each workgroup, of which the program says all that is computed, and to which more can be added.
 *
 *	a = load x[64*d0, 64*d1] : [64, 64] (pad = ..)
 *	b = map f16(a)
 *	store b -> y[64*d0, 64*d1]
 *
 * Padding of packed destinations is elements of "y", whose sizes are those of whole tiles.
 * LAYOUT_ERROR_UNSUPPORTED of maps that are no shift, of rounding toward zero, where padding is no 0
 * and converted, and where swizzles move it. */
LAYOUT_API LAYOUT_GIVE layout_program *layout_program_new_remap(
	LAYOUT_KEEP layout_remap *remap);

/* The head: first the arguments, then the grid with as many workgroups as "counts" say,
 * then the waves of a workgroup, as a box of rank 1 to 3.  The sizes of a program are the
 * names in its arguments' storages and in the counts, in order of first appearance. */
LAYOUT_API LAYOUT_KEEP layout_memory *layout_program_argument(
	LAYOUT_KEEP layout_program *program, const char *name,
	LAYOUT_TAKE layout_storage *storage, const char *type, layout_access access);

/* A size that is in no shape, as a length that a cache has by now; those of shapes and of the
 * grid's counts are there by themselves.  Before the grid. */
LAYOUT_API bool layout_program_size(LAYOUT_KEEP layout_program *program, const char *name);
LAYOUT_API bool layout_program_grid(LAYOUT_KEEP layout_program *program,
	const char *const *names, const char *const *counts, unsigned rank);

/* Of the coordinates: a workgroup's place in the grid -> its coordinates, a permutation, which
 * layout_program_verify() proves, and which changes nothing but where work is done when.
 * Behind the grid; "text" is how it is printed, NULL: as isl has it. */
LAYOUT_API bool layout_program_order(LAYOUT_KEEP layout_program *program,
	LAYOUT_TAKE layout_relation *order, const char *text);
LAYOUT_API bool layout_program_workers(LAYOUT_KEEP layout_program *program,
	const char *name, const int64_t *waves, unsigned rank);

/* Sets of the waves, of which each is in one: a half-open range of each dimension of their box, by
 * its bounds: of [0, p) "low" is "0" and "high" is "p".  Bounds are expressions of splits, which are
 * names of numbers, and of the workers' name, which is the count in that dimension, and in a split
 * where there is one dimension.  Behind the workers.  LAYOUT_ERROR_INVALID where a range is empty
 * or beyond the box. */
LAYOUT_API bool layout_program_split(LAYOUT_KEEP layout_program *program, const char *name,
	const char *size);
LAYOUT_API bool layout_program_worker_set(LAYOUT_KEEP layout_program *program,
	const char *name, const char *const *low, const char *const *high, unsigned rank);

/* What the sizes of every launch satisfy, comparisons as in "K <= 4096 and M >= 1"; what
 * is proved is proved for these.  Behind the head. */
LAYOUT_API bool layout_program_assume(LAYOUT_KEEP layout_program *program,
	const char *condition);

/* Tiles.  "at" has one position a dimension of the memory, "box" the extents of as many,
 * constants of at least 1 whose product is at most 2^20.  "owner" may be NULL: found. */

/* All elements "number", of a type; the coordinate in a dimension, i32. */
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_fill(
	LAYOUT_KEEP layout_program *program, const int64_t *box, unsigned rank,
	const char *type, const char *number, LAYOUT_TAKE layout_relation *owner);
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_index(
	LAYOUT_KEEP layout_program *program, const int64_t *box, unsigned rank,
	unsigned dim, LAYOUT_TAKE layout_relation *owner);

/* Element t is that of the memory at position + t, or "pad" (NULL: 0) where the memory
 * has none. */
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_load(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_memory *from,
	const char *const *at, const int64_t *box, const char *pad,
	LAYOUT_TAKE layout_relation *owner);

/* Store where the memory has elements. */
LAYOUT_API bool layout_program_store(LAYOUT_KEEP layout_program *program,
	LAYOUT_KEEP layout_tile *tile, LAYOUT_KEEP layout_memory *to,
	const char *const *at);

/* The same where tiles of i32 say, a scatter, with the promise that no launch has two points
 * that store to one element: nothing could prove it.  The evaluator refuses a launch that
 * breaks it; elsewhere, either may be the last. */
LAYOUT_API bool layout_program_store_unique(LAYOUT_KEEP layout_program *program,
	LAYOUT_KEEP layout_tile *tile, LAYOUT_KEEP layout_memory *to,
	const char *const *at);

/* An object in the LDS of every workgroup, a box of constants.  "place" says where its
 * elements lie there, a storage of numbers with the extents of the box; NULL: searched, for
 * the fewest cycles of all accesses.  Behind the head. */
LAYOUT_API LAYOUT_KEEP layout_memory *layout_program_lds(
	LAYOUT_KEEP layout_program *program, const char *name, const int64_t *box,
	unsigned rank, const char *type, LAYOUT_TAKE layout_storage *place);

/* Put a tile into an object, and get one from there, "at" numbers and all of it inside.
 * What is got was put before: in a loop of several stages, in the same step.  Waits between
 * lanes are derived. */
LAYOUT_API bool layout_program_put(LAYOUT_KEEP layout_program *program,
	LAYOUT_KEEP layout_tile *tile, LAYOUT_KEEP layout_memory *to, const char *const *at);
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_get(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_memory *from,
	const char *const *at, const int64_t *box, LAYOUT_TAKE layout_relation *owner);

/* Fill an object with what a memory has from "at" on, 0 where that ends: a load of the
 * object's box, which is put there; LAYOUT_COPY_BEST, or as it is said. */
LAYOUT_API bool layout_program_copy(LAYOUT_KEEP layout_program *program,
	LAYOUT_KEEP layout_memory *from, const char *const *at,
	LAYOUT_KEEP layout_memory *to);
LAYOUT_API bool layout_program_copy_by(LAYOUT_KEEP layout_program *program,
	LAYOUT_KEEP layout_memory *from, const char *const *at,
	LAYOUT_KEEP layout_memory *to, layout_copy_way way);

/* The same elements under another owner. */
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_convert(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_tile *tile,
	LAYOUT_TAKE layout_relation *owner);

/* The same elements under the owner of another tile of the same box, which that was given or
 * is found for it. */
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_convert_like(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_tile *tile,
	LAYOUT_KEEP layout_tile *other);

/* An expression on the elements of tiles, by their names:
 *
 *	+ - * /  < <= > >= == !=  min max fma abs  exp log exp2 log2 sin cos tanh erf sqrt
 *	rsqrt round floor ceil trunc  select(c, a, b)  f32(x)  numbers  sizes, coordinates
 *	and counters, as i32
 *
 * Boxes are aligned at their last dimension; a dimension that is missing or 1 is
 * broadcast.  Both sides of an operation have one type, which a number takes from the
 * other side.  Integers wrap, and divided by 0 are 0; casts to integers round to even and
 * saturate; min and max propagate NaN; a*b + c may be rounded once or twice; round is to
 * even. */
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_map(
	LAYOUT_KEEP layout_program *program, const char *expression);

/*	PERMUTE		dimension d of the view is dimension list[d] of the tile
 *	PROJECT		the dimensions in "list", of extent 1, are dropped
 *	EXPAND		dimension list[0] becomes the rest of the list, row-major
 *	COLLAPSE	the dimensions in "list", which follow each other, become one
 *	BROADCAST	to the box "list", as maps do
 *	THROUGH, AGAINST	a relation: layout_program_view_through() */
typedef enum {
	LAYOUT_VIEW_PERMUTE,
	LAYOUT_VIEW_PROJECT,
	LAYOUT_VIEW_EXPAND,
	LAYOUT_VIEW_COLLAPSE,
	LAYOUT_VIEW_BROADCAST,
	LAYOUT_VIEW_THROUGH,
	LAYOUT_VIEW_AGAINST,
} layout_view_change;
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_view(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_tile *tile,
	layout_view_change change, const int64_t *list, unsigned count);

/* A tile seen through a relation, for each element of the box "box".
 *
 *	THROUGH		map : view -> tile	element v is element map(v) of the tile
 *	AGAINST		map : tile -> view	element v is the first element of the tile
 *						that the map takes to v
 *
 * Whatever the map says of elements outside of the view is left out.
 * LAYOUT_ERROR_INVALID where an element of the view is none of the tile's.  Where a
 * conversion moves data between lanes, this says which data is meant. */
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_view_through(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_tile *tile,
	layout_view_change change, LAYOUT_TAKE layout_relation *map, const int64_t *box,
	unsigned rank);

/* Over some dimensions, which are dropped, or of extent 1 if "keep".  "op" is add, mul,
 * min, max, and, or, argmin or argmax; the latter give the lowest row-major index among
 * the reduced dimensions, i32.  "type" is what sums are computed and given in; NULL: the
 * tile's. */
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_reduce(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_tile *tile,
	const char *op, const unsigned *dims, unsigned count, bool keep,
	const char *type);

/* sum + the sum of x * y, where "maps" say which dimensions meet: "(i, j, k) -> (i, k),
 * (j, k), (i, j)" has those of x, y and the sum.  Products are of the sum's type.
 *
 * "by" is a matrix instruction, "MFMA_F32_16x16x16_F16", or "valu"; NULL is what a target
 * has for the types and extents.  LAYOUT_ERROR_INVALID where no chip's instruction of that
 * name multiplies these types. */
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_contract(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_tile *sum,
	LAYOUT_KEEP layout_tile *x, LAYOUT_KEEP layout_tile *y, const char *maps,
	const char *by);

/* The same of elements with scales (OCP MX): x and y are f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN or
 * f4E2M1FN, the sum is f32.  Scales are f8E8M0FNU, and as many as elements in all dimensions but
 * one that is summed: there 32 that follow each other have one.  A product with its scales is
 * exact before it is rounded to f32; NaN of a scale makes it one. */
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_contract_scaled(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_tile *sum,
	LAYOUT_KEEP layout_tile *x, LAYOUT_KEEP layout_tile *x_scales,
	LAYOUT_KEEP layout_tile *y, LAYOUT_KEEP layout_tile *y_scales, const char *maps,
	const char *by);

/* Loops, 0 <= counter < count, of 1 to 8 stages, with values carried from step to step: each
 * carry begins as "first", a tile in front of the loop, and as the value yielded for it from
 * the second step on.  Behind the loop, layout_program_result() is its last value.  Conditions are
 * comparisons of sizes, "k < 3 and M - 4*m >= 4".  Both are closed by layout_program_end(),
 * which for a loop takes one value a carry. */
LAYOUT_API bool layout_program_for(LAYOUT_KEEP layout_program *program,
	const char *counter, const char *count, unsigned stages);
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_carry(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_tile *first,
	LAYOUT_TAKE layout_relation *owner);
LAYOUT_API bool layout_program_when(LAYOUT_KEEP layout_program *program,
	const char *condition);
LAYOUT_API bool layout_program_end(LAYOUT_KEEP layout_program *program,
	LAYOUT_KEEP layout_tile *const *yields, unsigned count);
LAYOUT_API LAYOUT_KEEP layout_tile *layout_program_result(
	LAYOUT_KEEP layout_program *program, LAYOUT_KEEP layout_tile *carry);

/* What is built up to layout_program_end(), without yields, is done by the waves of a set, whose
 * subgroups count from 0 for owners: they hold its tiles, also behind that, and only they can use
 * them.  A carry, and what is filled or an index, is of the set that uses it first, and what a
 * loop yields is of that which holds it.  Loops and conditions are everyone's.
 *
 * What follows each other on different sets is done at the same time, from one barrier to the
 * next, which are derived; "shift" barriers later.  LAYOUT_ERROR_INVALID inside of another set,
 * and where a wave is of none or of two. */
LAYOUT_API bool layout_program_on(LAYOUT_KEEP layout_program *program, const char *name,
	unsigned shift);

/* What there is: arguments in order, and sizes; NULL past the last. */
LAYOUT_API LAYOUT_KEEP layout_memory *layout_program_argument_at(
	LAYOUT_KEEP layout_program *program, unsigned i);
LAYOUT_API const char *layout_program_size_name(LAYOUT_KEEP layout_program *program,
	unsigned i);
LAYOUT_API const char *layout_memory_name(LAYOUT_KEEP layout_memory *memory);
LAYOUT_API const char *layout_memory_type(LAYOUT_KEEP layout_memory *memory);
LAYOUT_API unsigned layout_memory_bits(LAYOUT_KEEP layout_memory *memory);
LAYOUT_API layout_access layout_memory_access(LAYOUT_KEEP layout_memory *memory);
LAYOUT_API LAYOUT_KEEP layout_storage *layout_memory_storage(
	LAYOUT_KEEP layout_memory *memory);

/* Tiles by name; a tile built from C is named "_0", "_1", .. until it gets another.
 * LAYOUT_ERROR_INVALID: something in sight has that name, or a loop or condition behind the
 * tile, it is a word of the notation, or the tile is one of a loop that was left. */
LAYOUT_API bool layout_tile_set_name(LAYOUT_KEEP layout_tile *tile, const char *name);

/* Give a tile that has no owner that of another one of the same box, which that was given or
 * is found for it. */
LAYOUT_API bool layout_tile_set_like(LAYOUT_KEEP layout_tile *tile,
	LAYOUT_KEEP layout_tile *other);
LAYOUT_API const char *layout_tile_name(LAYOUT_KEEP layout_tile *tile);
LAYOUT_API unsigned layout_tile_rank(LAYOUT_KEEP layout_tile *tile);
LAYOUT_API int64_t layout_tile_extent(LAYOUT_KEEP layout_tile *tile, unsigned dim);
LAYOUT_API const char *layout_tile_type(LAYOUT_KEEP layout_tile *tile);

/* Is it a program, for all sizes: owners cover their boxes and nothing beyond, no two
 * points of (workgroup, iteration, tile) store to one element, and every element of an
 * argument that is "out" is written?  LAYOUT_NO comes with the reason, to be freed, and
 * where there is one with a witness; both may be NULL. */
LAYOUT_API layout_answer layout_program_verify(LAYOUT_KEEP layout_program *program,
	char **reason, layout_witness **witness);

/* What the last LAYOUT_NO of layout_program_verify() is about, as a byte of the text that
 * the program was read from: the store, the tile, the argument; -1: nothing there. */
LAYOUT_API long layout_program_denied_at(LAYOUT_KEEP layout_program *program);

/* An argument's memory: as many bytes as its storage has. */
typedef struct {
	const char *name;
	void *base;
	size_t bytes;
} layout_buffer_argument;

/* Compute what a program means, point by point: the oracle for everything else, and
 * slow.  Each operation rounds to its type.  LAYOUT_ERROR_INVALID for buffers that are
 * missing or too small and sizes that are, LAYOUT_ERROR_QUOTA for too much work. */
LAYOUT_API bool layout_program_eval(LAYOUT_KEEP layout_program *program,
	const layout_size *sizes, unsigned size_count,
	const layout_buffer_argument *buffers, unsigned buffer_count);

#ifdef __cplusplus
}
#endif

#endif
