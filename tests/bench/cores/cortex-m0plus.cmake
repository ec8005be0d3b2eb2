# Toolchain: Arm's GCC for a Cortex-M0+, with the kernel's port for it. The program runs on the board's Cortex-M3, which
# has all of its instructions, and a timer that takes one load to read: QEMU's boards with a Cortex-M0 have none.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m0plus -mthumb -ffunction-sections -fdata-sections")
set(CMAKE_ASM_FLAGS_INIT "${CMAKE_C_FLAGS_INIT}")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(FREERTOS_PORT GCC_ARM_CM0 CACHE STRING "")
