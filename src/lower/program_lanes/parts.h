/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of a program's lowering, each a file. */
#ifndef LAYOUT_LOWER_PROGRAM_PARTS_H
#define LAYOUT_LOWER_PROGRAM_PARTS_H

#include "kernel/program/plan.h"
#include "lower/branch.h"
#include "lower/iteration.h"
#include "lower/program_lanes/owner.h"
#include "lower/tile/room.h"
#include "program/owners.h"

/* A set of workers: are we one of its waves, an i1; and which of how many, an i32. */
struct program_waves {
	LLVMValueRef holds, subgroup;
	unsigned count;
};

/* "opened" are sizes, the grid's coordinates and the lane where a workgroup's turn begins;
 * "pointers" those of the memories, "vars" are the program's variables, each an i32 or i64, with room for the coordinates
 * of an element behind them; "values" the registers of each tile that has been made. */
struct program_body_scope {
	layout_context *ctx;
	struct iteration *iteration;
	const struct program_plan *plan;
	LLVMBuilderRef b;
	LLVMTypeRef i8, i32, i64;
	LLVMValueRef *vars, *opened, *pointers;
	LLVMValueRef lane;	/* of the workgroup */
	struct owner_hardware hardware;
	LLVMValueRef **values;
	bool edge;		/* there is another version, where all of them are whole */
	bool whole;		/* accesses are of whole tiles here, in steps of .. */
	int counter;		/* this variable, else -1; a turn has steps ahead of its first */
	LLVMValueRef turn;	/* counter, which is this, so many, */
	unsigned ahead;
	LLVMBasicBlockRef before;	/* what no step changes is made here */
	bool read_local;	/* the LDS may be read still: what was put there last */
	bool direct;		/* copies go to the LDS directly here */
	const struct program_statement *ring;	/* the loop whose copies are ahead, of so many */
	LLVMValueRef steps;			/* steps, */
	bool steady;				/* all of which it makes in this turn, */
	int stage;				/* and whose copies of objects these are; or -1 */
	LLVMMetadataRef *copies;	/* all objects' */
	struct program_waves sets[PROGRAM_SETS];
	unsigned on;			/* the set that goes on in this branch alone, or 0; */
	struct branch on_branch;
	LLVMValueRef all_subgroup;	/* the subgroup, of all; */
	bool *made;			/* the tiles that it has made there, */
	unsigned arrivals;		/* and the barriers where others are waited for */
};

typedef struct program_body_scope program_scope;

/* Uniform conditions, of which all are to hold: rooms, and an i1 for others; NULL: none. */
struct program_room {
	struct rooms rooms;
	LLVMValueRef holds;
};

struct program_room program_room_begin(const program_scope *body);
LLVMValueRef program_room_holds(const program_scope *body, const struct program_room *room);

/* Go to where what a loop does not change is made, and back again. */
LLVMBasicBlockRef program_go_before(const program_scope *body);
void program_go_back(const program_scope *body, LLVMBasicBlockRef here);

/* Find the sets' waves, where the hardware is that of all. */
void program_workers_find(program_scope *body);

/* What comes from here on is done by a set of workers; 0: by all, as loops, conditions and waits
 * are. */
void program_on(program_scope *body, unsigned set);

/* Where the lane is in a tile. */
struct owner_coordinates program_coordinates(const program_scope *body,
	const struct owner *owner);

/* Where the lane is the one of several that hold the same to store it: an i1, or NULL for
 * everywhere; and is this register the one? */
LLVMValueRef program_guard(const program_scope *body, const struct owner *owner);
bool program_guard_register(const struct owner *owner, int64_t r);

static inline const struct owner *program_owner(const program_scope *body,
	const layout_tile *tile)
{
	return body->plan->owners[tile->number];
}

static inline unsigned program_registers_of(const program_scope *body,
	const layout_tile *tile)
{
	return (unsigned)program_owner(body, tile)->extent[OWNER_REGISTER];
}

/* A type's integer. */
LLVMTypeRef program_type(const program_scope *body, const struct element_type *type);

/* A uniform expression of the program, as an i64. */
LLVMValueRef program_uniform(const program_scope *body, const struct index *index);

/* "op" of elements of a type, as bits: arithmetic is of that type, and comparisons give
 * the bits of an i1. */
LLVMValueRef program_operate(const program_scope *body, enum map_op op,
	const struct element_type *type, LLVMValueRef *args);
LLVMValueRef program_cast(const program_scope *body, const struct element_type *from,
	const struct element_type *to, LLVMValueRef bits);

/* The tiles of these operations; false with the error on the context. */
bool program_lower_load(program_scope *body, const layout_tile *tile);

/* Of a load that a contraction has in parts, the registers that "part" says by number, which it
 * frees, and may be NULL without memory; the first part makes all of them room.  And have sums
 * computed before anything else is loaded: numbers, or vectors of so many "words" each. */
bool program_load_part(program_scope *body, const layout_tile *tile, bool *part, bool first);
void program_finish_part(const program_scope *body, LLVMValueRef *sums, unsigned count,
	unsigned words);

bool program_lower_store(program_scope *body, const struct program_statement *store);
/* Of body->counter's loop, no more steps than there are until the tile of the access is not
 * whole; false with the error on the context. */
bool program_whole_steps(program_scope *body, const struct program_statement *statement,
	LLVMValueRef *steps);
/* The room for the tile of the access, in a loop for those of all steps where the counter is
 * at the last; false with the error on the context. */
bool program_find_room(program_scope *body, const struct program_statement *statement,
	struct program_room *room);
bool program_lower_map(program_scope *body, const layout_tile *tile);
bool program_lower_reduce(program_scope *body, const layout_tile *tile);
bool program_lower_contract(program_scope *body, const layout_tile *tile);
bool program_lower_product(program_scope *body, const layout_tile *tile);
bool program_lower_put(program_scope *body, const struct program_statement *put);
bool program_lower_get(program_scope *body, const layout_tile *tile);
bool program_lower_direct(program_scope *body, const struct program_statement *copy);
void program_lower_wait(program_scope *body, const struct program_statement *before);

/* Can all copies that go directly, of which there are some, do so with these sizes and pointers:
 * an i1. */
LLVMValueRef program_can_direct(const program_scope *body);

/* Does a loop have copies that are ahead of its steps?  Make those of the first steps. */
bool program_has_ahead(const program_scope *body, const struct program_statement *loop);
bool program_begin_ahead(program_scope *body);
bool program_lower_convert(program_scope *body, const layout_tile *tile);

/* Step "step" of "times" that a turn has, which begins at the counter; there are some up to
 * "end". */
struct program_turn {
	LLVMValueRef counter, end;
	unsigned step, times;
};

/* Is a load made ahead, as it is where tiles are whole, and has the loop some?  Make those of the
 * steps from the counter on, and put them; let them be phis, by statement, from "from" on, and in
 * the end what they are at "last".  The lists of phis are to be freed. */
bool program_is_early(const program_scope *body, const struct program_statement *of);
bool program_has_early(const program_scope *body, const struct program_statement *loop);
bool program_early_load(program_scope *body, const struct program_statement *loop,
	const struct program_turn *turn);
bool program_early_put(program_scope *body, const struct program_statement *put);
bool program_early_begin(program_scope *body, const struct program_statement *loop,
	LLVMValueRef **phis, LLVMBasicBlockRef from);
void program_early_end(const program_scope *body, const struct program_statement *loop,
	LLVMValueRef **phis, LLVMBasicBlockRef last);

/* Make the loads of a later step for which there is room once "done" statements are. */
bool program_early_next(program_scope *body, const struct program_statement *loop,
	unsigned done, const struct program_turn *turn);

/* Registers as a vector, or one as it is: that of which they are parts, where they are.  And the
 * parts of one. */
LLVMValueRef program_join(const program_scope *body, const LLVMValueRef *registers,
	unsigned count);
void program_part(const program_scope *body, LLVMValueRef vector, unsigned count,
	LLVMValueRef *registers);

/* Of so many registers, those that are all parts of a vector, in its order; or 0. */
unsigned program_parts_of(const LLVMValueRef *registers, unsigned count);

/* A phi of the block, wherever in it we are, that is "value" from there. */
LLVMValueRef program_phi(const program_scope *body, LLVMTypeRef type, LLVMValueRef value,
	LLVMBasicBlockRef from, const char *name);

/* Registers of a tile, if it is a product's sum, that an instruction takes as one; or 1, as at
 * edges, where LLVM would keep a vector of zeros for them. */
unsigned program_sum_vector(const program_scope *body, const layout_tile *tile);

/* A list for the registers of a tile. */
LLVMValueRef *program_make_values(program_scope *body, const layout_tile *tile);

/* Which register of an operand broadcast to a tile each register of that takes; to be
 * freed.  NULL with the error on the context. */
unsigned *program_operand_registers(const program_scope *body, const layout_tile *operand,
	const layout_tile *tile);

#endif
