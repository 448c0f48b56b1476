# SPDX-License-Identifier: Apache-2.0
# METIS, whose package has no CMake files (Debian 12). Defines METIS::METIS.
include(FindPackageHandleStandardArgs)

find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)
find_package_handle_standard_args(METIS REQUIRED_VARS METIS_INCLUDE_DIR METIS_LIBRARY)

if(METIS_FOUND AND NOT TARGET METIS::METIS)
  add_library(METIS::METIS INTERFACE IMPORTED)
  target_include_directories(METIS::METIS INTERFACE "${METIS_INCLUDE_DIR}")
  target_link_libraries(METIS::METIS INTERFACE "${METIS_LIBRARY}")
endif()
