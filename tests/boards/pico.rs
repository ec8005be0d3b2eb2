//! The Pico SDK: the page's project, with the kernel's own port for RP2040 and stand-ins for the SDK, as far as compiling.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use tband_tests::{guide, read, root, run, temp_dir, write};
use xtask::kernel;

use crate::{library, page};

const MAIN: &str = "#include \"tband.h\"\nint main(void) { return tband_trigger_snapshot(); }\n";

const TWO_CORES: &str = "#define configNUMBER_OF_CORES 2\n#define configTICK_CORE 0\n\
    #define configRUN_MULTIPLE_PRIORITIES 1\n#define configUSE_CORE_AFFINITY 1\n\
    #define configUSE_PASSIVE_IDLE_HOOK 0\n#define configSMP_SPINLOCK_0 14\n#define configSMP_SPINLOCK_1 15\n";
const ONE_CORE: &str = "#define configNUMBER_OF_CORES 1\n#define configTICK_CORE 0\n";

fn project(folder: &Path, cores: &str) {
    let here = root().join("tests/boards/pico");
    for name in ["pico_sdk_import.cmake", "FreeRTOS_Kernel_import.cmake"] {
        fs::copy(here.join(name), folder.join(name)).expect("copied");
    }
    symlink(root(), folder.join("tband")).expect("a link");
    write(folder.join("main.c"), MAIN);
    write(folder.join("CMakeLists.txt"), guide::block(&page("pico"), "Files", "cmake"));
    let blocks = guide::blocks(&page("pico"), "Files", "c");
    let [config, kernel_config] = blocks.as_slice() else { panic!("{blocks:?}") };
    write(folder.join("config/tband_config.h"), config);
    fs::copy(root().join("port/RP2040_FREERTOS/tband_port.h"), folder.join("config/tband_port.h"))
        .expect("copied");
    // The user's own, which has none of the page's lines.
    let own = read(root().join("tests/ports/FreeRTOSConfig.h"));
    let (own, _) = own.split_once("#define configUSE_TRACE_FACILITY").expect("its end");
    write(folder.join("config/FreeRTOSConfig.h"), format!("{own}{cores}{kernel_config}#endif\n"));
}

#[test]
fn the_page_s_project_compiles_for_one_core_and_for_two() {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let library = library("thumbv6m-none-eabi");
    for cores in [ONE_CORE, TWO_CORES] {
        let folder = temp_dir();
        let folder = folder.path();
        project(folder, cores);
        let mut cmake = Command::new("cmake");
        cmake
            .args(["-G", "Unix Makefiles"])
            .arg("-S")
            .arg(folder)
            .arg("-B")
            .arg(folder.join("build"));
        for setting in [
            "CMAKE_SYSTEM_NAME=Generic".to_owned(),
            "CMAKE_C_COMPILER=arm-none-eabi-gcc".to_owned(),
            "CMAKE_CXX_COMPILER=arm-none-eabi-g++".to_owned(),
            "CMAKE_ASM_COMPILER=arm-none-eabi-gcc".to_owned(),
            "CMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY".to_owned(),
            "CMAKE_C_FLAGS=-mcpu=cortex-m0plus -mthumb -Wall -Wextra -Werror".to_owned(),
            format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
            format!("STAND_IN={}", root().join("tests/ports/chips").display()),
            format!("TBAND_LIBRARY={}", library.display()),
        ] {
            cmake.arg(format!("-D{setting}"));
        }
        run(&mut cmake);
        // The SDK's start-up code and the kernel's port.c are not there, so nothing is linked.
        let build = folder.join("build");
        run(Command::new("cmake").arg("--build").arg(&build).args(["--target", "tband"]));
        run(Command::new("make").arg("-C").arg(&build).arg("main.obj"));
        let list = run(Command::new("arm-none-eabi-nm").arg(build.join("tband/libtband_shim.a")));
        let list = String::from_utf8(list).expect("names");
        // Between two cores the chip's lock is taken.
        assert_eq!(list.contains("U spin_lock_unsafe_blocking"), cores == TWO_CORES, "{list}");
    }
}
