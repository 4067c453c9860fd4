/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The page in a real browser: a mouse, a finger and keys, wide and narrow windows, and the
 * colors of a screenshot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "show/palette.h"
#include "support/browser.h"
#include "support/share.h"
#include "support/folder.h"
#include "support/shell.h"
#include "support/skip.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NESTED "nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 2], " \
	"outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [1, 2], " \
	"subgroup_strides = [1, 0], thread_strides = [4, 1], subgroup_size = 16>"
#define PACKED "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 2]}>, " \
	"[5, 3])"

/* What steps use: the numbers of the marked elements, and of the marked cells of memory; and
 * the middle of a node that is scrolled to. */
static const char helpers[] =
	"const marks = name => [...grid.querySelectorAll('.cells .' + name)]\n"
	"  .map(node => node.id.slice(1)).join(' ');\n"
	"const strips = name => [...memory.querySelectorAll('.cells .' + name)]\n"
	"  .map(node => node.dataset.offset).join(' ');\n"
	"const state = () => marks('at') + '|' + marks('own') + '|' +\n"
	"  strips('at') + '|' + strips('own');\n"
	"const point = node => {\n"
	"  node.scrollIntoView({ block: 'nearest', inline: 'nearest' });\n"
	"  const box = node.getBoundingClientRect();\n"
	"  return (box.left + box.width / 2) + ' ' + (box.top + box.height / 2);\n"
	"}; ''";

/* A layout, the window, what is done, a line a step, and what the steps that look say, joined
 * by ";".
 *
 *	move NODE, click NODE, touch NODE	what an expression of the page is
 *	leave					the mouse goes to the corner of the window
 *	key NAME
 *	look EXPRESSION
 *	state					the element, those that belong to it, and
 *						the same in memory */
static const struct row {
	const char *layout;
	int width, height;
	const char *steps, *found;
	const char *options;		/* NULL: none */
} rows[] = {
	/* The mouse: an element, its lane's others, and the same in memory. */
	{ NESTED, 1000, 800, "move cell(17)\nstate\n"
		"look grid.getAttribute('aria-activedescendant')\n"
		"look cell(17).getAttribute('aria-selected')\nlook status_.textContent\n"
		"leave\nstate",
		"17|16 17 24 25|17|16 17 24 25;c17;true;(1, 1): T4:r1 (thread 4, batch0 0, "
		"batch1 0, outer0 0, outer1 0, element0 0, element1 1). T4 holds 4 elements.;"
		"|||" },
	/* The other way: a cell of memory, and padding, which is nobody's. */
	{ PACKED, 1000, 800, "move strip.get(7)\nstate\nleave\nmove strip.get(9)\nstate\n"
		"move cell(3)\nstate\nlook status_.textContent",
		"13|13|7|7;|||;3|3||;(0, 3): padding." },
	/* A click holds on to it; another lets go. */
	{ PACKED, 1000, 800, "click cell(1)\nmove cell(5)\nstate\nleave\nstate\n"
		"click cell(1)\nmove cell(6)\nstate",
		"1|1|1|1;1|1|1|1;6|6|10|10" },
	/* Keys, also where the grid ends, and out of it. */
	{ PACKED, 1000, 800, "key Tab\nlook document.activeElement.id\nkey ArrowDown\nstate\n"
		"key ArrowDown\nstate\nkey ArrowRight\nstate\nkey ArrowUp\nkey ArrowUp\nstate\n"
		"key End\nstate\nkey ArrowRight\nstate\nkey Home\nstate\nkey Escape\nstate",
		"grid;0|0|0|0;4|4|2|2;5|5|3|3;1|1|1|1;3|3||;3|3||;0|0|0|0;|||" },
	{ "(2,3,4):(12,4,1)", 1000, 800, "key Tab\nkey End\nkey End\nstate\nkey ArrowRight\n"
		"state\nkey PageDown\nstate\nkey ArrowLeft\nstate",
		"2|2|8|8;6|6|1|1;12|12|2|2;8|8|9|9" },
	{ "row_major[2, 2, 2, 2]", 1000, 800, "key Tab\nkey Home\nkey PageDown\nkey PageDown\n"
		"state\nlook status_.textContent", "8|8|8|8;(1, 0, 0, 0): 8 (cell 1, 0, 0, 0). "
		"The cell holds 1 element." },
	/* A lane's elements before a remap, and where they go. */
	{ "remap(row_major[32, 32] -> col_major[32, 32], type = f32)", 1000, 800,
		"move cell(0)\nstate\nlook document.querySelector('h2').textContent\n"
		"move strip.get(1)\nlook marks('at')",
		"0|0 1 2 3 32 33 34 35 64 65 66 67 96 97 98 99|0|"
		"0 1 2 3 32 33 34 35 64 65 66 67 96 97 98 99;"
		"After, in the destination's memory;32", "--color-by lane --target gfx942" },
	/* A finger lifts and the element stays. */
	{ NESTED, 390, 800, "touch cell(0)\nstate", "0|0 1 8 9|0|0 1 8 9" },
	/* All that hold an element, and all that these hold. */
	{ "linear<{register = [[1]], lane = [[2], [0]]}>", 1000, 800,
		"move cell(2)\nstate\nlook status_.textContent",
		"2|2 3|2|2 3;(2): T1:r0 (register 0, lane 1); T3:r0 (register 0, lane 3). "
		"T1, T3 hold 2 elements." },
	/* Elements in one cell. */
	{ "(4,2):(0,1)", 1000, 800, "move cell(3)\nstate\nlook status_.textContent",
		"3|1 3 5 7|1|1;(1, 1): 1. The cell holds 4 elements." },
	/* A phone: the page is as wide as it is, and the grid scrolls in its box, to where the
	 * keys go. */
	{ "row_major[24, 40]", 390, 700, "look document.documentElement.scrollWidth <= innerWidth\n"
		"look gridBox.scrollWidth > gridBox.clientWidth\nkey Tab\nkey Home\nkey End\n"
		"state\nlook gridBox.scrollLeft > 0\n"
		"look cell(39).getBoundingClientRect().right <= innerWidth",
		"true;true;39|39|39|39;true;true" },
	/* What a screen reader is told. */
	{ NESTED, 1000, 800, "look grid.getAttribute('role')\nlook grid.tabIndex\n"
		"look grid.querySelectorAll('[role=rowgroup] > [role=row]').length\n"
		"look grid.querySelectorAll('[role=row] > [role=gridcell]').length\n"
		"look status_.getAttribute('role')\nlook document.documentElement.lang\n"
		"look document.getElementById(grid.getAttribute('aria-describedby')).textContent",
		"grid;0;8;128;status;en;8 x 16 elements, 32 threads of 4 registers, colored by "
		"lane" },
	/* Nothing is fetched. */
	{ NESTED, 1000, 800, "look performance.getEntriesByType('resource').length", "0" },
	/* Too long a memory is not drawn, and the grid works. */
	{ "(2,2):(1,100000)", 1000, 800, "move cell(3)\nlook marks('at')\n"
		"look document.getElementById('memory-box').textContent",
		"3;100002 cells are too many to draw." },
	/* 128 x 128, on a machine with other work. */
	{ "row_major[128, 128]", 1000, 800, "look (start => { "
		"for (let e = 0; e < 16384; e += 1024) pick(e); "
		"return performance.now() - start < 10000; })(performance.now())\nstate",
		"true;15360|15360|15360|15360" },
};

static struct browser *browser;

static int open_browser(void **state)
{
	folder_open(state);
	browser = share_others() ? browser_open(folder) : NULL;
	return 0;
}

static int close_browser(void **state)
{
	browser_close(browser);
	return folder_close(state);
}

static void need_browser(void)
{
	if (!share_others())
		skip_because("the page in a browser is the same without sanitizers");
	if (!browser)
		skip_because("the page is not tried in a browser: there is no chromium");
}

/* The page of a layout, and options, in a window. */
static void load(const char *layout, const char *options, int width, int height, bool dark)
{
	char url[4096];

	free(shell_must("cd '%s' && '%s' show '%s' -o page.html %s", folder, LAYOUTC_PATH,
		layout, options));
	snprintf(url, sizeof(url), "file://%s/page.html", folder);
	browser_load(browser, url, width, height, dark);
	free(browser_eval(browser, helpers));
}

static char *look(const char *format, const char *expression)
{
	char *script = NULL, *said;

	assert_true(asprintf(&script, format, expression) > 0);
	said = browser_eval(browser, script);
	free(script);
	return said;
}

/* Do one step; what it says, to be freed, or NULL. */
static char *take_step(const char *step)
{
	const char *rest = step + strcspn(step, " ");
	char *point;
	double x, y;

	rest += *rest == ' ';
	if (!strcmp(step, "state"))
		return look("%s", "state()");
	if (!strncmp(step, "look ", 5))
		return look("String(%s)", rest);
	if (!strncmp(step, "key ", 4)) {
		browser_key(browser, rest);
		return NULL;
	}
	if (!strcmp(step, "leave")) {
		browser_move(browser, 1, 1);
		return NULL;
	}
	point = look("point(%s)", rest);
	assert_int_equal(sscanf(point, "%lf %lf", &x, &y), 2);
	free(point);
	if (!strncmp(step, "move ", 5))
		browser_move(browser, x, y);
	else if (!strncmp(step, "click ", 6))
		browser_click(browser, x, y);
	else if (!strncmp(step, "touch ", 6))
		browser_touch(browser, x, y);
	else
		fail_msg("there is no step %s", step);
	return NULL;
}

static void check_row(const struct row *row)
{
	char found[4096] = "", *steps = strdup(row->steps), *rest = steps, *step;

	assert_non_null(steps);
	browser_move(browser, 1, 1);
	load(row->layout, row->options ? row->options : "", row->width, row->height, false);
	while ((step = strsep(&rest, "\n"))) {
		char *said = take_step(step);
		size_t length = strlen(found);

		if (said)
			snprintf(found + length, sizeof(found) - length, "%s%s",
				length ? ";" : "", said);
		free(said);
	}
	if (strcmp(found, row->found) != 0)
		fail_msg("%s\n%s\nfound\n%s\nand not\n%s", row->layout, row->steps, found,
			row->found);
	free(steps);
}

static void test_page(void **state)
{
	(void)state;
	need_browser();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&rows[i]);
}

/* The page fits the window: it does not scroll, and the grid is seen, as a whole where its
 * cells stay legible. */
static void test_fits(void **state)
{
	static const struct {
		const char *layout;
		int width, height;
		const char *whole;
	} windows[] = {
		{ NESTED, 1280, 720, "true" }, { NESTED, 1920, 1080, "true" },
		{ NESTED, 1000, 800, "true" }, { "row_major[64, 64]", 1920, 1080, "false" },
		{ "row_major[128, 128]", 1280, 900, "true" },
		{ "row_major[2, 3, 8, 8]", 1280, 720, "true" },
		{ "row_major[64, 64]", 390, 700, "false" }, { NESTED, 390, 700, "false" },
		{ "row_major[1, 1]", 390, 300, "true" },
	};

	(void)state;
	need_browser();
	for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
		char *fits, *whole;

		load(windows[i].layout, "", windows[i].width, windows[i].height, false);
		fits = look("String(%s)", "document.documentElement.scrollHeight <= innerHeight && "
			"document.documentElement.scrollWidth <= innerWidth && "
			"gridBox.clientHeight >= 100");
		whole = look("String(%s)", "gridBox.scrollWidth <= gridBox.clientWidth && "
			"gridBox.scrollHeight <= gridBox.clientHeight");
		if (strcmp(fits, "true") || strcmp(whole, windows[i].whole))
			fail_msg("%s in %d x %d: fits %s, whole %s", windows[i].layout,
				windows[i].width, windows[i].height, fits, whole);
		free(fits);
		free(whole);
	}
}

/* The palette, as the page's classes are called. */
static void tell_palette(void)
{
	char script[64 * SHOW_COLORS] = "globalThis.palette = {};";

	for (unsigned i = 0; i < SHOW_COLORS; i++)
		snprintf(script + strlen(script), sizeof(script) - strlen(script),
			"palette.k%u = %u;", i, show_palette_rgb(i));
	free(look("%s''", script));
}

/* How many cells have a color, and those that have another in an image than that of their
 * class; "box" is where a cell is in the image. */
static const char wrong_cells[] =
	"(async box_of => {\n"
	"  const image = new Image();\n"
	"  image.src = 'data:image/png;base64,%s';\n"
	"  await image.decode();\n"
	"  const canvas = new OffscreenCanvas(image.width, image.height);\n"
	"  const draw = canvas.getContext('2d', { willReadFrequently: true });\n"
	"  draw.drawImage(image, 0, 0);\n"
	"  const wrong = [];\n"
	"  let seen = 0;\n"
	"  for (const node of document.querySelectorAll('%s .cell')) {\n"
	"    const box = box_of(node);\n"
	"    const color = palette[[...node.classList].find(name => name in palette)];\n"
	"    const [r, g, b] = draw.getImageData(Math.round(box.left + box.width * 0.3),\n"
	"      Math.round(box.bottom - box.height * 0.1 - 1), 1, 1).data;\n"
	"    if (color === undefined) continue;\n"
	"    seen++;\n"
	"    const apart = [color >> 16, color >> 8 & 255, color & 255]\n"
	"      .map((part, i) => Math.abs(part - [r, g, b][i]));\n"
	"    if (Math.max(...apart) > 2) wrong.push(node.id + ' ' + [r, g, b]);\n"
	"  }\n"
	"  return seen + ' seen ' + wrong.slice(0, 5).join('; ');\n"
	"})(%s)";

static char *look_at(const char *image, const char *cells, const char *box_of)
{
	char *script = NULL, *found;

	assert_true(asprintf(&script, wrong_cells, image, cells, box_of) > 0);
	found = browser_eval(browser, script);
	free(script);
	return found;
}

/* A PNG has the cells where the SVG has them, twice as large, and in their colors. */
static void test_png(void **state)
{
	char url[4096], *image, *found;
	int status;

	(void)state;
	need_browser();
	image = shell_output(&status, "cd '%s' && '%s' show '" PACKED "' -o a.svg && "
		"ASAN_OPTIONS=detect_leaks=0 '%s' show '"
		PACKED "' -o a.png && base64 -w0 a.png", folder, LAYOUTC_PATH, LAYOUTC_PATH);
	if (status == 3 && strstr(image, "not installed")) {
		free(image);
		skip_because("the PNG of a picture is not looked at: librsvg is not installed");
	}
	assert_int_equal(status, 0);
	snprintf(url, sizeof(url), "file://%s/a.svg", folder);
	browser_load(browser, url, 1000, 800, false);
	tell_palette();
	found = look_at(image, "svg", "node => { const [left, top, width, height] = ['x', 'y', "
		"'width', 'height'].map(name => 2 * node.getAttribute(name)); "
		"return { left, top, width, height, bottom: top + height }; }");
	assert_string_equal(found, "15 seen ");
	free(found);
	free(image);
}

static void test_colors(void **state)
{
	static const struct {
		const char *layout, *options, *found;
	} pages[] = {
		{ NESTED, "", "128 seen " },
		{ NESTED, "--color-by register", "128 seen " },
		{ PACKED, "", "15 seen " },
		{ "Sw<2,2,2> o 0 o (16,16):(16,1)", "--color-by bank", "256 seen " },
		{ "row_major[2, 2, 4, 4]", "", "64 seen " },
		{ "row_major[20, 30]", "", "600 seen " },
	};

	(void)state;
	need_browser();
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		for (int dark = 0; dark < 2; dark++) {
			char *screenshot, *found;

			load(pages[i].layout, pages[i].options, 1280, 900, dark);
			browser_move(browser, 1, 1);
			tell_palette();
			screenshot = browser_screenshot(browser);
			found = look_at(screenshot, "#grid .cells",
				"node => node.getBoundingClientRect()");
			if (strcmp(found, pages[i].found) != 0)
				fail_msg("%s %s%s: %s", pages[i].layout, pages[i].options,
					dark ? " in the dark" : "", found);
			free(screenshot);
			free(found);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_colors),
		cmocka_unit_test(test_png),
	};

	return skip_status(cmocka_run_group_tests(tests, open_browser, close_browser));
}
