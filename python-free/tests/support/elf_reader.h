/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* As much of 64-bit little-endian ELF as a code object has, for tests. */
#ifndef TESTS_SUPPORT_ELF_READER_H
#define TESTS_SUPPORT_ELF_READER_H

#include <stddef.h>
#include <stdint.h>
#include <elf.h>

/* A place in the file. */
struct bytes {
	const unsigned char *at;
	size_t size;
};

/* The file's header; NULL where "file" is no such ELF. */
const Elf64_Ehdr *elf_header(struct bytes file);

/* The section of that name, or { NULL, 0 }. */
struct bytes elf_section(struct bytes file, const char *name);

/* The dynamic symbol of that name, or NULL. */
const Elf64_Sym *elf_symbol(struct bytes file, const char *name);

/* The content of the note of that name and type in a section, or { NULL, 0 }. */
struct bytes elf_note(struct bytes section, const char *name, uint32_t type);

#endif
