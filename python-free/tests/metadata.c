/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What code objects say about themselves, read back.  Of NVIDIA's chips there are none: what PTX
 * says is in the test `ptxas`. */
#include "support/elf_reader.h"
#include "support/msgpack.h"
#include "support/share.h"

#include <layout/codegen.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define NT_AMDGPU_METADATA 32
#define NT_LIBLAYOUT 1

/* Values of e_ident[EI_ABIVERSION] for code object versions 5 and 6. */
#define ABI_V5 3
#define ABI_V6 4

static const struct {
	const char *source, *destination;
	const char *sizes[4];
	bool several;			/* shapes */
} remaps[] = {
	{ "row_major[M, K]", "packed(encoding_info<{innerDimsPos = [0, 1], "
		"innerTileSizes = [128, 16], outerDimsPerm = [0, 1]}>, [M, K])",
		{ "M", "K" }, true },
	{ "row_major[4, 5]", "col_major[4, 5]", { NULL }, false },
	{ "strided[source, N : S, 1]", "row_major[source, N]", { "source", "N", "S" }, true },
};
#define REMAP_COUNT (sizeof(remaps) / sizeof(remaps[0]))

static layout_kernel *kernel_of(layout_context *ctx, unsigned remap, const char *target,
	unsigned code_object)
{
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;
	layout_remap *parsed = layout_remap_new(
		layout_storage_parse(ctx, remaps[remap].source),
		layout_storage_parse(ctx, remaps[remap].destination), "f32", NULL);
	layout_kernel *kernel;

	options.name = "copy_me";
	options.code_object = code_object;
	kernel = layout_kernel_new(parsed, target, &options);
	layout_remap_free(parsed);
	if (!kernel)
		fail_msg("%s", layout_context_message(ctx));
	return kernel;
}

static void check_symbols(struct bytes file)
{
	const Elf64_Sym *code = elf_symbol(file, "copy_me");
	const Elf64_Sym *descriptor = elf_symbol(file, "copy_me.kd");

	assert_non_null(code);
	assert_int_equal(ELF64_ST_TYPE(code->st_info), STT_FUNC);
	assert_true(code->st_size > 0);
	assert_non_null(descriptor);
	assert_int_equal(ELF64_ST_TYPE(descriptor->st_info), STT_OBJECT);
	assert_int_equal(descriptor->st_size, 64);
}

static int64_t number_of(struct msgpack map, const char *key)
{
	return msgpack_int(msgpack_get(map, key));
}

/* An argument of 8 bytes; a NULL name is any. */
static void check_arg(struct msgpack args, unsigned i, const char *name, const char *kind)
{
	struct msgpack arg = msgpack_at(args, i);

	if (name)
		assert_true(msgpack_is(msgpack_get(arg, ".name"), name));
	assert_true(msgpack_is(msgpack_get(arg, ".value_kind"), kind));
	assert_int_equal(number_of(arg, ".size"), 8);
	assert_int_equal(number_of(arg, ".offset"), 8 * i);
}

static void check_args(struct msgpack kernel, const char *const *sizes)
{
	struct msgpack args = msgpack_get(kernel, ".args");
	unsigned count = 2;

	check_arg(args, 0, NULL, "global_buffer");
	check_arg(args, 1, "destination", "global_buffer");
	for (; sizes[count - 2]; count++)
		check_arg(args, count, sizes[count - 2], "by_value");
	assert_int_equal(msgpack_count(args), count);
	assert_int_equal(number_of(kernel, ".kernarg_segment_size"), 8 * count);
}

static void check_launch(struct msgpack kernel, unsigned wave_size, int lanes)
{
	struct msgpack workgroup = msgpack_get(kernel, ".reqd_workgroup_size");

	assert_true(msgpack_is(msgpack_get(kernel, ".name"), "copy_me"));
	assert_true(msgpack_is(msgpack_get(kernel, ".symbol"), "copy_me.kd"));
	assert_int_equal(number_of(kernel, ".wavefront_size"), wave_size);
	assert_int_equal(number_of(kernel, ".max_flat_workgroup_size"), lanes);
	assert_int_equal(number_of(kernel, ".uniform_work_group_size"), 1);
	assert_int_equal(number_of(kernel, ".group_segment_fixed_size"), 0);
	assert_int_equal(number_of(kernel, ".private_segment_fixed_size"), 0);
	assert_int_equal(msgpack_int(msgpack_at(workgroup, 0)), lanes);
	assert_int_equal(msgpack_int(msgpack_at(workgroup, 1)), 1);
	assert_int_equal(msgpack_int(msgpack_at(workgroup, 2)), 1);
}

static void check_metadata(struct bytes file, unsigned remap, const layout_target *target,
	int lanes, unsigned shapes)
{
	struct bytes note = elf_note(elf_section(file, ".note"), "AMDGPU",
		NT_AMDGPU_METADATA);
	struct msgpack root = { note.at, note.at + note.size };
	struct msgpack kernels = msgpack_get(root, "amdhsa.kernels");
	char is[64];

	assert_non_null(note.at);
	snprintf(is, sizeof(is), "amdgcn-amd-amdhsa--%s", target->processor);
	assert_true(msgpack_is(msgpack_get(root, "amdhsa.target"), is));
	assert_int_equal(msgpack_count(kernels), shapes);
	assert_int_equal(shapes > 1, remaps[remap].several);
	check_launch(msgpack_at(kernels, 0), target->wave_size, lanes);
	for (unsigned i = 0; i < shapes; i++)
		check_args(msgpack_at(kernels, i), remaps[remap].sizes);
	if (shapes > 1)
		assert_true(msgpack_is(msgpack_get(msgpack_at(kernels, 1), ".name"),
			"copy_me_shape1"));
}

/* The same JSON as --emit json gives without sizes, in object and code object. */
static void check_note(layout_context *ctx, layout_kernel *kernel, struct bytes file)
{
	struct bytes note = elf_note(elf_section(file, ".note.liblayout"), "liblayout",
		NT_LIBLAYOUT);
	size_t length;
	char *json = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON, NULL, 0, &length);

	assert_non_null(json);
	assert_int_equal(note.size, length);
	assert_memory_equal(note.at, json, length);
	layout_string_free(json);
}

/* Lanes of a workgroup, as --emit json has them. */
static int lanes_of(layout_context *ctx, layout_kernel *kernel)
{
	size_t length;
	char *json = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON, NULL, 0, &length);
	const char *key = "\"workgroup_size\": [", *at = strstr(json, key);
	int lanes;

	assert_non_null(at);
	lanes = atoi(at + strlen(key));
	layout_string_free(json);
	return lanes;
}

/* Its list of shapes; one that has none is of one. */
static unsigned shapes_of(layout_context *ctx, layout_kernel *kernel)
{
	size_t length;
	char *json = layout_kernel_emit(ctx, kernel, LAYOUT_EMIT_JSON, NULL, 0, &length);
	const char *key = "{\"kernel\": ", *at = json;
	unsigned count = 0;

	assert_non_null(json);
	while ((at = strstr(at, key))) {
		at += strlen(key);
		count++;
	}
	layout_string_free(json);
	return count ? count : 1;
}

static struct bytes emit(layout_context *ctx, layout_kernel *kernel, layout_emit what)
{
	size_t length = 0;
	char *file = layout_kernel_emit(ctx, kernel, what, NULL, 0, &length);

	if (!file)
		fail_msg("%s", layout_context_message(ctx));
	return (struct bytes){ (unsigned char *)file, length };
}

static void check_code_object(layout_context *ctx, unsigned remap,
	const layout_target *target, unsigned version)
{
	layout_kernel *kernel = kernel_of(ctx, remap, target->name, version);
	struct bytes object = emit(ctx, kernel, LAYOUT_EMIT_OBJ);
	struct bytes file = emit(ctx, kernel, LAYOUT_EMIT_HSACO);
	const Elf64_Ehdr *header = elf_header(file);

	assert_non_null(header);
	assert_int_equal(header->e_type, ET_DYN);
	assert_int_equal(header->e_machine, EM_AMDGPU);
	assert_int_equal(header->e_ident[EI_ABIVERSION], version == 6 ? ABI_V6 : ABI_V5);
	check_symbols(file);
	check_metadata(file, remap, target, lanes_of(ctx, kernel), shapes_of(ctx, kernel));
	check_note(ctx, kernel, object);
	check_note(ctx, kernel, file);
	layout_string_free((char *)(uintptr_t)object.at);
	layout_string_free((char *)(uintptr_t)file.at);
	layout_kernel_free(kernel);
}

/* How many versions of the row's code objects are compiled: one where another row has its
 * instructions. */
static unsigned versions_of(const layout_target *target, unsigned row)
{
	if (strncmp(target->name, "gfx", 3) != 0)
		return 0;
	return share_is_first(target) ? 3 : share_has(row, 0, 3);
}

/* Rows of the table, every remap in turn; version 0 is the default, 5. */
static void test_code_objects(void **state)
{
	static const unsigned versions[] = { 0, 5, 6 };
	layout_context *ctx = layout_context_new();
	const layout_target *target;

	(void)state;
	for (unsigned i = 0; (target = layout_target_at(i)); i++)
		for (unsigned version = 0; version < versions_of(target, i); version++)
			if (share_has(i, version, 3))
				check_code_object(ctx, (i + version) % REMAP_COUNT, target,
					versions[version]);
	assert_true(layout_context_free(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
