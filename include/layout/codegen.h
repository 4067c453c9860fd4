/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels: a remap or a program lowered to LLVM IR for a target, emitted, run, simulated.
 *
 * A kernel's arguments are the source pointer, the destination pointer, then one
 * i64 a size name, in the order of layout_remap_size_name(); or a pointer for each
 * argument of a program, then its sizes, in their orders there.  Buffers do not
 * overlap; every size is below 2^31 and every storage below 2^63 bytes.  Kernels are
 * immutable, hold no isl object, and can be used by several threads; a context passed
 * beside one only takes the errors. */
#ifndef LAYOUT_CODEGEN_H
#define LAYOUT_CODEGEN_H

#include <layout/program.h>
#include <layout/remap.h>
#include <layout/target.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct layout_kernel layout_kernel;

typedef struct {
	size_t size;			/* sizeof(layout_kernel_options) */
	const char *name;		/* the kernel's symbol; NULL: "remap", or that of
					 * the program */
	unsigned base_align;		/* bytes; 0: 16; a power of two,
					 * at least the element's */
	unsigned code_object;		/* 5 or 6; 0: 5 */
	const char *linker;		/* ld.lld to use; NULL: $LAYOUT_LD_LLD,
					 * else as configured */
	bool through_lds;		/* also where a lane could hold what both
					 * sides access; LAYOUT_ERROR_UNSUPPORTED
					 * where no tile can */
	layout_relation *owner;		/* KEEP: lane, register -> logical, which of
					 * them owns what; NULL: find one */
	const char *cpu;		/* of the target host: "x86-64", that is SSE2 and no
					 * more, or its levels "x86-64-v2" to "x86-64-v4";
					 * NULL: the one we run on */
} layout_kernel_options;
#define LAYOUT_KERNEL_OPTIONS_INIT LAYOUT_INIT(layout_kernel_options)

/* Lower "remap" for a target row's name.  "options" may be NULL. */
LAYOUT_API LAYOUT_GIVE layout_kernel *layout_kernel_new(LAYOUT_KEEP layout_remap *remap,
	const char *target, const layout_kernel_options *options);

/* The same of a program that layout_program_verify() says yes to: what others store is what
 * a race leaves.  By the program's name unless there is another; owners are in the program,
 * and options that are about them are not for it.  In code for the host it is, in C, a bool
 * NAME(buffers.., int64_t sizes..): false where there was no memory for its tiles. */
LAYOUT_API LAYOUT_GIVE layout_kernel *layout_kernel_new_program(
	LAYOUT_KEEP layout_program *program, const char *target,
	const layout_kernel_options *options);
LAYOUT_API void layout_kernel_free(LAYOUT_TAKE layout_kernel *kernel);

typedef enum {
	LAYOUT_EMIT_ISL,	/* the relations: owner, source, destination, padding */
	LAYOUT_EMIT_AST,	/* loops and index expressions, as C would write them */
	LAYOUT_EMIT_LLVM,	/* optimised LLVM IR */
	LAYOUT_EMIT_ASM,
	LAYOUT_EMIT_OBJ,
	LAYOUT_EMIT_HSACO,	/* a loadable code object; not for the host */
	LAYOUT_EMIT_JSON,	/* how to launch it */
	LAYOUT_EMIT_EXPLAIN,	/* which digits became what, and why */
	LAYOUT_EMIT_PROGRAM,	/* a program with all that was found; reads back */
} layout_emit;

/* Emit as bytes; "length", which is needed, receives their number, and a 0 byte
 * that is not counted follows.  Free with layout_string_free().  "sizes" are used
 * by LAYOUT_EMIT_JSON only, to fill in the grid, which is null where they are too
 * few; they never specialise, and names that the kernel lacks are ignored. */
LAYOUT_API LAYOUT_GIVE char *layout_kernel_emit(LAYOUT_KEEP layout_context *ctx,
	LAYOUT_KEEP const layout_kernel *kernel, layout_emit what,
	const layout_size *sizes, unsigned count, size_t *length);

/* How to launch a kernel for some sizes.  A kernel whose sizes are not all numbers may have
 * further functions in its code object, "NAME_shape1" and so on, that do the same with other
 * tiles: they are its shapes.  Each is right for all sizes, and for each of them one is best. */
typedef struct {
	size_t size;			/* sizeof(layout_launch) */
	const char *kernel;		/* the symbol; lives as long as the kernel */
	int64_t grid[3];		/* workgroups, x y z */
	unsigned workgroup_size[3];	/* lanes */
} layout_launch;
#define LAYOUT_LAUNCH_INIT LAYOUT_INIT(layout_launch)

/* The shape of the least predicted cost for these sizes, with all its workgroups.  False on
 * an error, LAYOUT_ERROR_INVALID where the kernel requires others. */
LAYOUT_API bool layout_kernel_launch(LAYOUT_KEEP layout_context *ctx,
	LAYOUT_KEEP const layout_kernel *kernel,
	const layout_size *sizes, unsigned count, layout_launch *launch);

/* Workgroups to launch, x y z, for these sizes: all that the kernel's first shape has, the one
 * of its own name.  False on an error, LAYOUT_ERROR_INVALID where the kernel requires
 * others. */
LAYOUT_API bool layout_kernel_grid(LAYOUT_KEEP layout_context *ctx,
	LAYOUT_KEEP const layout_kernel *kernel,
	const layout_size *sizes, unsigned count, int64_t grid[3]);

/* What a simulated run counted of one kind of access.  A wave access is an
 * instruction as one wave executes it: the n-th execution of one load or store, by
 * all lanes that get there.  An access wider than 16 bytes, or of another number of
 * bytes than those below, counts as the fewest of them that make it up.
 *
 * A segment is 64 or 128 bytes of a buffer whose base is taken as aligned to that.
 * It is counted once for each wave access that touches it, and in "wave_*" once for
 * each wave that does, in whatever accesses.  The least is what as many bytes would
 * fill, rounded up for each wave access or wave: where lanes load the same bytes, less
 * than that is touched.  (In a wave of over 4 million accesses by lanes, each such
 * portion counts as a wave.) */
typedef struct {
	uint64_t widths[6];		/* by lanes, of 1, 2, 4, 8, 12 and 16 bytes */
	uint64_t wave_accesses;
	uint64_t segments_64, least_64;
	uint64_t segments_128, least_128;
	uint64_t wave_segments_64, wave_least_64;
	uint64_t wave_segments_128, wave_least_128;
} layout_sim_traffic;

/* The same of the LDS.  Cycles are those of layout_lds_cycles(), under the likeliest
 * grouping of lanes; "extra_cycles" of them are due to bank conflicts. */
typedef struct {
	uint64_t widths[6];
	uint64_t wave_accesses;
	uint64_t bytes;
	uint64_t cycles, extra_cycles;
} layout_sim_lds;

/* What a simulated run counted.  A masked lane is one that takes no part in a wave
 * access of its wave: it went another way, or the access is out of range of a
 * bounds-checked buffer. */
typedef struct {
	uint64_t workgroups, lanes;
	uint64_t loads, stores;			/* of buffers, by lanes */
	uint64_t load_bytes, store_bytes;
	layout_sim_traffic load, store;
	layout_sim_lds lds_load, lds_store;
	uint64_t masked_lanes;			/* lanes times wave accesses */
	uint64_t barriers;			/* by workgroups */
	uint64_t wave_syncs, exchanges;		/* by waves */
	uint64_t lds_bytes;			/* that a workgroup has */
} layout_sim_stats;

/* Memory for a run: both buffers with their bytes.  They must hold the storages
 * whole, and what is written must not overlap with another (LAYOUT_ERROR_INVALID).
 * "stats" may be NULL; only the simulator fills it. */
typedef struct {
	size_t size;			/* sizeof(layout_run) */
	const void *source;
	size_t source_bytes;
	void *destination;
	size_t destination_bytes;
	const layout_size *sizes;
	unsigned size_count;
	layout_sim_stats *stats;
	uint64_t first_workgroup;	/* x fastest; the simulator runs workgroup_count */
	uint64_t workgroup_count;	/* from it on; 0: all that follow */
	const layout_buffer_argument *buffers;	/* of a program, by the names of its */
	unsigned buffer_count;			/* arguments, in any order */
	const char *kernel;		/* the shape to run; NULL: layout_kernel_launch()'s */

	/* What part is done: called by the thread that runs it, between the parts of a large run
	 * on the host, and with 1 at its end.  NULL: nobody asked. */
	void (*progress)(void *user, double done);
	void *progress_user;
} layout_run;
#define LAYOUT_RUN_INIT LAYOUT_INIT(layout_run)

/* Run a kernel: one for the host by JIT, where both buffers must have the base
 * alignment, and a program has memory for its tiles (LAYOUT_ERROR_MEMORY); one for a
 * GPU in the simulator, which checks every access (LAYOUT_ERROR_FAULT).  The first
 * run compiles. */
LAYOUT_API bool layout_kernel_run(LAYOUT_KEEP layout_context *ctx,
	LAYOUT_KEEP layout_kernel *kernel, const layout_run *run);

/* "22.1.8", and the folder of ROCm's device libraries as configured or "". */
LAYOUT_API const char *layout_llvm_version(void);
LAYOUT_API const char *layout_device_libs(void);

#ifdef __cplusplus
}
#endif

#endif
