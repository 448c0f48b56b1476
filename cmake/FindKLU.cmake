# SPDX-License-Identifier: Apache-2.0
# KLU and the ordering libraries of SuiteSparse, for systems whose package has no CMake files
# (Debian 12). Defines KLU::KLU, which carries all of them.
include(FindPackageHandleStandardArgs)

find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
mark_as_advanced(KLU_INCLUDE_DIR)
set(KLU_LIBRARIES)
set(klu_required KLU_INCLUDE_DIR)
foreach(name klu btf amd camd colamd suitesparseconfig)  # users before what they use
  string(TOUPPER ${name} upper)
  find_library(KLU_${upper}_LIBRARY ${name})
  mark_as_advanced(KLU_${upper}_LIBRARY)
  list(APPEND KLU_LIBRARIES "${KLU_${upper}_LIBRARY}")
  list(APPEND klu_required KLU_${upper}_LIBRARY)
endforeach()

find_package_handle_standard_args(KLU REQUIRED_VARS ${klu_required})

if(KLU_FOUND AND NOT TARGET KLU::KLU)
  add_library(KLU::KLU INTERFACE IMPORTED)
  target_include_directories(KLU::KLU INTERFACE "${KLU_INCLUDE_DIR}")
  target_link_libraries(KLU::KLU INTERFACE ${KLU_LIBRARIES})
endif()
