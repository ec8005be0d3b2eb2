//! Compiles the kernel, the C side of `freertos-rust` and that of tband into one library: they share the
//! kernel's headers and this example's configuration.

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use freertos_cargo_build::Builder;

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=FREERTOS_KERNEL_PATH");
    let kernel = PathBuf::from(env::var_os("FREERTOS_KERNEL_PATH").unwrap_or_default());
    if !kernel.join("tasks.c").is_file() {
        eprintln!(
            "No FreeRTOS kernel sources in FREERTOS_KERNEL_PATH (\"{}\").\n\
             Get them and name their folder:\n  \
             git clone --depth 1 --branch V11.2.0 https://github.com/FreeRTOS/FreeRTOS-Kernel\n  \
             FREERTOS_KERNEL_PATH=$PWD/FreeRTOS-Kernel cargo build",
            kernel.display()
        );
        return ExitCode::FAILURE;
    }
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // The folder of tband's C files, as reported by the crate `tband`.
    let tband = PathBuf::from(env::var_os("DEP_TBAND_ROOT").unwrap_or_default());

    let mut builder = Builder::new();
    builder.freertos(&kernel);
    builder.freertos_port("ThirdParty/GCC/Posix");
    builder.heap("heap_4.c");
    builder.freertos_config(&here); // FreeRTOSConfig.h

    // tband: the shim and the hooks, compiled with your tband_config.h and tband_port.h.
    let port = tband.join("port/POSIX_FREERTOS");
    builder.add_build_file(tband.join("port/tband_shim.c"));
    builder.add_build_file(tband.join("freertos-hooks/tband_freertos.c"));
    builder.add_build_file(port.join("tband_port.c"));
    let includes = [here.join("config"), port, tband.join("include"), tband.join("freertos-hooks")];
    for folder in &includes {
        rerun_if_changed(folder);
    }

    let cc = builder.get_cc();
    cc.includes(&includes);
    // Only for the POSIX port on a 64-bit machine, see there.
    cc.flag("-include").flag(here.join("posix_32bit.h").display().to_string());
    cc.define("_GNU_SOURCE", "");
    rerun_if_changed(&here.join("posix_32bit.h"));
    // The kernel's and freertos-rust's own.
    cc.warnings(false);
    // The whole archive, because Rust's libraries, which follow it on the linker's command line, call it
    // too.
    cc.link_lib_modifier("+whole-archive");

    match builder.compile() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn rerun_if_changed(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}
