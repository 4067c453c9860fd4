/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/browser.h"

#include "support/shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

#define PATIENCE 60000	/* milliseconds */

struct browser {
	pid_t child;
	int to, from;
	unsigned count;		/* of requests */
	char *session;		/* the tab's */
	char *read;		/* and not looked at yet: messages end with a 0 byte */
	size_t length, capacity;
};

static void become(const char *program, const char *folder, int input, int output)
{
	char profile[4096];
	int silent = open("/dev/null", O_RDWR);

	setsid();
	input = fcntl(input, F_DUPFD, 10);
	output = fcntl(output, F_DUPFD, 10);
	for (int fd = 0; fd < 3; fd++)
		dup2(silent, fd);
	dup2(input, 3);
	dup2(output, 4);
	snprintf(profile, sizeof(profile), "--user-data-dir=%s/profile", folder);
	execl(program, program, "--headless", "--no-sandbox", "--disable-gpu",
		"--remote-debugging-pipe", "--hide-scrollbars", "--force-color-profile=srgb",
		"--touch-events=enabled", profile, (char *)NULL);
	_exit(127);
}

/* The next message, to be freed. */
static char *receive(struct browser *browser)
{
	struct pollfd wait = { .fd = browser->from, .events = POLLIN };
	char *end, *message;
	size_t length;

	while (!(end = browser->length ? memchr(browser->read, 0, browser->length) : NULL)) {
		ssize_t got;

		if (browser->length + 65536 > browser->capacity) {
			browser->capacity = 2 * browser->capacity + 65536;
			browser->read = realloc(browser->read, browser->capacity);
			assert_non_null(browser->read);
		}
		if (poll(&wait, 1, PATIENCE) <= 0)
			fail_msg("the browser is silent");
		got = read(browser->from, browser->read + browser->length, 65536);
		if (got <= 0)
			fail_msg("the browser has ended");
		browser->length += (size_t)got;
	}
	message = strdup(browser->read);
	assert_non_null(message);
	length = (size_t)(end - browser->read) + 1;
	browser->length -= length;
	memmove(browser->read, browser->read + length, browser->length);
	return message;
}

static void send_all(struct browser *browser, const char *text, size_t length)
{
	while (length) {
		ssize_t sent = write(browser->to, text, length);

		assert_true(sent > 0);
		text += sent;
		length -= (size_t)sent;
	}
}

/* The answer to a request with these parameters, to be freed. */
static char *call(struct browser *browser, const char *method, const char *parameters)
{
	char *request = NULL, id[32], *answer;
	int length = asprintf(&request, "{\"id\":%u,\"method\":\"%s\",%s%s%s\"params\":{%s}}",
		++browser->count, method, browser->session ? "\"sessionId\":\"" : "",
		browser->session ? browser->session : "", browser->session ? "\"," : "",
		parameters);

	assert_true(length > 0);
	send_all(browser, request, (size_t)length + 1);
	free(request);
	snprintf(id, sizeof(id), "{\"id\":%u,", browser->count);
	while (strncmp(answer = receive(browser), id, strlen(id)))
		free(answer);
	if (strstr(answer, "\"error\":{") || strstr(answer, "\"exceptionDetails\":"))
		fail_msg("%s %.2000s: %s", method, parameters, answer);
	return answer;
}

static void tell(struct browser *browser, const char *method, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void tell(struct browser *browser, const char *method, const char *format, ...)
{
	char parameters[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(parameters, sizeof(parameters), format, args);
	va_end(args);
	free(call(browser, method, parameters));
}

static unsigned read_hex(const char *digits)
{
	char text[5] = { 0 };

	memcpy(text, digits, 4);
	return (unsigned)strtoul(text, NULL, 16);
}

/* The string behind "name": in an answer, to be freed; characters beyond ASCII are "?". */
static char *string_of(const char *answer, const char *name)
{
	const char *at = strstr(answer, name);
	char *text = at ? malloc(strlen(at)) : NULL, *out = text;

	if (!at)
		fail_msg("there is no %s in %.2000s", name, answer);
	assert_non_null(text);
	for (at += strlen(name); *at && *at != '"'; at++) {
		if (*at != '\\') {
			*out++ = *at;
			continue;
		}
		switch (*++at) {
		case 'n':
			*out++ = '\n';
			break;
		case 't':
			*out++ = '\t';
			break;
		case 'u':
			*out++ = (char)(read_hex(at + 1) < 128 ? read_hex(at + 1) : '?');
			at += 4;
			break;
		default:
			*out++ = *at;
		}
	}
	*out = 0;
	return text;
}

/* A tab of its own. */
static void open_tab(struct browser *browser)
{
	char *answer = call(browser, "Target.createTarget", "\"url\":\"about:blank\"");
	char *target = string_of(answer, "\"targetId\":\""), parameters[256];

	free(answer);
	snprintf(parameters, sizeof(parameters), "\"targetId\":\"%s\",\"flatten\":true", target);
	free(target);
	answer = call(browser, "Target.attachToTarget", parameters);
	browser->session = string_of(answer, "\"sessionId\":\"");
	free(answer);
}

struct browser *browser_open(const char *folder)
{
	char *program = shell_must("command -v chromium || command -v chromium-browser || "
		"command -v google-chrome || true");
	struct browser *browser = NULL;
	int to[2], from[2];

	program[strcspn(program, "\n")] = 0;
	if (*program) {
		browser = calloc(1, sizeof(*browser));
		assert_non_null(browser);
		assert_int_equal(pipe2(to, O_CLOEXEC) | pipe2(from, O_CLOEXEC), 0);
		signal(SIGPIPE, SIG_IGN);
		browser->child = fork();
		if (!browser->child)
			become(program, folder, to[0], from[1]);
		assert_true(browser->child > 0);
		close(to[0]);
		close(from[1]);
		browser->to = to[1];
		browser->from = from[0];
		open_tab(browser);
	}
	free(program);
	return browser;
}

void browser_close(struct browser *browser)
{
	if (!browser)
		return;
	kill(-browser->child, SIGKILL);
	waitpid(browser->child, NULL, 0);
	close(browser->to);
	close(browser->from);
	free(browser->session);
	free(browser->read);
	free(browser);
}

void browser_load(struct browser *browser, const char *url, int width, int height, bool dark)
{
	tell(browser, "Emulation.setDeviceMetricsOverride", "\"width\":%d,\"height\":%d,"
		"\"deviceScaleFactor\":1,\"mobile\":false", width, height);
	tell(browser, "Emulation.setEmulatedMedia", "\"features\":[{\"name\":"
		"\"prefers-color-scheme\",\"value\":\"%s\"}]", dark ? "dark" : "light");
	tell(browser, "Page.navigate", "\"url\":\"%s\"", url);
	free(browser_eval(browser, "new Promise(done => document.readyState === 'complete' ? "
		"done('') : addEventListener('load', () => done('')))"));
}

char *browser_eval(struct browser *browser, const char *script)
{
	size_t length = strlen(script), at;
	char *parameters = malloc(2 * length + 128), *answer, *value;

	assert_non_null(parameters);
	at = (size_t)sprintf(parameters, "\"awaitPromise\":true,\"returnByValue\":true,"
		"\"expression\":\"");
	for (size_t i = 0; i < length; i++) {
		if (strchr("\"\\\n", script[i]))
			parameters[at++] = '\\';
		parameters[at++] = script[i] == '\n' ? 'n' : script[i];
	}
	parameters[at++] = '"';
	parameters[at] = 0;
	answer = call(browser, "Runtime.evaluate", parameters);
	free(parameters);
	value = string_of(answer, "\"type\":\"string\",\"value\":\"");
	free(answer);
	return value;
}

static void mouse(struct browser *browser, const char *type, double x, double y, int clicks)
{
	tell(browser, "Input.dispatchMouseEvent", "\"type\":\"%s\",\"x\":%g,\"y\":%g,"
		"\"button\":\"%s\",\"clickCount\":%d", type, x, y, clicks ? "left" : "none", clicks);
}

void browser_move(struct browser *browser, double x, double y)
{
	mouse(browser, "mouseMoved", x, y, 0);
}

void browser_click(struct browser *browser, double x, double y)
{
	mouse(browser, "mouseMoved", x, y, 0);
	mouse(browser, "mousePressed", x, y, 1);
	mouse(browser, "mouseReleased", x, y, 1);
}

void browser_touch(struct browser *browser, double x, double y)
{
	tell(browser, "Input.dispatchTouchEvent", "\"type\":\"touchStart\",\"touchPoints\":["
		"{\"x\":%g,\"y\":%g}]", x, y);
	tell(browser, "Input.dispatchTouchEvent", "\"type\":\"touchEnd\",\"touchPoints\":[]");
}

void browser_key(struct browser *browser, const char *name)
{
	static const struct {
		const char *name;
		int code;
	} keys[] = {
		{ "Tab", 9 }, { "Escape", 27 }, { "PageUp", 33 }, { "PageDown", 34 },
		{ "End", 35 }, { "Home", 36 }, { "ArrowLeft", 37 }, { "ArrowUp", 38 },
		{ "ArrowRight", 39 }, { "ArrowDown", 40 },
	};
	size_t i = 0;

	while (i < sizeof(keys) / sizeof(*keys) && strcmp(keys[i].name, name))
		i++;
	assert_true(i < sizeof(keys) / sizeof(*keys));
	for (int up = 0; up < 2; up++)
		tell(browser, "Input.dispatchKeyEvent", "\"type\":\"%s\",\"key\":\"%s\","
			"\"code\":\"%s\",\"windowsVirtualKeyCode\":%d", up ? "keyUp" : "keyDown",
			name, name, keys[i].code);
}

char *browser_screenshot(struct browser *browser)
{
	char *answer = call(browser, "Page.captureScreenshot", "\"format\":\"png\"");
	char *data = string_of(answer, "\"data\":\"");

	free(answer);
	return data;
}
