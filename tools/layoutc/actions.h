/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What commands do with a subject, which the prompt does, too; each returns the exit
 * status. */
#ifndef LAYOUTC_ACTIONS_H
#define LAYOUTC_ACTIONS_H

#include "layoutc/subject.h"

int eval_subject(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments);
int show_subject(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments);
int check_subject(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments);

#endif
