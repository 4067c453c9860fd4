/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/msgpack.h"

#include <string.h>

enum kind { NOTHING, NUMBER, STRING, ARRAY, MAP };

/* What a value begins with: its kind, its number or size, and what follows. */
struct head {
	enum kind kind;
	uint64_t value;
	const unsigned char *rest;
};

static const struct msgpack nothing;

/* A head whose number is "size" bytes, most significant first. */
static struct head wide_head(struct msgpack value, enum kind kind, unsigned size)
{
	struct head head = { kind, 0, value.at + 1 + size };

	if ((size_t)(value.end - value.at) < 1 + size)
		return (struct head){ 0 };
	for (unsigned i = 0; i < size; i++)
		head.value = head.value << 8 | value.at[1 + i];
	return head;
}

static struct head read_head(struct msgpack value)
{
	unsigned char first;

	if (!value.at || value.at >= value.end)
		return (struct head){ 0 };
	first = *value.at;
	if (first < 0x80)
		return (struct head){ NUMBER, first, value.at + 1 };
	if (first < 0x90)
		return (struct head){ MAP, first & 15, value.at + 1 };
	if (first < 0xa0)
		return (struct head){ ARRAY, first & 15, value.at + 1 };
	if (first < 0xc0)
		return (struct head){ STRING, first & 31, value.at + 1 };
	switch (first) {
	case 0xc2:
	case 0xc3:
		return (struct head){ NUMBER, first & 1, value.at + 1 };
	case 0xcc: case 0xcd: case 0xce: case 0xcf:
		return wide_head(value, NUMBER, 1u << (first - 0xcc));
	case 0xd9: case 0xda: case 0xdb:
		return wide_head(value, STRING, 1u << (first - 0xd9));
	case 0xdc: case 0xdd:
		return wide_head(value, ARRAY, 2u << (first - 0xdc));
	case 0xde: case 0xdf:
		return wide_head(value, MAP, 2u << (first - 0xde));
	default:
		return (struct head){ 0 };
	}
}

/* What follows a value. */
static struct msgpack skip(struct msgpack value)
{
	struct head head = read_head(value);
	struct msgpack rest = { head.rest, value.end };
	uint64_t inside = head.kind == ARRAY ? head.value :
		head.kind == MAP ? 2 * head.value : 0;

	if (head.kind == STRING) {
		if (head.value > (uint64_t)(value.end - head.rest))
			return nothing;
		rest.at += head.value;
	}
	while (inside-- && rest.at)
		rest = skip(rest);
	return rest;
}

struct msgpack msgpack_get(struct msgpack map, const char *key)
{
	struct head head = read_head(map);
	struct msgpack entry = { head.rest, map.end };

	if (head.kind != MAP)
		return nothing;
	for (uint64_t i = 0; i < head.value && entry.at; i++) {
		if (msgpack_is(entry, key))
			return skip(entry);
		entry = skip(skip(entry));
	}
	return nothing;
}

struct msgpack msgpack_at(struct msgpack array, uint64_t i)
{
	struct head head = read_head(array);
	struct msgpack element = { head.rest, array.end };

	if (head.kind != ARRAY || i >= head.value)
		return nothing;
	while (i-- && element.at)
		element = skip(element);
	return element;
}

int64_t msgpack_count(struct msgpack array)
{
	struct head head = read_head(array);

	return head.kind == ARRAY ? (int64_t)head.value : -1;
}

int64_t msgpack_int(struct msgpack value)
{
	struct head head = read_head(value);

	return head.kind == NUMBER ? (int64_t)head.value : -1;
}

int msgpack_is(struct msgpack value, const char *text)
{
	struct head head = read_head(value);

	return head.kind == STRING && head.value == strlen(text) &&
		head.value <= (uint64_t)(value.end - head.rest) &&
		!memcmp(head.rest, text, head.value);
}
