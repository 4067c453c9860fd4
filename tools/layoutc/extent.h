/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shape, size and cosize of a value, as members of a JSON object: , "shape": .., "size": ..,
 * "cosize": .. as far as the notation has them, numbers, or strings with the names of sizes.
 * What fails is left out, and its error with the context. */
#ifndef LAYOUTC_EXTENT_H
#define LAYOUTC_EXTENT_H

#include "layoutc/subject.h"

void extent_chain(FILE *out, layout_value *value, const struct arguments *arguments);
void extent_cute(FILE *out, layout_value *value, const struct arguments *arguments);
void extent_linear(FILE *out, layout_value *value, const struct arguments *arguments);
void extent_mma(FILE *out, layout_value *value, const struct arguments *arguments);
void extent_nested(FILE *out, layout_value *value, const struct arguments *arguments);
void extent_remap(FILE *out, layout_value *value, const struct arguments *arguments);
void extent_storage(FILE *out, layout_value *value, const struct arguments *arguments);
void extent_swizzle(FILE *out, layout_value *value, const struct arguments *arguments);

#endif
