/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* oneDNN's reorder, as a module that is built where its headers are. */
#ifndef BENCH_PEERS_ONEDNN_H
#define BENCH_PEERS_ONEDNN_H

#include <stdint.h>

/* From one tag to another; NULL where oneDNN has no such reorder. */
typedef void *onednn_open(unsigned rank, const int64_t *dims, const char *from_tag,
	const char *from_type, const char *to_tag, const char *to_type, void *from, void *to);
typedef void onednn_run(void *reorder);
typedef void onednn_close(void *reorder);

/* "2.6.0" */
typedef const char *onednn_version(void);

#endif
