//! Several images in one build, and tband in several parts of it.

use std::process::Command;

use tband_tests::{guide, root, run, write};

use crate::{MAIN, Project, add_subdirectory, assert_contains, cmake, lists, prebuilt};

/// The lines of the guide for a second image, which has another configuration.
fn second() -> String {
    guide::block("start/installing", "CMake: several images", "cmake")
}

impl Project {
    /// With a second image, whose snapshot is half as large.
    fn with_second(how: &str) -> Self {
        let project = Self::new(&format!("{}{}", lists(how), second()));
        let config = std::fs::read_to_string(project.path("config/tband_config.h")).expect("text");
        write(
            project.path("bootloader/tband_config.h"),
            format!("{config}#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 16384\n"),
        );
        let port = std::fs::read_to_string(project.path("config/tband_port.h")).expect("text");
        write(project.path("bootloader/tband_port.h"), port);
        let check =
            "#if tband_configBACKEND_SNAPSHOT_BUF_SIZE != 16384\n#error the first one's\n#endif\n";
        write(project.path("boot.c"), format!("{MAIN}{check}"));
        project
    }
}

/// Builds both at once, each with the shim in its own configuration.
#[test]
fn two_images_with_two_configurations() {
    let project = Project::with_second(&add_subdirectory());
    run(project.configure("Ninja").arg(prebuilt()));
    project.build_and_run();
    let second = run(&mut Command::new(project.path("build/bootloader")));
    let first = run(&mut Command::new(project.path("build/user")));
    assert!(
        !second.is_empty() && second != first,
        "the recordings name the sizes of their buffers"
    );
}

/// Both kernels are examined: each image's headers have the version of its kernel.
#[test]
fn each_image_has_its_own_kernel() {
    let mut how = String::from("set(TBAND_FREERTOS_TARGET old)\n");
    how += &add_subdirectory();
    let kernels = "add_library(old STATIC old/tasks.c)\nadd_library(new STATIC new/tasks.c)\n\
         target_link_libraries(old tband::headers)\ntarget_link_libraries(new tband::bootloader_headers)\n";
    let project = Project::with_second(&how);
    let second = second().replace(
        "bootloader_config)\n\nadd_exe",
        "bootloader_config FREERTOS_TARGET new)\n\nadd_exe",
    );
    write(project.path("CMakeLists.txt"), format!("{}{second}{kernels}", lists(&how)));
    for (name, minor) in [("old", 1), ("new", 2)] {
        let check = format!(
            "#include \"tband.h\"\n#if tband_configFREERTOS_VERSION != 110{minor}00\n#error wrong\n#endif\nint {name};\n"
        );
        write(project.path(&format!("{name}/tasks.c")), check);
        write(
            project.path(&format!("{name}/include/task.h")),
            format!(
                "#define tskKERNEL_VERSION_MAJOR 11\n#define tskKERNEL_VERSION_MINOR {minor}\n\
                 #define tskKERNEL_VERSION_BUILD 0\n"
            ),
        );
    }
    run(project.configure("Ninja").arg(prebuilt()));
    run(cmake().arg("--build").arg(project.path("build")));
}

/// Faults of the second image are reported.
#[test]
fn reports_mistakes_of_the_second_image() {
    let line = "tband_add_library(bootloader CONFIG bootloader_config)";
    for (instead, output) in [
        ("tband_add_library(bootloader)", "write tband_add_library(bootloader CONFIG target"),
        ("tband_add_library(bootloader CONFIG none)", "is none, and there is no such target"),
        ("tband_add_library(headers CONFIG bootloader_config)", "take another name"),
        ("tband_add_library(tband CONFIG bootloader_config)", "take another name"),
        (
            "tband_add_library(bootloader CONFIG bootloader_config FREERTOS_TARGET none)",
            "FREERTOS_TARGET of tband_add_library(bootloader) is none, and there is no such target",
        ),
    ] {
        let project = Project::with_second(&add_subdirectory());
        let text = std::fs::read_to_string(project.path("CMakeLists.txt")).expect("text");
        write(project.path("CMakeLists.txt"), text.replace(line, instead));
        assert_contains(&project.fail_to_configure(&[prebuilt()]), &[output]);
    }
    let project = Project::with_second(&add_subdirectory());
    let wrong = "#define tband_configUSE_BACKEND_SNAPSHOTS 1\n";
    write(project.path("bootloader/tband_config.h"), wrong);
    assert_contains(
        &project.fail_to_configure(&[prebuilt()]),
        &["tband_configUSE_BACKEND_SNAPSHOTS, in", "bootloader"],
    );
}

/// Two libraries of a build each add tband: it is there once.
#[test]
fn tband_in_two_parts_of_a_build() {
    let again = format!("{}\nadd_subdirectory({} again)", add_subdirectory(), root().display());
    let fetched = format!(
        "include(FetchContent)\nFetchContent_Declare(tband SOURCE_DIR {})\nFetchContent_MakeAvailable(tband)\n{}",
        root().display(),
        add_subdirectory()
    );
    for how in [again, fetched] {
        let project = Project::new(&lists(&how));
        run(project.configure("Ninja").arg(prebuilt()));
        project.build_and_run();
    }
}

/// A generator with several configurations, and cargo's library in each.
#[test]
fn several_configurations_in_a_build_folder() {
    let project = Project::with_second(&add_subdirectory());
    run(project.configure("Ninja Multi-Config").arg(prebuilt()));
    for config in ["Debug", "Release"] {
        run(cmake().arg("--build").arg(project.path("build")).args(["--config", config]));
        for name in ["user", "bootloader"] {
            run(&mut Command::new(project.path("build").join(config).join(name)));
        }
    }
}

/// The toolchain and the generator come from presets.
#[test]
fn presets() {
    let project = Project::new(&lists(&add_subdirectory()));
    let toolchain = root().join("examples/bare-metal/cortex-m3.cmake");
    let presets = serde_json::json!({
        "version": 2,
        "configurePresets": [{
            "name": "m3",
            "generator": "Ninja Multi-Config",
            "binaryDir": "${sourceDir}/a b+\u{fc}",
            "cacheVariables": { "CMAKE_TOOLCHAIN_FILE": toolchain, "CMAKE_CROSS_CONFIGS": "all" },
        }],
    });
    write(project.path("CMakePresets.json"), presets.to_string());
    run(cmake().current_dir(project.path(".")).args(["--preset", "m3"]));
    let rules = std::fs::read_to_string(project.path("a b+\u{fc}/CMakeFiles/impl-Debug.ninja"))
        .expect("rules");
    assert!(rules.contains("thumbv7m-none-eabi"), "{rules}");
}
