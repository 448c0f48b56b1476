# SPDX-License-Identifier: Apache-2.0
# cmake -DBUILD=build -DCONFIG=Release -DFLAGS= -DGENERATOR=Ninja -DCOMPILER=g++ -P test.cmake
# Installs the build into a folder of its own, then configures, builds and runs the consumer there.
set(work "${BUILD}/consumer")
set(step COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)

file(REMOVE_RECURSE "${work}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIG}"
                        --prefix "${work}/prefix" ${step} OUTPUT_QUIET)
execute_process(COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}"
                        -B "${work}/build" "-DCMAKE_PREFIX_PATH=${work}/prefix"
                        "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
                        "-DCMAKE_CXX_FLAGS=${FLAGS}" ${step})
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/build" ${step})
execute_process(COMMAND "${work}/build/consumer" ${step})
