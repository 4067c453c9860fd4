/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part of CUDA's driver API that a launch needs, taken from libcuda.so.1 while the
 * program runs: neither CUDA's headers nor its libraries are needed to build. */
#ifndef EXAMPLES_CUDA_H
#define EXAMPLES_CUDA_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int cuda_result;
typedef uint64_t cuda_memory;
typedef void *cuda_handle;	/* a context, module, function, stream or event */

/* NAME of CUDA's is "name" here; memory's functions are those of 64-bit addresses. */
#define CUDA_FUNCTIONS(_) \
	_(init, "cuInit", (unsigned flags)) \
	_(version, "cuDriverGetVersion", (int *version)) \
	_(device, "cuDeviceGet", (int *device, int number)) \
	_(name, "cuDeviceGetName", (char *name, int length, int device)) \
	_(retain, "cuDevicePrimaryCtxRetain", (cuda_handle *context, int device)) \
	_(use, "cuCtxSetCurrent", (cuda_handle context)) \
	_(synchronize, "cuCtxSynchronize", (void)) \
	_(load, "cuModuleLoadDataEx", (cuda_handle *module, const void *image, \
		unsigned count, const int *options, void **values)) \
	_(unload, "cuModuleUnload", (cuda_handle module)) \
	_(function, "cuModuleGetFunction", (cuda_handle *function, cuda_handle module, \
		const char *name)) \
	_(allocate, "cuMemAlloc_v2", (cuda_memory *memory, size_t bytes)) \
	_(release, "cuMemFree_v2", (cuda_memory memory)) \
	_(copy_in, "cuMemcpyHtoD_v2", (cuda_memory to, const void *from, size_t bytes)) \
	_(copy_out, "cuMemcpyDtoH_v2", (void *to, cuda_memory from, size_t bytes)) \
	_(copy, "cuMemcpyDtoDAsync_v2", (cuda_memory to, cuda_memory from, size_t bytes, \
		cuda_handle stream)) \
	_(fill, "cuMemsetD8_v2", (cuda_memory to, unsigned char byte, size_t bytes)) \
	_(allow, "cuFuncSetAttribute", (cuda_handle function, int attribute, int value)) \
	_(attribute, "cuFuncGetAttribute", (int *value, int attribute, \
		cuda_handle function)) \
	_(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", (int *blocks, \
		cuda_handle function, int block_threads, size_t shared_bytes)) \
	_(launch, "cuLaunchKernel", (cuda_handle function, unsigned grid_x, \
		unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
		unsigned block_z, unsigned shared_bytes, cuda_handle stream, \
		void **arguments, void **extra)) \
	_(new_event, "cuEventCreate", (cuda_handle *event, unsigned flags)) \
	_(record, "cuEventRecord", (cuda_handle event, cuda_handle stream)) \
	_(wait, "cuEventSynchronize", (cuda_handle event)) \
	_(elapsed, "cuEventElapsedTime", (float *ms, cuda_handle from, cuda_handle to)) \
	_(end_event, "cuEventDestroy_v2", (cuda_handle event)) \
	_(error_text, "cuGetErrorString", (cuda_result error, const char **text))

#define CUDA_FIELD(field, symbol, arguments) cuda_result (*field) arguments;
struct cuda {
	CUDA_FUNCTIONS(CUDA_FIELD)
	char device_name[128];
	int driver;		/* 12080: 12.8 */
};
#undef CUDA_FIELD

/* Of a function: a lane's bytes that are in no register, its registers, and bytes of shared
 * memory that a launch may give. */
enum { CUDA_LOCAL_BYTES = 3, CUDA_REGISTERS = 4, CUDA_MOST_SHARED_BYTES = 8 };

/* How the driver compiles PTX: its words where it does not. */
enum { CUDA_ERROR_LOG = 5, CUDA_ERROR_LOG_BYTES = 6 };

/* Leave with the driver's own words where a call failed. */
static inline void cuda_must(const struct cuda *cuda, cuda_result error, const char *what)
{
	const char *text = "";

	if (!error)
		return;
	cuda->error_text(error, &text);
	fprintf(stderr, "cuda: %s: error %d: %s\n", what, error, text ? text : "");
	exit(EXIT_FAILURE);
}

/* Fill in the functions; what is missing, or NULL. */
static inline const char *cuda_find(struct cuda *cuda)
{
	const char *name = "libcuda.so.1";
	void *driver = dlopen(name, RTLD_NOW);

	if (!driver)
		return name;
#define CUDA_FIND(field, symbol, arguments) \
	*(void **)&cuda->field = dlsym(driver, symbol); \
	if (!cuda->field) \
		return symbol;
	CUDA_FUNCTIONS(CUDA_FIND)
#undef CUDA_FIND
	return NULL;
}

/* Open the first device; what is missing, or NULL. */
static inline const char *cuda_open(struct cuda *cuda)
{
	const char *missing = cuda_find(cuda);
	cuda_handle context;
	int device;

	if (missing)
		return missing;
	if (cuda->init(0) || cuda->device(&device, 0))
		return "a device of CUDA";
	cuda_must(cuda, cuda->name(cuda->device_name, sizeof(cuda->device_name), device),
		"name");
	cuda_must(cuda, cuda->version(&cuda->driver), "version");
	cuda_must(cuda, cuda->retain(&context, device), "context");
	cuda_must(cuda, cuda->use(context), "context");
	return NULL;
}

/* Compile PTX, which ends in a 0 byte; NULL with its errors printed. */
static inline cuda_handle cuda_load(const struct cuda *cuda, const char *ptx)
{
	static char log[8192];
	const int options[] = { CUDA_ERROR_LOG, CUDA_ERROR_LOG_BYTES };
	void *values[] = { log, (void *)sizeof(log) };
	cuda_handle module;
	cuda_result error;

	log[0] = 0;
	error = cuda->load(&module, ptx, 2, options, values);
	if (!error)
		return module;
	fprintf(stderr, "cuda: the driver does not take the PTX: error %d: %s\n", error, log);
	return NULL;
}

enum { CUDA_WARM_UPS = 3, CUDA_RUNS = 15 };

/* The middle one of the times that work takes between two events, in seconds. */
static inline double cuda_time(const struct cuda *cuda, void (*work)(void *user), void *user)
{
	float times[CUDA_RUNS], ms;
	cuda_handle from, to;

	cuda_must(cuda, cuda->new_event(&from, 0), "event");
	cuda_must(cuda, cuda->new_event(&to, 0), "event");
	for (int i = -CUDA_WARM_UPS; i < CUDA_RUNS; i++) {
		int at = i < 0 ? 0 : i;

		cuda_must(cuda, cuda->record(from, NULL), "event");
		work(user);
		cuda_must(cuda, cuda->record(to, NULL), "event");
		cuda_must(cuda, cuda->wait(to), "kernel");
		cuda_must(cuda, cuda->elapsed(&ms, from, to), "event");
		for (; at && times[at - 1] > ms; at--)
			times[at] = times[at - 1];
		times[at] = ms;
	}
	cuda_must(cuda, cuda->end_event(from), "event");
	cuda_must(cuda, cuda->end_event(to), "event");
	return times[CUDA_RUNS / 2] / 1e3;
}

#endif
