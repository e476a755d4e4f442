# Every experiment that is shipped is listed, for the program and for readers, every one listed exists, and the program
# takes it; it takes every sweep, too.
include(${TREE}/experiments/list.cmake)

file(GLOB files RELATIVE ${TREE}/experiments ${TREE}/experiments/*.json)
set(listed ${LAB_EXPERIMENTS})
list(TRANSFORM listed APPEND .json)
list(SORT files)
list(SORT listed)
if(NOT files OR NOT files STREQUAL listed)
    message(SEND_ERROR "experiments/ holds: ${files}\nexperiments/list.cmake names: ${listed}")
endif()

file(READ ${TREE}/experiments/README.md readme)
foreach(name ${LAB_EXPERIMENTS})
    if(NOT readme MATCHES "\n\\| `${name}` \\|")
        message(SEND_ERROR "experiments/README.md has no row for ${name}")
    endif()
endforeach()

file(GLOB sweeps RELATIVE ${TREE} ${TREE}/experiments/sweeps/*.json)
list(TRANSFORM files PREPEND experiments/)
execute_process(COMMAND ${PROGRAM} validate ${files} ${sweeps} WORKING_DIRECTORY ${TREE} RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "the program refuses an experiment or a sweep that is shipped")
endif()
