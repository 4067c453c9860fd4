# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The command, the demo and the benchmarks.

cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR} OUTPUT_VARIABLE layout_bin_to_lib)

# What the programs share: files and messages.
file(GLOB files CONFIGURE_DEPENDS tools/files/*.c)
add_library(layout_files STATIC ${files})
target_compile_options(layout_files PRIVATE ${LAYOUT_WARNINGS})
target_compile_definitions(layout_files PRIVATE _GNU_SOURCE)
target_include_directories(layout_files PUBLIC
  ${PROJECT_SOURCE_DIR}/tools ${PROJECT_SOURCE_DIR}/include)

# layout_program(NAME FOLDER): one program from tools/FOLDER/*.c.
function(layout_program name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/${folder}/*.c)
  add_executable(${name} ${sources})
  target_compile_options(${name} PRIVATE ${LAYOUT_WARNINGS})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  target_link_libraries(${name} PRIVATE bench_support layout_files
    layout-codegen m)
  set_target_properties(${name} PROPERTIES
    INSTALL_RPATH "$ORIGIN/${layout_bin_to_lib}")
endfunction()

layout_program(layoutc layoutc)
layout_program(demo demo)
install(TARGETS layoutc)

# Each bench/*.c is a program in bench/ of the build folder.
file(GLOB bench_support CONFIGURE_DEPENDS bench/support/*.c)
add_library(bench_support STATIC ${bench_support}
  python-free/tests/support/elf_reader.c python-free/tests/support/msgpack.c)
target_compile_options(bench_support PRIVATE ${LAYOUT_WARNINGS})
target_compile_definitions(bench_support PRIVATE _GNU_SOURCE
  BUILD_DIR="${PROJECT_BINARY_DIR}")
target_include_directories(bench_support PUBLIC bench PRIVATE python-free/tests)
target_link_libraries(bench_support PUBLIC layout_llvm)
file(GLOB benches CONFIGURE_DEPENDS bench/*.c)
foreach(source IN LISTS benches)
  cmake_path(GET source STEM name)
  add_executable(bench_${name} ${source})
  set_target_properties(bench_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  target_compile_options(bench_${name} PRIVATE ${LAYOUT_WARNINGS})
  target_compile_definitions(bench_${name} PRIVATE _GNU_SOURCE
    LAYOUTC_PATH="${PROJECT_BINARY_DIR}/layoutc"
    BUILD_DIR="${PROJECT_BINARY_DIR}"
    SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(bench_${name} PRIVATE bench_support layout_files
    layout-codegen m)
endforeach()
