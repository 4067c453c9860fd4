/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Storages that are the same memory, however they are written. */
#include "algebra/memory/difference.h"
#include "isl_bridge/objects.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "M = 2, K = 3: " and what differs. */
static char *print_difference(const layout_remap *remap,
	const struct difference *difference)
{
	static const char *const sides[] = { "first", "second" };
	struct layout_buffer out = { 0 };
	unsigned rank = remap->source->rank;

	for (unsigned i = 0; i < remap->name_count; i++)
		layout_buffer_printf(&out, "%s%s = %" PRId64, i ? ", " : "",
			remap->names[i], difference->values[i]);
	layout_buffer_printf(&out, remap->name_count ? ": " : "");
	if (difference->kind != DIFFERENCE_MOVES)
		layout_buffer_printf(&out, "cell %" PRId64 " is %s the %s alone",
			difference->cell[0], difference->kind == DIFFERENCE_PADDING ?
			"padding of" : "in", sides[difference->side]);
	for (unsigned d = 0; difference->kind == DIFFERENCE_MOVES && d < rank; d++)
		layout_buffer_printf(&out, "%s%" PRId64 "%s", d ? ", " : "(",
			difference->element[d], d + 1 == rank ? ")" : "");
	if (difference->kind == DIFFERENCE_MOVES)
		layout_buffer_printf(&out, "%s: %" PRId64 ", %" PRId64, rank ? "" : "()",
			difference->cell[FACTOR_LOAD], difference->cell[FACTOR_STORE]);
	return layout_buffer_take(remap->ctx, &out);
}

static bool take_sizes(layout_witness *witness, const layout_remap *remap,
	const int64_t *values)
{
	witness->sizes = layout_alloc(remap->ctx, remap->name_count,
		sizeof(*witness->sizes));
	for (unsigned i = 0; witness->sizes && i < remap->name_count; i++) {
		char *name = layout_strdup(remap->ctx, remap->names[i]);

		if (!name)
			return false;
		witness->sizes[i] = (layout_size){ name, values[i] };
		witness->size_count++;
	}
	return witness->sizes;
}

static layout_witness *witness_of(const layout_remap *remap,
	const struct difference *difference)
{
	bool moves = difference->kind == DIFFERENCE_MOVES;
	layout_witness *witness = moves ?
		bridge_witness_of(remap->ctx, difference->element, remap->source->rank,
			difference->cell, FACTOR_SIDES) :
		bridge_witness_of(remap->ctx, difference->cell, 1, NULL, 0);

	if (witness) {
		free(witness->text);
		witness->text = print_difference(remap, difference);
		if (witness->text && take_sizes(witness, remap, difference->values))
			return witness;
	}
	layout_witness_free(witness);
	return NULL;
}

static layout_answer compare(const struct sides *sides, layout_witness **witness)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	struct difference difference;

	if (!difference_start(&difference, sides))
		return LAYOUT_UNKNOWN;
	answer = difference_find(&difference, sides);
	if (answer == LAYOUT_NO && witness) {
		difference_least(&difference, sides);
		*witness = witness_of(sides->remap, &difference);
		if (!*witness)
			answer = LAYOUT_UNKNOWN;
	}
	difference_free(&difference);
	if (answer == LAYOUT_UNKNOWN && !bridge_failed(sides->remap->ctx))
		layout_fail(sides->remap->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"the storages agree at all sizes that were tried, but their "
			"digits do not show that they always do");
	return answer;
}

/* Both are of one logical tensor, else LAYOUT_ERROR_SPACE, and their slots have room. */
static layout_remap *remap_between(layout_storage *a, layout_storage *b)
{
	struct layout_caught caught = { 0 }, *previous;
	layout_remap *remap;
	unsigned d = 0;

	if (a->rank != b->rank) {
		layout_fail(a->ctx, LAYOUT_ERROR_SPACE, -1,
			"one storage is of a tensor of rank %u, the other of rank %u",
			a->rank, b->rank);
		return NULL;
	}
	if (a->slot_count > LAYOUT_STORAGE_SLOTS || b->slot_count > LAYOUT_STORAGE_SLOTS) {
		layout_fail(a->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"storages of more than %d dimensions", LAYOUT_STORAGE_SLOTS);
		return NULL;
	}
	previous = layout_context_catch(a->ctx, &caught);
	remap = layout_remap_new(layout_storage_copy(a), layout_storage_copy(b), "u8",
		NULL);
	layout_context_catch(a->ctx, previous);
	while (d < a->rank && size_same(&a->sizes[d], &b->sizes[d]))
		d++;
	if (caught.kind != LAYOUT_ERROR_SPACE || d == a->rank) {
		layout_context_raise(a->ctx, &caught);
		return remap;
	}
	layout_remap_free(remap);
	layout_fail(a->ctx, LAYOUT_ERROR_SPACE, -1,
		"the storages are of different tensors: size %u is %s and %s", d,
		a->sizes[d].text, b->sizes[d].text);
	free(caught.message);
	return NULL;
}

layout_answer layout_storage_same_memory(layout_storage *a, layout_storage *b,
	layout_witness **witness)
{
	layout_answer answer = LAYOUT_UNKNOWN;
	layout_remap *remap;
	struct sides sides;

	if (witness)
		*witness = NULL;
	if (!a || !b || !bridge_contexts_meet(a->ctx, b->ctx))
		return LAYOUT_UNKNOWN;
	if (sides_are_alike(a, b))
		return LAYOUT_YES;
	remap = remap_between(a, b);
	if (!remap)
		return LAYOUT_UNKNOWN;
	bridge_enter(remap->ctx);
	if (sides_build(&sides, remap, true))
		answer = compare(&sides, witness);
	sides_free(&sides);
	if (!bridge_leave(remap->ctx, "compare two storages"))
		answer = LAYOUT_UNKNOWN;
	if (answer == LAYOUT_UNKNOWN && !layout_context_error(remap->ctx))
		layout_is_made(remap->ctx, NULL);	/* isl had half of it, and no error */
	if (answer != LAYOUT_NO && witness) {
		layout_witness_free(*witness);
		*witness = NULL;
	}
	layout_remap_free(remap);
	return answer;
}
