# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# layout_library(NAME FOLDERS folder.. [PUBLIC library..]
#                PRIVATE interface INSTALLED library.. [LATE interface])
#
# The sources below src/<folder>, compiled once, as the shared library NAME, the
# static library NAME_static, and NAME_inside, which shows what both of them hide, for
# the tests.  PUBLIC names another such library, PRIVATE what the sources need, and
# INSTALLED what a program linking the installed static library must link as well.  With
# LATE the shared library has src/late instead of PRIVATE's LLVM, links that interface, and
# loads LLVM when it is first needed.
function(layout_library name)
  cmake_parse_arguments(arg "" "LATE" "FOLDERS;PUBLIC;PRIVATE;INSTALLED" ${ARGN})
  list(TRANSFORM arg_FOLDERS PREPEND ${PROJECT_SOURCE_DIR}/src/)
  list(TRANSFORM arg_FOLDERS APPEND /*.c)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${arg_FOLDERS})

  add_library(${name}_objects OBJECT ${sources})
  set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name}_objects PRIVATE ${LAYOUT_WARNINGS})
  target_compile_definitions(${name}_objects PRIVATE _GNU_SOURCE)
  target_include_directories(${name}_objects PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name}_objects PRIVATE ${arg_PRIVATE})

  # One object of them all, so that what is hidden can be local to it.
  set(hidden ${PROJECT_BINARY_DIR}/${name}_hidden.o)
  add_custom_command(OUTPUT ${hidden}
    COMMAND ${CMAKE_LINKER} -r -o ${hidden} $<TARGET_OBJECTS:${name}_objects>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${hidden}
    DEPENDS $<TARGET_OBJECTS:${name}_objects>
    COMMAND_EXPAND_LISTS VERBATIM)
  add_library(${name}_inside STATIC $<TARGET_OBJECTS:${name}_objects>)

  set(late)
  if(arg_LATE)
    set(header_folder ${PROJECT_BINARY_DIR}/late)
    file(MAKE_DIRECTORY ${header_folder})
    add_custom_command(OUTPUT ${header_folder}/late_functions.h
      COMMAND ${CMAKE_COMMAND} -D NM=${CMAKE_NM} -D OBJECT=${hidden}
        -D HEADER=${header_folder}/late_functions.h
        -P ${PROJECT_SOURCE_DIR}/cmake/late.cmake
      DEPENDS ${hidden} ${PROJECT_SOURCE_DIR}/cmake/late.cmake VERBATIM)
    add_library(${name}_late OBJECT ${PROJECT_SOURCE_DIR}/src/late/late.c
      ${header_folder}/late_functions.h)
    set_target_properties(${name}_late PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${name}_late PRIVATE ${LAYOUT_WARNINGS})
    target_compile_definitions(${name}_late PRIVATE _GNU_SOURCE)
    target_include_directories(${name}_late PRIVATE ${header_folder}
      ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(${name}_late PRIVATE ${arg_PRIVATE})
    set(late $<TARGET_OBJECTS:${name}_late>)
  endif()

  string(REPLACE layout-codegen codegen component ${name})
  foreach(kind SHARED STATIC)
    set(suffix)
    set(objects $<TARGET_OBJECTS:${name}_objects> ${late})
    set(private ${arg_PRIVATE})
    if(late)
      set(private ${arg_LATE})
    endif()
    if(kind STREQUAL STATIC)
      set(private ${arg_PRIVATE})
      set(suffix _static)
      set(objects ${hidden})
    endif()
    set(target ${name}${suffix})
    add_library(${target} ${kind} ${objects})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
    target_include_directories(${target} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    list(TRANSFORM arg_PUBLIC APPEND "${suffix}" OUTPUT_VARIABLE public)
    target_link_libraries(${target} PUBLIC ${public}
      PRIVATE $<BUILD_INTERFACE:${private}>)
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${name}
      EXPORT_NAME ${component}${suffix})
    install(TARGETS ${target} EXPORT layout-${component}
      LIBRARY COMPONENT library NAMELINK_COMPONENT development
      ARCHIVE COMPONENT development)
  endforeach()
  target_link_libraries(${name}_static PRIVATE
    "$<INSTALL_INTERFACE:${arg_INSTALLED}>")
  # GMP goes on calling what it was told to, see src/isl_bridge/watch.h.
  set(map ${PROJECT_SOURCE_DIR}/cmake/layout.map)
  target_link_options(${name} PRIVATE LINKER:-z,nodelete
    LINKER:--version-script=${map})
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${map})
  set_target_properties(${name} PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INSTALL_RPATH "$ORIGIN"
    INSTALL_RPATH_USE_LINK_PATH ON)

  install(EXPORT layout-${component} NAMESPACE layout::
    FILE layout-${component}.cmake DESTINATION ${layout_package_dir}
    COMPONENT development)
endfunction()
