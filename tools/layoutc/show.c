/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layoutc show */
#include "files/output.h"
#include "layoutc/actions.h"
#include "layoutc/image.h"
#include "layoutc/report.h"
#include "layoutc/subject.h"

#include <layout/lds.h>
#include <layout/show.h>
#include <stdlib.h>
#include <string.h>

/* An image is drawn of the picture. */
struct format {
	const char *ending;
	layout_show_format format;
	enum image_kind image;
};

static const struct format formats[] = {
	{ ".svg", LAYOUT_SHOW_SVG, IMAGE_NONE },
	{ ".png", LAYOUT_SHOW_SVG, IMAGE_PNG },
	{ ".pdf", LAYOUT_SHOW_SVG, IMAGE_PDF },
	{ ".html", LAYOUT_SHOW_HTML, IMAGE_NONE },
	{ ".txt", LAYOUT_SHOW_TEXT, IMAGE_NONE },
	{ ".dot", LAYOUT_SHOW_DOT, IMAGE_NONE },
	{ ".tex", LAYOUT_SHOW_TIKZ, IMAGE_NONE },
};

/* The format that a file's name asks for; standard output gets text. */
static int find_format(const char *path, const struct format **format)
{
	static const struct format text = { "", LAYOUT_SHOW_TEXT, IMAGE_NONE };
	size_t length = strlen(path);

	*format = &text;
	if (!strcmp(path, "-"))
		return 0;
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		size_t ending = strlen(formats[i].ending);

		if (length > ending && !strcmp(path + length - ending,
				formats[i].ending)) {
			*format = &formats[i];
			return 0;
		}
	}
	return report(STATUS_USAGE, "-o",
		"'%s' ends in none of .svg, .png, .pdf, .html, .txt, .dot and .tex", path);
}

static int find_bits(const char *text, unsigned *bits)
{
	char *end;
	unsigned long value = text ? strtoul(text, &end, 10) : *bits;

	if (text && (*text < '0' || *text > '9' || *end || value < 1 || value > 4096))
		return report(STATUS_USAGE, "--bits", "'%s' is not 1 .. 4096", text);
	*bits = (unsigned)value;
	return 0;
}

static int find_lds(layout_context *ctx, const char *target, const layout_lds **lds)
{
	*lds = target ? layout_lds_find(ctx, target) : NULL;
	return target && !*lds ? report_error(ctx, "--target") : 0;
}

static int find_options(layout_context *ctx, const struct arguments *arguments,
	const char *path, const struct format **format, layout_show_options *show)
{
	int status = find_format(path, format);

	show->format = (*format)->format;
	show->color = argument_choice(arguments, OPTION_COLOR, -1) + 1;
	show->sizes = arguments->sizes;
	show->count = arguments->size_count;
	if (!status)
		status = find_bits(argument_value(arguments, OPTION_BITS),
			&show->element_bits);
	return status ? status : find_lds(ctx, argument_value(arguments, OPTION_BANKS),
		&show->lds);
}

static int write_piece(const char *path, const void *data, size_t size)
{
	struct piece piece = { data, size };
	struct complaint complaint;

	if (!output_write(path, &piece, 1, &complaint))
		return report_file(path, &complaint);
	return STATUS_YES;
}

static int write_picture(const char *path, const struct format *format, const char *picture)
{
	struct image image;
	const char *why;
	int status;

	if (!format->image)
		return write_piece(path, picture, strlen(picture));
	why = image_draw(&image, format->image, picture);
	status = why ? report(STATUS_UNKNOWN, "-o", "'%s' %s", path, why) :
		write_piece(path, image.data, image.size);
	free(image.data);
	return status;
}

int show_subject(layout_context *ctx, const struct subject *subject,
	const struct arguments *arguments)
{
	const char *reason = layout_value_reason(subject->value);
	const char *file = argument_value(arguments, OPTION_PICTURE);
	const char *path = file ? file : "-";
	layout_show_options picked = LAYOUT_SHOW_OPTIONS_INIT;
	const struct format *format;
	int status = find_options(ctx, arguments, path, &format, &picked);
	char *picture;

	if (status)
		return status;
	picked.title = subject->text.content;
	picture = layout_show(subject->value, &picked);
	status = picture ? write_picture(path, format, picture) :
		report_text(ctx, &subject->text, "show");
	layout_string_free(picture);
	return reason && !status ? report_reason(&subject->text, reason) : status;
}

int run_show(const struct arguments *arguments)
{
	return with_subject(arguments, false, show_subject);
}
