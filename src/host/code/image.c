/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An image is a head, then what is loaded, then the names of what it calls:
 *
 *	head	entries: where they are in what is loaded
 *	loaded	an address for each name, filled in when it is loaded; the sections
 *	names	each with its 0 byte
 *
 * All that its parts say of each other is relative, so that nothing else depends on where it
 * is loaded. */
#include "host/code/image.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_SECTIONS = 64, MOST_NAMES = 64, MOST_ENTRIES = 4, SLOT = 8, JUMP = 8,
	MOST_BYTES = 16 << 20 };

struct head {
	uint32_t entries[MOST_ENTRIES];
	uint32_t loaded, names, name_count;	/* bytes of both, and how many names */
};

#if defined(__x86_64__)

/* An object while it is linked.  Of what it calls, each has a slot with the address and code
 * that jumps there, both in front of the sections. */
struct link {
	const char *object;
	size_t length;
	const Elf64_Ehdr *header;
	const Elf64_Shdr *sections;
	unsigned section_count;
	uint32_t place[MOST_SECTIONS];		/* in what is loaded; 0: is not */
	const Elf64_Sym *symbols;
	size_t symbol_count;
	const char *strings;
	size_t string_bytes;
	const char *names[MOST_NAMES];
	unsigned name_count;
	char *loaded;
	size_t bytes;
};

/* So many bytes of the object; NULL where it does not have them. */
static const void *part(const struct link *link, size_t at, size_t bytes)
{
	return at <= link->length && bytes <= link->length - at ? link->object + at : NULL;
}

static const void *contents(const struct link *link, const Elf64_Shdr *section)
{
	return part(link, section->sh_offset, section->sh_size);
}

static bool open_object(struct link *link)
{
	const Elf64_Ehdr *header = part(link, 0, sizeof(*header));
	const Elf64_Shdr *strings;

	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_machine != EM_X86_64 || header->e_type != ET_REL ||
	    header->e_shnum > MOST_SECTIONS)
		return false;
	link->header = header;
	link->section_count = header->e_shnum;
	link->sections = part(link, header->e_shoff, header->e_shnum * sizeof(Elf64_Shdr));
	for (unsigned i = 0; link->sections && i < link->section_count; i++) {
		const Elf64_Shdr *section = &link->sections[i];

		if (section->sh_type != SHT_SYMTAB || section->sh_link >= link->section_count)
			continue;
		strings = &link->sections[section->sh_link];
		link->symbols = contents(link, section);
		link->symbol_count = section->sh_size / sizeof(Elf64_Sym);
		link->strings = contents(link, strings);
		link->string_bytes = strings->sh_size;
	}
	return link->symbols && link->strings && link->string_bytes &&
		!link->strings[link->string_bytes - 1];
}

static const char *name_of(const struct link *link, const Elf64_Sym *symbol)
{
	return symbol->st_name < link->string_bytes ? link->strings + symbol->st_name : "";
}

/* Tables for who unwinds are not for us. */
static bool is_loaded(const Elf64_Shdr *section)
{
	return section->sh_flags & SHF_ALLOC && section->sh_size &&
		section->sh_type != SHT_X86_64_UNWIND;
}

/* What is not in the object, except for the base of its slots. */
static bool is_called(const struct link *link, const Elf64_Sym *symbol)
{
	const char *name = name_of(link, symbol);

	return symbol->st_shndx == SHN_UNDEF && *name &&
		strcmp(name, "_GLOBAL_OFFSET_TABLE_");
}

/* Find a place for everything.  What is written to while it runs is not known here. */
static bool place_all(struct link *link)
{
	for (size_t i = 0; i < link->symbol_count; i++)
		if (is_called(link, &link->symbols[i])) {
			if (link->name_count == MOST_NAMES)
				return false;
			link->names[link->name_count++] = name_of(link, &link->symbols[i]);
		}
	link->bytes = (link->name_count ? link->name_count : 1) * (SLOT + JUMP);
	for (unsigned i = 0; i < link->section_count; i++) {
		const Elf64_Shdr *section = &link->sections[i];
		size_t align = section->sh_addralign ? section->sh_addralign : 1;

		if (!is_loaded(section))
			continue;
		if (section->sh_flags & (SHF_WRITE | SHF_TLS) || align > 4096 ||
		    section->sh_type != SHT_PROGBITS || !contents(link, section))
			return false;
		link->bytes = (link->bytes + align - 1) / align * align;
		link->place[i] = (uint32_t)link->bytes;
		link->bytes += section->sh_size;
		if (link->bytes > MOST_BYTES)
			return false;
	}
	return true;
}

/* The number of what a symbol calls; -1 where it is in the object. */
static int call_number(const struct link *link, const Elf64_Sym *symbol)
{
	for (unsigned i = 0; is_called(link, symbol) && i < link->name_count; i++)
		if (!strcmp(link->names[i], name_of(link, symbol)))
			return (int)i;
	return -1;
}

/* Where a symbol is: the base of the slots, code that jumps to what is called, or a place in a
 * section. */
static bool find_symbol(const struct link *link, const Elf64_Sym *symbol, int64_t *at)
{
	int call = call_number(link, symbol);

	*at = 0;
	if (call >= 0)
		*at = (int64_t)link->name_count * SLOT + call * JUMP;
	else if (symbol->st_shndx != SHN_UNDEF) {
		if (symbol->st_shndx >= link->section_count ||
		    !link->place[symbol->st_shndx])
			return false;
		*at = link->place[symbol->st_shndx] + (int64_t)symbol->st_value;
	}
	return true;
}

/* What a relocation puts at "from".  Slots begin where all begins, at 0. */
static bool relocation_value(const struct link *link, const Elf64_Rela *rela, int64_t from,
	int64_t *value, unsigned *bytes)
{
	const Elf64_Sym *symbol = &link->symbols[ELF64_R_SYM(rela->r_info)];
	int call = call_number(link, symbol);
	int64_t at;

	if (!find_symbol(link, symbol, &at))
		return false;
	*bytes = 8;
	switch (ELF64_R_TYPE(rela->r_info)) {
	case R_X86_64_PC32:
	case R_X86_64_PLT32:
		*bytes = 4;
		*value = at + rela->r_addend - from;
		return *value == (int32_t)*value;
	case R_X86_64_GOTPCREL:
	case R_X86_64_GOTPCRELX:
	case R_X86_64_REX_GOTPCRELX:
		*bytes = 4;
		*value = (int64_t)call * SLOT + rela->r_addend - from;
		return call >= 0 && *value == (int32_t)*value;
	case R_X86_64_GOT64:
		*value = (int64_t)call * SLOT + rela->r_addend;
		return call >= 0;
	case R_X86_64_PC64:
		*value = at + rela->r_addend - from;
		return true;
	case R_X86_64_GOTPC64:
		*value = rela->r_addend - from;
		return true;
	case R_X86_64_GOTOFF64:
	case R_X86_64_PLTOFF64:
		*value = at + rela->r_addend;
		return true;
	default:
		return false;
	}
}

static bool relocate_section(const struct link *link, const Elf64_Shdr *table)
{
	const Elf64_Rela *relas = contents(link, table);
	size_t count = table->sh_size / sizeof(*relas);
	uint32_t place;

	if (table->sh_info >= link->section_count || !relas)
		return false;
	place = link->place[table->sh_info];
	for (size_t i = 0; place && i < count; i++) {
		int64_t value, from = place + (int64_t)relas[i].r_offset;
		unsigned bytes;

		if (ELF64_R_SYM(relas[i].r_info) >= link->symbol_count ||
		    relas[i].r_offset > link->sections[table->sh_info].sh_size ||
		    !relocation_value(link, &relas[i], from, &value, &bytes) ||
		    (size_t)from + bytes > link->bytes)
			return false;
		memcpy(link->loaded + from, &value, bytes);
	}
	return true;
}

/* jmp *slot(%rip), and two bytes that fill up */
static void add_jumps(struct link *link)
{
	for (unsigned i = 0; i < link->name_count; i++) {
		char *jump = link->loaded + link->name_count * SLOT + i * JUMP;
		int32_t to_slot = (int32_t)(i * SLOT) -
			(int32_t)(link->name_count * SLOT + i * JUMP + 6);

		memcpy(jump, "\xff\x25\0\0\0\0\xcc\xcc", JUMP);
		memcpy(jump + 2, &to_slot, sizeof(to_slot));
	}
}

static bool link_all(struct link *link)
{
	for (unsigned i = 0; i < link->section_count; i++)
		if (link->place[i])
			memcpy(link->loaded + link->place[i],
				contents(link, &link->sections[i]),
				link->sections[i].sh_size);
	for (unsigned i = 0; i < link->section_count; i++)
		if (link->sections[i].sh_type == SHT_REL ||
		    (link->sections[i].sh_type == SHT_RELA &&
		     !relocate_section(link, &link->sections[i])))
			return false;
	add_jumps(link);
	return true;
}

static bool find_entries(const struct link *link, const char *const *entries,
	struct head *head)
{
	for (unsigned e = 0; entries[e]; e++) {
		int64_t at = 0;

		for (size_t i = 0; e < MOST_ENTRIES && !at && i < link->symbol_count; i++)
			if (link->symbols[i].st_shndx != SHN_UNDEF &&
			    !strcmp(name_of(link, &link->symbols[i]), entries[e]) &&
			    !find_symbol(link, &link->symbols[i], &at))
				return false;
		if (!at)
			return false;
		head->entries[e] = (uint32_t)at;
	}
	return true;
}

/* Everything behind each other. */
static struct image pack(const struct link *link, struct head *head)
{
	struct image image = { NULL, sizeof(*head) + link->bytes };
	char *names;

	head->loaded = (uint32_t)link->bytes;
	head->name_count = link->name_count;
	for (unsigned i = 0; i < link->name_count; i++)
		head->names += (uint32_t)strlen(link->names[i]) + 1;
	image.length += head->names;
	image.bytes = malloc(image.length);
	if (!image.bytes)
		return image;
	memcpy(image.bytes, head, sizeof(*head));
	memcpy(image.bytes + sizeof(*head), link->loaded, link->bytes);
	names = image.bytes + sizeof(*head) + link->bytes;
	for (unsigned i = 0; i < link->name_count; i++)
		names = stpcpy(names, link->names[i]) + 1;
	return image;
}

struct image image_new(const void *object, size_t length, const char *const *entries)
{
	struct link link = { .object = object, .length = length };
	struct image none = { NULL, 0 }, image = none;
	struct head head = { .names = 0 };

	if (!open_object(&link) || !place_all(&link))
		return none;
	link.loaded = calloc(link.bytes, 1);
	if (link.loaded && link_all(&link) && find_entries(&link, entries, &head))
		image = pack(&link, &head);
	free(link.loaded);
	return image;
}

#else

struct image image_new(const void *object, size_t length, const char *const *entries)
{
	(void)object;
	(void)length;
	(void)entries;
	return (struct image){ NULL, 0 };
}

#endif

/* Do its parts add up? */
static bool check(const struct image *image, struct head *head, unsigned entries)
{
	const char *names;

	if (image->length < sizeof(*head) || entries > MOST_ENTRIES)
		return false;
	memcpy(head, image->bytes, sizeof(*head));
	if ((uint64_t)sizeof(*head) + head->loaded + head->names != image->length ||
	    (uint64_t)head->name_count * SLOT > head->loaded)
		return false;
	for (unsigned i = 0; i < entries; i++)
		if (!head->entries[i] || head->entries[i] >= head->loaded)
			return false;
	names = image->bytes + sizeof(*head) + head->loaded;
	for (uint32_t i = 0; i < head->name_count; i++) {
		const char *end = memchr(names, 0,
			(size_t)(image->bytes + image->length - names));

		if (!end)
			return false;
		names = end + 1;
	}
	return names == image->bytes + image->length;
}

static bool fill_slots(const struct head *head, const char *names, char *base)
{
	for (uint32_t i = 0; i < head->name_count; i++) {
		void *address = dlsym(RTLD_DEFAULT, names);

		if (!address)
			return false;
		memcpy(base + i * SLOT, &address, sizeof(address));
		names += strlen(names) + 1;
	}
	return true;
}

struct code image_load(const struct image *image, void **entries, unsigned count)
{
	struct code none = { NULL, 0 }, code = none;
	struct head head;

	if (!image->bytes || !check(image, &head, count))
		return none;
	code.length = head.loaded;
	code.base = mmap(NULL, code.length, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code.base == MAP_FAILED)
		return none;
	memcpy(code.base, image->bytes + sizeof(head), head.loaded);
	if (!fill_slots(&head, image->bytes + sizeof(head) + head.loaded, code.base) ||
	    mprotect(code.base, code.length, PROT_READ | PROT_EXEC)) {
		code_unload(&code);
		return none;
	}
	for (unsigned i = 0; i < count; i++)
		entries[i] = (char *)code.base + head.entries[i];
	return code;
}

void code_unload(struct code *code)
{
	if (code->base)
		munmap(code->base, code->length);
	code->base = NULL;
}
