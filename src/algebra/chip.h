/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of a chip, as one row.  A family of chips is a folder, whose facts/ has
 * the rows and what they lead to; src/targets/ lists the families. */
#ifndef LAYOUT_ALGEBRA_CHIP_H
#define LAYOUT_ALGEBRA_CHIP_H

#include "algebra/lds/lds.h"
#include "algebra/mma/mma.h"
#include "isl_bridge/context.h"

#include <layout/target.h>
#include <layout/tiling.h>

/* What kernels are made for. */
struct chip_code {
	unsigned lanes;		/* of a workgroup that moves an element a lane; 0: it */
				/* has no lanes but runs serial loops */
	unsigned full_lanes;	/* a workgroup of fewer is less than it could be */
	int64_t reach;		/* constant offsets in [-reach, reach) are free */
	bool buffers;		/* it has bounds-checked buffers */
	bool aligned;		/* an access is aligned to its bytes, or is several */
	unsigned factor_bits;	/* the product of two such is cheap */
	bool direct;		/* kernels use its loads to the LDS */
	unsigned words;		/* registers of a lane that a product's tiles may take: others */
				/* are for addresses */
	bool lands;		/* a barrier of waves waits for their loads to the LDS */
};

/* How a lane reads the dword of lane (own ^ x), low <= x <= high. */
struct chip_lanes {
	const char *name;	/* of the instruction */
	unsigned low, high;
	unsigned issue;		/* instructions */
	unsigned lds;		/* cycles of the LDS */
	unsigned how;		/* as the family's hooks know it */
};

/* What accesses cost on top of a copy's time:
 *
 *	LOAD_LINES	each time that a load touches twice as many lines as it could, times
 *			how often the loads of a wave double
 *	LOAD_APART	each time that the loads of a workgroup touch twice as many
 *	STORE_LINES	as LOAD_LINES
 *	STORE_PARTS	a sector that a store has not all of, over the sectors there are
 *	STORE_OPEN	one that a wave leaves so, times how often its stores double
 *	IN_FLIGHT	each time that the accesses of a wave double
 *	TILES		where neither side's accesses follow each other */
enum memory_cost { MEMORY_LOAD_LINES, MEMORY_LOAD_APART, MEMORY_STORE_LINES,
	MEMORY_STORE_PARTS, MEMORY_STORE_OPEN, MEMORY_IN_FLIGHT, MEMORY_TILES, MEMORY_COSTS };

/* Memory as the lanes see it. */
struct chip_memory {
	unsigned line, sector;		/* bytes: what one request of an access is for; the */
					/* least that is moved */
	layout_lds_provenance line_known, sector_known, costs_known;
	unsigned costs[MEMORY_COSTS];	/* in thousandths of the time of a copy */
	unsigned issue_bytes;		/* that a copy moves, in both directions, in the time */
					/* in which a vector instruction of a wave is issued */
	unsigned issue_shows;		/* beside half of memory's time, so many quarters of */
					/* the issue's */
	unsigned edge_issue;		/* a tile that a dimension ends inside of is issued */
					/* so many times as long as a whole one, */
	unsigned edge_pieces;		/* and takes memory for as many of so many pieces, in */
					/* each such dimension, as have elements */
	unsigned odd_row, odd_words;	/* what rows take that are stored from inside of a sector */
					/* on, where tiles part them: in thousandths of the */
					/* sector's time, and of a copy's for accesses that */
					/* begin there as well */
};

/* A chip with waves of one size. */
struct chip {
	layout_target target;
	struct layout_lds lds;			/* without banks: it has none */
	const struct chip_family *family;
	unsigned bit;				/* in mma_row's "targets"; 0: in none */
	const layout_tiling_target *tiling;	/* those with its instructions, up to one */
						/* without a name; NULL: none */
	struct chip_code code;
	const void *own;			/* the family's */
	const struct chip_lanes *lanes;		/* the first row that has x is for it, the */
						/* last one for any lane; NULL: no exchange */
	unsigned lane_swaps;			/* bits of the lane that change places with */
						/* a bit of the register in one instruction */
	bool turned_loads;			/* of the LDS: halves, among 16 lanes */
	const struct chip_memory *memory;	/* NULL: not known */
	unsigned lds_most;			/* bytes of the LDS that a launch may give, if */
						/* more than may be declared; else 0 */
	const char *const *products;		/* that run its code, up to a NULL; NULL: none */
};

/* How a CPU tiles a product: tiles of m x n x k, or of fewer rows of a power of 2.  Types and
 * features are alternatives, "f32|f16"; "float" is any of these, "" any at all.
 *
 *	n	0: an eighth of the bits of a vector */
struct cpu_tile {
	const char *architecture, *feature;	/* NULL: the list's end */
	const char *lhs, *rhs, *acc;
	unsigned m, n, k;
};

/*	native	the architecture and the features of the CPU that we run on */
struct cpu_facts {
	const struct cpu_tile *tiles;
	void (*native)(const char **architecture, const char **features);
};

struct chip_family {
	const char *name;			/* of its folder */
	const struct chip *chips;
	unsigned chip_count;
	const struct mma_table *const *matrix;	/* up to a NULL; NULL: has none */
	const struct mma_codes *matrix_codes;	/* those that kernels can have; NULL: none */
	const struct cpu_facts *cpu;		/* how its rows with features tile; NULL: has none */
};

/* All families, up to a NULL. */
extern const struct chip_family *const chip_families[];

/* The i-th chip of them all; NULL past the last. */
LAYOUT_INTERNAL const struct chip *chip_at(unsigned i) LAYOUT_SYMBOL(chip_at);

/* The chip of that name; NULL with LAYOUT_ERROR_UNSUPPORTED. */
LAYOUT_INTERNAL const struct chip *chip_find(layout_context *ctx, const char *name)
	LAYOUT_SYMBOL(chip_find);

/* The chip whose code the product of that name runs; NULL: there is no such product. */
LAYOUT_INTERNAL const struct chip *chip_of_product(const char *name)
	LAYOUT_SYMBOL(chip_of_product);

/* How a lane reads that of lane (own ^ x), or any lane's; the chip has lanes. */
#define CHIP_ANY_LANE UINT32_MAX
LAYOUT_INTERNAL const struct chip_lanes *chip_lanes_of(const struct chip *chip, unsigned x)
	LAYOUT_SYMBOL(chip_lanes_of);

/* The row that a target is part of. */
static inline const struct chip *chip_of(const layout_target *target)
{
	return (const struct chip *)target;
}

/* Are its matrix instructions those of no chip before it? */
static inline bool chip_is_first(const struct chip *chip)
{
	for (const struct chip *before = chip->family->chips; before < chip; before++)
		if (chip->bit && before->bit == chip->bit)
			return false;
	return true;
}

/* Is "text" that name, as it is or with the size of its waves, "NAME:wave64"? */
LAYOUT_INTERNAL bool chip_is_named(const char *name, unsigned wave_size,
	const char *text) LAYOUT_SYMBOL(chip_is_named);

/* LAYOUT_ERROR_UNSUPPORTED: "format" says the name and, behind it, those that there are. */
LAYOUT_INTERNAL void chip_fail(layout_context *ctx, const char *format, const char *name,
	const char *(*name_at)(unsigned i)) LAYOUT_SYMBOL(chip_fail);

#endif
