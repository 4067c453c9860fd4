/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rows of one instruction for inputs of 8, 6 and 4 bits.  Its assembler says the
 * formats by modifiers; here they are behind the name, the lhs's first.  The bare name
 * is what it is without modifiers. */
#ifndef LAYOUT_AMDGPU_F8F6F4_H
#define LAYOUT_AMDGPU_F8F6F4_H

#define F8F6F4_ROW(name, also, targets, shape, lhs, rhs) \
	{ "v_" name, { also }, targets, &shape, { lhs, rhs, "f32" } }
#define F8F6F4(name, targets, shape) \
	F8F6F4_ROW(name, "v_" name "_f8_f8", targets, shape##_f8_f8, "f8", "f8"), \
	F8F6F4_ROW(name "_f8_f6", NULL, targets, shape##_f8_f4, "f8", "f6"), \
	F8F6F4_ROW(name "_f8_f4", NULL, targets, shape##_f8_f4, "f8", "f4"), \
	F8F6F4_ROW(name "_f6_f8", NULL, targets, shape##_f4_f8, "f6", "f8"), \
	F8F6F4_ROW(name "_f6_f6", NULL, targets, shape##_f4_f4, "f6", "f6"), \
	F8F6F4_ROW(name "_f6_f4", NULL, targets, shape##_f4_f4, "f6", "f4"), \
	F8F6F4_ROW(name "_f4_f8", NULL, targets, shape##_f4_f8, "f4", "f8"), \
	F8F6F4_ROW(name "_f4_f6", NULL, targets, shape##_f4_f4, "f4", "f6"), \
	F8F6F4_ROW(name "_f4_f4", NULL, targets, shape##_f4_f4, "f4", "f4")

#endif
