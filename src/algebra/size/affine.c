/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "algebra/size/affine.h"
#include "algebra/size/text.h"
#include "isl_bridge/aff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Only whole coefficients outside of floors: M/2 is no size. */
static bool is_whole(isl_aff *size)
{
	isl_val *denominator = isl_aff_get_denominator_val(size);
	bool whole = isl_val_is_one(denominator) == isl_bool_true;

	isl_val_free(denominator);
	return whole;
}

static isl_aff *read_with_isl(layout_context *ctx, const char *line)
{
	isl_aff *size;

	bridge_relax_quota(ctx, strlen(line));
	size = isl_aff_read_from_str(bridge_isl(ctx), line);
	bridge_resume_quota(ctx);
	return size;
}

/* Within a bridge_enter().  isl does not say where it was for want of memory that it could
 * not read: then the line can be read now. */
static void fail_to_read(layout_context *ctx, const char *line, const char *text,
	bool unread)
{
	bool known = bridge_leave_reading(ctx);
	isl_aff *now = NULL;

	bridge_enter(ctx);
	if (!known && unread)
		now = read_with_isl(ctx, line);
	if (now)
		layout_is_made(ctx, NULL);
	else if (!known)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"\"%s\" is no size: an affine expression of names, with floors and "
			"ceilings of quotients by numbers", text);
	isl_aff_free(now);
}

/* "[M, K] -> { [] -> [(M + K)] }" */
static isl_aff *read_line(layout_context *ctx, const struct size_names *names,
	const char *text)
{
	struct layout_buffer out = { 0 };
	isl_aff *size;
	char *line;

	size_names_print(&out, names->names, names->count);
	layout_buffer_printf(&out, "{ [] -> [(%s)] }", text);
	line = layout_buffer_take(ctx, &out);
	if (!line)
		return NULL;
	size = read_with_isl(ctx, line);
	if (size && is_whole(size)) {
		free(line);
		return size;
	}
	isl_aff_free(size);
	fail_to_read(ctx, line, text, !size);
	free(line);
	return NULL;
}

/* In its normal form: isl reads no floor of a number alone, and another mod.  What is wrong is said
 * of the text, of which callers have several. */
static char *normal_text(layout_context *ctx, const char *text)
{
	struct layout_caught caught = { 0 }, *before = layout_context_catch(ctx, &caught);
	char *normal = text_index_of(ctx, text);

	layout_context_catch(ctx, before);
	if (!normal && caught.kind == LAYOUT_ERROR_PARSE)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "\"%s\" is no size: %s", text,
			caught.message);
	caught.position = -1;
	if (!normal && caught.kind != LAYOUT_ERROR_PARSE)
		layout_context_raise(ctx, &caught);
	free(caught.message);
	return normal;
}

static isl_aff *read_normal(layout_context *ctx, const struct size_names *names,
	const char *text)
{
	char *normal = normal_text(ctx, text);
	isl_aff *aff = normal ? read_line(ctx, names, normal) : NULL;

	free(normal);
	return aff;
}

isl_space *size_names_space(layout_context *ctx, char *const *names, unsigned count,
	unsigned rank)
{
	isl_space *space = isl_space_set_alloc(bridge_isl(ctx), count, rank);

	for (unsigned i = 0; i < count; i++)
		space = isl_space_set_dim_name(space, isl_dim_param, i, names[i]);
	return space;
}

void size_list_align(layout_context *ctx, struct size *list, unsigned count,
	const struct size_names *names)
{
	isl_space *space = size_names_space(ctx, names->names, names->count, 0);

	for (unsigned i = 0; i < count; i++) {
		isl_pw_aff *used = isl_pw_aff_drop_unused_params(
			isl_pw_aff_from_aff(list[i].aff));

		list[i].aff = isl_aff_align_params(isl_pw_aff_as_aff(used),
			isl_space_copy(space));
	}
	isl_space_free(space);
}

/* The text is a number that fits. */
static bool is_integer(const char *text, int64_t *value)
{
	char *end;

	*value = strtoll(text, &end, 10);
	return end != text && !*end;
}

/* The number of the name that the text is; that of the names where it is none. */
static unsigned name_of(const struct size_names *names, const char *text)
{
	unsigned i = 0;

	while (i < names->count && strcmp(text, names->names[i]))
		i++;
	return i;
}

isl_aff *size_aff_read(layout_context *ctx, struct size_names *names, const char *text)
{
	isl_space *space;
	unsigned named;
	int64_t number;
	isl_aff *aff;

	if (!size_names_scan(ctx, names, text))
		return NULL;
	named = name_of(names, text);
	if (!is_integer(text, &number) && named == names->count)
		return read_normal(ctx, names, text);
	space = size_names_space(ctx, names->names, names->count, 0);
	aff = named < names->count ? aff_parameter(space, named) : aff_number(space, number);
	isl_space_free(space);
	if (!bridge_failed(ctx))
		layout_is_made(ctx, aff);
	return aff;
}

bool size_aff_number(layout_context *ctx, isl_aff *aff, int64_t *number)
{
	return isl_aff_is_cst(aff) == isl_bool_true &&
		bridge_int64(ctx, isl_aff_get_constant_val(aff), number);
}

bool size_aff_print(struct layout_buffer *out, layout_context *ctx, isl_aff *aff,
	const char *const *names, enum affine_dialect dialect)
{
	isl_size count = isl_aff_dim(aff, isl_dim_param);
	struct affine *affine = count < 0 ? NULL : layout_alloc(ctx, 1, sizeof(*affine));
	struct affine_sum sum;
	bool good;

	if (!affine)
		return false;
	affine->variable_count = (unsigned)count;
	sum = dialect == AFFINE_SIZE ? affine_floors_from_isl(affine, aff) :
		affine_from_isl(affine, aff);
	good = !affine->failed;
	if (good)
		affine_print(out, affine, &sum, names, dialect);
	else if (!bridge_failed(ctx))
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a size has too many terms, or too large ones");
	free(affine);
	return good;
}

char *size_aff_str(layout_context *ctx, isl_aff *aff)
{
	struct layout_buffer out = { 0 };
	isl_size count = aff ? isl_aff_dim(aff, isl_dim_param) : -1;
	const char **names;
	int64_t number;
	bool good;

	if (count < 0)
		return NULL;
	if (isl_aff_is_cst(aff) == isl_bool_true) {
		if (!size_aff_number(ctx, aff, &number))
			return NULL;
		layout_buffer_printf(&out, "%" PRId64, number);
		return layout_buffer_take(ctx, &out);
	}
	names = layout_alloc(ctx, (size_t)count, sizeof(*names));
	if (!names)
		return NULL;
	for (isl_size i = 0; i < count; i++)
		names[i] = isl_aff_get_dim_name(aff, isl_dim_param, (unsigned)i);
	good = size_aff_print(&out, ctx, aff, names, AFFINE_SIZE);
	free(names);
	if (good)
		return layout_buffer_take(ctx, &out);
	free(out.text);
	return NULL;
}

isl_aff *size_on(const struct size *size, isl_space *space)
{
	isl_space *none;

	if (size->number)
		return aff_number(space, size->value);
	none = isl_space_set_from_params(isl_space_params(isl_space_copy(space)));
	return isl_aff_pullback_multi_aff(
		isl_aff_align_params(isl_aff_copy(size->aff), isl_space_copy(space)),
		isl_multi_aff_zero(isl_space_map_from_domain_and_range(
			isl_space_copy(space), none)));
}

isl_aff *size_of_names(const struct size *size)
{
	return isl_aff_project_domain_on_params(isl_aff_copy(size->aff));
}

isl_aff *size_ceil(const struct size *size, int64_t by)
{
	return aff_ceil(isl_aff_copy(size->aff), by);
}

isl_aff *size_floor(const struct size *size, int64_t by)
{
	return aff_floor(isl_aff_copy(size->aff), by);
}

isl_aff *size_scaled(const struct size *size, int64_t by)
{
	return aff_scale(isl_aff_copy(size->aff), by);
}

static isl_aff *number_like(isl_aff *aff, int64_t number)
{
	isl_space *space = isl_aff_get_domain_space(aff);
	isl_aff *like = aff_number(space, number);

	isl_space_free(space);
	return like;
}

isl_set *size_below(const struct size *size, int64_t limit)
{
	isl_set *set = isl_aff_ge_set(isl_aff_copy(size->aff),
		number_like(size->aff, 0));

	if (limit)
		set = isl_set_intersect(set, isl_aff_lt_set(isl_aff_copy(size->aff),
			number_like(size->aff, limit)));
	return isl_set_params(set);
}

isl_set *size_affs_equal(isl_aff *a, isl_aff *b)
{
	a = isl_aff_align_params(a, isl_aff_get_domain_space(b));
	b = isl_aff_align_params(b, isl_aff_get_domain_space(a));
	return isl_set_params(isl_aff_eq_set(a, b));
}

isl_set *size_divided(const struct size *size, int64_t by)
{
	return isl_set_params(aff_zero_set(aff_mod(isl_aff_copy(size->aff), by)));
}
