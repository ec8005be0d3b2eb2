//! The flash cost of recording a crash: `port/tband_fault_cortex_m.c`, compared with the page.

use std::process::Command;

use tband_tests::{read, root, run, temp_dir, write};
use xtask::kernel;

const CONFIG: &str = "#define tband_configENABLE 1\n\
                      #define tband_configFORMAT TBAND_FORMAT_PACKETS\n\
                      #define tband_configUSE_BACKEND_POST_MORTEM 1\n\
                      #define tband_configPACKET_BUF_ATTRIBUTE\n";

/// Bytes of all of the file, and without what only assertions and the kernel's hooks need.
fn bytes(cpu: &str, has_kernel: bool) -> [u32; 2] {
    let folder = temp_dir();
    let object = folder.path().join("fault.o");
    let mut gcc = Command::new("arm-none-eabi-gcc");
    gcc.args([&format!("-mcpu={cpu}"), "-mthumb", "-Os", "-std=c11", "-Wall", "-Werror"]);
    if has_kernel {
        gcc.args(["-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"]);
        let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
        for include in ["include", "portable/GCC/ARM_CM4F"] {
            gcc.arg("-isystem").arg(kernel.join(include));
        }
        gcc.arg("-I").arg(root().join("examples/crash"));
        gcc.arg("-I").arg(root().join("freertos-hooks"));
    } else {
        write(folder.path().join("tband_config.h"), CONFIG);
        gcc.arg("-I").arg(folder.path());
    }
    for include in ["include", "port", "examples/crash/config", "examples/mps2-board"] {
        gcc.arg("-I").arg(root().join(include));
    }
    run(gcc.arg("-c").arg(root().join("port/tband_fault_cortex_m.c")).arg("-o").arg(&object));
    let text = |command: &mut Command| String::from_utf8(run(command.arg(&object))).expect("text");
    let sizes = text(&mut Command::new("arm-none-eabi-size"));
    let all = sizes.lines().nth(1).and_then(|line| line.split_whitespace().next()?.parse().ok());
    let all: u32 = all.unwrap_or_else(|| panic!("{sizes}"));
    let symbols = text(Command::new("arm-none-eabi-nm").arg("-S"));
    let of = |name: &str| {
        let line = symbols.lines().find(|line| line.ends_with(name));
        let size = line.and_then(|line| line.split_whitespace().nth(1));
        size.map_or(0, |size| u32::from_str_radix(size, 16).expect("digits"))
    };
    let hooks = [" tband_fault_called", " tband_fault_here", " tband_fault_switched"].map(of);
    assert!(hooks[0] > 0 && hooks[1] > 0, "{symbols}");
    [all - hooks.iter().sum::<u32>(), all]
}

#[test]
fn crash_recording_fits_the_documented_flash_size() {
    let page = read(root().join("docs/src/reference/cost.md"));
    for (row, cpu, has_kernel) in [
        ("Cortex-M0, no RTOS", "cortex-m0", false),
        ("Cortex-M4, no RTOS", "cortex-m4", false),
        ("Cortex-M4, FreeRTOS: the task and its stack too", "cortex-m4", true),
    ] {
        let line = page.lines().find(|line| line.starts_with(&format!("| {row} |")));
        let line = line.unwrap_or_else(|| panic!("{row} is not on the page"));
        let output: Vec<u32> = line.split('|').filter_map(|it| it.trim().parse().ok()).collect();
        let measured = bytes(cpu, has_kernel);
        println!("{row}: {measured:?} of {output:?}");
        assert_eq!(output.len(), 2, "{line}");
        for (measured, output) in measured.into_iter().zip(output) {
            assert!(
                measured <= output && output - measured < 32,
                "{row}: {measured}, but {output} on the page"
            );
        }
        // What the handler of a fault may take.
        assert!(measured[0] <= 850, "{row}: {measured:?}");
    }
}
