/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "peers/onednn.h"

#include <oneapi/dnnl/dnnl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reorder {
	dnnl_engine_t engine;
	dnnl_stream_t stream;
	dnnl_memory_t from, to;
	dnnl_primitive_t primitive;
};

onednn_open peer_onednn_open;
onednn_run peer_onednn_run;
onednn_close peer_onednn_close;
onednn_version peer_onednn_version;

static dnnl_data_type_t type_of(const char *name)
{
	return !strcmp(name, "f32") ? dnnl_f32 : !strcmp(name, "f16") ? dnnl_f16 :
		!strcmp(name, "bf16") ? dnnl_bf16 : !strcmp(name, "i8") ? dnnl_s8 : dnnl_u8;
}

/* A tag without blocks is strides; others are those that the cases have. */
static bool describe(dnnl_memory_desc_t *desc, unsigned rank, const int64_t *dims,
	const char *tag, const char *type)
{
	dnnl_dims_t strides;
	int64_t stride = 1;

	if (strpbrk(tag, "0123456789"))
		return !dnnl_memory_desc_init_by_tag(desc, (int)rank, dims, type_of(type),
			!strcmp(tag, "AB16b64a") ? dnnl_AB16b64a : dnnl_aBc16b);
	for (unsigned i = rank; i-- > 0; stride *= dims[tag[i] - 'a'])
		strides[tag[i] - 'a'] = stride;
	return !dnnl_memory_desc_init_by_strides(desc, (int)rank, dims, type_of(type), strides);
}

void peer_onednn_close(void *user)
{
	struct reorder *reorder = user;

	dnnl_primitive_destroy(reorder->primitive);
	dnnl_memory_destroy(reorder->from);
	dnnl_memory_destroy(reorder->to);
	dnnl_stream_destroy(reorder->stream);
	dnnl_engine_destroy(reorder->engine);
	free(reorder);
}

static bool make(struct reorder *reorder, const dnnl_memory_desc_t *from,
	const dnnl_memory_desc_t *to, void *source, void *destination)
{
	dnnl_primitive_desc_t desc = NULL;
	bool ok = !dnnl_engine_create(&reorder->engine, dnnl_cpu, 0) &&
		!dnnl_stream_create(&reorder->stream, reorder->engine,
			dnnl_stream_default_flags) &&
		!dnnl_memory_create(&reorder->from, from, reorder->engine, source) &&
		!dnnl_memory_create(&reorder->to, to, reorder->engine, destination) &&
		!dnnl_reorder_primitive_desc_create(&desc, from, reorder->engine, to,
			reorder->engine, NULL) &&
		!dnnl_primitive_create(&reorder->primitive, desc);

	dnnl_primitive_desc_destroy(desc);
	return ok;
}

void *peer_onednn_open(unsigned rank, const int64_t *dims, const char *from_tag,
	const char *from_type, const char *to_tag, const char *to_type, void *source,
	void *destination)
{
	struct reorder *reorder = calloc(1, sizeof(*reorder));
	dnnl_memory_desc_t from, to;

	if (!reorder)
		return NULL;
	if (describe(&from, rank, dims, from_tag, from_type) &&
	    describe(&to, rank, dims, to_tag, to_type) &&
	    make(reorder, &from, &to, source, destination))
		return reorder;
	peer_onednn_close(reorder);
	return NULL;
}

void peer_onednn_run(void *user)
{
	struct reorder *reorder = user;
	const dnnl_exec_arg_t arguments[] = { { DNNL_ARG_FROM, reorder->from },
		{ DNNL_ARG_TO, reorder->to } };

	dnnl_primitive_execute(reorder->primitive, reorder->stream, 2, arguments);
	dnnl_stream_wait(reorder->stream);
}

const char *peer_onednn_version(void)
{
	static char text[32];
	const dnnl_version_t *version = dnnl_version();

	snprintf(text, sizeof(text), "%d.%d.%d", version->major, version->minor,
		version->patch);
	return text;
}
