# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For the scripts beside it: start in the root of the checkout, build a preset.
set -eu
cd "$(dirname "$0")/.."

# build PRESET [TARGET..]: configure where that was not done, or without the
# errors that CI makes of warnings, then build.  Ninja configures again by
# itself when a file comes or goes.  In CI nobody looks at variables: "debug" has
# the lines that the sanitizers print, which are written in less time.
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
		[ "$preset" != debug ] || cmake --preset debug -D CMAKE_C_FLAGS_DEBUG="-g1 -Og"
	fi
	[ $# -eq 0 ] || set -- --target "$@"
	cmake --build --preset "$preset" --parallel "$(nproc)" "$@"
}
