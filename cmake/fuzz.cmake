# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fuzz_NAME for each row of fuzz/targets.c, by libFuzzer where LAYOUT_LIBFUZZER is on,
# else by fuzz/driver.c; its seeds in fuzz/NAME of the build folder; and a test: five
# hundred texts, the same ones each time, and of builds with sanitizers as many from
# the same beginning as three seconds of a processor suffice for, some hundreds or more.
option(LAYOUT_LIBFUZZER "Fuzz targets for libFuzzer, with clang" OFF)

set(layout_fuzz_targets cute nested linear triton relation affine_map encoding storage
  remap chain program mma expression mlir show npy)
set(layout_fuzz_texts ${layout_tests}/data/vectors/cute.tsv)
file(GLOB programs CONFIGURE_DEPENDS examples/programs/*.txt)
list(APPEND layout_fuzz_texts ${programs} ${layout_tests}/data/stream.mlir
  ${layout_tests}/data/stream_resolved.mlir)

# What all of them share: only fuzz/name.c is compiled for each.
function(layout_fuzz_part name source)
  add_library(${name} STATIC ${source})
  target_compile_options(${name} PRIVATE ${LAYOUT_WARNINGS})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARGN})
endfunction()
layout_fuzz_part(layout_fuzz_targets fuzz/targets.c
  layout_test_linker layout_files layout_inside layout_isl)
layout_fuzz_part(layout_fuzz_driver fuzz/driver.c)

function(layout_fuzz_program name)
  add_executable(${name} ${ARGN})
  target_compile_options(${name} PRIVATE ${LAYOUT_WARNINGS})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  target_link_libraries(${name} PRIVATE layout_fuzz_targets)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
endfunction()

layout_fuzz_program(fuzz_seeds fuzz/seeds.c python-free/tests/support/notations.c)
target_include_directories(fuzz_seeds PRIVATE ${layout_tests} src)

if(CMAKE_C_FLAGS MATCHES "-fsanitize=")
  set(layout_fuzz_amount -max_total_time=3)
else()
  set(layout_fuzz_amount -runs=500)
endif()
foreach(target IN LISTS layout_fuzz_targets)
  layout_fuzz_program(fuzz_${target} fuzz/name.c)
  target_compile_definitions(fuzz_${target} PRIVATE FUZZ_TARGET="${target}")
  if(LAYOUT_LIBFUZZER)
    target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
  else()
    target_link_libraries(fuzz_${target} PRIVATE layout_fuzz_driver)
  endif()
  set(folder ${PROJECT_BINARY_DIR}/fuzz/${target})
  add_custom_command(OUTPUT ${folder}/0000
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND fuzz_seeds ${target} ${folder} ${layout_fuzz_texts}
    DEPENDS fuzz_seeds ${layout_fuzz_texts} VERBATIM)
  add_custom_target(fuzz_seeds_${target} DEPENDS ${folder}/0000)
  add_dependencies(fuzz_${target} fuzz_seeds_${target})
  add_test(NAME fuzz_${target} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz
    COMMAND fuzz_${target} ${layout_fuzz_amount} -seed=1
      -dict=${PROJECT_SOURCE_DIR}/fuzz/words.dict ${folder})
  set_tests_properties(fuzz_${target} PROPERTIES TIMEOUT 120 LABELS fuzz COST 50
    ENVIRONMENT "${layout_test_environment}")
endforeach()
