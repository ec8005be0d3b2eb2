# The libraries of the kernel's port for RP2040, as its library.cmake makes them.
add_library(FreeRTOS-Kernel-Core INTERFACE)
target_sources(FreeRTOS-Kernel-Core INTERFACE ${FREERTOS_KERNEL_PATH}/tasks.c ${FREERTOS_KERNEL_PATH}/queue.c)
target_include_directories(FreeRTOS-Kernel-Core INTERFACE ${FREERTOS_KERNEL_PATH}/include)
add_library(FreeRTOS-Kernel INTERFACE)
target_include_directories(FreeRTOS-Kernel INTERFACE
  ${FREERTOS_KERNEL_PATH}/portable/ThirdParty/GCC/RP2040/include ${CMAKE_CURRENT_SOURCE_DIR}/config)
target_link_libraries(FreeRTOS-Kernel INTERFACE FreeRTOS-Kernel-Core pico_base_headers)
add_library(FreeRTOS-Kernel-Heap4 INTERFACE)
target_link_libraries(FreeRTOS-Kernel-Heap4 INTERFACE FreeRTOS-Kernel)
