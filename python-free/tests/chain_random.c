/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Random chains against arrays that are moved through each operation, element by
 * element, at several values of the names at once. */
#include "isl_bridge/objects.h"
#include "support/append.h"
#include "support/mlir_body.h"
#include "support/random.h"

#include <layout/layout.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define CHAINS 150
#define OPERATIONS 8
#define RANK 6
#define VALUES 4	/* values of all names that a chain is looked at with */
#define NAMES 3
#define ELEMENTS 3000
#define TEXT 4096
#define PADDING -1
#define POINTS 100	/* that a body is run at */

static const char *const names[NAMES] = { "A", "B", "C" };

/* A size: its text, its number for each value of the names, and what it cannot be below
 * for any. */
struct size {
	char text[200];
	int64_t at[VALUES], least;
	bool constant;
};

/* The tensor so far.  elements[v][i] is the number of the source's element, or PADDING;
 * NULL where an assumption does not hold. */
struct tensor {
	unsigned rank;
	struct size sizes[RANK];
	int64_t *elements[VALUES];
};

struct state {
	uint64_t seed;
	int64_t names[VALUES][NAMES];
	char text[TEXT];
	struct tensor now;
	struct size source[RANK];
	unsigned source_rank;
};

static struct size number(int64_t n)
{
	struct size size = { .least = n, .constant = true };

	snprintf(size.text, sizeof(size.text), "%" PRId64, n);
	for (unsigned v = 0; v < VALUES; v++)
		size.at[v] = n;
	return size;
}

/* factor * NAME + constant */
static struct size named(const struct state *state, unsigned name, int64_t factor,
	int64_t constant)
{
	struct size size = { .least = constant };

	snprintf(size.text, sizeof(size.text), "%" PRId64 "*%s + %" PRId64, factor,
		names[name], constant);
	for (unsigned v = 0; v < VALUES; v++)
		size.at[v] = factor * state->names[v][name] + constant;
	return size;
}

static struct size random_size(struct state *state, int64_t most)
{
	static const int64_t factors[] = { 1, 1, 2, 4 };

	if (random_below(&state->seed, 3))
		return number(random_below(&state->seed, (unsigned)most + 1));
	return named(state, random_below(&state->seed, NAMES),
		factors[random_below(&state->seed, 4)],
		random_below(&state->seed, 3));
}

/* a + factor * b */
static struct size sum(const struct size *a, int64_t factor, const struct size *b)
{
	struct size size = { .constant = a->constant && b->constant,
		.least = a->least + factor * b->least };
	int length;

	for (unsigned v = 0; v < VALUES; v++)
		size.at[v] = a->at[v] + factor * b->at[v];
	if (size.constant)
		return number(size.at[0]);
	length = snprintf(size.text, sizeof(size.text), "%s + %" PRId64 "*(%s)", a->text,
		factor, b->text);
	assert_true(length < (int)sizeof(size.text));
	return size;
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* floor((size + more) / by) */
static struct size quotient(const struct size *a, int64_t more, int64_t by)
{
	struct size size = { .constant = a->constant,
		.least = floor_quotient(a->least + more, by) };
	int length;

	for (unsigned v = 0; v < VALUES; v++)
		size.at[v] = floor_quotient(a->at[v] + more, by);
	if (size.constant)
		return number(size.at[0]);
	length = snprintf(size.text, sizeof(size.text), "floor((%s + %" PRId64 ")/%" PRId64
		")", a->text, more, by);
	assert_true(length < (int)sizeof(size.text));
	return size;
}

static int64_t count_elements(const struct size *sizes, unsigned rank, unsigned v)
{
	int64_t count = 1;

	for (unsigned d = 0; d < rank; d++)
		count *= sizes[d].at[v] > 0 ? sizes[d].at[v] : 0;
	return count;
}

static int64_t linear(const struct size *sizes, unsigned rank, unsigned v,
	const int64_t *index)
{
	int64_t at = 0;

	for (unsigned d = 0; d < rank; d++)
		at = at * sizes[d].at[v] + index[d];
	return at;
}

static void delinear(const struct size *sizes, unsigned rank, unsigned v, int64_t at,
	int64_t *index)
{
	for (unsigned d = rank; d-- > 0; at /= sizes[d].at[v])
		index[d] = at % sizes[d].at[v];
}

static void release(struct tensor *tensor)
{
	for (unsigned v = 0; v < VALUES; v++)
		free(tensor->elements[v]);
}

/* Is a tensor of these sizes small enough, and are its sizes short enough to write? */
static bool is_small(const struct state *state, const struct tensor *next)
{
	for (unsigned d = 0; d < next->rank; d++)
		if (strlen(next->sizes[d].text) > 60)
			return false;
	for (unsigned v = 0; v < VALUES; v++)
		if (state->now.elements[v] &&
		    count_elements(next->sizes, next->rank, v) > ELEMENTS)
			return false;
	return true;
}

/* The index before an operation of "index" behind it, at values "v" of the names; false
 * where it is padding. */
struct step {
	enum { TRANSPOSE, EXPAND, COLLAPSE, SLICE, PAD, PACK, UNPACK, BROADCAST } kind;
	unsigned dims[RANK];		/* permutation, tiled dimensions, added ones */
	unsigned count;
	unsigned groups[RANK], group_count;
	int64_t strides[RANK], tiles[RANK];
	unsigned outer[RANK];
	struct size low[RANK];
	bool drop[RANK];
};

static bool is_added(const struct step *step, unsigned dim)
{
	for (unsigned i = 0; i < step->count; i++)
		if (step->dims[i] == dim)
			return true;
	return false;
}

static bool step_back(const struct step *step, const struct tensor *before,
	const struct tensor *behind, unsigned v, const int64_t *index, int64_t *from)
{
	unsigned at = 0;
	int64_t whole;

	switch (step->kind) {
	case TRANSPOSE:
		for (unsigned j = 0; j < behind->rank; j++)
			from[step->dims[j]] = index[j];
		return true;
	case EXPAND:
		for (unsigned g = 0; g < step->group_count; at += step->groups[g++])
			from[g] = linear(behind->sizes + at, step->groups[g], v,
				index + at);
		return true;
	case COLLAPSE:
		for (unsigned g = 0; g < step->group_count; at += step->groups[g++])
			delinear(before->sizes + at, step->groups[g], v, index[g],
				from + at);
		return true;
	case SLICE:
		for (unsigned d = 0; d < before->rank; d++)
			from[d] = step->low[d].at[v] +
				(step->drop[d] ? 0 : step->strides[d] * index[at++]);
		return true;
	case PAD:
		for (unsigned d = 0; d < before->rank; d++)
			from[d] = index[d] - step->low[d].at[v];
		break;
	case PACK:
		for (unsigned d = 0; d < before->rank; d++)
			from[step->outer[d]] = index[d];
		for (unsigned i = 0; i < step->count; i++)
			from[step->dims[i]] = from[step->dims[i]] * step->tiles[i] +
				index[before->rank + i];
		break;
	case UNPACK:
		for (unsigned d = 0; d < behind->rank; d++) {
			whole = index[step->outer[d]];
			for (unsigned i = 0; i < step->count; i++)
				if (step->dims[i] == step->outer[d])
					whole /= step->tiles[i];
			from[d] = whole;
		}
		for (unsigned i = 0; i < step->count; i++)
			from[behind->rank + i] = index[step->dims[i]] % step->tiles[i];
		return true;
	case BROADCAST:
		for (unsigned d = 0; d < behind->rank; d++)
			if (!is_added(step, d))
				from[at++] = index[d];
		return true;
	}
	for (unsigned d = 0; d < before->rank; d++)
		if (from[d] < 0 || from[d] >= before->sizes[d].at[v])
			return false;
	return true;
}

/* Move the tensor to the shape that "next" has; "holds" says for which values of the names
 * what the operation assumes holds. */
static void move(struct state *state, const struct step *step, struct tensor *next,
	const bool *holds)
{
	int64_t index[RANK], from[RANK];

	for (unsigned v = 0; v < VALUES; v++) {
		int64_t count = count_elements(next->sizes, next->rank, v);

		next->elements[v] = NULL;
		if (!state->now.elements[v] || !holds[v])
			continue;
		next->elements[v] = calloc((size_t)count + 1, sizeof(int64_t));
		assert_non_null(next->elements[v]);
		for (int64_t i = 0; i < count; i++) {
			delinear(next->sizes, next->rank, v, i, index);
			next->elements[v][i] = !step_back(step, &state->now, next, v,
				index, from) ? PADDING :
				state->now.elements[v][linear(state->now.sizes,
					state->now.rank, v, from)];
		}
	}
	release(&state->now);
	state->now = *next;
}

static const bool always[VALUES] = { true, true, true, true };

static void print_sizes(char *text, const struct size *sizes, unsigned count)
{
	append_text(text, TEXT, "[");
	for (unsigned i = 0; i < count; i++)
		append_text(text, TEXT, "%s%s", i ? ", " : "", sizes[i].text);
	append_text(text, TEXT, "]");
}

static void print_dims(char *text, const unsigned *dims, unsigned count)
{
	append_text(text, TEXT, "[");
	for (unsigned i = 0; i < count; i++)
		append_text(text, TEXT, "%s%u", i ? ", " : "", dims[i]);
	append_text(text, TEXT, "]");
}

static void print_groups(char *text, const struct step *step)
{
	unsigned dim = 0;

	append_text(text, TEXT, "[");
	for (unsigned g = 0; g < step->group_count; g++) {
		append_text(text, TEXT, "%s[", g ? ", " : "");
		for (unsigned k = 0; k < step->groups[g]; k++)
			append_text(text, TEXT, "%s%u", k ? ", " : "", dim++);
		append_text(text, TEXT, "]");
	}
	append_text(text, TEXT, "]");
}

static void permutation(struct state *state, unsigned *order, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		order[i] = i;
	for (unsigned i = count; i > 1; i--) {
		unsigned k = random_below(&state->seed, i), other = order[i - 1];

		order[i - 1] = order[k];
		order[k] = other;
	}
}

static bool transpose(struct state *state)
{
	struct step step = { .kind = TRANSPOSE };
	struct tensor next = state->now;

	permutation(state, step.dims, next.rank);
	for (unsigned j = 0; j < next.rank; j++)
		next.sizes[j] = state->now.sizes[step.dims[j]];
	append_text(state->text, TEXT, ", transpose(");
	print_dims(state->text, step.dims, next.rank);
	append_text(state->text, TEXT, ")");
	move(state, &step, &next, always);
	return true;
}

/* Some dimensions become two or three, the first one inferred or written. */
static bool expand(struct state *state)
{
	struct step step = { .kind = EXPAND, .group_count = state->now.rank };
	struct tensor next = { 0 };
	struct size written[RANK];
	bool holds[VALUES] = { true, true, true, true }, possible = false;

	if (!state->now.rank)
		return false;
	for (unsigned d = 0; d < state->now.rank; d++) {
		const struct size *whole = &state->now.sizes[d];
		unsigned digits = random_below(&state->seed, 3), first = next.rank;
		int64_t product = 1;

		if (next.rank + digits + state->now.rank - d > RANK)
			digits = 0;
		next.rank += digits + 1;
		for (unsigned k = next.rank - 1; k > first; k--) {
			int64_t size = 1 + random_below(&state->seed, 4);

			product *= size;
			written[k] = next.sizes[k] = number(size);
		}
		next.sizes[first] = quotient(whole, 0, product);
		written[first] = next.sizes[first];
		if (random_below(&state->seed, 3))
			strcpy(written[first].text, "?");
		step.groups[d] = digits + 1;
		for (unsigned v = 0; v < VALUES; v++)
			holds[v] = holds[v] && whole->at[v] % product == 0;
	}
	for (unsigned v = 0; v < VALUES; v++)
		possible = possible || (holds[v] && state->now.elements[v]);
	if (!possible || !is_small(state, &next))
		return false;
	append_text(state->text, TEXT, ", expand_shape(");
	print_groups(state->text, &step);
	append_text(state->text, TEXT, ", ");
	print_sizes(state->text, written, next.rank);
	append_text(state->text, TEXT, ")");
	move(state, &step, &next, holds);
	return true;
}

/* The size of a group, if its index is affine. */
static bool group_size(const struct size *sizes, unsigned count, struct size *product)
{
	*product = number(1);
	for (unsigned k = 0; k < count; k++) {
		struct size one = *product;

		if (!sizes[k].constant && !(one.constant && one.at[0] == 1))
			return false;
		if (!sizes[k].constant) {
			*product = sizes[k];
			continue;
		}
		if (one.constant) {
			*product = number(one.at[0] * sizes[k].at[0]);
			continue;
		}
		*product = number(0);
		product->constant = false;
		*product = sum(product, sizes[k].at[0], &one);
	}
	return true;
}

static bool collapse(struct state *state)
{
	struct step step = { .kind = COLLAPSE };
	struct tensor next = { 0 };
	unsigned at = 0;

	while (at < state->now.rank) {
		unsigned count = 1 + random_below(&state->seed, 3);

		if (count > state->now.rank - at)
			count = state->now.rank - at;
		while (!group_size(state->now.sizes + at, count, &next.sizes[next.rank]))
			count--;
		step.groups[step.group_count++] = count;
		next.rank++;
		at += count;
	}
	if (!next.rank || !is_small(state, &next))
		return false;
	append_text(state->text, TEXT, ", collapse_shape(");
	print_groups(state->text, &step);
	append_text(state->text, TEXT, ")");
	move(state, &step, &next, always);
	return true;
}

static bool slice(struct state *state)
{
	struct step step = { .kind = SLICE };
	struct tensor next = { 0 };
	struct size sizes[RANK], strides[RANK];

	for (unsigned d = 0; d < state->now.rank; d++) {
		const struct size *whole = &state->now.sizes[d];
		int64_t slack = whole->least > 0 ? whole->least : 0;
		int64_t low = random_below(&state->seed, (unsigned)slack + 1);
		int64_t less = low + random_below(&state->seed,
			(unsigned)(slack - low) + 1);
		struct size rest = number(less);

		rest = sum(whole, -1, &rest);
		step.strides[d] = 1 + random_below(&state->seed, 3);
		step.low[d] = number(low);
		sizes[d] = quotient(&rest, step.strides[d] - 1, step.strides[d]);
		if (slack > low && !random_below(&state->seed, 3)) {
			sizes[d] = number(1);
			step.drop[d] = random_below(&state->seed, 2);
		}
		strides[d] = number(step.strides[d]);
		if (!step.drop[d])
			next.sizes[next.rank++] = sizes[d];
	}
	if (!is_small(state, &next))
		return false;
	append_text(state->text, TEXT, ", extract_slice(");
	print_sizes(state->text, step.low, state->now.rank);
	append_text(state->text, TEXT, ", ");
	print_sizes(state->text, sizes, state->now.rank);
	append_text(state->text, TEXT, ", ");
	print_sizes(state->text, strides, state->now.rank);
	if (next.rank < state->now.rank) {
		bool first = true;

		append_text(state->text, TEXT, ", drop = [");
		for (unsigned d = 0; d < state->now.rank; d++)
			if (step.drop[d]) {
				append_text(state->text, TEXT, first ? "%u" : ", %u", d);
				first = false;
			}
		append_text(state->text, TEXT, "]");
	}
	append_text(state->text, TEXT, ")");
	move(state, &step, &next, always);
	return true;
}

static bool pad(struct state *state)
{
	struct step step = { .kind = PAD };
	struct tensor next = state->now;
	struct size high[RANK];

	for (unsigned d = 0; d < next.rank; d++) {
		step.low[d] = random_size(state, 2);
		high[d] = random_size(state, 3);
		if (random_below(&state->seed, 2))
			step.low[d] = number(0);
		if (random_below(&state->seed, 2))
			high[d] = number(0);
		next.sizes[d] = sum(&next.sizes[d], 1, &step.low[d]);
		next.sizes[d] = sum(&next.sizes[d], 1, &high[d]);
	}
	if (!is_small(state, &next))
		return false;
	append_text(state->text, TEXT, ", pad(");
	print_sizes(state->text, step.low, next.rank);
	append_text(state->text, TEXT, ", ");
	print_sizes(state->text, high, next.rank);
	append_text(state->text, TEXT, random_below(&state->seed, 2) ? ", 0)" : ")");
	move(state, &step, &next, always);
	return true;
}

static bool pack(struct state *state)
{
	struct step step = { .kind = PACK };
	struct tensor next = { 0 };
	unsigned rank = state->now.rank, order[RANK];
	bool padded = random_below(&state->seed, 3), possible = false;
	bool holds[VALUES] = { true, true, true, true };

	step.count = random_below(&state->seed, rank + 1);
	if (rank + step.count > RANK)
		return false;
	permutation(state, order, rank);
	permutation(state, step.outer, rank);
	for (unsigned i = 0; i < step.count; i++) {
		step.dims[i] = order[i];
		step.tiles[i] = 1 + random_below(&state->seed, 5);
	}
	for (unsigned d = 0; d < rank; d++) {
		int64_t tile = 1;

		for (unsigned i = 0; i < step.count; i++)
			if (step.dims[i] == step.outer[d])
				tile = step.tiles[i];
		next.sizes[d] = quotient(&state->now.sizes[step.outer[d]],
			padded ? tile - 1 : 0, tile);
		for (unsigned v = 0; v < VALUES && !padded; v++)
			holds[v] = holds[v] &&
				state->now.sizes[step.outer[d]].at[v] % tile == 0;
	}
	next.rank = rank + step.count;
	for (unsigned i = 0; i < step.count; i++)
		next.sizes[rank + i] = number(step.tiles[i]);
	for (unsigned v = 0; v < VALUES; v++)
		possible = possible || (holds[v] && state->now.elements[v]);
	if (!possible || !is_small(state, &next))
		return false;
	append_text(state->text, TEXT, ", pack(");
	print_dims(state->text, step.dims, step.count);
	append_text(state->text, TEXT, ", ");
	print_sizes(state->text, next.sizes + rank, step.count);
	append_text(state->text, TEXT, ", outer_dims_perm = ");
	print_dims(state->text, step.outer, rank);
	append_text(state->text, TEXT, padded ? ", pad = 0)" : ")");
	move(state, &step, &next, holds);
	return true;
}

static bool unpack(struct state *state)
{
	struct step step = { .kind = UNPACK };
	struct tensor next = { 0 };
	unsigned order[RANK];

	step.count = random_below(&state->seed, state->now.rank / 2 + 1);
	next.rank = state->now.rank - step.count;
	permutation(state, order, next.rank);
	permutation(state, step.outer, next.rank);
	for (unsigned i = 0; i < step.count; i++) {
		const struct size *tile = &state->now.sizes[next.rank + i];

		if (!tile->constant || tile->at[0] < 1)
			return false;
		step.dims[i] = order[i];
		step.tiles[i] = tile->at[0];
	}
	for (unsigned d = 0; d < next.rank; d++) {
		struct size none = number(0), whole = state->now.sizes[d];
		int64_t tile = 1;

		for (unsigned i = 0; i < step.count; i++)
			if (step.dims[i] == step.outer[d])
				tile = step.tiles[i];
		whole = tile == 1 ? whole : sum(&none, tile, &whole);
		if (whole.least > 0 && random_below(&state->seed, 2)) {
			struct size less = number(random_below(&state->seed,
				(unsigned)whole.least + 1));

			whole = sum(&whole, -1, &less);
		}
		next.sizes[step.outer[d]] = whole;
	}
	if (!is_small(state, &next))
		return false;
	append_text(state->text, TEXT, ", unpack(");
	print_dims(state->text, step.dims, step.count);
	append_text(state->text, TEXT, ", ");
	print_sizes(state->text, next.sizes, next.rank);
	append_text(state->text, TEXT, ", outer_dims_perm = ");
	print_dims(state->text, step.outer, next.rank);
	append_text(state->text, TEXT, ")");
	move(state, &step, &next, always);
	return true;
}

static bool broadcast(struct state *state)
{
	struct step step = { .kind = BROADCAST };
	struct tensor next = { 0 };
	struct size sizes[RANK];
	unsigned at = 0;

	step.count = 1 + random_below(&state->seed, 2);
	next.rank = state->now.rank + step.count;
	if (next.rank > RANK)
		return false;
	permutation(state, step.dims, next.rank);
	for (unsigned i = 0; i < step.count; i++)
		sizes[i] = next.sizes[step.dims[i]] = random_size(state, 3);
	for (unsigned d = 0; d < next.rank; d++)
		if (!is_added(&step, d))
			next.sizes[d] = state->now.sizes[at++];
	if (!is_small(state, &next))
		return false;
	append_text(state->text, TEXT, ", broadcast(");
	print_dims(state->text, step.dims, step.count);
	append_text(state->text, TEXT, ", ");
	print_sizes(state->text, sizes, step.count);
	append_text(state->text, TEXT, ")");
	move(state, &step, &next, always);
	return true;
}

static void start(struct state *state)
{
	state->source_rank = state->now.rank = random_below(&state->seed, 5);
	for (unsigned v = 0; v < VALUES; v++)
		for (unsigned i = 0; i < NAMES; i++)
			state->names[v][i] = random_below(&state->seed, v ? 5 : 2);
	for (unsigned d = 0; d < state->now.rank; d++)
		state->source[d] = state->now.sizes[d] = random_size(state, 6);
	strcpy(state->text, "chain(row_major");
	print_sizes(state->text, state->source, state->source_rank);
	for (unsigned v = 0; v < VALUES; v++) {
		int64_t count = count_elements(state->source, state->source_rank, v);

		state->now.elements[v] = calloc((size_t)count + 1, sizeof(int64_t));
		assert_non_null(state->now.elements[v]);
		for (int64_t i = 0; i < count; i++)
			state->now.elements[v][i] = i;
	}
}

static void extend(struct state *state)
{
	static bool (*const operations[])(struct state *state) = {
		transpose, expand, expand, collapse, collapse, slice, pad, pack, unpack,
		broadcast,
	};
	unsigned count = random_below(&state->seed, OPERATIONS + 1);

	for (unsigned i = 0; i < count; i++)
		operations[random_below(&state->seed, 10)](state);
	append_text(state->text, TEXT, ")");
}

/* What a value should say at values "v" of the names. */
struct expectation {
	const struct state *state;
	unsigned v;
	bool padding;
	int64_t seen;
	bool wrong;
};

static bool visit(void *user, const int64_t *in, unsigned in_rank, const int64_t *image,
	unsigned image_rank)
{
	struct expectation *expected = user;
	const struct tensor *now = &expected->state->now;
	unsigned v = expected->v;
	const int64_t *result = expected->padding ? in : image;
	int64_t wanted = expected->padding ? PADDING :
		linear(expected->state->source, in_rank, v, in);

	expected->seen++;
	expected->wrong = !now->elements[v] ||
		(expected->padding ? in_rank : image_rank) != now->rank;
	for (unsigned d = 0; !expected->wrong && d < now->rank; d++)
		expected->wrong = result[d] < 0 || result[d] >= now->sizes[d].at[v];
	for (unsigned d = 0; !expected->padding && !expected->wrong && d < in_rank; d++)
		expected->wrong = in[d] < 0 || in[d] >= expected->state->source[d].at[v];
	expected->wrong = expected->wrong || now->elements[v][linear(now->sizes, now->rank,
		v, result)] != wanted;
	return !expected->wrong;
}

static void name_sizes(const struct state *state, unsigned v, layout_size *sizes)
{
	for (unsigned i = 0; i < NAMES; i++)
		sizes[i] = (layout_size){ names[i], state->names[v][i] };
}

/* All pairs, or all padding, and nothing else. */
static bool check_points(const struct state *state, layout_value *value, unsigned v,
	bool padding)
{
	struct expectation expected = { state, v, padding, 0, false };
	const struct tensor *now = &state->now;
	layout_size sizes[NAMES];
	int64_t count = 0;

	for (int64_t i = 0; now->elements[v] &&
			i < count_elements(now->sizes, now->rank, v); i++)
		count += (now->elements[v][i] == PADDING) == padding;
	name_sizes(state, v, sizes);
	if (!layout_value_for_each(value, sizes, NAMES, visit, &expected) ||
	    expected.wrong || expected.seen != count) {
		print_error("%s: %" PRId64 " points of %" PRId64 "%s\n",
			padding ? "padding" : "relation", expected.seen, count,
			expected.wrong ? ", the last one wrong" : "");
		return false;
	}
	return true;
}

/* Sizes as text, read by a storage. */
static bool check_shape(const struct state *state, layout_chain *chain, unsigned v)
{
	layout_context *ctx = layout_chain_context(chain);
	layout_size sizes[NAMES];

	name_sizes(state, v, sizes);
	for (unsigned d = 0; state->now.elements[v] && d < state->now.rank; d++) {
		const char *text = layout_chain_size(chain, d);
		layout_storage *storage = layout_storage_row_major(ctx, 1, &text);
		int64_t size = -1;
		bool good = layout_storage_shape(storage, sizes, NAMES, &size);

		layout_storage_free(storage);
		if (good && size == state->now.sizes[d].at[v])
			continue;
		print_error("size %u, %s, is %" PRId64 ", not %" PRId64 "\n", d, text,
			size, state->now.sizes[d].at[v]);
		return false;
	}
	return layout_chain_rank(chain) == state->now.rank;
}

static bool agrees(isl_map *map, isl_multi_aff *function, bool reversed)
{
	isl_map *other;
	bool subset;

	if (!function)
		return true;
	other = isl_map_from_multi_aff(isl_multi_aff_copy(function));
	if (reversed)
		other = isl_map_reverse(other);
	subset = isl_map_is_subset(map, other) == isl_bool_true;
	isl_map_free(other);
	return subset;
}

/* What is known of the relation by construction is true. */
static bool check_functions(const struct state *state, layout_chain *chain, unsigned v)
{
	layout_size sizes[NAMES];
	layout_relation *relation;
	bool good;

	name_sizes(state, v, sizes);
	relation = layout_relation_fix(layout_chain_relation(chain), sizes, NAMES);
	good = relation && agrees(relation->map, relation->forward, false) &&
		agrees(relation->map, relation->backward, true);
	layout_relation_free(relation);
	if (!good)
		print_error("the functions are not those of the relation\n");
	return good;
}

/* Prints back as what reads as the same text. */
static bool check_text(layout_context *ctx, layout_chain *chain)
{
	char *once = layout_chain_str(chain), *twice;
	layout_chain *again = once ? layout_chain_parse(ctx, once) : NULL;
	bool good;

	twice = layout_chain_str(again);
	good = twice && !strcmp(once, twice);
	if (!good)
		print_error("printed as %s\n", once ? once : "nothing");
	layout_string_free(once);
	layout_string_free(twice);
	layout_chain_free(again);
	return good;
}

/* Where the source's element "e" is in the result; -1: nowhere. */
static int64_t place_of(const struct state *state, unsigned v, int64_t e)
{
	const struct tensor *now = &state->now;
	int64_t count = count_elements(now->sizes, now->rank, v), i = 0;

	while (i < count && now->elements[v][i] != e)
		i++;
	return i < count ? i : -1;
}

/* The other side's element for an index of one side, by the body; -1: none. */
static bool run_body(const struct state *state, unsigned v, const char *body, bool load,
	int64_t at, int64_t *other)
{
	const struct tensor *now = &state->now;
	const struct size *from = load ? now->sizes : state->source;
	const struct size *to = load ? state->source : now->sizes;
	unsigned from_rank = load ? now->rank : state->source_rank;
	unsigned to_rank = load ? state->source_rank : now->rank;
	int64_t index[RANK], yields[MLIR_YIELDS];
	layout_size sizes[NAMES];
	bool there;

	delinear(from, from_rank, v, at, index);
	name_sizes(state, v, sizes);
	if (mlir_body_run(body, index, sizes, NAMES, yields) != (int)to_rank)
		return false;
	there = load || yields[to_rank];
	for (unsigned d = 0; there && d < to_rank; d++)
		there = yields[d] >= 0 && yields[d] < to[d].at[v];
	*other = there ? linear(to, to_rank, v, yields) : -1;
	return load || there || !yields[to_rank];
}

/* At some points of the side that the body has arguments of. */
static bool check_body(const struct state *state, unsigned v, const char *body, bool load)
{
	const struct tensor *now = &state->now;
	int64_t count = load ? count_elements(now->sizes, now->rank, v) :
		count_elements(state->source, state->source_rank, v);

	for (int64_t i = 0; now->elements[v] && i < count; i += 1 + count / POINTS) {
		int64_t other, wanted = load ? now->elements[v][i] :
			place_of(state, v, i);

		if (run_body(state, v, body, load, i, &other) && other == wanted)
			continue;
		print_error("element %" PRId64 "\n%s\n", i, body);
		return false;
	}
	return true;
}

/* An element has one place unless it is broadcast; a source of rank 0 has no index that
 * could be out of range. */
static bool check_mlir(layout_context *ctx, const struct state *state,
	layout_chain *chain)
{
	bool good = true;

	for (unsigned load = 0; good && load < 2; load++) {
		char *body = layout_chain_mlir(chain, load ? LAYOUT_MAP_LOAD :
			LAYOUT_MAP_STORE, "f32");

		good = body || (layout_context_error(ctx) == LAYOUT_ERROR_NO_ANSWER &&
			(load ? !state->source_rank : !!strstr(state->text, "broadcast")));
		if (!body && good)
			layout_context_clear(ctx);
		for (unsigned v = 0; body && good && v < VALUES; v++)
			good = check_body(state, v, body, load);
		layout_string_free(body);
	}
	return good;
}

static bool check(layout_context *ctx, const struct state *state)
{
	char text[TEXT + 16];
	layout_value *value = layout_value_parse(ctx, state->text), *padding;
	layout_chain *chain = layout_value_chain(value);
	bool good = chain && check_text(ctx, chain);

	snprintf(text, sizeof(text), "padding(%s)", state->text);
	padding = layout_value_parse(ctx, text);
	for (unsigned v = 0; good && v < VALUES; v++)
		good = padding && check_points(state, value, v, false) &&
			check_points(state, padding, v, true) &&
			check_shape(state, chain, v) &&
			check_functions(state, chain, v);
	good = good && check_mlir(ctx, state, chain);
	if (!good)
		print_error("%s\n", layout_context_error(ctx) ?
			layout_context_message(ctx) : "");
	layout_value_free(padding);
	layout_value_free(value);
	return good;
}

static void random_chains(void **unused)
{
	uint64_t seed = random_seed();
	unsigned wrong = 0;

	(void)unused;
	for (unsigned i = 0; i < CHAINS && wrong < 3; i++) {
		layout_context *ctx = layout_context_new();
		struct state state = { .seed = seed };

		start(&state);
		extend(&state);
		seed = state.seed;
		if (!check(ctx, &state)) {
			print_error("%s\n", state.text);
			wrong++;
		}
		release(&state.now);
		layout_context_free(ctx);
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_chains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
