/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Slices: every stride-th index from an offset on; dimensions of one index can be
 * dropped. */
#include "algebra/chain/chain.h"

#include <inttypes.h>
#include <stdlib.h>

/* The dimensions that stay. */
static bool find_kept(layout_chain *chain, const bool *drop)
{
	unsigned kept = 0;

	chain->dims = layout_alloc(chain->ctx, chain->rank, sizeof(*chain->dims));
	chain->dim_count = chain->rank;
	for (unsigned d = 0; chain->dims && d < chain->before->rank; d++)
		if (!drop || !drop[d])
			chain->dims[kept++] = d;
	return chain->dims;
}

/* All of the dimension? */
static bool is_whole(layout_chain *chain, unsigned d, const struct size *size)
{
	return chain->strides[d] == 1 && chain->offsets[d].value == 0 &&
		size_same(size, &chain->before->sizes[d]);
}

/* Assume size <= the dimension's size, in whole tiles. */
static bool check_tiles(layout_chain *chain, unsigned d, const struct size *size)
{
	const struct size *whole = &chain->before->sizes[d];
	struct layout_buffer wrong = { 0 }, condition = { 0 };
	char *text;
	bool good;

	layout_buffer_printf(&wrong, "dimension %u is unpacked to a size of %s, and its "
		"tiles hold %s", d, size->text, whole->text);
	layout_buffer_printf(&condition, "%s <= %s", size->text, whole->text);
	text = layout_buffer_take(chain->ctx, &wrong);
	good = chain_assume(chain, isl_aff_le_set(chain_aff(chain, size),
		chain_aff(chain, whole)),
		layout_buffer_take(chain->ctx, &condition), text ? text : "");
	free(text);
	return good;
}

/* Assume offset + stride*(size - 1) < the dimension's size. */
static bool check_range(layout_chain *chain, unsigned d, const struct size *size)
{
	const struct size *whole = &chain->before->sizes[d];
	isl_aff *last = chain_size_sum(chain_aff(chain, &chain->offsets[d]),
		aff_scale(isl_aff_add_constant_si(chain_aff(chain, size), -1),
			chain->strides[d]));
	char *index = size_aff_str(chain->ctx, last), *text;
	struct layout_buffer wrong = { 0 }, condition = { 0 };
	bool good;

	layout_buffer_printf(&wrong, "a slice ends with index %s of dimension %u, whose size "
		"is %s", index ? index : "", d, whole->text);
	layout_buffer_printf(&condition, "%s < %s", index ? index : "", whole->text);
	text = layout_buffer_take(chain->ctx, &wrong);
	good = chain_assume(chain, isl_aff_lt_set(last, chain_aff(chain, whole)),
		layout_buffer_take(chain->ctx, &condition), text ? text : "");
	free(text);
	free(index);
	return good;
}

static bool check_drop(layout_chain *chain, unsigned d, const struct size *size)
{
	if (size->value == 1)
		return true;
	layout_fail(chain->ctx, LAYOUT_ERROR_INVALID, -1,
		"a slice drops dimension %u, in which its size is %s, not 1", d,
		size->text);
	return false;
}

/* Consumes offset and size. */
static bool take_dimension(layout_chain *chain, unsigned d, isl_aff *offset,
	isl_aff *length, const bool *drop, bool unpacks)
{
	struct size size = { 0 };
	unsigned at = 0;
	bool good = chain_take_size(chain, &chain->offsets[d], offset);

	good = chain_take_size(chain, &size, length) && good;
	good = good && chain_check_size(chain, &chain->offsets[d], "a slice's offset", d) &&
		chain_check_size(chain, &size, unpacks ? "the size" : "a slice's size",
			d) &&
		(size.value == 0 || is_whole(chain, d, &size) ||
			(unpacks ? check_tiles : check_range)(chain, d, &size)) &&
		(!drop || !drop[d] || check_drop(chain, d, &size));
	while (at < chain->rank && chain->dims[at] != d)
		at++;
	if (at < chain->rank) {
		chain->sizes[at] = size;
		return good;
	}
	isl_aff_free(size.aff);
	free(size.text);
	return good;
}

/*	load	source[d] = offset[d] + stride[d]*result[j], or offset[d]
 *	store	result[j] = (source[d] - offset[d]) / stride[d] */
static bool fold(layout_chain *chain)
{
	isl_space *to = chain_space(chain), *from = chain_before_space(chain);
	isl_ctx *isl = bridge_isl(chain->ctx);
	isl_aff_list *load = isl_aff_list_alloc(isl, (int)chain->before->rank);
	isl_aff_list *store = isl_aff_list_alloc(isl, (int)chain->rank);
	isl_multi_aff *function;
	unsigned j = 0;

	for (unsigned d = 0; d < chain->before->rank; d++) {
		const struct size *offset = &chain->offsets[d];
		isl_aff *index = size_on(offset, to);
		bool kept = j < chain->rank && chain->dims[j] == d;

		if (kept) {
			index = aff_add_scaled(index, aff_coordinate(to, j++),
				chain->strides[d]);
			store = isl_aff_list_add(store, aff_floor(isl_aff_sub(
				aff_coordinate(from, d), size_on(offset, from)),
				chain->strides[d]));
		}
		load = isl_aff_list_add(load, index);
	}
	function = aff_function(isl_space_copy(to), isl_space_copy(from), load);
	return chain_fold(chain, function, aff_function(from, to, store), NULL);
}

static bool copy_strides(layout_chain *chain, const int64_t *strides)
{
	unsigned rank = chain->before->rank;

	chain->strides = layout_alloc(chain->ctx, rank, sizeof(*chain->strides));
	chain->offsets = layout_alloc(chain->ctx, rank, sizeof(*chain->offsets));
	for (unsigned d = 0; chain->strides && d < rank; d++)
		chain->strides[d] = strides ? strides[d] : 1;
	return chain->strides && chain->offsets;
}

layout_chain *chain_sliced(layout_chain *chain, isl_aff **offsets, isl_aff **sizes,
	const int64_t *strides, const bool *drop, bool unpacks)
{
	unsigned rank = chain ? chain->rank : 0, kept = rank;
	layout_chain *next;
	bool good;

	for (unsigned d = 0; drop && d < rank; d++)
		kept -= drop[d];
	next = chain_begin(chain, CHAIN_SLICE, kept);
	good = next && offsets && sizes && find_kept(next, drop) &&
		copy_strides(next, strides);
	for (unsigned d = 0; good && d < rank; d++) {
		good = take_dimension(next, d, offsets[d], sizes[d], drop, unpacks);
		offsets[d] = sizes[d] = NULL;
	}
	chain_affs_free(offsets, rank);
	chain_affs_free(sizes, rank);
	return chain_end(next, good && fold(next));
}

/* Strides are numbers: the index is not affine in them. */
static bool read_strides(layout_context *ctx, unsigned rank, isl_aff **sizes,
	int64_t *strides)
{
	for (unsigned d = 0; d < rank; d++) {
		if (isl_aff_is_cst(sizes[d]) != isl_bool_true) {
			layout_fail(ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
				"the stride of a slice must be a number: an index is not "
				"affine in it");
			return false;
		}
		if (!size_aff_number(ctx, sizes[d], &strides[d]))
			return false;
		if (strides[d] < 1) {
			layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
				"the stride of a slice must be at least 1, not %" PRId64,
				strides[d]);
			return false;
		}
	}
	return true;
}

/* Consumes what was read. */
static layout_chain *slice(layout_chain *chain, isl_aff **read[3], const bool *drop)
{
	unsigned rank = chain->rank;
	int64_t strides[CHAIN_RANK];
	bool good;

	bridge_enter(chain->ctx);
	good = read_strides(chain->ctx, rank, read[2], strides);
	good = bridge_leave(chain->ctx, "read strides") && good;
	chain_affs_free(read[2], rank);
	if (good)
		return chain_sliced(chain, read[0], read[1], strides, drop, false);
	chain_affs_free(read[0], rank);
	chain_affs_free(read[1], rank);
	layout_chain_free(chain);
	return NULL;
}

layout_chain *layout_chain_slice(layout_chain *chain, unsigned rank,
	const char *const *offsets, const char *const *sizes, const char *const *strides,
	const bool *drop)
{
	static const char *const what[] = { "offset", "size for a dimension", "stride" };
	const char *const *const texts[] = { offsets, sizes, strides };
	struct chain_list lists[] = {
		{ .texts = offsets, .count = rank }, { .texts = sizes, .count = rank },
		{ .texts = strides, .count = rank }, { .name = "drop" },
	};
	isl_aff **read[3];
	int64_t dropped[CHAIN_RANK];

	if (!chain)
		return NULL;
	if (!chain_check_rank(chain, rank, "a slice") ||
	    !chain_read_lists(chain, 3, texts, false, what, read)) {
		layout_chain_free(chain);
		return NULL;
	}
	for (unsigned d = 0; drop && d < rank; d++)
		if (drop[d])
			dropped[lists[3].count++] = d;
	lists[3].numbers = dropped;
	return chain_written(slice(chain, read, drop), "extract_slice", lists,
		lists[3].count ? 4 : 3, NULL, NULL);
}
