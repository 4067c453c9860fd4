/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Completion for bash 3.2 and later, without the functions of bash-completion. */
#include "manual/manual.h"

static const char head[] =
	"# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
	"# Bash completion for layoutc, made from its tables of commands and options.\n"
	"\n"
	"# The words up to the cursor in words[0] .. words[last], whole where readline\n"
	"# has split them at '=' and ':'; \"ahead\" is what of the last word it leaves\n"
	"# alone.\n"
	"_layoutc_words()\n"
	"{\n"
	"	local rest=${COMP_LINE:0:COMP_POINT} piece i\n"
	"\n"
	"	words=() last=-1\n"
	"	for ((i = 0; i <= COMP_CWORD; i++)); do\n"
	"		piece=${COMP_WORDS[i]}\n"
	"		if ((last < 0)) || [[ ! $rest || $rest == [[:space:]]* ]]; then\n"
	"			rest=${rest#\"${rest%%[![:space:]]*}\"}\n"
	"			words[++last]=\n"
	"		fi\n"
	"		((i < COMP_CWORD)) || piece=$rest\n"
	"		words[last]+=$piece\n"
	"		rest=${rest#\"$piece\"}\n"
	"	done\n"
	"	[[ $piece != [=:]* ]] || piece=\n"
	"	ahead=${words[last]%\"$piece\"}\n"
	"}\n"
	"\n"
	"# Offer those of WORDS that can go on from the last word, each after PREFIX.\n"
	"_layoutc_offer() # PREFIX WORDS\n"
	"{\n"
	"	local word\n"
	"\n"
	"	for word in $2; do\n"
	"		word=$1$word\n"
	"		[[ $word != \"${words[last]}\"* ]] ||\n"
	"			COMPREPLY+=(\"${word#\"$ahead\"}\")\n"
	"	done\n"
	"}\n"
	"\n"
	"# Offer functions for NAME, which ends the last word, in quotes or not.\n"
	"_layoutc_offer_functions() # NAME\n"
	"{\n"
	"	compopt -o nospace 2>/dev/null\n"
	"	words[last]=${words[last]#[\"'\"\\\"]}\n"
	"	_layoutc_offer \"${words[last]%\"$1\"}\" \"$_layoutc_functions\"\n"
	"}\n"
	"\n"
	"_layoutc_offer_files() # PREFIX\n"
	"{\n"
	"	local file\n"
	"\n"
	"	compopt -o filenames 2>/dev/null\n"
	"	while IFS= read -r file; do\n"
	"		file=$1$file\n"
	"		COMPREPLY+=(\"${file#\"$ahead\"}\")\n"
	"	done < <(compgen -f -- \"${words[last]#\"$1\"}\")\n"
	"}\n"
	"\n";

static const char body[] =
	"_layoutc()\n"
	"{\n"
	"	local IFS=$' \\t\\n' words last ahead i option given=()\n"
	"	local awaiting= operands= flags= valued= repeated=\n"
	"	local files= operand_words= expressions=\n"
	"\n"
	"	COMPREPLY=()\n"
	"	_layoutc_words\n"
	"	if ((last == 1)); then\n"
	"		_layoutc_offer '' \"$_layoutc_commands --help --version\"\n"
	"		return\n"
	"	fi\n"
	"	_layoutc_options \"${words[1]}\" || return\n"
	"	for ((i = 2; i < last; i++)); do\n"
	"		case ${words[i]} in\n"
	"		--) operands=yes && break ;;\n"
	"		--*) option=${words[i]%%=*} ;;\n"
	"		-?*) option=${words[i]:0:2} ;;\n"
	"		*) continue ;;\n"
	"		esac\n"
	"		given+=(\"$option\")\n"
	"		[[ \"$valued$repeated \" != *\" ${words[i]} \"* ]] || ((i++))\n"
	"	done\n"
	"	((i == last)) || [[ $operands ]] || awaiting=$option\n"
	"	_layoutc_complete \"${words[1]}\" \"${words[last]}\"\n"
	"}\n"
	"\n"
	"# Complete LAST, the last word: an option's value, an option, or an operand.\n"
	"_layoutc_complete() # COMMAND LAST\n"
	"{\n"
	"	local left=\"$flags$valued$repeated \" option\n"
	"\n"
	"	for option in \"${given[@]}\"; do\n"
	"		[[ \"$repeated \" == *\" $option \"* ]] ||\n"
	"			left=${left/\" $option \"/ }\n"
	"	done\n"
	"	if [[ $awaiting ]]; then\n"
	"		_layoutc_values '' \"$1 $awaiting\"\n"
	"	elif [[ ! $operands && $2 == --*=* ]]; then\n"
	"		_layoutc_values \"${2%%=*}=\" \"$1 ${2%%=*}\"\n"
	"	elif [[ ! $operands && $2 == -* ]]; then\n"
	"		_layoutc_offer '' \"$left\"\n"
	"	elif [[ $expressions && $2 == @* ]]; then\n"
	"		_layoutc_offer_files '@'\n"
	"	elif [[ $expressions && $2 != -* && $2 =~ [A-Za-z_][A-Za-z0-9_]*$ ]]; then\n"
	"		_layoutc_offer_functions \"${BASH_REMATCH[0]}\"\n"
	"		[[ ! $files ]] || _layoutc_offer_files ''\n"
	"	elif [[ $operand_words ]]; then\n"
	"		_layoutc_offer '' \"$operand_words\"\n"
	"	elif [[ $files ]]; then\n"
	"		_layoutc_offer_files ''\n"
	"	elif [[ ! $operands && ! $2 ]]; then\n"
	"		_layoutc_offer '' \"$left\"\n"
	"	fi\n"
	"}\n"
	"\n"
	"complete -F _layoutc layoutc\n";

static void write_commands(FILE *out)
{
	const char *before = "_layoutc_commands='";

	for (const struct command *command = commands; command->name; command++) {
		fprintf(out, "%s%s", before, command->name);
		before = " ";
	}
	fputs("'\n_layoutc_functions='", out);
	print_functions(out);
	fputs("'\n\n", out);
}

/* The command's options: those without a value, with one, and with several. */
static void write_options(FILE *out, const struct command *command)
{
	const struct option *option;

	fprintf(out, "	%s) # %s\n", command->name, command->summary);
	for (unsigned i = 0; (option = command_option(command, i)); i++)
		fprintf(out, "		%s+=' %s' # %s\n", !option->value ? "flags" :
			option->repeats ? "repeated" : "valued", option->name,
			option->help);
	if (command_reads_word(command)) {
		fputs("		operand_words='", out);
		print_operand_words(out, command);
		fputs("'\n", out);
	}
	if (command_reads_file(command))
		fprintf(out, "		files=yes # %s\n", command->operands);
	if (command_reads_expression(command))
		fputs("		expressions=yes\n", out);
	fputs("		;;\n", out);
}

/* What to offer for the values of the command's options. */
static void write_values(FILE *out, const struct command *command)
{
	const struct option *option;

	for (unsigned i = 0; (option = command_option(command, i)); i++) {
		enum value_kind kind = option_value_kind(option);

		if (kind != VALUE_WORDS && kind != VALUE_FILE)
			continue;
		fprintf(out, "	'%s %s') ", command->name, option->name);
		if (kind == VALUE_FILE) {
			fputs("_layoutc_offer_files \"$1\" ;;\n", out);
			continue;
		}
		fputs("_layoutc_offer \"$1\" '", out);
		print_value_words(out, option, ":");
		fputs("' ;;\n", out);
	}
}

void write_bash(FILE *out)
{
	fputs(head, out);
	write_commands(out);
	fputs("# The options of COMMAND.\n"
		"_layoutc_options() # COMMAND\n{\n	case $1 in\n", out);
	for (const struct command *command = commands; command->name; command++)
		write_options(out, command);
	fputs("	*) return 1 ;;\n	esac\n}\n\n", out);
	fputs("# Offer values of an option, each after PREFIX.\n"
		"_layoutc_values() # PREFIX 'COMMAND OPTION'\n{\n"
		"	case $2 in\n", out);
	for (const struct command *command = commands; command->name; command++)
		write_values(out, command);
	fputs("	esac\n}\n\n", out);
	fputs(body, out);
}
