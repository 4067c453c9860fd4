# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What liblayout is built on: isl, LLVM 22, ld.lld 22, ROCm's device libraries, libclc.

find_path(ISL_INCLUDE_DIR isl/ctx.h REQUIRED)
find_library(ISL_LIBRARY isl REQUIRED)
mark_as_advanced(ISL_INCLUDE_DIR ISL_LIBRARY)
add_library(layout_isl INTERFACE)
target_include_directories(layout_isl SYSTEM INTERFACE ${ISL_INCLUDE_DIR})
target_link_libraries(layout_isl INTERFACE ${ISL_LIBRARY} m)

# Debian keeps several LLVMs side by side, each in its own prefix.  LLVM's
# version file accepts one minor version only, so the major one is checked here.
find_package(LLVM REQUIRED CONFIG HINTS /usr/lib/llvm-22)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "LLVM 22 is needed, ${LLVM_DIR} is ${LLVM_VERSION}")
endif()
if(NOT TARGET LLVM)
  message(FATAL_ERROR "LLVM ${LLVM_VERSION} has no shared library (libLLVM.so)")
endif()
get_target_property(layout_llvm_library LLVM LOCATION)
find_package(Threads REQUIRED)
add_library(layout_llvm INTERFACE)
target_include_directories(layout_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})

# LLVM's shared library shows all its symbols, and among them those of another
# isl (Polly's).  Whoever links LLVM has to name ours before it, or the loader
# gives the algebra that one.
target_link_libraries(layout_llvm INTERFACE
  "-Wl,--push-state,--no-as-needed,${ISL_LIBRARY},--pop-state"
  ${layout_llvm_library} Threads::Threads ${CMAKE_DL_LIBS})

find_program(LAYOUT_LD_LLD NAMES ld.lld-22 ld.lld
  HINTS ${LLVM_TOOLS_BINARY_DIR}
  DOC "ld.lld 22, which links AMDGPU code objects")
if(NOT LAYOUT_LD_LLD)
  message(FATAL_ERROR "ld.lld 22 not found; set LAYOUT_LD_LLD")
endif()
execute_process(COMMAND ${LAYOUT_LD_LLD} --version OUTPUT_VARIABLE lld_version)
if(NOT lld_version MATCHES "LLD 22\\.")
  message(WARNING "${LAYOUT_LD_LLD} is not ld.lld 22: ${lld_version}")
endif()

# The folder of ROCm's device libraries; kernels that call none do without.
find_path(LAYOUT_DEVICE_LIBS ocml.bc
  HINTS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode
        /opt/rocm/amdgcn/bitcode
  DOC "The folder of ROCm's device libraries (ocml.bc)")
if(NOT LAYOUT_DEVICE_LIBS)
  set(LAYOUT_DEVICE_LIBS "" CACHE PATH "" FORCE)
endif()

# The folder of libclc's libraries; kernels for NVPTX that call none do without.
find_path(LAYOUT_LIBCLC nvptx64--.bc HINTS /usr/lib/clc
  DOC "The folder of libclc's libraries (nvptx64--.bc)")
if(NOT LAYOUT_LIBCLC)
  set(LAYOUT_LIBCLC "" CACHE PATH "" FORCE)
endif()

# CUDA's assembler, which tests and bench_gpu ask; nothing else does.
find_program(LAYOUT_PTXAS ptxas HINTS /usr/local/cuda/bin
  DOC "ptxas, CUDA's assembler of PTX")
if(NOT LAYOUT_PTXAS)
  set(LAYOUT_PTXAS "" CACHE FILEPATH "" FORCE)
endif()

# libedit edits the lines of layoutc's prompt, which does without.
find_path(EDIT_INCLUDE_DIR editline/readline.h)
find_library(EDIT_LIBRARY edit)
mark_as_advanced(EDIT_INCLUDE_DIR EDIT_LIBRARY)

# As strings for src/, where programs and folders are looked for by default.
target_compile_definitions(layout_llvm INTERFACE
  LAYOUT_LD_LLD="${LAYOUT_LD_LLD}"
  LAYOUT_DEVICE_LIBS="${LAYOUT_DEVICE_LIBS}"
  LAYOUT_LIBCLC="${LAYOUT_LIBCLC}"
  LAYOUT_LLVM_LIBRARY="${layout_llvm_library}"
  LAYOUT_LLVM_NAME="libLLVM.so.${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR}")

# What liblayout-codegen needs besides: the mathematics that kernels for this CPU call, and
# where it has them the compiler's functions for halves.
add_library(layout_late INTERFACE)
target_link_libraries(layout_late INTERFACE
  -Wl,--push-state,--no-as-needed gcc_s -Wl,--pop-state m Threads::Threads ${CMAKE_DL_LIBS})

# Where src/late knows how to jump.
set(layout_late)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  set(layout_late LATE layout_late)
endif()
