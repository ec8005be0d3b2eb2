# Toolchain: Arm's GCC for a Cortex-A9, with the kernel's port for it, on the board of tests/cpus.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
set(CMAKE_C_FLAGS_INIT
    "-mcpu=cortex-a9 -mfpu=neon-vfpv3 -mfloat-abi=hard -marm -mno-unaligned-access -ffreestanding -ffunction-sections -fdata-sections")
set(CMAKE_ASM_FLAGS_INIT "${CMAKE_C_FLAGS_INIT}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--defsym=RAM_AT=0x100000")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(FREERTOS_PORT GCC_ARM_CA9 CACHE STRING "")
set(BENCH_CPU cortex_a9 CACHE STRING "")
set(BENCH_START shared/arm32_start.S CACHE STRING "")
set(BENCH_LD shared/arm32.ld CACHE STRING "")
