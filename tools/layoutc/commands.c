/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/arguments.h"

const struct option options[OPTION_COUNT] = {
	[OPTION_FORMAT] = { "--format", "text|json|isl|mlir", false, false,
		"how to print the value; text unless said" },
	[OPTION_VALUES] = { "--values", NULL, false, false,
		"print the points: f(0), f(1), .. or one (i, j) -> (a, b) a line" },
	[OPTION_TABLE] = { "--table", NULL, false, false,
		"print the values as rows and columns, [row, column] -> value" },
	/* In the order of layout_map_direction. */
	[OPTION_DIRECTION] = { "--direction", "store|load", false, false,
		"print a chain or a remap for map_store or map_load, as MLIR; a chain's store and "
		"a remap's load unless said" },
	[OPTION_TYPE] = { "--type", "TYPE", false, false,
		"of a chain's elements, as MLIR; f32 unless said" },
	[OPTION_BATCH] = { "--batch", NULL, false, false,
		"one expression a line in, one line out" },
	/* In the order of enum property. */
	[OPTION_IS] = { "--is", "function|injective|surjective|bijective|valid|total",
		true, false,
		"a property to check; all that apply but total unless said" },
	[OPTION_ONTO] = { "--onto", "SET", false, false,
		"the set that surjective and bijective are asked of" },
	[OPTION_MEMORY] = { "--memory", NULL, false, false,
		"compare storages of one tensor by where elements and padding lie" },
	[OPTION_UP_TO_K] = { "--up-to-k", NULL, false, false,
		"compare LHS RHS with LHS RHS, two products that may differ in K's order" },
	/* In the order of enum counted. */
	[OPTION_COUNTED] = { "--of", "points|cells|padding", true, false,
		"what to count; all that apply unless said" },
	[OPTION_TARGET] = { "--target", "GPU|host", false, false,
		"a target's name, needed to emit; gfx942 is explained unless said" },
	[OPTION_GPU] = { "--target", "GPU", false, true,
		"a target's name" },
	[OPTION_ROW] = { "--target", "GPU", false, true,
		"target or chip; 'GPU{simds = 1}' changes facts" },
	[OPTION_OPERAND_ROW] = { "--target", "GPU", false, false,
		"whose layout it is, where ENCODING is that of an operand" },
	[OPTION_OPERAND] = { "--operand", "NUMBER", false, false,
		"which operand has the encoding; 0 unless said" },
	/* In the order of layout_resolver. */
	[OPTION_RESOLVER] = { "--resolver", "data-tiling|pad|none", false, false,
		"what kind of layout; data-tiling unless said" },
	/* In the order of layout_missing. */
	[OPTION_MISSING] = { "--missing", "keep|drop", false, false,
		"M or N that a product with a vector lacks; keep, as IREE, unless said" },
	[OPTION_RESOLVE_FORMAT] = { "--format", "text|json|mlir", false, false,
		"how to print the layout; text unless said; as MLIR the tile of the product" },
	[OPTION_WHY] = { "--explain", NULL, false, false,
		"print candidates, limits and why this layout, too" },
	[OPTION_PICTURE] = { "-o", "FILE", false, false,
		"FILE.svg, .png, .pdf, .html, .txt, .dot or .tex (TikZ); text on standard "
		"output unless said" },
	/* In the order of layout_show_color. */
	[OPTION_COLOR] = { "--color-by", "lane|register|bank|value|warp", false, false,
		"what a color means; lane where there are lanes, else value" },
	[OPTION_BITS] = { "--bits", "BITS", false, false,
		"of an element, for --color-by bank; 32 unless said" },
	[OPTION_BANKS] = { "--target", "GPU", false, false,
		"whose LDS, and whose kernel of a remap; 32 banks unless said" },
	/* In the order of "emits" in kernel.c. */
	[OPTION_EMIT] = { "--emit", "isl|ast|llvm|asm|obj|hsaco|json|program", false, false,
		"what to emit; needed, except with --explain" },
	[OPTION_EXPLAIN] = { "--explain", NULL, false, false,
		"print how the kernel was found; beside --emit, as errors are" },
	[OPTION_OWNER] = { "--owner", "EXPR", false, false,
		"which lane and register owns what, hw[..] -> logical[..]" },
	[OPTION_THROUGH_LDS] = { "--through-lds", NULL, false, false,
		"stage tiles in the LDS, also where registers would do" },
	[OPTION_FILE] = { "-o", "FILE", false, false,
		"where to write it; standard output unless said" },
	[OPTION_ASSUME] = { "--assume", "CONDITION", true, false,
		"what every launch satisfies, 'M < 65536'" },
	[OPTION_BASE_ALIGN] = { "--base-align", "BYTES", false, false,
		"how source and destination are aligned; 16 unless said" },
	[OPTION_CODE_OBJECT] = { "--code-object", "5|6", false, false,
		"the code object's version; 5 unless said" },
	[OPTION_CPU] = { "--mcpu", "x86-64|x86-64-v2|x86-64-v3|x86-64-v4", false, false,
		"what a kernel for the host may use; all that this CPU can do unless said" },
	[OPTION_INPUT] = { "--input", "FILE", true, false,
		"the source array, .npy; of a program's argument NAME=FILE" },
	[OPTION_OUTPUT] = { "--output", "FILE", true, false,
		"the destination array, .npy; of a program's argument NAME=FILE" },
	[OPTION_SHORT_OUTPUT] = { "-o", "FILE", true, false, "the same as --output",
		OPTION_OUTPUT },
	[OPTION_ENGINE] = { "--engine", "host|sim|eval", false, false,
		"run on this CPU, simulate a GPU, or compute a program point by point; "
		"host without --target" },
	[OPTION_SIM_TARGET] = { "--target", "GPU", false, false,
		"the GPU to simulate; gfx942 unless said" },
	[OPTION_STATS] = { "--stats", NULL, false, false,
		"print what the simulator counted" },
	[OPTION_STATS_FORMAT] = { "--format", "text|json", false, false,
		"how to print --stats; text unless said" },
	[OPTION_QUIET] = { "--quiet", NULL, false, false,
		"show no progress of large arrays on a terminal" },
	[OPTION_ROW_FORMAT] = { "--format", "text|json", false, false,
		"how to print the rows; text unless said" },
	[OPTION_ANSWER_FORMAT] = { "--format", "text|json", false, false,
		"how to print the answers; text unless said" },
	[OPTION_SIZE] = { "-D", "NAME=VALUE", true, false,
		"a number for a run-time size" },
	[OPTION_HELP] = { "--help", NULL, false, false,
		"print this and exit" },
};

const struct command commands[] = {
	{ "eval", "[EXPR]", 0, 1,
		"print the value of an expression",
		"EXPR is a literal in any notation, or a function of expressions, "
		"compose(A, B);\ndocs/notation.md has them all.  \"@FILE\" is the text in "
		"a file.  A text may have\nseveral, each on lines of its own, and definitions, "
		"\"let NAME = EXPR\".  With --batch\nthe operand is a file of expressions, "
		"standard input without one: one a line, and\na line that fails becomes "
		"\"error: ..\".\n",
		{ OPTION_FORMAT, OPTION_VALUES, OPTION_TABLE, OPTION_DIRECTION,
			OPTION_TYPE, OPTION_BATCH, OPTION_SIZE,
			OPTION_HELP },
		run_eval },
	{ "check", "EXPR", 1, 1,
		"prove or refute properties of a layout, for all sizes",
		"A \"no\" is followed by its witness: two points with one image, or a "
		"cell that\nnothing reaches, with the sizes it holds for.\n",
		{ OPTION_IS, OPTION_ONTO, OPTION_ANSWER_FORMAT, OPTION_SIZE, OPTION_HELP },
		run_check },
	{ "equal", "EXPR EXPR", 2, 4,
		"compare two layouts, for all sizes",
		"The two may be of any notations; as(..) and convert(..) bring them to the "
		"same\ncoordinates.  What differs has a witness: a point and an image that "
		"only one\nof the two relates.\n",
		{ OPTION_MEMORY, OPTION_UP_TO_K, OPTION_ANSWER_FORMAT, OPTION_HELP },
		run_equal },
	{ "count", "EXPR", 1, 1,
		"count points, cells and padding, for all sizes",
		"Points are inputs, or a set's own; cells are images, each once; padding "
		"is what of\nthe declared cells no point reaches: CuTe declares all offsets "
		"below the cosize, a\nstorage whole tiles but no gaps between strides, and "
		"strides with a name do not\noverlap while a size is open.  A formula, a "
		"number with -D, or \"unknown\".\n",
		{ OPTION_COUNTED, OPTION_ANSWER_FORMAT, OPTION_SIZE, OPTION_HELP },
		run_count },
	{ "show", "EXPR", 1, 1,
		"draw a layout",
		"A cell for each element of a box of up to eight dimensions, and in it the "
		"place\nthat holds it: T12:r3, register 3 of lane 12, or its offset in "
		"memory; with\n--color-by bank its bank, and what reading it takes.  A .dot "
		"file has the relations\nof compose(..), chain(..) or remap(..) as a graph.\n",
		{ OPTION_PICTURE, OPTION_COLOR, OPTION_BITS, OPTION_BANKS, OPTION_SIZE,
			OPTION_HELP },
		run_show },
	{ "resolve", "ENCODING", 1, 1,
		"find the packed layout that a target wants for an operand",
		"ENCODING is #iree_encoding.encoding<operand_index = 0, ..>, or the name "
		"of a file\nthat holds one.  The facts: max_load_bits, vgpr_bits, simds, "
		"processors,\nlds_bytes, cache_line_bytes, cache_sets, and "
		"mma = [NAME, ..];\nof a CPU, features = [NAME, ..].  MLIR's targets will "
		"do, too.  In JSON, null is\nwhat there is not: a swizzle, an instruction.\n",
		{ OPTION_ROW, OPTION_RESOLVER, OPTION_MISSING, OPTION_RESOLVE_FORMAT,
			OPTION_WHY, OPTION_HELP },
		run_resolve },
	{ "propagate", "ENCODING OPERATION", 2, 2,
		"push an encoding through an operation that uses the tensor",
		"OPERATION is \"linalg.generic {indexing_maps = [#map, ..], ..} ins(..) "
		"outs(..)\" with\nits maps before it, as MLIR prints both, or a list of maps.  "
		"Printed are each\noperand's encoding and map, and what the operation's "
		"indices are in the loops\nof the packed one.\n",
		{ OPTION_OPERAND, OPTION_OPERAND_ROW, OPTION_ANSWER_FORMAT, OPTION_HELP },
		run_propagate },
	{ "specialize", "PROGRAM", 1, 1,
		"find the kernels and relayouts that a program's dispatches need",
		"PROGRAM is text of IREE's stream dialect, or the name of a file: its "
		"devices,\nstream.tensor.dispatch, .encode and .sizeof are read, with the "
		"definitions before\nthem.  Dispatches that look the same need two kernels "
		"where their tensors lie\ndifferently, and tensors from another device a "
		"relayout.\n",
		{ OPTION_RESOLVER, OPTION_HELP },
		run_specialize },
	{ "kernel", "REMAP|PROGRAM", 1, 1,
		"compile a remap or a program for a target",
		"REMAP is remap(SOURCE -> DESTINATION, type = f32, pad = 0.0), PROGRAM a "
		"text that\nbegins with \"program\", matmul(A: STORAGE f16, B: STORAGE f16 -> "
		"C: STORAGE f32) or\nanother expression of one; or the name of a file that "
		"holds one.  -D fills in\nthe grid of --emit json.  Without --emit the "
		"explanation is printed.\n",
		{ OPTION_TARGET, OPTION_EMIT, OPTION_FILE, OPTION_SIZE, OPTION_ASSUME,
			OPTION_BASE_ALIGN, OPTION_CODE_OBJECT, OPTION_EXPLAIN,
			OPTION_OWNER, OPTION_THROUGH_LDS, OPTION_CPU, OPTION_HELP },
		run_kernel },
	{ "run", "REMAP|PROGRAM", 1, 1,
		"apply a remap to a .npy array, or run a program on several",
		"The arrays supply the sizes that their shapes determine, -D the others.  "
		"Large\narrays need not fit into memory; on a terminal, how far they are is "
		"shown.\n",
		{ OPTION_INPUT, OPTION_OUTPUT, OPTION_SHORT_OUTPUT, OPTION_ENGINE,
			OPTION_SIM_TARGET, OPTION_STATS, OPTION_STATS_FORMAT, OPTION_CPU, OPTION_QUIET,
			OPTION_SIZE, OPTION_HELP },
		run_run },
	{ "cache", "[clear]", 0, 1,
		"show what is kept of kernels that were compiled, or clear it",
		"Compiled kernels of \"run\" are kept for the next time in layout/ of "
		"$XDG_CACHE_HOME,\nor of ~/.cache: 64 MiB at most.  LAYOUT_CACHE=off "
		"keeps and uses none.\n",
		{ OPTION_HELP },
		run_cache },
	{ "targets", "[TARGET]", 0, 1,
		"list the targets and what is known of them",
		"A TARGET, a name or as MLIR says it, is described: its row, and the attribute "
		"that\nIREE has for it.\n",
		{ OPTION_ROW_FORMAT, OPTION_HELP },
		run_targets },
	{ "mma", "[NAME OPERAND]", 0, 2,
		"list a target's matrix instructions, or show a register layout",
		"OPERAND is lhs, rhs, acc, lhs_scale, rhs_scale, acc_hi or index.  The "
		"layout is shown\nas a relation and as a grid of lane:element.\n",
		{ OPTION_GPU, OPTION_ROW_FORMAT, OPTION_HELP },
		run_mma },
	{ "repl", "", 0, 0,
		"evaluate and draw expressions at a prompt",
		"EXPR prints its value, \"show EXPR\" draws it, \"check EXPR\" answers what "
		"check does.\n\"let NAME = EXPR\" is known to the lines behind it.  A text may "
		"have several lines:\nit goes on while brackets are open.  \"@FILE\" is the "
		"text in a file, \"help WORD\"\nexplains, \"quit\" ends.  Built with libedit, "
		"lines are edited as in a shell: Tab\ncompletes functions, names and files, "
		"Ctrl-C drops the line, and\n~/.layoutc_history keeps what was entered.\n",
		{ OPTION_HELP },
		run_repl },
	{ "help", "[WORD]", 0, 1,
		"say what a command or a function of expressions takes",
		"layoutc eval --help FUNCTION is the same.\n",
		{ OPTION_HELP },
		run_help },
	{ .name = NULL },
};

/* In the order of enum status. */
const char *const exit_statuses[] = {
	"yes or done",
	"no",
	"usage, or text that does not parse or type-check",
	"unsupported or unknown",
	"input or output failed",
	NULL,
};
