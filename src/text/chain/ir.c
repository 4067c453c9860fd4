/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relayouts as MLIR prints them, which are chains:
 *
 *	%cst = arith.constant 0.0 : f32
 *	%0 = tensor.pad %t low[0, 0] high[%h, 0] {..} : tensor<?x8xf32> to tensor<?x8xf32>
 *	%1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%m, 4, 8] : ..
 *
 *		chain(row_major[d0, 8], pad([0, 0], [h, 0], 0.0), expand_shape([[0, 1], [2]],
 *			[?, 4, 8]))
 *
 * Each operation is of what the one before gives; what it goes into says sizes at most.  A
 * value that nothing gives is a size of that name, and "?" is the size d0, d1, .. of the source
 * unless tensor.dim or tensor.empty says what it is. */
#include "text/chain/ir.h"

#include "algebra/storage/storage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ir_row *ir_row_at(const struct text_cursor *cursor)
{
	for (const struct ir_row *row = ir_rows; row->name; row++)
		if (text_at(cursor, row->name) && (!row->is || row->is(cursor)))
			return row;
	return NULL;
}

/* Does a function begin, or a module of one? */
static bool at_function(const struct text_cursor *cursor)
{
	return text_at(cursor, "func.func") || text_at(cursor, "util.func") ||
		text_at(cursor, "module");
}

bool text_at_ir(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;

	if (!text_at(cursor, "%") && !at_function(cursor))
		return ir_row_at(cursor);
	while (behind.token.kind != TEXT_END && !ir_row_at(&behind))
		text_advance(&behind);
	return behind.token.kind != TEXT_END;
}

/* Past that value, if it is that. */
static bool skip_named(struct text_cursor *cursor, const struct body_use *wanted)
{
	struct body_use use;

	if (!body_at_use(cursor, &use) || use.length != wanted->length ||
	    memcmp(use.name, wanted->name, use.length))
		return false;
	text_seek(cursor, cursor->token.begin + 1 + use.length);
	return true;
}

/* Where an operation gives that value, wherever it stands: past its name. */
static bool find_operation(const struct ir *ir, const struct body_use *name, const char *operation,
	struct text_cursor *behind)
{
	struct text_cursor at = ir->begin;

	for (; at.token.kind != TEXT_END; text_advance(&at)) {
		*behind = at;
		if (skip_named(behind, name) && text_skip(behind, "=") &&
		    text_skip(behind, operation))
			return true;
	}
	return false;
}

bool ir_is_poison(const struct ir *ir, const struct body_use *name)
{
	struct text_cursor behind;

	return find_operation(ir, name, "ub.poison", &behind);
}

bool ir_value(struct ir_step *step, struct text_cursor *value)
{
	bool truth = text_at(value, "true");

	if (!text_skip(value, "true") && !text_skip(value, "false"))
		return given_value(value, step->given);
	step->given->value = layout_strdup(step->cursor->ctx, truth ? "1" : "0");
	return step->given->value;
}

bool ir_constant(const struct ir *ir, const struct body_use *name, struct text_cursor *value)
{
	if (find_operation(ir, name, "arith.constant", value))
		return true;
	layout_fail(ir->begin.ctx, LAYOUT_ERROR_PARSE, name->position + 1,
		"expected `%%%.*s = arith.constant ..` before it", (int)name->length, name->name);
	return false;
}

void ir_skip_attributes(struct text_cursor *cursor)
{
	if (text_at(cursor, "{"))
		text_skip_brackets(cursor);
}

bool ir_number(const char *size, int64_t *number)
{
	char *end;

	*number = strtoll(size, &end, 10);
	return end > size && !*end;
}

bool ir_types(struct ir_step *step, const char *between)
{
	ir_skip_attributes(step->cursor);
	return text_take(step->cursor, ":") && body_read_type(step->cursor, &step->from) &&
		text_take(step->cursor, between) && body_read_type(step->cursor, &step->to);
}

/* A value as a size, to be freed; errors lie at the value. */
static char *value_text(struct ir_step *step)
{
	struct body_use use;
	const struct body_value *value = body_read_use(&step->ir->text, &use) ?
		body_find(&step->ir->text, &use, false) : NULL;
	long base = layout_context_set_base(step->cursor->ctx, use.position);
	char *text = value ? body_size_str(value) : NULL;

	layout_context_set_base(step->cursor->ctx, base);
	return text;
}

bool ir_sizes(struct ir_step *step, unsigned list)
{
	struct text_items items = { "[", "]", CHAIN_RANK };
	struct given *given = step->given;
	const char *rule = given->rules[list];

	step->values = 0;
	while (text_item(step->cursor, &items)) {
		bool value = text_at(step->cursor, "%");
		char *text = value ? value_text(step) : text_size_by(step->cursor, rule);

		if (!text)
			return false;
		step->values |= (uint64_t)value << given->count[list];
		given->texts[list][given->count[list]++] = text;
	}
	return items.ended;
}

bool ir_size(struct ir *ir, const struct body_use *tensor, const struct text_tensor *type,
	unsigned dim, char letter, char text[IR_SIZE])
{
	struct body_result *known;
	struct body_use name = { .name = text };
	char *size;
	int length;

	if (type->sizes[dim] >= 0)
		return snprintf(text, IR_SIZE, "%" PRId64, type->sizes[dim]) > 0;
	known = body_result(&ir->text, tensor);
	if (!known)
		return false;
	known->is_opaque = true;
	if (!known->sizes[dim]) {
		name.length = (size_t)snprintf(text, IR_SIZE, "%c%u", letter, dim);
		known->sizes[dim] = body_named(&ir->text, &name);
	}
	size = known->sizes[dim] ? body_size_str(known->sizes[dim]) : NULL;
	if (!size)
		return false;
	length = snprintf(text, IR_SIZE, "%s", size);
	free(size);
	if (length < IR_SIZE)
		return true;
	layout_fail(ir->begin.ctx, LAYOUT_ERROR_UNSUPPORTED, type->position,
		"the size of dimension %u has more than %d bytes", dim, IR_SIZE - 1);
	return false;
}

/* What tensor.dim says of a value from now on. */
static bool know_sizes(struct ir *ir, const struct body_use *tensor, const layout_chain *chain)
{
	struct body_result *result;

	if (!tensor->length)
		return true;
	result = body_result(&ir->text, tensor);
	if (!result)
		return false;
	result->is_opaque = true;
	for (unsigned d = 0; d < chain->rank && d < BODY_RANK; d++)
		if (!result->sizes[d] &&
		    !(result->sizes[d] = body_size(ir->text.body, &chain->sizes[d])))
			return false;
	return true;
}

/* "memref<4x8xf32, strided<[16, 1]>>" lies as it says, all others row by row. */
static layout_storage *source_storage(struct ir_step *step, const char *const *sizes)
{
	const char *strides[TEXT_TENSOR_RANK];
	struct text_cursor at = *step->cursor, behind;
	layout_storage *written, *storage;
	struct text_tensor type;

	text_seek(&at, (size_t)step->from.position);
	behind = at;
	if (!text_at(&at, "memref") || !text_skip_tensor(&behind, &type) ||
	    !text_skip(&behind, ",") || !text_at(&behind, "strided"))
		return layout_storage_row_major(at.ctx, step->from.rank, sizes);
	written = text_tensor_storage(&at);
	if (!written)
		return NULL;
	for (unsigned d = 0; d < step->from.rank; d++)
		strides[d] = written->strides[d].text;
	storage = layout_storage_strided(at.ctx, step->from.rank, sizes, strides);
	layout_storage_free(written);
	return storage;
}

layout_chain *ir_source(struct ir_step *step)
{
	char texts[TEXT_TENSOR_RANK][IR_SIZE];
	const char *sizes[TEXT_TENSOR_RANK];
	layout_chain *chain;

	for (unsigned d = 0; d < step->from.rank; d++) {
		if (!ir_size(step->ir, &step->operand, &step->from, d, 'd', texts[d]))
			return NULL;
		sizes[d] = texts[d];
	}
	chain = layout_chain_new(source_storage(step, sizes));
	if (!chain || know_sizes(step->ir, &step->operand, chain))
		return chain;
	layout_chain_free(chain);
	return NULL;
}

static bool has_type(const struct ir_step *step, layout_chain *chain,
	const struct text_tensor *type, const char *what)
{
	if (type->rank != layout_chain_rank(chain))
		return given_wrong(step->cursor, type->position, type->rank,
			layout_chain_rank(chain), "dimensions");
	for (unsigned d = 0; d < type->rank; d++) {
		const char *size = layout_chain_size(chain, d);
		int64_t number;

		if (type->sizes[d] >= 0 && ir_number(size, &number) && number != type->sizes[d]) {
			layout_fail(step->cursor->ctx, LAYOUT_ERROR_SPACE, type->position,
				"dimension %u of the %s is %s, not %" PRId64, d, what, size,
				type->sizes[d]);
			return false;
		}
	}
	return true;
}

layout_chain *ir_check(const struct ir_step *step, layout_chain *chain,
	const struct text_tensor *type, const char *what)
{
	long base = layout_context_set_base(step->cursor->ctx, step->base);
	bool good = chain && has_type(step, chain, type, what);

	layout_context_set_base(step->cursor->ctx, base);
	if (good)
		return chain;
	layout_chain_free(chain);
	return NULL;
}

layout_chain *ir_add(struct ir_step *step, layout_chain *chain)
{
	const struct operation *operation = text_operation_named(step->row->operation);

	return operation->add(chain ? chain : ir_source(step), step->given);
}

/* Errors lie at the name of the operation, or at a type. */
static bool append(struct ir_step *step)
{
	struct ir *ir = step->ir;
	layout_chain *chain = ir->chain;
	bool first = !chain;

	ir->chain = NULL;
	step->base = layout_context_set_base(step->cursor->ctx, step->position);
	if (!first)
		chain = ir_check(step, chain, &step->from, "tensor before");
	if (first || chain)
		chain = step->row->add(step, chain);
	layout_context_set_base(step->cursor->ctx, step->base);
	ir->chain = chain ? ir_check(step, chain, &step->to, "result") : NULL;
	ir->last = step->result.length ? step->result : step->into;
	return ir->chain && know_sizes(ir, &ir->last, ir->chain);
}

/* "%r =" before an operation, which need not be there. */
static bool read_result(struct ir_step *step)
{
	return !text_at(step->cursor, "%") || (body_read_use(&step->ir->text, &step->result) &&
		text_take(step->cursor, "="));
}

static bool read_step(struct ir *ir, struct text_cursor *cursor)
{
	struct ir_step step = { .ir = ir, .cursor = cursor,
		.given = layout_alloc(cursor->ctx, 1, sizeof(*step.given)) };
	bool good = step.given && read_result(&step);

	step.row = good ? ir_row_at(cursor) : NULL;
	if (good && !step.row)
		good = text_expected(cursor, "an operation on a tensor");
	if (good) {
		step.given->rules = text_operation_named(step.row->operation)->rules;
		step.position = text_position(cursor);
		text_advance(cursor);
		good = step.row->read(&step) && append(&step);
	}
	if (step.given)
		given_free(step.given);
	return good;
}

/* Is what stands here an operation, or the value that one gives? */
static bool at_step(const struct text_cursor *cursor)
{
	struct text_cursor behind = *cursor;
	struct body_use use;

	if (body_at_use(cursor, &use)) {
		text_seek(&behind, cursor->token.begin + 1 + use.length);
		if (!text_skip(&behind, "="))
			return false;
	}
	return ir_row_at(&behind);
}

/* What is computed before an operation; where there is none, an error is at the end. */
static bool read_before(struct ir *ir, struct text_cursor *cursor)
{
	while (cursor->token.kind != TEXT_END && !at_step(cursor))
		if (!body_read_operation(&ir->text, true))
			return false;
	return true;
}

/* Where an operation that is no relayout, nor asks for a size, takes the last value before the next
 * one that is; -1: nowhere. */
static long taken_at(const struct ir *ir, struct text_cursor at)
{
	bool asks = false;

	for (; at.token.kind != TEXT_END && !ir_row_at(&at); text_advance(&at)) {
		struct text_cursor behind = at;

		if (text_at(&at, "="))
			asks = false;
		asks = asks || text_at(&at, "tensor.dim") || text_at(&at, "memref.dim");
		if (!asks && skip_named(&behind, &ir->last))
			return text_position(&at);
	}
	return -1;
}

/* Past "func.func @f(%a: tensor<..>) -> tensor<..> {", and a module's begin: how many braces are
 * open then. */
static unsigned skip_heads(struct text_cursor *cursor)
{
	unsigned open = 0;

	if (!at_function(cursor))
		return 0;
	while (cursor->token.kind != TEXT_END) {
		bool begins = text_at(cursor, "{");

		open += begins;
		open -= open && text_at(cursor, "}");
		if (begins || !text_at(cursor, "("))
			text_advance(cursor);
		else
			text_skip_brackets(cursor);
		if (begins && (text_at(cursor, "%") || ir_row_at(cursor)))
			break;
	}
	return open;
}

static bool take_last(struct ir *ir, struct text_cursor *cursor)
{
	return skip_named(cursor, &ir->last) || text_expected(cursor, "the last value");
}

/* "%0, %memory : tensor<..> into memref<..>" */
static bool skip_stored(struct ir *ir, struct text_cursor *cursor)
{
	struct text_tensor type;
	struct body_use memory;

	return take_last(ir, cursor) && text_take(cursor, ",") &&
		body_read_use(&ir->text, &memory) && text_take(cursor, ":") &&
		body_read_type(cursor, &type) && text_take(cursor, "into") &&
		body_read_type(cursor, &type);
}

static bool skip_return(struct text_cursor *cursor)
{
	return text_skip(cursor, "return") || text_skip(cursor, "func.return") ||
		text_skip(cursor, "util.return") || text_skip(cursor, "flow.return");
}

/* Behind it all what it gives is stored, or returned by "return %0 : tensor<..>", or neither; and
 * what closes the function. */
static bool skip_ends(struct ir *ir, struct text_cursor *cursor, unsigned open)
{
	struct text_tensor type;

	if (text_skip(cursor, "iree_codegen.store_to_buffer") && !skip_stored(ir, cursor))
		return false;
	if (skip_return(cursor) && text_at(cursor, "%"))
		if (!take_last(ir, cursor) || !text_take(cursor, ":") ||
		    !body_read_type(cursor, &type))
			return false;
	while (open--)
		if (!text_take(cursor, "}"))
			return false;
	return true;
}

/* Is the next operation one of what the last one gives? */
static bool goes_on(const struct ir *ir, struct text_cursor at)
{
	if (!text_at(&at, "%") || !ir->last.length || !text_at_ir(&at))
		return false;
	while (!ir_row_at(&at))
		text_advance(&at);
	text_advance(&at);
	ir_skip_attributes(&at);
	while (at.token.kind != TEXT_END && !text_at(&at, "%"))
		text_advance(&at);
	return skip_named(&at, &ir->last);
}

layout_chain *text_ir(struct text_cursor *cursor)
{
	struct ir ir = { .begin = *cursor, .text = { .cursor = cursor,
		.body = body_new(cursor->ctx, 0) } };
	bool good = ir.text.body;
	unsigned open = skip_heads(cursor);
	long taken;

	do
		good = good && read_before(&ir, cursor) && read_step(&ir, cursor);
	while (good && goes_on(&ir, *cursor));
	taken = good && ir.last.length && text_at_ir(cursor) ? taken_at(&ir, *cursor) : -1;
	if (taken >= 0) {
		layout_fail(cursor->ctx, LAYOUT_ERROR_UNSUPPORTED, taken,
			"an operation that is no relayout takes this");
		good = false;
	}
	good = good && skip_ends(&ir, cursor, open);
	body_text_free(&ir.text);
	if (good)
		return ir.chain;
	layout_chain_free(ir.chain);
	return NULL;
}
