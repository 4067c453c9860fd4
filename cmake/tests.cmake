# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each python-free/tests/*.c is a test of that name, with the files of the folder of that
# name where there is one, linked so that it can reach inside.
find_library(CMOCKA_LIBRARY cmocka REQUIRED)
find_path(CMOCKA_INCLUDE_DIR cmocka.h REQUIRED)
mark_as_advanced(CMOCKA_LIBRARY CMOCKA_INCLUDE_DIR)

set(layout_tests ${PROJECT_SOURCE_DIR}/python-free/tests)

# Programs are linked with the libraries inside them: lld takes a quarter of the time of GNU
# ld, or less.
include(CheckLinkerFlag)
cmake_path(GET LAYOUT_LD_LLD PARENT_PATH lld_folder)
set(lld_flags -fuse-ld=lld -B${lld_folder})
check_linker_flag(C "${lld_flags}" LAYOUT_TESTS_BY_LLD)
add_library(layout_test_linker INTERFACE)
if(LAYOUT_TESTS_BY_LLD)
  target_link_options(layout_test_linker INTERFACE ${lld_flags})
endif()

add_library(layout_test INTERFACE)
target_compile_options(layout_test INTERFACE ${LAYOUT_WARNINGS})
target_compile_definitions(layout_test INTERFACE _GNU_SOURCE
  TEST_DATA_DIR="${layout_tests}/data"
  LAYOUTC_PATH="${PROJECT_BINARY_DIR}/layoutc"
  SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  BUILD_DIR="${PROJECT_BINARY_DIR}"
  C_COMPILER="${CMAKE_C_COMPILER}"
  C_FLAGS="${CMAKE_C_FLAGS}"
  LAYOUT_PTXAS="${LAYOUT_PTXAS}")
target_include_directories(layout_test INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${layout_tests})
target_include_directories(layout_test SYSTEM INTERFACE ${CMOCKA_INCLUDE_DIR})
target_link_options(layout_test INTERFACE LINKER:--as-needed)
target_link_libraries(layout_test INTERFACE layout_test_linker
  layout_files layout-codegen_inside layout_inside layout_isl layout_llvm
  ${CMOCKA_LIBRARY})

file(GLOB support CONFIGURE_DEPENDS ${layout_tests}/support/*.c)
add_library(layout_test_support STATIC ${support})
target_link_libraries(layout_test_support PUBLIC layout_test)
# support/cpu.c has a word in what kernels of the host are for.
target_link_options(layout_test_support INTERFACE LINKER:--wrap=layout_kernel_new
  LINKER:--wrap=layout_kernel_new_program LINKER:--wrap=layout_remap_compile)

# Preloaded into the command, for what fails on purpose.
add_library(layout_test_faults MODULE ${layout_tests}/preload/faults.c)
target_compile_options(layout_test_faults PRIVATE ${LAYOUT_WARNINGS} -fno-sanitize=all)
target_compile_definitions(layout_test_faults PRIVATE _GNU_SOURCE)
set_target_properties(layout_test_faults PROPERTIES C_VISIBILITY_PRESET default
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_compile_definitions(layout_test INTERFACE
  FAULTS_LIBRARY="$<TARGET_FILE:layout_test_faults>")

option(LAYOUT_VALGRIND "Run the tests under valgrind" OFF)
set(layout_test_runner)
if(LAYOUT_VALGRIND)
  find_program(VALGRIND valgrind REQUIRED)
  mark_as_advanced(VALGRIND)
  set(layout_test_runner ${VALGRIND} --quiet --error-exitcode=9 --leak-check=full
    --errors-for-leak-kinds=definite --trace-children=no)
endif()

# What was freed last stays poisoned: a megabyte, which stays in the cache of a core. Of the
# usual 256 MiB, touching ever new pages takes a third of the time, and of 16 missing the cache
# takes a third of isl's; a tenth takes to remember of each piece of memory the thirty calls
# that asked for it. Undefined behaviour is an instruction that no processor knows: with it go
# where it is and who called.
set(layout_test_environment LAYOUT_CACHE=off)
if(CMAKE_C_FLAGS MATCHES "-fsanitize=address")
  list(APPEND layout_test_environment
    ASAN_OPTIONS=quarantine_size_mb=1:thread_local_quarantine_size_kb=64:malloc_context_size=3:handle_sigill=2)
endif()

# layout_test_program(NAME SOURCE..)
function(layout_test_program name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE layout_test_support)
  # What they do themselves is little, in a third of the time of compiling.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-Og>)
endfunction()

# Most are two programs, which have a name a test and are the one that they are called by: to
# link the libraries into 170 took a third of the time to build with sanitizers. Those that run
# no kernels are a program without LLVM, which takes as long to load as many of them take.
set(layout_tests_kernels "<layout/(codegen|layout_dl|run)\\.h>|\"(host/code|lower|sim)/|\"support/(conversion_kernel|\
program_check|relayout|relayout_cases|simulated|sweep)\\.h")
# Programs of their own have tables, or malloc(), in place of the libraries', or arguments.
set(layout_tests_apart cmocka_header docs family kind no_memory program_host)

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
file(GLOB tests CONFIGURE_DEPENDS ${layout_tests}/*.c)
foreach(source IN LISTS tests)
  cmake_path(GET source STEM name)
  file(GLOB parts CONFIGURE_DEPENDS ${layout_tests}/${name}/*.c)
  set(path ${PROJECT_BINARY_DIR}/tests/test_${name})
  if(name IN_LIST layout_tests_apart)
    layout_test_program(test_${name} ${source} ${parts})
  else()
    file(STRINGS ${source} kernels REGEX ${layout_tests_kernels})
    set(program layout_tests)
    if(kernels)
      set(program layout_tests_kernel)
    endif()
    list(APPEND ${program}_sources ${source} ${parts})
    set_source_files_properties(${source} PROPERTIES
      COMPILE_OPTIONS "-include;${layout_tests}/support/main.h"
      COMPILE_DEFINITIONS TEST_MAIN=main_of_${name})
    string(APPEND ${program}_mains "int main_of_${name}(void);\n")
    string(APPEND ${program}_rows "\t{ \"test_${name}\", main_of_${name} },\n")
    file(CREATE_LINK ${program} ${path} SYMBOLIC)
    add_custom_target(test_${name})
    add_dependencies(test_${name} ${program})
  endif()
  add_test(NAME ${name} COMMAND ${layout_test_runner} ${path})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77
    ENVIRONMENT "${layout_test_environment}")
endforeach()
foreach(program layout_tests layout_tests_kernel)
  set(mains ${${program}_mains})
  set(rows ${${program}_rows})
  configure_file(${layout_tests}/support/mains.c.in
    ${PROJECT_BINARY_DIR}/tests/${program}.c @ONLY)
  layout_test_program(${program} ${PROJECT_BINARY_DIR}/tests/${program}.c
    ${${program}_sources})
endforeach()

if(CMAKE_C_FLAGS MATCHES "-fsanitize=address")
  foreach(program layout_tests_kernel test_program_host)
    target_sources(${program} PRIVATE ${layout_tests}/support/sanitized/new.c)
  endforeach()
endif()

# Kernels of the host for a CPU that has no more than SSE2: other widths in the same code, so
# that builds with sanitizers run those that take long for this CPU only.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  set(sse2 host_run turn identity)
  if(CMAKE_BUILD_TYPE STREQUAL Release)
    list(APPEND sse2 host_block host_large host_stream sweep program_host program_host_product)
  endif()
  foreach(name IN LISTS sse2)
    add_test(NAME ${name}_sse2 COMMAND ${layout_test_runner}
      ${PROJECT_BINARY_DIR}/tests/test_${name})
    set_tests_properties(${name}_sse2 PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77
      ENVIRONMENT "${layout_test_environment};LAYOUT_TEST_CPU=x86-64")
  endforeach()
endif()

# The command without the library that edits the lines of its prompt.
layout_line(layoutc_plain_line)
layout_program(layoutc_plain layout tools/layoutc/main.c ${front})
target_link_libraries(layoutc_plain PRIVATE layoutc_plain_line)
add_dependencies(layout_tests layoutc_plain layout_test_faults)
set_property(SOURCE ${layout_tests}/terminal.c APPEND PROPERTY COMPILE_DEFINITIONS
  LAYOUTC_PLAIN_PATH="$<TARGET_FILE:layoutc_plain>"
  $<$<BOOL:${EDIT_LIBRARY}>:LAYOUT_EDITLINE>)

# In parallel the longest begin first, so that none is left alone at the end; a build
# folder that has run them before knows better.
set_tests_properties(program_host program_kernel docs cli relayout convert_tile
  owner_exchange remap_map convert program_product tiling_proof stage program_examples
  remap_chain kernel tiling_kernels program stage_kernel relayout_random subbyte count
  forms tile_kernel targets storage program_lds program_direct program_matmul faults
  no_memory contraction cli_run program_reduce remap_store
  PROPERTIES COST 60)

# What the presets "tsan" and "valgrind" run: tests with threads, and a sample that takes
# no hour under valgrind.
set_tests_properties(threads jit host_run PROPERTIES LABELS threads)
set_tests_properties(notation npy linear_text permute misuse PROPERTIES LABELS sample)
