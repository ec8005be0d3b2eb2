//! The ways in which CMake is given a compiler and its flags: the library is built for the CPU that they name.

use std::fs;
use std::process::Command;

use tband_tests::{root, run};

use crate::{Project, add_subdirectory, cmake, lists};

/// Configures a project with what is between `project()` and tband, and returns whether its library is for the target.
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
