/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every test is linked so that it makes kernels through these: with LAYOUT_TEST_CPU in the
 * environment, those for the host are for that CPU where the test does not name one. */
#include <layout/run.h>

#include <stdlib.h>
#include <string.h>

/* What the linker calls the library's own. */
layout_kernel *__real_layout_kernel_new(layout_remap *remap, const char *target,
	const layout_kernel_options *options);
layout_kernel *__real_layout_kernel_new_program(layout_program *program, const char *target,
	const layout_kernel_options *options);
layout_compiled *__real_layout_remap_compile(layout_remap *remap,
	const layout_compile_options *options);

layout_kernel *__wrap_layout_kernel_new(layout_remap *remap, const char *target,
	const layout_kernel_options *options);
layout_kernel *__wrap_layout_kernel_new_program(layout_program *program, const char *target,
	const layout_kernel_options *options);
layout_compiled *__wrap_layout_remap_compile(layout_remap *remap,
	const layout_compile_options *options);

static layout_kernel_options choose(const char *target, const layout_kernel_options *given)
{
	layout_kernel_options options = LAYOUT_KERNEL_OPTIONS_INIT;

	if (given)
		memcpy(&options, given, given->size < sizeof(options) ? given->size :
			sizeof(options));
	options.size = sizeof(options);
	if (target && !strcmp(target, "host") && !options.cpu)
		options.cpu = getenv("LAYOUT_TEST_CPU");
	return options;
}

layout_kernel *__wrap_layout_kernel_new(layout_remap *remap, const char *target,
	const layout_kernel_options *options)
{
	layout_kernel_options chosen = choose(target, options);

	return __real_layout_kernel_new(remap, target, &chosen);
}

layout_kernel *__wrap_layout_kernel_new_program(layout_program *program, const char *target,
	const layout_kernel_options *options)
{
	layout_kernel_options chosen = choose(target, options);

	return __real_layout_kernel_new_program(program, target, &chosen);
}

layout_compiled *__wrap_layout_remap_compile(layout_remap *remap,
	const layout_compile_options *options)
{
	layout_compile_options chosen = LAYOUT_COMPILE_OPTIONS_INIT;

	if (options)
		memcpy(&chosen, options, options->size < sizeof(chosen) ? options->size :
			sizeof(chosen));
	chosen.size = sizeof(chosen);
	if (!chosen.cpu)
		chosen.cpu = getenv("LAYOUT_TEST_CPU");
	return __real_layout_remap_compile(remap, &chosen);
}
