/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Load an emitted code object with HIP and run it.  Needs no liblayout: what a
 * launch must know is in the JSON.  Make both files like this:
 *
 *	layoutc kernel "$REMAP" --target gfx942 --emit hsaco -o pack.hsaco
 *	layoutc kernel "$REMAP" --target gfx942 --emit json -D M=255 -D K=513 \
 *		-o pack.json
 *	launch_hip pack.hsaco pack.json SOURCE_BYTES DESTINATION_BYTES 255 513
 *
 * The JSON is made for the sizes: a code object may hold several functions that do the
 * same, and "kernel" is the one that is best for these.
 *
 * A program has a number of bytes for each of its arguments.  What is read is filled
 * with the bytes 0, 1, 2, ..; what is written is printed as a checksum. */
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 16, MAX_BUFFERS = 32 };

/* A pointer argument: memory here and on the device. */
struct buffer {
	char role[16];
	size_t bytes;
	unsigned char *here;
	void *there;
};

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

/* The pointers among the arguments of the launch JSON, which come first; how many. */
static int find_buffers(const char *json, struct buffer *buffers)
{
	static const char key[] = "\"kind\": \"pointer\", \"role\": \"";
	int count = 0;

	for (const char *at = json; count < MAX_BUFFERS && (at = strstr(at, key)); count++) {
		at += strlen(key);
		sscanf(at, "%15[^\"]", buffers[count].role);
	}
	return count;
}

static bool is_read(const struct buffer *buffer)
{
	return strcmp(buffer->role, "destination") && strcmp(buffer->role, "out");
}

static bool is_written(const struct buffer *buffer)
{
	return strcmp(buffer->role, "source") && strcmp(buffer->role, "in");
}

/* Arguments in the order of the ABI: the buffers, then the sizes. */
static void launch(hipFunction_t function, const char *json, struct buffer *buffers,
	int buffer_count, int64_t *sizes, int size_count)
{
	void *arguments[MAX_BUFFERS + MAX_SIZES];
	unsigned grid[3], block[3];

	for (int i = 0; i < buffer_count; i++)
		arguments[i] = &buffers[i].there;
	for (int i = 0; i < size_count; i++)
		arguments[buffer_count + i] = &sizes[i];
	three_numbers(json, "grid", grid);
	three_numbers(json, "workgroup_size", block);
	must(hipModuleLaunchKernel(function, grid[0], grid[1], grid[2],
		block[0], block[1], block[2], 0, NULL, arguments, NULL), "launch");
	must(hipDeviceSynchronize(), "kernel");
}

/* Fill and copy in. */
static void open_buffer(struct buffer *buffer, const char *bytes)
{
	buffer->bytes = strtoull(bytes, NULL, 10);
	buffer->here = calloc(buffer->bytes + 1, 1);
	if (!buffer->here)
		exit(EXIT_FAILURE);
	for (size_t i = 0; is_read(buffer) && i < buffer->bytes; i++)
		buffer->here[i] = (unsigned char)i;
	must(hipMalloc(&buffer->there, buffer->bytes), buffer->role);
	must(hipMemcpy(buffer->there, buffer->here, buffer->bytes,
		hipMemcpyHostToDevice), "copy in");
}

/* Copy out and print. */
static void close_buffer(struct buffer *buffer)
{
	uint32_t sum = 0;

	must(hipMemcpy(buffer->here, buffer->there, buffer->bytes,
		hipMemcpyDeviceToHost), "copy out");
	must(hipFree(buffer->there), "free");
	for (size_t i = 0; i < buffer->bytes; i++)
		sum = sum * 31 + buffer->here[i];
	if (is_written(buffer))
		printf("%zu bytes, checksum %08x\n", buffer->bytes, sum);
	free(buffer->here);
}

int main(int argc, char **argv)
{
	struct buffer buffers[MAX_BUFFERS] = { 0 };
	int64_t sizes[MAX_SIZES];
	char *image, *json, name[128];
	int buffer_count, size_count;
	hipModule_t module;
	hipFunction_t function;

	json = argc > 2 ? read_file(argv[2]) : NULL;
	buffer_count = json ? find_buffers(json, buffers) : 0;
	size_count = argc - 3 - buffer_count;
	if (!json || size_count < 0 || size_count > MAX_SIZES) {
		fprintf(stderr, "usage: launch_hip HSACO JSON BYTES.. [SIZE]..\n");
		return EXIT_FAILURE;
	}
	image = read_file(argv[1]);
	for (int i = 0; i < size_count; i++)
		sizes[i] = strtoll(argv[3 + buffer_count + i], NULL, 10);
	kernel_name(json, name);
	must(hipModuleLoadData(&module, image), "load");
	must(hipModuleGetFunction(&function, module, name), name);
	for (int i = 0; i < buffer_count; i++)
		open_buffer(&buffers[i], argv[3 + i]);
	launch(function, json, buffers, buffer_count, sizes, size_count);
	for (int i = 0; i < buffer_count; i++)
		close_buffer(&buffers[i]);
	must(hipModuleUnload(module), "unload");
	free(json);
	free(image);
	return EXIT_SUCCESS;
}
