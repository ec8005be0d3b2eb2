//! The timers of the ports of Cortex-A and -R.

use std::process::Command;

use tband_tests::{finish, root, temp_dir};

use crate::boards::CORTEX_A9;
use crate::cpu::{Cpu, path_of};

/// Compiles the shim with a port that has these lines and then includes `header`. Returns the compiler's errors.
fn compile(cpu: &Cpu, flags: &[&str], lines: &str, header: &str) -> Result<(), String> {
    let folder = temp_dir();
    tband_tests::write(
        folder.path().join("tband_port.h"),
        format!("{lines}#include \"{header}\"\n"),
    );
    let mut command = Command::new(cpu.compiler);
    command.args(flags).args(["-Wall", "-Wextra", "-Werror", "-O2", "-c", "-I"]).arg(folder.path());
    for name in ["tests/cpus/shared", "include", "port"] {
        command.arg("-I").arg(root().join(name));
    }
    command.arg(root().join("port/tband_shim.c")).arg("-o").arg(folder.path().join("shim.o"));
    let finished = finish(&mut command);
    if finished.ok { Ok(()) } else { Err(finished.text()) }
}

/// Each timer that the ports of Cortex-A and -R name, and what they ask for.
#[test]
fn the_ports_timers_compile_and_what_is_missing_is_named() {
    const A_R: &str = "arm_a_r/tband_arm_a_r.h";
    let aligned = ["-mcpu=cortex-a7", "-mno-unaligned-access"];
    for lines in [
        "#define tband_portGENERIC_TIMER_HZ 24000000\n",
        "#define tband_portGLOBAL_TIMER 0xF8F00200\n#define tband_portGLOBAL_TIMER_HZ 333333343\n",
        "#define tband_portCPU_CLOCK_HZ 300000000\n",
        "#define tband_portCOUNTER32() 0U\n#define tband_portCOUNTER32_HZ 75000000\n",
    ] {
        for order in ["-mlittle-endian", "-mbig-endian"] {
            compile(&CORTEX_A9, &[&aligned[..], &[order, "-mthumb"]].concat(), lines, A_R)
                .unwrap_or_else(|printed| panic!("{lines}: {printed}"));
        }
    }
    let printed = compile(&CORTEX_A9, &aligned, "", A_R).expect_err("no timer");
    assert!(printed.contains("#define tband_portGENERIC_TIMER_HZ"), "{printed}");
    let clock = "#define tband_portCPU_CLOCK_HZ 300000000\n";
    let printed = compile(&CORTEX_A9, &aligned[..1], clock, A_R).expect_err("words at any address");
    assert!(printed.contains("-mno-unaligned-access"), "{printed}");
    let fine = format!("#define tband_portUNALIGNED_IS_FINE 1\n{clock}");
    compile(&CORTEX_A9, &aligned[..1], &fine, A_R).unwrap_or_else(|printed| panic!("{printed}"));
    // Before Armv7 there is no cycle counter, and in Thumb state no access to CPSR; before Armv6 no barrier for a second core.
    let counter = "#define tband_portCOUNTER32() 0U\n#define tband_portCOUNTER32_HZ 75000000\n";
    for flags in ["-mcpu=arm7tdmi", "-mcpu=arm926ej-s", "-mcpu=arm1176jz-s -mno-unaligned-access"] {
        let of = |state| flags.split(' ').chain([state]).collect::<Vec<_>>();
        compile(&CORTEX_A9, &of("-marm"), counter, A_R)
            .unwrap_or_else(|printed| panic!("{flags}: {printed}"));
        let printed = compile(&CORTEX_A9, &of("-marm"), clock, A_R).expect_err("no timer");
        assert!(printed.contains("no cycle counter"), "{flags}: {printed}");
        let printed = compile(&CORTEX_A9, &of("-mthumb"), counter, A_R).expect_err("Thumb");
        assert!(printed.contains("-marm"), "{flags}: {printed}");
    }
    let two = format!(
        "{counter}#define tband_portNUMBER_OF_CORES 2\n#define tband_portGET_CORE_ID() 0U\n\
         #define tband_portSPIN_LOCK() ((void)0)\n#define tband_portSPIN_UNLOCK() ((void)0)\n"
    );
    let printed =
        compile(&CORTEX_A9, &["-mcpu=arm926ej-s", "-marm"], &two, A_R).expect_err("two cores");
    assert!(printed.contains("several cores before Armv6"), "{printed}");
    let clang = Cpu { compiler: "clang", ..CORTEX_A9 };
    for (flags, is_fine) in [(&["-mstrict-align"][..], true), (&[], false)] {
        let target = ["--target=aarch64-none-elf", "-ffreestanding", "-I", "SHARED"];
        let shared = path_of("shared/nolibc").display().to_string();
        let target = target.map(|it| if it == "SHARED" { shared.as_str() } else { it });
        let compiled =
            compile(&clang, &[&target[..], flags].concat(), "", "arm_a_r/tband_aarch64.h");
        assert_eq!(compiled.is_ok(), is_fine, "{compiled:?}");
    }
}
