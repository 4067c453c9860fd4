/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Propagation: an encoding pushed through an operation that uses the encoded tensor,
 * so that the operation runs on packed tensors and nothing is unpacked in between. */
#ifndef LAYOUT_PROPAGATE_H
#define LAYOUT_PROPAGATE_H

#include <layout/encoding.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An operation by how its loops index its operands: elementwise, a transpose, a
 * broadcast, a reduction.
 *
 *	maps	one an operand, "affine_map<(d0, d1) -> (d1)>"
 *	encoded	the operand that the encoding is on
 *	outputs	which operands are written; NULL: the last one */
typedef struct {
	size_t size;			/* sizeof(layout_user_desc) */
	unsigned operand_count;
	const char *const *maps;
	unsigned encoded;
	const bool *outputs;
} layout_user_desc;
#define LAYOUT_USER_DESC_INIT LAYOUT_INIT(layout_user_desc)

/* The operation on packed tensors.  Its loops are those that the encoded operand does
 * not index, the outer dimensions of that operand as it is packed, and its inner ones. */
typedef struct layout_propagation layout_propagation;

/* LAYOUT_ERROR_NO_ANSWER, with the reason, where a loop that is tiled is mixed with
 * others in a dimension of some operand, or indexes two, or is summed over: that would
 * take the padding in. */
LAYOUT_API LAYOUT_GIVE layout_propagation *layout_encoding_propagate(
	LAYOUT_KEEP layout_encoding *encoding, const layout_user_desc *user);

/* The same of an operation as MLIR prints it, with the definitions of its maps before it:
 *
 *	#map = affine_map<(d0, d1) -> (d0, d1)>
 *	%1 = linalg.generic {indexing_maps = [#map, #map], ..} ins(%a : ..) outs(%b : ..)
 *
 * or of a list of maps, "[affine_map<..>, #map]", whose last operand is the one that is
 * written.  What is computed is not looked at. */
LAYOUT_API LAYOUT_GIVE layout_propagation *layout_encoding_propagate_text(
	LAYOUT_KEEP layout_encoding *encoding, const char *operation, unsigned encoded);
LAYOUT_API void layout_propagation_free(LAYOUT_TAKE layout_propagation *propagation);

/* The operands of the operation, and its loops on packed tensors. */
LAYOUT_API unsigned layout_propagation_operands(LAYOUT_KEEP layout_propagation *propagation);
LAYOUT_API unsigned layout_propagation_loops(LAYOUT_KEEP layout_propagation *propagation);

/* The encoding of operand i, the projection of the one that came in: without tiles where
 * the operand indexes no loop that is tiled, and then it stays as it is. */
LAYOUT_API LAYOUT_GIVE layout_encoding *layout_propagation_encoding(
	LAYOUT_KEEP layout_propagation *propagation, unsigned i);

/* { loops of the packed operation -> packed dimensions of operand i }, and
 * { loops of the packed operation -> loops }: what each index of the operation becomes,
 * padding included.  layout_relation_affine_map_str() prints both. */
LAYOUT_API LAYOUT_GIVE layout_relation *layout_propagation_map(
	LAYOUT_KEEP layout_propagation *propagation, unsigned i);
LAYOUT_API LAYOUT_GIVE layout_relation *layout_propagation_index(
	LAYOUT_KEEP layout_propagation *propagation);

#ifdef __cplusplus
}
#endif

#endif
