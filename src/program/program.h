/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs from the inside: statements on tiles whose elements are spread over the
 * registers of a workgroup.
 *
 * What a program means is said by boxes, types and positions alone; owners say where
 * elements are held meanwhile, and never what they are. */
#ifndef LAYOUT_PROGRAM_PROGRAM_H
#define LAYOUT_PROGRAM_PROGRAM_H

#include "algebra/size/size.h"
#include "algebra/storage/element.h"
#include "algebra/storage/storage.h"
#include "isl_bridge/index.h"

#include <layout/program.h>

/* Statements of a program, and elements that all its views through relations have, are
 * bounded so that any text is read and verified in seconds. */
enum {
	PROGRAM_RANK = LAYOUT_STORAGE_SLOTS, PROGRAM_BOX = 1 << 20, PROGRAM_OPERANDS = 16,
	PROGRAM_STATEMENTS = 4096, PROGRAM_SEEN = 1 << 23, PROGRAM_STAGES = 8,
};

/* Elements of a scaled factor that follow each other in a summed dimension have one scale. */
enum { PROGRAM_SCALED = 32 };

/* A number that bounds of sets of waves are written with; a set, as half-open ranges of the box of
 * all waves, and how it was written. */
enum { PROGRAM_WAVES = 32, PROGRAM_SETS = 16 };

struct program_split {
	char *name, *text;
	int64_t value;
};

struct program_workers {
	char *name, *text;
	int64_t low[3], high[3];
};

/* A quasi-affine expression of the program's variables. */
struct program_index {
	struct size size;	/* over their names */
	struct index *index;	/* over their numbers */
};

/* The sizes, in the order of the kernel's arguments; the grid's coordinates; the counters
 * of loops.  Two loops that follow each other may have counters of one name. */
enum program_variable_kind { VARIABLE_SIZE, VARIABLE_GRID, VARIABLE_LOOP };

struct program_variable {
	char *name;
	enum program_variable_kind kind;
	bool closed;			/* of a loop that was left */
	unsigned tiles;			/* that there were before it */
	unsigned declared;		/* of a size that is an argument itself: behind how many */
					/* of the others, and one; 0: it is of a shape or count */
	int64_t least, most;		/* of a size, by what is assumed */
	struct program_index extent;	/* 0 <= variable < extent; of a size: nothing */
};

/* Coordinate k of a memory that is seen through an affine map: offset[k] + the sum of
 * weights[k][j] times coordinate j of what is seen. */
struct program_sight {
	unsigned rank, memory_rank;
	char *names[PROGRAM_RANK];
	int64_t weights[PROGRAM_RANK][PROGRAM_RANK], offset[PROGRAM_RANK];
};

struct layout_memory {
	layout_program *program;
	char *name;
	layout_access access;
	layout_storage *storage;
	const struct element_type *type;
	struct program_sight *sight;	/* NULL: it is seen as it is */
	long position;			/* in the text, as all of these; -1: nowhere */
	bool local;			/* an object in the LDS: */
	bool searched;			/* its place is to be found, "storage" is row-major */
	unsigned rank;
	unsigned stages;		/* copies of it, of which a step of their loop has the next; */
	const struct program_statement *loop;	/* NULL: there is one */
	int64_t box[PROGRAM_RANK];
};

/* Where a tile lies in a memory: one index a dimension of that, or a tile of them. */
struct program_place {
	unsigned rank;
	struct program_index at[PROGRAM_RANK];
	layout_tile *gather[PROGRAM_RANK];	/* i32 tiles; NULL: "at" */
	uint32_t inside;			/* dimensions in which the whole tile always is */
						/* within the memory; derived, by known_find() */
};

enum map_op {
	MAP_OPERAND,		/* operand "number" of the tile */
	MAP_NUMBER,		/* "bits" of its type, written as "text" */
	MAP_INDEX,		/* variable "number" of the program, an i32 */
	MAP_CAST,
	MAP_ADD, MAP_SUB, MAP_MUL, MAP_DIV, MAP_NEG, MAP_MIN, MAP_MAX, MAP_FMA,
	MAP_LT, MAP_LE, MAP_GT, MAP_GE, MAP_EQ, MAP_NE, MAP_SELECT,
	MAP_EXP, MAP_LOG, MAP_EXP2, MAP_LOG2, MAP_SIN, MAP_COS, MAP_TANH, MAP_ERF, MAP_SQRT, MAP_RSQRT,
	MAP_ABS, MAP_ROUND, MAP_FLOOR, MAP_CEIL, MAP_TRUNC,
};

/* An expression on elements.  Arguments have the node's type, but those of comparisons,
 * whose own is i1, the condition of a select, which is an i1, and that of a cast. */
struct map_node {
	enum map_op op;
	const struct element_type *type;
	unsigned number, arg_count;
	uint64_t bits;
	char *text;
	struct map_node *arg[3];
};

enum tile_op {
	TILE_FILL,		/* "bits", written as "text" */
	TILE_INDEX,		/* the coordinate in dimension dims[0], an i32 */
	TILE_LOAD,		/* memory[place + t], "bits" where that is outside */
	TILE_GET,		/* the same of an object in the LDS, which has all of it */
	TILE_CONVERT,		/* operand 0 under another owner */
	TILE_MAP,		/* expression of the operands */
	TILE_VIEW,		/* operand 0 in another box */
	TILE_REDUCE,		/* operand 0 over dims */
	TILE_CONTRACT,		/* operand 0 plus the sum of operand 1 times operand 2, whose */
				/* scales are operands 3 and 4, if there are as many */
	TILE_CARRY,		/* inside its loop; operand 0 is the first value */
	TILE_RESULT,		/* behind it; operand 0 is the carry */
};

enum view_op {
	VIEW_PERMUTE, VIEW_PROJECT, VIEW_EXPAND, VIEW_COLLAPSE, VIEW_BROADCAST,
	VIEW_THROUGH, VIEW_AGAINST,	/* by "elements", as "text" has it */
};

enum reduce_op {
	REDUCE_ADD, REDUCE_MUL, REDUCE_MIN, REDUCE_MAX, REDUCE_AND, REDUCE_OR,
	REDUCE_ARGMIN, REDUCE_ARGMAX,
};

/* A value.  All operands of a map, a view, .. are made before it; "yield" of a carry is
 * what the next step begins with. */
struct layout_tile {
	layout_program *program;
	unsigned number;		/* among the program's tiles */
	unsigned access;		/* of a get: among those of the LDS */
	char *name;
	bool unnamed;			/* but by us; */
	bool hidden;			/* its loop or condition was closed */
	enum tile_op op;
	unsigned rank;
	int64_t box[PROGRAM_RANK];
	const struct element_type *type;
	layout_relation *owner;		/* hardware -> coordinates; NULL: to be found */
	const layout_tile *like;	/* the one whose owner it has; NULL: none */
	char *owner_text;		/* as written or as found */
	unsigned workers;		/* whose registers hold it: of a set, that by number; 0: of all, */
	bool loose;			/* or of those that use it first */
	long position;

	unsigned operand_count;
	layout_tile *operands[PROGRAM_OPERANDS];
	layout_tile *yield;

	char *text;
	uint64_t bits;
	layout_memory *memory;
	struct program_place place;
	struct map_node *expression;
	enum view_op view;
	uint32_t *elements;		/* of a view by a relation: of the operand, by number */
	enum reduce_op reduce;
	bool keep;
	const struct element_type *sum_type;	/* of a reduction; NULL: that of the tile */
	unsigned dim_count, dims[PROGRAM_RANK];	/* permuted, projected, reduced, .. */
	unsigned letter_count;			/* of a contraction: its dimensions, */
	unsigned maps[3][PROGRAM_RANK];		/* and those of operands 1, 2 and 0 */
	int64_t letters[PROGRAM_RANK];		/* their extents */
	char *letter_names[PROGRAM_RANK];
	unsigned scaled;			/* along which factors have scales, if they do */
	char *by;				/* the instruction; NULL: to be found */
	bool swapped;				/* whose lhs is operand 2 */
	unsigned parts;				/* of its steps, which its factors are loaded for by */
	unsigned shares;			/* themselves, and shares of the second factor's */
						/* blocks; derived, 0: all are loaded before */
	char *choice;				/* among owners, for --explain; NULL: none */
	unsigned piece;				/* of a load that goes to the LDS directly, */
						/* derived: bytes of each lane; 0: it does not */
};

enum statement_kind {
	STATEMENT_TILE, STATEMENT_STORE, STATEMENT_PUT, STATEMENT_FOR, STATEMENT_WHEN,
};

/* What waves wait for before a statement: what each of them put to the LDS or got from
 * there, or what all of them did. */
enum program_wait { WAIT_NONE, WAIT_WAVE, WAIT_WORKGROUP };

/* The same where copies go to the LDS directly, which takes time: what each wave has done
 * before that.
 *
 *	copies		instructions of its copies that may be under way still; -1: any
 *	accesses	are its puts and gets done? */
struct program_landing {
	enum program_wait wait;
	const layout_memory *waited;
	int copies;
	bool accesses;
};

/* a OP b, of which all must hold. */
struct program_condition {
	enum map_op op;			/* MAP_LT .. MAP_NE */
	struct program_index a, b;
};

struct program_body {
	unsigned count;
	struct program_statement *statements;
};

/*	TILE	"tile" gets its value
 *	STORE	"tile" to memory[place + t]
 *	PUT	the same, into the LDS
 *	FOR	variable < count, carrying "carries", whose "results" stand behind it
 *	WHEN	the conditions hold */
struct program_statement {
	enum statement_kind kind;
	enum program_wait wait;		/* before it; derived, .. */
	const layout_memory *waited;	/* for what is done with this object */
	struct program_landing direct;	/* before it, where copies are direct; derived */
	unsigned access;		/* of a put: among those of the LDS */
	unsigned shift;			/* of its set, by so many epochs */
	bool copy;			/* a put of the load before it, and how that is to go, */
	layout_copy_way way;		/* and how it was found, for --explain; NULL: no way */
	char *choice;
	unsigned ahead;			/* if directly: steps of its loop that it is ahead */
	unsigned early;			/* of a load that is made ahead: behind how many statements */
					/* of its body there is room for the next; */
	unsigned early_steps;		/* how many steps, and of a put of it how many that is */
	long position;
	layout_tile *tile;
	layout_memory *memory;
	struct program_place place;
	bool unique;			/* no two points store to one element: promised */
	unsigned variable, stages;
	bool even;			/* a loop always has an even number of steps; derived */
	unsigned carry_count;
	layout_tile *carries[PROGRAM_OPERANDS], *results[PROGRAM_OPERANDS];
	unsigned condition_count;
	struct program_condition conditions[PROGRAM_OPERANDS];
	struct program_body body;
};

/* "owner o = nested_layout<..>" */
struct program_owner {
	char *name, *text;
	layout_relation *relation;
};

struct layout_program {
	layout_context *ctx;
	char *name;
	unsigned memory_count;
	layout_memory **memories;	/* the arguments, in their order */
	unsigned local_count;
	layout_memory **locals;		/* the objects in the LDS */
	unsigned size_count, grid_count, variable_count;
	struct program_variable *variables;	/* sizes, grid, loops */
	layout_relation *order;		/* workgroup's place -> coordinates; NULL: as they are */
	char *order_text;
	long order_position;
	char *workers_name;
	unsigned workers_rank;
	int64_t workers[3];		/* waves of a workgroup, as a box, */
	unsigned split_count, set_count;
	struct program_split splits[PROGRAM_SETS];
	struct program_workers sets[PROGRAM_SETS];	/* and sets of them, from number 1 on */
	unsigned assumed_count;
	struct program_condition assumed[PROGRAM_OPERANDS];	/* of sizes alone */
	unsigned owner_count;
	struct program_owner *owners;
	unsigned tile_count;
	layout_tile **tiles;
	struct program_body body;

	long position;			/* of the statement that is read; -1: of no text */
	long denied;			/* see layout_program_denied_at() */
	unsigned statement_count;
	int64_t seen_count;		/* elements of views through relations */
	unsigned depth;			/* of loops and conditions that are open: */
	struct program_body *open[16];	/* where statements go, */
	unsigned on, shift, on_depth;	/* on which set, from this depth on; 0: on all */
	struct matmul *matmul;		/* what it was made of, for other tiles; NULL: of itself */
};

/* The rows of what is written: names of operations. */
extern const char *const program_reduce_names[], *const program_view_names[];

/* A row of the functions of expressions on elements, "exp"; up to one without a name. */
struct map_function {
	const char *name;
	enum map_op op;
	unsigned arg_count;
	bool floats;		/* for floating point alone */
};
extern const struct map_function map_functions[];

void map_node_free(struct map_node *node);

/* Waves of a workgroup; of a set, by number, as a box of the same rank; the waves that a tile's
 * registers are of; and which of the workgroup's is number "wave" of a set, the last dimension
 * fastest in both. */
LAYOUT_INTERNAL int64_t program_waves(const layout_program *program)
	LAYOUT_SYMBOL(program_waves);
LAYOUT_INTERNAL void program_workers_box(const layout_program *program, unsigned set,
	int64_t box[3]) LAYOUT_SYMBOL(program_workers_box);
LAYOUT_INTERNAL int64_t program_tile_waves(const layout_tile *tile)
	LAYOUT_SYMBOL(program_tile_waves);
int64_t program_workers_wave(const layout_program *program, unsigned set, int64_t wave);

/* The number of the set of that name, or 0. */
unsigned program_find_workers(const layout_program *program, const char *name);

/* Do elements come from, or go to, where other tiles say? */
static inline bool program_gathers(const struct program_place *place)
{
	for (unsigned d = 0; d < place->rank; d++)
		if (place->gather[d])
			return true;
	return false;
}

/* The set that does a statement, by number; 0: all waves, as they do loops and conditions. */
static inline unsigned program_statement_set(const struct program_statement *statement)
{
	return statement->tile ? statement->tile->workers : 0;
}

/* Is this dimension one of those that a tile reduces, inserts, ..? */
static inline bool program_lists_dim(const layout_tile *tile, unsigned dim)
{
	for (unsigned i = 0; i < tile->dim_count; i++)
		if (tile->dims[i] == dim)
			return true;
	return false;
}

/* Have the factors of a contraction scales?  The letters of an operand of it. */
static inline bool program_has_scales(const layout_tile *contract)
{
	return contract->operand_count > 3;
}

static inline const unsigned *program_letters_of(const layout_tile *contract,
	unsigned operand)
{
	return contract->maps[operand ? (operand - 1) % 2 : 2];
}

/* Elements of a box. */
LAYOUT_INTERNAL int64_t program_elements(const layout_tile *tile)
	LAYOUT_SYMBOL(program_elements);

/* Make an expression of the variables that can be seen here from its text; false with the
 * error on the context. */
bool program_index_read(layout_program *program, const char *text,
	struct program_index *index);
void program_index_free(struct program_index *index);

/* The elements of an object in the LDS. */
int64_t program_local_elements(const layout_memory *local);

/* The number of the variable of that name that can be seen here, or -1; the tile, the
 * memory, the owner, or NULL. */
int program_find_variable(const layout_program *program, const char *name);
layout_tile *program_find_tile(const layout_program *program, const char *name);
layout_memory *program_find_memory(const layout_program *program, const char *name);
struct program_owner *program_find_owner(const layout_program *program, const char *name);

#endif
