/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "show/palette.h"

/* Lightness 0.40 .. 0.93 and hue 295 .. 90 of OKLCH in even steps, as colorful as sRGB
 * allows. */
static const unsigned ramp[SHOW_COLORS] = {
	0x4f3288, 0x4e368d, 0x4c3a91, 0x4a3e95, 0x484299, 0x45469d, 0x424aa0, 0x3f4ea3,
	0x3b52a6, 0x3756a9, 0x325aac, 0x2c5fae, 0x2563b0, 0x1c67b2, 0x186bb0, 0x1c6fad,
	0x1c73ab, 0x1e77aa, 0x1f7aa9, 0x217ea8, 0x2081a8, 0x2185a7, 0x2388a7, 0x228ca7,
	0x258fa7, 0x2592a7, 0x2695a6, 0x2899a6, 0x279ca6, 0x2a9fa6, 0x2aa3a5, 0x2ba6a5,
	0x2ca9a4, 0x2aada3, 0x2eb0a2, 0x2fb3a1, 0x30b79f, 0x2fbb9d, 0x30be9a, 0x32c297,
	0x3ac594, 0x47c791, 0x53c98e, 0x5ecb8a, 0x69cd87, 0x73cf84, 0x7dd181, 0x86d37f,
	0x90d47c, 0x99d679, 0xa2d777, 0xabd874, 0xb4da72, 0xbcdb70, 0xc5dc6f, 0xcddd6d,
	0xd6de6c, 0xdedf6c, 0xe6e06c, 0xeee16c, 0xf5e16d, 0xfde271, 0xfde492, 0xfde6aa,
};

/* The first color on which black has the higher contrast. */
#define FIRST_LIGHT 19

unsigned show_palette_rgb(unsigned color)
{
	return ramp[color % SHOW_COLORS];
}

bool show_palette_is_dark(unsigned color)
{
	return color % SHOW_COLORS < FIRST_LIGHT;
}

unsigned show_palette_of(int64_t id, int64_t count)
{
	if (id < 0 || count <= 1)
		return SHOW_COLORS / 2;
	if (id >= count)
		return SHOW_COLORS - 1;
	return (unsigned)((double)id * (SHOW_COLORS - 1) / (double)(count - 1));
}
