/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What isl may spend, in operations, on one thing that has an alternative: see
 * bridge_begin_attempt().  The quota of a context bounds all of these, too. */
#ifndef LAYOUT_BRIDGE_BUDGET_H
#define LAYOUT_BRIDGE_BUDGET_H

enum budget {
	/* Another algorithm decides, which asks isl nothing: one that does is given up. */
	BUDGET_NONE = 1,

	/* A glance at a map, which is asked of most relations. */
	BUDGET_GLANCE = 2000,

	/* The least counter-example, where any one will do. */
	BUDGET_LEAST_WITNESS = 10000,

	/* A set, bounds or a difference before functions, periods or points are looked at:
	 * those take as long as this. */
	BUDGET_SETS = 20000,
	BUDGET_BOUNDS = 20000,
	BUDGET_COMPARE = 20000,

	/* A function read piece by piece, before its points are. */
	BUDGET_READ_FUNCTION = 20000,

	/* A call for a notation that a relation is shown in. */
	BUDGET_SHOW = 20000,

	/* A map reversed: isl may take long where following it forth takes nothing; and
	 * where it cannot be followed. */
	BUDGET_REVERSE = 20000,
	BUDGET_ONLY_REVERSE = 200000,

	/* A function known by construction, kept in a result; that can do without. */
	BUDGET_FOLLOW = 50000,

	/* A domain as a box, as a whole. */
	BUDGET_BOX = 100000,

	/* The start of a scan; what it then goes through is counted in points. */
	BUDGET_SCAN = 100000,

	/* The way of a remap forth, and the boxes of indices that no element goes to. */
	BUDGET_FORTH = 200000,

	/* Fewer pieces that are proved the same; else they stay as they are. */
	BUDGET_COALESCE = 200000,

	/* The function behind a relation that is printed; else it is printed as isl does. */
	BUDGET_PRINT = 200000,

	/* Another way to count, which may be the shorter one. */
	BUDGET_COUNT_ANOTHER_WAY = 200000,

	/* Digits of a remap: that is arithmetic, and isl is asked about sizes only. */
	BUDGET_DIGITS = 300000,

	/* From one point of a list to the next. */
	BUDGET_NEXT_POINT = 500000,
};

/* Of text, by the byte, beyond the default quota: ordinary text takes less to read. */
#define BUDGET_PER_BYTE 100ul

#endif
