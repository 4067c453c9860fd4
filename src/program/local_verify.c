/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Is everything that is got from the LDS put there before, whatever loops turn and
 * conditions hold? */
#include "program/local.h"

#include <stdlib.h>
#include <string.h>

/* What has been put for sure, an element of an object each: those of object i from
 * first[i] on. */
struct puts {
	layout_program *program;
	size_t *first, count;
	char **reason;
};

static unsigned number_of(const layout_program *program, const layout_memory *local)
{
	unsigned i = 0;

	while (program->locals[i] != local)
		i++;
	return i;
}

/* The number of a tile's element in the object. */
static int64_t element_of(const layout_tile *tile, const layout_memory *local,
	const struct program_place *place, int64_t number)
{
	int64_t pitch = 1, element = 0;

	for (unsigned d = tile->rank; d-- > 0; number /= tile->box[d]) {
		element += (number % tile->box[d] + place->at[d].index->value) * pitch;
		pitch *= local->box[d];
	}
	return element;
}

static layout_answer deny(const struct puts *puts, const layout_tile *tile, int64_t element)
{
	const layout_memory *local = tile->memory;
	struct layout_buffer out = { 0 };
	char point[LOCAL_POINT];

	puts->program->denied = tile->position;
	local_point(point, element, local->box, local->rank);
	layout_buffer_printf(&out, "%s: `%s` gets the element of `%s`, and %s", point,
		tile->name, local->name, local->loop ?
		"a loop of several stages has not put it in the same step" :
		"nothing has put it before");
	*puts->reason = layout_buffer_take(puts->program->ctx, &out);
	return *puts->reason ? LAYOUT_NO : LAYOUT_UNKNOWN;
}

static layout_answer check_get(const struct puts *puts, const bool *put,
	const layout_tile *tile)
{
	put += puts->first[number_of(puts->program, tile->memory)];
	for (int64_t n = 0; n < program_elements(tile); n++) {
		int64_t element = element_of(tile, tile->memory, &tile->place, n);

		if (!put[element])
			return deny(puts, tile, element);
	}
	return LAYOUT_YES;
}

static void note_put(const struct puts *puts, bool *put,
	const struct program_statement *statement)
{
	put += puts->first[number_of(puts->program, statement->memory)];
	for (int64_t n = 0; n < program_elements(statement->tile); n++)
		put[element_of(statement->tile, statement->memory, &statement->place, n)] =
			true;
}

static layout_answer walk(const struct puts *puts, bool *put,
	const struct program_body *body);

/* What a loop or a condition puts may not have been put behind it. */
static layout_answer walk_inner(const struct puts *puts, const bool *put,
	const struct program_statement *statement)
{
	layout_context *ctx = puts->program->ctx;
	bool *inner = layout_alloc(ctx, puts->count, sizeof(*inner));
	layout_answer answer = LAYOUT_UNKNOWN;

	if (inner) {
		memcpy(inner, put, puts->count * sizeof(*inner));
		for (unsigned i = 0; i < puts->program->local_count; i++)
			if (puts->program->locals[i]->loop == statement)
				memset(inner + puts->first[i], 0,
					puts->first[i + 1] - puts->first[i]);
		answer = walk(puts, inner, &statement->body);
	}
	free(inner);
	return answer;
}

static layout_answer walk(const struct puts *puts, bool *put,
	const struct program_body *body)
{
	layout_answer answer = LAYOUT_YES;

	for (unsigned i = 0; answer == LAYOUT_YES && i < body->count; i++) {
		const struct program_statement *statement = &body->statements[i];

		if (statement->kind == STATEMENT_PUT)
			note_put(puts, put, statement);
		else if (statement->kind == STATEMENT_TILE && statement->tile->op == TILE_GET)
			answer = check_get(puts, put, statement->tile);
		else if (statement->body.count)
			answer = walk_inner(puts, put, statement);
	}
	return answer;
}

layout_answer local_verify(layout_program *program, char **reason)
{
	struct puts puts = { program, layout_alloc(program->ctx, program->local_count + 1,
		sizeof(size_t)), 0, reason };
	layout_answer answer = LAYOUT_UNKNOWN;
	bool *put = NULL;

	for (unsigned i = 0; puts.first && i < program->local_count; i++)
		puts.first[i + 1] = puts.first[i] +
			(size_t)program_local_elements(program->locals[i]);
	if (puts.first) {
		puts.count = puts.first[program->local_count];
		put = layout_alloc(program->ctx, puts.count, sizeof(*put));
	}
	if (put)
		answer = walk(&puts, put, &program->body);
	free(put);
	free(puts.first);
	return answer;
}
