/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Run what bench_gpu has emitted, on a machine with CUDA's driver and a C library.
 *
 *	bench_gpu_run FOLDER [NAME]
 *
 * Prints for each case and its inverse, at sizes with whole tiles and at odd ones, the rate
 * of all that is read and written, beside that of a copy of as many bytes from device to
 * device in the same run; and whether the bytes are right: all of them at small sizes, some
 * millions of elements at the others.  Without a driver, what it lacks. */
#include "../../examples/cuda.h"
#include "cases.h"

#define LOOKED_AT 4000000
#define STRIDE_PRIME 61		/* no power of two has it */
#define LEAST_WHOLE 0.93
#define LEAST_ODD 0.85

static const char *const kinds[GPU_SIZES] = { "whole", "odd", "small" };

struct job {
	const struct cuda *cuda;
	const struct gpu_case *row;
	bool back;
	unsigned size;
	char kernel[128], predicted[32];
	unsigned grid[3], block[3];
	size_t bytes[2];
	cuda_memory memory[2];
	cuda_handle function;
	void *arguments[2 + GPU_RANK];
	int64_t sizes[GPU_RANK];
};

/* Of all jobs: what sources begin with, and room for a destination. */
struct host {
	unsigned char *pattern, *result;
	size_t bytes;
};

/* A file with a 0 byte after it; NULL where there is none. */
static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *content = NULL;
	long length = -1;

	if (file && !fseek(file, 0, SEEK_END))
		length = ftell(file);
	if (length >= 0)
		content = calloc((size_t)length + 1, 1);
	if (content && (fseek(file, 0, SEEK_SET) ||
	    fread(content, 1, (size_t)length, file) != (size_t)length)) {
		free(content);
		content = NULL;
	}
	if (file)
		fclose(file);
	return content;
}

/* What follows "key": in the JSON. */
static const char *value_of(const char *json, const char *key)
{
	const char *at = strstr(json, key);

	at = at ? strchr(at + strlen(key), ':') : NULL;
	return at ? at + 1 : "";
}

static bool read_launch(struct job *job, const char *json)
{
	return sscanf(value_of(json, "\"kernel\""), " \"%127[^\"]\"", job->kernel) == 1 &&
		sscanf(value_of(json, "\"grid\""), " [%u, %u, %u]", &job->grid[0],
			&job->grid[1], &job->grid[2]) == 3 &&
		sscanf(value_of(json, "\"workgroup_size\""), " [%u, %u, %u]", &job->block[0],
			&job->block[1], &job->block[2]) == 3 &&
		sscanf(value_of(json, "\"bytes\""), " {\"source\": %zu, \"destination\": %zu",
			&job->bytes[0], &job->bytes[1]) == 2;
}

/* The sizes among the arguments, in their order: [A, B, ..] but for those that are numbers. */
static void set_arguments(struct job *job, const char *json)
{
	unsigned count = 2;

	job->arguments[0] = &job->memory[0];
	job->arguments[1] = &job->memory[1];
	for (unsigned d = 0; d < job->row->rank; d++) {
		char name[] = "{\"name\": \"A\"";

		name[10] = (char)('A' + d);
		job->sizes[d] = job->row->sizes[job->size][d];
		if (strstr(json, name))
			job->arguments[count++] = &job->sizes[d];
	}
}

static void run_kernel(void *user)
{
	struct job *job = user;

	cuda_must(job->cuda, job->cuda->launch(job->function, job->grid[0], job->grid[1],
		job->grid[2], job->block[0], job->block[1], job->block[2], 0, NULL,
		job->arguments, NULL), "launch");
}

/* As many bytes in all as the kernel reads and writes. */
static void run_copy(void *user)
{
	struct job *job = user;
	size_t least = job->bytes[0] < job->bytes[1] ? job->bytes[0] : job->bytes[1];

	cuda_must(job->cuda, job->cuda->copy(job->memory[1], job->memory[0], least, NULL),
		"copy");
}

static bool reserve(struct host *host, size_t bytes)
{
	uint64_t state = 1;

	if (bytes <= host->bytes)
		return true;
	free(host->pattern);
	free(host->result);
	host->pattern = malloc(bytes + 8);
	host->result = malloc(bytes + 8);
	host->bytes = host->pattern && host->result ? bytes : 0;
	for (size_t i = 0; host->bytes && i < bytes; i += 8) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		memcpy(host->pattern + i, &(uint64_t){ state ^ state >> 29 }, 8);
	}
	return host->bytes;
}

/* Registers of a lane, with what it has elsewhere, and the warps that a multiprocessor has
 * at once. */
static void print_occupancy(const struct job *job)
{
	const struct cuda *cuda = job->cuda;
	int registers, local, blocks;

	cuda_must(cuda, cuda->attribute(&registers, CUDA_REGISTERS, job->function),
		"registers");
	cuda_must(cuda, cuda->attribute(&local, CUDA_LOCAL_BYTES, job->function), "local");
	cuda_must(cuda, cuda->occupancy(&blocks, job->function, (int)job->block[0], 0),
		"occupancy");
	printf("| %d", registers);
	if (local)
		printf(" and %d bytes", local);
	printf(" | %d |", blocks * (int)job->block[0] / 32);
}

/* Check, then time; false where the bytes are wrong. */
static bool measure(struct job *job, struct host *host)
{
	const struct cuda *cuda = job->cuda;
	const struct gpu_case *row = job->row;
	size_t most = job->bytes[0] > job->bytes[1] ? job->bytes[0] : job->bytes[1];
	double all = (double)(job->bytes[0] + job->bytes[1]), copied = 2.0 *
		(double)(job->bytes[0] + job->bytes[1] - most), copy, kernel, part;
	int64_t stride = (int64_t)(all / 2 / (row->bits / 8) / LOOKED_AT);
	char wrong[128] = "yes";
	bool ok;

	cuda_must(cuda, cuda->copy_in(job->memory[0], host->pattern, job->bytes[0]),
		"copy in");
	cuda_must(cuda, cuda->fill(job->memory[1], 0xa5, job->bytes[1]), "fill");
	run_kernel(job);
	cuda_must(cuda, cuda->synchronize(), "kernel");
	cuda_must(cuda, cuda->copy_out(host->result, job->memory[1], job->bytes[1]),
		"copy out");
	ok = gpu_check(row, job->back, job->sizes, host->pattern, host->result,
		stride ? (stride / STRIDE_PRIME + 1) * STRIDE_PRIME : 1, wrong);
	copy = copied / cuda_time(cuda, run_copy, job) / 1e12;
	kernel = all / cuda_time(cuda, run_kernel, job) / 1e12;
	part = kernel / copy;
	printf("| %s %s%s | %s | %s | %.2f | %.3f | %.3f | %.3f | %s ", row->name, row->type,
		job->back ? " back" : "", kinds[job->size], job->kernel, all / 1e9, kernel, copy,
		part, job->predicted);
	print_occupancy(job);
	printf("%s\n", ok ? "" : " WRONG");
	if (!ok)
		printf("  WRONG: %s\n", wrong);
	else if (job->size < 2 && part < (job->size ? LEAST_ODD : LEAST_WHOLE))
		printf("  below %.2f of a copy\n", job->size ? LEAST_ODD : LEAST_WHOLE);
	fflush(stdout);
	return ok;
}

/* False where the device has not as much. */
static bool take_memory(struct job *job)
{
	const struct cuda *cuda = job->cuda;

	for (unsigned i = 0; i < 2; i++) {
		if (!cuda->allocate(&job->memory[i], job->bytes[i]))
			continue;
		printf("  %s %s, %s sizes: not run, there is no memory for %.2f GB\n",
			job->row->name, job->row->type, kinds[job->size],
			(double)(job->bytes[0] + job->bytes[1]) / 1e9);
		if (i)
			cuda_must(cuda, cuda->release(job->memory[0]), "free");
		return false;
	}
	return true;
}

static void read_predicted(struct job *job, const char *folder)
{
	char path[4096], end[32], *predicted;

	snprintf(end, sizeof(end), ".%s.predicted", kinds[job->size]);
	gpu_path(path, folder, job->row, job->back, end);
	predicted = read_file(path);
	snprintf(job->predicted, sizeof(job->predicted), "%s", predicted ? predicted : "");
	free(predicted);
}

/* One case of some sizes; false where it did not go. */
static bool run_job(struct job *job, struct host *host, cuda_handle module,
	const char *folder)
{
	const struct cuda *cuda = job->cuda;
	char path[4096], end[32], *json;
	bool ok;

	snprintf(end, sizeof(end), ".%s.json", kinds[job->size]);
	gpu_path(path, folder, job->row, job->back, end);
	json = read_file(path);
	ok = json && read_launch(job, json);
	if (!ok)
		fprintf(stderr, "%s: no launch\n", path);
	if (ok)
		set_arguments(job, json);
	free(json);
	read_predicted(job, folder);
	if (!ok || !reserve(host, job->bytes[0] > job->bytes[1] ? job->bytes[0] :
	    job->bytes[1]))
		return false;
	cuda_must(cuda, cuda->function(&job->function, module, job->kernel), job->kernel);
	if (!take_memory(job))
		return false;
	ok = measure(job, host);
	for (unsigned i = 0; i < 2; i++)
		cuda_must(cuda, cuda->release(job->memory[i]), "free");
	return ok;
}

static bool run_case(const struct cuda *cuda, struct host *host, const struct gpu_case *row,
	bool back, const char *folder)
{
	struct job job = { .cuda = cuda, .row = row, .back = back };
	char path[4096], *ptx;
	cuda_handle module = NULL;
	bool ok = true;

	gpu_path(path, folder, row, back, ".ptx");
	ptx = read_file(path);
	if (ptx)
		module = cuda_load(cuda, ptx);
	free(ptx);
	if (!module) {
		fprintf(stderr, "%s: not run\n", path);
		return false;
	}
	for (job.size = GPU_SIZES; job.size--;)
		ok = run_job(&job, host, module, folder) && ok;
	cuda_must(cuda, cuda->unload(module), "unload");
	return ok;
}

int main(int argc, char **argv)
{
	struct host host = { 0 };
	struct cuda cuda;
	const char *missing;
	bool ok = true;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: bench_gpu_run FOLDER [NAME]\n");
		return EXIT_FAILURE;
	}
	missing = cuda_open(&cuda);
	if (missing) {
		printf("Not run: there is no %s here.\n", missing);
		return EXIT_SUCCESS;
	}
	printf("%s, driver %d.%d. TB/s of what is read and written; at whole tiles %.2f of a "
		"copy and more is aimed at, at odd sizes %.2f.\n\n", cuda.device_name,
		cuda.driver / 1000, cuda.driver % 1000 / 10, LEAST_WHOLE, LEAST_ODD);
	printf("| case | sizes | function | GB | TB/s | copy | of it | predicted | registers | "
		"warps |\n|---|---|---|---|---|---|---|---|---|---|\n");
	for (unsigned i = 0; i < GPU_CASES; i++)
		for (unsigned back = 0; back < 2; back++)
			if (argc < 3 || strstr(gpu_cases[i].name, argv[2]))
				ok = run_case(&cuda, &host, &gpu_cases[i], back, argv[1]) && ok;
	printf("\nWhat others do with the same, PyTorch, its compiler and Triton, is not measured "
		"by this.\n");
	free(host.pattern);
	free(host.result);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
