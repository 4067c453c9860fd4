/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Matrix instructions: gathered by the layouts of their registers, multiplied, given back.
 *
 * Products are exact; f32 and f16 sums are f32, f64 and i32 sums their own, in the order of
 * k.  The hardware's order may differ. */
#include "nvptx/code/sim/operations.h"
#include "sim/number.h"

#include <layout/mma.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_CELLS = 16 * 32, MOST_BYTES = 128 };

struct matrix {
	const struct number_type *type;
	bool is_signed;
	unsigned elements, columns;
	double cells[MOST_CELLS];
};

/* What a site keeps: lhs, rhs, acc; where element e of lane l is a cell of its matrix. */
struct product {
	unsigned m, n, k;
	struct matrix matrix[3];
	uint16_t cell[3][32 * 16];
};

static bool fill(struct sim_group *group, const struct sim_site *site,
	struct product *product, layout_mma_operand operand)
{
	struct matrix *matrix = &product->matrix[operand];
	layout_mma *mma = layout_mma_find(group->ctx, site->row->text, operand,
		group->launch->target ? group->launch->target->name : NULL);
	layout_mma_shape shape;
	int64_t at[3];

	if (!mma)
		return false;
	shape = layout_mma_get_shape(mma);
	product->m = shape.m;
	product->n = shape.n;
	product->k = shape.k;
	matrix->is_signed = layout_mma_type(mma)[0] != 'u';
	matrix->type = number_find(matrix->is_signed ? layout_mma_type(mma) : "i8");
	matrix->elements = layout_mma_elements(mma);
	matrix->columns = operand == LAYOUT_MMA_LHS ? shape.k : shape.n;
	for (unsigned i = 0; i < 32 * matrix->elements; i++) {
		layout_mma_apply(mma, i / matrix->elements, i % matrix->elements, at);
		product->cell[operand][i] = (uint16_t)(at[0] * matrix->columns + at[1]);
	}
	layout_mma_free(mma);
	return matrix->type;
}

/* The site's layouts, found at its first execution. */
static struct product *find_product(struct sim_wave *wave)
{
	struct sim_kept *kept = sim_keep(wave->group, wave->site);
	struct product *product = kept->memory;

	if (product)
		return product;
	product = layout_alloc(wave->group->ctx, 1, sizeof(*product));
	if (product && fill(wave->group, wave->site, product, LAYOUT_MMA_LHS) &&
	    fill(wave->group, wave->site, product, LAYOUT_MMA_RHS) &&
	    fill(wave->group, wave->site, product, LAYOUT_MMA_ACC)) {
		*kept = (struct sim_kept){ product, free };
		return product;
	}
	free(product);
	sim_fault(&wave->lanes[0], "the simulator does not execute %s on this target",
		wave->site->row->name);
	return NULL;
}

/* A lane's registers of a matrix, from operand "first" on, one after the other; how many. */
static unsigned gather_lane(const struct sim_wave *wave, unsigned lane, unsigned first,
	const struct matrix *matrix, unsigned char *bytes)
{
	const struct sim_site *site = wave->site;
	unsigned wanted = matrix->elements * matrix->type->bits / 8, at = 0, i = first;

	for (; at < wanted && i < site->operand_count; at += site->size[i++])
		memcpy(bytes + at, sim_operand(site, wave->lanes[lane].block, i),
			site->size[i]);
	return i - first;
}

/* All lanes' registers of a matrix as its cells; how many operands they are. */
static unsigned gather(const struct sim_wave *wave, struct product *product, unsigned which,
	unsigned first)
{
	struct matrix *matrix = &product->matrix[which];
	unsigned size = matrix->type->bits / 8, count = 0;
	unsigned char bytes[MOST_BYTES];

	for (unsigned lane = 0; lane < wave->size; lane++) {
		count = gather_lane(wave, lane, first, matrix, bytes);
		for (unsigned e = 0; e < matrix->elements; e++) {
			uint64_t bits = 0;

			memcpy(&bits, bytes + e * size, size);
			matrix->cells[product->cell[which][lane * matrix->elements + e]] =
				number_decode(matrix->type, bits, matrix->is_signed);
		}
	}
	return count;
}

/* One more product on a sum, in the arithmetic of the accumulator. */
static double add_product(const struct number_type *type, double a, double b, double sum)
{
	if (!type->exponent)
		return (int32_t)((uint32_t)(int32_t)sum +
			(uint32_t)(int32_t)a * (uint32_t)(int32_t)b);
	if (type->bits == 64)
		return fma(a, b, sum);
	return fmaf((float)a, (float)b, (float)sum);
}

static void multiply(struct product *product)
{
	const double *a = product->matrix[0].cells, *b = product->matrix[1].cells;
	double *sums = product->matrix[2].cells;

	for (unsigned i = 0; i < product->m; i++)
		for (unsigned j = 0; j < product->n; j++)
			for (unsigned k = 0; k < product->k; k++)
				sums[i * product->n + j] = add_product(
					product->matrix[2].type, a[i * product->k + k],
					b[k * product->n + j], sums[i * product->n + j]);
}

static void scatter(const struct sim_wave *wave, const struct product *product)
{
	const struct matrix *sum = &product->matrix[2];
	unsigned size = sum->type->bits / 8;
	unsigned char bytes[MOST_BYTES];

	for (unsigned lane = 0; lane < wave->size; lane++) {
		for (unsigned e = 0; e < sum->elements; e++) {
			double value = sum->cells[product->cell[2][lane * sum->elements + e]];
			uint64_t bits = sum->type->exponent ? number_encode(sum->type, value) :
				(uint32_t)(int32_t)value;

			memcpy(bytes + e * size, &bits, size);
		}
		sim_result(wave->site, wave->lanes[lane].block, bytes);
	}
}

void nvptx_multiply_matrices(struct sim_wave *wave)
{
	struct product *product = sim_check_lanes(wave, "a matrix instruction") ? find_product(wave) : NULL;
	unsigned at = 0;

	for (unsigned which = 0; product && which < 3; which++)
		at += gather(wave, product, which, at);
	if (!product)
		return;
	multiply(product);
	scatter(wave, product);
}
