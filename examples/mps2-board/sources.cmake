# The board's files, for an example's CMakeLists.txt: mps2_executable(name source...).
set(MPS2_BOARD_DIR ${CMAKE_CURRENT_LIST_DIR})

function(mps2_executable name)
  add_executable(${name} ${ARGN}
    ${MPS2_BOARD_DIR}/startup.c
    ${MPS2_BOARD_DIR}/board.c
    ${MPS2_BOARD_DIR}/failed.c
    ${MPS2_BOARD_DIR}/recording.c
    ${MPS2_BOARD_DIR}/semihost.c)
  # Linked as C even with sources in C++, which do not use the C++ library.
  set_target_properties(${name} PROPERTIES
    LINKER_LANGUAGE C SUFFIX .elf C_STANDARD 11 C_STANDARD_REQUIRED ON LINK_DEPENDS ${MPS2_BOARD_DIR}/mps2.ld)
  target_include_directories(${name} PRIVATE ${MPS2_BOARD_DIR})
  target_link_libraries(${name} PRIVATE tband::tband)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror)
  target_link_options(${name} PRIVATE
    -nostartfiles --specs=nano.specs -T${MPS2_BOARD_DIR}/mps2.ld -Wl,--gc-sections)
endfunction()
