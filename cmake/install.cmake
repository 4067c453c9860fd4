# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers, pkg-config files and the CMake package.  The libraries and programs
# say where they are made how they are installed.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/layout
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h")

# The .pc files name their prefix relative to themselves, so that the tree can
# be moved and DESTDIR works.
set(layout_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(pc_prefix /prefix)
cmake_path(APPEND pc_prefix ${layout_pc_dir} OUTPUT_VARIABLE pc_from)
cmake_path(RELATIVE_PATH pc_prefix BASE_DIRECTORY ${pc_from})
cmake_path(GET layout_llvm_library PARENT_PATH pc_llvm_dir)
cmake_path(GET layout_llvm_library STEM pc_llvm_name)
string(REGEX REPLACE "^lib" "" pc_llvm_name ${pc_llvm_name})
foreach(pc layout layout-codegen)
  configure_file(cmake/${pc}.pc.in ${pc}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc}.pc DESTINATION ${layout_pc_dir}
    COMPONENT development)
endforeach()

configure_package_config_file(cmake/layout-config.cmake.in layout-config.cmake
  INSTALL_DESTINATION ${layout_package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(layout-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/layout-config.cmake
  ${PROJECT_BINARY_DIR}/layout-config-version.cmake
  DESTINATION ${layout_package_dir} COMPONENT development)
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT development)

# What an installation needs, without the tests.
add_custom_target(installed DEPENDS layout layout_static layout-codegen
  layout-codegen_static layoutc manual)
