/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CuTe operations as relations, for where no layout is the result. */
#ifndef LAYOUT_TEXT_CUTE_MAP_H
#define LAYOUT_TEXT_CUTE_MAP_H

#include "text/notations.h"

/* All keep their arguments.  NULL, with an error on the context or none, where the map
 * is not defined either. */
layout_relation *cute_map_compose(layout_cute *outer, layout_cute *inner);
layout_relation *cute_map_compose_by(layout_cute *outer, const struct text_tiler *tiler);
layout_relation *cute_map_divide(layout_cute *cute, layout_cute *tiler);

/* The tiles as a tiler of their own. */
bool cute_map_copy_tiler(struct text_tiler *copy, const struct text_tiler *tiler);

#endif
