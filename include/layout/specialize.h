/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Specialisation: which kernels a program needs once its encodings are resolved.
 *
 * A compiler makes one kernel of all dispatches that look the same before layouts are
 * chosen.  On several devices, or on one whose operands come from several, the tensors
 * of two such dispatches may lie differently, and then each needs a kernel of its own. */
#ifndef LAYOUT_SPECIALIZE_H
#define LAYOUT_SPECIALIZE_H

#include <layout/remap.h>
#include <layout/tiling.h>

#include <limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a tensor lies before the dispatch. */
typedef enum {
	LAYOUT_HELD_AS_WANTED,		/* as the dispatch wants it, or only written */
	LAYOUT_HELD_ROW_MAJOR,
	LAYOUT_HELD_FOR_TARGET,		/* as "holder" wants it */
} layout_held;

/* A tensor of a dispatch.
 *
 *	encoding	resolved for the dispatch's target; NULL: none, the tensor is
 *			row-major
 *	holder		the target that it was encoded for, for LAYOUT_HELD_FOR_TARGET
 *	type		of the stored elements, for relayouts; NULL: the encoding's
 *	sizes		of the tensor, for relayouts, text as for a storage, and taken to
 *			be another size where it is another text; NULL: they are "D0",
 *			"D1", .. */
typedef struct {
	layout_operand *encoding;
	layout_held held;
	const layout_tiling_target *holder;
	const char *type;
	const char *const *sizes;
} layout_dispatch_operand;

typedef struct {
	const char *kernel;		/* equal names mean one kernel, layouts aside */
	const layout_tiling_target *target;	/* of the device that it runs on */
	unsigned operand_count;
	const layout_dispatch_operand *operands;
} layout_dispatch;

/* In the place of a layout's number: row-major. */
#define LAYOUT_PLAIN UINT_MAX

/* A kernel to generate: the dispatches that share it have one processor and the same
 * layouts, however these are written.
 *
 *	name		"matmul_gfx942", and "matmul_gfx942_1" where that processor needs
 *			another; the same for the same dispatches
 *	layouts		one an operand: numbers of layouts, or LAYOUT_PLAIN
 *	dispatches	their numbers */
typedef struct {
	const char *name, *kernel, *processor;
	unsigned operand_count;
	const unsigned *layouts;
	unsigned dispatch_count;
	const unsigned *dispatches;
} layout_variant;

/* An operand of a dispatch, by their numbers. */
typedef struct {
	unsigned dispatch, operand;
} layout_use;

/* A relayout that has to run before a dispatch, on its processor: from row-major or from
 * another target's layout, directly.  Those that would change nothing are left out.
 *
 *	name	"relayout_f32_plain_to_0_gfx942"
 *	remap	for layout_kernel_new() */
typedef struct {
	const char *name, *processor;
	unsigned from, to;
	layout_remap *remap;
	unsigned use_count;
	const layout_use *uses;
} layout_relayout;

typedef struct layout_specialization layout_specialization;

/* Resolve all encodings, and find what is distinct.  Layouts, variants and relayouts are
 * numbered as the dispatches first need them.  An error says at which operand of which
 * dispatch. */
LAYOUT_API LAYOUT_GIVE layout_specialization *layout_specialize(
	LAYOUT_KEEP layout_context *ctx, const layout_dispatch *dispatches,
	unsigned count, layout_resolver resolver);
LAYOUT_API void layout_specialization_free(
	LAYOUT_TAKE layout_specialization *specialization);

/* The distinct layouts, variants and relayouts, the specialisation's own; NULL past the
 * last. */
LAYOUT_API LAYOUT_KEEP layout_encoding *layout_specialization_layout(
	LAYOUT_KEEP layout_specialization *specialization, unsigned i);
LAYOUT_API const layout_variant *layout_specialization_variant(
	LAYOUT_KEEP layout_specialization *specialization, unsigned i);
LAYOUT_API const layout_relayout *layout_specialization_relayout(
	LAYOUT_KEEP layout_specialization *specialization, unsigned i);

/* The variant that a dispatch launches; NULL where there is no such dispatch. */
LAYOUT_API const layout_variant *layout_specialization_variant_of(
	LAYOUT_KEEP layout_specialization *specialization, unsigned dispatch);

/* A program's dispatches as IREE's stream dialect prints them, with definitions before it:
 *
 *	util.global private @device_a = #device_target_local_0_
 *	%1 = stream.tensor.dispatch on(#hal.device.affinity<@device_a>) @ex::@set_encoding(%0)
 *		: (tensor<?x?xf32>{%N, %K} in ..) -> tensor<?x?xf32, #encoding>{%N, %K} in ..
 *
 * stream.tensor.encode is a dispatch, too, of the kernel "encode", and
 * stream.tensor.sizeof a question.  An operand is held for the device whose dispatch its
 * value is the result of, and as it is wanted where that is not seen; other operations are
 * left aside. */
typedef struct layout_stream layout_stream;

/* An error says where in the text; a device that no global names is one. */
LAYOUT_API LAYOUT_GIVE layout_stream *layout_stream_parse(LAYOUT_KEEP layout_context *ctx,
	const char *text);
LAYOUT_API void layout_stream_free(LAYOUT_TAKE layout_stream *stream);

/* For layout_specialize(); and the name of the device that one of them runs on,
 * "@device_a", NULL past the last.  The stream's own. */
LAYOUT_API const layout_dispatch *layout_stream_dispatches(LAYOUT_KEEP layout_stream *stream,
	unsigned *count);
LAYOUT_API const char *layout_stream_device(LAYOUT_KEEP layout_stream *stream, unsigned i);

/* How large a tensor is on a device: "operand" and its fields say which, as in a dispatch. */
typedef struct {
	const char *device;
	const layout_tiling_target *target;
	unsigned rank;
	layout_dispatch_operand operand;
} layout_stream_size;

/* NULL past the last. */
LAYOUT_API const layout_stream_size *layout_stream_size_at(LAYOUT_KEEP layout_stream *stream,
	unsigned i);

#ifdef __cplusplus
}
#endif

#endif
