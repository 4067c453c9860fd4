/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The AMDGPU targets: a new one is a row and what the tests say about it. */
#include "algebra/lds/sizes.h"
#include "amdgpu/amdgpu.h"

/* Name, processor; lanes of a wave, and are they the default; bytes and banks of
 * the LDS; bytes of the widest load, and of the loads that go to the LDS directly.
 *
 * The name is the processor's, with ":waveN" where N is not the default.  gfx1250
 * has no wave64.
 *
 * The loads to the LDS are those that LLVM 22 assembles: on gfx9 "buffer_load_.. lds"
 * and "global_load_lds_..", a dword also where one or two bytes are loaded; none on
 * gfx11, gfx1200 and gfx1201; on gfx1250 "global_load_async_to_lds_b8" to "_b128", which
 * put each lane's where it says. */
static const layout_target rows[] = {
	{ "gfx908", "gfx908", 64, true, LDS_SIZE_GFX9, 16, { 4 } },
	{ "gfx90a", "gfx90a", 64, true, LDS_SIZE_GFX9, 16, { 4 } },
	{ "gfx942", "gfx942", 64, true, LDS_SIZE_GFX9, 16, { 4 } },
	{ "gfx950", "gfx950", 64, true, LDS_SIZE_GFX950, 16, { 4, 12, 16 } },
	{ "gfx1100", "gfx1100", 32, true, LDS_SIZE_GFX11, 16, { 0 } },
	{ "gfx1100:wave64", "gfx1100", 64, false, LDS_SIZE_GFX11, 16, { 0 } },
	{ "gfx1200", "gfx1200", 32, true, LDS_SIZE_GFX12, 16, { 0 } },
	{ "gfx1200:wave64", "gfx1200", 64, false, LDS_SIZE_GFX12, 16, { 0 } },
	{ "gfx1201", "gfx1201", 32, true, LDS_SIZE_GFX12, 16, { 0 } },
	{ "gfx1201:wave64", "gfx1201", 64, false, LDS_SIZE_GFX12, 16, { 0 } },
	{ "gfx1250", "gfx1250", 32, true, LDS_SIZE_GFX1250, 16,
		{ 1, 4, 8, 16 } },
};

const layout_target *amdgpu_row(unsigned i)
{
	return i < sizeof(rows) / sizeof(rows[0]) ? &rows[i] : NULL;
}
