/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part of HIP that examples/launch_hip.c uses, without a GPU: memory is the
 * host's, and a launch prints what it was given and copies nothing. */
#ifndef TESTS_HIP_RUNTIME_API_H
#define TESTS_HIP_RUNTIME_API_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { hipSuccess, hipErrorInvalidImage = 200 } hipError_t;
typedef enum { hipMemcpyHostToDevice, hipMemcpyDeviceToHost } hipMemcpyKind;
typedef struct { int unused; } *hipModule_t;
typedef struct { int unused; } *hipFunction_t;
typedef struct { int unused; } *hipStream_t;

static inline const char *hipGetErrorString(hipError_t error)
{
	return error == hipSuccess ? "no error" : "invalid image";
}

static inline hipError_t hipMalloc(void **memory, size_t bytes)
{
	*memory = calloc(bytes, 1);
	return hipSuccess;
}

static inline hipError_t hipFree(void *memory)
{
	free(memory);
	return hipSuccess;
}

static inline hipError_t hipMemcpy(void *to, const void *from, size_t bytes,
	hipMemcpyKind kind)
{
	(void)kind;
	memcpy(to, from, bytes);
	return hipSuccess;
}

static inline hipError_t hipModuleLoadData(hipModule_t *module, const void *image)
{
	*module = NULL;
	return memcmp(image, "\177ELF", 4) ? hipErrorInvalidImage : hipSuccess;
}

static inline hipError_t hipModuleGetFunction(hipFunction_t *function,
	hipModule_t module, const char *name)
{
	(void)module;
	*function = NULL;
	printf("function %s\n", name);
	return hipSuccess;
}

/* All that is known here of the arguments is that two pointers come first. */
static inline hipError_t hipModuleLaunchKernel(hipFunction_t function,
	unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z,
	unsigned shared, hipStream_t stream, void **arguments, void **extra)
{
	const unsigned char *source = *(unsigned char **)arguments[0];
	unsigned char *destination = *(unsigned char **)arguments[1];

	(void)function, (void)stream, (void)extra;
	printf("grid %u %u %u, workgroup %u %u %u, shared %u\n", grid_x, grid_y,
		grid_z, block_x, block_y, block_z, shared);
	printf("sizes %lld %lld\n", (long long)*(int64_t *)arguments[2],
		(long long)*(int64_t *)arguments[3]);
	*destination = source[1];
	return hipSuccess;
}

static inline hipError_t hipDeviceSynchronize(void)
{
	return hipSuccess;
}

static inline hipError_t hipModuleUnload(hipModule_t module)
{
	(void)module;
	return hipSuccess;
}

#endif
