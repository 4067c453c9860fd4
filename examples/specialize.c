/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One program on two devices: which kernels it needs once its encodings are resolved.
 *
 *	cc -std=c17 specialize.c $(pkg-config --cflags --libs layout) -o specialize
 *
 * device_a and device_b each encode a matrix with the same kernel, and multiply; the
 * last product, on device_b, takes the matrix that device_a has encoded. */
#include <layout/layout.h>

#include <stdio.h>

#define ENCODING(operand) \
	"#iree_encoding.encoding<operand_index = " operand " : index, op_type = matmul," \
	" element_types = [f16, f16, f32], user_indexing_maps =" \
	" [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>," \
	" affine_map<(m, n, k) -> (m, n)>], iteration_sizes = [?, ?, ?]>"

enum { SET_ENCODING_A, SET_ENCODING_B, MATMUL_A, MATMUL_B, MATMUL_B_OF_A, DISPATCHES };

static const char *const names[DISPATCHES] = {
	"set_encoding on device_a", "set_encoding on device_b", "matmul on device_a",
	"matmul on device_b", "matmul on device_b of device_a's lhs",
};

static void print_layouts(layout_specialization *program)
{
	layout_encoding *layout;

	for (unsigned i = 0; (layout = layout_specialization_layout(program, i)); i++) {
		char *text = layout_encoding_str(layout);

		printf("layout %u: %s\n", i, text ? text : "");
		layout_string_free(text);
	}
}

static void print_relayouts(layout_specialization *program)
{
	const layout_relayout *relayout;

	for (unsigned i = 0; (relayout = layout_specialization_relayout(program, i)); i++) {
		char *bytes = layout_storage_byte_count(
			layout_remap_destination(relayout->remap), "f16");

		printf("%s, before dispatch", relayout->name);
		for (unsigned k = 0; k < relayout->use_count; k++)
			printf(" %u", relayout->uses[k].dispatch);
		printf(": writes %s bytes\n", bytes ? bytes : "?");
		layout_string_free(bytes);
	}
}

static void print(layout_specialization *program)
{
	const layout_variant *variant;

	print_layouts(program);
	for (unsigned i = 0; i < DISPATCHES; i++)
		printf("%s launches %s\n", names[i],
			layout_specialization_variant_of(program, i)->name);
	for (unsigned i = 0; (variant = layout_specialization_variant(program, i)); i++)
		printf("generate %s for %s\n", variant->name, variant->processor);
	print_relayouts(program);
}

int main(void)
{
	layout_context *ctx = layout_context_new();
	const layout_tiling_target *device_a = layout_tiling_target_find(ctx, "gfx942");
	const layout_tiling_target *device_b = layout_tiling_target_find(ctx, "gfx1100");
	layout_operand *lhs = layout_operand_parse(ctx, ENCODING("0"));
	layout_operand *rhs = layout_operand_parse(ctx, ENCODING("1"));
	layout_operand *acc = layout_operand_parse(ctx, ENCODING("2"));
	const layout_dispatch_operand encode[] = { { 0 }, { .encoding = lhs } };
	const layout_dispatch_operand matmul[] = {
		{ .encoding = lhs },
		{ .encoding = rhs, .held = LAYOUT_HELD_ROW_MAJOR },
		{ .encoding = acc },
	};
	const layout_dispatch_operand matmul_of_a[] = {
		{ .encoding = lhs, .held = LAYOUT_HELD_FOR_TARGET, .holder = device_a },
		{ .encoding = rhs, .held = LAYOUT_HELD_ROW_MAJOR },
		{ .encoding = acc },
	};
	const layout_dispatch dispatches[DISPATCHES] = {
		[SET_ENCODING_A] = { "set_encoding", device_a, 2, encode },
		[SET_ENCODING_B] = { "set_encoding", device_b, 2, encode },
		[MATMUL_A] = { "matmul", device_a, 3, matmul },
		[MATMUL_B] = { "matmul", device_b, 3, matmul },
		[MATMUL_B_OF_A] = { "matmul", device_b, 3, matmul_of_a },
	};
	layout_specialization *program = lhs && rhs && acc ? layout_specialize(ctx,
		dispatches, DISPATCHES, LAYOUT_RESOLVER_DATA_TILING) : NULL;

	if (program)
		print(program);
	else
		fprintf(stderr, "specialize: %s\n", layout_context_message(ctx));
	layout_specialization_free(program);
	layout_operand_free(lhs);
	layout_operand_free(rhs);
	layout_operand_free(acc);
	layout_context_free(ctx);
	return !program;
}
