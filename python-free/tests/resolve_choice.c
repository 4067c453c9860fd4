/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The choice of the instruction and of the tile, on random problems and targets, against
 * the published rules written out. */
#include "support/random.h"
#include <layout/layout.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANDOM_PROBLEMS 3000

#define MATMUL "[affine_map<(d0, d1, d2) -> (d0, d2)>, " \
	"affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]"

/* The instructions of f16 on gfx942 with what a lane holds, for the model. */
struct model_instruction {
	const char *name;
	double m, n, k, inputs, acc;
};

static const struct model_instruction model_instructions[] = {
	{ "MFMA_F32_16x16x16_F16", 16, 16, 16, 64, 128 },
	{ "MFMA_F32_32x32x8_F16", 32, 32, 8, 64, 512 },
};

struct problem {
	double m, n;			/* -1: not known */
	double load, vgprs, lds, simds, processors;
	double instruction;		/* 0, 1, or 2 for both */
};

/* Division as C++ has it, to zero; and the largest power of two not above x >= 1. */
static double quotient(double a, double b)
{
	return (double)(int64_t)(a / b);
}

static double power2(double x)
{
	double power = 1;

	while (2 * power <= x)
		power *= 2;
	return power;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static double up(double a, double b)
{
	return quotient(a + b - 1, b);
}

/* The published rules in floating point: M, N and K of intrinsics and subgroups; false
 * where a single intrinsic does not fit. */
static bool model(const struct problem *p, const struct model_instruction *in,
	double im[3], double sg[3])
{
	double ik = quotient(p->load, in->inputs), infinite = 1e15, best = 0.5;
	double most_m, most_n, most, tm = 1, tn = 1;

	ik = ik < 1 ? 1 : ik;
	most_m = p->m < 0 ? infinite : up(p->m, in->m);
	most_n = p->n < 0 ? infinite : up(p->n, in->n);
	most = p->m < 0 || p->n < 0 ? infinite :
		up(p->m * p->n, (p->processors ? p->processors : 512) * in->m * in->n);
	if (2 * ik * in->inputs + in->acc > p->vgprs || 2 * ik * in->inputs > p->lds * 8)
		return false;
	for (double m = 1; m <= most_m; m *= 2) {
		double n = smaller(smaller(
			quotient(p->vgprs - m * ik * in->inputs, ik * in->inputs +
				m * in->acc),
			quotient(p->lds * 8 - m * ik * in->inputs, ik * in->inputs)),
			smaller(most_n, quotient(most, m)));

		if (n < 1)
			break;
		n = power2(n);
		if (m * n / (m + n) > best) {
			best = m * n / (m + n);
			tm = m;
			tn = n;
		}
	}
	for (unsigned i = 0; i < 3; i++)
		im[i] = sg[i] = 1;
	im[2] = ik;
	best = 0.5;
	for (double s = 1; s <= smaller(p->simds, tm); s *= 2) {
		double sn = power2(smaller(quotient(p->simds, s), tn));
		double m = tm / s, n = tn / sn;

		if (m * n / (m + n) <= best)
			continue;
		best = m * n / (m + n);
		im[0] = m;
		im[1] = n;
		sg[0] = s;
		sg[1] = sn;
	}
	return true;
}

static double random_size(uint64_t *seed)
{
	return random_below(seed, 3) ? (double)random_below(seed, 1u <<
		random_below(seed, 20)) : -1;
}

static struct problem random_problem(uint64_t *seed)
{
	return (struct problem){
		.m = random_size(seed), .n = random_size(seed),
		.load = 16u << random_below(seed, 7),
		.vgprs = random_below(seed, 1u << (8 + random_below(seed, 10))),
		.lds = random_below(seed, 1u << (4 + random_below(seed, 14))),
		.simds = 1 + random_below(seed, 12),
		.processors = random_below(seed, 2) ? random_below(seed, 600) : 0,
		.instruction = random_below(seed, 3),
	};
}

static layout_operand *problem_operand(layout_context *ctx, const struct problem *p)
{
	char m[24] = "?", n[24] = "?", text[400];

	if (p->m >= 0)
		snprintf(m, sizeof(m), "%.0f", p->m);
	if (p->n >= 0)
		snprintf(n, sizeof(n), "%.0f", p->n);
	snprintf(text, sizeof(text), "encoding<operand_index = 0, op_type = matmul, "
		"element_types = [f16, f16, f32], user_indexing_maps = " MATMUL ", "
		"iteration_sizes = [%s, %s, ?]>", m, n);
	return layout_operand_parse(ctx, text);
}

static void check_problem(layout_context *ctx, const struct problem *p)
{
	unsigned which = (unsigned)p->instruction;
	const char *list[3] = { model_instructions[which % 2].name, which == 2 ?
		model_instructions[1].name : NULL, NULL };
	const struct model_instruction *in = &model_instructions[which % 2];
	layout_tiling_target target = *layout_tiling_target_find(ctx, "gfx942");
	layout_operand *operand = problem_operand(ctx, p);
	layout_resolution *resolution;
	const layout_tiled_mma *mma;
	double im[3], sg[3];

	target.max_load_bits = (unsigned)p->load;
	target.vgpr_bits = (unsigned)p->vgprs;
	target.lds_bytes = (unsigned)p->lds;
	target.simds = (unsigned)p->simds;
	target.processors = (unsigned)p->processors;
	target.instructions = list;
	resolution = layout_encoding_resolve(operand, &target,
		LAYOUT_RESOLVER_DATA_TILING);
	mma = layout_resolution_mma(resolution);
	if (!model(p, in, im, sg)) {
		assert_null(resolution);
		assert_int_equal(layout_context_error(ctx), LAYOUT_ERROR_UNSUPPORTED);
		layout_context_clear(ctx);
	} else if (!mma || strcmp(mma->instruction, in->name) ||
			mma->intrinsics_m != im[0] || mma->intrinsics_n != im[1] ||
			mma->intrinsics_k != im[2] || mma->subgroups_m != sg[0] ||
			mma->subgroups_n != sg[1] || mma->subgroups_k != 1) {
		print_error("%s, intrinsics %g %g %g, subgroups %g %g wanted, found:\n%s",
			in->name, im[0], im[1], im[2], sg[0], sg[1], resolution ?
			layout_resolution_explain(resolution) :
			layout_context_message(ctx));
		fail_msg("%g x %g, load %g, vgprs %g, lds %g, simds %g, processors %g",
			p->m, p->n, p->load, p->vgprs, p->lds, p->simds, p->processors);
	}
	layout_resolution_free(resolution);
	layout_operand_free(operand);
}

static void test_random_choice(void **state)
{
	uint64_t seed = random_seed();
	layout_context *ctx = layout_context_new();

	(void)state;
	for (unsigned i = 0; i < RANDOM_PROBLEMS; i++) {
		struct problem problem = random_problem(&seed);

		check_problem(ctx, &problem);
	}
	layout_context_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_choice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
