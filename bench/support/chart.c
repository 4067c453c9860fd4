/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/chart.h"

enum { LEFT = 220, WIDTH = 520, BAR = 9, GAP = 10, TOP = 56, RIGHT = 30 };

/* A value this large is at the right end; what is more ends there. */
#define MOST 1.5

static const char *const colours[CHART_BARS] = { "#2f6fdb", "#e0862e", "#3fa35b", "#9a6bc9",
	"#8a8a8a" };

static double x_of(double value)
{
	return LEFT + WIDTH * (value < MOST ? value : MOST) / MOST;
}

/* Names have ">" and "&" at most. */
static void write_text(FILE *out, double x, double y, const char *anchor, const char *text)
{
	fprintf(out, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">", x, y, anchor);
	for (; *text; text++)
		if (*text == '>')
			fputs("&gt;", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else
			fputc(*text, out);
	fputs("</text>\n", out);
}

static void write_legend(FILE *out, const char *const *names, unsigned bars)
{
	for (unsigned i = 0; i < bars; i++) {
		fprintf(out, "<rect x=\"%u\" y=\"28\" width=\"10\" height=\"10\" fill=\"%s\"/>\n",
			LEFT + 110 * i, colours[i]);
		write_text(out, LEFT + 110 * i + 15, 37, "start", names[i]);
	}
}

static void write_row(FILE *out, const struct chart_row *row, unsigned bars, unsigned y)
{
	write_text(out, LEFT - 8, y + (bars * BAR + 8) / 2, "end", row->name);
	for (unsigned i = 0; i < bars; i++) {
		double end = x_of(row->values[i]);

		if (row->values[i] <= 0)
			continue;
		fprintf(out, "<rect x=\"%d\" y=\"%u\" width=\"%.1f\" height=\"%d\" fill=\"%s\">"
			"<title>%.2f</title></rect>\n", LEFT, y + i * BAR, end - LEFT, BAR - 1,
			colours[i], row->values[i]);
		if (row->values[i] > MOST)
			fprintf(out, "<text x=\"%.0f\" y=\"%u\" font-size=\"8\">%.1f</text>\n",
				end + 3, y + i * BAR + 8, row->values[i]);
	}
}

static void write_line(FILE *out, double value, unsigned bottom)
{
	char text[16];

	snprintf(text, sizeof(text), "%.1f", value);
	fprintf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%u\" stroke=\"#888888\" "
		"stroke-width=\"%s\"/>\n", x_of(value), x_of(value), TOP - 6, bottom,
		value == 1 ? "1.5" : "0.3");
	write_text(out, x_of(value), bottom + 14, "middle", text);
}

bool chart_write(const char *path, const char *title, const char *const *names, unsigned bars,
	const struct chart_row *rows, unsigned count)
{
	unsigned step = bars * BAR + GAP, bottom = TOP + count * step;
	FILE *out = fopen(path, "w");
	bool ok;

	if (!out)
		return false;
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
		"viewBox=\"0 0 %d %u\" font-family=\"sans-serif\" font-size=\"11\" "
		"fill=\"#777777\">\n", LEFT + WIDTH + RIGHT, bottom + 24, LEFT + WIDTH + RIGHT,
		bottom + 24);
	write_text(out, LEFT, 16, "start", title);
	write_legend(out, names, bars);
	for (int i = 0; i <= 3; i++)
		write_line(out, i * 0.5, bottom);
	for (unsigned i = 0; i < count; i++)
		write_row(out, &rows[i], bars, TOP + i * step);
	fputs("</svg>\n", out);
	ok = !ferror(out);
	return !fclose(out) && ok;
}
