# A kernel port with memory protection and tband with the definitions of SETTINGS, for firmware on QEMU's MPS2 boards. WRAPPERS is 1
# or 2, FREERTOS_PORT the kernel's port, ROOT the repository.
set(FREERTOS_KERNEL_PATH "" CACHE PATH "")
set(FREERTOS_PORT GCC_ARM_CM4_MPU CACHE STRING "")
set(WRAPPERS 2 CACHE STRING "")
set(ACCESS_CONTROL_LIST 0 CACHE STRING "")
set(FREERTOS_HEAP 4 CACHE STRING "")
set(BOARD ${ROOT}/examples/mps2-board)
set(LINKER_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/program/mpu.ld)

add_library(freertos_config INTERFACE)
target_include_directories(freertos_config SYSTEM INTERFACE ${CMAKE_CURRENT_LIST_DIR}/program)
target_compile_definitions(freertos_config INTERFACE
  configENABLE_ACCESS_CONTROL_LIST=${ACCESS_CONTROL_LIST})
if(WRAPPERS EQUAL 1)
  target_compile_definitions(freertos_config INTERFACE configUSE_MPU_WRAPPERS_V1=1)
endif()
add_subdirectory(${FREERTOS_KERNEL_PATH} freertos_kernel)

add_library(tband_config INTERFACE)
target_include_directories(tband_config INTERFACE
  ${ROOT}/tests/firmware ${ROOT}/examples/mps2-an386/config ${BOARD})
target_compile_definitions(tband_config INTERFACE TEST_SECTION=.psram
  tband_configFREERTOS_TRACE_ENABLE=1 tband_configMEMORY_PROTECTION=1
  tband_configBACKEND_SNAPSHOT_BUF_SIZE=1048576 ${SETTINGS})
add_subdirectory(${ROOT} tband)
target_link_libraries(freertos_config INTERFACE tband::headers)

# The firmware `program` of these sources.
function(mpu_program)
  add_executable(program ${ARGN}
    ${BOARD}/startup.c ${BOARD}/board.c ${BOARD}/failed.c ${BOARD}/recording.c ${BOARD}/semihost.c)
  set_target_properties(program PROPERTIES
    SUFFIX .elf C_STANDARD 11 C_STANDARD_REQUIRED ON LINK_DEPENDS ${LINKER_SCRIPT})
  target_include_directories(program PRIVATE ${BOARD})
  target_link_libraries(program PRIVATE freertos_kernel tband::tband)
  target_compile_options(program PRIVATE -Wall -Wextra -Werror)
  target_link_options(program PRIVATE
    -nostartfiles --specs=nano.specs -T${LINKER_SCRIPT} -Wl,--gc-sections)
endfunction()
