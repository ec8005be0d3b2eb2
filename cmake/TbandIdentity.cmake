# Gives each program that contains tband an identity: a hash of the program, which its recordings contain.
#
# `tband-cli` compares it with the ELF file and refuses names and source lines of another program. A linker cannot put a hash
# of its output into that output, so programs with tband are linked twice; TbandLink.cmake does it.

set(TBAND_PROGRAM_ID ON CACHE BOOL
    "Link programs with tband twice, so that recordings identify their program (Makefile and Ninja generators)")

set(tband_link_script ${CMAKE_CURRENT_LIST_DIR}/TbandLink.cmake)

# Runs the build's link commands through TbandLink.cmake. Link commands of other programs run once and unchanged.
function(tband_identify_programs)
  get_property(launcher GLOBAL PROPERTY RULE_LAUNCH_LINK)
  if(NOT TBAND_PROGRAM_ID OR launcher MATCHES "TbandLink")
    return()
  endif()
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK
    "\"${CMAKE_COMMAND}\" \"-DTBAND_OBJCOPY=${CMAKE_OBJCOPY}\" -P \"${tband_link_script}\" -- ${launcher}")
endfunction()
