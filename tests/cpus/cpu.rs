//! A CPU and its board: builds the programs for it, runs them, and compares.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tband_tests::library::{library, work};
use tband_tests::{kernel, root, run, temp_dir};
use xtask::board::{run_firmware, run_firmware_in_parallel};
use xtask::xtensa;

use crate::run_artifacts::RunArtifacts;

/// A file of these tests.
pub(crate) fn path_of(name: &str) -> PathBuf {
    root().join("tests/cpus").join(name)
}

/// A CPU on a board of QEMU.
pub(crate) struct Cpu {
    /// Its folder here.
    pub(crate) folder: &'static str,
    pub(crate) triple: &'static str,
    pub(crate) compiler: &'static str,
    /// Options of the compiler and the linker, separated by spaces as the others.
    pub(crate) flags: &'static str,
    /// Options of the linker; `LD` is the file that places the sections.
    pub(crate) link: &'static str,
    /// Files beside those that all have.
    pub(crate) start: &'static str,
    pub(crate) ld: &'static str,
    /// Folder of the kernel's port.
    pub(crate) kernel: &'static str,
    /// The emulator, and how to choose the machine.
    pub(crate) emulator: &'static str,
}

impl Cpu {
    fn is_big(&self) -> bool {
        self.flags.contains("-DBIG")
    }

    /// Has no driver that compiles, assembles and links.
    fn is_xtensa(&self) -> bool {
        self.triple == xtensa::TRIPLE
    }

    /// Options of the compiler.
    fn options(&self, more: &[&str]) -> Vec<String> {
        let usual = ["-O2", "-ffreestanding", "-Wall", "-Wextra", "-Werror"];
        let all = self.flags.split(' ').chain(usual);
        let of_tests = [self.folder, "shared", "shared/nolibc"].map(path_of);
        let of_project = ["include", "port", "freertos-hooks", "examples/mps2-board"];
        let folders = of_tests.into_iter().chain(of_project.map(|it| root().join(it)));
        let folders = folders.map(|folder| format!("-I{}", folder.display()));
        all.chain(more.iter().copied()).map(str::to_owned).chain(folders).collect()
    }

    /// Compiles `sources` and links them with the library.
    fn build(&self, elf: &Path, options: &[&str], sources: &[PathBuf]) {
        let own = if self.is_xtensa() { self.folder } else { "shared" };
        let mut all = vec![
            path_of(self.start),
            path_of(self.folder).join("board.c"),
            path_of(own).join("semihost.c"),
            root().join("port/tband_shim.c"),
        ];
        all.extend(["mem.c", "board_host.c", "fault.c"].map(|it| path_of("shared").join(it)));
        all.extend_from_slice(sources);
        let options = self.options(options);
        if self.is_xtensa() {
            all.push(path_of(self.folder).join("arithmetic.c"));
            self.build_by_steps(elf, &options, &all);
            return;
        }
        let mut link = Command::new(self.compiler);
        link.args(options).args(["-nostartfiles", "-nostdlib", "-Wl,--gc-sections"]);
        link.args(["-Wl,-z,noexecstack", "-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none"]);
        link.args(self.link.split_whitespace()).arg("-T").arg(path_of(self.ld)).args(all);
        run(link.arg(library(self.triple)).arg("-lgcc").arg("-o").arg(elf));
    }

    /// The same with a compiler, an assembler and a linker.
    fn build_by_steps(&self, elf: &Path, options: &[String], sources: &[PathBuf]) {
        static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
        let library = LIBRARY.get_or_init(|| {
            xtensa::library(root(), &work()).unwrap_or_else(|error| panic!("{error:#}"))
        });
        let folder = temp_dir();
        let mut options = options.to_vec();
        options.extend(["-ffunction-sections", "-fdata-sections"].map(str::to_owned));
        let mut objects = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            let object = folder.path().join(format!("{number}.o"));
            xtensa::compile(&options, source, &object).unwrap_or_else(|error| panic!("{error:#}"));
            objects.push(object);
        }
        objects.push(library.clone());
        let script = format!("-T{}", path_of(self.ld).display());
        xtensa::link(&[script], &objects, elf).unwrap_or_else(|error| panic!("{error:#}"));
    }

    /// Runs a program. Returns its recording and its output.
    fn run(&self, elf: &Path) -> RunArtifacts {
        let folder = temp_dir();
        run_firmware(self.emulator, elf, folder.path(), None)
            .unwrap_or_else(|error| panic!("{error:#}"));
        RunArtifacts::read(folder, "qemu.log")
    }

    /// The program that records on several cores at the same time, in one of its modes.
    pub(crate) fn in_parallel(&self, cores: usize, mode: &str) -> RunArtifacts {
        let folder = temp_dir();
        let elf = folder.path().join("program.elf");
        let options = [format!("-DCORES={cores}"), format!("-DAPP_MODE=APP_{mode}")];
        let sources = ["smp.c", "secondary.S"].map(|name| path_of(self.folder).join(name));
        self.build(&elf, &options.each_ref().map(String::as_str), &sources);
        let emulator = format!("{} -smp {cores}", self.emulator);
        let out = temp_dir();
        run_firmware_in_parallel(&emulator, &elf, out.path())
            .unwrap_or_else(|error| panic!("{error:#}"));
        RunArtifacts::read(out, "qemu.log")
    }

    /// Runs the bare program in one of its modes, with additional options.
    fn bare(&self, mode: &str, options: &[&str]) -> RunArtifacts {
        let folder = temp_dir();
        let elf = folder.path().join("program.elf");
        let mode = format!("-DAPP_MODE=APP_{mode}");
        let options = [options, &[mode.as_str()]].concat();
        self.build(&elf, &options, &[path_of("shared/app_bare.c")]);
        self.run(&elf)
    }

    /// Whether the kernel has the port for this CPU.
    pub(crate) fn has_kernel_port(&self) -> bool {
        kernel::sources().join("portable/GCC").join(self.kernel).is_dir()
    }

    /// The kernel with tasks, a queue, a mutex, and the tick.
    fn on_the_kernel(&self) -> RunArtifacts {
        let folder = temp_dir();
        let elf = folder.path().join("program.elf");
        let sources = kernel::sources();
        let port = if self.kernel.is_empty() {
            path_of(self.folder)
        } else {
            sources.join("portable/GCC").join(self.kernel)
        };
        let mut files: Vec<PathBuf> = ["tasks.c", "queue.c", "list.c", "portable/MemMang/heap_4.c"]
            .map(|it| sources.join(it))
            .into();
        let entries = ["portASM.S", "portISR.c"].map(|it| port.join(it));
        files.extend(entries.into_iter().filter(|it| it.is_file()));
        if self.is_big() {
            // Its tasks begin without CPSR.E, so they run little endian.
            let text = tband_tests::read(port.join("port.c"));
            let big = text.replace("( StackType_t ) 0x1f )", "( StackType_t ) 0x21f )");
            assert_ne!(big, text, "the kernel's port sets CPSR in another way");
            let file = folder.path().join("port.c");
            tband_tests::write(&file, big);
            files.push(file);
        } else {
            files.push(port.join("port.c"));
        }
        files.push(path_of("shared/app_rtos.c"));
        files.push(root().join("freertos-hooks/tband_freertos.c"));
        let headers = [sources.join("include"), port.clone()];
        let headers: Vec<String> = headers.iter().map(|it| format!("-I{}", it.display())).collect();
        let mut options = vec!["-DAPP_RTOS", "-Wno-error"];
        let version = xtask::kernel::version(&sources).unwrap_or_else(|error| panic!("{error:#}"));
        if version < 110_200 {
            options.push("-Dtband_configFREERTOS_VERSION=110000");
        }
        options.extend(headers.iter().map(String::as_str));
        let extension = port.join("chip_specific_extensions/RISCV_MTIME_CLINT_no_extensions");
        let extension = format!("-I{}", extension.display());
        if Path::new(&extension[2..]).is_dir() {
            options.push(&extension);
        }
        self.build(&elf, &options, &files);
        self.run(&elf)
    }

    /// The bare program in one of the modes that record everything.
    fn assert_records_everything(&self, mode: &str) {
        let recorded = self.bare(mode, &[]);
        recorded.assert_converts();
        assert_eq!(recorded.values(), (0..500).collect::<Vec<_>>(), "{mode}");
        assert_eq!(recorded.count("evtmarker"), 10, "{mode}");
        let mut expected = 500;
        if self.flags.contains("-DAPP_HAS_INTERRUPTS") {
            let ticks = recorded.counted("ticks");
            assert!(ticks > 100, "{ticks}");
            expected += ticks;
        }
        let interrupts = (recorded.count("isr_enter"), recorded.count("isr_exit"));
        assert_eq!(interrupts, (expected, expected), "{mode}");
    }

    pub(crate) fn assert_both_formats(&self) {
        self.assert_records_everything("FRAMES");
        self.assert_records_everything("PACKETS");
    }

    /// Every way of the bare program.
    pub(crate) fn assert_all_modes(&self) {
        self.assert_both_formats();
        self.assert_records_everything("RTT");
        let filtered = self.bare("FILTERS", &[]);
        filtered.assert_converts();
        assert_eq!(filtered.values(), (0..500).collect::<Vec<_>>());
        assert_eq!((filtered.count("evtmarker"), filtered.count("isr_enter")), (0, 0));
        assert!(filtered.count("filter") > 0);

        let shed = self.bare("SHEDDING", &[]);
        let input = [tband_conv::Input::from_bytes("r", &shed.recording)];
        let (_, summary) = tband_recordings::timeline_of(&input, &tband_conv::Options::default());
        let events: u64 = summary.shed.iter().map(|it| it.events).sum();
        let entered = shed.count("isr_enter") + shed.count("isr_exit");
        assert!(events > 0 && entered > 0, "{events} shed, {entered} recorded");
        assert_eq!(entered as u64 + events, 1000);
        assert_eq!(shed.values(), (0..500).collect::<Vec<_>>());

        // With and without the checksums of a recording that was frozen.
        for options in [&[][..], &["-DAPP_FREEZE"]] {
            let left = self.bare("POST_MORTEM", options);
            left.assert_converts();
            let values = left.values();
            assert!(values.len() > 20, "{options:?}: {values:?}");
            assert!(values.windows(2).all(|it| it[0] + 1 == it[1]), "{options:?}: {values:?}");
            assert_eq!(values.last(), Some(&499), "{options:?}");
            assert_eq!(left.count("isr_name"), 1, "{options:?}");
        }
    }

    /// What the application and the handler of the tick have counted is in the recording.
    pub(crate) fn assert_kernel_recorded(&self) {
        let recorded = self.on_the_kernel();
        if self.emulator.contains("-smp") {
            recorded.assert_has_what_the_cores_did();
        } else {
            recorded.assert_has_what_the_kernel_did();
        }
    }
}
