/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations of MLIR on indices, and what is required of them. */
#include "text/chain/mlir.h"

#include <inttypes.h>
#include <stdio.h>

/* The dimensions of a group that are not always 0, and the sizes of all but the first, or
 * of all of them: a basis. */
struct basis {
	unsigned count, first;
	unsigned dims[CHAIN_RANK];
	struct value sizes[CHAIN_RANK];
};

/* Where an index may be out of range, none may be taken to be below the first size. */
static void find_basis(struct emitter *emitter, const struct size *sizes,
	unsigned count, struct basis *basis)
{
	*basis = (struct basis){ .first = emitter->loose };
	for (unsigned k = 0; k < count; k++) {
		if (sizes[k].value == 1)
			continue;
		if (basis->count >= basis->first)
			basis->sizes[basis->count] = mlir_size_entry(emitter, &sizes[k]);
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

struct value mlir_linearize(struct emitter *emitter, const struct value *indices,
	const struct size *sizes, unsigned count)
{
	struct basis basis;
	struct value result;

	if (count == 1)
		return indices[0];
	find_basis(emitter, sizes, count, &basis);
	if (!basis.count)
		return mlir_constant(emitter, 0);
	if (basis.count == 1)
		return indices[basis.dims[0]];
	result = mlir_numbered(emitter->next++);
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

void mlir_delinearize(struct emitter *emitter, struct value index,
	const struct size *sizes, unsigned count, struct value *results)
{
	struct basis basis;
	unsigned number;

	results[0] = index;
	if (count == 1)
		return;
	find_basis(emitter, sizes, count, &basis);
	for (unsigned k = 0; basis.count < count && k < count; k++)
		results[k] = mlir_constant(emitter, 0);
	if (basis.count == 1)
		results[basis.dims[0]] = index;
	if (basis.count < 2)
		return;
	number = print_delinearize(emitter, index, &basis);
	for (unsigned k = 0; k < basis.count; k++)
		snprintf(results[basis.dims[k]].name, sizeof(results->name), "%%%u#%u",
			number, k);
}

struct value mlir_shift(struct emitter *emitter, struct value index, int64_t factor,
	int sign, const struct size *size)
{
	struct value by, result;

	if (factor == 1 && size->value == 0)
		return index;
	by = mlir_size_entry(emitter, size);
	result = mlir_numbered(emitter->next++);
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

struct value mlir_divide(struct emitter *emitter, struct value index,
	const char *operation, int64_t by)
{
	struct value result = mlir_numbered(emitter->next++);

	layout_buffer_printf(&emitter->out, "  %s = affine.apply affine_map<(d0) -> "
		"(d0 %s %" PRId64 ")>(%s)\n", result.name, operation, by, index.name);
	return result;
}

void mlir_require(struct emitter *emitter, const char *predicate, struct value a,
	struct value b)
{
	struct value holds = mlir_numbered(emitter->next++), both;

	layout_buffer_printf(&emitter->out, "  %s = arith.cmpi %s, %s, %s : index\n",
		holds.name, predicate, a.name, b.name);
	emitter->loose = true;
	if (!emitter->mask.name[0]) {
		emitter->mask = holds;
		return;
	}
	both = mlir_numbered(emitter->next++);
	layout_buffer_printf(&emitter->out, "  %s = arith.andi %s, %s : i1\n", both.name,
		emitter->mask.name, holds.name);
	emitter->mask = both;
}
