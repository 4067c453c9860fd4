/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stores past the caches of a processor without lanes: what no cache holds is not read
 * before it is written. */
#ifndef LAYOUT_LOWER_STREAM_H
#define LAYOUT_LOWER_STREAM_H

#include "lower/iteration.h"

/* Has a destination of so many bytes, an i64, more than caches do?  An i1. */
LLVMValueRef stream_is_large(const struct iteration *iteration, LLVMValueRef bytes);

/* Bytes of a line of memory. */
enum { STREAM_LINE = 64 };

/* Store a vector at a multiple of its bytes. */
void stream_store(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef address,
	unsigned bytes);

/* So many bytes of a row, an i64 of at least two lines: whole lines past the caches, the rest
 * as it is. */
void stream_row(const struct iteration *iteration, LLVMValueRef to, LLVMValueRef from,
	LLVMValueRef bytes);

/* Where lines of a row go, from the beginning of one on, and come from; so many bytes of the
 * row are before them. */
struct stream_line {
	LLVMValueRef to, from, skipped;
};

/* Line n, past the caches. */
void stream_line(const struct iteration *iteration, const struct stream_line *row,
	LLVMValueRef n);

/* The line at an address, which need not be one of the kernel's, will be read soon,
 * or written. */
void stream_prefetch(LLVMBuilderRef builder, LLVMValueRef address, bool written);

/* What was stored so is there for other threads. */
void stream_end(LLVMBuilderRef builder);

#endif
