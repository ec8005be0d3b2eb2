# The kernel's POSIX port and tband with the definitions of KERNEL_SETTINGS and SETTINGS, for the programs beside this file.
set(FREERTOS_KERNEL_PATH "" CACHE PATH "Folder of the FreeRTOS-Kernel sources")
set(TBAND_PATH "${CMAKE_CURRENT_SOURCE_DIR}/../../.." CACHE PATH "Folder of tband")

add_library(freertos_config INTERFACE)
target_include_directories(freertos_config SYSTEM INTERFACE ${CMAKE_CURRENT_LIST_DIR})
target_compile_definitions(freertos_config INTERFACE projCOVERAGE_TEST=0 ${KERNEL_SETTINGS})
set(FREERTOS_PORT GCC_POSIX CACHE STRING "")
set(FREERTOS_HEAP 3 CACHE STRING "")
add_subdirectory(${FREERTOS_KERNEL_PATH} freertos_kernel)

add_library(tband_config INTERFACE)
target_include_directories(tband_config INTERFACE
  ${TBAND_PATH}/tests/firmware ${TBAND_PATH}/port/POSIX_FREERTOS)
target_compile_definitions(tband_config INTERFACE
  tband_configFREERTOS_TRACE_ENABLE=1 tband_configUSE_BACKEND_SNAPSHOT=1 tband_configALLOW_INJECT=1 ${SETTINGS})
add_subdirectory(${TBAND_PATH} tband)
target_link_libraries(freertos_config INTERFACE tband::headers)

# A program of these sources.
function(posix_program name)
  add_executable(${name} ${ARGN} ${TBAND_PATH}/port/POSIX_FREERTOS/tband_port.c)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror)
  target_link_libraries(${name} PRIVATE freertos_kernel tband::tband)
endfunction()
