/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/size/affine.h"

#include <stdlib.h>

void size_free(struct size *size)
{
	isl_aff_free(size->aff);
	free(size->text);
	*size = (struct size){ 0 };
}

bool size_copy(layout_context *ctx, struct size *to, const struct size *from)
{
	*to = (struct size){ isl_aff_copy(from->aff),
		from->text ? layout_strdup(ctx, from->text) : NULL, from->number,
		from->value };
	return to->text || !from->text;
}

void size_list_free(struct size *list, unsigned count)
{
	for (unsigned i = 0; list && i < count; i++)
		size_free(&list[i]);
	free(list);
}

struct size *size_list_copy(layout_context *ctx, const struct size *list, unsigned count)
{
	struct size *copy = layout_alloc(ctx, count, sizeof(*copy));

	for (unsigned i = 0; copy && i < count; i++)
		if (!size_copy(ctx, &copy[i], &list[i])) {
			size_list_free(copy, count);
			return NULL;
		}
	return copy;
}

bool size_same(const struct size *a, const struct size *b)
{
	isl_aff *x, *y;
	isl_bool same;

	if (a->number || b->number)
		return a->number && b->number && a->value == b->value;
	x = isl_aff_align_params(isl_aff_copy(a->aff), isl_aff_get_domain_space(b->aff));
	y = isl_aff_align_params(isl_aff_copy(b->aff), isl_aff_get_domain_space(x));
	same = isl_aff_plain_is_equal(x, y);
	isl_aff_free(x);
	isl_aff_free(y);
	return same == isl_bool_true;
}

static bool find_number(layout_context *ctx, struct size *size)
{
	size->value = -1;
	size->number = isl_aff_is_cst(size->aff) == isl_bool_true;
	return !size->number || size_aff_number(ctx, size->aff, &size->value);
}

bool size_of_aff(layout_context *ctx, isl_aff *aff, struct size *size)
{
	*size = (struct size){ .aff = aff, .text = size_aff_str(ctx, aff) };
	return size->text && find_number(ctx, size);
}

struct size *size_list_of_numbers(layout_context *ctx, const int64_t *numbers,
	unsigned count)
{
	struct size *list = layout_alloc(ctx, count, sizeof(*list));
	bool good = list;

	if (!list)
		return NULL;
	bridge_enter(ctx);
	for (unsigned i = 0; good && i < count; i++)
		good = size_of_aff(ctx, isl_aff_val_on_domain_space(
			size_names_space(ctx, NULL, 0, 0),
			isl_val_int_from_si(bridge_isl(ctx), numbers[i])), &list[i]);
	if (bridge_leave(ctx, "make sizes") && good)
		return list;
	size_list_free(list, count);
	return NULL;
}

bool size_read(layout_context *ctx, struct size_names *names, const char *text,
	struct size *size)
{
	bool good;

	bridge_enter(ctx);
	*size = (struct size){ .aff = size_aff_read(ctx, names, text) };
	good = size->aff && find_number(ctx, size) &&
		(size->text = layout_strdup(ctx, text));
	return bridge_leave(ctx, "read a size") && good;
}
