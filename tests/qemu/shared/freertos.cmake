# FreeRTOS on a Cortex-M4F and tband, for test firmware: the kernel's configuration of examples/mps2-an386, and tband with the
# definitions of SETTINGS. A port of tband other than the board's is in the folder `config` beside the firmware. ROOT is the repository.
set(BOARD ${ROOT}/examples/mps2-board)
set(FREERTOS_KERNEL_PATH "" CACHE PATH "Folder of the FreeRTOS-Kernel sources")

add_library(freertos_config INTERFACE)
target_include_directories(freertos_config SYSTEM INTERFACE ${ROOT}/examples/mps2-an386)
set(FREERTOS_PORT GCC_ARM_CM4F CACHE STRING "")
set(FREERTOS_HEAP 4 CACHE STRING "")
add_subdirectory(${FREERTOS_KERNEL_PATH} freertos_kernel)

add_library(tband_config INTERFACE)
target_include_directories(tband_config INTERFACE
  ${ROOT}/tests/firmware ${CMAKE_CURRENT_SOURCE_DIR}/config ${TBAND_PORT_DIR} ${BOARD})
target_compile_definitions(tband_config INTERFACE tband_configFREERTOS_TRACE_ENABLE=1 ${SETTINGS})
add_subdirectory(${ROOT} tband)
target_link_libraries(freertos_config INTERFACE tband::headers)

include(${BOARD}/sources.cmake)
