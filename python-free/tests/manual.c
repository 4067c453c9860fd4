/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is generated for readers: the manual page and the completions hold what --help
 * says, and work; the C API's reference is what the headers say. */
#include "support/folder.h"
#include "support/shell.h"
#include "support/skip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <layout/base.h>
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MANUAL BUILD_DIR "/manual"
#define HEADERS SOURCE_DIR "/include/layout"

#define MAX_COMMANDS 32
#define MAX_OPTIONS 16

/* As "layoutc --help" and "layoutc COMMAND --help" print them. */
struct option {
	char name[32], value[80], help[160];
};

struct command {
	char name[32], summary[160];
	struct option options[MAX_OPTIONS];
	unsigned option_count;
};

static struct command commands[MAX_COMMANDS];
static unsigned command_count;

/* What is behind the first "heading" of a help text, up to an empty line, as lines. */
static char *help_lines(const char *command, const char *heading)
{
	char *text = shell_must("%s %s --help", LAYOUTC_PATH, command);
	char *start = strstr(text, heading), *end, *lines;

	assert_non_null(start);
	start += strlen(heading);
	end = strstr(start, "\n\n");
	lines = strndup(start, end ? (size_t)(end - start) + 1 : strlen(start));
	assert_non_null(lines);
	free(text);
	return lines;
}

/* "    NAME VALUE", with the help behind two spaces or more or on the next line. */
static char *read_option(struct option *option, char *line)
{
	char *end = strchr(line, '\n'), *help;

	*end = 0;
	line += 4;
	help = strstr(line, "  ");
	if (!help) {
		help = end + 1;
		end = strchr(help, '\n');
		*end = 0;
	} else {
		*help++ = 0;
	}
	help += strspn(help, " ");
	snprintf(option->help, sizeof(option->help), "%s", help);
	snprintf(option->name, sizeof(option->name), "%.*s", (int)strcspn(line, " "),
		line);
	line += strcspn(line, " ");
	snprintf(option->value, sizeof(option->value), "%s", line + (*line == ' '));
	return end + 1;
}

static void read_options(struct command *command)
{
	char *lines = help_lines(command->name, "\nOptions:\n"), *line = lines;

	while (*line) {
		assert_true(command->option_count < MAX_OPTIONS);
		line = read_option(&command->options[command->option_count++], line);
	}
	free(lines);
}

static int read_help(void **state)
{
	char *lines = help_lines("", "\nCommands:\n"), *line = lines;

	(void)state;
	for (char *end; *line; line = end + 1) {
		struct command *command = &commands[command_count++];

		assert_true(command_count < MAX_COMMANDS);
		end = strchr(line, '\n');
		*end = 0;
		line += strspn(line, " ");
		snprintf(command->name, sizeof(command->name), "%.*s",
			(int)strcspn(line, " "), line);
		line += strcspn(line, " ");
		snprintf(command->summary, sizeof(command->summary), "%s",
			line + strspn(line, " "));
		read_options(command);
	}
	free(lines);
	folder_open(state);
	free(shell_must("cd '%s' && mkdir here && touch here/a.npy here/a.expr", folder));
	return command_count < 10;
}

/* The part of "text" from a text made as by printf up to "end", a copy; fails without. */
static char *part(const char *text, const char *end, const char *format, ...)
{
	const char *start, *stop;
	char *from = NULL, *copy;
	va_list list;

	va_start(list, format);
	assert_true(vasprintf(&from, format, list) >= 0);
	va_end(list);
	start = strstr(text, from);
	if (!start)
		fail_msg("there is no \"%s\"", from);
	stop = strstr(start + strlen(from), end);
	copy = stop ? strndup(start, stop - start) : strdup(start);
	assert_non_null(copy);
	free(from);
	return copy;
}

static void must_have(const char *text, const char *format, ...)
{
	char *wanted = NULL;
	va_list list;

	va_start(list, format);
	assert_true(vasprintf(&wanted, format, list) >= 0);
	va_end(list);
	if (!strstr(text, wanted))
		fail_msg("\"%s\" is not in\n%s", wanted, text);
	free(wanted);
}

/* What a roff escape stands for, and how long it is. */
static char unescaped(const char *escape, size_t *length)
{
	static const struct {
		const char *escape;
		char character;
	} escapes[] = {
		{ "\\(aq", '\'' }, { "\\(ga", '`' }, { "\\(ha", '^' }, { "\\(ti", '~' },
		{ "\\(lq", '"' }, { "\\(rq", '"' }, { "\\-", '-' }, { "\\ ", ' ' },
		{ "\\e", '\\' }, { "\\&", 0 }, { "\\:", 0 }, { "\\fB", 0 },
		{ "\\fI", 0 }, { "\\fR", 0 }, { "\\\"", '"' },
	};

	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		*length = strlen(escapes[i].escape);
		if (!strncmp(escape, escapes[i].escape, *length))
			return escapes[i].character;
	}
	fail_msg("what is %.4s?", escape);
	return 0;
}

/* The page's source, its macros as they are and its text as it will be read. */
static char *read_page(void)
{
	char *page = shell_read(MANUAL "/layoutc.1"), *to = page;
	size_t length;

	for (const char *from = page; *from; from += length) {
		char c = *from;

		length = 1;
		if (c == '\\')
			c = unescaped(from, &length);
		if (c)
			*to++ = c;
	}
	*to = 0;
	return page;
}

static void page_is_complete(void **state)
{
	char *page = read_page();

	(void)state;
	for (unsigned i = 0; i < command_count; i++) {
		const struct command *command = &commands[i];
		char *synopsis = part(page, ".HP", ".HP\nlayoutc %s\n", command->name);
		char *section = part(page, "\n.S", ".SS layoutc %s\n", command->name);

		must_have(section, "%c%s.\n", toupper(*command->summary),
			command->summary + 1);
		for (unsigned k = 0; k < command->option_count; k++) {
			const struct option *option = &command->options[k];
			bool has_value = *option->value;

			must_have(section, "\n.TP\n%s%s%s\n%s", option->name,
				has_value ? " " : "", option->value, option->help);
			if (strcmp(option->name, "--help"))
				must_have(synopsis, "%s%s%s", option->name,
					has_value ? " " : "", option->value);
		}
		free(section);
		free(synopsis);
	}
	must_have(page, ".TH LAYOUTC 1 \"\" \"layoutc " LAYOUT_VERSION "\"");
	free(page);
}

static bool is_installed(const char *program)
{
	int status;

	free(shell_output(&status, "command -v %s", program));
	return !status;
}

/* Both formatters that read manual pages find nothing to say of this one, but that it
 * has no date: it would be another page each day. */
static void page_is_good_roff(void **state)
{
	bool groff = is_installed("groff"), mandoc = is_installed("mandoc");
	char *said = NULL;

	(void)state;
	if (groff) {
		said = shell_must("groff -man -ww -Tutf8 '%s/layoutc.1' 2>&1 >/dev/null",
			MANUAL);
		assert_string_equal(said, "");
		free(said);
	}
	if (mandoc) {
		said = shell_must("mandoc -Tlint -W warning '%s/layoutc.1' 2>&1"
			" | grep -v 'missing date' || true", MANUAL);
		assert_string_equal(said, "");
		free(said);
	}
	if (!groff && !mandoc) {
		skip_because("neither groff nor mandoc is installed");
	}
}

/* A float array of 2 x 3, as numpy writes it. */
static void write_array(void)
{
	static const char header[] = "{'descr': '<f4', 'fortran_order': False, "
		"'shape': (2, 3), }";
	char *path = NULL;
	FILE *file;

	assert_true(asprintf(&path, "%s/a.npy", folder) >= 0);
	file = fopen(path, "wb");
	assert_non_null(file);
	fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
	fprintf(file, "%-117s\n", header);
	fwrite((float[]){ 1, 2, 3, 4, 5, 6 }, sizeof(float), 6, file);
	assert_int_equal(fclose(file), 0);
	free(path);
}

static void page_examples_run(void **state)
{
	char *page = read_page(), *example = page;
	unsigned count = 0;

	(void)state;
	write_array();
	while ((example = strstr(example, ".EX\n"))) {
		char *end = strstr(example, "\n.EE");

		assert_non_null(end);
		*end = 0;
		free(shell_must("cd '%s' && PATH='%s':$PATH\n%s", folder, BUILD_DIR,
			example + strlen(".EX\n")));
		example = end + 1;
		count++;
	}
	assert_true(count >= 5);
	free(shell_must("test -s '%s/b.npy' && test -s '%s/acc.svg'", folder, folder));
	free(page);
}

static void bash_is_complete(void **state)
{
	char *script = shell_read(MANUAL "/layoutc");

	(void)state;
	for (unsigned i = 0; i < command_count; i++) {
		const struct command *command = &commands[i];
		char *section = part(script, ";;", "\t%s) # %s\n", command->name,
			command->summary);

		for (unsigned k = 0; k < command->option_count; k++)
			must_have(section, "+=' %s' # %s\n", command->options[k].name,
				command->options[k].help);
		free(section);
	}
	free(script);
}

/* Without the quotes of the shell and the backslashes of its _arguments. */
static char *unquoted(const char *path)
{
	char *text = shell_read(path), *to = text;

	for (const char *from = text; *from; from++) {
		if (!strncmp(from, "'\\''", 4)) {
			*to++ = '\'';
			from += 3;
		} else if (*from != '\\') {
			*to++ = *from;
		}
	}
	*to = 0;
	return text;
}

static void zsh_is_complete(void **state)
{
	char *script = unquoted(MANUAL "/_layoutc");

	(void)state;
	for (unsigned i = 0; i < command_count; i++) {
		const struct command *command = &commands[i];
		char *section = part(script, ";;", "\t%s)\n", command->name);

		must_have(script, "'%s:%s'\n", command->name, command->summary);
		for (unsigned k = 0; k < command->option_count; k++) {
			const struct option *option = &command->options[k];

			must_have(section, "%s%s[%s]", option->name, !*option->value ?
				"" : option->name[1] == '-' ? "=" : "+", option->help);
			if (*option->value)
				must_have(section, "[%s]:%s:", option->help,
					option->value);
		}
		free(section);
	}
	free(script);
}

static void fish_is_complete(void **state)
{
	char *script = unquoted(MANUAL "/layoutc.fish");

	(void)state;
	for (unsigned i = 0; i < command_count; i++) {
		const struct command *command = &commands[i];
		char *section = part(script, "\n\n",
			"-n '__layoutc_command' -a %s -d '%s'\n", command->name,
			command->summary);

		for (unsigned k = 0; k < command->option_count; k++) {
			const struct option *option = &command->options[k];
			bool is_long = option->name[1] == '-';
			char *line = part(section, "\n",
				"complete -c layoutc -n '__layoutc_command %s' %s %s ",
				command->name, is_long ? "-l" : "-s",
				option->name + 1 + is_long);

			must_have(line, "-d '%s'", option->help);
			free(line);
		}
		free(section);
	}
	free(script);
}

/* Skip the test without this program. */
static void need(const char *program)
{
	if (is_installed(program))
		return;
	skip_because("%s is not installed", program);
}

static void check_syntax(const char *shell, const char *file)
{
	need(shell);
	free(shell_must("%s -n '%s/%s'", shell, MANUAL, file));
}

static void zsh_syntax(void **state)
{
	(void)state;
	check_syntax("zsh", "_layoutc");
}

static void fish_syntax(void **state)
{
	(void)state;
	check_syntax("fish", "layoutc.fish");
}

/* What is typed up to the cursor, and what is offered, sorted: what replaces the last
 * word, or what of it is behind the last '=' or ':'. */
static const struct typed {
	const char *line, *offered;
} typed[] = {
	{ "layoutc ", "--help --version cache check count equal eval help kernel mma "
		"propagate repl resolve run show specialize targets" },
	{ "layoutc cache ", "clear" },
	{ "layoutc e", "equal eval" },
	{ "layoutc --v", "--version" },
	{ "layoutc nothing ", "" },
	{ "layoutc eval --", "--batch --direction --format --help --table --type "
		"--values" },
	{ "layoutc eval -D", "-D" },
	{ "layoutc eval --format ", "isl json mlir text" },
	{ "layoutc eval --format j", "json" },
	{ "layoutc eval --format=", "isl json mlir text" },
	{ "layoutc eval --format=m", "mlir" },
	{ "layoutc eval --format json --", "--batch --direction --help --table --type "
		"--values" },
	{ "layoutc eval --format=json --t", "--table --type" },
	{ "layoutc eval --type ", "" },
	{ "layoutc eval --type --", "" },
	{ "layoutc eval -D M=4 -", "--batch --direction --format --help --table --type "
		"--values -D" },
	{ "layoutc eval a", "a.expr a.npy append apply as" },
	{ "layoutc eval inv", "inverse invert_and_compose" },
	{ "layoutc check 'compose(inve", "compose(inverse compose(invert_and_compose" },
	{ "layoutc show 'inverse(4:1", "" },
	{ "layoutc count @a.e", "@a.expr" },
	{ "layoutc kernel inv", "" },
	{ "layoutc check --is function --is in", "injective" },
	{ "layoutc check --is function --", "--format --help --is --onto" },
	{ "layoutc check 'Sw<3,4,3> o 0 o (8,64):(64,1)' --o", "--onto" },
	{ "layoutc check -- --o", "" },
	{ "layoutc equal a", "append apply as" },
	{ "layoutc help ev", "eval" },
	{ "layoutc help logical_", "logical_divide logical_product" },
	{ "layoutc help --h", "--help" },
	{ "layoutc targets ", "--format --help" },
	{ "layoutc run --in", "--input" },
	{ "layoutc run --input ", "a.expr a.npy" },
	{ "layoutc run --input=a.n", "a.npy" },
	{ "layoutc kernel -o a.e", "a.expr" },
	{ "layoutc kernel -o a.expr --o", "--owner" },
	{ "layoutc kernel --code-object ", "5 6" },
	{ "layoutc kernel --target h", "host" },
	{ "layoutc mma --target h", "" },
	{ "layoutc run --target gfx110", "gfx1100 gfx1100:wave64 gfx1101 gfx1101:wave64 "
		"gfx1102 gfx1102:wave64 gfx1103 gfx1103:wave64" },
	{ "layoutc run --target gfx1100:", "wave64" },
	{ "layoutc run --target=gfx1200:w", "wave64" },
	{ "layoutc run --target gfx1100:wave64 --st", "--stats" },
	{ "layoutc resolve --target mi30", "mi300a mi300x mi308x" },
	{ "layoutc   eval  --ta", "--table" },
};

/* The words of a line as bash cuts them for a completion: at spaces, and around '=' and
 * ':', outside of quotes; each in double quotes. */
static char *cut(const char *line)
{
	char *words = malloc(4 * strlen(line) + 8), *to = words;
	char before = ' ';
	bool quoted = false;

	assert_non_null(words);
	for (line += strspn(line, " "); *line; before = *line++) {
		bool breaks = strchr("=:", *line), broke = strchr("=:", before);

		if (*line == ' ' && !quoted)
			continue;
		if (!quoted && (before == ' ' || breaks != broke))
			to += sprintf(to, to > words ? "\" \"" : "\"");
		quoted ^= *line == '\'';
		*to++ = *line;
	}
	strcpy(to, before == ' ' ? "\" \"\"" : "\"");
	return words;
}

static void bash_offers(void **state)
{
	(void)state;
	need("bash");
	for (size_t i = 0; i < sizeof(typed) / sizeof(*typed); i++) {
		const char *line = typed[i].line;
		char *words = cut(line), *offered;

		offered = shell_must("cd '%s/here' && cat >../typed.bash <<'END'\n"
			"source '%s/layoutc'\n"
			"COMP_LINE=\"%s\" COMP_POINT=%zu COMP_WORDS=(%s)\n"
			"COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
			"complete -p layoutc >/dev/null && _layoutc layoutc\n"
			"printf '%%s\\n' \"${COMPREPLY[@]}\"\n"
			"END\n"
			"bash --norc ../typed.bash | LC_ALL=C sort | paste -s -d ' ' -",
			folder, MANUAL, line, strlen(line), words);
		offered[strcspn(offered, "\n")] = 0;
		if (strcmp(offered, typed[i].offered))
			fail_msg("%s\noffers: %s\nand not: %s", line, offered,
				typed[i].offered);
		free(offered);
		free(words);
	}
}

static void fish_offers(void **state)
{
	static const struct typed rows[] = {
		{ "layoutc e", "equal eval" },
		{ "layoutc eval --t", "--table --type" },
		{ "layoutc eval --format=m", "--format=mlir" },
		{ "layoutc run --target gfx1100", "gfx1100 gfx1100:wave64" },
		{ "layoutc equal invert_", "invert_and_compose" },
		{ "layoutc equal compose\\(invert_", "compose\\(invert_and_compose" },
		{ "layoutc equal @a.e", "@a.expr" },
	};

	(void)state;
	need("fish");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *offered = shell_must("cd '%s/here' && HOME='%s' fish --no-config -c"
			" \"source '%s/layoutc.fish'; complete -C '%s'\""
			" | cut -f 1 | LC_ALL=C sort | paste -s -d ' ' -",
			folder, folder, MANUAL, rows[i].line);

		offered[strcspn(offered, "\n")] = 0;
		if (strcmp(offered, rows[i].offered))
			fail_msg("%s\noffers: %s\nand not: %s", rows[i].line, offered,
				rows[i].offered);
		free(offered);
	}
}

static void reference_is_current(void **state)
{
	char *page = shell_read(SOURCE_DIR "/docs/reference.md"), *now, *path = NULL;

	(void)state;
	free(shell_must("'%s/layout_reference' '%s/reference.md' '%s/layout.h'"
		" '%s/codegen.h' '%s/run.h' '%s/layout_dl.h' '%s/cmocka.h'", BUILD_DIR,
		folder, HEADERS, HEADERS, HEADERS, HEADERS,
		HEADERS));
	assert_true(asprintf(&path, "%s/reference.md", folder) >= 0);
	now = shell_read(path);
	if (strcmp(page, now))
		fail_msg("docs/reference.md is not what the headers say; "
			"run ninja reference");
	free(path);
	free(now);
	free(page);
}

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* Is there text below the entry's code that is not the next entry or chapter? */
static bool is_described(const char *entry)
{
	const char *code = strstr(entry, "\n```\n");

	assert_non_null(code);
	code += strlen("\n```\n");
	code += strspn(code, "\n");
	return *code && !starts_with(code, "<a ") && !starts_with(code, "#");
}

/* The function of the prototype has one entry in all, in its header's chapter, that says
 * what it does. */
static void check_function(const char *header, const char *chapter, const char *page,
	const char *prototype)
{
	const char *end = prototype + strcspn(prototype, "("), *start = end, *entry;
	char *anchor = NULL;

	while (isalnum((unsigned char)start[-1]) || start[-1] == '_')
		start--;
	assert_true(asprintf(&anchor, "<a id=\"%.*s\"></a>\n", (int)(end - start),
		start) >= 0);
	entry = strstr(chapter, anchor);
	if (!entry)
		fail_msg("%s: %s is not in docs/reference.md", header, anchor);
	if (strstr(strstr(page, anchor) + 1, anchor))
		fail_msg("%s: %s is there twice", header, anchor);
	if (!is_described(entry))
		fail_msg("%s: %.*s has no comment", header, (int)(end - start), start);
	free(anchor);
}

static unsigned check_header(const char *page, const char *name)
{
	char *path = NULL, *text, *chapter, *line;
	unsigned count = 0;

	assert_true(asprintf(&path, "%s/%s", HEADERS, name) >= 0);
	text = shell_read(path);
	chapter = part(page, "\n## ", "\n## %s\n", name);
	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!starts_with(line, "LAYOUT_API "))
			continue;
		check_function(name, chapter, page, line);
		count++;
	}
	free(chapter);
	free(text);
	free(path);
	return count;
}

static void reference_is_complete(void **state)
{
	char *page = shell_read(SOURCE_DIR "/docs/reference.md");
	unsigned functions = 0;
	struct dirent *entry;
	DIR *headers = opendir(HEADERS);

	(void)state;
	assert_non_null(headers);
	while ((entry = readdir(headers))) {
		const char *end = strrchr(entry->d_name, '.');

		if (end && !strcmp(end, ".h"))
			functions += check_header(page, entry->d_name);
	}
	closedir(headers);
	assert_true(functions > 300);
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_is_complete),
		cmocka_unit_test(page_is_good_roff),
		cmocka_unit_test(page_examples_run),
		cmocka_unit_test(bash_is_complete),
		cmocka_unit_test(bash_offers),
		cmocka_unit_test(zsh_is_complete),
		cmocka_unit_test(zsh_syntax),
		cmocka_unit_test(fish_is_complete),
		cmocka_unit_test(fish_syntax),
		cmocka_unit_test(fish_offers),
		cmocka_unit_test(reference_is_current),
		cmocka_unit_test(reference_is_complete),
	};

	return skip_status(cmocka_run_group_tests(tests, read_help, folder_close));
}
