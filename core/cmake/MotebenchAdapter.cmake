# One probe program for each adapter.

# motebench_add_adapter(
#     NAME <implementation>
#     SOURCES <file>...            of the adapter, relative to its folder
#     [LIBRARIES <target or library>...]
#     [INCLUDES <folder>...]
#     [DEFINITIONS <name=value>...]
#     [TARGET <name>]              of the build, where two implementations have one name in different folders
#     [DIRECTORY <folder>])        where the program goes; MOTEBENCH_PROBE_DIR if not given
#
# builds motebench-probe-<implementation> from the adapter, the driver (core/support) and the probe core. An adapter whose library is not there
# must not call this: it prints a STATUS line and returns, and the other adapters are built all the same.
function(motebench_add_adapter)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;DIRECTORY" "SOURCES;LIBRARIES;INCLUDES;DEFINITIONS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "motebench_add_adapter(${arg_NAME}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT arg_NAME OR NOT arg_SOURCES)
        message(FATAL_ERROR "motebench_add_adapter(${arg_NAME}): NAME and SOURCES must be given")
    endif()
    if(NOT arg_DIRECTORY)
        set(arg_DIRECTORY "${MOTEBENCH_PROBE_DIR}")
    endif()
    if(NOT arg_TARGET)
        set(arg_TARGET "${arg_NAME}")
    endif()
    set(program "motebench-probe-${arg_TARGET}")
    motebench_sources(main_source main)
    add_executable(${program} ${arg_SOURCES} ${main_source})
    target_link_libraries(${program} PRIVATE motebench-core motebench-posix ${arg_LIBRARIES} motebench-driver)
    target_include_directories(${program} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${MOTEBENCH_CORE_DIR} ${arg_INCLUDES})
    target_compile_definitions(${program} PRIVATE ${arg_DEFINITIONS})
    set_target_properties(${program} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${arg_DIRECTORY}" OUTPUT_NAME "motebench-probe-${arg_NAME}")
    message(STATUS "probe: ${arg_TARGET}")
endfunction()

# Sets `result` to the folder with include/ and lib/ of a library that tools/setup.sh built from pinned sources (from_source in
# adapter.toml); empty, with a STATUS line, if that was not done.
function(motebench_built_library name result)
    get_filename_component(folder "${MOTEBENCH_CORE_DIR}/../build/libraries/${name}" ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}.stamp")
    if(EXISTS "${folder}.stamp")
        set(${result} "${folder}" PARENT_SCOPE)
    else()
        message(STATUS "no probe for ${name}: its library was not built (make setup WITH=${name})")
        set(${result} "" PARENT_SCOPE)
    endif()
endfunction()

# Sets `result` to whether the adapter.toml in this folder says `optional = true`. A folder without one is not optional.
function(motebench_adapter_is_optional folder result)
    set(found "")
    if(EXISTS "${folder}/adapter.toml")
        file(STRINGS "${folder}/adapter.toml" found REGEX "^optional *= *true")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/adapter.toml")
    endif()
    if(found)
        set(${result} TRUE PARENT_SCOPE)
    else()
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()
