# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D NM=nm -D OBJECT=object -D HEADER=file -P late.cmake
#
# The header that src/late/late.c includes: LATE_FUNCTIONS(F), F(number, name) for all
# functions of LLVM that the object calls.
execute_process(COMMAND ${NM} --undefined-only --format=posix ${OBJECT}
  OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)LLVM[A-Za-z0-9_]+ " functions "${undefined}")
list(TRANSFORM functions STRIP)
set(text "/* Made by the build. */\n#define LATE_FUNCTIONS(F)")
set(number 0)
foreach(function IN LISTS functions)
  string(APPEND text " \\\n\tF(${number}, ${function})")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${HEADER} "${text}\n")
