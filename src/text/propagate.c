/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The maps of an operation, read for its propagation. */
#include "text/kind.h"

#include "algebra/tiling/propagate.h"

#include <stdlib.h>
#include <string.h>

static bool user_given(layout_context *ctx, const layout_user_desc *user)
{
	if (!layout_given(ctx, user->operand_count, "operand") ||
			!layout_given(ctx, user->maps, "list of maps"))
		return false;
	if (user->encoded < user->operand_count)
		return true;
	layout_fail(ctx, LAYOUT_ERROR_INVALID, -1,
		"operand %u has the encoding, but there are only %u", user->encoded,
		user->operand_count);
	return false;
}

/* The description may be an older caller's, which lacks the last fields. */
layout_propagation *layout_encoding_propagate(layout_encoding *encoding,
	const layout_user_desc *user)
{
	layout_user_desc own = LAYOUT_USER_DESC_INIT;
	layout_propagation *propagation = NULL;
	layout_relation **maps;
	unsigned read = 0;

	if (!encoding ||
	    !layout_given(encoding->ctx, user, "description of an operation"))
		return NULL;
	memcpy(&own, user, user->size < sizeof(own) ? user->size : sizeof(own));
	if (!user_given(encoding->ctx, &own))
		return NULL;
	maps = layout_alloc(encoding->ctx, own.operand_count, sizeof(*maps));
	while (maps && read < own.operand_count && (maps[read] =
			text_parse(encoding->ctx, own.maps[read], &kind_affine_map)))
		read++;
	if (maps && read == own.operand_count)
		propagation = propagate_maps(encoding, &own, maps);
	while (read)
		layout_relation_free(maps[--read]);
	free(maps);
	return propagation;
}
