/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The colors of all pictures: one ramp, from dark violet to light yellow.
 *
 * Its luminance only grows, so that the order of two colors is seen by whoever confuses
 * hues, and in print; and black or white is legible on each. */
#ifndef LAYOUT_SHOW_PALETTE_H
#define LAYOUT_SHOW_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#define SHOW_COLORS 64

/* The color as 0xrrggbb, and whether white is more legible on it than black. */
unsigned show_palette_rgb(unsigned color);
bool show_palette_is_dark(unsigned color);

/* The color of "id" out of "count" ids, which take the whole ramp. */
unsigned show_palette_of(int64_t id, int64_t count);

#endif
