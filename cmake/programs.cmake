# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The command, its manual, the demo and the benchmarks.

cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR} OUTPUT_VARIABLE layout_bin_to_lib)

# What the programs share: files and messages.
file(GLOB files CONFIGURE_DEPENDS tools/files/*.c)
add_library(layout_files STATIC ${files})
target_compile_options(layout_files PRIVATE ${LAYOUT_WARNINGS})
target_compile_definitions(layout_files PRIVATE _GNU_SOURCE)
target_include_directories(layout_files PUBLIC
  ${PROJECT_SOURCE_DIR}/tools ${PROJECT_SOURCE_DIR}/include)

# layout_tool(TARGET LIBRARY): what the sources of a program need.
function(layout_tool target library)
  target_compile_options(${target} PRIVATE ${LAYOUT_WARNINGS})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_link_libraries(${target} PRIVATE layout_files ${library} m ${CMAKE_DL_LIBS})
endfunction()

# layout_program(NAME LIBRARY SOURCE..)
function(layout_program name library)
  add_executable(${name} ${ARGN})
  layout_tool(${name} ${library})
  set_target_properties(${name} PROPERTIES
    INSTALL_RPATH "$ORIGIN/${layout_bin_to_lib}")
endfunction()

# The commands with their table, which layoutc and its manual share.  Those that need
# LLVM are in a program of their own, layoutc-codegen, which layoutc becomes for them.
file(GLOB commands CONFIGURE_DEPENDS tools/layoutc/*.c)
list(FILTER commands EXCLUDE REGEX "/main\\.c$")
add_library(layoutc_commands OBJECT ${commands})
layout_tool(layoutc_commands layout)

# Lines of the prompt are edited by libedit, where that is there.
function(layout_line name)
  add_library(${name} STATIC tools/layoutc/line/line.c)
  layout_tool(${name} layout)
endfunction()
layout_line(layoutc_line)
if(EDIT_LIBRARY AND EDIT_INCLUDE_DIR)
  target_compile_definitions(layoutc_line PRIVATE LAYOUT_EDITLINE)
  target_include_directories(layoutc_line SYSTEM PRIVATE ${EDIT_INCLUDE_DIR})
  target_link_libraries(layoutc_line PRIVATE ${EDIT_LIBRARY})
endif()
set(front tools/layoutc/front/codegen.c $<TARGET_OBJECTS:layoutc_commands>)
file(GLOB codegen CONFIGURE_DEPENDS tools/layoutc/codegen/*.c)
layout_program(layoutc layout tools/layoutc/main.c ${front})
layout_program(layoutc-codegen layout-codegen tools/layoutc/main.c ${codegen}
  $<TARGET_OBJECTS:layoutc_commands>)
target_link_libraries(layoutc PRIVATE layoutc_line)
target_link_libraries(layoutc-codegen PRIVATE layoutc_line)
add_dependencies(layoutc layoutc-codegen)
install(TARGETS layoutc layoutc-codegen COMPONENT tools)

file(GLOB demo CONFIGURE_DEPENDS tools/demo/*.c)
layout_program(demo layout-codegen ${demo})
target_link_libraries(demo PRIVATE bench_support)

# The manual, made from that table in manual/ of the build folder.
file(GLOB manual CONFIGURE_DEPENDS tools/manual/*.c)
add_executable(layout_manual ${manual} ${front})
layout_tool(layout_manual layout)
target_link_libraries(layout_manual PRIVATE layoutc_line)

# layout_manual_part(PART FILE FOLDER): write FILE, and install it in FOLDER.
function(layout_manual_part part file folder)
  set(path ${PROJECT_BINARY_DIR}/manual/${file})
  add_custom_command(OUTPUT ${path}
    COMMAND layout_manual ${part} ${path}
    DEPENDS layout_manual
    COMMENT "Writing manual/${file}" VERBATIM)
  target_sources(manual PRIVATE ${path})
  install(FILES ${path} DESTINATION ${folder} COMPONENT tools)
endfunction()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/manual)
add_custom_target(manual ALL)
layout_manual_part(man layoutc.1 ${CMAKE_INSTALL_MANDIR}/man1)
layout_manual_part(bash layoutc
  ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
layout_manual_part(zsh _layoutc ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
layout_manual_part(fish layoutc.fish
  ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# docs/reference.md, which is kept with the sources: "ninja reference" writes it anew.
file(GLOB reference CONFIGURE_DEPENDS tools/reference/*.c)
add_executable(layout_reference ${reference})
target_compile_options(layout_reference PRIVATE ${LAYOUT_WARNINGS})
target_compile_definitions(layout_reference PRIVATE _GNU_SOURCE)
target_link_libraries(layout_reference PRIVATE layout_files)
add_custom_target(reference
  COMMAND layout_reference docs/reference.md
    include/layout/layout.h include/layout/codegen.h include/layout/run.h
    include/layout/layout_dl.h include/layout/cmocka.h
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)

# Each bench/*.c is a program in bench/ of the build folder; with sanitizers, where its times
# say nothing, when it is asked for.
set(bench_when)
if(CMAKE_C_FLAGS MATCHES "-fsanitize=")
  set(bench_when EXCLUDE_FROM_ALL)
endif()
file(GLOB bench_support CONFIGURE_DEPENDS bench/support/*.c)
add_library(bench_support STATIC ${bench_support}
  python-free/tests/support/elf_reader.c python-free/tests/support/msgpack.c
  python-free/tests/support/ptxas.c python-free/tests/support/sweep.c)
target_compile_options(bench_support PRIVATE ${LAYOUT_WARNINGS})
target_compile_definitions(bench_support PRIVATE _GNU_SOURCE
  BUILD_DIR="${PROJECT_BINARY_DIR}" LAYOUT_PTXAS="${LAYOUT_PTXAS}")
target_include_directories(bench_support PUBLIC bench PRIVATE python-free/tests include)
target_link_libraries(bench_support PUBLIC layout_llvm)
file(GLOB benches CONFIGURE_DEPENDS bench/*.c)
foreach(source IN LISTS benches)
  cmake_path(GET source STEM name)
  add_executable(bench_${name} ${bench_when} ${source})
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
target_include_directories(bench_sweep PRIVATE python-free/tests)
target_include_directories(bench_kernels PRIVATE python-free/tests)
target_include_directories(bench_gpu PRIVATE python-free/tests)

# oneDNN as a peer, where it is installed; bench_performance looks for the module.
find_path(DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.h)
find_library(DNNL_LIBRARY dnnl)
mark_as_advanced(DNNL_INCLUDE_DIR DNNL_LIBRARY)
if(DNNL_INCLUDE_DIR AND DNNL_LIBRARY)
  file(STRINGS ${DNNL_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h dnnl_is_2
    REGEX "define DNNL_VERSION_MAJOR 2")
endif()
if(dnnl_is_2)
  add_library(peer_onednn MODULE ${bench_when} bench/peers/onednn.c)
  target_compile_options(peer_onednn PRIVATE ${LAYOUT_WARNINGS})
  target_include_directories(peer_onednn PRIVATE bench)
  target_include_directories(peer_onednn SYSTEM PRIVATE ${DNNL_INCLUDE_DIR})
  target_link_libraries(peer_onednn PRIVATE ${DNNL_LIBRARY})
  set_target_properties(peer_onednn PROPERTIES PREFIX "" C_VISIBILITY_PRESET default
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  add_dependencies(bench_performance peer_onednn)
endif()

# What runs the kernels of bench_gpu on a GPU, with neither liblayout nor CUDA's libraries.
add_executable(bench_gpu_run ${bench_when} bench/gpu/run.c)
set_target_properties(bench_gpu_run PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
target_compile_options(bench_gpu_run PRIVATE ${LAYOUT_WARNINGS})
target_compile_definitions(bench_gpu_run PRIVATE _GNU_SOURCE)
target_link_libraries(bench_gpu_run PRIVATE ${CMAKE_DL_LIBS})
