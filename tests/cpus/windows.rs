//! FreeRTOS's Windows simulator: the kernel's port for it, compiled by MinGW-w64, runs in Wine.

mod release {
    use std::fs::{self, File};
    use std::process::{Command, Stdio};

    use tband_programs::Program;
    use tband_tests::library::{library, work};
    use tband_tests::{finish, root, temp_dir};
    use xtask::board::build_firmware;
    use xtask::kernel;
    use xtask::setup::{self, Purpose};

    use crate::cpu::path_of;
    use crate::run_artifacts::RunArtifacts;

    const TRIPLE: &str = "x86_64-pc-windows-gnu";

    #[test]
    fn the_windows_simulator_records_the_kernel() {
        if let Err(error) = setup::run(Purpose::Windows) {
            eprintln!("SKIPPED: FreeRTOS's Windows simulator is NOT tried: {error:#}");
            return;
        }
        let build = work().join("windows-simulator");
        let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
        let toolchain = path_of("windows/mingw.cmake");
        let of_kernel = format!("FREERTOS_KERNEL_PATH={}", kernel.display());
        let kernel_argument = format!("-D{of_kernel}");
        let settings = [of_kernel, format!("TBAND_LIBRARY={}", library(TRIPLE).display())];
        let chosen = build.join("chosen");
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(path_of("windows")).arg("-B").arg(&chosen).arg(&kernel_argument);
        configure.args(["-G", "Unix Makefiles"]);
        configure.arg(format!("-DCMAKE_TOOLCHAIN_FILE={}", toolchain.display()));
        // Where the target cannot be added, an error names it.
        let printed = finish(&mut configure).text();
        let rules = "tband/CMakeFiles/tband_archive_build.dir/build.make";
        let rules = fs::read_to_string(chosen.join(rules)).unwrap_or(printed);
        assert!(rules.contains(TRIPLE), "{rules}");
        build_firmware(&path_of("windows"), &build, &toolchain, &settings)
            .unwrap_or_else(|error| panic!("{error:#}"));

        let machine = temp_dir();
        let record = || {
            let folder = temp_dir();
            let log = File::create(folder.path().join("wine.log")).expect("a log");
            let mut wine = Command::new("wine");
            wine.arg(build.join("program.exe")).current_dir(folder.path());
            wine.env("WINEPREFIX", machine.path()).env("WINEDEBUG", "-all").env_remove("DISPLAY");
            // Without its .NET and its browser, which it would set up first.
            wine.env("WINEDLLOVERRIDES", "mscoree,mshtml=");
            wine.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
            let ended = Program::start_inheriting(&mut wine).expect("wine").wait();
            let recorded = RunArtifacts::read(folder, "wine.log");
            assert!(ended.expect("its end").success(), "{}", recorded.log);
            recorded
        };
        // A busy computer may not run the thread that sends for so long that the ring is full, which the recording reports.
        let mut recorded = record();
        for _ in 0..5 {
            if !recorded.has_lost_events() {
                break;
            }
            recorded = record();
        }
        recorded.assert_has_what_the_kernel_did();
    }
}
