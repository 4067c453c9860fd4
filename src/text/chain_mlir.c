/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chains as the body of IREE's map_store and map_load: affine and arith operations on the
 * indices, step by step, so that reshapes stay reshapes.
 *
 * Names of sizes are values outside of the body.  map_load pads where an index of the
 * source is out of range; where that is not all of the padding, the first index is
 * selected to be -1. */
#include "algebra/chain/step.h"
#include "algebra/storage/element.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "%12#3" */
struct value {
	char name[48];
};

/*	sizes		texts of the sizes that have a value, and its number
 *	constants	that have a value
 *	mask		what is known of the indices so far; "" for nothing
 *	loose		an index may be out of range, so nothing may rely on that */
struct emitter {
	layout_context *ctx;
	layout_chain *chain;
	struct layout_buffer out;
	unsigned next;
	unsigned size_count, constant_count;
	struct {
		const char *text;
		unsigned number;
	} sizes[CHAIN_STEPS];
	int64_t constants[CHAIN_STEPS];
	struct value mask;
	bool loose;
	bool failed;
};

static struct value numbered(unsigned number)
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

static struct value constant(struct emitter *emitter, int64_t number)
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
		value = numbered(emitter->next++);
	layout_buffer_printf(&emitter->out, "  %s = arith.constant %" PRId64 " : index\n",
		value.name, number);
	return value;
}

/* "%4 = affine.apply affine_map<()[s0] -> (s0 ceildiv 128)>()[%M]" */
static struct value compute_size(struct emitter *emitter, const struct chain_size *size)
{
	struct value value = numbered(emitter->next);
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
static struct value named_size(struct emitter *emitter, const struct chain_size *size)
{
	struct layout_buffer name = { 0 };
	struct value value;

	if (!layout_is_plain_name(size->text, strlen(size->text)))
		for (unsigned i = 0; i < emitter->size_count; i++)
			if (strcmp(emitter->sizes[i].text, size->text) == 0)
				return numbered(emitter->sizes[i].number);
	print_name(&name, size->text);
	if (!layout_is_plain_name(size->text, strlen(size->text)) || name.failed ||
	    name.length >= sizeof(value.name))
		value = compute_size(emitter, size);
	else
		memcpy(value.name, name.text, name.length + 1);
	free(name.text);
	return value;
}

static struct value size_value(struct emitter *emitter, const struct chain_size *size)
{
	return size->value >= 0 ? constant(emitter, size->value) :
		named_size(emitter, size);
}

/* As an entry of a basis: numbers as they are, but that there are no indices in 0 of them,
 * and MLIR takes none. */
static struct value size_entry(struct emitter *emitter, const struct chain_size *size)
{
	struct value value;

	if (size->value < 0)
		return named_size(emitter, size);
	snprintf(value.name, sizeof(value.name), "%" PRId64,
		size->value ? size->value : 1);
	return value;
}

/* The dimensions of a group that are not always 0, and the sizes of all but the first, or
 * of all of them: a basis. */
struct basis {
	unsigned count, first;
	unsigned dims[CHAIN_RANK];
	struct value sizes[CHAIN_RANK];
};

/* Where an index may be out of range, none may be taken to be below the first size. */
static void find_basis(struct emitter *emitter, const struct chain_size *sizes,
	unsigned count, struct basis *basis)
{
	*basis = (struct basis){ .first = emitter->loose };
	for (unsigned k = 0; k < count; k++) {
		if (sizes[k].value == 1)
			continue;
		if (basis->count >= basis->first)
			basis->sizes[basis->count] = size_entry(emitter, &sizes[k]);
		basis->dims[basis->count++] = k;
	}
}

/* "(128, %K)" */
static void print_basis(struct emitter *emitter, const struct basis *basis)
{
	layout_buffer_printf(&emitter->out, "(");
	for (unsigned k = basis->first; k < basis->count; k++)
		layout_buffer_printf(&emitter->out, "%s%s", k > basis->first ? ", " : "",
			basis->sizes[k].name);
	layout_buffer_printf(&emitter->out, ")");
}

/* One index of several. */
static struct value linearize(struct emitter *emitter, const struct value *indices,
	const struct chain_size *sizes, unsigned count)
{
	struct basis basis;
	struct value result;

	if (count == 1)
		return indices[0];
	find_basis(emitter, sizes, count, &basis);
	if (!basis.count)
		return constant(emitter, 0);
	if (basis.count == 1)
		return indices[basis.dims[0]];
	result = numbered(emitter->next++);
	layout_buffer_printf(&emitter->out, "  %s = affine.linearize_index %s[",
		result.name, emitter->loose ? "" : "disjoint ");
	for (unsigned k = 0; k < basis.count; k++)
		layout_buffer_printf(&emitter->out, "%s%s", k ? ", " : "",
			indices[basis.dims[k]].name);
	layout_buffer_printf(&emitter->out, "] by ");
	print_basis(emitter, &basis);
	layout_buffer_printf(&emitter->out, " : index\n");
	return result;
}

/* "%4:2 = affine.delinearize_index %i0 into (%0, 128) : index, index" */
static unsigned print_delinearize(struct emitter *emitter, struct value index,
	const struct basis *basis)
{
	layout_buffer_printf(&emitter->out, "  %%%u:%u = affine.delinearize_index %s into ",
		emitter->next, basis->count, index.name);
	print_basis(emitter, basis);
	layout_buffer_printf(&emitter->out, " : ");
	for (unsigned k = 0; k < basis->count; k++)
		layout_buffer_printf(&emitter->out, "%sindex", k ? ", " : "");
	layout_buffer_printf(&emitter->out, "\n");
	return emitter->next++;
}

/* Several indices of one. */
static void delinearize(struct emitter *emitter, struct value index,
	const struct chain_size *sizes, unsigned count, struct value *results)
{
	struct basis basis;
	unsigned number;

	results[0] = index;
	if (count == 1)
		return;
	find_basis(emitter, sizes, count, &basis);
	for (unsigned k = 0; basis.count < count && k < count; k++)
		results[k] = constant(emitter, 0);
	if (basis.count == 1)
		results[basis.dims[0]] = index;
	if (basis.count < 2)
		return;
	number = print_delinearize(emitter, index, &basis);
	for (unsigned k = 0; k < basis.count; k++)
		snprintf(results[basis.dims[k]].name, sizeof(results->name), "%%%u#%u",
			number, k);
}

/* factor * index + sign * size */
static struct value shift(struct emitter *emitter, struct value index, int64_t factor,
	int sign, const struct chain_size *size)
{
	struct value by, result;

	if (factor == 1 && size->value == 0)
		return index;
	by = size_entry(emitter, size);
	result = numbered(emitter->next++);
	layout_buffer_printf(&emitter->out, "  %s = affine.apply affine_map<(d0)%s -> (d0",
		result.name, size->value < 0 ? "[s0]" : "");
	if (factor != 1)
		layout_buffer_printf(&emitter->out, " * %" PRId64, factor);
	if (size->value != 0)
		layout_buffer_printf(&emitter->out, " %c %s", sign < 0 ? '-' : '+',
			size->value < 0 ? "s0" : by.name);
	layout_buffer_printf(&emitter->out, ")>(%s)", index.name);
	if (size->value < 0)
		layout_buffer_printf(&emitter->out, "[%s]", by.name);
	layout_buffer_printf(&emitter->out, "\n");
	return result;
}

/* "d0 floordiv 2", "d0 mod 2" */
static struct value divide(struct emitter *emitter, struct value index,
	const char *operation, int64_t by)
{
	struct value result = numbered(emitter->next++);

	layout_buffer_printf(&emitter->out, "  %s = affine.apply affine_map<(d0) -> "
		"(d0 %s %" PRId64 ")>(%s)\n", result.name, operation, by, index.name);
	return result;
}

/* The mask, and that the two compare so. */
static void require(struct emitter *emitter, const char *predicate, struct value a,
	struct value b)
{
	struct value holds = numbered(emitter->next++), both;

	layout_buffer_printf(&emitter->out, "  %s = arith.cmpi %s, %s, %s : index\n",
		holds.name, predicate, a.name, b.name);
	emitter->loose = true;
	if (!emitter->mask.name[0]) {
		emitter->mask = holds;
		return;
	}
	both = numbered(emitter->next++);
	layout_buffer_printf(&emitter->out, "  %s = arith.andi %s, %s : i1\n", both.name,
		emitter->mask.name, holds.name);
	emitter->mask = both;
}

static bool same_size(const struct chain_size *a, const struct chain_size *b)
{
	return strcmp(a->text, b->text) == 0;
}

/* The indices of a slice: those that it leaves out are masked. */
static void store_slice(struct emitter *emitter, const layout_chain *step,
	struct value *indices)
{
	unsigned j = 0;

	for (unsigned d = 0; d < step->before->rank; d++) {
		const struct chain_size *whole = &step->before->sizes[d];
		struct value index = indices[d], at;
		int64_t stride = step->strides[d];

		if (j == step->rank || step->dims[j] != d) {
			if (whole->value != 1) {
				at = size_value(emitter, &step->offsets[d]);
				require(emitter, "eq", index, at);
			}
			continue;
		}
		index = shift(emitter, index, 1, -1, &step->offsets[d]);
		if (stride != 1) {
			at = divide(emitter, index, "mod", stride);
			require(emitter, "eq", at, constant(emitter, 0));
			index = divide(emitter, index, "floordiv", stride);
		}
		if (stride != 1 || step->offsets[d].value != 0 ||
		    !same_size(whole, &step->sizes[j])) {
			at = size_value(emitter, &step->sizes[j]);
			require(emitter, "ult", index, at);
		}
		indices[j++] = index;
	}
}

/* From the index before a step to the one behind it. */
static bool store_step(struct emitter *emitter, const layout_chain *step,
	struct value *indices)
{
	struct value old[CHAIN_RANK];
	unsigned at = 0;

	memcpy(old, indices, sizeof(old));
	switch (step->kind) {
	case CHAIN_SOURCE:
		return true;
	case CHAIN_TRANSPOSE:
		for (unsigned j = 0; j < step->rank; j++)
			indices[j] = old[step->dims[j]];
		return true;
	case CHAIN_EXPAND:
		for (unsigned g = 0; g < step->group_count; at += step->groups[g++])
			delinearize(emitter, old[g], step->sizes + at, step->groups[g],
				indices + at);
		return true;
	case CHAIN_COLLAPSE:
		for (unsigned g = 0; g < step->group_count; at += step->groups[g++])
			indices[g] = linearize(emitter, old + at,
				step->before->sizes + at, step->groups[g]);
		return true;
	case CHAIN_SLICE:
		store_slice(emitter, step, indices);
		return true;
	case CHAIN_PAD:
		for (unsigned d = 0; d < step->rank; d++)
			indices[d] = shift(emitter, old[d], 1, 1, &step->offsets[d]);
		return true;
	case CHAIN_BROADCAST:
		break;
	}
	layout_fail(emitter->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
		"an element that is broadcast goes to several indices, and map_store has "
		"one; map_load does it");
	return false;
}

static bool store_steps(struct emitter *emitter, const layout_chain *chain,
	struct value *indices)
{
	return (!chain->before || store_steps(emitter, chain->before, indices)) &&
		store_step(emitter, chain, indices);
}

static void load_slice(struct emitter *emitter, const layout_chain *step,
	const struct value *old, struct value *indices)
{
	unsigned j = 0;

	for (unsigned d = 0; d < step->before->rank; d++) {
		bool kept = j < step->rank && step->dims[j] == d;

		indices[d] = kept ? shift(emitter, old[j], step->strides[d], 1,
			&step->offsets[d]) : size_value(emitter, &step->offsets[d]);
		j += kept;
	}
}

/* Where "masked", what is padding is noted; else the index is just out of range. */
static void load_pad(struct emitter *emitter, const layout_chain *step,
	struct value *indices, bool masked)
{
	for (unsigned d = 0; d < step->rank; d++) {
		const struct chain_size *before = &step->before->sizes[d];

		if (step->offsets[d].value == 0 && same_size(before, &step->sizes[d]))
			continue;
		indices[d] = shift(emitter, indices[d], 1, -1, &step->offsets[d]);
		emitter->loose = true;
		if (masked) {
			struct value size = size_value(emitter, before);

			require(emitter, "ult", indices[d], size);
		}
	}
}

/* From the index behind a step to the one before it. */
static void load_step(struct emitter *emitter, const layout_chain *step,
	struct value *indices, bool masked)
{
	struct value old[CHAIN_RANK];
	unsigned at = 0;

	memcpy(old, indices, sizeof(old));
	switch (step->kind) {
	case CHAIN_SOURCE:
		break;
	case CHAIN_TRANSPOSE:
		for (unsigned j = 0; j < step->rank; j++)
			indices[step->dims[j]] = old[j];
		break;
	case CHAIN_EXPAND:
		for (unsigned g = 0; g < step->group_count; at += step->groups[g++])
			indices[g] = linearize(emitter, old + at, step->sizes + at,
				step->groups[g]);
		break;
	case CHAIN_COLLAPSE:
		for (unsigned g = 0; g < step->group_count; at += step->groups[g++])
			delinearize(emitter, old[g], step->before->sizes + at,
				step->groups[g], indices + at);
		for (; at < step->before->rank; at++)
			indices[at] = constant(emitter, 0);
		break;
	case CHAIN_SLICE:
		load_slice(emitter, step, old, indices);
		break;
	case CHAIN_PAD:
		load_pad(emitter, step, indices, masked);
		break;
	case CHAIN_BROADCAST:
		for (unsigned i = 0; i < step->before->rank; i++)
			indices[i] = old[step->dims[i]];
		break;
	}
}

/* "f32"; MLIR's unsigned types are none that arithmetic takes. */
static void print_type(struct layout_buffer *out, const struct element_type *type)
{
	layout_buffer_printf(out, "%s%s", type->kind == 'u' ? "i" : "",
		type->name + (type->kind == 'u'));
}

/* "tensor<?x128xf32>" */
static void print_tensor(struct layout_buffer *out, const layout_chain *step,
	const struct element_type *type)
{
	layout_buffer_printf(out, "tensor<");
	for (unsigned d = 0; d < step->rank; d++)
		if (step->sizes[d].value < 0)
			layout_buffer_printf(out, "?x");
		else
			layout_buffer_printf(out, "%" PRId64 "x", step->sizes[d].value);
	print_type(out, type);
	layout_buffer_printf(out, ">");
}

/* "1.0", "-2.5e3" as MLIR has them, or the bits of what it has no decimal for. */
static void print_float(struct layout_buffer *out, const char *text, uint64_t bits,
	unsigned width)
{
	static const char digits[] = "0123456789";
	size_t sign = *text == '-', whole = strspn(text + sign, digits), point, fraction;
	const char *rest = text + sign + whole;

	point = *rest == '.';
	fraction = point ? strspn(rest + 1, digits) : 0;
	rest += point + fraction;
	if (!whole || (*rest && *rest != 'e' && *rest != 'E')) {
		layout_buffer_printf(out, "0x%0*" PRIX64, (int)(width + 3) / 4, bits);
		return;
	}
	layout_buffer_append(out, text, (size_t)(rest - text));
	layout_buffer_printf(out, "%s%s", point ? "" : ".0", rest);
}

/* "%padding = arith.constant 0.0 : f32"; a poison where nothing is padded. */
static bool print_padding(struct emitter *emitter, const struct element_type *type)
{
	const char *text = emitter->chain->pad_value;
	const layout_chain *step = emitter->chain;
	struct layout_buffer *out = &emitter->out;
	uint64_t bits = 0;

	while (step && step->kind != CHAIN_PAD)
		step = step->before;
	if (!text)
		text = "0";
	if (step && !element_type_bits(emitter->ctx, type, text, &bits))
		return false;
	layout_buffer_printf(out, "  %%padding = %s", step ? "arith.constant " :
		"ub.poison");
	if (step && (type->kind == 'f' || type->kind == 'e'))
		print_float(out, text, bits, type->bits);
	else if (step)
		layout_buffer_printf(out, "%s", text);
	layout_buffer_printf(out, " : ");
	print_type(out, type);
	layout_buffer_printf(out, "\n");
	return true;
}

/* "^bb0(%i0: index, %i1: index):" */
static void begin_body(struct emitter *emitter, const char *operation, unsigned rank,
	struct value *indices)
{
	layout_buffer_printf(&emitter->out, "%%result = iree_linalg_ext.%s %%source into "
		"%%destination {\n^bb0(", operation);
	for (unsigned i = 0; i < rank; i++) {
		snprintf(indices[i].name, sizeof(indices[i].name), "%%i%u", i);
		layout_buffer_printf(&emitter->out, "%s%s: index", i ? ", " : "",
			indices[i].name);
	}
	layout_buffer_printf(&emitter->out, "):\n");
}

static void end_body(struct emitter *emitter, const struct value *indices, unsigned rank,
	const char *last, const char *last_type, const struct element_type *type)
{
	struct layout_buffer *out = &emitter->out;
	const layout_chain *first = emitter->chain;

	while (first->before)
		first = first->before;
	layout_buffer_printf(out, "  iree_linalg_ext.yield ");
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(out, "%s, ", indices[i].name);
	layout_buffer_printf(out, "%s : ", last);
	for (unsigned i = 0; i < rank; i++)
		layout_buffer_printf(out, "index, ");
	if (last_type)
		layout_buffer_printf(out, "%s", last_type);
	else
		print_type(out, type);
	layout_buffer_printf(out, "\n} : ");
	print_tensor(out, first, type);
	layout_buffer_printf(out, " into ");
	print_tensor(out, emitter->chain, type);
	layout_buffer_printf(out, " -> ");
	print_tensor(out, emitter->chain, type);
}

static bool emit_store(struct emitter *emitter, const struct element_type *type)
{
	struct value indices[CHAIN_RANK];

	begin_body(emitter, "map_store", layout_storage_rank(emitter->chain->source),
		indices);
	if (!store_steps(emitter, emitter->chain, indices))
		return false;
	if (!emitter->mask.name[0]) {
		layout_buffer_printf(&emitter->out, "  %%true = arith.constant true\n");
		strcpy(emitter->mask.name, "%true");
	}
	end_body(emitter, indices, emitter->chain->rank, emitter->mask.name, "i1", type);
	return true;
}

/* An index that is out of range where the mask does not hold. */
static bool select_index(struct emitter *emitter, struct value *index, unsigned rank)
{
	struct value outside, result;

	if (!emitter->mask.name[0])
		return true;
	if (!rank) {
		layout_fail(emitter->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"map_load pads where an index of the source is out of range, and a "
			"tensor of rank 0 has no index");
		return false;
	}
	outside = constant(emitter, -1);
	result = numbered(emitter->next++);
	layout_buffer_printf(&emitter->out, "  %s = arith.select %s, %s, %s : index\n",
		result.name, emitter->mask.name, index->name, outside.name);
	*index = result;
	return true;
}

static bool emit_load(struct emitter *emitter, const struct element_type *type,
	bool masked)
{
	unsigned rank = layout_storage_rank(emitter->chain->source);
	struct value indices[CHAIN_RANK];

	begin_body(emitter, "map_load", emitter->chain->rank, indices);
	for (const layout_chain *step = emitter->chain; step; step = step->before)
		load_step(emitter, step, indices, masked);
	if (!select_index(emitter, indices, rank) || !print_padding(emitter, type))
		return false;
	end_body(emitter, indices, rank, "%padding", NULL, type);
	return true;
}

char *layout_chain_mlir(layout_chain *chain, layout_map_direction direction,
	const char *type)
{
	const struct element_type *element;
	layout_answer by_range = LAYOUT_YES;
	struct emitter *emitter;
	char *text = NULL;
	bool good;

	if (!chain || !layout_given(chain->ctx, type, "element type"))
		return NULL;
	element = element_type_find(chain->ctx, type);
	if (element && direction == LAYOUT_MAP_LOAD)
		by_range = chain_pads_by_range(chain);
	if (!element || by_range == LAYOUT_UNKNOWN)
		return NULL;
	emitter = layout_alloc(chain->ctx, 1, sizeof(*emitter));
	if (!emitter)
		return NULL;
	emitter->ctx = chain->ctx;
	emitter->chain = chain;
	good = direction == LAYOUT_MAP_LOAD ?
		emit_load(emitter, element, by_range == LAYOUT_NO) :
		emit_store(emitter, element);
	if (good && !emitter->failed)
		text = layout_buffer_take(chain->ctx, &emitter->out);
	else
		free(emitter->out.text);
	free(emitter);
	return text;
}
