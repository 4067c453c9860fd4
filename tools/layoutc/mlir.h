/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A value as MLIR prints it, --direction and --type taken into account; a text to be freed,
 * NULL with the error on the context. */
#ifndef LAYOUTC_MLIR_H
#define LAYOUTC_MLIR_H

#include "layoutc/subject.h"

/* The body of map_store or map_load. */
char *mlir_chain(layout_value *value, const struct arguments *arguments);

/* The same of a remap, which is loaded unless said otherwise: that pads. */
char *mlir_remap(layout_value *value, const struct arguments *arguments);

/* The ids and coordinates of a nested layout; the map where its threads have no such ids. */
char *mlir_nested(layout_value *value, const struct arguments *arguments);

#endif
