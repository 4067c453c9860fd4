/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The page layoutc(1) in the man macros that groff and mandoc share. */
#include "manual/manual.h"

#include <layout/value.h>
#include <ctype.h>
#include <string.h>

/* Each example is one command that succeeds, where there is a row-major f32 array in
 * a.npy. */
static const struct {
	const char *text, *command;
} examples[] = {
	{ "Compose two CuTe layouts:",
		"layoutc eval 'compose((4,8):(8,1), (2,16):(16,1))'" },
	{ "The values of a layout, in its order of points:",
		"layoutc eval --values '(2,3):(3,1)'" },
	{ "Prove, for all sizes, that no two elements share a cell:",
		"layoutc check 'row_major[M, K + Q]' --is injective" },
	{ "Compare layouts written in two notations:",
		"layoutc equal '(4,8):(8,1)' 'pack_map<(8,4):(1,8)>'" },
	{ "Draw which lane and register holds which element of a matrix:",
		"layoutc show 'mma<MFMA_F32_16x16x4_F32, acc>' -o acc.svg" },
	{ "Find the packed layout that a GPU wants for an operand of a product:",
		"layoutc resolve '#iree_encoding.encoding<operand_index = 0 : index,\n"
		"    op_type = matmul, element_types = [f32, f32, f32],\n"
		"    user_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,\n"
		"    affine_map<(d0, d1, d2) -> (d2, d1)>,\n"
		"    affine_map<(d0, d1, d2) -> (d0, d1)>]>' --target gfx942" },
	{ "Compile a transpose for a GPU, and print how to launch it:",
		"layoutc kernel --target gfx942 --emit json -D M=1000 -D K=700 \\\n"
		"    'remap(row_major[M, K] -> col_major[M, K], type = f32)'" },
	{ "Transpose an array on this machine:",
		"layoutc run --input a.npy --output b.npy \\\n"
		"    'remap(row_major[M, K] -> col_major[M, K], type = f32)'" },
};

/* Is this where a word begins, so that a '-' is a minus and no hyphen? */
static bool begins_word(const char *text, const char *c)
{
	return c == text || !isalnum((unsigned char)c[-1]);
}

static void put_character(FILE *out, char c, bool minus)
{
	switch (c) {
	case '\\': fputs("\\e", out); break;
	case '\'': fputs("\\(aq", out); break;
	case '`': fputs("\\(ga", out); break;
	case '^': fputs("\\(ha", out); break;
	case '~': fputs("\\(ti", out); break;
	case '-': fputs(minus ? "\\-" : "-", out); break;
	default: fputc(c, out);
	}
}

/* Prose: a '-' within a word is a hyphen, but all those of an option are minus signs. */
static void put_text(FILE *out, const char *text)
{
	bool minus = false;

	for (const char *c = text; *c; c++) {
		if (*c == '.' && (c == text || c[-1] == '\n'))
			fputs("\\&", out);
		if (begins_word(text, c))
			minus = *c == '-';
		else if (isspace((unsigned char)*c))
			minus = false;
		put_character(out, *c, minus);
	}
}

/* What is typed as it stands: its '-' are minus signs, and a space breaks no line. */
static void put_typed(FILE *out, const char *text, int length)
{
	for (int i = 0; i < length; i++)
		if (text[i] == ' ')
			fputs("\\ ", out);
		else
			put_character(out, text[i], true);
}

/* The words of "a|b|FILE": bold where they are typed as they stand, else italic.  Where
 * there are many, a line may break behind a '|'. */
static void put_value(FILE *out, const char *value)
{
	const char *between = strlen(value) > 20 ? "|\\:" : "|";

	for (;;) {
		int length = strcspn(value, "|");

		fputs(isupper((unsigned char)*value) ? "\\fI" : "\\fB", out);
		put_typed(out, value, length);
		fputs("\\fR", out);
		if (!value[length])
			return;
		fputs(between, out);
		value += length + 1;
	}
}

static void put_option(FILE *out, const struct option *option)
{
	fputs("\\fB", out);
	put_typed(out, option->name, strlen(option->name));
	fputs("\\fR", out);
	if (option->value) {
		fputs("\\ ", out);
		put_value(out, option->value);
	}
}

/* "[NAME OPERAND]", the names in italics. */
static void put_operands(FILE *out, const char *operands)
{
	bool italic = false;

	for (const char *c = operands; *c; c++) {
		if (!!isupper((unsigned char)*c) != italic) {
			italic = !italic;
			fputs(italic ? "\\fI" : "\\fR", out);
		}
		put_typed(out, c, 1);
	}
	fputs("\\fR\n", out);
}

static void write_synopsis(FILE *out, const struct command *command)
{
	const struct option *option;

	fprintf(out, ".HP\n\\fBlayoutc %s\\fR\n", command->name);
	if (*command->operands)
		put_operands(out, command->operands);
	for (unsigned i = 0; (option = command_option(command, i)) &&
			option != &options[OPTION_HELP]; i++) {
		fputs(option->required ? "" : "[", out);
		put_option(out, option);
		fprintf(out, "%s%s\n", option->required ? "" : "]",
			option->repeats ? "..." : "");
	}
}

static void write_targets(FILE *out, const struct option *option)
{
	const char *name;

	if (!option_target(option, 0))
		return;
	for (unsigned i = 0; (name = option_target(option, i)); i++) {
		fputs(i ? ",\n" : ":\n", out);
		put_typed(out, name, strlen(name));
	}
	fputs(".\n", out);
}

static void write_functions(FILE *out)
{
	const char *name;

	fputs(".PP\nFunctions:\n", out);
	for (unsigned i = 0; (name = layout_value_function(i)); i++) {
		fputs(i ? ",\n" : "", out);
		put_typed(out, name, strlen(name));
	}
	fputs(".\n", out);
}

static void write_command(FILE *out, const struct command *command)
{
	const struct option *option;

	fprintf(out, ".SS layoutc %s\n", command->name);
	fputc(toupper((unsigned char)*command->summary), out);
	put_text(out, command->summary + 1);
	fputs(".\n", out);
	if (*command->details) {
		fputs(".PP\n", out);
		put_text(out, command->details);
	}
	if (!strcmp(command->name, "eval"))
		write_functions(out);
	for (unsigned i = 0; (option = command_option(command, i)); i++) {
		fputs(".TP\n", out);
		put_option(out, option);
		fputc('\n', out);
		put_text(out, option->help);
		if (!option_target(option, 0))
			fputc('\n', out);
		write_targets(out, option);
	}
}

static void write_statuses(FILE *out)
{
	fputs(".SH EXIT STATUS\n", out);
	for (int i = 0; exit_statuses[i]; i++) {
		fprintf(out, ".TP\n\\fB%d\\fR\n", i);
		put_text(out, exit_statuses[i]);
		fputc('\n', out);
	}
}

static void write_examples(FILE *out)
{
	fputs(".SH EXAMPLES\n", out);
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		fputs(i ? ".PP\n" : "", out);
		put_text(out, examples[i].text);
		fputs("\n.PP\n.RS 4\n.EX\n", out);
		for (const char *c = examples[i].command; *c; c++)
			put_character(out, *c, true);
		fputs("\n.EE\n.RE\n", out);
	}
}

static const char description[] =
	".SH DESCRIPTION\n"
	"\\fBlayoutc\\fR works with layouts of data, in the notations of CuTe, IREE,\n"
	"Triton, MLIR and isl.\n"
	"It evaluates, proves, compares, counts and draws them, finds the packed\n"
	"layouts that targets want for matrix operands, and makes kernels that copy a\n"
	"tensor from one layout to another.\n"
	"A size may be a name; an answer holds for all its values from 0 on.\n"
	".PP\n"
	"Options and operands come in any order; \\fB\\-\\-\\fR ends the options.\n"
	"A value follows its option as the next word, or in the same one:\n"
	"\\fB\\-\\-format=json\\fR, \\fB\\-DM=4\\fR.\n"
	"As an operand or a file, \\fB\\-\\fR is standard input or output.\n"
	"A file is written whole or not at all.\n"
	".PP\n"
	"Errors are lines on standard error,\n"
	"\\(lqlayoutc: error: WHERE: message\\(rq,\n"
	"where WHERE is a column of the expression or a place in a file,\n"
	"and under them the text with a caret.\n";

static const char environment[] =
	".SH ENVIRONMENT\n"
	".TP\n"
	"\\fBLAYOUT_LD_LLD\\fR\n"
	"the \\fBld.lld\\fR that links the code objects of \\fB\\-\\-emit hsaco\\fR\n"
	".TP\n"
	"\\fBLAYOUT_CACHE\\fR\n"
	"\\fBoff\\fR: compiled kernels are neither kept nor used again\n"
	".TP\n"
	"\\fBLAYOUT_THREADS\\fR\n"
	"the threads of a kernel for the host; as many as there are processors where\n"
	"it moves 4 MiB or more, else one, unless set\n";

static const char see_also[] =
	".SH SEE ALSO\n"
	"In the sources \\fIdocs/README.md\\fR leads to all pages:\n"
	"\\fIdocs/notation.md\\fR has the expressions, \\fIdocs/kernels.md\\fR what is\n"
	"said of remaps and kernels, \\fIdocs/reference.md\\fR the C library.\n";

void write_man(FILE *out)
{
	fputs(".\\\" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
		".\\\" Made from the tables of commands and options.\n", out);
	fprintf(out, ".TH LAYOUTC 1 \"\" \"layoutc %s\" \"User Commands\"\n.nh\n.ad l\n",
		layout_version());
	fputs(".SH NAME\nlayoutc \\- GPU data layouts as integer relations, and kernels "
		"from them\n.SH SYNOPSIS\n", out);
	for (const struct command *command = commands; command->name; command++)
		write_synopsis(out, command);
	fputs(".HP\n\\fBlayoutc\\fR\n"
		"\\fB\\-\\-version\\fR|\\fB\\-\\-help\\fR|\\fICOMMAND\\fR\\ "
		"\\fB\\-\\-help\\fR\n", out);
	fputs(description, out);
	fputs(".SH COMMANDS\n", out);
	for (const struct command *command = commands; command->name; command++)
		write_command(out, command);
	write_statuses(out);
	fputs(environment, out);
	write_examples(out);
	fputs(see_also, out);
}
