cmake_minimum_required(VERSION 3.20)
set(CMAKE_C_STANDARD 11)
project(simulation C)

set(KERNEL FreeRTOS-Kernel)
set(PORT ${KERNEL}/portable/ThirdParty/GCC/Posix)

add_executable(simulation)

# Those of targets after it: not of the program.
add_compile_options(-Wall -Wextra -Wpedantic -Werror -fanalyzer -fsanitize=address -fsanitize=undefined)
add_link_options(-fsanitize=address -fsanitize=undefined)

target_sources(simulation PRIVATE
  ${KERNEL}/tasks.c ${KERNEL}/queue.c ${KERNEL}/list.c ${KERNEL}/timers.c
  ${KERNEL}/portable/MemMang/heap_4.c ${PORT}/port.c ${PORT}/utils/wait_for_event.c
  src/main.c)
target_include_directories(simulation PRIVATE inc ${KERNEL}/include ${PORT})
