/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The page in a real browser, Chromium without a screen: a script at its end points at
 * elements, presses keys and writes down what the page shows.  Where there is no such
 * browser the tests are skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NESTED "nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 2], " \
	"outer_tile = [1, 1], thread_tile = [4, 4], element_tile = [1, 2], " \
	"subgroup_strides = [1, 0], thread_strides = [4, 1], subgroup_size = 16>"
#define PACKED "packed(encoding_info<{innerDimsPos = [0, 1], innerTileSizes = [4, 2]}>, " \
	"[5, 3])"

/* What the scripts use: the numbers of the marked elements, and of the marked cells of
 * memory, of an event, and of a key. */
static const char helpers[] =
	"<script>\n"
	"const out = [];\n"
	"const marks = name => [...grid.querySelectorAll('.cells .' + name)]\n"
	"  .map(node => node.id.slice(1)).join(' ');\n"
	"const strips = name => [...memory.querySelectorAll('.cells .' + name)]\n"
	"  .map(node => node.dataset.offset).join(' ');\n"
	"const key = name => grid.dispatchEvent(new KeyboardEvent('keydown', { key: name }));\n"
	"const point = (node, name, type) => node.dispatchEvent(new PointerEvent(name,\n"
	"  { bubbles: true, pointerType: type || 'mouse' }));\n"
	"const state = () => out.push(marks('at') + '|' + marks('own') + '|' +\n"
	"  strips('at') + '|' + strips('own'));\n";

/* A layout, the window's width, what the script does and what it finds, lines joined by
 * ";". */
static const struct row {
	const char *layout;
	unsigned width;
	const char *script, *found;
} rows[] = {
	/* The mouse: an element, its lane's others, and the same in memory. */
	{ NESTED, 1000, "point(cell(17), 'pointerover'); state(); "
		"out.push(grid.getAttribute('aria-activedescendant'), "
		"cell(17).getAttribute('aria-selected'), status_.textContent); "
		"point(grid, 'pointerleave'); state();",
		"17|16 17 24 25|17|16 17 24 25;c17;true;(1, 1): T4:r1 (thread 4, batch0 0, "
		"batch1 0, outer0 0, outer1 0, element0 0, element1 1). T4 holds 4 elements.;"
		"|||" },
	/* The other way: a cell of memory, and padding, which is nobody's. */
	{ PACKED, 1000, "point(strip.get(7), 'pointerover'); state(); "
		"point(memory, 'pointerleave'); point(strip.get(9), 'pointerover'); state();",
		"10|10|7|7;|||" },
	/* A click holds on to it; another lets go. */
	{ PACKED, 1000, "point(cell(1), 'click'); point(cell(5), 'pointerover'); state(); "
		"point(grid, 'pointerleave'); state(); point(cell(1), 'click'); "
		"point(cell(5), 'pointerover'); state();",
		"1|1|1|1;1|1|1|1;5|5|10|10" },
	/* Keys, also where the grid ends, and out of it. */
	{ PACKED, 1000, "grid.focus(); out.push(document.activeElement.id); key('ArrowDown'); "
		"state(); key('ArrowDown'); state(); key('ArrowRight'); state(); key('ArrowUp'); "
		"key('ArrowUp'); state(); key('End'); state(); key('ArrowRight'); state(); "
		"key('Home'); state(); key('Escape'); state();",
		"grid;0|0|0|0;3|3|2|2;4|4|3|3;1|1|1|1;2|2|8|8;2|2|8|8;0|0|0|0;|||" },
	{ "(2,3,4):(12,4,1)", 1000, "key('End'); key('End'); state(); key('ArrowRight'); "
		"state(); key('PageDown'); state(); key('ArrowLeft'); state();",
		"2|2|8|8;6|6|1|1;12|12|2|2;8|8|9|9" },
	/* A finger lifts and the element stays. */
	{ NESTED, 390, "point(cell(0), 'pointerover', 'touch'); "
		"point(grid, 'pointerleave', 'touch'); state();",
		"0|0 1 8 9|0|0 1 8 9" },
	/* All that hold an element, and all that these hold. */
	{ "linear<{register = [[1]], lane = [[2], [0]]}>", 1000,
		"point(cell(2), 'pointerover'); state(); out.push(status_.textContent);",
		"2|2 3|2|2 3;(2): T1:r0 (register 0, lane 1); T3:r0 (register 0, lane 3). "
		"T1, T3 hold 2 elements." },
	/* Elements in one cell. */
	{ "(4,2):(0,1)", 1000, "point(cell(3), 'pointerover'); state(); "
		"out.push(status_.textContent);",
		"3|1 3 5 7|1|1;(1, 1): 1. The cell holds 4 elements." },
	/* A phone: the page is as wide as it is, and the grid scrolls in its box. */
	{ "row_major[24, 40]", 500, "out.push(document.documentElement.scrollWidth <= "
		"innerWidth, innerWidth <= 500, document.getElementById('grid-box').scrollWidth > "
		"document.getElementById('grid-box').clientWidth);", "true;true;true" },
	/* What a screen reader is told. */
	{ NESTED, 1000, "out.push(grid.getAttribute('role'), grid.tabIndex, "
		"grid.querySelectorAll('[role=rowgroup] > [role=row]').length, "
		"grid.querySelectorAll('[role=row] > [role=gridcell]').length, "
		"status_.getAttribute('role'), document.documentElement.lang, "
		"document.getElementById(grid.getAttribute('aria-describedby')).textContent);",
		"grid;0;8;128;status;en;8 x 16 elements, 32 threads of 4 registers, colored by "
		"lane" },
	/* Nothing is fetched. */
	{ NESTED, 1000, "out.push(performance.getEntriesByType('resource').length);",
		"0" },
	/* Too long a memory is not drawn, and the grid works. */
	{ "(2,2):(1,100000)", 1000, "point(cell(3), 'pointerover'); out.push(marks('at'), "
		"document.getElementById('memory-box').textContent);",
		"3;100002 cells are too many to draw." },
	/* 128 x 128 in no time. */
	{ "row_major[128, 128]", 1000, "const start = performance.now(); "
		"for (let e = 0; e < 16384; e += 1024) pick(e); state(); "
		"out.push(performance.now() - start < 2000);",
		"15360|15360|15360|15360;true" },
};

static char *browser, *folder;

static int find_browser(void **state)
{
	(void)state;
	browser = shell_must("command -v chromium || command -v chromium-browser || "
		"command -v google-chrome || true");
	browser[strcspn(browser, "\n")] = 0;
	folder = shell_folder_new();
	return 0;
}

static int close_browser(void **state)
{
	(void)state;
	free(browser);
	shell_folder_remove(folder);
	return 0;
}

static void need_browser(void)
{
	if (*browser)
		return;
	print_message("there is no chromium: the page is not tried in a browser\n");
	skip();
}

/* The page with the row's script before its end. */
static void write_page(const struct row *row)
{
	char path[4096], *page, *end, *all = NULL;

	free(shell_must("cd '%s' && '%s' show '%s' -o page.html", folder, LAYOUTC_PATH,
		row->layout));
	snprintf(path, sizeof(path), "%s/page.html", folder);
	page = shell_read(path);
	end = strstr(page, "</body>");
	assert_non_null(end);
	*end = 0;
	assert_true(asprintf(&all, "%s%s%s\nconst found = document.createElement('pre');\n"
		"found.id = 'found';\nfound.textContent = '<<' + out.join(';') + '>>';\n"
		"document.body.append(found);\n</script>\n</body>\n</html>\n", page,
		helpers, row->script) > 0);
	shell_write(path, all);
	free(all);
	free(page);
}

/* What the page has written down, its entities replaced. */
static void check_found(const struct row *row, char *page)
{
	char *begin = strstr(page, "&lt;&lt;");
	char *end = begin ? strstr(begin, "&gt;&gt;") : NULL;

	if (!end)
		fail_msg("%s\n%s\nfound nothing:\n%.2000s", row->layout, row->script,
			page + (strlen(page) > 2000 ? strlen(page) - 2000 : 0));
	*end = 0;
	if (strcmp(begin + 8, row->found) != 0)
		fail_msg("%s\n%s\nfound\n%s\nand not\n%s", row->layout, row->script,
			begin + 8, row->found);
}

static void test_page(void **state)
{
	(void)state;
	need_browser();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *page;

		write_page(&rows[i]);
		page = shell_must("cd '%s' && timeout 60 '%s' --headless --no-sandbox"
			" --disable-gpu --user-data-dir='%s/profile' --window-size=%u,800"
			" --dump-dom 'file://%s/page.html' 2>/dev/null", folder, browser,
			folder, rows[i].width, folder);
		check_found(&rows[i], page);
		free(page);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page),
	};

	return cmocka_run_group_tests(tests, find_browser, close_browser);
}
