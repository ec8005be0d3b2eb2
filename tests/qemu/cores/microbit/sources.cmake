# The examples on the micro:bit, for its Cortex-M0: takes the place of examples/mps2-board.
set(BOARD ${CMAKE_CURRENT_LIST_DIR}/../../../../examples/mps2-board)
set(HERE ${CMAKE_CURRENT_LIST_DIR})
set(BOARD_RAM 16K CACHE STRING "Memory to link for; the emulated chip can have more than the real one")
target_include_directories(tband_config INTERFACE ${BOARD})

function(mps2_executable name)
  add_executable(${name} ${ARGN}
    ${HERE}/board.c ${BOARD}/startup.c ${BOARD}/failed.c ${BOARD}/semihost.c ${BOARD}/recording.c)
  set_target_properties(${name} PROPERTIES
    LINKER_LANGUAGE C SUFFIX .elf C_STANDARD 11 C_STANDARD_REQUIRED ON)
  target_link_libraries(${name} PRIVATE tband::tband)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror)
  target_link_options(${name} PRIVATE -nostartfiles --specs=nano.specs -T${BOARD}/mps2.ld
    -Wl,--defsym=board_ram_size=${BOARD_RAM} -Wl,--gc-sections)
endfunction()
