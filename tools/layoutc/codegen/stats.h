/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a simulated run counted, as a table or as JSON. */
#ifndef LAYOUTC_STATS_H
#define LAYOUTC_STATS_H

#include <layout/codegen.h>
#include <stdio.h>

void stats_print(FILE *out, const layout_sim_stats *stats);
void stats_print_json(FILE *out, const layout_sim_stats *stats);

#endif
