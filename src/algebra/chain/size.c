/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes of chains: quasi-affine expressions of names, as isl has them and as text. */
#include "algebra/chain/chain.h"
#include "algebra/storage/sizes.h"
#include "isl_bridge/affine.h"

#include <inttypes.h>
#include <stdio.h>
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
	bridge_relax_quota(ctx, strlen(line));
	size = isl_aff_read_from_str(bridge_isl(ctx), line);
	bridge_resume_quota(ctx);
	free(line);
	if (size && is_whole(size))
		return size;
	isl_aff_free(size);
	if (!bridge_leave_reading(ctx))
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"\"%s\" is no size: an affine expression of names, with floors and "
			"ceilings of quotients by numbers", text);
	bridge_enter(ctx);
	return NULL;
}

/* A space of [] with these names as parameters. */
static isl_space *names_space(layout_context *ctx, const struct size_names *names)
{
	isl_space *space = isl_space_set_alloc(bridge_isl(ctx), names->count, 0);

	for (unsigned i = 0; i < names->count; i++)
		space = isl_space_set_dim_name(space, isl_dim_param, i, names->names[i]);
	return space;
}

bool chain_size_read(layout_context *ctx, const char *text, isl_aff **size)
{
	struct size_names names = { 0 };
	int64_t number;

	*size = NULL;
	if (!size_names_scan(ctx, &names, text)) {
		size_names_free(&names);
		return false;
	}
	if (size_is_integer(text, &number))
		*size = isl_aff_val_on_domain_space(names_space(ctx, &names),
			isl_val_int_from_si(bridge_isl(ctx), number));
	else if (names.count == 1 && strcmp(text, names.names[0]) == 0)
		*size = isl_aff_var_on_domain(isl_local_space_from_space(
			names_space(ctx, &names)), isl_dim_param, 0);
	else
		*size = read_line(ctx, &names, text);
	size_names_free(&names);
	return *size;
}

bool chain_size_number(layout_context *ctx, isl_aff *size, int64_t *number)
{
	return isl_aff_is_cst(size) == isl_bool_true &&
		bridge_int64(ctx, isl_aff_get_constant_val(size), number);
}

isl_aff *chain_size_integer(layout_chain *chain, int64_t number)
{
	return isl_aff_val_on_domain_space(
		isl_space_set_from_params(isl_space_copy(chain->params)),
		isl_val_int_from_si(bridge_isl(chain->ctx), number));
}

isl_aff *chain_size_sum(isl_aff *a, isl_aff *b)
{
	a = isl_aff_align_params(a, isl_aff_get_domain_space(b));
	b = isl_aff_align_params(b, isl_aff_get_domain_space(a));
	return isl_aff_add(a, b);
}

isl_aff *chain_size_scaled(isl_aff *size, int64_t factor)
{
	return isl_aff_scale_val(size, size ?
		isl_val_int_from_si(isl_aff_get_ctx(size), factor) : NULL);
}

isl_aff *chain_size_floor(isl_aff *size, int64_t by)
{
	if (by == 1)
		return size;
	return isl_aff_floor(isl_aff_scale_down_val(size, size ?
		isl_val_int_from_si(isl_aff_get_ctx(size), by) : NULL));
}

/* Print a sum over the parameters of a size; false where it is too large for that. */
static bool print_sum(struct layout_buffer *out, layout_context *ctx, isl_aff *size,
	const char *const *names, enum affine_dialect dialect)
{
	struct affine *affine = layout_alloc(ctx, 1, sizeof(*affine));
	struct affine_sum sum;
	bool good;

	if (!affine)
		return false;
	affine->variable_count = (unsigned)isl_aff_dim(size, isl_dim_param);
	sum = dialect == AFFINE_SIZE ? affine_floors_from_isl(affine, size) :
		affine_from_isl(affine, size);
	good = !affine->failed;
	if (good)
		affine_print(out, affine, &sum, names, dialect);
	else if (!bridge_failed(ctx))
		layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
			"a size of the chain has too many terms, or too large ones");
	free(affine);
	return good;
}

char *chain_size_str(layout_context *ctx, isl_aff *size)
{
	struct layout_buffer out = { 0 };
	isl_size count = size ? isl_aff_dim(size, isl_dim_param) : -1;
	const char **names;
	int64_t number;
	bool good;

	if (count < 0)
		return NULL;
	if (isl_aff_is_cst(size) == isl_bool_true) {
		if (!chain_size_number(ctx, size, &number))
			return NULL;
		layout_buffer_printf(&out, "%" PRId64, number);
		return layout_buffer_take(ctx, &out);
	}
	names = layout_alloc(ctx, (size_t)count, sizeof(*names));
	if (!names)
		return NULL;
	for (isl_size i = 0; i < count; i++)
		names[i] = isl_aff_get_dim_name(size, isl_dim_param, (unsigned)i);
	good = print_sum(&out, ctx, size, names, AFFINE_SIZE);
	free(names);
	if (good)
		return layout_buffer_take(ctx, &out);
	free(out.text);
	return NULL;
}

/* The names that the size has, as symbols "s0", .. in "memory"; how many. */
static unsigned name_symbols(isl_aff *size, unsigned count, const char **names,
	char (*memory)[12], unsigned *symbols)
{
	unsigned used = 0;

	for (unsigned i = 0; i < count; i++) {
		names[i] = "";
		if (isl_aff_involves_dims(size, isl_dim_param, i, 1) != isl_bool_true)
			continue;
		snprintf(memory[i], sizeof(memory[i]), "s%u", used);
		names[i] = memory[i];
		symbols[used++] = i;
	}
	return used;
}

char *chain_size_map(const layout_chain *chain, const struct chain_size *size,
	unsigned **symbols, unsigned *used)
{
	unsigned count = (unsigned)isl_aff_dim(size->aff, isl_dim_param);
	const char **names = layout_alloc(chain->ctx, count, sizeof(*names));
	char (*memory)[12] = layout_alloc(chain->ctx, count, sizeof(*memory));
	struct layout_buffer out = { 0 };
	bool good;

	*used = 0;
	*symbols = layout_alloc(chain->ctx, count, sizeof(**symbols));
	good = names && memory && *symbols;
	if (good)
		*used = name_symbols(size->aff, count, names, memory, *symbols);
	layout_buffer_printf(&out, "affine_map<()[");
	for (unsigned i = 0; i < *used; i++)
		layout_buffer_printf(&out, "%ss%u", i ? ", " : "", i);
	layout_buffer_printf(&out, "] -> (");
	good = good && print_sum(&out, chain->ctx, size->aff, names, AFFINE_MLIR);
	layout_buffer_printf(&out, ")>");
	free(names);
	free(memory);
	if (good)
		return layout_buffer_take(chain->ctx, &out);
	free(out.text);
	return NULL;
}

void chain_affs_free(isl_aff **sizes, unsigned count)
{
	for (unsigned i = 0; sizes && i < count; i++)
		isl_aff_free(sizes[i]);
	free(sizes);
}

isl_aff **chain_sizes_read(layout_context *ctx, unsigned count, const char *const *texts,
	bool inferred, const char *what)
{
	isl_aff **sizes;
	bool good = texts || !count;

	for (unsigned i = 0; good && i < count; i++)
		good = texts[i];
	if (!layout_given(ctx, good, what))
		return NULL;
	sizes = layout_alloc(ctx, count, sizeof(*sizes));
	for (unsigned i = 0; sizes && i < count; i++) {
		if (inferred && strcmp(texts[i], "?") == 0)
			continue;
		if (!chain_size_read(ctx, texts[i], &sizes[i])) {
			chain_affs_free(sizes, count);
			return NULL;
		}
	}
	return sizes;
}

bool chain_read_lists(layout_chain *chain, unsigned lists, const char *const *const *texts,
	bool inferred, const char *const *what, isl_aff ***read)
{
	bool good = true;

	bridge_enter(chain->ctx);
	for (unsigned i = 0; i < lists; i++)
		read[i] = good ? chain_sizes_read(chain->ctx, chain->rank, texts[i],
			inferred, what[i]) : NULL, good = read[i];
	good = bridge_leave(chain->ctx, "read sizes") && good;
	for (unsigned i = 0; !good && i < lists; i++) {
		if (read[i])
			chain_affs_free(read[i], chain->rank);
		read[i] = NULL;
	}
	return good;
}
