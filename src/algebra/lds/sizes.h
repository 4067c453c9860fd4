/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sizes of the LDS, by family of targets: bytes for one workgroup, and banks. */
#ifndef LAYOUT_ALGEBRA_LDS_SIZES_H
#define LAYOUT_ALGEBRA_LDS_SIZES_H

#define LDS_SIZE_GFX9 65536, 32
#define LDS_SIZE_GFX950 163840, 64
#define LDS_SIZE_GFX11 65536, 32
#define LDS_SIZE_GFX12 65536, 32
#define LDS_SIZE_GFX1250 327680, 64

#endif
