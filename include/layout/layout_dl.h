/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tensors of other libraries, as DLPack hands them over: numpy's, PyTorch's, JAX's arrays are
 * packed where they are.  This header needs none of DLPack's. */
#ifndef LAYOUT_LAYOUT_DL_H
#define LAYOUT_LAYOUT_DL_H

#include <layout/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* DLPack's DLTensor, member by member: pass the address of one, or of the "dl_tensor" of a
 * managed tensor, as a pointer to this. */
typedef struct {
	void *data;
	int32_t device_type, device_id;	/* 1: the CPU, 3: its pinned memory */
	int32_t ndim;
	uint8_t code, bits;		/* of an element's type */
	uint16_t lanes;
	int64_t *shape, *strides;	/* in elements; strides may be NULL: row-major */
	uint64_t byte_offset;		/* of the first element from "data" */
} layout_dl_tensor;

/* The name of its elements' type, "f32"; NULL for those that remaps do not have, and of less than a
 * byte. */
LAYOUT_API const char *layout_dl_type(const layout_dl_tensor *tensor);

/* Where its elements lie: strided[..] or row_major[..] with its numbers.
 * LAYOUT_ERROR_UNSUPPORTED for strides below 0. */
LAYOUT_API LAYOUT_GIVE layout_storage *layout_dl_storage(LAYOUT_KEEP layout_context *ctx,
	const layout_dl_tensor *tensor);

/* Run a remap once from one tensor's memory into that of another.  The type of each is the
 * remap's on its side, or u8, and then its bytes in the order of memory are; how the
 * elements lie is what the remap says.  LAYOUT_ERROR_UNSUPPORTED for a tensor that is not in
 * the CPU's memory. */
LAYOUT_API bool layout_dl_run(LAYOUT_KEEP layout_remap *remap, layout_dl_tensor *destination,
	const layout_dl_tensor *source, const layout_size *sizes, unsigned count);

#ifdef __cplusplus
}
#endif

#endif
