/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes and constants of a chain as values of MLIR. */
#include "text/chain/mlir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value mlir_numbered(unsigned number)
{
	struct value value;

	snprintf(value.name, sizeof(value.name), "%%%u", number);
	return value;
}

/* Does the body use this name itself: "%source", "%i0", "%c128"? */
static bool is_taken(const char *name)
{
	static const char *const words[] = {
		"source", "destination", "result", "padding", "true",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(name, words[i]) == 0)
			return true;
	return (name[0] == 'i' || name[0] == 'c') && name[1] >= '0' && name[1] <= '9';
}

/* Names of sizes have no ".", so that this is no other name. */
static void print_name(struct layout_buffer *out, const char *name)
{
	layout_buffer_printf(out, is_taken(name) ? "%%size.%s" : "%%%s", name);
}

struct value mlir_constant(struct emitter *emitter, int64_t number)
{
	struct value value;
	unsigned i = 0;

	snprintf(value.name, sizeof(value.name), "%%c%" PRId64, number);
	while (i < emitter->constant_count && emitter->constants[i] != number)
		i++;
	if (i < emitter->constant_count)
		return value;
	if (emitter->constant_count < CHAIN_STEPS)
		emitter->constants[emitter->constant_count++] = number;
	else
		value = mlir_numbered(emitter->next++);
	layout_buffer_printf(&emitter->out, "  %s = arith.constant %" PRId64 " : index\n",
		value.name, number);
	return value;
}

/* "%4 = affine.apply affine_map<()[s0] -> (s0 ceildiv 128)>()[%M]" */
static struct value compute_size(struct emitter *emitter, const struct size *size)
{
	struct value value = mlir_numbered(emitter->next);
	unsigned *symbols, used;
	char *map = chain_size_map(emitter->chain, size, &symbols, &used);

	emitter->failed = emitter->failed || !map;
	if (!map) {
		free(symbols);
		return value;
	}
	layout_buffer_printf(&emitter->out, "  %s = affine.apply %s()[", value.name, map);
	for (unsigned i = 0; i < used; i++) {
		layout_buffer_printf(&emitter->out, "%s", i ? ", " : "");
		print_name(&emitter->out,
			layout_chain_size_name(emitter->chain, symbols[i]));
	}
	layout_buffer_printf(&emitter->out, "]\n");
	if (emitter->size_count < CHAIN_STEPS) {
		emitter->sizes[emitter->size_count].text = size->text;
		emitter->sizes[emitter->size_count++].number = emitter->next;
	}
	emitter->next++;
	free(symbols);
	free(map);
	return value;
}

/* A size that is no number, as a value. */
static struct value named_size(struct emitter *emitter, const struct size *size)
{
	struct layout_buffer name = { 0 };
	struct value value;

	if (!layout_is_plain_name(size->text, strlen(size->text)))
		for (unsigned i = 0; i < emitter->size_count; i++)
			if (strcmp(emitter->sizes[i].text, size->text) == 0)
				return mlir_numbered(emitter->sizes[i].number);
	print_name(&name, size->text);
	if (!layout_is_plain_name(size->text, strlen(size->text)) || name.failed ||
	    name.length >= sizeof(value.name))
		value = compute_size(emitter, size);
	else
		memcpy(value.name, name.text, name.length + 1);
	free(name.text);
	return value;
}

struct value mlir_size(struct emitter *emitter, const struct size *size)
{
	return size->value >= 0 ? mlir_constant(emitter, size->value) :
		named_size(emitter, size);
}

struct value mlir_size_entry(struct emitter *emitter, const struct size *size)
{
	struct value value;

	if (size->value < 0)
		return named_size(emitter, size);
	snprintf(value.name, sizeof(value.name), "%" PRId64,
		size->value ? size->value : 1);
	return value;
}

bool mlir_same_size(const struct size *a, const struct size *b)
{
	return strcmp(a->text, b->text) == 0;
}
