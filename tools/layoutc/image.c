/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layoutc/image.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "librsvg-2.so.2"
#define SHARPER 2		/* pixels of a PNG for one of the SVG, along each side, */
#define MOST_PIXELS 16000	/* unless that were more */
#define POINTS 0.75		/* of a PDF for a pixel */

enum { CAIRO_ARGB32 = 0, CAIRO_WRITE_ERROR = 11, CAIRO_CREATE_DATE = 5 };

/* What is called of librsvg, and of cairo and GObject, which it brings along.  They are
 * declared here, so that no build needs their headers: this part of them has not changed
 * since librsvg 2.46 and cairo 1.16. */
struct rectangle {
	double x, y, width, height;
};

static void *(*new_from_data)(const unsigned char *data, size_t size, void **error);
static int (*render_document)(void *handle, void *cairo, const struct rectangle *viewport,
	void **error);
static void (*unref)(void *object);
static void *(*image_surface)(int format, int width, int height);
static void *(*pdf_surface)(int (*write)(void *, const unsigned char *, unsigned),
	void *user, double width, double height);
static void (*set_metadata)(void *surface, int what, const char *text);
static int (*write_png)(void *surface, int (*write)(void *, const unsigned char *, unsigned),
	void *user);
static void *(*create)(void *surface);
static void (*scale)(void *cairo, double x, double y);
static int (*status)(void *cairo);
static void (*destroy)(void *cairo);
static void (*finish_surface)(void *surface);
static int (*surface_status)(void *surface);
static void (*destroy_surface)(void *surface);

static const struct {
	const char *name;
	void *function;
} functions[] = {
	{ "rsvg_handle_new_from_data", &new_from_data },
	{ "rsvg_handle_render_document", &render_document },
	{ "g_object_unref", &unref },
	{ "cairo_image_surface_create", &image_surface },
	{ "cairo_pdf_surface_create_for_stream", &pdf_surface },
	{ "cairo_pdf_surface_set_metadata", &set_metadata },
	{ "cairo_surface_write_to_png_stream", &write_png },
	{ "cairo_create", &create },
	{ "cairo_scale", &scale },
	{ "cairo_status", &status },
	{ "cairo_destroy", &destroy },
	{ "cairo_surface_finish", &finish_surface },
	{ "cairo_surface_status", &surface_status },
	{ "cairo_surface_destroy", &destroy_surface },
};

/* The library stays loaded: what it keeps for the process is not ours to free. */
static const char *load(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return "needs " LIBRARY " (librsvg), which is not installed";
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *found = dlsym(library, functions[i].name);

		if (!found)
			return "needs librsvg 2.46 or later";
		memcpy(functions[i].function, &found, sizeof(found));
	}
	return NULL;
}

static int append(void *user, const unsigned char *data, unsigned size)
{
	struct image *image = user;
	unsigned char *more = realloc(image->data, image->size + size);

	if (!more)
		return CAIRO_WRITE_ERROR;
	memcpy(more + image->size, data, size);
	image->data = more;
	image->size += size;
	return 0;
}

/* On a surface, which is consumed and written at the end. */
static bool draw(void *handle, void *surface, double size_of_pixel,
	const struct rectangle *viewport, enum image_kind kind, struct image *image)
{
	void *cairo = create(surface);
	bool good;

	scale(cairo, size_of_pixel, size_of_pixel);
	good = render_document(handle, cairo, viewport, NULL) && !status(cairo);
	destroy(cairo);
	if (good && kind == IMAGE_PNG)
		good = !write_png(surface, append, image);
	finish_surface(surface);
	good = good && !surface_status(surface);
	destroy_surface(surface);
	return good;
}

static bool draw_kind(void *handle, const struct rectangle *viewport, enum image_kind kind,
	struct image *image)
{
	double larger = viewport->width > viewport->height ? viewport->width :
		viewport->height;
	int sharper = SHARPER * larger > MOST_PIXELS ? 1 : SHARPER;
	void *surface;

	if (kind == IMAGE_PNG)
		return draw(handle, image_surface(CAIRO_ARGB32, sharper * (int)viewport->width,
			sharper * (int)viewport->height), sharper, viewport, kind, image);
	surface = pdf_surface(append, image, POINTS * viewport->width,
		POINTS * viewport->height);
	/* The same each time. */
	set_metadata(surface, CAIRO_CREATE_DATE, "1970-01-01T00:00:00Z");
	return draw(handle, surface, POINTS, viewport, kind, image);
}

const char *image_draw(struct image *image, enum image_kind kind, const char *svg)
{
	struct rectangle viewport = { 0, 0, 0, 0 };
	const char *box = strstr(svg, "viewBox=\""), *why = load();
	void *handle;
	bool good;

	*image = (struct image){ NULL, 0 };
	if (why)
		return why;
	if (!box || sscanf(box, "viewBox=\"0 0 %lf %lf", &viewport.width,
			&viewport.height) != 2)
		return "is not of a picture";
	handle = new_from_data((const unsigned char *)svg, strlen(svg), NULL);
	if (!handle)
		return "is a picture that librsvg does not read";
	good = draw_kind(handle, &viewport, kind, image);
	unref(handle);
	return good ? NULL : "is a picture that librsvg does not draw: it is too large, or "
		"memory ran out";
}
