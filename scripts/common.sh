# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For the scripts beside it: start in the root of the checkout, build a preset.
set -eu
cd "$(dirname "$0")/.."

# build PRESET [TARGET..]: configure where that was not done, or without the
# errors that CI makes of warnings, then build.  Ninja configures again by
# itself when a file comes or goes.
build() {
	preset=$1
	shift
	if [ ! -f "build/$preset/build.ninja" ]; then
		cmake --preset "$preset"
	fi
	if [ -n "${CI:-}" ] &&
		! grep -qx LAYOUT_WERROR:BOOL=ON "build/$preset/CMakeCache.txt"
	then
		cmake --preset "$preset" -D LAYOUT_WERROR:BOOL=ON
	fi
	[ $# -eq 0 ] || set -- --target "$@"
	cmake --build --preset "$preset" --parallel "$(nproc)" "$@"
}
