# Who may include whom, and what may stand where. By hand: cmake -DTREE=. -P tests/lint/layers.cmake
#
# Works on text: comments are taken out, then regular expressions look for what must not be there. Files are split into
# rooms (core/base, core/learn …, widgets, app, tests); a room sees itself and what the table says.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)

# --- the table ------------------------------------------------------------------------------------------------

set(rooms core/base core/cluster core/learn core/coding core/grouping core/strategy core/record core/engine
    core/experiment core/sweep widgets app tests)

set(core/base_sees)
set(core/cluster_sees core/base/)
set(core/learn_sees core/base/)
set(core/coding_sees core/base/)
set(core/grouping_sees core/base/)
set(core/strategy_sees core/base/ core/cluster/ core/coding/ core/grouping/ core/learn/vector.h core/learn/model.h)
set(core/record_sees core/base/ core/cluster/ core/coding/ core/grouping/ core/learn/ core/strategy/)
set(core/engine_sees ${core/record_sees} core/record/)
set(core/experiment_sees ${core/engine_sees} core/engine/)
set(core/sweep_sees ${core/experiment_sees} core/experiment/)
set(widgets_sees core/base/ core/cluster/ core/strategy/strategy.h core/record/frame.h core/record/record.h)
set(app_sees core/ widgets/)
set(tests_sees core/ widgets/ app/)

# --- what is kept in one place --------------------------------------------------------------------------------

# rule(NAME regex REGEX in FILES [only FILES] says TEXT): REGEX may occur in no file that matches `in`, but in those
# that match `only`.
set(rules "")
function(rule name)
    cmake_parse_arguments(PARSE_ARGV 1 rule "" "regex;in;only;says" "")
    foreach(part regex in only says)
        set(rule_${name}_${part} "${rule_${part}}" PARENT_SCOPE)
    endforeach()
    set(rules ${rules} ${name} PARENT_SCOPE)
endfunction()

set(threaded "^core/(engine/(executor|wall_clock)|record/feed|experiment/session)[a-z_]*\\.(h|cpp)$")
rule(qt in "^core/" regex "#[ \t]*include[ \t]*<(Q[A-Z]|Qt|q[a-z]+\\.h)[^>]*>" says "core links no Qt")
rule(qt_threads in "^(core|widgets|app)/" regex "(QThread|QMutex|QtConcurrent|QFuture|QReadWriteLock|QWaitCondition)"
    says "the window polls; threads belong to core")
rule(tbb in "^(core|widgets|app)/" only "^core/engine/executor\\.(h|cpp)$" regex "<(tbb|oneapi)/[^>]*>|tbb::"
    says "TBB stays in core/engine/executor")
rule(json in "^(core|widgets|app)/" only "^core/experiment/" regex "<nlohmann/[^>]*>|nlohmann::"
    says "nlohmann-json stays in core/experiment")
rule(sqlite in "^(core|widgets|app)/" only "^core/record/session_file\\.(h|cpp)$" regex "<sqlite3[^>]*>|sqlite3_"
    says "SQLite stays in core/record/session_file")
rule(zlib in "^(core|widgets|app)/" only "^core/learn/file_content\\.(h|cpp)$" regex "<zlib\\.h>"
    says "zlib stays in core/learn/file_content")
rule(threads in "^(core|widgets|app)/" only "${threaded}"
    regex "<(mutex|shared_mutex|thread|atomic|condition_variable|future|semaphore|latch|barrier)>|std::(mutex|shared_mutex|recursive_mutex|thread|jthread|atomic|condition_variable|async|counting_semaphore|call_once)"
    says "threads and locks stay in executor, wall_clock, feed and session")
rule(chance in "^(core|widgets|app)/"
    regex "random_device|_distribution[ \t]*<|std::(mt19937|minstd_rand|default_random_engine)|[^A-Za-z0-9_]s?rand\\(|Random\\(|<random>"
    says "randomness comes from core/base/rng")
rule(wall_time in "^core/" only "^core/(engine/(executor|wall_clock)|experiment/(session|run))[a-z_]*\\.(h|cpp)$"
    regex "(system|steady|high_resolution)_clock|[^A-Za-z0-9_](time|clock|gettimeofday|clock_gettime)\\((NULL|nullptr|0|&[a-z_]+)?\\)"
    says "a run does not look at the machine's clock")
rule(hash_order in "^core/" only "^core/experiment/" regex "unordered_(multi)?(map|set)"
    says "what is computed must not follow hash order")

# --- checking -------------------------------------------------------------------------------------------------

set(violations 0)
function(violation file text found says)
    string(FIND "${text}" "${found}" at)
    string(SUBSTRING "${text}" 0 ${at} before)
    string(REGEX MATCH "^\n" newline "${found}")
    string(REGEX MATCHALL "\n" newlines "${before}${newline}")
    list(LENGTH newlines line) # the text begins with a line break of ours
    string(REGEX REPLACE "[\n\r]" "" found "${found}")
    string(STRIP "${found}" found)
    message("${file}:${line}: ${says}: ${found}")
    math(EXPR violations "${violations} + 1")
    set(violations ${violations} PARENT_SCOPE)
endfunction()

# room_of(ROOM FILE): the room that a path belongs to; empty: none.
function(room_of result path)
    set(${result} "" PARENT_SCOPE)
    foreach(room ${rooms})
        if(path MATCHES "^${room}/")
            set(${result} ${room} PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

function(may_see result room path)
    set(${result} FALSE PARENT_SCOPE)
    foreach(prefix ${room}/ ${${room}_sees})
        string(FIND "${path}" "${prefix}" at)
        if(at EQUAL 0)
            set(${result} TRUE PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

function(check_includes file room text)
    string(REGEX MATCHALL "\n[ \t]*#[ \t]*include[ \t]*\"[^\"\n]*\"" includes "${text}")
    set(first TRUE)
    foreach(include IN LISTS includes)
        string(REGEX REPLACE ".*\"(.*)\"" "\\1" path "${include}")
        if(path MATCHES "\\.moc$|^moc_|^ui_")
            continue()
        endif()
        room_of(target "${path}")
        may_see(seen ${room} "${path}")
        if(target STREQUAL "" OR NOT EXISTS "${TREE}/${path}")
            violation(${file} "${text}" "${include}" "included files are named from the root of the tree")
        elseif(NOT seen)
            violation(${file} "${text}" "${include}" "${room} may not see this")
        endif()
        string(REGEX REPLACE "\\.cpp$" ".h" own "${file}")
        if(first AND file MATCHES "\\.cpp$" AND EXISTS "${TREE}/${own}" AND NOT path STREQUAL own)
            violation(${file} "${text}" "${include}" "a source includes its own header first")
        endif()
        set(first FALSE)
    endforeach()
    set(violations ${violations} PARENT_SCOPE)
endfunction()

function(check_file file)
    room_of(room "${file}")
    if(room STREQUAL "")
        violation(${file} "\n" "\n" "core has rooms; this file is in none")
        set(violations ${violations} PARENT_SCOPE)
        return()
    endif()
    file(READ "${TREE}/${file}" text)
    string(REGEX MATCHALL "\n" newlines "${text}")
    list(LENGTH newlines lines)
    if(lines GREATER 350 AND NOT room STREQUAL "tests")
        violation(${file} "\n" "\n" "${lines} lines; 350 is the most")
    endif()
    string(REGEX REPLACE "//[^\n]*" "" text "\n${text}")
    if(file MATCHES "\\.h$" AND NOT text MATCHES "\n#pragma once\n")
        violation(${file} "\n" "\n" "a header begins with #pragma once")
    endif()
    check_includes(${file} ${room} "${text}")
    foreach(name ${rules})
        if(file MATCHES "${rule_${name}_in}" AND text MATCHES "${rule_${name}_regex}")
            set(found "${CMAKE_MATCH_0}")
            if(NOT rule_${name}_only OR NOT file MATCHES "${rule_${name}_only}")
                violation(${file} "${text}" "${found}" "${rule_${name}_says}")
            endif()
        endif()
    endforeach()
    set(violations ${violations} PARENT_SCOPE)
endfunction()

# The libraries of a room obey the same table, and each source is built.
function(check_targets room)
    set(file ${room}/CMakeLists.txt)
    if(NOT EXISTS "${TREE}/${file}")
        return()
    endif()
    file(READ "${TREE}/${file}" text)
    string(REGEX REPLACE "#[^\n]*" "" text "\n${text}")
    string(REGEX MATCHALL "[ \t\n]lab_[a-z]+" libraries "${text}")
    foreach(library IN LISTS libraries)
        string(REGEX REPLACE ".*lab_" "" name "${library}")
        if("core/${name}" IN_LIST rooms AND room MATCHES "^core/")
            set(seen FALSE)
            foreach(prefix ${room}/ ${${room}_sees})
                if(prefix MATCHES "^core/${name}/")
                    set(seen TRUE)
                endif()
            endforeach()
            if(NOT seen)
                violation(${file} "${text}" "${library}" "${room} may not link this")
            endif()
        endif()
    endforeach()
    set(foreign "Qt6::core/none" "TBB::core/engine" "nlohmann_json::core/experiment" "SQLite::core/record"
        "SQLite3::core/record" "ZLIB::core/learn")
    foreach(pair ${foreign})
        string(REGEX MATCH "^([A-Za-z0-9_]+::)(.*)$" pair "${pair}")
        set(package ${CMAKE_MATCH_1})
        set(owner ${CMAKE_MATCH_2})
        if(room MATCHES "^core/" AND NOT room STREQUAL owner AND text MATCHES "${package}[A-Za-z0-9_]+")
            violation(${file} "${text}" "${CMAKE_MATCH_0}" "${room} may not link this")
        endif()
    endforeach()
    our_sources(sources ${TREE} ${room})
    foreach(source IN LISTS sources)
        string(REGEX REPLACE "^${room}/" "" name "${source}")
        string(REGEX REPLACE "\\.cpp$" "" stem "${name}")
        if(source MATCHES "\\.cpp$" AND NOT text MATCHES "[ \t\n(\"](${name}|${stem})[ \t\n)\"]" AND NOT name MATCHES "/")
            violation(${file} "\n" "\n" "${name} is not built")
        endif()
    endforeach()
    set(violations ${violations} PARENT_SCOPE)
endfunction()

our_sources(files "${TREE}" core widgets app tests)
foreach(file IN LISTS files)
    check_file(${file})
endforeach()
foreach(room ${rooms} tests/core tests/contract tests/determinism tests/gui)
    check_targets(${room})
endforeach()

list(LENGTH files count)
if(violations)
    message(FATAL_ERROR "${violations} places against the rules of the house, in ${count} files")
endif()
message(STATUS "${count} files obey the rules of the house")
