/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Load emitted PTX with CUDA's driver, run it, compare and time it.  Needs no liblayout and
 * nothing of CUDA to build: what a launch must know is in the JSON, and the driver is
 * opened when there is one.  Make the files like this:
 *
 *	layoutc kernel "$REMAP" --target sm_90 --emit asm -o pack.ptx
 *	layoutc kernel "$REMAP" --target sm_90 --emit json -D M=255 -D K=513 -o pack.json
 *	layoutc run "$REMAP" a.npy -o b.npy
 *	launch_cuda pack.ptx pack.json a.npy b.npy 255 513
 *
 * The JSON is made for the sizes: PTX may hold several functions that do the same, and
 * "kernel" is the one that is best for these.
 *
 * There is a file or a number of bytes for each pointer argument, then the sizes.  A file,
 * of which a header of NumPy's is left out, is what is read, or what has to be written; in
 * place of one that is read there are the bytes 0, 1, 2, ..  What is written is printed as a
 * checksum, with the time that it took beside a copy's of as many bytes. */
#include "cuda.h"

#include <string.h>

enum { MAX_SIZES = 16, MAX_BUFFERS = 32 };

/* A pointer argument: memory here and on the device. */
struct buffer {
	char role[16];
	size_t bytes;
	unsigned char *here;
	char *file;		/* what "expected" is in */
	unsigned char *expected;
	cuda_memory there;
};

struct launch {
	const struct cuda *cuda;
	cuda_handle function;
	unsigned grid[3], block[3], shared_bytes;
	void *arguments[MAX_BUFFERS + MAX_SIZES];
	cuda_memory from, to;	/* of a copy */
	size_t bytes;
};

/* A whole file, with a 0 byte after it. */
static char *read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rb");
	char *content = NULL;
	long length = -1;

	if (file && !fseek(file, 0, SEEK_END))
		length = ftell(file);
	if (length >= 0)
		content = calloc((size_t)length + 1, 1);
	if (content && !fseek(file, 0, SEEK_SET))
		*bytes = fread(content, 1, (size_t)length, file);
	if (!content || *bytes != (size_t)length) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	fclose(file);
	return content;
}

/* The bytes of NumPy's header in a file that begins with one. */
static size_t header_bytes(const unsigned char *content, size_t bytes)
{
	size_t length;

	if (bytes < 12 || memcmp(content, "\x93NUMPY", 6))
		return 0;
	length = content[6] == 1 ? 10 + content[8] + 256u * content[9] : 12 + content[8] +
		256u * content[9] + 65536u * content[10];
	return length < bytes ? length : bytes;
}

/* The three numbers after "key": [ in the launch JSON. */
static void three_numbers(const char *json, const char *key, unsigned numbers[3])
{
	char quoted[64];
	const char *at;

	snprintf(quoted, sizeof(quoted), "\"%s\"", key);
	at = strstr(json, quoted);
	at = at ? strchr(at, ':') : NULL;
	if (!at || sscanf(at, ": [%u,%u,%u]", &numbers[0], &numbers[1], &numbers[2]) != 3) {
		fprintf(stderr, "launch_cuda: no %s in the JSON\n", quoted);
		exit(EXIT_FAILURE);
	}
}

/* Bytes of shared memory that the launch JSON has beyond what the function declares. */
static unsigned shared_bytes(const char *json)
{
	const char *at = strstr(json, "\"dynamic_lds_bytes\"");
	unsigned bytes = 0;

	if (at && sscanf(at, "\"dynamic_lds_bytes\" : %u", &bytes) != 1) {
		fprintf(stderr, "launch_cuda: \"dynamic_lds_bytes\" of the JSON is no number\n");
		exit(EXIT_FAILURE);
	}
	return bytes;
}

/* The kernel's name in the launch JSON. */
static void kernel_name(const char *json, char name[128])
{
	const char *at = strstr(json, "\"kernel\"");

	if (!at || sscanf(at, "\"kernel\" : \"%127[^\"]\"", name) != 1) {
		fprintf(stderr, "launch_cuda: no \"kernel\" in the JSON\n");
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

static int64_t read_size(const char *text)
{
	char *end;
	long long size = strtoll(text, &end, 10);

	if (*end || end == text || size < 0) {
		fprintf(stderr, "launch_cuda: '%s' is no size\n", text);
		exit(EXIT_FAILURE);
	}
	return size;
}

static bool is_read(const struct buffer *buffer)
{
	return strcmp(buffer->role, "destination") && strcmp(buffer->role, "out");
}

static bool is_written(const struct buffer *buffer)
{
	return strcmp(buffer->role, "source") && strcmp(buffer->role, "in");
}

/* What the argument says, and room on the device. */
static void open_buffer(const struct cuda *cuda, struct buffer *buffer, const char *text)
{
	size_t length, header = 0;
	char *end;

	buffer->bytes = strtoull(text, &end, 10);
	if (*end) {
		buffer->file = read_file(text, &length);
		header = header_bytes((unsigned char *)buffer->file, length);
		buffer->bytes = length - header;
		buffer->expected = (unsigned char *)buffer->file + header;
	}
	buffer->here = calloc(buffer->bytes + 1, 1);
	if (!buffer->here)
		exit(EXIT_FAILURE);
	for (size_t i = 0; is_read(buffer) && i < buffer->bytes; i++)
		buffer->here[i] = buffer->expected ? buffer->expected[i] : (unsigned char)i;
	cuda_must(cuda, cuda->allocate(&buffer->there, buffer->bytes), buffer->role);
	cuda_must(cuda, cuda->copy_in(buffer->there, buffer->here, buffer->bytes), "copy in");
}

/* Copy out, compare and print; false where it is not what was expected. */
static bool close_buffer(const struct cuda *cuda, struct buffer *buffer)
{
	uint32_t sum = 0;
	size_t at = 0;

	cuda_must(cuda, cuda->copy_out(buffer->here, buffer->there, buffer->bytes),
		"copy out");
	cuda_must(cuda, cuda->release(buffer->there), "free");
	for (size_t i = 0; i < buffer->bytes; i++)
		sum = sum * 31 + buffer->here[i];
	if (is_written(buffer) && buffer->expected)
		while (at < buffer->bytes && buffer->here[at] == buffer->expected[at])
			at++;
	else
		at = buffer->bytes;
	if (is_written(buffer))
		printf("%zu bytes, checksum %08x", buffer->bytes, sum);
	if (at < buffer->bytes)
		printf(", but byte %zu is %u and not %u", at, buffer->here[at],
			buffer->expected[at]);
	else if (is_written(buffer) && buffer->expected)
		printf(", as expected");
	if (is_written(buffer))
		printf("\n");
	free(buffer->here);
	free(buffer->file);
	return at == buffer->bytes;
}

static void run_kernel(void *user)
{
	struct launch *launch = user;
	const unsigned *grid = launch->grid, *block = launch->block;

	cuda_must(launch->cuda, launch->cuda->launch(launch->function, grid[0], grid[1],
		grid[2], block[0], block[1], block[2], launch->shared_bytes, NULL,
		launch->arguments, NULL),
		"launch");
}

static void run_copy(void *user)
{
	struct launch *launch = user;

	cuda_must(launch->cuda, launch->cuda->copy(launch->to, launch->from, launch->bytes,
		NULL), "copy");
}

/* A kernel that reads what it writes is run once; others, as often as it takes to know. */
static void time_kernel(struct launch *launch, const struct buffer *buffers, int count)
{
	const struct cuda *cuda = launch->cuda;
	double bytes = 0, copy, kernel;
	bool again = true;

	for (int i = 0; i < count; i++) {
		bytes += (double)buffers[i].bytes;
		again = again && !(is_read(&buffers[i]) && is_written(&buffers[i]));
	}
	if (!again) {
		run_kernel(launch);
		cuda_must(cuda, cuda->synchronize(), "kernel");
		return;
	}
	launch->bytes = (size_t)(bytes / 2);
	cuda_must(cuda, cuda->allocate(&launch->from, launch->bytes), "room for a copy");
	cuda_must(cuda, cuda->allocate(&launch->to, launch->bytes), "room for a copy");
	copy = cuda_time(cuda, run_copy, launch);
	kernel = cuda_time(cuda, run_kernel, launch);
	cuda_must(cuda, cuda->release(launch->from), "free");
	cuda_must(cuda, cuda->release(launch->to), "free");
	printf("%.1f us, %.3f TB/s; a copy %.1f us, %.3f TB/s; %.3f of it\n", kernel * 1e6,
		bytes / kernel / 1e12, copy * 1e6, bytes / copy / 1e12, copy / kernel);
}

int main(int argc, char **argv)
{
	struct buffer buffers[MAX_BUFFERS] = { 0 };
	struct cuda cuda;
	struct launch launch = { .cuda = &cuda };
	int64_t sizes[MAX_SIZES];
	char *ptx, *json, name[128];
	const char *missing;
	int buffer_count, size_count;
	cuda_handle module;
	bool ok = true;
	size_t length;

	json = argc > 2 ? read_file(argv[2], &length) : NULL;
	buffer_count = json ? find_buffers(json, buffers) : 0;
	size_count = argc - 3 - buffer_count;
	if (!json || size_count < 0 || size_count > MAX_SIZES) {
		fprintf(stderr, "usage: launch_cuda PTX JSON FILE|BYTES.. [SIZE]..\n");
		return EXIT_FAILURE;
	}
	ptx = read_file(argv[1], &length);
	kernel_name(json, name);
	three_numbers(json, "grid", launch.grid);
	three_numbers(json, "workgroup_size", launch.block);
	launch.shared_bytes = shared_bytes(json);
	missing = cuda_open(&cuda);
	if (missing) {
		fprintf(stderr, "launch_cuda: there is no %s here: not run\n", missing);
		return EXIT_FAILURE;
	}
	module = cuda_load(&cuda, ptx);
	if (!module)
		return EXIT_FAILURE;
	cuda_must(&cuda, cuda.function(&launch.function, module, name), name);
	if (launch.shared_bytes)
		cuda_must(&cuda, cuda.allow(launch.function, CUDA_MOST_SHARED_BYTES,
			(int)launch.shared_bytes), "shared memory");
	for (int i = 0; i < buffer_count; i++) {
		open_buffer(&cuda, &buffers[i], argv[3 + i]);
		launch.arguments[i] = &buffers[i].there;
	}
	for (int i = 0; i < size_count; i++) {
		sizes[i] = read_size(argv[3 + buffer_count + i]);
		launch.arguments[buffer_count + i] = &sizes[i];
	}
	printf("%s, driver %d.%d: %s\n", cuda.device_name, cuda.driver / 1000,
		cuda.driver % 1000 / 10, name);
	time_kernel(&launch, buffers, buffer_count);
	for (int i = 0; i < buffer_count; i++)
		ok = close_buffer(&cuda, &buffers[i]) && ok;
	cuda_must(&cuda, cuda.unload(module), "unload");
	free(json);
	free(ptx);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
