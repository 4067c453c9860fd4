/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/distribution.h"
#include "layoutc/json.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_shapes(FILE *out, layout_nested *nested)
{
	static const char *const names[] = {
		[LAYOUT_NESTED_UNDISTRIBUTED] = "undistributed_shape",
		[LAYOUT_NESTED_UNDISTRIBUTED_PACKED] = "undistributed_packed_shape",
		[LAYOUT_NESTED_DISTRIBUTED] = "distributed_shape",
		[LAYOUT_NESTED_DISTRIBUTED_UNPACKED] = "distributed_unpacked_shape",
	};
	unsigned capacity = 5 * layout_nested_rank(nested);
	int64_t *shape = calloc(capacity + 1, sizeof(*shape));

	for (unsigned i = 0; shape && i < sizeof(names) / sizeof(*names); i++) {
		fprintf(out, ", \"%s\": ", names[i]);
		json_ints(out, shape, layout_nested_shape(nested, i, shape, capacity));
	}
	free(shape);
}

/* {"sizes": [16, 2, 4], "results": [1, 3]}: the result that each dimension's id is. */
static void print_basis(FILE *out, layout_nested *nested, const char *name,
	layout_nested_ids ids)
{
	unsigned rank = layout_nested_rank(nested);
	int64_t *sizes = calloc(2 * rank + 1, sizeof(*sizes));
	unsigned *results = calloc(rank + 1, sizeof(*results));
	int count = sizes && results ?
		layout_nested_basis(nested, ids, sizes, results) : -1;

	fprintf(out, ", \"%s\": ", name);
	if (count < 0) {
		fputs("null", out);
	} else {
		fputs("{\"sizes\": ", out);
		json_ints(out, sizes, (unsigned)count);
		fputs(", \"results\": [", out);
		for (unsigned d = 0; d < rank; d++)
			fprintf(out, "%s%u", d ? ", " : "", results[d]);
		fputs("]}", out);
	}
	free(sizes);
	free(results);
}

void distribution_print(FILE *out, layout_context *ctx, layout_nested *nested)
{
	fprintf(out, ", \"threads\": %" PRId64, layout_nested_threads(nested));
	print_shapes(out, nested);
	print_basis(out, nested, "subgroup_basis", LAYOUT_NESTED_SUBGROUPS);
	print_basis(out, nested, "thread_basis", LAYOUT_NESTED_THREADS);
	layout_context_clear(ctx);
}
