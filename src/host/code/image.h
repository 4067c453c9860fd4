/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Machine code apart from what made it: linked once, so that it can be kept as bytes and
 * loaded at any address without a linker. */
#ifndef LAYOUT_HOST_IMAGE_H
#define LAYOUT_HOST_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes to be freed; NULL: there are none. */
struct image {
	char *bytes;
	size_t length;
};

/* The image of an ELF object for this processor, of which "entries" name functions, a NULL
 * behind the last.  None where the object asks for more than is known here. */
struct image image_new(const void *object, size_t length, const char *const *entries);

/* Code that is loaded.  "base" is NULL where it is not. */
struct code {
	void *base;
	size_t length;
};

/* Load an image that image_new() made, and find the addresses of its entries.  No code where
 * something that it calls is not in this process, or where the system does not allow it. */
struct code image_load(const struct image *image, void **entries, unsigned count);
void code_unload(struct code *code);

#endif
