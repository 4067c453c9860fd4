/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chromium without a screen, driven as a user drives it: by its DevTools protocol, over a pair
 * of pipes. */
#ifndef TESTS_SUPPORT_BROWSER_H
#define TESTS_SUPPORT_BROWSER_H

#include <stdbool.h>

struct browser;

/* Start it with a profile in this folder; NULL where none is installed.  Whatever else goes
 * wrong fails the test, here and below. */
struct browser *browser_open(const char *folder);
void browser_close(struct browser *browser);

/* Load a page in a window of this size, in dark colors if the user likes these better. */
void browser_load(struct browser *browser, const char *url, int width, int height, bool dark);

/* What an expression of the page is, or what it promises: a string, to be freed. */
char *browser_eval(struct browser *browser, const char *script);

/* Move the mouse, click, or touch with a finger, at a point of the window. */
void browser_move(struct browser *browser, double x, double y);
void browser_click(struct browser *browser, double x, double y);
void browser_touch(struct browser *browser, double x, double y);

/* Press a key, "ArrowDown", "Tab". */
void browser_key(struct browser *browser, const char *name);

/* What the window shows, a PNG in base64; to be freed. */
char *browser_screenshot(struct browser *browser);

#endif
