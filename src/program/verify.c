/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Is a program one, for all sizes? */
#include "program/known.h"
#include "program/local.h"
#include "program/program.h"
#include "algebra/owner/covers.h"
#include "isl_bridge/index_sum.h"
#include "value/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MISSES "the owner of `%s` does not cover its box: no lane holds the element"
#define EXCEEDS "the owner of `%s` holds an element that its box does not have"

#define MEETS "`%s` is loaded from where `%s` is stored, and not by the statement before it for " \
	"the same points"

/* Any two accesses of a memory are compared. */
enum { MOST_TOUCHES = 64, MOST_POINTS = 1 << 26 };

/* A store or a load of an argument that is stored to as well, with what it touches. */
struct touch {
	const layout_memory *memory;
	const struct program_place *place;
	const layout_tile *tile;
	const struct program_statement *store;	/* NULL: a load */
	long position;			/* of the statement */
	layout_relation *relation;	/* [variables.., t..] -> element */
	layout_set *elements;		/* its range */
};

/* The statements around the one that is looked at, and what was found. */
struct verify {
	layout_program *program;
	struct known known;
	int64_t points_left;		/* of owners, that may be listed */
	unsigned touch_count;
	struct touch *touches;
	char *reason;
	layout_witness *witness;
};

/* No, for this reason, which is about that place in the text. */
static layout_answer deny(struct verify *verify, long position, const char *format,
	const char *a, const char *b)
{
	struct layout_buffer out = { 0 };

	verify->program->denied = position;
	layout_buffer_printf(&out, format, a, b);
	free(verify->reason);
	verify->reason = layout_buffer_take(verify->program->ctx, &out);
	return verify->reason ? LAYOUT_NO : LAYOUT_UNKNOWN;
}

/* Does it store where tiles say, of which nothing is known but what was promised? */
static bool is_promised(const struct touch *touch)
{
	return touch->store && touch->store->unique;
}

static layout_answer add_touch(struct verify *verify, const layout_memory *memory,
	const struct program_place *place, const layout_tile *tile,
	const struct program_statement *store)
{
	long position = store ? store->position : tile->position;
	const struct size *at[PROGRAM_RANK];
	struct access access = known_access(&verify->known, memory, place, tile, at);
	layout_context *ctx = verify->program->ctx;
	struct touch *grown;

	if (memory->access == LAYOUT_ACCESS_IN)
		return LAYOUT_YES;
	for (unsigned d = 0; d < place->rank; d++)
		if (store && place->gather[d] && !store->unique)
			return deny(verify, position, "`%s` is stored where `%s` says: nothing "
				"shows that no element is written twice, (unique) promises it",
				tile->name, place->gather[d]->name);
	if (verify->touch_count == MOST_TOUCHES) {
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, position,
			"more than %d accesses of memories that are written", MOST_TOUCHES);
		return LAYOUT_UNKNOWN;
	}
	grown = realloc(verify->touches, (verify->touch_count + 1) * sizeof(*grown));
	if (!grown) {
		layout_fail(ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		return LAYOUT_UNKNOWN;
	}
	verify->touches = grown;
	grown[verify->touch_count] = (struct touch){ memory, place, tile, store, position,
		access_relation(ctx, &access), NULL };
	grown += verify->touch_count++;
	grown->elements = layout_relation_range(layout_relation_copy(grown->relation));
	return grown->elements ? LAYOUT_YES : LAYOUT_UNKNOWN;
}

/* Is there no such element?  Else one is the witness.  Consumes the set. */
static layout_answer is_none(struct verify *verify, layout_set *elements)
{
	layout_answer answer = layout_set_is_empty(elements);
	layout_set *none;

	if (answer == LAYOUT_NO) {
		none = layout_set_subtract(layout_set_copy(elements),
			layout_set_copy(elements));
		answer = layout_set_equal(elements, none, &verify->witness);
		layout_set_free(none);
	}
	layout_set_free(elements);
	return answer;
}

/* "the owner of `x`" against its box: { [c..] } that one has and the other has not. */
static layout_answer compare(struct verify *verify, layout_set *has, layout_set *lacks,
	const char *format, const layout_tile *tile)
{
	layout_answer answer = is_none(verify, layout_set_subtract(has, lacks));

	return answer == LAYOUT_NO ? deny(verify, tile->position, format, tile->name, "") :
		answer;
}

/* By isl's sets, where the points cannot be listed. */
static layout_answer compare_boxes(struct verify *verify, const layout_tile *tile)
{
	layout_context *ctx = verify->program->ctx;
	layout_set *box = value_box(ctx, tile->box, tile->rank);
	layout_set *held = access_anonymous(layout_relation_range(
		layout_relation_copy(tile->owner)));
	layout_answer answer = compare(verify, layout_set_copy(box), layout_set_copy(held),
		MISSES, tile);

	if (answer == LAYOUT_YES)
		answer = compare(verify, layout_set_copy(held), layout_set_copy(box), EXCEEDS,
			tile);
	layout_set_free(box);
	layout_set_free(held);
	return answer;
}

static layout_answer verify_owner(struct verify *verify, const layout_tile *tile)
{
	layout_context *ctx = verify->program->ctx;
	layout_answer answer;
	bool beyond;
	long base;

	if (!tile->owner)
		return LAYOUT_YES;
	base = layout_context_set_base(ctx, tile->position);
	answer = owner_covers(tile->owner, tile->box, tile->rank, &verify->points_left,
		&beyond, &verify->witness);
	if (answer == LAYOUT_NO)
		answer = deny(verify, tile->position, beyond ? EXCEEDS : MISSES, tile->name, "");
	else if (answer == LAYOUT_UNKNOWN && layout_context_error(ctx) ==
		 LAYOUT_ERROR_NONE)
		answer = compare_boxes(verify, tile);
	if (answer == LAYOUT_YES) {
		answer = layout_relation_is_function(tile->owner, &verify->witness);
		if (answer == LAYOUT_NO)
			answer = deny(verify, tile->position,
				"a register of `%s` holds two elements", tile->name, "");
	}
	layout_context_set_base(ctx, base);
	return answer;
}

static layout_answer walk(struct verify *verify, const struct program_body *body);

static layout_answer walk_statement(struct verify *verify,
	const struct program_statement *statement)
{
	struct known *known = &verify->known;
	unsigned variables = known->variable_count, conditions = known->condition_count;
	layout_answer answer = LAYOUT_YES;
	const layout_tile *tile = statement->tile;

	switch (statement->kind) {
	case STATEMENT_TILE:
		answer = verify_owner(verify, tile);
		return answer == LAYOUT_YES && tile->op == TILE_LOAD && !tile->memory->sight ?
			add_touch(verify, tile->memory, &tile->place, tile, NULL) :
			answer;
	case STATEMENT_PUT:
		return LAYOUT_YES;
	case STATEMENT_STORE:
		return add_touch(verify, statement->memory, &statement->place, tile, statement);
	case STATEMENT_FOR:
		for (unsigned i = 0; answer == LAYOUT_YES && i < statement->carry_count; i++)
			answer = verify_owner(verify, statement->carries[i]);
		break;
	case STATEMENT_WHEN:
		break;
	}
	if (answer == LAYOUT_YES && !known_enter(known, verify->program, statement)) {
		layout_fail(verify->program->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"more than %d conditions hold", KNOWN_CONDITIONS);
		answer = LAYOUT_UNKNOWN;
	}
	if (answer == LAYOUT_YES)
		answer = walk(verify, &statement->body);
	known->variable_count = variables;
	known->condition_count = conditions;
	return answer;
}

static layout_answer walk(struct verify *verify, const struct program_body *body)
{
	layout_answer answer = LAYOUT_YES;

	for (unsigned i = 0; answer == LAYOUT_YES && i < body->count; i++)
		answer = walk_statement(verify, &body->statements[i]);
	return answer;
}

/* No two points of one store write an element. */
static layout_answer verify_store(struct verify *verify, const struct touch *store)
{
	layout_answer answer = layout_relation_is_injective(store->relation,
		&verify->witness);

	return answer == LAYOUT_NO ? deny(verify, store->position, "two points of (workgroup, "
		"iteration, element) of `%s` are stored to one element of `%s`",
		store->tile->name, store->memory->name) : answer;
}

/* Two accesses, of which one is a store, touch no element both: they come in no order. */
static layout_answer verify_apart(struct verify *verify, const struct touch *a,
	const struct touch *b)
{
	layout_answer answer = is_none(verify, layout_set_intersect(
		layout_set_copy(a->elements), layout_set_copy(b->elements)));

	if (answer != LAYOUT_NO)
		return answer;
	return deny(verify, b->position, a->store && b->store ?
		"`%s` and `%s` are stored to one element" :
		MEETS, a->store ? b->tile->name : a->tile->name,
		a->store ? a->tile->name : b->tile->name);
}

/* Is a point of both at the same element, wherever tiles say that is? */
static bool is_same_place(const struct touch *a, const struct touch *b)
{
	bool same = a->tile->rank == b->tile->rank;

	for (unsigned d = 0; same && d < a->place->rank; d++)
		same = a->tile->box[d] == b->tile->box[d] &&
			a->place->gather[d] == b->place->gather[d] && (a->place->gather[d] ||
			index_equal(a->place->at[d].index, b->place->at[d].index));
	return same;
}

/* Can the store be of the points of the load, as in x = load A[i]; store f(x) -> A[i]? */
static bool can_update(const struct touch *load, const struct touch *store)
{
	return !program_gathers(load->place) && !program_gathers(store->place) && !load->store &&
		store->store && layout_relation_in_rank(load->relation) ==
		layout_relation_in_rank(store->relation);
}

/* Whatever is loaded and stored is stored by the very point that loads it, and that is
 * one: the store comes behind it. */
static layout_answer verify_update(struct verify *verify, const struct touch *load,
	const struct touch *store)
{
	layout_relation *meets = layout_relation_restrict_range(
		layout_relation_copy(load->relation), layout_set_copy(store->elements));
	layout_relation *others = layout_relation_subtract(meets,
		layout_relation_copy(store->relation));
	layout_answer answer = is_none(verify, layout_relation_range(others));

	return answer == LAYOUT_NO ? deny(verify, load->position, MEETS, load->tile->name,
		store->tile->name) : answer;
}

static layout_answer verify_touches(struct verify *verify)
{
	layout_context *ctx = verify->program->ctx;
	layout_answer answer = LAYOUT_YES;
	long base;

	for (unsigned i = 0; answer == LAYOUT_YES && i < verify->touch_count; i++) {
		const struct touch *touch = &verify->touches[i];

		base = layout_context_set_base(ctx, touch->position);
		if (touch->store && !is_promised(touch))
			answer = verify_store(verify, touch);
		for (unsigned k = 0; answer == LAYOUT_YES && k < i; k++) {
			const struct touch *before = &verify->touches[k];

			if (before->memory != touch->memory ||
			    (!before->store && !touch->store) ||
			    (is_promised(touch) && !before->store && is_same_place(before, touch)))
				continue;
			answer = (can_update(before, touch) ? verify_update :
				verify_apart)(verify, before, touch);
		}
		layout_context_set_base(ctx, base);
	}
	return answer;
}

/* Every element of what is only written is; nobody knows where tiles say. */
static layout_answer verify_written(struct verify *verify, const layout_memory *memory)
{
	layout_set *missing = access_elements(memory->storage,
		verify->program->assumed_count, verify->known.conditions);
	layout_answer answer;

	for (unsigned i = 0; i < verify->touch_count; i++)
		if (verify->touches[i].memory == memory && !is_promised(&verify->touches[i]))
			missing = layout_set_subtract(missing,
				layout_set_copy(verify->touches[i].elements));
	answer = is_none(verify, missing);
	return answer == LAYOUT_NO ? deny(verify, memory->position, "no store writes the element "
		"of `%s`", memory->name, "") : answer;
}

/* No two elements of what is written are one cell. */
static layout_answer verify_cells(struct verify *verify, const layout_memory *memory)
{
	layout_relation *cells = access_cells(memory->storage,
		verify->program->assumed_count, verify->known.conditions);
	layout_answer answer = layout_relation_is_injective(cells, &verify->witness);

	layout_relation_free(cells);
	return answer == LAYOUT_NO ? deny(verify, memory->position, "two elements of `%s` share "
		"a cell", memory->name, "") : answer;
}

static layout_answer verify_memory(struct verify *verify, const layout_memory *memory)
{
	layout_context *ctx = verify->program->ctx;
	layout_answer answer = LAYOUT_YES;
	long base = layout_context_set_base(ctx, memory->position);

	if (memory->access != LAYOUT_ACCESS_IN)
		answer = verify_cells(verify, memory);
	if (answer == LAYOUT_YES && memory->access == LAYOUT_ACCESS_OUT)
		answer = verify_written(verify, memory);
	layout_context_set_base(ctx, base);
	return answer;
}

/* The grid's coordinates that there are, a box. */
static layout_set *grid_box(const struct verify *verify)
{
	const layout_program *program = verify->program;
	const char *counts[PROGRAM_RANK];
	layout_storage *grid;
	layout_set *box;

	for (unsigned d = 0; d < program->grid_count; d++)
		counts[d] = program->variables[program->size_count + d].extent.size.text;
	grid = layout_storage_row_major(program->ctx, program->grid_count, counts);
	box = grid ? access_elements(grid, program->assumed_count, verify->known.conditions) : NULL;
	layout_storage_free(grid);
	return box;
}

/* Each workgroup has coordinates of its own, and all are somebody's. */
static layout_answer verify_order(struct verify *verify)
{
	layout_program *program = verify->program;
	long base = layout_context_set_base(program->ctx, program->order_position);
	layout_set *box = grid_box(verify);
	layout_relation *order = layout_relation_restrict(layout_relation_copy(program->order),
		layout_set_copy(box));
	layout_answer answer = layout_relation_is_total(order, box, &verify->witness);

	if (answer == LAYOUT_NO)
		answer = deny(verify, program->order_position, "the order gives the workgroup "
			"no coordinates", "", "");
	else if (answer == LAYOUT_YES)
		answer = layout_relation_is_bijective(order, box, &verify->witness);
	if (answer == LAYOUT_NO && !verify->reason)
		answer = deny(verify, program->order_position, "the order is no permutation of "
			"the workgroups", "", "");
	layout_relation_free(order);
	layout_set_free(box);
	layout_context_set_base(program->ctx, base);
	return answer;
}

static layout_answer verify_program(struct verify *verify)
{
	layout_program *program = verify->program;
	layout_answer answer;

	known_begin(&verify->known, program);
	answer = program->order ? verify_order(verify) : LAYOUT_YES;
	if (answer == LAYOUT_YES)
		answer = walk(verify, &program->body);
	local_find_stages(program);
	if (answer == LAYOUT_YES)
		answer = local_verify(program, &verify->reason);
	if (answer == LAYOUT_YES)
		answer = verify_touches(verify);
	for (unsigned i = 0; answer == LAYOUT_YES && i < program->memory_count; i++)
		answer = verify_memory(verify, program->memories[i]);
	return answer;
}

layout_answer layout_program_verify(layout_program *program, char **reason,
	layout_witness **witness)
{
	struct verify verify = { .program = program, .points_left = MOST_POINTS };
	layout_answer answer;

	if (reason)
		*reason = NULL;
	if (witness)
		*witness = NULL;
	if (!program)
		return LAYOUT_UNKNOWN;
	program->denied = -1;
	if (!program->workers_rank || program->depth) {
		layout_fail(program->ctx, LAYOUT_ERROR_INVALID, -1,
			"the program is not complete");
		return LAYOUT_UNKNOWN;
	}
	answer = verify_program(&verify);
	for (unsigned i = 0; i < verify.touch_count; i++) {
		layout_relation_free(verify.touches[i].relation);
		layout_set_free(verify.touches[i].elements);
	}
	free(verify.touches);
	if (reason && answer == LAYOUT_NO)
		*reason = verify.reason;
	else
		free(verify.reason);
	if (witness && answer == LAYOUT_NO)
		*witness = verify.witness;
	else
		layout_witness_free(verify.witness);
	return answer;
}

long layout_program_denied_at(layout_program *program)
{
	return program ? program->denied : -1;
}
