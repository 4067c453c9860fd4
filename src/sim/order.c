/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order of a kernel's blocks, in which lanes meet: each block stands behind those
 * that lead to it but by a loop's next turn, and a loop's blocks stand together.
 *
 * This is the weak topological order of Bourdoncle, "Efficient chaotic iteration
 * strategies with widenings" (1993), of which the components are the loops. */
#include "sim/rewrite.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BLOCKS 16384	/* each is a call deep */
#define PLACED UINT_MAX

struct node {
	LLVMBasicBlockRef block;
	unsigned visit;		/* 0: none yet; else the how manieth, or PLACED */
};

struct walk {
	struct node *nodes;	/* by address */
	unsigned count, visits;
	unsigned *stack, depth;
	unsigned next;		/* places from here on are taken */
	struct rewrite_order *order;
};

static int compare(const void *a, const void *b)
{
	const struct node *left = a, *right = b;

	return (left->block > right->block) - (left->block < right->block);
}

static unsigned find(const struct walk *walk, LLVMBasicBlockRef block)
{
	const struct node key = { .block = block };
	const struct node *node = bsearch(&key, walk->nodes, walk->count, sizeof(key),
		compare);

	return (unsigned)(node - walk->nodes);
}

static void place(struct walk *walk, unsigned node)
{
	walk->order->blocks[--walk->next] = walk->nodes[node].block;
}

static unsigned visit(struct walk *walk, unsigned node);

/* Visit what follows a block.  The least visit that is under way there. */
static unsigned visit_successors(struct walk *walk, unsigned node)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(walk->nodes[node].block);
	unsigned count = LLVMGetNumSuccessors(end), least = PLACED;

	for (unsigned i = 0; i < count; i++) {
		unsigned next = find(walk, LLVMGetSuccessor(end, i));
		unsigned seen = walk->nodes[next].visit;

		if (!seen)
			seen = visit(walk, next);
		if (seen < least)
			least = seen;
	}
	return least;
}

/* A loop by its head: the rest of it is ordered as if nothing led back. */
static void place_loop(struct walk *walk, unsigned head)
{
	struct rewrite_order *order = walk->order;
	unsigned end = walk->next;

	visit_successors(walk, head);
	place(walk, head);
	order->loops[order->loop_count++] = (struct rewrite_loop){ walk->next, end };
}

/* Visit a block and place it, unless it is part of a loop whose head is under way. */
static unsigned visit(struct walk *walk, unsigned node)
{
	unsigned number = walk->nodes[node].visit = ++walk->visits;
	unsigned bottom = walk->depth, head;

	walk->stack[walk->depth++] = node;
	head = visit_successors(walk, node);
	if (head < number)
		return head;
	for (unsigned i = bottom; i < walk->depth; i++)
		walk->nodes[walk->stack[i]].visit = 0;
	walk->nodes[node].visit = PLACED;
	walk->depth = bottom;
	if (head == number)
		place_loop(walk, node);
	else
		place(walk, node);
	return PLACED;
}

/* What nothing leads to goes last. */
static void place_unreachable(struct walk *walk)
{
	LLVMBasicBlockRef *blocks = walk->order->blocks;
	unsigned reached = walk->count - walk->next;

	memmove(blocks, blocks + walk->next, reached * sizeof(*blocks));
	for (unsigned i = 0; i < walk->order->loop_count; i++) {
		walk->order->loops[i].first -= walk->next;
		walk->order->loops[i].end -= walk->next;
	}
	for (unsigned i = 0; i < walk->count; i++)
		if (!walk->nodes[i].visit)
			blocks[reached++] = walk->nodes[i].block;
}

static bool allocate(struct rewrite *w, struct walk *walk, unsigned count)
{
	struct rewrite_order *order = &w->order;

	order->count = walk->next = walk->count = count;
	order->blocks = layout_alloc(w->ctx, count, sizeof(*order->blocks));
	order->loops = layout_alloc(w->ctx, count, sizeof(*order->loops));
	walk->order = order;
	walk->nodes = layout_alloc(w->ctx, count, sizeof(*walk->nodes));
	walk->stack = layout_alloc(w->ctx, count, sizeof(*walk->stack));
	return order->blocks && order->loops && walk->nodes && walk->stack;
}

bool rewrite_find_order(struct rewrite *w, LLVMValueRef kernel)
{
	unsigned count = LLVMCountBasicBlocks(kernel), i = 0;
	LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel);
	struct walk walk = { 0 };
	bool ok;

	if (count > MAX_BLOCKS)
		return rewrite_refuse(w, "as many blocks", "");
	ok = allocate(w, &walk, count);
	for (; ok && block; block = LLVMGetNextBasicBlock(block))
		walk.nodes[i++].block = block;
	if (ok) {
		qsort(walk.nodes, count, sizeof(*walk.nodes), compare);
		visit(&walk, find(&walk, LLVMGetEntryBasicBlock(kernel)));
		place_unreachable(&walk);
	}
	free(walk.nodes);
	free(walk.stack);
	return ok;
}

void rewrite_free_order(struct rewrite_order *order)
{
	free(order->blocks);
	free(order->loops);
}
