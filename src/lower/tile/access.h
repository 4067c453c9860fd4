/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory accesses of one side of a move in one path. */
#ifndef LAYOUT_LOWER_TILE_ACCESS_H
#define LAYOUT_LOWER_TILE_ACCESS_H

#include "lower/iteration.h"
#include "lower/tile/address.h"

enum access_kind {
	ACCESS_GLOBAL,	/* 32-bit offsets; every lane accesses */
	ACCESS_BUFFER,	/* the same, and lanes may be masked */
	ACCESS_EDGE,	/* the same, and symbols may be beyond their limits */
	ACCESS_LOCAL,	/* the LDS; every lane accesses */
	ACCESS_FAR,	/* 64-bit offsets; lanes may be masked, by branches */
};

/* Constants from "first" on share a base register, which is "bias" from the tile's
 * base. */
struct access_window {
	int64_t first, bias;
	LLVMValueRef base;
};

enum { ACCESS_WINDOWS = 4 };

/* Offsets at which an access of one byte exists: "count" from "first" on, as offsets are. */
struct access_range {
	LLVMValueRef first, count;
};

struct tile_access {
	const struct iteration *iteration;
	enum access_kind kind;
	struct address address;
	LLVMValueRef tile;			/* where the tile is */
	LLVMValueRef base;			/* the same, or its buffer */
	LLVMValueRef lane;			/* ACCESS_EDGE: a lane's part of all offsets; NULL where */
						/* there is none, or registers change it */
	unsigned align;
	unsigned window_count;			/* ACCESS_GLOBAL */
	struct access_window windows[ACCESS_WINDOWS];
	struct access_range exists;		/* of access_limit() */
};

/* The constant parts of all offsets of a side, ascending, and whether some have a part
 * of the wave. */
struct access_constants {
	unsigned count;
	int64_t *values;
	bool symbolic;
};

/* The kind for a side of the memory that no lane is masked in. */
enum access_kind access_kind_of(const struct chip_code *memory,
	const struct access_constants *constants);

/* Open the side at "base".  "constants" are for ACCESS_GLOBAL only.  False with the
 * error on the context; close in both cases. */
bool access_open(layout_context *ctx, struct tile_access *access,
	const struct iteration *iteration, enum access_kind kind,
	const struct address_plan *plan, LLVMValueRef base,
	const struct lane_number *lane, const struct access_constants *constants);
void access_close(struct tile_access *access);

/* Of the side's memory, "bytes" from "start" on exist, at the most. */
void access_limit(struct tile_access *access, LLVMValueRef start, LLVMValueRef bytes);

/* Do all bytes of an access exist? */
LLVMValueRef access_exists(const struct tile_access *access, const struct address_digits *digits,
	unsigned bytes);

/* Do those of all accesses of so many, wherever in the tile and of whatever lane? */
LLVMValueRef access_all_exist(const struct tile_access *access, unsigned bytes);

/* The address of an access: not of a buffer. */
LLVMValueRef access_pointer(const struct tile_access *access, const struct address_digits *digits);

/* "inside" is NULL where every lane accesses; the others load 0.  "behind" is an i32, or NULL:
 * so many bytes; what is not the same for all lanes, of a masked access. */
LLVMValueRef access_load(const struct tile_access *access, const struct address_digits *digits,
	unsigned bytes, LLVMValueRef inside, LLVMValueRef behind);
void access_store(const struct tile_access *access, const struct address_digits *digits,
	unsigned bytes, LLVMValueRef value, LLVMValueRef inside, LLVMValueRef behind);

#endif
