//! The identity that a build gives to its program, in the recording and in the ELF file.

use std::fs;
use std::process::Command;

use tband_program::formats;
use tband_tests::{finish, run, write};

use crate::{MAIN, Project, add_subdirectory, cmake, lists, prebuilt};

/// The identity that the program's ELF file contains.
fn of_elf_file(project: &Project) -> Option<String> {
    formats(&project.path("build/user")).expect("an ELF file").program.identity
}

fn configured(generator: &str, arguments: &[&str]) -> Project {
    let project = Project::new(&lists(&add_subdirectory()));
    run(project.configure(generator).arg(prebuilt()).args(arguments));
    project
}

#[test]
fn recordings_have_the_identity_of_the_elf_file() {
    for generator in ["Ninja", "Unix Makefiles"] {
        let project = configured(generator, &[]);
        let first = project.build_and_run().expect("an identity");
        assert_eq!(of_elf_file(&project).as_ref(), Some(&first));

        // Another constant, which leaves each address as it is.
        write(project.path("main.c"), MAIN.replace("return 42;", "return 41 + 1 + 0 * 7;"));
        assert_eq!(project.build_and_run().as_ref(), Some(&first), "the same code");
        let other = MAIN.replace("return 1;", "return 2;");
        write(project.path("main.c"), other);
        let second = project.build_and_run().expect("an identity");
        assert_ne!(second, first);
        assert_eq!(of_elf_file(&project), Some(second));
        write(project.path("main.c"), MAIN);
        assert_eq!(project.build_and_run(), Some(first));
        let left: Vec<_> = fs::read_dir(project.path("build")).expect("the folder").collect();
        assert!(left.iter().flatten().all(|it| !it.path().to_string_lossy().ends_with(".tband")));
    }
}

#[test]
fn programs_without_one_still_record() {
    for arguments in [["-DTBAND_PROGRAM_ID=OFF"], ["-DCMAKE_EXE_LINKER_FLAGS=-s"]] {
        assert_eq!(configured("Ninja", &arguments).build_and_run(), None, "{arguments:?}");
    }
}

#[test]
fn programs_for_fixed_addresses_and_without_debug_information() {
    for arguments in [
        ["-DCMAKE_C_FLAGS=-no-pie -fno-pie"],
        ["-DCMAKE_C_FLAGS=-g -ffunction-sections -Wl,--gc-sections"],
        ["-DCMAKE_C_FLAGS=-flto"],
        ["-DCMAKE_OBJCOPY="],
    ] {
        let project = configured("Ninja", &arguments);
        let identity = project.build_and_run();
        assert!(identity.is_some(), "{arguments:?}");
        assert_eq!(of_elf_file(&project), identity, "{arguments:?}");
    }
}

/// The post-mortem backend reads the characters. An instruction that computed them would not reach them from code of 64 bits.
#[test]
#[cfg(target_arch = "x86_64")]
fn an_optimised_post_mortem_program() {
    let project = Project::new(&lists(&add_subdirectory()));
    let post_mortem = "#define tband_configENABLE 1\n\
                       #define tband_configFORMAT TBAND_FORMAT_PACKETS\n\
                       #define tband_configUSE_BACKEND_POST_MORTEM 1\n\
                       #define tband_configPACKET_BUF_ATTRIBUTE\n";
    write(project.path("config/tband_config.h"), post_mortem);
    let main = "#include \"tband.h\"\n\
                uint64_t my_timer_ticks(void) { return 42; }\n\
                int main(void) { return tband_start_post_mortem(); }\n";
    write(project.path("main.c"), main);
    run(project.configure("Ninja").arg(prebuilt()).arg("-DCMAKE_C_FLAGS=-O3"));
    run(cmake().arg("--build").arg(project.path("build")));
    run(&mut Command::new(project.path("build/user")));
    assert!(of_elf_file(&project).is_some());
    let shim = project.path("build/tband/CMakeFiles/tband.dir/port/tband_shim.c.o");
    let relocations = run(Command::new("readelf").args(["--relocs", "--wide"]).arg(shim));
    let relocations = String::from_utf8_lossy(&relocations).into_owned();
    let of_characters = relocations.lines().filter(|line| line.contains("tband_program_"));
    let in_code: Vec<_> = of_characters.filter(|line| !line.contains("R_X86_64_64 ")).collect();
    assert!(in_code.is_empty(), "{in_code:?}");
}

/// Other link commands of the same build are run once, with their arguments as they are.
#[test]
fn other_programs_are_linked_as_before() {
    let other = "add_library(some STATIC other.c)\n\
                 add_executable(other main_of_other.c)\n\
                 target_link_libraries(other PRIVATE some)\n\
                 target_link_options(other PRIVATE \"-Wl,-rpath,a b(c\" -Wl,--defsym=kept=0x1234)\n";
    let project = Project::new(&(lists(&add_subdirectory()) + other));
    write(project.path("other.c"), "int some(void) { return 7; }\n");
    write(project.path("main_of_other.c"), "int some(void);\nint main(void) { return some(); }\n");
    run(project.configure("Ninja").arg(prebuilt()));
    run(cmake().arg("--build").arg(project.path("build")));
    let symbols = run(Command::new("nm").arg(project.path("build/other")));
    let symbols = String::from_utf8_lossy(&symbols).into_owned();
    assert!(symbols.contains("1234 A kept") && !symbols.contains("tband"), "{symbols}");
    let sections = run(Command::new("readelf").arg("-d").arg(project.path("build/other")));
    let sections = String::from_utf8_lossy(&sections).into_owned();
    assert!(sections.contains("[a b(c]"), "{sections}");
}

/// As a Makefile may write it.
#[test]
fn the_output_may_be_joined_to_its_option() {
    let folder = tband_tests::temp_dir();
    let program = "extern const char tband_program_0[] __attribute__((weak));\n\
                   const void *volatile tband_program = tband_program_0;\n\
                   int main(void) { return tband_program == 0; }\n";
    write(folder.path().join("program.c"), program);
    for output in [&["-ojoined"][..], &["-o", "apart"]] {
        let mut link = cmake();
        link.arg("-P").arg(tband_tests::root().join("cmake/TbandLink.cmake"));
        run(link.args(["--", "cc", "program.c"]).args(output).current_dir(folder.path()));
        let name = output.last().expect("a name").trim_start_matches("-o");
        run(&mut Command::new(folder.path().join(name)));
    }
}

#[test]
fn a_link_that_fails_stops_the_build() {
    let project = Project::new(&lists(&add_subdirectory()));
    write(project.path("main.c"), MAIN.replace("return 42;", "return missing();"));
    let declared = fs::read_to_string(project.path("main.c")).expect("the program");
    write(project.path("main.c"), format!("unsigned missing(void);\n{declared}"));
    run(project.configure("Ninja").arg(prebuilt()));
    let finished = finish(cmake().arg("--build").arg(project.path("build")));
    assert!(!finished.ok);
    let text = finished.text();
    assert!(text.contains("undefined reference to `missing'"), "{text}");
}
