/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The bank conflicts of a relation lane -> byte. */
#include "algebra/lds/lds.h"
#include "algebra/limit.h"
#include "algebra/points.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Accesses of lanes: the inputs with the lane as the last one, and the byte. */
struct listing {
	layout_context *ctx;
	unsigned rank, lane;
	int64_t *rows;
	size_t count, capacity;
	int64_t bytes;		/* of the LDS, less those of an access */
	bool failed;
};

static bool reserve(struct listing *listing)
{
	size_t capacity = listing->capacity ? 2 * listing->capacity : 256;
	int64_t *grown;

	if (listing->count < listing->capacity)
		return true;
	grown = realloc(listing->rows, capacity * (listing->rank + 1) * sizeof(*grown));
	if (!grown) {
		layout_fail(listing->ctx, LAYOUT_ERROR_MEMORY, -1, "out of memory");
		return false;
	}
	listing->rows = grown;
	listing->capacity = capacity;
	return true;
}

static bool check_access(struct listing *listing, int64_t lane, int64_t byte)
{
	if (lane < 0)
		layout_fail(listing->ctx, LAYOUT_ERROR_INVALID, -1,
			"there is no lane %" PRId64, lane);
	else if (byte < 0 || byte > listing->bytes)
		layout_fail(listing->ctx, LAYOUT_ERROR_INVALID, -1,
			"lane %" PRId64 ", byte %" PRId64 ": outside the LDS", lane, byte);
	else
		return true;
	return false;
}

static bool add_access(void *user, const int64_t *in, unsigned in_rank,
	const int64_t *image, unsigned image_rank)
{
	struct listing *listing = user;
	unsigned lane = listing->lane;
	int64_t *row;

	(void)image_rank;
	listing->failed = !check_access(listing, in[lane], image[0]) || !reserve(listing);
	if (listing->failed)
		return false;
	row = listing->rows + listing->count++ * (in_rank + 1);
	memcpy(row, in, lane * sizeof(*row));
	memcpy(row + lane, in + lane + 1, (in_rank - lane - 1) * sizeof(*row));
	row[in_rank - 1] = in[lane];
	row[in_rank] = image[0];
	return true;
}

/* Do two rows belong to one access of one wave? */
static bool is_one_access(const struct listing *listing, const int64_t *a,
	const int64_t *b, unsigned wave_size)
{
	unsigned last = listing->rank - 1;

	return !points_compare(a, b, last) && a[last] / wave_size == b[last] / wave_size;
}

/* An access begins at a multiple of what it is of, or of 4 bytes where that is three
 * times as much; the hardware splits others, in ways that no row tells. */
static bool check_aligned(layout_context *ctx, unsigned bits, int64_t lane, int64_t byte)
{
	unsigned aligned = bits == 96 ? 4 : bits / 8;

	if (byte % aligned == 0)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "lane %" PRId64 ", byte %" PRId64
		": an access of %u bits begins at a multiple of %u bytes", lane, byte,
		bits, aligned);
	return false;
}

/* The extra cycles of the wave's access that begins with row "begin"; "*end" is the first
 * row of the next one. */
static bool count_access(const struct listing *listing, size_t begin, size_t *end,
	const layout_lds *lds, layout_lds_access *access, int64_t *extra)
{
	unsigned width = listing->rank + 1, last = listing->rank - 1;
	const int64_t *first = listing->rows + begin * width;
	uint64_t addresses[LDS_LANES] = { 0 };
	layout_lds_cost worst;

	access->lanes = 0;
	for (*end = begin; *end < listing->count; ++*end) {
		const int64_t *row = listing->rows + *end * width;
		unsigned lane = (unsigned)(row[last] % lds->wave_size);

		if (!is_one_access(listing, first, row, lds->wave_size))
			break;
		if (access->lanes >> lane & 1) {
			layout_fail(listing->ctx, LAYOUT_ERROR_INVALID, -1,
				"lane %" PRId64 " has two addresses", row[last]);
			return false;
		}
		if (!check_aligned(listing->ctx, access->bits, row[last], row[last + 1]))
			return false;
		access->lanes |= (uint64_t)1 << lane;
		addresses[lane] = (uint64_t)row[last + 1];
	}
	access->addresses = addresses;
	if (!layout_lds_cycles(listing->ctx, lds, access, NULL, &worst))
		return false;
	*extra += worst.cycles - worst.least;
	return true;
}

/* The lane is one of the inputs, and the byte the only output. */
static bool check_ranks(layout_relation *address, unsigned lane)
{
	if (lane >= layout_relation_in_rank(address))
		layout_fail(address->ctx, LAYOUT_ERROR_SPACE, -1, "there is no lane");
	else if (layout_relation_out_rank(address) != 1)
		layout_fail(address->ctx, LAYOUT_ERROR_SPACE, -1,
			"a byte of the LDS has one coordinate, not %u",
			layout_relation_out_rank(address));
	else
		return true;
	return false;
}

/* The accesses are few enough to be looked at one by one, or so wrong that looking at
 * them says why. */
static bool check_count(layout_relation *address)
{
	layout_set *domain = layout_relation_domain(layout_relation_copy(address));
	size_t limit = (size_t)limit_points(address->ctx);
	struct points points = { 0 };
	bool few, known;

	if (!domain)
		return false;
	bridge_enter(address->ctx);
	few = isl_set_dim(domain->set, isl_dim_param) > 0 ||
		isl_set_is_bounded(domain->set) == isl_bool_false ||
		points_list(&points, address->ctx, domain->set, limit) ||
		points.count < limit;
	known = bridge_leave(address->ctx, "list points");
	if (known && !few)
		layout_fail(address->ctx, LAYOUT_ERROR_QUOTA, -1,
			"more than %zu accesses of lanes to the LDS", limit);
	points_free(&points);
	layout_set_free(domain);
	return known && few;
}

bool layout_lds_conflicts(layout_relation *address, unsigned lane, const layout_lds *lds,
	unsigned bits, bool store, int64_t *extra)
{
	layout_lds_access access = LAYOUT_LDS_ACCESS_INIT;
	struct listing listing = { .lane = lane };
	bool ok;

	if (!address || !lds || !layout_given(address->ctx, extra, "place for it") ||
	    !check_ranks(address, lane) || !lds_known_to(address->ctx, lds, bits, store))
		return false;
	*extra = 0;
	access.bits = bits;
	access.store = store;
	listing.ctx = address->ctx;
	listing.rank = layout_relation_in_rank(address);
	listing.bytes = layout_lds_bytes(lds) - bits / 8;
	ok = check_count(address) &&
		layout_relation_for_each(address, add_access, &listing) && !listing.failed;
	if (ok && listing.count)
		qsort_r(listing.rows, listing.count,
			(listing.rank + 1) * sizeof(*listing.rows), points_order,
			&listing.rank);
	for (size_t i = 0; ok && i < listing.count;)
		ok = count_access(&listing, i, &i, lds, &access, extra);
	free(listing.rows);
	return ok;
}
