# Kernels compiled for other instruction sets must share nothing with the rest of the program: of equal weak symbols the
# linker keeps one, and it could be one that an older processor cannot run. Each object has one global symbol, its
# table of kernels; all else is local. By hand: cmake -DNM=nm "-DOBJECTS=a.o;b.o" -P tests/lint/kernel_symbols.cmake
cmake_minimum_required(VERSION 3.25)

set(violations 0)
foreach(object IN LISTS OBJECTS)
    execute_process(COMMAND ${NM} --defined-only --demangle ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]+" lines "${symbols}")
    set(tables 0)
    foreach(line IN LISTS lines)
        if(line MATCHES " T lab::[a-z0-9]+Kernels\\(\\)$")
            math(EXPR tables "${tables} + 1")
        elseif(NOT line MATCHES " [tbrdn] ")
            message("${object}: not local: ${line}")
            math(EXPR violations "${violations} + 1")
        endif()
    endforeach()
    if(NOT tables EQUAL 1)
        message("${object}: ${tables} tables of kernels; one is right")
        math(EXPR violations "${violations} + 1")
    endif()
endforeach()

list(LENGTH OBJECTS count)
if(violations)
    message(FATAL_ERROR "${violations} symbols against the rules, in ${count} objects")
endif()
message(STATUS "${count} objects share no symbol")
