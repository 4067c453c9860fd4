/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Data tiling: from the encoding that a compiler puts on an operand of a matrix
 * product to the packed layout that a target's matrix instructions want.
 *
 * An encoding has three states:
 *
 *	verbose		layout_operand: which operand of which contraction, its types,
 *			indexing maps and sizes; independent of a target
 *	serialised	layout_encoding: tiles and swizzle, layout_encoding_resolve()
 *	physical	layout_storage: with the tensor's sizes,
 *			layout_storage_packed() */
#ifndef LAYOUT_TILING_H
#define LAYOUT_TILING_H

#include <layout/encoding.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A size that is known only at run time. */
#define LAYOUT_DYNAMIC INT64_MIN

typedef enum {
	LAYOUT_MATMUL,		/* lhs, rhs, acc */
	LAYOUT_SCALED_MATMUL,	/* lhs, rhs, lhs_scale, rhs_scale, acc */
} layout_op_type;

/* The most operands, loops of the contraction, and maps of one operand's chain. */
#define LAYOUT_OPERANDS 5
#define LAYOUT_LOOPS 16

typedef struct layout_operand layout_operand;

/* The verbose encoding of operand "operand_index".
 *
 *	element_types	one an operand, named as by layout_remap_new()
 *	original_type	the tensor's element type before a bitcast; NULL: there was none
 *	stored_type	the tensor's element type now; NULL: the operand's
 *	map_counts	maps of each operand: the contraction's indexing map, then what
 *			leads from there to the tensor that is stored; NULL: none at all
 *	maps		as text, "affine_map<(d0, d1, d2) -> (d0, d2)>", operand after
 *			operand
 *	sizes		of the loops, LAYOUT_DYNAMIC for those of the run time; NULL
 *			with size_count = 0: not given */
typedef struct {
	size_t size;			/* sizeof(layout_operand_desc) */
	layout_op_type op_type;
	unsigned operand_index;
	unsigned type_count;
	const char *const *element_types;
	const char *original_type;
	unsigned map_operands;
	const unsigned *map_counts;
	const char *const *maps;
	unsigned size_count;
	const int64_t *sizes;
	const char *stored_type;
} layout_operand_desc;
#define LAYOUT_OPERAND_DESC_INIT LAYOUT_INIT(layout_operand_desc)

/* The description is copied; the message of an error names what of it does not fit. */
LAYOUT_API LAYOUT_GIVE layout_operand *layout_operand_new(
	LAYOUT_KEEP layout_context *ctx, const layout_operand_desc *desc);

/* Read "#iree_encoding.encoding<operand_index = 0 : index, op_type = matmul,
 * element_types = [f32, f32, f32], user_indexing_maps = [affine_map<..>, ..],
 * iteration_sizes = [?, ?, ?]>"; an entry of the maps may be a list: a chain.  In the
 * type of a tensor, "tensor<?x?xf32, #iree_encoding.encoding<..>>", it has a stored
 * type. */
LAYOUT_API LAYOUT_GIVE layout_operand *layout_operand_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);

/* An operand that has been resolved, the encoding of a tensor of that rank: what every target
 * wants for it is this one.  As text "tensor<?x?xf32, #iree_encoding.layout<[..]>>". */
LAYOUT_API LAYOUT_GIVE layout_operand *layout_operand_resolved(
	LAYOUT_TAKE layout_encoding *encoding, unsigned rank, const char *stored_type);
LAYOUT_API LAYOUT_GIVE layout_operand *layout_operand_copy(
	LAYOUT_KEEP layout_operand *operand);
LAYOUT_API void layout_operand_free(LAYOUT_TAKE layout_operand *operand);
LAYOUT_API LAYOUT_GIVE char *layout_operand_str(LAYOUT_KEEP layout_operand *operand);

/* Dimensions of the tensor that the encoding is on; 0 where no map says it. */
LAYOUT_API unsigned layout_operand_rank(LAYOUT_KEEP layout_operand *operand);

/* What a description said: the operation, which operand this is, and the element type of
 * operand i, NULL past the last.  Of NULL and of one that has been resolved: a product, 0,
 * NULL. */
LAYOUT_API layout_op_type layout_operand_op_type(LAYOUT_KEEP layout_operand *operand);
LAYOUT_API unsigned layout_operand_index(LAYOUT_KEEP layout_operand *operand);
LAYOUT_API const char *layout_operand_type(LAYOUT_KEEP layout_operand *operand, unsigned i);

/* The loops of a contraction by what they do: in all operands, in lhs and acc, in rhs and
 * acc, in lhs and rhs; KB is the inner part of K, which shares a scale. */
typedef enum {
	LAYOUT_LOOP_BATCH,
	LAYOUT_LOOP_M,
	LAYOUT_LOOP_N,
	LAYOUT_LOOP_K,
	LAYOUT_LOOP_KB,
} layout_loop;

/* The dimension of the tensor that the loop steps; LAYOUT_NO_DIM: none, or the maps are of no
 * contraction. */
LAYOUT_API int64_t layout_operand_dim(LAYOUT_KEEP layout_operand *operand, layout_loop loop);

/* A matrix instruction and how often a workgroup repeats it in each dimension: by one
 * subgroup (intrinsics) and by several.  "interleave" has bit i set where that
 * repetition lies inside the lanes of operand i. */
typedef struct {
	const char *instruction;
	int64_t intrinsics_m, subgroups_m;
	int64_t intrinsics_n, subgroups_n;
	int64_t intrinsics_k, subgroups_k;
	unsigned interleave_m, interleave_n, interleave_k;
} layout_tiled_mma;

/* "#iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x4_F32, intrinsics_m = 4, ..>",
 * as MLIR prints it; repetitions of 1 are left out.  A target whose "tile" it is reads the
 * same. */
LAYOUT_API LAYOUT_GIVE char *layout_tiled_mma_str(LAYOUT_KEEP layout_context *ctx,
	const layout_tiled_mma *mma);

/* A resolver: the encoding that a target wants for an operand, which is neither resolved nor
 * the callee's to keep.  It has the operand's rank in outer dimensions.  NULL: the tensor stays
 * as it is, or there is an error on the context. */
typedef layout_encoding *layout_encoding_resolver(layout_operand *operand, void *data);

/* The facts of a target that tiling goes by.  A caller may pass a row of their own:
 * a copy of one of the library's, changed. */
typedef struct {
	size_t size;			/* sizeof(layout_tiling_target) */
	const char *name;		/* "gfx942", or a chip: "mi300x" */
	const char *instructions_of;	/* whose matrix instructions: "gfx942" */
	unsigned wave_size;
	unsigned max_load_bits;		/* of a lane */
	unsigned vgpr_bits;		/* of a lane's registers */
	unsigned simds;			/* of a workgroup processor, at least 1 */
	unsigned processors;		/* of a device; 0: not known, 512 assumed */
	unsigned lds_bytes;
	unsigned cache_line_bytes, cache_sets;	/* 0: not known, nothing is padded */
	const char *const *instructions;	/* by name, NULL at the end; the one with
						 * most of K is taken, the last such */
	const char *features;		/* of a CPU, which has no matrix instructions:
					 * "+avx512f,+fma"; NULL: a GPU */
	const layout_tiled_mma *tile;		/* how it tiles the types that its only
						 * instruction takes; NULL: as is chosen */
	layout_encoding_resolver *resolver;	/* of the caller's own; NULL: the library's */
	void *resolver_data;

	/* What IREE's attribute says of a GPU besides, and tiling does not go by; 0 and NULL:
	 * not known.  Lists of names are "fp32|fp16", or "none". */
	unsigned subgroup_sizes[2];
	unsigned max_workgroup_sizes[3], max_workgroup_threads, max_workgroup_counts[3];
	const char *compute, *storage, *subgroup_operations, *dot_products;
	const char *processor_features;		/* "+sramecc,-xnack" */
} layout_tiling_target;

/* The rows in order, processors before chips, and then the architectures of CPUs, of
 * which "host" is the one that we run on; NULL past the last.  And the one of a
 * name; NULL with LAYOUT_ERROR_UNSUPPORTED. */
LAYOUT_API const layout_tiling_target *layout_tiling_target_at(unsigned i);
LAYOUT_API const layout_tiling_target *layout_tiling_target_find(
	LAYOUT_KEEP layout_context *ctx, const char *name);

/* Read a row of the caller's own: "gfx942{vgpr_bits = 8192, simds = 1,
 * mma = [MFMA_F32_16x16x4_F32]}" is the row of that name with these facts in the place
 * of its own.  The facts: max_load_bits, vgpr_bits, simds, processors, lds_bytes,
 * cache_line_bytes, cache_sets, mma, the instructions, and tile, how often one is
 * repeated: "gfx942{tile = #iree_gpu.data_tiled_mma_layout<..>}"; of a CPU, features,
 * "x86_64{features = [avx512f]}".  A name alone will do.
 *
 * Or as MLIR says it, with definitions before it: "#iree_gpu.target<arch = .., ..>",
 * "#hal.executable.target<..>", or "#hal.device.target<..>" of one of these. */
LAYOUT_API LAYOUT_GIVE layout_tiling_target *layout_tiling_target_parse(
	LAYOUT_KEEP layout_context *ctx, const char *text);

/* The same of a text that may have several, number i: "#hal.device.target<"..", [#a, #b]>",
 * "#hal.device.select<[#device_a, #device_b]>" or "[#device_a, #device_b]"; NULL, and no
 * error, past the last. */
LAYOUT_API LAYOUT_GIVE layout_tiling_target *layout_tiling_target_parse_at(
	LAYOUT_KEEP layout_context *ctx, const char *text, unsigned i);
LAYOUT_API void layout_tiling_target_free(LAYOUT_TAKE layout_tiling_target *target);

/* As IREE prints it: "#iree_gpu.target<arch = "gfx942", features = "", wgp = <..>>", and of a
 * CPU "#hal.executable.target<"llvm-cpu", "..", {..}>".  Reads back to the same facts but for
 * those that the attribute has no word for: the cache, and a tile. */
LAYOUT_API LAYOUT_GIVE char *layout_tiling_target_str(LAYOUT_KEEP layout_context *ctx,
	const layout_tiling_target *target);

typedef enum {
	LAYOUT_RESOLVER_DATA_TILING,	/* tiles of matrix instructions */
	LAYOUT_RESOLVER_PAD,		/* rows padded off the cache's sets */
	LAYOUT_RESOLVER_NONE,		/* every tensor stays as it is */
} layout_resolver;

/* The product of a matrix and a vector has no loop M, or none N, and the instruction has
 * one all the same, of which one step is asked for:
 *
 *	KEEP	every operand that the instruction has with that loop is tiled along it,
 *		as IREE does: LAYOUT_NO_DIM in the encoding.  The tile is the
 *		instruction's, and all of it but one step of the loop is padding
 *	DROP	no operand is, so that a vector lies without gaps: lanes that differ only
 *		along the loop read the same
 *
 * A loop that the contraction has and the tensor has not, since it was broadcast along
 * it, is dropped in both. */
typedef enum {
	LAYOUT_MISSING_KEEP,
	LAYOUT_MISSING_DROP,
} layout_missing;

typedef struct {
	size_t size;			/* sizeof(layout_resolve_options) */
	layout_resolver resolver;
	layout_missing missing;
} layout_resolve_options;
#define LAYOUT_RESOLVE_OPTIONS_INIT LAYOUT_INIT(layout_resolve_options)

typedef struct layout_resolution layout_resolution;

/* The layout that "target" wants for the operand.  Where there is nothing to tile, no
 * contraction, types that no instruction takes, the encoding is the identity, and
 * layout_resolution_note() says why.
 *
 *	LAYOUT_ERROR_UNSUPPORTED	the smallest tile fits the registers or the LDS
 *					not, it cannot be stored in the type after a
 *					bitcast, or "target" names an instruction that
 *					there is not
 *	LAYOUT_ERROR_INVALID		"target" has no SIMD
 *
 * The first form keeps missing loops. */
LAYOUT_API LAYOUT_GIVE layout_resolution *layout_encoding_resolve(
	LAYOUT_KEEP layout_operand *operand, const layout_tiling_target *target,
	layout_resolver resolver);
LAYOUT_API LAYOUT_GIVE layout_resolution *layout_encoding_resolve_as(
	LAYOUT_KEEP layout_operand *operand, const layout_tiling_target *target,
	const layout_resolve_options *options);
LAYOUT_API void layout_resolution_free(LAYOUT_TAKE layout_resolution *resolution);

/* Tiles and swizzle; for layout_storage_packed().  On a CPU there is no swizzle, and no loop
 * that the tensor has not. */
LAYOUT_API LAYOUT_GIVE layout_encoding *layout_resolution_encoding(
	LAYOUT_KEEP layout_resolution *resolution);

/* The matrix instruction and its unrolling; NULL where there is none. */
LAYOUT_API const layout_tiled_mma *layout_resolution_mma(
	LAYOUT_KEEP layout_resolution *resolution);

/* Why the tensor stays as it is; NULL where it does not. */
LAYOUT_API const char *layout_resolution_note(LAYOUT_KEEP layout_resolution *resolution);

/* Candidates, limits and why this one, as lines of text. */
LAYOUT_API LAYOUT_GIVE char *layout_resolution_explain(
	LAYOUT_KEEP layout_resolution *resolution);

/* Who holds what of one tile, as the encoding lies in memory:
 *
 *	{ hw[subgroup, lane, register] -> tile[..] }
 *
 * tile[..] has one coordinate an inner tile of the encoding, in its order, also for those
 * of no dimension; register counts what a lane loads, in memory order.  NULL with LAYOUT_ERROR_NO_ANSWER where no
 * instruction was chosen.  layout_resolution_agrees() proves that it is the instruction's
 * own register layout, repeated as layout_resolution_mma() says, up to the order of a
 * lane's registers; else its witness is [subgroup, lane] and an element of the tile that
 * only one of the two gives to that lane. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_resolution_distribution(
	LAYOUT_KEEP layout_resolution *resolution);
LAYOUT_API layout_answer layout_resolution_agrees(
	LAYOUT_KEEP layout_resolution *resolution, layout_witness **witness);

#ifdef __cplusplus
}
#endif

#endif
