# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=viewer -DWORK=build/viewer -DPAGE=build/viewer/dist/viewer.html -DNPM=npm -P ...
# Builds a copy of the viewer, so that nothing is written in the source tree.

# npm with output only when it fails
function(npm)
  execute_process(COMMAND "${NPM}" ${ARGV} WORKING_DIRECTORY "${WORK}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " words)
    message(FATAL_ERROR "npm ${words} failed in ${WORK}:\n${output}\n"
                        "To build Bricard without its viewer, configure with -DBRICARD_VIEWER=OFF")
  endif()
endfunction()

function(entries folder result)  # all names in a folder but those that npm makes
  file(GLOB names RELATIVE "${folder}" "${folder}/*" "${folder}/.*")
  list(REMOVE_ITEM names . .. node_modules dist)
  set(${result} ${names} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY "${WORK}")
entries("${WORK}" old)
foreach(name IN LISTS old)
  file(REMOVE_RECURSE "${WORK}/${name}")
endforeach()
entries("${SOURCE}" new)
foreach(name IN LISTS new)
  file(COPY "${SOURCE}/${name}" DESTINATION "${WORK}")
endforeach()

# Packages are fetched again only when the list of them changes.
file(SHA256 "${WORK}/package.json" wanted)
file(SHA256 "${WORK}/package-lock.json" locked)
string(APPEND wanted " " ${locked})
set(stamp "${WORK}/node_modules/.installed")
set(present "")
if(EXISTS "${stamp}")
  file(READ "${stamp}" present)
endif()
if(NOT present STREQUAL wanted)
  npm(ci --no-audit --no-fund --loglevel=error)
  file(WRITE "${stamp}" "${wanted}")
endif()

file(REMOVE "${PAGE}")
npm(run build)
if(NOT EXISTS "${PAGE}")
  message(FATAL_ERROR "npm run build did not write ${PAGE}")
endif()
file(TOUCH "${PAGE}")
