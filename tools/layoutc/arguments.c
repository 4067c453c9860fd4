/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/arguments.h"
#include "layoutc/report.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <layout/value.h>
#include <stdlib.h>
#include <string.h>

int choice_index(const char *choices, const char *word)
{
	size_t length = strlen(word);

	for (int i = 0; choices; i++) {
		if (strcspn(choices, "|") == length && !memcmp(choices, word, length))
			return i;
		choices = strchr(choices, '|');
		choices = choices ? choices + 1 : NULL;
	}
	return -1;
}

const char *argument_value(const struct arguments *arguments, enum option_id id)
{
	for (unsigned i = 0; i < arguments->given_count; i++)
		if (arguments->given[i].id == id)
			return arguments->given[i].value;
	return NULL;
}

bool argument_given(const struct arguments *arguments, enum option_id id)
{
	for (unsigned i = 0; i < arguments->given_count; i++)
		if (arguments->given[i].id == id)
			return true;
	return false;
}

int argument_choice(const struct arguments *arguments, enum option_id id, int otherwise)
{
	const char *value = argument_value(arguments, id);

	return value ? choice_index(options[id].value, value) : otherwise;
}

unsigned argument_choices(const struct arguments *arguments, enum option_id id, int list[])
{
	uint64_t asked = 0;
	unsigned count = 0;

	for (unsigned i = 0; i < arguments->given_count; i++) {
		const struct given *given = &arguments->given[i];
		int choice = given->id == id ?
			choice_index(options[id].value, given->value) : -1;

		if (choice >= 0 && !(asked >> choice & 1))
			list[count++] = choice;
		asked |= choice >= 0 ? UINT64_C(1) << choice : 0;
	}
	return count;
}

/* Such words are in lower case or digits; what is in capitals stands for something. */
bool option_has_choices(const struct option *option)
{
	if (!option->value || !strchr(option->value, '|'))
		return false;
	for (const char *c = option->value; *c; c++)
		if (isupper((unsigned char)*c))
			return false;
	return true;
}

/* The command's option of that name: "--format" also as "--format=json", "-D"
 * also as "-DM=4".  "value" is what came with it, or NULL. */
static const struct option *find_name(const struct command *command, const char *word,
	enum option_id *id, const char **value)
{
	for (unsigned i = 0; i < MAX_OPTIONS; i++) {
		const struct option *option = &options[command->options[i]];
		size_t length = strlen(option->name);
		bool is_long = option->name[1] == '-';

		*id = command->options[i];
		*value = NULL;
		if (!strcmp(word, option->name))
			return option;
		if (!strncmp(word, option->name, length) &&
			(!is_long || word[length] == '=')) {
			*value = word + length + is_long;
			return option;
		}
		if (*id == OPTION_HELP)
			break;
	}
	return NULL;
}

static const struct option *find_option(const struct command *command, const char *word,
	enum option_id *id, const char **value)
{
	const struct option *option = find_name(command, word, id, value);

	if (!option || !option->same_as)
		return option;
	*id = option->same_as;
	return &options[*id];
}

/* Whose options option_at() has. */
static const struct command *asked;

static const char *option_at(unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (asked->options[k] == OPTION_HELP)
			return NULL;
	return options[asked->options[i]].name;
}

static int refuse_option(const struct command *command, const char *word)
{
	char name[40];
	const char *similar;

	asked = command;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	similar = layout_similar_word(name, option_at);
	if (similar)
		return report(STATUS_USAGE, word, "no such option; did you mean %s?", similar);
	return report(STATUS_USAGE, word, "no such option; see layoutc %s --help",
		command->name);
}

static int add_size(struct arguments *arguments, const char *value)
{
	const char *equals = strchr(value, '=');
	size_t length = equals ? (size_t)(equals - value) : 0;
	int64_t number;
	char *name, *end;

	if (!length || isdigit((unsigned char)*value))
		return report(STATUS_USAGE, "-D", "'%s' is not NAME=VALUE", value);
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)value[i]) && value[i] != '_')
			return report(STATUS_USAGE, "-D", "'%.*s' is not a name",
				(int)length, value);
	errno = 0;
	number = strtoll(equals + 1, &end, 10);
	if (errno || *end || !isdigit((unsigned char)equals[1]))
		return report(STATUS_USAGE, "-D", "'%s' is not a size, 0 .. %" PRId64,
			equals + 1, INT64_MAX);
	for (unsigned i = 0; i < arguments->size_count; i++)
		if (strlen(arguments->sizes[i].name) == length &&
			!strncmp(arguments->sizes[i].name, value, length))
			return report(STATUS_USAGE, "-D", "%.*s is given twice",
				(int)length, value);
	name = strndup(value, length);
	if (!name)
		return report(STATUS_UNKNOWN, "-D", "no memory");
	arguments->sizes[arguments->size_count++] = (layout_size){ name, number };
	return 0;
}

static int add_option(struct arguments *arguments, const struct option *option,
	enum option_id id, const char *value)
{
	if (!option->repeats && argument_given(arguments, id))
		return report(STATUS_USAGE, option->name, "is given twice");
	if (option_has_choices(option) && choice_index(option->value, value) < 0)
		return report(STATUS_USAGE, option->name, "'%s' is none of %s", value,
			option->value);
	arguments->given[arguments->given_count++] = (struct given){ id, value };
	return id == OPTION_SIZE ? add_size(arguments, value) : 0;
}

/* Is everything there that the command cannot do without? */
static int check_complete(const struct arguments *arguments)
{
	const struct command *command = arguments->command;

	if (argument_given(arguments, OPTION_HELP))
		return 0;
	if (arguments->operand_count < command->min_operands)
		return report(STATUS_USAGE, command->name,
			"needs %s; see layoutc %s --help", command->operands,
			command->name);
	for (const enum option_id *id = command->options; *id != OPTION_HELP; id++)
		if (options[*id].required && !argument_given(arguments, *id))
			return report(STATUS_USAGE, command->name, "needs %s %s",
				options[*id].name, options[*id].value);
	return 0;
}

static int add_operand(struct arguments *arguments, const char *word)
{
	if (arguments->operand_count == arguments->command->max_operands)
		return report(STATUS_USAGE, arguments->command->name,
			"'%s' is one argument too many", word);
	arguments->operands[arguments->operand_count++] = word;
	return 0;
}

int arguments_parse(struct arguments *arguments, const struct command *command,
	int count, char **line)
{
	char **words = line + 2;
	bool only_operands = false;
	int status = 0;

	count -= 2;
	*arguments = (struct arguments){ .line = line, .command = command };
	arguments->given = calloc(count + 1, sizeof(*arguments->given));
	arguments->sizes = calloc(count + 1, sizeof(*arguments->sizes));
	if (!arguments->given || !arguments->sizes)
		return report(STATUS_UNKNOWN, command->name, "no memory");
	for (int i = 0; i < count && !status; i++) {
		const struct option *option;
		const char *value;
		enum option_id id;

		if (only_operands || words[i][0] != '-' || !words[i][1]) {
			status = add_operand(arguments, words[i]);
			continue;
		}
		if (!strcmp(words[i], "--")) {
			only_operands = true;
			continue;
		}
		option = find_option(command, words[i], &id, &value);
		if (!option)
			return refuse_option(command, words[i]);
		if (!option->value && value)
			return report(STATUS_USAGE, option->name, "takes no value");
		if (option->value && !value && ++i == count)
			return report(STATUS_USAGE, option->name, "needs %s",
				option->value);
		if (option->value && !value)
			value = words[i];
		status = add_option(arguments, option, id, value);
	}
	return status ? status : check_complete(arguments);
}

void arguments_release(struct arguments *arguments)
{
	for (unsigned i = 0; i < arguments->size_count; i++)
		free((char *)arguments->sizes[i].name);
	free(arguments->sizes);
	free(arguments->given);
	*arguments = (struct arguments){ 0 };
}
