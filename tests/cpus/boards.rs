//! The CPUs, on boards of QEMU.

use xtask::xtensa;

use crate::cpu::Cpu;

pub(crate) const CORTEX_A9: Cpu = Cpu {
    folder: "cortex_a9",
    triple: "armv7a-none-eabihf",
    compiler: "arm-none-eabi-gcc",
    flags: "-mcpu=cortex-a9 -mfpu=neon-vfpv3 -mfloat-abi=hard -marm -mno-unaligned-access -DCHECK_ALIGNMENT",
    link: "-Wl,--defsym=RAM_AT=0x100000",
    start: "shared/arm32_start.S",
    ld: "shared/arm32.ld",
    kernel: "ARM_CA9",
    emulator: "qemu-system-arm -M xilinx-zynq-a9 -m 128M -nic none",
};

pub(crate) const CORTEX_R5: Cpu = Cpu {
    folder: "cortex_r5",
    triple: "armv7r-none-eabihf",
    compiler: "arm-none-eabi-gcc",
    flags: "-mcpu=cortex-r5 -mfpu=vfpv3-d16 -mfloat-abi=hard -marm -mno-unaligned-access -DNO_VBAR \
            -DKERNEL_SVC_HANDLER=FreeRTOS_SVC_Handler -DCHECK_ALIGNMENT",
    link: "-Wl,--defsym=RAM_AT=0",
    start: "shared/arm32_start.S",
    ld: "shared/arm32.ld",
    kernel: "ARM_CRx_No_GIC",
    emulator: "qemu-system-arm -M realview-pb-a8 -cpu cortex-r5f -m 128M -nic none",
};

/// It is big endian in its data, and little endian in its instructions (BE8).
pub(crate) const CORTEX_R5_BIG: Cpu = Cpu {
    triple: "armebv7r-none-eabihf",
    flags: "-mcpu=cortex-r5 -mfpu=vfpv3-d16 -mfloat-abi=hard -marm -mno-unaligned-access -mbig-endian -DBIG \
            -DNO_VBAR -DKERNEL_SVC_HANDLER=FreeRTOS_SVC_Handler -DCHECK_ALIGNMENT",
    link: "-Wl,-EB -Wl,--be8 -Wl,--defsym=RAM_AT=0",
    ..CORTEX_R5
};

/// It has no atomic loads and stores: the recorder has cells in their place. The kernel has no port for it; that of a chip with an
/// ARM7 runs, with the timer and the interrupt controller of the board.
pub(crate) const ARM926: Cpu = Cpu {
    folder: "arm926",
    triple: "armv5te-none-eabi",
    compiler: "arm-none-eabi-gcc",
    flags: "-mcpu=arm926ej-s -marm -DCHECK_ALIGNMENT",
    link: "-Wl,--defsym=RAM_AT=0",
    start: "arm926/start.S",
    ld: "shared/arm32.ld",
    kernel: "ARM7_LPC2000",
    emulator: "qemu-system-arm -M versatilepb -m 128M -nic none",
};

/// Its instructions are a part of those of Armv5: the same board runs them.
pub(crate) const ARM7TDMI: Cpu =
    Cpu { triple: "armv4t-none-eabi", flags: "-mcpu=arm7tdmi -marm -DCHECK_ALIGNMENT", ..ARM926 };

/// In EL1, with a GICv2. Nothing here uses the FPU, which the kernel's handlers of interrupts do not save.
pub(crate) const AARCH64: Cpu = Cpu {
    folder: "aarch64",
    triple: "aarch64-unknown-none",
    compiler: "aarch64-linux-gnu-gcc",
    flags: "-mcpu=cortex-a53 -mstrict-align -mgeneral-regs-only -mno-outline-atomics -Wa,-march=armv8-a+fp+simd \
            -fno-pie -fno-stack-protector -DCHECK_ALIGNMENT -DGUEST -DAPP_NO_FLOAT",
    link: "-static -no-pie -Wl,--defsym=RAM_AT=0x40080000",
    start: "aarch64/start.S",
    ld: "aarch64/board.ld",
    kernel: "ARM_AARCH64",
    emulator: "qemu-system-aarch64 -M virt,gic-version=2 -cpu cortex-a53 -m 128M -nic none",
};

/// With a GICv3, whose interface of the CPU is in system registers. Without the kernel there is no difference.
pub(crate) const AARCH64_GIC3: Cpu = Cpu {
    flags: "-mcpu=cortex-a53 -mstrict-align -mgeneral-regs-only -mno-outline-atomics -Wa,-march=armv8-a+fp+simd \
            -fno-pie -fno-stack-protector -DCHECK_ALIGNMENT -DGUEST -DGIC3 -DAPP_NO_FLOAT",
    kernel: "ARM_AARCH64_SRE",
    emulator: "qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a53 -m 128M -nic none",
    ..AARCH64
};

pub(crate) const RISCV64: Cpu = Cpu {
    folder: "riscv",
    triple: "riscv64gc-unknown-none-elf",
    compiler: "riscv64-unknown-elf-gcc",
    flags: "-march=rv64gc -mabi=lp64d -mcmodel=medany -misa-spec=2.2",
    link: "-static",
    start: "riscv/start.S",
    ld: "riscv/board.ld",
    kernel: "RISC-V",
    emulator: "qemu-system-riscv64 -M virt -bios none -m 128M -nic none",
};

/// Functions pass floating-point values of single precision in registers.
pub(crate) const RISCV32_F: Cpu = Cpu {
    triple: "riscv32imafc-unknown-none-elf",
    flags: "-march=rv32imafc -mabi=ilp32f -mcmodel=medany -misa-spec=2.2",
    emulator: "qemu-system-riscv32 -M virt -bios none -m 128M -nic none",
    ..RISCV64
};

/// It has 16 registers and nothing else: the emulator refuses instructions of the extensions and the other registers.
pub(crate) const RISCV32_E: Cpu = Cpu {
    triple: "riscv32e-unknown-none-elf",
    flags: "-march=rv32e -mabi=ilp32e -mcmodel=medany -misa-spec=2.2",
    emulator: "qemu-system-riscv32 -M virt -cpu \
               rv32,e=true,i=false,g=false,h=false,m=false,a=false,f=false,d=false,c=false,s=false,u=false -bios \
               none -m 128M -nic none",
    ..RISCV64
};

/// With windows of registers, as the cores of ESP32, ESP32-S2 and ESP32-S3; it has the timer's interrupts in every mode. The kernel's own
/// ports are in packages of their own; `xtensa_port` tests one.
pub(crate) const XTENSA: Cpu = Cpu {
    folder: "xtensa",
    triple: xtensa::TRIPLE,
    compiler: "",
    flags: "-DAPP_HAS_INTERRUPTS -DAPP_NO_FLOAT",
    link: "",
    start: "xtensa/start.S",
    ld: "xtensa/board.ld",
    kernel: "",
    emulator: "qemu-system-xtensa -M sim -cpu dc233c -m 16M",
};

/// Two cores of the kernel's own port for several, whose tasks run in EL0. QEMU has no Cortex-R82: without its MPU a Cortex-A53 does the
/// same.
pub(crate) const CORTEX_R82: Cpu = Cpu {
    folder: "cortex_r82",
    triple: "aarch64-unknown-none",
    flags: "-mcpu=cortex-a53 -mstrict-align -mgeneral-regs-only -mno-outline-atomics -Wa,-march=armv8-a+fp+simd \
            -fno-pie -fno-stack-protector -DCORES=2 -DAPP_NO_FLOAT",
    start: "cortex_r82/start.S",
    kernel: "ARM_CR82",
    // Tasks write the recording: that is in user space.
    emulator: "qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a53 -smp 2 -m 128M -nic none \
               -semihosting-config enable=on,userspace=on",
    ..AARCH64
};
