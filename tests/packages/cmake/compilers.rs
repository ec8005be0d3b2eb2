//! The ways in which CMake is given a compiler and its flags: the library is built for the CPU that they name.

use std::fs;
use std::process::Command;

use tband_tests::{finish, root, run};

use crate::{Project, add_subdirectory, cmake, lists};

/// Configures a project with a text between `project()` and tband, and checks that its library is for the target.
#[track_caller]
fn is_built_for(triple: &str, before: &str, compiler: &str, arguments: &[&str]) {
    let lists = lists(&add_subdirectory())
        .replace("project(user", "set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\nproject(user")
        .replace("add_library(tband_config", &format!("{before}\nadd_library(tband_config"));
    let project = Project::new(&lists);
    run(project.configure("Ninja").env("CC", compiler).args(arguments));
    let rules = fs::read_to_string(project.path("build/build.ninja")).expect("rules of Ninja");
    assert!(rules.contains(&format!("-DTBAND_TRIPLE={triple} ")), "no library for {triple}");
}

const CROSS: [&str; 2] = ["-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_SYSTEM_PROCESSOR=arm"];

#[test]
fn a_launcher_before_the_compiler() {
    let [name, processor] = CROSS;
    // As ccache: runs what follows it.
    let flags = "-DCMAKE_C_FLAGS=-mcpu=cortex-m3 -mthumb";
    is_built_for("thumbv7m-none-eabi", "", "env arm-none-eabi-gcc", &[name, processor, flags]);
}

#[test]
fn options_for_the_shell() {
    let options = "add_compile_options(\"SHELL:-mcpu=cortex-m4 -mthumb\" -Wall)";
    is_built_for("thumbv7em-none-eabi", options, "arm-none-eabi-gcc", &CROSS);
}

#[test]
fn the_target_of_clang() {
    let [name, processor] = CROSS;
    let target = "-DCMAKE_C_COMPILER_TARGET=thumbv7m-none-eabi";
    is_built_for("thumbv7m-none-eabi", "", "clang", &[name, processor, target]);
}

/// The CPU of one program only: tband gets its options by the configuration, and is built for no other CPU.
#[test]
fn options_of_one_program() {
    let options = "target_compile_options(tband_config INTERFACE -mcpu=cortex-m33 -mthumb)";
    let after =
        |lists: &str| lists.replace("add_subdirectory(", &format!("{options}\nadd_subdirectory("));
    let lists = after(&lists(&add_subdirectory()))
        .replace("project(user", "set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\nproject(user");
    let project = Project::new(&lists);
    run(project.configure("Ninja").env("CC", "arm-none-eabi-gcc").args(CROSS));
    let rules = fs::read_to_string(project.path("build/build.ninja")).expect("rules of Ninja");
    assert!(rules.contains("-DTBAND_TRIPLE=thumbv8m.main-none-eabi "), "{rules}");
    // Where they are given to the program alone, CMake refuses, whatever the compiler makes without them.
    let wrong = lists.replace(options, "")
        + "target_compile_options(user PRIVATE --target=thumbv7m-none-eabi -mcpu=cortex-m3)\n";
    for (compiler, output) in [
        ("clang", "the compiler makes programs for the system it runs on"),
        ("arm-none-eabi-gcc", "no Rust target is known for this compiler"),
    ] {
        let project = Project::new(&wrong);
        let finished = finish(project.configure("Ninja").env("CC", compiler).args(CROSS));
        assert!(!finished.ok, "{compiler}");
        let hint = "pass them to tband too: target_compile_options(tband_config INTERFACE";
        crate::assert_contains(&crate::unwrapped(&finished), &[output, hint]);
    }
}

/// Options that only one language or one type of build has.
#[test]
fn options_of_a_language_and_of_a_type_of_build() {
    let options = "add_compile_options(\"$<$<COMPILE_LANGUAGE:C,CXX>:-mcpu=cortex-m4;-mthumb>\" \
        \"$<$<CONFIG:Debug>:-Og;-g3>\" \"$<$<COMPILE_LANGUAGE:CXX>:-mcpu=cortex-m0>\" -Wall)";
    is_built_for("thumbv7em-none-eabi", options, "arm-none-eabi-gcc", &CROSS);
    let [name, processor] = CROSS;
    let flags =
        ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS_RELEASE=-Os -mcpu=cortex-m0 -mthumb"];
    is_built_for(
        "thumbv6m-none-eabi",
        "",
        "arm-none-eabi-gcc",
        &[name, processor, flags[0], flags[1]],
    );
}

/// Characters that regular expressions, patterns or shells read as something else.
#[test]
fn folders_with_unusual_names() {
    for name in ["c++", "a b", "(x)", "[v1]", "a$b", "a'b"] {
        let project = Project::new(&lists("add_subdirectory(tband tband)"));
        let folder = project.path(name);
        fs::create_dir(&folder).expect("a folder");
        for entry in ["CMakeLists.txt", "main.c", "config"] {
            fs::rename(project.path(entry), folder.join(entry)).expect("a part of the project");
        }
        std::os::unix::fs::symlink(root(), folder.join("tband")).expect("a link");
        run(cmake()
            .arg("-S")
            .arg(&folder)
            .arg("-B")
            .arg(folder.join("build"))
            .arg(crate::prebuilt()));
        run(cmake().arg("--build").arg(folder.join("build")));
        run(&mut Command::new(folder.join("build/user")));
    }
}
