/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Load an emitted code object with HIP and run it.  Needs no liblayout: what a
 * launch must know is in the JSON.  Make both files like this:
 *
 *	layoutc kernel "$REMAP" --target gfx942 --emit hsaco -o pack.hsaco
 *	layoutc kernel "$REMAP" --target gfx942 --emit json -D M=255 -D K=513 \
 *		-o pack.json
 *	launch_hip pack.hsaco pack.json SOURCE_BYTES DESTINATION_BYTES 255 513
 *
 * The source is filled with the bytes 0, 1, 2, ..; the destination is printed
 * as a checksum. */
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 16 };

/* Leave with HIP's own words where a call failed. */
static void must(hipError_t error, const char *what)
{
	if (error == hipSuccess)
		return;
	fprintf(stderr, "launch_hip: %s: %s\n", what, hipGetErrorString(error));
	exit(EXIT_FAILURE);
}

/* A whole file, with a 0 byte after it. */
static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL;
	long length;

	if (!file || fseek(file, 0, SEEK_END) || (length = ftell(file)) < 0) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	rewind(file);
	bytes = calloc((size_t)length + 1, 1);
	if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	fclose(file);
	return bytes;
}

/* The three numbers after "key": [ in the launch JSON. */
static void three_numbers(const char *json, const char *key, unsigned numbers[3])
{
	char quoted[64];
	const char *at;

	snprintf(quoted, sizeof(quoted), "\"%s\"", key);
	at = strstr(json, quoted);
	at = at ? strchr(at, '[') : NULL;
	if (!at || sscanf(at, "[%u,%u,%u]", &numbers[0], &numbers[1],
			&numbers[2]) != 3) {
		fprintf(stderr, "launch_hip: no %s in the JSON\n", quoted);
		exit(EXIT_FAILURE);
	}
}

/* The kernel's name in the launch JSON. */
static void kernel_name(const char *json, char name[128])
{
	const char *at = strstr(json, "\"kernel\"");

	if (!at || sscanf(at, "\"kernel\" : \"%127[^\"]\"", name) != 1) {
		fprintf(stderr, "launch_hip: no \"kernel\" in the JSON\n");
		exit(EXIT_FAILURE);
	}
}

/* Arguments in the order of the ABI: source, destination, then the sizes. */
static void launch(hipFunction_t function, const char *json,
	void *source, void *destination, int64_t *sizes, int size_count)
{
	void *arguments[2 + MAX_SIZES] = { &source, &destination };
	unsigned grid[3], block[3];

	for (int i = 0; i < size_count; i++)
		arguments[2 + i] = &sizes[i];
	three_numbers(json, "grid", grid);
	three_numbers(json, "workgroup_size", block);
	must(hipModuleLaunchKernel(function, grid[0], grid[1], grid[2],
		block[0], block[1], block[2], 0, NULL, arguments, NULL), "launch");
	must(hipDeviceSynchronize(), "kernel");
}

/* Copy in, run, copy out. */
static void run(hipFunction_t function, const char *json,
	unsigned char *source, size_t source_bytes,
	unsigned char *destination, size_t destination_bytes,
	int64_t *sizes, int size_count)
{
	void *device_source, *device_destination;

	must(hipMalloc(&device_source, source_bytes), "source");
	must(hipMalloc(&device_destination, destination_bytes), "destination");
	must(hipMemcpy(device_source, source, source_bytes,
		hipMemcpyHostToDevice), "copy in");
	launch(function, json, device_source, device_destination, sizes, size_count);
	must(hipMemcpy(destination, device_destination, destination_bytes,
		hipMemcpyDeviceToHost), "copy out");
	must(hipFree(device_source), "free");
	must(hipFree(device_destination), "free");
}

int main(int argc, char **argv)
{
	int64_t sizes[MAX_SIZES];
	int size_count = argc - 5;
	char *image, *json, name[128];
	size_t source_bytes, destination_bytes;
	unsigned char *source, *destination;
	uint32_t sum = 0;
	hipModule_t module;
	hipFunction_t function;

	if (size_count < 0 || size_count > MAX_SIZES) {
		fprintf(stderr, "usage: launch_hip HSACO JSON SOURCE_BYTES"
			" DESTINATION_BYTES [SIZE]...\n");
		return EXIT_FAILURE;
	}
	image = read_file(argv[1]);
	json = read_file(argv[2]);
	source_bytes = strtoull(argv[3], NULL, 10);
	destination_bytes = strtoull(argv[4], NULL, 10);
	for (int i = 0; i < size_count; i++)
		sizes[i] = strtoll(argv[5 + i], NULL, 10);
	source = malloc(source_bytes + 1);
	destination = malloc(destination_bytes + 1);
	if (!source || !destination)
		return EXIT_FAILURE;
	for (size_t i = 0; i < source_bytes; i++)
		source[i] = (unsigned char)i;

	kernel_name(json, name);
	must(hipModuleLoadData(&module, image), "load");
	must(hipModuleGetFunction(&function, module, name), name);
	run(function, json, source, source_bytes, destination, destination_bytes,
		sizes, size_count);
	must(hipModuleUnload(module), "unload");

	for (size_t i = 0; i < destination_bytes; i++)
		sum = sum * 31 + destination[i];
	printf("%zu bytes, checksum %08x\n", destination_bytes, sum);
	free(destination);
	free(source);
	free(json);
	free(image);
	return EXIT_SUCCESS;
}
