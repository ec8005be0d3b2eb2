//! The Pico SDK: the page's project, with the kernel's own port for RP2040 and a mock of the SDK, as far as compiling.

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

/// Configures the example's `CMakeLists.txt` with mocks of the SDK and of the integration of the kernel.
fn configure(example: &Path, build: &Path, sdk: &Path, board: &str, settings: &[String]) {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let here = root().join("tests/boards/pico");
    let imports = sdk.join("external/pico_sdk_import.cmake");
    fs::create_dir_all(imports.parent().expect("a folder")).expect("made");
    fs::copy(here.join("pico_sdk_import.cmake"), &imports).expect("copied");
    let mut cmake = Command::new("cmake");
    cmake.args(["-G", "Unix Makefiles"]).arg("-S").arg(example).arg("-B").arg(build);
    for setting in [
        "CMAKE_SYSTEM_NAME=Generic".to_owned(),
        "CMAKE_C_COMPILER=arm-none-eabi-gcc".to_owned(),
        "CMAKE_CXX_COMPILER=arm-none-eabi-g++".to_owned(),
        "CMAKE_ASM_COMPILER=arm-none-eabi-gcc".to_owned(),
        "CMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY".to_owned(),
        format!("CMAKE_C_FLAGS={board} -mthumb -Werror"),
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("FREERTOS_KERNEL_IMPORT={}", here.join("FreeRTOS_Kernel_import.cmake").display()),
        format!("PICO_SDK_PATH={}", sdk.display()),
        format!("STAND_IN={}", root().join("tests/ports/chips").display()),
    ] {
        cmake.arg(format!("-D{setting}"));
    }
    run(cmake.args(settings));
}

/// Every file of `examples/rp2040-smp`, tband's own and the kernel's, for both chips and both backends.
#[test]
fn the_example_compiles_for_both_chips() {
    const RP2040: &str = "-mcpu=cortex-m0plus";
    const RP2350: &str = "-mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard";
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let example = root().join("examples/rp2040-smp");
    for (board, triple) in [(RP2040, "thumbv6m-none-eabi"), (RP2350, "thumbv8m.main-none-eabihf")] {
        let library = library(triple);
        for backend in ["streaming", "post-mortem"] {
            let folder = temp_dir();
            let (build, sdk) = (folder.path().join("build"), folder.path().join("sdk"));
            let settings = [
                format!("-DTBAND_LIBRARY={}", library.display()),
                format!("-DTBAND_BACKEND={backend}"),
            ];
            configure(&example, &build, &sdk, board, &settings);
            // The SDK's start-up code and the kernel's port.c are not there, so nothing is linked.
            run(Command::new("cmake").arg("--build").arg(&build).args(["--target", "tband"]));
            let sources = fs::read_dir(example.join("src")).expect("a folder");
            let names = sources.map(|it| it.expect("a file").file_name());
            for name in names.map(|name| name.into_string().expect("a name")) {
                let Some(stem) = name.strip_suffix(".c") else { continue };
                run(Command::new("make").arg("-C").arg(&build).arg(format!("src/{stem}.obj")));
            }
            // The kernel calls the hooks.
            for name in ["tasks", "queue"] {
                let object = kernel.join(name).display().to_string();
                let object = format!("{}.obj", object.trim_start_matches('/'));
                run(Command::new("make").arg("-C").arg(&build).arg(object));
            }
            let shim = build.join("tband/libtband_shim.a");
            let list = run(Command::new("arm-none-eabi-nm").arg(&shim));
            let list = String::from_utf8(list).expect("names");
            // RP2350's cores have compare-and-swap.
            assert_eq!(list.contains("U spin_lock_unsafe_blocking"), board == RP2040, "{list}");
        }
    }
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
