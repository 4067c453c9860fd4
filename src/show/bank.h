/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The banks of the LDS that a picture's offsets are in, and what reading them takes.
 *
 * A row of the grid is a lane's, and an access of a wave takes as many columns as each lane
 * finds one behind the other, aligned, up to 128 bits.  The target says which lanes are
 * served together, its likeliest grouping; without one it is lanes that follow each other,
 * as many as take all banks. */
#ifndef LAYOUT_SHOW_BANK_H
#define LAYOUT_SHOW_BANK_H

#include "show/picture.h"

struct show_banks {
	const layout_lds *lds;		/* NULL: no target */
	unsigned banks, element_bits;
	unsigned bits;			/* of a lane's access; 0: no access has such elements */
	int64_t columns;		/* of the grid that an access takes */
	int64_t accesses, cycles, least;	/* of all, and without conflicts */
	bool *conflict;			/* of each element: other words of its bank are wanted, too */
};

/* Of a picture of memory; NULL where there is no memory for it. */
struct show_banks *show_banks_new(const struct show_picture *picture,
	const layout_show_options *options);
void show_banks_free(struct show_banks *banks);

/* The bank of an element's first bit; offsets may be negative. */
int64_t show_bank(const struct show_banks *banks, int64_t offset);

/* "32 banks: 8 reads of 128 bits a lane, a lane a row, take 64 cycles, 8 without
 * conflicts (!)" */
void show_banks_describe(struct layout_buffer *out, const struct show_banks *banks);

#endif
