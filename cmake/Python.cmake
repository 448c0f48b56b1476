# SPDX-License-Identifier: Apache-2.0
# The Python package `bricard`, ready for use in build/python: its sources and the compiled _core.

find_package(pybind11 CONFIG REQUIRED)
file(GLOB python_sources CONFIGURE_DEPENDS "python/src/*.cpp")
Python3_add_library(bricard_python MODULE WITH_SOABI ${python_sources})
compile_like_plain(bricard_python)
compile_in_batches(bricard_python 5 ${python_sources})
target_link_libraries(bricard_python PRIVATE bricard pybind11::headers yaml-cpp fmt::fmt)
set_target_properties(bricard_python PROPERTIES OUTPUT_NAME _core
                      LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python/bricard")

file(GLOB package_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/python/bricard" "python/bricard/*.py"
     "python/bricard/*.pyi" "python/bricard/py.typed")
set(package_copies "")
foreach(name IN LISTS package_files)
  set(copy "${PROJECT_BINARY_DIR}/python/bricard/${name}")
  add_custom_command(OUTPUT "${copy}" DEPENDS "${PROJECT_SOURCE_DIR}/python/bricard/${name}"
    COMMAND ${CMAKE_COMMAND} -E copy "${PROJECT_SOURCE_DIR}/python/bricard/${name}" "${copy}")
  list(APPEND package_copies "${copy}")
endforeach()
add_custom_target(bricard_package ALL DEPENDS ${package_copies})
add_dependencies(bricard_package bricard_python)
