# SPDX-License-Identifier: Apache-2.0
# ctest: every test of bricard_tests, the layering of src/, the viewer, the installed package.
enable_testing()
find_package(GTest REQUIRED)
include(GoogleTest)
find_package(muparser REQUIRED)  # a second opinion on the values of formulas

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS "tests/*/*.cpp")
list(FILTER test_sources EXCLUDE REGEX "/tests/(consumer|fuzz)/")
# While working on a part: only the test files whose names match, as -DBRICARD_TEST_FILES="order|singular".
set(BRICARD_TEST_FILES "" CACHE STRING "Regular expression of the test files to build; empty: all")
if(BRICARD_TEST_FILES)
  set(chosen_tests ${test_sources})
  list(FILTER test_sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER chosen_tests INCLUDE REGEX "(${BRICARD_TEST_FILES})[^/]*_test\\.cpp$")
  list(APPEND test_sources ${chosen_tests})
endif()
list(APPEND test_sources papers/conditioning.cpp papers/reduced_equations.cpp papers/rod_shooting.cpp
     papers/root_spring_pendulum.cpp papers/slider_crank.cpp)
if(test_sources)
  add_executable(bricard_tests ${test_sources})
  target_compile_options(bricard_tests PRIVATE ${BRICARD_WARNINGS} ${BRICARD_PLAIN})
  target_include_directories(bricard_tests PRIVATE tests "${PROJECT_SOURCE_DIR}")  # "papers/conditioning.h"
  target_link_libraries(bricard_tests PRIVATE bricard GTest::gtest GTest::gtest_main KLU::KLU
                        yaml-cpp hdf5::hdf5 fmt::fmt nlohmann_json::nlohmann_json muparser::muparser Matio::Matio)
  target_compile_definitions(bricard_tests PRIVATE
    BRICARD_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    BRICARD_REFERENCE_DIR="${BRICARD_REFERENCE_DIR}")
  target_precompile_headers(bricard_tests PRIVATE <gtest/gtest.h> <Eigen/Dense> <string> <vector>
                            "src/bricard/system/system.h" "src/bricard/model/model.h")
  # Each test file has a namespace of its own name; allocation_test.cpp stands in front of malloc.
  set(batched_sources ${test_sources})
  list(FILTER batched_sources INCLUDE REGEX "_test\\.cpp$")
  list(FILTER batched_sources EXCLUDE REGEX "allocation_test")
  compile_in_batches(bricard_tests 9 ${batched_sources})
  if(TARGET bricard_cli)
    target_compile_definitions(bricard_tests PRIVATE
      BRICARD_EXECUTABLE="$<TARGET_FILE:bricard_cli>")
    add_dependencies(bricard_tests bricard_cli)
  endif()
  gtest_discover_tests(bricard_tests DISCOVERY_TIMEOUT 60)
endif()

# Some thousand changed inputs; docs/reliability.md tells of more, under sanitizers.
add_executable(bricard_fuzz tests/fuzz/fuzz.cpp tests/fuzz/mutation.cpp)
target_compile_options(bricard_fuzz PRIVATE ${BRICARD_WARNINGS} ${BRICARD_PLAIN})
target_include_directories(bricard_fuzz PRIVATE tests)
target_link_libraries(bricard_fuzz PRIVATE bricard fmt::fmt)
file(GLOB fuzz_models CONFIGURE_DEPENDS "models/*.yaml" "tests/end_to_end/bad/*.yaml")
add_test(NAME fuzz_formulas COMMAND bricard_fuzz formulas 1 20000 "${PROJECT_SOURCE_DIR}/tests/fuzz/formulas.txt")
add_test(NAME fuzz_models COMMAND bricard_fuzz models 1 1000 ${fuzz_models})

find_program(Python3_EXECUTABLE python3 REQUIRED)
if(CMAKE_GENERATOR STREQUAL Ninja)  # which keeps what the compiler opened for each object
  add_test(NAME layering COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/layering.py"
    "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}" "${CMAKE_MAKE_PROGRAM}")
endif()
add_test(NAME links COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/links.py" "${PROJECT_SOURCE_DIR}")

add_test(NAME line_references COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/line_references.py"
  "${PROJECT_SOURCE_DIR}")

# Model files against the schema, by a validator that knows nothing of Bricard.
if(TARGET bricard_cli)
  add_test(NAME schema COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/schema_test.py"
    "$<TARGET_FILE:bricard_cli>" "${PROJECT_SOURCE_DIR}")
endif()

# Some models by some integrators against witnesses; docs/reliability.md has the table of all.
if(TARGET bricard_cli)
  add_test(NAME matrix COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/matrix/matrix.py" --small --jobs 1
    --program "$<TARGET_FILE:bricard_cli>")
endif()

# The Python package, as it stands in the build folder; the last one installs it with pip.
if(TARGET bricard_python)
  set(python_environment "PYTHONPATH=${PROJECT_BINARY_DIR}/python" "BRICARD_BUILD=${PROJECT_BINARY_DIR}"
      "MPLBACKEND=Agg" "PYTHONDONTWRITEBYTECODE=1")
  file(GLOB python_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/tests/test_*.py")
  foreach(file IN LISTS python_tests)
    cmake_path(GET file STEM name)
    string(REPLACE "test_" "python." name ${name})
    add_test(NAME ${name} COMMAND "${Python3_EXECUTABLE}" -m pytest -q -p no:cacheprovider "${file}")
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${python_environment}")
  endforeach()
endif()

# The viewer's own tests, in the copy that Viewer.cmake builds.
if(BRICARD_VIEWER AND EXISTS "${PROJECT_SOURCE_DIR}/viewer/test/all.mjs")
  add_test(NAME viewer COMMAND "${NPM}" test WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/viewer")
  set_tests_properties(viewer PROPERTIES ENVIRONMENT
    "BRICARD_EXECUTABLE=${PROJECT_BINARY_DIR}/bricard;BRICARD_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
endif()

# Installs the build and lets a program outside of it find, link and use the package.
set(consumer_flags "")
if(BRICARD_SANITIZE)
  set(consumer_flags "-fsanitize=${BRICARD_SANITIZE}")
endif()
add_test(NAME consumer COMMAND ${CMAKE_COMMAND}
  "-DBUILD=${PROJECT_BINARY_DIR}" "-DCONFIG=${CMAKE_BUILD_TYPE}" "-DFLAGS=${consumer_flags}"
  "-DGENERATOR=${CMAKE_GENERATOR}" "-DCOMPILER=${CMAKE_CXX_COMPILER}"
  -P "${PROJECT_SOURCE_DIR}/tests/consumer/test.cmake")
