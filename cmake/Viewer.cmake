# SPDX-License-Identifier: Apache-2.0
# Builds viewer/ into one page, build/viewer/dist/viewer.html, and embeds it into the library.
# Sets BRICARD_VIEWER_SOURCE, the generated source file that holds the page.

if(BRICARD_VIEWER AND EXISTS "${PROJECT_SOURCE_DIR}/viewer/package.json")
  find_program(NPM npm REQUIRED)
  set(viewer_work "${PROJECT_BINARY_DIR}/viewer")
  set(BRICARD_VIEWER_PAGE "${viewer_work}/dist/viewer.html")

  file(GLOB viewer_files CONFIGURE_DEPENDS LIST_DIRECTORIES false "viewer/*")
  file(GLOB viewer_folders CONFIGURE_DEPENDS "viewer/*")
  list(REMOVE_ITEM viewer_folders ${viewer_files} "${PROJECT_SOURCE_DIR}/viewer/node_modules"
       "${PROJECT_SOURCE_DIR}/viewer/dist")
  foreach(folder IN LISTS viewer_folders)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS "${folder}/*")
    list(APPEND viewer_files ${files})
  endforeach()

  add_custom_command(
    OUTPUT "${BRICARD_VIEWER_PAGE}"
    COMMAND ${CMAKE_COMMAND} "-DSOURCE=${PROJECT_SOURCE_DIR}/viewer" "-DWORK=${viewer_work}"
            "-DPAGE=${BRICARD_VIEWER_PAGE}" "-DNPM=${NPM}"
            -P "${PROJECT_SOURCE_DIR}/cmake/BuildViewer.cmake"
    DEPENDS ${viewer_files} "${PROJECT_SOURCE_DIR}/cmake/BuildViewer.cmake"
    COMMENT "Building the viewer" VERBATIM)
else()
  if(BRICARD_VIEWER)
    message(STATUS "viewer/package.json is missing: embedding an empty viewer page")
  endif()
  set(BRICARD_VIEWER_PAGE "${PROJECT_BINARY_DIR}/generated/empty.html")
  file(CONFIGURE OUTPUT "${BRICARD_VIEWER_PAGE}" CONTENT "")
endif()

set(BRICARD_VIEWER_SOURCE "${PROJECT_BINARY_DIR}/generated/viewer_template.cpp")
configure_file(cmake/viewer_template.cpp.in "${BRICARD_VIEWER_SOURCE}" @ONLY)
set_source_files_properties("${BRICARD_VIEWER_SOURCE}" PROPERTIES
  OBJECT_DEPENDS "${BRICARD_VIEWER_PAGE}" SKIP_PRECOMPILE_HEADERS ON)
