/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/llvm.h"
#include <layout/codegen.h>

#include <pthread.h>
#include <stdio.h>

static char version[32];

static void write_version(void)
{
	unsigned major, minor, patch;

	if (!lower_load()) {
		snprintf(version, sizeof(version), "none");
		return;
	}
	LLVMGetVersion(&major, &minor, &patch);
	snprintf(version, sizeof(version), "%u.%u.%u", major, minor, patch);
}

const char *layout_llvm_version(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, write_version);
	return version;
}

const char *layout_device_libs(void)
{
	return LAYOUT_DEVICE_LIBS;
}
