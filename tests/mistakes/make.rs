//! Builds of a project by CMake, and by make with tband as in a package.

use std::process::Command;

use tband_tests::{archive, finish, read, root, write};

use crate::project::Project;

/// Returns CMake's message about a project, which it must refuse.
#[track_caller]
pub fn cmake_message(project: &Project) -> String {
    write(project.path("CMakeLists.txt"), LISTS);
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(project.path("")).arg("-B").arg(project.path("build"));
    cmake.arg(format!("-DTBAND_PATH={}", root().display()));
    cmake.arg(format!("-DTBAND_LIBRARY={}", archive().display()));
    let finished = finish(&mut cmake);
    assert!(!finished.ok, "CMake must refuse");
    finished.text().split_whitespace().collect::<Vec<_>>().join(" ")
}

const LISTS: &str = "cmake_minimum_required(VERSION 3.20)\n\
    project(user LANGUAGES C)\n\
    add_library(tband_config INTERFACE)\n\
    target_include_directories(tband_config INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})\n\
    add_subdirectory(${TBAND_PATH} tband)\n\
    add_executable(user main.c)\n\
    target_link_libraries(user PRIVATE tband::tband)\n";

/// Adds a package of tband to the project, with libraries for the machine and for a Cortex-M4F, and a Makefile.
fn package(project: &Project, makefile: &str) {
    write(project.path("Makefile"), makefile);
    let package = project.path("tband");
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    for target in [&host, "thumbv7em-none-eabihf"] {
        write(package.join(format!("lib/{target}/libtband.a")), "");
    }
    for folder in ["include", "port", "freertos-hooks", "cmake"] {
        std::os::unix::fs::symlink(root().join(folder), package.join(folder)).expect("a link");
    }
    write(package.join("tband.mk"), read(root().join("cmake/tband.mk")));
}

/// Returns make's message about a project, or about a variable on its command line.
#[track_caller]
pub fn make_message(project: &Project, variable: &str) -> String {
    package(
        project,
        "TBAND_CONFIG := .\ninclude tband/tband.mk\nmain.o: main.c\n\t$(CC) $(TBAND_CPPFLAGS) -c $<\n",
    );
    let mut make = Command::new("make");
    make.arg("-C").arg(project.path("")).args(["CC=cc", "CFLAGS="]);
    if !variable.is_empty() {
        let finished = finish(&mut make);
        assert!(finished.ok, "without a mistake make is content: {}", finished.text());
        make.arg(variable);
    }
    let finished = finish(&mut make);
    assert!(!finished.ok, "make must refuse");
    finished.text()
}

/// It does not matter whether tband.mk is included before the lines that set the compiler and its flags: the library is
/// that of the compiler that is called.
#[test]
fn make_takes_the_library_of_the_compiler() {
    let include = "TBAND_CONFIG := .\ninclude tband/tband.mk\n";
    let compiler =
        "CC = arm-none-eabi-gcc\nCFLAGS = -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16\n";
    let cpu = "CC := arm-none-eabi-gcc -mthumb\n";
    let flags = "CFLAGS := -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16\n";
    let show = "show: main.c $(TBAND_LIBRARY)\n\t@echo $(TBAND_LIBRARY) $^\n";
    let (arm, host) = ("thumbv7em-none-eabihf", "-unknown-linux-gnu");
    for (lines, target) in [
        (format!("{compiler}{include}"), arm),
        (format!("{include}{compiler}"), arm),
        (format!("{include}{cpu}{flags}"), arm),
        (format!("TBAND_TARGET := {arm}\n{include}"), arm),
        // clang with its target in either place, and a launcher such as ccache.
        (format!("CC := clang --target=arm-none-eabi\n{flags}{include}"), arm),
        (format!("{include}CC := clang\n{flags}CFLAGS += --target=arm-none-eabi\n"), arm),
        (format!("CC := env arm-none-eabi-gcc -mthumb\n{flags}{include}"), arm),
        (include.to_owned(), host),
        (format!("CC := cc\n{include}"), host),
    ] {
        let project = Project::new();
        package(&project, &format!("{lines}{show}"));
        let mut make = Command::new("make");
        make.arg("-C").arg(project.path("")).env_remove("CC").env_remove("CFLAGS");
        let output = finish(make.arg("--no-print-directory")).text();
        let found: Vec<&str> = output.split_whitespace().collect();
        let library = |text: &&str| text.ends_with(&format!("{target}/libtband.a"));
        assert!(
            found.len() == 3 && found.iter().filter(|it| library(it)).count() == 2,
            "{lines}: {output}"
        );
    }
}
