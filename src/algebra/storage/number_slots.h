/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The slots of a storage as parts of the number that a swizzle permutes: an offset, or
 * the number of an index, is the sum of slot * pitch.  The digits are the storage's own:
 * these are facts about them. */
#ifndef LAYOUT_ALGEBRA_STORAGE_NUMBER_SLOTS_H
#define LAYOUT_ALGEBRA_STORAGE_NUMBER_SLOTS_H

#include "algebra/storage/storage.h"

/* What is known of a slot as part of the number; -1 where that is not known or beyond 64
 * bits, INT64_MAX for "inside". */
struct slot_facts {
	unsigned slot, dim;
	int64_t extent, pitch;
	int64_t whole;		/* its steps come in multiples of this */
	int64_t divisor, outside;	/* of its pitch; of all outside of it, 0: none */
	int64_t inside;		/* the slots inside reach as far */
	bool apart;		/* that is less than its pitch */
};

/* The slots, outermost in the number first. */
struct number_slots {
	layout_storage *storage;
	layout_swizzled_number of;
	unsigned count;
	struct slot_facts *facts;
};

/* Fill in the facts of a storage's slots; false with the error on the context.  To be
 * freed in both cases. */
bool number_slots_find(struct number_slots *number, layout_storage *storage,
	layout_swizzled_number of);
void number_slots_free(struct number_slots *number);

/* a * b, or -1 where one is not known, or that is beyond 64 bits. */
int64_t number_times(int64_t a, int64_t b);

#endif
