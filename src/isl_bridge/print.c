/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Relations and sets as text for readers.
 *
 * isl prints conditions well, but images as equations, and i mod 4 as those of a
 * remainder.  So images are printed from the function, where the relation is
 * one, and conditions by isl. */
#include "isl_bridge/affine.h"
#include "isl_bridge/objects.h"

#include <stdlib.h>
#include <string.h>

/* Names of a tuple's coordinates, then of the parameters. */
struct names {
	unsigned count;
	char **names;
	bool failed;
};

static void free_names(struct names *names)
{
	for (unsigned i = 0; names->names && i < names->count; i++)
		free(names->names[i]);
	free(names->names);
}

static bool is_param(isl_map *map, const char *name)
{
	return isl_map_find_dim_by_name(map, isl_dim_param, name) >= 0;
}

/* The input's own names, as far as they are plain; else i, j, k, l; or i0, i1, .. for
 * more than four, or where a parameter has one of those names. */
static struct names input_names(layout_context *ctx, isl_map *map)
{
	static const char *const letters[] = { "i", "j", "k", "l" };
	isl_size in = isl_map_dim(map, isl_dim_in),
		params = isl_map_dim(map, isl_dim_param);
	struct names names = { 0 };
	bool plain = in <= 4;

	for (isl_size i = 0; i < in && plain; i++)
		plain = !is_param(map, letters[i]);
	names.names = layout_alloc(ctx, (size_t)(in + params), sizeof(char *));
	for (isl_size i = 0; names.names && i < in && !names.failed; i++) {
		const char *own = isl_map_get_dim_name(map, isl_dim_in, (unsigned)i);
		struct layout_buffer name = { 0 };

		if (own && !strchr(own, '\''))
			layout_buffer_printf(&name, "%s", own);
		else if (plain)
			layout_buffer_printf(&name, "%s", letters[i]);
		else
			layout_buffer_printf(&name, "i%d", (int)i);
		for (isl_size k = 0; !name.failed && k < i; k++)
			if (strcmp(names.names[k], name.text) == 0)
				layout_buffer_printf(&name, "_");
		while (!name.failed && is_param(map, name.text))
			layout_buffer_printf(&name, "_");
		names.names[names.count++] = layout_buffer_take(ctx, &name);
		names.failed = !names.names[i];
	}
	for (isl_size i = 0; names.names && i < params && !names.failed; i++) {
		char *name = layout_strdup(ctx,
			isl_map_get_dim_name(map, isl_dim_param, (unsigned)i));

		names.names[names.count++] = name;
		names.failed = !name;
	}
	names.failed = names.failed || !names.names;
	return names;
}

/* isl writes floor((i)/2), where "i" needs no parentheses. */
static char *bare_floors(char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'";
	char *at = text, *out = text;

	while (at && *at) {
		size_t length = *at == '(' && out - text >= 6 &&
			memcmp(out - 6, "floor(", 6) == 0 ? strspn(at + 1, letters) : 0;

		if (length && strncmp(at + 1 + length, ")/", 2) == 0) {
			memmove(out, at + 1, length);
			out += length;
			at += length + 2;
		} else {
			*out++ = *at++;
		}
	}
	if (out)
		*out = '\0';
	return text;
}

/* "logical[i, j]" and "0 <= i < M" of one part of isl's text of a set,
 * "{ tuple : condition; tuple : condition }" */
struct part {
	const char *tuple, *condition;
	size_t tuple_length, condition_length;
};

/* Take the next part off "text", which begins behind "{" or ";". */
static bool next_part(const char **text, struct part *part)
{
	const char *at = *text, *end, *colon;

	at += strspn(at, " ");
	if (!*at || *at == '}')
		return false;
	end = at + strcspn(at, ";}");
	colon = memchr(at, ':', (size_t)(end - at));
	part->tuple = at;
	part->condition = colon ? colon + 1 : NULL;
	part->tuple_length = (size_t)((colon ? colon : end) - at);
	part->condition_length = colon ? (size_t)(end - colon - 1) : 0;
	while (part->tuple_length && part->tuple[part->tuple_length - 1] == ' ')
		part->tuple_length--;
	while (part->condition_length && *part->condition == ' ') {
		part->condition++;
		part->condition_length--;
	}
	while (part->condition_length &&
	    part->condition[part->condition_length - 1] == ' ')
		part->condition_length--;
	*text = *end == ';' ? end + 1 : end;
	return true;
}

struct printer {
	layout_context *ctx;
	struct layout_buffer out;
	struct names names;
	const struct form *form;	/* of the relation, or NULL */
	bool first, failed;
};

/* "floor(j/4)" */
static void print_coordinate(struct printer *printer, struct layout_buffer *out,
	isl_multi_aff *function, unsigned output, struct affine *affine,
	const struct range *bounds)
{
	const char *const *names = (const char *const *)printer->names.names;
	struct affine_sum sum;
	isl_aff *aff;

	if (printer->form && printer->form->kind->print &&
			printer->form->kind->print(out, printer->form, output, names))
		return;
	aff = isl_multi_aff_get_aff(function, (int)output);
	*affine = (struct affine){ .variable_count = printer->names.count,
		.bounds = bounds };
	sum = affine_from_isl(affine, aff);
	isl_aff_free(aff);
	affine_print(out, affine, &sum, names, AFFINE_ISL);
}

/* "cell[i, floor(j/4)]" */
static char *image_text(struct printer *printer, isl_multi_aff *function,
	const struct range *bounds)
{
	const char *name = isl_multi_aff_get_tuple_name(function, isl_dim_out);
	isl_size rank = isl_multi_aff_dim(function, isl_dim_out);
	struct affine *affine = layout_alloc(printer->ctx, 1, sizeof(*affine));
	struct layout_buffer out = { 0 };

	layout_buffer_printf(&out, "%s[", name ? name : "");
	for (isl_size i = 0; affine && i < rank && !affine->failed; i++) {
		layout_buffer_printf(&out, i ? ", " : "");
		print_coordinate(printer, &out, function, (unsigned)i, affine, bounds);
	}
	layout_buffer_printf(&out, "]");
	if (!affine || affine->failed)
		printer->failed = true;
	free(affine);
	return layout_buffer_take(printer->ctx, &out);
}

/* The function on "domain", one "tuple -> image : condition" for every part of it. */
static isl_stat print_piece(isl_set *domain, isl_multi_aff *function, void *user)
{
	struct printer *printer = user;
	isl_size in = isl_set_dim(domain, isl_dim_set);
	struct range *bounds = affine_bounds(printer->ctx, domain);
	char *image = image_text(printer, function, bounds), *text;
	const char *at;
	struct part part;

	for (isl_size i = 0; i < in; i++)
		domain = isl_set_set_dim_name(domain, isl_dim_set, (unsigned)i,
			printer->names.names[i]);
	text = bare_floors(isl_set_to_str(domain));
	at = text ? strchr(text, '{') : NULL;
	at = at ? at + 1 : "";
	while (image && next_part(&at, &part)) {
		layout_buffer_printf(&printer->out, "%s%.*s -> %s",
			printer->first ? "" : "; ", (int)part.tuple_length,
			part.tuple, image);
		if (part.condition_length)
			layout_buffer_printf(&printer->out, " : %.*s",
				(int)part.condition_length, part.condition);
		printer->first = false;
	}
	printer->failed = printer->failed || !image || !text;
	free(image);
	free(text);
	free(bounds);
	isl_set_free(domain);
	isl_multi_aff_free(function);
	return printer->failed ? isl_stat_error : isl_stat_ok;
}

static void print_params(struct printer *printer, isl_map *map)
{
	isl_size params = isl_map_dim(map, isl_dim_param);

	for (isl_size i = 0; i < params; i++)
		layout_buffer_printf(&printer->out, "%s%s", i ? ", " : "[",
			isl_map_get_dim_name(map, isl_dim_param, (unsigned)i));
	if (params > 0)
		layout_buffer_printf(&printer->out, "] -> ");
	layout_buffer_printf(&printer->out, "{ ");
}

/* The parameters of "function" are those of "map", in order: atoms are numbered
 * by them. */
static isl_multi_aff *align_params(isl_multi_aff *function, isl_map *map)
{
	return isl_multi_aff_align_params(function, isl_map_get_space(map));
}

static bool has_nested_tuples(isl_map *map)
{
	return isl_map_domain_is_wrapping(map) == isl_bool_true ||
		isl_map_range_is_wrapping(map) == isl_bool_true;
}

/* The text through the function, or NULL if there is none or it is too large.  "*one"
 * is true where one expression holds everywhere. */
static char *function_text(layout_relation *relation, bool *one)
{
	struct printer printer = { .ctx = relation->ctx, .first = true,
		.form = bridge_function_form(relation) };
	isl_pw_multi_aff *pieces;
	isl_bool function;

	*one = printer.form || relation->forward;
	if (!bridge_need_map(relation) || has_nested_tuples(relation->map))
		return NULL;
	printer.names = input_names(relation->ctx, relation->map);
	print_params(&printer, relation->map);
	if (printer.names.failed) {
		printer.failed = true;
	} else if (relation->forward) {
		print_piece(printer.form ?
				bridge_form_box(relation->ctx, printer.form) :
				isl_map_domain(isl_map_copy(relation->map)),
			align_params(isl_multi_aff_copy(relation->forward),
				relation->map), &printer);
	} else {
		function = isl_map_is_single_valued(relation->map);
		pieces = function == isl_bool_true ? bridge_coalesce_pieces(relation->ctx,
			isl_pw_multi_aff_from_map(isl_map_copy(relation->map))) : NULL;
		*one = isl_pw_multi_aff_n_piece(pieces) == 1;
		printer.failed = !pieces ||
			isl_pw_multi_aff_foreach_piece(pieces, print_piece,
				&printer) != isl_stat_ok || printer.first;
		isl_pw_multi_aff_free(pieces);
	}
	layout_buffer_printf(&printer.out, " }");
	free_names(&printer.names);
	if (!printer.failed && !printer.first)
		return layout_buffer_take(relation->ctx, &printer.out);
	free(printer.out.text);
	return NULL;
}

/* Close a bridge_enter() with isl's text, which it frees, printed without the quota. */
static char *take_text(layout_context *ctx, const char *doing, char *text)
{
	char *copy = text ? layout_strdup(ctx, bare_floors(text)) : NULL;

	bridge_resume_quota(ctx);
	free(text);
	if (bridge_leave(ctx, doing) && layout_is_made(ctx, copy))
		return copy;
	free(copy);
	return NULL;
}

char *layout_relation_isl_str(layout_relation *relation)
{
	if (!relation)
		return NULL;
	bridge_enter(relation->ctx);
	bridge_need_map(relation);
	bridge_suspend_quota(relation->ctx);
	return take_text(relation->ctx, "print a relation",
		relation->map ? isl_map_to_str(relation->map) : NULL);
}

/* Finding the function may run out of quota, be beyond what this prints, or come
 * in so many pieces that isl's own text is shorter. */
char *layout_relation_str(layout_relation *relation)
{
	char *text, *plain;
	bool one, whole;

	if (!relation)
		return NULL;
	bridge_enter(relation->ctx);
	bridge_begin_attempt(relation->ctx, BUDGET_PRINT);
	text = function_text(relation, &one);
	whole = bridge_end_attempt(relation->ctx);
	bridge_leave(relation->ctx, "print a relation");
	if (!whole) {
		free(text);
		text = NULL;
	}
	if (text && one)
		return text;
	plain = layout_relation_isl_str(relation);
	if (!text || !plain || strlen(plain) < strlen(text)) {
		free(text);
		return plain;
	}
	free(plain);
	return text;
}

char *layout_set_str(layout_set *set)
{
	if (!set)
		return NULL;
	bridge_enter(set->ctx);
	bridge_suspend_quota(set->ctx);
	return take_text(set->ctx, "print a set", isl_set_to_str(set->set));
}
