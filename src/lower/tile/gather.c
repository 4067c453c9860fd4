/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads of vectors, also of elements that lie some steps apart. */
#include "kernel/gather.h"
#include "lower/tile/path_parts.h"
#include "lower/tile/permute.h"

/* The elements of windows, as a vector, word by word or by permutes of bytes. */
static LLVMValueRef pick_words(struct way *way, const struct gather *gather,
	LLVMValueRef *windows)
{
	LLVMBuilderRef builder = builder_of(way);
	unsigned vector = way->block.load.vector, bits = way->path->form->load.bits;
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder));
	LLVMTypeRef type = lane_vector(way, bits, vector);
	LLVMValueRef value = LLVMGetPoison(type);

	for (unsigned k = 0; k < vector; k++) {
		LLVMValueRef window = LLVMBuildBitCast(builder, windows[gather->window[k]],
			lane_vector(way, bits, gather->width), "window");

		value = LLVMBuildInsertElement(builder, value, LLVMBuildExtractElement(
			builder, window, LLVMConstInt(i32, gather->at[k], false),
			"element"), LLVMConstInt(i32, k, false), "elements");
	}
	return LLVMBuildBitCast(builder, value, permute_type(
		LLVMGetBuilderContext(builder), form_bytes(&way->path->form->load, vector)),
		"loaded");
}

static LLVMValueRef pick_bytes(struct way *way, const struct gather *gather,
	LLVMValueRef *windows)
{
	unsigned from[GATHER_ELEMENTS], vector = way->block.load.vector;
	const struct iteration *iteration = way->path->iteration;
	struct permute permute = {
		.builder = builder_of(way), .hooks = iteration->kernel->hooks,
		.bits = way->path->form->load.bits,
		.load_vector = gather->width, .store_vector = vector,
		.load_count = gather->count, .store_count = 1,
		.from = from, .loaded = windows,
	};
	LLVMValueRef value;

	for (unsigned k = 0; k < vector; k++)
		from[k] = gather->window[k] * gather->width + gather->at[k];
	if (!permute_open(way->ctx, &permute)) {
		way->failed = true;
		return LLVMGetPoison(permute_type(LLVMGetBuilderContext(permute.builder),
			form_bytes(&way->path->form->load, vector)));
	}
	value = permute_take(&permute, 0);
	permute_close(&permute);
	return value;
}

static unsigned max_bytes(const struct way *way)
{
	return way->path->iteration->kernel->target->max_load_bytes;
}

LLVMValueRef way_load(struct way *way, const struct address_digits *digits,
	LLVMValueRef inside)
{
	const struct form_side *form = &way->path->form->load;
	unsigned vector = way->block.load.vector, step = form->side->step;
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetBuilderContext(builder_of(way)));
	LLVMValueRef windows[GATHER_ELEMENTS];
	struct gather gather;

	if (step == 1 || vector == 1)
		return access_load(&way->load.access, digits, form_bytes(form, vector),
			inside, NULL);
	gather_find(&gather, vector, step, 8 * max_bytes(way) / form->bits);
	for (unsigned w = 0; w < gather.count; w++)
		windows[w] = access_load(&way->load.access, digits,
			form_bytes(form, gather.width), inside, LLVMConstInt(i32,
			form_bytes(form, gather.starts[w]), false));
	return (form->bits < 32 ? pick_bytes : pick_words)(way, &gather, windows);
}
