/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which matrix instruction computes a contraction. */
#include "program/product.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Letters by which of x, y and the sum have them. */
enum { OF_X = 1 << PRODUCT_X, OF_Y = 1 << PRODUCT_Y, OF_SUM = 1 << PRODUCT_SUM,
	FREE_X = OF_X | OF_SUM, FREE_Y = OF_Y | OF_SUM, SUMMED = OF_X | OF_Y };

static const char vector_units[] = "valu";

enum { MOST_NAMED = 3 };

bool product_is_declined(const layout_tile *contract)
{
	return contract->by && !strcmp(contract->by, vector_units);
}

void product_free(struct product *product)
{
	if (!product)
		return;
	for (unsigned i = 0; i < PRODUCT_OPERANDS; i++)
		free(product->images[i]);
	for (unsigned i = 0; i < 2; i++) {
		free(product->block[i]);
		free(product->first[i]);
	}
	free(product->base);
	free(product);
}

static const layout_tile *operand_of(const layout_tile *contract, unsigned which)
{
	return contract->operands[which == PRODUCT_SUM ? 0 : which + 1];
}

static unsigned roles_of(const layout_tile *contract, unsigned letter)
{
	unsigned roles = 0;

	for (unsigned i = 0; i < 3; i++)
		for (unsigned d = 0; d < operand_of(contract, i)->rank; d++)
			roles |= contract->maps[i][d] == letter ? 1u << i : 0;
	return roles;
}

/* Every letter is of two tiles at least. */
static bool has_products(const layout_tile *contract)
{
	for (unsigned i = 0; i < 3; i++)
		if (operand_of(contract, i)->rank > OWNER_RANK)
			return false;
	for (unsigned n = 0; n < contract->letter_count; n++) {
		unsigned roles = roles_of(contract, n);

		if (contract->letters[n] > 1 && !(roles & (roles - 1)))
			return false;
	}
	return true;
}

static bool is_number(const struct element_type *type, char kind, unsigned bits)
{
	return type->kind == kind && type->bits == bits;
}

/* Does an instruction's type hold a tile's elements? */
static bool holds(const char *has, const struct element_type *type)
{
	if (!strcmp(has, "i32"))
		return is_number(type, 'i', 32);
	if (!strcmp(has, "i8"))
		return is_number(type, 'i', 8);
	if (!strcmp(has, "iu8"))
		return is_number(type, 'i', 8) || is_number(type, 'u', 8);
	if (!strcmp(has, "f8"))
		return !strcmp(type->name, "f8E4M3FN") || !strcmp(type->name, "f8E5M2");
	if (!strcmp(has, "f6") || !strcmp(has, "f4"))
		return is_number(type, 'f', (unsigned)(has[1] - '0'));
	return !strcmp(has, type->name);
}

/* What is x's, y's or the sum as an operand of the instruction. */
static layout_mma_operand mma_operand(unsigned which, bool swapped)
{
	if (which >= PRODUCT_X_SCALES)
		return (which == PRODUCT_X_SCALES) != swapped ? LAYOUT_MMA_LHS_SCALE :
			LAYOUT_MMA_RHS_SCALE;
	return which == PRODUCT_SUM ? LAYOUT_MMA_ACC :
		(which == PRODUCT_X) != swapped ? LAYOUT_MMA_LHS : LAYOUT_MMA_RHS;
}

static bool has_types(const struct mma_row *row, const layout_tile *contract, bool swapped)
{
	if (mma_row_has(row, LAYOUT_MMA_LHS_SCALE) != program_has_scales(contract))
		return false;
	for (unsigned i = 0; i < 3; i++)
		if (!holds(row->types[mma_operand(i, swapped)],
		    operand_of(contract, i)->type))
			return false;
	return true;
}

/* A kernel of the chip, or of any of them, can have the row's instruction for these types. */
static bool can_have(const struct chip *only, const struct chip *chip,
	const struct mma_row *row, const layout_tile *contract)
{
	return (!only || only == chip) && mma_code_of(chip, row) &&
		(has_types(row, contract, false) || has_types(row, contract, true));
}

/* Some that it can have, which are called "alike" in the way of the one that was asked for, IREE's
 * or the ISA's, or otherwise; how many. */
static unsigned find_others(const struct chip *only, const layout_tile *contract, bool alike,
	const struct mma_row *named[MOST_NAMED])
{
	const struct mma_row *row;
	const struct chip *chip;
	unsigned count = 0;

	for (unsigned c = 0; (chip = chip_at(c)); c++)
		for (unsigned i = 0; count < MOST_NAMED && (row = mma_row_at(chip->family, i));
		     i++) {
			bool known = !can_have(only, chip, row, contract) ||
				(row->name[0] == *contract->by) != alike;

			for (unsigned k = 0; k < count; k++)
				known = known || named[k] == row;
			if (!known)
				named[count++] = row;
		}
	return count;
}

/* "; MFMA_F32_16x16x16_BF16, .. do", of the chip or of any, or that there is none. */
static char *print_others(layout_context *ctx, const struct chip *only,
	const layout_tile *contract)
{
	struct layout_buffer out = { 0 };
	const struct mma_row *named[MOST_NAMED];
	unsigned count = find_others(only, contract, true, named);

	if (!count)
		count = find_others(only, contract, false, named);
	for (unsigned k = 0; k < count; k++)
		layout_buffer_printf(&out, "%s%s", k ? ", " : "; ", named[k]->name);
	layout_buffer_printf(&out, count > 1 ? " do" : count ? " does" :
		"; no matrix instruction does");
	return layout_buffer_take(ctx, &out);
}

static const char *with_scales(bool has)
{
	return has ? " with scales" : "";
}

static void refuse_types(layout_context *ctx, const struct chip *chip,
	const layout_tile *contract, const struct mma_row *row, long position)
{
	char *others = print_others(ctx, chip, contract);

	if (others)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, position,
			"%s multiplies %s by %s%s into %s, not %s by %s%s into %s%s",
			contract->by, row->types[0], row->types[1],
			with_scales(mma_row_has(row, LAYOUT_MMA_LHS_SCALE)), row->types[2],
			contract->operands[1]->type->name, contract->operands[2]->type->name,
			with_scales(program_has_scales(contract)), contract->type->name,
			others);
	free(others);
}

/* The last letter of these roles, in the order of the tile, that is whole units; or -1. */
static int find_letter(const layout_tile *contract, unsigned which, unsigned roles,
	unsigned unit)
{
	for (unsigned d = operand_of(contract, which)->rank; d-- > 0;) {
		unsigned letter = contract->maps[which][d];

		if (roles_of(contract, letter) == roles &&
		    contract->letters[letter] % unit == 0)
			return (int)letter;
	}
	return -1;
}

/* What the instruction sees of the letters. */
struct fit {
	unsigned units[3];
	int letters[3];
};

static struct fit fit_row(const struct mma_row *row, const layout_tile *contract,
	bool swapped)
{
	const struct mma_shape *shape = row->shape;
	struct fit fit = { { swapped ? shape->n : shape->m, swapped ? shape->m : shape->n,
		shape->k }, { 0 } };

	fit.letters[0] = find_letter(contract, PRODUCT_X, FREE_X, fit.units[0]);
	fit.letters[1] = find_letter(contract, PRODUCT_Y, FREE_Y, fit.units[1]);
	if (!program_has_scales(contract))
		fit.letters[2] = find_letter(contract, PRODUCT_X, SUMMED, fit.units[2]);
	else
		fit.letters[2] = contract->letters[contract->scaled] % fit.units[2] ? -1 :
			(int)contract->scaled;
	return fit;
}

static bool fits(const struct fit *fit)
{
	return fit->letters[0] >= 0 && fit->letters[1] >= 0 && fit->letters[2] >= 0;
}

/* The letters that are whole units of none. */
static void refuse_letters(layout_context *ctx, const layout_tile *contract,
	const struct mma_row *row, bool swapped)
{
	static const char *const only[] = { "the first factor and the sum have",
		"the second factor and the sum have", "the factors have" };
	struct fit fit = fit_row(row, contract, swapped);
	unsigned i = 0;

	while (i < 3 && fit.letters[i] >= 0)
		i++;
	if (i < 3)
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, contract->position,
			"%s multiplies %u x %u by %u x %u: no dimension that only %s is a "
			"multiple of %u", contract->by, row->shape->m, row->shape->k,
			row->shape->k, row->shape->n, only[i], fit.units[i]);
}

void product_refuse(layout_context *ctx, const struct chip *chip,
	const layout_tile *contract)
{
	const struct mma_row *row = mma_find_row(ctx, contract->by, LAYOUT_MMA_ACC, chip);
	bool swapped = row && !has_types(row, contract, false);

	if (!row)
		return;
	if (!mma_code_of(chip, row))
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, contract->position,
			"no kernel for %s has %s", chip->target.name, contract->by);
	else if (swapped && !has_types(row, contract, true))
		refuse_types(ctx, chip, contract, row, contract->position);
	else if (!has_products(contract))
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, contract->position,
			"%s sums products: each dimension is of two tiles at least",
			contract->by);
	else
		refuse_letters(ctx, contract, row, swapped);
}

/* More products of a step come first, then smaller blocks. */
static bool is_better(const struct mma_row *row, const struct mma_row *than)
{
	const struct mma_shape *a = row->shape, *b = than ? than->shape : NULL;

	return !b || a->k > b->k || (a->k == b->k && a->m * a->n < b->m * b->n);
}

static const struct mma_row *choose_row(const struct chip *chip,
	const layout_tile *contract, bool swapped)
{
	const struct mma_row *row, *best = NULL;

	for (unsigned i = 0; (row = mma_row_at(chip->family, i)); i++) {
		struct fit fit;

		if (!mma_code_of(chip, row) || !has_types(row, contract, swapped))
			continue;
		fit = fit_row(row, contract, swapped);
		if (fits(&fit) && is_better(row, best))
			best = row;
	}
	return has_products(contract) ? best : NULL;
}

static const struct mma_row *named_row(layout_context *ctx, const struct chip *chip,
	const layout_tile *contract, bool swapped)
{
	const struct mma_row *row = mma_find_row(ctx, contract->by, LAYOUT_MMA_ACC, chip);
	struct fit fit;

	if (!row || !mma_code_of(chip, row) || !has_products(contract) ||
	    !has_types(row, contract, swapped))
		return NULL;
	fit = fit_row(row, contract, swapped);
	return fits(&fit) ? row : NULL;
}

/* Where the instruction has the elements of x, y or the sum. */
static bool find_images(struct product *product, unsigned which)
{
	layout_mma_operand operand = mma_operand(which, product->swapped);
	layout_mma mma = { product->ctx, product->row, product->row->name, product->chip,
		operand };
	bool turned = which == PRODUCT_SUM ? product->swapped :
		operand == LAYOUT_MMA_RHS || operand == LAYOUT_MMA_RHS_SCALE;
	unsigned elements = layout_mma_elements(&mma), count = product->lanes * elements;
	struct f2 *f2 = mma_f2(&mma);
	uint16_t *images = f2 ? layout_alloc(product->ctx, 2 * count, sizeof(*images)) :
		NULL;

	product->elements[which] = elements;
	product->images[which] = images;
	for (unsigned i = 0; images && i < count; i++) {
		int64_t point[2] = { i / elements, i % elements }, image[3] = { 0 };

		f2_apply(f2, point, image);
		images[2 * i + turned] = (uint16_t)image[0];
		images[2 * i + !turned] = (uint16_t)image[1];
	}
	f2_free(f2);
	return images;
}

static struct product *build(layout_context *ctx, const struct chip *chip,
	const layout_tile *contract, const struct mma_row *row, bool swapped)
{
	struct product *product = layout_alloc(ctx, 1, sizeof(*product));
	struct fit fit = fit_row(row, contract, swapped);
	bool ok = product;

	if (!product)
		return NULL;
	*product = (struct product){ .ctx = ctx, .contract = contract, .chip = chip,
		.row = row, .code = mma_code_of(chip, row), .swapped = swapped,
		.lanes = row->shape->lanes, .steps = 1 };
	for (unsigned i = 0; i < 3; i++) {
		product->letters[i] = (unsigned)fit.letters[i];
		product->units[i] = fit.units[i];
	}
	for (unsigned n = 0; n < contract->letter_count; n++)
		if (roles_of(contract, n) == SUMMED)
			product->steps *= (unsigned)contract->letters[n];
	product->steps /= product->units[2];
	for (unsigned i = 0; ok && i < contract->operand_count; i++)
		ok = find_images(product, i);
	if (ok)
		return product;
	product_free(product);
	return NULL;
}

struct product *product_find(layout_context *ctx, const struct chip *chip,
	const layout_tile *contract, bool swapped)
{
	const struct mma_row *row = contract->by ?
		named_row(ctx, chip, contract, swapped) :
		choose_row(chip, contract, swapped);

	return row ? build(ctx, chip, contract, row, swapped) : NULL;
}

/* Instructions that differ from chip to chip have one name: any of them will do. */
bool product_check_name(const layout_tile *contract)
{
	layout_context *ctx = contract->program->ctx;
	const struct mma_row *row, *found = NULL;
	const struct chip *chip;

	if (!contract->by || product_is_declined(contract))
		return true;
	for (unsigned c = 0; (chip = chip_at(c)); c++)
		for (unsigned i = 0; (row = mma_row_at(chip->family, i)); i++) {
			if (!mma_row_is_named(row, contract->by))
				continue;
			found = row;
			if (has_types(row, contract, false) ||
			    has_types(row, contract, true))
				return true;
		}
	if (found)
		refuse_types(ctx, NULL, contract, found, -1);
	else
		mma_fail_name(ctx, contract->by);
	return false;
}
