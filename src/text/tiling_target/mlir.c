/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Targets as IREE prints them:
 *
 *	#iree_gpu.target<arch = "..", features = "", wgp = <mma = [<..>], ..>, ..>
 *	#hal.executable.target<"llvm-cpu", "..", {target_triple = "x86_64-..",
 *		cpu_features = "+avx512f"}>
 *	#hal.executable.target<"rocm", "..", {iree_codegen.target_info = #iree_gpu.target<..>}>
 *	#hal.device.target<"local", {..}, [#hal.executable.target<..>, ..]>
 *	#hal.device.select<[#hal.device.target<..>, ..]>, [#hal.device.target<..>, ..]
 *
 * or the name of one that is defined.  What tiling does not go by is left aside. */
#include "text/tiling_target/tiling_target.h"

#include <string.h>

#define EXECUTABLE "#hal.executable.target"
#define DEVICE "#hal.device.target"
#define SELECT "#hal.device.select"

bool text_at_target_said(const struct text_cursor *cursor)
{
	struct text_cursor at = *cursor;

	text_look_through(&at);
	return text_at(&at, TEXT_TARGET_GPU) || text_at(&at, EXECUTABLE) || text_at(&at, DEVICE) ||
		text_at(&at, SELECT);
}

bool text_at_target_mlir(const struct text_cursor *cursor)
{
	return text_at_target_said(cursor) || text_at(cursor, "[") || text_at_defined(cursor);
}

/* What a dictionary says of a CPU. */
struct cpu {
	char triple[128], features[1024];
	long position;			/* of the triple */
};

static bool read_target(struct text_cursor *cursor, struct own_target *own);

/* What makes layouts of encodings: those that "resolver" is a choice of otherwise, or that
 * make none, are said not to be this one. */
static bool read_resolver(struct text_cursor *cursor)
{
	static const struct {
		const char *name, *instead;
	} others[] = {
		{ "#iree_gpu.gpu_padding_resolver", "leave it out, and ask for the resolver "
			"`pad`" },
		{ "#iree_encoding.identity_resolver", "leave it out, and ask for the "
			"resolver `none`" },
		{ "#iree_encoding.specialization_resolver", "it stands for any in IREE's own "
			"tests" },
		{ "#iree_encoding.unsupported_resolver", "it has no answer" },
	};
	struct text_cursor at = *cursor;

	text_look_through(&at);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (!text_at(&at, others[i].name))
			continue;
		layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, text_position(&at),
			"%s is no resolver of data tiling: %s", others[i].name,
			others[i].instead);
		return false;
	}
	text_skip_value(cursor);
	return true;
}

static bool read_attribute(struct text_cursor *cursor, struct own_target *own,
	struct cpu *cpu)
{
	if (text_skip(cursor, "iree.encoding.resolver"))
		return text_take(cursor, "=") && read_resolver(cursor);
	if (text_skip(cursor, "target_triple")) {
		if (!text_take(cursor, "="))
			return false;
		cpu->position = text_position(cursor);
		return text_target_string(cursor, cpu->triple, sizeof(cpu->triple));
	}
	if (text_skip(cursor, "cpu_features"))
		return text_take(cursor, "=") &&
			text_target_string(cursor, cpu->features, sizeof(cpu->features));
	if (text_skip(cursor, "iree_codegen.target_info"))
		return text_take(cursor, "=") && read_target(cursor, own);
	text_skip_value(cursor);
	return true;
}

static bool take_cpu(struct text_cursor *cursor, struct own_target *own,
	struct cpu *cpu)
{
	cpu->triple[strcspn(cpu->triple, "-")] = 0;
	if (!text_target_row(cursor, own, strcmp(cpu->triple, "arm64") ? cpu->triple : "aarch64",
	    cpu->position))
		return false;
	if (!own->row.features || strlen(cpu->features) >= sizeof(own->features)) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_INVALID, cpu->position,
			"the triple is of no CPU");
		return false;
	}
	own->row.features = strcpy(own->features, cpu->features);
	return true;
}

/* "#hal.executable.target<"llvm-cpu", "..", {..}>" */
static bool read_executable(struct text_cursor *cursor, struct own_target *own)
{
	struct cpu cpu = { .position = text_position(cursor) };
	char backend[32], format[64];
	long position;

	text_advance(cursor);
	position = text_position(cursor) + 1;
	if (!text_take(cursor, "<") || !text_target_string(cursor, backend, sizeof(backend)) ||
	    !text_take(cursor, ",") || !text_target_string(cursor, format, sizeof(format)))
		return false;
	if (text_skip(cursor, ",")) {
		if (!text_take(cursor, "{"))
			return false;
		do {
			if (!read_attribute(cursor, own, &cpu))
				return false;
		} while (text_skip(cursor, ","));
		if (!text_end_list(cursor, "}"))
			return false;
	}
	if (!strcmp(backend, "vmvx") && !text_target_row(cursor, own, "vmvx", position))
		return false;
	if (*cpu.triple && !take_cpu(cursor, own, &cpu))
		return false;
	if (!own->row.name)
		return text_expected(cursor, "`target_triple` or `iree_codegen.target_info`");
	return text_end_list(cursor, ">");
}

/* One of these, or the name of one. */
static bool read_target(struct text_cursor *cursor, struct own_target *own)
{
	struct text_cursor outside;
	bool good;

	if (text_at(cursor, TEXT_TARGET_GPU))
		return text_target_gpu(cursor, own);
	if (text_at(cursor, EXECUTABLE))
		return read_executable(cursor, own);
	if (!text_at_defined(cursor))
		return text_expected(cursor, "a target or the name of one");
	good = text_enter_definition(cursor, &outside) && read_target(cursor, own);
	return good && text_leave_definition(cursor, &outside);
}

/* Targets in their order, of which one is "own". */
struct targets {
	struct own_target *own;
	unsigned wanted, found;
};

static bool read_targets(struct text_cursor *cursor, struct targets *targets);

/* "[#a, #b]" */
static bool read_list(struct text_cursor *cursor, struct targets *targets)
{
	if (!text_take(cursor, "["))
		return false;
	do {
		if (targets->found && targets->wanted == LAYOUT_ONE_TARGET)
			return text_expected(cursor, "one target: name the one that is meant");
		if (!read_targets(cursor, targets))
			return false;
	} while (text_skip(cursor, ","));
	return text_end_list(cursor, "]");
}

/* ">", and ": !hal.device", the type of the attribute, which need not be said. */
static bool end_device(struct text_cursor *cursor)
{
	if (!text_end_list(cursor, ">"))
		return false;
	if (!text_skip(cursor, ":"))
		return true;
	return text_take(cursor, "!") && text_take(cursor, "hal.device");
}

/* "#hal.device.target<"local", {..}, [#hal.executable.target<..>]>" */
static bool read_device(struct text_cursor *cursor, struct targets *targets)
{
	char name[64];

	text_advance(cursor);
	if (!text_take(cursor, "<") || !text_target_string(cursor, name, sizeof(name)) ||
	    !text_take(cursor, ","))
		return false;
	if (text_at(cursor, "{")) {
		text_skip_brackets(cursor);
		if (!text_take(cursor, ","))
			return false;
	}
	return read_list(cursor, targets) && end_device(cursor);
}

/* One that is no device. */
static bool read_one(struct text_cursor *cursor, struct targets *targets)
{
	bool wanted = targets->found == targets->wanted || !targets->found;
	struct own_target other = { 0 };

	targets->found++;
	if (wanted)
		*targets->own = other;
	return read_target(cursor, wanted ? targets->own : &other);
}

static bool read_brackets(struct text_cursor *cursor, struct targets *targets)
{
	if (text_at(cursor, DEVICE))
		return read_device(cursor, targets);
	if (text_skip(cursor, SELECT))
		return text_take(cursor, "<") && read_list(cursor, targets) &&
			end_device(cursor);
	return text_at(cursor, "[") ? read_list(cursor, targets) :
		read_one(cursor, targets);
}

static bool read_targets(struct text_cursor *cursor, struct targets *targets)
{
	struct text_cursor outside;
	bool good;

	if (text_at_defined(cursor)) {
		good = text_enter_definition(cursor, &outside) &&
			read_targets(cursor, targets);
		return good && text_leave_definition(cursor, &outside);
	}
	if (!text_enter(cursor))
		return false;
	good = read_brackets(cursor, targets);
	text_leave(cursor);
	return good;
}

bool text_target_mlir(struct text_cursor *cursor, struct own_target *own, unsigned wanted,
	unsigned *found)
{
	struct targets targets = { own, wanted, 0 };
	bool good = read_targets(cursor, &targets);

	*found = targets.found;
	return good;
}
