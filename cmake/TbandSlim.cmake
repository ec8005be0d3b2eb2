# Reduces a library that cargo made, libtband.a or another, to what firmware needs. Script:
#   cmake -DTBAND_AR=ar [-DTBAND_STRIP=strip] -DTBAND_IN=libtband.a -DTBAND_OUT=slim/libtband.a -P TbandSlim.cmake
#
# With link-time optimisation the first member, made from this project's crates, is complete. The
# others are Rust's own memcpy, division and the like: linked in they would take the place of the
# toolchain's, firmware-wide. So only that one member stays, stripped of what linking does not need.
cmake_minimum_required(VERSION 3.20)

foreach(needed TBAND_AR TBAND_IN TBAND_OUT)
  if(NOT ${needed})
    message(FATAL_ERROR "tband: ${needed} is not set")
  endif()
endforeach()

function(tband_run folder)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${folder}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "tband: failed: ${ARGN}\n${output}")
  endif()
endfunction()

get_filename_component(folder ${TBAND_OUT} DIRECTORY)
get_filename_component(name ${TBAND_OUT} NAME)
string(REGEX REPLACE "^lib(.*)[.]a$" "\\1" crate ${name})
set(scratch ${folder}/${crate}_slim)
file(REMOVE_RECURSE ${scratch})
file(MAKE_DIRECTORY ${scratch})

execute_process(COMMAND ${TBAND_AR} t ${TBAND_IN} RESULT_VARIABLE failed OUTPUT_VARIABLE members)
string(REPLACE "\n" ";" members "${members}")
list(FILTER members INCLUDE REGEX "^${crate}-[0-9a-f]+\\..*\\.o$")
list(LENGTH members count)
if(failed OR NOT count EQUAL 1)
  message(FATAL_ERROR "tband: ${TBAND_IN} should have one member of this project, it has ${count}: "
                      "${members}. Is it built with --profile firmware?")
endif()

tband_run(${scratch} ${TBAND_AR} x ${TBAND_IN} ${members})
file(RENAME ${scratch}/${members} ${scratch}/${crate}.o)
if(TBAND_STRIP)
  set(unneeded --strip-unneeded)
  # Arm's and RISC-V's C libraries have no such note; if one object has it, the linker warns about all objects
  # that do not. On Linux the note is needed.
  if(TBAND_IN MATCHES "/[^/]*-none-[^/]*/firmware/${name}$")
    list(APPEND unneeded --remove-section=.note.GNU-stack)
    # Rust has these tables of Arm's ABI for all functions, C only for some. Linker scripts of C programs may have no place for them.
    list(APPEND unneeded --remove-section=.ARM.exidx*)
  endif()
  tband_run(${scratch} ${TBAND_STRIP} ${unneeded} ${crate}.o)
endif()
# D: no times and owners, so that equal sources give equal archives.
file(REMOVE ${scratch}/${name})
tband_run(${scratch} ${TBAND_AR} rcsD ${name} ${crate}.o)
# Unchanged output keeps its timestamp, so that nothing is linked again without need.
tband_run(${scratch} ${CMAKE_COMMAND} -E copy_if_different ${name} ${TBAND_OUT})
