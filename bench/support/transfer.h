/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps on the CPU beside what else moves the same elements: memcpy(), oneDNN's reorder,
 * OpenBLAS's omatcopy, and the loops that "layoutc kernel --emit ast" prints, compiled by cc -O3
 * -march=native.  Peers that are not there, or do something else, are left out. */
#ifndef BENCH_SUPPORT_TRANSFER_H
#define BENCH_SUPPORT_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRANSFER_RANK = 6 };

/* Of two sizes: one of some 256 MiB a side, one that is in a cache.  "text" is printed with the
 * sizes.  The dimensions of oneDNN are in the order of their letters, and its tags those of both
 * sides; NULL: it has no such thing. */
struct transfer_case {
	const char *name, *text;
	int64_t large[TRANSFER_RANK], small[TRANSFER_RANK];
	unsigned from_bytes, to_bytes;		/* of an element */
	const char *from_tag, *to_tag, *from_type, *to_type;
	bool is_matrix;				/* f32 that is transposed */
};

extern const struct transfer_case transfer_cases[];	/* up to one without a name */

enum transfer_way { TRANSFER_MEMCPY, TRANSFER_OURS, TRANSFER_ONEDNN, TRANSFER_BLAS,
	TRANSFER_LOOPS, TRANSFER_WAYS };

extern const char *const transfer_names[TRANSFER_WAYS];

/* GB/s read and written, medians of runs in turns; 0: there is none. */
struct transfer_rates {
	double rate[TRANSFER_WAYS];
};

struct transfer;

/* Find the peers; "folder" is for what cc makes. */
struct transfer *transfer_new(const char *folder);
void transfer_free(struct transfer *transfer);

/* What is known of a peer, "OpenBLAS 0.3.21", or that it is missing. */
const char *transfer_version(const struct transfer *transfer, enum transfer_way way);

/* With so many MiB a side, 256 as the cases are written; 0: the small size.  False with a message
 * on standard error where ours fails. */
bool transfer_measure(struct transfer *transfer, const struct transfer_case *row,
	unsigned mebibytes, unsigned threads, struct transfer_rates *rates);

#endif
