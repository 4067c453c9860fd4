/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A graph for Graphviz: spaces as nodes, the relations between them as edges. */
#include "show/argument.h"
#include "show/draw.h"
#include "algebra/storage/remap.h"
#include "show/kind.h"

#include "isl_bridge/relation.h"
#include "value/value.h"

#include <inttypes.h>
#include <layout/view.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_LENGTH 60		/* of an edge; the tooltip has all of it */

struct show_graph {
	struct layout_buffer *out;
	layout_context *ctx;
	const layout_show_options *options;
	unsigned nodes;
};

static void write_quoted(struct layout_buffer *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length && text[i]; i++) {
		if (text[i] == '"' || text[i] == '\\')
			layout_buffer_append(out, "\\", 1);
		layout_buffer_append(out, text[i] == '\n' ? " " : text + i, 1);
	}
}

/* The conditions of a set's text, without the set around them; its length. */
static const char *conditions(const char *text, size_t *length)
{
	const char *begin = strstr(text, " : ");

	begin = begin ? begin + 3 : "";
	*length = strlen(begin);
	if (*length > 2 && !strcmp(begin + *length - 2, " }"))
		*length -= 2;
	return begin;
}

/* "\n8 x 16" where the set is in a box of numbers; else its conditions, if they are
 * short.  Consumes the set. */
static void write_box(struct show_graph *graph, layout_set *set)
{
	struct layout_caught failed = { 0 }, *previous;
	unsigned rank = layout_set_rank(set);
	int64_t *size = calloc(rank + 1, sizeof(*size));
	char *text = NULL;
	size_t length;

	previous = layout_context_catch(graph->ctx, &failed);
	if (size && layout_set_box(set, size)) {
		for (unsigned i = 0; i < rank; i++)
			layout_buffer_printf(graph->out, "%s%" PRId64, i ? " x " : "\\n",
				size[i]);
	} else if ((text = layout_set_str(set)) && strlen(text) < 2 * LABEL_LENGTH) {
		const char *begin = conditions(text, &length);

		layout_buffer_printf(graph->out, "%s", length ? "\\n" : "");
		write_quoted(graph->out, begin, length);
	}
	layout_context_catch(graph->ctx, previous);
	layout_string_free(text);
	free(failed.message);
	free(size);
	layout_set_free(set);
}

/* The node of one side of a relation; its number. */
static unsigned write_space(struct show_graph *graph, layout_relation *relation, bool images)
{
	unsigned rank = images ? layout_relation_out_rank(relation) :
		layout_relation_in_rank(relation);
	const char *tuple = layout_relation_tuple_name(relation, images);
	layout_relation *fixed;

	layout_buffer_printf(graph->out, "\ts%u [label=\"%s[", graph->nodes,
		tuple ? tuple : "");
	for (unsigned i = 0; i < rank; i++) {
		const char *name = layout_relation_coordinate_name(relation, images, i);

		layout_buffer_printf(graph->out, i ? ", " : "");
		if (name)
			layout_buffer_printf(graph->out, "%s", name);
		else
			layout_buffer_printf(graph->out, "i%u", i);
	}
	layout_buffer_printf(graph->out, "]");
	fixed = layout_relation_fix(layout_relation_copy(relation), graph->options->sizes,
		graph->options->count);
	write_box(graph, images ? layout_relation_range(fixed) :
		layout_relation_domain(fixed));
	layout_buffer_printf(graph->out, "\"];\n");
	return graph->nodes++;
}

static void write_edge(struct show_graph *graph, unsigned from, unsigned to, const char *text)
{
	layout_buffer_printf(graph->out, "\ts%u -> s%u [label=\"", from, to);
	write_quoted(graph->out, text, LABEL_LENGTH);
	layout_buffer_printf(graph->out, "%s\", tooltip=\"",
		strlen(text) > LABEL_LENGTH ? ".." : "");
	write_quoted(graph->out, text, strlen(text));
	layout_buffer_printf(graph->out, "\"];\n");
}

/* The images of a relation, and the edge to them from the node "from". */
static bool write_step(struct show_graph *graph, layout_relation *relation, char *text,
	unsigned *from)
{
	bool good = relation && text;

	if (good) {
		unsigned to = write_space(graph, relation, true);

		write_edge(graph, *from, to, text);
		*from = to;
	}
	layout_string_free(text);
	layout_relation_free(relation);
	return good;
}

/* The operands of a composition; what is none is its only step. */
static bool write_steps(struct show_graph *graph, layout_value *value)
{
	unsigned count = value->step_count ? value->step_count : 1;
	unsigned from = 0;
	bool good = true;

	for (unsigned i = 0; good && i < count; i++) {
		layout_value *step = value->step_count ? value->steps[i] : value;
		layout_relation *relation = layout_value_relation(step);

		if (relation && !i)
			from = write_space(graph, relation, false);
		good = write_step(graph, relation, layout_value_str(step), &from);
	}
	return good;
}

/* A remap goes from the cells of its source to the logical index, through its map, and on
 * to the cells of its destination. */
static bool write_remap(struct show_graph *graph, layout_value *value)
{
	layout_remap *remap = value->object;
	layout_storage *source = layout_remap_source(remap);
	layout_storage *destination = layout_remap_destination(remap);
	layout_relation *cells = layout_storage_relation(source);
	layout_relation *map = layout_remap_map(remap);
	unsigned from = cells ? write_space(graph, cells, true) : 0;
	bool good = write_step(graph, layout_relation_inverse(cells),
		layout_storage_str(source), &from);

	if (map)
		good = good && write_step(graph, layout_relation_copy(map),
			layout_relation_str(map), &from);
	layout_relation_free(map);
	return good && write_step(graph, layout_storage_relation(destination),
		layout_storage_str(destination), &from);
}

/* The tensor that a chain has made; its number. */
static unsigned write_tensor(struct show_graph *graph, layout_chain *chain)
{
	layout_buffer_printf(graph->out, "\ts%u [label=\"logical[", graph->nodes);
	for (unsigned d = 0; d < layout_chain_rank(chain); d++)
		layout_buffer_printf(graph->out, "%si%u", d ? ", " : "", d);
	layout_buffer_printf(graph->out, "]\\n");
	for (unsigned d = 0; d < layout_chain_rank(chain); d++) {
		const char *size = layout_chain_size(chain, d);
		bool is_sum = strchr(size, ' ');

		layout_buffer_printf(graph->out, "%s%s%s%s", d ? " x " : "",
			is_sum ? "(" : "", size, is_sum ? ")" : "");
	}
	layout_buffer_printf(graph->out, "\"];\n");
	return graph->nodes++;
}

/* A tensor after each operation: what the chain is that ends behind it. */
static bool write_operations(struct show_graph *graph, const char *text, unsigned from)
{
	const char *at = show_argument_end(strchr(text, '(') + 1);
	bool good = true;

	while (good && *at == ',') {
		const char *end = show_argument_end(at + 1);
		struct layout_buffer part = { 0 };
		layout_chain *chain;
		char *prefix, *name;

		layout_buffer_printf(&part, "%.*s)", (int)(end - text), text);
		prefix = layout_buffer_take(graph->ctx, &part);
		layout_buffer_printf(&part, "%.*s", (int)(end - at - 2), at + 2);
		name = layout_buffer_take(graph->ctx, &part);
		chain = prefix && name ? layout_chain_parse(graph->ctx, prefix) : NULL;
		good = chain;
		if (chain) {
			unsigned to = write_tensor(graph, chain);

			write_edge(graph, from, to, name);
			from = to;
		}
		layout_chain_free(chain);
		free(prefix);
		free(name);
		at = end;
	}
	return good;
}

/* From the cells of the source to its tensor, and on through the operations. */
static bool write_chain(struct show_graph *graph, layout_value *value)
{
	layout_chain *chain = value->object;
	layout_storage *source = layout_chain_source(chain);
	layout_relation *cells = layout_storage_relation(source);
	unsigned from = cells ? write_space(graph, cells, true) : 0;
	bool good = write_step(graph, layout_relation_inverse(cells),
		layout_storage_str(source), &from);
	char *text = good ? layout_chain_str(chain) : NULL;

	good = text && write_operations(graph, text, from);
	layout_string_free(text);
	return good;
}

/* The elements of a remap are those of both its storages, unless it has a map. */
static void declare_remap(struct show_picture *picture, layout_value *value)
{
	const layout_remap *remap = value->object;

	if (!remap->map && !remap->chain)
		show_declare_padding(picture, remap->destination);
}

const struct show_kind show_remap = { .graph = write_remap, .declare = declare_remap,
	.inputs_are_plain = true };
const struct show_kind show_chain = { .graph = write_chain };

bool show_draw_dot(struct layout_buffer *out, layout_context *ctx, layout_value *value,
	const layout_show_options *options)
{
	struct show_graph graph = { out, ctx, options, 0 };
	const struct show_kind *kind = value->kind->show;
	bool good;

	layout_buffer_printf(out, "digraph layout {\n"
		"\tnode [shape=box, style=rounded, fontname=\"monospace\"];\n"
		"\tedge [fontname=\"monospace\"];\n");
	good = kind && kind->graph ? kind->graph(&graph, value) :
		write_steps(&graph, value);
	layout_buffer_printf(out, "}\n");
	return good;
}
