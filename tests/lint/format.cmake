# All our files are as clang-format would write them. To have it do so, type what this prints when it fails.
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)

our_sources(files ${TREE} core widgets app tests)
execute_process(COMMAND ${CLANG_FORMAT} --dry-run -Werror ${files} WORKING_DIRECTORY ${TREE} RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "Type: clang-format -i $(find core widgets app tests -name '*.h' -o -name '*.cpp')")
endif()
