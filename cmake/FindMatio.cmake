# SPDX-License-Identifier: Apache-2.0
# libmatio, for files of MATLAB; its Debian package has no CMake files. Defines Matio::Matio.
include(FindPackageHandleStandardArgs)

find_path(MATIO_INCLUDE_DIR matio.h)
find_library(MATIO_LIBRARY matio)
mark_as_advanced(MATIO_INCLUDE_DIR MATIO_LIBRARY)
find_package_handle_standard_args(Matio REQUIRED_VARS MATIO_INCLUDE_DIR MATIO_LIBRARY)

if(Matio_FOUND AND NOT TARGET Matio::Matio)
  add_library(Matio::Matio INTERFACE IMPORTED)
  target_include_directories(Matio::Matio INTERFACE "${MATIO_INCLUDE_DIR}")
  target_link_libraries(Matio::Matio INTERFACE "${MATIO_LIBRARY}")
endif()
