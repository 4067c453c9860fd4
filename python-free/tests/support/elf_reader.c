/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/elf_reader.h"

#include <string.h>

static const struct bytes nothing;

static struct bytes part(struct bytes file, uint64_t offset, uint64_t size)
{
	if (offset > file.size || size > file.size - offset)
		return nothing;
	return (struct bytes){ file.at + offset, size };
}

/* The 0-terminated text at an offset, or "". */
static const char *text_at(struct bytes table, uint64_t offset)
{
	if (offset >= table.size || !memchr(table.at + offset, 0, table.size - offset))
		return "";
	return (const char *)table.at + offset;
}

const Elf64_Ehdr *elf_header(struct bytes file)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)file.at;

	if (file.size < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    header->e_ident[EI_DATA] != ELFDATA2LSB)
		return NULL;
	return header;
}

static const Elf64_Shdr *section_header(struct bytes file, unsigned i)
{
	const Elf64_Ehdr *header = elf_header(file);
	struct bytes table;

	if (!header || i >= header->e_shnum)
		return NULL;
	table = part(file, header->e_shoff,
		(uint64_t)header->e_shnum * sizeof(Elf64_Shdr));
	return table.at ? (const Elf64_Shdr *)(const void *)table.at + i : NULL;
}

struct bytes elf_section(struct bytes file, const char *name)
{
	const Elf64_Ehdr *header = elf_header(file);
	const Elf64_Shdr *names = header ? section_header(file,
		header->e_shstrndx) : NULL;
	const Elf64_Shdr *section;
	struct bytes table;

	if (!names)
		return nothing;
	table = part(file, names->sh_offset, names->sh_size);
	for (unsigned i = 0; (section = section_header(file, i)); i++)
		if (!strcmp(text_at(table, section->sh_name), name))
			return part(file, section->sh_offset, section->sh_size);
	return nothing;
}

const Elf64_Sym *elf_symbol(struct bytes file, const char *name)
{
	struct bytes symbols = elf_section(file, ".dynsym");
	struct bytes names = elf_section(file, ".dynstr");
	const Elf64_Sym *symbol = (const Elf64_Sym *)(const void *)symbols.at;

	for (size_t i = 0; i < symbols.size / sizeof(*symbol); i++)
		if (!strcmp(text_at(names, symbol[i].st_name), name))
			return &symbol[i];
	return NULL;
}

static size_t padded(uint32_t size)
{
	return ((size_t)size + 3) / 4 * 4;
}

struct bytes elf_note(struct bytes section, const char *name, uint32_t type)
{
	size_t at = 0;

	while (section.size - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;
		struct bytes owner, content;

		memcpy(&note, section.at + at, sizeof(note));
		owner = part(section, at + sizeof(note), note.n_namesz);
		content = part(section, at + sizeof(note) + padded(note.n_namesz),
			note.n_descsz);
		if (!owner.at || !content.at)
			return nothing;
		if (note.n_type == type && owner.size == strlen(name) + 1 &&
		    !memcmp(owner.at, name, owner.size))
			return content;
		at += sizeof(note) + padded(note.n_namesz) + padded(note.n_descsz);
	}
	return nothing;
}
