/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From an operand of a contraction and a target to the packed layout. */
#include "algebra/storage/element.h"
#include "algebra/storage/encoding.h"
#include "algebra/tiling/choice.h"
#include "algebra/tiling/cpu.h"
#include "algebra/tiling/explain.h"
#include "algebra/tiling/resolution.h"
#include "algebra/tiling/targets.h"
#include "isl_bridge/arithmetic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A resolution in the making. */
struct resolving {
	layout_operand *operand;
	layout_tiling_target target;
	layout_missing missing;
	struct tiling_contraction contraction;
	unsigned rank;			/* of the tensor */
	layout_resolution *result;
	struct layout_buffer why;
};

void layout_resolution_free(layout_resolution *resolution)
{
	if (!resolution)
		return;
	layout_encoding_free(resolution->encoding);
	free(resolution->instructions_of);
	free(resolution->instruction);
	free(resolution->note);
	free(resolution->explanation);
	free(resolution);
}

/* The encoding with those inner tiles, none with a swizzle, and the tensor's dimensions
 * in their order; any of them where it is not known how many there are. */
static bool set_plain(struct resolving *resolving, unsigned inner_count,
	const int64_t *inner_dims_pos, const int64_t *inner_tiles)
{
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	int64_t *outer = layout_alloc(resolving->operand->ctx, resolving->rank,
		sizeof(*outer));

	for (unsigned d = 0; outer && d < resolving->rank; d++)
		outer[d] = d;
	desc.inner_count = inner_count;
	desc.inner_dims_pos = inner_dims_pos;
	desc.inner_tiles = inner_tiles;
	desc.outer_count = resolving->rank;
	desc.outer_dims_perm = resolving->rank ? outer : NULL;
	resolving->result->encoding = outer ?
		layout_encoding_new(resolving->operand->ctx, &desc) : NULL;
	free(outer);
	return resolving->result->encoding;
}

static bool set_identity(struct resolving *resolving, const char *reason)
{
	explain_identity(&resolving->why, reason);
	resolving->result->note = layout_strdup(resolving->operand->ctx, reason);
	return resolving->result->note && set_plain(resolving, 0, NULL, NULL);
}

/* The width of an element before the bitcast, if there was one, and of a stored one. */
static bool find_widths(const layout_operand *operand, unsigned *original,
	unsigned *stored)
{
	const char *type = operand->stored_type ? operand->stored_type :
		operand->types[operand->index];
	const struct element_type *now = element_type_find(operand->ctx, type);
	const struct element_type *before = now && operand->original_type ?
		element_type_find(operand->ctx, operand->original_type) : now;

	if (!before)
		return false;
	*original = before->bits;
	*stored = now->bits;
	return true;
}

/* The last group that is one of the tensor's dimensions; their number where none is. */
static unsigned last_tiled(const struct resolving *resolving,
	const struct tile_swizzle *swizzle)
{
	for (unsigned group = swizzle->group_count; group--;)
		if (resolving->contraction.tensor_dims[swizzle->loops[group]] >= 0)
			return group;
	return swizzle->group_count;
}

static bool set_bitcast(struct resolving *resolving, struct tile_swizzle *swizzle)
{
	layout_resolution *result = resolving->result;
	unsigned original, stored;
	const char *why = "";
	int64_t common;

	if (!find_widths(resolving->operand, &original, &stored))
		return false;
	common = int_gcd(original, stored);
	result->bitcast = original / common;
	result->bitcast_of = stored / common;
	if (original == stored)
		return true;
	if (swizzle_bitcast(swizzle, last_tiled(resolving, swizzle), result->bitcast,
	    result->bitcast_of, &why)) {
		layout_buffer_printf(&resolving->why, "bitcast: %" PRId64
			" stored elements for %" PRId64 "\n", result->bitcast,
			result->bitcast_of);
		return true;
	}
	layout_fail(resolving->operand->ctx, LAYOUT_ERROR_UNSUPPORTED, -1,
		"the tile cannot be stored in elements of %u bits, bitcast from %u: %s",
		stored, original, why);
	return false;
}

/* Tiles, swizzle and the order of the outer dimensions. */
static bool set_encoding(struct resolving *resolving, const struct tile_swizzle *swizzle)
{
	const struct tiling_contraction *contraction = &resolving->contraction;
	int64_t inner[SWIZZLE_GROUPS], outer[TILING_LOOPS];
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	struct swizzle_lists lists;

	swizzle_describe(swizzle, &lists, &desc);
	for (unsigned group = 0; group < swizzle->group_count; group++) {
		layout_loop loop = swizzle->loops[group];

		inner[group] = contraction->tensor_dims[loop] < 0 ? LAYOUT_NO_DIM :
			contraction->tensor_dims[loop];
		resolving->result->inner[group] = loop;
	}
	for (unsigned loop = 0; loop < TILING_LOOPS; loop++)
		if (contraction->tensor_dims[loop] >= 0)
			outer[desc.outer_count++] = contraction->tensor_dims[loop];
	desc.inner_dims_pos = inner;
	desc.outer_dims_perm = outer;
	resolving->result->encoding = layout_encoding_new(resolving->operand->ctx, &desc);
	return resolving->result->encoding;
}

static bool set_instruction(struct resolving *resolving,
	const struct tiling_choice *choice)
{
	layout_resolution *result = resolving->result;

	result->wave_size = resolving->target.wave_size;
	result->mma = choice->mma;
	result->instruction = layout_strdup(result->ctx, choice->row->name);
	result->instructions_of = layout_strdup(result->ctx,
		resolving->target.instructions_of);
	result->mma.instruction = result->instruction;
	return result->instruction && result->instructions_of;
}

static bool resolve_tiles(struct resolving *resolving)
{
	const layout_operand *operand = resolving->operand;
	struct tiling_choice choice;
	struct tile_swizzle swizzle;

	if (!tiling_choose(operand, &resolving->contraction, &resolving->target,
			&resolving->why, &choice))
		return false;
	if (!choice.row)
		return set_identity(resolving, "no instruction takes these types");
	if (!set_instruction(resolving, &choice) ||
			!swizzle_of_mma(operand->ctx, choice.row, resolving->result->role,
				operand->index, &choice.mma, &swizzle))
		return false;
	explain_tile(&resolving->why, &swizzle, &resolving->contraction,
		resolving->missing);
	explain_unswizzled(&resolving->why, operand);
	for (unsigned loop = 0; loop < TILING_LOOPS; loop++)
		if (resolving->contraction.tensor_dims[loop] < 0 &&
		    !contraction_keeps(&resolving->contraction, loop,
			resolving->missing))
			swizzle_drop(&swizzle, loop);
	return set_bitcast(resolving, &swizzle) && set_encoding(resolving, &swizzle);
}

/* Why a CPU cannot tile the operand; NULL where it can, or where that is not "good": an
 * error. */
static const char *against_cpu(const struct resolving *resolving, bool *good)
{
	unsigned original, stored;

	*good = find_widths(resolving->operand, &original, &stored);
	if (resolving->operand->op_type != LAYOUT_MATMUL)
		return "no CPU's tiles are of scaled products";
	return original == stored ? NULL : "a bitcast tensor is not tiled for a CPU";
}

/* Swap the last two of a list. */
static void turn(int64_t *list, unsigned count)
{
	int64_t held = list[count - 1];

	list[count - 1] = list[count - 2];
	list[count - 2] = held;
}

/* The loops that the tensor has, in their order; those of the result the other way round
 * where it is turned. */
static bool set_cpu(struct resolving *resolving, const struct cpu_choice *choice)
{
	const struct tiling_contraction *contraction = &resolving->contraction;
	int64_t inner[TILING_LOOPS], tiles[TILING_LOOPS], outer[TILING_LOOPS];
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;

	for (unsigned loop = 0; loop < TILING_LOOPS; loop++) {
		if (contraction->tensor_dims[loop] < 0)
			continue;
		outer[desc.outer_count++] = contraction->tensor_dims[loop];
		if (loop == LAYOUT_LOOP_BATCH)
			continue;
		inner[desc.inner_count] = contraction->tensor_dims[loop];
		tiles[desc.inner_count++] = choice->tile[loop];
	}
	if (choice->turned && resolving->result->role == LAYOUT_MMA_ACC &&
	    desc.inner_count == 2) {
		turn(inner, desc.inner_count);
		turn(tiles, desc.inner_count);
		turn(outer, desc.outer_count);
	}
	desc.inner_dims_pos = inner;
	desc.inner_tiles = tiles;
	desc.outer_dims_perm = outer;
	resolving->result->encoding = layout_encoding_new(resolving->operand->ctx, &desc);
	return resolving->result->encoding;
}

static bool resolve_cpu(struct resolving *resolving)
{
	struct cpu_choice choice;
	bool good;
	const char *reason = against_cpu(resolving, &good);

	if (good && !reason)
		reason = cpu_choose(resolving->operand, &resolving->contraction,
			&resolving->target, &resolving->why, &choice);
	if (!good || reason)
		return good && set_identity(resolving, reason);
	return set_cpu(resolving, &choice);
}

/* The size of the tensor's innermost dimension; LAYOUT_DYNAMIC where it is not known. */
static int64_t row_length(const struct tiling_contraction *contraction)
{
	for (unsigned loop = 0; loop < TILING_LOOPS; loop++)
		if (contraction->tensor_dims[loop] == (int)contraction->rank - 1)
			return contraction->sizes[loop];
	return LAYOUT_DYNAMIC;
}

/* A row of "bytes" made whole cache lines, but not a multiple of "span", a line of every
 * set: then every row would begin in the same set. */
static bool pad_row(int64_t bytes, int64_t line, int64_t span, int64_t *padded)
{
	int64_t rest = bytes % line;

	if (__builtin_add_overflow(bytes, rest ? line - rest : 0, padded))
		return false;
	return *padded % span != 0 || !__builtin_add_overflow(*padded, line, padded);
}

/* Why rows are not padded; NULL where they can be. */
static const char *against_padding(const struct resolving *resolving, unsigned original,
	unsigned stored)
{
	if (!resolving->target.cache_line_bytes || !resolving->target.cache_sets)
		return "the target's cache is not known";
	if (original != stored)
		return "rows of a bitcast tensor are not padded";
	if (stored % 8)
		return "its elements are no whole bytes";
	if (resolving->target.cache_line_bytes % (stored / 8))
		return "a cache line holds no whole number of its elements";
	if (row_length(&resolving->contraction) == LAYOUT_DYNAMIC)
		return "the length of its rows is not known";
	return NULL;
}

/* Always false. */
static bool fail_row(layout_context *ctx, int64_t length)
{
	layout_fail(ctx, LAYOUT_ERROR_OVERFLOW, -1,
		"the bytes of a row of %" PRId64 " elements do not fit 64 bits", length);
	return false;
}

static bool resolve_padding(struct resolving *resolving)
{
	int64_t line = resolving->target.cache_line_bytes, padded, bytes, span;
	int64_t sets = resolving->target.cache_sets, dim = resolving->rank - 1;
	int64_t length = row_length(&resolving->contraction);
	unsigned original, stored;
	const char *reason;

	if (!find_widths(resolving->operand, &original, &stored))
		return false;
	reason = against_padding(resolving, original, stored);
	if (reason)
		return set_identity(resolving, reason);
	layout_buffer_printf(&resolving->why, "rows of %" PRId64 " elements of %u bytes, "
		"cache lines of %" PRId64 " bytes in %" PRId64 " sets\n", length,
		stored / 8, line, sets);
	if (__builtin_mul_overflow(length, stored / 8, &bytes))
		return fail_row(resolving->operand->ctx, length);
	if (__builtin_mul_overflow(line, sets, &span) || bytes < span)
		return set_identity(resolving, "its rows do not fill all sets");
	if (!pad_row(bytes, line, span, &padded))
		return fail_row(resolving->operand->ctx, length);
	if (padded == bytes)
		return set_identity(resolving, "its rows begin in different sets");
	layout_buffer_printf(&resolving->why, "rows are padded to %" PRId64 " bytes\n",
		padded);
	padded /= stored / 8;
	return set_plain(resolving, 1, &dim, &padded);
}

/* As the target's own resolver says. */
static bool resolve_own(struct resolving *resolving)
{
	const layout_tiling_target *target = &resolving->target;
	layout_context *ctx = resolving->operand->ctx;
	layout_encoding_desc desc = LAYOUT_ENCODING_DESC_INIT;
	layout_encoding *encoding;

	layout_context_clear(ctx);
	encoding = target->resolver(resolving->operand, target->resolver_data);
	if (!encoding)
		return layout_context_error(ctx) == LAYOUT_ERROR_NONE &&
			set_identity(resolving, "the target's own resolver leaves it");
	resolving->result->encoding = encoding;
	layout_encoding_describe(encoding, &desc);
	if (encoding->ctx != ctx) {
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "an encoding of another context");
		return false;
	}
	if (desc.outer_count == resolving->rank)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "the resolver of %.40s gave an encoding of "
		"rank %u, the tensor has %u", target->name, desc.outer_count, resolving->rank);
	return false;
}

static bool resolve(struct resolving *resolving, layout_resolver resolver)
{
	const char *why = "";
	bool found;

	if (resolving->operand->resolved) {
		layout_buffer_printf(&resolving->why, "the operand has been resolved\n");
		resolving->result->encoding =
			layout_encoding_copy(resolving->operand->resolved);
		return resolving->result->encoding;
	}
	found = operand_contraction(resolving->operand, &resolving->contraction,
		&why);
	explain_question(&resolving->why, resolving->operand,
		found ? &resolving->contraction : NULL, &resolving->target);
	if (resolver == LAYOUT_RESOLVER_NONE)
		return set_identity(resolving, "no resolver was asked for");
	if (!found)
		return set_identity(resolving, why);
	if (resolver == LAYOUT_RESOLVER_PAD)
		return resolve_padding(resolving);
	if (resolving->target.resolver)
		return resolve_own(resolving);
	return resolving->target.features ? resolve_cpu(resolving) :
		resolve_tiles(resolving);
}

static bool check_options(layout_context *ctx, const layout_resolve_options *options)
{
	if ((unsigned)options->resolver > LAYOUT_RESOLVER_NONE)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1, "there is no resolver %d",
			(int)options->resolver);
	else if ((unsigned)options->missing > LAYOUT_MISSING_DROP)
		layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
			"there is no way %d to tile a missing loop",
			(int)options->missing);
	else
		return true;
	return false;
}

layout_resolution *layout_encoding_resolve(layout_operand *operand,
	const layout_tiling_target *target, layout_resolver resolver)
{
	layout_resolve_options options = LAYOUT_RESOLVE_OPTIONS_INIT;

	options.resolver = resolver;
	return layout_encoding_resolve_as(operand, target, &options);
}

/* The options may be an older caller's, which lack the last fields. */
layout_resolution *layout_encoding_resolve_as(layout_operand *operand,
	const layout_tiling_target *target, const layout_resolve_options *options)
{
	layout_resolve_options own = LAYOUT_RESOLVE_OPTIONS_INIT;
	struct resolving resolving = { .operand = operand };
	layout_resolution *result;
	bool good;

	if (!operand || !layout_given(operand->ctx, options, "options"))
		return NULL;
	memcpy(&own, options, options->size < sizeof(own) ? options->size : sizeof(own));
	if (!check_options(operand->ctx, &own) ||
			!tiling_target_check(operand->ctx, target, &resolving.target))
		return NULL;
	resolving.missing = own.missing;
	result = layout_alloc(operand->ctx, 1, sizeof(*result));
	if (!result)
		return NULL;
	*result = (layout_resolution){ .ctx = operand->ctx, .role = operand_role(operand),
		.bitcast = 1, .bitcast_of = 1 };
	resolving.result = result;
	resolving.rank = layout_operand_rank(operand);
	good = resolve(&resolving, own.resolver);
	result->explanation = layout_buffer_take(operand->ctx, &resolving.why);
	if (good && result->explanation)
		return result;
	layout_resolution_free(result);
	return NULL;
}

layout_encoding *layout_resolution_encoding(layout_resolution *resolution)
{
	return resolution ? layout_encoding_copy(resolution->encoding) : NULL;
}

const layout_tiled_mma *layout_resolution_mma(layout_resolution *resolution)
{
	return resolution && resolution->instruction ? &resolution->mma : NULL;
}

const char *layout_resolution_note(layout_resolution *resolution)
{
	return resolution ? resolution->note : NULL;
}

char *layout_resolution_explain(layout_resolution *resolution)
{
	return resolution ?
		layout_strdup(resolution->ctx, resolution->explanation) : NULL;
}
