/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part of CUDA's driver that examples/cuda.h uses, without a GPU: memory is the host's,
 * a launch says what it was given, and what runs is a transpose of bytes, of sizes that are
 * the third and the fourth argument; or nothing, where CUDA_STUB_IDLE is set. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))
enum { SUCCESS, INVALID_PTX = 218 };

API int cuInit(unsigned flags);
API int cuDriverGetVersion(int *version);
API int cuDeviceGet(int *device, int number);
API int cuDeviceGetName(char *name, int length, int device);
API int cuDevicePrimaryCtxRetain(void **context, int device);
API int cuCtxSetCurrent(void *context);
API int cuCtxSynchronize(void);
API int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
	const int *options, void **values);
API int cuModuleUnload(void *module);
API int cuModuleGetFunction(void **function, void *module, const char *name);
API int cuMemAlloc_v2(uint64_t *memory, size_t bytes);
API int cuMemFree_v2(uint64_t memory);
API int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
API int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
API int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream);
API int cuMemsetD8_v2(uint64_t to, unsigned char byte, size_t bytes);
API int cuFuncSetAttribute(void *function, int attribute, int value);
API int cuFuncGetAttribute(int *value, int attribute, void *function);
API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
	size_t shared);
API int cuEventDestroy_v2(void *event);
API int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, void *stream,
	void **arguments, void **extra);
API int cuEventCreate(void **event, unsigned flags);
API int cuEventRecord(void *event, void *stream);
API int cuEventSynchronize(void *event);
API int cuEventElapsedTime(float *ms, void *from, void *to);
API int cuGetErrorString(int error, const char **text);

static unsigned launches;

int cuInit(unsigned flags)
{
	return (int)flags;
}

int cuDriverGetVersion(int *version)
{
	*version = 12080;
	return SUCCESS;
}

int cuDeviceGet(int *device, int number)
{
	*device = number;
	return SUCCESS;
}

int cuDeviceGetName(char *name, int length, int device)
{
	snprintf(name, (size_t)length, "made-up %d", device);
	return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
	*context = &launches;
	return device;
}

int cuCtxSetCurrent(void *context)
{
	return context != &launches;
}

int cuCtxSynchronize(void)
{
	return SUCCESS;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
	const int *options, void **values)
{
	*module = &launches;
	if (strstr(image, ".visible .entry "))
		return SUCCESS;
	for (unsigned i = 0; i < count; i++)
		if (options[i] == 5)
			strcpy(values[i], "line 1: no entry");
	return INVALID_PTX;
}

int cuModuleUnload(void *module)
{
	return module != &launches;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
	printf("function %s\n", name);
	*function = module;
	return SUCCESS;
}

int cuMemAlloc_v2(uint64_t *memory, size_t bytes)
{
	*memory = (uintptr_t)calloc(bytes + 1, 1);
	return SUCCESS;
}

int cuMemFree_v2(uint64_t memory)
{
	free((void *)(uintptr_t)memory);
	return SUCCESS;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
	memcpy((void *)(uintptr_t)to, from, bytes);
	return SUCCESS;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
	memcpy(to, (void *)(uintptr_t)from, bytes);
	return SUCCESS;
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
	memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
	return stream != NULL;
}

int cuMemsetD8_v2(uint64_t to, unsigned char byte, size_t bytes)
{
	memset((void *)(uintptr_t)to, byte, bytes);
	return SUCCESS;
}

int cuFuncSetAttribute(void *function, int attribute, int value)
{
	printf("attribute %d is %d\n", attribute, value);
	return function != &launches;
}

int cuFuncGetAttribute(int *value, int attribute, void *function)
{
	*value = attribute == 4 ? 40 : 0;
	return function != &launches;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
	size_t shared)
{
	*blocks = 1536 / threads;
	return function != &launches || shared;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, void *stream,
	void **arguments, void **extra)
{
	const unsigned char *from = *(unsigned char **)arguments[0];
	unsigned char *to = *(unsigned char **)arguments[1];
	int64_t rows = *(int64_t *)arguments[2], columns = *(int64_t *)arguments[3];

	if (!launches++)
		printf("grid %u %u %u, block %u %u %u, shared %u, sizes %lld %lld\n", grid_x,
			grid_y, grid_z, block_x, block_y, block_z, shared, (long long)rows,
			(long long)columns);
	for (int64_t i = 0; !getenv("CUDA_STUB_IDLE") && i < rows; i++)
		for (int64_t j = 0; j < columns; j++)
			to[j * rows + i] = from[i * columns + j];
	return function != &launches || stream || extra;
}

int cuEventCreate(void **event, unsigned flags)
{
	*event = &launches;
	return (int)flags;
}

int cuEventRecord(void *event, void *stream)
{
	return event != &launches || stream;
}

int cuEventDestroy_v2(void *event)
{
	return event != &launches;
}

int cuEventSynchronize(void *event)
{
	return event != &launches;
}

int cuEventElapsedTime(float *ms, void *from, void *to)
{
	*ms = 2;
	return from != to;
}

int cuGetErrorString(int error, const char **text)
{
	*text = error == SUCCESS ? "no error" : "an error";
	return SUCCESS;
}
