/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes that are kept in the user's cache folder, by a text that says what they are.  Nothing
 * here is an error: what cannot be kept or found is made again. */
#ifndef LAYOUT_HOST_DISK_H
#define LAYOUT_HOST_DISK_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

/* What is kept takes no more than this: what was not asked for for longest makes room. */
#define DISK_MOST_BYTES (64u << 20)
#define DISK_MOST_ENTRIES 4096

/* The folder's name, to be freed; NULL where nothing is kept: with LAYOUT_CACHE=off, for a
 * program that has rights its user has not, without a home, and without memory. */
char *disk_folder(void);

/* What was kept as "key": bytes to be freed.  NULL where there are none, where they are
 * damaged, and where another than this user could have written them. */
char *disk_read(const char *key, size_t *length);

/* Keep them; another process may do so at the same time. */
void disk_write(const char *key, const char *bytes, size_t length);

/* How many there are, and what they take. */
void disk_measure(uint64_t *entries, uint64_t *bytes);

/* Remove all of them; false where one could not be removed. */
bool disk_clear(void);

#endif
