# Runs a link command. If it makes a program with tband in it, runs it again with a hash of that program as the program's
# identity:
#
#   cmake [-DTBAND_OBJCOPY=objcopy] -P TbandLink.cmake -- gcc ... -o program
#
# The identity is 12 characters, '@' and eleven hexadecimal digits. Each of the symbols that port/recorder/tband_identity.h
# declares has as many of them as an address has bytes.

cmake_minimum_required(VERSION 3.20)

set(command "")
set(program "")
set(output "")
set(previous "")
set(is_command OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  set(argument "${CMAKE_ARGV${index}}")
  if(is_command)
    # As a literal, because CMake would change some characters of an argument in a list or a string.
    string(APPEND command " [====[${argument}]====]")
    if(NOT program)
      set(program "${argument}")
    endif()
    if(previous STREQUAL "-o")
      set(output "${argument}")
    elseif(argument MATCHES "^-o(.+)$")
      # Joined, as compilers take it too.
      set(output "${CMAKE_MATCH_1}")
    endif()
    set(previous "${argument}")
  elseif(argument STREQUAL "--")
    set(is_command ON)
  endif()
endforeach()

function(tband_run result options)
  cmake_language(EVAL CODE "execute_process(COMMAND ${command} ${options} RESULT_VARIABLE code)")
  set(${result} "${code}" PARENT_SCOPE)
endfunction()

# Sets `options` to the options of the second link, or to nothing if the output is not a program that contains tband.
function(tband_identity_options options)
  file(READ "${output}" head LIMIT 18 HEX)
  if(NOT head MATCHES "^7f454c46(0[12])(0[12])(....................)(....)$")
    return()
  endif()
  set(class ${CMAKE_MATCH_1})
  set(order ${CMAKE_MATCH_2})
  # Linked for a fixed address, or position-independent.
  if(NOT "${order}${CMAKE_MATCH_4}" MATCHES "^(010[23]00|02000[23])$")
    return()
  endif()
  # Its symbols say whether tband is in it. A program that is linked without symbols has no identity.
  file(STRINGS "${output}" symbols REGEX "^tband_program" LIMIT_COUNT 1)
  if(NOT symbols)
    return()
  endif()
  set(hashed "${output}")
  if(TBAND_OBJCOPY)
    # Names and debug information differ between folders, and are not in the memory of the target.
    execute_process(COMMAND "${TBAND_OBJCOPY}" --strip-all "${output}" "${output}.tband"
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
      set(hashed "${output}.tband")
    endif()
  endif()
  file(SHA256 "${hashed}" hash)
  file(REMOVE "${output}.tband")
  string(SUBSTRING ${hash} 0 11 digits)
  string(HEX "@${digits}" bytes)
  # Hexadecimal digits of an address.
  set(length 8)
  if(class STREQUAL "02")
    set(length 16)
    string(APPEND bytes 00000000)
  endif()
  # If the linker is called directly and not by a compiler, it takes its own options.
  set(defsym "-Wl,--defsym=")
  if(program MATCHES "(^|[-./\\])ld([.](bfd|gold|lld))?([.]exe)?$")
    set(defsym "--defsym=")
  endif()
  set(found "")
  set(symbol 0)
  while(bytes)
    string(SUBSTRING ${bytes} 0 ${length} word)
    string(SUBSTRING ${bytes} ${length} -1 bytes)
    if(order STREQUAL "01")
      string(REGEX REPLACE "(..)" "\\1;" word ${word})
      list(REVERSE word)
      list(JOIN word "" word)
    endif()
    string(APPEND found " ${defsym}tband_program_${symbol}=0x${word}")
    math(EXPR symbol "${symbol} + 1")
  endwhile()
  set(${options} "${found}" PARENT_SCOPE)
endfunction()

tband_run(result "")
if(result EQUAL 0 AND output AND EXISTS "${output}")
  set(options "")
  tband_identity_options(options)
  if(options)
    tband_run(result "${options}")
    if(NOT result EQUAL 0)
      message(WARNING "tband: this linker does not take${options}; recordings of ${output} have no identity. "
                      "Without this message: -DTBAND_PROGRAM_ID=OFF")
      tband_run(result "")
    endif()
  endif()
endif()
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the link command failed: ${result}")
endif()
