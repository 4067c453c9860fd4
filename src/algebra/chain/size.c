/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes of chains: quasi-affine expressions of names, as isl has them and as text. */
#include "algebra/chain/chain.h"
#include "algebra/size/affine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The same with names of its own. */
static isl_aff *read_aff(layout_context *ctx, const char *text)
{
	struct size_names names = { 0 };
	isl_aff *aff = size_aff_read(ctx, &names, text);

	size_names_free(&names);
	return aff;
}

isl_aff *chain_size_integer(layout_chain *chain, int64_t number)
{
	isl_space *space = isl_space_set_from_params(isl_space_copy(chain->params));
	isl_aff *aff = aff_number(space, number);

	isl_space_free(space);
	return aff;
}

isl_aff *chain_size_sum(isl_aff *a, isl_aff *b)
{
	a = isl_aff_align_params(a, isl_aff_get_domain_space(b));
	b = isl_aff_align_params(b, isl_aff_get_domain_space(a));
	return isl_aff_add(a, b);
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

char *chain_size_map(const layout_chain *chain, const struct size *size,
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
	good = good && size_aff_print(&out, chain->ctx, size->aff, names,
		AFFINE_MLIR);
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
		sizes[i] = read_aff(ctx, texts[i]);
		if (!sizes[i]) {
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
