# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fuzz_NAME for each row of fuzz/targets.c, by libFuzzer where LAYOUT_LIBFUZZER is on,
# else by fuzz/driver.c; its seeds in fuzz/NAME of the build folder; and a test that
# tries a few texts, the same ones each time.
option(LAYOUT_LIBFUZZER "Fuzz targets for libFuzzer, with clang" OFF)

set(layout_fuzz_targets cute nested linear triton relation affine_map encoding storage
  remap chain program mma expression npy)
set(layout_fuzz_texts ${layout_tests}/data/vectors/cute.tsv)
file(GLOB programs CONFIGURE_DEPENDS examples/programs/*.txt)
list(APPEND layout_fuzz_texts ${programs})

function(layout_fuzz_program name target)
  add_executable(${name} fuzz/targets.c ${ARGN})
  target_compile_options(${name} PRIVATE ${LAYOUT_WARNINGS})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE FUZZ_TARGET="${target}")
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE layout_test_linker layout_files layout_inside
    layout_isl)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
endfunction()

layout_fuzz_program(fuzz_seeds none fuzz/seeds.c
  python-free/tests/support/notations.c)
target_include_directories(fuzz_seeds PRIVATE ${layout_tests} src)

foreach(target IN LISTS layout_fuzz_targets)
  if(LAYOUT_LIBFUZZER)
    layout_fuzz_program(fuzz_${target} ${target})
    target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
  else()
    layout_fuzz_program(fuzz_${target} ${target} fuzz/driver.c)
  endif()
  set(folder ${PROJECT_BINARY_DIR}/fuzz/${target})
  add_custom_command(OUTPUT ${folder}/0000
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND fuzz_seeds ${target} ${folder} ${layout_fuzz_texts}
    DEPENDS fuzz_seeds ${layout_fuzz_texts} VERBATIM)
  add_custom_target(fuzz_seeds_${target} DEPENDS ${folder}/0000)
  add_dependencies(fuzz_${target} fuzz_seeds_${target})
  add_test(NAME fuzz_${target} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz
    COMMAND fuzz_${target} -runs=$<IF:$<CONFIG:Debug>,500,2000> -seed=1 -dict=${PROJECT_SOURCE_DIR}/fuzz/words.dict
      ${folder})
  set_tests_properties(fuzz_${target} PROPERTIES TIMEOUT 120 LABELS fuzz)
endforeach()
