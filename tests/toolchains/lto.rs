//! Link-time optimisation: functions that only assembler code calls are still there, the recorder's and the firmware's.

use std::process::Command;

use tband_tests::c::{config_text, include};
use tband_tests::library::library;
use tband_tests::{root, run, temp_dir, write};

/// Links the handlers, the files of faults and the shim; the names of the functions in the program.
fn linked(compiler: &str, cpu: &[&str], triple: &str, fault: &str) -> String {
    let folder = temp_dir();
    let config = [
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configFORMAT", "TBAND_FORMAT_PACKETS"),
        ("tband_configFREERTOS_TRACE_ENABLE", "0"),
    ];
    write(folder.path().join("tband_config.h"), config_text(&config));
    write(
        folder.path().join("tband_port.h"),
        "#define tband_portTIMESTAMP() 0ULL\n\
         #define tband_portTIMESTAMP_RESOLUTION_NS 1000\n\
         #define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)\n\
         #define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)\n",
    );
    let program = folder.path().join("program.elf");
    let mut command = Command::new(compiler);
    command.args(cpu).args(["-Os", "-flto", "-Wall", "-Wextra"]);
    command.args(["-nostartfiles", "-Wl,-e,start"]);
    include(&mut command, [folder.path(), &root().join("include"), &root().join("port")]);
    for source in ["tests/toolchains/lto/handlers.c", "tests/toolchains/lto/program.c", fault] {
        command.arg(root().join(source));
    }
    command.arg(root().join("port/tband_shim.c")).arg(library(triple));
    run(command.arg("-o").arg(&program));
    String::from_utf8(run(Command::new("nm").arg(&program))).expect("names")
}

#[test]
fn functions_called_by_assembly_survive_link_time_optimisation() {
    let m4: &[&str] = &[
        "-mcpu=cortex-m4",
        "-mthumb",
        "-mfloat-abi=hard",
        "-mfpu=fpv4-sp-d16",
        "--specs=nosys.specs",
    ];
    let m0: &[&str] = &["-mcpu=cortex-m0", "-mthumb", "--specs=nosys.specs"];
    for (cpu, triple) in [(m4, "thumbv7em-none-eabihf"), (m0, "thumbv6m-none-eabi")] {
        let names = linked("arm-none-eabi-gcc", cpu, triple, "port/tband_fault_cortex_m.c");
        for name in ["my_fault", "my_watchdog", "tband_fault_called", "tband_fault_taken"] {
            assert!(names.contains(&format!(" {name}\n")), "{triple}: {name}\n{names}");
        }
    }
}
