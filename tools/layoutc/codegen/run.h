/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What runs of remaps and of programs share. */
#ifndef LAYOUTC_RUN_H
#define LAYOUTC_RUN_H

#include "layoutc/arrays.h"
#include "layoutc/subject.h"

#include <layout/codegen.h>

/* The GPU where none is named. */
#define USUAL_GPU "gfx942"

/* In the order of the words of --engine. */
enum engine { ENGINE_HOST, ENGINE_SIM, ENGINE_EVAL };

enum engine run_engine(const struct arguments *arguments);

/* The target to compile for; NULL after a complaint, with its status. */
const char *run_target(layout_context *ctx, const struct arguments *arguments,
	int *status);

/* Write the memories that have a path, and the statistics if they were asked for. */
int run_write(const struct arguments *arguments, struct memory *memories,
	const char *const *paths, unsigned count, const layout_sim_stats *stats);

int run_program(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments);

#endif
