/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/transfer.h"
#include "peers/onednn.h"
#include "timing.h"

#include <layout/run.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 7, PAGE = 4096, VERSION = 64 };

#define MOST_MS 1000.0				/* of one way, before it is left alone */
#define SAMPLE_BYTES ((size_t)32 << 20)		/* a sample moves so much at least */

typedef void omatcopy(int order, int transposed, size_t rows, size_t columns, float alpha,
	const float *from, size_t from_pitch, float *to, size_t to_pitch);
typedef void set_threads(int count);
typedef void plain_loops(const void *from, void *to);

const char *const transfer_names[TRANSFER_WAYS] = { "memcpy", "liblayout", "oneDNN", "OpenBLAS",
	"C loops" };

struct transfer {
	const char *folder;
	unsigned made;				/* libraries of loops */
	onednn_open *open;
	onednn_run *run;
	onednn_close *close;
	omatcopy *turn;
	set_threads *blas_threads, *omp_threads;
	char versions[TRANSFER_WAYS][VERSION];
};

/* A case with what its ways need. */
struct job {
	const struct transfer *transfer;
	const struct transfer_case *row;
	int64_t dims[TRANSFER_RANK];
	unsigned rank, threads;
	size_t from_bytes, to_bytes, to_room;
	void *from, *to;
	layout_compiled *ours;
	void *reorder, *library;
	plain_loops *loops;
	bool is_there[TRANSFER_WAYS];
};

static void *find(void *library, const char *name)
{
	return library ? dlsym(library, name) : NULL;
}

static void find_onednn(struct transfer *transfer)
{
	void *module = dlopen(BUILD_DIR "/bench/peer_onednn.so", RTLD_NOW);
	onednn_version *version = (onednn_version *)find(module, "peer_onednn_version");

	transfer->open = (onednn_open *)find(module, "peer_onednn_open");
	transfer->run = (onednn_run *)find(module, "peer_onednn_run");
	transfer->close = (onednn_close *)find(module, "peer_onednn_close");
	transfer->omp_threads = (set_threads *)find(RTLD_DEFAULT, "omp_set_num_threads");
	if (!transfer->omp_threads)
		transfer->omp_threads = (set_threads *)find(dlopen("libgomp.so.1", RTLD_NOW),
			"omp_set_num_threads");
	snprintf(transfer->versions[TRANSFER_ONEDNN], VERSION, "oneDNN %s",
		version ? version() : "is missing");
}

static void find_blas(struct transfer *transfer)
{
	void *library = dlopen("libopenblas.so.0", RTLD_NOW);
	char *(*config)(void) = (char *(*)(void))find(library, "openblas_get_config");
	char number[32];

	transfer->turn = (omatcopy *)find(library, "cblas_somatcopy");
	transfer->blas_threads = (set_threads *)find(library, "openblas_set_num_threads");
	if (!config || sscanf(config(), "%*s %31s", number) != 1)
		strcpy(number, "is missing");
	snprintf(transfer->versions[TRANSFER_BLAS], VERSION, "OpenBLAS %s", number);
}

static void find_compiler(struct transfer *transfer)
{
	char *version = transfer->versions[TRANSFER_LOOPS];
	FILE *pipe = popen("cc --version 2>/dev/null", "r");

	if (!pipe || !fgets(version, VERSION, pipe))
		snprintf(version, VERSION, "cc is missing");
	version[strcspn(version, "\n")] = 0;
	if (pipe)
		pclose(pipe);
}

struct transfer *transfer_new(const char *folder)
{
	struct transfer *transfer = calloc(1, sizeof(*transfer));

	if (!transfer)
		return NULL;
	transfer->folder = folder;
	find_onednn(transfer);
	find_blas(transfer);
	find_compiler(transfer);
	snprintf(transfer->versions[TRANSFER_OURS], VERSION, "liblayout %s", layout_version());
	return transfer;
}

void transfer_free(struct transfer *transfer)
{
	free(transfer);
}

const char *transfer_version(const struct transfer *transfer, enum transfer_way way)
{
	return transfer->versions[way];
}

/* "remap(..)" with the sizes. */
static layout_remap *remap_of(layout_context *ctx, const struct job *job)
{
	char sides[2048], text[2100];
	long d[TRANSFER_RANK];

	for (unsigned i = 0; i < TRANSFER_RANK; i++)
		d[i] = (long)job->dims[i];
	snprintf(sides, sizeof(sides), job->row->text, d[0], d[1], d[2], d[3], d[4], d[5]);
	snprintf(text, sizeof(text), "remap(%s)", sides);
	return layout_remap_parse(ctx, text);
}

/* The loops as C in a file, then as a library. */
static void compile_loops(struct transfer *transfer, struct job *job, layout_context *ctx,
	layout_remap *remap)
{
	static const char head[] = "#include <stdint.h>\n#define restrict __restrict\n"
		"typedef float f32;\ntypedef uint16_t f16;\ntypedef int8_t i8;\n"
		"typedef uint8_t u8;\n";
	layout_kernel *kernel = layout_kernel_new(remap, "host", NULL);
	char path[512], command[2048], *text;
	size_t length;
	FILE *file;

	text = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_AST, NULL, 0, &length);
	layout_kernel_free(kernel);
	snprintf(path, sizeof(path), "%s/loops%u", transfer->folder, transfer->made++);
	snprintf(command, sizeof(command), "sed -i 's/ \\*\\(source\\|destination\\)/ *restrict "
		"\\1/g' %s.c && cc -O3 -march=native -shared -fPIC -o %s.so %s.c 2>/dev/null",
		path, path, path);
	strcat(path, ".c");
	file = text ? fopen(path, "w") : NULL;
	if (file) {
		fprintf(file, "%s%s", head, text);
		fclose(file);
		strcpy(strrchr(path, '.'), ".so");
		if (system(command) == 0)
			job->library = dlopen(path, RTLD_NOW);
	}
	job->loops = (plain_loops *)find(job->library, "remap");
	layout_string_free(text);
}

struct half {
	char *to;
	const char *from;
	size_t bytes;
};

static void *copy_half(void *user)
{
	const struct half *half = user;

	memcpy(half->to, half->from, half->bytes);
	return NULL;
}

/* As many bytes as are moved, half of them read. */
static void copy(const struct job *job)
{
	size_t bytes = (job->from_bytes + job->to_bytes) / 2, part = bytes / job->threads;
	struct half halves[] = { { job->to, job->from, part },
		{ (char *)job->to + part, (char *)job->from + part, bytes - part } };
	pthread_t other;

	if (job->threads > 1 && bytes > 1 << 20 &&
	    !pthread_create(&other, NULL, copy_half, &halves[1])) {
		copy_half(&halves[0]);
		pthread_join(other, NULL);
	} else {
		memcpy(job->to, job->from, bytes);
	}
}

static bool run_once(const struct job *job, enum transfer_way way)
{
	size_t rows = (size_t)job->dims[0], columns = (size_t)job->dims[1];

	switch (way) {
	case TRANSFER_MEMCPY:
		copy(job);
		return true;
	case TRANSFER_OURS:
		return layout_compiled_run(job->ours, job->to, job->to_room, job->from,
			job->from_bytes + job->to_room, NULL) == LAYOUT_RUN_DONE;
	case TRANSFER_ONEDNN:
		job->transfer->run(job->reorder);
		return true;
	case TRANSFER_BLAS:
		job->transfer->turn(101, 112, rows, columns, 1, job->from, columns, job->to,
			rows);
		return true;
	default:
		job->loops(job->from, job->to);
		return true;
	}
}

/* What is in the destination, in a number. */
static uint64_t look(const struct job *job)
{
	const uint64_t *words = job->to;
	uint64_t sum = 0;

	for (size_t i = 0; i < job->to_bytes / sizeof(*words); i++)
		sum = sum * 0x9e3779b97f4a7c15u + words[i];
	return sum;
}

/* A peer that does something else is none. */
static bool check_peers(struct job *job)
{
	uint64_t wanted;

	memset(job->to, 0, job->to_bytes);
	if (!run_once(job, TRANSFER_OURS))
		return false;
	wanted = look(job);
	for (int way = TRANSFER_ONEDNN; way < TRANSFER_WAYS; way++) {
		if (!job->is_there[way])
			continue;
		memset(job->to, 0, job->to_bytes);
		run_once(job, way);
		if (look(job) != wanted) {
			fprintf(stderr, "%s: %s does something else\n", job->row->name,
				transfer_names[way]);
			job->is_there[way] = false;
		}
	}
	return true;
}

static bool prepare(struct transfer *transfer, struct job *job, layout_context *ctx)
{
	const struct transfer_case *row = job->row;
	layout_compile_options options = LAYOUT_COMPILE_OPTIONS_INIT;
	layout_remap *remap = remap_of(ctx, job);

	options.threads = job->threads;
	job->ours = layout_remap_compile(remap, &options);
	if (job->ours && job->threads == 1)
		compile_loops(transfer, job, ctx, remap);
	layout_remap_free(remap);
	if (transfer->omp_threads)
		transfer->omp_threads((int)job->threads);
	if (transfer->blas_threads)
		transfer->blas_threads((int)job->threads);
	if (transfer->open && row->from_tag)
		job->reorder = transfer->open(job->rank, job->dims, row->from_tag,
			row->from_type, row->to_tag, row->to_type, job->from, job->to);
	job->is_there[TRANSFER_MEMCPY] = true;
	job->is_there[TRANSFER_OURS] = job->ours;
	job->is_there[TRANSFER_ONEDNN] = job->reorder;
	job->is_there[TRANSFER_BLAS] = transfer->turn && row->is_matrix;
	job->is_there[TRANSFER_LOOPS] = job->loops;
	return job->ours && check_peers(job);
}

/* Milliseconds of one way, run by run. */
struct taken {
	double ms[RUNS], all;
	unsigned count;
};

/* What one thread does is the processor's time, which others take nothing of. */
static double time_ms(const struct job *job)
{
	return job->threads > 1 ? now_ms() : spent_ms();
}

static void take(const struct job *job, enum transfer_way way, unsigned repeat,
	struct taken *taken)
{
	double start = time_ms(job);

	for (unsigned k = 0; k < repeat; k++)
		run_once(job, way);
	taken->ms[taken->count] = (time_ms(job) - start) / repeat;
	taken->all += taken->ms[taken->count++] * repeat;
}

/* All ways take turns; slow ones do not take all of them. */
static void measure(const struct job *job, struct transfer_rates *rates)
{
	struct taken taken[TRANSFER_WAYS] = { 0 };
	size_t bytes = job->from_bytes + job->to_bytes;
	unsigned repeat = (unsigned)(SAMPLE_BYTES / bytes) + 1;

	for (int i = 0; i < RUNS; i++)
		for (int way = 0; way < TRANSFER_WAYS; way++)
			if (job->is_there[way] && taken[way].all < MOST_MS)
				take(job, way, repeat, &taken[way]);
	for (int way = 0; way < TRANSFER_WAYS; way++)
		rates->rate[way] = job->is_there[way] ? (double)bytes * 1e-6 /
			median(taken[way].ms, taken[way].count) : 0;
}

static void *room_of(size_t bytes)
{
	return aligned_alloc(PAGE, (bytes + PAGE) / PAGE * PAGE);
}

/* Numbers that are normal as halves, as bf16 and as floats. */
static void fill(struct job *job)
{
	uint16_t *halves = job->from;

	for (size_t i = 0; i < (job->from_bytes + job->to_room) / sizeof(*halves); i++)
		halves[i] = (uint16_t)(0x2000 | (i * 7919 & 0x1bff));
}

static void release(struct job *job)
{
	layout_compiled_free(job->ours);
	if (job->reorder)
		job->transfer->close(job->reorder);
	if (job->library)
		dlclose(job->library);
	free(job->from);
	free(job->to);
}

bool transfer_measure(struct transfer *transfer, const struct transfer_case *row,
	unsigned mebibytes, unsigned threads, struct transfer_rates *rates)
{
	struct job job = { .transfer = transfer, .row = row, .threads = threads };
	layout_context *ctx = layout_context_new();
	int64_t elements = 1;
	bool ok;

	memcpy(job.dims, mebibytes ? row->large : row->small, sizeof(job.dims));
	if (mebibytes)
		job.dims[0] = job.dims[0] * mebibytes / 256 + !(job.dims[0] * mebibytes / 256);
	while (job.rank < TRANSFER_RANK && job.dims[job.rank])
		elements *= job.dims[job.rank++];
	job.from_bytes = (size_t)elements * row->from_bytes;
	job.to_bytes = (size_t)elements * row->to_bytes;
	job.to_room = (job.from_bytes > job.to_bytes ? job.from_bytes : job.to_bytes) / 50 * 51 +
		((size_t)1 << 20);
	job.from = room_of(job.from_bytes + job.to_room);
	job.to = room_of(job.to_room);
	ok = ctx && job.from && job.to;
	if (ok) {
		fill(&job);
		ok = prepare(transfer, &job, ctx);
	}
	if (ok)
		measure(&job, rates);
	else
		fprintf(stderr, "%s: %s\n", row->name, ctx ? layout_context_message(ctx) :
			"no memory");
	release(&job);
	layout_context_free(ctx);
	return ok;
}
