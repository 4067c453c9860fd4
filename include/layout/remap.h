/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remaps: copy one logical tensor from a storage to another, and pad. */
#ifndef LAYOUT_REMAP_H
#define LAYOUT_REMAP_H

#include <layout/storage.h>

typedef struct layout_remap layout_remap;

/* Copy every element of the logical tensor from "source" to "destination", as
 * bits, and write "pad" to the destination's padding.
 *
 *	type	i8 u8 f8E4M3FN f8E4M3FNUZ f8E5M2 f8E5M2FNUZ i16 u16 f16 bf16
 *		i32 u32 f32 i64 u64 f64
 *	pad	a number of that type, or its bits as 0x...; NULL means 0
 *
 * LAYOUT_ERROR_SPACE where the two logical shapes differ.  That no two elements
 * share a cell of the destination is asked when a kernel is made, under what
 * layout_remap_assume() added. */
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_new(
	LAYOUT_TAKE layout_storage *source, LAYOUT_TAKE layout_storage *destination,
	const char *type, const char *pad);

/* Read "remap(SOURCE -> DESTINATION, type = f32, pad = 0.0)". */
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_copy(LAYOUT_KEEP layout_remap *remap);
LAYOUT_API void layout_remap_free(LAYOUT_TAKE layout_remap *remap);
LAYOUT_API LAYOUT_GIVE char *layout_remap_str(LAYOUT_KEEP layout_remap *remap);
LAYOUT_API LAYOUT_KEEP layout_context *layout_remap_context(
	LAYOUT_KEEP layout_remap *remap);

LAYOUT_API LAYOUT_KEEP layout_storage *layout_remap_source(
	LAYOUT_KEEP layout_remap *remap);
LAYOUT_API LAYOUT_KEEP layout_storage *layout_remap_destination(
	LAYOUT_KEEP layout_remap *remap);
LAYOUT_API const char *layout_remap_type(LAYOUT_KEEP layout_remap *remap);
LAYOUT_API unsigned layout_remap_element_bytes(LAYOUT_KEEP layout_remap *remap);
LAYOUT_API uint64_t layout_remap_pad_bits(LAYOUT_KEEP layout_remap *remap);

/* The run-time sizes in order of first appearance, source first: the order of
 * the kernel's arguments.  NULL past the last. */
LAYOUT_API const char *layout_remap_size_name(LAYOUT_KEEP layout_remap *remap,
	unsigned i);

/* Narrow the contract by a condition on the sizes, "M < 65536 and K >= 16". */
LAYOUT_API LAYOUT_GIVE layout_remap *layout_remap_assume(
	LAYOUT_TAKE layout_remap *remap, const char *condition);

/* source cell -> destination cell. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_remap_relation(
	LAYOUT_KEEP layout_remap *remap);

#endif
