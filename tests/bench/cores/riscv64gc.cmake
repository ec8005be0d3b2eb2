# Toolchain: GCC for 64-bit RISC-V, with the kernel's port for it, on QEMU's machine `virt`.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_C_FLAGS_INIT
    "-march=rv64gc -mabi=lp64d -misa-spec=2.2 -mcmodel=medany --specs=picolibc.specs -ffunction-sections -fdata-sections")
set(CMAKE_ASM_FLAGS_INIT "-march=rv64gc -mabi=lp64d -misa-spec=2.2 -mcmodel=medany")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(FREERTOS_PORT GCC_RISC_V_GENERIC CACHE STRING "")
set(FREERTOS_RISCV_EXTENSION RISCV_MTIME_CLINT_no_extensions CACHE STRING "")
