/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Matrix instructions: gathered by the layouts of their registers, multiplied, given
 * back.
 *
 * Products are exact but for scales; f32 and f16 sums are f32, f64 and i32 sums their own, in the
 * order of k.  The hardware's order and its handling of subnormals may differ. */
#include "amdgpu/code/sim/operations.h"
#include "sim/number.h"

#include <layout/mma.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NOWHERE UINT32_MAX

/* Operands of an instruction whose formats and scales are among them. */
enum { FORMATS = 3, SCALES = 6, NEXT_SCALE = 2, OPERANDS = LAYOUT_MMA_RHS_SCALE + 1,
	SCALE_BLOCK = 32 };

/* Where an operand's elements lie: lhs, rhs and their scales by the cell of their matrix,
 * the accumulator's cells by lane and element.  Twins are pairs of places of one cell, as gfx11
 * has them: which of them its chips read is not ours to know. */
struct place {
	const struct number_type *type;
	unsigned elements;
	uint32_t *at, *twins;
	uint32_t count, twin_count;
};

struct matrix {
	layout_mma_shape shape;
	struct place place[OPERANDS];
	double *values[2];
	bool has_scales;	/* lhs and rhs have, where a site's are not 0 */
};

static void free_matrix(void *memory)
{
	struct matrix *matrix = memory;

	if (!matrix)
		return;
	for (unsigned i = 0; i < OPERANDS; i++) {
		free(matrix->place[i].at);
		free(matrix->place[i].twins);
	}
	free(matrix->values[0]);
	free(matrix->values[1]);
	free(matrix);
}

static bool has_formats(const struct sim_site *site)
{
	return strstr(site->row->name, ".f8f6f4");
}

/* The type that the lhs or rhs is said to have; NULL: none. */
static const char *format_of(const struct sim_wave *wave, unsigned which)
{
	static const char *const formats[] = { "f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN",
		"f4E2M1FN" };
	uint32_t format = sim_u32(wave->site, wave->lanes[0].block, FORMATS + which);

	return format < sizeof(formats) / sizeof(*formats) ? formats[format] : NULL;
}

/* The name of the instruction: "v_mfma_f32_16x16x4f32" for the intrinsic
 * "llvm.amdgcn.mfma.f32.16x16x4f32", or what the row says; behind it formats, "_f8_f6". */
static bool find_name(const struct sim_wave *wave, char *text, size_t size)
{
	const struct sim_site *site = wave->site;
	int length = snprintf(text, size, "v_%s", site->row->text ? site->row->text :
		site->row->name + strlen(amdgpu_isa.prefix));

	for (unsigned i = 0; has_formats(site) && i < 2; i++) {
		const char *format = format_of(wave, i);

		if (!format)
			return false;
		length += snprintf(text + length, size - (size_t)length, "_%.2s", format);
	}
	return true;
}

static layout_mma *find_layout(const struct sim_wave *wave, layout_mma_operand operand)
{
	struct sim_group *group = wave->group;
	const char *target = group->launch->target ? group->launch->target->name : NULL;
	struct layout_caught caught = { 0 }, *outer;
	layout_mma *mma;
	char text[96];

	if (!find_name(wave, text, sizeof(text)))
		return NULL;
	for (char *c = text; *c; c++)
		if (*c == '.')
			*c = '_';
	outer = layout_context_catch(group->ctx, &caught);
	mma = layout_mma_find(group->ctx, text, operand, target);
	layout_context_catch(group->ctx, outer);
	free(caught.message);
	return mma;
}

static bool is_scale(layout_mma_operand operand)
{
	return operand == LAYOUT_MMA_LHS_SCALE || operand == LAYOUT_MMA_RHS_SCALE;
}

static bool is_left(layout_mma_operand operand)
{
	return operand == LAYOUT_MMA_LHS || operand == LAYOUT_MMA_LHS_SCALE;
}

/* How many numbers a row of the lhs, a column of the rhs or their scales have. */
static unsigned depth_of(const layout_mma_shape *shape, layout_mma_operand operand)
{
	return is_scale(operand) ? shape->k / SCALE_BLOCK : shape->k;
}

static uint32_t cell_of(const layout_mma_shape *shape, layout_mma_operand operand,
	const int64_t image[3], unsigned rank)
{
	const int64_t *at = rank == 3 ? image + 1 : image;
	unsigned rows = is_left(operand) || operand == LAYOUT_MMA_ACC ? shape->m :
		depth_of(shape, operand);
	unsigned columns = is_left(operand) ? depth_of(shape, operand) : shape->n;
	int64_t block = rank == 3 ? image[0] : 0;

	return (uint32_t)((block * rows + at[0]) * columns + at[1]);
}

/* The elements that an operand's registers have room for: twice what is held where
 * only one half of each is used. */
static unsigned count_elements(layout_mma *mma, layout_mma_operand operand)
{
	bool half = operand == LAYOUT_MMA_ACC && layout_mma_has(mma, LAYOUT_MMA_ACC_HI);

	return layout_mma_elements(mma) * (half ? 2 : 1);
}

/* Element i of the registers is a cell; where that is in another place, too, both are twins. */
static void add_place(struct place *place, uint32_t cell, uint32_t i)
{
	if (place->at[cell] != NOWHERE) {
		place->twins[place->twin_count++] = place->at[cell];
		place->twins[place->twin_count++] = i;
	}
	place->at[cell] = i;
}

static bool fill_place(const struct sim_wave *wave, struct matrix *matrix,
	layout_mma *mma, layout_mma_operand operand)
{
	const layout_mma_shape *shape = &matrix->shape;
	struct place *place = &matrix->place[operand];
	bool formats = has_formats(wave->site) && operand <= LAYOUT_MMA_RHS;
	unsigned lanes = layout_mma_lanes(mma), elements = count_elements(mma, operand);

	place->type = number_find(formats ? format_of(wave, operand) : layout_mma_type(mma));
	place->elements = elements;
	place->count = operand == LAYOUT_MMA_ACC ? lanes * elements : shape->blocks *
		depth_of(shape, operand) * (is_left(operand) ? shape->m : shape->n);
	place->at = layout_alloc(wave->group->ctx, place->count, sizeof(*place->at));
	place->twins = layout_alloc(wave->group->ctx, 2 * (size_t)lanes * elements,
		sizeof(*place->twins));
	if (!place->at || !place->twins || (!place->type && !is_scale(operand)) ||
	    lanes != wave->group->wave_size)
		return false;
	memset(place->at, 0xff, place->count * sizeof(*place->at));
	for (unsigned i = 0; i < lanes * elements; i++) {
		int64_t image[3];
		unsigned rank = layout_mma_apply(mma, i / elements, i % elements, image);
		uint32_t cell = rank ? cell_of(shape, operand, image, rank) : NOWHERE;

		if (operand == LAYOUT_MMA_ACC)
			place->at[i] = cell;
		else if (rank)
			add_place(place, cell, i);
	}
	return true;
}

static bool fill_matrix(const struct sim_wave *wave, struct matrix *matrix)
{
	unsigned count = has_formats(wave->site) ? OPERANDS : LAYOUT_MMA_ACC + 1;

	for (layout_mma_operand i = LAYOUT_MMA_LHS; i < count; i++) {
		layout_mma *mma = find_layout(wave, i);
		bool ok;

		if (!mma)
			return false;
		matrix->shape = layout_mma_get_shape(mma);
		ok = fill_place(wave, matrix, mma, i);
		layout_mma_free(mma);
		if (!ok)
			return false;
	}
	for (unsigned i = 0; i < 2; i++) {
		matrix->values[i] = layout_alloc(wave->group->ctx, matrix->place[i].count,
			sizeof(double));
		if (!matrix->values[i])
			return false;
	}
	return true;
}

/* The site's layouts, found at its first execution. */
static struct matrix *find_matrix(struct sim_wave *wave)
{
	struct sim_group *group = wave->group;
	struct sim_kept *kept = sim_keep(group, wave->site);
	struct matrix *matrix = kept->memory;

	if (matrix)
		return matrix;
	matrix = layout_alloc(group->ctx, 1, sizeof(*matrix));
	if (matrix && fill_matrix(wave, matrix)) {
		*kept = (struct sim_kept){ matrix, free_matrix };
		return matrix;
	}
	free_matrix(matrix);
	sim_fault(&wave->lanes[0], "the simulator does not execute %s on this target",
		wave->site->row->name);
	return NULL;
}

/* Does a flag precede each factor? */
static bool has_flags(const struct sim_site *site)
{
	return site->size[0] == 1;
}

/* lhs, rhs and accumulator among the operands, some of which are flags. */
static void find_operands(const struct sim_site *site, unsigned operands[3])
{
	bool flags = has_flags(site);

	operands[0] = flags ? 1 : 0;
	operands[1] = flags ? 3 : 1;
	operands[2] = flags ? 4 : 2;
	if (site->size[operands[2]] != site->result_size)
		operands[2]++;
}

/* Is the operand a format or a scale? */
static bool is_told(const struct sim_site *site, unsigned operand)
{
	return has_formats(site) && (operand == FORMATS || operand == FORMATS + 1 ||
		operand == SCALES || operand == SCALES + NEXT_SCALE);
}

/* Flags are what no one has set; but for integers the first two tell the signs. */
static bool check_flags(struct sim_wave *wave, const struct matrix *matrix,
	const unsigned operands[3])
{
	const struct sim_site *site = wave->site;
	bool signs = has_flags(site) && !matrix->place[0].type->exponent;

	for (unsigned i = 0; i < site->operand_count; i++) {
		if (i == operands[0] || i == operands[1] || i == operands[2] ||
		    (signs && i < 3) || is_told(site, i) || !sim_u32(site, wave->lanes[0].block, i))
			continue;
		sim_fault(&wave->lanes[0], "the simulator does not execute %s with its "
			"operand %u", site->row->name, i);
		return false;
	}
	return true;
}

static uint64_t element_bits(const struct sim_wave *wave, const struct place *place,
	unsigned operand, uint32_t at)
{
	unsigned size = place->type->bits, bit = at % place->elements * size;
	unsigned char *block = wave->lanes[at / place->elements].block;
	unsigned char *from = sim_operand(wave->site, block, operand);
	uint64_t bits = 0;

	memcpy(&bits, from + bit / 8, (bit % 8 + size + 7) / 8);
	return bits >> bit % 8;
}

static void check_twins(struct sim_wave *wave, const struct place *place, unsigned operand)
{
	for (uint32_t i = 0; i < place->twin_count; i += 2) {
		const uint32_t *at = &place->twins[i];

		if (element_bits(wave, place, operand, at[0]) ==
		    element_bits(wave, place, operand, at[1]))
			continue;
		sim_fault(&wave->lanes[at[1] / place->elements], "element %u of %s is another one "
			"in lane %u", at[1] % place->elements, wave->site->row->name,
			at[0] / place->elements);
		return;
	}
}

static void gather(struct sim_wave *wave, struct matrix *matrix, unsigned which,
	unsigned operand)
{
	const struct place *place = &matrix->place[which];
	bool is_signed = !has_flags(wave->site) ||
		sim_u32(wave->site, wave->lanes[0].block, operand - 1) & 1;

	check_twins(wave, place, operand);
	for (uint32_t i = 0; i < place->count; i++)
		matrix->values[which][i] = number_decode(place->type,
			element_bits(wave, place, operand, place->at[i]), is_signed);
}

/* What all lanes have as a scale's operand is 0: there are none. */
static bool find_scales(const struct sim_wave *wave)
{
	for (unsigned i = 0; has_formats(wave->site) && i < wave->size; i++)
		for (unsigned which = 0; which < 2; which++)
			if (sim_u32(wave->site, wave->lanes[i].block,
			    SCALES + which * NEXT_SCALE))
				return true;
	return false;
}

/* The power of 2 that a byte stands for. */
static double scale_of(uint32_t byte)
{
	return byte == 0xff ? NAN : ldexp(1, (int)byte - 127);
}

/* Each scale is of the elements that follow each other along K. */
static void apply_scales(const struct sim_wave *wave, struct matrix *matrix, unsigned which)
{
	const layout_mma_shape *shape = &matrix->shape;
	const struct place *scales = &matrix->place[LAYOUT_MMA_LHS_SCALE + which];
	unsigned k = shape->k, blocks = k / SCALE_BLOCK;

	for (uint32_t i = 0; i < matrix->place[which].count; i++) {
		uint32_t cell = which ? i / shape->n / SCALE_BLOCK * shape->n + i % shape->n :
			i / k * blocks + i % k / SCALE_BLOCK;
		unsigned char *block = wave->lanes[scales->at[cell]].block;

		matrix->values[which][i] *= scale_of(sim_u32(wave->site, block,
			SCALES + which * NEXT_SCALE) & 0xff);
	}
}

/* One more product on a sum, in the arithmetic of the accumulator; scaled, it is rounded
 * before. */
static double add_product(const struct matrix *matrix, double a, double b, double sum)
{
	const struct number_type *type = matrix->place[LAYOUT_MMA_ACC].type;

	if (matrix->has_scales)
		return (float)(a * b) + (float)sum;
	if (!type->exponent)
		return (int32_t)((uint32_t)(int32_t)sum +
			(uint32_t)(int32_t)a * (uint32_t)(int32_t)b);
	if (type->bits == 64)
		return fma(a, b, sum);
	return fmaf((float)a, (float)b, (float)sum);
}

/* One cell of the result from one of the accumulator. */
static double multiply(const struct matrix *matrix, uint32_t cell, double sum)
{
	const layout_mma_shape *shape = &matrix->shape;
	uint32_t column = cell % shape->n, row = cell / shape->n;
	const double *a = matrix->values[0] + (size_t)row * shape->k;
	const double *b = matrix->values[1] +
		(size_t)(row / shape->m) * shape->k * shape->n + column;

	for (unsigned k = 0; k < shape->k; k++)
		sum = add_product(matrix, a[k], b[k * shape->n], sum);
	return sum;
}

static void scatter(struct sim_wave *wave, const struct matrix *matrix,
	unsigned operand)
{
	const struct place *place = &matrix->place[2];
	const struct number_type *type = place->type;
	const struct sim_site *site = wave->site;

	for (unsigned i = 0; i < wave->size; i++)
		sim_result(site, wave->lanes[i].block,
			sim_operand(site, wave->lanes[i].block, operand));
	for (uint32_t i = 0; i < place->count; i++) {
		unsigned char *result = wave->lanes[i / place->elements].block +
			site->result_offset + i % place->elements * (type->bits / 8);
		double value;
		uint64_t bits;

		if (place->at[i] == NOWHERE)
			continue;
		value = number_decode(type, element_bits(wave, place, operand, i), true);
		value = multiply(matrix, place->at[i], value);
		bits = type->exponent ? number_encode(type, value) :
			(uint32_t)(int32_t)value;
		memcpy(result, &bits, type->bits / 8);
	}
}

void amdgpu_multiply_matrices(struct sim_wave *wave)
{
	struct matrix *matrix = sim_check_lanes(wave, "a matrix instruction") ? find_matrix(wave) : NULL;
	unsigned operands[3];

	if (!matrix)
		return;
	find_operands(wave->site, operands);
	if (!check_flags(wave, matrix, operands))
		return;
	gather(wave, matrix, 0, operands[0]);
	gather(wave, matrix, 1, operands[1]);
	matrix->has_scales = find_scales(wave);
	for (unsigned i = 0; matrix->has_scales && i < 2; i++)
		apply_scales(wave, matrix, i);
	scatter(wave, matrix, operands[2]);
}
