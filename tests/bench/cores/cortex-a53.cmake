# Toolchain: GCC for a Cortex-A53 in AArch64, with the kernel's port for it, on the board of tests/cpus. The compiler is the one for
# Linux, without its libraries: distributions have no other.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_ASM_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_C_FLAGS_INIT
    "-mcpu=cortex-a53 -mstrict-align -mgeneral-regs-only -mno-outline-atomics -fno-pie -fno-stack-protector -DGUEST -ffreestanding -ffunction-sections -fdata-sections")
set(CMAKE_ASM_FLAGS_INIT "-mcpu=cortex-a53 -DGUEST")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -no-pie -Wl,--defsym=RAM_AT=0x40080000")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(FREERTOS_PORT GCC_ARM_AARCH64 CACHE STRING "")
set(BENCH_CPU aarch64 CACHE STRING "")
set(BENCH_START aarch64/start.S CACHE STRING "")
set(BENCH_LD aarch64/board.ld CACHE STRING "")
