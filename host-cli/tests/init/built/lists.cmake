cmake_minimum_required(VERSION 3.20)
project(firmware C ASM)

add_library(freertos_config INTERFACE)
target_include_directories(freertos_config SYSTEM INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
set(FREERTOS_PORT GCC_ARM_CM4F CACHE STRING "")
set(FREERTOS_HEAP 4 CACHE STRING "")
add_subdirectory(FreeRTOS-Kernel)

add_executable(firmware
  src/main.c src/save.c
  board/startup.c board/board.c board/failed.c board/semihost.c)
set_target_properties(firmware PROPERTIES SUFFIX .elf)
target_include_directories(firmware PRIVATE board)
target_compile_options(firmware PRIVATE -O2 -Wall -Wextra)
target_link_libraries(firmware PRIVATE freertos_kernel)
target_link_options(firmware PRIVATE -nostartfiles --specs=nano.specs
  "-T${CMAKE_CURRENT_SOURCE_DIR}/board/mps2.ld" -Wl,--gc-sections)
