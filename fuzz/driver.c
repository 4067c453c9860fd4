/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A target without libFuzzer.
 *
 *	fuzz_NAME			standard input; built by AFL's compiler, the texts
 *					that afl-fuzz gives, many in a process
 *	fuzz_NAME FILE..		these, once more
 *	fuzz_NAME -runs=N -seed=S -dict=FILE FOLDER
 *					the files there, and then N texts made of them
 *	fuzz_NAME -max_total_time=S ..	the same, for so many seconds of the processor
 *
 * The text that is being tried is in the file "fuzz_NAME.now" where that can be mapped,
 * for what ends the process. */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MOST ((size_t)4096)

struct text {
	uint8_t *data;
	size_t size;
};

static struct texts {
	struct text *list;
	size_t count;
} seeds, words;

static uint64_t state;

/* xorshift64*: the same everywhere. */
static size_t below(size_t limit)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return limit ? (size_t)((state * 0x2545f4914f6cdd1dull) >> 33) % limit : 0;
}

static void add(struct texts *texts, const void *data, size_t size)
{
	struct text *grown = realloc(texts->list, (texts->count + 1) * sizeof(*grown));
	uint8_t *copy = malloc(size + 1);

	if (!grown || !copy)
		abort();
	memcpy(copy, data, size);
	texts->list = grown;
	texts->list[texts->count++] = (struct text){ copy, size };
}

static void clear(struct texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free(texts->list[i].data);
	free(texts->list);
	*texts = (struct texts){ 0 };
}

/* The whole file, at most MOST of it. */
static bool read_file(struct texts *texts, FILE *file)
{
	uint8_t data[MOST];
	size_t size = file ? fread(data, 1, sizeof(data), file) : 0;

	if (!file)
		return false;
	add(texts, data, size);
	return !ferror(file);
}

static bool read_path(struct texts *texts, const char *path)
{
	FILE *file = fopen(path, "rb");
	bool good = read_file(texts, file);

	if (!good)
		perror(path);
	if (file)
		fclose(file);
	return good;
}

static int is_seed(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

/* In the order of their names, so that the texts are the same everywhere. */
static bool read_folder(const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_seed, alphasort);
	bool good = count > 0;

	for (int i = 0; i < count; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		good = read_path(&seeds, path) && good;
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return good;
}

/* "word" a line, as libFuzzer and AFL read them. */
static bool read_words(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[200];

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		char *end = strrchr(line, '"');

		if (*line == '"' && end > line)
			add(&words, line + 1, (size_t)(end - line - 1));
	}
	fclose(file);
	return true;
}

/* Put "from" in place of "length" bytes at "at". */
static void put(struct text *text, size_t at, size_t length, const uint8_t *from,
	size_t size)
{
	if (text->size - length + size > MOST)
		return;
	memmove(text->data + at + size, text->data + at + length, text->size - at - length);
	memcpy(text->data + at, from, size);
	text->size += size - length;
}

static void put_number(struct text *text, size_t at)
{
	static const char *const numbers[] = { "0", "1", "-1", "2", "3", "64", "65536",
		"2147483647", "2147483648", "4294967296", "9223372036854775807",
		"-9223372036854775808", "18446744073709551616" };
	const char *number = numbers[below(sizeof(numbers) / sizeof(*numbers))];
	size_t length = 0;

	while (at + length < text->size && text->data[at + length] >= '0' &&
	    text->data[at + length] <= '9')
		length++;
	put(text, at, length, (const uint8_t *)number, strlen(number));
}

static void mutate(struct text *text)
{
	size_t at = below(text->size + 1), rest = text->size - at;
	size_t length = below(rest < 16 ? rest + 1 : 16);
	const struct text *other = &seeds.list[below(seeds.count)];
	size_t from = below(other->size + 1), size = below(other->size - from + 1);
	uint8_t byte = (uint8_t)below(256);

	switch (below(8)) {
	case 0:
		put(text, at, rest > 0, &byte, 1);
		break;
	case 1:
		put(text, at, length, &byte, 0);
		break;
	case 2:
		put(text, at, 0, other->data + from, size);
		break;
	case 3:
		put(text, at, rest, other->data + from, other->size - from);
		break;
	case 4:
		put_number(text, at);
		break;
	case 5:
		for (; rest && (text->data[at] < '0' || text->data[at] > '9'); at++, rest--)
			continue;
		put_number(text, at);
		break;
	default:
		if (words.count) {
			other = &words.list[below(words.count)];
			put(text, at, below(2) ? length : 0, other->data, other->size);
		}
	}
}

/* Where the text is kept that is being tried. */
static struct kept {
	uint32_t size;
	uint8_t data[MOST];
} *kept;

static void keep_texts(void)
{
	char path[100];
	int file;

	snprintf(path, sizeof(path), "fuzz_%s.now", fuzz_target);
	file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (file >= 0 && !ftruncate(file, sizeof(*kept)))
		kept = mmap(NULL, sizeof(*kept), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (kept == MAP_FAILED)
		kept = NULL;
	if (file >= 0)
		close(file);
}

static void try_one(const struct text *text)
{
	if (kept) {
		kept->size = (uint32_t)text->size;
		memcpy(kept->data, text->data, text->size);
	}
	LLVMFuzzerTestOneInput(text->data, text->size);
}

/* How long it goes on: both are bounds, and 0 is none. */
static unsigned long most_runs, most_seconds;

static bool has_time(void)
{
	return !most_seconds || (unsigned long)(clock() / CLOCKS_PER_SEC) < most_seconds;
}

static bool mutates(void)
{
	return most_runs || most_seconds;
}

/* How many texts there were. */
static unsigned long try_many(void)
{
	uint8_t data[MOST];
	unsigned long i;

	for (i = 0; (!most_runs || i < most_runs) && has_time(); i++) {
		const struct text *seed = &seeds.list[below(seeds.count)];
		struct text text = { data, seed->size };

		memcpy(data, seed->data, seed->size);
		for (size_t n = 1 + below(4); n; n--)
			mutate(&text);
		try_one(&text);
	}
	return i;
}

#ifdef __AFL_COMPILER
__AFL_FUZZ_INIT();

#define ROUNDS_OF_AFL 10000

static void try_what_afl_gives(void)
{
	const uint8_t *data;

	__AFL_INIT();
	data = __AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(ROUNDS_OF_AFL))
		LLVMFuzzerTestOneInput(data, (size_t)__AFL_FUZZ_TESTCASE_LEN);
}
#endif

int main(int argc, char **argv)
{
	unsigned long runs = 0;
	bool good = true;

#ifdef __AFL_COMPILER
	if (argc == 1) {
		try_what_afl_gives();
		return 0;
	}
#endif
	state = 1;
	for (int i = 1; i < argc && good; i++)
		if (sscanf(argv[i], "-runs=%lu", &most_runs) == 1 ||
		    sscanf(argv[i], "-max_total_time=%lu", &most_seconds) == 1)
			continue;
		else if (!strncmp(argv[i], "-seed=", 6))
			state = strtoull(argv[i] + 6, NULL, 10) * 2 + 1;
		else if (!strncmp(argv[i], "-dict=", 6))
			good = read_words(argv[i] + 6);
		else
			good = mutates() ? read_folder(argv[i]) : read_path(&seeds, argv[i]);
	if (argc == 1)
		good = read_file(&seeds, stdin);
	if (!good || !seeds.count) {
		fprintf(stderr, "no text to try\n");
		return 2;
	}
	if (mutates())
		keep_texts();
	for (size_t i = 0; i < seeds.count; i++)
		try_one(&seeds.list[i]);
	if (mutates())
		runs = try_many();
	printf("%zu seeds, %lu texts\n", seeds.count, runs);
	clear(&seeds);
	clear(&words);
	return 0;
}
