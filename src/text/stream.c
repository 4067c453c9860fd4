/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The dispatches of a program, read out of IREE's stream dialect.
 *
 * Only operations that say where a tensor lies are read: the devices that globals name,
 * dispatches, encodings, transfers and sizes. */
#include "text/notations.h"

#include <layout/specialize.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME 96			/* of a value, a device, a kernel */
#define MOST 1024		/* of each */

struct device {
	char name[NAME];
	layout_tiling_target *target;
};

/* A tensor that is an operand or a result, or whose size is asked for. */
struct tensor {
	layout_dispatch_operand shown;
	unsigned rank;
	char element[TEXT_TENSOR_ELEMENT];
	char sizes[TEXT_TENSOR_RANK][NAME];
	const char *size_list[TEXT_TENSOR_RANK];
};

struct dispatch {
	const char *device;
	char kernel[2 * NAME];
	unsigned count;
	struct tensor **tensors;
	layout_dispatch_operand *shown;
};

/* A value, and the device that it has been made for; "like" another: that one's. */
struct made {
	char name[NAME];
	const struct device *device;
};

struct size_of {
	layout_stream_size shown;
	struct tensor *tensor;
};

struct layout_stream {
	layout_context *ctx;
	unsigned device_count, dispatch_count, made_count, size_count;
	struct device devices[64];
	struct dispatch *dispatches;
	layout_dispatch *shown;
	struct made *made;
	struct size_of *sizes;
};

static void tensor_free(struct tensor *tensor)
{
	if (tensor)
		layout_operand_free(tensor->shown.encoding);
	free(tensor);
}

void layout_stream_free(layout_stream *stream)
{
	if (!stream)
		return;
	for (unsigned i = 0; i < stream->dispatch_count; i++) {
		struct dispatch *dispatch = &stream->dispatches[i];

		for (unsigned k = 0; k < dispatch->count; k++)
			tensor_free(dispatch->tensors[k]);
		free(dispatch->tensors);
		free(dispatch->shown);
	}
	for (unsigned i = 0; i < stream->size_count; i++)
		tensor_free(stream->sizes[i].tensor);
	for (unsigned i = 0; i < stream->device_count; i++)
		layout_tiling_target_free(stream->devices[i].target);
	free(stream->dispatches);
	free(stream->shown);
	free(stream->made);
	free(stream->sizes);
	free(stream);
}

/* A name at the cursor behind "mark": "@device_a", "%12". */
static bool read_name(struct text_cursor *cursor, const char *mark, char name[NAME])
{
	const struct text_token *token = &cursor->token;

	if (!text_take(cursor, mark))
		return false;
	if ((token->kind != TEXT_NAME && token->kind != TEXT_INT) || token->length >= NAME)
		return text_expected(cursor, "a name");
	memcpy(name, cursor->text + token->begin, token->length);
	name[token->length] = 0;
	text_advance(cursor);
	return true;
}

/* "@device_a = #target", behind "util.global"; other globals are left aside. */
static bool read_global(struct text_cursor *cursor, layout_stream *stream)
{
	struct device *device = &stream->devices[stream->device_count];

	while (cursor->token.kind != TEXT_END && !text_at(cursor, "@"))
		text_advance(cursor);
	if (!text_room(cursor, stream->device_count,
	    sizeof(stream->devices) / sizeof(*stream->devices)) ||
	    !read_name(cursor, "@", device->name))
		return false;
	if (!text_skip(cursor, "=") || !text_at_target_said(cursor))
		return true;
	device->target = text_tiling_target(cursor);
	stream->device_count += device->target ? 1 : 0;
	return device->target;
}

/* "on(#hal.device.affinity<@device_a>)" */
static const struct device *read_affinity(struct text_cursor *cursor,
	const layout_stream *stream)
{
	char name[NAME];
	long position;

	if (!text_take(cursor, "on") || !text_take(cursor, "(") ||
	    !text_take(cursor, "#hal.device.affinity") || !text_take(cursor, "<"))
		return NULL;
	position = text_position(cursor);
	if (!read_name(cursor, "@", name))
		return NULL;
	while (text_skip(cursor, ","))
		text_skip_value(cursor);
	if (!text_take(cursor, ">") || !text_take(cursor, ")"))
		return NULL;
	for (unsigned i = 0; i < stream->device_count; i++)
		if (!strcmp(stream->devices[i].name, name))
			return &stream->devices[i];
	layout_fail(cursor->ctx, LAYOUT_ERROR_PARSE, position,
		"no global says which target @%.80s is", name);
	return NULL;
}

/* "{%N, %K}": the sizes that the type leaves open, which are called the same. */
static bool read_sizes(struct text_cursor *cursor, const struct text_tensor *type,
	struct tensor *tensor)
{
	unsigned open = 0;

	for (unsigned d = 0; d < type->rank; d++) {
		char name[NAME];

		if (type->sizes[d] >= 0) {
			snprintf(tensor->sizes[d], NAME, "%" PRId64, type->sizes[d]);
			continue;
		}
		if (!text_take(cursor, open++ ? "," : "{") || !read_name(cursor, "%", name))
			return false;
		snprintf(tensor->sizes[d], NAME, "%s%.*s",
			layout_is_plain_name(name, strlen(name)) ? "" : "v", NAME - 2, name);
		for (char *c = tensor->sizes[d]; *c; c++)
			*c = *c == '.' || *c == '$' ? '_' : *c;
	}
	if (open || text_skip(cursor, "{"))
		return text_take(cursor, "}");
	return true;
}

/* "index", "!stream.resource<*>{%size}" */
static void skip_type(struct text_cursor *cursor)
{
	text_skip(cursor, "!");
	text_advance(cursor);
	if (text_at(cursor, "<"))
		text_skip_brackets(cursor);
	if (text_at(cursor, "{"))
		text_skip_brackets(cursor);
}

/* "in !stream.resource<*>{%size}", which need not be there. */
static bool skip_resource(struct text_cursor *cursor)
{
	if (!text_skip(cursor, "in"))
		return true;
	if (!text_at(cursor, "!"))
		return text_take(cursor, "!");
	skip_type(cursor);
	return true;
}

/* "tensor<?x?xf32, #encoding>{%N, %K} in !stream.resource<*>{%size}" */
static struct tensor *read_tensor(struct text_cursor *cursor)
{
	struct tensor *tensor = layout_alloc(cursor->ctx, 1, sizeof(*tensor));
	struct text_cursor begin = *cursor;
	struct text_tensor type;
	bool good = tensor && text_tensor(&begin, &type);
	bool encoded = good && text_at(&begin, ",");

	if (encoded)
		good = (tensor->shown.encoding = text_operand(cursor));
	else if (good)
		*cursor = begin;
	good = good && (encoded || text_take(cursor, ">"));
	if (!good || !read_sizes(cursor, &type, tensor) || !skip_resource(cursor)) {
		tensor_free(tensor);
		return NULL;
	}
	tensor->rank = type.rank;
	memcpy(tensor->element, type.element, sizeof(type.element));
	tensor->shown.type = tensor->element;
	for (unsigned d = 0; d < type.rank; d++)
		tensor->size_list[d] = tensor->sizes[d];
	tensor->shown.sizes = tensor->size_list;
	return tensor;
}

static const struct device *maker_of(const layout_stream *stream, const char *value)
{
	for (unsigned i = stream->made_count; i--;)
		if (!strcmp(stream->made[i].name, value))
			return stream->made[i].device;
	return NULL;
}

static bool make(struct text_cursor *cursor, layout_stream *stream, const char *value,
	const struct device *device)
{
	if (!text_room(cursor, stream->made_count, MOST))
		return false;
	snprintf(stream->made[stream->made_count].name, NAME, "%s", value);
	stream->made[stream->made_count++].device = device;
	return true;
}

/* The next type of a list, for "value", which is an operand, or NULL for a result. */
static bool add_type(struct text_cursor *cursor, layout_stream *stream,
	struct dispatch *dispatch, const struct device *device, const char *value)
{
	const struct device *holder = value ? maker_of(stream, value) : NULL;
	struct tensor *tensor;

	if (!text_at(cursor, "tensor")) {
		skip_type(cursor);
		return true;
	}
	tensor = text_room(cursor, dispatch->count, TEXT_LIST_LIMIT) ?
		read_tensor(cursor) : NULL;
	if (!tensor)
		return false;
	if (holder && holder != device && tensor->shown.encoding) {
		tensor->shown.held = LAYOUT_HELD_FOR_TARGET;
		tensor->shown.holder = holder->target;
	}
	dispatch->tensors[dispatch->count++] = tensor;
	return true;
}

/* The names of values in parentheses, "(%0, %N)". */
static bool read_values(struct text_cursor *cursor, char (*values)[NAME], unsigned *count)
{
	struct text_items items = { "(", ")", TEXT_LIST_LIMIT };

	*count = 0;
	while (text_item(cursor, &items)) {
		if (!read_name(cursor, "%", values[*count]))
			return false;
		if (text_skip(cursor, "["))		/* a slice of it */
			while (cursor->token.kind != TEXT_END && !text_skip(cursor, "]"))
				text_advance(cursor);
		++*count;
	}
	return items.ended;
}

/* "(T, T) -> (T)", or "T -> T": those of the values, and of the results. */
static bool read_types(struct text_cursor *cursor, layout_stream *stream,
	struct dispatch *dispatch, const struct device *device, char (*values)[NAME],
	unsigned count)
{
	for (unsigned results = 0; results < 2; results++) {
		bool list = text_skip(cursor, "(");
		unsigned i = 0;

		if (results || !list || !text_at(cursor, ")"))
			do {
				if (!list || !text_at(cursor, ")"))
					if (!add_type(cursor, stream, dispatch, device,
					    results || i >= count ? NULL : values[i]))
						return false;
				i++;
			} while (list && text_skip(cursor, ","));
		if ((list && !text_end_list(cursor, ")")) ||
		    (!results && !text_take(cursor, "->")))
			return false;
	}
	return true;
}

/* "@ex::@entry" as "ex_entry" */
static bool read_kernel(struct text_cursor *cursor, char kernel[2 * NAME])
{
	char name[NAME];

	*kernel = 0;
	do {
		if (!read_name(cursor, "@", name))
			return false;
		snprintf(kernel + strlen(kernel), 2 * NAME - strlen(kernel), "%s%s",
			*kernel ? "_" : "", name);
	} while (strlen(kernel) < NAME && text_skip(cursor, ":") && text_take(cursor, ":"));
	if (text_at(cursor, "["))
		text_skip_brackets(cursor);
	return true;
}

static struct dispatch *add_dispatch(struct text_cursor *cursor, layout_stream *stream)
{
	struct dispatch *dispatch = &stream->dispatches[stream->dispatch_count];

	if (!text_room(cursor, stream->dispatch_count, MOST))
		return NULL;
	dispatch->tensors = layout_alloc(cursor->ctx, TEXT_LIST_LIMIT,
		sizeof(*dispatch->tensors));
	stream->dispatch_count += dispatch->tensors ? 1 : 0;
	return dispatch->tensors ? dispatch : NULL;
}

/* What is behind "stream.tensor.dispatch", or "stream.tensor.encode" with one operand. */
static bool read_dispatch(struct text_cursor *cursor, layout_stream *stream,
	const char *result, bool encode)
{
	const struct device *device = read_affinity(cursor, stream);
	struct dispatch *dispatch = device ? add_dispatch(cursor, stream) : NULL;
	char (*values)[NAME] = dispatch ? layout_alloc(cursor->ctx, TEXT_LIST_LIMIT + 1,
		sizeof(*values)) : NULL;
	unsigned count = 1;
	bool good = values;

	if (good)
		dispatch->device = device->name;
	if (good && encode)
		good = snprintf(dispatch->kernel, NAME, "encode") &&
			read_name(cursor, "%", values[0]);
	else
		good = good && read_kernel(cursor, dispatch->kernel) &&
			read_values(cursor, values, &count);
	good = good && text_take(cursor, ":") &&
		read_types(cursor, stream, dispatch, device, values, count);
	free(values);
	return good && (!*result || make(cursor, stream, result, device));
}

/* What is behind "stream.tensor.sizeof". */
static bool read_size_of(struct text_cursor *cursor, layout_stream *stream)
{
	const struct device *device = read_affinity(cursor, stream);
	struct size_of *size = &stream->sizes[stream->size_count];

	if (!device || !text_room(cursor, stream->size_count, MOST))
		return false;
	if (!text_at(cursor, "tensor"))
		return text_expected(cursor, "the type of a tensor");
	size->tensor = read_tensor(cursor);
	if (!size->tensor)
		return false;
	stream->size_count++;
	size->shown = (layout_stream_size){ device->name, device->target,
		size->tensor->rank, size->tensor->shown };
	return true;
}

/* "%12 =" or "%12:2 =", what the next operation makes; "" where it makes nothing. */
static bool read_result(struct text_cursor *cursor, char result[NAME])
{
	struct text_cursor at = *cursor;

	*result = 0;
	if (!text_at(&at, "%"))
		return true;
	text_advance(&at);
	if ((at.token.kind != TEXT_NAME && at.token.kind != TEXT_INT) ||
	    !read_name(cursor, "%", result))
		return at.token.kind != TEXT_NAME && at.token.kind != TEXT_INT;
	if (text_skip(cursor, ":"))
		text_advance(cursor);
	if (!text_skip(cursor, "="))
		*result = 0;
	return true;
}

/* The operation at the cursor, or one token of something else. */
static bool read_next(struct text_cursor *cursor, layout_stream *stream)
{
	char result[NAME], value[NAME];
	struct text_cursor before = *cursor;

	if (!read_result(cursor, result))
		return false;
	if (text_skip(cursor, "util.global"))
		return read_global(cursor, stream);
	if (text_skip(cursor, "stream.tensor.dispatch"))
		return read_dispatch(cursor, stream, result, false);
	if (text_skip(cursor, "stream.tensor.encode"))
		return read_dispatch(cursor, stream, result, true);
	if (text_skip(cursor, "stream.tensor.sizeof"))
		return read_size_of(cursor, stream);
	if (text_skip(cursor, "stream.async.transfer"))
		return read_name(cursor, "%", value) &&
			make(cursor, stream, result, maker_of(stream, value));
	if (cursor->token.begin == before.token.begin || !text_at(cursor, "%"))
		text_advance(cursor);
	return true;
}

/* The dispatches as layout_specialize() takes them. */
static bool show(layout_stream *stream)
{
	for (unsigned i = 0; i < stream->dispatch_count; i++) {
		struct dispatch *dispatch = &stream->dispatches[i];
		const struct device *device = stream->devices;

		dispatch->shown = layout_alloc(stream->ctx, dispatch->count + 1,
			sizeof(*dispatch->shown));
		if (!dispatch->shown)
			return false;
		for (unsigned k = 0; k < dispatch->count; k++)
			dispatch->shown[k] = dispatch->tensors[k]->shown;
		while (device->name != dispatch->device)
			device++;
		stream->shown[i] = (layout_dispatch){ dispatch->kernel, device->target,
			dispatch->count, dispatch->shown };
	}
	return true;
}

layout_stream *layout_stream_parse(layout_context *ctx, const char *text)
{
	layout_stream *stream = layout_alloc(ctx, 1, sizeof(*stream));
	struct text_cursor cursor;
	bool good = stream && text_open(&cursor, ctx, text);

	if (good) {
		stream->ctx = ctx;
		stream->dispatches = layout_alloc(ctx, MOST, sizeof(*stream->dispatches));
		stream->shown = layout_alloc(ctx, MOST, sizeof(*stream->shown));
		stream->made = layout_alloc(ctx, MOST, sizeof(*stream->made));
		stream->sizes = layout_alloc(ctx, MOST, sizeof(*stream->sizes));
		good = stream->dispatches && stream->shown && stream->made &&
			stream->sizes && text_open_definitions(&cursor);
	}
	while (good && cursor.token.kind != TEXT_END)
		good = read_next(&cursor, stream);
	if (good && !stream->dispatch_count && !stream->size_count)
		good = text_expected(&cursor, "a dispatch, or a tensor's size");
	if (good && show(stream))
		return stream;
	layout_stream_free(stream);
	return NULL;
}

const layout_dispatch *layout_stream_dispatches(layout_stream *stream, unsigned *count)
{
	if (count)
		*count = stream ? stream->dispatch_count : 0;
	return stream ? stream->shown : NULL;
}

const char *layout_stream_device(layout_stream *stream, unsigned i)
{
	return stream && i < stream->dispatch_count ? stream->dispatches[i].device : NULL;
}

const layout_stream_size *layout_stream_size_at(layout_stream *stream, unsigned i)
{
	return stream && i < stream->size_count ? &stream->sizes[i].shown : NULL;
}
