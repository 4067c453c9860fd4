/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The packed storage that a relation is: its sizes from the domain, its encoding from the
 * digits of the cells, and a proof that the two are the same. */
#include "algebra/chain/chain.h"
#include "algebra/difference.h"
#include "algebra/recognise/packed_cells.h"
#include "isl_bridge/objects.h"

#include <stdlib.h>

/* The same as logical[..] -> cell[..], with tuples of pairs flattened. */
static layout_relation *plain_of(layout_relation *relation)
{
	layout_context *ctx = relation->ctx;
	isl_multi_aff *forward = NULL;
	isl_map *map = NULL;

	bridge_enter(ctx);
	if (bridge_need_map(relation)) {
		bool pairs = isl_map_domain_is_wrapping(relation->map) ||
			isl_map_range_is_wrapping(relation->map);

		map = isl_map_flatten(isl_map_copy(relation->map));
		map = isl_map_set_tuple_name(map, isl_dim_in, "logical");
		map = isl_map_set_tuple_name(map, isl_dim_out, "cell");
		if (!pairs)
			forward = bridge_name_forward(
				isl_multi_aff_copy(relation->forward), map);
	}
	return bridge_give_relation(ctx, "recognise a storage", map, forward, NULL);
}

/* The one function that the relation is; NULL with the reason. */
static isl_multi_aff *find_function(layout_relation *relation)
{
	isl_multi_aff *function;
	isl_pw_multi_aff *pieces;
	isl_size count;

	if (relation->forward)
		return isl_multi_aff_copy(relation->forward);
	pieces = bridge_coalesce_pieces(relation->ctx, isl_pw_multi_aff_from_map(
		isl_map_copy(relation->map)));
	count = isl_pw_multi_aff_n_piece(pieces);
	function = bridge_one_piece(pieces);
	if (!function && !bridge_failed(relation->ctx))
		layout_fail(relation->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"the cells are a function in %d pieces, not in one", count);
	return function;
}

static isl_stat take_size(isl_set *domain, isl_aff *size, void *user)
{
	isl_aff **result = user;

	isl_set_free(domain);
	isl_aff_free(*result);
	*result = size;
	return isl_stat_ok;
}

/* Input coordinate d is wrong.  Always NULL. */
static char *refuse(layout_context *ctx, unsigned d, const char *how)
{
	if (!bridge_failed(ctx))
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1, "input coordinate %u %s", d,
			how);
	return NULL;
}

/* The values of dimension d have a greatest one; a bound by another dimension is none, and
 * none by a floor of its own, which a remainder has. */
static bool has_end(isl_set *domain, unsigned d)
{
	isl_size rank = isl_set_dim(domain, isl_dim_set);
	isl_set *values = isl_set_project_out(isl_set_copy(domain), isl_dim_set, d + 1,
		(unsigned)rank - d - 1);
	bool ends;

	values = isl_set_project_out(values, isl_dim_set, 0, d);
	values = isl_set_remove_divs_involving_dims(values, isl_dim_set, 0, 1);
	ends = isl_set_dim_has_upper_bound(values, isl_dim_set, 0) == isl_bool_true;
	isl_set_free(values);
	return ends;
}

/* The size of dimension d as text, and as a number where it is one.  That all indices
 * below it are there is for the proof. */
static char *find_size(layout_context *ctx, isl_set *domain, unsigned d, int64_t *number)
{
	isl_aff *size = NULL;
	isl_pw_aff *last;
	char *text;

	if (!has_end(domain, d))
		return refuse(ctx, d, "has no end");
	last = isl_pw_aff_coalesce(isl_set_dim_max(isl_set_copy(domain), (int)d));
	if (isl_pw_aff_n_piece(last) == 1)
		isl_pw_aff_foreach_piece(last, take_size, &size);
	isl_pw_aff_free(last);
	if (!size)
		return refuse(ctx, d, "has no size that is one expression of names");
	size = isl_aff_add_constant_si(size, 1);
	*number = INT64_MAX;
	if (isl_aff_is_cst(size) == isl_bool_true &&
	    !bridge_int64(ctx, isl_aff_get_constant_val(size), number))
		size = isl_aff_free(size);
	text = size ? size_aff_str(ctx, size) : NULL;
	isl_aff_free(size);
	return text;
}

/* What was found of a relation. */
struct found {
	struct packed_cells cells;
	char *sizes[LAYOUT_STORAGE_SLOTS];
};

static bool find_sizes(struct found *found, layout_relation *relation)
{
	layout_context *ctx = relation->ctx;
	isl_set *domain = isl_map_domain(bridge_asked_map(relation));
	bool good;

	domain = bridge_coalesce_set(ctx, isl_set_remove_redundancies(domain));
	good = isl_set_is_empty(domain) == isl_bool_false;
	if (!good && !bridge_failed(ctx))
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"the relation is empty, which says nothing of sizes");
	for (unsigned d = 0; good && d < found->cells.rank; d++) {
		found->sizes[d] = find_size(ctx, domain, d, &found->cells.size[d]);
		good = found->sizes[d];
	}
	isl_set_free(domain);
	return good;
}

/* The cells of isl's function. */
static bool read_cells(struct found *found, layout_relation *relation)
{
	isl_multi_aff *function;
	bool good;

	bridge_enter(relation->ctx);
	function = find_function(relation);
	good = function && packed_cells_read(&found->cells, function);
	isl_multi_aff_free(function);
	return bridge_leave(relation->ctx, "recognise a storage") && good;
}

/* The ranks can be those of a packed storage. */
static bool fits(layout_context *ctx, unsigned rank, unsigned count)
{
	if (count > LAYOUT_STORAGE_SLOTS)
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"%u cell coordinates are beyond %d", count,
			LAYOUT_STORAGE_SLOTS);
	else if (count < rank)
		layout_fail(ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"%u cell coordinate%s for %u dimensions: an encoding has one for "
			"each, and more for tiles", count, count == 1 ? "" : "s", rank);
	return count <= LAYOUT_STORAGE_SLOTS && count >= rank;
}

/* Is the relation a function, and of which sizes? */
static bool find(struct found *found, layout_relation *relation)
{
	layout_witness *witness;
	layout_answer function = layout_relation_is_function(relation, &witness);
	bool good;

	if (function == LAYOUT_NO)
		layout_fail(relation->ctx, LAYOUT_ERROR_NO_ANSWER, -1,
			"one index has two cells: %s", witness ? witness->text : "");
	layout_witness_free(witness);
	if (function != LAYOUT_YES)
		return false;
	bridge_enter(relation->ctx);
	good = find_sizes(found, relation);
	good = bridge_leave(relation->ctx, "recognise a storage") && good;
	return good;
}

/* Why the storage's relation is another: its inputs, or where they lie. */
static void explain(layout_relation *relation, layout_relation *other,
	layout_witness *witness)
{
	layout_set *inputs = layout_relation_domain(layout_relation_copy(relation));
	layout_set *box = layout_relation_domain(layout_relation_copy(other));
	layout_witness *missing = NULL;
	bool outside = layout_set_equal(inputs, box, &missing) == LAYOUT_NO;
	layout_witness *why = outside ? missing : witness;

	layout_fail(relation->ctx, LAYOUT_ERROR_NO_ANSWER, -1, "%s: %s", outside ?
		"the inputs are no box from 0 on" :
		"an encoding of these digits has another cell",
		why ? why->text : "no witness");
	layout_witness_free(missing);
	layout_set_free(inputs);
	layout_set_free(box);
}

/* Is the storage what it was made from?  Else consumes it, with the reason. */
static layout_storage *prove(layout_storage *storage, layout_relation *relation)
{
	layout_relation *other = layout_storage_relation(storage);
	layout_witness *witness = NULL;
	layout_answer same = relation_equal_somewhere(relation, other, &witness);

	if (same == LAYOUT_NO)
		explain(relation, other, witness);
	layout_witness_free(witness);
	layout_relation_free(other);
	if (same == LAYOUT_YES)
		return storage;
	layout_storage_free(storage);
	return NULL;
}

/* The storage of these cells. */
static layout_storage *pack(const struct found *found, layout_relation *relation)
{
	layout_encoding *encoding = packed_encoding(&found->cells);

	return encoding ? prove(layout_storage_packed(encoding, found->cells.rank,
		(const char *const *)found->sizes), relation) : NULL;
}

/* By the cells' function, else by points; what is wrong with the function is the
 * reason. */
static layout_storage *recognise(struct found *found, layout_relation *relation)
{
	struct layout_caught why = { 0 }, probed = { 0 }, *previous;
	layout_context *ctx = relation->ctx;
	layout_storage *storage = NULL;
	bool read;

	if (!find(found, relation))
		return NULL;
	previous = layout_context_catch(ctx, &why);
	read = read_cells(found, relation);
	layout_context_catch(ctx, read ? previous : &probed);
	if (read || packed_cells_probe(&found->cells, relation))
		storage = pack(found, relation);
	layout_context_catch(ctx, previous);
	if (!layout_error_is_open(probed.kind))
		free(probed.message);
	else
		layout_caught_keep(&why, &probed);
	if (!read && !storage)
		layout_fail(ctx, why.kind ? why.kind : LAYOUT_ERROR_MEMORY, -1, "%s",
			why.message ? why.message : "out of memory");
	free(why.message);
	return storage;
}

layout_storage *layout_storage_from_relation(layout_relation *relation)
{
	layout_storage *storage = NULL;
	layout_relation *plain;
	struct found *found;

	if (!relation || !fits(relation->ctx, layout_relation_in_rank(relation),
	    layout_relation_out_rank(relation)))
		return NULL;
	found = layout_alloc(relation->ctx, 1, sizeof(*found));
	plain = found ? plain_of(relation) : NULL;
	if (plain) {
		found->cells.ctx = relation->ctx;
		found->cells.rank = layout_relation_in_rank(plain);
		found->cells.count = layout_relation_out_rank(plain);
		storage = recognise(found, plain);
	}
	for (unsigned d = 0; found && d < LAYOUT_STORAGE_SLOTS; d++)
		free(found->sizes[d]);
	free(found);
	layout_relation_free(plain);
	return storage;
}
